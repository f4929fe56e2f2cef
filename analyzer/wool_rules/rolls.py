"""Rolling the dice: simulated dice actions under a plan.

One draw of 64 bits is split into one of the 960 x 480 x 120 equally likely courses of a dice action; draws above the
largest multiple of that number are rejected, so every face is exactly as likely as every other. A policy that is asked
for every decision (:mod:`analyzer.wool_rules.hold_policy`) gets the same rolls: it gives the same counts either way.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from analyzer import rng
from analyzer.jit import inlined, kernel
from analyzer.wool_rules.constants import CHIPS_TOTAL, N_DICE, SIDES
from analyzer.wool_rules.dice import (
    FACES,
    FIRST_OFFSET,
    FIRST_STATES,
    N_FIRST_STATES,
    N_ROLLS,
    N_SECOND_STATES,
    OTHERS,
    PAIR_WEIGHT,
    SECOND_COURSES,
    SECOND_OFFSET,
    SECOND_STATES,
    SINGLE_WEIGHT,
    THIRD_COURSES,
    TOTALS,
)
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

CodeArray = NDArray[np.uint8]
RowArray = NDArray[np.uint16]
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

    A state is written as the start of its row in the next table.

    Parameters
    ----------
    first : uint16 array, shape (960,)
        By first roll: 480 times the state, 0 to 29 as in FIRST_STATES, or 30 + chips spent when three cards were taken.
    second : uint16 array, shape (56 * 480,)
        By that and the second roll: 120 times the state, 0 to 56 as in SECOND_STATES, or 57 + code when the turn is
        over.
    third : uint8 array, shape (109 * 120,)
        By that and the third roll: code of the end.
    """

    first: RowArray
    second: RowArray
    third: CodeArray


_N_SECOND_ROWS: Final = N_FIRST_STATES + N_SPENT
_N_THIRD_ROWS: Final = N_SECOND_STATES + 2 * N_SPENT


def tables_of(terms: Terms, plan: Plan) -> Tables:
    """Turn the plan of one dice action into look-up tables."""
    spent = np.minimum(terms.help()[:, 0], CHIPS_TOTAL)
    action = plan.first[:, 0]
    state = np.array(FIRST_OFFSET)[np.minimum(action, N_DICE - 1)] - 1
    state += np.take_along_axis(FACES, np.minimum(action, N_DICE - 1)[:, None].astype(np.int64), axis=1)[:, 0]
    first = np.where(action == TAKE, N_FIRST_STATES + spent[TOTALS], state)

    second = np.empty((_N_SECOND_ROWS, SECOND_COURSES), dtype=np.int64)
    second[N_FIRST_STATES:] = N_SECOND_STATES + END_THREE + np.arange(N_SPENT)[:, None]
    for row, (die, face) in enumerate(FIRST_STATES):
        rolls = np.flatnonzero(FACES[:, die] == face)  # the other two dice, the later one changing fastest
        ends = N_SECOND_STATES + END_TWO + spent[TOTALS[rolls]]
        for aside, free in (OTHERS[die], OTHERS[die][::-1]):
            chosen = plan.second[die, rolls, 0] == aside
            ends[chosen] = SECOND_OFFSET[free] + (face + FACES[rolls, aside] - 2)[chosen]
        second[row] = np.repeat(ends, PAIR_WEIGHT[die])

    third = np.empty((_N_THIRD_ROWS, THIRD_COURSES), dtype=np.int64)
    third[N_SECOND_STATES:] = np.arange(2 * N_SPENT)[:, None]
    end = end_codes(terms, plan.third)
    for row, (free, held) in enumerate(SECOND_STATES):
        third[row] = np.repeat(end[held + np.arange(1, SIDES[free] + 1)], SINGLE_WEIGHT[free])
    return Tables(
        (first * SECOND_COURSES).astype(np.uint16),
        (second.ravel() * THIRD_COURSES).astype(np.uint16),
        third.ravel().astype(np.uint8),
    )


def end_codes(terms: Terms, third: NDArray[np.int8]) -> IntArray:
    """Return the code of each total of the third attempt of one dice action, shape (31,), from its ends (31, 1)."""
    ends = third[:, 0]
    spent, lift = (np.minimum(chips[:, 0], CHIPS_TOTAL) for chips in (terms.help(), terms.lift()))
    codes = np.where(ends == TAKE_ONE, END_ONE + spent, np.where(ends == UNDER_14, END_UNDER, END_FAIL))
    return np.where(ends == SAVED, END_FAIL + lift, codes)


