"""Bids high when the best cards stand out, low when the cards are alike.

Idea: the first turn is worth most when the best cards are far better than what is left for the last player, who takes
everything without a roll. So the bid rises with the gap between the two best cards and the average of the others.

Parameters: low, 14 to 26, the bid for a layout without a gap; high, 14 to 27, the bid for a gap of `gap` points or
more; gap, 0.1 to 100.
"""

from analyzer.wool_rules.views import View
from strategies.wool_rules.prices import legal_bid, my_worths, sum_of_best
from strategies.wool_rules.prices import sensible_accept as accept
from strategies.wool_rules.prices import sensible_hold as hold
from strategies.wool_rules.prices import sensible_pick as pick
from strategies.wool_rules.prices import sensible_save as save

__all__ = ["accept", "bid", "hold", "pick", "save"]

RANGES = {"low": (14, 26), "high": (14, 27), "gap": (0.1, 100.0)}

STANDING_OUT = 2
"""How many of the best cards are compared with the others."""


def bid(v: View, low: int = 20, high: int = 24, gap: float = 16.0) -> int:
    """Bid between low and high, by how far the two best cards stand out."""
    worths = my_worths(v)
    best = sum_of_best(worths, STANDING_OUT)
    rest = sum_of_best(worths, v.n_table) - best
    stand_out = best / STANDING_OUT - rest / max(v.n_table - STANDING_OUT, 1)
    share = min(max(stand_out / gap, 0.0), 1.0)
    return legal_bid(v, round(low + share * (high - low)))
