"""Always the same bid, the best-looking cards, the highest die.

The reference player, defined exactly so that independent programs can be compared: bids `level` (27 is 26+, or 26
without a chip to pay for it), sets aside the highest free die, never spends a chip, always takes the bone, and lays the
highest modifier on top. Its functions also fill the slots that another strategy leaves out.

Parameters: level, 14 to 27.

Source: design page of Wool Rules, "Two strategies defined exactly".
"""

from typing import Any

from analyzer.wool_rules.constants import BID_26_PLUS, HIGHEST_PLAIN_BID, LOWEST_BID, SET_007
from analyzer.wool_rules.views import View

WORTH = (0, 0, 3, 2, 4, 1)
"""What a 3-7-0, a 0-0-7, a dog and the bone are worth by kind; sheep are worth the points printed on them."""

RANGES = {"level": (LOWEST_BID, BID_26_PLUS)}

TIES = 100
"""More than any card number or number of sides: what is added for ties never outweighs a point."""


def worth(card: Any) -> int:
    """Return what a card is worth to a plain player."""
    points: int = card.points + WORTH[card.kind]
    return points


def bid(v: View, level: int = 20) -> int:
    """Bid the level."""
    if level == BID_26_PLUS and v.seats[v.me].chips > 0:
        return BID_26_PLUS
    return min(level, HIGHEST_PLAIN_BID if v.rules.plain_26 else HIGHEST_PLAIN_BID - 1)


def accept(v: View) -> bool:
    """Accept when no chip is needed."""
    needs_none: bool = v.help == 0
    return needs_none


def hold(v: View) -> int:
    """Set aside the highest free die, of equal ones the one with more sides."""
    best, answer = 0, 0
    for die in range(3):
        rank = (v.dice[die] * TIES + v.rules.dice[die]) * (1 - v.held[die])
        if rank > best:
            best, answer = rank, v.rules.dice[die]
    return answer


def save(v: View) -> bool:
    """Save when no chip is needed."""
    needs_none: bool = v.result + max(v.seats[v.me].modifier, 0) >= v.rules.black_sheep_below
    return needs_none


def pick(v: View) -> int:
    """Pick the card of the highest worth, of equal ones the lowest card number."""
    best, position = -(TIES**2), 0
    for i in range(v.n_table):
        rank = worth(v.table[i]) * TIES - v.table[i].card
        if rank > best:
            best, position = rank, i
    return position


def steal(v: View) -> bool:  # noqa: ARG001 - every policy takes its view
    """Take the bone whenever that is possible."""
    return True


def top(v: View) -> int:
    """Lay the highest modifier on top, of equal ones the lowest card number."""
    best, position = -(TIES**2), 0
    for i in range(v.n_taken):
        rank = v.taken[i].modifier * TIES - v.taken[i].card
        if v.taken[i].kind <= SET_007 and rank > best:
            best, position = rank, i
    return position
