"""Takes what the next player wants most.

Idea: a card has two prices, what it brings and what it would bring whoever picks next. A third 0-0-7 or a second 3-7-0
for an opponent is worth taking even if it brings nothing; a dog that would hurt the next player is worth leaving.

Found in games: what is denied to one often goes to another, so the gain is small, and smaller the more players there
are.

Parameters: level, 14 to 27, the bid; share, 0 to 2, how much the next player's gain counts beside the own.
"""

from analyzer.wool_rules.views import View
from strategies.wool_rules.prices import highest, legal_bid, my_worths, worth
from strategies.wool_rules.prices import sensible_accept as accept
from strategies.wool_rules.prices import sensible_hold as hold
from strategies.wool_rules.prices import sensible_save as save

__all__ = ["accept", "bid", "hold", "pick", "save"]

RANGES = {"level": (14, 27), "share": (0.0, 2.0)}


def bid(v: View, level: int = 22) -> int:
    """Bid the level."""
    return legal_bid(v, level)


def pick(v: View, share: float = 0.5) -> int:
    """Take the card with the highest price, the next player's gain included."""
    following = v.order[v.turn + 1] if v.turn + 1 < v.players else v.order[0]
    worths = my_worths(v)
    for i in range(v.n_table):
        if following != v.me:
            worths[i] += share * worth(v, following, v.table[i])
    return highest(worths)
