"""The exact solution compiled, for one dice action at a time: what a strategy asks inside a game.

The same backward induction as :mod:`analyzer.wool_rules.exact`, with the same rules for ties, as plain loops. The inner
loop runs over the face of the die set aside: each face has its own sum, so the loop can be vectorised without
reassociating any sum.
"""

from typing import Any, Final

import numpy as np

from analyzer.jit import inlined, kernel
from analyzer.wool_rules.constants import BLACK_SHEEP_BELOW, N_DICE, SIDES
from analyzer.wool_rules.dice import (
    FIRST_OFFSET,
    N_FIRST_STATES,
    N_SECOND_STATES,
    N_TOTALS,
    OTHERS,
    PAIR_WEIGHT,
    SECOND_COURSES,
    SECOND_OFFSET,
    SINGLE_WEIGHT,
    THIRD_COURSES,
)
from analyzer.wool_rules.exact import TIE_TOLERANCE
from analyzer.wool_rules.plans import FAILED, SAVED, TAKE, TAKE_ONE, UNDER_14

SOLUTION_DTYPE: Final = np.dtype(
    [
        # The question, filled in by the caller.
        ("target", "i8"),
        ("modifier", "i8"),
        ("chips", "i8"),
        ("three", "f8"),
        ("two", "f8"),
        ("one", "f8"),
        ("fail", "f8"),
        ("under14", "f8"),
        ("chip", "f8"),
        # The solution, filled in by `solve_record`; values are sums over equally likely courses, as in `exact`.
        ("tolerance", "f8"),
        ("help", "i8", (N_TOTALS,)),
        ("third", "i8", (N_TOTALS,)),
        ("second_value", "f8", (N_SECOND_STATES,)),
        ("second_under", "f8", (N_SECOND_STATES,)),
        ("first_value", "f8", (N_FIRST_STATES,)),
        ("first_under", "f8", (N_FIRST_STATES,)),
        # Scratch: by total, the value of taking, and what going on must not exceed for that.
        ("take_value", "f8", (N_TOTALS,)),
        ("take_limit", "f8", (N_TOTALS,)),
        ("end_value", "f8", (N_TOTALS,)),
        ("end_under", "f8", (N_TOTALS,)),
    ],
    align=True,
)
"""One dice action: the question (terms, values) and its solution; the fields mean what they mean in `exact`."""

_J: Final = tuple(pair[0] for pair in OTHERS)
_K: Final = tuple(pair[1] for pair in OTHERS)


@inlined
def _better(
    value_a: float, under_a: float, a_wins_ties: bool, value_b: float, under_b: float, tolerance: float
) -> bool:
    """Is a better than b? By value, then by fewer courses under 14, then as told."""
    tied = (value_a <= value_b + tolerance) & (value_b <= value_a + tolerance)
    on_tie = (under_a < under_b) | ((under_a == under_b) & a_wins_ties)
    return bool((tied & on_tie) | ((not tied) & (value_a > value_b)))


@inlined
def _offer(s: Any, cards: float, courses: float) -> None:
    """Fill `take_value` and `take_limit` for one attempt: taking is forced, optional (R6) or impossible by total."""
    for total in range(N_TOTALS):
        s.take_value[total] = (cards - s.chip * s.help[total]) * courses
        if total + min(s.modifier, 0) >= s.target:
            s.take_limit[total] = np.inf
        elif s.help[total] <= s.chips:
            s.take_limit[total] = s.take_value[total]
        else:
            s.take_limit[total] = -np.inf


@inlined
def _third_attempt(s: Any, tolerance: float) -> None:
    """Decide each total of the third attempt: one card, failed, saved (R9) or under 14."""
    _offer(s, s.one, 1.0)
    for total in range(N_TOTALS):
        value, end = s.fail, FAILED
        if total + min(s.modifier, 0) < BLACK_SHEEP_BELOW:
            value, end = s.under14, UNDER_14
            lift = max(BLACK_SHEEP_BELOW - total - s.modifier, 0)
            saved = s.fail - s.chip * lift
            gain = saved - s.under14
            worth_it = gain > tolerance if lift > 0 else gain >= -tolerance
            if lift <= s.chips and s.target > BLACK_SHEEP_BELOW and worth_it:
                value, end = saved, SAVED
        if s.take_limit[total] >= value - tolerance:
            value, end = s.take_value[total], TAKE_ONE
        s.end_value[total] = value
        s.end_under[total] = 1.0 if end == UNDER_14 else 0.0
        s.third[total] = end


