"""When a run stops whose results decide about that: options, and which of them contradict each other."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from analyzer.errors import BadInputError
from reports.cli.amounts import count_option
from reports.cli.options import F

if TYPE_CHECKING:
    from analyzer.tournament import Stopping

MOST: Final = 100_000
"""Deals of each line-up after which the results decide nothing more."""


MOST_DEALS: Final = "Deals of each line-up at most: the results decide"
"""What --max-games counts."""


def stopping_options(least: int) -> Callable[[F], F]:
    """Return what adds --min-games and --max-games; None where they are not given."""

    def added(command: F) -> F:
        command = count_option("--max-games", MOST_DEALS, f"{MOST:,}")(command)
        return count_option("--min-games", "Deals before the results are looked at", f"{least}")(command)

    return added


def check_no_bounds(min_games: int | None, max_games: int | None, why: str) -> None:
    """Refuse --min-games and --max-games where the results do not decide; `why` continues the name of one of them.

    Raises
    ------
    BadInputError
    """
    for option, value in (("--min-games", min_games), ("--max-games", max_games)):
        if value is not None:
            raise BadInputError(f"{option} {why}")


def stopping_of(
    games: int | None,
    target_error: float | None,
    min_games: int | None,
    max_games: int | None,
    least: int,
    *,
    until_decided: bool,
) -> "Stopping":
    """Return when a run stops.

    Raises
    ------
    BadInputError
        When there are to be more deals before the first look than at most.
    """
    from analyzer.tournament import Stopping

    if target_error is None and not until_decided:
        return Stopping(games)
    most = max_games or MOST
    if min_games is not None and min_games > most:
        raise BadInputError(f"--min-games {min_games:,} is more than there are deals at most, {most:,} (--max-games)")
    return Stopping(None, target_error, until_decided, min_games or min(least, most), most)
