"""How long a person waits for the first answer: whole processes, from the start to the end.

The reference is what cannot be saved: the interpreter with NumPy and click imported, beside the interpreter alone. The
table is also measured on a pseudo-terminal, where the system has them: there it is drawn in colours.
"""

import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from timing import at_most, interleaved, print_table, quick_asked, timed

if TYPE_CHECKING:
    from collections.abc import Callable

REFERENCE = "python, numpy and click"
GAMES = "woolsim simulate, one game of four plain"
FIRST_GAMES = "the same, first use after installing"
HELP_FLOOR, TABLE_FLOOR = 0.3, 0.6
FIRST_GAMES_FLOOR, GAMES_FLOOR = 25.0, 1.5
"""Seconds to the first games: right after installing, when all is compiled, and later."""


def run_silently(command: list[str]) -> None:
    """Run a command with its output thrown away."""
    subprocess.run(command, check=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)


def first_games(command: list[str]) -> float:
    """Return the seconds that a command takes when nothing has been compiled yet."""
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "WOOLSIM_CACHE_DIR": folder}
        begun = time.perf_counter()
        done = subprocess.run(command, check=True, env=environment, capture_output=True, text=True)
        seconds = time.perf_counter() - begun
    assert "Compiling" in done.stderr, "it is not announced that something is compiled"
    return seconds


def run_on_terminal(command: list[str]) -> None:
    """Run a command that believes to write to a terminal."""
    import pty

    ours, theirs = pty.openpty()
    reader = threading.Thread(target=_read_all, args=(ours,))
    reader.start()
    try:
        subprocess.run(command, check=True, stdin=theirs, stdout=theirs, stderr=theirs)
    finally:
        os.close(theirs)
        reader.join()
        os.close(ours)


def _read_all(file: int) -> None:
    try:
        while os.read(file, 1 << 16):
            pass
    except OSError:  # the way Linux says that nobody writes any more
        return


def main() -> int:
    """Measure; return 1 when there is no command to measure or it fails."""
    quick = quick_asked(__doc__)
    woolsim = shutil.which("woolsim", path=str(Path(sys.executable).parent))
    if woolsim is None:
        print(f"WRONG: there is no command `woolsim` beside {Path(sys.executable).name}: install the package first")
        return 1
    python = sys.executable
    floors = {
        "woolsim --help": HELP_FLOOR,
        "woolsim bid-table": TABLE_FLOOR,
        "woolsim bid-table, on a terminal": TABLE_FLOOR,
        "woolsim bid-table --format csv": TABLE_FLOOR,
    }
    games = [woolsim, "simulate", "plain", "plain", "plain", "plain", "--games", "1", "--format", "csv"]
    floors |= {GAMES: GAMES_FLOOR, FIRST_GAMES: FIRST_GAMES_FLOOR}
    tasks: dict[str, Callable[[], float]] = {
        "python": timed(partial(run_silently, [python, "-c", "pass"])),
        REFERENCE: timed(partial(run_silently, [python, "-c", "import numpy, click"])),
        "woolsim --help": timed(partial(run_silently, [woolsim, "--help"])),
        GAMES: timed(partial(run_silently, games)),
        "woolsim bid-table": timed(partial(run_silently, [woolsim, "bid-table"])),
        "woolsim bid-table --format csv": timed(partial(run_silently, [woolsim, "bid-table", "--format", "csv"])),
    }
    if sys.platform != "win32":
        tasks["woolsim bid-table, on a terminal"] = timed(partial(run_on_terminal, [woolsim, "bid-table"]))
    interleaved(tasks, 1)  # files into the system's cache
    samples = interleaved(tasks, 3 if quick else 25)
    samples.rounds[FIRST_GAMES] = [first_games(games) for _ in range(1 if quick else 3)]
    names = [*tasks, FIRST_GAMES]
    print_table(
        f"Whole processes; ratio: time / that of {REFERENCE}",
        ("", "s", "ratio", "floor", "floor is"),
        [
            (
                name,
                f"{samples.median(name):.3f}",
                "" if name == FIRST_GAMES else f"{samples.ratio(name, REFERENCE):.2f}",
                f"{floors[name]}" if name in floors else "",
                at_most(samples.median(name), floors[name]) if name in floors else "",
            )
            for name in names
        ],
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
