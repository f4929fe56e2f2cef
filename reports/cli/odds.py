"""`woolsim bid-table`, `hold-table` and `odds`: the odds of a dice action."""

import sys
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from analyzer.errors import BadInputError
from analyzer.wool_rules.bidding import bid_label
from analyzer.wool_rules.dice import dice_of
from analyzer.wool_rules.rules import Rules
from reports.cli.amounts import seed_option, threads_option
from reports.cli.completion import HoldSpec
from reports.cli.options import (
    ALL_BIDS_TEXT,
    BIDS,
    Dice,
    Many,
    OnceCommand,
    One,
    check_different,
    csv_output,
    joined,
    one_dice_action,
    output_files,
    read_attempt,
    read_chips,
    read_count,
    read_die,
    read_modifier,
    reproducing_command,
    rules_option,
    sides_text,
    table_format,
)
from reports.cli.progress import progress_bar
from reports.cli.say import note, say
from reports.cli.show import has_unicode, print_provenance, print_tables, show_rows, write_files
from reports.export import Provenance

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.figure import Figure

    from analyzer.wool_rules.advice import HoldChart
    from analyzer.wool_rules.hold_rules import HoldRule

EXACT_FROM_HERE = "exact: all courses from here"
"""More than any table needs."""

_HELP = {"help_option_names": ["-h", "--help"]}

_SHARE, _SIMULATED_SHARE = "{:.1%}".format, "{:.3%}".format
_MARKDOWN: dict[str, Callable[[Any], str]] = {
    "bid": str,
    "modifier": lambda modifier: f"{modifier:+d}" if modifier else "0",
    "chips": str,
    "hold": str,
    **dict.fromkeys(("p_three", "p_two", "p_one", "p_success", "p_under_14"), _SHARE),
    "mean_cards": "{:.2f}".format,
}
_SIMULATED_MARKDOWN: dict[str, Callable[[Any], str]] = {
    "sim_n": "{:,}".format,
    **dict.fromkeys(("sim_p_success", "sim_p_success_low", "sim_p_success_high"), _SIMULATED_SHARE),
    "sim_p_success_z": "{:+.2f}".format,
}
"""Columns of a Markdown table and how their figures are written."""


@click.command("bid-table", context_settings=_HELP, cls=OnceCommand)
@click.option(
    "--bid",
    "bids",
    type=BIDS,
    multiple=True,
    default=(ALL_BIDS_TEXT,),
    show_default=True,
    help="The bid, 14 to 26 or 26+; several as in 14,20..26+.",
)
@click.option(
    "--modifier",
    "modifiers",
    type=Many("POINTS", read_modifier),
    multiple=True,
    default=("0",),
    show_default=True,
    help="Bonus or malus on the top card of the flock; several as in --modifier=-3..3.",
)
@click.option(
    "--chips",
    type=Many("CHIPS", read_chips),
    multiple=True,
    default=("0",),
    show_default=True,
    help="Wool chips to be spent on making the bid; several as in 0,2.",
)
@click.option(
    "--hold",
    "specs",
    multiple=True,
    default=("max-odds",),
    show_default=True,
    type=HoldSpec(),
    help="Rule that sets dice aside: a name from `woolsim strategies list --slot hold`, or FILE.py:NAME; repeatable.",
)
@click.option("--simulate", "n", type=One("N", read_count), help="Also roll the dice of N dice actions for each row.")
@seed_option
@threads_option
@click.option(
    "--chart",
    type=click.Choice(["success", "heat-map", "loss", "check"]),
    help="What --png draws, instead of what fits best: success by attempt; bid by modifier; loss against the best "
    "rule; simulation against exact.",
)
@rules_option
@table_format
@output_files
@click.pass_context
def bid_table_command(
    ctx: click.Context,
    bids: tuple[tuple[int, ...], ...],
    modifiers: tuple[tuple[int, ...], ...],
    chips: tuple[tuple[int, ...], ...],
    specs: tuple[str, ...],
    n: int | None,
    seed: int,
    threads: int | None,
    chart: str | None,
    rules: Rules,
    style: str,
    csv_file: Path | None,
    png: Path | None,
) -> None:
    """Print the odds of every bid: exact, and confirmed by simulation if asked.

    \b
    woolsim bid-table --bid 20..26+ --modifier=-3..3 --chips 0,2 --png odds.png
    woolsim bid-table --hold max-odds --hold keep-highest --simulate 1e5
    """  # noqa: D301
    from analyzer.wool_rules.bid_table import bid_table
    from reports.tables import bid_tables
    from reports.words import check_sentence
    from strategies.wool_rules.hold_registry import hold_rule

    holds = [hold_rule(spec) for spec in dict.fromkeys(specs)]
    all_bids, all_modifiers, all_chips = joined(bids), joined(modifiers), joined(chips)
    check_different(csv=csv_file, png=png)
    kind = ""
    if chart is not None and png is None:
        raise BadInputError(f"--chart {chart} chooses what --png draws: add --png FILE")
    if png is not None:
        from reports.charts import bid_table_figure, chart_kind

        kind = chart_kind(
            chart or "auto",
            len(holds),
            len(all_modifiers),
            len(all_chips),
            simulated=n is not None,
            exact=any(rule.has_exact_odds for rule in holds),
        )
    _announce_compiling(holds, rules, simulated=n is not None)
    rows = len(holds) * len(all_bids) * len(all_modifiers) * len(all_chips)
    with progress_bar("rolling", rows * n, "dice actions") if n else nullcontext() as progress:
        table = bid_table(
            holds,
            all_bids,
            all_modifiers,
            all_chips,
            game_rules=rules,
            simulate=n,
            seed=seed,
            threads=threads,
            progress=progress,
        )
    made = [_exact(rules)] if any(rule.has_exact_odds for rule in holds) else []
    if n:
        made.append(f"simulated: {n:,} a row")
    figures = "; ".join(made)
    provenance = Provenance(reproducing_command(ctx, seed), seed, figures, rules)
    write_files(table.rows, table.columns, provenance, csv_file, png, lambda: bid_table_figure(table, kind))
    if style == "table":
        print_tables(bid_tables(table, unicode=has_unicode(sys.stdout)))
        _print_chips_hint(holds, all_chips)
        print_provenance(provenance)
    else:
        show_rows(table.rows, table.columns, style, _MARKDOWN | (_SIMULATED_MARKDOWN if n else {}))
        if table.check is not None:
            note(check_sentence(table.check, unicode=has_unicode(sys.stderr)))
        _print_chips_hint(holds, all_chips, err=True)
        print_provenance(provenance, err=True)


