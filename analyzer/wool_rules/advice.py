"""Which die to set aside: the exact advice in a form that a person can use at the table.

After the first roll it only matters which die is set aside and what it shows: 30 possibilities. After the second, which
die stays free and what the other two add up to: 57. So the best decision is a comparison of numbers: rank the
possibilities once, and set aside the die whose possibility has the smallest rank. A short rule, to add something to two
of the dice and set aside the highest, is easier to remember; what it loses is calculated.
"""

from dataclasses import dataclass, replace
from itertools import product
from typing import Final

import numpy as np
from numpy.typing import NDArray

from analyzer.wool_rules.constants import N_DICE
from analyzer.wool_rules.dice import (
    FACES,
    FIRST_STATES,
    N_ACTIONS,
    N_ROLLS,
    OTHERS,
    SECOND_COURSES,
    SECOND_STATES,
    THIRD_COURSES,
)
from analyzer.wool_rules.exact import TAKE, TIE_TOLERANCE, Plan, Solution, outcomes, shares
from analyzer.wool_rules.hold_rules import SolvedRule
from analyzer.wool_rules.terms import Terms

_ADDITIONS: Final = tuple(half / 2 for half in range(-6, 13))
"""What a short rule may add to a face."""

Ranks = dict[tuple[int, int], int]
"""Rank (1 is best) of (die index, face) or (free die index, sum of the others)."""


@dataclass(frozen=True)
class ShortRule:
    """After either roll, set aside the free die whose face plus something for the die is highest.

    Ties go to the die with more sides.

    Parameters
    ----------
    add : tuple of float
        What is added to the faces of d12 (always 0), d10 and d8, in halves.
    loss : float
        What following it on both rolls costs, in units of the value.
    """

    add: tuple[float, ...]
    loss: float


@dataclass(frozen=True)
class HoldChart:
    """Advice for one dice action under a solved rule.

    Parameters
    ----------
    rule : SolvedRule
    terms : Terms
        A batch of one.
    first, second : dict
        Rank of each possibility that can come up while the bid is not made: (die, face) after the first roll,
        (free die, sum of the other two) after the second.
    first_value, second_value : dict
        Expected value of going on from each.
    first_success, second_success : dict
        Chance to make the bid from each.
    best : float
        Expected value of the dice action when every decision is the best.
    loss : float
        What following the chart costs against that, found by playing the chart's ranks through.
    short : ShortRule
    figures : dict
        Shares of the whole dice action when the chart is followed, as in the bid table.
    """

    rule: SolvedRule
    terms: Terms
    first: Ranks
    second: Ranks
    first_value: dict[tuple[int, int], float]
    second_value: dict[tuple[int, int], float]
    first_success: dict[tuple[int, int], float]
    second_success: dict[tuple[int, int], float]
    best: float
    loss: float
    short: ShortRule
    figures: dict[str, float]


def hold_chart(rule: SolvedRule, terms: Terms) -> HoldChart:
    """Make the chart of a solved rule for one dice action.

    Parameters
    ----------
    rule : SolvedRule
        It counts on the chips of `terms`.
    terms : Terms
        A batch of one.

    Returns
    -------
    HoldChart
    """
    solution = rule.solve(terms)
    plan = solution.plan
    first_met = {
        state for roll, action in enumerate(plan.first[:, 0]) if action != TAKE for state in _first_options(roll)
    }
    second_met = {
        state
        for die in range(N_DICE)
        for roll, action in enumerate(plan.second[die, :, 0])
        if action != TAKE and (die, int(FACES[roll, die])) in first_met
        for state in _second_options(die, roll)
    }
    first = _ranks(FIRST_STATES, solution.first_rank[:, 0], first_met)
    second = _ranks(SECOND_STATES, solution.second_rank[:, 0], second_met)
    followed = _followed(plan, first, second)
    ends = outcomes(terms, followed)
    success_1 = shares(ends.after_first, SECOND_COURSES * THIRD_COURSES)["p_success"][:, 0]
    success_2 = shares(ends.after_second, THIRD_COURSES)["p_success"][:, 0]
    best = float(solution.expected[0])
    return HoldChart(
        rule,
        terms,
        first,
        second,
        {state: float(solution.first_value[FIRST_STATES.index(state), 0]) for state in first},
        {state: float(solution.second_value[SECOND_STATES.index(state), 0]) for state in second},
        {state: float(success_1[FIRST_STATES.index(state)]) for state in first},
        {state: float(success_2[SECOND_STATES.index(state)]) for state in second},
        best,
        best - float(values_of_plans(terms, rule, followed)[0]),
        _short_rule(terms, rule, solution),
        {name: float(figure[0]) for name, figure in shares(ends.start, N_ACTIONS).items()},
    )


