"""The exact solution of a dice action by backward induction (design page, "Exact odds of a dice action").

Two steps, each for a whole batch of dice actions at once and with NumPy alone:

* :func:`solve` finds the best accept, hold and save decisions for given values of the outcomes;
* :func:`outcomes` counts, of all equally likely courses of a dice action, how each plan ends, from the start and from
  every state in the middle.

Arrays keep the batch as their *last* axis, so that every step runs along contiguous memory.

Decisions compare *sums over equally likely courses*, never rounded probabilities: with whole-number values they are
exact; otherwise two sums within 1e-12 of the largest value count as equal. A tie between dice goes to the lower
probability of ending under 14, then to setting aside the die with fewer sides. Accepting wins ties. Saving wins them
when the bonus alone does it, but chips are not spent for nothing: so max-odds and max-cards end under 14 as often as
the bid table says, where chips are not spent on reaching 14.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from analyzer.wool_rules.constants import BLACK_SHEEP_BELOW, CHIPS_TOTAL, N_DICE, SIDES
from analyzer.wool_rules.dice import (
    FACES,
    FIRST_OFFSET,
    FIRST_STATES,
    N_FIRST_STATES,
    N_ROLLS,
    N_SECOND_STATES,
    N_TOTALS,
    OTHERS,
    PAIR_WEIGHT,
    SECOND_COURSES,
    SECOND_OFFSET,
    SECOND_STATES,
    SINGLE_WEIGHT,
    THIRD_COURSES,
    TOTALS,
)
from analyzer.wool_rules.plans import (
    CHIPS,
    FAIL,
    FAILED,
    N_OUTCOMES,
    ONE,
    SAVED,
    TAKE,
    TAKE_ONE,
    THREE,
    TWO,
    UNDER,
    UNDER_14,
    Plan,
)
from analyzer.wool_rules.terms import Terms, Values

IntArray = NDArray[np.int64]
FloatArray = NDArray[np.float64]
CodeArray = NDArray[np.int8]

TIE_TOLERANCE: Final = 1e-12
"""Sums closer than this, relative to the largest value at stake, are equal."""


@dataclass(frozen=True)
class Solution:
    """The best decisions for given values, and what they are worth.

    Parameters
    ----------
    first_die : int8 array, shape (960, B)
        The die (0 to 2) to set aside after each first roll if the player goes on.
    first_take : bool array, shape (960, B)
        Whether cards are taken instead: because they must be, or because help is available and accepting not worse.
    second_die, second_take : arrays, shape (3, 960, B)
        The same after the second attempt, by the die set aside first.
    third : int8 array, shape (31, B)
        Per total of the third attempt: one of the four ends.
    expected : float array, shape (B,)
        Expected value of the whole dice action.
    first_value, first_rank : arrays, shape (30, B)
        Expected value of going on from each state after the first attempt, and the order of preference: the die whose
        state has the lowest rank is set aside.
    second_value, second_rank : arrays, shape (57, B)
        The same for the states after the second attempt.
    """

    first_die: CodeArray
    first_take: NDArray[np.bool_]
    second_die: CodeArray
    second_take: NDArray[np.bool_]
    third: CodeArray
    expected: FloatArray
    first_value: FloatArray
    first_rank: IntArray
    second_value: FloatArray
    second_rank: IntArray

    @property
    def plan(self) -> Plan:
        """The decisions as a plan."""
        take = np.int8(TAKE)
        return Plan(
            np.where(self.first_take, take, self.first_die),
            np.where(self.second_take, take, self.second_die),
            self.third,
        )


@dataclass(frozen=True)
class Outcomes:
    """How dice actions end, in equally likely courses.

    The first axis is three, two, one, fail, under 14, chips spent.

    Parameters
    ----------
    start : int array, shape (6, B)
        Of all N_ACTIONS = 55,296,000 courses of a dice action.
    after_first : int array, shape (6, 30, B)
        From each state after the first attempt, of 480 * 120 courses.
    after_second : int array, shape (6, 57, B)
        From each state after the second attempt, of 120 courses.
    """

    start: IntArray
    after_first: IntArray
    after_second: IntArray


# States and totals that belong to a roll, by the die set aside first: shapes (n_i, n_j, 1) and (n_i, 1, n_k) with the
# axes die i, then the others j and k. Setting aside j leaves k free with the sum of i and j, and the other way round.
def _axes(die: int) -> tuple[int, int, int]:
    j, k = OTHERS[die]
    return die, j, k


def _faces(die: int) -> IntArray:
    return np.arange(1, SIDES[die] + 1)


_AXES = tuple(_axes(die) for die in range(N_DICE))
_KEEP_J = tuple(SECOND_OFFSET[k] + _faces(i)[:, None, None] + _faces(j)[:, None] - 2 for i, j, k in _AXES)
_KEEP_K = tuple(SECOND_OFFSET[j] + _faces(i)[:, None, None] + _faces(k) - 2 for i, j, k in _AXES)
_TOTAL = tuple(_faces(i)[:, None, None] + _faces(j)[:, None] + _faces(k) for i, j, k in _AXES)
_STATE_OF_ROLL = np.stack([FIRST_OFFSET[d] + FACES[:, d] - 1 for d in range(N_DICE)])
_FIRST_SIDES = np.array([SIDES[die] for die, _ in FIRST_STATES])
_SECOND_SIDES_FREE = np.array([SIDES[free] for free, _ in SECOND_STATES])


def _from_grid(die: int, grid: NDArray[Any]) -> NDArray[Any]:
    """Put axes (die, other, other, B) back into the order d12, d10, d8 and flatten: (960, B)."""
    return grid.transpose(*np.argsort(_AXES[die]), 3).reshape(N_ROLLS, -1)


def _to_grid(die: int, flat: CodeArray) -> CodeArray:
    """Undo :func:`_from_grid`."""
    return flat.reshape(*SIDES, -1).transpose(*_AXES[die], 3)


def _states_of(die: int) -> slice:
    """Return the states after setting aside a die on the first attempt."""
    return slice(FIRST_OFFSET[die], FIRST_OFFSET[die] + SIDES[die])


def _roll_last(per_total: FloatArray) -> FloatArray:
    """Sum an array by total (..., 31, B) over the faces of the last die: (..., 57, B) in units of 120 courses."""
    out = np.empty((*per_total.shape[:-2], N_SECOND_STATES, per_total.shape[-1]))
    for free in range(N_DICE):
        n_states = sum(SIDES[d] - 1 for d in OTHERS[free]) + 1
        window = sum(per_total[..., 2 + face : 2 + face + n_states, :] for face in range(1, SIDES[free] + 1))
        out[..., SECOND_OFFSET[free] : SECOND_OFFSET[free] + n_states, :] = window * SINGLE_WEIGHT[free]
    return out


def _rank(value: FloatArray, under: FloatArray, last: IntArray, tolerance: float) -> IntArray:
    """Order states by value (high first), then by courses under 14 (few first), then by `last` (low first).

    Values within the tolerance are one value. Returns ranks from 0 along the first axis, shape of `value`.
    """
    order = np.argsort(-value, axis=0, kind="stable")
    falling = np.take_along_axis(value, order, axis=0)
    step = np.zeros(value.shape, dtype=np.int64)
    step[1:] = np.cumsum(falling[:-1] - falling[1:] > tolerance, axis=0)
    level = np.empty_like(step)
    np.put_along_axis(level, order, step, axis=0)
    best_first = np.lexsort((np.broadcast_to(last[:, None], value.shape), under, level), axis=0)
    rank = np.empty_like(step)
    np.put_along_axis(rank, best_first, np.broadcast_to(np.arange(len(value))[:, None], value.shape), axis=0)
    return rank


def solve(terms: Terms, values: Values) -> Solution:
    """Find the best accept, hold and save decisions of each dice action.

    Parameters
    ----------
    terms : Terms
        B dice actions. `terms.chips` are the chips the player counts on.
    values : Values
        What the ends are worth.

    Returns
    -------
    Solution
    """
    n = len(terms)
    tolerance = TIE_TOLERANCE * values.largest()
    reached, can_accept = terms.reached(), terms.makes_bid()
    cost = values.chip * terms.help()

    # Third attempt: accept or fail (R6); failing under 14, save or not (R9).
    lift = terms.lift()
    can_save = (lift <= terms.chips) & (terms.target > BLACK_SHEEP_BELOW)
    saved = values.fail - values.chip * lift
    gain = saved - values.under14
    save = can_save & np.where(lift > 0, gain > tolerance, gain >= -tolerance)
    black_sheep = terms.result() < BLACK_SHEEP_BELOW
    failed = np.where(black_sheep, np.where(save, saved, values.under14), values.fail)
    third = np.where(black_sheep, np.where(save, SAVED, UNDER_14), FAILED)
    take = reached | (can_accept & (values.one - cost >= failed - tolerance))
    third = np.where(take, TAKE_ONE, third).astype(np.int8)
    second_value = _roll_last(np.where(take, values.one - cost, failed))
    second_under = _roll_last((third == UNDER_14).astype(np.float64))
    tolerance *= THIRD_COURSES
    second_rank = _rank(second_value, second_under, -_SECOND_SIDES_FREE, tolerance)

    # Second attempt: accept, or set aside the better of the two dice rolled.
    first_value, first_under = np.empty((N_FIRST_STATES, n)), np.empty((N_FIRST_STATES, n))
    second_die = np.empty((N_DICE, N_ROLLS, n), dtype=np.int8)
    second_take = np.empty((N_DICE, N_ROLLS, n), dtype=np.bool_)
    two = (values.two - cost) * THIRD_COURSES
    for i, j, k in _AXES:
        keep_j = second_rank[_KEEP_J[i]] < second_rank[_KEEP_K[i]]
        going_on = np.where(keep_j, second_value[_KEEP_J[i]], second_value[_KEEP_K[i]])
        under = np.where(keep_j, second_under[_KEEP_J[i]], second_under[_KEEP_K[i]])
        total = _TOTAL[i]
        taken = two[total]
        take = reached[total] | (can_accept[total] & (taken >= going_on - tolerance))
        first_value[_states_of(i)] = np.where(take, taken, going_on).sum(axis=(1, 2)) * PAIR_WEIGHT[i]
        first_under[_states_of(i)] = np.where(take, 0.0, under).sum(axis=(1, 2)) * PAIR_WEIGHT[i]
        second_die[i] = _from_grid(i, np.where(keep_j, np.int8(j), np.int8(k)))
        second_take[i] = _from_grid(i, take)
    tolerance *= SECOND_COURSES
    first_rank = _rank(first_value, first_under, _FIRST_SIDES, tolerance)

    # First attempt: accept, or set aside the best of the three dice.
    die = np.argmin(first_rank[_STATE_OF_ROLL], axis=0)
    going_on = np.take_along_axis(first_value[_STATE_OF_ROLL], die[None], axis=0)[0]
    taken = (values.three - cost[TOTALS]) * (THIRD_COURSES * SECOND_COURSES)
    take = reached[TOTALS] | (can_accept[TOTALS] & (taken >= going_on - tolerance))
    return Solution(
        die.astype(np.int8),
        take,
        second_die,
        second_take,
        third,
        np.where(take, taken, going_on).mean(axis=0) / (THIRD_COURSES * SECOND_COURSES),
        first_value / (THIRD_COURSES * SECOND_COURSES),
        first_rank,
        second_value / THIRD_COURSES,
        second_rank,
    )


def outcomes(terms: Terms, plan: Plan) -> Outcomes:
    """Count how dice actions end under a plan, from the start and from every state in the middle.

    Parameters
    ----------
    terms : Terms
        B dice actions.
    plan : Plan
        One plan for each.

    Returns
    -------
    Outcomes
        Exact counts of equally likely courses.
    """
    after_second = _after_second(terms, plan.third)
    after_first = _after_first(terms, plan.second, after_second)
    return Outcomes(*map(_whole, (_from_start(terms, plan.first, after_first), after_first, after_second)))


def outcomes_of_mixture(terms: Terms, plans_first: Sequence[CodeArray], rest: Sequence[Plan]) -> tuple[IntArray, int]:
    """Count how dice actions end when the first and the later decisions are drawn from several, independently.

    Parameters
    ----------
    terms : Terms
        B dice actions.
    plans_first : sequence of int8 arrays, shape (960, B)
        First decisions, each equally likely.
    rest : sequence of Plan
        Later decisions, each equally likely; their first decisions are not looked at.

    Returns
    -------
    counts : int array, shape (6, B)
        As `start` of :class:`Outcomes`.
    weight : int
        How often each course is counted: once for each combination.
    """
    after_first = np.sum([_after_first(terms, plan.second, _after_second(terms, plan.third)) for plan in rest], axis=0)
    # A turn that ends on the first attempt does so whatever the later decisions are.
    counts = np.sum([_from_start(terms, first, after_first, len(rest)) for first in plans_first], axis=0)
    return _whole(counts), len(plans_first) * len(rest)


def _whole(counts: FloatArray) -> IntArray:
    """Every count is whole and far below 2**53, so the conversion loses nothing."""
    return counts.astype(np.int64)


def _after_second(terms: Terms, third: CodeArray) -> FloatArray:
    """Count ends from each state after the second attempt: (6, 57, B), of 120 courses."""
    end = np.zeros((N_OUTCOMES, N_TOTALS, len(terms)))
    end[ONE] = third == TAKE_ONE
    end[FAIL] = third != TAKE_ONE
    end[UNDER] = third == UNDER_14
    end[CHIPS] = np.where(third == TAKE_ONE, terms.help(), np.where(third == SAVED, terms.lift(), 0))
    return _roll_last(end)


def _spent(terms: Terms) -> NDArray[np.int16]:
    """Return the chips spent on the bid by total, in a small type for large arrays."""
    return np.minimum(terms.help(), CHIPS_TOTAL).astype(np.int16)


def _after_first(terms: Terms, second: CodeArray, after_second: FloatArray) -> FloatArray:
    """Count ends from each state after the first attempt: (6, 30, B), of 480 * 120 courses."""
    counts, spent = np.zeros((N_OUTCOMES, N_FIRST_STATES, len(terms))), _spent(terms)
    for i, j, k in _AXES:
        action = _to_grid(i, second[i])
        take = action == TAKE
        after = counts[:, _states_of(i)]
        after[TWO] = THIRD_COURSES * take.sum(axis=(1, 2))
        after[CHIPS] = THIRD_COURSES * (take * spent[_TOTAL[i]]).sum(axis=(1, 2))
        keep_j, keep_k = (action == j).sum(axis=2), (action == k).sum(axis=1)
        for row in range(ONE, N_OUTCOMES):
            after[row] += (keep_j * after_second[row, _KEEP_J[i][:, :, 0]]).sum(axis=1)
            after[row] += (keep_k * after_second[row, _KEEP_K[i][:, 0]]).sum(axis=1)
        after *= PAIR_WEIGHT[i]
    return counts


def _from_start(terms: Terms, first: CodeArray, after_first: FloatArray, times: int = 1) -> FloatArray:
    """Count ends from the start: (6, B), of all courses, `times` over like `after_first`."""
    counts = np.zeros((N_OUTCOMES, len(terms)))
    for die in range(N_DICE):
        aside = (_to_grid(die, first) == die).sum(axis=(1, 2))
        counts += (aside * after_first[:, _states_of(die)]).sum(axis=1)
    take = first == TAKE
    counts[THREE] = times * SECOND_COURSES * THIRD_COURSES * take.sum(axis=0)
    counts[CHIPS] += times * SECOND_COURSES * THIRD_COURSES * (take * _spent(terms)[TOTALS]).sum(axis=0)
    return counts
