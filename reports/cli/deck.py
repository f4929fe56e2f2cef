"""`woolsim deck`: checking, showing and starting a deck of one's own."""

from contextlib import suppress
from pathlib import Path
from shlex import quote

import click

from analyzer.errors import BadInputError
from analyzer.wool_rules.rules import Rules
from reports.cli.help import HelpedGroup
from reports.cli.options import OnceCommand, force_option, reproducing_command, rules_option, table_format
from reports.cli.say import say
from reports.cli.show import show_rows
from reports.export import check_output, replacing

_HELP = {"help_option_names": ["-h", "--help"]}
_FILE = click.Path(path_type=Path)


@click.group("deck", context_settings=_HELP, cls=HelpedGroup)
def deck_group() -> None:
    """Check and show decks, and start one of your own.

    A deck is a CSV file with a line for each of its 60 cards. Start one with
    `woolsim deck new FILE`, edit it, check it, and play with it: --deck FILE.

    \b
    woolsim deck show
    woolsim deck new my-deck.csv
    """  # noqa: D301


@deck_group.command("check", cls=OnceCommand)
@click.argument("file", type=_FILE, required=False)
@rules_option
@click.pass_context
def check_command(ctx: click.Context, file: Path | None, rules: Rules) -> None:
    """Say every fault of a deck file, or what its cards add up to.

    Every fault is a line on standard error, with file and line, and the exit status is 2. Without
    FILE, the shipped deck is checked.

    \b
    woolsim deck check
    woolsim deck check my_deck.csv --rules my_rules.toml
    """  # noqa: D301
    from analyzer.wool_rules.deck import SHIPPED_FILE, examine
    from reports.decks import kind_table, made_by, modifier_line, notes

    deck, faults = examine(SHIPPED_FILE if file is None else file, rules)
    if deck is None:
        raise BadInputError("\nError: ".join(faults))  # each as if it were the only one
    say(f"{'The shipped deck' if file is None else file}: no faults\n")
    say(f"{kind_table(deck)}\n\n{modifier_line(deck)}\n\n{notes(deck)}\n")
    say(made_by(deck, reproducing_command(ctx)))


@deck_group.command("show", cls=OnceCommand)
@click.argument("file", type=_FILE, required=False)
@table_format
@click.pass_context
def show_command(ctx: click.Context, file: Path | None, style: str) -> None:
    """Print the cards of a deck, the shipped one without FILE.

    --format csv prints a deck file.

    \b
    woolsim deck show
    woolsim deck show --format csv
    """  # noqa: D301
    from analyzer.wool_rules.deck import COLUMNS, read_deck, shipped_deck
    from reports.decks import card_rows, card_table, kind_table, made_by, signed

    deck = shipped_deck() if file is None else read_deck(file)
    if style == "table":
        say(f"{card_table(deck)}\n\n{kind_table(deck)}\n")
    else:
        show_rows(card_rows(deck), COLUMNS, style, dict.fromkeys(COLUMNS, str) | {"modifier": signed})
    say(made_by(deck, reproducing_command(ctx)), err=style != "table")


@deck_group.command("new", cls=OnceCommand)
@click.argument("file", type=_FILE)
@click.option("--from", "source", type=_FILE, metavar="FILE", help="Start from this deck instead of the shipped one.")
@force_option
def new_command(file: Path, source: Path | None, force: bool) -> None:
    """Write a deck file to start from.

    \b
    woolsim deck new my-deck.csv
    woolsim deck new better.csv --from my_deck.csv
    """  # noqa: D301
    from analyzer.wool_rules.deck import read_deck, shipped_deck, to_csv
    from reports.decks import deck_line

    _check_new(file, force=force)
    deck = shipped_deck() if source is None else read_deck(source)
    with replacing(file) as (part,):
        part.write_text(to_csv(deck), encoding="utf-8", newline="")
    say(f"Wrote {file}: the 60 cards of {deck_line(deck)}.\n")
    name = quote(str(file))
    say(
        "Edit it in a text editor, or in a spreadsheet with the column kind as text\n"
        "(or 3-7-0 becomes a date). Then:\n\n"
        f"woolsim deck check {name}\n"
        f"woolsim simulate ... --deck {name}"
    )


def _check_new(path: Path, *, force: bool) -> None:
    """Make sure that a new file can be written and that none is lost by it."""
    with suppress(OSError, ValueError):  # check_output() says what is wrong with such a name
        if path.exists() and not path.is_file() and not path.is_dir():
            raise BadInputError(f"{path}: is not an ordinary file; to print a deck: woolsim deck show --format csv")
    check_output(path)
    if path.exists() and not force:
        raise BadInputError(f"{path}: is there already; choose another name, or --force to overwrite it")
