"""`woolsim find-best`: the best of many strategies, in stages."""

from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from analyzer.errors import BadInputError, Sitting
from analyzer.wool_rules.deck import Deck
from analyzer.wool_rules.rules import Rules
from reports.cli.faults import replaying_command
from reports.cli.hands import Where, where_options
from reports.cli.options import (
    OnceCommand,
    One,
    csv_output,
    deck_option,
    files_given,
    read_games,
    read_players,
    read_seed,
    reproducing_command,
    rules_option,
    table_format,
)
from reports.cli.playing import opponents_option, strategies_of
from reports.cli.show import (
    print_provenance,
    print_tables,
    progress_bar,
    show_rows,
    write_files,
)
from reports.export import ANYTIME, Provenance

if TYPE_CHECKING:
    from analyzer.find_best import Stage

_HELP: Final = {"help_option_names": ["-h", "--help"]}

OPPONENTS: Final = 30
"""Groups of opponents in find-best, chosen at random from the strategies themselves."""


@click.command("find-best", context_settings=_HELP, cls=OnceCommand)
@click.argument("strategies", nargs=-1, metavar="STRATEGY...")
@opponents_option
@click.option("--players", type=One("PLAYERS", read_players), default="4", show_default=True, help="At a table.")
@click.option("--max-games", type=One("N", read_games), default="1e4", show_default=True, help="Deals at most.")
@click.option("--seed", type=One("SEED", read_seed), default="1", show_default=True, help="Seed of all deals.")
@where_options
@rules_option
@deck_option
@table_format
@csv_output
@click.pass_context
def find_best_command(
    ctx: click.Context,
    strategies: tuple[str, ...],
    opponents: tuple[str, ...],
    players: int,
    max_games: int,
    seed: int,
    where: Where,
    rules: Rules,
    deck: Deck,
    style: str,
    csv_file: Path | None,
) -> None:
    """Find the best of many strategies: all play the same deals, and whoever is certainly beaten drops out.

    \b
    woolsim find-best plain:level=14..27 lone-dog random --field plain:level=20
    """  # noqa: D301
    from analyzer.find_best import FIND_BEST_COLUMNS, find_best, find_best_rows, racing_bounds
    from analyzer.line_ups import balanced
    from analyzer.paired import all_opponents
    from analyzer.wool_rules.game import WOOL_RULES
    from analyzer.wool_rules.setting import Setting
    from reports.words import counted
    from strategies.fields import check_distinct, check_plays_differ
    from strategies.recipes import Recipe

    named, beside = strategies_of(strategies), strategies_of(opponents)
    if len(named) < 2:
        raise BadInputError("name two strategies or more, or a range, as in plain:level=14..27")
    check_distinct(named)
    check_plays_differ(named)
    check_distinct(beside)
    everybody = (*named, *beside)
    if beside:
        around = all_opponents(range(len(named), len(everybody)), players)
    else:
        around = (
            balanced(len(named), players - 1, OPPONENTS, seed)
            if players > 2
            else all_opponents(range(len(named)), players)
        )
    recipe = Recipe(WOOL_RULES, everybody, (Setting(rules, deck),), seed)

    def replaying(sitting: Sitting) -> str:
        return replaying_command([each.given for each in everybody], seed, sitting, files_given(ctx))

    bounds = racing_bounds(len(named), around, max_games)
    stages: list[Stage] = []
    total = len(named) * players * len(around) * max_games
    with (
        where.hands() as hands,
        hands.playing(recipe, replaying) as executors,
        progress_bar("playing", total) as progress,
    ):
        stages += find_best(executors, len(named), around, bounds, max_games, progress=progress)
    rows = find_best_rows(stages, [each.given for each in named], bounds)
    played = (
        sum(
            len(stage.contenders) * (stage.games - before)
            for stage, before in zip(stages, [0, *(stage.games for stage in stages)], strict=False)
        )
        * players
        * len(around)
    )
    heading = f"{counted(played)} in {len(stages)} stage{'' if len(stages) == 1 else 's'}"
    provenance = Provenance(reproducing_command(ctx, seed), seed, f"played: {heading}; {ANYTIME}", rules, deck)
    write_files(rows, FIND_BEST_COLUMNS, provenance, csv_file)
    if style == "table":
        from reports.tournament_tables import find_best_table

        print_tables(find_best_table(rows, heading, bounds, decided=stages[-1].race.decided))
    else:
        show_rows(rows, FIND_BEST_COLUMNS, style)
    print_provenance(provenance, err=style != "table")
