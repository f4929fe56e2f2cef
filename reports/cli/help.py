"""The help of a command: what it is for, examples, and its options under headings."""

from inspect import cleandoc
from typing import Any, Final

import click

from reports.cli.say import quiet_option

HEADINGS: Final = {
    "Which dice action": ("--bid", "--modifier", "--chips", "--dice", "--attempt", "--held", "--hold"),
    "Who plays": ("--field", "--players", "--shape", "--line-ups", "--candidates", "--rotate"),
    "How many games, and which": (
        *("--games", "--target-error", "--until-decided", "--min-games", "--max-games"),
        *("--simulate", "--game", "--seed"),
    ),
    "What is played with": ("--rules", "--deck", "--perturb-deck", "--from"),
    "What is shown": ("--slot", "--format", "--json", "--table", "--chart"),
    "What is written": (
        *("--out", "--force", "--paper", "--csv", "--png", "--histogram"),
        *("--report", "--image-format", "--parquet"),
    ),
    "How it runs": ("--threads", "--scheduler", "--part", "--stall", "--quiet", "--help"),
}
"""Headings in the order in which they are shown, and under which one an option stands in every command."""

ELSEWHERE: Final = "Other options"
"""Where the options of installed packages would stand."""

_COLUMN: Final = 26
"""Widest name of an option with its text beside it."""

_EXAMPLES: Final = "\n\n\b\n"
"""What parts the text of a help from its examples; the sign is click's."""


def heading_of(option: click.Parameter) -> str:
    """Return the heading of an option."""
    name = max(option.opts, key=len)
    return next((heading for heading, names in HEADINGS.items() if name in names), ELSEWHERE)


def examples_of(command: click.Command) -> list[str]:
    """Return the command lines that the help of a command shows."""
    return cleandoc(command.help or "").partition(_EXAMPLES)[2].splitlines()


def purpose_of(command: click.Command) -> str:
    """Return what a command is for, in one line."""
    return cleandoc(command.help or "").partition("\n")[0]


def _write_text(command: click.Command, formatter: click.HelpFormatter) -> None:
    formatter.write_paragraph()
    with formatter.indentation():
        formatter.write_text(cleandoc(command.help or "").partition(_EXAMPLES)[0])
    with formatter.section("Examples"):
        for line in examples_of(command):
            formatter.write(f"{'':{formatter.current_indent}}{line}\n")


class HelpedCommand(click.Command):
    """A command whose help has examples and options under headings; it can be asked to be quiet."""

    def __init__(self, *given: Any, **options: Any) -> None:
        super().__init__(*given, **options)
        self.params.append(quiet_option())

    def format_help_text(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002 - click's
        """Write what the command is for, and its examples."""
        _write_text(self, formatter)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options under their headings."""
        records: dict[str, list[tuple[str, str]]] = {heading: [] for heading in (*HEADINGS, ELSEWHERE)}
        for option in (each for each in self.get_params(ctx) if isinstance(each, click.Option)):
            record = option.get_help_record(ctx)
            if record is not None:
                records[heading_of(option)].append(record)
        width = min(_COLUMN, max(len(name) for rows in records.values() for name, _ in rows))
        for heading, rows in records.items():
            if rows:
                with formatter.section(heading):
                    formatter.write_dl([(name.ljust(width), text) for name, text in rows], col_max=_COLUMN)


class HelpedGroup(click.Group):
    """A group of commands whose help has examples."""

    def format_help_text(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """Write what the group is for, and its examples."""
        _write_text(self, formatter)
