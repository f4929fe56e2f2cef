"""Hold rules: which die a player sets aside, for the exact odds and for simulation alike."""

from dataclasses import dataclass, replace
from itertools import product
from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from analyzer.errors import BadInputError
from analyzer.slots import Policy
from analyzer.wool_rules.constants import N_DICE
from analyzer.wool_rules.dice import OTHERS, Dice
from analyzer.wool_rules.exact import Solution, outcomes_of_mixture, solve
from analyzer.wool_rules.plans import Plan, plan_of_holds
from analyzer.wool_rules.terms import Terms, Values

CodeArray = NDArray[np.int8]


@dataclass(frozen=True)
class HoldTables:
    """The die that a rule sets aside in every situation.

    A rule that does not look at the roll, or not at the terms, may have 1 in place of n_rolls or of B.

    Parameters
    ----------
    first : tuple of int8 arrays, shape (n_rolls, B)
        After the first attempt: one table, or several that are played equally often.
    second : tuple of int8 arrays, shape (3, n_rolls, B)
        After the second attempt, by the die set aside before; drawn independently of the first.
    """

    first: tuple[CodeArray, ...]
    second: tuple[CodeArray, ...]

    def plans(self, terms: Terms) -> list[Plan]:
        """Return the plans of all combinations."""
        return [plan_of_holds(terms, first, second) for first, second in product(self.first, self.second)]


ROLLS_AT_ONCE: Final = 400 * 960
"""First rolls of all dice actions whose plans are in memory together."""


def rows_at_once(dice: Dice) -> int:
    """Return how many dice actions' plans are in memory together."""
    return max(ROLLS_AT_ONCE // dice.n_rolls, 1)


class HoldRule(Protocol):
    """What a hold rule must offer."""

    @property
    def spec(self) -> str:
        """What its user calls it, parameters included."""

    @property
    def has_exact_odds(self) -> bool:
        """Whether its odds can be calculated, not only simulated."""

    @property
    def is_policy(self) -> bool:
        """Whether a function has to be compiled and asked, be it for a table or for every decision."""

    def hold_tables(self, terms: Terms, *, everywhere: bool = False) -> HoldTables:
        """Return the rule as tables for B dice actions.

        `everywhere` asks for sound answers also where the rule's own first answers do not lead.
        """

    def asked_policy(self) -> Policy | None:
        """Return the policy to ask for every decision of a simulation, None for a rule that is a table."""


@dataclass(frozen=True)
class SolvedRule:
    """The best hold decisions for given values of the outcomes.

    Parameters
    ----------
    spec : str
    values : Values
    chips : int
        Chips the rule counts on.
    chips_given : bool
        Whether its user chose the number of chips.
    """

    spec: str
    values: Values
    chips: int = 0
    chips_given: bool = False

    @property
    def has_exact_odds(self) -> bool:
        """Always."""
        return True

    @property
    def is_policy(self) -> bool:
        """Never: it is solved."""
        return False

    def chips_of(self, chips: int) -> int:
        """Return the chips it counts on where `chips` can be spent: what it was told, never more; untold, all."""
        return min(self.chips, chips) if self.chips_given else chips

    def solve(self, terms: Terms) -> Solution:
        """Return the exact solution of each dice action for this rule's values, counting on the chips of `terms`."""
        return solve(terms, self.values)

    def hold_tables(self, terms: Terms, *, everywhere: bool = False) -> HoldTables:  # noqa: ARG002 - always sound
        """Solve once for every different target and modifier."""
        questions = np.stack([terms.target, terms.modifier])
        _, chosen, back = np.unique(questions, axis=1, return_index=True, return_inverse=True)
        solution = self.solve(replace(terms[chosen], chips=np.full(len(chosen), self.chips)))
        return HoldTables((solution.first_die[:, back],), (solution.second_die[:, :, back],))

    def asked_policy(self) -> Policy | None:
        """None: the rule is a table."""
        return None


@dataclass(frozen=True)
class PolicyRule:
    """A hold rule written as a policy: a plain function of the view.

    Parameters
    ----------
    policy : Policy
    mixture : HoldTables, optional
        For a policy of chance whose odds can be calculated: the tables that it plays equally often.
    """

    policy: Policy
    mixture: HoldTables | None = None

    @property
    def spec(self) -> str:
        """What its user calls it."""
        return self.policy.spec

    @property
    def is_policy(self) -> bool:
        """Unless its tables are known without asking."""
        return self.mixture is None

    @property
    def has_exact_odds(self) -> bool:
        """Unless the policy draws at random and its mixture is not known."""
        return self.mixture is not None or not self.policy.uses_draws

    def hold_tables(self, terms: Terms, *, everywhere: bool = False) -> HoldTables:
        """Ask the policy once for every situation."""
        if self.mixture is not None:
            return self.mixture
        from analyzer.wool_rules.hold_policy import hold_tables

        first, second = hold_tables(self.policy, terms, everywhere=everywhere)
        return HoldTables((first,), (second,))

    def asked_policy(self) -> Policy | None:
        """Return the policy if it draws at random; otherwise it is a table."""
        return self.policy if self.policy.uses_draws else None


def uniform_mixture() -> HoldTables:
    """Return tables whose equal mixture sets aside every free die with the same chance.

    A course of a dice action asks once after the first and once after the second attempt at most. So answering by
    chance each time is the same as choosing one of three fixed first and two fixed second answers beforehand.
    """
    others = np.array(OTHERS, dtype=np.int8)
    return HoldTables(
        tuple(np.full((1, 1), die, dtype=np.int8) for die in range(N_DICE)),
        tuple(others[:, which, None, None] for which in range(others.shape[1])),
    )


def exact_counts(rule: HoldRule, terms: Terms) -> tuple[NDArray[np.int64], int]:
    """Count how B dice actions end under a hold rule that accepts help as soon as it makes the bid.

    Parameters
    ----------
    rule : HoldRule
        One that has exact odds.
    terms : Terms
        B dice actions.

    Returns
    -------
    counts : int array, shape (6, B)
        Three, two, one, fail, under 14, chips spent.
    weight : int
        How often each of the courses is counted.

    Raises
    ------
    BadInputError
        For a rule of chance whose odds are not known.
    """
    if not rule.has_exact_odds:
        raise BadInputError(f"{rule.spec} draws at random, so its odds cannot be calculated: simulate it")
    parts = []
    weight = 1
    step = rows_at_once(terms.dice)
    for at in range(0, len(terms), step):
        rows = terms[at : at + step]
        tables = rule.hold_tables(rows)
        rest = [plan_of_holds(rows, tables.first[0], second) for second in tables.second]
        firsts = [rest[0].first] + [plan_of_holds(rows, first, tables.second[0]).first for first in tables.first[1:]]
        counts, weight = outcomes_of_mixture(rows, firsts, rest)
        parts.append(counts)
    return np.concatenate(parts, axis=1), weight
