"""What a simulation of a line-up says: rows of every table, each figure with its interval.

Intervals are 95 %. Games (with all their seatings) are independent observations, so means and win shares have the
interval of a mean over games; shares of dice actions have Wilson's; gains per round that of a ratio of sums of games.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np

from analyzer.counted import QUANTILES, Counted, Table
from analyzer.errors import Sitting
from analyzer.extremes import Extreme, extremes_of
from analyzer.figures import counted, figure_between, share_between
from analyzer.results import WHOLE_WIN, WIN, Sums
from analyzer.rows import Row, columns, with_interval
from analyzer.shown import Line, Shown
from analyzer.stats import Estimate, mean, mean_share, wilson
from analyzer.wool_rules.constants import SCORE_PARTS
from analyzer.wool_rules.counted_tables import ACTION_FIGURES, action_cells, attempts, bids, calibration, turns
from analyzer.wool_rules.games import Question
from analyzer.wool_rules.tallies import RESULT_FIELDS

CARD_COUNTS: Final = ("n_white", "n_black", "n_370", "n_007", "n_dogs", "has_bone")

SEAT_COLUMNS: Final = (
    "seat",
    "strategy",
    "games",
    "seatings",
    *with_interval("mean_score", "sd_score", *(f"score_{name}" for name in QUANTILES), "win_share", *SCORE_PARTS),
    *with_interval(*CARD_COUNTS, "chips_spent"),
    "rounds",
    *with_interval("p_skipped"),
    *ACTION_FIGURES,
    "deck",
)
"""A row a seat of the line-up. Score parts and chips in points, counts of cards and chips spent a game; p_skipped per
round, the other shares per dice action."""

FINISH_COLUMNS: Final = ("place", "games", *with_interval("mean_score"), "deck")
TABLE_COLUMNS: Final = ("players", "games", "seatings", "rounds", "winners", *with_interval("share"), "deck")


@dataclass(frozen=True, repr=False)
class Summary(Shown):
    """Sums of a simulation, read as tables.

    Parameters
    ----------
    question : Question
    sums : Sums
    """

    question: Question
    sums: Sums

    def headline(self) -> str:
        """Say what was played."""
        question = self.question
        seatings = f", each in {self.seatings} seatings" if self.seatings > 1 else ""
        played = f"{counted(self.sums.games)} of {question.players} players{seatings}, seed {question.seed}"
        return f"{played}; {question.setting.words}; 95 % intervals"

    def lines(self) -> list[Line]:
        """Return who wins how much, the most first."""
        rows = zip(self.labels, self.seat_rows(), strict=True)
        return [
            {
                "strategy": f"seat {row['seat']}: {label}",
                "wins": share_between(row, "win_share"),
                "mean score": figure_between(row, "mean_score"),
                "success of dice actions": share_between(row, "p_success"),
                "black sheep a game": figure_between(row, "n_black"),
            }
            for label, row in sorted(rows, key=lambda each: -float(each[1]["win_share"] or 0))
        ]

    @property
    def seatings(self) -> int:
        """Seatings in which each game is played."""
        return len(self.question.seating)

    @property
    def played(self) -> int:
        """Games played, every seating counted."""
        return self.sums.games * self.seatings

    @property
    def labels(self) -> list[str]:
        """Strategies of the line-up as they were given, for tables and charts that people read."""
        return [strategy.given for strategy in self.question.strategies]

    def tables(self) -> dict[str, Table]:
        """Return columns and rows of every table by name."""
        return {
            "seats": (SEAT_COLUMNS, self.seat_rows()),
            "attempts": self.attempts(),
            "calibration": calibration(self._counted, self.question.rules),
            "places": self.turns(),
            "bids": self.bids(),
            "finish": (FINISH_COLUMNS, self.finish_rows()),
            "table": (TABLE_COLUMNS, self.table_rows()),
            "histogram": self._counted.histogram(),
        }

    def seat_rows(self) -> list[Row]:
        """Return a row for each place of the line-up, :data:`SEAT_COLUMNS`."""
        return [self._seat_row(who) for who in range(self.question.players)]

    def attempts(self) -> Table:
        """Return how dice actions ended, by bid made."""
        return attempts(self._counted)

    def turns(self) -> Table:
        """Return points gained per round by place in the turn order."""
        return turns(self._counted)

    def bids(self) -> Table:
        """Return points gained per round by bid made."""
        return bids(self._counted)

    def finish_rows(self) -> list[Row]:
        """Return the score by finishing place, :data:`FINISH_COLUMNS`; seatings of a game count as independent."""
        return [
            {"place": place + 1, "games": self.played}
            | columns("mean_score", mean(int(total), int(squares), self.played))
            | self._deck()
            for place, (total, squares) in enumerate(self.sums.places)
        ]

    def table_rows(self) -> list[Row]:
        """Return how many shared the victory, :data:`TABLE_COLUMNS`."""
        question = self.question
        return [
            {
                "players": question.players,
                "games": self.sums.games,
                "seatings": self.seatings,
                "rounds": question.rounds,
                "winners": winners,
            }
            | columns("share", Estimate(count / self.played, *wilson(count, self.played)))
            | self._deck()
            for winners, count in enumerate(self.sums.shared.tolist())
            if winners > 0
        ]

    def extremes(self) -> list[Extreme]:
        """Return the games with the highest and the lowest score and the biggest margin."""

        def seated(game: int, _table: int, rotation: int) -> tuple[tuple[int, ...], Sitting]:
            places = tuple(self.question.seating[rotation].tolist())
            return places, Sitting(game, places)

        return extremes_of(self.sums.extremes, seated)

    def mean_of(self, who: int, field: str) -> Estimate:
        """Return the mean of a result field of one place of the line-up, per game."""
        at = RESULT_FIELDS.index(field)
        total, squares = int(self.sums.total[who, at]), int(self.sums.squares[who, at])
        if at == WIN:
            return mean_share(total, squares, self.sums.games, WHOLE_WIN * self.seatings)
        return mean(total, squares, self.sums.games, self.seatings)

    def _seat_row(self, who: int) -> Row:
        counted = self._counted
        row: Row = self._who(who) | {"games": self.sums.games, "seatings": self.seatings} | counted.score_cells(who)
        for field in ("win_share", *SCORE_PARTS, *CARD_COUNTS, "chips_spent"):
            row |= columns(field, self.mean_of(who, field))
        row["rounds"] = self.question.rounds
        row |= columns("p_skipped", self._skipped(who))
        return row | action_cells(counted, who, self.sums.extra["actions"][who].sum(axis=(0, 1))) | self._deck()

    def _skipped(self, who: int) -> Estimate:
        """Return in what part of the rounds one skipped its turn."""
        at = RESULT_FIELDS.index("skipped")
        total, squares = int(self.sums.total[who, at]), int(self.sums.squares[who, at])
        return mean_share(total, squares, self.sums.games, self.question.rounds * self.seatings)

    def _who(self, who: int) -> Row:
        return {"seat": who, "strategy": self.question.strategies[who].spec}

    def _deck(self) -> Row:
        return {"deck": self.question.deck.name}

    @cached_property
    def _counted(self) -> Counted:
        sums, players = self.sums, self.question.players
        low, _ = self.question.score_range
        return Counted(
            [self._who(who) for who in range(players)],
            [self._deck()] * players,
            np.full(players, sums.games),
            self.seatings,
            np.ones(players),
            *(sums.total, sums.squares, sums.scores),
            low,
            sums.extra,
        )
