"""Tables of a tournament for a terminal, readable in 80 columns."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from analyzer.bounds import Bounds
from analyzer.outcome import Outcome
from analyzer.rows import Row
from analyzer.standings import all_have_played
from reports.labels import Labels
from reports.layout import part, plain_table
from reports.meta_tables import circle_words, mixture_table
from reports.words import in_percent, number, p_words, percent

WIN_SHARE: Final = ("wins\n%", "from", "to")
"""Headers of a win share and the ends of its interval, which is not symmetric."""

MARKS: Final = "From, to and ±: 95 % interval."
"""What stands beside figures."""

MOST_ROWS: Final = 12
"""Rows of pairs that are shown; all are in --table pairs."""

MOST_LINE_UPS: Final = 2_000
"""Line-ups up to which the mixture is shown without being asked for: beyond, it takes seconds."""


def tournament_tables(outcome: Outcome, heading: str, specs: Sequence[str]) -> RenderableType:
    """Lay out what a tournament says; `specs` has the strategies in full."""
    label = Labels(outcome.names)
    content: list[RenderableType] = [Text(heading + "\n", "bold"), *label.legend(specs)]
    content += part("Who is better", *_standings(outcome, label))
    if len(outcome.names) > 1:
        content += part("Head to head, at the tables where both sit", *_pairs(outcome, label))
    content += part("Players and seats: win share %", *_seats(outcome, label))
    content += part("Luck and skill: share of the variance of single scores", *_luck(outcome))
    if sum(len(sums.line_ups) for sums in outcome.sums) <= MOST_LINE_UPS:
        content += part("What to play against this field", *_mixture(outcome, label))
    return Group(*content)


def _cells(row: Row, name: str, write: Callable[[object], str]) -> tuple[str, str]:
    """Return a figure and how far its interval reaches, to the farther side."""
    value, low, high = (row[name + suffix] for suffix in ("", "_low", "_high"))
    if not isinstance(value, float) or not isinstance(low, float) or not isinstance(high, float):
        return write(value), "-"
    reach = max(high - value, value - low)
    half = write(reach)
    return write(value), half if half.strip("0.%") or reach == 0 else f"<{half[:-1]}1"


def _ends(row: Row, name: str) -> tuple[str, str, str]:
    """Return a share and the ends of its interval."""
    value, low, high = (_share(row[name + suffix]) for suffix in ("", "_low", "_high"))
    return value, low, high


def deals_words(rows: Sequence[Row]) -> str:
    """Say how many deals are behind rows."""
    deals = sorted({int(str(row["games"])) for row in rows if row["games"]})
    if not deals:
        return "no deals"
    if deals[0] == deals[-1]:
        return f"{deals[0]:,} deal{'' if deals[0] == 1 else 's'}"
    return f"{deals[0]:,} to {deals[-1]:,} deals"


def _points(digits: int) -> Callable[[object], str]:
    """Return what writes a share as points of a hundred, or another figure as it is."""
    return lambda value: number(value, digits)


def _share(value: object) -> str:
    """Write a share in percent, without the sign: that stands in the header."""
    return number(value * 100, 1) if isinstance(value, float) else "-"


def _standings(outcome: Outcome, label: Labels) -> Iterable[RenderableType]:
    table = plain_table("group", "strategy", *WIN_SHARE, "margin", "±", "rating", "±", "games", left=2)
    for row in outcome.standings:
        group = "-" if row["group"] is None else str(row["group"])
        cells = (*_ends(row, "win_share"), *_cells(row, "margin", _points(1)), *_cells(row, "rating", _points(0)))
        table.add_row(group, label(row["strategy"]), *cells, f"{row['games']:,}")
    yield table
    yield Text(
        f"Wins: mean win share over all line-ups, those with copies too. {group_words(outcome)} Margin: score less the "
        "mean of the others. Rating: "
        "Plackett-Luce on finishing orders; with 400 points more one is ahead ten times out of eleven; the field's "
        "mean is 1500. From, to and ±: 95 % interval. Games: deals, each in all rotations of the seats."
    )
    yield from map(Text, design_words(outcome))


def design_words(outcome: Outcome) -> list[str]:
    """Say what looking at the results does to intervals, and what rotating the seats did, a paragraph each."""
    said = []
    if outcome.bounds.planned is not None:
        said.append(
            f"{looked_at(outcome.bounds)} So do the groups, and the tables of pairs and seats. The intervals of "
            "ratings, luck and mixtures are ordinary ones, a little too narrow after stopping by the results."
        )
    factor = outcome.table("rotation")[-1]["win_share"]
    if isinstance(factor, float):
        said.append(f"Rotating the seats on the same deck and dice made the variance of win shares {smaller(factor)}.")
    return said


def group_words(outcome: Outcome) -> str:
    """Say what groups mean, and what errors hold."""
    holm = f"(Holm, {outcome.bounds.level * 100:g} % for all together)"
    design = outcome.design
    said = (
        "Group 1: the best and all that cannot be told from it; whoever is in a later group is worse than the best "
        f"of each group before it {holm}."
    )
    if not all_have_played(outcome.sums):
        there = sum(int(sums.played.sum()) for sums in outcome.sums)
        said = (
            f"No groups: only {there:,} of {sum(len(sums.line_ups) for sums in outcome.sums):,} line-ups have played, "
            "so the strategies have had different opponents, and win shares do not say yet who is better."
        )
    elif design.candidates == 1:
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


def _pairs(outcome: Outcome, label: Labels) -> Iterable[RenderableType]:
    rows = outcome.table("pairs")
    table = plain_table("", "against", *WIN_SHARE, "score", "±", "p\n(Holm)", left=2)
    closest = sorted(rows, key=lambda row: -float(row["p_holm"] or 0))[:MOST_ROWS]
    for row in closest:
        names = [label(row[which]) for which in ("strategy", "opponent")]
        table.add_row(*names, *_ends(row, "win_share"), *_cells(row, "score", _points(1)), p_words(row["p_holm"]))
    yield table
    more = f" The {MOST_ROWS} closest of {len(rows)}; the others: --table pairs." if len(rows) > MOST_ROWS else ""
    yield Text(
        f"Differences of win shares and scores, first less second, in {deals_words(closest)} where both sit.{more}"
    )
    cycles = outcome.table("cycles")
    circles = [cycles[at : at + 3] for at in range(0, len(cycles), 3)]
    if circles:
        clear = sum(circle[0]["clear"] == "yes" for circle in circles)
        yield Text(
            f"Circles of three in which each beats the next: {len(circles):,}, {clear:,} clear (--table cycles). The "
            f"clearest: {circle_words(circles[0], label)}"
        )


def _seats(outcome: Outcome, label: Labels) -> Iterable[RenderableType]:
    rows = outcome.table("seats")
    seats = sorted({int(str(row["seat"])) for row in rows if row["seat"] is not None})
    table = plain_table("strategy", "players", "all\nseats", *(f"seat\n{seat}" for seat in seats))
    by_key = {(row["strategy"], row["players"], row["seat"]): row for row in rows}
    widest = 0.0
    for name, players in dict.fromkeys((row["strategy"], row["players"]) for row in rows):
        cells = []
        for seat in (None, *seats):
            row = by_key.get((name, players, seat))
            cells.append("" if row is None else in_percent(row["win_share"]))
            if row is not None:
                widest = max(widest, _reach(row, "win_share"))
        table.add_row(label(name), str(players), *cells)
    yield table
    known = f"95 % interval of each: ±{percent(widest)} or less; " if widest else ""
    yield Text(f"{known}{deals_words(rows)} behind each.")


def _reach(row: Row, name: str) -> float:
    """Return how far an interval reaches to the farther side; 0 where there is none."""
    value, low, high = (row[name + suffix] for suffix in ("", "_low", "_high"))
    if isinstance(value, float) and isinstance(low, float) and isinstance(high, float):
        return max(high - value, value - low)
    return 0.0


def _luck(outcome: Outcome) -> Iterable[RenderableType]:
    rows = outcome.table("luck")
    table = plain_table("players", "source", "share %", "±", left=2)
    for row in rows:
        table.add_row(str(row["players"]), str(row["source"]), *_cells(row, "share", _share))
    yield table
    if any(row["share_low"] is None for row in rows):
        yield Text("-: not known, that needs more deals.")


def _mixture(outcome: Outcome, label: Labels) -> Iterable[RenderableType]:
    from analyzer.errors import BadInputError

    try:
        rows = outcome.table("mixture")
    except BadInputError:
        yield Text("The mixture that nobody can gain by leaving needs every line-up of the field.")
        return
    yield mixture_table(rows, label)
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


def paired_tables(tables: Mapping[str, Sequence[Row]], heading: str, bounds: Bounds) -> RenderableType:
    """Lay out what is compared on the same deals: candidates, or settings. `tables` has the rows of each table."""
    label = Labels([str(row["strategy"]) for row in next(iter(tables.values()))])
    content: list[RenderableType] = []
    for name, rows in tables.items():
        if name == "places" and len(rows) == 1:
            continue
        table, note = _PAIRED[name](rows, label)
        content += [table, Text(note), Text()]
    if bounds.planned is not None:
        content[-1:] = [Text(looked_at(bounds)), Text()]
    return Group(Text(heading + "\n", "bold"), *label.legend(), *content)


def paired_words(tables: Mapping[str, Sequence[Row]], bounds: Bounds) -> list[str]:
    """Say how tables that compare are to be read, a paragraph each."""
    label = Labels([str(row["strategy"]) for row in next(iter(tables.values()))])
    shown = {name: rows for name, rows in tables.items() if name != "places" or len(rows) > 1}
    said = [_PAIRED[name](rows, label)[1] for name, rows in shown.items()]
    return [*said, looked_at(bounds)] if bounds.planned is not None else said


def ahead_words(row: Row, first: str) -> str:
    """Say by how many points of a hundred a candidate wins more or less often than the first one."""
    ahead, low, high = (row[f"win_share_ahead{end}"] for end in ("", "_low", "_high"))
    if not isinstance(ahead, float):
        return ""
    sign = 1 if ahead > 0 else -1
    ends = sorted(sign * each * 100 for each in (low, high) if isinstance(each, float))
    interval = f" ({ends[0]:.1f} to {ends[1]:.1f})" if ends else ""
    if ahead == 0:
        return f"{row['strategy']} won as often as {first}{interval}"
    more = "more" if ahead > 0 else "less"
    return f"{row['strategy']} wins {abs(ahead) * 100:.1f} points{interval} {more} than {first}"


def _candidates(rows: Sequence[Row], label: Labels) -> tuple[Table, str]:
    table = plain_table("strategy", *WIN_SHARE, "score", "±", "ahead\n%", "±", "p", "deals")
    for row in rows:
        ahead = ("", "") if row["win_share_ahead"] is None else _cells(row, "win_share_ahead", _share)
        p = "" if row["p"] is None else p_words(row["p"])
        figures = (*_ends(row, "win_share"), *_cells(row, "score", _points(1)), *ahead, p)
        table.add_row(label(row["strategy"]), *figures, f"{row['games']:,}")
    factors = [float(row["pairing"]) for row in rows if isinstance(row["pairing"], float)]
    note = f"Wins: win share. Ahead: more of it than the first strategy has, on the same deals. {MARKS}"
    if len(rows) == 2:
        said = ahead_words(rows[1], str(rows[0]["strategy"]))
        note = f"{said}. {note}" if said else note
    if factors:
        factor = sum(factors) / len(factors)
        note += f" The same deals made its variance {smaller(factor)} ({deals_words(rows)})."
    return table, note


def _settings(rows: Sequence[Row], label: Labels) -> tuple[Table, str]:
    table = plain_table("strategy", "score", "then", "change", "±", "p", "wins\n%", "then", "change", "±")
    for row in rows:
        cells = [label(row["strategy"]), number(row["score"], 1), number(row["score_then"], 1)]
        cells += [*_cells(row, "score_change", _points(2)), p_words(row["score_p"])]
        cells += [_share(row["win_share"]), _share(row["win_share_then"])]
        table.add_row(*cells, *_cells(row, "win_share_change", _share))
    deals = deals_words(rows)
    return table, (
        f"Wins: win share. Then: with the other cards or rules, on the same deals ({deals}). ±: 95 % interval of the "
        "change."
    )


def _places(rows: Sequence[Row], label: Labels) -> tuple[Table, str]:
    if rows[0]["settings"] == 1:
        return _places_of_two(rows, label)
    table = plain_table("strategy", "place", "best", "worst", "same\n%", *WIN_SHARE, "low", "high", "verdict")
    for row in rows:
        places = [str(row[which]) for which in ("place", "best_place", "worst_place")]
        shares = [_share(row[which]) for which in ("lowest_win_share", "highest_win_share")]
        cells = (in_percent(row["same_place"], 0), *_ends(row, "win_share"), *shares, str(row["verdict"]))
        table.add_row(label(row["strategy"]), *places, *cells)
    return table, (
        "Wins: win share. Place with the first deck; best and worst place, same place, lowest and highest win share "
        f"(low, high) over the {rows[0]['settings']} other decks, all on the same deals, {least_deals(rows)} for each "
        "strategy and deck. From, to: 95 % interval. Verdict: a place survives if it is the same with every deck "
        "beyond chance, changes if it is another one with some; not known: too few games to say (Holm, for all places "
        "and decks together)."
    )


def _places_of_two(rows: Sequence[Row], label: Labels) -> tuple[Table, str]:
    table = plain_table("strategy", "place", *WIN_SHARE, "place\nthen", *WIN_SHARE, "verdict")
    for row in rows:
        now, then = (_ends(row, name) for name in ("win_share", "lowest_win_share"))
        table.add_row(
            label(row["strategy"]), str(row["place"]), *now, str(row["best_place"]), *then, str(row["verdict"])
        )
    return table, (
        f"Place by win share, before and then, on the same deals, {least_deals(rows)} for each strategy. From, to: "
        "95 % interval. Verdict: a place survives if it is surely the same, changes if it is surely another one; not "
        "known: too few games to say (Holm, for all places together)."
    )


_PAIRED: Final = {"candidates": _candidates, "settings": _settings, "places": _places}
"""What lays out each of the tables that compare, and says how it is to be read."""


def least_deals(rows: Sequence[Row]) -> str:
    """Say how many deals are behind each row at least."""
    deals = {int(str(row["games"])) for row in rows}
    return f"{min(deals):,}{' or more' if len(deals) > 1 else ''}"


def find_best_table(rows: Sequence[Row], heading: str, bounds: Bounds, *, decided: bool, alike: bool) -> RenderableType:
    """Lay out who is the best of many, and who dropped out when."""
    label = Labels([str(row["strategy"]) for row in rows])
    table = plain_table("strategy", *WIN_SHARE, "score", "±", "behind\n%", "to", "dropped", "deals")
    for row in rows:
        figures = (*_ends(row, "win_share"), *_cells(row, "score", _points(1)))
        behind = [_share(row[f"behind_{end}"]) for end in ("low", "high")]
        dropped = "" if row["dropped"] is None else f"stage {row['dropped']}"
        table.add_row(label(row["strategy"]), *figures, *behind, dropped, f"{row['games']:,}")
    note = find_best_words(rows, bounds, decided=decided, alike=alike)
    return Group(Text(heading + "\n", "bold"), *label.legend(), table, Text(note), Text())


def find_best_words(rows: Sequence[Row], bounds: Bounds, *, decided: bool, alike: bool) -> str:
    """Say who is the best of many as far as is known, and how their table is to be read."""
    left = [str(row["strategy"]) for row in rows if row["dropped"] is None]
    some = ", ".join(left[:4] + ["..."] * (len(left) > 4))
    verdict = f"Not decided among {len(left)}: {some}."
    if decided:
        verdict = f"The best is {left[0]}."
    elif alike:
        verdict = f"Play alike: {some}; no difference in any deal."
    return (
        f"{verdict} Wins: win share. Behind: how far it lies behind the best, from at least to at most; these "
        f"bounds hold at {bounds.level * 100:g} % for all strategies and stages together. {MARKS} {looked_at(bounds)}"
    )


def smaller(factor: float) -> str:
    """Say by what factor a variance is smaller, or larger."""
    if f"{factor:.2f}" == "1.00":
        return "neither smaller nor larger"
    return f"{factor:.2f} times smaller" if factor >= 1 else f"{1 / factor:.2f} times larger"
