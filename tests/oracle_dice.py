"""Oracle for one dice action of Wool Rules: exact fractions, plain Python, written from the rulebook alone.

Nothing of the program under test is imported. Every roll is listed and every ending counted; the only shortcut is that
states which cannot differ are solved once: after the second attempt only the free die and the sum of the two dice set
aside matter, after the first only the die set aside and its face.

Dice are the indices 0, 1, 2 for d12, d10, d8, and faces are always (d12, d10, d8). Rulings R1 to R9 are those of the
design page ``wool_rules.md``. Odds, wherever they are returned, are a dict of Fractions with the keys

``p_three, p_two, p_one``
    success on the first, second, third attempt
``p_success, p_fail``
    bid made on any attempt, or on none (saved and under 14 included)
``p_under_14``
    the failures that end under 14
``mean_cards, mean_chips_spent``
    cards entitled to and chips given, per dice action. The chip a failure earns (R8) is not counted.
"""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from itertools import product
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping

Faces = tuple[int, int, int]
Odds = dict[str, Fraction]
Shares = dict[int, Fraction]
"""Die index: probability that it is the die set aside."""
Decision = tuple[str] | tuple[str, int]
"""("take",) or ("hold", die index)."""

SIDES = (12, 10, 8)
DICE = (0, 1, 2)
LOWEST_BID = 14
BLACK_SHEEP_BELOW = 14
CARDS = {"three": 3, "two": 2, "one": 1, "fail": 0, "under14": 0}
"""Cards entitled to, by ending."""


@contextmanager
def other_rules(
    sides: tuple[int, int, int] = SIDES, black_sheep_below: int = BLACK_SHEEP_BELOW, cards: Faces = (3, 2, 1)
) -> Iterator[None]:
    """Let everything in this module follow other rules for a while; where it says 14, these say something else."""
    mine = {
        "SIDES": sides,
        "BLACK_SHEEP_BELOW": black_sheep_below,
        "CARDS": dict(zip(CARDS, (*cards, 0, 0), strict=True)),
    }
    before = {name: globals()[name] for name in mine}
    globals().update(mine)
    try:
        yield
    finally:
        globals().update(before)


def values(
    three: Fraction | int,
    two: Fraction | int,
    one: Fraction | int,
    fail: Fraction | int = 0,
    under14: Fraction | int = 0,
    chip: Fraction | int = 0,
) -> dict[str, Fraction]:
    """Values for `best_decisions`: what each ending is worth and what each chip spent costs."""
    named = {"three": three, "two": two, "one": one, "fail": fail, "under14": under14, "chip": chip}
    return {name: Fraction(value) for name, value in named.items()}


MAX_ODDS = values(1, 1, 1)
MAX_CARDS = values(3, 2, 1)


# What a total is worth: R1, R4, R5, R6, R9


@dataclass(frozen=True)
class _Bid:
    """A bid with the modifier on top of the flock and the chips the player is ready to spend."""

    target: int
    modifier: int
    chips: int

    def __post_init__(self) -> None:
        if self.target < LOWEST_BID or self.chips < 0:
            msg = f"no such dice action: target {self.target}, chips {self.chips}"
            raise ValueError(msg)

    def result(self, total: int) -> int:
        """Total after the malus, which always subtracts (R4)."""
        return total + min(self.modifier, 0)

    def chips_to(self, goal: int, total: int) -> int:
        """Chips needed to lift this total to a goal once the whole bonus is used (R6, R9)."""
        bonus = max(self.modifier, 0)
        return max(0, goal - self.result(total) - bonus)

    def is_forced(self, total: int) -> bool:
        """Whether the bid is made without help, so that the cards must be taken (R1, R5)."""
        return self.result(total) >= self.target

    def is_within_reach(self, total: int) -> bool:
        """Whether the bid is made, if need be with bonus and chips (R6)."""
        return self.chips_to(self.target, total) <= self.chips

    def can_save(self, total: int) -> bool:
        """Whether a failed third attempt under 14 can be lifted to 14; with a bid of 14 it never can (R9)."""
        is_low = self.result(total) < BLACK_SHEEP_BELOW < self.target
        return is_low and self.chips_to(BLACK_SHEEP_BELOW, total) <= self.chips

    def unaided_failure(self, total: int) -> str:
        """Ending of a failure when malus and bonus count and no chip is spent on reaching 14."""
        return "under14" if self.chips_to(BLACK_SHEEP_BELOW, total) > 0 else "fail"


