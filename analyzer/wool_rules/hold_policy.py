"""Asking a policy which die to set aside: for every situation once (a table), or for every decision of a simulation."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from analyzer import rng
from analyzer.errors import PolicyError
from analyzer.jit import BOOL, CODE_ARRAY, INT, INT_ARRAY, UINT, PluggedKernel, inlined, plugged_kernel, record_type
from analyzer.slots import Policy
from analyzer.wool_rules.bidding import bid_label
from analyzer.wool_rules.constants import N_DICE
from analyzer.wool_rules.dice import OTHERS, Dice
from analyzer.wool_rules.plans import third_of_holds
from analyzer.wool_rules.rolls import (
    END_THREE,
    END_TWO,
    GROUP,
    N_CODES,
    end_codes,
    first_of,
    named_after,
    roll_group,
    second_of,
    split_of,
    third_of,
)
from analyzer.wool_rules.rules import MAX_SIDES
from analyzer.wool_rules.terms import Terms
from analyzer.wool_rules.views import ACTION_VIEW_DTYPE, N_DRAWS

VIEW_TYPE: Final = record_type(ACTION_VIEW_DTYPE)

Faces = NDArray[np.int8]


@cache
def _faces_by_number(dice: Dice) -> tuple[Faces, Faces, Faces]:
    """Return the faces of first rolls, of the last two dice and of the last die, by the number of the roll.

    Numbers are as `tables_of` reads them. The arrays, in bytes so that those of the standard dice stay in a core's
    first cache, have the axes (roll, die), (die set aside, roll, other die) and (die, roll).
    """
    pairs = [
        np.repeat(
            [(a, b) for a in range(1, dice.sides[j] + 1) for b in range(1, dice.sides[k] + 1)],
            dice.pair_weight[die],
            axis=0,
        )
        for die, (j, k) in enumerate(OTHERS)
    ]
    last = [
        np.repeat(np.arange(1, sides + 1), weight) for sides, weight in zip(dice.sides, dice.single_weight, strict=True)
    ]
    return dice.faces.astype(np.int8), np.array(pairs, dtype=np.int8), np.array(last, dtype=np.int8)


_OTHERS: Final = np.array(OTHERS)

ILLEGAL_ANSWER, CHANGED_VIEW = 1, 2
"""What a policy may have done wrong."""

_SPREAD: Final = 1.37
"""Weight between the fields of a view in its fingerprint: whole changes of a few fields do not cancel out."""

ORDINARY_DRAWS: Final = ((0.2, 0.4, 0.6, 0.8), (0.9, 0.7, 0.5, 0.1))
"""What a policy of chance draws while it is tried out; a 0 would trouble honest ones that take a logarithm."""

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


@cache
def _die_by_sides(dice: Dice) -> NDArray[np.int64]:
    """Return the index of the die with so many sides, -1 for none, shape (31,)."""
    return np.array([dice.sides.index(n) if n in dice.sides else -1 for n in range(MAX_SIDES + 1)])


@inlined
def _die_named(answer: int, held: int, die_by_sides: NDArray[np.int64]) -> int:
    """Return the index of the free die that an answer names by its sides, -1 for an illegal answer."""
    if answer < 0 or answer > MAX_SIDES:
        return -1
    die = die_by_sides[answer]
    return -1 if die == held else die


@inlined
def _draw(view: Any, key: np.uint64, step: np.uint64, game: np.uint64, call: int) -> None:
    """Give the view fresh draws for the first (0) or second (1) call in a dice action."""
    place = rng.counter(game, _PURPOSE, np.uint64(call * N_DRAWS))
    for i in range(N_DRAWS):
        view.draws[i] = rng.unit(rng.draw(key, step, place + np.uint64(i)))


@plugged_kernel(
    VIEW_TYPE,
    INT_ARRAY,
    CODE_ARRAY,
    INT_ARRAY,
    INT_ARRAY,
    INT_ARRAY,
    INT_ARRAY,
    CODE_ARRAY,
    CODE_ARRAY,
    BOOL,
    INT_ARRAY,
)
def tabulate(
    policy: Any,
    parameters: NDArray[np.float64],
    views: Any,
    die_by_sides: NDArray[np.int64],
    faces: Faces,
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

    `faces` has those of all first rolls, one after the other. `first` (n_rolls * B) and `second` (3 * n_rolls * B) are
    filled with dice from 0 to 2, batch last. What the policy does
    wrong is left in `fault` (what, answer), its situation in the view; unless asked to be legal `everywhere`, an
    illegal answer counts only where the policy's own first answers lead.
    """
    view = views[0]
    n, n_rolls = len(bids), len(faces) // N_DICE
    comes_up = np.empty((N_DICE, MAX_SIDES + 1), dtype=np.bool_)
    for b in range(n):
        view.target = targets[b]
        view.seats[0].bid = bids[b]
        view.seats[0].modifier = modifiers[b]
        view.seats[0].chips = chips[b]
        comes_up[:] = False
        for asked in range((1 + N_DICE) * n_rolls):
            held, roll = asked // n_rolls - 1, asked % n_rolls
            total = np.int64(faces[roll * N_DICE]) + faces[roll * N_DICE + 1] + faces[roll * N_DICE + 2]
            if total + min(modifiers[b], 0) >= targets[b]:
                continue
            for die in range(N_DICE):
                view.dice[die] = faces[roll * N_DICE + die]
                view.held[die] = die == held
            _show(view, 1 if held < 0 else 2, total)
            before = _fingerprint(view)
            answer = policy(view, parameters)
            if _fingerprint(view) != before:
                fault[0] = CHANGED_VIEW
                return
            die = _die_named(answer, held, die_by_sides)
            if held < 0:
                if die >= 0:
                    comes_up[die, view.dice[die]] = True
                    first[roll * n + b] = die
            elif die >= 0:
                second[(held * n_rolls + roll) * n + b] = die
            elif not everywhere and not comes_up[held, view.dice[held]]:
                second[(held * n_rolls + roll) * n + b] = (held + 1) % N_DICE
                continue
            if die < 0:
                fault[0], fault[1] = ILLEGAL_ANSWER, answer
                return


