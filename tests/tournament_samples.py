"""Small tournaments with many blocks, and a process that plays one.

`python tournament_samples.py FOLDER WHICH TIMES SEED` begins to play again and again, is killed at random moments, and
prints how many blocks were committed each time.
"""

import os
import random
import signal
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from itertools import combinations_with_replacement, islice
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np

from analyzer.game import Engine
from analyzer.outcome import COLUMNS, Outcome
from analyzer.plan import Block, Plan
from analyzer.runs import WHOLE, Part, Run
from analyzer.slots import Strategy
from analyzer.tally import Tally, block_arrays
from analyzer.tournament import Arrays, Executor, Stopping, Tournament, on_threads
from analyzer.wool_rules.deck import shipped_deck
from analyzer.wool_rules.game import WOOL_RULES
from analyzer.wool_rules.rules import STANDARD
from analyzer.wool_rules.setting import Setting
from strategies.registry import strategy
from strategies.tournaments import ROUND_ROBIN, Asked

SEED = 5
FIELD = ("plain:level=20", "random", "plain:level=22")
SETTING = Setting(STANDARD, shipped_deck())
QUESTION = {"what": "a tournament for tests"}


def line_ups_of(strategies: int, players: int) -> np.ndarray:
    return np.array(list(combinations_with_replacement(range(strategies), players)), np.int64)


def cut_plan(line_ups: Sequence[np.ndarray], games_per_block: int, settings: tuple[int, ...] = (0,)) -> Plan:
    """Return a plan whose blocks have about so many games, so that a small tournament has many."""
    plan = Plan(tuple(line_ups), settings)
    with patch("analyzer.plan.GAMES_PER_BLOCK", games_per_block):
        assert plan.span >= 1
        assert plan.groups
    return plan


def round_robin(strategies: int, *players: int, games_per_block: int = 240) -> Plan:
    return cut_plan([line_ups_of(strategies, count) for count in players], games_per_block)


def engine_of(strategies: Sequence[Strategy], seed: int = SEED) -> Engine:
    return WOOL_RULES.engine(strategies, [SETTING], seed)


@cache
def engine(*specs: str) -> Engine:
    return engine_of([strategy(spec) for spec in specs])


@cache
def arrays_of(plan: Plan, block: Block) -> Arrays:
    """Return what is kept of a block of the field; played once for all tests."""
    return block_arrays(engine(*FIELD).play(plan.tables(block), compared=True), block)


def as_bytes(arrays: dict[str, np.ndarray]) -> dict[str, tuple[tuple[int, ...], bytes]]:
    return {name: (array.shape, array.tobytes()) for name, array in sorted(arrays.items())}


def sums_in(tally: Tally) -> list[Any]:
    """Return all that a tally has, so that equal means the same in every bit."""
    return [as_bytes(sums) for sums in (*tally.by_part, *tally.parts)]


def tournament_in(run: Run, plan: Plan, stopping: Stopping, specs: Sequence[str] = FIELD) -> Tournament:
    field = tuple(strategy(spec) for spec in specs)
    asked = Asked(WOOL_RULES, field, (SETTING,), ROUND_ROBIN, (2,), SEED, stopping)
    return Tournament(plan, run, stopping, asked.look)


