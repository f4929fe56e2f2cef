"""What happened in the games of a field, by player count and by strategy in each setting, over all its line-ups.

Sums by strategy do not know of line-ups: figures made of them are means of the games played. Their intervals take deals
of all line-ups for one sample, which is rather too wide, and copies of a strategy in one deal, at all tables that share
it, for fully dependent on each other. A number of games that was fixed beforehand is assumed.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Self

import numpy as np

from analyzer.counted import Counted, Table
from analyzer.errors import Sitting
from analyzer.extremes import Extreme, extremes_of
from analyzer.game import Game, Setting, rotations
from analyzer.plan import Plan
from analyzer.results import IntArray
from analyzer.rows import Row, columns, with_interval
from analyzer.stats import Estimate, wilson
from analyzer.tally import Tally

_SUMMED: Final = ("total", "squares", "scores", "places", "shared")
_FIRST_FIELD: Final = 2
"""Of the results, behind score and win share."""


@dataclass(frozen=True, eq=False)
class FieldCounts:
    """What happened in the games of one player count; adding two gives what happened in both.

    Rows are strategies in settings: the setting's index times the number of strategies, and the strategy's.

    Parameters
    ----------
    players : int
    deals : int
        Rotation blocks of all line-ups; tables that share one count once.
    appearances : int64 array, shape (rows,)
        Deals in which a strategy sat at a table, each counted for every place that it had.
    crowded : int64 array, shape (rows,)
        The same with the square of the places in a deal, at all its tables.
    sums : mapping of str to int64 arrays
        `total`, `squares`, `scores` and what the game counts, by row; `places` and `shared`.
    extremes : tuple of Extreme
        The most extreme games.
    """

    players: int
    deals: int
    appearances: IntArray
    crowded: IntArray
    sums: Mapping[str, IntArray]
    extremes: tuple[Extreme, ...]

    @classmethod
    def of(cls, tally: Tally) -> list[Self]:
        """Return what happened in the games of a tally, for each player count that has any."""
        return [
            cls._of_part(tally, part)
            for part, counted in enumerate(tally.by_part)
            if counted and tally.parts[part]["blocks"].any()
        ]

    @classmethod
    def _of_part(cls, tally: Tally, part: int) -> Self:
        plan, counted = tally.plan, tally.by_part[part]
        line_ups = plan.line_ups[part]
        blocks = tally.parts[part]["blocks"].sum(axis=0)
        n_rows = len(counted["total"])
        settings = np.array(plan.settings)[:, None] * (n_rows // (max(plan.settings) + 1))
        rows = (line_ups.reshape(len(line_ups), len(settings), -1) + settings).reshape(len(line_ups), -1)
        places = np.zeros((len(line_ups), n_rows), np.int64)
        np.add.at(places, (np.arange(len(line_ups))[:, None], rows), 1)
        sums = {name: array for name, array in counted.items() if name != "extremes"}
        extremes = extremes_of(counted["extremes"], lambda *where: _seated(plan, *where))
        return cls(line_ups.shape[-1], int(blocks.sum()), blocks @ places, blocks @ places**2, sums, tuple(extremes))

    def __add__(self, other: Self) -> Self:
        sums = {name: array + other.sums[name] for name, array in self.sums.items()}
        extremes = [
            mine if (_key(mine) <= _key(others)) else others
            for mine, others in zip(self.extremes, other.extremes, strict=True)
        ]
        return type(self)(
            self.players,
            self.deals + other.deals,
            self.appearances + other.appearances,
            self.crowded + other.crowded,
            sums,
            tuple(extremes),
        )

    def counted(self, names: Sequence[str], at: int, label: Row, behind: Row, lowest: int) -> Counted:
        """Return the sums of all strategies in one setting.

        Parameters
        ----------
        names : sequence of str
            Of the strategies.
        at : int
            Which setting.
        label, behind : rows
            What stands before and behind the figures of that setting.
        lowest : int
            The score of the first bin of `scores`.
        """
        here = slice(at * len(names), (at + 1) * len(names))
        games = self.appearances[here]
        return Counted(
            [{"players": self.players} | label | {"strategy": name} for name in names],
            [behind] * len(names),
            games,
            self.players,
            self.crowded[here] / np.maximum(games, 1),
            self.sums["total"][here],
            self.sums["squares"][here],
            self.sums["scores"][here],
            lowest,
            {name: array[here] for name, array in self.sums.items() if name not in _SUMMED},
        )

    def victories(self) -> list[Row]:
        """Return how many shared the victory; all games of a deal count as fully dependent."""
        shared = self.sums["shared"].tolist()
        n = sum(shared)
        return [
            {"players": self.players, "games": n, "winners": winners}
            | columns("share", Estimate(count / n, *wilson(count / n * self.deals, self.deals)))
            for winners, count in enumerate(shared)
            if winners
        ]


VICTORY_COLUMNS: Final = ("players", "games", "winners", *with_interval("share"))
"""Of :meth:`FieldCounts.victories`; games are single games, every seating of a deal one."""


def field_table_names(game: Game) -> tuple[str, ...]:
    """Return the names of the tables of what happened."""
    return ("scores", "histogram", *game.tables, "victories")


def field_tables(
    game: Game, counts: Sequence[FieldCounts], names: Sequence[str], settings: Sequence[Setting], words: Sequence[Row]
) -> dict[str, Table]:
    """Return the tables of what happened, by name; without games there are none.

    Parameters
    ----------
    game : Game
    counts : sequence of FieldCounts
        For each player count.
    names : sequence of str
        Of the strategies.
    settings : sequence of Setting
    words : sequence of rows
        What names each setting in the rows.
    """
    fields = {name: _FIRST_FIELD + at for at, name in enumerate((*game.score_parts, *game.counted))}
    lowest = min(setting.score_range[0] for setting in settings)
    tables: dict[str, Table] = {}
    for part in counts:
        for at, setting in enumerate(settings):
            counted = part.counted(names, at, words[at], deck_of(setting), lowest)
            own = {"scores": counted.score_table(fields), "histogram": counted.histogram()}
            own |= {name: table(counted, setting) for name, table in game.tables.items()}
            for name, (header, rows) in own.items():
                tables.setdefault(name, (header, []))[1].extend(rows)
    victories = [row for part in counts for row in part.victories()]
    return tables | {"victories": (VICTORY_COLUMNS, victories)}


def deck_of(setting: Setting) -> Row:
    """Return the column that says with which deck figures were made; none where no cards are drawn."""
    data = setting.as_dict()
    return {"deck": data["deck"]["name"]} if "deck" in data else {}


def _key(extreme: Extreme) -> tuple[int, int]:
    """Return what sorts the more extreme game, of equal ones the earlier, first."""
    return -extreme.value if extreme.what != "lowest score" else extreme.value, extreme.sitting.game


def _seated(plan: Plan, game: int, table: int, seating: int) -> tuple[tuple[int, ...], Sitting]:
    """Return which place of its line-up sat on each seat in a game, and who that was."""
    at = game // plan.stride
    for line_ups in plan.line_ups:
        if at < len(line_ups):
            break
        at -= len(line_ups)
    players = line_ups.shape[-1]
    places = rotations(players)[seating]
    seats = line_ups[at].reshape(-1, players)[table, places]
    return tuple(places.tolist()), Sitting(game, tuple(seats.tolist()), plan.settings[table])
