"""What each bid promises against bids that are not known yet, for the strategy `value`."""

from typing import NamedTuple

import numpy as np

from analyzer.wool_rules.constants import BID_26_PLUS, HIGHEST_PLAIN_BID, LOWEST_BID, MAX_PLAYERS, MAX_TABLE
from analyzer.wool_rules.views import View
from strategies.wool_rules.value_prices import (
    N_ENDS,
    REST,
    Floats,
    add_first_of_two,
    chances_at,
    returns,
)

N_LEVELS = BID_26_PLUS - LOWEST_BID + 1
TOP_LEVEL = N_LEVELS - 1
THINKING = N_LEVELS
"""After all levels comes the guess that every opponent thinks for itself."""

NEGLIGIBLE = 0.02
"""Guesses less likely than that are left out."""

UNLIKELY_SPENDER = 0.03
"""How likely it looks that someone without 26+ and thought has spent a chip."""

THINKING_DRIFT, THINKING_ROUNDS = -0.2, 3
"""Chips that a thinking player has gained on average, and rounds until their spread grows no more."""

COUNTED_CHIPS = 3
"""Chips that a bid counts on."""


class Guess(NamedTuple):
    """The parameters by which the others' bids are guessed.

    Parameters
    ----------
    trust : float
        How sharply chips tell one level from another.
    rolls : float
        Dice actions in a turn: who is last, or finds nothing left, does not roll.
    noise, thrift : float
        Variance of the chips gained that no level explains, and that thinking adds in a round.
    spender : float
        Chips that someone who always bids 26+ has left.
    thinking : float
        How likely it is that the others think, against one level of all.
    centre, width : float
        What thinking players ask of the dice, and how much their bids differ.
    lean, pips : float
        What they add to that for a point of their modifier, and for a chip.
    """

    trust: float
    rolls: float
    noise: float
    thrift: float
    spender: float
    thinking: float
    centre: float
    width: float
    lean: float
    pips: float


def likelihood(seen: float, expected: float, variance: float, trust: float) -> float:
    """Return how likely a sum of chips is, up to a factor: a bell with heavy tails, as no guess need fit."""
    variance = max(variance, 0.01)
    return float(1.0 / (np.sqrt(variance) * (1.0 + trust * (seen - expected) ** 2 / variance) ** 3))


def guesses(v: View, g: Guess) -> Floats:
    """Return how likely it is that the others all bid each level, and last that each thinks for itself.

    Failures bring chips: those of players who never spend any tell how high they bid.
    """
    others, start = v.players - 1, v.rules.chips_start
    gained, spenders, paying = 0.0, 0, 0
    for s in range(v.players):
        if s != v.me:
            chips = v.seats[s].chips
            gained += chips - start
            spenders += chips < start
            paying += chips > 0
    turns = g.rolls * (v.round - 1) * others
    chances = np.zeros(N_LEVELS + 1)
    for level in range(TOP_LEVEL):
        _, _, _, none = chances_at(v, LOWEST_BID + level)
        variance = g.noise * others + turns * none * (1.0 - none)
        chances[level] = UNLIKELY_SPENDER**spenders * likelihood(gained, turns * none, variance, g.trust)
    _, _, _, none = chances_at(v, HIGHEST_PLAIN_BID)
    variance = g.noise * others + turns * none * (1.0 - none)
    paid = min(turns * (1.0 - none), others * (start - g.spender))
    chances[TOP_LEVEL] = likelihood(gained, -paid, variance, g.trust)
    variance = (g.noise + g.thrift * min(v.round - 1, THINKING_ROUNDS)) * others
    chances[THINKING] = g.thinking * likelihood(gained, THINKING_DRIFT * others, variance, g.trust)
    if paying == 0:  # nobody can bid 26+
        chances[TOP_LEVEL - 1] += chances[TOP_LEVEL]
        chances[TOP_LEVEL] = 0.0
    if not v.rules.plain_26:
        chances[TOP_LEVEL - 2] += chances[TOP_LEVEL - 1]
        chances[TOP_LEVEL - 1] = 0.0
    total = 0.0
    for at in range(N_LEVELS + 1):
        total += chances[at]
    for at in range(N_LEVELS + 1):
        chances[at] = chances[at] / total if chances[at] > NEGLIGIBLE * total else 0.0
    return chances


def take_cards(v: View, need: int, spread: Floats) -> None:
    """Let an opponent go before: changes how likely how many cards are gone (`spread`) in place."""
    n, count = v.n_table, v.rules.cards_per_attempt
    three, two, one, none = chances_at(v, need)
    for gone in range(n - 1, -1, -1):
        chance = spread[gone]
        spread[gone] = chance * none
        spread[min(gone + count[0], n)] += chance * three
        spread[min(gone + count[1], n)] += chance * two
        spread[min(gone + count[2], n)] += chance * one


def add_place(v: View, gains: Floats, spread: Floats, last: bool, weight: float, ends: Floats) -> None:
    """Add to `ends` what they are worth when so many cards are gone, weighted; the last of many takes what is left."""
    for gone in range(v.n_table):
        chance = weight * spread[gone]
        for end in range(N_ENDS):
            ends[end] += chance * gains[gone, REST if last else end]


