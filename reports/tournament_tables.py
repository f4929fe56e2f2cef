"""Tables of a tournament for a terminal, readable in 80 columns."""

from collections.abc import Callable, Iterable, Sequence
from typing import Final

from rich.console import Group, RenderableType
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from analyzer.bounds import Bounds
from analyzer.outcome import Outcome, mixture_rows
from analyzer.rows import Row
from reports.layout import part, plain_table, spec_lines
from reports.words import number, percent, shortened

LONGEST_SPEC: Final = 18
MOST_ROWS: Final = 12
"""Rows of pairs that are shown; all are in --table pairs."""

MOST_LINE_UPS: Final = 2_000
"""Line-ups up to which the mixture is shown without being asked for: beyond, it takes seconds."""


def tournament_tables(outcome: Outcome, heading: str, specs: Sequence[str]) -> RenderableType:
    """Lay out what a tournament says; `specs` has the strategies in full."""
    rows = outcome.standings
    content: list[RenderableType] = [Text(heading + "\n", "bold"), *_legend(outcome, specs)]
    content += part("Who is better", *_standings(outcome, rows))
    if len(outcome.names) > 1:
        content += part("Head to head, at the tables where both sit", *_pairs(outcome))
    content += part("Players and seats: win share", *_seats(outcome))
    content += part("Luck and skill: share of the variance of single scores", *_luck(outcome))
    if sum(len(sums.line_ups) for sums in outcome.sums) <= MOST_LINE_UPS:
        content += part("What to play against this field", *_mixture(outcome))
    return Group(*content)


def _legend(outcome: Outcome, specs: Sequence[str]) -> Iterable[RenderableType]:
    long = [(name, spec) for name, spec in zip(outcome.names, specs, strict=True) if len(name) > LONGEST_SPEC]
    for name, spec in long:
        first, *more = spec_lines(spec)
        yield Text(f"{shortened(name, LONGEST_SPEC)}  {first}")
        yield from (Text(f"  {line}") for line in more)
    if long:
        yield Text()


def _cells(row: Row, name: str, write: Callable[[object], str]) -> tuple[str, str]:
    """Return a figure and half its interval."""
    value, low, high = (row[name + suffix] for suffix in ("", "_low", "_high"))
    if not isinstance(low, float) or not isinstance(high, float):
        return write(value), "-"
    half = write((high - low) / 2)
    return write(value), half if half.strip("0.%") or high == low else f"<{half[:-1]}1"


def _points(digits: int) -> Callable[[object], str]:
    """Return what writes a share as points of a hundred, or another figure as it is."""
    return lambda value: number(value, digits)


def _share(value: object) -> str:
    """Write a share in percent, without the sign: that stands in the header."""
    return number(value * 100, 1) if isinstance(value, float) else "-"


def _standings(outcome: Outcome, rows: Sequence[Row]) -> Iterable[RenderableType]:
    table = plain_table("group", "strategy", "win share %", "±", "margin", "±", "rating", "±", "games", left=2)
    for row in rows:
        name = escape(shortened(str(row["strategy"]), LONGEST_SPEC))
        group = "-" if row["group"] is None else str(row["group"])
        figures = (("win_share", _share), ("margin", _points(1)), ("rating", _points(0)))
        cells = [cell for figure, write in figures for cell in _cells(row, figure, write)]
        table.add_row(group, name, *cells, f"{row['games']:,}")
    yield table
    yield Text(
        f"{_groups(outcome)} Margin: score less the mean of the others. Rating: "
        "Plackett-Luce on finishing orders; with 400 points more one is ahead ten times out of eleven; the field's "
        "mean is 1500. ±: 95 % interval. Games: deals, each in all rotations of the seats."
    )
    if outcome.bounds.planned is not None:
        yield Text(
            f"{looked_at(outcome.bounds)} So do the groups, and the tables of pairs and seats below. The intervals of "
            "ratings, luck and mixtures are ordinary ones, a little too narrow after stopping by the results."
        )
    factor = outcome.table("rotation")[-1]["win_share"]
    if isinstance(factor, float):
        yield Text(f"Rotating the seats on the same deck and dice made the variance of win shares {smaller(factor)}.")