# Rolls and odds


def _rolls(held: Mapping[int, int]) -> list[Faces]:
    """List every equally likely (d12, d10, d8) when the held dice keep their faces (R7)."""
    d12, d10, d8 = ([held[die]] if die in held else range(1, SIDES[die] + 1) for die in DICE)
    return list(product(d12, d10, d8))


def _others(*held: int) -> tuple[int, ...]:
    """Dice that are still free."""
    return tuple(die for die in DICE if die not in held)


def _ending(name: str, chips_spent: int = 0) -> Odds:
    """Odds of a dice action that is over."""
    return {
        "p_three": Fraction(int(name == "three")),
        "p_two": Fraction(int(name == "two")),
        "p_one": Fraction(int(name == "one")),
        "p_success": Fraction(int(name in {"three", "two", "one"})),
        "p_fail": Fraction(int(name in {"fail", "under14"})),
        "p_under_14": Fraction(int(name == "under14")),
        "mean_cards": Fraction(CARDS[name]),
        "mean_chips_spent": Fraction(chips_spent),
    }


def _mix(parts: Iterable[tuple[Fraction, Odds]]) -> Odds:
    """Odds when each part happens with the probability before it."""
    listed = list(parts)
    keys = listed[0][1].keys()
    return {key: sum((share * odds[key] for share, odds in listed), Fraction(0)) for key in keys}


def _average(equally_likely: Collection[Odds]) -> Odds:
    """Odds when every entry is equally likely."""
    share = Fraction(1, len(equally_likely))
    return _mix((share, odds) for odds in equally_likely)


# Hold rules: R7


class HoldRule(NamedTuple):
    """How one die is set aside after the first and after the second attempt.

    Unpack it where both functions are wanted: ``hold_rule_odds(22, 0, 0, *keep_highest)``.
    """

    first: Callable[[Faces], Shares]
    second: Callable[[int, Faces], Shares]


def _hold_rule(shares: Callable[[tuple[int, ...], Faces], Shares]) -> HoldRule:
    """Hold rule that looks only at the free dice and the faces."""
    return HoldRule(
        first=lambda faces: shares(_others(), faces),
        second=lambda held, faces: shares(_others(held), faces),
    )


@_hold_rule
def keep_highest(free: tuple[int, ...], faces: Faces) -> Shares:
    """Set aside the highest face, ties to the die with more sides (R7)."""
    return {max(free, key=lambda die: (faces[die], SIDES[die])): Fraction(1)}


@_hold_rule
def keep_above_mean(free: tuple[int, ...], faces: Faces) -> Shares:
    """Set aside the face furthest above its die's mean, ties to the die with fewer sides (R7)."""

    def excess(die: int) -> Fraction:
        return faces[die] - Fraction(SIDES[die] + 1, 2)

    return {max(free, key=lambda die: (excess(die), -SIDES[die])): Fraction(1)}


@_hold_rule
def uniform(free: tuple[int, ...], faces: Faces) -> Shares:
    """Set aside each free die with the same probability (R7)."""
    return {die: Fraction(1, len(free)) for die in free}


def follow(decisions: Decisions) -> HoldRule:
    """Hold rule that sets aside what `best_decisions` does; accepting and saving are not copied."""
    return HoldRule(
        first=lambda faces: {decisions.first_hold[faces]: Fraction(1)},
        second=lambda held, faces: {decisions.second_hold[held, faces]: Fraction(1)},
    )


def _checked(shares: Shares, free: tuple[int, ...]) -> list[tuple[int, Fraction]]:
    """Dice a hold rule may set aside with their probabilities, or an error when they make no sense."""
    possible = [(die, share) for die, share in shares.items() if share != 0]
    if sum(share for _, share in possible) != 1 or any(die not in free or share < 0 for die, share in possible):
        msg = f"a hold rule must share probability 1 among the dice {free}, not {shares}"
        raise ValueError(msg)
    return possible


