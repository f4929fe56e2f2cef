"""The odds card as one printed page."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil
from typing import Any, Final

from matplotlib.figure import Figure

from analyzer import __version__
from analyzer.wool_rules.dice import dice_of
from analyzer.wool_rules.players import PlayersFacts
from analyzer.wool_rules.short_rules import ShortRule
from reports.odds_card import MODIFIERS, OddsCard
from reports.paper import LEADING, POINT, Paper, Sheet, lines_of
from reports.words import cards_words, die_name, percent, short_rule_sentence, under_words

MARGIN: Final = 12.0
"""Millimetres that stay white all around: laminating needs some."""

_TITLE, _HEADING, _FIGURE, _TEXT, _LABEL, _SMALL = 20.0, 12.5, 11.0, 9.0, 8.0, 6.8
"""Sizes of fonts, in points."""

_HEAD, _STRIPE, _EDGE = "#d9d9d9", "#f2f2f2", "#808080"
_LIKELY: Final = ((0.8, "#8fbede"), (0.6, "#acd0e8"), (0.4, "#c8e0f1"), (0.2, "#e3f0f9"), (0.0, "#ffffff"))
"""From which chance a cell has which colour: the likelier the darker, in grey too, and black is easy to read on all."""

_GAP: Final = 4.0
_BID, _SHARE, _MADE = 12.5, 12.2, 16.0
"""Widths of columns, in millimetres."""


@dataclass(frozen=True)
class _Column:
    """A column of the table of bids.

    Parameters
    ----------
    head : tuple of str
        Its three lines.
    key : str
        In a row of the bid table.
    width : float
        In millimetres.
    """

    head: tuple[str, str, str]
    key: str
    width: float


def card_figure(card: OddsCard, paper: Paper) -> Figure:
    """Draw the odds card as a page.

    Parameters
    ----------
    card : OddsCard
    paper : Paper

    Returns
    -------
    Figure
        Of the size of the paper; everything on it lies within :data:`MARGIN`.
    """
    sheet = Sheet(paper)
    width, foot = paper.width - 2 * MARGIN, paper.height - MARGIN
    y = _title(sheet, card, width)
    # The lower parts are as high as their words need; the bids get what they leave.
    lower = _lower(Sheet(paper), card, 0, width)
    _lower(sheet, card, foot - lower, width)
    _bids(sheet, card, y, width, foot - lower - _GAP)
    return sheet.figure


def _lower(sheet: Sheet, card: OddsCard, y: float, width: float) -> float:
    """Draw what is below the bids and return where it ends."""
    y = _holding(sheet, card, y, width) + _GAP
    half = (width - _GAP) / 2
    return max(_players(sheet, card, y, half), _small_print(sheet, card, MARGIN + half + _GAP, y, half))


def _title(sheet: Sheet, card: OddsCard, width: float) -> float:
    """Write the title and return where it ends."""
    sheet.text(MARGIN, MARGIN + 4, "Wool Rules: the odds", _TITLE, bold=True)
    dice = ", ".join(die_name(card.rules, die) for die in range(len(card.rules.dice)))
    sheet.text(MARGIN + width, MARGIN + 2.4, f"dice {dice}; chances in %, exact", _TEXT, align="right")
    if card.rules.changes:
        sheet.text(MARGIN + width, MARGIN + 6.6, "not the standard rules: see the small print", _TEXT, align="right")
    return MARGIN + 10


def _heading(sheet: Sheet, y: float, width: float, words: str) -> float:
    """Write the heading of a part and return where it ends."""
    sheet.text(MARGIN, y + 2.6, words, _HEADING, bold=True)
    sheet.rule(MARGIN, y + 5.8, width)
    return y + 6.2


def _bare(share: float, digits: int = 0) -> str:
    """Write a chance without its sign."""
    return percent(share, digits).replace("%", "")


def _signed(points: int) -> str:
    return f"{points:+d}".replace("-", "−") if points else "0"


def _columns(card: OddsCard) -> list[_Column]:
    """Return the columns beside the bids."""
    cards = [cards_words(number) for number in card.rules.cards_per_attempt]
    by_attempt = zip(("1st", "2nd", "3rd"), cards, ("p_three", "p_two", "p_one"), strict=True)
    return [
        *(_Column((f"{attempt} roll:", number, ""), key, _SHARE) for attempt, number, key in by_attempt),
        _Column(("bid", "made", ""), "p_success", _MADE),
        _Column(("bid", "failed", ""), "p_fail", _SHARE),
        _Column(("of which", "under", f"{card.rules.black_sheep_below}"), "p_under_14", _SHARE),
        _Column(("cards", "on", "average"), "mean_cards", _SHARE),
    ]


def _bids(sheet: Sheet, card: OddsCard, y: float, width: float, end: float) -> None:
    """Draw the odds of every bid and what help makes of them, down to `end`."""
    y = _heading(sheet, y, width, "How likely is a bid?")
    columns = _columns(card)
    left = MARGIN + _BID + sum(column.width for column in columns) + 2.5
    cell = (MARGIN + width - left) / len(card.helps)
    head, words = 12.5, _help_words(card)
    notes = 1 + len(lines_of(words, width, _TEXT)) * LEADING * _TEXT * POINT
    height = (end - notes - y - head) / (len(card.bids) + 1)
    sheet.box(MARGIN, y, width, head, _HEAD)
    _bid_heads(sheet, card, columns, y, left, cell)
    y += head
    for at, (row, made) in enumerate(zip(card.bids, card.made, strict=True)):
        if at % 2:
            sheet.box(MARGIN, y, left - MARGIN, height, _STRIPE)
        _bid_row(sheet, row, columns, y + height / 2)
        for place, chance in enumerate(made):
            _chance_cell(sheet, left + place * cell, y, cell, height, chance, bold=card.helps[place] == 0)
        y += height
    sheet.rule(MARGIN, y, width)
    label = f"failed {under_words(card.rules)}, no chips spent: at most"
    sheet.text(left - 2, y + height / 2, label, _LABEL + 0.5, align="right")
    for place, help_given in enumerate(card.helps):
        if help_given in card.under:
            middle = left + (place + 0.5) * cell
            sheet.text(middle, y + height / 2, _bare(card.under[help_given], 1), _LABEL + 0.5, align="center")
    y += height
    sheet.rule(MARGIN, y, width)
    sheet.paragraph(MARGIN, y + 1, width, words, _TEXT)


def _bid_heads(sheet: Sheet, card: OddsCard, columns: Sequence[_Column], y: float, left: float, cell: float) -> None:
    """Write the three lines above the table of bids."""
    lines = (y + 2.4, y + 6.2, y + 10.0)
    sheet.text(MARGIN + _BID / 2, lines[1], "bid", _TEXT, align="center", bold=True)
    x = MARGIN + _BID
    for column in columns:
        for line, words in zip(lines, column.head, strict=True):
            sheet.text(x + column.width / 2, line, words, _LABEL, align="center", bold=column.key == "p_success")
        x += column.width
    middle = left + cell * len(card.helps) / 2
    sheet.text(middle, lines[0], "bid made with this much help:", _LABEL, align="center", bold=True)
    sheet.text(middle, lines[1], "bonus or malus, and chips you would spend", _LABEL, align="center")
    for place, help_given in enumerate(card.helps):
        sheet.text(left + (place + 0.5) * cell, lines[2], _signed(help_given), _TEXT, align="center", bold=True)


def _bid_row(sheet: Sheet, row: dict[str, Any], columns: Sequence[_Column], y: float) -> None:
    """Write the figures of one bid."""
    sheet.text(MARGIN + _BID / 2, y, row["bid"], _FIGURE + 1.5, align="center", bold=True)
    x = MARGIN + _BID
    for column in columns:
        figure, made = row[column.key], column.key == "p_success"
        words = f"{figure:.2f}" if column.key == "mean_cards" else _bare(figure, 1)
        size = _FIGURE + 1.5 if made else _FIGURE
        sheet.text(x + column.width - (2.0 if made else 1.8), y, words, size, align="right", bold=made)
        x += column.width


def _chance_cell(sheet: Sheet, x: float, y: float, width: float, height: float, chance: float, *, bold: bool) -> None:
    """Draw a cell that is the darker, the likelier."""
    fill = next(colour for low, colour in _LIKELY if chance >= low)
    sheet.box(x, y, width, height, fill, "white")
    words = _bare(chance)
    size = _FIGURE - 0.5 if len(words) < 3 else _FIGURE - 2
    sheet.text(x + width / 2, y + height / 2, words, size, align="center", bold=bold)


def _help_words(card: OddsCard) -> str:
    """Say what help is."""
    chips = card.helps[-1] > MODIFIERS[-1]
    more = " and +1 for each chip you would spend: a malus of 2 and a chip are −1" if chips else ""
    return (
        f"Help is the bonus or malus on top of your flock{more}. Each point of help makes a bid exactly as likely as "
        "the bid one lower, on every roll. A chip spent is a point less at the end; who fails gets one from the "
        "supply. 26+ asks for 26, goes first and costs a chip before the turn."
    )


def _holding(sheet: Sheet, card: OddsCard, y: float, width: float) -> float:
    """Draw which die to set aside and return where that ends."""
    y = _heading(sheet, y, width, "Which die do you set aside?")
    words = (
        "Find what your dice show. Set aside the die that stands farthest to the right (equally far: the larger die). "
        "After the second roll do the same with the two dice just rolled."
    )
    y = sheet.paragraph(MARGIN, y + 0.5, width, words, _TEXT) + 1.2
    y = _ruler(sheet, card, y, width) + 1.2
    words = (
        f"That is: {short_rule_sentence(card.short, card.rules)}. Whatever the bid and the help above, the chance is "
        f"at most {_loss(card.short)} percentage points below the best possible. Closer still, by what the dice must "
        "show (the bid, less help):"
    )
    y = sheet.paragraph(MARGIN, y, width, words, _TEXT) + 1.2
    return _by_need(sheet, card, y, width)


def _loss(short: ShortRule) -> str:
    """Write what a short rule costs at most, in percentage points, rounded up."""
    return f"{max(ceil(1e4 * short.loss - 1e-6), 0) / 100:.2f}"


def _ruler(sheet: Sheet, card: OddsCard, y: float, width: float) -> float:
    """Draw the faces of each die as far to the right as the short rule counts them."""
    dice, add = card.rules.dice, card.short.add
    low = min(1 + more for more in add)
    high = max(sides + more for sides, more in zip(dice, add, strict=True))
    label, height = 13.0, 7.6
    unit = (width - label) / (high - low + 1)
    for die, (sides, more) in enumerate(zip(dice, add, strict=True)):
        sheet.text(MARGIN, y + height / 2, die_name(card.rules, die), _FIGURE + 1.5, bold=True)
        for face in range(1, sides + 1):
            place = face + more - low
            fill = _LIKELY[-1 - int(place / (high - low + 1) * len(_LIKELY))][1]
            x = MARGIN + label + place * unit
            sheet.box(x, y + 0.3, unit, height - 0.6, fill, _EDGE)
            size = min(_FIGURE + 2, unit / POINT / 1.5)
            sheet.text(x + unit / 2, y + height / 2, str(face), size, align="center", bold=True)
        y += height
    return y


def _by_need(sheet: Sheet, card: OddsCard, y: float, width: float) -> float:
    """Write the best short rule for every total that the dice must show."""
    smaller = [die for die, sides in enumerate(card.rules.dice) if sides < max(card.rules.dice)]
    labels = ("dice must show", *(f"add to the {die_name(card.rules, die)}" for die in smaller), "costs at most")
    label, height = 28.0, 4.9
    first = card.by_need[0].low
    unit = (width - label) / (card.by_need[-1].high - first + 1)
    sheet.box(MARGIN, y, width, height, _HEAD)
    for at, words in enumerate(labels):
        sheet.text(MARGIN + 1, y + (at + 0.5) * height, words, _LABEL)
    for part in card.by_need:
        x, wide = MARGIN + label + (part.low - first) * unit, (part.high - part.low + 1) * unit
        needs = str(part.low) if part.low == part.high else f"{part.low}–{part.high}"
        figures = [needs, *(f"{part.short.add[die]:g}" for die in smaller), _loss(part.short)]
        for at, words in enumerate(figures):
            sheet.text(x + wide / 2, y + (at + 0.5) * height, words, _LABEL + (at < len(figures) - 1), align="center")
        sheet.box(x - 0.1, y, 0.2, len(labels) * height, _EDGE)
    y += len(labels) * height
    sheet.rule(MARGIN, y, width)
    return y


def _players(sheet: Sheet, card: OddsCard, y: float, width: float) -> float:
    """Write what depends on the number of players and return where that ends."""
    y = _heading(sheet, y, width, "How many are you?")
    lines = _players_lines(card)
    height, unit = 5.4, 8.6
    left = MARGIN + width - unit * len(card.players)
    sheet.box(MARGIN, y, width, height, _HEAD)
    for at, (label, figures) in enumerate(lines):
        sheet.text(MARGIN + 1, y + (at + 0.5) * height, label, _LABEL)
        for place, words in enumerate(figures):
            middle = left + (place + 0.5) * unit
            sheet.text(middle, y + (at + 0.5) * height, words, _TEXT + 0.5, align="center", bold=at == 0)
    y += len(lines) * height
    sheet.rule(MARGIN, y, width)
    return y + 0.2


def _players_lines(card: OddsCard) -> list[tuple[str, list[str]]]:
    """Return the rows of the table of players: label and figures."""
    first = cards_words(card.rules.cards_per_attempt[0])

    def row(label: str, name: str) -> tuple[str, list[str]]:
        return label, [str(getattr(facts, name)) for facts in card.players]

    return [
        row("players", "players"),
        row("cards laid out a round", "cards"),
        row("rounds", "rounds"),
        row("who may roll, at most", "rolling"),
        row(f"cards left once {first} are taken", "left"),
        row("chips in the supply at first", "supply"),
    ]


def _players_words(facts: Sequence[PlayersFacts], chips: int) -> str:
    """Say what the table of players leaves out."""
    odd = [f"{one.last_cards} in the last round of {one.players}" for one in facts if one.last_cards != one.cards]
    return f"Everybody starts with {chips} chips." + (f" Cards: {', '.join(odd)}." if odd else "")


def _small_print(sheet: Sheet, card: OddsCard, x: float, y: float, width: float) -> float:
    """Write what is assumed and return where that ends."""
    changed = "; ".join(f"{key} = {value}" for key, value in card.rules.changes.items())
    words = (
        f"Exact: all {dice_of(card.rules.dice).n_actions:,} equally likely courses of a dice action are counted, for "
        f"the best chance to make the bid ({card.hold.spec}): the best die is set aside every time, help is taken as "
        "soon as it makes the bid, the bonus first. "
        f"{under_words(card.rules).capitalize()}: failed with less after malus and bonus; then all black sheep on the "
        "table are yours. Chips that would prevent that are not counted, nor are the chip for failing, the chip that "
        "26+ costs, and what cards are worth. Cards are what you are entitled to; fewer may be left. The odds of dice "
        "do not depend on the number of players nor on the deck. "
        f"{_players_words(card.players, card.rules.chips_start)}"
        f"{f' Rules changed: {changed}.' if changed else ''}\nwoolsim {__version__}, rules {card.rules.digest}"
    )
    return sheet.paragraph(x, y, width, words, _SMALL, grey=True)
