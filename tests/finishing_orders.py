"""Finishing orders for the tests of ratings: made game by game, ties by going through all orders of the tied."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain, permutations, product

import numpy as np

Game = Sequence[Sequence[int]]
"""Places from the first on; each the players of the line-up (0..k-1) who share it."""


@dataclass(frozen=True)
class Orders:
    """What ratings need of a tournament's sums."""

    line_ups: np.ndarray
    orders: np.ndarray


def strict_orders(game: Game) -> list[tuple[int, ...]]:
    """Return every finishing order that breaks the ties of a game."""
    return [tuple(chain(*parts)) for parts in product(*(permutations(place) for place in game))]


def stages(games: Iterable[Game], k: int) -> np.ndarray:
    """Return 60 times how often each set of players remained."""
    counts = np.zeros(2**k)
    for game in games:
        orders = strict_orders(game)
        for order in orders:
            left = 2**k - 1
            for player in order:
                counts[left] += 60 / len(orders)
                left -= 1 << player
    assert np.allclose(counts, counts.round())
    return counts.round().astype(np.int64)


def table(games: dict[tuple[int, ...], Iterable[Game]]) -> Orders:
    """Return the sums of games by line-up, in one batch."""
    line_ups = np.array(list(games))
    return Orders(line_ups, np.array([stages(of_one, line_ups.shape[1]) for of_one in games.values()]))


def simulated(
    line_ups: np.ndarray, log_strengths: np.ndarray, batches: int, games: int, rng: np.random.Generator
) -> Orders:
    """Return games of the Plackett-Luce model: the first of independent exponential times comes first."""
    n, k = line_ups.shape
    times = rng.exponential(size=(batches, n, games, k)) / np.exp(log_strengths[line_ups])[:, None]
    order = times.argsort(axis=-1)
    counts = np.zeros((batches, n, 2**k), np.int64)
    batch, line_up, _ = np.indices(order.shape[:3])
    left = np.full(order.shape[:3], 2**k - 1)
    for place in range(k):
        np.add.at(counts, (batch, line_up, left), 60)
        left -= 1 << order[..., place]
    return Orders(line_ups, counts)
