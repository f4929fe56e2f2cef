"""Guesses what the others bid and bids just enough for its place.

Idea: everybody sees the others' modifiers, chips and sheep numbers, so what they can afford to bid is no secret. The
bid is the lowest that leaves at most `ahead` opponents in front, if each bids what it makes with the chance `nerve`; it
stops where the own chance falls below `least`.

Found in games: going before the others is worth more than a safe roll.

Parameters: ahead, 0 to 5, opponents let in front; nerve, 0 to 1, the chance others are taken to bid for; least, 0 to 1,
the own chance below which no bid goes.
"""

from analyzer.wool_rules.constants import HIGHEST_PLAIN_BID, LOWEST_BID
from analyzer.wool_rules.views import View
from strategies.wool_rules.prices import bid_by_odds, goes_before, legal_bid, success
from strategies.wool_rules.prices import sensible_accept as accept
from strategies.wool_rules.prices import sensible_hold as hold
from strategies.wool_rules.prices import sensible_pick as pick
from strategies.wool_rules.prices import sensible_save as save

__all__ = ["accept", "bid", "hold", "pick", "save"]

RANGES = {"ahead": (0, 5), "nerve": (0.0, 1.0), "least": (0.0, 1.0)}


def bid(v: View, ahead: int = 1, nerve: float = 0.7, least: float = 0.4) -> int:
    """Bid the lowest that is likely to give the wanted place."""
    guesses = [bid_by_odds(v, seat, nerve, min(v.seats[seat].chips, 1)) for seat in range(v.players)]
    answer = LOWEST_BID
    for mine in range(LOWEST_BID, HIGHEST_PLAIN_BID + 1):
        before = 0
        for other in range(v.players):
            if other != v.me and goes_before(v, other, guesses[other], answer):
                before += 1
        if before > ahead and success(v, v.me, mine, 0) >= least:
            answer = mine
    return legal_bid(v, answer)
