"""What the cards on the table are worth to the seat that is asked, for the strategy `value`."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from analyzer.wool_rules.constants import (
    BLACK,
    BONE,
    DOG,
    HIGHEST_PLAIN_BID,
    MAX_TABLE,
    N_CARDS,
    N_KINDS,
    SET_007,
    SET_370,
    TRIO,
)
from analyzer.wool_rules.views import N_NEEDS, View
from strategies.wool_rules.plain import worth as looks

Floats = NDArray[np.float64]

THREE, TWO, ONE, FAIL, UNDER, REST = range(6)
"""Ends of a dice action, and taking everything left."""

N_ENDS = 5


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


def chances_at(v: View, need: int) -> tuple[float, float, float, float]:
    """Return the exact chances to get three, two, one and no cards when the dice must reach so much."""
    odds = v.odds[min(max(need, 0), N_NEEDS - 1)]
    return odds.three, odds.two, odds.one, 1.0 - odds.three - odds.two - odds.one


def chance_under(v: View, need: int) -> float:
    """Return the exact chance to fail under 14 when the dice must reach so much."""
    return float(v.odds[min(max(need, 0), N_NEEDS - 1)].under)


def add_first_of_two(v: View, gains: Floats, back: Floats, bid: int, weight: float, ends: Floats) -> None:
    """Add to `ends` what they are worth to the first of two players when the second has a bid, weighted."""
    three, two, one, none = chances_at(v, min(bid, HIGHEST_PLAIN_BID) - v.seats[1 - v.me].modifier)
    for end in range(N_ENDS):
        row = back[min(end, FAIL)]
        comes = three * row[THREE] + two * row[TWO] + one * row[ONE] + none * row[FAIL]
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
