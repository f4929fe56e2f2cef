"""Rolling the dice: simulated dice actions under a plan.

One draw of 64 bits is split into one of the equally likely courses of a dice action, 960 x 480 x 120 with the standard
dice; draws above the largest multiple of that number are rejected, so every face is exactly as likely as every other. A
policy that is asked for every decision (:mod:`analyzer.wool_rules.hold_policy`) gets the same rolls: it gives the same
counts either way.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any, Final, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from analyzer import rng
from analyzer.jit import inlined, kernel
from analyzer.wool_rules.constants import CHIPS_TOTAL, N_DICE
from analyzer.wool_rules.dice import OTHERS, Dice
from analyzer.wool_rules.plans import (
    CHIPS,
    FAIL,
    N_OUTCOMES,
    ONE,
    SAVED,
    TAKE,
    TAKE_ONE,
    THREE,
    TWO,
    UNDER,
    UNDER_14,
    Plan,
)
from analyzer.wool_rules.terms import Terms

F = TypeVar("F", bound=Callable[..., Any])

CodeArray = NDArray[np.uint8]
RowArray = NDArray[np.uint16] | NDArray[np.uint32]
IntArray = NDArray[np.int64]

# An action ends with one code: how, and with how many chips spent.
N_SPENT: Final = CHIPS_TOTAL + 1
END_THREE, END_TWO, END_ONE, END_FAIL, END_UNDER = (N_SPENT * how for how in range(5))
N_CODES: Final = 4 * N_SPENT + 1


def _code_rows() -> IntArray:
    """Return what one action of each code adds to the six outcome counts, shape (105, 6)."""
    rows = np.zeros((N_CODES, N_OUTCOMES), dtype=np.int64)
    for spent in range(N_SPENT):
        for base, column in ((END_THREE, THREE), (END_TWO, TWO), (END_ONE, ONE), (END_FAIL, FAIL)):
            rows[base + spent, column] = 1
            rows[base + spent, CHIPS] = spent
    rows[END_UNDER, [FAIL, UNDER]] = 1
    return rows


CODE_ROWS: Final = _code_rows()


@dataclass(frozen=True)
class Tables:
    """One dice action as three look-ups: the state after the first, the second, and the end after the third attempt.

    A state is written as the start of its row in the next table, in the smallest type, so that the tables of the
    standard dice stay in a core's first cache.

    Parameters
    ----------
    first : uint16 or uint32 array, shape (n_rolls,)
        By first roll: `second_courses` times the state, as in `first_states`, or those + chips spent when three cards
        were taken.
    second : uint16 or uint32 array, shape (rows * second_courses,)
        By that and the second roll: `third_courses` times the state, as in `second_states`, or those + code when the
        turn is over.
    third : uint8 array, shape (rows * third_courses,)
        By that and the third roll: code of the end.
    """

    first: RowArray
    second: RowArray
    third: CodeArray


def tables_of(terms: Terms, plan: Plan) -> Tables:
    """Turn the plan of one dice action into look-up tables."""
    dice, spent = terms.dice, np.minimum(terms.help()[:, 0], CHIPS_TOTAL)
    n_first, n_second = len(dice.first_states), len(dice.second_states)
    action = plan.first[:, 0]
    aside = np.minimum(action, N_DICE - 1).astype(np.int64)
    state = np.array(dice.first_offset)[aside] + np.take_along_axis(dice.faces, aside[:, None], axis=1)[:, 0] - 1
    first = np.where(action == TAKE, n_first + spent[dice.totals], state)

    second = np.empty((n_first + N_SPENT, dice.second_courses), dtype=np.int64)
    second[n_first:] = n_second + END_THREE + np.arange(N_SPENT)[:, None]
    for row, (die, face) in enumerate(dice.first_states):
        rolls = np.flatnonzero(dice.faces[:, die] == face)  # the other two dice, the later one changing fastest
        ends = n_second + END_TWO + spent[dice.totals[rolls]]
        for kept, free in (OTHERS[die], OTHERS[die][::-1]):
            chosen = plan.second[die, rolls, 0] == kept
            ends[chosen] = dice.second_offset[free] + (face + dice.faces[rolls, kept] - 2)[chosen]
        second[row] = np.repeat(ends, dice.pair_weight[die])

    third = np.empty((n_second + 2 * N_SPENT, dice.third_courses), dtype=np.uint8)
    third[n_second:] = np.arange(2 * N_SPENT)[:, None]
    end = end_codes(terms, plan.third)
    for row, (free, held) in enumerate(dice.second_states):
        third[row] = np.repeat(end[held + np.arange(1, dice.sides[free] + 1)], dice.single_weight[free])
    return Tables(_row_starts(first, second), _row_starts(second.ravel(), third), third.ravel())


def _row_starts(rows: IntArray, table: NDArray[np.generic]) -> RowArray:
    """Return where rows of a table start when it is one long array."""
    kind = np.uint16 if table.size < 2**16 else np.uint32
    starts: RowArray = (rows * table.shape[1]).astype(kind)
    return starts


def end_codes(terms: Terms, third: NDArray[np.int8]) -> IntArray:
    """Return the code of each total of the third attempt, shape (n_totals,), of one action's ends (n_totals, 1)."""
    ends = third[:, 0]
    spent, lift = (np.minimum(chips[:, 0], CHIPS_TOTAL) for chips in (terms.help(), terms.lift()))
    codes = np.where(ends == TAKE_ONE, END_ONE + spent, np.where(ends == UNDER_14, END_UNDER, END_FAIL))
    return np.where(ends == SAVED, END_FAIL + lift, codes)


