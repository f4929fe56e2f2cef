"""Prices every card for its own seat, bids by the prices and the exact odds, rolls by the exact solution for them.

*Prices.* A sheep is worth its points; a 3-7-0, a 0-0-7, a dog and the bone are worth what one more of them adds, given
what the seat has, what the others have, and the chance that the supply brings another. A card taken is also one that no
opponent gets: a part of what it is worth to them is added, all of it with two players. The modifier counts as long as
there is a round to use it in, a bone symbol when an opponent has the bone.

*Bid.* Nobody remembers earlier bids, but chips tell: players who never spend any have one more for each failure, so the
others' chips say which level they may all bid. The other guess is that each thinks for itself and adds its modifier and
chips to what it asks of the dice; chips spent speak for that. For every guess and every own bid follow the place in the
turn order and what those before leave on the table, with the exact odds and on the assumption that they take the cards
that look best to `plain`. The bid that promises most is made, with the chips that it may take to reach it; the last
player takes everything left, and with two players the first gets back what the second leaves.

*Dice action.* The worth of taking three, two or one cards, of failing and of the black sheep is known by then: die set
aside, accepting and saving are the exact solution for it.

Parameters that price the cards: reach, how easily a card wanted later is got; instead, worth of what is taken instead;
lowest, points of a sheep that a flock without a dog loses; most, chance to have the most dogs with as many as the best
opponent; keep, chance to keep the bone; bonus, worth of a point of the modifier; number, of a sheep number lower by
one; chip, of a chip beside its point; deny, part of the opponents' worth that counts. Parameters of the guesses: trust,
how sharply chips tell levels apart; rolls, dice actions in a turn; noise and thrift, variance of chips that no level
explains and that thinking adds; spender, chips of who always bids 26+; thinking, how likely that is against one level;
centre and width, what thinking players ask of the dice and how much they differ; lean and pips, what they add for a
point of modifier and for a chip.

Source: own work. Tuned by random search in games of 2 to 6 players against `plain` of one level and against strategies
that spend chips.
"""

from analyzer.wool_rules.constants import BID_26_PLUS, HIGHEST_PLAIN_BID, LOWEST_BID, SET_007
from analyzer.wool_rules.decisions import best_die, worth_accepting, worth_saving
from analyzer.wool_rules.views import View
from strategies.wool_rules.value_bids import COUNTED_CHIPS, N_LEVELS, Guess, ends_by_bid
from strategies.wool_rules.value_prices import (
    FAIL,
    ONE,
    THREE,
    TWO,
    UNDER,
    Floats,
    Weights,
    chance_under,
    chances_at,
    current_ends,
    table_gains,
    table_prices,
)

# Defaults of the parameters that several functions share.
REACH = 1.3
INSTEAD = 3.0
LOWEST = 1.3
MOST = 0.45
KEEP = 0.3
BONUS = 0.75
NUMBER = 0.009
CHIP = 0.3
DENY = 1.0

RANGES = {
    "reach": (0.0, 10.0),
    "instead": (0.0, 20.0),
    "lowest": (0.0, 8.0),
    "most": (0.0, 1.0),
    "keep": (0.0, 1.0),
    "bonus": (0.0, 5.0),
    "number": (0.0, 1.0),
    "chip": (0.0, 5.0),
    "deny": (0.0, 1.0),
    "trust": (0.0, 10.0),
    "rolls": (0.0, 1.0),
    "noise": (0.1, 10.0),
    "thrift": (0.0, 10.0),
    "spender": (0.0, 2.0),
    "thinking": (0.0, 1e6),
    "centre": (14.0, 26.0),
    "width": (0.1, 10.0),
    "lean": (0.0, 2.0),
    "pips": (0.0, 2.0),
}


def promised(v: View, bid: int, ends: Floats, chip: float) -> float:
    """Return what a bid promises with the exact odds, counting on as many chips as promise most.

    On average half of them are spent in those dice actions which they turn into success.
    """
    chips, paid = v.seats[v.me].chips, 0.0
    if bid == BID_26_PLUS:
        chips, paid = chips - 1, chip
    need = min(bid, HIGHEST_PLAIN_BID) - v.seats[v.me].modifier
    _, _, _, alone = chances_at(v, need)
    best = -1e9
    for spent in range(min(chips, COUNTED_CHIPS) + 1):
        three, two, one, none = chances_at(v, need - spent)
        under = chance_under(v, need - spent)
        worth = three * ends[THREE] + two * ends[TWO] + one * ends[ONE] + (none - under) * ends[FAIL]
        best = max(best, worth + under * ends[UNDER] - chip * (alone - none) * 0.5 * (spent + 1))
    return best - paid


