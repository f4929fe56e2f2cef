"""The three dice: every roll, and what is left to roll once dice are set aside ("3) Carry out dice actions").

Dice are indexed 0, 1, 2 for d12, d10, d8 everywhere. A dice action passes through few *states*:

* after the first attempt one die is set aside: (die, face), :data:`N_FIRST_STATES` = 30 of them;
* after the second attempt two dice are: (die still free, sum of the other two), :data:`N_SECOND_STATES` = 57.

One dice action has :data:`N_ACTIONS` = 960 × 480 × 120 equally likely courses, because 480 and 120 are the least common
multiples of what two dice and one die can show. Counting courses instead of adding probabilities keeps odds exact.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from analyzer.wool_rules.constants import MAX_TOTAL, N_DICE, SIDES

N_ROLLS: Final = SIDES[0] * SIDES[1] * SIDES[2]
"""Outcomes of a roll of all three dice, 960."""

OTHERS: Final = tuple(tuple(d for d in range(N_DICE) if d != die) for die in range(N_DICE))
"""The two other dice of each die, in order."""

SECOND_COURSES: Final = int(np.lcm.reduce([SIDES[a] * SIDES[b] for a, b in OTHERS]))
THIRD_COURSES: Final = int(np.lcm.reduce(SIDES))
N_ACTIONS: Final = N_ROLLS * SECOND_COURSES * THIRD_COURSES

PAIR_WEIGHT: Final = tuple(SECOND_COURSES // (SIDES[a] * SIDES[b]) for a, b in OTHERS)
"""Courses of the second attempt per roll of the two dice beside a die: 6, 5, 4."""

SINGLE_WEIGHT: Final = tuple(THIRD_COURSES // sides for sides in SIDES)
"""Courses of the third attempt per face of a die: 10, 12, 15."""

FACES: Final[NDArray[np.int64]] = np.stack(
    [grid.ravel() + 1 for grid in np.meshgrid(*(np.arange(n) for n in SIDES), indexing="ij")], axis=1
)
"""Faces of all rolls, shape (960, 3), the d8 changing fastest."""

TOTALS: Final[NDArray[np.int64]] = FACES.sum(axis=1)
"""Total of each roll, shape (960,)."""

FIRST_STATES: Final = tuple((die, face) for die in range(N_DICE) for face in range(1, SIDES[die] + 1))
N_FIRST_STATES: Final = len(FIRST_STATES)
FIRST_OFFSET: Final = tuple(FIRST_STATES.index((die, 1)) for die in range(N_DICE))
"""Where the states of a die begin: state of (die, face) is ``FIRST_OFFSET[die] + face - 1``."""

SECOND_STATES: Final = tuple(
    (free, held) for free in range(N_DICE) for held in range(2, sum(SIDES[d] for d in OTHERS[free]) + 1)
)
N_SECOND_STATES: Final = len(SECOND_STATES)
SECOND_OFFSET: Final = tuple(SECOND_STATES.index((free, 2)) for free in range(N_DICE))
"""Where the states of a free die begin: state of (free, held sum) is ``SECOND_OFFSET[free] + held - 2``."""

N_TOTALS: Final = MAX_TOTAL + 1
"""Arrays by total have an entry for every total from 0 to 30."""


def roll_index(faces: tuple[int, ...]) -> int:
    """Return the row of a roll in :data:`FACES`."""
    return ((faces[0] - 1) * SIDES[1] + faces[1] - 1) * SIDES[2] + faces[2] - 1


def first_state(die: int, face: int) -> int:
    """Return the state after setting aside `die` (0 to 2) that shows `face`."""
    return FIRST_OFFSET[die] + face - 1


def second_state(free: int, held_sum: int) -> int:
    """Return the state in which only `free` (0 to 2) is still rolled and the others sum to `held_sum`."""
    return SECOND_OFFSET[free] + held_sum - 2
