"""What a block of games leaves behind: results of every game and seat, and counts of what happened in them.

Everything is a sum of whole numbers: sums of blocks are added, in any order, and nothing grows with the number of
games.
"""

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from analyzer.jit import inlined, natural, trailing_zeros
from analyzer.results import SCORE, WHOLE_WIN, WIN, IntArray
from analyzer.wool_rules.constants import (
    BID_26_PLUS,
    BONE,
    COUNTED,
    LOWEST_BID,
    MAX_MODIFIER,
    MAX_PLAYERS,
    SCORE_PARTS,
)
from analyzer.wool_rules.scoring import cards_of
from analyzer.wool_rules.state import State
from analyzer.wool_rules.views import View

RESULT_FIELDS: Final = ("score", "win_share", *SCORE_PARTS, *COUNTED)
"""What is kept of each game and seat until statistics have reduced it; win_share in 60ths."""

N_RESULTS: Final = len(RESULT_FIELDS)
FIRST_PART: Final = WIN + 1

_ONE = np.uint64(1)

_ROUND_BITS: Final = 16
_ROUND_MASK: Final = (1 << _ROUND_BITS) - 1
"""The rounds of a game lie below the points gained in them, in one number: one addition books both."""

END_THREE, END_TWO, END_ONE, END_FAIL, END_UNDER = range(5)
"""How a dice action in a game ends; END_FAIL leaves out END_UNDER."""

N_ENDS: Final = 5
N_BIDS: Final = BID_26_PLUS - LOWEST_BID + 1
N_MODIFIERS: Final = 2 * MAX_MODIFIER + 1

ROUNDS, POINTS, ROUNDS_SQUARED, ROUNDS_POINTS, POINTS_SQUARED = range(5)
"""Sums of gains over games: rounds of a kind and the points gained in them, their squares and their product.

Rounds of one game are not independent of each other, so the interval of points / rounds is that of a ratio of sums of
games.
"""

N_GAIN_SUMS: Final = 5

BOOK_DTYPE: Final = np.dtype(
    [
        ("actions", "i8", (N_BIDS, N_MODIFIERS, N_ENDS)),  # dice actions by bid, modifier and end
        ("place_gains", "i8", (MAX_PLAYERS, N_GAIN_SUMS)),  # by place in the turn order
        ("bid_gains", "i8", (N_BIDS, N_GAIN_SUMS)),
        # Of the game being played.
        ("by_place", "i8", (MAX_PLAYERS,)),  # points and rounds, side by side
        ("by_bid", "i8", (N_BIDS,)),
        ("bids_made", "u8"),  # a bit for each
    ],
    align=True,
)
"""Counts of one strategy of the line-up."""

BOOKS_DTYPE: Final = np.dtype(
    [
        ("of", BOOK_DTYPE, (MAX_PLAYERS,)),  # by place in the line-up
    ],
    align=True,
)
"""The books of a line-up: one record, as references to an array would be counted whenever it is handed on."""

COUNTS: Final = {
    "actions": (N_BIDS, N_MODIFIERS, N_ENDS),
    "place_gains": (MAX_PLAYERS, N_GAIN_SUMS),
    "bid_gains": (N_BIDS, N_GAIN_SUMS),
}
"""Fields of a book that leave a block, with their shapes."""

Books = Any
"""A record of :data:`BOOKS_DTYPE`."""

Book = Any
"""A record of :data:`BOOK_DTYPE`."""


@inlined
def count_action(book: Book, bid: int, modifier: int, end: int) -> None:
    """Count a dice action."""
    book.actions[natural(bid - LOWEST_BID), natural(modifier + MAX_MODIFIER), end] += 1


@inlined
def add_gain(book: Book, place: int, bid: int, points: int) -> None:
    """Note the points gained in a round by the seat's place in the turn order and by its bid."""
    gain, at = (points << _ROUND_BITS) + 1, natural(bid - LOWEST_BID)
    book.by_place[place] += gain
    book.by_bid[at] += gain
    book.bids_made |= _ONE << np.uint64(at)


@inlined
def _close(sums: Any, gains: int) -> None:
    """Add one game to sums of gains."""
    n, points = gains & _ROUND_MASK, gains >> _ROUND_BITS
    sums[ROUNDS] += n
    sums[POINTS] += points
    sums[ROUNDS_SQUARED] += n * n
    sums[ROUNDS_POINTS] += n * points
    sums[POINTS_SQUARED] += points * points


@inlined
def close_gains(book: Book, players: int) -> None:
    """Add the gains of a game to the sums and begin anew."""
    for place in range(players):
        _close(book.place_gains[place], book.by_place[place])
        book.by_place[place] = 0
    while book.bids_made:
        bid = natural(trailing_zeros(book.bids_made))
        book.bids_made &= book.bids_made - _ONE
        _close(book.bid_gains[bid], book.by_bid[bid])
        book.by_bid[bid] = 0


@inlined
def close_book(book: Book, row: int, actions: IntArray, place_gains: IntArray, bid_gains: IntArray) -> None:
    """Add the counts of a book to a row of those that leave a block, and begin anew."""
    for bid in range(N_BIDS):
        if book.bid_gains[bid, ROUNDS] > 0:  # a strategy makes few bids: the others have no counts
            for modifier in range(N_MODIFIERS):
                for end in range(N_ENDS):
                    actions[row, bid, modifier, end] += book.actions[bid, modifier, end]
                    book.actions[bid, modifier, end] = 0
            for at in range(N_GAIN_SUMS):
                bid_gains[row, bid, at] += book.bid_gains[bid, at]
                book.bid_gains[bid, at] = 0
    for place in range(MAX_PLAYERS):
        for at in range(N_GAIN_SUMS):
            place_gains[row, place, at] += book.place_gains[place, at]
            book.place_gains[place, at] = 0


@inlined
def enter_results(
    results: NDArray[np.int32], v: View, s: State, seat: int, parts: tuple[int, ...], winners: int
) -> None:
    """Note the results (:data:`RESULT_FIELDS`) of one game and seat; `winners` is 0 for a seat that lost.

    They are written where they stay: copying small numbers just written, several at once, stalls a processor.
    """
    total = 0
    for i in range(len(parts)):
        results[seat, FIRST_PART + i] = parts[i]
        total += parts[i]
    results[seat, SCORE] = total
    results[seat, WIN] = WHOLE_WIN // winners if winners > 0 else 0
    tally, at = s.tallies[seat], FIRST_PART + len(parts)
    for kind in range(BONE):
        results[seat, at + kind] = cards_of(tally, kind)
    results[seat, at + BONE] = v.seats[seat].has_bone
    results[seat, at + BONE + 1] = tally.spent
    results[seat, at + BONE + 2] = tally.skipped
