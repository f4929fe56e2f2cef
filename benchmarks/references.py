"""The same dice actions by other means: a C program, vectorised NumPy, plain Python."""

import random
import shutil
import subprocess
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from analyzer import rng
from analyzer.wool_rules.constants import SIDES
from analyzer.wool_rules.dice import dice_of
from analyzer.wool_rules.rolls import N_CODES, Tables

SOURCE = Path(__file__).with_name("dice_actions.c")
C_FORMS = ("chunks", "fused")
"""The forms of the C program, described at its top."""

DICE = dice_of(SIDES)
SECOND_COURSES, THIRD_COURSES = DICE.second_courses, DICE.third_courses

NUMPY_BATCH = 1 << 14
"""Dice actions that NumPy handles together: its arrays stay in a core's second cache."""


def compile_c(folder: Path) -> Path | None:
    """Compile the C program into a folder; return None where there is no gcc."""
    gcc = shutil.which("gcc")
    if gcc is None:
        return None
    program = folder / "dice_actions"
    subprocess.run([gcc, "-O3", "-march=native", "-o", str(program), str(SOURCE)], check=True)
    return program


def write_tables(file: Path, seed: int, tables: Tables) -> None:
    """Write what the C program reads: key and step of the seed, and the three tables with plain states."""
    stream = np.array(rng.seed_stream(seed), dtype=np.uint64)
    first = (tables.first // SECOND_COURSES).astype(np.uint8)
    second = (tables.second // THIRD_COURSES).astype(np.uint8)
    file.write_bytes(b"".join(part.tobytes() for part in (stream, first, second, tables.third)))


@dataclass(frozen=True)
class CRun:
    """What one or more C programs did that were let go together.

    Parameters
    ----------
    seconds : float
        From the first beginning to the last end, starting the programs not included.
    counts : int array, shape (105,)
        How often each code came out, in all.
    """

    seconds: float
    counts: NDArray[np.int64]


def run_c(program: Path, form: str, tables: Path, start: int, n: int, processes: int = 1) -> CRun:
    """Play dice actions `start` to `start + n - 1`, shared among so many processes."""
    bounds = [start + n * share // processes for share in range(processes + 1)]
    running = [
        subprocess.Popen(
            [str(program), form, str(tables), str(begin), str(end - begin)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for begin, end in pairwise(bounds)
    ]
    for process in running:
        assert process.stdout is not None
        process.stdout.readline()  # "ready"
    for process in running:
        assert process.stdin is not None
        process.stdin.write("\n")
        process.stdin.flush()
    answers = [process.communicate()[0].split() for process in running]
    if any(process.returncode for process in running):
        raise RuntimeError("the C program failed")
    return CRun(
        max(float(answer[1]) for answer in answers) - min(float(answer[0]) for answer in answers),
        np.array([answer[2:] for answer in answers], dtype=np.int64).sum(axis=0),
    )


class NumpyPlayer:
    """Plays dice actions with vectorised NumPy.

    One bounded draw below 960 x 480 x 120 is split into the three rolls; states are stored as the row of the next table
    where they begin, in the type NumPy takes as an index, so that nothing is converted.

    Parameters
    ----------
    tables : Tables
    seed : int
    """

    def __init__(self, tables: Tables, seed: int) -> None:
        self._generator = np.random.Generator(np.random.PCG64(seed))
        self._first = tables.first.astype(np.int64)
        self._second = tables.second.astype(np.int64)
        self._third = tables.third.astype(np.int64)

    def __call__(self, n: int) -> NDArray[np.int64]:
        """Play n dice actions (rounded up to whole batches) and return the counts of their codes."""
        counts = np.zeros(N_CODES, np.int64)
        for _ in range(0, n, NUMPY_BATCH):
            course = self._generator.integers(DICE.n_actions, size=NUMPY_BATCH)
            first = course // (SECOND_COURSES * THIRD_COURSES)
            course -= first * (SECOND_COURSES * THIRD_COURSES)
            third = course // SECOND_COURSES
            course -= third * SECOND_COURSES
            course += self._first.take(first)
            third += self._second.take(course)
            counts += np.bincount(self._third.take(third), minlength=N_CODES)
        return counts


class PlainPlayer:
    """Plays dice actions in plain Python, with the same tables.

    Parameters
    ----------
    tables : Tables
    seed : int
    """

    def __init__(self, tables: Tables, seed: int) -> None:
        self._random = random.Random(seed)
        self._tables = tables.first.tolist(), tables.second.tolist(), tables.third.tolist()

    def __call__(self, n: int) -> NDArray[np.int64]:
        """Play n dice actions and return the counts of their codes."""
        first, second, third = self._tables
        counts = [0] * N_CODES
        draw = self._random.randrange
        for _ in range(n):
            roll, rest = divmod(draw(DICE.n_actions), SECOND_COURSES * THIRD_COURSES)
            last, middle = divmod(rest, SECOND_COURSES)
            counts[third[second[first[roll] + middle] + last]] += 1
        return np.array(counts)
