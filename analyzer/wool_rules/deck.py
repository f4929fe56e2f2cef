"""The deck: 60 cards from a data file, checked on loading ("Materials and Preparation", "The Special Cards").

Assumption: the shipped deck, called `reconstructed`, is a reconstruction; no public source prints the card list.
"""

import csv
import hashlib
import io
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cache, cached_property
from pathlib import Path
from shlex import quote
from typing import Any, Final

import numpy as np

from analyzer.errors import BadInputError
from analyzer.files import read_text
from analyzer.shown import Line, Shown
from analyzer.wool_rules.constants import (
    BLACK,
    BONE,
    DOG,
    KIND_NAMES,
    MAX_MODIFIER,
    N_CARDS,
    N_KINDS,
    SET_007,
    SET_370,
    WHITE,
)
from analyzer.wool_rules.rules import MAX_POINTS, STANDARD, Rules

COLUMNS: Final = ("card", "kind", "points", "modifier", "bone_symbol", "sheep_number")

MAX_SHEEP_NUMBER: Final = 999
MAX_ROWS: Final = 1000
"""A file with more lines is no deck, so that its faults are not said one by one."""

MAX_MISSING: Final = 10
"""Most missing cards that are named."""

SHIPPED: Final = "reconstructed"
SHIPPED_FILE: Final = Path(__file__).parent / "decks" / f"{SHIPPED}.csv"

# What is known of the printed deck, see departures().
KNOWN_COUNTS: Final = (51, 8, 1)
"""Sheep, dogs, bones."""

KNOWN_MODIFIERS: Final = (1, -2, -3)
KNOWN_BLACK: Final = 2
"""At least so many black sheep."""

KNOWN_SUMS: Final = {BLACK: -10, WHITE: 27}
"""What some sheep of a kind add up to in the scoring example."""

KNOWN_SPECIALS: Final = 4
"""At least so many cards of each of 3-7-0 and 0-0-7."""

CARD_DTYPE: Final = np.dtype(
    {
        "names": ["card", *COLUMNS[1:]],
        "formats": ["i2"] * len(COLUMNS),
        "offsets": list(range(0, 2 * len(COLUMNS), 2)),
        "itemsize": 16,
    },
    align=True,
)
"""A card as the engine and views have it; what a card does not have is 0. So large that one instruction moves it."""


@dataclass(frozen=True)
class Card:
    """A card.

    Parameters
    ----------
    card : int
        Its number, 0 to 59.
    kind : int
        WHITE, BLACK, SET_370, SET_007, DOG or BONE.
    points : int
        Of white (positive) and black (negative) sheep, else 0.
    modifier : int
        Bonus (positive) or malus (negative) of a sheep.
    bone_symbol : bool
    sheep_number : int
        Of a sheep, from 1; else 0.
    """

    card: int
    kind: int
    points: int = 0
    modifier: int = 0
    bone_symbol: bool = False
    sheep_number: int = 0

    def row(self) -> tuple[int, str, int | str, int | str, int | str, int | str]:
        """Return the fields as a deck file has them, :data:`COLUMNS`."""
        if self.kind in {DOG, BONE}:
            return self.card, KIND_NAMES[self.kind], "", "", "", ""
        points = self.points if self.kind in {WHITE, BLACK} else ""
        return self.card, KIND_NAMES[self.kind], points, self.modifier, int(self.bone_symbol), self.sheep_number


