"""A deck as people see it: its cards, what they add up to, where the cards come from."""

import textwrap
from collections import Counter
from collections.abc import Sequence
from typing import Final

from analyzer import __version__
from analyzer.wool_rules.constants import BLACK, KIND_NAMES, N_CARDS, N_KINDS, WHITE
from analyzer.wool_rules.deck import COLUMNS, SHIPPED, Card, Deck, departures
from reports.export import Cell

WIDTH: Final = 80


def card_rows(deck: Deck) -> list[dict[str, Cell]]:
    """Return the cards as rows of a deck file; what a card does not have is None."""
    cells = (dict(zip(COLUMNS, card.row(), strict=True)) for card in deck.cards)
    return [{name: None if cell == "" else cell for name, cell in row.items()} for row in cells]


def signed(modifier: object) -> str:
    """Write a bonus or malus with its sign."""
    return f"{modifier:+d}" if isinstance(modifier, int) and modifier else str(modifier)


def deck_line(deck: Deck) -> str:
    """Say which deck it is, and for the shipped one that it is a reconstruction."""
    if deck.is_shipped:
        name = SHIPPED if deck.name == SHIPPED else f"{deck.name} (the cards of the deck {SHIPPED})"
        source = "a reconstruction (assumption): no public source prints the card list"
        return f"deck {name}, hash {deck.digest},\n{source}"
    return f"deck {deck.name}, hash {deck.digest}"


def made_by(deck: Deck, command: str) -> str:
    """Say what reproduces an output that shows a deck."""
    return f"woolsim {__version__}; {deck_line(deck)}\nmade by: {command}"


def card_table(deck: Deck) -> str:
    """Lay out the cards by kind, a line each; cards that differ only in their number share one."""
    body: list[list[str]] = []
    for kind in range(N_KINDS):
        cards = sorted((card for card in deck.cards if card.kind == kind), key=lambda card: abs(card.points))
        groups: dict[tuple[object, ...], list[Card]] = {}
        for card in cards:
            groups.setdefault(card.row()[1:], []).append(card)
        if cards and body:
            body.append([])
        for same in groups.values():
            points, modifier, symbol, number = same[0].row()[2:]
            numbers = _ranges([card.card for card in same])
            shown = [str(points), signed(modifier), {0: "", 1: "yes", "": ""}[symbol], str(number)]
            body.append([KIND_NAMES[kind], numbers, *shown])
    return _table(["kind", "card", "points", "modifier", "bone symbol", "sheep number"], body)


def kind_table(deck: Deck) -> str:
    """Lay out what the cards of each kind have and add up to."""
    body = []
    for kind, name in enumerate(KIND_NAMES):
        cards = [card for card in deck.cards if card.kind == kind]
        sheep = [card for card in cards if card.sheep_number]
        pointed = [card.points for card in cards if kind in {WHITE, BLACK}]
        body.append(
            [
                name,
                str(len(cards)),
                _range([str(value) for value in sorted(pointed, key=abs)]),
                str(sum(pointed)) if pointed else "",
                _range([signed(value) for value in sorted(card.modifier for card in sheep)]),
                str(sum(card.bone_symbol for card in sheep)) if sheep else "",
            ]
        )
    points = str(sum(card.points for card in deck.cards))
    body += [[], ["all", str(N_CARDS), "", points, "", str(sum(card.bone_symbol for card in deck.cards))]]
    return _table(["kind", "cards", "points", "sum", "modifiers", "bone symbols"], body)


def modifier_line(deck: Deck) -> str:
    """Say how many sheep have which modifier."""
    counts = Counter(card.modifier for card in deck.cards if card.sheep_number)
    words = ", ".join(f"{signed(modifier)} on {counts[modifier]}" for modifier in sorted(counts))
    return textwrap.fill(f"Modifiers of the {counts.total()} sheep: {words}.", WIDTH)


def notes(deck: Deck) -> str:
    """Say where a deck departs from what is known of the printed one."""
    found = departures(deck)
    if deck.name == SHIPPED and not deck.is_shipped:
        found.append(f"these are not the cards of the shipped deck {SHIPPED}: rename the file")
    if not found:
        return "Meets all that is known of the printed cards."
    return "\n".join(["Not faults, but the printed cards are known to differ:", *(f"- {note}" for note in found)])


def _ranges(numbers: Sequence[int]) -> str:
    """Return ascending numbers as text, with those that follow each other as a range."""
    parts: list[list[int]] = []
    for number in numbers:
        if parts and number == parts[-1][-1] + 1:
            parts[-1].append(number)
        else:
            parts.append([number])
    return ",".join(str(part[0]) if len(part) == 1 else f"{part[0]}-{part[-1]}" for part in parts)


def _range(values: Sequence[str]) -> str:
    """Return the first and the last of sorted values as text."""
    return "" if not values else values[0] if values[0] == values[-1] else f"{values[0]} to {values[-1]}"


def _table(headers: Sequence[str], body: Sequence[Sequence[str]]) -> str:
    """Return a table in plain text, the first column to the left; a row without cells is an empty line."""
    widths = [max(len(row[at]) for row in [headers, *body] if row) for at in range(len(headers))]
    lines = []
    for row in [headers, ["-" * width for width in widths], *body]:
        cells = [cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=False)]
        lines.append("  ".join([*(cell.ljust(widths[0]) for cell in row[:1]), *cells]).rstrip())
    return "\n".join(lines)
