"""Results of a field of strategies reduced to sums: what comparing them needs beside each strategy's own sums.

Line-ups play at tables. The tables of a unit play the same game numbers; a unit with one table is a line-up that is
compared by what happens at its own table.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from math import comb
from typing import Final, Self

import numpy as np
from numpy.typing import NDArray

from analyzer.jit import INT, INT_BLOCKS, INT_TABLE, RESULT_ARRAYS, explicit_kernel, inlined
from analyzer.results import SCORE, WHOLE_WIN, WIN, IntArray, Sums, no_extremes

MOST_PLAYERS: Final = 6


@dataclass
class FieldSums:
    """Sums of a block of units of games.

    Parameters
    ----------
    games : int
        Observations, each with all its seatings, of all units together.
    products, orders, seats : int64 arrays, shape (units, ...)
        As in :func:`reduce_field`; without any unit where nothing is to be compared.
    total, squares, scores, places, shared, extremes : int64 arrays
        As in :class:`~analyzer.results.Sums`, with rows in place of players.
    extra : dict of int64 arrays, shape (rows, ...)
        What a game counts beside its results.
    """

    games: int
    products: IntArray
    orders: IntArray
    seats: IntArray
    total: IntArray
    squares: IntArray
    scores: IntArray
    places: IntArray
    shared: IntArray
    extremes: IntArray
    extra: dict[str, IntArray]

    @classmethod
    def nothing(
        cls,
        shape: tuple[int, ...],
        n_fields: int,
        rows: int,
        bins: int,
        extra: Mapping[str, tuple[int, ...]],
        *,
        compared: bool,
    ) -> Self:
        """Return the sums over no games of line-ups of shape (units, tables, players)."""
        units, tables, players = shape
        places, detailed = tables * players, units if compared else 0
        shapes = {
            "products": (detailed, 2, places, places),
            "orders": (detailed, tables, 2**players),
            "seats": (detailed, places, players, 4),
            "total": (rows, n_fields),
            "squares": (rows, n_fields),
            "scores": (rows, bins),
            "places": (players, 2),
            "shared": (players + 1,),
        }
        return cls(
            0,
            **{name: np.zeros(size, np.int64) for name, size in shapes.items()},
            extremes=no_extremes(),
            extra={name: np.zeros((rows, *size), np.int64) for name, size in extra.items()},
        )

    def arrays(self) -> tuple[IntArray, ...]:
        """Return the arrays in the order in which kernels take them."""
        by_row = (self.total, self.squares, self.scores, self.places, self.shared, self.extremes)
        return (self.products, self.orders, self.seats, *by_row, *self.extra.values())

    def of_line_up(self) -> Sums:
        """Return the sums of a line-up whose places are the rows."""
        return Sums(
            self.games, self.total, self.squares, self.scores, self.places, self.shared, self.extremes, self.extra
        )


_SHARES: Final = tuple(
    tuple(WHOLE_WIN // comb(n, left) if left <= n else 0 for left in range(MOST_PLAYERS + 1))
    for n in range(MOST_PLAYERS + 1)
)
"""60ths of all orders of n tied players in which exactly these `left` of them remain at some time."""


@inlined
def _players_in(players: int) -> int:
    """Return how many bits of a set are set."""
    n = 0
    while players:
        players &= players - 1
        n += 1
    return n


@inlined
def _note_order(results: NDArray[np.int32], seating: IntArray, orders: IntArray) -> None:
    """Add one game to the counts of who was still to be placed: best first, tied players in every order."""
    players = len(seating)
    left = (1 << players) - 1
    orders[left] += WHOLE_WIN
    while left:
        best, tied = np.int64(-(2**62)), 0
        for seat in range(players):
            if left >> seating[seat] & 1:
                score = np.int64(results[seat, SCORE])
                if score > best:
                    best, tied = score, 0
                if score == best:
                    tied |= 1 << seating[seat]
        left &= ~tied
        n = _players_in(tied)
        some = (tied - 1) & tied
        while some:  # all parts of the tied but none and all of them
            orders[left | some] += _SHARES[n][_players_in(some)]
            some = (some - 1) & tied
        if left:
            orders[left] += WHOLE_WIN


@explicit_kernel(RESULT_ARRAYS, INT, INT_TABLE, INT_BLOCKS, INT_TABLE, INT_BLOCKS)
def reduce_field(
    results: NDArray[np.int32],
    games: int,
    seating: IntArray,
    products: IntArray,
    orders: IntArray,
    seats: IntArray,
) -> None:
    """Add the results of games of a unit to the sums that compare its players.

    Parameters
    ----------
    results : int32 array, shape (tables, at least games, seatings, players, fields)
    games : int
        How many games count.
    seating : int64 array, shape (seatings, players)
        The place in the line-up that sits on each seat.
    products : int64 array, shape (2, tables * players, tables * players)
        Sums over games of products of two players' observations: win shares in 60ths, and scores. Changed in place.
    orders : int64 array, shape (tables, 2**players)
        As in :class:`~analyzer.line_up_sums.LineUpSums`; changed in place.
    seats : int64 array, shape (tables * players, players, 4)
        The same.
    """
    tables, _, seatings, players, _ = results.shape
    observed = np.empty((2, tables * players), np.int64)
    for game in range(games):
        observed[:] = 0
        for table in range(tables):
            for sitting in range(seatings):
                rows = results[table, game, sitting]
                for seat in range(players):
                    who = table * players + seating[sitting, seat]
                    win, score = np.int64(rows[seat, WIN]), np.int64(rows[seat, SCORE])
                    observed[0, who] += win
                    observed[1, who] += score
                    seats[who, seat, 0] += win
                    seats[who, seat, 1] += win * win
                    seats[who, seat, 2] += score
                    seats[who, seat, 3] += score * score
                _note_order(rows, seating[sitting], orders[table])
        for what in range(2):
            for one in range(tables * players):
                for other in range(tables * players):
                    products[what, one, other] += observed[what, one] * observed[what, other]


reduce_field_strip: Final = reduce_field.dispatcher
"""The same for kernels."""