@dataclass(frozen=True, repr=False)
class Deck(Shown):
    """60 cards with a name.

    Parameters
    ----------
    name : str
        What tables call it: "reconstructed", or the name of the file without its suffix.
    cards : tuple of Card
        By card number.
    """

    name: str
    cards: tuple[Card, ...]

    @cached_property
    def digest(self) -> str:
        """Twelve hexadecimal digits that tell these cards from all others; the name has no part in it."""
        return hashlib.sha256(to_csv(self).encode()).hexdigest()[:12]

    @property
    def is_shipped(self) -> bool:
        """Whether these are the cards of the reconstruction."""
        return self.digest == shipped_deck().digest

    def headline(self) -> str:
        """Say which deck it is."""
        return f"{self.name} ({self.digest})" + (", a reconstruction (assumption)" if self.is_shipped else "")

    def lines(self) -> list[Line]:
        """Return what there is of each kind."""
        points = [sum(card.points for card in self.cards if card.kind == kind) for kind in range(N_KINDS)]
        return [
            {"kind": name, "cards": str(self.count(kind))} | ({"points": str(points[kind])} if points[kind] else {})
            for kind, name in enumerate(KIND_NAMES)
        ]

    def count(self, kind: int) -> int:
        """Return how many cards of a kind there are."""
        return sum(card.kind == kind for card in self.cards)

    def records(self) -> np.ndarray[Any, np.dtype[Any]]:
        """Return the cards as an array of :data:`CARD_DTYPE`, shape (60,), by card number."""
        rows = [(c.card, c.kind, c.points, c.modifier, int(c.bone_symbol), c.sheep_number) for c in self.cards]
        return np.array(rows, dtype=CARD_DTYPE)


