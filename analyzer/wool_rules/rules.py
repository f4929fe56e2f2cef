"""The rules in force: the standard ones, or what a rules file (TOML) changes in them."""

import hashlib
import json
from dataclasses import asdict, dataclass, fields
from functools import cached_property
from pathlib import Path
from typing import Any, Final

import numpy as np

from analyzer.errors import BadInputError
from analyzer.files import read_toml
from analyzer.wool_rules.constants import (
    BLACK_SHEEP_BELOW,
    CARDS_BY_ATTEMPT,
    CHIPS_TOTAL,
    MAX_PLAYERS,
    MAX_TABLE,
    N_DICE,
    SIDES,
    TRIO,
)

MAX_SIDES: Final = 30
MAX_POINTS: Final = 100
"""Largest size of any points that a rules file or a deck may give."""

MEMORIES: Final = ("perfect", "table")


@dataclass(frozen=True)
class Rules:
    """What a rules file can change; the defaults are the standard rules.

    Parameters
    ----------
    plain_26 : bool
        Whether a plain 26 may be bid beside 26+. Assumption: it may.
    chips_total, chips_start : int
        Wool chips in the game, 0 to 25, and given to each player.
    dice : tuple of int
        Sides of the three dice, distinct, 2 to 30.
    table_numbers : tuple of int
        Six numbers on the backs of the bidding tables, distinct. Assumption: 52 to 57.
    cards_per_attempt : tuple of int
        Entitlement on the 1st, 2nd, 3rd attempt, 0 to 7.
    black_sheep_below : int
        A result under it after the third attempt brings the black sheep.
    dog_single, dog_most, bone_per_dog : int
        Points for a single dog, for the most dogs, and of the bone for each dog of its owner.
    three_seven_zero, zero_zero_seven : tuple of int
        Points for one, two, three cards within a trio.
    dogless_discard : int
        White sheep that a flock without a dog loses.
    memory : str
        "perfect": views show what seats have taken; "table": they show only what lies open.
    """

    plain_26: bool = True
    chips_total: int = CHIPS_TOTAL
    chips_start: int = 2
    dice: tuple[int, int, int] = SIDES
    table_numbers: tuple[int, ...] = (52, 53, 54, 55, 56, 57)
    cards_per_attempt: tuple[int, int, int] = CARDS_BY_ATTEMPT
    black_sheep_below: int = BLACK_SHEEP_BELOW
    dog_single: int = 9
    dog_most: int = -5
    bone_per_dog: int = 4
    three_seven_zero: tuple[int, int, int] = (3, 14, 0)
    zero_zero_seven: tuple[int, int, int] = (0, 0, 21)
    dogless_discard: int = 2
    memory: str = "perfect"

    @cached_property
    def changes(self) -> dict[str, Any]:
        """What differs from the standard rules, lists for tuples as in a file."""
        mine, standard = asdict(self), asdict(STANDARD)
        return {
            key: list(value) if isinstance(value, tuple) else value
            for key, value in mine.items()
            if value != standard[key]
        }

    @cached_property
    def digest(self) -> str:
        """Twelve hexadecimal digits that tell these rules from all others."""
        return hashlib.sha256(json.dumps(asdict(self), sort_keys=True).encode()).hexdigest()[:12]

    @property
    def name(self) -> str:
        """Return "standard", or which keys are changed."""
        return "changed: " + ", ".join(self.changes) if self.changes else "standard"

    def record(self) -> np.ndarray[Any, np.dtype[Any]]:
        """Return the rules as an array of one record of :data:`RULES_DTYPE`, as views show them."""
        record = np.zeros(1, RULES_DTYPE)
        for key in RULES_DTYPE.names or ():
            record[key] = getattr(self, key) if key != "memory" else MEMORIES.index(self.memory)
        return record


STANDARD: Final = Rules()

RULES_DTYPE: Final = np.dtype(
    [
        ("plain_26", "i8"),
        ("chips_total", "i8"),
        ("chips_start", "i8"),
        ("dice", "i8", (N_DICE,)),
        ("cards_per_attempt", "i8", (N_DICE,)),
        ("black_sheep_below", "i8"),
        ("dog_single", "i8"),
        ("dog_most", "i8"),
        ("bone_per_dog", "i8"),
        ("three_seven_zero", "i8", (TRIO,)),
        ("zero_zero_seven", "i8", (TRIO,)),
        ("dogless_discard", "i8"),
        ("memory", "i8"),  # 0 perfect, 1 table
    ],
    align=True,
)
"""The rules as a policy sees them, named as in a rules file."""

_RANGES: Final = {
    "chips_total": (0, CHIPS_TOTAL),
    "chips_start": (0, CHIPS_TOTAL),
    "dice": (2, MAX_SIDES),
    "table_numbers": (1, 999),
    "cards_per_attempt": (0, MAX_TABLE),
    "black_sheep_below": (0, 99),
    "dog_single": (-MAX_POINTS, MAX_POINTS),
    "dog_most": (-MAX_POINTS, MAX_POINTS),
    "bone_per_dog": (-MAX_POINTS, MAX_POINTS),
    "three_seven_zero": (-MAX_POINTS, MAX_POINTS),
    "zero_zero_seven": (-MAX_POINTS, MAX_POINTS),
    "dogless_discard": (0, 10),
}
"""Lowest and highest value of every whole number."""


def read_rules(path: Path) -> Rules:
    """Read a rules file.

    Parameters
    ----------
    path : Path
        TOML; only what differs from the standard rules.

    Raises
    ------
    BadInputError
        With file and line: not readable, not TOML, an unknown key, an impossible value.
    """
    given = read_toml(path, [field.name for field in fields(Rules)])
    rules = Rules(**{key: _checked(entry.place, key, entry.value) for key, entry in given.items()})
    if rules.chips_start * MAX_PLAYERS > rules.chips_total:
        place = given["chips_start" if "chips_start" in given else "chips_total"].place
        raise BadInputError(
            f"{place}: chips_start = {rules.chips_start} for up to {MAX_PLAYERS} players is more than "
            f"chips_total = {rules.chips_total}"
        )
    return rules


def _checked(place: str, key: str, value: Any) -> Any:
    """Return a value as :class:`Rules` keeps it."""
    default = getattr(STANDARD, key)
    if isinstance(default, bool):
        if not isinstance(value, bool):
            raise BadInputError(f"{place}: {key} = {value!r}: true or false is needed")
        return value
    if isinstance(default, str):
        if value not in MEMORIES:
            raise BadInputError(f"{place}: {key} = {value!r}: {' or '.join(map(repr, MEMORIES))} is needed")
        return value
    low, high = _RANGES[key]
    if isinstance(default, int):
        return _whole(place, key, value, low, high)
    if not isinstance(value, list) or len(value) != len(default):
        raise BadInputError(f"{place}: {key} = {value!r}: a list of {len(default)} whole numbers is needed")
    numbers = tuple(_whole(place, key, one, low, high) for one in value)
    if key in {"dice", "table_numbers"} and len(set(numbers)) < len(numbers):
        raise BadInputError(f"{place}: {key} = {value}: the numbers must differ from each other")
    return numbers


def _whole(place: str, key: str, value: Any, low: int, high: int) -> int:
    if type(value) is not int or not low <= value <= high:
        raise BadInputError(f"{place}: {key}: {value!r} must be a whole number from {low} to {high}")
    return value