@cache
def policy_kernel(dice: Dice) -> PluggedKernel:
    """Return the kernel that plays some dice and asks a policy for every decision."""
    split, die_by_sides = split_of(dice), _die_by_sides(dice)
    faces, pair_faces, last_faces = _faces_by_number(dice)
    totals = dice.totals.astype(np.int8)

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

        `spent` has the chips spent where a total makes the bid, else -1; `ends` the code of each total of the last
        attempt. An illegal answer is left in `fault` (1, answer), its situation in the view.
        """
        view = views[0]
        words = np.empty(GROUP, dtype=np.uint64)
        unchanged = _fingerprint(view)
        for begin in range(start, start + n, GROUP):
            roll_group(key, step, begin, words, split)
            for i in range(min(GROUP, start + n - begin)):
                game = np.uint64(begin) + np.uint64(i)
                roll = first_of(words[i])
                total = np.int64(totals[roll])
                if spent[total] >= 0:
                    counts[END_THREE + spent[total]] += 1
                    continue
                for die in range(N_DICE):
                    view.dice[die] = faces[roll, die]
                    view.held[die] = 0
                _show(view, 1, total)
                _draw(view, key, step, game, 0)
                answer = policy(view, parameters)
                held = _die_named(answer, -1, die_by_sides)
                if held < 0:
                    fault[0], fault[1] = ILLEGAL_ANSWER, answer
                    return
                # Nothing is read from the view after a call, and it is set anew before the next: a policy may store.
                pair, kept = second_of(words[i]), np.int64(faces[roll, held])
                a, b = np.int64(pair_faces[held, pair, 0]), np.int64(pair_faces[held, pair, 1])
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
                aside = _die_named(answer, held, die_by_sides)
                if aside < 0:
                    fault[0], fault[1] = ILLEGAL_ANSWER, answer
                    return
                free = N_DICE - held - aside
                kept += a if aside == _OTHERS[held, 0] else b
                counts[ends[kept + last_faces[free, third_of(words[i])]]] += 1
        for die in range(N_DICE):
            view.dice[die] = view.held[die] = 0
        for draw in range(N_DRAWS):
            view.draws[draw] = 0.0
        view.attempt = view.result = view.help = 0
        if _fingerprint(view) != unchanged:
            fault[0] = CHANGED_VIEW

    arguments = (UINT, UINT, INT, INT, INT_ARRAY, INT_ARRAY, INT_ARRAY, INT_ARRAY)
    return plugged_kernel(VIEW_TYPE, *arguments)(named_after(dice, play_policy))


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
    first : int8 array, shape (n_rolls, B)
        Die (0 to 2) set aside after each first roll.
    second : int8 array, shape (3, n_rolls, B)
        The same after the second attempt, by the die set aside first. In both, situations in which the bid is made
        without help, so that nobody is asked, have 0.

    Raises
    ------
    PolicyError
        For a function that cannot be compiled, raises, stores into its view, or names a die that is not free.
    """
    compiled, dice, n = policy.compile(VIEW_TYPE), terms.dice, len(terms)
    views, fault = _views(terms), np.zeros(2, np.int64)
    views["draws"] = draws
    first, second = np.zeros(dice.n_rolls * n, np.int8), np.zeros(N_DICE * dice.n_rolls * n, np.int8)
    tabulate.prepare()
    with _blaming(policy, terms, views, fault):
        tabulate(
            compiled.call,
            compiled.parameters,
            views,
            _die_by_sides(dice),
            _faces_by_number(dice)[0].ravel(),
            terms.bid,
            terms.target,
            terms.modifier,
            terms.chips,
            first,
            second,
            everywhere,
            fault,
        )
    return first.reshape(dice.n_rolls, n), second.reshape(N_DICE, dice.n_rolls, n)


