"""Random streams keyed by (seed, game, purpose), for compiled code.

The generator is SplitMix64 (G. L. Steele, D. Lea, C. H. Flood, "Fast splittable pseudorandom number generators",
OOPSLA 2014; S. Vigna's public-domain C version has the same constants): a counter times an odd constant, mixed. As
output number n needs no output before it, any draw of any game can be had alone.

*Where a draw lies.* A seed chooses a key (where its sequence starts) and a step (the odd constant, "gamma" in the
paper, chosen as the paper does). The place of a draw in that sequence is its counter: game, purpose and index side by
side in 64 bits. So no two of (game, purpose, index) share a counter, and no two seeds share a key.

All arithmetic is on uint64: a signed number in it would turn the result into a float in silence.
"""

from typing import Final

import numpy as np

from analyzer.jit import inlined

INDEX_BITS: Final = 16
PURPOSE_BITS: Final = 8
GAME_BITS: Final = 64 - PURPOSE_BITS - INDEX_BITS

MAX_GAMES: Final = 2**GAME_BITS
"""Games (or dice actions) that one seed has room for, 2**40, about 1.1e12."""

DICE: Final = 0
"""Purpose: rolls."""
POLICY: Final = 1
"""Purpose: the draws a policy sees, in a dice action on its own."""
DECK: Final = 2
"""Purpose: the order of a game's deck."""
TABLE_NUMBERS: Final = 3
"""Purpose: the numbers on the backs of a game's bidding tables."""
TURN_DICE: Final = 4
"""Purpose: rolls in a game, by round and seat."""
DECISIONS: Final = 5
"""Purpose: the draws a policy sees in a game, by round, seat, slot and call."""

_GOLDEN_GAMMA: Final = np.uint64(0x9E3779B97F4A7C15)
_MIX_1: Final = np.uint64(0xBF58476D1CE4E5B9)
_MIX_2: Final = np.uint64(0x94D049BB133111EB)
_GAMMA_MIX_1: Final = np.uint64(0xFF51AFD7ED558CCD)
_GAMMA_MIX_2: Final = np.uint64(0xC4CEB9FE1A85EC53)
_S11, _S27, _S30, _S31, _S32, _S33 = (np.uint64(n) for n in (11, 27, 30, 31, 32, 33))
_ONE: Final = np.uint64(1)
_LOW_32: Final = np.uint64(2**32 - 1)
_TWO_POW_32: Final = np.uint64(2**32)
_GAME_SHIFT: Final = np.uint64(PURPOSE_BITS + INDEX_BITS)
_PURPOSE_SHIFT: Final = np.uint64(INDEX_BITS)
_TWO_POW_MINUS_53: Final = 2.0**-53

MIN_TRANSITIONS: Final = 24
"""A step needs at least so many places where neighbouring bits differ (the paper's section 5)."""


@inlined
def mix64(z: np.uint64) -> np.uint64:
    """Mix 64 bits (the paper's mix64variant13): a bijection."""
    z = (z ^ (z >> _S30)) * _MIX_1
    z = (z ^ (z >> _S27)) * _MIX_2
    return z ^ (z >> _S31)


@inlined
def counter(game: np.uint64, purpose: np.uint64, index: np.uint64) -> np.uint64:
    """Return the place of a draw: game (below 2**40), purpose (below 2**8) and index (below 2**16) side by side."""
    return (game << _GAME_SHIFT) | (purpose << _PURPOSE_SHIFT) | index


@inlined
def draw(key: np.uint64, step: np.uint64, place: np.uint64) -> np.uint64:
    """Return the 64 random bits at a place of a seed's sequence (place 0 is SplitMix64's first output)."""
    return mix64(key + (place + _ONE) * step)


@inlined
def scale(bits: np.uint64, n: np.uint64) -> np.uint64:
    """Multiply 32 random bits by n: the upper half of the product is a number below n, the lower half tells if fair.

    D. Lemire, "Fast random integer generation in an interval", ACM TOMACS 29 (2019). `n` is at most 2**32.
    """
    return bits * n


@inlined
def is_unfair(product: np.uint64, n: np.uint64) -> np.bool_:
    """Return whether a product of :func:`scale` must be rejected, so that every number below n is equally likely."""
    return (product & _LOW_32) < _TWO_POW_32 % n


@inlined
def number(product: np.uint64) -> np.uint64:
    """Return the number below n in a product of :func:`scale`."""
    return product >> _S32


@inlined
def fraction(product: np.uint64) -> np.uint64:
    """Return what a product of :func:`scale` leaves for drawing the next number, 32 bits.

    N. Brackett-Rozinsky, D. Lemire, "Batched ranged random integer generation", Software: Practice and Experience 55
    (2025): several numbers come from the same bits, each from the fraction the one before left; :func:`is_batch_fair`
    tells whether every combination was equally likely.
    """
    return product & _LOW_32


@inlined
def is_batch_fair(last_fraction: np.uint64, ways: np.uint64) -> np.bool_:
    """Return whether numbers drawn from the same 32 bits may be used; `ways` is the product of what they are below."""
    return last_fraction >= ways or last_fraction >= _TWO_POW_32 % ways


@inlined
def upper32(bits: np.uint64) -> np.uint64:
    """Return the upper 32 of 64 bits."""
    return bits >> _S32


@inlined
def lower32(bits: np.uint64) -> np.uint64:
    """Return the lower 32 of 64 bits."""
    return bits & _LOW_32


@inlined
def unit(bits: np.uint64) -> float:
    """Return a uniform number in [0, 1) of 53 of the bits."""
    return np.float64(bits >> _S11) * _TWO_POW_MINUS_53


def seed_stream(seed: int) -> tuple[np.uint64, np.uint64]:
    """Return a seed's key and step.

    Parameters
    ----------
    seed : int
        0 to 2**64 - 1.

    Returns
    -------
    key, step : uint64
        The key is a bijection of the seed. The step is odd and has at least 24 bit transitions.
    """
    with np.errstate(over="ignore"):
        start = np.uint64(seed)
        z = start + _GOLDEN_GAMMA
        z = (z ^ (z >> _S33)) * _GAMMA_MIX_1
        z = (z ^ (z >> _S33)) * _GAMMA_MIX_2
        step = (z ^ (z >> _S33)) | _ONE
        if bin(int(step ^ (step >> _ONE))).count("1") < MIN_TRANSITIONS:
            step ^= np.uint64(0xAAAAAAAAAAAAAAAA)
        key: np.uint64 = mix64.py_func(start)  # type: ignore[attr-defined]
    return key, step
