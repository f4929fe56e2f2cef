"""Playing blocks of units of games: records set up once, the kernel that plays, the sums that leave."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from threading import Lock
from typing import Final

import numpy as np
from numpy.typing import NDArray

from analyzer import rng
from analyzer.errors import GameFaultError, Sitting
from analyzer.field_results import FieldSums
from analyzer.game import Tables
from analyzer.jit import blank_records
from analyzer.slots import MAX_PARAMETERS, CompiledPolicy, Strategy
from analyzer.wool_rules.asking import VIEW_TYPE
from analyzer.wool_rules.constants import BID_26_PLUS
from analyzer.wool_rules.play import play_units
from analyzer.wool_rules.positions import legal_answers
from analyzer.wool_rules.setting import Setting
from analyzer.wool_rules.state import N_SLOTS, SLOTS, STATE_DTYPE
from analyzer.wool_rules.tallies import BOOKS_DTYPE, COUNTS, N_RESULTS
from analyzer.wool_rules.views import VIEW_DTYPE

STRIP: Final = 256
"""Games whose results are kept before they are reduced: few enough for a core's second cache."""


_STATE_OFFSET: Final = 0x500
"""Bytes: the view fills the first part of a page, so the deck and what changes in every turn lie behind it."""


NOT_BEGUN: Final = -1
"""Stands for the game of a block that has not begun its first."""


@dataclass(eq=False)
class Desk:
    """The records of one block at a time, one for each table; used again for the next block."""

    views: NDArray[np.void]
    states: NDArray[np.void]
    books: NDArray[np.void]
    tables: Tables
    finished: int = 0
    """Games of earlier blocks: what a watchdog sees never goes back."""


