"""Whole pictures: which panels a table's chart has, and their sizes."""

import textwrap
from collections.abc import Callable, Iterable
from typing import Final

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from analyzer.errors import BadInputError
from analyzer.wool_rules.advice import HoldChart
from analyzer.wool_rules.bid_table import SIMULATED, BidTable
from analyzer.wool_rules.bidding import bid_label, parse_bid
from analyzer.wool_rules.dice import dice_of
from analyzer.wool_rules.exact import solve
from analyzer.wool_rules.hold_rules import rows_at_once
from analyzer.wool_rules.rules import Rules
from analyzer.wool_rules.terms import Terms, Values
from reports import plots
from reports.frames import frame as frame_of
from reports.words import accept_sentences, describe, die_name, loss_words, percent, short_rule_sentence, wrapped

MAX_PANELS: Final = 8
NOTE_WIDTH: Final = 140
"""Letters in a line of the notes below a hold chart."""

_PANELS: Final[dict[str, tuple[list[str], Callable[[pd.DataFrame, Axes, Rules], Figure]]]] = {
    "success": (["hold", "modifier", "chips"], plots.success_by_attempt),
    "heat-map": (["hold", "chips"], plots.success_heat_map),
    "loss": (["modifier", "chips"], plots.loss_against_best),
    "check": (["hold", "modifier", "chips"], plots.simulated_against_exact),
}
"""By kind of chart: the columns that tell its panels apart, and what draws one."""


def chart_kind(wanted: str, rules: int, modifiers: int, chips: int, *, simulated: bool, exact: bool = True) -> str:
    """Choose what a bid table's picture shows.

    Parameters
    ----------
    wanted : str
        The name of a kind, or "auto" for what fits the table best.
    rules, modifiers, chips : int
        How many of each the table has.
    simulated, exact : bool
        Whether there are simulated figures, and exact ones for any rule.

    Returns
    -------
    str

    Raises
    ------
    BadInputError
        When the picture would have too many panels or there is nothing to check.
    """
    kind = wanted
    if kind == "auto":
        kind = "check" if simulated and exact else "heat-map" if modifiers > 1 else "loss" if rules > 1 else "success"
    if kind == "check" and not simulated:
        raise BadInputError("--chart check compares a simulation with the exact odds: add --simulate 1e6")
    if kind == "check" and not exact:
        raise BadInputError("--chart check needs a rule with exact odds; rules that draw at random have none")
    numbers = {"hold": rules, "modifier": modifiers, "chips": chips}
    panels = int(np.prod([numbers[name] for name in _PANELS[kind][0]]))
    if panels > MAX_PANELS:
        raise BadInputError(
            f"--chart {kind} would need {panels} panels, over {MAX_PANELS}: ask for fewer rules, modifiers or chips"
        )
    return kind


def bid_table_figure(table: BidTable, kind: str) -> Figure:
    """Draw a bid table.

    Parameters
    ----------
    table : BidTable
    kind : str
        As :func:`chart_kind` returns it.
    """
    frame = frame_of("bid-table", table.rows, table.columns)
    frame["simulated"] = frame["p_success"].isna()
    if kind == "check":
        frame = frame[~frame["simulated"]]
    elif table.simulated is not None:
        for name in SIMULATED:  # rules of chance have simulated odds only
            frame[f"p_{name}"] = frame[f"p_{name}"].fillna(frame[f"sim_p_{name}"])
    if kind == "loss":
        frame["best"] = _best_success(frame, table.game_rules)
    columns, draw = _PANELS[kind]
    groups = [group for _, group in frame.groupby(columns, sort=False)]
    height = 0.45 * frame["modifier"].nunique() + 1.8 if kind == "heat-map" else 4.6
    figure = Figure(figsize=(9.5, height * len(groups)), layout="constrained")
    for axes, group in zip(_panels(figure, len(groups)), groups, strict=True):
        draw(group, axes, table.game_rules)
    return figure


def _panels(figure: Figure, number: int) -> Iterable[Axes]:
    axes: np.ndarray = figure.subplots(number, 1, squeeze=False)
    return axes.ravel()


def _best_success(frame: pd.DataFrame, rules: Rules) -> np.ndarray:
    """Return the highest possible chance to make each row's bid with its chips."""
    bids = np.array([parse_bid(bid, rules) for bid in frame["bid"]])
    modifiers, chips = (frame[name].to_numpy(dtype=np.int64) for name in ("modifier", "chips"))
    terms, step = Terms.of_bids(bids, modifiers, chips, rules), rows_at_once(dice_of(rules.dice))
    parts = (terms[at : at + step] for at in range(0, len(terms), step))
    return np.concatenate([solve(part, Values(three=1, two=1, one=1)).expected for part in parts])


def hold_chart_figure(chart: HoldChart) -> Figure:
    """Draw a hold chart to print out: which die to set aside after the first and after the second roll."""
    terms = chart.terms
    figure = Figure(figsize=(11, 6.6), layout="constrained")
    upper, lower = _panels(figure, 2)
    asked = f"bid {bid_label(int(terms.bid[0]))}, {describe(int(terms.modifier[0]), int(terms.chips[0]))}"
    title = textwrap.fill(
        f"Which die to set aside: {asked}, best for {chart.rule.spec}", plots.TITLE_WIDTH, break_on_hyphens=False
    ) + plots.rules_note(terms.rules)
    figure.suptitle(title, fontsize=14, weight="bold").set_parse_math(False)
    plots.hold_ranks(_cells(terms.rules, chart.first, chart.first_success, "{}"), upper)
    upper.set_title("First roll: set aside the die with the smallest number", loc="left")
    upper.set_xlabel("what the die shows")
    plots.hold_ranks(_cells(terms.rules, chart.second, chart.second_success, "{} free"), lower)
    lower.set_title(
        "Second roll: add the die you set aside to each of the others; the smallest number says which die stays free",
        loc="left",
    )
    lower.set_xlabel("sum of the two dice that are set aside then")
    notes = (
        f"Small figures: chance to make the bid from there. Whole dice action: {percent(chart.figures['p_success'])} "
        f"(exact).\n{accept_sentences(chart)}"
        f"In short, after either roll: {short_rule_sentence(chart.short, terms.rules)}. "
        f"That loses {loss_words(chart, chart.short.loss)}."
    )
    figure.supxlabel(wrapped(notes, NOTE_WIDTH), fontsize=9)
    return figure


def _cells(
    rules: Rules, ranks: dict[tuple[int, int], int], success: dict[tuple[int, int], float], row: str
) -> pd.DataFrame:
    return pd.DataFrame(
        [
            {"row": row.format(die_name(rules, die)), "column": number, "rank": rank, "p_success": success[die, number]}
            for (die, number), rank in ranks.items()
        ]
    )
