"""Games whose truth is known, for the real way of a tournament: plan, tally, looks and tables; no game is played.

Who wins is drawn with chances in proportion to the strategies' weights, more on the first seat; some games are shared
by all. Scores are skewed and have another spread for each strategy. Tables that are compared mostly
have the same luck.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import numpy as np
from raw_games import chances

from analyzer.game import Tables
from analyzer.plan import Block, Plan
from analyzer.results import no_extremes
from analyzer.runs import WHOLE
from analyzer.tally import block_arrays
from analyzer.tournament import Arrays, Stopping, Tournament
from strategies.tournaments import Asked


@dataclass
class KnownChances:
    """An engine of made-up games.

    Parameters
    ----------
    weights : shape (strategies,)
    rng : Generator
    tied : float
        Part of the games that all win together.
    apart : float
        Part of the deals in which each table has a luck of its own.
    """

    weights: np.ndarray
    rng: np.random.Generator
    tied: float = 0.2
    apart: float = 0.3

    @property
    def rates(self) -> np.ndarray:
        """Scores are geometric: their mean is the inverse of this, by strategy, and their spread nearly as large."""
        return 0.03 / self.weights

    def win_shares(self, line_ups: np.ndarray) -> np.ndarray:
        """Return true win shares by place, shape (line-ups, players)."""
        return self.tied / line_ups.shape[1] + (1 - self.tied) * chances(line_ups, self.weights).mean(axis=1)

    def scores(self, line_ups: np.ndarray) -> np.ndarray:
        """Return true mean scores by place."""
        return 1 / self.rates[line_ups]

    def play(self, tables: Tables, *, compared: bool) -> Any:
        """Return sums as an engine does, as far as a tally needs them."""
        counts, (_, sides, k) = tables.units[:, 1], tables.line_ups.shape
        line_ups = np.repeat(tables.line_ups, counts, axis=0)
        wins, scores = self._games(line_ups)  # shape (deals, tables, seatings, places)
        starts = np.cumsum(counts) - counts
        observed = np.stack([x.sum(axis=2).reshape(len(line_ups), -1) for x in (wins, scores)], axis=1)
        places, seats = np.arange(k)[:, None], np.arange(k)
        by_seat = [x[..., (seats - places) % k, places].reshape(len(line_ups), sides * k, k) for x in (wins, scores)]
        figures = np.stack([by_seat[0], by_seat[0] ** 2, by_seat[1], by_seat[1] ** 2], axis=-1)
        nothing = np.zeros(len(self.weights), np.int64)
        return SimpleNamespace(
            products=np.add.reduceat(observed[..., :, None] * observed[..., None, :], starts),
            seats=np.add.reduceat(figures, starts),
            orders=np.zeros((len(counts), sides, 2**k), np.int64),
            extremes=np.zeros_like(no_extremes()),  # of the first game
            extra={},
            **dict.fromkeys(("total", "squares", "scores", "places", "shared"), nothing),
        )

    def _games(self, line_ups: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Draw win shares in 60ths and scores; half of all deals keep one luck in all seatings."""
        n, sides, k = line_ups.shape
        luck = self.rng.uniform(size=(n, sides, k, 2 + k))
        luck = np.where(self.rng.uniform(size=(n, 1, 1, 1)) < self.apart, luck, luck[:, :1])
        luck = np.where(self.rng.uniform(size=(n, 1, 1, 1)) < 0.5, luck[:, :, :1], luck)
        each = chances(line_ups.reshape(-1, k), self.weights).reshape(n, sides, k, k)
        winner = (luck[..., :1] > np.cumsum(each, axis=3)).sum(axis=3).clip(max=k - 1)
        alone = 60 * (winner[..., None] == np.arange(k))
        wins = np.where(luck[..., 1:2] < self.tied, 60 // k, alone)
        rates = self.rates[line_ups][:, :, None, :]
        return wins, np.ceil(np.log(luck[..., 2:]) / np.log1p(-rates)).astype(np.int64)


@dataclass
class KeptInMemory:
    """A run without its file, which a thousand tournaments need not write."""

    extent: int = 0
    part: Any = WHOLE
    kept: dict[int, Mapping[str, Any]] = field(default_factory=dict)

    def extend(self, extent: int) -> None:
        self.extent = max(self.extent, extent)

    def done(self) -> set[int]:
        return set(self.kept)

    def blocks(self) -> Iterator[tuple[int, Mapping[str, Any]]]:
        yield from sorted(self.kept.items())

    def sums(self, number: int) -> Mapping[str, Any]:
        return self.kept[number]

    def commit(self, number: int, arrays: Mapping[str, Any]) -> None:
        self.kept[number] = arrays


class OneByOne:
    """Plays blocks here, one after the other."""

    def __init__(self, engine: KnownChances, plan: Plan) -> None:
        self.engine, self.plan = engine, plan

    def __call__(self, blocks: Iterable[Block]) -> "OneByOne":
        self.blocks = blocks
        return self

    def __iter__(self) -> Iterator[tuple[Block, Arrays]]:
        for block in self.blocks:
            sums = self.engine.play(self.plan.tables(block), compared=True)
            yield block, block_arrays(sums, block)

    def __enter__(self) -> "OneByOne":
        return self

    def __exit__(self, *_: object) -> None:
        pass


def played(asked: Asked, engine: KnownChances, games: int | None = None) -> Tournament:
    """Play a tournament until the results decide; then on, where it is extended to so many games."""
    run: Any = KeptInMemory()
    tournament = Tournament(asked.plan, run, asked.stopping, asked.look)
    tournament.play(OneByOne(engine, asked.plan))
    if games is not None and games > run.extent:
        run.extend(games)
        tournament = Tournament(asked.plan, run, Stopping(games), asked.look)
        tournament.play(OneByOne(engine, asked.plan))
    return tournament
