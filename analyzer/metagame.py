"""The game of choosing a strategy: pay-offs of a field, and the mixture nobody can gain by leaving.

Every player at the table chooses a strategy of the field; it is paid its mean win share. As all play the same game and
shares of a table add up to one, this is a symmetric constant-sum game of k players, whose table is a complete round
robin. It has an equilibrium in which all mix alike (J. F. Nash, "Non-cooperative games", Ann. Math. 54 (1951) 286-295).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations_with_replacement
from math import factorial
from typing import Final, Protocol

import numpy as np

from analyzer import bootstrap
from analyzer.errors import BadInputError
from analyzer.path import end_of_central_path
from analyzer.results import WHOLE_WIN, IntArray
from analyzer.stats import Estimate, FloatArray

NEVER: Final = 1e-6
"""A smaller share of a mixture is the method's error: the strategy is not in it."""


class WinShares(Protocol):
    """What a field needs of :class:`analyzer.line_up_sums.LineUpSums`."""

    @property
    def line_ups(self) -> IntArray:
        """Strategy index of each player, ascending within a line-up, shape (line-ups, k)."""

    @property
    def blocks(self) -> IntArray:
        """Rotation blocks played, shape (..., line-ups)."""

    @property
    def wins(self) -> IntArray:
        """Sum over rotation blocks and seatings of win shares in 60ths, shape (..., line-ups, k)."""


@dataclass(frozen=True, eq=False)
class Field:
    """Win shares of a round robin, and what they might have been.

    Parameters
    ----------
    names : sequence of str
        For messages only.
    line_ups : int64 array, shape (line-ups, k)
        Strategy indices, ascending within a line-up; none twice. All those of the field, in any order; copies of one
        strategy alone may be missing, as each gets 1/k.
    shares : float64 array, shape (line-ups, k)
        Mean win share of each player; 1 over a line-up.
    resampled : callable (number, generator) -> float64 array, shape (number, line-ups, k), or None
        Draws shares as other games might have given them; None where nothing tells their error.

    Raises
    ------
    BadInputError
        When there are fewer than two strategies or a line-up is missing.
    """

    names: Sequence[str]
    line_ups: IntArray
    shares: FloatArray
    resampled: Callable[[int, np.random.Generator], FloatArray] | None

    def __post_init__(self) -> None:
        if len(self.names) < 2:
            raise BadInputError("a field needs at least two strategies")
        known, k = set(map(tuple, self.line_ups.tolist())), self.line_ups.shape[1]
        for line_up in combinations_with_replacement(range(len(self.names)), k):
            if line_up not in known and line_up[0] != line_up[-1]:
                raise BadInputError(
                    f"the round robin of {len(self.names)} strategies with {k} players is not complete: no games of "
                    f"{' + '.join(self.names[who] for who in line_up)}; play every line-up of the field"
                )

    @classmethod
    def of_sums(cls, sums: WinShares, names: Sequence[str]) -> "Field":
        """Return the field of a tournament, resampled by batches if every line-up has played at least two."""
        k = sums.line_ups.shape[1]
        all_blocks = sums.blocks.reshape(-1, len(sums.line_ups))
        in_order = np.lexsort(sums.line_ups.T[::-1])
        kept = in_order[all_blocks[:, in_order].any(axis=0)]
        blocks, wins = all_blocks[:, kept], sums.wins.reshape(-1, *sums.line_ups.shape)[:, kept]

        def shares(weights: FloatArray) -> FloatArray:
            total = np.einsum("...lb,bl->...l", weights, blocks)
            won = np.einsum("...lb,blk->...lk", weights, wins)
            return np.asarray(won / (WHOLE_WIN * k * total[..., None]))

        def resampled(number: int, rng: np.random.Generator) -> FloatArray:
            return shares(bootstrap.batch_weights(blocks > 0, number, rng))

        tells_error = ((blocks > 0).sum(axis=0) > 1).all()
        return cls(names, sums.line_ups[kept], shares(np.ones(blocks.T.shape)), resampled if tells_error else None)