def values_of_plans(terms: Terms, rule: SolvedRule, plan: Plan) -> NDArray[np.float64]:
    """Return the expected value of each dice action under its plan, shape (B,), in the values of a rule."""
    share = shares(outcomes(terms, plan).start, N_ACTIONS)
    v = rule.values
    return (
        v.three * share["p_three"]
        + v.two * share["p_two"]
        + v.one * share["p_one"]
        + v.fail * (share["p_fail"] - share["p_under_14"])
        + v.under14 * share["p_under_14"]
        - v.chip * share["mean_chips_spent"]
    )


def _first_options(roll: int) -> list[tuple[int, int]]:
    """Return what can be set aside after a first roll."""
    return [(die, int(FACES[roll, die])) for die in range(N_DICE)]


def _second_options(die: int, roll: int) -> list[tuple[int, int]]:
    """Return the states to choose from after a second roll with `die` set aside before."""
    j, k = OTHERS[die]
    faces = FACES[roll]
    return [(k, int(faces[die] + faces[j])), (j, int(faces[die] + faces[k]))]


def _ranks(states: tuple[tuple[int, int], ...], rank: NDArray[np.int64], met: set[tuple[int, int]]) -> Ranks:
    """Return numbers from 1, the best first, for the possibilities that can come up."""
    ordered = sorted((int(rank[at]), state) for at, state in enumerate(states) if state in met)
    numbers = {state: number for number, (_, state) in enumerate(ordered, start=1)}
    return {state: numbers[state] for state in states if state in met}


def _followed(plan: Plan, first: Ranks, second: Ranks) -> Plan:
    """Return what a person does who takes cards as planned and sets dice aside by the chart's numbers alone."""
    first_action, second_action = plan.first.copy(), plan.second.copy()
    for roll in range(N_ROLLS):
        if plan.first[roll, 0] != TAKE:
            first_action[roll, 0] = min(_first_options(roll), key=first.__getitem__)[0]
        for die in range(N_DICE):
            if plan.second[die, roll, 0] != TAKE and (die, FACES[roll, die]) in first:
                free = min(_second_options(die, roll), key=second.__getitem__)[0]
                second_action[die, roll, 0] = N_DICE - die - free
    return replace(plan, first=first_action, second=second_action)


def _short_rule(terms: Terms, rule: SolvedRule, solution: Solution) -> ShortRule:
    """Find what to add to the faces of d10 and d8 so that setting aside the highest sum loses least."""
    # Small additions come first, so that of equally good ones the smallest is taken.
    additions = sorted(product((0.0,), _ADDITIONS, _ADDITIONS), key=lambda add: abs(add[1]) + abs(add[2]))
    score = FACES[:, :, None] + np.array(additions).T
    first = np.argmax(score, axis=1)
    second = np.empty((N_DICE, N_ROLLS, len(additions)), dtype=np.int8)
    for die in range(N_DICE):
        others = score.copy()
        others[:, die] = -np.inf
        second[die] = np.argmax(others, axis=1)
    plan = Plan(
        np.where(solution.first_take, TAKE, first).astype(np.int8),
        np.where(solution.second_take, TAKE, second).astype(np.int8),
        np.repeat(solution.third, len(additions), axis=1),
    )
    loss = solution.expected[0] - values_of_plans(terms[np.zeros(len(additions), dtype=np.int64)], rule, plan)
    # Losses that differ by rounding only are equal: then the first, smallest additions win.
    best = int(np.argmax(loss <= loss.min() + TIE_TOLERANCE * rule.values.largest()))
    return ShortRule(additions[best], float(loss[best]))