def _exact(rules: Rules) -> str:
    """Say how exact figures are made."""
    return f"exact: all {dice_of(rules.dice).n_actions:,} courses"


def _announce_compiling(holds: "Sequence[HoldRule]", rules: Rules, *, simulated: bool) -> None:
    """Say on standard error when the first use after installing has to compile."""
    if not simulated and not any(rule.is_policy for rule in holds):
        return  # NumPy does it; numba is not even imported
    from analyzer.jit import needs_compiling
    from analyzer.wool_rules.simulate import kernels_for

    if any(needs_compiling(kernel) for kernel in kernels_for(holds, dice_of(rules.dice), simulated=simulated)):
        note("Compiling for the first use: this takes a few seconds.")


def _print_chips_hint(holds: "Sequence[HoldRule]", chips: tuple[int, ...], *, err: bool = False) -> None:
    """Say which rule would count on the chips that a row spends."""
    from analyzer.wool_rules.hold_rules import SolvedRule

    for rule in holds:
        if isinstance(rule, SolvedRule) and not rule.chips_given and any(chips):
            joint = "," if ":" in rule.spec else ":"
            say(f"{rule.spec} sets dice aside counting on no chips; to count on them:", err=err)
            say(f"--hold {rule.spec}{joint}chips={max(chips)}", err=err)


