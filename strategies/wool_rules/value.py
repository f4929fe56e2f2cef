"""Prices every card for its own seat, bids by the prices and the exact odds, rolls by the exact solution for them.

*Prices.* A sheep is worth its points; a 3-7-0, a 0-0-7, a dog and the bone are worth what one more of them adds, given
what the seat has, what the others have, and the chance that the supply brings another. A card taken is also one that no
opponent gets: a part of what it is worth to them is added, all of it with two players. The modifier counts as long as
there is a round to use it in, a bone symbol when an opponent has the bone.

*Bid.* Chips that the others have gained tell how often they failed, hence how high they bid. For every level at which
they may bid, and every own bid, the place in the turn order follows, and what the others before leave on the table:
each is expected to take the cards that look best to `plain`, with the exact odds. The bid that promises most is made,
chips that it may take to reach it included; the last player takes everything left.

*Dice action.* The worth of taking three, two or one cards, of failing and of the black sheep is known by then: die set
aside, accepting and saving are the exact solution for it.

Parameters: reach, instead, lowest, most, keep, bonus, number, chip and deny price the cards; trust, rolls, noise and
spender say how chips tell the others' level.

Source: design page of Wool Rules; the parameters were tuned in games against `plain` of one level, 2 to 6 players.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from analyzer.wool_rules.constants import (
    BID_26_PLUS,
    BLACK,
    BONE,
    DOG,
    HIGHEST_PLAIN_BID,
    LOWEST_BID,
    MAX_PLAYERS,
    MAX_TABLE,
    N_CARDS,
    N_KINDS,
    SET_007,
    SET_370,
    TRIO,
)
from analyzer.wool_rules.decisions import best_die, worth_accepting, worth_saving
from analyzer.wool_rules.views import N_NEEDS, View
from strategies.wool_rules.plain import worth as looks

Floats = NDArray[np.float64]

# Defaults of the parameters that several functions share.
REACH = 0.6
INSTEAD = 4.0
LOWEST = 1.5
MOST = 0.8
KEEP = 0.7
BONUS = 0.6
NUMBER = 0.01
CHIP = 0.3
DENY = 1.0

N_LEVELS = BID_26_PLUS - LOWEST_BID + 1
TOP_LEVEL = N_LEVELS - 1
NEGLIGIBLE = 0.002
"""Levels less likely than that are left out."""

MOST_CHIPS = 3
"""Chips that a bid counts on."""

# Ends of a dice action, and the worth of everything left.
THREE, TWO, ONE, FAIL, UNDER, REST = range(6)
N_ENDS = 5

LOWER, PAYING_LOWER, PAYING_OR_LOWER, ALL = range(4)
"""Which opponents go before: those with a lower sheep number, with a chip and a lower one, with one of both, all."""


class Weights(NamedTuple):
    """The parameters that price the cards.

    Parameters
    ----------
    reach : float
        How easily a card wanted later is got: with reach / players * unseen at 1, every other time.
    instead : float
        Worth of the card that one would take instead of it.
    lowest : float
        Points of a sheep that a flock without a dog loses.
    most : float
        Chance to have the most dogs in the end with as many as the best opponent.
    keep : float
        Chance to keep the bone.
    bonus : float
        Worth of a point of the modifier on top.
    chip : float
        Worth of a chip beside its point.
    deny : float
        Part of the opponents' worth of a card that counts, 0 to 1.
    """

    reach: float
    instead: float
    lowest: float
    most: float
    keep: float
    bonus: float
    chip: float
    deny: float


class Later(NamedTuple):
    """What the supply may still bring: the chance to get another of a kind when one wants it, and dogs left."""

    set_370: float
    set_007: float
    dog: float
    dogs: float


def later(v: View, w: Weights) -> Later:
    """Return what the supply may still bring."""
    n_370, n_007, dogs = float(v.deck_kinds[SET_370]), float(v.deck_kinds[SET_007]), float(v.deck_kinds[DOG])
    if v.rules.memory == 0:
        for i in range(v.n_table):
            n_370 -= v.table[i].kind == SET_370
            n_007 -= v.table[i].kind == SET_007
        for s in range(v.players):
            n_370 -= v.seats[s].n_370
            n_007 -= v.seats[s].n_007
    else:
        n_370 *= v.supply / N_CARDS
        n_007 *= v.supply / N_CARDS
    for i in range(v.n_table):
        dogs -= v.table[i].kind == DOG
    for s in range(v.players):
        dogs -= v.seats[s].dogs
    per = w.reach / v.players
    return Later(
        per * n_370 / (1.0 + per * n_370), per * n_007 / (1.0 + per * n_007), per * dogs / (1.0 + per * dogs), dogs
    )


def trio_price(have: int, one: float, two: float, three: float, chance: float, instead: float) -> float:
    """Return what one more card of a trio is worth: by what can become of it, step by step from the full trio back."""
    at_two = two + chance * max(three - two - instead, 0.0)
    at_one = one + chance * max(at_two - one - instead, 0.0)
    at_none = chance * max(at_one - instead, 0.0)
    rest = have % TRIO
    if rest == 0:
        return at_one - at_none
    return at_two - at_one if rest == 1 else three + at_none - at_two


def dogs_worth(v: View, seat: int, dogs: int, most_other: int, rest: Later, w: Weights) -> float:
    """Return what so many dogs are worth to a seat in the end (R19, R20)."""
    rules = v.rules
    if dogs == 0:
        lost = rules.dogless_discard * w.lowest
        return float(rest.dog * max(rules.dog_single + lost - w.instead, 0.0) - lost)
    bone = rules.bone_per_dog * dogs * v.seats[seat].has_bone * w.keep
    if dogs == 1:
        return float(bone + rules.dog_single)
    most = min(max(w.most + 0.25 * (dogs - most_other) - 0.05 * rest.dogs, 0.0), 1.0)
    return float(bone + rules.dog_most * most)


def price_kinds(v: View, seat: int, rest: Later, w: Weights, share: float, prices: Floats) -> None:
    """Add to `prices`, by kind, a share of what one more card is worth to a seat beside the points printed on it."""
    mine, rules = v.seats[seat], v.rules
    three, seven = rules.three_seven_zero, rules.zero_zero_seven
    prices[SET_370] += share * trio_price(mine.n_370, three[0], three[1], three[2], rest.set_370, w.instead)
    prices[SET_007] += share * trio_price(mine.n_007, seven[0], seven[1], seven[2], rest.set_007, w.instead)
    other = 0
    for s in range(v.players):
        if s != seat:
            other = max(other, v.seats[s].dogs)
    more = dogs_worth(v, seat, mine.dogs + 1, other, rest, w)
    prices[DOG] += share * (more - dogs_worth(v, seat, mine.dogs, other, rest, w))
    prices[BONE] += share * rules.bone_per_dog * w.keep * (mine.dogs + 0.5 * rest.dogs / v.players)


def table_prices(v: View, w: Weights) -> Floats:
    """Return what each card on the table is worth to the seat that is asked."""
    rest, me = later(v, w), v.me
    against = w.deny / (v.players - 1)
    kinds = np.zeros(N_KINDS)
    price_kinds(v, me, rest, w, 1.0, kinds)
    bone, owner = kinds[BONE], -1
    for s in range(v.players):
        if s != me:
            price_kinds(v, s, rest, w, against / (v.players - 1), kinds)
            if v.seats[s].has_bone:
                owner = s
    if owner >= 0:
        bone += against * v.rules.bone_per_dog * w.keep * v.seats[owner].dogs
    # Only one modifier can lie on top: that of a card taken before in this taking, or the one that it would cover.
    modifier, sheep = v.seats[me].modifier, 0
    for i in range(v.n_taken):
        if v.taken[i].kind <= SET_007:
            modifier = v.taken[i].modifier if sheep == 0 else max(modifier, v.taken[i].modifier)
            sheep += 1
    use = w.bonus if v.round < v.rounds else 0.0
    prices = np.zeros(MAX_TABLE)
    for i in range(v.n_table):
        card = v.table[i]
        price = card.points * (1.0 + against) + kinds[card.kind]
        if card.kind <= SET_007:
            more = card.modifier - modifier
            price += use * (more if sheep == 0 else max(more, 0))
        if card.bone_symbol and owner >= 0:
            price += bone
        prices[i] = price
    return prices


def looks_better(v: View, one: int, other: int) -> bool:
    """Return whether others would rather take one card on the table than another."""
    better: bool = looks(v.table[one]) > looks(v.table[other])
    return better


def table_gains(v: View, prices: Floats, w: Weights) -> Floats:
    """Return what the ends of a dice action bring, a row by how many cards the others have taken before.

    Columns: three, two, one, fail, under, and everything left.
    """
    n, count = v.n_table, v.rules.cards_per_attempt
    order = np.zeros(MAX_TABLE, np.int64)
    for i in range(n):
        at = i
        while at > 0 and looks_better(v, i, order[at - 1]):
            order[at] = order[at - 1]
            at -= 1
        order[at] = i
    gains, best = np.zeros((MAX_TABLE + 1, N_ENDS + 1)), np.zeros(MAX_TABLE)
    everything = black = 0.0
    chip = 1.0 + w.chip if v.chip_supply > 0 else 0.0
    for gone in range(n - 1, -1, -1):
        price, row = prices[order[gone]], gains[gone]
        at = n - 1 - gone
        while at > 0 and best[at - 1] < price:
            best[at] = best[at - 1]
            at -= 1
        best[at] = price
        everything += price
        if v.table[order[gone]].kind == BLACK:
            black += price
        for attempt in range(FAIL):
            for i in range(min(count[attempt], n - gone)):
                row[attempt] += best[i]
        row[FAIL] = chip
        row[UNDER] = chip + black
        row[REST] = everything
    return gains


def most_wanted(v: View, prices: Floats, gone: NDArray[np.int64], mine: bool) -> int:
    """Return the position of the best card not gone: by my prices, or as it looks to others."""
    best = -1
    for i in range(v.n_table):
        if gone[i] == 0 and (best < 0 or (prices[i] > prices[best] if mine else looks_better(v, i, best))):
            best = i
    return best


def returns(v: View, prices: Floats) -> Floats:
    """Return what comes back to the first of two players (R15): by my own end, then by that of the second player."""
    n, count = v.n_table, v.rules.cards_per_attempt
    back = np.zeros((FAIL + 1, FAIL + 1))
    gone = np.zeros(MAX_TABLE, np.int64)
    for attempt in range(FAIL + 1):
        gone[:] = 0
        if attempt < FAIL:
            for _ in range(min(count[attempt], n)):
                gone[most_wanted(v, prices, gone, True)] = 1
        left = worth = 0.0
        for i in range(n):
            if gone[i] == 0:
                worth += prices[i]
                left += 1
        back[attempt, FAIL] = worth
        taken = 0
        while taken < left:
            card = most_wanted(v, prices, gone, False)
            gone[card] = 1
            worth -= prices[card]
            taken += 1
            for his in range(FAIL):
                if count[his] >= taken:
                    back[attempt, his] = worth
        for his in range(FAIL):
            if count[his] == 0:
                back[attempt, his] = back[attempt, FAIL]
    return back


def odds_of(v: View, need: int) -> Any:
    """Return the exact odds when the dice must reach so much."""
    return v.odds[min(max(need, 0), N_NEEDS - 1)]


def add_first_of_two(v: View, gains: Floats, back: Floats, bid: int, weight: float, ends: Floats) -> None:
    """Add to `ends` what they are worth to the first of two players when the second has a bid, weighted."""
    odds = odds_of(v, min(bid, HIGHEST_PLAIN_BID) - v.seats[1 - v.me].modifier)
    fails = 1.0 - odds.three - odds.two - odds.one
    for end in range(N_ENDS):
        row = back[min(end, FAIL)]
        comes = odds.three * row[THREE] + odds.two * row[TWO] + odds.one * row[ONE] + fails * row[FAIL]
        ends[end] += weight * (gains[0, end] + comes)


def current_ends(v: View, w: Weights) -> Floats:
    """Return what the ends of the dice action at hand are worth."""
    prices = table_prices(v, w)
    gains = table_gains(v, prices, w)
    ends = np.zeros(N_ENDS)
    if v.players == 2 and v.turn == 0:
        add_first_of_two(v, gains, returns(v, prices), v.seats[1 - v.me].bid, 1.0, ends)
    else:
        for end in range(N_ENDS):
            ends[end] = gains[0, end]
    return ends


def likelihood(seen: float, expected: float, variance: float, trust: float) -> float:
    """Return how likely a sum of chips is, up to a factor: a bell with heavy tails, for others need not fit any guess."""
    far = (seen - expected) ** 2 / variance
    return float(1.0 / (np.sqrt(variance) * (1.0 + trust * far) ** 3))


def level_chances(
    v: View, trust: float, rolls: float, noise: float, spender: float, thinking: float, thrift: float
) -> Floats:
    """Return how likely the others all bid each level, and last that each thinks for itself, by their chips.

    Failures bring chips, so that those of players who never spend any tell how high they bid.
    """
    others, start = v.players - 1, v.rules.chips_start
    gained, spenders, paying = 0.0, 0, 0
    for s in range(v.players):
        if s != v.me:
            chips = v.seats[s].chips
            gained += chips - start
            spenders += chips < start
            paying += chips > 0
    turns = rolls * (v.round - 1) * others
    chances = np.zeros(N_LEVELS + 1)
    never = 0.03**spenders
    for level in range(N_LEVELS):
        odds = v.odds[min(LOWEST_BID + level, HIGHEST_PLAIN_BID)]
        fails = 1.0 - odds.three - odds.two - odds.one
        variance = noise * others + turns * fails * (1.0 - fails)
        if level < TOP_LEVEL:
            chances[level] = never * likelihood(gained, turns * fails, variance, trust)
        else:
            expected = -min(turns * (1.0 - fails), others * (start - spender))
            chances[level] = likelihood(gained, expected, variance, trust)
    variance = noise * others + thrift * min(v.round - 1, 3) * others
    chances[N_LEVELS] = thinking * likelihood(gained, -0.2 * others, variance, trust)
    if paying == 0:  # nobody can bid 26+
        chances[TOP_LEVEL - 1] += chances[TOP_LEVEL]
        chances[TOP_LEVEL] = 0.0
    if not v.rules.plain_26:
        chances[TOP_LEVEL - 2] += chances[TOP_LEVEL - 1]
        chances[TOP_LEVEL - 1] = 0.0
    total = 0.0
    for level in range(N_LEVELS + 1):
        total += chances[level]
    for level in range(N_LEVELS + 1):
        chances[level] = chances[level] / total if chances[level] > NEGLIGIBLE * total else 0.0
    return chances


def goes_before(v: View, s: int, who: int) -> bool:
    """Return whether an opponent is one of those who go before."""
    if who == ALL:
        return True
    lower: bool = v.seats[s].sheep_number < v.seats[v.me].sheep_number
    if who == LOWER:
        return lower
    pays: bool = v.seats[s].chips > 0
    return (pays and lower) if who == PAYING_LOWER else (pays or lower)


def take_before(v: View, level: int, who: int, but: int, spread: Floats) -> None:
    """Let opponents bidding a level go before: changes how likely how many cards are gone (`spread`) in place.

    `but` names those that have been counted before, or is negative.
    """
    n, count = v.n_table, v.rules.cards_per_attempt
    three, two, one = count[0], count[1], count[2]
    target = min(LOWEST_BID + level, HIGHEST_PLAIN_BID)
    for s in range(v.players):
        if s == v.me or not goes_before(v, s, who) or (but >= 0 and goes_before(v, s, but)):
            continue
        odds = odds_of(v, target - v.seats[s].modifier)
        fails = 1.0 - odds.three - odds.two - odds.one
        for gone in range(n - 1, -1, -1):
            chance = spread[gone]
            spread[gone] = chance * fails
            spread[min(gone + three, n)] += chance * odds.three
            spread[min(gone + two, n)] += chance * odds.two
            spread[min(gone + one, n)] += chance * odds.one


def add_place(v: View, gains: Floats, spread: Floats, last: bool, weight: float, ends: Floats) -> None:
    """Add to `ends` what they are worth at a place in the turn order, weighted."""
    for gone in range(v.n_table):
        chance = weight * spread[gone]
        for end in range(N_ENDS):
            ends[end] += chance * gains[gone, REST if last else end]


def places(v: View, w: Weights, chances: Floats, centre: float, width: float) -> Floats:
    """Return what the ends are worth for each own bid, over all levels of the others."""
    prices = table_prices(v, w)
    gains = table_gains(v, prices, w)
    two = v.players == 2
    back = returns(v, prices) if two else gains
    lower = 0
    for s in range(v.players):
        lower += v.seats[s].sheep_number < v.seats[v.me].sheep_number
    tied_last = lower == v.players - 1 and not two
    ends, spread = np.zeros((N_LEVELS, N_ENDS)), np.zeros(MAX_TABLE + 1)
    # Going before the levels below, from the lowest bid up.
    below = np.zeros(N_ENDS)
    for level in range(N_LEVELS):
        for end in range(N_ENDS):
            ends[level, end] = below[end]
        if chances[level] > 0.0:
            if two:
                add_first_of_two(v, gains, back, LOWEST_BID + level, chances[level], below)
            else:
                for end in range(N_ENDS):
                    below[end] += chances[level] * gains[0, end]
    # Going after the levels above, from the highest bid down; a tie lies between.
    above = np.zeros(N_ENDS)
    for level in range(TOP_LEVEL, -1, -1):
        for end in range(N_ENDS):
            ends[level, end] += above[end]
        if chances[level] == 0.0:
            continue
        spread[:] = 0.0
        spread[0] = 1.0
        tie = PAYING_LOWER if level == TOP_LEVEL else LOWER
        take_before(v, level, tie, -1, spread)
        if two and lower == 0:
            add_first_of_two(v, gains, back, LOWEST_BID + level, chances[level], ends[level])
        else:
            add_place(v, gains, spread, tied_last, chances[level], ends[level])
        take_before(v, level, ALL, tie, spread)
        add_place(v, gains, spread, not two, chances[level], above)
    if chances[N_LEVELS] > 0.0:
        add_thinkers(v, gains, back, chances[N_LEVELS], centre, width, ends)
    return ends


def add_thinkers(
    v: View, gains: Floats, back: Floats, chance: float, centre: float, width: float, ends: Floats
) -> None:
    """Add to `ends` what they are worth for each own bid when each opponent bids somewhere around a centre."""
    two, others, n, count = v.players == 2, v.players - 1, v.n_table, v.rules.cards_per_attempt
    odds = odds_of(v, int(centre) - 1)
    fails = 1.0 - odds.three - odds.two - odds.one
    # What the ends are worth when so many go before.
    worth, spread = np.zeros((MAX_PLAYERS, N_ENDS)), np.zeros(MAX_TABLE + 1)
    spread[0] = 1.0
    for before in range(others + 1):
        if two and before == 0:
            add_first_of_two(v, gains, back, int(centre), chance, worth[0])
        else:
            add_place(v, gains, spread, before == others and not two, chance, worth[before])
        for gone in range(n - 1, -1, -1):
            part = spread[gone]
            spread[gone] = part * fails
            spread[min(gone + count[0], n)] += part * odds.three
            spread[min(gone + count[1], n)] += part * odds.two
            spread[min(gone + count[2], n)] += part * odds.one
    lower = 0.0
    for s in range(v.players):
        lower += v.seats[s].sheep_number < v.seats[v.me].sheep_number
    bell, total = np.zeros(N_LEVELS), 0.0
    for level in range(N_LEVELS):
        bell[level] = 1.0 / (1.0 + ((LOWEST_BID + level - centre) / width) ** 2) ** 2
        total += bell[level]
    above, before_me = 0.0, np.zeros(MAX_PLAYERS + 1)
    for level in range(TOP_LEVEL, -1, -1):
        share = bell[level] / total
        earlier = above + share * lower / others
        above += share
        before_me[:] = 0.0
        before_me[0] = 1.0
        for one in range(others):
            for k in range(one, -1, -1):
                before_me[k + 1] += before_me[k] * earlier
                before_me[k] *= 1.0 - earlier
        for k in range(others + 1):
            for end in range(N_ENDS):
                ends[level, end] += before_me[k] * worth[k, end]


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
    spender: float = 0.7,
    thinking: float = 8.0,
    thrift: float = 1.0,
    centre: float = 21.5,
    width: float = 2.0,
) -> int:
    """Bid what promises most."""
    chances = level_chances(v, trust, rolls, noise, spender, thinking, thrift)
    ends = places(v, Weights(reach, instead, lowest, most, keep, bonus, chip, deny), chances, centre, width)
    me, cost = v.seats[v.me], 1.0 + chip
    highest = HIGHEST_PLAIN_BID if v.rules.plain_26 else HIGHEST_PLAIN_BID - 1
    best, answer = 0.0, 0
    for level in range(N_LEVELS):
        mine, chips = LOWEST_BID + level, me.chips
        if highest < mine < BID_26_PLUS or (mine == BID_26_PLUS and chips == 0):
            continue
        paid = 0.0
        if mine == BID_26_PLUS:
            chips, paid = chips - 1, cost
        three, two, one, fail, under = ends[level]
        need = min(mine, HIGHEST_PLAIN_BID) - me.modifier
        alone = odds_of(v, need)
        unaided = alone.three + alone.two + alone.one
        for spent in range(min(chips, MOST_CHIPS) + 1):
            odds = odds_of(v, need - spent)
            success = odds.three + odds.two + odds.one
            promise = odds.three * three + odds.two * two + odds.one * one + (1.0 - success - odds.under) * fail
            promise += odds.under * under - paid - cost * (success - unaided) * 0.5 * (spent + 1)
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
