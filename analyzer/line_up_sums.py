"""Sums of a tournament's games by line-up: what its statistics are made of.

A line-up is a multiset of strategies at one table. It plays rotation blocks: one game number in all rotations of the
seats, on the same deck and dice. A rotation block is one observation; a player's observation is the sum over its
seatings. Line-ups play disjoint game numbers, so they are independent of each other.
"""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Final, Self

import numpy as np

from analyzer.results import BoolArray, IntArray

SEAT_WIN, SEAT_WIN_SQUARE, SEAT_SCORE, SEAT_SCORE_SQUARE = range(4)
"""What the last axis of :attr:`LineUpSums.seats` counts."""

_N_SEAT_SUMS: Final = 4


@dataclass(frozen=True, eq=False)
class LineUpSums:
    """Sums over rotation blocks of line-ups of one player count; adding two gives the sums over both.

    L line-ups of k players. All arrays are int64; all but `line_ups` may have a leading axis of batches (a batch is
    the same number of rotation blocks of every line-up).

    Parameters
    ----------
    line_ups : shape (L, k)
        Index of each player's strategy, ascending within a line-up.
    blocks : shape (..., L)
        Rotation blocks played.
    wins, scores : shape (..., L, k)
        Sum of the players' observations: win share in 60ths, and score.
    win_products, score_products : shape (..., L, k, k)
        Sum of the products of two players' observations.
    orders : shape (..., L, 2**k)
        By set of players (bit i: player i of the line-up): 60 times how often exactly this set was still to be placed,
        over all games, every seating one: the set of all players in each game, then all but the winner, and so on down
        to one. Tied players are taken away in each order equally often.
    seats : shape (..., L, k, k, 4)
        By player and seat: sums over games of win share in 60ths, its square, score, and its square.

    Raises
    ------
    ValueError
        When an array has another shape or type, a line-up is not ascending, or a number of blocks is negative.
    """

    line_ups: IntArray
    blocks: IntArray
    wins: IntArray
    scores: IntArray
    win_products: IntArray
    score_products: IntArray
    orders: IntArray
    seats: IntArray

    def __post_init__(self) -> None:
        if self.line_ups.ndim != 2:
            raise ValueError(f"line_ups has shape {self.line_ups.shape}, not (line-ups, players)")
        if self.blocks.ndim not in {1, 2}:
            raise ValueError(f"blocks has shape {self.blocks.shape}, not (line-ups,) or (batches, line-ups)")
        for name, shape in _shapes(*self.line_ups.shape).items():
            array: IntArray = getattr(self, name)
            expected = shape if name == "line_ups" else (*self.blocks.shape[:-1], *shape)
            if array.shape != expected or array.dtype != np.int64:
                raise ValueError(f"{name} has shape {array.shape} of {array.dtype}, not {expected} of int64")
        if np.any(self.line_ups[:, :1] < 0) or np.any(np.diff(self.line_ups) < 0):
            raise ValueError("the strategies of a line-up are not indices in ascending order")
        if np.any(self.blocks < 0):
            raise ValueError("a number of rotation blocks is negative")

    @classmethod
    def nothing(cls, line_ups: IntArray) -> Self:
        """Return the sums over no games."""
        shapes = _shapes(*line_ups.shape)
        return cls(line_ups, **{name: np.zeros(shapes[name], np.int64) for name in _SUMMED})

    @classmethod
    def joined(cls, parts: Sequence[Self]) -> Self:
        """Return the batches of several sums of the same line-ups, one after the other.

        Sums without an axis of batches are one batch.
        """
        _check_same_line_ups(parts)
        line_ups = parts[0].line_ups
        return cls(line_ups, **{name: np.concatenate([part._batches(name) for part in parts]) for name in _SUMMED})

    @property
    def players(self) -> int:
        """Players at the table."""
        return int(self.line_ups.shape[1])

    @property
    def batched(self) -> bool:
        """Whether the arrays have an axis of batches."""
        return self.blocks.ndim == 2

    @property
    def played(self) -> BoolArray:
        """Which line-ups have games, shape (L,)."""
        played: BoolArray = self._batches("blocks").sum(axis=0) > 0
        return played

    def total(self) -> Self:
        """Return the sums over all batches, without an axis of them."""
        if not self.batched:
            return self
        return type(self)(self.line_ups, **{name: getattr(self, name).sum(axis=0) for name in _SUMMED})

    def groups(self, most: int) -> list[Self]:
        """Return the sums over at most so many groups of consecutive batches, of as equal size as possible."""
        n = min(most, len(self._batches("blocks")))
        parts = {name: np.array_split(self._batches(name), n) for name in _SUMMED}
        return [type(self)(self.line_ups, **{name: parts[name][i].sum(axis=0) for name in _SUMMED}) for i in range(n)]

    def __add__(self, other: Self) -> Self:
        _check_same_line_ups((self, other))
        if self.blocks.shape != other.blocks.shape:
            raise ValueError(f"sums of different batches: {self.blocks.shape} and {other.blocks.shape}")
        return type(self)(self.line_ups, **{name: getattr(self, name) + getattr(other, name) for name in _SUMMED})

    def __sub__(self, part: Self) -> Self:
        """Return the sums over what is left without a part."""
        _check_same_line_ups((self, part))
        return type(self)(self.line_ups, **{name: getattr(self, name) - getattr(part, name) for name in _SUMMED})

    def _batches(self, name: str) -> IntArray:
        array: IntArray = getattr(self, name)
        return array if self.batched else array[None]


_SUMMED: Final = tuple(field.name for field in fields(LineUpSums) if field.name != "line_ups")


def _shapes(line_ups: int, k: int) -> dict[str, tuple[int, ...]]:
    """Return the shape of each array without the axis of batches."""
    return {
        "line_ups": (line_ups, k),
        "blocks": (line_ups,),
        "wins": (line_ups, k),
        "scores": (line_ups, k),
        "win_products": (line_ups, k, k),
        "score_products": (line_ups, k, k),
        "orders": (line_ups, 2**k),
        "seats": (line_ups, k, k, _N_SEAT_SUMS),
    }


def _check_same_line_ups(parts: Sequence[LineUpSums]) -> None:
    if any(not np.array_equal(part.line_ups, parts[0].line_ups) for part in parts):
        raise ValueError("sums of different line-ups")