@dataclass(frozen=True, eq=False)
class Game:
    """A symmetric game of k players.

    Parameters
    ----------
    payoffs : float64 array, shape (strategies, strategies, n)
        What the first gets against the second and each multiset of k - 2 other opponents.
    others : int64 array, shape (n, k - 2)
        These multisets.
    """

    payoffs: FloatArray
    others: IntArray

    @property
    def players(self) -> int:
        """Players at the table."""
        return int(self.others.shape[1]) + 2

    @cached_property
    def _ways(self) -> FloatArray:
        """In how many orders each multiset of others can be drawn."""
        copy = np.tril(self.others[:, :, None] == self.others[:, None, :]).sum(axis=-1)  # the how many-th of its kind
        return np.asarray(factorial(self.others.shape[1]) / copy.prod(axis=1))

    def against(self, mixture: FloatArray) -> FloatArray:
        """Return what each strategy gets against each other one where all other opponents are drawn from a mixture.

        (k - 1) times this is the derivative of :meth:`expected` by the mixture.
        """
        return np.asarray(self.payoffs @ (self._ways * mixture[self.others].prod(axis=1)))

    def expected(self, mixture: FloatArray) -> FloatArray:
        """Return what each strategy gets against opponents drawn independently from a mixture."""
        return self.against(mixture) @ mixture

    def regret(self, mixture: FloatArray) -> float:
        """Return what the best strategy gets more than the mixture where all others play the mixture; 0 at best."""
        expected = self.expected(mixture)
        return float(expected.max() - mixture @ expected)

    def equilibrium(self) -> FloatArray:
        """Return a mixture nobody can gain by leaving; :meth:`regret` tells how closely it was reached.

        Of several equilibria it is the one at the end of the central path from the uniform mixture
        (:func:`analyzer.path.end_of_central_path`), so that it depends on no order of the strategies and splits
        evenly between equal ones.
        """
        gains = self.payoffs - 1 / self.players
        scale = np.abs(gains).max() or 1.0  # the same equilibria, and a path that bends at the same places
        scaled = Game(gains / scale, self.others)

        def expected(mixture: FloatArray) -> tuple[FloatArray, FloatArray]:
            matrix = scaled.against(mixture)
            return matrix @ mixture, (self.players - 1) * matrix

        mixture = end_of_central_path(expected, len(self.payoffs))
        played = np.where(mixture > NEVER, mixture, 0.0)
        return np.asarray(played / played.sum())


@dataclass(frozen=True, eq=False)
class MetaGame:
    """The equilibrium of a field with its sampling error.

    Parameters
    ----------
    game : Game
        With the observed pay-offs.
    shares : list of Estimate
        Share of each strategy in the equilibrium, and the interval of its shares in those of resampled pay-offs.
    support : float64 array, shape (strategies,), or None
        In what part of the resamples the strategy is in the mixture at all.
    regret : Estimate
        What could be gained by leaving the mixture: with the observed pay-offs (0 but for rounding), and the interval
        with resampled ones, which says how much the mixture might lose to a strategy of the field in truth.
    """

    game: Game
    shares: list[Estimate]
    support: FloatArray | None
    regret: Estimate

    @property
    def mixture(self) -> FloatArray:
        """The equilibrium; against it :meth:`Game.expected` is 1/k for who is in it and tells what the others lose."""
        return np.array([share.value for share in self.shares])


def analyse(field: Field, level: float = 0.95) -> MetaGame:
    """Return the equilibrium of a field, carrying the sampling error through by resampling.

    Parameters
    ----------
    field : Field
    level : float
        Coverage of the intervals.
    """
    seats, others = _seats(field)
    game = Game(_payoffs(field, seats, field.shares), others)
    mixture = game.equilibrium()
    reached = game.regret(mixture)
    if field.resampled is None:
        shares = [Estimate(float(share), None, None) for share in mixture]
        return MetaGame(game, shares, None, Estimate(reached, None, None))
    rng = np.random.default_rng(bootstrap.SEED)
    mixtures, regrets = [], []
    for number in bootstrap.chunks(seats.size):
        for payoffs in _payoffs(field, seats, field.resampled(number, rng)):
            resampled = Game(payoffs, others)
            mixtures.append(resampled.equilibrium())
            regrets.append(resampled.regret(mixture))
    drawn = np.array(mixtures)
    (regret,) = bootstrap.percentiles(np.array([reached]), np.array(regrets)[:, None], level)
    shares = bootstrap.percentiles(mixture, drawn, level)
    return MetaGame(game, shares, (drawn > 0).mean(axis=0), regret)


def _multisets(strategies: int, size: int) -> IntArray:
    """Return all multisets of so many strategies, ascending, shape (n, size)."""
    chosen = list(combinations_with_replacement(range(strategies), size))
    return np.array(chosen, np.int64).reshape(len(chosen), size)


def _seats(field: Field) -> tuple[IntArray, IntArray]:
    """Return where in the flat (line-up, player) array to find each pay-off of a game, and its other opponents.

    -1 for copies of one strategy alone.
    """
    n, k = len(field.names), field.line_ups.shape[1]
    others = _multisets(n, k - 2)
    tables = np.empty((n, n, len(others), k), np.int64)
    tables[..., 0], tables[..., 1], tables[..., 2:] = np.arange(n)[:, None, None], np.arange(n)[:, None], others
    tables.sort(axis=-1)
    digits = n ** np.arange(k)[::-1]
    known, wanted = field.line_ups @ digits, tables @ digits
    order = known.argsort()
    at = order[np.searchsorted(known, wanted, sorter=order).clip(max=len(known) - 1)]
    alone = tables[..., 0] == tables[..., -1]  # may be missing among the known
    first_copy = (tables < np.arange(n)[:, None, None, None]).sum(axis=-1)
    return np.where(alone, -1, at * k + first_copy), others


def _payoffs(field: Field, seats: IntArray, shares: FloatArray) -> FloatArray:
    """Return the pay-offs of a game from shares of players: the mean over the copies of a strategy."""
    k = field.line_ups.shape[1]
    copies = field.line_ups[:, :, None] == field.line_ups[:, None, :]
    means = (copies / copies.sum(axis=-1, keepdims=True)) @ shares[..., None]
    return np.asarray(np.where(seats < 0, 1 / k, means.reshape(*shares.shape[:-2], -1)[..., seats]))
