"""What happened in games, counted for each of some players: rows of the tables that every game has.

Players are places of one line-up, or strategies wherever they sat. What a game counts beside results has tables of its
own, made of the same :class:`Counted`.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np

from analyzer.results import SCORE, IntArray
from analyzer.rows import Row, columns, with_interval
from analyzer.stats import Estimate, FloatArray, histogram_quantile, histogram_sd, mean, wilson

QUANTILES: Final = {"q05": 0.05, "q25": 0.25, "median": 0.5, "q75": 0.75, "q95": 0.95}

Table = tuple[tuple[str, ...], list[Row]]
"""Columns and rows."""


@dataclass(frozen=True, eq=False)
class Counted:
    """Sums of the results of some players.

    Parameters
    ----------
    labels : list of rows
        What names each player; all have the same columns.
    behind : list of rows
        What stands behind the figures of each player, such as the deck; all have the same columns.
    games : int64 array, shape (players,)
        Observations: deals that one played, twice where two alike sat.
    seatings : int
        In which each deal was played.
    dependence : float64 array, shape (players,)
        By what factor observations are fewer than they seem, as those of one deal depend on each other; 1 if none do.
    total, squares : int64 arrays, shape (players, fields)
        As in :class:`~analyzer.results.Sums`.
    scores : int64 array, shape (players, bins)
        How often each score was made, from `lowest` on.
    lowest : int
    extra : mapping of str to int64 arrays, shape (players, ...)
        What the game counts beside results.
    """

    labels: list[Row]
    behind: list[Row]
    games: IntArray
    seatings: int
    dependence: FloatArray
    total: IntArray
    squares: IntArray
    scores: IntArray
    lowest: int
    extra: Mapping[str, IntArray]

    def table(self, figures: tuple[str, ...], rows_of: Callable[[int], list[Row]]) -> Table:
        """Return a table: for each player who has games the rows, with who it is before."""
        rows = [
            self.labels[at] | row | self.behind[at] for at in np.flatnonzero(self.games).tolist() for row in rows_of(at)
        ]
        return (*self.labels[0], *figures, *self.behind[0]), rows

    def mean_of(self, at: int, field: int) -> Estimate:
        """Return the mean of a field of a player's results, per game."""
        games, factor = int(self.games[at]), float(self.dependence[at])
        estimate = mean(int(self.total[at, field]), int(self.squares[at, field]), games, self.seatings)
        return estimate.widened(factor**0.5) if games > factor else Estimate(estimate.value, None, None)

    def share(self, at: int, count: int, n: int) -> Estimate | None:
        """Return a share of n things that happened to a player, None without any; Wilson's interval."""
        if n == 0:
            return None
        factor = float(self.dependence[at])
        return Estimate(count / n, *wilson(count / factor, n / factor))

    def score_table(self, fields: Mapping[str, int]) -> Table:
        """Return how each player scored, and where the points come from.

        Parameters
        ----------
        fields : mapping of str to int
            Where the parts of a score, and what else is kept of each game, stand in the results.
        """
        names = ("mean_score", "sd_score", *(f"score_{name}" for name in QUANTILES), *fields)

        def rows(at: int) -> list[Row]:
            row: Row = {"games": int(self.games[at])} | self.score_cells(at)
            for name, field in fields.items():
                row |= columns(name, self.mean_of(at, field))
            return [row]

        return self.table(("games", *with_interval(*names)), rows)

    def score_cells(self, at: int) -> Row:
        """Return mean, standard deviation and quantiles of a player's score.

        Seatings of a deal count as independent for quantiles. How far they lie from the mean is more alike, so for the
        standard deviation they count as one.
        """
        scores, factor = self.scores[at], float(self.dependence[at])
        row = columns("mean_score", self.mean_of(at, SCORE))
        row |= columns("sd_score", histogram_sd(scores, self.lowest, dependence=factor * self.seatings))
        for name, q in QUANTILES.items():
            row |= columns(f"score_{name}", histogram_quantile(scores, self.lowest, q, dependence=factor))
        return row

    def histogram(self) -> Table:
        """Return how often each player made each score."""

        def rows(at: int) -> list[Row]:
            counts = self.scores[at]
            return [
                {"score": self.lowest + bin_, "games": int(counts[bin_])} for bin_ in np.flatnonzero(counts).tolist()
            ]

        return self.table(("score", "games"), rows)
