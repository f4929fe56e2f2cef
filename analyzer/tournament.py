"""Playing a tournament: blocks on threads, kept in a run file as they finish, looked at after whole rounds."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain, takewhile
from types import TracebackType
from typing import Any, Final, Protocol, Self

from analyzer.blocks import Workers
from analyzer.errors import GameFaultError
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

Ended = tuple[Block, Arrays | GameFaultError]
"""A block with its sums, or with the fault of a policy that ended it: only who wanted it knows whether that counts."""


class Executor(Protocol):
    """Plays blocks, here or elsewhere."""

    def __call__(self, blocks: Iterable[Block]) -> "Finished":
        """Begin to play blocks."""


class Finished(Protocol):
    """Blocks being played: iterating yields them as they end, and begins the next ones in their order.

    A block that a fault has ended keeps no other back; whatever else goes wrong is raised.
    """

    def __iter__(self) -> Iterator[Ended]:
        """Yield what has ended."""

    def in_flight(self) -> Iterator[Ended]:
        """Begin nothing new, and yield what was begun."""

    def __enter__(self) -> Self:
        """Begin."""

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        """Begin nothing new, and wait for what was begun."""


def on_threads(engine: Engine, plan: Plan, threads: int | None) -> Executor:
    """Return what plays blocks on threads of this process."""

    def play(block: Block) -> Arrays | GameFaultError:
        try:
            return block_arrays(engine.play(plan.tables(block), compared=True), block)
        except GameFaultError as fault:
            return fault

    def begin(blocks: Iterable[Block]) -> Finished:
        return Workers(play, blocks, threads)

    return begin


def _end(_: Block, fault: GameFaultError) -> None:
    """End a run with a fault."""
    raise fault


def play_blocks(
    executor: Executor,
    blocks: Iterable[Block],
    keep: Callable[[Block, Arrays], None],
    failed: Callable[[Block, GameFaultError], None] = _end,
    over: Callable[[], bool] = lambda: False,
) -> None:
    """Play blocks and keep each as it is finished, until one has ended after which it is `over`.

    Parameters
    ----------
    executor : callable
        Plays them.
    blocks : iterable of Block
        In the order in which they are begun; taken as there is room for them.
    keep : callable (block, sums)
    failed : callable (block, fault)
        Told of a block that a policy's fault has ended. By default the run ends with the first fault.
    over : callable
        Says whether it is over, or raises what it ends with.

    Raises
    ------
    GameFaultError
        Where `failed` or `over` raises it; blocks in flight are not kept.
    KeyboardInterrupt
        After the blocks in flight are finished and kept; a fault in one of them comes again when the run goes on.
    """
    with executor(blocks) as playing:
        try:
            for block, found in playing:
                if isinstance(found, GameFaultError):
                    failed(block, found)
                else:
                    keep(block, found)
                if over():
                    return
        except KeyboardInterrupt:
            for block, found in playing.in_flight():
                if not isinstance(found, GameFaultError):
                    keep(block, found)
            raise


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
        Of all blocks that count: those within the run's extent, as far as this process has brought it or found it.
    """

    plan: Plan
    run: Run
    stopping: Stopping
    look: Callable[[Tally], Verdict]
    tally: Tally = field(init=False)
    verdict: Verdict = Verdict.OPEN
    _extent: int = 0
    _looked_at: int = 0
    _counted: dict[int, list[Block]] = field(default_factory=dict)
    _ahead: dict[int, list[Block]] = field(default_factory=dict)
    _arrays: dict[int, Arrays] = field(default_factory=dict)
    _faults: dict[Block, GameFaultError] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.tally, self._extent = Tally(self.plan), self.run.extent
        self._ahead = self.plan.by_turn(map(self.plan.block, self.run.done()))
        rounds = self.plan.rounds(0, self._extent)
        usable = {block for ends in rounds for block in self.plan.usable(self._ahead, *ends)}
        for number, arrays in self.run.blocks():  # one after the other: together they may not fit in memory
            block = self.plan.block(number)
            if block in usable:
                self._count(block, arrays)
            elif block.start >= self._extent:
                self._arrays[number] = arrays

    @property
    def games_done(self) -> int:
        """Games played so far, every seating one, that count."""
        return int(
            sum(
                part["blocks"].sum() * line_ups[0].size
                for part, line_ups in zip(self.tally.parts, self.plan.line_ups, strict=True)
            )
        )

    @property
    def games_wanted(self) -> int:
        """Games that count once this part of the run has all that is asked for, or ends at the latest."""
        return self.plan.games_of(self._most, self.run.part)

    @property
    def blocks(self) -> tuple[int, int]:
        """Blocks that are played, counted or not, and how many there are when this part of the run ends at the latest.

        The parts of a block that was cut in two, where a run ended and was extended, are one.
        """
        return len(self._counted.keys() | self._ahead.keys()), self.plan.blocks_of(self._most, self.run.part)

    @property
    def _most(self) -> int:
        return max(self.run.extent, self.stopping.most) if self.stopping.looks else self.run.extent

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
        GameFaultError
            When a policy has done something illegal. With a number of games at once; where the results decide, when all
            blocks before that game's are there and have not decided. What is finished is kept.
        KeyboardInterrupt
            After the blocks in flight are finished and kept.

        Notes
        -----
        Where the results decide, blocks of later rounds are played before all of a round are finished, so that no
        thread waits. Neither they nor faults in them count unless their round is reached: the answer depends on neither
        threads nor blocks.
        """
        self._faults.clear()
        if not self.stopping.looks:
            self._reach(self.run.extent)
        elif self._decided():
            return
        play_blocks(
            executor,
            takewhile(lambda _: not self._faults, self._missing()),  # whatever comes after a fault can never count
            lambda block, arrays: self._keep(block, arrays, progress),
            self._failed,
            self._over,
        )

    def _missing(self) -> Iterator[Block]:
        """Yield the missing blocks of this part, up to where the tournament ends at most, in the order of play."""
        part, extent = self.run.part, self._extent
        missing = self.plan.missing(self._counted, extent)
        if self.stopping.looks:
            missing = chain(missing, self.plan.missing(self._ahead, self.stopping.most, extent))
        return (block for block in missing if self.plan.has(part, block))

    def _failed(self, block: Block, fault: GameFaultError) -> None:
        """End the run, unless the results may decide before that block counts."""
        if not self.stopping.looks:
            raise fault
        self._faults[block] = fault

    def _over(self) -> bool:
        """Say whether the results decide; raise a fault if its block is now the first that they lack."""
        if not self.stopping.looks:
            return False
        if self._decided():
            return True
        if self._faults and (first := next(self._missing())) in self._faults:
            raise self._faults[first]
        return False

    def _keep(self, block: Block, arrays: Arrays, progress: Callable[[int], None] | None) -> None:
        self.run.commit(block.number, arrays)
        if block.stop <= self._extent:
            self._count(block, arrays)
        else:
            self._ahead.setdefault(self.plan.turn(block), []).append(block)
            self._arrays[block.number] = arrays
        if progress is not None:
            progress(self.plan.games_in(block))

    def _decided(self) -> bool:
        """Count further rounds that are now complete, look after each, and say whether it is over."""
        while True:
            extent = self._extent
            if extent > self._looked_at:
                if any(True for _ in self.plan.missing(self._counted, extent, self._looked_at)):
                    return False
                self._looked_at = extent
                if extent >= self.stopping.min_games:
                    self.verdict = self.look(self.tally)
            if extent >= self.stopping.most or self.verdict.stop:
                return True
            _, after = next(self.plan.rounds(extent, self.stopping.most))
            if any(True for _ in self.plan.missing_in(self._ahead, extent, after)):
                return False
            self.run.extend(after)
            self._reach(after)

    def _reach(self, extent: int) -> None:
        """Count the blocks up to a larger extent.

        The run file may say more meanwhile: another process that plays on it may have come further.
        """
        for start, stop in self.plan.rounds(self._extent, extent):
            for block in self.plan.usable(self._ahead, start, stop):
                self._count(block, self._arrays.pop(block.number))
        self._extent = max(extent, self._extent)

    def _count(self, block: Block, arrays: Arrays) -> None:
        self.tally.add(block, arrays)
        self._counted.setdefault(self.plan.turn(block), []).append(block)
