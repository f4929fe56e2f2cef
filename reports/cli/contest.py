"""What a run is of, as the commands play and show it, and what every kind of it shares."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol

from analyzer.errors import BadInputError

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from rich.console import RenderableType

    from analyzer.field_counts import FieldCounts
    from analyzer.line_up_sums import LineUpSums
    from analyzer.rows import Row
    from analyzer.runs import Run
    from reports.cli.hands import Executors

LEADERS: Final = 3
"""Strategies that are shown while games are played."""

FEW: Final = 10
"""Deals of each line-up below which what is known of errors is itself little."""


class NamedTable(NamedTuple):
    """A table of a run; its rows are made when they are asked for."""

    name: str
    rows: "Callable[[], list[Row]]"
    columns: tuple[str, ...]


class Contest(Protocol):
    """What a run is of."""

    @property
    def games_there(self) -> int:
        """Games that the run has."""

    @property
    def games_wanted(self) -> int:
        """Games that it will have at most."""

    @property
    def finished(self) -> bool:
        """Whether it has all games that are asked for now; that does not say whether they decide."""

    @property
    def at_most(self) -> bool:
        """Whether the results decide when it ends, so that it may end before."""

    def blocks(self) -> tuple[int, int]:
        """Return how many blocks are played, and how many there are at most; in a race, of its stage."""

    def play(self, executors: "Executors", progress: Callable[[int], None]) -> None:
        """Play what is missing; after Ctrl-C what was begun is kept first."""

    def leaders(self) -> list[str]:
        """Return who leads so far, a line each."""

    def field_sums(self) -> "list[LineUpSums]":
        """Return the sums by line-up for each player count.

        Raises
        ------
        BadInputError
            Where tables are compared, so that there are none.
        """

    def lacks(self) -> str | None:
        """Say why there is nothing to show yet."""

    def heading(self) -> str:
        """Return what has been played, in words."""

    def notes(self) -> str:
        """Return what else is to be said of how it was played."""

    def tables(self) -> list[NamedTable]:
        """Return the tables, the main one first."""

    def readable(self) -> "RenderableType":
        """Return the tables laid out for people."""

    def picture(self) -> "Figure":
        """Return the picture of the win shares."""

    def words(self) -> list[str]:
        """Say how the figures of the main table are to be read."""

    def counts(self) -> "list[FieldCounts]":
        """Return what happened in the games, for each player count."""

    def verdict(self) -> str | None:
        """Say whether what there is decides; also of a run that was interrupted, or extended after it was decided."""


def no_field(run: "Run") -> BadInputError:
    """Return what is said where a field of strategies is needed and a run compares tables."""
    return BadInputError(f"{run.folder}: its tables compare; a field of strategies is needed")


def verdict_words(run: "Run", deals: int, value: str, level: float, *, over: bool) -> str:
    """Say what is known after some deals, if anything; `over` once there are as many as were asked for at most."""
    games = f"{deals:,} deal{'' if deals == 1 else 's'} of each line-up"
    if value:
        return f"decided after {games}: {value} (anytime-valid bounds, {level:.0%})"
    if over:
        return f"not decided after {games}, the most that were asked for (--max-games)"
    return f"not decided after {games} so far: woolsim resume {run.folder}"


def leader_lines(rows: "list[Row]") -> list[str]:
    """Return the leaders of rows with win shares, and how well each is known."""
    from reports.words import percent

    known = [row for row in rows if isinstance(row.get("win_share"), float)]
    lines = []
    for row in sorted(known, key=win_share_of, reverse=True)[:LEADERS]:
        shown, low, high = (percent(row[f"win_share{end}"]) for end in ("", "_low", "_high"))
        lines.append(f"{shown} wins ({low} to {high})  {row['strategy']}")
    return lines


def rough(deals: int) -> str:
    """Say that so few deals tell little about errors, if it is so."""
    return f"; fewer than {FEW} deals of each line-up: errors are rough" if deals < FEW else ""


def win_share_of(row: "Row") -> float:
    """Return the win share in a row, -1 if it has none."""
    return float(row["win_share"]) if isinstance(row["win_share"], float) else -1.0


def win_share_picture(run: "Run", rows: "list[Row]", heading: str) -> "Figure":
    """Return the picture of the win shares in rows."""
    import pandas as pd

    from reports.tournament_plots import win_share_figure
    from strategies.tournaments import CANDIDATES, RACE

    frame, players, beside = pd.DataFrame(rows), run.question["players"], ""
    if len(players) == 1:
        frame["players"] = players[0]
    if run.question["shape"] in {CANDIDATES, RACE}:
        others = [each["given"] for each in run.question["strategies"][run.question["candidates"] :]]
        beside = f" beside {', '.join(others) or 'each other'}"
    title = f"Win share{beside}; {heading}; deck {run.question['deck']['name']}; 95 % intervals"
    return win_share_figure(frame, title)
