"""What a dice action is about, and what its ends are worth ("How You Determine Your Result")."""

from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from analyzer.wool_rules.bidding import bid_target
from analyzer.wool_rules.dice import Dice, dice_of
from analyzer.wool_rules.rules import STANDARD, Rules

IntArray = NDArray[np.int64]


@dataclass(frozen=True)
class Terms:
    """What a batch of dice actions is about; all arrays have shape (B,).

    Arrays by total have a row for each of the `dice.n_totals` totals, 31 with the standard dice.

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
    rules : Rules
        The rules in force.
    """

    target: IntArray
    modifier: IntArray
    chips: IntArray
    bid: IntArray
    rules: Rules = STANDARD

    @classmethod
    def of_bids(cls, bid: IntArray, modifier: IntArray, chips: IntArray, rules: Rules = STANDARD) -> "Terms":
        """Return the dice actions of some bids (14 to 26, 27 for 26+)."""
        return cls(bid_target(bid), modifier, chips, bid, rules)

    @classmethod
    def one(cls, bid: int, modifier: int = 0, chips: int = 0, rules: Rules = STANDARD) -> "Terms":
        """Return a batch of one dice action."""
        return cls.of_bids(np.array([bid]), np.array([modifier]), np.array([chips]), rules)

    @property
    def dice(self) -> Dice:
        """The dice that are rolled."""
        return dice_of(self.rules.dice)

    def __len__(self) -> int:
        """Return the number of dice actions."""
        return len(self.target)

    def __getitem__(self, rows: slice | IntArray) -> "Terms":
        """Return some of the dice actions."""
        return replace(
            self, target=self.target[rows], modifier=self.modifier[rows], chips=self.chips[rows], bid=self.bid[rows]
        )

    def result(self) -> IntArray:
        """Return the result with malus but without help for each total, shape (n_totals, B)."""
        malus = np.minimum(self.modifier, 0)
        return np.arange(self.dice.n_totals)[:, None] + malus

    def reached(self) -> NDArray[np.bool_]:
        """Return whether each total makes the bid without help, shape (n_totals, B) (ruling R5)."""
        return self.result() >= self.target

    def help(self, target: IntArray | None = None) -> IntArray:
        """Return the chips needed on top of the bonus to lift each total to `target` (the bid), (n_totals, B)."""
        goal = self.target if target is None else target
        missing: IntArray = goal - np.arange(self.dice.n_totals)[:, None] - self.modifier
        return np.maximum(missing, 0)

    def makes_bid(self) -> NDArray[np.bool_]:
        """Return whether each total makes the bid, with help if need be, (n_totals, B) (rulings R1, R4, R6)."""
        return self.help() <= self.chips

    def lift(self) -> IntArray:
        """Return the chips needed on top of the bonus to lift each total to 14, shape (n_totals, B) (ruling R9)."""
        return self.help(np.full(len(self), self.rules.black_sheep_below))


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
    by_cards : bool
        Whether success is worth the cards that the rules in force entitle to, whatever `three`, `two` and `one` are.
    """

    three: float = 3.0
    two: float = 2.0
    one: float = 1.0
    fail: float = 0.0
    under14: float = 0.0
    chip: float = 0.0
    by_cards: bool = field(default=False, kw_only=True)

    def under(self, rules: Rules) -> "Values":
        """Return the values under some rules."""
        if not self.by_cards:
            return self
        three, two, one = map(float, rules.cards_per_attempt)
        return replace(self, three=three, two=two, one=one)

    def outcomes(self) -> tuple[float, float, float, float, float]:
        """Return the values of the five ends."""
        return self.three, self.two, self.one, self.fail, self.under14

    def largest(self) -> float:
        """Return the largest magnitude among the values, the scale of :data:`TIE_TOLERANCE`."""
        return max(abs(v) for v in (*self.outcomes(), self.chip))
