"""`woolsim odds-card`: one page to print and lay on the table."""

from pathlib import Path
from typing import Final

import click

from analyzer.wool_rules.constants import MAX_PLAYERS, MIN_PLAYERS
from analyzer.wool_rules.dice import dice_of
from analyzer.wool_rules.rules import Rules
from reports.cli.amounts import players_option
from reports.cli.options import OnceCommand, OutputFile, reproducing_command, rules_option
from reports.cli.progress import progress_bar
from reports.cli.say import say
from reports.cli.show import print_provenance, save_page
from reports.export import Provenance

_HELP: Final = {"help_option_names": ["-h", "--help"]}


@click.command("odds-card", context_settings=_HELP, cls=OnceCommand)
@players_option(said="all of them")
@click.option(
    "--paper",
    type=click.Choice(["a4", "letter"], case_sensitive=False),
    default="a4",
    show_default=True,
    help="Size of the page.",
)
@click.option(
    "--out",
    "files",
    type=OutputFile((".pdf", ".png")),
    multiple=True,
    default=("odds-card.pdf", "odds-card.png"),
    show_default=True,
    help="Where to write the page: .pdf or .png; repeatable.",
)
@rules_option
@click.pass_context
def odds_card_command(
    ctx: click.Context, players: int | None, paper: str, files: tuple[Path, ...], rules: Rules
) -> None:
    """Write the odds on one page, to print and lay on the table.

    The odds of every bid, which die to set aside, what bonus, malus and chips change, what depends on the number of
    players, and what is assumed.

    \b
    woolsim odds-card
    woolsim odds-card --players 4 --paper letter --out card.pdf
    """  # noqa: D301
    from analyzer.wool_rules.hold_rules import SolvedRule
    from reports.card_page import card_figure
    from reports.odds_card import odds_card
    from reports.paper import PAGE_DPI, PAPERS
    from strategies.wool_rules.hold_registry import hold_rule

    hold = hold_rule("max-odds")
    assert isinstance(hold, SolvedRule)
    figures = f"exact: all {dice_of(rules.dice).n_actions:,} courses"
    provenance = Provenance(reproducing_command(ctx), None, figures, rules)
    different = {path.resolve(): path for path in files}  # one file under two names is written once
    with progress_bar("drawing", 2 + len(different), "steps") as progress:
        card = odds_card(hold, rules, range(MIN_PLAYERS, MAX_PLAYERS + 1) if players is None else [players])
        progress(1)
        figure = card_figure(card, PAPERS[paper])
        progress(1)
        save_page(figure, list(different.values()), provenance, PAGE_DPI, progress)
    names = " and ".join(map(str, different.values()))
    say(f"Wrote {names}: one page, {PAPERS[paper].name}. Print it in its actual size.")
    print_provenance(provenance)
