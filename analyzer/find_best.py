"""The best of many candidates: all play the same deals against the same opponents, and whoever is beaten drops out."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from analyzer.bounds import Bounds
from analyzer.means import StrategyMeans
from analyzer.paired import SCORES, WINS, candidate_tables, compared_means, first_places
from analyzer.plan import Plan
from analyzer.results import IntArray
from analyzer.rows import Row, columns, with_interval
from analyzer.sequential import Race, race
from analyzer.tally import Tally
from analyzer.tournament import Executor


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


def find_best_rows(stages: Sequence[Stage], names: Sequence[str], bounds: Bounds) -> list[Row]:
    """Return the candidates, the best first: those in the race to the end, then who dropped out later.

    Parameters
    ----------
    stages : sequence of Stage
    names : sequence of str
        Of the candidates.
    bounds : Bounds
        By which the race was decided.

    Returns
    -------
    list of rows
        :data:`FIND_BEST_COLUMNS`.
    """
    rows: list[Row] = []
    for number, stage in reversed(list(enumerate(stages, 1))):
        last = number == len(stages)
        out = set(stage.contenders.tolist() if last else stage.dropped.tolist())
        shares, scores = stage.wins.shares(bounds), stage.scores.estimates(bounds)
        for at in np.argsort(-stage.wins.values, kind="stable").tolist():
            who = int(stage.contenders[at])
            if who in out:
                row: Row = {"strategy": names[who], "games": int(stage.wins.games[at])}
                row["dropped"] = number if who in stage.dropped.tolist() else None
                row |= columns("win_share", shares[at]) | columns("score", scores[at])
                rows.append(row | columns("behind", stage.race.behind[at]))
    return rows


def racing_bounds(candidates: int, opponents: IntArray, max_games: int, level: float = 0.95) -> Bounds:
    """Return the bounds of a race, which are tightest after its first stage."""
    return Bounds(level, min(_plan(np.arange(candidates), opponents).span, max_games))


def _plan(candidates: IntArray, opponents: IntArray) -> Plan:
    return Plan((candidate_tables(candidates, opponents),), (0,) * len(candidates))


def find_best(
    executors: Callable[[Plan], Executor],
    candidates: int,
    opponents: IntArray,
    bounds: Bounds,
    max_games: int,
    *,
    progress: Callable[[int], None] | None = None,
) -> Iterator[Stage]:
    """Yield the stages of a race, the last one when the best is known or `max_games` are played.

    Parameters
    ----------
    executors : callable (plan) -> Executor
        Plays the blocks of a plan; the first strategies are the candidates.
    candidates : int
    opponents : int64 array, shape (n, players - 1)
        Who sits beside each candidate.
    bounds : Bounds
        No candidate is dropped, nor named the best, wrongly, with a chance of its level: one error budget for all
        stages (:func:`analyzer.sequential.race`).
    max_games : int
        Deals of each line-up of opponents at most.
    progress : callable, optional
        Called with the number of games of each finished block.

    Notes
    -----
    Stages end after the same deals whatever the threads are: each is about half as long as all before it.
    """
    left, games = np.arange(candidates), 0
    sums: dict[str, IntArray] = {}
    while True:
        plan = _plan(left, opponents)
        stop = min(games + max(plan.span, games // 2), max_games)
        tally = _played(executors(plan), plan, games, stop, progress)
        for name, array in sums.items():  # of which batch they are makes no difference here
            tally.parts[0][name][0] += array
        games = stop
        wins, scores = (compared_means(tally, what, first_places) for what in (WINS, SCORES))
        found = race(wins, bounds, candidates)
        kept = found.contenders
        yield Stage(games, left, left[~kept], wins, scores, found)
        if found.decided or games >= max_games or kept.sum() == 1:
            return
        sums, left = _of_tables(tally, kept, opponents.shape[1] + 1), left[kept]


def _played(executor: Executor, plan: Plan, start: int, stop: int, progress: Callable[[int], None] | None) -> Tally:
    """Play the deals from `start` to `stop` - 1 of every line-up."""
    tally = Tally(plan)
    blocks = (block for ends in plan.rounds(start, stop) for block in plan.missing_in({}, *ends))
    with executor(blocks) as playing:
        for block, arrays in playing:
            tally.add(block, arrays)
            if progress is not None:
                first, last = plan.groups[block.group][1:]
                progress((block.stop - block.start) * plan.line_ups[0][first:last].size)
    return tally


def _of_tables(tally: Tally, kept: np.ndarray, players: int) -> dict[str, IntArray]:
    """Return the sums of some tables, as if the others had not played; all batches together."""
    sums, places = {name: array.sum(axis=0) for name, array in tally.parts[0].items()}, np.repeat(kept, players)
    return {
        "blocks": sums["blocks"],
        "orders": sums["orders"][:, kept],
        "seats": sums["seats"][:, places],
        "products": sums["products"][..., places, :][..., places],
    }
