"""The three dice: every roll, and what is left to roll once dice are set aside ("3) Carry out dice actions").

Dice are indexed 0, 1, 2 in the order of the rules, d12, d10, d8 in the standard ones. A dice action passes through few
*states*:

* after the first attempt one die is set aside: (die, face), 30 states of the standard dice;
* after the second attempt two dice are: (die still free, sum of the other two), 57 of them.

One dice action has `n_actions` equally likely courses, 960 × 480 × 120 with the standard dice, because 480 and 120 are
the least common multiples of what two dice and one die can show. Counting courses instead of adding probabilities keeps
odds exact: of any three dice with up to 30 sides, even 25 chips spent on each course of six plans add up to less than
2**53, so float64 holds every count as a whole number.
"""

from dataclasses import dataclass
from functools import cache, cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

from analyzer.wool_rules.constants import N_DICE

IntArray = NDArray[np.int64]
State = tuple[int, int]

OTHERS: Final = tuple(tuple(d for d in range(N_DICE) if d != die) for die in range(N_DICE))
"""The two other dice of each die, in order."""


@dataclass(frozen=True)
class Dice:
    """Three dice and all they can do; use :func:`dice_of`, which makes each only once.

    Parameters
    ----------
    sides : tuple of int
        Sides of the three dice, in the order in which every array lists them.
    """

    sides: tuple[int, int, int]

    @cached_property
    def n_rolls(self) -> int:
        """Outcomes of a roll of all three dice."""
        return int(np.prod(self.sides))

    @cached_property
    def second_courses(self) -> int:
        """Courses of the second attempt: a multiple of what any two dice can show."""
        return int(np.lcm.reduce([self.sides[a] * self.sides[b] for a, b in OTHERS]))

    @cached_property
    def third_courses(self) -> int:
        """Courses of the third attempt: a multiple of what any die can show."""
        return int(np.lcm.reduce(self.sides))

    @property
    def n_rest(self) -> int:
        """Courses after the first attempt."""
        return self.second_courses * self.third_courses

    @property
    def n_actions(self) -> int:
        """Courses of a dice action."""
        return self.n_rolls * self.n_rest

    @cached_property
    def pair_weight(self) -> tuple[int, ...]:
        """Courses of the second attempt per roll of the two dice beside a die."""
        return tuple(self.second_courses // (self.sides[a] * self.sides[b]) for a, b in OTHERS)

    @cached_property
    def single_weight(self) -> tuple[int, ...]:
        """Courses of the third attempt per face of a die."""
        return tuple(self.third_courses // sides for sides in self.sides)

    @cached_property
    def faces(self) -> IntArray:
        """Faces of all rolls, shape (n_rolls, 3), the last die changing fastest."""
        grids = np.meshgrid(*(np.arange(1, sides + 1) for sides in self.sides), indexing="ij")
        return _fixed(np.stack([grid.ravel() for grid in grids], axis=1))

    @cached_property
    def totals(self) -> IntArray:
        """Total of each roll, shape (n_rolls,)."""
        return _fixed(self.faces.sum(axis=1))

    @property
    def max_total(self) -> int:
        """The largest total."""
        return sum(self.sides)

    @property
    def n_totals(self) -> int:
        """Length of arrays by total, which have an entry for every one from 0 to the largest."""
        return self.max_total + 1

    @cached_property
    def first_states(self) -> tuple[State, ...]:
        """(die, face) of every state after the first attempt."""
        return tuple((die, face) for die in range(N_DICE) for face in range(1, self.sides[die] + 1))

    @cached_property
    def first_offset(self) -> tuple[int, ...]:
        """Where the states of a die begin: that of (die, face) is ``first_offset[die] + face - 1``."""
        return tuple(self.first_states.index((die, 1)) for die in range(N_DICE))

    @cached_property
    def second_states(self) -> tuple[State, ...]:
        """(die still free, sum of the others) of every state after the second attempt."""
        return tuple(
            (free, held) for free in range(N_DICE) for held in range(2, sum(self.sides[d] for d in OTHERS[free]) + 1)
        )

    @cached_property
    def second_offset(self) -> tuple[int, ...]:
        """Where the states of a free die begin: that of (free, held sum) is ``second_offset[free] + held - 2``."""
        return tuple(self.second_states.index((free, 2)) for free in range(N_DICE))

    def roll_index(self, faces: tuple[int, ...]) -> int:
        """Return the row of a roll in `faces`."""
        return ((faces[0] - 1) * self.sides[1] + faces[1] - 1) * self.sides[2] + faces[2] - 1

    def first_state(self, die: int, face: int) -> int:
        """Return the state after setting aside `die` (0 to 2) that shows `face`."""
        return self.first_offset[die] + face - 1

    def second_state(self, free: int, held_sum: int) -> int:
        """Return the state in which only `free` (0 to 2) is still rolled and the others sum to `held_sum`."""
        return self.second_offset[free] + held_sum - 2


@cache
def dice_of(sides: tuple[int, int, int]) -> Dice:
    """Return the dice with so many sides."""
    return Dice(sides)


def _fixed(array: IntArray) -> IntArray:
    """Protect an array that everybody shares."""
    array.setflags(write=False)
    return array