def _groups(outcome: Outcome) -> str:
    """Say what groups mean, and what errors hold."""
    holm = f"(Holm, {outcome.bounds.level * 100:g} % for all together)"
    design = outcome.design
    said = (
        "Group 1: the best and all that cannot be told from it; whoever is in a later group is worse than the best "
        f"of each group before it {holm}."
    )
    if design.candidates == 1:
        said = (
            "No groups: the candidate has other opponents than the field, so win shares do not say who is better; "
            "head to head does."
        )
    elif design.candidates is not None:
        said += " Of candidates alone: the field has other opponents than they, so it has no groups; see head to head."
    if design.sampled:
        said += (
            " Line-ups are a random choice: all intervals and groups include the draw of line-ups, but those of "
            "ratings, luck and mixtures do not."
        )
    return said


def _pairs(outcome: Outcome) -> Iterable[RenderableType]:
    rows = outcome.table("pairs")
    table = plain_table("", "against", "win share %", "±", "score", "±", "p (Holm)", left=2)
    closest = sorted(rows, key=lambda row: -float(row["p_holm"] or 0))[:MOST_ROWS]
    for row in closest:
        names = [escape(shortened(str(row[which]), LONGEST_SPEC)) for which in ("strategy", "opponent")]
        figures = (*_cells(row, "win_share", _share), *_cells(row, "score", _points(1)), _p(row["p_holm"]))
        table.add_row(*names, *figures)
    yield table
    more = f" The {MOST_ROWS} closest of {len(rows)}; the others: --table pairs." if len(rows) > MOST_ROWS else ""
    yield Text(f"Differences, first less second.{more}")
    cycles = outcome.cycles()
    if cycles:
        yield Text(
            "Circles in which each clearly beats the next: "
            + "; ".join(" > ".join((*cycle, cycle[0])) for cycle in cycles[:3])
            + (f" and {len(cycles) - 3} more." if len(cycles) > 3 else ".")
        )


def _seats(outcome: Outcome) -> Iterable[RenderableType]:
    rows = outcome.table("seats")
    seats = sorted({int(str(row["seat"])) for row in rows if row["seat"] is not None})
    table = plain_table("strategy", "players", "all seats", *(f"seat {seat}" for seat in seats))
    by_key = {(row["strategy"], row["players"], row["seat"]): row for row in rows}
    widest = 0.0
    for name, players in dict.fromkeys((row["strategy"], row["players"]) for row in rows):
        cells = []
        for seat in (None, *seats):
            row = by_key.get((name, players, seat))
            cells.append("" if row is None else percent(row["win_share"]))
            if row is not None and isinstance(row["win_share_low"], float) and isinstance(row["win_share_high"], float):
                widest = max(widest, (row["win_share_high"] - row["win_share_low"]) / 2)
        table.add_row(escape(shortened(str(name), LONGEST_SPEC)), str(players), *cells)
    yield table
    if widest:
        yield Text(f"95 % interval of each: ±{percent(widest)} or less.")


def _luck(outcome: Outcome) -> Iterable[RenderableType]:
    table = plain_table("players", "source", "share %", "±", left=2)
    for row in outcome.table("luck"):
        table.add_row(str(row["players"]), str(row["source"]), *_cells(row, "share", _share))
    yield table


def _mixture(outcome: Outcome) -> Iterable[RenderableType]:
    from analyzer.errors import BadInputError

    try:
        found = outcome.meta_games()
    except BadInputError:
        yield Text("The mixture that nobody can gain by leaving needs every line-up of the field.")
        return
    yield mixture_table(mixture_rows([(meta, outcome.names) for _, meta in found]))
    deals = sum(int(sums.blocks.sum()) for sums in outcome.sums)
    yield Text(
        "If everybody draws a strategy from this mixture, nobody gains by another of the field. From, to: 95 % "
        f"interval by resampling {deals:,} deals."
    )


def looked_at(bounds: Bounds) -> str:
    """Say what intervals mean where the results decided when to stop; nothing where the number of games was fixed."""
    if bounds.planned is None:
        return ""
    return "Results decide when to stop: intervals hold however often one looks (anytime-valid)."


def paired_tables(name: str, rows: Sequence[Row], heading: str, bounds: Bounds) -> RenderableType:
    """Lay out what is compared on the same deals: candidates, or two settings."""
    makers = {"candidates": _candidates, "settings": _settings, "places": _places}
    table, note = makers[name](rows)
    note = f"{note} {looked_at(bounds)}".rstrip()
    return Group(Text(heading + "\n", "bold"), table, Text(note), Text())


