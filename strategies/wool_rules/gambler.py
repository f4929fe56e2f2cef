"""Pays for 26+ whenever a jewel lies on the table.

Idea: 26+ goes before everybody, costs a chip and mostly fails; but a failure gives the chip back, so the gamble is
cheap. Without a jewel, or without a chip to stake, it bids a quiet number.

Found in games: only for the very best cards does it not lose; with a lower price of a jewel it gambles more often and
wins clearly less.

Parameters: jewel, -50 to 50, points from which a card is worth the stake; level, 14 to 26, the quiet bid.

Source: rulebook, "What does the bid 26+ mean?".
"""

from analyzer.wool_rules.constants import BID_26_PLUS
from analyzer.wool_rules.views import View
from strategies.wool_rules.prices import highest, legal_bid, my_worths
from strategies.wool_rules.prices import sensible_accept as accept
from strategies.wool_rules.prices import sensible_hold as hold
from strategies.wool_rules.prices import sensible_pick as pick
from strategies.wool_rules.prices import sensible_save as save

__all__ = ["accept", "bid", "hold", "pick", "save"]

RANGES = {"jewel": (-50.0, 50.0), "level": (14, 26)}


def bid(v: View, jewel: float = 14.0, level: int = 22) -> int:
    """Bid 26+ for a jewel."""
    worths = my_worths(v)
    return legal_bid(v, BID_26_PLUS if worths[highest(worths)] >= jewel and v.seats[v.me].chips > 0 else level)
