"""A small race with several stages of many blocks, and a process that plays it.

`python race_samples.py FOLDER TIMES SEED` begins to play again and again, is killed at random moments, and prints how
many blocks were committed each time.
"""

import os
import random
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np
from tournament_samples import engine, killed_after

from analyzer.bounds import Bounds
from analyzer.find_best import Elimination, Stage
from analyzer.paired import all_opponents, candidate_tables
from analyzer.plan import Plan
from analyzer.runs import Run
from analyzer.tournament import on_threads

LEVELS = tuple(f"plain:level={level}" for level in (18, 20, 21, 22, 27))
FIELD = (*LEVELS, "plain:level=20", "random")
MOST = 260
"""Deals at most; the race is decided after 63, in eleven stages and 62 blocks."""
GAMES_PER_BLOCK = 40
QUESTION = {"what": "a race for tests"}


def first_plan() -> Plan:
    return Plan((candidate_tables(range(len(LEVELS)), all_opponents((5, 6), 3)),), (0,) * len(LEVELS))


class Raced:
    """A race in a folder. Only a `durable` one waits for the disk after each block."""

    def __init__(self, folder: Path, *, durable: bool = False) -> None:
        self.folder, self.durable = folder, durable

    def play(self, most: int = MOST, *, threads: int = 1, progress: Callable[[int], None] | None = None) -> None:
        """Play up to so many deals; what is read back afterwards is the same."""
        with patch("analyzer.plan.GAMES_PER_BLOCK", GAMES_PER_BLOCK):
            with Run.create(self.folder, QUESTION, extent=most) as run:
                if not self.durable:
                    run._db.execute("PRAGMA synchronous = OFF")
                race = Elimination(first_plan(), run, Bounds(planned=20))
                race.play(lambda plan: on_threads(engine(*FIELD), plan, threads), progress)
                assert race.over
                assert race.games_missing == 0
            assert stages_of(race) == stages_of(self.read())

    def read(self) -> Elimination:
        """Return the race as its file has it."""
        with (
            patch("analyzer.plan.GAMES_PER_BLOCK", GAMES_PER_BLOCK),
            Run.open(self.folder, write=False) as run,
        ):
            assert run.damage is None
            return Elimination(first_plan(), run, Bounds(planned=20))

    @property
    def numbers(self) -> set[int]:
        """Numbers of the blocks in the file."""
        with Run.open(self.folder, write=False) as run:
            return run.done()


def stages_of(race: Elimination) -> list[Any]:
    """Return all that the stages say, so that equal means the same in every bit."""
    return [_all_of(stage) for stage in race.stages]


def _all_of(stage: Stage) -> list[Any]:
    arrays = [stage.contenders, stage.dropped, stage.race.contenders]
    for means in (stage.wins, stage.scores):
        arrays += [means.games, means.blocks, means.values, means.covariance]
    return [stage.games, repr(stage.race.behind), stage.race.decided, *(np.asarray(each).tobytes() for each in arrays)]


def play_and_tell(folder: Path, tell: int) -> None:
    """Play on, and write a dot for each block as soon as its commit has returned."""
    Raced(folder, durable=True).play(threads=2, progress=lambda _: (os.write(tell, b"."), None)[1])


if __name__ == "__main__":
    folder, times, moments = Path(sys.argv[1]), int(sys.argv[2]), random.Random(sys.argv[3])
    engine(*FIELD)  # compiled once, for all children
    for _ in range(times):
        blocks, seconds = moments.randrange(12), moments.uniform(0, 0.06)
        print(killed_after(lambda tell: play_and_tell(folder, tell), blocks, seconds), flush=True)
