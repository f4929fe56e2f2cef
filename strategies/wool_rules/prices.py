"""What cards are worth to a seat, which bids are legal and likely, and sensible answers: what strategies share.

Cards are counted in points at the margin: what a seat's score would gain, with something for what a card promises. It
is a player's reckoning, not the best one there is. With ``memory = "table"`` views show no sets: every 3-7-0 and 0-0-7
then counts as the first.

The four functions named sensible are for strategies whose idea lies elsewhere: imported under the name of a slot, they
play it.
"""

from typing import Any

from analyzer.wool_rules.constants import (
    BID_26_PLUS,
    BLACK,
    BONE,
    DOG,
    HIGHEST_PLAIN_BID,
    LOWEST_BID,
    SET_007,
    SET_370,
    TRIO,
)
from analyzer.wool_rules.decisions import best_die, worth_accepting
from analyzer.wool_rules.views import N_NEEDS, View

HOPE = (0.1, 0.25, 0.65)
"""What the first, second and third 0-0-7 count for, as shares of a full trio."""

LOST_SHEEP = 2.0
"""Points of a white sheep that a flock without a dog loses: one of the lowest."""

NO_DOG_YET = 0.5
"""Dogs that the bone counts for in a flock that has none."""


def legal_bid(v: View, bid: int) -> int:
    """Return the legal bid nearest to a number; 27 is 26+, or the highest plain bid without a chip."""
    if bid >= BID_26_PLUS and v.seats[v.me].chips > 0:
        return BID_26_PLUS
    return min(max(bid, LOWEST_BID), HIGHEST_PLAIN_BID if v.rules.plain_26 else HIGHEST_PLAIN_BID - 1)


def success(v: View, seat: int, bid: int, chips: int) -> float:
    """Return a seat's chance to make a bid if it plays for that, counting on so many chips."""
    need = min(bid, HIGHEST_PLAIN_BID) - v.seats[seat].modifier - chips
    odds = v.odds[min(max(need, 0), N_NEEDS - 1)]
    return float(odds.three + odds.two + odds.one)


def bid_by_odds(v: View, seat: int, chance: float, chips: int) -> int:
    """Return the bid, 14 to 26, that a seat makes with a chance nearest to the wanted one; the lower of equals."""
    best, nearest = LOWEST_BID, 2.0
    for bid in range(LOWEST_BID, HIGHEST_PLAIN_BID + 1):
        miss = abs(success(v, seat, bid, chips) - chance)
        if miss < nearest:
            best, nearest = bid, miss
    return best


def goes_before(v: View, other: int, its_bid: int, my_bid: int) -> bool:
    """Return whether another seat's turn would come before mine: the higher bid, then the lower sheep number."""
    lower_number = v.seats[other].sheep_number < v.seats[v.me].sheep_number
    return bool(its_bid > my_bid or (its_bid == my_bid and lower_number))


def next_370(v: View, seat: int) -> float:
    """Return what one more 3-7-0 adds to a seat's score: in a third one, the loss of the pair."""
    points, n = v.rules.three_seven_zero, v.seats[seat].n_370 % TRIO
    return float(points[n] - points[n - 1] if n > 0 else points[0])


def next_007(v: View, seat: int) -> float:
    """Return what one more 0-0-7 brings a seat nearer to a full trio."""
    return float(v.rules.zero_zero_seven[TRIO - 1] * HOPE[v.seats[seat].n_007 % TRIO])


def next_dog(v: View, seat: int) -> float:
    """Return what one more dog adds to a seat's score."""
    dogs, most = v.seats[seat].dogs, 2
    for other in range(v.players):
        if other != seat:
            most = max(most, v.seats[other].dogs)
    gain = float(v.rules.bone_per_dog * v.seats[seat].has_bone)
    if dogs == 0:
        gain += v.rules.dog_single + v.rules.dogless_discard * LOST_SHEEP
    if dogs == 1:
        gain -= v.rules.dog_single
    if dogs < most <= dogs + 1:
        gain += v.rules.dog_most
    return gain


def bone_is_elsewhere(v: View, seat: int) -> bool:
    """Return whether an opponent of a seat has the bone, so that a bone symbol would take it."""
    found = False
    for other in range(v.players):
        found = found or (other != seat and v.seats[other].has_bone == 1)
    return found


