"""Tables of a simulation for a terminal, readable in 80 columns."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from rich.console import Group, RenderableType
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from analyzer.rows import Row
from analyzer.wool_rules.constants import SCORE_PARTS
from analyzer.wool_rules.summary import Summary
from reports.layout import part, plain_table, spec_lines
from reports.words import counted, in_percent, number, percent, shortened, under_words

LONGEST_SPEC: Final = 15
"""Signs of a spec in a table, so that it fits into 80 columns; the whole spec stands above the tables."""

_HALF: Final = 5
"""Signs for half an interval beside a figure: six seats fit into 80 columns."""

PART_NAMES: Final = {
    "white": "white",
    "black": "black",
    "three_seven_zero": "3-7-0",
    "zero_zero_seven": "0-0-7",
    "dogs": "dog",
    "most_dogs": "most dogs",
    "bone": "bone",
    "chips": "chips",
}
"""Parts of a score in a few letters."""

CARD_NAMES: Final = {
    "n_white": "white",
    "n_black": "black",
    "n_370": "3-7-0",
    "n_007": "0-0-7",
    "n_dogs": "dogs",
    "has_bone": "bone",
    "chips_spent": "chips spent",
}


def simulation_tables(summary: Summary) -> RenderableType:
    """Lay out everything a simulation says."""
    seats = [row | {"strategy": label} for row, label in zip(summary.seat_rows(), summary.labels, strict=True)]
    return Group(
        *_heading(summary),
        *part("Score and victories", _score_table(seats), _score_note(summary)),
        *part("Where the points come from: mean points a game", *_means(seats, SCORE_PARTS, PART_NAMES)),
        *part("Cards taken and chips spent: mean number a game", *_means(seats, tuple(CARD_NAMES), CARD_NAMES)),
        *part("Dice actions by bid made", *_attempts(summary)),
        *part("Points gained in a round by place in the turn order", *_gains(summary.turns()[1], "place")),
        *part("Points gained in a round by bid made", *_gains(summary.bids()[1], "bid")),
        *part("The table", *_finish(summary)),
    )


def _heading(summary: Summary) -> Iterable[RenderableType]:
    question = summary.question
    played = f"{counted(summary.sums.games)} of {question.players} players"
    if summary.seatings > 1:
        played += f", each in all {summary.seatings} seatings"
    yield Text(f"{played}, {question.rounds} rounds each\n", "bold")
    for seat, strategy in enumerate(question.strategies):
        first, *more = spec_lines(strategy.spec)
        yield Text(f"seat {seat}  {first}")
        yield from (Text(f"          {line}") for line in more)
    yield Text()


def _seat(row: Row) -> str:
    return f"{row['seat']} {shortened(str(row['strategy']), LONGEST_SPEC)}"


def _score_table(seats: Sequence[Row]) -> Table:
    table = plain_table("seat", "score\nmean", "±", "sd", "5 %", "median", "95 %", "wins\n%", "from", "to")
    for row in seats:
        table.add_row(
            escape(_seat(row)),
            number(row["mean_score"]),
            _half(row, "mean_score"),
            number(row["sd_score"], 1),
            *(number(row[f"score_{name}"], 0) for name in ("q05", "median", "q95")),
            *(in_percent(row[f"win_share{end}"]) for end in ("", "_low", "_high")),
        )
    return table


def _score_note(summary: Summary) -> Text:
    return Text(
        f"±, from and to: 95 % interval of the mean of {counted(summary.sums.games)}; sd, 5 %, median and 95 % tell "
        "how single scores spread. Wins: win share; a victory shared by k counts 1/k for each."
    )


def _half(row: Row, name: str, digits: int = 2) -> str:
    """Return half the width of an interval, never rounded to nothing."""
    low, high = row[f"{name}_low"], row[f"{name}_high"]
    if not isinstance(low, float) or not isinstance(high, float):
        return "-"
    half = (high - low) / 2
    text = f"{half:.{digits}f}"
    return f"<{10**-digits:.{digits}f}" if half > 0 and float(text) == 0 else text


def _means(seats: Sequence[Row], fields: Sequence[str], names: Mapping[str, str]) -> Iterable[RenderableType]:
    table = plain_table("seat", *(names[field] for field in fields))
    for row in seats:
        table.add_row(escape(_seat(row)), *(number(row[field]) for field in fields))
    yield table
    yield _widest(seats, fields)


def _widest(rows: Sequence[Row], fields: Sequence[str]) -> Text:
    """Say how wide the widest interval of some columns is."""
    halves = [
        (high - low) / 2
        for row in rows
        for field in fields
        if isinstance(low := row[f"{field}_low"], float) and isinstance(high := row[f"{field}_high"], float)
    ]
    if not halves:
        return Text("One game tells nothing about the error of these means.")
    return Text(f"95 % interval of each mean of {rows[0]['games']:,} games: ±{max(halves):.2g} or less.")


def _attempts(summary: Summary) -> Iterable[RenderableType]:
    rules, rows = summary.question.rules, summary.attempts()[1]
    if not rows:
        yield Text("Nobody rolled a die.")
        return
    cards = [f"{n} card{'' if n == 1 else 's'}\n%" for n in rules.cards_per_attempt]
    table = plain_table("seat", "bid", "actions", *cards, "success\n%", "from", "to", f"{under_words(rules)}\n%")
    for row in rows:
        table.add_row(
            str(row["seat"]),
            str(row["bid"]),
            f"{row['actions']:,}",
            *(in_percent(row[f"p_{end}"]) for end in ("three", "two", "one")),
            *(in_percent(row[f"p_success{end}"]) for end in ("", "_low", "_high")),
            in_percent(row["p_under_14"]),
        )
    yield table
    skipped = "; ".join(f"seat {row['seat']} {percent(row['p_skipped'])}" for row in summary.seat_rows())
    yield Text(
        f"Shares of the dice actions with that bid; from, to: 95 % interval. {under_words(rules).capitalize()}: "
        f"failed so, after malus and bonus, and not lifted with chips. Turns skipped, of all rounds: {skipped}."
    )


def _gains(rows: Sequence[Row], what: str) -> Iterable[RenderableType]:
    seats = sorted({int(str(row["seat"])) for row in rows})
    by_key = {(row[what], row["seat"]): row for row in rows}
    keys = list(dict.fromkeys(row[what] for row in sorted(rows, key=lambda row: _order(row[what]))))
    table = plain_table(what, *(f"seat {seat}\n±" for seat in seats))
    for key in keys:
        cells = []
        for seat in seats:
            row = by_key.get((key, seat))
            cells.append(f"-{'-':>{_HALF}}" if row is None else _with_half(row))
        table.add_row(_ordinal(int(key)) if isinstance(key, int) else str(key), *cells)
    yield table
    fewest, most = (f"{pick(int(str(row['rounds'])) for row in rows):,}" for pick in (min, max))
    yield Text(
        "Change of the score, chips included, as if the game ended before and after each round; "
        f"means, ±: 95 % intervals, over {fewest if fewest == most else f'{fewest} to {most}'} rounds."
    )


def _with_half(row: Row) -> str:
    """Return the points of a row and half their interval, below each other for all rows."""
    half = _half(row, "points")
    return f"{number(row['points'])}{half:>{_HALF}}"


def _order(key: object) -> tuple[int, bool]:
    text = str(key)
    return int(text.rstrip("+")), text.endswith("+")


def _ordinal(place: int) -> str:
    return {1: "1st", 2: "2nd", 3: "3rd"}.get(place, f"{place}th")


def _finish(summary: Summary) -> Iterable[RenderableType]:
    table = plain_table("finished", "score\nmean", "±")
    for row in summary.finish_rows():
        table.add_row(_ordinal(int(str(row["place"]))), number(row["mean_score"]), _half(row, "mean_score"))
    yield table
    ties = [
        f"shared by {row['winners']}: {percent(row['share'], 2)} "
        f"({percent(row['share_low'], 2)} to {percent(row['share_high'], 2)})"
        for row in summary.table_rows()
        if row["winners"] == 2 or (int(str(row["winners"])) > 1 and row["share"])
    ]
    yield Text(f"Victory {'; '.join(ties)} of {counted(summary.played)}.")
