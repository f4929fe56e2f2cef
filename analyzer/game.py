"""The contract a game meets, so that tournaments, runs, statistics and commands are written once for all games."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from analyzer.errors import Sitting
from analyzer.slots import Strategy

if TYPE_CHECKING:  # a game is known by name without the compiler
    from analyzer.counted import Counted, Table
    from analyzer.field_results import FieldSums
    from analyzer.results import IntArray

Event = dict[str, Any]
"""Something that happened in a game, as data for JSON; "event" says what."""


def rotations(players: int) -> "IntArray":
    """Return all rotations of a line-up: the place in the line-up that sits on each seat, a row for each seating."""
    return np.stack([np.roll(np.arange(players), turn) for turn in range(players)])


@dataclass(frozen=True, eq=False)
class Tables:
    """What plays: units of games, each at one table or at several that play the same game numbers.

    Parameters
    ----------
    units : int64 array, shape (units, 2)
        First game and number of games.
    line_ups : int64 array, shape (units, tables, players)
        Strategy of each place, as an index.
    settings : tuple of int
        The setting of each table, as an index.
    seating : int64 array, shape (seatings, players)
        The place in the line-up that sits on each seat; every game is played in all seatings.
    """

    units: "IntArray"
    line_ups: "IntArray"
    settings: tuple[int, ...]
    seating: "IntArray"


class Setting(Protocol):
    """What is played with, such as rules and a deck; two that are equal play the same games."""

    @property
    def score_range(self) -> tuple[int, int]:
        """Bounds that no score can leave."""

    def as_dict(self) -> dict[str, Any]:
        """Return all of it, as data for JSON: for each of the game's options a mapping.

        It has a "name", a "hash" where a name does not tell one from another, and what is needed to play again.
        """


class Engine(Protocol):
    """Plays games of some strategies in some settings; several threads may play at once."""

    @property
    def strategies(self) -> tuple[Strategy, ...]:
        """Who plays."""

    def play(self, tables: Tables, *, compared: bool) -> "FieldSums":
        """Play units of games and return their sums; of fewer games if they were stopped.

        Rows of sums are a strategy in a setting: the setting's index times the number of strategies, and the
        strategy's. `compared` asks also for the sums that only comparisons need.

        Raises
        ------
        GameFaultError
            When a policy raises or answers illegally, with the game and who sat where.
        """

    def progress(self) -> list[tuple[int, int]]:
        """Return (identity of a block in flight, a number that grows with every game it finishes)."""

    def last_asked(self, block: int) -> tuple[str, Sitting] | None:
        """Return who was asked last in a block in flight, and in which game; None before the first and after it."""

    def stop(self) -> None:
        """Let all blocks in flight end after the game they are playing, also those that have only just begun."""


@dataclass(frozen=True, eq=False)
class Game:
    """A game.

    Parameters
    ----------
    name : str
        As in commands and files.
    min_players, max_players : int
    slots : tuple of str
        What a player decides.
    truth_slots : tuple of str
        Slots that are answered by True or False; the others by a whole number.
    view : structured dtype
        What a policy sees.
    score_parts : tuple of str
        Parts of a score; they add up to it.
    counted : tuple of str
        What else is kept of each game and seat.
    options : mapping of str to type
        What a setting consists of: options of the command line, each a file (Path) or a whole number (int).
    sources : path
        Folder whose sources, with the machinery's, decide about the figures.
    engine : callable (strategies, settings, seed) -> Engine
    read_setting : callable (dict of str) -> Setting
        Reads options as they are given; what is left out is standard. Raises BadInputError, which names them.
    setting : callable (dict) -> Setting
        Reads what :meth:`Setting.as_dict` wrote.
    log : callable (engine, sitting) -> list of Event
        Plays one game and tells it: a "setup", what happened in order, and an "end" with "winners" and their
        "win_share". Raises GameFaultError with the events up to there.
    unfinished_log : callable (engine, sitting) -> list of Event
        Returns the events up to now of a game that `log` is playing in another thread.
    tables : mapping of str to callable (Counted, setting) -> Table
        By name, what makes tables of what the game counts beside results, for players in one setting.
    """

    name: str
    min_players: int
    max_players: int
    slots: tuple[str, ...]
    truth_slots: tuple[str, ...]
    view: np.dtype[Any]
    score_parts: tuple[str, ...]
    counted: tuple[str, ...]
    options: Mapping[str, type]
    sources: Path
    engine: Callable[[Sequence[Strategy], Sequence[Any], int], Engine]
    read_setting: Callable[[Mapping[str, str]], Setting]
    setting: Callable[[Mapping[str, Any]], Setting]
    log: Callable[[Any, Sitting], list[Event]]
    unfinished_log: Callable[[Any, Sitting], list[Event]]
    tables: "Mapping[str, Callable[[Counted, Any], Table]]" = field(default_factory=dict)

    @cached_property
    def engine_digest(self) -> str:
        """SHA-256 of the sources that decide about sums: those of the game, and the machinery's that play it."""
        house = Path(__file__).parent
        digest = sha256()
        for file in [*sorted(self.sources.glob("*.py")), *(house / name for name in _MACHINERY)]:
            digest.update(file.name.encode() + b"\0" + file.read_bytes())
        return digest.hexdigest()


_MACHINERY = ("field_results.py", "jit.py", "policy_calls.py", "results.py", "rng.py", "slots.py")