def hold_rule_odds(
    target: int,
    modifier: int,
    chips: int,
    first: Callable[[Faces], Shares],
    second: Callable[[int, Faces], Shares],
) -> Odds:
    """Exact odds of a dice action when help is accepted as soon as it makes the bid (R1, R4 to R7).

    Parameters
    ----------
    target, modifier, chips : int
        Bid as a number (26+ is 26), bonus or malus, chips the player will spend at most.
    first : callable
        ``first(faces)``: die index to probability of being set aside after a failed first attempt.
    second : callable
        ``second(held, faces)``: the same for the two dice other than `held` after a failed second attempt.

    Returns
    -------
    dict of Fraction
        Odds as described at the top of this module. No chip is spent on reaching 14: `p_under_14` counts the failures
        whose result after malus and bonus is under 14.
    """
    bid = _Bid(target, modifier, chips)

    def third_attempt(total: int) -> Odds:
        if bid.is_within_reach(total):
            return _ending("one", bid.chips_to(target, total))
        return _ending(bid.unaided_failure(total))

    @cache
    def after_second(free_die: int, held_sum: int) -> Odds:
        return _average([third_attempt(held_sum + face) for face in range(1, SIDES[free_die] + 1)])

    def second_attempt(held: int, faces: Faces) -> Odds:
        total = sum(faces)
        if bid.is_within_reach(total):
            return _ending("two", bid.chips_to(target, total))
        parts = []
        for die, share in _checked(second(held, faces), _others(held)):
            (free_die,) = _others(held, die)
            parts.append((share, after_second(free_die, faces[held] + faces[die])))
        return _mix(parts)

    @cache
    def after_first(held: int, face: int) -> Odds:
        return _average([second_attempt(held, faces) for faces in _rolls({held: face})])

    def first_attempt(faces: Faces) -> Odds:
        total = sum(faces)
        if bid.is_within_reach(total):
            return _ending("three", bid.chips_to(target, total))
        return _mix((share, after_first(die, faces[die])) for die, share in _checked(first(faces), _others()))

    return _average([first_attempt(faces) for faces in _rolls({})])


# Best decisions: R4 to R7, R9


@dataclass(frozen=True)
class Decisions:
    """Best decisions of one dice action and the odds they lead to (R4 to R7, R9).

    In these odds `p_under_14` counts the failures that were not saved and `mean_chips_spent` includes chips spent on
    saving.

    Attributes
    ----------
    expected : Fraction
        Expected value of the whole dice action.
    first : dict
        Faces of the first attempt: ``("take",)`` or ``("hold", die)``.
    first_hold : dict
        Faces of the first attempt: die to set aside if the player goes on, also where the decision is to take.
    second, second_hold : dict
        The same for ``(held, faces)``, the die set aside before and all three faces of the second attempt.
    third : dict
        Total of the third attempt, 3 to 30: "one", "fail", "saved" or "under14".
    """

    expected: Fraction
    first: dict[Faces, Decision] = field(repr=False)
    first_hold: dict[Faces, int] = field(repr=False)
    second: dict[tuple[int, Faces], Decision] = field(repr=False)
    second_hold: dict[tuple[int, Faces], int] = field(repr=False)
    third: dict[int, str] = field(repr=False)
    start_odds: Odds = field(repr=False)
    after_first_odds: dict[tuple[int, int], Odds] = field(repr=False)
    after_second_odds: dict[tuple[int, int], Odds] = field(repr=False)

    def odds(self) -> Odds:
        """Exact odds of the whole dice action."""
        return dict(self.start_odds)

    def after_first(self, die: int, face: int) -> Odds:
        """Exact odds once a die showing this face is set aside and the other two are to be rolled."""
        return dict(self.after_first_odds[die, face])

    def after_second(self, free_die: int, held_sum: int) -> Odds:
        """Exact odds once only this die is to be rolled and the two set aside sum to `held_sum`."""
        return dict(self.after_second_odds[free_die, held_sum])


