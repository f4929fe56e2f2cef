"""Bids low to be last, and grazes on what the others leave.

Idea: the last player takes all that is left, without a roll, and has no bid to miss; whoever goes before with a low bid
makes it nearly always. The catch is that black sheep are left too, so a table with many of them is bid for. The highest
sheep number on top wins the last place among equal bids.

Found in games: it depends on the others. Where they make their bids, hardly anything good is left and it nearly always
loses; where they bid too high and fail, it takes whole tables and wins.

Parameters: level, 14 to 27, the bid; flee, 14 to 27, the bid when black sheep threaten; fear, 0 to 100, how many points
of black sheep on the table are too many.

Source: rulebook, "Game Objective": whoever goes last takes whatever is left.
"""

from analyzer.wool_rules.constants import SET_007
from analyzer.wool_rules.views import View
from strategies.wool_rules.prices import black_points, legal_bid
from strategies.wool_rules.prices import sensible_accept as accept
from strategies.wool_rules.prices import sensible_hold as hold
from strategies.wool_rules.prices import sensible_pick as pick
from strategies.wool_rules.prices import sensible_save as save

__all__ = ["accept", "bid", "hold", "pick", "save", "top"]

RANGES = {"level": (14, 27), "flee": (14, 27), "fear": (0, 100)}


def bid(v: View, level: int = 14, flee: int = 22, fear: int = 8) -> int:
    """Bid the level, or the higher one when too many black sheep lie there."""
    return legal_bid(v, flee if -black_points(v) >= fear else level)


def top(v: View) -> int:
    """Lay the highest sheep number on top."""
    best, position = -1, 0
    for i in range(v.n_taken):
        if v.taken[i].kind <= SET_007 and v.taken[i].sheep_number > best:
            best, position = v.taken[i].sheep_number, i
    return position