class Split(NamedTuple):
    """How a draw is split into a first roll and the rest, and the rest into a second and a third roll.

    A quotient by `second` is a product with `factor` shifted by `shift`: unlike a division, that is done for several
    dice actions at once. It is exact below `rest`, see :func:`split_of`.
    """

    rolls: np.uint64
    rest: np.uint64
    second: np.uint64
    factor: np.uint64
    shift: np.uint64
    unfair_rolls: np.uint64
    unfair_rest: np.uint64


@cache
def split_of(dice: Dice) -> Split:
    """Return how a draw is split.

    The factor is 2**shift / second, rounded up, so it is too large by less than 1. A quotient of numbers below `rest`
    is exact while `rest` times what rounding adds, second * factor - 2**shift < second, is below 2**shift; which it is,
    as rest < 2**30 for three dice with up to 30 sides, and second < 2**(shift - 30).
    """
    shift = 30 + dice.second_courses.bit_length()
    factor = -(-(2**shift) // dice.second_courses)
    unfair = (2**32 % dice.n_rolls, 2**32 % dice.n_rest)
    return Split(*map(np.uint64, (dice.n_rolls, dice.n_rest, dice.second_courses, factor, shift, *unfair)))


def named_after(dice: Dice, function: F) -> F:
    """Name a function that is to be compiled for some dice after them, so that code kept from before is told apart.

    Kernels are compiled for their dice: with constants, the standard dice are a tenth faster.
    """
    name = "_".join(map(str, (function.__name__, *dice.sides)))
    function.__code__ = function.__code__.replace(co_qualname=name)
    function.__qualname__ = name
    return function


_DICE, _ZERO, _ONE = (np.uint64(n) for n in (rng.DICE, 0, 1))


@inlined
def _first_roll_and_rest(bits: np.uint64, split: Split) -> tuple[np.uint64, np.uint64]:
    """Return the products behind the first roll and behind the rest of a dice action."""
    return rng.scale(rng.upper32(bits), split.rolls), rng.scale(rng.lower32(bits), split.rest)


@inlined
def _is_unfair(first: np.uint64, rest: np.uint64, split: Split) -> np.bool_:
    """Return whether products must be rejected, as :func:`rng.is_unfair` does."""
    return (rng.lower32(first) < split.unfair_rolls) | (rng.lower32(rest) < split.unfair_rest)


@inlined
def roll_action(
    key: np.uint64, step: np.uint64, game: np.uint64, split: Split
) -> tuple[np.uint64, np.uint64, np.uint64]:
    """Roll a whole dice action: numbers of its first, second and third roll.

    With the standard dice, the first draw in about 180,000 would favour some rolls; it is rejected and the next one is
    taken.
    """
    place = rng.counter(game, _DICE, _ZERO)
    first, rest = _first_roll_and_rest(rng.draw(key, step, place), split)
    while _is_unfair(first, rest, split):
        place += _ONE
        first, rest = _first_roll_and_rest(rng.draw(key, step, place), split)
    tail = rng.number(rest)
    third = (tail * split.factor) >> split.shift
    return rng.number(first), tail - third * split.second, third


GROUP: Final = 16
"""Dice actions that are rolled while the group before them is looked up: two registers full, and few enough for a core
to work on both at the same time."""

Words = NDArray[np.uint64]
"""Rolls of a group, one word a dice action: number of the first roll | of the second << 16 | of the third << 32."""

_STRIDE = np.uint64(1) << np.uint64(64 - rng.GAME_BITS)
_S16, _S32 = np.uint64(16), np.uint64(32)
_MASK = np.uint64(2**16 - 1)


@inlined
def _word(first: np.uint64, second: np.uint64, third: np.uint64) -> np.uint64:
    return first | (second << _S16) | (third << _S32)


@inlined
def first_of(word: np.uint64) -> np.uint64:
    """Return the number of the first roll in a word."""
    return word & _MASK


@inlined
def second_of(word: np.uint64) -> np.uint64:
    """Return the number of the second roll in a word."""
    return (word >> _S16) & _MASK


@inlined
def third_of(word: np.uint64) -> np.uint64:
    """Return the number of the third roll in a word."""
    return word >> _S32


@inlined
def _first_place(key: np.uint64, step: np.uint64, start: int) -> np.uint64:
    """Return what the first draw of a dice action mixes; that of the next one lies a stride further."""
    return key + (rng.counter(np.uint64(start), _DICE, _ZERO) + _ONE) * step


@inlined
def _roll_once(place: np.uint64, stride: np.uint64, words: Words, split: Split) -> np.bool_:
    """Roll a group into words, several at once; return whether one of the draws must be rejected."""
    unfair: np.bool_ = np.bool_(False)
    for i in range(GROUP):
        first, rest = _first_roll_and_rest(rng.mix64(place + np.uint64(i) * stride), split)
        unfair |= _is_unfair(first, rest, split)
        tail = rng.number(rest)
        third = (tail * split.factor) >> split.shift
        words[i] = _word(rng.number(first), tail - third * split.second, third)
    return unfair


@inlined
def _roll_one_by_one(key: np.uint64, step: np.uint64, start: int, words: Words, split: Split) -> None:
    """Roll a group with rejections."""
    for i in range(GROUP):
        first, second, third = roll_action(key, step, np.uint64(start) + np.uint64(i), split)
        words[i] = _word(first, second, third)


@inlined
def roll_group(key: np.uint64, step: np.uint64, start: int, words: Words, split: Split) -> None:
    """Roll the dice actions `start` to `start + GROUP - 1` as :func:`roll_action` does.

    `words` (GROUP long) is filled; :func:`first_of`, :func:`second_of` and :func:`third_of` read it.
    """
    if _roll_once(_first_place(key, step, start), step * _STRIDE, words, split):
        _roll_one_by_one(key, step, start, words, split)


@inlined
def _look_up(words: Words, first: RowArray, second: RowArray, third: CodeArray, lanes: IntArray) -> None:
    """Play a group by three look-ups each and count the ends."""
    for i in range(GROUP):
        row = np.uint64(first[first_of(words[i])])
        row = np.uint64(second[row + second_of(words[i])])
        lanes[np.uint64(i) & np.uint64(3), third[row + third_of(words[i])]] += 1


@cache
def table_kernel(dice: Dice) -> Callable[..., None]:
    """Return the kernel that plays some dice by tables."""
    split = split_of(dice)

    def play_tables(
        key: np.uint64,
        step: np.uint64,
        start: int,
        n: int,
        first: RowArray,
        second: RowArray,
        third: CodeArray,
        counts: IntArray,
    ) -> None:
        """Play dice actions `start` to `start + n - 1` by look-ups and add their ends to `counts`, shape (105,).

        One group is rolled (arithmetic) while the one before it is looked up (memory), each in a buffer of its own.
        Four counters a code: an end equal to the last one need not wait until that one has been written.
        """
        lanes = np.zeros((4, 256), dtype=np.int64)
        even, odd = np.empty(GROUP, dtype=np.uint64), np.empty(GROUP, dtype=np.uint64)
        roll_group(key, step, start, even, split)
        place, stride = _first_place(key, step, start), step * _STRIDE
        begin, end = start, start + n // (2 * GROUP) * (2 * GROUP)
        while begin < end:
            place += np.uint64(GROUP) * stride
            unfair = _roll_once(place, stride, odd, split)
            _look_up(even, first, second, third, lanes)
            if unfair:
                _roll_one_by_one(key, step, begin + GROUP, odd, split)
            place += np.uint64(GROUP) * stride
            unfair = _roll_once(place, stride, even, split)
            _look_up(odd, first, second, third, lanes)
            begin += 2 * GROUP
            if unfair:
                _roll_one_by_one(key, step, begin, even, split)
        for game in range(end, start + n):
            a, b, c = roll_action(key, step, np.uint64(game), split)
            row = np.uint64(second[np.uint64(first[a]) + b])
            lanes[0, third[row + c]] += 1
        for code in range(N_CODES):
            counts[code] += lanes[0, code] + lanes[1, code] + lanes[2, code] + lanes[3, code]

    return kernel(named_after(dice, play_tables))