class Engine:
    """Plays blocks of games of some strategies.

    Parameters
    ----------
    strategies : sequence of Strategy
    settings : sequence of Setting
    seed : int

    Raises
    ------
    PolicyError
        When a policy cannot be compiled.

    Notes
    -----
    Several threads may play blocks at once. What each kernel last noted can be read while it runs:
    :meth:`progress`, :meth:`last_asked`.
    """

    def __init__(self, strategies: Sequence[Strategy], settings: Sequence[Setting], seed: int) -> None:
        self.strategies, self.settings, self.seed = tuple(strategies), tuple(settings), seed
        play_units.prepare()
        shape = (len(self.strategies), N_SLOTS)
        self._policies = np.zeros(shape, np.uint64)
        self._parameters = np.zeros((*shape, MAX_PARAMETERS))
        self._draws = np.zeros(shape, np.int64)
        self._compiled = [self._compile(at) for at in range(len(self.strategies))]
        ranges = [setting.score_range for setting in self.settings]
        self.lowest, self.highest = min(low for low, _ in ranges), max(high for _, high in ranges)
        self._idle: dict[tuple[int, tuple[int, ...]], list[Desk]] = {}
        self._busy: list[Desk] = []
        self._lock = Lock()

    def _compile(self, at: int) -> list[CompiledPolicy]:
        """Compile a strategy and note where it lies; what is returned must be kept as long as that is used."""
        strategy = self.strategies[at]
        compiled = [strategy.policies[slot].compile(VIEW_TYPE, checked=False) for slot in SLOTS]
        for slot, policy in enumerate(compiled):
            self._policies[at, slot] = policy.address
            self._parameters[at, slot, : len(policy.parameters)] = policy.parameters
            self._draws[at, slot] = strategy.policies[SLOTS[slot]].uses_draws
        return compiled

    def play(self, tables: Tables, *, compared: bool) -> FieldSums:
        """Play units of games and return their sums.

        Parameters
        ----------
        tables : Tables
        compared : bool
            Whether to count also what only comparisons need: `products`, `orders` and `seats`.

        Returns
        -------
        FieldSums
            Of fewer games if they were stopped. A row of the sums that have rows is a strategy in a setting: the
            setting's index times the number of strategies, and the strategy's.

        Raises
        ------
        GameFaultError
            When a policy raises or answers illegally, with the strategy, slot, seat, game and round.
        """
        with self.desk(tables) as desk:
            results = np.zeros((len(tables.settings), STRIP, *tables.seating.shape, N_RESULTS), np.int32)
            return self.play_at(desk, results, compared=compared)

    def play_at(self, desk: Desk, results: NDArray[np.int32], *, compared: bool = False) -> FieldSums:
        """Play the units of a desk; `results`, shape (tables, strip, seatings, players, fields), has the last ones."""
        tables, states = desk.tables, desk.states
        desk.books[:] = np.zeros((), BOOKS_DTYPE)
        settings = np.array(tables.settings, np.int64)
        rows = tables.line_ups + (settings * len(self.strategies))[:, None]
        n_rows, bins = len(self.strategies) * len(self.settings), self.highest - self.lowest + 1
        sums = FieldSums.nothing(tables.line_ups.shape, N_RESULTS, n_rows, bins, COUNTS, compared=compared)
        try:
            play_units(
                *(self._policies, self._parameters, self._draws, desk.views, states, desk.books),
                *(tables.units, tables.line_ups, rows, results, tables.seating, self.lowest),
                *sums.arrays(),
            )
        except Exception as error:  # whatever a user's function may raise
            raise self._fault(desk, f"failed with {type(error).__name__}: {error}") from error
        if states["fault"].any():
            raise self._fault(desk, f"answered {_answer(desk)}")
        sums.games = int(states["games"][0])
        return sums

    def stop(self) -> None:
        """Let the blocks in flight end after the game they are playing."""
        with self._lock:
            for desk in self._busy:
                desk.states["stop"] = 1

    def progress(self) -> list[tuple[int, int]]:
        """Return (identity of a block in flight, games that its records have served)."""
        with self._lock:
            return [(id(desk), desk.finished + int(desk.states["games"][0])) for desk in self._busy]

    def last_asked(self, block: int) -> tuple[str, Sitting] | None:
        """Return who was asked last in a block in flight, and in which game; None before the first and after it."""
        with self._lock:
            desk = next((desk for desk in self._busy if id(desk) == block), None)
        if desk is None or desk.states["game"][_playing(desk)] == NOT_BEGUN:
            return None
        return self._who(desk), self._sitting(desk)

    def unfinished(self) -> np.void | None:
        """Return the state of a game in flight, None without one."""
        with self._lock:
            return self._busy[0].states[0].copy() if self._busy else None

    @contextmanager
    def desk(self, tables: Tables) -> Iterator[Desk]:
        """Lend records for a block."""
        players = tables.line_ups.shape[2]
        with self._lock:
            idle = self._idle.setdefault((players, tables.settings), [])
            desk = idle.pop() if idle else self._new_desk(tables, players)
            desk.tables, states = tables, desk.states
            desk.finished += int(states["games"][0])
            states["games"] = states["fault"] = states["stop"] = 0
            states["game"] = NOT_BEGUN
            self._busy.append(desk)
        try:
            yield desk
        finally:
            with self._lock:
                self._busy.remove(desk)
                idle.append(desk)

    def _new_desk(self, tables: Tables, players: int) -> Desk:
        """Set up records: everything in them that is the same for all games."""
        n = len(tables.settings)
        views, books = blank_records(VIEW_DTYPE, n), blank_records(BOOKS_DTYPE, n)
        states = blank_records(STATE_DTYPE, n, _STATE_OFFSET)
        states["key"], states["step"] = rng.seed_stream(self.seed)
        for at, setting in enumerate(tables.settings):
            self.settings[setting].set_up(views[at : at + 1], states[at : at + 1], players)
        return Desk(views, states, books, tables)

    def _fault(self, desk: Desk, what: str) -> GameFaultError:
        """Return the error that says what a policy did wrong."""
        return GameFaultError(f"{self._who(desk)} {what}", self._sitting(desk))

    def _sitting(self, desk: Desk) -> Sitting:
        """Return the game that is played, and who sits where."""
        state, tables = desk.states[_playing(desk)], desk.tables
        game = int(state["game"])
        begun = np.flatnonzero((tables.units[:, 0] <= game) & (game < tables.units.sum(axis=1)))
        line_up = tables.line_ups[begun[0] if len(begun) else 0, _playing(desk)]
        who = state["who"][: len(line_up)]
        return Sitting(game, tuple(line_up[who].tolist()), tables.settings[_playing(desk)])

    def _who(self, desk: Desk) -> str:
        """Return strategy, slot, seat, game and round of the policy that was asked last."""
        view, state = desk.views[_playing(desk)], desk.states[_playing(desk)]
        seat, slot = int(view["me"]), SLOTS[int(state["slot"])]
        strategy = self.strategies[self._sitting(desk).seats[seat]]
        place = f"(seat {seat}, game {state['game']}, round {view['round']})"
        return f"{strategy.policies[slot].where}: {slot} of {strategy.spec} {place}"


def _playing(desk: Desk) -> int:
    """Return which of the tables is playing."""
    return int(desk.states["table"][0])


def _answer(desk: Desk) -> str:
    """Return an illegal answer and what would have been legal."""
    view, state = desk.views[_playing(desk)], desk.states[_playing(desk)]
    slot, answer = SLOTS[int(state["slot"])], int(state["answer"])
    legal = legal_answers(view, slot)
    if slot == "bid":
        costs = "; 27, which is 26+, costs a chip and there is none" if answer == BID_26_PLUS else ""
        return f"{answer}; a bid is {legal[0]} to {legal[-1]} here{costs}"
    due = {"hold": "a die that is free", "pick": "a position on the table", "top": "the position of a sheep taken"}
    return f"{answer}; it must be {due[slot]}: {' or '.join(map(str, legal))}"
