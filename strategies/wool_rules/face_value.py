"""Counts only the points printed on sheep, as a beginner does.

Idea: white sheep show their points and everything else looks strange. Sets, dogs and the bone are taken only when
nothing better is left, so this player shows what the special cards are worth to those who mind them.

Found in games: what it gains in white sheep it loses in special cards.

Parameters: level, 14 to 27, the bid.
"""

from analyzer.wool_rules.views import View
from strategies.wool_rules.holds import keep_above_mean as hold
from strategies.wool_rules.prices import highest, legal_bid

__all__ = ["bid", "hold", "pick"]

RANGES = {"level": (14, 27)}


def bid(v: View, level: int = 22) -> int:
    """Bid the level."""
    return legal_bid(v, level)


def pick(v: View) -> int:
    """Take the card with the most points printed on it."""
    return highest([float(v.table[i].points) for i in range(v.n_table)])
