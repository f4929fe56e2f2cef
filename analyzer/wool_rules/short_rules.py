"""Which die to set aside, by heart: add something to two of the dice and set aside the highest.

What a short rule loses against the best decisions is exact. It looks at two dice at a time, so what follows the first
roll depends on the die set aside, its face and the difference of what is added to the other two: with the standard
dice a few thousand means serve all 361 rules that are compared.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product
from typing import Final

import numpy as np
from numpy.typing import NDArray

from analyzer.wool_rules.constants import N_DICE
from analyzer.wool_rules.dice import OTHERS, Dice
from analyzer.wool_rules.exact import TIE_TOLERANCE, Solution
from analyzer.wool_rules.hold_rules import SolvedRule
from analyzer.wool_rules.terms import Terms

FloatArray = NDArray[np.float64]

_ADDITIONS: Final = tuple(half / 2 for half in range(-9, 10))
"""What a short rule may add to a face beside what makes up for the smaller mean of its die."""


@dataclass(frozen=True)
class ShortRule:
    """After either roll, set aside the free die whose face plus something for the die is highest.

    Ties go to the die with more sides.

    Parameters
    ----------
    add : tuple of float
        What is added to the faces of each die, in halves; always 0 for the die with most sides.
    loss : float
        What following it on both rolls costs, in units of the value; of a rule for several dice actions, at most.
    """

    add: tuple[float, ...]
    loss: float


@dataclass(frozen=True)
class ShortRules:
    """The best short rules of several dice actions.

    Parameters
    ----------
    common : ShortRule
        The one that loses least in the dice action in which it loses most.
    each : tuple of ShortRule
        The best one of each dice action.
    """

    common: ShortRule
    each: tuple[ShortRule, ...]


def short_rules(rule: SolvedRule, terms: Terms, solution: Solution) -> ShortRules:
    """Find the short rules that lose least, for all of several dice actions and for each.

    Parameters
    ----------
    rule : SolvedRule
        Whose values the loss is measured in.
    terms : Terms
        B dice actions.
    solution : Solution
        What `rule` solves them to.

    Returns
    -------
    ShortRules
    """
    additions = _all_additions(terms.dice)
    losses = losses_of_additions(rule, terms, solution, additions)
    # Losses that differ by rounding only are equal: then the first, smallest additions win.
    tolerance = TIE_TOLERANCE * rule.values.under(terms.rules).largest()

    def best(loss: FloatArray) -> ShortRule:
        at = int(np.argmax(loss <= loss.min() + tolerance))
        return ShortRule(additions[at], float(loss[at]))

    return ShortRules(best(losses.max(axis=1)), tuple(best(loss) for loss in losses.T))


def _all_additions(dice: Dice) -> list[tuple[float, ...]]:
    """Return what short rules may add, small additions first."""
    most = max(dice.sides)
    choices = ([(most - sides) / 2 + more for more in _ADDITIONS] if sides < most else [0.0] for sides in dice.sides)
    return sorted(product(*choices), key=lambda add: sum(map(abs, add)))


def losses_of_additions(
    rule: SolvedRule, terms: Terms, solution: Solution, additions: Sequence[tuple[float, ...]]
) -> FloatArray:
    """Return what following short rules on both rolls costs in each dice action.

    Parameters
    ----------
    rule, terms, solution
        As in :func:`short_rules`.
    additions : sequence of tuple of float
        What A rules add to the faces of each die.

    Returns
    -------
    float array, shape (A, B)
    """
    dice, values = terms.dice, rule.values.under(terms.rules)
    cost = (values.chip * terms.help())[dice.totals]
    score = dice.faces.astype(np.float64)

    def prefers(a: int, b: int, more: float) -> NDArray[np.bool_]:
        """Return for each roll whether die a is set aside rather than b, whose face counts `more` less."""
        ahead = score[:, a] - score[:, b] + more
        return ahead >= 0 if dice.sides[a] > dice.sides[b] else ahead > 0

    @cache
    def going_on(die: int, more: float) -> FloatArray:
        """Return the value of going on after a first roll with `die` set aside, shape (n_rolls, B)."""
        j, k = OTHERS[die]
        state = np.where(
            prefers(j, k, more),
            dice.second_offset[k] + dice.faces[:, die] + dice.faces[:, j],
            dice.second_offset[j] + dice.faces[:, die] + dice.faces[:, k],
        )
        after = np.where(solution.second_take[die], values.two - cost, solution.second_value[state - 2])
        by_face = np.moveaxis(after.reshape(*dice.sides, -1), die, 0).reshape(dice.sides[die], -1, len(terms))
        mean: FloatArray = by_face.mean(axis=1)
        return mean[dice.faces[:, die] - 1]

    taken = values.three - cost
    loss = np.empty((len(additions), len(terms)))
    for at, add in enumerate(additions):
        ahead = {(a, b): prefers(a, b, add[a] - add[b]) for a in range(N_DICE) for b in OTHERS[a]}
        first = np.empty_like(taken)
        for die in range(N_DICE):
            j, k = OTHERS[die]
            chosen = ahead[die, j] & ahead[die, k]
            first[chosen] = going_on(die, add[j] - add[k])[chosen]
        loss[at] = solution.expected - np.where(solution.first_take, taken, first).mean(axis=0)
    return loss
