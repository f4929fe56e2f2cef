"""The third action of a round ("3) Carry out dice actions"): up to three attempts to make one's bid."""

from typing import Final

import numpy as np

from analyzer import rng
from analyzer.jit import inlined, natural
from analyzer.wool_rules.asking import ILLEGAL, Policies, ask, free_die
from analyzer.wool_rules.constants import BLACK, HIGHEST_PLAIN_BID, N_DICE
from analyzer.wool_rules.events import ACCEPTED, CHIP, DECLINED, HELD, ROLL, SAVED_14, note
from analyzer.wool_rules.state import ACCEPT, HOLD, SAVE, State
from analyzer.wool_rules.views import View

LAST_ATTEMPT: Final = 3

NOT_LIFTED, LIFTED, NOT_UNDER = range(3)
"""What became of a failed third attempt (R9)."""

_WORD_BITS: Final = 5
"""Rolls of a round and seat have 32 words of random bits: two, unless bits are rejected."""

_TURN_DICE = np.uint64(rng.TURN_DICE)
_ONE, _TWO = np.uint64(1), np.uint64(2)


@inlined
def roll(v: View, s: State, seat: int) -> int:
    """Roll the dice that are not set aside and return the total of all three.

    The first and the second attempt share one word of random bits, a half each; the third has a word of its own.
    """
    index = (v.round << 3 | seat) << _WORD_BITS
    place = rng.counter(np.uint64(s.game), _TURN_DICE, np.uint64(index))
    if v.attempt == LAST_ATTEMPT:
        place += _ONE
    if v.attempt != 2:
        s.word = rng.draw(s.key, s.step, place)
        bits = rng.upper32(s.word)
    else:
        bits = rng.lower32(s.word)
    while True:
        rest, ways, total = bits, _ONE, 0
        for die in range(N_DICE):
            is_held = v.held[die] != 0  # choices instead of jumps: nobody can foresee which die is held
            sides = np.uint64(v.rules.dice[die])
            product = rng.scale(rest, sides)
            v.dice[die] = v.dice[die] if is_held else np.int64(rng.number(product)) + 1
            rest = rest if is_held else rng.fraction(product)
            ways *= _ONE if is_held else sides
            total += v.dice[die]
        if rng.is_batch_fair(rest, ways):
            return total
        place += _TWO
        bits = (
            rng.upper32(rng.draw(s.key, s.step, place))
            if v.attempt != 2
            else rng.lower32(rng.draw(s.key, s.step, place))
        )


@inlined
def show_result(v: View, seat: int, total: int) -> None:
    """Show the result: a malus always counts; what is still missing after the bonus takes chips (R4)."""
    modifier = v.seats[seat].modifier
    v.result = total + min(modifier, 0)
    v.help = max(v.target - total - modifier, 0)


@inlined
def pay(v: View, s: State, seat: int, chips: int) -> None:
    """Put chips back into the supply (R4)."""
    v.seats[seat].chips -= chips
    v.chip_supply += chips
    s.tallies[seat].spent += chips


@inlined
def bonus_of(v: View, seat: int) -> int:
    """Return the bonus on the top card of the flock, 0 for a malus."""
    bonus: int = max(v.seats[seat].modifier, 0)
    return bonus


@inlined
def takes_cards(policies: Policies, v: View, s: State, seat: int) -> bool:
    """Return whether the turn ends with cards now: because it must (R5), or as the player chooses (R6)."""
    if v.result >= v.target:
        note(s, ACCEPTED, v.round, seat, (v.attempt, 0, 0, 1))
        return True
    if v.help > v.seats[seat].chips:
        return False
    answer = ask(policies, v, s, seat, ACCEPT)
    if answer:
        pay(v, s, seat, v.help)
        note(s, ACCEPTED, v.round, seat, (v.attempt, bonus_of(v, seat), v.help, 0))
    else:
        note(s, DECLINED, v.round, seat, (v.attempt,))
    return bool(answer)


@inlined
def set_aside(policies: Policies, v: View, s: State, seat: int) -> bool:
    """Set aside exactly one die before a reroll (R7); return whether the answer was legal."""
    sides = ask(policies, v, s, seat, HOLD)
    die = free_die(v, sides)
    if die == ILLEGAL:
        return False
    v.held[natural(die)] = 1
    note(s, HELD, v.round, seat, (v.attempt, sides))
    return True


@inlined
def attempts(policies: Policies, v: View, s: State, seat: int) -> int:
    """Roll up to three times; return the attempt that brought cards, 0 for none, ILLEGAL for an illegal answer."""
    v.target = min(v.seats[seat].bid, HIGHEST_PLAIN_BID)  # R2: 26+ asks for 26
    for die in range(N_DICE):
        v.held[die] = 0
    for attempt in range(1, LAST_ATTEMPT + 1):
        v.attempt = attempt
        total = roll(v, s, seat)
        show_result(v, seat, total)
        note(
            s,
            ROLL,
            v.round,
            seat,
            (attempt, v.dice[0], v.dice[1], v.dice[2], total, v.seats[seat].modifier, v.result),
        )
        if takes_cards(policies, v, s, seat):
            return attempt
        if attempt < LAST_ATTEMPT and not set_aside(policies, v, s, seat):
            return ILLEGAL
    return 0


@inlined
def black_sheep_on_table(v: View) -> bool:
    """Return whether there are black sheep to be taken."""
    found = False
    for i in range(v.n_table):
        found |= v.table[i].kind == BLACK
    return found


@inlined
def under_14(policies: Policies, v: View, s: State, seat: int) -> int:
    """Decide a failed third attempt under 14: lift it with bonus and chips, or take the black sheep (R9)."""
    below = v.rules.black_sheep_below
    if v.result >= below:
        return NOT_UNDER
    bonus = bonus_of(v, seat)
    lift = max(below - v.result - bonus, 0)
    if v.target <= below or lift > v.seats[seat].chips or not black_sheep_on_table(v):
        # Without black sheep there is nothing to decide; a bonus that reaches 14 counts as available all the same.
        return NOT_LIFTED
    if not ask(policies, v, s, seat, SAVE):
        return NOT_LIFTED
    pay(v, s, seat, lift)
    note(s, SAVED_14, v.round, seat, (bonus, lift))
    return LIFTED


@inlined
def take_consolation_chip(v: View, s: State, seat: int) -> None:
    """Take one chip from the supply after a failure; none if the supply is empty (R8, assumption)."""
    if v.chip_supply > 0:
        v.chip_supply -= 1
        v.seats[seat].chips += 1
        note(s, CHIP, v.round, seat, (v.seats[seat].chips,))
