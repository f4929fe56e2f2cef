"""Stays under its bid while making it would bring black sheep.

Idea: a bid that is made without help must be taken, all cards of it. Where black sheep would be among them, it sets
dice aside so that the early attempts fail and the third brings the one card it wants, but keeps clear of a result under
14, which brings all of them. When they threaten, it bids so as not to be last.

Parameters: level, 14 to 27, the usual bid; flee, 14 to 27, the bid when black sheep threaten; fear, 0 to 100, points of
black sheep on the table that count as a threat; hate, 1 to 10, how many times its points a black sheep is felt.

Source: rulebook, "Robbi wants to use his dice deliberately, but stays under 14".
"""

from analyzer.wool_rules.views import View
from strategies.wool_rules.prices import accept_for, black_points, hold_for, legal_bid, save_for
from strategies.wool_rules.prices import sensible_pick as pick

__all__ = ["accept", "bid", "hold", "pick", "save"]

RANGES = {"level": (14, 27), "flee": (14, 27), "fear": (0, 100), "hate": (1.0, 10.0)}


def bid(v: View, level: int = 22, flee: int = 23, fear: int = 4) -> int:
    """Bid the level, or higher when too many black sheep lie there."""
    return legal_bid(v, flee if -black_points(v) >= fear else level)


def hold(v: View, hate: float = 2.0) -> int:
    """Set aside the best die for what the cards feel like that must be taken."""
    return hold_for(v, hate)


def accept(v: View, hate: float = 2.0) -> bool:
    """Take the cards with help when they feel better than rolling on."""
    return accept_for(v, hate)


def save(v: View, hate: float = 2.0) -> bool:
    """Pay to reach 14 as long as that feels cheaper."""
    return save_for(v, hate)
