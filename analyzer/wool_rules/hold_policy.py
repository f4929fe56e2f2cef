"""Asking a policy which die to set aside: for every situation once (a table), or for every decision of a simulation."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from analyzer import rng
from analyzer.errors import PolicyError
from analyzer.jit import BOOL, CODE_ARRAY, INT, INT_ARRAY, UINT, inlined, plugged_kernel, record_type
from analyzer.slots import Policy
from analyzer.wool_rules.bidding import bid_label
from analyzer.wool_rules.constants import N_DICE, SIDES
from analyzer.wool_rules.dice import FACES, N_ROLLS, OTHERS, PAIR_WEIGHT, SINGLE_WEIGHT, TOTALS
from analyzer.wool_rules.plans import third_of_holds
from analyzer.wool_rules.rolls import (
    END_THREE,
    END_TWO,
    GROUP,
    N_CODES,
    end_codes,
    first_of,
    roll_group,
    second_of,
    third_of,
)
from analyzer.wool_rules.terms import Terms
from analyzer.wool_rules.views import ACTION_VIEW_DTYPE, N_DRAWS

VIEW_TYPE: Final = record_type(ACTION_VIEW_DTYPE)

# Faces and totals of first rolls, faces of the last two dice and of the last die, by the number of the roll as
# `tables_of` reads it; in bytes, so that all of them stay in a core's first cache.
_FACES: Final = FACES.astype(np.int8)
_TOTALS: Final = TOTALS.astype(np.int8)
_PAIR_FACES: Final = np.stack(
    [
        np.repeat([(a + 1, b + 1) for a in range(SIDES[j]) for b in range(SIDES[k])], PAIR_WEIGHT[die], axis=0)
        for die, (j, k) in enumerate(OTHERS)
    ]
).astype(np.int8)
_LAST_FACE: Final = np.stack([np.repeat(np.arange(1, SIDES[d] + 1), SINGLE_WEIGHT[d]) for d in range(N_DICE)]).astype(
    np.int8
)

_OTHERS: Final = np.array(OTHERS)

ILLEGAL_ANSWER, CHANGED_VIEW = 1, 2
"""What a policy may have done wrong."""

_SPREAD: Final = 1.37
"""Weight between the fields of a view in its fingerprint: whole changes of a few fields do not cancel out."""

ORDINARY_DRAWS: Final = ((0.2, 0.4, 0.6, 0.8), (0.9, 0.7, 0.5, 0.1))
"""What a policy of chance draws while it is tried out; a 0 would trouble honest ones that take a logarithm."""

MAX_SIDES: Final = max(SIDES)
_DIE_WITH_SIDES: Final = np.array([SIDES.index(n) if n in SIDES else -1 for n in range(MAX_SIDES + 1)])

_PURPOSE: Final = np.uint64(rng.POLICY)


@inlined
def _show(view: Any, attempt: int, total: int | np.int64) -> None:
    """Complete the view of a situation whose faces and dice set aside are in it already."""
    modifier = view.seats[0].modifier
    view.attempt = attempt
    view.result = total + min(modifier, 0)
    view.help = max(view.target - total - modifier, 0)


@inlined
def _fingerprint(view: Any) -> Any:
    """Return a number that a policy changes if it stores something else into any field of its view."""
    mix = 0.0
    for number in (view.me, view.attempt, view.target, view.result, view.help):
        mix = mix * _SPREAD + number
    for die in range(N_DICE):
        mix = (mix * _SPREAD + view.dice[die]) * _SPREAD + view.held[die]
    for i in range(N_DRAWS):
        mix = mix * _SPREAD + view.draws[i]
    seat = view.seats[0]
    return ((mix * _SPREAD + seat.chips) * _SPREAD + seat.modifier) * _SPREAD + seat.bid


@inlined
def _die_named(answer: int, held: int) -> int:
    """Return the index of the free die that an answer (12, 10 or 8) names, -1 for an illegal answer."""
    if answer < 0 or answer > MAX_SIDES:
        return -1
    die = _DIE_WITH_SIDES[answer]
    return -1 if die == held else die


@inlined
def _draw(view: Any, key: np.uint64, step: np.uint64, game: np.uint64, call: int) -> None:
    """Give the view fresh draws for the first (0) or second (1) call in a dice action."""
    place = rng.counter(game, _PURPOSE, np.uint64(call * N_DRAWS))
    for i in range(N_DRAWS):
        view.draws[i] = rng.unit(rng.draw(key, step, place + np.uint64(i)))


@plugged_kernel(VIEW_TYPE, INT_ARRAY, INT_ARRAY, INT_ARRAY, INT_ARRAY, CODE_ARRAY, CODE_ARRAY, BOOL, INT_ARRAY)
def tabulate(
    policy: Any,
    parameters: NDArray[np.float64],
    views: Any,
    bids: NDArray[np.int64],
    targets: NDArray[np.int64],
    modifiers: NDArray[np.int64],
    chips: NDArray[np.int64],
    first: NDArray[np.int8],
    second: NDArray[np.int8],
    everywhere: bool,
    fault: NDArray[np.int64],
) -> None:
    """Ask a policy once for every situation in which the bid is not made without help.

    `first` (960 * B) and `second` (3 * 960 * B) are filled with dice from 0 to 2, batch last. What the policy does
    wrong is left in `fault` (what, answer), its situation in the view; unless asked to be legal `everywhere`, an
    illegal answer counts only where the policy's own first answers lead.
    """
    view = views[0]
    n = len(bids)
    comes_up = np.empty((N_DICE, MAX_SIDES + 1), dtype=np.bool_)
    for b in range(n):
        view.target = targets[b]
        view.seats[0].bid = bids[b]
        view.seats[0].modifier = modifiers[b]
        view.seats[0].chips = chips[b]
        comes_up[:] = False
        for asked in range((1 + N_DICE) * N_ROLLS):
            held, roll = asked // N_ROLLS - 1, asked % N_ROLLS
            if TOTALS[roll] + min(modifiers[b], 0) >= targets[b]:
                continue
            for die in range(N_DICE):
                view.dice[die] = FACES[roll, die]
                view.held[die] = die == held
            _show(view, 1 if held < 0 else 2, TOTALS[roll])
            before = _fingerprint(view)
            answer = policy(view, parameters)
            if _fingerprint(view) != before:
                fault[0] = CHANGED_VIEW
                return
            die = _die_named(answer, held)
            if held < 0:
                if die >= 0:
                    comes_up[die, FACES[roll, die]] = True
                    first[roll * n + b] = die
            elif die >= 0:
                second[(held * N_ROLLS + roll) * n + b] = die
            elif not everywhere and not comes_up[held, FACES[roll, held]]:
                second[(held * N_ROLLS + roll) * n + b] = (held + 1) % N_DICE
                continue
            if die < 0:
                fault[0], fault[1] = ILLEGAL_ANSWER, answer
                return


@plugged_kernel(VIEW_TYPE, UINT, UINT, INT, INT, INT_ARRAY, INT_ARRAY, INT_ARRAY, INT_ARRAY)
def play_policy(
    policy: Any,
    parameters: NDArray[np.float64],
    views: Any,
    key: np.uint64,
    step: np.uint64,
    start: int,
    n: int,
    spent: NDArray[np.int64],
    ends: NDArray[np.int64],
    counts: NDArray[np.int64],
    fault: NDArray[np.int64],
) -> None:
    """Play dice actions, ask the policy for every decision and add the ends to `counts`.

    `spent` has the chips spent where a total makes the bid, else -1; `ends` the code of each total of the last attempt.
    An illegal answer is left in `fault` (1, answer), its situation in the view.
    """
    view = views[0]
    words = np.empty(GROUP, dtype=np.uint64)
    unchanged = _fingerprint(view)
    for begin in range(start, start + n, GROUP):
        roll_group(key, step, begin, words)
        for i in range(min(GROUP, start + n - begin)):
            game = np.uint64(begin) + np.uint64(i)
            roll = first_of(words[i])
            total = np.int64(_TOTALS[roll])
            if spent[total] >= 0:
                counts[END_THREE + spent[total]] += 1
                continue
            for die in range(N_DICE):
                view.dice[die] = _FACES[roll, die]
                view.held[die] = 0
            _show(view, 1, total)
            _draw(view, key, step, game, 0)
            answer = policy(view, parameters)
            held = _die_named(answer, -1)
            if held < 0:
                fault[0], fault[1] = ILLEGAL_ANSWER, answer
                return
            # Nothing is read from the view after a call, and it is set anew before the next: a policy may have stored.
            pair, kept = second_of(words[i]), np.int64(_FACES[roll, held])
            a, b = np.int64(_PAIR_FACES[held, pair, 0]), np.int64(_PAIR_FACES[held, pair, 1])
            total = kept + a + b
            if spent[total] >= 0:
                counts[END_TWO + spent[total]] += 1
                continue
            view.dice[held] = kept
            view.dice[_OTHERS[held, 0]] = a
            view.dice[_OTHERS[held, 1]] = b
            for die in range(N_DICE):
                view.held[die] = die == held
            _show(view, 2, total)
            _draw(view, key, step, game, 1)
            answer = policy(view, parameters)
            aside = _die_named(answer, held)
            if aside < 0:
                fault[0], fault[1] = ILLEGAL_ANSWER, answer
                return
            free = N_DICE - held - aside
            kept += a if aside == _OTHERS[held, 0] else b
            counts[ends[kept + _LAST_FACE[free, third_of(words[i])]]] += 1
    for die in range(N_DICE):
        view.dice[die] = view.held[die] = 0
    for draw in range(N_DRAWS):
        view.draws[draw] = 0.0
    view.attempt = view.result = view.help = 0
    if _fingerprint(view) != unchanged:
        fault[0] = CHANGED_VIEW


def hold_tables(
    policy: Policy, terms: Terms, *, everywhere: bool = False, draws: tuple[float, ...] = ORDINARY_DRAWS[0]
) -> tuple[NDArray[np.int8], NDArray[np.int8]]:
    """Ask a policy for every situation of B dice actions.

    Parameters
    ----------
    policy : Policy
        One that does not draw; of one that does, this asks only whether it answers legally in every situation.
    terms : Terms
        B dice actions.
    everywhere : bool
        Whether it must answer legally also after a first attempt at which it would have set aside another die.
    draws : tuple of float
        What it draws every time.

    Returns
    -------
    first : int8 array, shape (960, B)
        Die (0 to 2) set aside after each first roll.
    second : int8 array, shape (3, 960, B)
        The same after the second attempt, by the die set aside first. In both, situations in which the bid is made
        without help, so that nobody is asked, have 0.

    Raises
    ------
    PolicyError
        For a function that cannot be compiled, raises, stores into its view, or names a die that is not free.
    """
    compiled, n = policy.compile(VIEW_TYPE), len(terms)
    views, fault = np.zeros(1, ACTION_VIEW_DTYPE), np.zeros(2, np.int64)
    views["draws"] = draws
    first, second = np.zeros(N_ROLLS * n, np.int8), np.zeros(N_DICE * N_ROLLS * n, np.int8)
    tabulate.prepare()
    with _blaming(policy, views, fault):
        tabulate(
            compiled.call,
            compiled.parameters,
            views,
            terms.bid,
            terms.target,
            terms.modifier,
            terms.chips,
            first,
            second,
            everywhere,
            fault,
        )
    return first.reshape(N_ROLLS, n), second.reshape(N_DICE, N_ROLLS, n)


@dataclass(frozen=True)
class PolicyPlayer:
    """Plays blocks of one dice action under a policy that is asked for every decision.

    Parameters
    ----------
    policy : Policy
    terms : Terms
        A batch of one.
    seed : int
    """

    policy: Policy
    terms: Terms
    seed: int

    def __call__(self, start: int, n: int) -> NDArray[np.int64]:
        """Play dice actions `start` to `start + n - 1` and return the counts of their ends."""
        compiled = self.policy.compile(VIEW_TYPE)
        views, fault, counts = np.zeros(1, ACTION_VIEW_DTYPE), np.zeros(2, np.int64), np.zeros(N_CODES, np.int64)
        view = views[0]
        view["target"], view["seats"][0]["bid"] = self.terms.target[0], self.terms.bid[0]
        view["seats"][0]["modifier"], view["seats"][0]["chips"] = self.terms.modifier[0], self.terms.chips[0]
        made = self.terms.makes_bid()[:, 0]
        spent = np.where(made, self.terms.help()[:, 0], -1)
        ends = end_codes(self.terms, third_of_holds(self.terms))
        play_policy.prepare()
        with _blaming(self.policy, views, fault):
            play_policy(
                compiled.call,
                compiled.parameters,
                views,
                *rng.seed_stream(self.seed),
                start,
                n,
                spent,
                ends,
                counts,
                fault,
            )
        return counts


@contextmanager
def _blaming(policy: Policy, views: NDArray[np.void], fault: NDArray[np.int64]) -> Iterator[None]:
    """Turn an illegal answer or an exception inside a policy into one message with the situation it was asked in."""
    who = f"{policy.where}: {policy.function.__name__}"
    try:
        yield
    except Exception as error:  # whatever a user's function may raise
        raise PolicyError(f"{who} failed with {type(error).__name__}: {error} {_situation(views[0])}") from error
    if fault[0] == CHANGED_VIEW:
        raise PolicyError(
            f"{policy.where}: {policy.spec} stores into its view {_situation(views[0])}; policies only read"
        )
    if fault[0] == ILLEGAL_ANSWER:
        free = [str(SIDES[d]) for d in range(N_DICE) if not views[0]["held"][d]]
        raise PolicyError(
            f"{who} answered {fault[1]} {_situation(views[0])}; "
            f"its answer must be a die that is free: {' or '.join(free)}"
        )


def _situation(view: np.void) -> str:
    d12, d10, d8 = view["dice"]
    held = "".join(f", d{SIDES[d]} set aside" for d in range(N_DICE) if view["held"][d])
    seat = view["seats"][0]
    return (
        f"at bid {bid_label(seat['bid'])}, modifier {seat['modifier']}, chips {seat['chips']}, "
        f"attempt {view['attempt']}, dice {d12},{d10},{d8}{held}"
    )