def to_csv(deck: Deck) -> str:
    """Return a deck as the text of a deck file."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    writer.writerows(card.row() for card in deck.cards)
    return out.getvalue()


@cache
def shipped_deck() -> Deck:
    """Return the shipped deck."""
    return read_deck(SHIPPED_FILE)


def read_deck(path: Path, rules: Rules = STANDARD) -> Deck:
    """Read a deck file.

    Parameters
    ----------
    path : Path
        CSV with the columns :data:`COLUMNS`.
    rules : Rules
        Sheep numbers must differ from their table numbers.

    Raises
    ------
    BadInputError
        With file and line of the first fault, and how many more there are.
    """
    deck, faults = examine(path, rules)
    if deck is None:
        more = f" (and {len(faults) - 1} more: woolsim deck check {quote(str(path))})" if len(faults) > 1 else ""
        raise BadInputError(faults[0] + more)
    return deck


def examine(path: Path, rules: Rules = STANDARD) -> tuple[Deck | None, list[str]]:
    """Read a deck file and collect every fault.

    Parameters
    ----------
    path, rules
        As in :func:`read_deck`.

    Returns
    -------
    deck : Deck or None
        None when there are faults.
    faults : list of str
        One message each with file and line, in the order of the lines; what is wrong with the deck as a whole is said
        of its last line.

    Raises
    ------
    BadInputError
        When the file cannot be read at all.
    """
    rows, faults = _rows(read_text(path))
    for row in rows:
        faults += [(row.line, complaint) for complaint in _read_values(row)]
    if rows:
        faults += _together(rows, rules)
    if faults:
        return None, [f"{path}:{line}: {complaint}" for line, complaint in sorted(faults, key=lambda fault: fault[0])]
    return Deck(path.stem, tuple(sorted((row.card() for row in rows), key=lambda card: card.card))), []


_Fault = tuple[int, str]
"""Line, and what is wrong there."""


@dataclass
class _Row:
    """A line of a deck file that should be a card."""

    line: int
    fields: list[str]
    """Empty when the line has not the form of a card."""
    values: dict[str, int] = field(default_factory=dict)
    """The fields as :class:`Card` has them, those that are right."""

    def card(self) -> Card:
        """Return the card of a row without faults."""
        return Card(
            self.values["card"],
            self.values["kind"],
            self.values.get("points", 0),
            self.values.get("modifier", 0),
            bool(self.values.get("bone_symbol", 0)),
            self.values.get("sheep_number", 0),
        )


def _rows(text: str) -> tuple[list[_Row], list[_Fault]]:
    """Return the rows of a file below its header, and what is wrong with their form.

    Every line is read by itself, because no field goes over several: a quotation mark that is not closed spoils one
    line, not all that follow.
    """
    lines = [(at, line) for at, line in enumerate(io.StringIO(text, newline=None), 1) if line.strip(' \t\n,;"')]
    if not lines:
        return [], [(1, f"there are no cards; the first line must be {','.join(COLUMNS)}")]
    rows: list[_Row] = []
    faults: list[_Fault] = []
    for at, line in lines:
        try:
            fields = [one.strip() for one in next(csv.reader([line.rstrip("\n")], strict=True))]
        except csv.Error as error:
            faults.append((at, f"is not CSV: {error}; a deck file needs no quotation marks"))
            fields = []
        if at == lines[0][0]:
            if tuple(fields) != COLUMNS:
                return [], faults or [(at, _header_fault(fields))]
        elif fields and len(fields) != len(COLUMNS):
            faults.append((at, f"{len(COLUMNS)} fields are needed ({','.join(COLUMNS)}), found {len(fields)}"))
            rows.append(_Row(at, []))
        else:
            rows.append(_Row(at, fields))
    if len(rows) > MAX_ROWS:
        return [], [(lines[-1][0], f"a deck has {N_CARDS} cards; found {len(rows):,} lines. Is it the right file?")]
    return rows, faults or ([] if rows else [(lines[-1][0], f"a deck has {N_CARDS} cards; found none")])


def _header_fault(found: list[str]) -> str:
    """Say what is wrong with the names of the columns."""
    for sign, name in ((";", "semicolons"), ("\t", "tabs")):
        if len(found) == 1 and sign in found[0]:
            return f"the columns are separated by {name}; save the file with commas between them"
    missing = [name for name in COLUMNS if name not in found]
    unknown = [_shown(name) for name in found if name not in COLUMNS]
    parts = [f"; missing: {', '.join(missing)}"] if missing else []
    if unknown:
        parts.append(f"; unknown: {', '.join(unknown[:3])}{', ...' if len(unknown) > 3 else ''}")
    return f"the columns must be {','.join(COLUMNS)}{''.join(parts) or '; found another order or one of them twice'}"


def _shown(text: str) -> str:
    """Return what stands in a file, short enough for a message and without signs that disturb a terminal."""
    return ascii(text if len(text) <= 30 else text[:27] + "...")


_WHOLE: Final = re.compile(r"[+-]?[0-9]{1,6}", re.ASCII)

_DATE: Final = re.compile(r"[0-9]+([./-])[0-9]+\1[0-9]+", re.ASCII)
"""What a spreadsheet makes of 3-7-0."""


def _read_values(row: _Row) -> Iterator[str]:
    """Fill in the values of a row and yield what is wrong with its fields."""
    if not row.fields:
        return
    texts = dict(zip(COLUMNS, row.fields, strict=True))
    yield from _whole(row, texts, "card", 0, N_CARDS - 1)
    kind_name = texts["kind"]
    if kind_name not in KIND_NAMES:
        near = get_close_matches(kind_name.lower(), KIND_NAMES, 1)
        hint = f"; did you mean {near[0]}?" if near else ""
        if _DATE.fullmatch(kind_name):
            hint = "; has a spreadsheet made a date of 3-7-0? Format the column as text"
        yield f"unknown kind {_shown(kind_name)}; known: {', '.join(KIND_NAMES)}{hint}"
        return
    kind = row.values["kind"] = KIND_NAMES.index(kind_name)
    if kind in {DOG, BONE}:
        for name in COLUMNS[2:]:
            if texts[name]:
                yield f"{name} {_shown(texts[name])}: a {kind_name} has none, leave it empty"
        return
    if kind == WHITE:
        yield from _whole(row, texts, "points", 0, MAX_POINTS)
    elif kind == BLACK:
        yield from _whole(row, texts, "points", -MAX_POINTS, -1)
    elif texts["points"]:
        yield f"points {_shown(texts['points'])}: a {kind_name} has none of its own, leave it empty"
    yield from _whole(row, texts, "modifier", -MAX_MODIFIER, MAX_MODIFIER)
    yield from _whole(row, texts, "bone_symbol", 0, 1)
    yield from _whole(row, texts, "sheep_number", 1, MAX_SHEEP_NUMBER)


def _whole(row: _Row, texts: dict[str, str], name: str, low: int, high: int) -> Iterator[str]:
    """Fill in a value; yield what is wrong with it."""
    text = texts[name]
    if _WHOLE.fullmatch(text) and low <= int(text) <= high:
        row.values[name] = int(text)
    elif text:
        yield f"{name} {_shown(text)}: a whole number from {low} to {high} is needed"
    else:
        yield f"{name} is empty: a whole number from {low} to {high} is needed"


def _together(rows: list[_Row], rules: Rules) -> Iterator[_Fault]:
    """Yield what is wrong with the cards as a deck, as far as their values could be read."""
    first_line: dict[tuple[str, int], int] = {}
    for row in rows:
        for name in ("card", "sheep_number"):
            value = row.values.get(name)
            if value is not None and first_line.setdefault((name, value), row.line) != row.line:
                yield row.line, f"{name} {value} is on line {first_line[name, value]} already"
        if row.values.get("sheep_number") in rules.table_numbers:
            numbers = ", ".join(map(str, rules.table_numbers))
            yield row.line, f"sheep_number {row.values['sheep_number']} is a table number; those are {numbers}"
        if row.values.get("kind") == BONE and first_line.setdefault(("bone", 1), row.line) != row.line:
            yield row.line, f"a second bone; the first is on line {first_line['bone', 1]}"
    if len(rows) != N_CARDS:
        missing = [str(card) for card in range(N_CARDS) if ("card", card) not in first_line]
        tell = len(missing) <= MAX_MISSING and all("card" in row.values for row in rows)
        hint = f"; missing: card {', '.join(missing)}" if tell and missing else ""
        yield rows[-1].line, f"a deck has {N_CARDS} cards; found {len(rows)}{hint}"


def departures(deck: Deck) -> list[str]:
    """Return where a deck departs from what is known of the printed one; none of it is a fault.

    What is known: "Materials and Preparation", and the cards that the rulebook's examples and "The Special Cards" need.
    """
    modifiers = {card.modifier for card in deck.cards if card.kind not in {DOG, BONE}}
    notes = [f"no sheep has the modifier {known:+d}" for known in KNOWN_MODIFIERS if known not in modifiers]
    if deck.count(BLACK) < KNOWN_BLACK:
        notes.append(f"fewer than {KNOWN_BLACK} black sheep")
    for kind, points in KNOWN_SUMS.items():
        if points not in subset_sums(card.points for card in deck.cards if card.kind == kind):
            notes.append(f"no {KIND_NAMES[kind]} sheep add up to {points}")
    few = [KIND_NAMES[kind] for kind in (SET_370, SET_007) if deck.count(kind) < KNOWN_SPECIALS]
    notes += [f"fewer than {KNOWN_SPECIALS} cards of {name}" for name in few]
    found = (N_CARDS - deck.count(DOG) - deck.count(BONE), deck.count(DOG), deck.count(BONE))
    if found != KNOWN_COUNTS:
        notes.append(f"{_counts_words(*found)} instead of {_counts_words(*KNOWN_COUNTS)}")
    return notes


def _counts_words(sheep: int, dogs: int, bones: int) -> str:
    return f"{sheep} sheep, {dogs} {'dog' if dogs == 1 else 'dogs'}, {bones or 'no'} bone"


def subset_sums(points: Iterable[int]) -> frozenset[int]:
    """Return every sum that some of the given numbers have; none of them have 0."""
    sums = {0}
    for one in points:
        sums |= {total + one for total in sums}
    return frozenset(sums)


def kind_counts(deck: Deck) -> np.ndarray[Any, np.dtype[np.int64]]:
    """Return how many cards of each kind a deck has, shape (6,)."""
    return np.array([deck.count(kind) for kind in range(N_KINDS)])
