"""How the line-ups of a tournament were chosen: what its figures may be compared with, and what they vary with."""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True)
class Design:
    """How line-ups were chosen.

    Parameters
    ----------
    sampled : bool
        Whether they are a random choice: another one would have given other figures, so errors are those of the choice
        and of the games together. Else the line-ups are the question, and only games are left to chance.
    candidates : int, optional
        That only the first so many strategies meet the same opponents, one at a table (a gauntlet). The others sit
        beside one of them at every table: win shares of the two sorts do not say who is better.
    """

    sampled: bool = False
    candidates: int | None = None


EVERY_LINE_UP: Final = Design()
"""All play with all."""
