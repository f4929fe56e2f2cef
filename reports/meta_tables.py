"""The game of choosing a strategy, for a terminal: pay-offs, circles and the mixture nobody can gain by leaving."""

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Final

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from analyzer.payoffs import BESIDE
from analyzer.rows import Row
from reports.labels import FULL_WIDTH, Labels
from reports.layout import part, plain_table
from reports.words import number, p_words

MOST_CIRCLES: Final = 5
"""Circles that are told; all are in --table cycles."""


def meta_game_tables(
    names: Sequence[str], payoffs: Sequence[Row], cycles: Sequence[Row], mixtures: Sequence[Row]
) -> RenderableType:
    """Lay out the rows of the tables payoff, cycles and mixture."""
    label = Labels(names)
    content: list[RenderableType] = [*label.legend()]
    for players, rows in groupby(payoffs, key=lambda row: int(str(row["players"]))):
        others = "the other" if players == 2 else f"{players - 1} copies of the other"
        title = f"Pay-offs, {players} players: win share % of one strategy beside {others}"
        content += part(title, *_payoff_matrix(list(rows), players, names, label))
    content += part("Circles: who beats whom, at the tables where both sit", *_circle_lines(cycles, label))
    content += part("The mixture nobody can gain by leaving", mixture_table(mixtures, label))
    return Group(*content)


def _payoff_matrix(rows: Sequence[Row], players: int, names: Sequence[str], label: Labels) -> Iterable[RenderableType]:
    """Yield the tables at which all others play alike, as many as fit, the best strategies first."""
    cells = {
        (one, other): row
        for row in rows
        for one, other in [(str(row["strategy"]), str(row["opponents"]).split(BESIDE)[0])]
        if row["opponents"] == BESIDE.join([other] * (players - 1))
    }
    best = sorted(names, key=lambda one: -sum(_value(row) for (who, _), row in cells.items() if who == one))
    texts = {key: _payoff(row) for key, row in cells.items()}
    widest = max((len(line) for text in texts.values() for line in text.splitlines()), default=1)
    beside = max(len(label.plain(name)) for name in names) + 3
    shown = best[: max((FULL_WIDTH - beside) // (widest + 2), 1)]
    table = plain_table("", *(str(at) for at in range(1, len(shown) + 1)))
    for at, one in enumerate(shown, 1):
        table.add_row(f"{at} {label(one)}", *(texts.get((one, other), "") for other in shown))
    yield table
    games = sorted({int(str(row["games"])) for row in cells.values()} or {0})
    deals = f"{games[0]:,}" if games[0] == games[-1] else f"{games[0]:,} to {games[-1]:,}"
    left = f" The best {len(shown)} of {len(best)} strategies." if len(shown) < len(best) else ""
    all_line_ups = " All line-ups: --table payoff." if left or players > 2 else ""
    yield Text(
        f"Below each its 95 % interval; {deals} deal{'' if deals == '1' else 's'} of each line-up.{left}{all_line_ups}"
    )


def _value(row: Row) -> float:
    return float(str(row["win_share"]))


def _payoff(row: Row) -> str:
    """Write a win share in percent, and its interval below where there is one."""
    value, low, high = (row[f"win_share{end}"] for end in ("", "_low", "_high"))
    shown = number(_value(row) * 100, 1)
    if not isinstance(low, float) or not isinstance(high, float) or low == high == value:
        return f"{shown}\n"
    return f"{shown}\n{low * 100:.1f}-{high * 100:.1f}"


def _circle_lines(cycles: Sequence[Row], label: Labels) -> Iterable[Text]:
    circles = [list(rows) for _, rows in groupby(cycles, key=lambda row: row["cycle"])]
    if not circles:
        yield Text("There are none: nobody beats one that beats another that beats the first.")
        return
    for circle in circles[:MOST_CIRCLES]:
        yield Text(circle_words(circle, label))
    clear = sum(circle[0]["clear"] == "yes" for circle in circles)
    more = f" The {MOST_CIRCLES} clearest; all: --table cycles." if len(circles) > MOST_CIRCLES else ""
    yield Text(
        f"{len(circles):,} circle{'' if len(circles) == 1 else 's'}, {clear:,} clear: each link is more than chance "
        f"(Holm, all pairs of the field together).{more}"
    )


def circle_words(circle: Sequence[Row], label: Labels) -> str:
    """Say who beats whom by how many points of a hundred, and which of it may be chance."""
    links = [
        f"beats {label.plain(link['opponent'])} by {_value(link) * 100:.1f} points "
        f"({'clearly' if link['won'] == 'clearly' else 'perhaps by chance'}, p {p_words(link['p_holm'])})"
        for link in circle
    ]
    return f"{circle[0]['cycle']}. {label.plain(circle[0]['strategy'])} {', which '.join(links)}."


def mixture_table(rows: Sequence[Row], label: Labels) -> Table:
    """Lay out mixtures that nobody can gain by leaving, without the strategies that are in none."""
    table = plain_table("players", "strategy", "share %", "from", "to", "win share % against it", left=2)
    for row in rows:
        if row["share"] or row["share_high"]:
            shares = [
                number(value * 100, 1) if isinstance(value, float) else "-"
                for value in (row[which] for which in ("share", "share_low", "share_high", "payoff"))
            ]
            table.add_row(str(row["players"]), label(row["strategy"]), *shares)
    return table