class _Solver:
    """Backward induction for one bid and one set of values, one method per step."""

    def __init__(self, bid: _Bid, values: Mapping[str, Fraction]) -> None:
        self.bid = bid
        self.values = values

    def worth(self, odds: Odds) -> Fraction:
        """Expected value; every chip spent costs, and a saved failure is worth a failure."""
        return (
            self.values["three"] * odds["p_three"]
            + self.values["two"] * odds["p_two"]
            + self.values["one"] * odds["p_one"]
            + self.values["fail"] * (odds["p_fail"] - odds["p_under_14"])
            + self.values["under14"] * odds["p_under_14"]
            - self.values["chip"] * odds["mean_chips_spent"]
        )

    def third_attempt(self, total: int) -> tuple[str, Odds]:
        """Best ending of a third attempt (R5, R6, R9).

        Of equal ones accepting comes first, then saving with the bonus alone; chips are not spent on it for nothing.
        """
        bid = self.bid
        endings = {}
        if bid.is_within_reach(total):
            endings["one"] = _ending("one", bid.chips_to(bid.target, total))
        if not bid.is_forced(total):
            if bid.result(total) >= BLACK_SHEEP_BELOW:
                endings["fail"] = _ending("fail")
            else:
                chips = bid.chips_to(BLACK_SHEEP_BELOW, total)
                if bid.can_save(total) and chips == 0:
                    endings["saved"] = _ending("fail")
                endings["under14"] = _ending("under14")
                if bid.can_save(total) and chips > 0:
                    endings["saved"] = _ending("fail", chips)
        best = max(endings, key=lambda name: self.worth(endings[name]))  # max() keeps the first of equal ones
        return best, endings[best]

    def best_die(self, onward: Mapping[int, Odds]) -> int:
        """Die to set aside (R7): most valuable, then least often under 14, then fewest sides."""
        return min(onward, key=lambda die: (-self.worth(onward[die]), onward[die]["p_under_14"], SIDES[die]))

    def attempt(self, ending: str, total: int, onward: Mapping[int, Odds]) -> tuple[int, Decision, Odds]:
        """Die to set aside, decision and odds after a first or second attempt (R5 to R7).

        `onward` holds the odds after setting aside each free die.
        """
        die = self.best_die(onward)
        if self.bid.is_within_reach(total):
            taking = _ending(ending, self.bid.chips_to(self.bid.target, total))
            if self.bid.is_forced(total) or self.worth(taking) >= self.worth(onward[die]):
                return die, ("take",), taking
        return die, ("hold", die), onward[die]


def best_decisions(target: int, modifier: int, chips: int, values: Mapping[str, Fraction]) -> Decisions:
    """Best accept, hold and save decisions by backward induction (R4 to R7, R9).

    A bid made without help must be taken; one made with help may be, for the whole bonus and exactly the chips needed.
    A failure under 14 may be saved for the whole bonus and the chips still needed, unless the bid is 14. Ties: accept;
    save with the bonus, do not save with chips; between dice the lower probability of ending under 14 afterwards, then
    the die with fewer sides.

    Parameters
    ----------
    target, modifier, chips : int
        Bid as a number (26+ is 26), bonus or malus, chips the player may spend.
    values : mapping of Fraction
        ``three, two, one, fail, under14``: what an ending is worth ("under14" instead of "fail", not on top of it);
        ``chip``: cost of each chip spent.

    Returns
    -------
    Decisions
        Every decision, the expected value and the odds from the start or from any state in the middle.
    """
    bid = _Bid(target, modifier, chips)
    solver = _Solver(bid, values)

    third: dict[int, str] = {}
    third_odds: dict[int, Odds] = {}
    for total in range(len(SIDES), sum(SIDES) + 1):
        third[total], third_odds[total] = solver.third_attempt(total)

    after_second: dict[tuple[int, int], Odds] = {}
    for free_die in DICE:
        for held_sum in range(2, sum(SIDES) - SIDES[free_die] + 1):
            totals = [held_sum + face for face in range(1, SIDES[free_die] + 1)]
            after_second[free_die, held_sum] = _average([third_odds[total] for total in totals])

    second: dict[tuple[int, Faces], Decision] = {}
    second_hold: dict[tuple[int, Faces], int] = {}
    second_odds: dict[tuple[int, Faces], Odds] = {}
    for held, faces in product(DICE, _rolls({})):
        onward = {}
        for die in _others(held):
            (free_die,) = _others(held, die)
            onward[die] = after_second[free_die, faces[held] + faces[die]]
        state = held, faces
        second_hold[state], second[state], second_odds[state] = solver.attempt("two", sum(faces), onward)

    after_first: dict[tuple[int, int], Odds] = {}
    for die in DICE:
        for face in range(1, SIDES[die] + 1):
            after_first[die, face] = _average([second_odds[die, faces] for faces in _rolls({die: face})])

    first: dict[Faces, Decision] = {}
    first_hold: dict[Faces, int] = {}
    first_odds: dict[Faces, Odds] = {}
    for faces in _rolls({}):
        onward = {die: after_first[die, faces[die]] for die in DICE}
        first_hold[faces], first[faces], first_odds[faces] = solver.attempt("three", sum(faces), onward)

    start = _average(first_odds.values())
    return Decisions(
        solver.worth(start), first, first_hold, second, second_hold, third, start, after_first, after_second
    )


