"""The command line `woolsim`: a module per command family; each command parses, calls one library function, shows."""

import importlib
import io
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import click

from analyzer import __version__
from analyzer.errors import WoolsimError

_COMMANDS: Final = {
    "bid-table": ("reports.cli.odds", "bid_table_command", "Odds of every bid: exact, and confirmed by simulation."),
    "hold-table": ("reports.cli.odds", "hold_table_command", "Which die to set aside, as a chart for the table."),
    "odds-card": ("reports.cli.odds_card", "odds_card_command", "The odds on one page to print, for the table."),
    "odds": ("reports.cli.odds", "odds_command", "Odds in the middle of a dice action, die by die."),
    "odds-page": ("reports.cli.odds_page", "odds_page_command", "The odds on a phone: one HTML file, no network."),
    "simulate": ("reports.cli.games", "simulate_command", "Play many games of a line-up: who scores and wins what."),
    "replay": ("reports.cli.games", "replay_command", "Tell the story of one game of a run."),
    "tournament": ("reports.cli.tournaments", "tournament_command", "Who is better, and how sure that is."),
    "compare": ("reports.cli.tournaments", "compare_command", "Is A better than B? What if the cards were different?"),
    "sweep": ("reports.cli.tournaments", "sweep_command", "Win share against a parameter."),
    "find-best": ("reports.cli.find_best", "find_best_command", "The best of many strategies, in stages."),
    "resume": ("reports.cli.runs", "resume_command", "Go on with a run that was interrupted."),
    "extend": ("reports.cli.runs", "extend_command", "Play more games in a run."),
    "show": ("reports.cli.runs", "show_command", "Show the results of a run."),
    "report": ("reports.cli.report", "report_command", "A report of a run: page, tables and pictures."),
    "meta-game": ("reports.cli.runs", "meta_game_command", "The mixture that nobody can gain by leaving."),
    "merge": ("reports.cli.runs", "merge_command", "Join the parts of a run."),
    "deck": ("reports.cli.deck", "deck_group", "Check, show and start decks of your own."),
    "strategies": ("reports.cli.strategies", "strategies_group", "List the built-in rules."),
    "cache": ("reports.cli.cache", "cache_group", "Remove compiled code that is kept."),
}
"""Name, where it is, and what it does: the modules are imported when a command runs, so that help appears at once."""

INTERRUPTED: Final = 130
_COMPLETION: Final = "_WOOLSIM_COMPLETE"
"""Set by a shell that asks how a command line may go on."""


class _LazyGroup(click.Group):
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
        with formatter.section("Commands"):
            formatter.write_dl([(name, summary) for name, (_, _, summary) in _COMMANDS.items()])


@click.group(cls=_LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="woolsim", message="%(prog)s %(version)s")
def cli() -> None:
    """Answer questions about sheep games: how likely is a bid, which die to set aside, which strategy wins.

    \b
    woolsim bid-table                                       odds of all 14 bids
    woolsim hold-table --bid 22                             which die to set aside
    woolsim odds --bid 24 --dice 12,10,3 --modifier -3      odds from here
    woolsim simulate value plain random                     who wins, and why
    woolsim replay value plain random --game 17             the story of one game
    """  # noqa: D301 - click's mark for lines that stay as they are


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
            cli.main(args=arguments, prog_name="woolsim")
        # Not cli.main: on a closed pipe it ends the process by itself, with a status of its own.
        with cli.make_context("woolsim", list(arguments), obj=arguments) as context:
            cli.invoke(context)
    except click.exceptions.Exit as end:
        return end.exit_code
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.ctx.get_help() if error.ctx else "")
        return 0
    except click.ClickException as error:
        with _ignoring_broken_stderr():
            error.show()
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
        click.echo(f"Error: {message}", err=True)


def _silence(stream: Any) -> None:
    """Point a broken stream to nowhere, so that the interpreter's last flush does not complain."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
