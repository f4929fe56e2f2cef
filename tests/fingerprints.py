"""Policies that answer by a checksum of everything a view shows, written as a user's file.

Whatever changes anywhere in a view, a field that no player would look at included, changes what they do.
"""

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from analyzer.wool_rules.views import VIEW_DTYPE

ANSWERS = """

def bid(v, salt=0, start=1):
    if v.round < start:
        return 20
    mixed = checksum(v, salt)
    return 27 if mixed % 13 == 12 and v.seats[v.me].chips > 0 else 14 + mixed % 12


def accept(v, salt=0, start=1):
    return v.round < start or checksum(v, salt) % 2 == 0


def hold(v, salt=0, start=1):
    left = checksum(v, salt) % (4 - v.attempt) if v.round >= start else 0
    for die in range(3):
        if not v.held[die]:
            if left == 0:
                return v.rules.dice[die]
            left -= 1
    return 0


def save(v, salt=0, start=1):
    return v.round < start or checksum(v, salt) % 2 == 0


def pick(v, salt=0, start=1):
    return checksum(v, salt) % v.n_table if v.round >= start else 0


def steal(v, salt=0, start=1):
    return v.round < start or checksum(v, salt) % 2 == 0


def top(v, salt=0, start=1):
    sheep = 0
    for i in range(v.n_taken):
        sheep += v.taken[i].kind < 4
    left = checksum(v, salt) % sheep if v.round >= start else 0
    for i in range(v.n_taken):
        if v.taken[i].kind < 4:
            if left == 0:
                return i
            left -= 1
    return 0


def once(v, salt=0, start=1, at=1, instead=20):
    return instead if v.round == at else bid(v, salt, start)
"""


def numbers_of(dtype: np.dtype, expression: str = "v", depth: int = 0) -> Iterator[tuple[int, str, bool]]:
    """Yield lines of code, (depth, text, is it a number), that go through every number of a record."""
    for name in dtype.names or ():
        field, place = dtype[name], f"{expression}.{name}"
        base, shape = field.subdtype or (field, ())
        inner = depth
        for _ in shape:
            yield inner, f"for i{inner} in range({shape[0]}):", False
            place, inner = f"{place}[i{inner}]", inner + 1
        if base.names:
            yield from numbers_of(base, place, inner)
        else:
            yield inner, place if base.kind == "i" else f"int({place} * 2.0**40)", True


def write_fingerprints(folder: Path) -> Path:
    """Write the file; specs name it, with parameters `salt` and `start`, the round from which on it looks."""
    lines = ["def checksum(v, salt):", "    h = 17 + salt"]
    for depth, text, is_number in numbers_of(VIEW_DTYPE):
        lines.append("    " * (depth + 1) + (f"h = (h * 48271 + {text}) % 2147483647" if is_number else text))
    lines += ["    return h", "", "", "def whole(v):", "    return checksum(v, 0)", ""]
    file = folder / "fingerprints.py"
    file.write_text("\n".join(lines) + ANSWERS, encoding="utf-8")
    return file
