"""Collects a pair of 3-7-0, then runs from the third.

Idea: the second 3-7-0 brings 11 points and the third takes 14 away. So it takes the first early, pays much for the
second, and with a pair bids higher when another lies there, because the last player has to take it. It needs to
remember its flock.

Found in games: knowing when to stop is worth little beside bidding more when the second or third one lies there.

Parameters: level, 14 to 27, the usual bid; extra, 0 to 13, added when a 3-7-0 is wanted or to be escaped; first, 0 to
50, points that the first one is worth to it.

Source: rulebook, "Sheep card 3-7-0".
"""

from analyzer.wool_rules.constants import SET_370, TRIO
from analyzer.wool_rules.views import View
from strategies.wool_rules.prices import highest, legal_bid, my_worths
from strategies.wool_rules.prices import sensible_accept as accept
from strategies.wool_rules.prices import sensible_hold as hold
from strategies.wool_rules.prices import sensible_save as save

__all__ = ["accept", "bid", "hold", "pick", "save"]

RANGES = {"level": (14, 27), "extra": (0, 13), "first": (0.0, 50.0)}


def bid(v: View, level: int = 22, extra: int = 1) -> int:
    """Bid the level, higher when a 3-7-0 lies there and it has one or a pair."""
    matters = False
    for i in range(v.n_table):
        matters = matters or (v.table[i].kind == SET_370 and v.seats[v.me].n_370 % TRIO > 0)
    return legal_bid(v, level + extra if matters else level)


def pick(v: View, first: float = 6.0) -> int:
    """Take the first at its price, the second for its points, the third last of all."""
    worths = my_worths(v)
    for i in range(v.n_table):
        if v.table[i].kind == SET_370 and v.seats[v.me].n_370 % TRIO == 0:
            worths[i] = first
    return highest(worths)
