"""The contract a game meets, so that tournaments, runs, statistics and commands are written once for all games."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from analyzer.errors import Sitting
from analyzer.field_results import FieldSums
from analyzer.results import IntArray
from analyzer.slots import Strategy


def rotations(players: int) -> IntArray:
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

    units: IntArray
    line_ups: IntArray
    settings: tuple[int, ...]
    seating: IntArray


class Setting(Protocol):
    """What is played with, such as rules and a deck."""

    def as_dict(self) -> dict[str, Any]:
        """Return all of it, as data for JSON: mappings with a "name", a "hash" and what is needed to play again."""


class Engine(Protocol):
    """Plays games of some strategies in some settings; several threads may play at once."""

    @property
    def strategies(self) -> tuple[Strategy, ...]:
        """Who plays."""

    def play(self, tables: Tables, *, compared: bool) -> FieldSums:
        """Play units of games and return their sums.

        Rows of sums are a strategy in a setting: the setting's index times the number of strategies, and the
        strategy's. `compared` asks also for the sums that only comparisons need.
        """

    def progress(self) -> list[tuple[int, int]]:
        """Return (identity of a block in flight, a number that grows with every game it finishes)."""

    def last_asked(self, block: int) -> tuple[str, Sitting] | None:
        """Return who was asked last in a block in flight, and in which game; None if it has just ended."""

    def stop(self) -> None:
        """Let the blocks in flight end after the game they are playing."""


@dataclass(frozen=True)
class Game:
    """A game.

    Parameters
    ----------
    name : str
        As in commands and files.
    min_players, max_players : int
    result_fields : tuple of str
        Of each game and seat; the score and the win share first.
    sources : path
        Folder whose sources, with the machinery's, decide about the figures.
    engine : callable (strategies, settings, seed) -> Engine
    setting : callable (dict) -> Setting
        Reads what :meth:`Setting.as_dict` wrote.
    """

    name: str
    min_players: int
    max_players: int
    result_fields: tuple[str, ...]
    sources: Path
    engine: Callable[[Sequence[Strategy], Sequence[Any], int], Engine]
    setting: Callable[[Mapping[str, Any]], Setting]

    @cached_property
    def engine_digest(self) -> str:
        """SHA-256 of the sources that decide about sums: those of the game, and the machinery's that play it."""
        house = Path(__file__).parent
        digest = sha256()
        for file in [*sorted(self.sources.glob("*.py")), *(house / name for name in _MACHINERY)]:
            digest.update(file.name.encode() + b"\0" + file.read_bytes())
        return digest.hexdigest()


_MACHINERY = ("field_results.py", "jit.py", "policy_calls.py", "results.py", "rng.py", "slots.py")
