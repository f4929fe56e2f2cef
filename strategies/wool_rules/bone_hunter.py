"""Gathers dogs and the bone that makes them pay.

Idea: the bone pays for each dog, so its owner wants the dogs that others shun. It hunts for the bone, on the table or
with a bone symbol from an opponent, and bids higher when it can be had.

Found in games: the bone seldom makes up for what the dogs cost, the points of a lone dog and those for the most dogs.

Parameters: level, 14 to 27, the usual bid; extra, 0 to 13, added when the bone is within reach; dog, 0 to 50, points
that any dog is worth to it; bone, 0 to 50, points that the bone is worth on top of what it pays now.

Source: rulebook, "Bone".
"""

from analyzer.wool_rules.constants import BONE, DOG
from analyzer.wool_rules.views import View
from strategies.wool_rules.prices import bone_is_elsewhere, highest, legal_bid, my_worths
from strategies.wool_rules.prices import sensible_accept as accept
from strategies.wool_rules.prices import sensible_hold as hold
from strategies.wool_rules.prices import sensible_save as save

__all__ = ["accept", "bid", "hold", "pick", "save"]

RANGES = {"level": (14, 27), "extra": (0, 13), "dog": (0.0, 50.0), "bone": (0.0, 50.0)}


def bid(v: View, level: int = 22, extra: int = 2) -> int:
    """Bid the level, higher when the bone is on the table or a bone symbol would bring it."""
    symbols_count = bone_is_elsewhere(v, v.me)
    within_reach = False
    for i in range(v.n_table):
        within_reach = within_reach or v.table[i].kind == BONE or (symbols_count and v.table[i].bone_symbol == 1)
    return legal_bid(v, level + extra if within_reach else level)


def pick(v: View, dog: float = 6.0, bone: float = 6.0) -> int:
    """Take the bone and what brings it, then dogs."""
    worths = my_worths(v)
    symbols_count = bone_is_elsewhere(v, v.me)
    for i in range(v.n_table):
        if v.table[i].kind == BONE or (symbols_count and v.table[i].bone_symbol == 1):
            worths[i] += bone
        elif v.table[i].kind == DOG:
            worths[i] = max(worths[i], dog)
    return highest(worths)