def bid(
    v: View,
    reach: float = REACH,
    instead: float = INSTEAD,
    lowest: float = LOWEST,
    most: float = MOST,
    keep: float = KEEP,
    bonus: float = BONUS,
    chip: float = CHIP,
    deny: float = DENY,
    trust: float = 0.2,
    rolls: float = 0.77,
    noise: float = 0.9,
    spender: float = 0.8,
    thinking: float = 15.0,
    thrift: float = 1.0,
    centre: float = 21.2,
    width: float = 1.0,
    lean: float = 0.95,
    pips: float = 0.5,
) -> int:
    """Bid what promises most."""
    w = Weights(reach, instead, lowest, most, keep, bonus, chip, deny)
    g = Guess(trust, rolls, noise, thrift, spender, thinking, centre, width, lean, pips)
    prices = table_prices(v, w)
    ends = ends_by_bid(v, prices, table_gains(v, prices, w), g)
    highest = HIGHEST_PLAIN_BID if v.rules.plain_26 else HIGHEST_PLAIN_BID - 1
    best, answer = 0.0, 0
    for level in range(N_LEVELS):
        mine = LOWEST_BID + level
        if mine <= highest or (mine == BID_26_PLUS and v.seats[v.me].chips > 0):
            promise = promised(v, mine, ends[level], 1.0 + chip)
            if answer == 0 or promise > best:
                best, answer = promise, mine
    return answer


def accept(
    v: View,
    reach: float = REACH,
    instead: float = INSTEAD,
    lowest: float = LOWEST,
    most: float = MOST,
    keep: float = KEEP,
    bonus: float = BONUS,
    chip: float = CHIP,
    deny: float = DENY,
) -> bool:
    """Accept when going on promises less."""
    ends = current_ends(v, Weights(reach, instead, lowest, most, keep, bonus, chip, deny))
    three, two, one, fail, under = ends
    return worth_accepting(v, three, two, one, fail, under, 1.0 + chip, v.seats[v.me].chips)


def hold(
    v: View,
    reach: float = REACH,
    instead: float = INSTEAD,
    lowest: float = LOWEST,
    most: float = MOST,
    keep: float = KEEP,
    bonus: float = BONUS,
    chip: float = CHIP,
    deny: float = DENY,
) -> int:
    """Set aside the die of the exact solution."""
    ends = current_ends(v, Weights(reach, instead, lowest, most, keep, bonus, chip, deny))
    three, two, one, fail, under = ends
    return best_die(v, three, two, one, fail, under, 1.0 + chip, v.seats[v.me].chips)


def save(
    v: View,
    reach: float = REACH,
    instead: float = INSTEAD,
    lowest: float = LOWEST,
    most: float = MOST,
    keep: float = KEEP,
    bonus: float = BONUS,
    chip: float = CHIP,
    deny: float = DENY,
) -> bool:
    """Save when the black sheep cost more than the chips."""
    ends = current_ends(v, Weights(reach, instead, lowest, most, keep, bonus, chip, deny))
    return worth_saving(v, ends[FAIL], ends[UNDER], 1.0 + chip)


def pick(
    v: View,
    reach: float = REACH,
    instead: float = INSTEAD,
    lowest: float = LOWEST,
    most: float = MOST,
    keep: float = KEEP,
    bonus: float = BONUS,
    chip: float = CHIP,
    deny: float = DENY,
) -> int:
    """Pick the card of the highest price."""
    prices = table_prices(v, Weights(reach, instead, lowest, most, keep, bonus, chip, deny))
    best = 0
    for i in range(1, v.n_table):
        if prices[i] > prices[best]:
            best = i
    return best


def steal(v: View) -> bool:
    """Take the bone: if it is no use here, it is none there either."""
    useful: bool = v.rules.bone_per_dog >= 0
    return useful


def top(v: View, bonus: float = BONUS, number: float = NUMBER) -> int:
    """Lay the best modifier on top; a low sheep number counts a little."""
    best, answer = 0.0, -1
    for i in range(v.n_taken):
        card = v.taken[i]
        good = bonus * card.modifier - number * card.sheep_number
        if card.kind <= SET_007 and (answer < 0 or good > best):
            best, answer = good, i
    return answer
