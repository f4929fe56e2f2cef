"""Simulating one dice action many times: by look-ups where a rule is a table, by calls where it draws at random."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from analyzer import rng
from analyzer.blocks import run_blocks
from analyzer.wool_rules.dice import Dice
from analyzer.wool_rules.hold_policy import ORDINARY_DRAWS, PolicyPlayer, hold_tables, policy_kernel, tabulate
from analyzer.wool_rules.hold_rules import HoldRule
from analyzer.wool_rules.plans import Plan
from analyzer.wool_rules.rolls import CODE_ROWS, N_CODES, Tables, table_kernel, tables_of
from analyzer.wool_rules.terms import Terms

BLOCK_SIZE: Final = 1 << 22
ASKED_BLOCK_SIZE: Final = 1 << 16
"""Dice actions in a block, by tables and by calls: milliseconds of work, so that progress and Ctrl-C are prompt."""


def kernels_for(rules: Sequence[HoldRule], dice: Dice, *, simulated: bool) -> list[Any]:
    """Return the kernels that tables of some rules and dice need, to be compiled at the first use after installing."""
    kernels: list[Any] = []
    for rule in rules:
        asked = rule.asked_policy() is not None
        if rule.is_policy or (asked and simulated):
            kernels.append(tabulate)
        if simulated:
            kernels.append(policy_kernel(dice) if asked else table_kernel(dice))
    return kernels


@dataclass(frozen=True)
class TablePlayer:
    """Plays blocks of one dice action under a plan.

    Parameters
    ----------
    terms : Terms
        A batch of one.
    plan : Plan
    seed : int
    """

    terms: Terms
    plan: Plan
    seed: int

    def __call__(self, start: int, n: int) -> NDArray[np.int64]:
        """Play dice actions `start` to `start + n - 1` and return the counts of their ends."""
        tables, counts = self._tables, np.zeros(N_CODES, np.int64)
        play_tables = table_kernel(self.terms.dice)
        play_tables(*rng.seed_stream(self.seed), start, n, tables.first, tables.second, tables.third, counts)
        return counts

    @cached_property
    def _tables(self) -> Tables:
        return tables_of(self.terms, self.plan)


def simulate_action(
    rule: HoldRule,
    terms: Terms,
    n: int,
    *,
    seed: int = 1,
    threads: int | None = None,
    block_size: int | None = None,
    progress: Callable[[int], None] | None = None,
) -> NDArray[np.int64]:
    """Roll the dice of n dice actions under a hold rule that accepts help as soon as it makes the bid.

    Parameters
    ----------
    rule : HoldRule
    terms : Terms
        A batch of one dice action.
    n : int
        At least 1, at most 2**40.
    seed : int
        0 to 2**64 - 1; dice action number i gets the same rolls whatever the bid and the rule.
    threads, block_size : int, optional
        Without influence on the result.
    progress : callable, optional
        Called with the number of dice actions just finished.

    Returns
    -------
    int64 array, shape (6,)
        Three, two, one, fail, under 14, sum of chips spent.
    """
    asked = rule.asked_policy()
    if asked is not None:
        for draws in ORDINARY_DRAWS:  # every situation, so that what is wrong is said before millions are played
            hold_tables(asked, terms, draws=draws)
        player: Callable[[int, int], NDArray[np.int64]] = PolicyPlayer(asked, terms, seed)
        block_size = block_size or ASKED_BLOCK_SIZE
    else:
        (plan,) = rule.hold_tables(terms).plans(terms)
        player = TablePlayer(terms, plan, seed)
    codes = run_blocks(player, n, block_size=block_size or BLOCK_SIZE, threads=threads, progress=progress)
    return codes @ CODE_ROWS
