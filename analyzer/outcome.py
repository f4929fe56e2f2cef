"""What a tournament says: rows of every table, each figure with its interval."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np

from analyzer.bounds import ORDINARY, Bounds
from analyzer.comparisons import pairwise
from analyzer.cycles import three_cycles
from analyzer.design import EVERY_LINE_UP, Design
from analyzer.line_up_sums import LineUpSums
from analyzer.luck import duplicate_factors, luck_and_skill
from analyzer.means import LineUpMeans
from analyzer.metagame import Field, MetaGame, analyse
from analyzer.ratings import rate
from analyzer.rows import Row, columns, with_interval
from analyzer.standings import by_seat, standings

COLUMNS: Final[Mapping[str, tuple[str, ...]]] = {
    "standings": ("strategy", "games", *with_interval("win_share", "margin", "rating"), "group"),
    "pairs": ("strategy", "opponent", "games", *with_interval("win_share", "score"), "p", "p_holm", "pairing"),
    "seats": ("strategy", "players", "seat", "games", *with_interval("win_share", "score")),
    "rotation": ("strategy", "win_share", "score"),
    "luck": ("players", "source", *with_interval("share")),
    "mixture": ("players", "strategy", *with_interval("share"), "support", "payoff"),
    "line-ups": ("players", "line_up", "strategy", "games", *with_interval("win_share")),
}
"""Columns of each table of a run, by its name. A game is a rotation block: one deal in all rotations of the seats. In
pairs, win_share and score are differences: strategy less opponent, at the tables where both sit. In rotation they are
factors: by how much playing all rotations on one deck and dice makes the variance smaller."""


@dataclass(frozen=True, eq=False)
class Outcome:
    """The results of a tournament.

    Parameters
    ----------
    names : list of str
        Of the strategies.
    sums : list of LineUpSums
        For each player count.
    bounds : Bounds
        Of intervals and tests. Those of ratings, luck and mixtures are made by resampling, for a number of games fixed
        beforehand and the line-ups as they are.
    design : Design
        How the line-ups were chosen.
    """

    names: list[str]
    sums: list[LineUpSums]
    bounds: Bounds = ORDINARY
    design: Design = EVERY_LINE_UP

    def table(self, name: str) -> list[Row]:
        """Return the rows of a table of :data:`COLUMNS`."""
        makers: dict[str, Callable[[], list[Row]]] = {
            "standings": lambda: self.standings,
            "pairs": lambda: pairwise(self.sums, self.names, self.bounds, self.design),
            "seats": lambda: by_seat(self.sums, self.names, self.bounds, self.design),
            "rotation": lambda: duplicate_factors(self.sums, self.names),
            "luck": self._luck,
            "mixture": lambda: mixture_rows([(found, self.names) for _, found in self.meta_games()]),
            "line-ups": self._line_ups,
        }
        return makers[name]()

    @cached_property
    def standings(self) -> list[Row]:
        """Who is better, the best first."""
        ratings = rate(self.sums, len(self.names), self.bounds.level).estimates if self._any else None
        return standings(self.sums, self.names, self.bounds, ratings, self.design)

    @property
    def _any(self) -> bool:
        return any(part.blocks.any() for part in self.sums)

    def _luck(self) -> list[Row]:
        return [row for part in self.sums if part.blocks.any() for row in luck_and_skill(part, self.bounds.level)]

    def meta_games(self) -> list[tuple[int, MetaGame]]:
        """Return what the field is as a game, for each player count.

        Raises
        ------
        BadInputError
            When a line-up is missing.
        """
        return [
            (part.players, analyse(Field.of_sums(part, self.names), self.bounds.level))
            for part in self.sums
            if part.blocks.any()
        ]

    def cycles(self) -> list[tuple[str, ...]]:
        """Return circles of three in which each clearly beats the next, at tables where both sit."""
        index = {name: at for at, name in enumerate(self.names)}
        beats = np.zeros((len(self.names), len(self.names)), bool)
        for row in self.table("pairs"):
            p, difference = row["p_holm"], row["win_share"]
            if isinstance(p, float) and isinstance(difference, float) and p < self.bounds.alpha:
                a, b = index[str(row["strategy"])], index[str(row["opponent"])]
                beats[(a, b) if difference > 0 else (b, a)] = True
        return [tuple(self.names[at] for at in cycle) for cycle in three_cycles(beats)]

    def _line_ups(self) -> list[Row]:
        rows: list[Row] = []
        for part in self.sums:
            means = LineUpMeans.win_shares(part)
            for at, line_up in enumerate(means.line_ups.tolist()):
                for who, strategy in enumerate(line_up):
                    blocks, variance = int(means.blocks[at]), means.covariance[at, who, who]
                    share = self.bounds.share(means.values[at, who], variance, blocks, blocks)
                    place: Row = {"players": part.players, "line_up": at, "strategy": self.names[strategy]}
                    rows.append(place | {"games": blocks} | columns("win_share", share))
        return rows


def mixture_rows(found: Sequence[tuple[MetaGame, Sequence[str]]]) -> list[Row]:
    """Return the mixtures that nobody can gain by leaving, columns of the table `mixture`."""
    rows: list[Row] = []
    for meta, names in found:
        payoffs = meta.game.expected(meta.mixture)
        for at, name in enumerate(names):
            support = None if meta.support is None else float(meta.support[at])
            row: Row = {"players": meta.game.players, "strategy": name}
            rows.append(row | columns("share", meta.shares[at]) | {"support": support, "payoff": float(payoffs[at])})
    return rows
