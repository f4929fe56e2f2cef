"""`woolsim find-best`: the best of many strategies, in stages."""

from pathlib import Path
from typing import Final

import click

from analyzer.errors import BadInputError
from analyzer.wool_rules.deck import Deck
from analyzer.wool_rules.rules import Rules
from reports.cli.hands import Where, where_options
from reports.cli.options import (
    OnceCommand,
    One,
    csv_output,
    deck_option,
    read_games,
    read_players,
    read_seed,
    rules_option,
    table_format,
)
from reports.cli.playing import begin, opponents_option, out_option, strategies_of

_HELP: Final = {"help_option_names": ["-h", "--help"]}

OPPONENTS: Final = 30
"""Groups of opponents in find-best, chosen at random from the strategies themselves."""


@click.command("find-best", context_settings=_HELP, cls=OnceCommand)
@click.argument("strategies", nargs=-1, metavar="STRATEGY...")
@opponents_option
@click.option("--players", type=One("PLAYERS", read_players), default="4", show_default=True, help="At a table.")
@click.option("--max-games", type=One("N", read_games), default="1e4", show_default=True, help="Deals at most.")
@click.option("--seed", type=One("SEED", read_seed), default="1", show_default=True, help="Seed of all deals.")
@out_option
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
    out: Path | None,
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
    from analyzer.runs import WHOLE
    from analyzer.wool_rules.game import WOOL_RULES
    from analyzer.wool_rules.setting import Setting
    from strategies.tournaments import RACE, RACING, Asked

    named, beside = strategies_of(strategies), strategies_of(opponents)
    if len(named) < 2:
        raise BadInputError("name two strategies or more, or a range, as in plain:level=14..27")
    drawn = 0 if beside or players == 2 else OPPONENTS
    settings = (Setting(rules, deck),)
    asked = Asked(WOOL_RULES, (*named, *beside), settings, RACE, (players,), seed, RACING, len(named), drawn)
    begin(ctx, asked, max_games, out, WHOLE, where, None, style, csv_file)
