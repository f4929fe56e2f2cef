"""How far a piece of work is: a bar on a terminal, plain lines every so often where there is none."""

import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from reports.cli.say import is_quiet, note
from reports.visible import visible

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.progress import Task

    from reports.cli.contest import Contest

BAR_WIDTH: Final = 10
"""Of the bar itself: what stands beside it is to fit into 80 columns."""

LINE_EVERY: Final = 10.0
"""Seconds between two lines where there is no terminal."""

NOTE_EVERY: Final = 1.0
"""Seconds between two looks at who leads, on a terminal ..."""
NOTE_SHARE: Final = 0.05
"""... or more, so that looking takes no more than this part of the time."""


@contextmanager
def working(what: str) -> Iterator[None]:
    """Show on standard error that something is being worked out of which nobody knows how long it takes.

    On a terminal only, and not when quiet is asked.
    """
    if not _is_shown():
        yield
        return
    from rich.console import Console

    with Console(stderr=True).status(what):
        yield


def _is_shown() -> bool:
    """Whether there is a terminal on which a line can be written over, and nobody asked for quiet."""
    return sys.stderr.isatty() and os.environ.get("TERM") not in {"dumb", "unknown"} and not is_quiet()


@contextmanager
def progress_bar(what: str, total: int, unit: str, contest: "Contest | None" = None) -> Iterator[Callable[[int], None]]:
    """Show a bar on standard error when that is a terminal, unless quiet is asked.

    Parameters
    ----------
    what : str
        What is being done, in one word.
    total : int
        Of the `unit`, of which the yielded function is told how many more are done.
    unit : str
        In the plural.
    contest : Contest, optional
        Whose blocks are counted, and whose leaders are shown above the bar.
    """
    from rich.console import Console
    from rich.progress import BarColumn, Progress, ProgressColumn, TextColumn, TimeRemainingColumn
    from rich.table import Column
    from rich.text import Text

    class Told(ProgressColumn):
        """How much is done, and how fast."""

        def render(self, task: "Task") -> Text:
            done = f"{task.completed:,.0f} of {total:,}" if blocks is None else blocks.words()
            return Text(f"{done}, {task.speed:,.0f} {unit}/s," if task.speed else done)

    class Noted(Progress):
        def get_renderables(self) -> "Iterable[RenderableType]":
            yield from (Text(visible(line), no_wrap=True, overflow="ellipsis") for line in lines)
            yield self.make_tasks_table(self.tasks)

    console = Console(stderr=True)
    blocks = None if contest is None else _Blocks(contest)
    lines, next_note = list[str](), time.monotonic()
    columns = [TextColumn("{task.description}"), BarColumn(BAR_WIDTH), Told(Column(no_wrap=True))]
    columns += [TimeRemainingColumn(compact=True), TextColumn("left")]
    with Noted(*columns, console=console, transient=True, disable=not _is_shown()) as progress:
        task = progress.add_task(what, total=total)
        if contest is not None:
            progress.advance(task, contest.games_there)

        def advance(n: int) -> None:
            nonlocal lines, next_note
            progress.advance(task, n)
            if contest is None or blocks is None:
                return
            blocks.one_more()
            begun = time.monotonic()
            if begun >= next_note:
                blocks.count()
                lines = contest.leaders()
                now = time.monotonic()
                next_note = now + max(NOTE_EVERY, (now - begun) / NOTE_SHARE)

        yield advance


@contextmanager
def contest_progress(contest: "Contest") -> Iterator[Callable[[int], None]]:
    """Show how far a contest is and who leads; the yielded function is told the games of each finished block."""
    if is_quiet():
        yield lambda _games: None
        return
    if sys.stderr.isatty():
        what = "playing, at most" if contest.at_most else "playing"
        with progress_bar(what, contest.games_wanted, "games", contest) as advance:
            yield advance
        return
    begun = last = time.monotonic()
    before = played = contest.games_there

    def line(games: int) -> None:
        nonlocal last, played
        played += games
        now = time.monotonic()
        if now - last >= LINE_EVERY:
            last, speed, total = now, (played - before) / (now - begun), contest.games_wanted
            left = f"{max(total - played, 0) / speed:,.0f} s left{' at most' if contest.at_most else ''}"
            head = f"{_Blocks(contest).words()}, {played:,} of {total:,} games, {speed:,.0f} a second, {left}"
            note("\n  ".join([head, *contest.leaders()]))

    yield line


class _Blocks:
    """How many blocks of a contest are played, counted on from when they were last counted."""

    def __init__(self, contest: "Contest") -> None:
        self._contest = contest
        self.count()

    def count(self) -> None:
        self._done, self._wanted = self._contest.blocks()

    def one_more(self) -> None:
        self._done = min(self._done + 1, self._wanted)

    def words(self) -> str:
        return f"{self._done:,} of {self._wanted:,} blocks"
