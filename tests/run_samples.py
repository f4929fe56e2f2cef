"""A run for tests, and a process that plays it: `python run_samples.py FOLDER FIRST END` commits blocks and says so."""

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np

from analyzer.runs import Run

QUESTION: dict[str, Any] = {
    "strategies": [{"name": "plain:level=22", "hash": "aa" * 32}, {"name": "mine.py:bid", "hash": "bb" * 32}],
    "deck": {"name": "reconstructed", "hash": "8d6f0a1194", "cards": [[12, 3], [14, -1]]},
    "seed": 2**63,
    "batch": 1000,
}

Contents = dict[int, dict[str, tuple[str, tuple[int, ...], bytes]]]


def sums(number: int, size: int = 700) -> dict[str, Any]:
    """Return the sums of a block, which depend on its number only."""
    rng = np.random.default_rng(number)
    return {
        "wins": rng.integers(0, 60_000, (size, 2)),
        "score_products": rng.integers(-(2**40), 2**40, (size, 2, 2)),
        "games": np.int64(number),
        "seats": np.zeros((0, 4), np.int32),
    }


def as_bytes(arrays: dict[str, Any]) -> dict[str, tuple[str, tuple[int, ...], bytes]]:
    """Return arrays so that equal means the same in every bit."""
    return {name: (a.dtype.str, np.shape(a), a.tobytes()) for name, a in sorted(arrays.items())}


def contents(run: Run) -> Contents:
    """Return all that a run has, bit for bit."""
    return {number: as_bytes(arrays) for number, arrays in run.blocks()}


def expected(numbers: Iterable[int]) -> Contents:
    """Return what a run with these blocks has."""
    return {number: as_bytes(sums(number)) for number in sorted(numbers)}


def begun(folder: Path, numbers: Iterable[int] = ()) -> Run:
    """Return a run with some blocks, open for writing."""
    run = Run.create(folder, QUESTION)
    for number in numbers:
        run.commit(number, sums(number))
    return run


if __name__ == "__main__":
    folder, first, end = sys.argv[1:]
    step = 1 if int(first) < int(end) else -1
    with begun(Path(folder)) as run:
        for number in range(int(first), int(end), step):
            run.commit(number, sums(number))
            print(number, flush=True)
