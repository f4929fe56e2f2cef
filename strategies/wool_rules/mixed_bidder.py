"""Draws its bid, so that nobody can bid one more.

Idea: a bid that is always the same can be beaten by one more, or left behind on purpose. This player draws each bid
between two numbers, the middle more often than the ends, so that its place in the turn order cannot be foreseen.

Found in games: against players of one level it does well, since every bid above theirs goes first.

Parameters: low and high, 14 to 27, the ends.
"""

from analyzer.wool_rules.views import View
from strategies.wool_rules.prices import legal_bid
from strategies.wool_rules.prices import sensible_accept as accept
from strategies.wool_rules.prices import sensible_hold as hold
from strategies.wool_rules.prices import sensible_pick as pick
from strategies.wool_rules.prices import sensible_save as save

__all__ = ["accept", "bid", "hold", "pick", "save"]

RANGES = {"low": (14, 27), "high": (14, 27)}


def bid(v: View, low: int = 20, high: int = 25) -> int:
    """Draw a bid: half the sum of two draws."""
    share = (v.draws[0] + v.draws[1]) / 2
    return legal_bid(v, low + int(share * (high - low + 1)))
