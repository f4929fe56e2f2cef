"""Every legal answer equally likely, in every slot.

The other reference player: it shows what chance alone brings, and reaches every corner of the rules.

Source: design page of Wool Rules, "Two strategies defined exactly".
"""

from analyzer.wool_rules.constants import BID_26_PLUS, HIGHEST_PLAIN_BID, LOWEST_BID, SET_007
from analyzer.wool_rules.views import View
from strategies.wool_rules.holds import random as hold

__all__ = ["accept", "bid", "hold", "pick", "save", "steal", "top"]


def bid(v: View) -> int:
    """Draw one of the legal bids, 26+ among them with a chip to pay for it."""
    highest = HIGHEST_PLAIN_BID if v.rules.plain_26 else HIGHEST_PLAIN_BID - 1
    plain = highest - LOWEST_BID + 1
    drawn = int(v.draws[0] * (plain + (v.seats[v.me].chips > 0)))
    return BID_26_PLUS if drawn == plain else LOWEST_BID + drawn


def accept(v: View) -> bool:
    """Toss a coin."""
    return int(v.draws[0] * 2) == 1


def save(v: View) -> bool:
    """Toss a coin."""
    return int(v.draws[0] * 2) == 1


def pick(v: View) -> int:
    """Draw a card of the table."""
    return int(v.draws[0] * v.n_table)


def steal(v: View) -> bool:
    """Toss a coin."""
    return int(v.draws[0] * 2) == 1


def top(v: View) -> int:
    """Draw one of the sheep just taken."""
    sheep = 0
    for i in range(v.n_taken):
        sheep += v.taken[i].kind <= SET_007
    skip = int(v.draws[0] * sheep)
    position = 0
    for i in range(v.n_taken):
        if v.taken[i].kind <= SET_007:
            if skip == 0:
                position = i
            skip -= 1
    return position
