"""Tables for a terminal, readable in 80 columns."""

from collections.abc import Sequence
from typing import Final

from rich.box import SIMPLE_HEAD
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from analyzer.wool_rules.advice import HoldChart
from analyzer.wool_rules.bid_table import SIMULATED, BidTable, Row
from analyzer.wool_rules.position import Position
from analyzer.wool_rules.rules import Rules
from reports.words import (
    accept_sentence,
    cards_words,
    check_sentence,
    describe,
    die_name,
    in_percent,
    number,
    under_words,
)

BAR_WIDTH: Final = 22

_BAR_PARTS: Final = (("p_three", "█", "#", "blue"), ("p_two", "▓", "=", "cyan"), ("p_one", "░", "-", "yellow"))
"""Column, sign, its stand-in where a terminal has no such signs, and colour."""


def _table(*headers: str) -> Table:
    table = Table(box=SIMPLE_HEAD, pad_edge=False, padding=(0, 0, 0, 1), show_edge=False)
    for at, header in enumerate(headers):
        table.add_column(header, justify="left" if at == 0 else "right", no_wrap=True)
    return table


def bid_tables(table: BidTable, *, unicode: bool) -> RenderableType:
    """Lay out a bid table: one part for each hold rule, modifier and number of chips."""
    parts: list[RenderableType] = []
    groups: dict[tuple[object, ...], list[Row]] = {}
    for row in table.rows:
        groups.setdefault((row["hold"], row["modifier"], row["chips"]), []).append(row)
    for (hold, modifier, chips), rows in groups.items():
        how = "exact" if rows[0]["p_success"] is not None else "simulated only"
        question = f"Odds of a bid: {describe(int(str(modifier)), int(str(chips)))}, hold rule {hold} ({how})\n"
        parts.append(Text(question, "bold"))
        if table.simulated is None:
            parts.append(_exact_part(rows, table.game_rules, unicode=unicode))
        else:
            parts.append(_simulated_part(rows, table.game_rules))
        parts.append(Text())
    if table.simulated is None:
        signs = [sign if unicode else plain for _, sign, plain, _ in _BAR_PARTS]
        parts.append(
            Text(
                f"Bar: {signs[0]} 1st, {signs[1]} 2nd, {signs[2]} 3rd attempt; its full width is 100 %.\n"
                f"{under_words(table.game_rules).capitalize()}: failed with less than "
                f"{table.game_rules.black_sheep_below} after malus and bonus.\n"
                "Cards: what one is entitled to; fewer may be left on the table.",
                "dim",
            )
        )
    if table.check is not None:
        parts.append(Text(check_sentence(table.check, unicode=unicode)))
    return Group(*parts)


def _exact_part(rows: Sequence[Row], rules: Rules, *, unicode: bool) -> Table:
    shares = [f"{name}\n%" for name in (*map(cards_words, rules.cards_per_attempt), "success", under_words(rules))]
    shown = _table("bid", *shares, "cards\nmean", "")
    shown.columns[-1].justify = "left"
    for row in rows:
        shown.add_row(
            str(row["bid"]),
            *(in_percent(row[name]) for name in ("p_three", "p_two", "p_one", "p_success", "p_under_14")),
            number(row["mean_cards"]),
            _bar(row, unicode=unicode),
        )
    return shown


def _bar(row: Row, *, unicode: bool) -> Text:
    """Draw the chance of success by attempt; every end of a part is rounded by itself, so the whole is right too."""
    bar = Text()
    total, drawn = 0.0, 0
    for column, sign, plain, colour in _BAR_PARTS:
        total += float(row[column] or 0.0)
        end = round(total * BAR_WIDTH)
        bar.append((sign if unicode else plain) * (end - drawn), colour)
        drawn = end
    return bar


def _simulated_part(rows: Sequence[Row], rules: Rules) -> Table:
    shares = [f"{name}\n%" for name in ("success", *map(cards_words, rules.cards_per_attempt), under_words(rules))]
    shown = _table("bid", "", *shares)
    for row in rows:
        exact = row["p_success"] is not None
        if exact:
            shown.add_row(str(row["bid"]), "exact", *(in_percent(row[f"p_{name}"], 3) for name in SIMULATED))
        shown.add_row(
            "" if exact else str(row["bid"]), "simulated", *(in_percent(row[f"sim_p_{name}"], 3) for name in SIMULATED)
        )
        shown.add_row("", "95 % from", *(in_percent(row[f"sim_p_{name}_low"], 3) for name in SIMULATED))
        shown.add_row(
            "", "to", *(in_percent(row[f"sim_p_{name}_high"], 3) for name in SIMULATED), end_section=not exact
        )
        if exact:
            scores = (row[f"sim_p_{name}_z"] for name in SIMULATED)
            shown.add_row("", "z", *(f"{z:+.2f}" if isinstance(z, float) else "-" for z in scores), end_section=True)
    return shown


def hold_chart_tables(chart: HoldChart) -> RenderableType:
    """Lay out which die to set aside after the first and after the second roll."""
    rules = chart.terms.rules
    faces = range(1, max(rules.dice) + 1)
    first = _table("shows", *map(str, faces))
    for die, sides in enumerate(rules.dice):
        cells = [str(chart.first.get((die, face), ".")) if face <= sides else "" for face in faces]
        first.add_row(die_name(rules, die), *cells)
    sums = range(2, max(held for _, held in chart.second or [(0, 2)]) + 1)
    second = Table(box=SIMPLE_HEAD, pad_edge=False, padding=0, show_edge=False)
    second.add_column("sum", no_wrap=True)
    for held in sums:
        second.add_column(str(held), justify="right", no_wrap=True)
    for free in range(len(rules.dice)):
        second.add_row(f"{die_name(rules, free)} free", *(str(chart.second.get((free, held), ".")) for held in sums))
    return Group(
        Text("After the first roll: set aside the die with the smallest number.\n", "bold"),
        first,
        Text(
            "\nAfter the second roll: add the die you set aside to each of the two others.\n"
            "Look each sum up in the row of the die that would stay free; the smallest\n"
            "number says which die stays free, the other one is set aside.\n",
            "bold",
        ),
        second,
    )


def position_tables(position: Position) -> RenderableType:
    """Lay out the odds of each die that may be set aside, by rule."""
    parts: list[RenderableType] = []
    rules = position.terms.rules
    _, two_cards, last_cards = map(cards_words, rules.cards_per_attempt)
    for advice in position.advice:
        parts.append(Text(f"Going on by {advice.rule.spec}\n", "bold"))
        two = [] if position.attempt == 2 else [two_cards]
        valued = advice.options[0].value is not None
        ends = [f"{name}\n%" for name in (*two, last_cards, "success", "fail", under_words(rules))]
        shown = _table("set aside", *ends, "cards\nmean", *["value\nmean"] * valued, "")
        for option in advice.options:
            names = [*(["p_two"] if two else []), "p_one", "p_success", "p_fail", "p_under_14"]
            shown.add_row(
                f"{die_name(rules, option.die)} ({position.dice[option.die]})",
                *(in_percent(option.shares[name], 2) for name in names),
                number(option.shares["mean_cards"], 3),
                *[number(option.value, 4)] * valued,
                "best" if option.chosen and valued else "its choice" if option.chosen else "",
            )
        parts += [shown, Text()]
        sentence = accept_sentence(advice)
        if sentence:
            parts.append(Text(sentence + "\n"))
    if parts:
        note = f"Fail includes {under_words(rules)}; value as the rule counts.\n"
        parts.append(Text(note, "dim"))
    return Group(*parts)
