"""Counts its chips as pips: bids with them and spends them.

Idea: a chip is one point at the end, but spent on a dice action it can be three cards. It bids as if its chips were
part of the roll, takes cards with help whenever that is at least as good as rolling on, and pays to escape black sheep
that cost more.

Parameters: chance, 0 to 1, with which it wants to make its bid, chips included; reserve, 0 to 25, chips that it does
not count on when it bids.

Source: rulebook, "How You Determine Your Result".
"""

from analyzer.wool_rules.views import View
from strategies.wool_rules.prices import bid_by_odds, legal_bid
from strategies.wool_rules.prices import sensible_accept as accept
from strategies.wool_rules.prices import sensible_hold as hold
from strategies.wool_rules.prices import sensible_pick as pick
from strategies.wool_rules.prices import sensible_save as save

__all__ = ["accept", "bid", "hold", "pick", "save"]

RANGES = {"chance": (0.0, 1.0), "reserve": (0, 25)}


def bid(v: View, chance: float = 0.6, reserve: int = 0) -> int:
    """Bid what it makes with the wanted chance, counting on its chips."""
    return legal_bid(v, bid_by_odds(v, v.me, chance, max(v.seats[v.me].chips - reserve, 0)))
