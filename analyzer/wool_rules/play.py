"""Whole games: rounds of laying out cards, bids and dice actions until all cards are taken ("Sequence of a Round").

One compiled kernel plays every line-up: policies lie in memory, and are seated before a line-up plays.
"""

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from analyzer.field_results import reduce_field_strip
from analyzer.jit import (
    ADDRESS_TABLE,
    FLOAT_BLOCKS,
    INT,
    INT_ARRAY,
    INT_BLOCKS,
    INT_GRIDS,
    INT_TABLE,
    RESULT_ARRAYS,
    explicit_kernel,
    inlined,
    natural,
    record_type,
)
from analyzer.results import reduce_strip
from analyzer.slots import MAX_PARAMETERS
from analyzer.wool_rules.asking import ILLEGAL, VIEW_TYPE
from analyzer.wool_rules.constants import N_DICE
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
    close_book,
    close_gains,
    count_action,
    enter_results,
)
from analyzer.wool_rules.views import View

NO_TAKING: Final = -1
"""Reason of a taking that does not take place."""

TWO_PLAYERS: Final = 2

Results = NDArray[np.int32]
"""Results of games: by table, game, seating, seat and field."""

Place = tuple[int, int, int]
"""Table, game and seating: where among the results those of one game stay. Handing on a part of the array instead would
count references to it."""


@inlined
def roll_for_cards(v: View, s: State, book: Book, seat: int) -> tuple[int, int]:
    """Carry out a dice action; return the entitlement to cards (or ILLEGAL) and the reason to take any."""
    bid, modifier = v.seats[seat].bid, v.seats[seat].modifier
    attempt = attempts(v, s, seat)
    if attempt == ILLEGAL:
        return ILLEGAL, NO_TAKING
    if attempt > 0:
        count_action(book, bid, modifier, END_THREE + attempt - 1)
        return v.rules.cards_per_attempt[attempt - 1], SUCCESS
    lifting = under_14(v, s, seat)
    under = v.result + bonus_of(v, seat) < v.rules.black_sheep_below and lifting != LIFTED
    count_action(book, bid, modifier, END_UNDER if under else END_FAIL)
    return 0, BLACK_SHEEP if lifting == NOT_LIFTED else NO_TAKING


@inlined
def take_turn(v: View, s: State, books: Books, place: int) -> bool:
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
        entitled, reason = roll_for_cards(v, s, books.of[natural(s.who[seat])], seat)
        if entitled == ILLEGAL:
            return False
    begin_taking(v, s)
    if reason == SUCCESS:
        if not take_picked(v, s, seat, entitled):
            return False
    elif reason != NO_TAKING:
        take_all(v, s, seat, reason == BLACK_SHEEP)
    if v.n_taken > 0 and not sort_into_flock(v, s, seat, reason):
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
def play_round(v: View, s: State, books: Books) -> bool:
    """Play one round; return whether all answers were legal."""
    v.round += 1
    if s.drawing:
        s.calls[:, :] = 0
    shake_dice(v, s)
    hide_bids(v)
    lay_out_cards(v, s)
    if not place_bids(v, s):
        return False
    reveal_bids(v, s)
    set_turn_order(v, s)
    turns = v.players + 1 if v.players == TWO_PLAYERS else v.players
    for place in range(turns):
        if not take_turn(v, s, books, place):
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
def finish_game(v: View, s: State, results: Results, at: Place) -> None:
    """End the game: all cards are taken, the highest score wins (R16, R21). Assumption: a tie is shared."""
    best, winners = s.tallies[0].score, 1
    for seat in range(1, v.players):
        score = s.tallies[seat].score
        winners = winners + 1 if score == best else (1 if score > best else winners)
        best = max(best, score)
    most = most_dogs(v)
    for seat in range(v.players):
        won = winners if s.tallies[seat].score == best else 0
        enter_results(results[at], v, s, seat, score_parts(v, s, seat, most), won)


@inlined
def play_game(v: View, s: State, books: Books, game: int, results: Results, at: Place) -> bool:
    """Play one game and leave its results by seat; return whether all answers were legal."""
    prepare_game(v, s, game)
    clear_view(v)
    for seat in range(v.players):
        s.tallies[seat].score = v.rules.chips_start
    for _ in range(v.rounds):
        if not play_round(v, s, books):
            s.fault = 1
            return False
    finish_game(v, s, results, at)
    return True


@inlined
def seat_line_up(
    s: State,
    line_up: NDArray[np.int64],
    policies: NDArray[np.uint64],
    parameters: NDArray[np.float64],
    draws: NDArray[np.int64],
) -> None:
    """Let strategies play the places of a line-up."""
    s.drawing = 0
    for who, slot in np.ndindex(len(line_up), N_SLOTS):
        strategy = line_up[who]
        s.policies[slot, who] = policies[strategy, slot]
        for i in range(MAX_PARAMETERS):
            s.parameters[who, slot, i] = parameters[strategy, slot, i]
        s.draws[who, slot] = draws[strategy, slot]
        s.drawing += draws[strategy, slot]


