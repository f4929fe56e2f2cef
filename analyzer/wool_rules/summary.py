"""What a simulation of a line-up says: rows of every table, each figure with its interval.

Intervals are 95 %. Games (with all their seatings) are independent observations, so means and win shares have the
interval of a mean over games; shares of dice actions have Wilson's; gains per round that of a ratio of sums of games.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

from analyzer.errors import Sitting
from analyzer.results import HIGHEST, LOWEST, MARGIN, WHOLE_WIN, WIN, Sums
from analyzer.rows import with_interval
from analyzer.stats import Estimate, histogram_quantile, histogram_sd, mean, mean_share, ratio, wilson
from analyzer.wool_rules.bidding import bid_label
from analyzer.wool_rules.constants import LOWEST_BID, MAX_MODIFIER, SCORE_PARTS
from analyzer.wool_rules.games import Question
from analyzer.wool_rules.need_odds import bid_odds
from analyzer.wool_rules.tallies import END_ONE, END_THREE, END_TWO, END_UNDER, RESULT_FIELDS

Cell = str | int | float | None
Row = dict[str, Cell]

QUANTILES: Final = {"q05": 0.05, "q25": 0.25, "median": 0.5, "q75": 0.75, "q95": 0.95}
CARD_COUNTS: Final = ("n_white", "n_black", "n_370", "n_007", "n_dogs", "has_bone")
ENDS: Final = ("three", "two", "one", "success", "fail", "under_14")
"""How dice actions end; success is the sum of the first three, fail includes under 14."""


SEAT_COLUMNS: Final = (
    "seat",
    "strategy",
    "games",
    "seatings",
    *with_interval("mean_score", "sd_score", *(f"score_{name}" for name in QUANTILES), "win_share", *SCORE_PARTS),
    *with_interval(*CARD_COUNTS, "chips_spent"),
    "rounds",
    *with_interval("p_skipped"),
    "actions",
    *with_interval(*(f"p_{end}" for end in ENDS)),
    "deck",
)
"""A row a seat of the line-up. Score parts and chips in points, counts of cards and chips spent a game; p_skipped per
round, the other shares per dice action."""

_WHO: Final = ("seat", "strategy")
ATTEMPT_COLUMNS: Final = (*_WHO, "bid", "actions", *with_interval(*(f"p_{end}" for end in ENDS)), "deck")
CALIBRATION_COLUMNS: Final = (
    *_WHO,
    "bid",
    "modifier",
    "actions",
    *with_interval("p_success"),
    "exact_p_success",
    "deck",
)
PLACE_COLUMNS: Final = (*_WHO, "place", "rounds", *with_interval("points"), "deck")
BID_COLUMNS: Final = (*_WHO, "bid", "rounds", *with_interval("points"), "deck")
FINISH_COLUMNS: Final = ("place", "games", *with_interval("mean_score"), "deck")
HISTOGRAM_COLUMNS: Final = (*_WHO, "score", "games", "deck")
TABLE_COLUMNS: Final = ("players", "games", "seatings", "rounds", "winners", *with_interval("share"), "deck")


@dataclass(frozen=True)
class Extreme:
    """A game that stands out.

    Parameters
    ----------
    what : str
        "highest score", "lowest score" or "biggest margin".
    value : int
        In points.
    strategy : str
        Of the seat.
    seat : int
    sitting : Sitting
        Which game, and who sat where.
    """

    what: str
    value: int
    strategy: str
    seat: int
    sitting: Sitting


@dataclass(frozen=True)
class Summary:
    """Sums of a simulation, read as tables.

    Parameters
    ----------
    question : Question
    sums : Sums
    """

    question: Question
    sums: Sums

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

    def tables(self) -> dict[str, tuple[tuple[str, ...], list[Row]]]:
        """Return columns and rows of every table by name."""
        return {
            "seats": (SEAT_COLUMNS, self.seat_rows()),
            "attempts": (ATTEMPT_COLUMNS, self.attempt_rows()),
            "calibration": (CALIBRATION_COLUMNS, self.calibration_rows()),
            "places": (PLACE_COLUMNS, self.place_rows()),
            "bids": (BID_COLUMNS, self.bid_rows()),
            "finish": (FINISH_COLUMNS, self.finish_rows()),
            "table": (TABLE_COLUMNS, self.table_rows()),
            "histogram": (HISTOGRAM_COLUMNS, self.histogram_rows()),
        }

    def seat_rows(self) -> list[Row]:
        """Return a row for each place of the line-up, :data:`SEAT_COLUMNS`."""
        return [self._seat_row(who) for who in range(self.question.players)]

    def attempt_rows(self) -> list[Row]:
        """Return how dice actions ended, by bid made, :data:`ATTEMPT_COLUMNS`."""
        return [
            self._who(who) | {"bid": bid_label(LOWEST_BID + bid)} | _action_cells(ends) | self._deck()
            for who, actions in enumerate(self._actions)
            for bid, ends in enumerate(actions.sum(axis=1))
            if ends.any()
        ]

    def calibration_rows(self) -> list[Row]:
        """Return success by bid and modifier beside the exact odds, :data:`CALIBRATION_COLUMNS`.

        The exact odds are those of max-odds without chips: chips spent and other aims make the difference.
        """
        exact = bid_odds(self.question.rules)
        rows: list[Row] = []
        for who, actions in enumerate(self._actions):
            for bid, modifier in np.argwhere(actions.sum(axis=2)).tolist():
                cells = _action_cells(actions[bid, modifier])
                rows.append(
                    self._who(who)
                    | {"bid": bid_label(LOWEST_BID + bid), "modifier": modifier - MAX_MODIFIER}
                    | {name: cells[name] for name in ("actions", *with_interval("p_success"))}
                    | {"exact_p_success": float(exact[bid, modifier])}
                    | self._deck()
                )
        return rows

    def place_rows(self) -> list[Row]:
        """Return points gained per round by place in the turn order, :data:`PLACE_COLUMNS`."""
        return [
            self._who(who) | {"place": place + 1} | cells | self._deck()
            for who, gains in enumerate(self.sums.extra["place_gains"])
            for place, cells in _gain_cells(gains)
        ]

    def bid_rows(self) -> list[Row]:
        """Return points gained per round by bid made, :data:`BID_COLUMNS`."""
        return [
            self._who(who) | {"bid": bid_label(LOWEST_BID + bid)} | cells | self._deck()
            for who, gains in enumerate(self.sums.extra["bid_gains"])
            for bid, cells in _gain_cells(gains)
        ]

    def finish_rows(self) -> list[Row]:
        """Return the score by finishing place, :data:`FINISH_COLUMNS`; seatings of a game count as independent."""
        return [
            {"place": place + 1, "games": self.played}
            | _cells("mean_score", mean(int(total), int(squares), self.played))
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
            | _cells("share", _share(int(count), self.played))
            | self._deck()
            for winners, count in enumerate(self.sums.shared)
            if winners > 0
        ]

    def histogram_rows(self) -> list[Row]:
        """Return how often each score was made, :data:`HISTOGRAM_COLUMNS`."""
        low, _ = self.question.score_range
        return [
            self._who(who) | {"score": low + at, "games": int(count)} | self._deck()
            for who, counts in enumerate(self.sums.scores)
            for at, count in enumerate(counts)
            if count
        ]

    def extremes(self) -> list[Extreme]:
        """Return the games with the highest and the lowest score and the biggest margin."""
        found = []
        for which, what, sign in (
            (HIGHEST, "highest score", 1),
            (LOWEST, "lowest score", -1),
            (MARGIN, "biggest margin", 1),
        ):
            value, game, _, rotation, who = self.sums.extremes[which].tolist()
            seats = tuple(self.question.seating[rotation].tolist())
            found.append(Extreme(what, sign * value, self.labels[who], seats.index(who), Sitting(game, seats)))
        return found

    def mean_of(self, who: int, field: str) -> Estimate:
        """Return the mean of a result field of one place of the line-up, per game."""
        at = RESULT_FIELDS.index(field)
        total, squares = int(self.sums.total[who, at]), int(self.sums.squares[who, at])
        if at == WIN:
            return mean_share(total, squares, self.sums.games, WHOLE_WIN * self.seatings)
        return mean(total, squares, self.sums.games, self.seatings)

    def _seat_row(self, who: int) -> Row:
        low, _ = self.question.score_range
        scores = self.sums.scores[who]
        skipped = RESULT_FIELDS.index("skipped")
        row = self._who(who) | {"games": self.sums.games, "seatings": self.seatings}
        row |= _cells("mean_score", self.mean_of(who, "score")) | _cells("sd_score", histogram_sd(scores, low))
        for name, q in QUANTILES.items():
            row |= _cells(f"score_{name}", histogram_quantile(scores, low, q))
        for field in ("win_share", *SCORE_PARTS, *CARD_COUNTS, "chips_spent"):
            row |= _cells(field, self.mean_of(who, field))
        row["rounds"] = self.question.rounds
        at_table = self.question.rounds * self.seatings
        row |= _cells(
            "p_skipped",
            mean_share(
                int(self.sums.total[who, skipped]), int(self.sums.squares[who, skipped]), self.sums.games, at_table
            ),
        )
        return row | _action_cells(self._actions[who].sum(axis=(0, 1))) | self._deck()

    def _who(self, who: int) -> Row:
        return {"seat": who, "strategy": self.question.strategies[who].spec}

    def _deck(self) -> Row:
        return {"deck": self.question.deck.name}

    @cached_property
    def _actions(self) -> NDArray[np.int64]:
        return self.sums.extra["actions"]


def _cells(name: str, estimate: Estimate | None) -> Row:
    if estimate is None:
        return dict.fromkeys(with_interval(name))
    return {name: estimate.value, f"{name}_low": estimate.low, f"{name}_high": estimate.high}


def _share(count: int, n: int) -> Estimate | None:
    return Estimate(count / n, *wilson(count, n)) if n else None


def _action_cells(ends: NDArray[np.int64]) -> Row:
    """Return shares of dice actions from how often they ended in each way."""
    n = int(ends.sum())
    success = ends[END_THREE] + ends[END_TWO] + ends[END_ONE]
    counts = (ends[END_THREE], ends[END_TWO], ends[END_ONE], success, n - success, ends[END_UNDER])
    cells: Row = {"actions": n}
    for end, count in zip(ENDS, counts, strict=True):
        cells |= _cells(f"p_{end}", _share(int(count), n))
    return cells


def _gain_cells(gains: NDArray[np.int64]) -> Iterator[tuple[int, Row]]:
    """Yield (place or bid, rounds and points gained in them) for those that occurred."""
    for at, sums in enumerate(gains.tolist()):
        if sums[0]:
            yield at, {"rounds": sums[0]} | _cells("points", ratio(*sums))
