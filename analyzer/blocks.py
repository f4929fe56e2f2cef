"""A run as a list of blocks of games, and the threads that play them.

A kernel plays one block without holding the GIL; its sums are whole numbers. Sums are added, which is exact and does
not depend on the order, so neither the number of threads nor the size of a block changes a result.
"""

import os
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from itertools import islice
from typing import Any, Final, Protocol, Self, TypeVar


class Addable(Protocol):
    """Sums of games: adding two gives the sums of both."""

    def __add__(self, other: Any, /) -> Self:
        """Return the sums of both."""


S = TypeVar("S", bound=Addable)

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
    workers = threads or usable_cores()
    todo = blocks_of(games, block_size, first)
    pending: dict[Future[S], int] = {}
    total: S | None = None
    with ThreadPoolExecutor(workers) as pool:
        try:
            while True:
                # Two blocks a worker are queued: none waits for this thread, and few are left over after Ctrl-C.
                for start, n in islice(todo, 2 * workers - len(pending)):
                    pending[pool.submit(play, start, n)] = n
                if not pending:
                    break
                done, _ = wait(pending, return_when=FIRST_COMPLETED)
                for future in done:
                    sums = future.result()
                    total = sums if total is None else total + sums
                    n = pending.pop(future)
                    if progress is not None:
                        progress(n)
        except BaseException:
            if interrupted is not None:
                interrupted()
            pool.shutdown(cancel_futures=True)
            raise
    if total is None:
        raise ValueError("a run needs at least one game")
    return total
