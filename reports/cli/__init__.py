"""The command line `woolsim`: a module per command family; each command parses, calls one library function, shows."""

import importlib
import io
import os
import sys
from collections.abc import Sequence
from typing import Any, Final

import click

from analyzer import __version__
from analyzer.errors import WoolsimError

_COMMANDS: Final = {
    "bid-table": ("reports.cli.odds", "bid_table_command", "Odds of every bid: exact, and confirmed by simulation."),
    "hold-table": ("reports.cli.odds", "hold_table_command", "Which die to set aside, as a chart for the table."),
    "odds": ("reports.cli.odds", "odds_command", "Odds in the middle of a dice action, die by die."),
    "strategies": ("reports.cli.strategies", "strategies_group", "List the built-in rules."),
}
"""Name, where it is, and what it does: the modules are imported when a command runs, so that help appears at once."""

INTERRUPTED: Final = 130


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
    """Answer questions about sheep games: how likely is a bid, which die to set aside.

    \b
    woolsim bid-table                                       odds of all 14 bids
    woolsim hold-table --bid 22                             which die to set aside
    woolsim odds --bid 24 --dice 12,10,3 --modifier -3      odds from here
    """  # noqa: D301 - click's mark for lines that stay as they are


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and end the process: 0, 2 for bad input, 1 for a failure while running, 130 after Ctrl-C."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a name in a script the terminal does not have must not end a run
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


def run(arguments: list[str]) -> int:
    """Run one command and return its exit status; errors are said on standard error."""
    try:
        outcome: Any = cli.main(args=arguments, prog_name="woolsim", standalone_mode=False, obj=arguments)
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.ctx.get_help() if error.ctx else "")
        return 0
    except click.ClickException as error:
        error.show()
        return 2
    except WoolsimError as error:
        _complain(str(error))
        return error.exit_status
    except (KeyboardInterrupt, click.Abort):
        _complain("interrupted")
        return INTERRUPTED
    return outcome if isinstance(outcome, int) else 0


def _complain(message: str) -> None:
    """Say an error; a broken standard error is nobody's problem."""
    try:
        click.echo(f"Error: {message}", err=True)
    except OSError:
        _silence(sys.stderr)


def _silence(stream: Any) -> None:
    """Point a broken stream to nowhere, so that the interpreter's last flush does not complain."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