def _views(terms: Terms) -> NDArray[np.void]:
    """Return an array of one view that shows nothing but the rules."""
    views = np.zeros(1, ACTION_VIEW_DTYPE)
    views["rules"] = terms.rules.record()
    return views


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
        views, fault, counts = _views(self.terms), np.zeros(2, np.int64), np.zeros(N_CODES, np.int64)
        view = views[0]
        view["target"], view["seats"][0]["bid"] = self.terms.target[0], self.terms.bid[0]
        view["seats"][0]["modifier"], view["seats"][0]["chips"] = self.terms.modifier[0], self.terms.chips[0]
        made = self.terms.makes_bid()[:, 0]
        spent = np.where(made, self.terms.help()[:, 0], -1)
        ends = end_codes(self.terms, third_of_holds(self.terms))
        play_policy = policy_kernel(self.terms.dice)
        play_policy.prepare()
        with _blaming(self.policy, self.terms, views, fault):
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
def _blaming(policy: Policy, terms: Terms, views: NDArray[np.void], fault: NDArray[np.int64]) -> Iterator[None]:
    """Turn an illegal answer or an exception inside a policy into one message with the situation it was asked in."""
    who, sides = f"{policy.where}: {policy.function.__name__}", terms.dice.sides
    try:
        yield
    except Exception as error:  # whatever a user's function may raise
        raise PolicyError(f"{who} failed with {type(error).__name__}: {error} {_situation(views[0], sides)}") from error
    # The rules are looked at once, at the end: no policy is asked with other rules than it left in its view.
    if fault[0] == CHANGED_VIEW or views["rules"] != terms.rules.record():
        raise PolicyError(
            f"{policy.where}: {policy.spec} stores into its view {_situation(views[0], sides)}; policies only read"
        )
    if fault[0] == ILLEGAL_ANSWER:
        free = [str(n) for n, held in zip(sides, views[0]["held"], strict=True) if not held]
        raise PolicyError(
            f"{who} answered {fault[1]} {_situation(views[0], sides)}; "
            f"its answer must be a die that is free: {' or '.join(free)}"
        )


def _situation(view: np.void, sides: tuple[int, ...]) -> str:
    faces = ",".join(map(str, view["dice"]))
    held = "".join(f", d{n} set aside" for n, is_held in zip(sides, view["held"], strict=True) if is_held)
    seat = view["seats"][0]
    return (
        f"at bid {bid_label(seat['bid'])}, modifier {seat['modifier']}, chips {seat['chips']}, "
        f"attempt {view['attempt']}, dice {faces}{held}"
    )
