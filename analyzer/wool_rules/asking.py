"""Asking a policy, and which answers are legal (design page, "What a player decides")."""

from typing import Final

import numpy as np

from analyzer import rng
from analyzer.jit import inlined, natural, record_type, unlikely
from analyzer.policy_calls import policy_call
from analyzer.wool_rules.constants import BID_26_PLUS, HIGHEST_PLAIN_BID, LOWEST_BID, SET_007
from analyzer.wool_rules.state import State
from analyzer.wool_rules.views import N_DRAWS, VIEW_DTYPE, View

ILLEGAL: Final = -1
"""Stands for an illegal answer, which is never repaired."""

SEAT_BITS: Final = 3
SLOT_BITS: Final = 3
CALL_BITS: Final = 3
DRAW_BITS: Final = 2
"""Round (5 bits), seat, slot, call and number of a draw side by side are its index in a game's stream of draws."""

_DECISIONS: Final = np.uint64(rng.DECISIONS)


@inlined
def _fill_draws(v: View, s: State, seat: int, slot: int) -> None:
    """Give the view fresh draws: they depend on game, round, seat, slot and how often that was asked in this round."""
    call = s.calls[seat, slot]
    s.calls[seat, slot] = call + 1
    index = (((v.round << SEAT_BITS | seat) << SLOT_BITS | slot) << CALL_BITS | call) << DRAW_BITS
    place = rng.counter(np.uint64(s.game), _DECISIONS, np.uint64(index))
    for i in range(N_DRAWS):
        v.draws[i] = rng.unit(rng.draw(s.key, s.step, place + np.uint64(i)))


VIEW_TYPE: Final = record_type(VIEW_DTYPE)


@inlined
def ask(v: View, s: State, seat: int, slot: int) -> int:
    """Ask a seat's policy of a slot; the view shows what that seat may know."""
    who = natural(s.who[seat])
    v.me = seat
    s.slot = slot
    if unlikely(s.drawing != 0) and s.draws[who, slot]:
        _fill_draws(v, s, seat, slot)
    return policy_call(s, slot, who, v, s.parameters[who, slot])


@inlined
def is_legal_bid(v: View, seat: int, bid: int) -> bool:
    """Tell whether a bid is legal: 14 to 26, and 26+ with a chip to pay for it (R2); a rules file may drop 26."""
    if bid == BID_26_PLUS:
        return bool(v.seats[seat].chips > 0)
    highest = HIGHEST_PLAIN_BID if v.rules.plain_26 else HIGHEST_PLAIN_BID - 1
    return LOWEST_BID <= bid <= highest


@inlined
def is_free_die(v: View, die: int, sides: int) -> bool:
    """Tell whether an answer names a die, and that die is free (R7)."""
    return bool((v.rules.dice[die] == sides) & (v.held[die] == 0))


@inlined
def is_on_table(v: View, position: int) -> bool:
    """Tell whether an answer is the position of a card on the table, from 0."""
    return bool(0 <= position < v.n_table)


@inlined
def is_sheep_taken(v: View, position: int) -> bool:
    """Tell whether an answer is the position of a sheep among the cards just taken (R12)."""
    return bool(0 <= position < v.n_taken and v.taken[position].kind <= SET_007)
