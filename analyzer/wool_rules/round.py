"""The first two actions of a round ("1) Lay out cards", "2) Place bids") and the turn order."""

from typing import Final

from analyzer.jit import inlined, natural, unlikely
from analyzer.wool_rules.asking import ask, is_legal_bid
from analyzer.wool_rules.constants import BID_26_PLUS
from analyzer.wool_rules.events import BID_MADE, LAYOUT, ORDER, note
from analyzer.wool_rules.state import BID, NO_CARD, State
from analyzer.wool_rules.views import View

_BY_BID: Final = 1 << 10
"""Puts bid and sheep number (below 1,000) side by side in one number to sort by."""


@inlined
def lay_out_cards(v: View, s: State) -> None:
    """Lay out one more card than there are players; what is left in the last round (R14)."""
    v.n_table = min(v.players + 1, v.supply)
    for i in range(v.n_table):
        v.table[i] = s.cards[natural(s.supply[natural(s.drawn + i)])]
    s.drawn += v.n_table
    v.supply -= v.n_table
    if unlikely(s.logging != 0):
        laid = s.supply[s.drawn - v.n_table : s.drawn]
        note(s, LAYOUT, v.round, NO_CARD, (v.n_table,))
        for i in range(v.n_table):
            s.events[s.n_events - 1, 4 + i] = laid[i]


@inlined
def hide_bids(v: View) -> None:
    """Nobody sees bids and turn order before the reveal."""
    for seat in range(v.players):
        v.seats[seat].bid = 0
        v.order[seat] = -1
    v.turn = -1


@inlined
def place_bids(v: View, s: State) -> bool:
    """Let every seat choose a bid in secret; return whether all were legal."""
    for seat in range(v.players):
        bid = ask(v, s, seat, BID)
        if unlikely(not is_legal_bid(v, seat, bid)):
            s.answer = bid
            return False
        s.bids[seat] = bid
    return True


@inlined
def reveal_bids(v: View, s: State) -> None:
    """Reveal all bids; each 26+ costs a chip at once (R2)."""
    for seat in range(v.players):
        v.seats[seat].bid = s.bids[seat]
        if s.bids[seat] == BID_26_PLUS:
            v.seats[seat].chips -= 1
            v.chip_supply += 1
            s.tallies[seat].spent += 1
        note(s, BID_MADE, v.round, seat, (s.bids[seat], v.seats[seat].chips))


@inlined
def set_turn_order(v: View, s: State) -> None:
    """Higher bids first, 26+ before all others (R2); tied bids by lower sheep number (R3)."""
    players = v.players  # read once: for all the compiler knows, what is stored below might change it
    for seat in range(players):
        s.turn_keys[seat] = (BID_26_PLUS - s.bids[seat]) * _BY_BID + v.seats[seat].sheep_number
    for seat in range(players):
        key, before = s.turn_keys[seat], 0
        for other in range(players):  # counted: comparing and moving would be jumps nobody can foresee
            before += s.turn_keys[other] < key
        v.order[natural(before)] = seat
    if unlikely(s.logging != 0):
        note(s, ORDER, v.round, NO_CARD, (v.players,))
        for place in range(v.players):
            s.events[s.n_events - 1, 4 + place] = v.order[place]
