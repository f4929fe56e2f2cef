"""Playing games of a line-up in blocks: records set up once, the kernel that plays, the sums that leave."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from threading import Lock
from typing import Final

import numpy as np
from numpy.typing import NDArray

from analyzer import rng
from analyzer.errors import BadInputError, GameFaultError
from analyzer.jit import blank_record
from analyzer.results import Sums
from analyzer.slots import CompiledPolicy, Strategy
from analyzer.wool_rules.asking import VIEW_TYPE
from analyzer.wool_rules.constants import (
    BID_26_PLUS,
    BLACK,
    BONE,
    DOG,
    MAX_PLAYERS,
    MIN_PLAYERS,
    N_CARDS,
    SET_007,
    SET_370,
    WHITE,
)
from analyzer.wool_rules.deck import Deck, kind_counts
from analyzer.wool_rules.need_odds import need_odds
from analyzer.wool_rules.play import play_block
from analyzer.wool_rules.positions import legal_answers
from analyzer.wool_rules.rules import MEMORIES, Rules
from analyzer.wool_rules.scoring import trio_points
from analyzer.wool_rules.state import GAIN_DTYPE, KIND_BITS, MAX_PARAMETERS, SLOTS, STATE_DTYPE
from analyzer.wool_rules.tallies import BOOKS_DTYPE, COUNTS, N_RESULTS
from analyzer.wool_rules.views import VIEW_DTYPE

STRIP: Final = 256
"""Games whose results are kept before they are reduced: few enough for a core's second cache."""


