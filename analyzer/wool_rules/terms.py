"""What a dice action is about, and what its ends are worth ("How You Determine Your Result")."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from analyzer.wool_rules.bidding import bid_target
from analyzer.wool_rules.constants import BLACK_SHEEP_BELOW
from analyzer.wool_rules.dice import N_TOTALS

IntArray = NDArray[np.int64]


@dataclass(frozen=True)
class Terms:
    """What a batch of dice actions is about; all arrays have shape (B,).

    Parameters
    ----------
    target : int array
        The result to reach: 14 to 26 for the bids, but any number will do.
    modifier : int array
        Bonus (positive) or malus (negative) on the top card of the flock.
    chips : int array
        Wool chips the player is willing to spend, 0 to 25.
    bid : int array
        The bid itself: 27 for 26+, otherwise the target.
    """

    target: IntArray
    modifier: IntArray
    chips: IntArray
    bid: IntArray

    @classmethod
    def of_bids(cls, bid: IntArray, modifier: IntArray, chips: IntArray) -> "Terms":
        """Return the dice actions of some bids (14 to 26, 27 for 26+)."""
        return cls(bid_target(bid), modifier, chips, bid)

    @classmethod
    def one(cls, bid: int, modifier: int = 0, chips: int = 0) -> "Terms":
        """Return a batch of one dice action."""
        return cls.of_bids(np.array([bid]), np.array([modifier]), np.array([chips]))

    def __len__(self) -> int:
        """Return the number of dice actions."""
        return len(self.target)

    def __getitem__(self, rows: slice | IntArray) -> "Terms":
        """Return some of the dice actions."""
        return Terms(self.target[rows], self.modifier[rows], self.chips[rows], self.bid[rows])

    def result(self) -> IntArray:
        """Return the result with malus but without help for each total, shape (31, B)."""
        malus = np.minimum(self.modifier, 0)
        return np.arange(N_TOTALS)[:, None] + malus

    def reached(self) -> NDArray[np.bool_]:
        """Return whether each total makes the bid without help, shape (31, B) (ruling R5)."""
        return self.result() >= self.target

    def help(self, target: IntArray | None = None) -> IntArray:
        """Return the chips needed on top of the bonus to lift each total to `target` (the bid), shape (31, B)."""
        goal = self.target if target is None else target
        missing: IntArray = goal - np.arange(N_TOTALS)[:, None] - self.modifier
        return np.maximum(missing, 0)

    def makes_bid(self) -> NDArray[np.bool_]:
        """Return whether each total makes the bid, with help if need be, shape (31, B) (rulings R1, R4, R6)."""
        return self.help() <= self.chips

    def lift(self) -> IntArray:
        """Return the chips needed on top of the bonus to lift each total to 14, shape (31, B) (ruling R9)."""
        return self.help(np.full(len(self), BLACK_SHEEP_BELOW))


@dataclass(frozen=True)
class Values:
    """What the ends of a dice action are worth to the player, in any unit.

    Parameters
    ----------
    three, two, one : float
        Success on the first, second, third attempt.
    fail : float
        Failure with a result of at least 14, or lifted to it.
    under14 : float
        Failure under 14.
    chip : float
        Cost of each chip spent.
    """

    three: float = 3.0
    two: float = 2.0
    one: float = 1.0
    fail: float = 0.0
    under14: float = 0.0
    chip: float = 0.0

    def outcomes(self) -> tuple[float, float, float, float, float]:
        """Return the values of the five ends."""
        return self.three, self.two, self.one, self.fail, self.under14

    def largest(self) -> float:
        """Return the largest magnitude among the values, the scale of :data:`TIE_TOLERANCE`."""
        return max(abs(v) for v in (*self.outcomes(), self.chip))
