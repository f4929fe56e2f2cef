"""Options for numbers that many commands take: how many games, players and threads, and which seed."""

from collections.abc import Callable
from typing import Any, Final

import click

from reports.cli.options import F, Many, One, read_games, read_players, read_seed, read_threads

DEALS: Final = "Deals of each line-up, each in all rotations of the seats"
"""What --games counts where line-ups are played in all rotations."""

_PLAYERS: Final = "How many play at a table, 2 to 6"


def seed_option(command: F) -> F:
    """Add --seed."""
    return click.option(
        "--seed",
        type=One("SEED", read_seed),
        default="1",
        show_default=True,
        help="Seed of everything that is left to chance.",
    )(command)


def threads_option(command: F) -> F:
    """Add --threads; None for one thread a core."""
    return click.option(
        "--threads",
        type=One("T", read_threads),
        help="Threads of this machine; no influence on figures.  [default: one for each core]",
    )(command)


def games_option(what: str, **options: Any) -> Callable[[F], F]:
    """Return what adds --games, which counts `what`; with click's options, or in `said` the default in words."""
    return count_option("--games", what, **options)


def count_option(name: str, what: str, said: str = "", **options: Any) -> Callable[[F], F]:
    """Return what adds an option for a number of games, as :func:`games_option` does."""
    return click.option(
        name,
        type=One("N", read_games),
        show_default="default" in options,
        help=f"{what}.{f'  [default: {said}]' if said else ''}",
        **options,
    )


def players_option(*, said: str = "4") -> Callable[[F], F]:
    """Return what adds --players with one value; `said` is the default in words."""
    return click.option("--players", type=One("PLAYERS", read_players), help=f"{_PLAYERS}.  [default: {said}]")


def player_counts_option(command: F) -> F:
    """Add --players with several values."""
    return click.option(
        "--players",
        type=Many("PLAYERS", read_players),
        multiple=True,
        help=f"{_PLAYERS}; several as in 3,4 or 2..6.  [default: 4]",
    )(command)
