"""What commands say: to standard output, and beside it on standard error unless quiet is asked."""

import sys
from collections.abc import Callable
from typing import Final

import click

from reports.visible import visible

_QUIET: Final = "woolsim.quiet"


def quiet_option() -> click.Option:
    """Return --quiet, which every command has."""

    def remember(ctx: click.Context, _param: click.Parameter, quiet: bool) -> None:
        ctx.meta[_QUIET] = quiet

    return click.Option(
        ["-q", "--quiet"],
        is_flag=True,
        expose_value=False,
        callback=remember,
        help="Nothing on standard error but errors: no progress, no notes, not what reproduces the figures.",
    )


QUIET_OPTIONS: Final = frozenset(quiet_option().opts)


def is_quiet() -> bool:
    """Whether the command that runs was asked to be quiet."""
    context = click.get_current_context(silent=True)
    return context is not None and bool(context.meta.get(_QUIET))


def say(text: str, *, err: bool = False, nl: bool = True) -> None:
    """Print text for people on standard output; with `err` on standard error, unless quiet is asked.

    Names of files and decks in it cannot make a terminal do anything.
    """
    if not (err and is_quiet()):
        _print(visible(text), err=err, nl=nl)


def note(text: str) -> None:
    """Say something beside the output, on standard error, unless quiet is asked."""
    say(text, err=True)


def noting() -> Callable[[str], None]:
    """Return a :func:`note` for other threads, which do not know what the command was asked."""
    quiet = is_quiet()
    return lambda text: None if quiet else _print(visible(text), err=True)


def print_data(text: str) -> None:
    """Print text for programs as it is; on a terminal nothing in it is obeyed."""
    _print(visible(text) if sys.stdout.isatty() else text, nl=False)


def _print(text: str, *, err: bool = False, nl: bool = True) -> None:
    """Print text with all its signs: click takes away what looks like a colour where there is no terminal."""
    click.echo(text, err=err, nl=nl, color=True)