def _candidates(rows: Sequence[Row]) -> tuple[Table, str]:
    table = plain_table("strategy", "win share %", "±", "score", "±", "ahead %", "±", "p", "deals")
    for row in rows:
        ahead = ("", "") if row["win_share_ahead"] is None else _cells(row, "win_share_ahead", _share)
        p = "" if row["p"] is None else _p(row["p"])
        figures = (*_cells(row, "win_share", _share), *_cells(row, "score", _points(1)), *ahead, p)
        table.add_row(escape(shortened(str(row["strategy"]), LONGEST_SPEC)), *figures, f"{row['games']:,}")
    factors = [float(row["pairing"]) for row in rows if isinstance(row["pairing"], float)]
    note = "Ahead: win share more than the first strategy has, on the same deals. ±: 95 % interval."
    if factors:
        factor = sum(factors) / len(factors)
        note += f" The same deals made its variance {smaller(factor)}."
    return table, note


def _settings(rows: Sequence[Row]) -> tuple[Table, str]:
    table = plain_table("strategy", "score", "then", "change", "±", "p", "win share %", "then", "change", "±")
    for row in rows:
        cells = [escape(shortened(str(row["strategy"]), LONGEST_SPEC))]
        cells += [number(row["score"], 2), number(row["score_then"], 2), *_cells(row, "score_change", _points(2))]
        cells += [_p(row["score_p"]), _share(row["win_share"]), _share(row["win_share_then"])]
        table.add_row(*cells, *_cells(row, "win_share_change", _share))
    return table, "Then: with the other cards or rules, on the same deals. ±: 95 % interval of the change."


def _places(rows: Sequence[Row]) -> tuple[Table, str]:
    table = plain_table("strategy", "place", "best", "worst", "same", "win share %", "±", "low", "high", "verdict")
    for row in rows:
        name = escape(shortened(str(row["strategy"]), LONGEST_SPEC))
        places = [str(row[which]) for which in ("place", "best_place", "worst_place")]
        shares = [_share(row[which]) for which in ("lowest_win_share", "highest_win_share")]
        cells = (percent(row["same_place"], 0), *_cells(row, "win_share", _share), *shares, str(row["verdict"]))
        table.add_row(name, *places, *cells)
    deals = min(int(str(row["games"])) for row in rows)
    return table, (
        f"Place with the first deck; best and worst place, same place, lowest and highest win share over the "
        f"{rows[0]['settings']} other decks, all on the same deals, {deals:,} or more for each strategy and deck. ±: "
        "95 % interval. Verdict: a place survives if it is the same with every deck beyond chance, changes if it is "
        "another one with some; not known: too few games to say (Holm, for all places and decks together)."
    )


def find_best_table(rows: Sequence[Row], heading: str, bounds: Bounds, *, decided: bool) -> RenderableType:
    """Lay out who is the best of many, and who dropped out when."""
    table = plain_table("strategy", "win share %", "±", "score", "±", "behind %", "to", "dropped", "deals")
    for row in rows:
        figures = (*_cells(row, "win_share", _share), *_cells(row, "score", _points(1)))
        behind = [_share(row[f"behind_{end}"]) for end in ("low", "high")]
        dropped = "" if row["dropped"] is None else f"stage {row['dropped']}"
        name = escape(shortened(str(row["strategy"]), LONGEST_SPEC))
        table.add_row(name, *figures, *behind, dropped, f"{row['games']:,}")
    left = [str(row["strategy"]) for row in rows if row["dropped"] is None]
    some = ", ".join(left[:4] + ["..."] * (len(left) > 4))
    verdict = f"The best is {left[0]}." if decided else f"Not decided among {len(left)}: {some}."
    return Group(
        Text(heading + "\n", "bold"),
        table,
        Text(
            f"{verdict} Behind: how far its win share lies behind the best, from at least to at most; these bounds "
            f"hold at {bounds.level * 100:g} % for all strategies and stages together. ±: 95 % interval. "
            f"{looked_at(bounds)}"
        ),
        Text(),
    )


def smaller(factor: float) -> str:
    """Say by what factor a variance is smaller, or larger."""
    return f"{factor:.2f} times smaller" if factor >= 1 else f"{1 / factor:.2f} times larger"


def _p(p: object) -> str:
    if not isinstance(p, float):
        return "-"
    return "<0.0001" if p < 1e-4 else f"{p:.4f}"


def mixture_table(rows: Sequence[Row]) -> Table:
    """Lay out mixtures that nobody can gain by leaving, without the strategies that are in none."""
    table = plain_table("players", "strategy", "share %", "from", "to", "win share % against it", left=2)
    for row in rows:
        if row["share"] or row["share_high"]:
            name = escape(shortened(str(row["strategy"]), LONGEST_SPEC))
            shares = [_share(row[which]) for which in ("share", "share_low", "share_high", "payoff")]
            table.add_row(str(row["players"]), name, *shares)
    return table
