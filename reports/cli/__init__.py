"""The command line `woolsim`: a module per command family; each command parses, calls one library function, shows."""

import importlib
import io
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from analyzer import __version__
from analyzer.errors import WoolsimError
from reports.cli.first_questions import first_questions
from reports.cli.help import HelpedGroup
from reports.visible import visible

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

_SECTIONS: Final = {
    "Odds at the table": {
        "bid-table": ("reports.cli.odds", "bid_table_command", "Odds of every bid: exact, and checked by simulation."),
        "hold-table": ("reports.cli.odds", "hold_table_command", "Which die to set aside, as a chart for the table."),
        "odds": ("reports.cli.odds", "odds_command", "Odds in the middle of a dice action, die by die."),
        "odds-card": ("reports.cli.odds_card", "odds_card_command", "The odds on one page to print, for the table."),
        "odds-page": ("reports.cli.odds_page", "odds_page_command", "The odds on a phone: one file, no network."),
    },
    "Games": {
        "simulate": ("reports.cli.games", "simulate_command", "Many games of a line-up: who scores and wins what."),
        "replay": ("reports.cli.games", "replay_command", "The story of one game of a run."),
    },
    "Tournaments": {
        "tournament": ("reports.cli.tournaments", "tournament_command", "Who is better, and how sure that is."),
        "compare": ("reports.cli.tournaments", "compare_command", "Is A better than B? What would other cards change?"),
        "sweep": ("reports.cli.tournaments", "sweep_command", "Win share against a parameter."),
        "find-best": ("reports.cli.find_best", "find_best_command", "The best of many strategies, in stages."),
        "meta-game": ("reports.cli.runs", "meta_game_command", "The mixture that nobody can gain by leaving."),
    },
    "Runs that are kept": {
        "show": ("reports.cli.runs", "show_command", "Show the results of a run."),
        "report": ("reports.cli.report", "report_command", "A report of a run: page, tables and pictures."),
        "resume": ("reports.cli.runs", "resume_command", "Go on with a run that was interrupted."),
        "extend": ("reports.cli.runs", "extend_command", "Play more games in a run."),
        "merge": ("reports.cli.runs", "merge_command", "Join the parts of a run."),
    },
    "What games are played with": {
        "strategies": ("reports.cli.strategies", "strategies_group", "List, show and check strategies, and start one."),
        "deck": ("reports.cli.deck", "deck_group", "Check and show decks, and start one of your own."),
        "cache": ("reports.cli.cache", "cache_group", "Remove compiled code that is kept."),
    },
}
"""Heading, name, where it is, and what it does: a command's module is imported when it runs, so that help appears at
once."""

_COMMANDS: Final = {name: where for section in _SECTIONS.values() for name, where in section.items()}

INTERRUPTED: Final = 130
_COMPLETION: Final = "_WOOLSIM_COMPLETE"
"""Set by a shell that asks how a command line may go on."""


class _LazyGroup(HelpedGroup):
    """A group that imports a command when it is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's
        """Return the commands in the order in which a new user meets them."""
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """Import a command."""
        if cmd_name not in _COMMANDS:
            return None
        module, name, _ = _COMMANDS[cmd_name]
        command = getattr(importlib.import_module(module), name)
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """List the commands without importing them."""
        width = max(map(len, _COMMANDS))
        for heading, commands in _SECTIONS.items():
            with formatter.section(heading):
                formatter.write_dl([(name.ljust(width), summary) for name, (_, _, summary) in commands.items()])

    def shell_complete(self, ctx: click.Context, incomplete: str) -> "list[CompletionItem[str]]":
        """Return the commands that begin so, without importing them, and options."""
        from click.shell_completion import CompletionItem

        if incomplete and not incomplete[0].isalnum():
            return click.Command.shell_complete(self, ctx, incomplete)
        return [
            CompletionItem(name, help=said) for name, (_, _, said) in _COMMANDS.items() if name.startswith(incomplete)
        ]


@click.group(cls=_LazyGroup, invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="woolsim", message="%(prog)s %(version)s")
@click.pass_context
def cli(ctx: click.Context) -> None:
    """Answer questions about sheep games: odds of dice, and which strategy wins.

    Without a command: the first five questions.

    \b
    woolsim bid-table
    woolsim simulate value plain random --games 2e4
    """  # noqa: D301 - click's mark for lines that stay as they are
    if ctx.invoked_subcommand is None:
        click.echo(first_questions())


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and end the process: 0, 2 for bad input, 1 for a failure while running, 130 after Ctrl-C."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    _prepare_streams()
    try:
        status = run(given)
        sys.stdout.flush()
    except BrokenPipeError:
        status = 0  # whoever read our output had enough
        _silence(sys.stdout)
    except OSError as error:
        _complain(f"output failed: {error.strerror or error}")
        status = 1
        _silence(sys.stdout)
    sys.exit(status)


def _prepare_streams() -> None:
    """Make the streams safe to write to: a closed one leads nowhere, a sign that one does not have becomes a ?."""
    if sys.stdout is None:
        sys.stdout = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115 - for the whole run
    if sys.stderr is None:
        sys.stderr = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def run(arguments: list[str]) -> int:
    """Run one command and return its exit status; errors are said on standard error."""
    try:
        if _COMPLETION in os.environ:
            importlib.import_module("reports.cli.completion")  # adds what click does not do for bash
            cli.main(args=arguments, prog_name="woolsim")
        # Not cli.main: on a closed pipe it ends the process by itself, with a status of its own. With `color` click
        # takes nothing out of names that looks like a colour; what is printed is made visible.
        with cli.make_context("woolsim", list(arguments), obj=arguments, color=True) as context:
            cli.invoke(context)
    except click.exceptions.Exit as end:
        return end.exit_code
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.ctx.get_help() if error.ctx else "")
        return 0
    except click.ClickException as error:
        said = io.StringIO()
        error.show(said)
        with _ignoring_broken_stderr():
            click.echo(visible(said.getvalue()), err=True, nl=False)
        return 2
    except WoolsimError as error:
        _complain(str(error))
        return error.exit_status
    except (KeyboardInterrupt, click.Abort):
        _complain("interrupted")
        return INTERRUPTED
    return 0


@contextmanager
def _ignoring_broken_stderr() -> Iterator[None]:
    """Let a message that cannot be written be nobody's problem."""
    try:
        yield
        sys.stderr.flush()
    except OSError:
        _silence(sys.stderr)


def _complain(message: str) -> None:
    """Say an error."""
    with _ignoring_broken_stderr():
        click.echo(f"Error: {visible(message)}", err=True)


def _silence(stream: Any) -> None:
    """Point a broken stream to nowhere, so that the interpreter's last flush does not complain."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
