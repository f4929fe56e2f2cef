"""Trying out a strategy: the contract that every strategy must keep, tested on random positions."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from analyzer.errors import PolicyError, Sitting, WoolsimError
from analyzer.jit import INT, INT_ARRAY, plugged_kernel
from analyzer.slots import CompiledPolicy, Policy, Strategy
from analyzer.wool_rules.asking import VIEW_TYPE
from analyzer.wool_rules.bidding import bid_label
from analyzer.wool_rules.constants import MAX_PLAYERS, MIN_PLAYERS
from analyzer.wool_rules.deck import Deck
from analyzer.wool_rules.games import GamePlayer, Question
from analyzer.wool_rules.positions import legal_answers, plain, random_positions
from analyzer.wool_rules.rules import Rules
from analyzer.wool_rules.state import SLOTS

POSITIONS: Final = 2_000
"""Random positions for each slot."""

COMPARED: Final = 200
"""Of these, how many are also answered uncompiled, which is a thousand times slower."""

TIMED_SECONDS: Final = 0.02
"""How long calls are repeated to take their time."""

AT_ONCE: Final = 500
"""Positions between two looks of a watchdog."""

JUNK: Final = 77
"""Stands where a view has nothing to show."""

GAMES: Final = 200
"""Games against plain for each number of players."""


@dataclass(frozen=True)
class Finding:
    """What was found of one thing that was tried.

    Parameters
    ----------
    part : str
        A slot, or "games".
    what : str
        What was tried, in words.
    wrong : str or None
        What is wrong, None if nothing is.
    """

    part: str
    what: str
    wrong: str | None = None


@dataclass
class Trial:
    """What is being tried out just now, for a watchdog (:class:`~analyzer.watchdog.Watched`).

    Compiling takes its time, which is no fault of the strategy: nothing is in flight meanwhile.
    """

    asked: str = ""
    calls: int = 0
    busy: bool = False
    player: GamePlayer | None = None

    @contextmanager
    def asking(self) -> Iterator[None]:
        """While positions are asked about."""
        self.calls += 1
        self.busy = True
        try:
            yield
        finally:
            self.busy = False

    def play(self, player: GamePlayer, games: int) -> None:
        """Play whole games."""
        self.player = player
        try:
            player(0, games)
        finally:
            self.player = None

    def progress(self) -> list[tuple[int, int]]:
        """Return what is in flight, with a number that changes whenever something comes to its end."""
        player = self.player
        return player.progress() if player else [(0, self.calls)] * self.busy

    def last_asked(self, block: int) -> tuple[str, Sitting] | None:
        """Return who was asked last; in which game only for whole games."""
        player = self.player
        return player.last_asked(block) if player else (self.asked, Sitting(0, ()))

    def stop(self) -> None:
        """Let whole games end after the one that is played."""
        player = self.player
        if player:
            player.stop()


@plugged_kernel(VIEW_TYPE, INT_ARRAY, INT)
def _answers(
    policy: Any, parameters: NDArray[np.float64], views: Any, answers: NDArray[np.int64], repeats: int
) -> None:
    """Ask a policy in every position, several times over, and keep the last answers."""
    for _ in range(repeats):
        for at in range(len(views)):
            answers[at] = policy(views[at], parameters)


def check_strategy(strategy: Strategy, rules: Rules, deck: Deck, trial: Trial | None = None) -> Iterator[Finding]:
    """Try out a strategy and yield what was found, one thing at a time.

    Parameters
    ----------
    strategy : Strategy
    rules, deck
        What is played.
    trial : Trial, optional
        Is told what is being tried out.

    Yields
    ------
    Finding
        For each slot: legal, deterministic, blind to what is hidden, compiled as uncompiled, speed; then whole games.
    """
    trial = trial or Trial()
    for slot in SLOTS:
        trial.asked = f"{strategy.policies[slot].where}: {slot} of {strategy.spec}"
        yield from _check_slot(slot, strategy.policies[slot], rules, deck, trial)
    yield Finding("games", f"{GAMES} each with 2 to 6 players", _whole_games(strategy, rules, deck, trial))


def _check_slot(slot: str, policy: Policy, rules: Rules, deck: Deck, trial: Trial) -> Iterator[Finding]:
    views = random_positions(slot, POSITIONS, rules, deck)
    if not len(views):
        yield Finding(slot, "never asked under these rules")
        return
    before = views.tobytes()
    try:
        checked, unchecked = policy.compile(VIEW_TYPE, checked=True), policy.compile(VIEW_TYPE, checked=False)
        answers = _ask(trial, checked, views)
    except Exception as error:  # whatever a user's function may raise
        yield Finding(slot, "compiled with bounds checking", _complaint(policy, error))
        return
    yield Finding(slot, f"{len(views):,} positions with bounds checking")
    yield Finding(slot, "legal", _illegal(slot, policy, views, answers))
    yield Finding(slot, "deterministic given its draws", _changes(trial, policy, checked, views, before, answers))
    yield Finding(
        slot, "the same without bounds checking", _differ(policy, views, answers, _ask(trial, unchecked, views))
    )
    yield Finding(slot, "sees nothing hidden", _peeks(trial, policy, unchecked, views, answers))
    yield Finding(slot, "the same uncompiled", _uncompiled(trial, policy, views, answers))
    yield Finding(slot, f"{_nanoseconds(trial, unchecked, views):,.0f} ns a call")


def _complaint(policy: Policy, error: Exception) -> str:
    return str(error) if isinstance(error, WoolsimError) else f"{policy.where}: {type(error).__name__}: {error}"


def _changes(
    trial: Trial,
    policy: Policy,
    compiled: CompiledPolicy,
    views: NDArray[np.void],
    before: bytes,
    answers: NDArray[np.int64],
) -> str | None:
    """Ask again, in the same order and in another: neither its view nor its answers may have changed."""
    if views.tobytes() != before:
        return f"{policy.where}: stores into its view"
    order = np.random.default_rng(1).permutation(len(views))
    return _differ(policy, views, answers, _ask(trial, compiled, views)) or _differ(
        policy, views[order], answers[order], _ask(trial, compiled, views[order])
    )


def _ask(trial: Trial, policy: CompiledPolicy, views: NDArray[np.void], repeats: int = 1) -> NDArray[np.int64]:
    answers = np.zeros(len(views), np.int64)
    views = np.ascontiguousarray(views)
    for start in range(0, len(views), AT_ONCE):
        part = slice(start, start + AT_ONCE)
        with trial.asking():
            _answers(policy.call, policy.parameters, views[part], answers[part], repeats)
    return answers


def _illegal(slot: str, policy: Policy, views: NDArray[np.void], answers: NDArray[np.int64]) -> str | None:
    for view, answer in zip(views, answers.tolist(), strict=True):
        legal = legal_answers(view, slot)
        if answer not in legal:
            return f"{policy.where}: answered {answer} {situation(view)}; legal: {', '.join(map(str, legal))}"
    return None


def _differ(policy: Policy, views: NDArray[np.void], a: NDArray[np.int64], b: NDArray[np.int64]) -> str | None:
    for view, one, other in zip(views, a.tolist(), b.tolist(), strict=True):
        if one != other:
            return f"{policy.where}: answered {one}, then {other} {situation(view)}"
    return None


def _peeks(
    trial: Trial, policy: Policy, compiled: CompiledPolicy, views: NDArray[np.void], answers: NDArray[np.int64]
) -> str | None:
    """Fill everything that does not count with other numbers: cards and seats beyond those that there are."""
    junk = views.copy()
    for view in junk:
        view["table"][view["n_table"] :] = JUNK
        view["taken"][view["n_taken"] :] = JUNK
        view["seats"][view["players"] :] = JUNK
        view["order"][view["players"] :] = JUNK
    try:
        return _differ(policy, views, answers, _ask(trial, compiled, junk))
    except Exception as error:  # whatever a user's function may raise
        return _complaint(policy, error)


def _uncompiled(trial: Trial, policy: Policy, views: NDArray[np.void], answers: NDArray[np.int64]) -> str | None:
    for view, answer in zip(views[:COMPARED], answers[:COMPARED].tolist(), strict=True):
        try:
            with trial.asking(), np.errstate(all="ignore"):  # numpy's warnings say nothing about the answer
                mine = int(policy.function(plain(view), **policy.parameters))
        except Exception as error:  # whatever a user's function may raise
            return f"{_complaint(policy, error)} {situation(view)}"
        if mine != answer:
            return f"{policy.where}: answered {answer} compiled, {mine} uncompiled {situation(view)}"
    return None


def _nanoseconds(trial: Trial, policy: CompiledPolicy, views: NDArray[np.void]) -> float:
    """Return the time of a call: the best of three, as nothing makes a call faster than it is."""

    def timed(repeats: int) -> float:
        begun = time.perf_counter()
        _ask(trial, policy, views, repeats)
        return (time.perf_counter() - begun) / (repeats * len(views))

    once = timed(1)
    repeats = int(TIMED_SECONDS / (once * len(views)))
    return min([once, *(timed(repeats) for _ in range(3 * (repeats > 0)))]) * 1e9


def _whole_games(strategy: Strategy, rules: Rules, deck: Deck, trial: Trial) -> str | None:
    """Play games in which all seats play this strategy."""
    for players in range(MIN_PLAYERS, MAX_PLAYERS + 1):
        try:
            trial.play(GamePlayer(Question((strategy,) * players, rules, deck, seed=players)), GAMES)
        except PolicyError as error:
            return str(error)
    return None


def games_a_second(strategy: Strategy, rules: Rules, deck: Deck, trial: Trial, players: int = 4) -> float:
    """Return how many games of a strategy against itself one core plays in a second, measured now."""
    player = GamePlayer(Question((strategy,) * players, rules, deck, seed=1))
    n, seconds = 1, 0.0
    while seconds < 0.2:
        n *= 4
        begun = time.perf_counter()
        trial.play(player, n)
        seconds = time.perf_counter() - begun
    return n / seconds


def situation(view: np.void) -> str:
    """Return a position in a few words."""
    seat = view["seats"][view["me"]]
    words = [
        f"{view['players']} players",
        f"round {view['round']}",
        f"seat {view['me']} with {seat['chips']} chips and modifier {seat['modifier']}",
        f"{view['n_table']} cards on the table",
    ]
    if view["attempt"]:
        words.append(f"bid {bid_label(int(seat['bid']))}, attempt {view['attempt']}, dice {view['dice'].tolist()}")
    return f"({', '.join(words)})"
