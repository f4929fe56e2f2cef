"""Noticing that a policy does not come back: compiled code cannot be interrupted, but it can be looked at."""

import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from types import TracebackType
from typing import Final, Protocol, Self, TypeVar

from analyzer.errors import Sitting

T = TypeVar("T")

LOOKS_PER_LIMIT: Final = 10
LONGEST_WAIT: Final = 1.0
GRACE: Final = 3.0
"""Seconds that a game may still take after Ctrl-C."""


class Watched(Protocol):
    """What plays blocks of games and can be looked at meanwhile."""

    def progress(self) -> list[tuple[int, int]]:
        """Return (identity of a block in flight, a number that grows with every game it finishes)."""

    def last_asked(self, block: int) -> tuple[str, Sitting] | None:
        """Return who was asked last in a block in flight, and in which game; None before the first and after it."""

    def stop(self) -> None:
        """Let the blocks in flight end after the game they are playing."""


Alarm = Callable[[str, Sitting, float], None]
"""Gets who was asked last, in which game, and the seconds that have been waited for."""


class Watchdog:
    """Watches blocks of games in a thread of its own while they are played.

    Parameters
    ----------
    watched : Watched
    limit : float
        Seconds without a finished game after which a block has stalled.
    alarm : callable
        Called once with who was asked last, in which game, and seconds, from the watching thread; it should end the
        process, as nothing else can end the block.
    """

    def __init__(self, watched: Watched, limit: float, alarm: Alarm) -> None:
        self._watched = watched
        self._limit = limit
        self._alarm = alarm
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True, name="woolsim-watchdog")

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._done.set()
        self._thread.join()

    def hurry(self) -> None:
        """Wait no longer than :data:`GRACE` from now on: the user wants to stop."""
        self._limit = min(self._limit, GRACE)

    def _watch(self) -> None:
        since: dict[int, tuple[int, float]] = {}
        while not self._done.wait(min(self._limit / LOOKS_PER_LIMIT, LONGEST_WAIT)):
            now = time.monotonic()
            seen = dict(self._watched.progress())
            since = {
                block: since[block] if block in since and since[block][0] == games else (games, now)
                for block, games in seen.items()
            }
            for block, (_, begun) in since.items():
                limit = self._limit
                asked = self._watched.last_asked(block) if now - begun > limit else None
                if asked is not None:
                    self._alarm(*asked, limit)
                    return


def guarded(work: Callable[[], T], watched: Watched, limit: float, alarm: Alarm) -> T:
    """Do some work in a thread of its own, under a watchdog, and return what it returns.

    Ctrl-C, which compiled code does not hear, then ends the work after the game that is being played.
    """
    with Watchdog(watched, limit, alarm) as dog, ThreadPoolExecutor(1) as pool:
        future = pool.submit(work)
        try:
            return future.result()
        except KeyboardInterrupt:
            watched.stop()
            dog.hurry()
            raise
