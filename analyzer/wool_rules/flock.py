"""Taking cards from the table ("What You Do With the Cards"): pick, tally, the bone, and the top of the flock."""

from typing import Any

import numpy as np

from analyzer.jit import inlined, natural, trailing_zeros, unlikely
from analyzer.wool_rules.asking import ask, is_on_table, is_sheep_taken
from analyzer.wool_rules.constants import BLACK, MAX_TABLE
from analyzer.wool_rules.events import TAKE, note
from analyzer.wool_rules.state import NOBODY, PICK, STEAL, TOP, State
from analyzer.wool_rules.views import View

_ONE = np.uint64(1)


@inlined
def clear_cards(cards: Any, start: int) -> None:
    """Leave no trace of cards that lay there: a policy may look beyond the number that counts."""
    for i in range(start, MAX_TABLE):
        card = cards[i]
        card.card = card.kind = card.points = card.modifier = card.bone_symbol = card.sheep_number = 0


@inlined
def begin_taking(v: View, s: State) -> None:
    """Nothing has been taken yet."""
    v.n_taken = 0
    s.sheep = np.uint64(0)
    s.bone_symbols = 0


@inlined
def own_card(v: View, s: State, seat: int, position: int) -> None:
    """Add the card at a position on the table to those just taken, and to what its owner has.

    Written without branches that depend on the cards, which a processor cannot foresee: they would cost more than the
    rest of the taking.
    """
    card, taken = v.table[position], natural(v.n_taken)
    gain = s.gains[natural(card.card)]
    s.bone_symbols += card.bone_symbol
    v.taken[taken] = card
    s.sheep |= gain.sheep << np.uint64(taken)
    v.n_taken = taken + 1
    book_card(v, s, seat, gain)


@inlined
def take_card(v: View, s: State, seat: int, position: int) -> None:
    """Take the card at a position on the table; the others keep their order."""
    own_card(v, s, seat, position)
    close_gap(v, position)
    v.n_table -= 1


@inlined
def close_gap(v: View, position: int) -> None:
    """Move up the cards behind a position: as many as there can ever be, whether they are there or not."""
    v.table[position] = v.table[position + 1]
    v.table[position + 1] = v.table[position + 2]
    v.table[position + 2] = v.table[position + 3]
    v.table[position + 3] = v.table[position + 4]
    v.table[position + 4] = v.table[position + 5]
    v.table[position + 5] = v.table[position + 6]


@inlined
def book_card(v: View, s: State, seat: int, gain: Any) -> None:
    """Add a card to its owner's tally and to what everybody sees of him.

    All is read before anything is written: then several numbers are added at once.
    """
    tally, mine = s.tallies[seat], v.seats[seat]
    tally.kinds, tally.white_ranks, tally.white, tally.black = (
        tally.kinds + gain.kinds,
        tally.white_ranks + gain.white_ranks,
        tally.white + gain.white,
        tally.black + gain.black,
    )
    mine.white, mine.black, mine.n_white, mine.n_370, mine.n_007, mine.dogs, mine.has_bone = (
        mine.white + gain.seen_white,
        mine.black + gain.seen_black,
        mine.n_white + gain.n_white,
        mine.n_370 + gain.n_370,
        mine.n_007 + gain.n_007,
        mine.dogs + gain.dogs,
        mine.has_bone + gain.has_bone,
    )
    if gain.has_bone:
        s.bone_owner = seat


@inlined
def take_picked(v: View, s: State, seat: int, entitled: int) -> bool:
    """Take the cards one is entitled to, of one's choice while there is one (R5); return whether all was legal."""
    for _ in range(entitled):
        if v.n_table == 0:
            break
        position = 0
        if entitled - v.n_taken < v.n_table:
            position = ask(v, s, seat, PICK)
            if unlikely(not is_on_table(v, position)):
                s.answer = position
                return False
        take_card(v, s, seat, natural(position))
    return True


@inlined
def take_all(v: View, s: State, seat: int, only_black: bool) -> None:
    """Take everything left on the table (R11, R15), or all black sheep (R9)."""
    if not only_black:
        for position in range(v.n_table):
            own_card(v, s, seat, position)
        v.n_table = 0
    position = 0
    while position < v.n_table:
        if v.table[position].kind == BLACK:
            take_card(v, s, seat, position)
        else:
            position += 1


@inlined
def may_steal(s: State, seat: int) -> bool:
    """Tell whether a bone symbol among the cards taken lets one take the bone from an opponent (R13)."""
    return bool(s.bone_symbols > 0 and s.bone_owner != NOBODY and s.bone_owner != seat)  # noqa: PLR1714


@inlined
def take_bone(v: View, s: State, seat: int) -> int:
    """Take the bone from its owner; return whose it was."""
    owner: int = natural(s.bone_owner)
    v.seats[owner].has_bone = 0
    v.seats[seat].has_bone = 1
    s.bone_owner = seat
    return owner


@inlined
def put_on_top(v: View, s: State, seat: int, position: int) -> None:
    """Lay a sheep just taken on top of the flock: its modifier and sheep number count from now on (R12)."""
    top = v.taken[position]
    v.seats[seat].modifier = top.modifier
    v.seats[seat].sheep_number = top.sheep_number
    s.tallies[seat].top = top.card


@inlined
def sort_into_flock(v: View, s: State, seat: int, reason: int) -> bool:
    """Finish a taking: the bone (R13), then the top of the flock (R12); return whether all answers were legal."""
    bone_from = NOBODY
    if may_steal(s, seat) and ask(v, s, seat, STEAL):
        bone_from = take_bone(v, s, seat)
    position = natural(trailing_zeros(s.sheep))
    if s.sheep & (s.sheep - _ONE):  # more than one
        position = ask(v, s, seat, TOP)
        if unlikely(not is_sheep_taken(v, position)):
            s.answer = position
            return False
    if s.sheep:
        put_on_top(v, s, seat, natural(position))
    _note_taking(v, s, seat, reason, bone_from)
    v.n_taken = 0
    if unlikely(v.rules.memory != 0):
        clear_cards(v.taken, 0)
        clear_cards(v.table, v.n_table)
    return True


@inlined
def _note_taking(v: View, s: State, seat: int, reason: int, bone_from: int) -> None:
    if unlikely(s.logging != 0):
        note(s, TAKE, v.round, seat, (reason, s.tallies[seat].top, bone_from, v.n_taken))
        for i in range(v.n_taken):
            s.events[s.n_events - 1, 7 + i] = v.taken[i].card