def bone_worth(v: View, seat: int) -> float:
    """Return what the bone is worth to a seat that does not have it."""
    return float(v.rules.bone_per_dog * max(float(v.seats[seat].dogs), NO_DOG_YET))


def worth(v: View, seat: int, card: Any) -> float:
    """Return what a card is worth to a seat now, in points."""
    if card.kind == DOG:
        return next_dog(v, seat)
    if card.kind == BONE:
        return bone_worth(v, seat)
    value = float(card.points)
    if card.kind == SET_370:
        value = next_370(v, seat)
    if card.kind == SET_007:
        value = next_007(v, seat)
    if card.bone_symbol == 1 and bone_is_elsewhere(v, seat):
        value += bone_worth(v, seat)
    return value


def my_worths(v: View) -> list[float]:
    """Return what each card on the table is worth to oneself."""
    return [worth(v, v.me, v.table[i]) for i in range(v.n_table)]


def highest(numbers: list[float]) -> int:
    """Return the position of the highest number, the first of equals."""
    best = 0
    for i in range(len(numbers)):
        if numbers[i] > numbers[best]:
            best = i
    return best


def sum_of_best(numbers: list[float], n: int) -> float:
    """Return the sum of the n highest numbers, or of all if there are fewer."""
    left, total = numbers.copy(), 0.0
    for _ in range(min(n, len(left))):
        best = highest(left)
        total += left[best]
        left[best] = -1e9
    return total


def entitled_worth(v: View, attempt: int, hate: float) -> float:
    """Return what the cards are worth that success on an attempt brings: the best, and all one is entitled to.

    A black sheep counts `hate` times.
    """
    worths = my_worths(v)
    for i in range(v.n_table):
        if v.table[i].kind == BLACK:
            worths[i] *= hate
    return sum_of_best(worths, v.rules.cards_per_attempt[attempt - 1])


def black_points(v: View) -> float:
    """Return the points of all black sheep on the table, below 0 if there are any."""
    total = 0.0
    for i in range(v.n_table):
        if v.table[i].kind == BLACK:
            total += v.table[i].points
    return total


def lift_cost(v: View) -> int:
    """Return the chips that lift a failed result to 14, after the bonus."""
    return int(max(v.rules.black_sheep_below - v.result - max(v.seats[v.me].modifier, 0), 0))


def chip_for_failing(v: View) -> float:
    """Return what the chip is worth that a failure brings: nothing when the supply is empty."""
    return 1.0 if v.chip_supply > 0 else 0.0


def accept_for(v: View, hate: float) -> bool:
    """Return whether taking cards with help is at least as good as rolling on; a black sheep counts `hate` times."""
    three, two, one = entitled_worth(v, 1, hate), entitled_worth(v, 2, hate), entitled_worth(v, 3, hate)
    fail = chip_for_failing(v)
    return worth_accepting(v, three, two, one, fail, fail + hate * black_points(v), 1.0, v.seats[v.me].chips)


def hold_for(v: View, hate: float) -> int:
    """Return the best die to set aside; a black sheep counts `hate` times."""
    three, two, one = entitled_worth(v, 1, hate), entitled_worth(v, 2, hate), entitled_worth(v, 3, hate)
    fail = chip_for_failing(v)
    return best_die(v, three, two, one, fail, fail + hate * black_points(v), 1.0, v.seats[v.me].chips)


def save_for(v: View, hate: float) -> bool:
    """Return whether the black sheep cost more than the chips that reach 14; they count `hate` times."""
    return bool(lift_cost(v) < -hate * black_points(v))


def sensible_pick(v: View) -> int:
    """Take the card that adds most to the score."""
    return highest(my_worths(v))


def sensible_accept(v: View) -> bool:
    """Take cards with help when rolling on does not promise more, a chip counted as a point."""
    return accept_for(v, 1.0)


def sensible_hold(v: View) -> int:
    """Set aside the best die for what the cards are worth now."""
    return hold_for(v, 1.0)


def sensible_save(v: View) -> bool:
    """Pay to reach 14 when the black sheep cost more than the chips."""
    return save_for(v, 1.0)