def goes_first_in_tie(v: View, s: int, level: int) -> bool:
    """Return whether an opponent who bids the same goes before; 26+ can only be bid with a chip."""
    lower: bool = v.seats[s].sheep_number < v.seats[v.me].sheep_number
    return lower and (level < TOP_LEVEL or v.seats[s].chips > 0)


def add_levels_of_two(v: View, gains: Floats, back: Floats, chances: Floats, ends: Floats) -> None:
    """Add to `ends`, a row for each own bid, what they are worth against one opponent's levels."""
    other = v.seats[1 - v.me]
    before, after, spread = np.zeros(N_ENDS), np.zeros(N_ENDS), np.zeros(MAX_TABLE + 1)
    for level in range(N_LEVELS):
        for end in range(N_ENDS):
            ends[level, end] += before[end]
        if chances[level] > 0.0:
            add_first_of_two(v, gains, back, LOWEST_BID + level, chances[level], before)
    for level in range(TOP_LEVEL, -1, -1):
        for end in range(N_ENDS):
            ends[level, end] += after[end]
        if chances[level] > 0.0:
            spread[:] = 0.0
            spread[0] = 1.0
            take_cards(v, min(LOWEST_BID + level, HIGHEST_PLAIN_BID) - other.modifier, spread)
            add_place(v, gains, spread, False, chances[level], after)
            if goes_first_in_tie(v, 1 - v.me, level):
                add_place(v, gains, spread, False, chances[level], ends[level])
            else:
                add_first_of_two(v, gains, back, LOWEST_BID + level, chances[level], ends[level])


def add_levels(v: View, gains: Floats, chances: Floats, ends: Floats) -> None:
    """Add to `ends`, a row for each own bid, what they are worth when all others bid one level.

    A higher bid goes first, a lower one takes what is left; between them lies the tie.
    """
    first = after = 0.0
    spread = np.zeros(MAX_TABLE + 1)
    for level in range(N_LEVELS):
        for end in range(N_ENDS):
            ends[level, end] += first * gains[0, end]
        first += chances[level]
    for level in range(TOP_LEVEL, -1, -1):
        for end in range(N_ENDS):
            ends[level, end] += after
        if chances[level] == 0.0:
            continue
        spread[:] = 0.0
        spread[0] = 1.0
        target, before = min(LOWEST_BID + level, HIGHEST_PLAIN_BID), 0
        for s in range(v.players):
            if s != v.me and goes_first_in_tie(v, s, level):
                take_cards(v, target - v.seats[s].modifier, spread)
                before += 1
        add_place(v, gains, spread, before == v.players - 1, chances[level], ends[level])
        for s in range(v.players):
            if s != v.me and not goes_first_in_tie(v, s, level):
                take_cards(v, target - v.seats[s].modifier, spread)
        for gone in range(v.n_table):
            after += chances[level] * spread[gone] * gains[gone, REST]


def add_thinking(v: View, gains: Floats, back: Floats, chance: float, g: Guess, ends: Floats) -> None:
    """Add to `ends`, a row for each own bid, what they are worth when each opponent bids by its modifier and chips."""
    others, two, need = v.players - 1, v.players == 2, int(g.centre)
    worth, spread = np.zeros((MAX_PLAYERS, N_ENDS)), np.zeros(MAX_TABLE + 1)  # by how many go before
    spread[0] = 1.0
    for before in range(others + 1):
        if two and before == 0:
            add_first_of_two(v, gains, back, need + v.seats[1 - v.me].modifier, chance, worth[0])
        else:
            add_place(v, gains, spread, before == others and not two, chance, worth[before])
        take_cards(v, need, spread)
    # In a tie the lower sheep number goes first, as if it had bid a little more.
    ahead, at = np.zeros(MAX_PLAYERS), 0
    for s in range(v.players):
        if s != v.me:
            seat = v.seats[s]
            tie = 0.5 if seat.sheep_number < v.seats[v.me].sheep_number else -0.5
            ahead[at] = g.centre + g.lean * seat.modifier + g.pips * min(seat.chips, COUNTED_CHIPS) + tie
            at += 1
    chances = np.zeros(MAX_PLAYERS + 1)
    for level in range(N_LEVELS):
        chances[:] = 0.0
        chances[0] = 1.0
        for one in range(others):
            far = (ahead[one] - LOWEST_BID - level) / max(g.width, 0.01)
            goes_before = 0.5 + 0.5 * far / (1.0 + abs(far))
            for k in range(one, -1, -1):
                chances[k + 1] += chances[k] * goes_before
                chances[k] *= 1.0 - goes_before
        for k in range(others + 1):
            for end in range(N_ENDS):
                ends[level, end] += chances[k] * worth[k, end]


def ends_by_bid(v: View, prices: Floats, gains: Floats, g: Guess) -> Floats:
    """Return what the ends of the dice action are worth, a row for each own bid, over all guesses."""
    chances, ends = guesses(v, g), np.zeros((N_LEVELS, N_ENDS))
    back = gains
    if v.players == 2:
        back = returns(v, prices)
        add_levels_of_two(v, gains, back, chances, ends)
    else:
        add_levels(v, gains, chances, ends)
    if chances[THINKING] > 0.0:
        add_thinking(v, gains, back, chances[THINKING], g, ends)
    return ends
