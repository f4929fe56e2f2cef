"""Bids what it makes with a wanted chance, by the exact odds.

Idea: the odds of a dice action are known exactly, so a cautious player bids what comes off three times in four and a
bold one what comes off every second time. Modifier included; chips count as far as it is willing to spend them.

Parameters: chance, 0 to 1, wanted to make the bid; chips, 0 to 25, counted on and spent.
"""

from analyzer.wool_rules.decisions import best_die
from analyzer.wool_rules.views import View
from strategies.wool_rules.prices import bid_by_odds, legal_bid
from strategies.wool_rules.prices import sensible_pick as pick
from strategies.wool_rules.prices import sensible_save as save

__all__ = ["accept", "bid", "hold", "pick", "save"]

RANGES = {"chance": (0.0, 1.0), "chips": (0, 25)}


def bid(v: View, chance: float = 0.6, chips: int = 1) -> int:
    """Bid what it makes with a chance nearest to the wanted one."""
    return legal_bid(v, bid_by_odds(v, v.me, chance, min(chips, v.seats[v.me].chips)))


def accept(v: View, chips: int = 1) -> bool:
    """Accept help within the chips it is willing to spend."""
    return bool(v.help <= chips)


def hold(v: View, chips: int = 1) -> int:
    """Set aside the die with the best odds to make the bid."""
    return best_die(v, 1.0, 1.0, 1.0, 0.0, 0.0, 0.0, min(chips, v.seats[v.me].chips))
