"""End of the game: what everything is worth ("The Special Cards in Wool Rules", "End of the Game and Winner")."""

from typing import Any

import numpy as np

from analyzer.jit import inlined, natural, trailing_zeros
from analyzer.wool_rules.constants import SET_007, SET_370, TRIO
from analyzer.wool_rules.state import KIND_BITS, State
from analyzer.wool_rules.views import View

_ONE = np.uint64(1)
_KIND_MASK = np.uint64((1 << KIND_BITS) - 1)


def trio_points(points: tuple[int, int, int], n: int) -> int:
    """Points of n cards of 3-7-0 or 0-0-7: each full trio, and what is left over (R17, R18)."""
    trios, rest = divmod(n, TRIO)
    return trios * points[TRIO - 1] + (points[rest - 1] if rest else 0)


@inlined
def cards_of(tally: Any, kind: int) -> int:
    """Return how many cards of a kind a seat has taken."""
    return natural(np.int64(tally.kinds >> np.uint64(kind * KIND_BITS) & _KIND_MASK))


@inlined
def most_dogs(v: View) -> int:
    """Return the largest number of dogs that a seat has."""
    most = 0
    for seat in range(v.players):
        most = max(most, v.seats[seat].dogs)
    return most


@inlined
def discarded_points(v: View, s: State, seat: int) -> int:
    """Points of the white sheep that leave a flock without a dog (R19). Assumption: the lowest, as is best play."""
    ranks, points = s.tallies[seat].white_ranks, 0
    for _ in range(v.rules.dogless_discard):
        points += s.ranked_points[natural(trailing_zeros(ranks))]  # 0 when there are no more
        ranks &= ranks - _ONE
    return points if v.seats[seat].dogs == 0 else 0


@inlined
def dog_points(v: View, s: State, seat: int) -> int:
    """Points of a dog that is alone in its flock (R19); looked up, as a branch could not be foreseen."""
    points: int = s.points_dogs[natural(v.seats[seat].dogs)]
    return points


@inlined
def most_dogs_points(v: View, s: State, seat: int, most: int) -> int:
    """Points for the most dogs, alone or tied, and at least one (R19); looked up as well."""
    points: int = s.points_behind[natural(most - v.seats[seat].dogs + (most == 0))]
    return points


@inlined
def bone_points(v: View, seat: int) -> int:
    """Points of the bone for each dog of its owner (R20)."""
    points: int = v.rules.bone_per_dog * v.seats[seat].dogs * v.seats[seat].has_bone
    return points


@inlined
def score_parts(v: View, s: State, seat: int, most: int) -> tuple[int, int, int, int, int, int, int, int]:
    """Return the eight parts of a seat's score if the game ended now (R16), in the order of `SCORE_PARTS`."""
    tally = s.tallies[seat]
    return (
        tally.white - discarded_points(v, s, seat),
        tally.black,
        s.points_370[cards_of(tally, SET_370)],
        s.points_007[cards_of(tally, SET_007)],
        dog_points(v, s, seat),
        most_dogs_points(v, s, seat, most),
        bone_points(v, seat),
        v.seats[seat].chips,
    )


@inlined
def score_now(v: View, s: State, seat: int, most: int) -> int:
    """Return a seat's score if the game ended now."""
    white, black, set_370, set_007, dogs, most_part, bone, chips = score_parts(v, s, seat, most)
    return white + black + set_370 + set_007 + dogs + most_part + bone + chips
