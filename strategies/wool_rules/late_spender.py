"""Saves up chips in the first rounds and spends them in the last.

Idea: chips are worth a point each whenever they are spent, so they go where they do most: failing early costs little
and pays a chip, and a hoard lets it bid and reach what nobody else can when the last sets are completed.

Found in games: spending a fair share of the chips from the start does as well as saving them first.

Parameters: early, 14 to 26, the bid while saving, high enough to fail often; chance, 0 to 1, with which it wants to
make its bid afterwards, chips included; part, 0 to 1, share of the rounds spent saving.
"""

from analyzer.wool_rules.constants import HIGHEST_PLAIN_BID
from analyzer.wool_rules.decisions import best_die
from analyzer.wool_rules.views import View
from strategies.wool_rules.plain import save
from strategies.wool_rules.prices import bid_by_odds, legal_bid
from strategies.wool_rules.prices import sensible_pick as pick

__all__ = ["accept", "bid", "hold", "pick", "save"]

RANGES = {"early": (14, 26), "chance": (0.0, 1.0), "part": (0.0, 1.0)}


def saving(v: View, part: float) -> bool:
    """Return whether the rounds of saving are not over."""
    return bool(v.round <= part * v.rounds)


def chips_per_round(v: View) -> int:
    """Return how many chips each round to come may cost, rounded up."""
    left = v.rounds - v.round + 1
    return int((v.seats[v.me].chips + left - 1) // left)


def bid(v: View, early: int = 22, chance: float = 0.7, part: float = 0.4) -> int:
    """Bid high while saving, afterwards by the odds with a round's share of the chips."""
    if saving(v, part):
        return legal_bid(v, min(early, HIGHEST_PLAIN_BID))
    return legal_bid(v, bid_by_odds(v, v.me, chance, chips_per_round(v)))


def accept(v: View, part: float = 0.4) -> bool:
    """Spend nothing while saving, afterwards a round's share of the chips."""
    return bool(v.help == 0 or (not saving(v, part) and v.help <= chips_per_round(v)))


def hold(v: View, part: float = 0.4) -> int:
    """Set aside the die that leads to the most cards, the chips counted that it would spend."""
    return best_die(v, 3.0, 2.0, 1.0, 0.0, 0.0, 0.1, 0 if saving(v, part) else chips_per_round(v))