@click.command("hold-table", context_settings=_HELP, cls=OnceCommand)
@one_dice_action
@click.option(
    "--hold",
    "spec",
    default="max-odds",
    show_default=True,
    type=HoldSpec(),
    help="Rule that sets dice aside: max-odds, max-cards, or fixed-values:three=...,two=...,one=... for your own "
    "values.",
)
@table_format
@output_files
@click.pass_context
def hold_table_command(
    ctx: click.Context,
    bid: int,
    modifier: int,
    chips: int,
    rules: Rules,
    spec: str,
    style: str,
    csv_file: Path | None,
    png: Path | None,
) -> None:
    """Print which die to set aside, in a form that a person can use at the table.

    \b
    woolsim hold-table --bid 24 --modifier -3 --chips 1 --png hold-24.png
    woolsim hold-table --bid 18 --hold fixed-values:three=1,two=3,one=2
    """  # noqa: D301
    from analyzer.wool_rules.advice import hold_chart
    from analyzer.wool_rules.hold_rules import SolvedRule
    from analyzer.wool_rules.terms import Terms
    from reports.rows import HOLD_COLUMNS, hold_rows
    from reports.tables import hold_chart_tables
    from reports.words import describe, loss_sentences, wrapped
    from strategies.wool_rules.hold_registry import hold_rule

    check_different(csv=csv_file, png=png)
    rule = hold_rule(spec)
    if not isinstance(rule, SolvedRule):
        raise BadInputError(
            f"--hold {spec}: a chart is made for max-odds, max-cards or fixed-values:...; this rule is none of them"
        )
    counted = rule.chips_of(chips)
    chart = hold_chart(rule, Terms.one(bid, modifier, counted, rules))
    if not chart.first:
        raise BadInputError(
            f"bid {bid_label(bid)}, {describe(modifier, counted)}: every first roll takes cards, so no die is set aside"
        )
    provenance = Provenance(reproducing_command(ctx), None, _exact(rules), rules)
    rows = hold_rows(chart)
    write_files(rows, HOLD_COLUMNS, provenance, csv_file, png, lambda: _hold_figure(chart))
    if style == "table":
        title = f"Which die to set aside: bid {bid_label(bid)}, {describe(modifier, counted)}, best for {spec}"
        say(wrapped(title))
        if counted != chips:
            say(f"{spec} counts on {counted} of the {chips} chips.")
        say("")
        print_tables(hold_chart_tables(chart))
        say(wrapped(loss_sentences(chart)))
        print_provenance(provenance)
    else:
        show_rows(rows, HOLD_COLUMNS, style)
        print_provenance(provenance, err=True)


def _hold_figure(chart: "HoldChart") -> "Figure":
    from reports.charts import hold_chart_figure

    return hold_chart_figure(chart)


@click.command("odds", context_settings=_HELP, cls=OnceCommand)
@one_dice_action
@click.option("--dice", type=Dice(), required=True, help="What the dice show, all three, d12 first.")
@click.option(
    "--attempt",
    type=One("1|2", read_attempt),
    default="1",
    show_default=True,
    help="The attempt that has just been rolled.",
)
@click.option("--held", type=One("DIE", read_die), help="With --attempt 2: the die set aside before it, 12, 10 or 8.")
@click.option(
    "--hold",
    "specs",
    multiple=True,
    type=HoldSpec(),
    help="Rule that sets dice aside: one more to go on by, as in fixed-values:three=3,two=2,one=1,chip=0.5; "
    "repeatable.",
)
@table_format
@csv_output
@click.pass_context
def odds_command(
    ctx: click.Context,
    bid: int,
    dice: tuple[int, int, int],
    modifier: int,
    chips: int,
    rules: Rules,
    attempt: int,
    held: int | None,
    specs: tuple[str, ...],
    style: str,
    csv_file: Path | None,
) -> None:
    """Print the odds in the middle of a dice action, for each die to set aside.

    \b
    woolsim odds --bid 24 --dice 12,10,3 --modifier -3 --chips 1
    woolsim odds --bid 24 --dice 12,7,3 --chips 1 --attempt 2 --held 12
    """  # noqa: D301
    from analyzer.wool_rules.position import position
    from analyzer.wool_rules.terms import Terms
    from reports.rows import position_columns, position_rows
    from reports.tables import position_tables
    from reports.words import best_sentence, situation_sentences, wrapped
    from strategies.wool_rules.hold_registry import hold_rule

    if attempt == 2 and held is None:
        raise BadInputError(f"--attempt 2 needs --held {sides_text(rules, 'or')}: the die set aside before it")
    if attempt == 1 and held is not None:
        raise BadInputError("--held belongs to --attempt 2: after the first attempt no die is set aside yet")
    holds = [hold_rule(spec) for spec in dict.fromkeys(("max-odds", "max-cards", *specs))]
    _announce_compiling(holds, rules, simulated=False)
    found = position(holds, Terms.one(bid, modifier, chips, rules), dice, attempt, held)
    provenance = Provenance(reproducing_command(ctx), None, EXACT_FROM_HERE, rules)
    rows, columns = position_rows(found), position_columns(rules)
    write_files(rows, columns, provenance, csv_file)
    if style == "table":
        say(wrapped(situation_sentences(found)) + "\n")
        print_tables(position_tables(found))
        if found.advice:
            say(wrapped(best_sentence(found)) + "\n")
        print_provenance(provenance)
    else:
        show_rows(rows, columns, style)
        print_provenance(provenance, err=True)
