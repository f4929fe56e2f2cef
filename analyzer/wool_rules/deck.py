"""The deck: 60 cards from a data file, checked on loading ("Materials and Preparation", "The Special Cards").

Assumption: the shipped deck, called `reconstructed`, is a reconstruction; no public source prints the card list.
"""

import csv
import hashlib
import io
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any, Final

import numpy as np

from analyzer.errors import BadInputError
from analyzer.files import read_text
from analyzer.wool_rules.constants import BLACK, BONE, DOG, KIND_NAMES, MAX_MODIFIER, N_CARDS, N_KINDS, WHITE
from analyzer.wool_rules.rules import MAX_POINTS, STANDARD, Rules

COLUMNS: Final = ("card", "kind", "points", "modifier", "bone_symbol", "sheep_number")

MAX_SHEEP_NUMBER: Final = 999

SHIPPED: Final = "reconstructed"

CARD_DTYPE: Final = np.dtype([(name, "i8") for name in ("card", *COLUMNS[1:])], align=True)
"""A card as the engine and views have it; what a card does not have is 0."""


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


@dataclass(frozen=True)
class Deck:
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
    return read_deck(Path(__file__).parent / "decks" / f"{SHIPPED}.csv")


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
        more = f" (and {len(faults) - 1} more: woolsim deck check {path})" if len(faults) > 1 else ""
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
        One message each, with file and line.

    Raises
    ------
    BadInputError
        When the file cannot be read at all.
    """
    lines, faults = _lines(path)
    found: list[tuple[int, Card]] = []
    for line, fields in lines:
        card, wrong = _card(fields)
        faults += [f"{path}:{line}: {complaint}" for complaint in wrong]
        if card is not None:
            found.append((line, card))
    if not faults:
        faults = [f"{path}{f':{line}' if line else ''}: {complaint}" for line, complaint in _together(found, rules)]
    if faults:
        return None, faults
    return Deck(path.stem, tuple(sorted((card for _, card in found), key=lambda card: card.card))), []


def _lines(path: Path) -> tuple[list[tuple[int, dict[str, str]]], list[str]]:
    """Return the rows of a file as texts, with their lines, and faults of its form."""
    reader = csv.reader(io.StringIO(read_text(path), newline=""), strict=True)
    rows: list[tuple[int, dict[str, str]]] = []
    try:
        header = tuple(name.strip() for name in next(reader, []))
        if header != COLUMNS:
            return [], [f"{path}:1: the columns must be {','.join(COLUMNS)}; found: {','.join(header) or 'none'}"]
        for fields in reader:
            if not any(field.strip() for field in fields):
                continue
            if len(fields) != len(COLUMNS):
                return [], [f"{path}:{reader.line_num}: {len(COLUMNS)} fields are needed, found {len(fields)}"]
            row = dict(zip(COLUMNS, (field.strip() for field in fields), strict=True))
            rows.append((reader.line_num, row))
    except csv.Error as error:
        return [], [f"{path}:{reader.line_num}: is not CSV: {error}"]
    return rows, []


def _card(fields: dict[str, str]) -> tuple[Card | None, list[str]]:
    """Return the card of a row, and what is wrong with it."""
    wrong: list[str] = []

    def whole(name: str, low: int, high: int) -> int:
        text = fields[name]
        digits = text.removeprefix("-").removeprefix("+")
        if text and digits.isascii() and digits.isdigit() and len(digits) <= 6 and low <= int(text) <= high:
            return int(text)
        wrong.append(f"{name} {text!r}: a whole number from {low} to {high} is needed")
        return 0

    if fields["kind"] not in KIND_NAMES:
        return None, [f"unknown kind {fields['kind']!r}; known: {', '.join(KIND_NAMES)}"]
    kind = KIND_NAMES.index(fields["kind"])
    card = whole("card", 0, N_CARDS - 1)
    if kind in {DOG, BONE}:
        wrong += [f"a {fields['kind']} has no {name}: leave it empty" for name in COLUMNS[2:] if fields[name]]
        return (None if wrong else Card(card, kind)), wrong
    points = 0
    if kind == WHITE:
        points = whole("points", 0, MAX_POINTS)
    elif kind == BLACK:
        points = whole("points", -MAX_POINTS, -1)
    elif fields["points"]:
        wrong.append(f"a {fields['kind']} card has no points of its own: leave them empty")
    modifier = whole("modifier", -MAX_MODIFIER, MAX_MODIFIER)
    symbol = whole("bone_symbol", 0, 1)
    number = whole("sheep_number", 1, MAX_SHEEP_NUMBER)
    return (None if wrong else Card(card, kind, points, modifier, bool(symbol), number)), wrong


def _together(found: list[tuple[int, Card]], rules: Rules) -> Iterator[tuple[int | None, str]]:
    """Yield (line, fault) for what is wrong with the cards as a deck; None where no line is to blame."""
    first_line: dict[tuple[str, int], int] = {}
    for line, card in found:
        for name, value in (("card", card.card), ("sheep_number", card.sheep_number)):
            if (name, value) in first_line and (name == "card" or value):
                yield line, f"{name} {value} is on line {first_line[name, value]} already"
            first_line.setdefault((name, value), line)
        if card.sheep_number in rules.table_numbers:
            yield line, f"sheep_number {card.sheep_number} is a table number; those are {list(rules.table_numbers)}"
    if len(found) != N_CARDS:
        yield None, f"a deck has {N_CARDS} cards; found {len(found)}"
    if Counter(card.kind for _, card in found)[BONE] > 1:
        yield [line for line, card in found if card.kind == BONE][1], "there is one bone at most"


def kind_counts(deck: Deck) -> np.ndarray[Any, np.dtype[np.int64]]:
    """Return how many cards of each kind a deck has, shape (6,)."""
    return np.array([deck.count(kind) for kind in range(N_KINDS)])
