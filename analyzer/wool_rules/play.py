"""Whole games: rounds of laying out cards, bids and dice actions until all cards are taken ("Sequence of a Round").

One compiled kernel plays every line-up: policies lie in a table in memory, by slot and place in the line-up.
"""

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from analyzer.jit import INT, RESULT_ARRAY, explicit_kernel, inlined, natural, policy_table_type, record_type
from analyzer.results import SUMS_TYPES, reduce_strip
from analyzer.wool_rules.asking import ILLEGAL, VIEW_TYPE, Policies, lay_out_policies
from analyzer.wool_rules.constants import MAX_PLAYERS, N_DICE
from analyzer.wool_rules.dice_action import (
    LIFTED,
    NOT_LIFTED,
    attempts,
    bonus_of,
    shake_dice,
    take_consolation_chip,
    under_14,
)
from analyzer.wool_rules.events import BLACK_SHEEP, LEFTOVER, REST, SKIP, SUCCESS, note
from analyzer.wool_rules.flock import begin_taking, clear_cards, sort_into_flock, take_all, take_picked
from analyzer.wool_rules.preparation import prepare_game
from analyzer.wool_rules.round import hide_bids, lay_out_cards, place_bids, reveal_bids, set_turn_order
from analyzer.wool_rules.scoring import most_dogs, score_now, score_parts
from analyzer.wool_rules.state import N_SLOTS, STATE_DTYPE, State
from analyzer.wool_rules.tallies import (
    BOOKS_DTYPE,
    END_FAIL,
    END_THREE,
    END_UNDER,
    Book,
    Books,
    add_gain,
    close_gains,
    count_action,
    enter_results,
)
from analyzer.wool_rules.views import View

NO_TAKING: Final = -1
"""Reason of a taking that does not take place."""

TWO_PLAYERS: Final = 2


@inlined
def roll_for_cards(policies: Policies, v: View, s: State, book: Book, seat: int) -> tuple[int, int]:
    """Carry out a dice action; return the entitlement to cards (or ILLEGAL) and the reason to take any."""
    bid, modifier = v.seats[seat].bid, v.seats[seat].modifier
    attempt = attempts(policies, v, s, seat)
    if attempt == ILLEGAL:
        return ILLEGAL, NO_TAKING
    if attempt > 0:
        count_action(book, bid, modifier, END_THREE + attempt - 1)
        return v.rules.cards_per_attempt[attempt - 1], SUCCESS
    lifting = under_14(policies, v, s, seat)
    under = v.result + bonus_of(v, seat) < v.rules.black_sheep_below and lifting != LIFTED
    count_action(book, bid, modifier, END_UNDER if under else END_FAIL)
    return 0, BLACK_SHEEP if lifting == NOT_LIFTED else NO_TAKING


@inlined
def take_turn(policies: Policies, v: View, s: State, books: Books, place: int) -> bool:
    """Play the turn of a place in the order; return whether all answers were legal.

    With two players both roll, and a third turn gives what then remains to who went first (R15).
    """
    leftover = place == v.players
    v.turn = 0 if leftover else place
    seat = natural(v.order[v.turn])
    if v.n_table == 0:
        if not leftover:
            skip_turn(v, s, seat)
        return True
    entitled, reason = 0, LEFTOVER if leftover else REST
    if not leftover and (v.players == TWO_PLAYERS or place < v.players - 1):
        entitled, reason = roll_for_cards(policies, v, s, books.of[natural(s.who[seat])], seat)
        if entitled == ILLEGAL:
            return False
    begin_taking(v, s)
    if reason == SUCCESS:
        if not take_picked(policies, v, s, seat, entitled):
            return False
    elif reason != NO_TAKING:
        take_all(v, s, seat, reason == BLACK_SHEEP)
    if v.n_taken > 0 and not sort_into_flock(policies, v, s, seat, reason):
        return False
    if reason in (BLACK_SHEEP, NO_TAKING):
        take_consolation_chip(v, s, seat)
    clear_dice(v)
    return True


@inlined
def skip_turn(v: View, s: State, seat: int) -> None:
    """Nothing is left on the table: no roll, no cards, no chip (R10)."""
    s.tallies[seat].skipped += 1
    note(s, SKIP, v.round, seat, (0,))


@inlined
def clear_dice(v: View) -> None:
    """Take the dice away, so that nobody sees an old roll."""
    v.attempt = v.target = v.result = v.help = 0
    for die in range(N_DICE):
        v.dice[die] = v.held[die] = 0


