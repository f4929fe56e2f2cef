"""Wants exactly one dog, and leaves every other dog to the others.

Idea: a lone dog scores, saves two sheep, and never is one of the most; a second one undoes all of it. Without a dog it
bids higher when one lies there; with one it does so to get away from the last place, which takes the dogs that are
left.

Found in games: most of its gain comes from bidding one more when a dog is there, not from picking.

Parameters: level, 14 to 27, the usual bid; extra, 0 to 13, added when a dog is to be had or to be escaped; dog, 0 to
50, points the first dog is worth; second, 0 to 50, points a further one costs.

Source: rulebook, "Sheep dog".
"""

from analyzer.wool_rules.constants import DOG
from analyzer.wool_rules.views import View
from strategies.wool_rules.prices import highest, legal_bid, my_worths
from strategies.wool_rules.prices import sensible_accept as accept
from strategies.wool_rules.prices import sensible_hold as hold
from strategies.wool_rules.prices import sensible_save as save

__all__ = ["accept", "bid", "hold", "pick", "save"]

RANGES = {"level": (14, 27), "extra": (0, 13), "dog": (0.0, 50.0), "second": (0.0, 50.0)}


def bid(v: View, level: int = 22, extra: int = 1) -> int:
    """Bid the level, higher with a dog on the table."""
    dog_there = False
    for i in range(v.n_table):
        dog_there = dog_there or v.table[i].kind == DOG
    return legal_bid(v, level + extra if dog_there else level)


def pick(v: View, dog: float = 13.0, second: float = 9.0) -> int:
    """Take the first dog before nearly everything, a second one after nearly everything."""
    worths = my_worths(v)
    for i in range(v.n_table):
        if v.table[i].kind == DOG:
            worths[i] = -second if v.seats[v.me].dogs > 0 else dog
    return highest(worths)
