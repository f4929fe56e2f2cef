"""Results of games reduced to sums: what leaves a block of games, whatever the game.

A kernel fills a small array with the results of each game, seating and seat. It is reduced at once to sums, sums of
squares and histograms of whole numbers, which are added in any order: memory does not grow with the number of games,
and neither threads nor blocks change a figure. All seatings of a line-up on the same game number are one observation.
"""

from dataclasses import dataclass, fields
from typing import Final

import numpy as np
from numpy.typing import NDArray

from analyzer.figures import counted
from analyzer.jit import INT, INT_ARRAY, INT_TABLE, RESULT_ARRAY, explicit_kernel, inlined, natural
from analyzer.shown import Shown

BoolArray = NDArray[np.bool_]
IntArray = NDArray[np.int64]

SCORE: Final = 0
"""Field of a result that is the score; every game has it first."""
WIN: Final = 1
"""Field of a result that is the win share in 60ths: 60 for a victory, 30 for one shared by two, 0 for none."""

WHOLE_WIN: Final = 60
"""The least common multiple of 1 to 6: shares of a tie are whole numbers."""

HIGHEST, LOWEST, MARGIN = range(3)
"""Extreme games: highest score, lowest score, biggest margin of the winner over the next."""

N_EXTREMES: Final = 3
_VALUE, _GAME, _TABLE, _SEATING, _WHO = range(5)
_N_WHERE: Final = 5


@dataclass(repr=False)
class Sums(Shown):
    """Sums over games; adding two gives the sums over both. Axis "player" is the place in the line-up.

    Parameters
    ----------
    games : int
        Observations: games, each with all its seatings.
    total, squares : int64 arrays, shape (players, fields)
        Sum of a field over observations, and sum of squares; an observation is the sum over its seatings.
    scores : int64 array, shape (players, bins)
        How often each score was made, from `lowest` on.
    places : int64 array, shape (players, 2)
        Sum and sum of squares of the scores by finishing place; over seatings too.
    shared : int64 array, shape (players + 1,)
        Games by how many won them.
    extremes : int64 array, shape (3, 5)
        Value, game, table, seating and player of the extreme games; the earliest of equal ones.
    extra : dict of int64 arrays
        What a game counts beside its results.
    """

    games: int
    total: IntArray
    squares: IntArray
    scores: IntArray
    places: IntArray
    shared: IntArray
    extremes: IntArray
    extra: dict[str, IntArray]

    @classmethod
    def nothing(cls, players: int, n_fields: int, bins: int, extra: dict[str, IntArray]) -> "Sums":
        """Return the sums over no games."""
        return cls(
            0,
            np.zeros((players, n_fields), np.int64),
            np.zeros((players, n_fields), np.int64),
            np.zeros((players, bins), np.int64),
            np.zeros((players, 2), np.int64),
            np.zeros(players + 1, np.int64),
            no_extremes(),
            extra,
        )

    def headline(self) -> str:
        """Say how many games there are."""
        return f"{counted(self.games)} of {len(self.total)} players"

    def __add__(self, other: "Sums") -> "Sums":
        joined = {
            field.name: getattr(self, field.name) + getattr(other, field.name)
            for field in fields(self)
            if field.name not in {"extremes", "extra"}
        }
        extra = {name: array + other.extra[name] for name, array in self.extra.items()}
        return Sums(**joined, extremes=more_extreme(self.extremes, other.extremes), extra=extra)


def no_extremes() -> IntArray:
    """Return what stands for the extreme games of none."""
    extremes = np.zeros((N_EXTREMES, _N_WHERE), np.int64)
    extremes[:, _GAME] = np.iinfo(np.int64).max
    extremes[:, _VALUE] = -np.iinfo(np.int64).max  # what is less has no opposite number to sort by
    return extremes


def more_extreme(a: IntArray, b: IntArray) -> IntArray:
    """Return the more extreme games of two sets, the earlier ones of equal value."""
    order = np.lexsort((np.stack([a[:, _GAME], b[:, _GAME]]), -np.stack([a[:, _VALUE], b[:, _VALUE]])), axis=0)[0]
    return np.where((order == 0)[:, None], a, b)


@inlined
def _note_extreme(
    extremes: IntArray, which: int, value: np.int64, game: int, table: int, sitting: int, who: int
) -> None:
    """Keep a game that is more extreme than all before it."""
    if value > extremes[which, _VALUE]:
        extremes[which, _VALUE] = value
        extremes[which, _GAME] = game
        extremes[which, _TABLE] = table
        extremes[which, _SEATING] = sitting
        extremes[which, _WHO] = who


@inlined
def _best_player(results: NDArray[np.int32], seating: IntArray) -> int:
    """Return the first player with the highest score."""
    best = 0
    for seat in range(len(seating)):
        if results[seat, SCORE] > results[best, SCORE]:
            best = seat
    return int(seating[best])


@explicit_kernel(
    *(RESULT_ARRAY, INT, INT, INT_TABLE, INT, INT_ARRAY),
    *(INT_TABLE, INT_TABLE, INT_TABLE, INT_TABLE, INT_ARRAY, INT_TABLE),
)
def reduce_results(
    results: NDArray[np.int32],
    start: int,
    table: int,
    seating: IntArray,
    lowest: int,
    rows: IntArray,
    total: IntArray,
    squares: IntArray,
    scores: IntArray,
    places: IntArray,
    shared: IntArray,
    extremes: IntArray,
) -> None:
    """Add the results of games of one line-up to sums, shaped as in :class:`Sums`.

    Parameters
    ----------
    results : int32 array, shape (games, seatings, players, fields)
    start : int
        Number of the first game.
    table : int
        Number of the table, where several play the same games.
    seating : int64 array, shape (seatings, players)
        The place in the line-up that sits on each seat.
    lowest : int
        The score that the first bin of `scores` counts; every score lies within the bins.
    rows : int64 array, shape (players,)
        The row of `total`, `squares` and `scores` for each player.
    total, squares, scores, places, shared, extremes : int64 arrays
        Changed in place.
    """
    games, seatings, players, n_fields = results.shape
    observed = np.empty((players, n_fields), np.int32)  # products of 32 bits are taken several at once
    order = np.empty(players, np.int64)
    for game in range(games):
        observed[:] = 0
        for sitting in range(seatings):
            winners = 0
            for seat in range(players):
                who = seating[sitting, seat]
                row = results[game, sitting, seat]
                for field in range(n_fields):
                    observed[who, field] += row[field]
                score = np.int64(row[SCORE])
                scores[natural(rows[who]), natural(score - lowest)] += 1
                winners += row[WIN] > 0
                place = seat
                while place > 0 and order[place - 1] < score:
                    order[place] = order[place - 1]
                    place -= 1
                order[place] = score
                _note_extreme(extremes, HIGHEST, score, start + game, table, sitting, who)
                _note_extreme(extremes, LOWEST, -score, start + game, table, sitting, who)
            shared[winners] += 1
            if order[0] - order[1] > extremes[MARGIN, _VALUE]:
                who = _best_player(results[game, sitting], seating[sitting])
                _note_extreme(extremes, MARGIN, order[0] - order[1], start + game, table, sitting, who)
            for place in range(players):
                places[place, 0] += order[place]
                places[place, 1] += order[place] * order[place]
        for who in range(players):
            mine = natural(rows[who])
            for field in range(n_fields):
                seen = np.int64(observed[who, field])
                total[mine, field] += seen
                squares[mine, field] += seen * seen


reduce_strip: Final = reduce_results.dispatcher
"""The same for kernels, which reduce a strip of games before playing the next."""
