"""`woolsim odds-page`: the odds on a phone, without a network."""

from pathlib import Path

import click

from analyzer.wool_rules.dice import dice_of
from analyzer.wool_rules.rules import Rules
from reports.cli.options import OnceCommand, OutputFile, reproducing_command, rules_option
from reports.cli.progress import progress_bar
from reports.cli.say import say
from reports.cli.show import print_provenance
from reports.export import Provenance, replacing

GOALS = ("max-odds", "max-cards")
"""What the page can go for; `woolsim odds` shows the same two."""


@click.command("odds-page", context_settings={"help_option_names": ["-h", "--help"]}, cls=OnceCommand)
@click.option(
    "--out",
    type=OutputFile((".html", ".htm")),
    default="odds-page.html",
    show_default=True,
    help="Where to write the page: .html.",
)
@rules_option
@click.pass_context
def odds_page_command(ctx: click.Context, out: Path, rules: Rules) -> None:
    """Write one HTML file that tells the odds on a phone, without a network.

    Choose the bid, bonus or malus and chips, tap the dice, and see which die to set aside, whether to accept help, and
    the odds. The figures are those of `woolsim odds` and `bid-table`, counting on all the chips chosen.

    \b
    woolsim odds-page
    woolsim odds-page --rules my_rules.toml --out my-odds.html
    """  # noqa: D301
    from analyzer.wool_rules.hold_rules import SolvedRule
    from analyzer.wool_rules.odds_tables import n_questions, odds_tables
    from reports.odds_page import odds_page
    from strategies.wool_rules.hold_registry import hold_rule

    goals = [rule for rule in map(hold_rule, GOALS) if isinstance(rule, SolvedRule)]
    with progress_bar("solving", n_questions(goals, rules), "questions") as progress:
        tables = odds_tables(goals, rules, progress)
    figures = f"exact: all {dice_of(rules.dice).n_actions:,} courses"
    provenance = Provenance(reproducing_command(ctx), None, figures, rules)
    page = odds_page(tables, provenance)
    with replacing(out) as (part,):
        part.write_bytes(page)
    say(f"wrote {out}: {len(page) / 1000:,.0f} kB, open it in any browser")
    print_provenance(provenance)