@dataclass(frozen=True)
class Question:
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
        for card in self.deck.cards:
            if card.sheep_number in self.rules.table_numbers:
                raise BadInputError(
                    f"deck {self.deck.name}: sheep number {card.sheep_number} of card {card.card} is one of the rules' "
                    f"table numbers {list(self.rules.table_numbers)}; they must differ"
                )

    @property
    def players(self) -> int:
        """How many play."""
        return len(self.strategies)

    @property
    def rounds(self) -> int:
        """Rounds of a game: each lays out one card more than there are players (R14)."""
        return -(-N_CARDS // (self.players + 1))

    @cached_property
    def seating(self) -> NDArray[np.int64]:
        """The place in the line-up that sits on each seat, a row for each seating."""
        first = np.arange(self.players)
        return np.stack([np.roll(first, turn) for turn in range(self.players)]) if self.rotate else first[None].copy()

    @cached_property
    def score_range(self) -> tuple[int, int]:
        """Bounds that no score can leave: every card and chip at its worst and its best."""
        rules, deck = self.rules, self.deck
        trios = [
            [trio_points(points, n) for n in range(deck.count(kind) + 1)]
            for kind, points in ((2, rules.three_seven_zero), (3, rules.zero_zero_seven))
        ]
        dogs = [rules.dog_single, rules.dog_most, rules.bone_per_dog * deck.count(4)]
        signed = [card.points for card in deck.cards]
        low = sum(min(points, 0) for points in signed + dogs) + sum(map(min, trios))
        high = sum(max(points, 0) for points in signed + dogs) + sum(map(max, trios)) + rules.chips_total
        return low, high


@dataclass
class _Desk:
    """The records of one block at a time; used again for the next one."""

    views: NDArray[np.void]
    states: NDArray[np.void]
    results: NDArray[np.int32]
    finished: int = 0
    """Games of earlier blocks: what a watchdog sees never goes back."""


@dataclass(frozen=True)
class Recording:
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


class GamePlayer:
    """Plays blocks of games of a question.

    Parameters
    ----------
    question : Question

    Raises
    ------
    PolicyError
        When a policy cannot be compiled.

    Notes
    -----
    Several threads may play blocks at once. What each kernel last noted can be read while it runs:
    :meth:`progress`, :meth:`last_asked`.
    """

    def __init__(self, question: Question) -> None:
        self.question = question
        play_block.prepare()
        compiled = [_compile(strategy) for strategy in question.strategies]
        empty = compiled[-1:] * (MAX_PLAYERS - len(compiled))
        self._policies = tuple(tuple(seat[slot].call for seat in compiled + empty) for slot in range(len(SLOTS)))
        self._parameters = np.zeros((MAX_PLAYERS, len(SLOTS), MAX_PARAMETERS))
        for who, policies in enumerate(compiled):
            for slot, policy in enumerate(policies):
                self._parameters[who, slot, : len(policy.parameters)] = policy.parameters
        self._idle: list[_Desk] = []
        self._busy: list[_Desk] = []
        self._lock = Lock()

    def __call__(self, start: int, n: int) -> Sums:
        """Play games `start` to `start + n - 1` and return their sums.

        Raises
        ------
        GameFaultError
            When a policy raises or answers illegally, with the strategy, slot, seat, game and round.
        """
        books = blank_record(BOOKS_DTYPE)
        with self._desk() as desk:
            sums = self._play(desk, books, desk.results, start, n, self.question.seating)
        sums.extra = {name: books["of"][0][name][: self.question.players] for name in COUNTS}
        return sums

    def record(self, game: int, rotation: int = 0) -> "Recording":
        """Play one game with its events noted."""
        fault = None
        results = np.zeros((1, 1, self.question.players, N_RESULTS), np.int32)
        seating = self.question.seating[rotation : rotation + 1]
        with self._desk() as desk:
            desk.states["logging"] = 1
            try:
                self._play(desk, blank_record(BOOKS_DTYPE), results, game, 1, seating)
            except GameFaultError as error:
                fault = error
            finally:
                desk.states["logging"] = 0
            return Recording(desk.states[0].copy(), desk.views[0].copy(), results[0, 0], fault)

    def stop(self) -> None:
        """Let the blocks in flight end after the game they are playing."""
        with self._lock:
            for desk in self._busy:
                desk.states["stop"] = 1

    def progress(self) -> list[tuple[int, int]]:
        """Return (identity of a block in flight, games that its records have served)."""
        with self._lock:
            return [(id(desk), desk.finished + int(desk.states["games"][0])) for desk in self._busy]

    def last_asked(self, block: int) -> tuple[str, int, int] | None:
        """Return who was asked last in a block in flight, in words, in which game and seating; None if it has ended."""
        with self._lock:
            desk = next((desk for desk in self._busy if id(desk) == block), None)
        return None if desk is None else (self._who(desk), *self._where(desk))

    def unfinished(self) -> np.void | None:
        """Return the state of a game in flight, None without one."""
        with self._lock:
            return self._busy[0].states[0].copy() if self._busy else None

    @contextmanager
    def _desk(self) -> Iterator[_Desk]:
        """Lend records for a block."""
        with self._lock:
            desk = self._idle.pop() if self._idle else self._new_desk()
            self._busy.append(desk)
        try:
            yield desk
        finally:
            with self._lock:
                self._busy.remove(desk)
                self._idle.append(desk)

    def _new_desk(self) -> _Desk:
        """Set up records: everything in them that is the same for all games."""
        question = self.question
        views, states = blank_record(VIEW_DTYPE), blank_record(STATE_DTYPE)
        views["players"], views["rounds"] = question.players, question.rounds
        views["rules"], views["deck_kinds"] = question.rules.record(), kind_counts(question.deck)
        views["odds"] = need_odds(question.rules)
        states["key"], states["step"] = rng.seed_stream(question.seed)
        states["cards"], states["table_numbers"] = question.deck.records(), question.rules.table_numbers
        states["numbers"] = np.arange(N_CARDS)
        states["gains"] = card_gains(question.deck, question.rules)
        white = sorted(card.points for card in question.deck.cards if card.kind == WHITE)
        states["ranked_points"][0, : len(white)] = white
        for name, trio in (
            ("points_370", question.rules.three_seven_zero),
            ("points_007", question.rules.zero_zero_seven),
        ):
            states[name] = [trio_points(trio, n) for n in range(N_CARDS + 1)]
        states["points_dogs"][0, 1], states["points_behind"][0, 0] = question.rules.dog_single, question.rules.dog_most
        states["parameters"] = self._parameters
        for who, strategy in enumerate(question.strategies):
            states["draws"][0, who] = [strategy.policies[slot].uses_draws for slot in SLOTS]
        states["drawing"] = states["draws"].any()
        shape = (STRIP, len(question.seating), question.players, N_RESULTS)
        return _Desk(views, states, np.zeros(shape, np.int32))

    def _play(
        self,
        desk: _Desk,
        books: NDArray[np.void],
        results: NDArray[np.int32],
        start: int,
        n: int,
        seating: NDArray[np.int64],
    ) -> Sums:
        """Play games and return their sums, of fewer games if they were stopped."""
        states, (low, high) = desk.states, self.question.score_range
        with self._lock:
            desk.finished += int(states["games"][0])
            states["games"] = states["fault"] = states["stop"] = 0
        sums = Sums.nothing(self.question.players, N_RESULTS, high - low + 1, {})
        arrays = (sums.total, sums.squares, sums.scores, sums.places, sums.shared, sums.extremes)
        try:
            play_block(self._policies, desk.views, states, books, start, n, results, seating, low, *arrays)
        except Exception as error:  # whatever a user's function may raise
            raise self._fault(desk, f"failed with {type(error).__name__}: {error}") from error
        if states["fault"][0]:
            raise self._fault(desk, f"answered {self._answer(desk)}")
        sums.games = int(states["games"][0])
        return sums

    def _fault(self, desk: _Desk, what: str) -> GameFaultError:
        """Return the error that says what a policy did wrong."""
        return GameFaultError(f"{self._who(desk)} {what}", *self._where(desk))

    def _where(self, desk: _Desk) -> tuple[int, int]:
        """Return the game and the seating that are played."""
        who = desk.states["who"][0, : self.question.players]
        rotation = int(np.flatnonzero((self.question.seating == who).all(axis=1))[0])
        return int(desk.states["game"][0]), rotation

    def _who(self, desk: _Desk) -> str:
        """Return strategy, slot, seat, game and round of the policy that was asked last."""
        seat, slot = int(desk.views["me"][0]), int(desk.states["slot"][0])
        strategy = self.question.strategies[int(desk.states["who"][0, seat])]
        policy = strategy.policies[SLOTS[slot]]
        return (
            f"{policy.where}: {SLOTS[slot]} of {strategy.spec} (seat {seat}, game {desk.states['game'][0]}, "
            f"round {desk.views['round'][0]})"
        )

    def _answer(self, desk: _Desk) -> str:
        """Return an illegal answer and what would have been legal."""
        slot, answer = SLOTS[int(desk.states["slot"][0])], int(desk.states["answer"][0])
        legal = legal_answers(desk.views[0], slot)
        if slot == "bid":
            costs = "; 27, which is 26+, costs a chip and there is none" if answer == BID_26_PLUS else ""
            return f"{answer}; a bid is {legal[0]} to {legal[-1]} here{costs}"
        due = {"hold": "a die that is free", "pick": "a position on the table", "top": "the position of a sheep taken"}
        return f"{answer}; it must be {due[slot]}: {' or '.join(map(str, legal))}"


def _compile(strategy: Strategy) -> list[CompiledPolicy]:
    """Compile a strategy's policies, in the order of the slots."""
    compiled = [strategy.policies[slot].compile(VIEW_TYPE, checked=False) for slot in SLOTS]
    for slot, policy in zip(SLOTS, compiled, strict=True):
        if len(policy.parameters) > MAX_PARAMETERS:
            raise BadInputError(
                f"{strategy.spec}: {slot} has {len(policy.parameters)} parameters; {MAX_PARAMETERS} is the most"
            )
    return compiled


def card_gains(deck: Deck, rules: Rules) -> NDArray[np.void]:
    """Return what taking each card adds, shape (60,); with memory = "table", what only memory tells shows nothing."""
    cards, gains = deck.records(), np.zeros(N_CARDS, GAIN_DTYPE)
    kind = cards["kind"]
    gains["kinds"] = np.uint64(1) << (KIND_BITS * kind).astype(np.uint64)
    white = sorted((card.points, card.card) for card in deck.cards if card.kind == WHITE)
    for rank, (_, card) in enumerate(white):
        gains["white_ranks"][card] = 1 << rank
    gains["white"], gains["black"] = cards["points"] * (kind == WHITE), cards["points"] * (kind == BLACK)
    gains["dogs"], gains["has_bone"], gains["sheep"] = kind == DOG, kind == BONE, kind <= SET_007
    if rules.memory == MEMORIES[0]:
        gains["seen_white"], gains["seen_black"] = gains["white"], gains["black"]
        gains["n_white"], gains["n_370"], gains["n_007"] = kind == WHITE, kind == SET_370, kind == SET_007
    return gains
