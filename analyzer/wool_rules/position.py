"""The odds in the middle of a dice action: which die to set aside now, and whether to accept help instead."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from analyzer.errors import BadInputError
from analyzer.figures import number, percent
from analyzer.shown import Line, Shown
from analyzer.wool_rules.bidding import bid_label
from analyzer.wool_rules.constants import N_DICE
from analyzer.wool_rules.dice import OTHERS, Dice
from analyzer.wool_rules.exact import outcomes
from analyzer.wool_rules.hold_rules import HoldRule, SolvedRule
from analyzer.wool_rules.plans import Plan, shares
from analyzer.wool_rules.terms import Terms


@dataclass(frozen=True)
class Option:
    """Setting aside one die now and following a rule from there.

    Parameters
    ----------
    die : int
        Index of the die set aside.
    shares : dict
        p_two, p_one, p_success, p_fail, p_under_14, mean_cards, mean_chips_spent.
    value : float or None
        Expected value under a solved rule.
    chosen : bool or None
        Whether the rule sets aside this die; None for a rule that rolls for its answers.
    """

    die: int
    shares: dict[str, float]
    value: float | None
    chosen: bool | None


@dataclass(frozen=True)
class Advice:
    """What one hold rule makes of a position.

    Parameters
    ----------
    rule : HoldRule
    options : list of Option
        One for each free die; empty when the bid is made without help.
    accept_value : float or None
        What taking the cards now is worth to a solved rule, when help can make the bid.
    accept : bool or None
        Whether that is the best decision (accepting wins ties); None when there is nothing to accept, also for a rule
        that was told to count on fewer chips than it takes.
    """

    rule: HoldRule
    options: list[Option]
    accept_value: float | None
    accept: bool | None


@dataclass(frozen=True, repr=False)
class Position(Shown):
    """A dice action after its first or second attempt.

    Parameters
    ----------
    terms : Terms
        A batch of one.
    attempt : int
        1 or 2.
    dice : tuple of int
        Faces of the dice in the order of the rules.
    held : int or None
        Index of the die set aside before the second attempt.
    result : int
        Total with malus.
    help : int
        Chips needed on top of the bonus to make the bid now; 0 when it is made without help or with the bonus.
    made, can_accept : bool
        Whether the bid is made without help; whether help that is there can make it.
    advice : list of Advice
        One for each rule.
    """

    terms: Terms
    attempt: int
    dice: tuple[int, int, int]
    held: int | None
    result: int
    help: int
    made: bool
    can_accept: bool
    advice: list[Advice]

    def headline(self) -> str:
        """Say what lies on the table."""
        dice = ", ".join(f"d{sides} {face}" for sides, face in zip(self.terms.rules.dice, self.dice, strict=True))
        bid, chips = bid_label(int(self.terms.bid[0])), int(self.terms.chips[0])
        made = "; the bid is made" if self.made else f"; help could make it: {self.help} chips" * self.can_accept
        return f"attempt {self.attempt}: {dice}; result {self.result}, bid {bid}, chips {chips}{made}"

    def lines(self) -> list[Line]:
        """Return the odds of each die that may be set aside, by rule."""
        return [
            {
                "set aside": f"d{self.terms.rules.dice[option.die]} ({advice.rule.spec})",
                "success": percent(option.shares["p_success"], 2),
                "mean cards": number(option.shares["mean_cards"], 3),
                "value": number(option.value, 4),
                "choice": "its choice" if option.chosen else "",
            }
            for advice in self.advice
            for option in advice.options
        ]


def position(
    rules: Sequence[HoldRule],
    terms: Terms,
    dice: tuple[int, int, int],
    attempt: int = 1,
    held: int | None = None,
) -> Position:
    """Compute the odds of a position.

    Parameters
    ----------
    rules : sequence of HoldRule
        A solved rule that was not told how many chips to count on counts on those of `terms`, and never on more; it
        also decides about accepting and saving. Other rules accept help as soon as it makes the bid.
    terms : Terms
        A batch of one.
    dice : tuple of int
        Faces of the dice in the order of the rules.
    attempt : int
        1 or 2.
    held : int, optional
        Index of the die set aside before the second attempt.

    Returns
    -------
    Position

    Raises
    ------
    BadInputError
        For a rule whose odds cannot be calculated.
    """
    total = sum(dice)
    made = bool(terms.reached()[total, 0])
    can_accept = bool(terms.makes_bid()[total, 0]) and not made
    advice = [] if made else [_advise(rule, terms, dice, held, can_accept=can_accept) for rule in rules]
    return Position(
        terms,
        attempt,
        dice,
        held,
        int(terms.result()[total, 0]),
        int(terms.help()[total, 0]),
        made,
        can_accept,
        advice,
    )


def _advise(rule: HoldRule, terms: Terms, dice: tuple[int, int, int], held: int | None, *, can_accept: bool) -> Advice:
    if isinstance(rule, SolvedRule):
        return _advise_solved(rule, terms, dice, held)
    if not rule.has_exact_odds:
        raise BadInputError(f"hold rule {rule.spec} draws at random, so its odds cannot be calculated")
    tables = rule.hold_tables(terms, everywhere=True)
    per_plan = [_shares_of_options(terms, plan, dice, held) for plan in tables.plans(terms)]
    answers = tables.first if held is None else [second[held] for second in tables.second]
    chosen = int(answers[0][terms.dice.roll_index(dice), 0]) if len(answers) == 1 else None
    options = [
        Option(
            die,
            {name: float(np.mean([options[die][name] for options in per_plan])) for name in per_plan[0][die]},
            None,
            None if chosen is None else chosen == die,
        )
        for die in per_plan[0]
    ]
    return Advice(rule, options, None, True if can_accept else None)


def _advise_solved(rule: SolvedRule, terms: Terms, dice: tuple[int, int, int], held: int | None) -> Advice:
    counted = replace(terms, chips=np.array([rule.chips_of(int(terms.chips[0]))]))
    solution = rule.solve(counted)
    roll = terms.dice.roll_index(dice)
    if held is None:
        chosen, take, values = solution.first_die[roll, 0], solution.first_take[roll, 0], solution.first_value
    else:
        chosen, take = solution.second_die[held, roll, 0], solution.second_take[held, roll, 0]
        values = solution.second_value
    value = {die: values[state, 0] for die, state in _states(terms.dice, dice, held).items()}
    options = [
        Option(die, figures, float(value[die]), bool(chosen == die))
        for die, figures in _shares_of_options(counted, solution.plan, dice, held).items()
    ]
    if not counted.makes_bid()[sum(dice), 0]:
        return Advice(rule, options, None, None)
    worth = rule.values.under(terms.rules)
    cards = worth.three if held is None else worth.two
    help_needed = int(terms.help()[sum(dice), 0])
    return Advice(rule, options, cards - worth.chip * help_needed, bool(take))


def _states(dice: Dice, faces: tuple[int, int, int], held: int | None) -> dict[int, int]:
    """Return the state after setting aside each die that is free."""
    if held is None:
        return {die: dice.first_state(die, faces[die]) for die in range(N_DICE)}
    j, k = OTHERS[held]
    return {j: dice.second_state(k, faces[held] + faces[j]), k: dice.second_state(j, faces[held] + faces[k])}


def _shares_of_options(
    terms: Terms, plan: Plan, dice: tuple[int, int, int], held: int | None
) -> dict[int, dict[str, float]]:
    """Return the shares after setting aside each free die, following a plan from there."""
    ends = outcomes(terms, plan)
    if held is None:
        table = shares(ends.after_first, terms.dice.n_rest, terms.rules)
    else:
        table = shares(ends.after_second, terms.dice.third_courses, terms.rules)
    return {
        die: {name: float(figure[state, 0]) for name, figure in table.items() if name != "p_three"}
        for die, state in _states(terms.dice, dice, held).items()
    }