@inlined
def clear_view(v: View) -> None:
    """Leave nothing of the game before: what a policy sees, wherever it looks, depends on its own game alone."""
    clear_dice(v)
    clear_cards(v.table, 0)
    clear_cards(v.taken, 0)


@inlined
def play_round(policies: Policies, v: View, s: State, books: Books) -> bool:
    """Play one round; return whether all answers were legal."""
    v.round += 1
    if s.drawing:
        s.calls[:, :] = 0
    shake_dice(v, s)
    hide_bids(v)
    lay_out_cards(v, s)
    if not place_bids(policies, v, s):
        return False
    reveal_bids(v, s)
    set_turn_order(v, s)
    turns = v.players + 1 if v.players == TWO_PLAYERS else v.players
    for place in range(turns):
        if not take_turn(policies, v, s, books, place):
            return False
    book_gains(v, s, books)
    return True


@inlined
def book_gains(v: View, s: State, books: Books) -> None:
    """Book what the round has changed in each score, as if the game had ended before and after it."""
    most = most_dogs(v)
    for place in range(v.players):
        seat = natural(v.order[place])
        score = score_now(v, s, seat, most)
        add_gain(books.of[natural(s.who[seat])], place, v.seats[seat].bid, score - s.tallies[seat].score)
        s.tallies[seat].score = score


@inlined
def finish_game(v: View, s: State, results: NDArray[np.int32]) -> None:
    """End the game: all cards are taken, the highest score wins (R16, R21). Assumption: a tie is shared."""
    best, winners = s.tallies[0].score, 1
    for seat in range(1, v.players):
        score = s.tallies[seat].score
        winners = winners + 1 if score == best else (1 if score > best else winners)
        best = max(best, score)
    most = most_dogs(v)
    for seat in range(v.players):
        won = winners if s.tallies[seat].score == best else 0
        enter_results(results, v, s, seat, score_parts(v, s, seat, most), won)


@inlined
def play_game(policies: Policies, v: View, s: State, books: Books, game: int, results: NDArray[np.int32]) -> bool:
    """Play one game and leave its results by seat; return whether all answers were legal."""
    prepare_game(v, s, game)
    clear_view(v)
    for seat in range(v.players):
        s.tallies[seat].score = v.rules.chips_start
    for _ in range(v.rounds):
        if not play_round(policies, v, s, books):
            s.fault = 1
            return False
    finish_game(v, s, results)
    return True


@explicit_kernel(
    policy_table_type(VIEW_TYPE, N_SLOTS, MAX_PLAYERS),
    VIEW_TYPE[::1],
    record_type(STATE_DTYPE)[::1],
    record_type(BOOKS_DTYPE)[::1],
    INT,
    INT,
    RESULT_ARRAY,
    *SUMS_TYPES,
)
def play_block(
    table: Any,
    views: Any,
    states: Any,
    books: Any,
    start: int,
    n: int,
    results: NDArray[np.int32],
    seating: NDArray[np.int64],
    lowest: int,
    total: NDArray[np.int64],
    squares: NDArray[np.int64],
    scores: NDArray[np.int64],
    places: NDArray[np.int64],
    shared: NDArray[np.int64],
    extremes: NDArray[np.int64],
) -> None:
    """Play games `start` to `start + n - 1`, each with every seating on the same deck and dice, and add up results.

    Parameters
    ----------
    table : tuple of seven tuples of six policies
        By slot and place in the line-up; empty places are filled up.
    views, states : arrays of one record
        Set up by :mod:`analyzer.wool_rules.games`; what went wrong is left in them.
    books : array of one record
        Added to.
    start, n : int
    results : int32 array, shape (strip, seatings, players, fields)
        Room for the results of as many games as are reduced at once; holds the last ones afterwards.
    seating : int64 array, shape (seatings, players)
        The place in the line-up that sits on each seat.
    lowest, total, squares, scores, places, shared, extremes
        As in :func:`~analyzer.results.reduce_results`; added to.
    """
    v, s, counts = views[0], states[0], books[0]
    policies = lay_out_policies(table)
    for first in range(start, start + n, len(results)):
        played = 0
        for game in range(first, min(first + len(results), start + n)):
            for sitting in range(len(seating)):
                for seat in range(v.players):
                    s.who[seat] = seating[sitting, seat]
                if not play_game(policies, v, s, counts, game, results[played, sitting]):
                    return
            for who in range(v.players):
                close_gains(counts.of[who], v.players)
            played += 1
            s.games += 1
            if s.stop:
                break
        reduce_strip(results[:played], first, seating, lowest, total, squares, scores, places, shared, extremes)
        if s.stop:
            return