_N_ROLLS = np.uint64(N_ROLLS)
_N_REST = np.uint64(SECOND_COURSES * THIRD_COURSES)
_SECOND = np.uint64(SECOND_COURSES)
# For rest < 57,600 the quotient by 480 is rest * ceil(2**32 / 480) >> 32 exactly, as 57,600 * 224 < 2**32 (224 is what
# the ceiling adds); unlike a division this is done for several dice actions at once.
_BY_SECOND = np.uint64(-(-(2**32) // SECOND_COURSES))
_DICE, _ZERO, _ONE = (np.uint64(n) for n in (rng.DICE, 0, 1))


@inlined
def _first_roll_and_rest(bits: np.uint64) -> tuple[np.uint64, np.uint64]:
    """Return the products behind the first roll and behind the rest of a dice action."""
    return rng.scale(rng.upper32(bits), _N_ROLLS), rng.scale(rng.lower32(bits), _N_REST)


@inlined
def _is_unfair(first: np.uint64, rest: np.uint64) -> np.bool_:
    return rng.is_unfair(first, _N_ROLLS) | rng.is_unfair(rest, _N_REST)


@inlined
def roll_action(key: np.uint64, step: np.uint64, game: np.uint64) -> tuple[np.int64, np.int64, np.int64]:
    """Roll a whole dice action: numbers of its first (below 960), second (480) and third roll (120).

    The first draw in about 180,000 would favour some rolls; it is rejected and the next one is taken.
    """
    place = rng.counter(game, _DICE, _ZERO)
    first, rest = _first_roll_and_rest(rng.draw(key, step, place))
    while _is_unfair(first, rest):
        place += _ONE
        first, rest = _first_roll_and_rest(rng.draw(key, step, place))
    tail = np.int64(rng.number(rest))
    return np.int64(rng.number(first)), tail % SECOND_COURSES, tail // SECOND_COURSES


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
    """Return the number of the first roll in a word, below 960."""
    return word & _MASK


@inlined
def second_of(word: np.uint64) -> np.uint64:
    """Return the number of the second roll in a word, below 480."""
    return (word >> _S16) & _MASK


@inlined
def third_of(word: np.uint64) -> np.uint64:
    """Return the number of the third roll in a word, below 120."""
    return word >> _S32


@inlined
def _first_place(key: np.uint64, step: np.uint64, start: int) -> np.uint64:
    """Return what the first draw of a dice action mixes; that of the next one lies a stride further."""
    return key + (rng.counter(np.uint64(start), _DICE, _ZERO) + _ONE) * step


@inlined
def _roll_once(place: np.uint64, stride: np.uint64, words: Words) -> np.bool_:
    """Roll a group into words, several at once; return whether one of the draws must be rejected."""
    unfair: np.bool_ = np.bool_(False)
    for i in range(GROUP):
        first, rest = _first_roll_and_rest(rng.mix64(place + np.uint64(i) * stride))
        unfair |= _is_unfair(first, rest)
        tail = rng.number(rest)
        third = (tail * _BY_SECOND) >> np.uint64(32)
        words[i] = _word(rng.number(first), tail - third * _SECOND, third)
    return unfair


@inlined
def _roll_one_by_one(key: np.uint64, step: np.uint64, start: int, words: Words) -> None:
    """Roll a group with rejections."""
    for i in range(GROUP):
        first, second, third = roll_action(key, step, np.uint64(start) + np.uint64(i))
        words[i] = _word(np.uint64(first), np.uint64(second), np.uint64(third))


@inlined
def roll_group(key: np.uint64, step: np.uint64, start: int, words: Words) -> None:
    """Roll the dice actions `start` to `start + GROUP - 1` as :func:`roll_action` does.

    `words` (GROUP long) is filled; :func:`first_of`, :func:`second_of` and :func:`third_of` read it.
    """
    if _roll_once(_first_place(key, step, start), step * _STRIDE, words):
        _roll_one_by_one(key, step, start, words)


@inlined
def _look_up(words: Words, first: RowArray, second: RowArray, third: CodeArray, lanes: IntArray) -> None:
    """Play a group by three look-ups each and count the ends."""
    for i in range(GROUP):
        row = np.uint64(first[first_of(words[i])])
        row = np.uint64(second[row + second_of(words[i])])
        lanes[np.uint64(i) & np.uint64(3), third[row + third_of(words[i])]] += 1


@kernel
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

    One group is rolled (arithmetic) while the one before it is looked up (memory), each in a buffer of its own. Four
    counters a code: an end equal to the last one need not wait until that one has been written.
    """
    lanes = np.zeros((4, 256), dtype=np.int64)
    even, odd = np.empty(GROUP, dtype=np.uint64), np.empty(GROUP, dtype=np.uint64)
    roll_group(key, step, start, even)
    place, stride = _first_place(key, step, start), step * _STRIDE
    begin, end = start, start + n // (2 * GROUP) * (2 * GROUP)
    while begin < end:
        place += np.uint64(GROUP) * stride
        unfair = _roll_once(place, stride, odd)
        _look_up(even, first, second, third, lanes)
        if unfair:
            _roll_one_by_one(key, step, begin + GROUP, odd)
        place += np.uint64(GROUP) * stride
        unfair = _roll_once(place, stride, even)
        _look_up(odd, first, second, third, lanes)
        begin += 2 * GROUP
        if unfair:
            _roll_one_by_one(key, step, begin, even)
    for game in range(end, start + n):
        a, b, c = roll_action(key, step, np.uint64(game))
        lanes[0, third[second[first[a] + b] + c]] += 1
    for code in range(N_CODES):
        counts[code] += lanes[0, code] + lanes[1, code] + lanes[2, code] + lanes[3, code]
