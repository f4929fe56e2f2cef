"""The third action of a round ("3) Carry out dice actions"): up to three attempts to make one's bid."""

from typing import Final

import numpy as np

from analyzer import rng
from analyzer.jit import inlined, unlikely
from analyzer.wool_rules.asking import ILLEGAL, ask, is_free_die
from analyzer.wool_rules.constants import BLACK, HIGHEST_PLAIN_BID
from analyzer.wool_rules.events import ACCEPTED, CHIP, DECLINED, HELD, ROLL, SAVED_14, note
from analyzer.wool_rules.state import ACCEPT, HOLD, SAVE, State
from analyzer.wool_rules.views import View

SECOND_ATTEMPT: Final = 2
LAST_ATTEMPT: Final = 3

Sides = tuple[np.uint64, np.uint64, np.uint64]
Faces = tuple[int, int, int]
"""Of d12, d10 and d8."""

NOT_LIFTED, LIFTED, NOT_UNDER = range(3)
"""What became of a failed third attempt (R9)."""

_WORD_BITS: Final = 5
"""Rolls of a round and seat have 32 words of random bits: two, unless bits are rejected."""

_TURN_DICE = np.uint64(rng.TURN_DICE)
_ONE, _TWO = np.uint64(1), np.uint64(2)


@inlined
def _place_of_roll(v: View, s: State, seat: int) -> np.uint64:
    """Return where the random bits of a seat's dice action in this round begin."""
    index = (v.round << 3 | seat) << _WORD_BITS
    return rng.counter(np.uint64(s.game), _TURN_DICE, np.uint64(index))


@inlined
def shake_dice(v: View, s: State) -> None:
    """Draw the random bits of each seat's first two attempts in a round: together they take less time than one by one.

    The first and the second attempt share one word of random bits, a half each; the third has a word of its own.
    """
    for seat in range(v.players):
        s.words[seat] = rng.draw(s.key, s.step, _place_of_roll(v, s, seat))


@inlined
def roll(v: View, s: State, seat: int, sides: Sides, lowest: Faces) -> Faces:
    """Roll all three dice and return their faces.

    A die set aside is rolled like the others, but has one side, which is also its lowest: nobody can foresee which die
    it is, and a branch would cost more than the rolling.
    """
    is_second = v.attempt == SECOND_ATTEMPT
    place = _place_of_roll(v, s, seat)
    word = s.words[seat]
    if v.attempt == LAST_ATTEMPT:
        place += _ONE
        word = rng.draw(s.key, s.step, place)
    ways = sides[0] * sides[1] * sides[2]
    while True:
        bits = rng.lower32(word) if is_second else rng.upper32(word)
        first = rng.scale(bits, sides[0])
        second = rng.scale(rng.fraction(first), sides[1])
        third = rng.scale(rng.fraction(second), sides[2])
        if rng.is_batch_fair(rng.fraction(third), ways):
            break
        place += _TWO
        word = rng.draw(s.key, s.step, place)
    d12 = lowest[0] + np.int64(rng.number(first))
    d10 = lowest[1] + np.int64(rng.number(second))
    d8 = lowest[2] + np.int64(rng.number(third))
    v.dice[0], v.dice[1], v.dice[2] = d12, d10, d8
    return int(d12), int(d10), int(d8)


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
def takes_cards(v: View, s: State, seat: int) -> bool:
    """Return whether the turn ends with cards now: because it must (R5), or as the player chooses (R6)."""
    if v.result >= v.target:
        note(s, ACCEPTED, v.round, seat, (v.attempt, 0, 0, 1))
        return True
    if v.help > v.seats[seat].chips:
        return False
    answer = ask(v, s, seat, ACCEPT)
    if answer:
        pay(v, s, seat, v.help)
        note(s, ACCEPTED, v.round, seat, (v.attempt, bonus_of(v, seat), v.help, 0))
    else:
        note(s, DECLINED, v.round, seat, (v.attempt,))
    return bool(answer)


@inlined
def set_aside(v: View, s: State, seat: int, sides: Sides, lowest: Faces, faces: Faces) -> tuple[bool, Sides, Faces]:
    """Set aside exactly one die before a reroll (R7); return whether the answer was legal, and the dice for the reroll.

    Every die is told whether it is the one: an index that nobody can foresee would hold up whatever reads after it.
    """
    answer = ask(v, s, seat, HOLD)
    d12, d10, d8 = is_free_die(v, 0, answer), is_free_die(v, 1, answer), is_free_die(v, 2, answer)
    v.held[0], v.held[1], v.held[2] = v.held[0] + d12, v.held[1] + d10, v.held[2] + d8
    sides = (_ONE if d12 else sides[0], _ONE if d10 else sides[1], _ONE if d8 else sides[2])
    lowest = (
        faces[0] if d12 else lowest[0],
        faces[1] if d10 else lowest[1],
        faces[2] if d8 else lowest[2],
    )
    note(s, HELD, v.round, seat, (v.attempt, answer))
    s.answer = answer
    return bool(d12 | d10 | d8), sides, lowest


@inlined
def attempts(v: View, s: State, seat: int) -> int:
    """Roll up to three times; return the attempt that brought cards, 0 for none, ILLEGAL for an illegal answer."""
    v.target = min(v.seats[seat].bid, HIGHEST_PLAIN_BID)  # R2: 26+ asks for 26
    v.held[0] = v.held[1] = v.held[2] = 0
    sides = (np.uint64(v.rules.dice[0]), np.uint64(v.rules.dice[1]), np.uint64(v.rules.dice[2]))
    lowest = (1, 1, 1)
    for attempt in range(1, LAST_ATTEMPT + 1):
        v.attempt = attempt
        faces = roll(v, s, seat, sides, lowest)
        total = faces[0] + faces[1] + faces[2]
        show_result(v, seat, total)
        modifier = v.seats[seat].modifier
        note(s, ROLL, v.round, seat, (attempt, faces[0], faces[1], faces[2], total, modifier, v.result))
        if takes_cards(v, s, seat):
            return attempt
        if attempt < LAST_ATTEMPT:
            legal, sides, lowest = set_aside(v, s, seat, sides, lowest, faces)
            if unlikely(not legal):
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
def under_14(v: View, s: State, seat: int) -> int:
    """Decide a failed third attempt under 14: lift it with bonus and chips, or take the black sheep (R9)."""
    below = v.rules.black_sheep_below
    if v.result >= below:
        return NOT_UNDER
    bonus = bonus_of(v, seat)
    lift = max(below - v.result - bonus, 0)
    if v.target <= below or lift > v.seats[seat].chips or not black_sheep_on_table(v):
        # Without black sheep there is nothing to decide; a bonus that reaches 14 counts as available all the same.
        return NOT_LIFTED
    if not ask(v, s, seat, SAVE):
        return NOT_LIFTED
    pay(v, s, seat, lift)
    note(s, SAVED_14, v.round, seat, (bonus, lift))
    return LIFTED


@inlined
def take_consolation_chip(v: View, s: State, seat: int) -> None:
    """Take one chip from the supply after a failure (R8). Assumption: none if the supply is empty."""
    if v.chip_supply > 0:
        v.chip_supply -= 1
        v.seats[seat].chips += 1
        note(s, CHIP, v.round, seat, (v.seats[seat].chips,))
