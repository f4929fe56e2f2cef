"""Minds the top card of its flock: the modifier and the sheep number.

Idea: the top card works in every round to come. A bonus makes higher bids safe, so the bid follows the odds with the
modifier; cards are picked with the modifier in mind as long as it pays; and of equal modifiers the lower sheep number
lies on top, because it goes first among equal bids.

Found in games: minding the modifier helps, caution does not: who wants a safer bid than the others goes later, and gets
less.

Parameters: chance, 0 to 1, with which it wants to make its bid; pip, 0 to 5, points that a better top card is worth for
each point of the modifier and round to come; number, 0 to 0.1, modifier points that a sheep number lower by one is
worth.

Source: rulebook, "What You Do With the Cards".
"""

from analyzer.wool_rules.constants import SET_007
from analyzer.wool_rules.views import View
from strategies.wool_rules.prices import bid_by_odds, highest, legal_bid, my_worths
from strategies.wool_rules.prices import sensible_accept as accept
from strategies.wool_rules.prices import sensible_hold as hold
from strategies.wool_rules.prices import sensible_save as save

__all__ = ["accept", "bid", "hold", "pick", "save", "top"]

RANGES = {"chance": (0.0, 1.0), "pip": (0.0, 5.0), "number": (0.0, 0.1)}


LONG = 4
"""Rounds after which a top card is likely to be covered."""


def bid(v: View, chance: float = 0.6) -> int:
    """Bid what it makes with the wanted chance, modifier included."""
    return legal_bid(v, bid_by_odds(v, v.me, chance, 0))


def pick(v: View, pip: float = 0.3) -> int:
    """Take the card that adds most to the score, counting the modifier for the rounds to come."""
    worths = my_worths(v)
    best = -LONG  # of the modifiers taken already: only a better one will lie on top
    for i in range(v.n_taken):
        if v.taken[i].kind <= SET_007:
            best = max(best, v.taken[i].modifier)
    for i in range(v.n_table):
        if v.table[i].kind <= SET_007:
            worths[i] += pip * min(v.rounds - v.round, LONG) * max(v.table[i].modifier - best, 0)
    return highest(worths)


def top(v: View, number: float = 0.01) -> int:
    """Lay the highest modifier on top, of near ones the lower sheep number."""
    best, position = -1e9, 0
    for i in range(v.n_taken):
        rank = v.taken[i].modifier - number * v.taken[i].sheep_number
        if v.taken[i].kind <= SET_007 and rank > best:
            best, position = rank, i
    return position
