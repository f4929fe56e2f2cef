"""Which die to set aside: the exact advice in a form that a person can use at the table.

After the first roll it only matters which die is set aside and what it shows: 30 possibilities with the standard dice.
After the second, which die stays free and what the other two add up to: 57. So the best decision is a comparison of
numbers: rank the possibilities once, and set aside the die whose possibility has the smallest rank. A short rule, to
add something to two of the dice and set aside the highest, is easier to remember; what it loses is calculated.
"""

from dataclasses import dataclass, replace
from itertools import groupby

import numpy as np
from numpy.typing import NDArray

from analyzer.figures import percent
from analyzer.shown import Line, Shown
from analyzer.wool_rules.bidding import bid_label
from analyzer.wool_rules.constants import N_DICE
from analyzer.wool_rules.dice import OTHERS, Dice
from analyzer.wool_rules.exact import TIE_TOLERANCE, outcomes
from analyzer.wool_rules.hold_rules import SolvedRule
from analyzer.wool_rules.plans import TAKE, Plan, shares
from analyzer.wool_rules.short_rules import ShortRule, short_rules
from analyzer.wool_rules.terms import Terms

Ranks = dict[tuple[int, int], int]
"""Rank (1 is best) of (die index, face) or (free die index, sum of the others)."""


@dataclass(frozen=True, repr=False)
class HoldChart(Shown):
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
    accept : tuple of two dict
        After the first and the second roll: for each number of chips that would make the bid (0: the bonus alone), the
        largest rank at which it is better to go on. Cards are taken unless one's smallest rank is no larger; 0 means
        always, as many as there are ranks means never.
    third : tuple of (lowest total, highest total, end)
        What to do after the third roll.
    best : float
        Expected value of the dice action when every decision is the best.
    loss : float
        What following the chart costs against that, found by playing `first`, `second`, `accept` and `third` through.
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
    accept: tuple[dict[int, int], dict[int, int]]
    third: tuple[tuple[int, int, int], ...]
    best: float
    loss: float
    short: ShortRule
    figures: dict[str, float]

    def headline(self) -> str:
        """Say what it is for."""
        bid, modifier, chips = (int(each[0]) for each in (self.terms.bid, self.terms.modifier, self.terms.chips))
        asked = f"bid {bid_label(bid)}, modifier {modifier}, chips {chips}"
        success = f"success {percent(self.figures['p_success'])} (exact)"
        return f"which die to set aside, {asked}, best for {self.rule.spec}; {success}; the smallest rank is best"

    def lines(self) -> list[Line]:
        """Return the chance of success and the ranks of each die by what it shows or what the others add up to."""
        lines: list[Line] = []
        parts = (
            ("1st roll: {} set aside", self.first, self.first_success),
            ("2nd roll: {} stays free", self.second, self.second_success),
        )
        numbers = sorted({number for _, ranks, _ in parts for _, number in ranks})
        for words, ranks, success in parts:
            for die, sides in enumerate(self.terms.rules.dice):
                chances = [chance for (each, _), chance in success.items() if each == die]
                if chances:
                    shown = {str(at): str(ranks.get((die, at), "")) for at in numbers}
                    range_ = f"{percent(min(chances))} to {percent(max(chances))}"
                    lines.append({"die": words.format(f"d{sides}"), "success": range_, **shown})
        return lines


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
    solution, dice, values = rule.solve(terms), terms.dice, rule.values.under(terms.rules)
    plan = solution.plan
    first_met = {
        state for roll, action in enumerate(plan.first[:, 0]) if action != TAKE for state in _first_options(dice, roll)
    }
    second_met = {
        state
        for die in range(N_DICE)
        for roll, action in enumerate(plan.second[die, :, 0])
        if action != TAKE and (die, int(dice.faces[roll, die])) in first_met
        for state in _second_options(dice, die, roll)
    }
    first = _ranks(dice.first_states, solution.first_rank[:, 0], first_met)
    second = _ranks(dice.second_states, solution.second_rank[:, 0], second_met)
    first_value = {state: float(solution.first_value[dice.first_states.index(state), 0]) for state in first}
    second_value = {state: float(solution.second_value[dice.second_states.index(state), 0]) for state in second}
    accept = (
        _accept_limits(terms, rule, values.three, first_value),
        _accept_limits(terms, rule, values.two, second_value),
    )
    followed = _followed(terms, plan, first, second, accept)
    ends = outcomes(terms, followed)
    success_1 = shares(ends.after_first, dice.n_rest, terms.rules)["p_success"][:, 0]
    success_2 = shares(ends.after_second, dice.third_courses, terms.rules)["p_success"][:, 0]
    best = float(solution.expected[0])
    return HoldChart(
        rule,
        terms,
        first,
        second,
        first_value,
        second_value,
        {state: float(success_1[dice.first_states.index(state)]) for state in first},
        {state: float(success_2[dice.second_states.index(state)]) for state in second},
        accept,
        _third(plan),
        best,
        best - float(values_of_plans(terms, rule, followed)[0]),
        short_rules(rule, terms, solution).common,
        {name: float(figure[0]) for name, figure in shares(ends.start, dice.n_actions, terms.rules).items()},
    )


