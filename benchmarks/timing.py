"""Timing by interleaved repeats, and tables of the results.

Machines have slow and fast phases. So repeats are interleaved (A, B, C, A, B, C, …), figures are medians over them, and
a ratio is the median of the ratios within each round, which such phases hardly touch.
"""

import argparse
import os
import platform
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median


@dataclass(frozen=True)
class Samples:
    """What each task measured, one figure a round.

    Parameters
    ----------
    rounds : dict
        Name of a task to its figures.
    """

    rounds: dict[str, list[float]]

    def median(self, name: str) -> float:
        """Return the median of a task."""
        return median(self.rounds[name])

    def ratio(self, above: str, below: str) -> float:
        """Return the median over the rounds of the figure of `above` divided by that of `below`."""
        return median(a / b for a, b in zip(self.rounds[above], self.rounds[below], strict=True))


def interleaved(tasks: Mapping[str, Callable[[], float]], repeats: int) -> Samples:
    """Run all tasks in turn, as often as told.

    Parameters
    ----------
    tasks : mapping
        Name to a callable that does its work and returns what it measured.
    repeats : int
        Number of rounds.
    """
    rounds: dict[str, list[float]] = {name: [] for name in tasks}
    for _ in range(repeats):
        for name, task in tasks.items():
            rounds[name].append(task())
    return Samples(rounds)


def timed(work: Callable[[], object], per: float = 1.0) -> Callable[[], float]:
    """Return a task that measures the seconds of `work`, divided by `per`."""

    def task() -> float:
        began = time.perf_counter()
        work()
        return (time.perf_counter() - began) / per

    return task


def print_table(title: str, header: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Print a table: the first column to the left, the others to the right."""
    lines = [list(header), *(list(row) for row in rows)]
    widths = [max(len(line[at]) for line in lines) for at in range(len(header))]
    print(f"\n{title}\n")
    for number, line in enumerate(lines):
        cells = [cell.rjust(width) for cell, width in zip(line, widths, strict=True)]
        print("  " + "  ".join([line[0].ljust(widths[0]), *cells[1:]]).rstrip())
        if number == 0:
            print("  " + "  ".join("-" * width for width in widths))
    sys.stdout.flush()


def at_least(measured: float, floor: float) -> str:
    """Say whether a floor is met by a figure of which more is better."""
    return "met" if measured >= floor else "MISSED"


def at_most(measured: float, limit: float) -> str:
    """Say whether a floor is met by a figure of which less is better."""
    return "met" if measured <= limit else "MISSED"


def quick_asked(description: str | None) -> bool:
    """Read the command line of a benchmark, say where it runs, and return whether `--quick` was given."""
    parser = argparse.ArgumentParser(description=(description or "").partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help="a few seconds only: shows that it runs; rough figures")
    quick: bool = parser.parse_args().quick
    load = f", load before {os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else ""
    print(
        f"Python {platform.python_version()}, {platform.machine()}, {os.cpu_count()} cores{load}"
        + ", quick: rough figures, a full run judges the floors" * quick
    )
    return quick
