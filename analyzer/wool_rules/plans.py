"""Plans: everything a player would do in a dice action, and the figures that counts of its outcomes give."""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from analyzer.wool_rules.rules import Rules
from analyzer.wool_rules.terms import Terms

IntArray = NDArray[np.int64]
FloatArray = NDArray[np.float64]
CodeArray = NDArray[np.int8]

TAKE: Final = 3
"""Action after the first or second attempt: take cards. Actions 0, 1, 2 set aside that die."""

TAKE_ONE, FAILED, SAVED, UNDER_14 = range(4)
"""Ends of the third attempt: one card, failed, failed and lifted to 14 with chips or bonus, failed under 14."""

THREE, TWO, ONE, FAIL, UNDER, CHIPS = range(6)
"""Rows of outcome counts: success on the 1st, 2nd, 3rd attempt; failed (under 14 included); failed under 14; sum of
chips spent."""

N_OUTCOMES: Final = 6

SHARES: Final = (
    "p_three",
    "p_two",
    "p_one",
    "p_success",
    "p_fail",
    "p_under_14",
    "mean_cards",
    "mean_chips_spent",
)
"""Names of the figures that outcome counts give; `p_fail` includes `p_under_14`."""


@dataclass(frozen=True)
class Plan:
    """Everything a player would do in each of B dice actions.

    Parameters
    ----------
    first : int8 array, shape (n_rolls, B)
        Per first roll (rows of :attr:`Dice.faces`): 0, 1, 2 to set aside that die, or :data:`TAKE`.
    second : int8 array, shape (3, n_rolls, B)
        The same after the second attempt, by the die set aside first; all three faces, that die's own included.
    third : int8 array, shape (n_totals, B)
        Per total of the third attempt: one of the four ends.
    """

    first: CodeArray
    second: CodeArray
    third: CodeArray


def plan_of_holds(terms: Terms, first: CodeArray, second: CodeArray) -> Plan:
    """Complete a hold rule to a plan that accepts help as soon as it makes the bid and saves with the bonus only.

    Parameters
    ----------
    terms : Terms
        B dice actions; `terms.chips` are the chips the player will spend on the bid.
    first : int8 array, shape (n_rolls, B), either may be 1
        Die set aside (0 to 2) after each first roll; where the bid is made it is not looked at.
    second : int8 array, shape (3, n_rolls, B), the last two may be 1
        The same after the second attempt, by the die set aside first.

    Returns
    -------
    Plan
    """
    made = terms.makes_bid()[terms.dice.totals]
    take = np.int8(TAKE)
    return Plan(
        np.where(made, take, first),
        np.where(made, take, second),
        third_of_holds(terms),
    )


def third_of_holds(terms: Terms) -> CodeArray:
    """Return how the third attempt ends by total, shape (n_totals, B), as :func:`plan_of_holds` describes."""
    ends = np.where(terms.makes_bid(), TAKE_ONE, np.where(terms.lift() > 0, UNDER_14, FAILED))
    return ends.astype(np.int8)


def shares(counts: IntArray, courses: int, rules: Rules) -> dict[str, FloatArray]:
    """Turn outcome counts into the figures of a table.

    Parameters
    ----------
    counts : int array, shape (6, ...)
        As in :class:`Outcomes`.
    courses : int
        Of how many courses.
    rules : Rules
        How many cards each attempt entitles to.

    Returns
    -------
    dict
        One array for each name in :data:`SHARES`. Cards are the entitlement; what is left on the table may be fewer.
    """
    cards = sum(entitled * counts[how] for how, entitled in enumerate(rules.cards_per_attempt))
    success = counts[THREE] + counts[TWO] + counts[ONE]
    ordered = (counts[THREE], counts[TWO], counts[ONE], success, counts[FAIL], counts[UNDER], cards, counts[CHIPS])
    return {name: count / courses for name, count in zip(SHARES, ordered, strict=True)}