@inlined
def seat_unit(
    states: Any,
    tables: NDArray[np.int64],
    unit: int,
    policies: NDArray[np.uint64],
    parameters: NDArray[np.float64],
    draws: NDArray[np.int64],
) -> None:
    """Seat the line-ups of a unit, unless they are those of the unit before."""
    if unit == 0 or not np.array_equal(tables[unit], tables[unit - 1]):
        for table in range(len(states)):
            seat_line_up(states[table], tables[unit, table], policies, parameters, draws)


@inlined
def play_sittings(
    v: View, s: State, books: Books, game: int, seating: NDArray[np.int64], results: Results, table: int, played: int
) -> bool:
    """Play a game in every seating on the same deck and dice; return whether all answers were legal."""
    for sitting in range(len(seating)):
        for seat in range(v.players):
            s.who[seat] = seating[sitting, seat]
        if not play_game(v, s, books, game, results, (table, played, sitting)):
            return False
    for who in range(v.players):
        close_gains(books.of[who], v.players)
    return True


@explicit_kernel(
    ADDRESS_TABLE,
    FLOAT_BLOCKS,
    INT_TABLE,
    VIEW_TYPE[::1],
    record_type(STATE_DTYPE)[::1],
    record_type(BOOKS_DTYPE)[::1],
    INT_TABLE,
    INT_BLOCKS,
    INT_BLOCKS,
    RESULT_ARRAYS,
    INT_TABLE,
    INT,
    INT_GRIDS,
    INT_BLOCKS,
    INT_GRIDS,
    INT_TABLE,
    INT_TABLE,
    INT_TABLE,
    INT_TABLE,
    INT_ARRAY,
    INT_TABLE,
    INT_GRIDS,
    INT_BLOCKS,
    INT_BLOCKS,
)
def play_units(
    policies: NDArray[np.uint64],
    parameters: NDArray[np.float64],
    draws: NDArray[np.int64],
    views: Any,
    states: Any,
    books: Any,
    units: NDArray[np.int64],
    tables: NDArray[np.int64],
    rows: NDArray[np.int64],
    results: NDArray[np.int32],
    seating: NDArray[np.int64],
    lowest: int,
    products: NDArray[np.int64],
    orders: NDArray[np.int64],
    seats: NDArray[np.int64],
    total: NDArray[np.int64],
    squares: NDArray[np.int64],
    scores: NDArray[np.int64],
    places: NDArray[np.int64],
    shared: NDArray[np.int64],
    extremes: NDArray[np.int64],
    actions: NDArray[np.int64],
    place_gains: NDArray[np.int64],
    bid_gains: NDArray[np.int64],
) -> None:
    """Play units of games and add up their results.

    A unit is some games of one or several tables; the tables of a unit play the same game numbers, by turns.

    Parameters
    ----------
    policies : uint64 array, shape (strategies, slots)
        Their addresses (:attr:`~analyzer.jit.EntryPoint.address`).
    parameters : float64 array, shape (strategies, slots, MAX_PARAMETERS)
    draws : int64 array, shape (strategies, slots)
        1 for a policy that reads its draws.
    views, states, books : arrays of one record for each table
        Set up by :mod:`analyzer.wool_rules.engine`; what went wrong is left in them. Those of the first table say which
        table is playing, how many games are finished, and whether to stop after this one.
    units : int64 array, shape (units, 2)
        First game and number of games.
    tables : int64 array, shape (units, tables, players)
        Strategy of each place of the line-ups.
    rows : int64 array, shape (units, tables, players)
        Row, of the sums that have rows, for each place.
    results : int32 array, shape (tables, strip, seatings, players, fields)
        Room for the results of as many games as are reduced at once; holds the last ones afterwards.
    seating : int64 array, shape (seatings, players)
        The place in the line-up that sits on each seat.
    lowest : int
        The score that the first bin of `scores` counts.
    products, ...
        As in :class:`~analyzer.field_results.FieldSums`; added to. The first three are left alone where they are empty.
    """
    players = tables.shape[2]
    for unit in range(len(units)):
        start, end = units[unit, 0], units[unit, 0] + units[unit, 1]
        seat_unit(states, tables, unit, policies, parameters, draws)
        for first in range(start, end, results.shape[1]):
            played = 0
            for game in range(first, min(first + results.shape[1], end)):
                for table in range(len(views)):
                    states[0].table = table
                    if not play_sittings(
                        views[table], states[table], books[table], game, seating, results, table, played
                    ):
                        return
                played += 1
                states[0].games += 1
                if states[0].stop:
                    break
            for table in range(len(views)):
                reduce_strip(
                    results[table][:played],
                    first,
                    table,
                    seating,
                    lowest,
                    rows[unit, table],
                    total,
                    squares,
                    scores,
                    places,
                    shared,
                    extremes,
                )
            if len(products) > 0:
                reduce_field_strip(results, played, seating, products[unit], orders[unit], seats[unit])
            if states[0].stop:
                break
        if not states[0].stop and unit + 1 < len(units) and np.array_equal(rows[unit], rows[unit + 1]):
            continue  # the books go on
        for table, who in np.ndindex(len(views), players):
            close_book(books[table].of[who], rows[unit, table, who], actions, place_gains, bid_gains)
        if states[0].stop:
            return
