"""Simulating a line-up: games in blocks of suitable size, on several threads, under a watchdog."""

import time
from collections.abc import Callable
from contextlib import nullcontext
from typing import Any, Final, Protocol

from analyzer.blocks import run_blocks
from analyzer.results import Sums
from analyzer.watchdog import Alarm, Watchdog, Watched

PILOT: Final = 64
"""Games in the first block, which shows how long one takes."""

BLOCK_SECONDS: Final = 0.4
SMALLEST_BLOCK: Final = 16
LARGEST_BLOCK: Final = 50_000
"""Typing the arguments of a block costs a millisecond."""


class GamePlayerLike(Watched, Protocol):
    """What plays blocks of a game's line-up."""

    def __call__(self, start: int, n: int) -> Sums:
        """Play games `start` to `start + n - 1`."""


def simulate(
    player: GamePlayerLike,
    games: int,
    *,
    threads: int | None = None,
    block_size: int | None = None,
    progress: Callable[[int], None] | None = None,
    stall: float | None = None,
    alarm: Alarm | None = None,
) -> Sums:
    """Play games 0 to `games` - 1 and return their sums.

    Parameters
    ----------
    player : GamePlayerLike
    games : int
        At least 1.
    threads, block_size : int, optional
        Without influence on the sums.
    progress : callable, optional
        Called with the number of games just finished.
    stall : float, optional
        Seconds without a finished game after which `alarm` is called with who was asked last, in which game, and these
        seconds; see :class:`~analyzer.watchdog.Watchdog`.
    alarm : callable, optional
        Needed with `stall`.

    Returns
    -------
    Sums

    Notes
    -----
    Ctrl-C ends the blocks in flight after the game they are playing.
    """
    dog: Any = Watchdog(player, stall, alarm) if stall is not None and alarm is not None else None

    def interrupted() -> None:
        player.stop()
        if dog is not None:
            dog.hurry()

    def played(first: int, end: int, size: int) -> Sums:
        return run_blocks(
            player, end, first=first, block_size=size, threads=threads, progress=progress, interrupted=interrupted
        )

    with dog or nullcontext():
        begun = time.perf_counter()
        pilot = min(games, PILOT)
        sums = played(0, pilot, pilot)
        if games == pilot:
            return sums
        seconds = (time.perf_counter() - begun) / pilot
        size = block_size or int(min(max(BLOCK_SECONDS / seconds, SMALLEST_BLOCK), LARGEST_BLOCK))
        return sums + played(pilot, games, size)
