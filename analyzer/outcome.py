"""What a tournament says: rows of every table, each figure with its interval."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np

from analyzer.bounds import ORDINARY, Bounds
from analyzer.comparisons import pairwise
from analyzer.design import EVERY_LINE_UP, Design
from analyzer.figures import figure_between, share_between
from analyzer.line_up_sums import LineUpSums
from analyzer.luck import duplicate_factors, luck_and_skill
from analyzer.means import LineUpMeans
from analyzer.meta_game_tables import META_GAME_COLUMNS, MetaGameTables
from analyzer.ratings import rate
from analyzer.rows import Row, columns, with_interval
from analyzer.shown import Line, Shown
from analyzer.standings import by_seat, standings

COLUMNS: Final[Mapping[str, tuple[str, ...]]] = {
    "standings": ("strategy", "games", *with_interval("win_share", "margin", "rating"), "group"),
    "pairs": ("strategy", "opponent", "games", *with_interval("win_share", "score"), "p", "p_holm", "pairing"),
    "seats": ("strategy", "players", "seat", "games", *with_interval("win_share", "score")),
    "rotation": ("strategy", "win_share", "score"),
    "luck": ("players", "source", *with_interval("share")),
    **META_GAME_COLUMNS,
    "line-ups": ("players", "line_up", "strategy", "games", *with_interval("win_share")),
}
"""Columns of each table of a run, by its name. A game is a rotation block: one deal in all rotations of the seats. In
pairs, win_share and score are differences: strategy less opponent, at the tables where both sit. In rotation they are
factors: by how much playing all rotations on one deck and dice makes the variance smaller."""


@dataclass(frozen=True, eq=False, repr=False)
class Outcome(Shown):
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

    def headline(self) -> str:
        """Say what was played."""
        deals = sum(int(part.blocks.sum()) for part in self.sums)
        tables = " and ".join(f"{part.players} players ({len(part.line_ups):,})" for part in self.sums)
        level = f"{100 * self.bounds.level:g} % intervals"
        return f"{len(self.names)} strategies, line-ups of {tables}; {deals:,} deals in all rotations; {level}"

    def lines(self) -> list[Line]:
        """Return the standings but for ratings, which take longer."""
        return [
            {
                "strategy": str(row["strategy"]),
                "wins": share_between(row, "win_share"),
                "margin (points)": figure_between(row, "margin"),
                "tie group": str(row["group"] or ""),
            }
            for row in standings(self.sums, self.names, self.bounds, design=self.design)
        ]

    def table(self, name: str) -> list[Row]:
        """Return the rows of a table of :data:`COLUMNS`."""
        makers: dict[str, Callable[[], list[Row]]] = {
            "standings": lambda: self.standings,
            "pairs": lambda: pairwise(self.sums, self.names, self.bounds, self.design),
            "seats": lambda: by_seat(self.sums, self.names, self.bounds, self.design),
            "rotation": lambda: duplicate_factors(self.sums, self.names),
            "luck": self._luck,
            "line-ups": self._line_ups,
        }
        return self.meta_game.rows(name) if name in META_GAME_COLUMNS else makers[name]()

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

    @cached_property
    def meta_game(self) -> MetaGameTables:
        """The field as a game of choosing a strategy."""
        return MetaGameTables.of_sums(self.sums, self.names, self.bounds, self.design)

    def _line_ups(self) -> list[Row]:
        rows: list[Row] = []
        for part in self.sums:
            means = LineUpMeans.win_shares(part)
            for at, line_up in enumerate(means.line_ups.tolist()):
                for who, strategy in enumerate(line_up):
                    place: Row = {"players": part.players, "line_up": at, "strategy": self.names[strategy]}
                    share = means.share(at, np.eye(part.players)[who], self.bounds)
                    rows.append(place | {"games": int(means.blocks[at])} | columns("win_share", share))
        return rows