@kernel
def solve_record(solution: Any) -> None:
    """Solve one dice action.

    Parameters
    ----------
    solution : record of SOLUTION_DTYPE
        Its question is read; everything else in it is overwritten.
    """
    s = solution
    largest = max(abs(s.three), abs(s.two), abs(s.one), abs(s.fail), abs(s.under14), abs(s.chip))
    tolerance = TIE_TOLERANCE * largest
    for total in range(N_TOTALS):
        s.help[total] = max(s.target - total - s.modifier, 0)

    _third_attempt(s, tolerance)
    tolerance *= THIRD_COURSES
    for free in range(N_DICE):
        for held in range(2, SIDES[_J[free]] + SIDES[_K[free]] + 1):
            value = under = 0.0
            for face in range(1, SIDES[free] + 1):
                value += s.end_value[held + face]
                under += s.end_under[held + face]
            s.second_value[SECOND_OFFSET[free] + held - 2] = value * SINGLE_WEIGHT[free]
            s.second_under[SECOND_OFFSET[free] + held - 2] = under * SINGLE_WEIGHT[free]

    _offer(s, s.two, THIRD_COURSES)
    value_sum, under_sum = np.empty(SIDES[0]), np.empty(SIDES[0])
    for die in range(N_DICE):
        j, k = _J[die], _K[die]
        value_sum[:] = 0.0
        under_sum[:] = 0.0
        for face_j in range(1, SIDES[j] + 1):
            for face_k in range(1, SIDES[k] + 1):
                for face in range(SIDES[die]):
                    total = face + 1 + face_j + face_k
                    keep_j = SECOND_OFFSET[k] + face + face_j - 1
                    keep_k = SECOND_OFFSET[j] + face + face_k - 1
                    value_j, under_j = s.second_value[keep_j], s.second_under[keep_j]
                    value_k, under_k = s.second_value[keep_k], s.second_under[keep_k]
                    better_j = _better(value_j, under_j, SIDES[j] < SIDES[k], value_k, under_k, tolerance)
                    value = value_j if better_j else value_k
                    under = under_j if better_j else under_k
                    take = s.take_limit[total] >= value - tolerance
                    value_sum[face] += s.take_value[total] if take else value
                    under_sum[face] += 0.0 if take else under
        for face in range(SIDES[die]):
            s.first_value[FIRST_OFFSET[die] + face] = value_sum[face] * PAIR_WEIGHT[die]
            s.first_under[FIRST_OFFSET[die] + face] = under_sum[face] * PAIR_WEIGHT[die]
    s.tolerance = tolerance * SECOND_COURSES


@inlined
def _action(s: Any, total: int, cards: float, going_on: float, scale: float, die: int) -> int:
    """Take the cards if that is forced, or possible and not worse than going on; else set aside `die`."""
    if total + min(s.modifier, 0) >= s.target:
        return TAKE
    taken = (cards - s.chip * s.help[total]) * scale
    if s.help[total] <= s.chips and taken >= going_on - s.tolerance * scale / (SECOND_COURSES * THIRD_COURSES):
        return TAKE
    return die


@kernel
def first_action(solution: Any, d12: int, d10: int, d8: int) -> int:
    """Return the best action after a first roll: 0, 1, 2 to set aside that die, or TAKE.

    Parameters
    ----------
    solution : record of SOLUTION_DTYPE
        As left by :func:`solve_record`.
    d12, d10, d8 : int
        Faces.
    """
    s = solution
    faces = (d12, d10, d8)
    die, state = 0, FIRST_OFFSET[0] + faces[0] - 1
    for other in range(1, N_DICE):
        candidate = FIRST_OFFSET[other] + faces[other] - 1
        if _better(
            s.first_value[candidate],
            s.first_under[candidate],
            SIDES[other] < SIDES[die],
            s.first_value[state],
            s.first_under[state],
            s.tolerance,
        ):
            die, state = other, candidate
    return _action(s, d12 + d10 + d8, s.three, s.first_value[state], SECOND_COURSES * THIRD_COURSES, die)


@kernel
def second_action(solution: Any, held: int, d12: int, d10: int, d8: int) -> int:
    """Return the best action after a second roll, `held` (0 to 2) being the die set aside before it.

    Parameters and result as in :func:`first_action`; the faces include the one of the die set aside.
    """
    s = solution
    faces = (d12, d10, d8)
    j, k = _J[held], _K[held]
    keep_j = SECOND_OFFSET[k] + faces[held] + faces[j] - 2
    keep_k = SECOND_OFFSET[j] + faces[held] + faces[k] - 2
    better_j = _better(
        s.second_value[keep_j],
        s.second_under[keep_j],
        SIDES[j] < SIDES[k],
        s.second_value[keep_k],
        s.second_under[keep_k],
        s.tolerance / SECOND_COURSES,
    )
    die, going_on = (j, s.second_value[keep_j]) if better_j else (k, s.second_value[keep_k])
    return _action(s, d12 + d10 + d8, s.two, going_on, THIRD_COURSES, die)
