"""A run as a list of blocks of games, and the threads that play them.

A kernel plays one block without holding the GIL; its sums are whole numbers. Sums are added, which is exact and does
not depend on the order, so neither the number of threads nor the size of a block changes a result.
"""

import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from itertools import islice
from types import TracebackType
from typing import Any, Final, Generic, Protocol, Self, TypeVar


class Addable(Protocol):
    """Sums of games: adding two gives the sums of both."""

    def __add__(self, other: Any, /) -> Self:
        """Return the sums of both."""


S = TypeVar("S", bound=Addable)
T = TypeVar("T")
R = TypeVar("R")

MAX_THREADS: Final = 256
MAX_GAMES: Final = 10**12
"""Most games (or dice actions) that one run may have; every one has room in a seed's random stream."""
MAX_SEED: Final = 2**64 - 1


def usable_cores() -> int:
    """Return the number of cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def blocks_of(games: int, block_size: int, first: int = 0) -> Iterator[tuple[int, int]]:
    """Yield (first game, number of games) of each block of the games from `first` to `games` - 1."""
    for start in range(first, games, block_size):
        yield start, min(block_size, games - start)


class Workers(Generic[T, R]):
    """Threads that do pieces of work; iterating yields what is finished, as it is finished.

    Parameters
    ----------
    work : callable
        Does one piece; called from several threads at once.
    pieces : iterable
        Taken as workers become free.
    threads : int, optional
        Default: one for each usable core.

    Notes
    -----
    Use as a context. Whatever goes wrong inside it, no further piece is begun and the pieces in flight are finished;
    :meth:`in_flight` yields them. What a piece raises is raised when its turn comes to be yielded.
    """

    def __init__(self, work: Callable[[T], R], pieces: Iterable[T], threads: int | None = None) -> None:
        self._work, self._pieces, self._n = work, iter(pieces), threads or usable_cores()
        self._pool = ThreadPoolExecutor(self._n)
        self._pending: dict[Future[R], T] = {}

    def __iter__(self) -> Iterator[tuple[T, R]]:
        while True:
            # Two pieces a worker are queued: none waits for this thread, and few are left over after Ctrl-C.
            for piece in islice(self._pieces, 2 * self._n - len(self._pending)):
                self._pending[self._pool.submit(self._work, piece)] = piece
            if not self._pending:
                return
            wait(self._pending, return_when=FIRST_COMPLETED)
            yield from self._finished()

    def in_flight(self) -> Iterator[tuple[T, R]]:
        """Begin nothing new, and yield what was begun as it is finished."""
        self._pool.shutdown(wait=False, cancel_futures=True)
        self._pending = {future: piece for future, piece in self._pending.items() if not future.cancelled()}
        while self._pending:
            wait(self._pending, return_when=FIRST_COMPLETED)
            yield from self._finished()

    def _finished(self) -> Iterator[tuple[T, R]]:
        for future in [future for future in self._pending if future.done()]:
            piece = self._pending.pop(future)  # also one that failed, which is said once: the others can be had yet
            yield piece, future.result()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._pool.shutdown(cancel_futures=True)


def run_blocks(
    play: Callable[[int, int], S],
    games: int,
    *,
    block_size: int,
    first: int = 0,
    threads: int | None = None,
    progress: Callable[[int], None] | None = None,
    interrupted: Callable[[], None] | None = None,
) -> S:
    """Play all games in blocks on several threads and add up their sums.

    Parameters
    ----------
    play : callable (first game, number of games) -> sums
        Plays one block and returns its sums; called from several threads at once.
    games : int
        One more than the number of the last game.
    block_size : int
        Games in a block; has no influence on the result.
    first : int
        Number of the first game.
    threads : int, optional
        Default: one for each usable core.
    progress : callable, optional
        Called from this thread with the number of games of each finished block.
    interrupted : callable, optional
        Called before waiting for the blocks in flight, so that it can hasten them.

    Returns
    -------
    sums
        Of all games.

    Notes
    -----
    On an error or Ctrl-C no further block is begun and the blocks in flight are finished.
    """
    total: S | None = None
    with Workers(lambda block: play(*block), blocks_of(games, block_size, first), threads) as workers:
        try:
            for (_, n), sums in workers:
                total = sums if total is None else total + sums
                if progress is not None:
                    progress(n)
        except BaseException:
            if interrupted is not None:
                interrupted()
            raise
    if total is None:
        raise ValueError("a run needs at least one game")
    return total