def values_of_plans(terms: Terms, rule: SolvedRule, plan: Plan) -> NDArray[np.float64]:
    """Return the expected value of each dice action under its plan, shape (B,), in the values of a rule."""
    share = shares(outcomes(terms, plan).start, terms.dice.n_actions, terms.rules)
    v = rule.values.under(terms.rules)
    return (
        v.three * share["p_three"]
        + v.two * share["p_two"]
        + v.one * share["p_one"]
        + v.fail * (share["p_fail"] - share["p_under_14"])
        + v.under14 * share["p_under_14"]
        - v.chip * share["mean_chips_spent"]
    )


def _first_options(dice: Dice, roll: int) -> list[tuple[int, int]]:
    """Return what can be set aside after a first roll."""
    return [(die, int(dice.faces[roll, die])) for die in range(N_DICE)]


def _second_options(dice: Dice, die: int, roll: int) -> list[tuple[int, int]]:
    """Return the states to choose from after a second roll with `die` set aside before."""
    j, k = OTHERS[die]
    faces = dice.faces[roll]
    return [(k, int(faces[die] + faces[j])), (j, int(faces[die] + faces[k]))]


def _ranks(states: tuple[tuple[int, int], ...], rank: NDArray[np.int64], met: set[tuple[int, int]]) -> Ranks:
    """Return numbers from 1, the best first, for the possibilities that can come up."""
    ordered = sorted((int(rank[at]), state) for at, state in enumerate(states) if state in met)
    numbers = {state: number for number, (_, state) in enumerate(ordered, start=1)}
    return {state: numbers[state] for state in states if state in met}


def _accept_limits(
    terms: Terms, rule: SolvedRule, cards: float, going_on: dict[tuple[int, int], float]
) -> dict[int, int]:
    """Return the largest rank at which going on is better than taking cards, by the chips that taking them costs."""
    helped = terms.makes_bid()[:, 0] & ~terms.reached()[:, 0]
    needed = sorted({int(chips) for total, chips in enumerate(terms.help()[:, 0]) if helped[total]})
    tolerance = TIE_TOLERANCE * rule.values.under(terms.rules).largest()
    return {
        chips: sum(value > cards - rule.values.chip * chips + tolerance for value in going_on.values())
        for chips in needed
    }


def _third(plan: Plan) -> tuple[tuple[int, int, int], ...]:
    """Group the totals of the third roll by what follows."""
    ends = plan.third[N_DICE:, 0].tolist()
    groups = []
    for end, totals in groupby(range(N_DICE, N_DICE + len(ends)), key=lambda total: ends[total - N_DICE]):
        members = list(totals)
        groups.append((members[0], members[-1], int(end)))
    return tuple(groups)


def _followed(
    terms: Terms, plan: Plan, first: Ranks, second: Ranks, accept: tuple[dict[int, int], dict[int, int]]
) -> Plan:
    """Return what a person does who has nothing but the chart; after the third roll it says what the plan does."""
    dice = terms.dice
    reached, makes_bid, need = (by_total[:, 0] for by_total in (terms.reached(), terms.makes_bid(), terms.help()))

    def follow(
        roll: int, options: list[tuple[int, int]], ranks: Ranks, limits: dict[int, int]
    ) -> tuple[int, int] | None:
        """Return the option chosen, None to take cards. What never comes up when going on is never chosen."""
        total = int(dice.totals[roll])
        known = [state for state in options if state in ranks]
        if reached[total] or not known:
            return None
        best = min(known, key=ranks.__getitem__)
        if makes_bid[total] and ranks[best] > limits[int(need[total])]:
            return None
        return best

    first_action = np.full_like(plan.first, TAKE)
    second_action = np.full_like(plan.second, TAKE)
    for roll in range(dice.n_rolls):
        chosen = follow(roll, _first_options(dice, roll), first, accept[0])
        if chosen is not None:
            first_action[roll, 0] = chosen[0]
        for die in range(N_DICE):
            free = follow(roll, _second_options(dice, die, roll), second, accept[1])
            if free is not None:
                second_action[die, roll, 0] = N_DICE - die - free[0]
    return replace(plan, first=first_action, second=second_action)