# One course of the dice


def play_out(
    target: int,
    modifier: int,
    chips: int,
    first_roll: Faces,
    hold1: int | None = None,
    second_pair: tuple[int, int] | None = None,
    hold2: int | None = None,
    third_face: int | None = None,
) -> tuple[str, int]:
    """Play given dice by hand, accepting help as soon as it makes the bid (R1, R4 to R7).

    Parameters
    ----------
    target, modifier, chips : int
        As in `hold_rule_odds`.
    first_roll : tuple of int
        Faces of d12, d10, d8.
    hold1, hold2 : int, optional
        Dice set aside after the first and second attempt.
    second_pair : tuple of int, optional
        Faces of the two dice rolled again, the one with more sides first.
    third_face : int, optional
        Face of the last die. What lies after the end of the turn may be left out and is ignored.

    Returns
    -------
    tuple
        "three", "two", "one", "fail" or "under14" (result after malus and bonus under 14, no chip spent on saving),
        and the chips spent.

    Raises
    ------
    ValueError
        If the turn goes on where the course of the dice ends, or a die or a face does not exist.
    """
    bid = _Bid(target, modifier, chips)
    faces = dict(zip(DICE, _legal(first_roll, DICE), strict=True))
    if bid.is_within_reach(sum(faces.values())):
        return "three", bid.chips_to(target, sum(faces.values()))

    rolled = _others(_free(hold1, _others()))
    faces.update(zip(rolled, _legal(second_pair, rolled), strict=True))
    if bid.is_within_reach(sum(faces.values())):
        return "two", bid.chips_to(target, sum(faces.values()))

    (last,) = set(rolled) - {_free(hold2, rolled)}
    faces.update(zip((last,), _legal(None if third_face is None else (third_face,), (last,)), strict=True))
    if bid.is_within_reach(sum(faces.values())):
        return "one", bid.chips_to(target, sum(faces.values()))
    return bid.unaided_failure(sum(faces.values())), 0


def _free(die: int | None, free: tuple[int, ...]) -> int:
    """Die to set aside, or an error when it is not one of the free dice (R7)."""
    if die is None or die not in free:
        msg = f"one of the dice {free} must be set aside here, not {die}"
        raise ValueError(msg)
    return die


def _legal(rolled: tuple[int, ...] | None, dice: tuple[int, ...]) -> tuple[int, ...]:
    """Faces rolled with these dice, or an error when they cannot show them."""
    if rolled is None or len(rolled) != len(dice):
        msg = f"the dice {dice} must be rolled here, not {rolled}"
        raise ValueError(msg)
    if any(not 1 <= face <= SIDES[die] for die, face in zip(dice, rolled, strict=True)):
        msg = f"the dice {dice} cannot show {rolled}"
        raise ValueError(msg)
    return rolled
