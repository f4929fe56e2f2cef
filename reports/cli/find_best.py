"""`woolsim find-best`: the best of many strategies, in stages."""

from pathlib import Path
from typing import Final

import click

from analyzer.errors import BadInputError
from analyzer.wool_rules.deck import Deck
from analyzer.wool_rules.rules import Rules
from reports.cli.amounts import count_option, players_option, seed_option
from reports.cli.completion import StrategySpec
from reports.cli.hands import Where, where_options
from reports.cli.options import OnceCommand, deck_option, rules_option
from reports.cli.playing import begin, field_of, opponents_option, out_option, player_counts
from reports.cli.shown import Shown, shown_options
from reports.cli.stopping import MOST_DEALS

_HELP: Final = {"help_option_names": ["-h", "--help"]}

OPPONENTS: Final = 30
"""Groups of opponents in find-best, chosen at random from the strategies themselves."""


@click.command("find-best", context_settings=_HELP, cls=OnceCommand)
@click.argument("strategies", nargs=-1, type=StrategySpec(), metavar="STRATEGY...")
@opponents_option("groups of them, drawn at random; they themselves with 2 players")
@players_option()
@count_option("--max-games", MOST_DEALS, default="1e4")
@seed_option
@out_option
@where_options
@rules_option
@deck_option
@shown_options("candidates")
@click.pass_context
def find_best_command(
    ctx: click.Context,
    strategies: tuple[str, ...],
    opponents: tuple[str, ...],
    players: int | None,
    max_games: int,
    seed: int,
    out: Path | None,
    where: Where,
    rules: Rules,
    deck: Deck,
    shown: Shown,
) -> None:
    """Find the best of many strategies: whoever is certainly beaten drops out.

    All that are left play the same deals, in stages.

    \b
    woolsim find-best plain:level=14..27 lone-dog random --field plain:level=20
    woolsim find-best plain:level=20..22 random --players 3 --max-games 200
    """  # noqa: D301
    from analyzer.runs import WHOLE
    from analyzer.wool_rules.game import WOOL_RULES
    from analyzer.wool_rules.setting import Setting
    from strategies.tournaments import RACE, RACING, Asked

    named, beside = field_of(strategies), field_of(opponents)
    counts, candidates = player_counts((players,) if players else (), named, beside), len(named.strategies)
    if len(counts) > 1:
        raise BadInputError(
            f"the files have {len(counts)} player counts, and find-best plays one: say which (--players)"
        )
    if candidates < 2:
        raise BadInputError("name two strategies or more, or a range, as in plain:level=14..27")
    drawn = 0 if beside.strategies or counts == (2,) else OPPONENTS
    field, settings = (*named.strategies, *beside.strategies), (Setting(rules, deck),)
    asked = Asked(WOOL_RULES, field, settings, RACE, counts, seed, RACING, candidates, drawn)
    begin(ctx, asked, max_games, out, WHOLE, where, shown)
