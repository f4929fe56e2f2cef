"""When to stop: verdicts that looking often does not make wrong more often, since their bounds hold at all looks.

References
----------
.. [1] J. C. Hsu, "Simultaneous confidence intervals for all distances from the best", Annals of Statistics 9 (1981)
   1026-1034.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final

import numpy as np

from analyzer.bounds import DIFFERENCE_SPAN, SHARE_SPAN, Bounds
from analyzer.comparisons import holm, tie_groups
from analyzer.means import StrategyMeans
from analyzer.results import BoolArray
from analyzer.stats import Estimate, FloatArray

NEGLIGIBLE: Final = 0.001
"""What has played alike so far is said to do so when no difference of win shares larger than this is possible."""


class Verdict(Enum):
    """What a look at the figures decides; each value says what is known."""

    OPEN = ""
    SHARES = "every win share is known as well as asked"
    BEST = "the best strategy is known"
    CHANGES = "it is known of every score whether it rises or falls"
    ALIKE = f"no difference in any deal; win shares differ by less than {100 * NEGLIGIBLE:g} percentage points"

    @property
    def stop(self) -> bool:
        """Whether the question is answered."""
        return self is not Verdict.OPEN


def target_error(means: StrategyMeans, half_width: float, bounds: Bounds) -> Verdict:
    """Say whether every win share is known up to an error.

    Parameters
    ----------
    means : StrategyMeans
        Win shares so far, after a whole batch.
    half_width : float
        The error of each that is small enough: that of the intervals which :meth:`StrategyMeans.shares` gives, not
        counting what lies beyond 0 and 1.
    bounds : Bounds
        Of the intervals; with `planned`.
    """
    radii = bounds.radii(means.variances, means.games, means.blocks, SHARE_SPAN)
    return Verdict.SHARES if np.all(radii <= half_width) else Verdict.OPEN


def until_decided(means: StrategyMeans, bounds: Bounds, candidates: int | None = None) -> Verdict:
    """Say whether the best strategy is known: whether it is alone in its tie group.

    Parameters
    ----------
    means : StrategyMeans
        Win shares so far, after a whole batch.
    bounds : Bounds
        Of all tests together; with `planned`.
    candidates : int, optional
        That only so many, the first ones, are compared.

    Notes
    -----
    The groups are those of the standings (:func:`analyzer.comparisons.tie_groups`), so that these never say anything
    else. Holm's method tests all pairs, as the groups below the first are shown too. Against testing the best one's
    pairs alone (:func:`race`) that takes a quarter fewer games where the others are clear among each other, a sixth
    more where they are all alike.
    """
    groups = tie_groups(means, bounds, candidates)[:candidates]
    return Verdict.BEST if groups.count(1) == 1 and None not in groups else Verdict.OPEN


def until_surely_alike(wins: Sequence[StrategyMeans], bounds: Bounds, tests: int = 1) -> Verdict:
    """Say of what had the same results at all tables in every deal whether that is all there is to know.

    Parameters
    ----------
    wins : sequence of StrategyMeans
        Win shares so far, after a whole batch, at tables that are compared.
    bounds : Bounds
        With `planned`.
    tests : int
        Among how many differences the error is shared out.

    Notes
    -----
    That no deal made a difference does not prove that none will, but it bounds how often one can and how much that is
    worth: the interval of a difference without variance (:func:`analyzer.bounds.radius`).
    """
    games, blocks = (np.array([getattr(each, name).min() for each in wins]) for name in ("games", "blocks"))
    radii = bounds.radii(np.zeros(len(wins)), games, blocks, DIFFERENCE_SPAN, tests)
    return Verdict.ALIKE if np.all(radii < NEGLIGIBLE) else Verdict.OPEN


def until_known(changes: Sequence[float], bounds: Bounds) -> Verdict:
    """Say whether it is known of every score if it rises or falls in another setting.

    Parameters
    ----------
    changes : sequence of float
        The p value of each strategy's change, by the same bounds.
    bounds : Bounds
        Of all tests together (Holm).
    """
    return Verdict.CHANGES if np.all(holm(np.array(changes)) <= bounds.alpha) else Verdict.OPEN


@dataclass(frozen=True, eq=False)
class Race:
    """Who can still be the best.

    Parameters
    ----------
    contenders : bool array, shape (S,)
        False for a strategy that another one certainly beats.
    behind : list of Estimate
        How far each lies behind the best, at least 0.
    decided : bool
        Whether one certainly beats all others.
    """

    contenders: BoolArray
    behind: list[Estimate]
    decided: bool


def race(means: StrategyMeans, bounds: Bounds, started: int | None = None) -> Race:
    """Say which strategies can still be the best.

    Parameters
    ----------
    means : StrategyMeans
        Win shares of those in the race, so far, after a whole batch. Who has no known error stays a contender.
    bounds : Bounds
        With `planned`; all of this is right, at all looks and in all stages together, with a chance of its level.
    started : int, optional
        How many strategies were in the race at first; those in it now if none was dropped.

    Notes
    -----
    Whichever strategy is truly the best, everything said here is right as long as its own differences from the others
    stay within their bounds at all looks. These are S - 1 differences, not all S (S - 1) / 2, so each gets an error of
    (1 - level) / (S - 1), although the best is only known afterwards (as in [1]_): the truly best one is never beaten;
    it is among the contenders, so each strategy's distance from it lies between the extremes over contenders; and who
    beats all others cannot be another one, nor one of two equally good ones.

    `find-best` may therefore drop whoever is no contender as soon as that is so, and spend nothing more on it: bounds
    hold at the look at which they are used, whatever was dropped when, and the error is shared out among the strategies
    that `started`. What is compared must stay the same when others are dropped, such as win shares against a fixed
    field. Where those dropped also leave the tables of the others, "best" is meant on the average of the tables so far.
    """
    size = len(means.values)
    ahead, variances = means.differences()
    radii = bounds.radii(variances, *means.shortest(), DIFFERENCE_SPAN, max((started or size) - 1, 1))
    np.fill_diagonal(radii, 0.0)
    beaten = ahead < -radii
    contenders: BoolArray = ~np.any(beaten, axis=1)
    behind = ahead.T
    lows = np.maximum((behind - radii)[:, contenders].min(axis=1), 0.0)
    highs = np.maximum((behind + radii)[:, contenders].max(axis=1), 0.0)
    decided = bool(beaten.sum(axis=0).max() == size - 1)
    return Race(contenders, _estimates(behind.max(axis=1), lows, highs), decided)


def _estimates(values: FloatArray, lows: FloatArray, highs: FloatArray) -> list[Estimate]:
    return [
        Estimate(value, None if np.isnan(low) else low, None if np.isnan(high) else high)
        for value, low, high in np.stack([values, lows, highs], axis=-1).tolist()
    ]
