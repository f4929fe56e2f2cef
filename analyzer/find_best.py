"""The best of many candidates: all play the same deals against the same opponents, and whoever is beaten drops out."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from analyzer.bounds import Bounds
from analyzer.field_counts import FieldCounts
from analyzer.means import StrategyMeans
from analyzer.paired import SCORES, WINS, compared_means, first_places, never_differ, with_exact
from analyzer.plan import Block, Plan
from analyzer.results import BoolArray, IntArray
from analyzer.rows import Row, columns, with_interval
from analyzer.runs import Run
from analyzer.sequential import Race, race, until_surely_alike
from analyzer.tally import Tally
from analyzer.tournament import Arrays, Executor, play_blocks

MOST_STAGES: Final = 128
"""More than a race can have, as each makes the deals half as many again; in a run's numbers of blocks the stage comes
last."""


@dataclass(frozen=True, eq=False)
class Stage:
    """The race after a look.

    Parameters
    ----------
    games : int
        Deals of each line-up of opponents so far, each in all rotations.
    contenders : int64 array
        Candidates that played up to here.
    dropped : int64 array
        Those of them that another one certainly beats.
    wins, scores : StrategyMeans
        Of the contenders.
    race : Race
        Of the contenders.
    """

    games: int
    contenders: IntArray
    dropped: IntArray
    wins: StrategyMeans
    scores: StrategyMeans
    race: Race


FIND_BEST_COLUMNS: Final = (
    *("strategy", "games", "dropped"),
    *with_interval("win_share", "score", "behind"),
)
"""Of :func:`find_best_rows`: dropped is the stage after which it dropped out; behind is how much less its win share is
than that of the best of its stage, 0 for the best. All intervals hold however the stages came to end, those of win
share and score each by itself, those of behind for all candidates together."""


def find_best_rows(
    stages: Sequence[Stage], names: Sequence[str], bounds: Bounds, exact: Collection[int] = ()
) -> list[Row]:
    """Return the candidates, the best first: those in the race to the end, then who dropped out later.

    Parameters
    ----------
    stages : sequence of Stage
    names : sequence of str
        Of the candidates.
    bounds : Bounds
        By which the race was decided.
    exact : collection of int
        Candidates that sit beside copies of their own only (:func:`analyzer.paired.with_exact`).

    Returns
    -------
    list of rows
        :data:`FIND_BEST_COLUMNS`.
    """
    rows: list[Row] = []
    for number, stage in reversed(list(enumerate(stages, 1))):
        last = number == len(stages)
        out = set(stage.contenders.tolist() if last else stage.dropped.tolist())
        known = [at for at, who in enumerate(stage.contenders.tolist()) if who in exact]
        shares, scores = with_exact(stage.wins.shares(bounds), known), stage.scores.estimates(bounds)
        for at in np.argsort(-stage.wins.values, kind="stable").tolist():
            who = int(stage.contenders[at])
            if who in out:
                row: Row = {"strategy": names[who], "games": int(stage.wins.games[at])}
                row["dropped"] = number if who in stage.dropped.tolist() else None
                row |= columns("win_share", shares[at]) | columns("score", scores[at])
                rows.append(row | columns("behind", stage.race.behind[at]))
    return rows


def stage_end(start: int, span: int) -> int:
    """Return after how many deals of each line-up a stage ends that begins after `start`, in rounds of `span`."""
    return start + max(span, start // 2)


class Elimination:
    """A race with its run file.

    Parameters
    ----------
    plan : Plan
        Of the first stage: a table for each candidate, who has the first place there, and the others of every line-up
        sit beside all of them (:func:`analyzer.paired.candidate_tables`).
    run : Run
        Its extent is how many deals of each line-up are played at most. Opened for writing where it is to be played.
    bounds : Bounds
        No candidate is dropped, nor named the best, wrongly, with a chance of its level: one error budget for all
        stages (:func:`analyzer.sequential.race`).

    Attributes
    ----------
    stages : list of Stage
        Those that are finished.
    alike : bool
        Whether those who are left had the same results in every deal and surely hardly ever have others
        (:func:`analyzer.sequential.until_surely_alike`).
    over : bool
        Whether the best is known, or that those who are left are alike, or as many deals are played as are asked for.
    plan : Plan
        Of the stage that is not finished, or of the last one.
    games_done : int
        Games of the finished stages.
    games_begun : int
        Games that there are of the next stage.
    counts : FieldCounts or None
        What happened in the games of the finished stages; None before the first.

    Notes
    -----
    Stages end after the same deals whatever the threads are: each is about half as long as all before it. Where one
    begins depends neither on how many deals are asked for, so that a run that is extended goes on as if it had never
    ended; who is in it follows from the stages before. The run's blocks are those of the stages' plans.
    """

    def __init__(self, plan: Plan, run: Run, bounds: Bounds) -> None:
        self.plan, self.run, self.bounds = plan, run, bounds
        self.stages: list[Stage] = []
        self.counts: FieldCounts | None = None
        self.over, self.alike, self.games_done, self.games_begun = False, False, 0, 0
        self._most, self._candidates = run.extent, len(plan.settings)
        self._left, self._start, self._sums = np.arange(self._candidates), 0, dict[str, IntArray]()
        self._numbers: dict[int, list[int]] = {}
        for number in sorted(run.done()):
            self._numbers.setdefault(number % MOST_STAGES, []).append(number // MOST_STAGES)
        self._begin_stages()

    @property
    def games_missing(self) -> int:
        """Games that are yet to be played at most."""
        return 0 if self.over else (self._most - self._start) * self.plan.games - self.games_begun

    @property
    def blocks(self) -> tuple[int, int]:
        """Blocks of the stage that is not finished: those that are played, and all. Parts of one block are one."""
        before = self._start - self._start % self.plan.span
        return len(self._turns), self.plan.blocks_of(self._stop) - self.plan.blocks_of(before)

    def play(self, executors: Callable[[Plan], Executor], progress: Callable[[int], None] | None = None) -> None:
        """Play what is missing, until the best is known or the run's extent is reached.

        Parameters
        ----------
        executors : callable (plan) -> Executor
            Plays the blocks of a stage's plan.
        progress : callable, optional
            Called with the number of games of each finished block.

        Raises
        ------
        KeyboardInterrupt
            After the blocks in flight are finished and kept.
        """

        def keep(block: Block, arrays: Arrays) -> None:
            self.run.commit(block.number * MOST_STAGES + len(self.stages), arrays)
            self._count(block, arrays)
            if progress is not None:
                progress(self.plan.games_in(block))

        while not self.over:
            play_blocks(executors(self.plan), self.plan.missing(self._there, self._stop, self._start), keep)
            self._look()
            self._begin_stages()

    def _begin_stages(self) -> None:
        """Begin a stage with what the run has of it; while that is all of it, look and go on."""
        while not self.over:
            self._begin_stage()
            if any(True for _ in self.plan.missing(self._there, self._stop, self._start)):
                return
            self._look()

    def _begin_stage(self) -> None:
        self._stop = min(stage_end(self._start, self.plan.span), self._most)
        self._tally, self._turns = Tally(self.plan), set[int]()
        numbers = self._numbers.get(len(self.stages), ())
        self._there = self.plan.by_turn(map(self.plan.block, numbers))
        for ends in self.plan.rounds(self._start, self._stop):
            for block in self.plan.usable(self._there, *ends):
                self._count(block, self.run.sums(block.number * MOST_STAGES + len(self.stages)))

    def _count(self, block: Block, arrays: Arrays) -> None:
        self._tally.add(block, arrays)
        self._turns.add(self.plan.turn(block))
        self.games_begun += self.plan.games_in(block)

    def _look(self) -> None:
        """End a stage, and see who stays for the next one."""
        for played in FieldCounts.of(self._tally):
            self.counts = played if self.counts is None else self.counts + played
        for name, array in self._sums.items():
            self._tally.parts[0][name][0] += array
        wins, scores = (compared_means(self._tally, what, first_places) for what in (WINS, SCORES))
        found = race(wins, self.bounds, self._candidates)
        kept = found.contenders
        self.stages.append(Stage(self._stop, self._left, self._left[~kept], wins, scores, found))
        self.games_done, self.games_begun = self.games_done + self.games_begun, 0
        if kept.sum() > 1 and never_differ(self._tally, kept):
            self.alike = until_surely_alike([wins], self.bounds, self._candidates - 1).stop
        self.over = found.decided or self.alike or self._stop >= self._most or kept.sum() == 1
        if not self.over:
            line_ups = self.plan.line_ups[0][:, kept]
            self._sums = _of_tables(self._tally, kept, line_ups.shape[-1])
            self._left, self._start = self._left[kept], self._stop
            self.plan = Plan((line_ups,), (0,) * len(self._left))


def _of_tables(tally: Tally, kept: BoolArray, players: int) -> dict[str, IntArray]:
    """Return the sums of some tables, as if the others had not played."""
    sums, places = {name: array.sum(axis=0) for name, array in tally.parts[0].items()}, np.repeat(kept, players)
    return {
        "blocks": sums["blocks"],
        "orders": sums["orders"][:, kept],
        "seats": sums["seats"][:, places],
        "products": sums["products"][..., places, :][..., places],
    }
