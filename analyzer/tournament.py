"""Playing a tournament: blocks on threads, kept in a run file as they finish, looked at after whole rounds."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, Final, Protocol, Self

from analyzer.blocks import Workers
from analyzer.game import Engine
from analyzer.plan import Block, Plan
from analyzer.runs import Run
from analyzer.sequential import Verdict
from analyzer.tally import Tally, block_arrays

DEFAULT_GAMES: Final = 1000
"""Rotation blocks of each line-up."""


@dataclass(frozen=True)
class Stopping:
    """When a tournament ends.

    Parameters
    ----------
    games : int, optional
        After so many rotation blocks of each line-up.
    target_error : float, optional
        When each win share is known up to this.
    until_decided : bool
        When the best strategy is distinguished from all others.
    min_games, max_games : int
        Rotation blocks of each line-up before the first look, and when it ends in any case.
    level : float
        Coverage of the bounds by which it is decided.
    """

    games: int | None = None
    target_error: float | None = None
    until_decided: bool = False
    min_games: int = 10
    max_games: int = 100_000
    level: float = 0.95

    @property
    def looks(self) -> bool:
        """Whether the results decide."""
        return self.target_error is not None or self.until_decided

    @property
    def most(self) -> int:
        """Rotation blocks after which it ends in any case."""
        return self.max_games if self.looks else (self.games or DEFAULT_GAMES)


Arrays = Mapping[str, Any]
"""Sums of a block, as a run file keeps them."""


class Executor(Protocol):
    """Plays blocks, here or elsewhere."""

    def __call__(self, blocks: Iterable[Block]) -> "Finished":
        """Begin to play blocks."""


class Finished(Protocol):
    """Blocks being played: iterating yields them with their sums as they are finished."""

    def __iter__(self) -> Iterator[tuple[Block, Arrays]]:
        """Yield what is finished."""

    def in_flight(self) -> Iterator[tuple[Block, Arrays]]:
        """Begin nothing new, and yield what was begun."""

    def __enter__(self) -> Self:
        """Begin."""

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        """Begin nothing new, and wait for what was begun."""


def on_threads(engine: Engine, plan: Plan, threads: int | None) -> Executor:
    """Return what plays blocks on threads of this process."""

    def play(block: Block) -> Arrays:
        return block_arrays(engine.play(plan.tables(block), compared=True), block)

    def begin(blocks: Iterable[Block]) -> Finished:
        return Workers(play, blocks, threads)

    return begin


@dataclass
class Tournament:
    """A tournament with its run file.

    Parameters
    ----------
    plan : Plan
    run : Run
        Opened for writing where it is to be played.
    stopping : Stopping
    look : callable (tally) -> Verdict
        Says whether the results so far decide.

    Attributes
    ----------
    tally : Tally
        Of all blocks that count: those within the run's extent.
    """

    plan: Plan
    run: Run
    stopping: Stopping
    look: Callable[[Tally], Verdict]
    tally: Tally = field(init=False)
    verdict: Verdict | None = None
    _looked_at: int = 0
    _done: dict[int, int] = field(default_factory=dict)
    _waiting: list[tuple[Block, Arrays]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.tally = Tally(self.plan)
        for number, arrays in self.run.blocks():
            block = self.plan.block(number, int(arrays["stop"][0]))
            self._done[number] = block.stop
            self._waiting.append((block, arrays))
        self._waiting.sort(key=lambda pair: pair[0].start)
        self._count()

    @property
    def complete(self) -> bool:
        """Whether every game up to the run's extent is there."""
        return not any(True for _ in self.plan.missing(self._done, self.run.extent))

    @property
    def games_done(self) -> int:
        """Games played so far, every seating one, that count."""
        return int(
            sum(
                part["blocks"].sum() * line_ups[0].size
                for part, line_ups in zip(self.tally.parts, self.plan.line_ups, strict=True)
            )
        )

    def play(self, executor: Executor, progress: Callable[[int], None] | None = None) -> None:
        """Play what is missing, up to the run's extent, or until the results decide.

        Parameters
        ----------
        executor : callable
            Plays blocks.
        progress : callable, optional
            Called with the number of games of each finished block.

        Raises
        ------
        KeyboardInterrupt
            After the blocks in flight are finished and kept.

        Notes
        -----
        Where the results decide, blocks of later rounds are played before all of a round are finished, so that no
        thread waits. They do not count unless their round is reached: the answer depends on neither threads nor blocks.
        """
        part, extent = self.run.part, self.stopping.most if self.stopping.looks else self.run.extent
        if self.stopping.looks and self._decided():
            return
        missing = self.plan.missing(dict(self._done), extent)
        with executor(block for block in missing if part.has(self.plan.turn(block))) as playing:
            try:
                for finished in playing:
                    self._keep(*finished, progress)
                    if self.stopping.looks and self._decided():
                        return
            except KeyboardInterrupt:
                for finished in playing.in_flight():
                    self._keep(*finished, progress)
                raise

    def _keep(self, block: Block, arrays: Arrays, progress: Callable[[int], None] | None) -> None:
        self.run.commit(block.number, arrays)
        self._done[block.number] = block.stop
        self._waiting.append((block, arrays))
        self._count()
        if progress is not None:
            part, first, last = self.plan.groups[block.group]
            progress((block.stop - block.start) * self.plan.line_ups[part][first:last].size)

    def _decided(self) -> bool:
        """Count further rounds that are now complete, look after each, and say whether it is over."""
        while True:
            extent = self.run.extent
            if extent > self._looked_at:
                self._looked_at = extent
                if extent >= self.stopping.min_games:
                    self.verdict = self.look(self.tally)
            if extent >= self.stopping.most or (self.verdict is not None and self.verdict.stop):
                return True
            _, after = next(self.plan.rounds(extent, self.stopping.most))
            if any(True for _ in self.plan.missing_in(self._done, extent, after)):
                return False
            self.run.extend(after)
            self._count()

    def _count(self) -> None:
        """Add up the blocks that lie within the run's extent."""
        extent, later = self.run.extent, []
        for block, arrays in self._waiting:
            if block.stop <= extent:
                self.tally.add(block, arrays)
            else:
                later.append((block, arrays))
        self._waiting = later