class Played:
    """A tournament of a field in a folder, played at once or step by step.

    Only a `durable` one waits for the disk after each block, which takes longer than playing it.
    """

    def __init__(
        self, folder: Path, plan: Plan, specs: Sequence[str] = FIELD, part: Part = WHOLE, *, durable: bool = False
    ) -> None:
        self.folder, self.plan, self.specs, self.part, self.durable = folder, plan, specs, part, durable

    def play(
        self,
        games: int | None = None,
        *,
        stopping: Stopping | None = None,
        threads: int = 1,
        executor: Executor | None = None,
        progress: Callable[[int], None] | None = None,
    ) -> Tournament:
        """Play up to so many rotation blocks of each line-up, or until it is decided; return the tournament as it ends.

        What is read back afterwards is the same.
        """
        with Run.create(self.folder, QUESTION, extent=games or 0, part=self.part) as run:
            if not self.durable:
                run._db.execute("PRAGMA synchronous = OFF")
            tournament = tournament_in(run, self.plan, stopping or Stopping(games), self.specs)
            tournament.play(executor or on_threads(engine(*self.specs), self.plan, threads), progress)
        assert sums_in(tournament.tally) == sums_in(self.read().tally)
        return tournament

    def read(self) -> Tournament:
        """Return the tournament as its file has it."""
        with Run.open(self.folder, write=False) as run:
            assert run.damage is None
            tournament = tournament_in(run, self.plan, Stopping(), self.specs)
            assert all((sums["blocks"].sum(axis=0) <= run.extent).all() for sums in tournament.tally.parts)
            return tournament

    @property
    def complete(self) -> bool:
        """Whether every line-up has all rotation blocks that are asked for."""
        return all((sums["blocks"].sum(axis=0) == self.extent).all() for sums in self.read().tally.parts)

    @property
    def numbers(self) -> set[int]:
        """Numbers of the blocks in the file."""
        with Run.open(self.folder, write=False) as run:
            return run.done()

    @property
    def extent(self) -> int:
        """Rotation blocks of each line-up that are asked for."""
        with Run.open(self.folder, write=False) as run:
            return run.extent

    def all_of_it(self) -> tuple[int, list[Any]]:
        """Return extent and sums, bit for bit."""
        return self.extent, sums_in(self.read().tally)

    def tables(self) -> dict[str, str]:
        """Return all tables, every bit of every figure written."""
        outcome = Outcome(list(self.specs), self.read().tally.line_up_sums())
        return {name: repr(outcome.table(name)) for name in COLUMNS}


def raising_after(blocks: int) -> Callable[[int], None]:
    """Return a progress callback that is Ctrl-C once so many blocks are kept."""
    left = blocks

    def progress(_: int) -> None:
        nonlocal left
        left -= 1
        if left == 0:
            raise KeyboardInterrupt

    return progress


class OutOfOrder:
    """Plays a few blocks at a time and hands them over in an order of its own, as threads or other machines may."""

    def __init__(self, plan: Plan, seed: int, ahead: int) -> None:
        self.plan, self.ahead, self.random = plan, ahead, random.Random(seed)
        self.begun: list[Block] = []

    def __call__(self, blocks: Iterable[Block]) -> "OutOfOrder":
        self.blocks, self.playing = iter(blocks), list[Block]()
        return self

    def __iter__(self) -> Iterator[tuple[Block, Arrays]]:
        while True:
            more = list(islice(self.blocks, self.ahead - len(self.playing)))
            self.begun += more
            self.playing += more
            if not self.playing:
                return
            yield self._next()

    def in_flight(self) -> Iterator[tuple[Block, Arrays]]:
        while self.playing:
            yield self._next()

    def _next(self) -> tuple[Block, Arrays]:
        block = self.playing.pop(self.random.randrange(len(self.playing)))
        return block, arrays_of(self.plan, block)

    def __enter__(self) -> "OutOfOrder":
        return self

    def __exit__(self, *_: object) -> None:
        pass


STOPPINGS = {
    "games": Stopping(60),
    "target error": Stopping(target_error=0.04, max_games=200),
}
"""What :func:`play_until_killed` plays: about 25 blocks."""


def play_and_tell(folder: Path, which: str, tell: int) -> None:
    """Play on, and write a dot for each block as soon as its commit has returned."""
    stopping = STOPPINGS[which]
    Played(folder, round_robin(3, 2, 3), durable=True).play(
        stopping.games, stopping=stopping, threads=2, progress=lambda _: (os.write(tell, b"."), None)[1]
    )


def killed_after(play: Callable[[int], None], blocks: int, seconds: float) -> int:
    """Return how many blocks a process had committed when it was killed: some time after so many of them."""
    hear, tell = os.pipe()
    child = os.fork()
    if child == 0:
        play(tell)
        os._exit(0)
    os.close(tell)
    with os.fdopen(hear, "rb") as told:
        committed = told.read(blocks)
        time.sleep(seconds)
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        return len(committed + told.read())


if __name__ == "__main__":
    folder, which, times, moments = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]), random.Random(sys.argv[4])
    engine(*FIELD)  # compiled once, for all children
    for _ in range(times):
        blocks, seconds = moments.randrange(5), moments.uniform(0, 0.06)
        print(killed_after(lambda tell: play_and_tell(folder, which, tell), blocks, seconds), flush=True)
