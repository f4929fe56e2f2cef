"""Chases a trio of 0-0-7, and gives up when too few are left.

Idea: two 0-0-7 are worth nothing and a third makes them 21 points, so whoever begins must go on. It counts those that
others have taken; where it cannot remember them it always hopes. With two it bids higher when the third lies there.

Found in games: picking for the trio alone gains little; bidding more for the last card of it gains more.

Parameters: level, 14 to 27, the usual bid; extra, 0 to 13, added when the third lies there; first and second, 0 to 50,
points that the first two of a trio are worth to it.

Source: rulebook, "Sheep card 0-0-7".
"""

from analyzer.wool_rules.constants import SET_007, TRIO
from analyzer.wool_rules.views import View
from strategies.wool_rules.prices import highest, legal_bid, my_worths
from strategies.wool_rules.prices import sensible_accept as accept
from strategies.wool_rules.prices import sensible_hold as hold
from strategies.wool_rules.prices import sensible_save as save

__all__ = ["accept", "bid", "hold", "pick", "save"]

RANGES = {"level": (14, 27), "extra": (0, 13), "first": (0.0, 50.0), "second": (0.0, 50.0)}


def bid(v: View, level: int = 22, extra: int = 2) -> int:
    """Bid the level, higher when a trio can be completed."""
    last_one_there = False
    for i in range(v.n_table):
        last_one_there = last_one_there or (v.table[i].kind == SET_007 and v.seats[v.me].n_007 % TRIO == TRIO - 1)
    return legal_bid(v, level + extra if last_one_there else level)


def pick(v: View, first: float = 6.0, second: float = 8.0) -> int:
    """Take a 0-0-7 as long as the trio can still be completed."""
    left = v.deck_kinds[SET_007]
    for seat in range(v.players):
        left -= v.seats[seat].n_007
    have = v.seats[v.me].n_007 % TRIO
    price = first if have == 0 else second
    if have == TRIO - 1:
        price = float(v.rules.zero_zero_seven[TRIO - 1])
    worths = my_worths(v)
    for i in range(v.n_table):
        if v.table[i].kind == SET_007:
            worths[i] = price if left >= TRIO - have else 0.0
    return highest(worths)
