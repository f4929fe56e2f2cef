"""The games that stand out most: highest and lowest score, and the biggest margin of a winner."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from analyzer.errors import Sitting
from analyzer.results import HIGHEST, LOWEST, MARGIN, IntArray

WORDS: Final = {HIGHEST: "highest score", LOWEST: "lowest score", MARGIN: "biggest margin"}


@dataclass(frozen=True)
class Extreme:
    """A game that stands out.

    Parameters
    ----------
    what : str
        One of :data:`WORDS`.
    value : int
        In points.
    seat : int
        Whose score or margin it is.
    sitting : Sitting
        Which game, and who sat where.
    """

    what: str
    value: int
    seat: int
    sitting: Sitting

    @property
    def who(self) -> int:
        """Who sat there."""
        return self.sitting.seats[self.seat]


Seated = Callable[[int, int, int], tuple[tuple[int, ...], Sitting]]
"""From game, table and seating: the place in the line-up that sat on each seat, and the game as it was played."""


def extremes_of(rows: IntArray, seated: Seated) -> list[Extreme]:
    """Return the extreme games.

    Parameters
    ----------
    rows : int64 array, shape (3, 5)
        As in :class:`~analyzer.results.Sums`.
    seated : callable
    """
    found = []
    for which, (value, game, table, seating, place) in enumerate(rows.tolist()):
        places, sitting = seated(game, table, seating)
        found.append(Extreme(WORDS[which], -value if which == LOWEST else value, places.index(place), sitting))
    return found
