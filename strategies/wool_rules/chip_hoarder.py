"""Never spends a chip, and bids so high that failing pays.

Idea: every chip is a point and every failure brings one, so a bid that is missed costs less than it seems, while one
that is made has the first choice.

Found in games: the chips, though many, weigh about as much as the cards that others take meanwhile; what it gains most
by is that it is never last and so has few black sheep and seldom a second dog.

Parameters: level, 14 to 26, the bid; 26+ would cost a chip.

Source: rulebook, "25 Wool chips": each counts as one victory point.
"""

from analyzer.wool_rules.constants import HIGHEST_PLAIN_BID
from analyzer.wool_rules.views import View
from strategies.wool_rules.holds import keep_above_mean as hold
from strategies.wool_rules.plain import accept, save
from strategies.wool_rules.prices import legal_bid
from strategies.wool_rules.prices import sensible_pick as pick

__all__ = ["accept", "bid", "hold", "pick", "save"]

RANGES = {"level": (14, 26)}


def bid(v: View, level: int = 24) -> int:
    """Bid the level, but never what costs a chip."""
    return legal_bid(v, min(level, HIGHEST_PLAIN_BID))
