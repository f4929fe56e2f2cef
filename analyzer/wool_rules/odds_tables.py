"""All odds of all questions as tables of whole numbers, for places that can look up but not solve.

A *question* is a goal (a solved rule), a target, a modifier and a number of chips, which the rule counts on. Most
questions share their figures with others: a bonus of 2 does what a target lower by 2 does. So each table keeps every
different row once and says which row belongs to which question.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from analyzer.wool_rules.bidding import bids_of
from analyzer.wool_rules.constants import HIGHEST_PLAIN_BID, MAX_MODIFIER
from analyzer.wool_rules.exact import TIE_TOLERANCE, outcomes
from analyzer.wool_rules.hold_rules import SolvedRule
from analyzer.wool_rules.plans import shares
from analyzer.wool_rules.rules import Rules
from analyzer.wool_rules.terms import Terms

IntArray = NDArray[np.int64]
FloatArray = NDArray[np.float64]

SHORT, HELPED, MADE = range(3)
"""How a total stands: the bid cannot be made now, it can be made with help, it is made without."""

_BATCH: Final = 256
"""Questions that are solved at once."""


@dataclass(frozen=True)
class OddsTable:
    """Figures by question.

    Parameters
    ----------
    rows : int array, shape (different, width)
        Every different row of figures once.
    index : int array, shape (goals, targets, modifiers, chips)
        Which row belongs to a question. An axis on which nothing depends has length 1.
    """

    rows: IntArray
    index: IntArray


@dataclass(frozen=True)
class OddsTables:
    """The figures of every question.

    Parameters
    ----------
    rules : Rules
        The rules in force.
    goals : tuple of str
        Specs of the solved rules.
    targets, modifiers, chips : tuple of int
        What is asked, along the axes of every index.
    tables : dict of OddsTable
        By name:

        - ``start_`` and a name of :data:`~analyzer.wool_rules.plans.SHARES`: one number, of `dice.n_actions` courses;
        - ``first_`` and such a name: by state after the first attempt, of `dice.n_rest`;
        - ``second_`` and such a name: by state after the second attempt, of `dice.third_courses`;
        - ``first_rank``, ``second_rank``: by state; of the states that can be chosen the one with the lowest is best;
        - ``first_accept``, ``second_accept``: by total, the lowest rank of the best state at which taking cards is at
          least as good as going on (0: they must be taken; the number of states: they cannot be);
        - ``standing``: by total, :data:`SHORT`, :data:`HELPED` or :data:`MADE`;
        - ``result``, ``missing``, ``help``: by total, the result with malus, what it lacks of the bid, and the chips
          needed on top of the bonus.
    """

    rules: Rules
    goals: tuple[str, ...]
    targets: tuple[int, ...]
    modifiers: tuple[int, ...]
    chips: tuple[int, ...]
    tables: dict[str, OddsTable]


@dataclass
class _Collector:
    """Keeps different rows once, in the order in which they come."""

    ids: dict[bytes, int] = field(default_factory=dict)
    found: list[int] = field(default_factory=list)

    def add(self, figures: IntArray) -> None:
        """Take the figures of some questions, shape (width, B)."""
        for row in np.ascontiguousarray(figures.T, dtype=np.int64):
            self.found.append(self.ids.setdefault(row.tobytes(), len(self.ids)))

    def table(self, shape: tuple[int, ...]) -> OddsTable:
        """Return the table, its index folded along the axes on which nothing depends."""
        rows = np.stack([np.frombuffer(row, dtype=np.int64) for row in self.ids])
        index = np.array(self.found).reshape(shape)
        for axis in range(index.ndim):
            first = index.take([0], axis)
            if (index == first).all():
                index = first
        return OddsTable(rows, index)


def targets_of(rules: Rules) -> tuple[int, ...]:
    """Return the results that bids ask for, in ascending order."""
    return tuple(sorted({min(bid, HIGHEST_PLAIN_BID) for bid in bids_of(rules)}))


def odds_tables(goals: Sequence[SolvedRule], rules: Rules, progress: Callable[[int], None] | None = None) -> OddsTables:
    """Solve every question.

    Parameters
    ----------
    goals : sequence of SolvedRule
        What is wanted; each counts on the chips of the question.
    rules : Rules
        The rules in force.
    progress : callable, optional
        Called with the number of questions just solved.

    Returns
    -------
    OddsTables
    """
    targets, modifiers = targets_of(rules), tuple(range(-MAX_MODIFIER, MAX_MODIFIER + 1))
    chips = tuple(range(rules.chips_total + 1))
    collectors: dict[str, _Collector] = {}
    for goal in goals:
        for terms in _batches(targets, modifiers, chips, rules):
            for name, figures in figures_of(goal, terms).items():
                collectors.setdefault(name, _Collector()).add(figures)
            if progress is not None:
                progress(len(terms))
    shape = (len(goals), len(targets), len(modifiers), len(chips))
    tables = {name: collector.table(shape) for name, collector in collectors.items()}
    return OddsTables(rules, tuple(goal.spec for goal in goals), targets, modifiers, chips, tables)


def n_questions(goals: Sequence[SolvedRule], rules: Rules) -> int:
    """Return how many questions :func:`odds_tables` solves."""
    return len(goals) * len(targets_of(rules)) * (2 * MAX_MODIFIER + 1) * (rules.chips_total + 1)


def _batches(
    targets: tuple[int, ...], modifiers: tuple[int, ...], chips: tuple[int, ...], rules: Rules
) -> Iterator[Terms]:
    """Yield all questions of a goal, the chips changing fastest."""
    target, modifier, spend = (grid.ravel() for grid in np.meshgrid(targets, modifiers, chips, indexing="ij"))
    questions = Terms(target, modifier, spend, target, rules)
    for begin in range(0, len(questions), _BATCH):
        yield questions[begin : begin + _BATCH]


def figures_of(goal: SolvedRule, terms: Terms) -> dict[str, IntArray]:
    """Return the figures of some questions by the names of :class:`OddsTables`, each of shape (width, B)."""
    solution = goal.solve(terms)
    ends = outcomes(terms, solution.plan)
    stages = (("start", ends.start[:, None]), ("first", ends.after_first), ("second", ends.after_second))
    found = {
        # Of one course, shares are counts: whole numbers below 2**53 (see dice.py).
        f"{stage}_{name}": count.astype(np.int64)
        for stage, counts in stages
        for name, count in shares(counts, 1, terms.rules).items()
    }
    made, makes = terms.reached(), terms.makes_bid()
    values = goal.values.under(terms.rules)
    tolerance = TIE_TOLERANCE * values.largest()
    for stage, cards, value in (
        ("first", values.three, solution.first_value),
        ("second", values.two, solution.second_value),
    ):
        better = _count_better(value, cards - values.chip * terms.help() + tolerance)
        found[f"{stage}_accept"] = np.where(made, 0, np.where(makes, better, len(value)))
    return found | {
        "first_rank": solution.first_rank,
        "second_rank": solution.second_rank,
        "standing": np.where(made, MADE, np.where(makes, HELPED, SHORT)),
        "result": terms.result(),
        "missing": np.maximum(terms.target - terms.result(), 0),
        "help": terms.help(),
    }


def _count_better(value: FloatArray, taken: NDArray[np.floating[Any]]) -> IntArray:
    """Count the states (n_states, B) in which going on is worth more than taking cards, (n_totals, B), by total."""
    counts: IntArray = (value[None] > taken[:, None]).sum(axis=1)
    return counts
