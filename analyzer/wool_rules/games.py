"""Playing games of one line-up: what is asked, blocks of games, and single games with their events."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from analyzer.errors import BadInputError, GameFaultError, Sitting
from analyzer.game import Tables, rotations
from analyzer.results import SCORE, IntArray, Sums
from analyzer.shown import Line, Shown
from analyzer.slots import Strategy
from analyzer.wool_rules.constants import MAX_PLAYERS, MIN_PLAYERS
from analyzer.wool_rules.deck import Deck
from analyzer.wool_rules.engine import Engine
from analyzer.wool_rules.players import rounds_of
from analyzer.wool_rules.rules import Rules
from analyzer.wool_rules.setting import Setting
from analyzer.wool_rules.tallies import N_RESULTS


@dataclass(frozen=True, repr=False)
class Question(Shown):
    """What is played.

    Parameters
    ----------
    strategies : tuple of Strategy
        The line-up, 2 to 6.
    rules : Rules
    deck : Deck
    seed : int
    rotate : bool
        Whether every game is played in all rotations of the line-up; otherwise seat k is the line-up's k-th.
    """

    strategies: tuple[Strategy, ...]
    rules: Rules
    deck: Deck
    seed: int
    rotate: bool = False

    def __post_init__(self) -> None:
        if not MIN_PLAYERS <= len(self.strategies) <= MAX_PLAYERS:
            raise BadInputError(
                f"a game has {MIN_PLAYERS} to {MAX_PLAYERS} players; the line-up names {len(self.strategies)}"
            )
        assert self.setting  # rules and deck must fit

    def headline(self) -> str:
        """Say who plays what."""
        who = ", ".join(strategy.given for strategy in self.strategies)
        return f"{who}{' in all seats' if self.rotate else ''}; {self.setting.words}, seed {self.seed}"

    @property
    def players(self) -> int:
        """How many play."""
        return len(self.strategies)

    @property
    def rounds(self) -> int:
        """Rounds of a game."""
        return rounds_of(self.players)

    @cached_property
    def setting(self) -> Setting:
        """Rules and deck."""
        return Setting(self.rules, self.deck)

    @cached_property
    def seating(self) -> IntArray:
        """The place in the line-up that sits on each seat, a row for each seating."""
        seating = rotations(self.players)
        return seating if self.rotate else seating[:1]

    @property
    def score_range(self) -> tuple[int, int]:
        """Bounds that no score can leave."""
        return self.setting.score_range


@dataclass(frozen=True, repr=False)
class Recording(Shown):
    """One game with its events.

    Parameters
    ----------
    state, view : records
        As the game has left them.
    results : int32 array, shape (players, fields)
    fault : GameFaultError or None
        What a policy did wrong; the game then ended there and has no results.
    """

    state: np.void
    view: np.void
    results: NDArray[np.int32]
    fault: GameFaultError | None

    def headline(self) -> str:
        """Say how the game ended."""
        return f"a game of {len(self.results)} players" + ("" if self.fault is None else f": {self.fault}")

    def lines(self) -> list[Line]:
        """Return the scores; none after a fault."""
        scores = [] if self.fault is not None else self.results[:, SCORE].tolist()
        return [{"seat": f"seat {seat}", "score": str(score)} for seat, score in enumerate(scores)]


def record(engine: Engine, sitting: Sitting) -> Recording:
    """Play one game with its events noted."""
    fault, players = None, len(sitting.seats)
    units, line_ups = np.array([[sitting.game, 1]]), np.array([[sitting.seats]])
    results = np.zeros((1, 1, 1, players, N_RESULTS), np.int32)
    with engine.desk(Tables(units, line_ups, (sitting.setting,), rotations(players)[:1])) as desk:
        desk.states["logging"] = 1
        try:
            engine.play_at(desk, results)
        except GameFaultError as error:
            fault = error
        finally:
            desk.states["logging"] = 0
        return Recording(desk.states[0].copy(), desk.views[0].copy(), results[0, 0, 0], fault)


class GamePlayer:
    """Plays blocks of games of a question.

    Parameters
    ----------
    question : Question

    Raises
    ------
    PolicyError
        When a policy cannot be compiled.
    """

    def __init__(self, question: Question) -> None:
        self.question = question
        self.engine = Engine(question.strategies, (question.setting,), question.seed)

    def __call__(self, start: int, n: int) -> Sums:
        """Play games `start` to `start + n - 1` and return their sums.

        Raises
        ------
        GameFaultError
            When a policy raises or answers illegally, with the strategy, slot, seat, game and round.
        """
        return self.engine.play(self.tables(start, n, self.question.seating), compared=False).of_line_up()

    def tables(self, start: int, n: int, seating: IntArray) -> Tables:
        """Return the one table at which some games are played."""
        line_up = np.arange(self.question.players)[None, None]
        return Tables(np.array([[start, n]]), line_up, (0,), seating)

    def sitting(self, game: int, rotation: int = 0) -> Sitting:
        """Return a game as it is played in a rotation."""
        return Sitting(game, tuple(self.question.seating[rotation].tolist()))

    def record(self, game: int, rotation: int = 0) -> Recording:
        """Play one game with its events noted."""
        return record(self.engine, self.sitting(game, rotation))

    def stop(self) -> None:
        """Let the blocks in flight end after the game they are playing."""
        self.engine.stop()

    def progress(self) -> list[tuple[int, int]]:
        """Return (identity of a block in flight, games that its records have served)."""
        return self.engine.progress()

    def last_asked(self, block: int) -> tuple[str, Sitting] | None:
        """Return who was asked last in a block in flight, in words, and in which game; None if it has ended."""
        return self.engine.last_asked(block)
