"""Before the first round ("Materials and Preparation"): shuffle the deck, deal bidding tables and chips."""

from typing import Final

import numpy as np

from analyzer import rng
from analyzer.jit import inlined
from analyzer.wool_rules.constants import MAX_PLAYERS, N_CARDS
from analyzer.wool_rules.state import NO_CARD, NOBODY, State
from analyzer.wool_rules.views import View

_DECK, _TABLE_NUMBERS = np.uint64(rng.DECK), np.uint64(rng.TABLE_NUMBERS)
_ONE = np.uint64(1)

_RETRY: Final = np.uint64(64)
"""Batches of a shuffle, four numbers from 32 random bits each, lie below it; after a rejection, at most one in several
hundred batches, the draw that much further is taken."""


@inlined
def _drawn_batch(s: State, place: np.uint64, last: int) -> tuple[np.int64, np.int64, np.int64, np.int64]:
    """Return four numbers below last + 1, last, last - 1, last - 2, every combination as likely as every other.

    Where fewer are left to draw, the others are 0.
    """
    a, b = np.uint64(last + 1), np.uint64(last)
    c, d = np.uint64(max(last - 1, 1)), np.uint64(max(last - 2, 1))
    while True:
        first = rng.scale(rng.upper32(rng.draw(s.key, s.step, place)), a)
        second = rng.scale(rng.fraction(first), b)
        third = rng.scale(rng.fraction(second), c)
        fourth = rng.scale(rng.fraction(third), d)
        if rng.is_batch_fair(rng.fraction(fourth), a * b * c * d):
            return (
                np.int64(rng.number(first)),
                np.int64(rng.number(second)),
                np.int64(rng.number(third)),
                np.int64(rng.number(fourth)),
            )
        place += _RETRY


@inlined
def _shuffle(s: State, purpose: np.uint64, items: "np.ndarray[tuple[int], np.dtype[np.int64]]", n: int) -> None:
    """Put the first n items into random order, every order as likely as every other (Fisher and Yates' method)."""
    place = rng.counter(np.uint64(s.game), purpose, np.uint64(0))
    last = n - 1
    while last > 0:
        for other in _drawn_batch(s, place, last):
            if last > 0:
                items[last], items[other] = items[other], items[last]
                last -= 1
        place += _ONE


@inlined
def deal_tables_and_chips(v: View, s: State) -> None:
    """Deal the bidding tables, whose backs hold the first sheep numbers, and chips to each player."""
    numbers = s.dealt
    for i in range(MAX_PLAYERS):
        numbers[i] = s.table_numbers[i]
    _shuffle(s, _TABLE_NUMBERS, numbers, MAX_PLAYERS)
    for seat in range(v.players):
        mine = v.seats[seat]
        mine.chips = v.rules.chips_start
        mine.dogs = mine.has_bone = mine.modifier = 0
        mine.sheep_number = numbers[seat]
        mine.white = mine.black = mine.n_white = mine.n_370 = mine.n_007 = 0
        tally = s.tallies[seat]
        tally.kinds = tally.white_ranks = np.uint64(0)
        tally.white = tally.black = 0
        tally.top = NO_CARD
        tally.spent = tally.skipped = 0
    v.chip_supply = v.rules.chips_total - v.players * v.rules.chips_start


@inlined
def prepare_game(v: View, s: State, game: int) -> None:
    """Prepare one game: everything random in it depends on seed and game number alone."""
    s.game = game
    s.n_events = 0
    for card in range(N_CARDS):
        s.supply[card] = s.numbers[card]
    _shuffle(s, _DECK, s.supply, N_CARDS)
    s.drawn = 0
    s.bone_owner = NOBODY
    v.supply = N_CARDS
    v.n_table = v.n_taken = v.attempt = 0
    v.round = 0
    deal_tables_and_chips(v, s)
