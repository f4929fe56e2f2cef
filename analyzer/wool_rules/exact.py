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
from functools import cache
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from analyzer.wool_rules.constants import CHIPS_TOTAL, N_DICE
from analyzer.wool_rules.dice import OTHERS, Dice
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
    first_die : int8 array, shape (n_rolls, B)
        The die (0 to 2) to set aside after each first roll if the player goes on.
    first_take : bool array, shape (n_rolls, B)
        Whether cards are taken instead: because they must be, or because help is available and accepting not worse.
    second_die, second_take : arrays, shape (3, n_rolls, B)
        The same after the second attempt, by the die set aside first.
    third : int8 array, shape (n_totals, B)
        Per total of the third attempt: one of the four ends.
    expected : float array, shape (B,)
        Expected value of the whole dice action.
    first_value, first_rank : arrays, shape (n_first_states, B)
        Expected value of going on from each state after the first attempt, and the order of preference: the die whose
        state has the lowest rank is set aside.
    second_value, second_rank : arrays, shape (n_second_states, B)
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
        Of all courses of a dice action, 55,296,000 with the standard dice.
    after_first : int array, shape (6, n_first_states, B)
        From each state after the first attempt, of `n_rest` courses (480 * 120).
    after_second : int array, shape (6, n_second_states, B)
        From each state after the second attempt, of `third_courses` (120).
    """

    start: IntArray
    after_first: IntArray
    after_second: IntArray


@dataclass(frozen=True)
class _Grid:
    """Where to look for what belongs to a roll, by the die set aside first.

    Shapes are (n_i, n_j, 1), (n_i, 1, n_k) and (n_i, n_j, n_k), the axes being the die i set aside and the others j, k.

    Parameters
    ----------
    axes : tuple of (i, j, k)
    keep_j, keep_k : tuple of int arrays
        State after setting aside j, which leaves k free with the sum of i and j, and the other way round.
    total : tuple of int arrays
        Total of each roll.
    state_of_roll : int array, shape (3, n_rolls)
        State after setting aside each die of a first roll.
    sides_aside, sides_free : int arrays
        By state: sides of the die set aside first; of the die that is still free after the second attempt.
    """

    axes: tuple[tuple[int, int, int], ...]
    keep_j: tuple[IntArray, ...]
    keep_k: tuple[IntArray, ...]
    total: tuple[IntArray, ...]
    state_of_roll: IntArray
    sides_aside: IntArray
    sides_free: IntArray


@cache
def _grid(dice: Dice) -> _Grid:
    axes = tuple((die, OTHERS[die][0], OTHERS[die][1]) for die in range(N_DICE))
    faces = [np.arange(1, sides + 1) for sides in dice.sides]
    at_i = [faces[i][:, None, None] for i in range(N_DICE)]
    return _Grid(
        axes,
        tuple(dice.second_offset[k] + at_i[i] + faces[j][:, None] - 2 for i, j, k in axes),
        tuple(dice.second_offset[j] + at_i[i] + faces[k] - 2 for i, j, k in axes),
        tuple(at_i[i] + faces[j][:, None] + faces[k] for i, j, k in axes),
        np.stack([dice.first_offset[die] + dice.faces[:, die] - 1 for die in range(N_DICE)]),
        np.array([dice.sides[die] for die, _ in dice.first_states]),
        np.array([dice.sides[free] for free, _ in dice.second_states]),
    )


def _from_grid(dice: Dice, die: int, grid: NDArray[Any]) -> NDArray[Any]:
    """Put axes (die, other, other, B) back into the order of the dice and flatten: (n_rolls, B)."""
    return grid.transpose(*np.argsort(_grid(dice).axes[die]), 3).reshape(dice.n_rolls, -1)


def _to_grid(dice: Dice, die: int, flat: CodeArray) -> CodeArray:
    """Undo :func:`_from_grid`."""
    return flat.reshape(*dice.sides, -1).transpose(*_grid(dice).axes[die], 3)


def _states_of(dice: Dice, die: int) -> slice:
    """Return the states after setting aside a die on the first attempt."""
    return slice(dice.first_offset[die], dice.first_offset[die] + dice.sides[die])


def _roll_last(dice: Dice, per_total: FloatArray) -> FloatArray:
    """Sum an array by total (..., n_totals, B) over the faces of the last die: (..., n_second_states, B) in courses."""
    out = np.empty((*per_total.shape[:-2], len(dice.second_states), per_total.shape[-1]))
    for free, sides in enumerate(dice.sides):
        n_states = sum(dice.sides[d] - 1 for d in OTHERS[free]) + 1
        window = sum(per_total[..., 2 + face : 2 + face + n_states, :] for face in range(1, sides + 1))
        offset = dice.second_offset[free]
        out[..., offset : offset + n_states, :] = window * dice.single_weight[free]
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
    dice, grid, n = terms.dice, _grid(terms.dice), len(terms)
    values = values.under(terms.rules)
    tolerance = TIE_TOLERANCE * values.largest()
    reached, can_accept = terms.reached(), terms.makes_bid()
    cost = values.chip * terms.help()

    # Third attempt: accept or fail (R6); failing under 14, save or not (R9).
    lift = terms.lift()
    can_save = (lift <= terms.chips) & (terms.target > terms.rules.black_sheep_below)
    saved = values.fail - values.chip * lift
    gain = saved - values.under14
    save = can_save & np.where(lift > 0, gain > tolerance, gain >= -tolerance)
    black_sheep = terms.result() < terms.rules.black_sheep_below
    failed = np.where(black_sheep, np.where(save, saved, values.under14), values.fail)
    third = np.where(black_sheep, np.where(save, SAVED, UNDER_14), FAILED)
    take = reached | (can_accept & (values.one - cost >= failed - tolerance))
    third = np.where(take, TAKE_ONE, third).astype(np.int8)
    second_value = _roll_last(dice, np.where(take, values.one - cost, failed))
    second_under = _roll_last(dice, (third == UNDER_14).astype(np.float64))
    tolerance *= dice.third_courses
    second_rank = _rank(second_value, second_under, -grid.sides_free, tolerance)

    # Second attempt: accept, or set aside the better of the two dice rolled.
    first_value, first_under = np.empty((len(dice.first_states), n)), np.empty((len(dice.first_states), n))
    second_die = np.empty((N_DICE, dice.n_rolls, n), dtype=np.int8)
    second_take = np.empty((N_DICE, dice.n_rolls, n), dtype=np.bool_)
    two = (values.two - cost) * dice.third_courses
    for i, j, k in grid.axes:
        keep_j = second_rank[grid.keep_j[i]] < second_rank[grid.keep_k[i]]
        going_on = np.where(keep_j, second_value[grid.keep_j[i]], second_value[grid.keep_k[i]])
        under = np.where(keep_j, second_under[grid.keep_j[i]], second_under[grid.keep_k[i]])
        total = grid.total[i]
        taken = two[total]
        take = reached[total] | (can_accept[total] & (taken >= going_on - tolerance))
        first_value[_states_of(dice, i)] = np.where(take, taken, going_on).sum(axis=(1, 2)) * dice.pair_weight[i]
        first_under[_states_of(dice, i)] = np.where(take, 0.0, under).sum(axis=(1, 2)) * dice.pair_weight[i]
        second_die[i] = _from_grid(dice, i, np.where(keep_j, np.int8(j), np.int8(k)))
        second_take[i] = _from_grid(dice, i, take)
    tolerance *= dice.second_courses
    first_rank = _rank(first_value, first_under, grid.sides_aside, tolerance)

    # First attempt: accept, or set aside the best of the three dice.
    die = np.argmin(first_rank[grid.state_of_roll], axis=0)
    going_on = np.take_along_axis(first_value[grid.state_of_roll], die[None], axis=0)[0]
    taken = (values.three - cost[dice.totals]) * dice.n_rest
    take = reached[dice.totals] | (can_accept[dice.totals] & (taken >= going_on - tolerance))
    return Solution(
        die.astype(np.int8),
        take,
        second_die,
        second_take,
        third,
        np.where(take, taken, going_on).mean(axis=0) / dice.n_rest,
        first_value / dice.n_rest,
        first_rank,
        second_value / dice.third_courses,
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
    plans_first : sequence of int8 arrays, shape (n_rolls, B)
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
    """Every count is whole and below 2**53 (see :mod:`~analyzer.wool_rules.dice`): the conversion loses nothing."""
    return counts.astype(np.int64)


def _after_second(terms: Terms, third: CodeArray) -> FloatArray:
    """Count ends from each state after the second attempt: (6, n_second_states, B), of `third_courses`."""
    end = np.zeros((N_OUTCOMES, terms.dice.n_totals, len(terms)))
    end[ONE] = third == TAKE_ONE
    end[FAIL] = third != TAKE_ONE
    end[UNDER] = third == UNDER_14
    end[CHIPS] = np.where(third == TAKE_ONE, terms.help(), np.where(third == SAVED, terms.lift(), 0))
    return _roll_last(terms.dice, end)


def _spent(terms: Terms) -> NDArray[np.int16]:
    """Return the chips spent on the bid by total, in a small type for large arrays."""
    return np.minimum(terms.help(), CHIPS_TOTAL).astype(np.int16)


def _after_first(terms: Terms, second: CodeArray, after_second: FloatArray) -> FloatArray:
    """Count ends from each state after the first attempt: (6, n_first_states, B), of `n_rest` courses."""
    dice, grid, spent = terms.dice, _grid(terms.dice), _spent(terms)
    counts = np.zeros((N_OUTCOMES, len(dice.first_states), len(terms)))
    for i, j, k in grid.axes:
        action = _to_grid(dice, i, second[i])
        take = action == TAKE
        after = counts[:, _states_of(dice, i)]
        after[TWO] = dice.third_courses * take.sum(axis=(1, 2))
        after[CHIPS] = dice.third_courses * (take * spent[grid.total[i]]).sum(axis=(1, 2))
        keep_j, keep_k = (action == j).sum(axis=2), (action == k).sum(axis=1)
        for row in range(ONE, N_OUTCOMES):
            after[row] += (keep_j * after_second[row, grid.keep_j[i][:, :, 0]]).sum(axis=1)
            after[row] += (keep_k * after_second[row, grid.keep_k[i][:, 0]]).sum(axis=1)
        after *= dice.pair_weight[i]
    return counts


def _from_start(terms: Terms, first: CodeArray, after_first: FloatArray, times: int = 1) -> FloatArray:
    """Count ends from the start: (6, B), of all courses, `times` over like `after_first`."""
    dice, counts = terms.dice, np.zeros((N_OUTCOMES, len(terms)))
    for die in range(N_DICE):
        aside = (_to_grid(dice, die, first) == die).sum(axis=(1, 2))
        counts += (aside * after_first[:, _states_of(dice, die)]).sum(axis=1)
    take = first == TAKE
    counts[THREE] = times * dice.n_rest * take.sum(axis=0)
    counts[CHIPS] += times * dice.n_rest * (take * _spent(terms)[dice.totals]).sum(axis=0)
    return counts
