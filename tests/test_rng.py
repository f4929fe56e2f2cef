"""The generator against published vectors; no two draws share a place; bounded numbers are unbiased."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from analyzer import rng
from analyzer.blocks import MAX_GAMES
from analyzer.jit import kernel
from analyzer.wool_rules.constants import SIDES
from analyzer.wool_rules.dice import dice_of
from analyzer.wool_rules.rolls import GROUP, first_of, roll_action, roll_group, second_of, split_of, third_of

DICE = dice_of(SIDES)
SPLIT = split_of(DICE)

GOLDEN_GAMMA = 0x9E3779B97F4A7C15
MASK = 2**64 - 1

# First outputs of SplitMix64 in S. Vigna's C version, for the seeds 1234567 and 0.
VECTORS = {
    1234567: [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ],
    0: [0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F],
}


@kernel
def _draws(key, step, places, out):  # type: ignore[no-untyped-def]
    for i in range(len(places)):
        out[i] = rng.draw(key, step, places[i])


@kernel
def _counter(game, purpose, index):  # type: ignore[no-untyped-def]
    return rng.counter(game, purpose, index)


@kernel
def _groups(key, step, start, out):  # type: ignore[no-untyped-def]
    words = np.empty(GROUP, np.uint64)
    for at in range(0, len(out), GROUP):
        roll_group(key, step, start + at, words, SPLIT)
        for i in range(GROUP):
            out[at + i, 0], out[at + i, 1] = first_of(words[i]), second_of(words[i])
            out[at + i, 2] = third_of(words[i])


@kernel
def _actions(key, step, start, n, out):  # type: ignore[no-untyped-def]
    for i in range(n):
        out[i, 0], out[i, 1], out[i, 2] = roll_action(key, step, np.uint64(start + i), SPLIT)


@kernel
def _accepted(n, counts):  # type: ignore[no-untyped-def]
    for bits in range(2**32):
        product = rng.scale(np.uint64(bits), np.uint64(n))
        if not rng.is_unfair(product, np.uint64(n)):
            counts[rng.number(product)] += 1


def _mix(z: int) -> int:
    """SplitMix64's finalizer in plain whole numbers."""
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
    return z ^ (z >> 31)


@pytest.mark.parametrize("seed", VECTORS)
def test_generator_gives_its_published_outputs(seed: int) -> None:
    places = np.arange(len(VECTORS[seed]), dtype=np.uint64)
    out = np.zeros(len(places), dtype=np.uint64)
    _draws(np.uint64(seed), np.uint64(GOLDEN_GAMMA), places, out)
    assert [int(x) for x in out] == VECTORS[seed]


words = st.integers(0, MASK)


@given(words, words, words)
def test_compiled_draws_equal_whole_number_arithmetic(key: int, step: int, place: int) -> None:
    out = np.zeros(1, dtype=np.uint64)
    _draws(np.uint64(key), np.uint64(step), np.array([place], dtype=np.uint64), out)
    assert int(out[0]) == _mix((key + (place + 1) * step) & MASK)


@given(
    st.integers(0, rng.MAX_GAMES - 1), st.integers(0, 2**rng.PURPOSE_BITS - 1), st.integers(0, 2**rng.INDEX_BITS - 1)
)
def test_game_purpose_and_index_can_be_read_back_from_the_counter(game: int, purpose: int, index: int) -> None:
    """A counter from which all three can be read back is shared by no two of them."""
    place = int(_counter(np.uint64(game), np.uint64(purpose), np.uint64(index)))
    assert place & (2**rng.INDEX_BITS - 1) == index
    assert place >> rng.INDEX_BITS & (2**rng.PURPOSE_BITS - 1) == purpose
    assert place >> (rng.INDEX_BITS + rng.PURPOSE_BITS) == game


def _unmix(z: int) -> int:
    """Undo :func:`_mix`: multiply by the inverses, undo each shift step by step."""

    def unshift(value: int, by: int) -> int:
        result = value
        for _ in range(64 // by + 1):
            result = value ^ (result >> by)
        return result

    z = unshift(z, 31)
    z = unshift((z * pow(0x94D049BB133111EB, -1, 2**64)) & MASK, 27)
    return unshift((z * pow(0xBF58476D1CE4E5B9, -1, 2**64)) & MASK, 30)


@given(words)
def test_no_two_seeds_share_a_key_and_every_step_is_odd_and_busy(seed: int) -> None:
    key, step = (int(x) for x in rng.seed_stream(seed))
    assert _unmix(key) == seed, "the key is a bijection of the seed"
    assert step % 2 == 1, "so that places and states correspond one to one"
    assert bin(step ^ (step >> 1)).count("1") >= rng.MIN_TRANSITIONS


def test_no_two_of_many_seeds_games_purposes_and_indices_share_a_state() -> None:
    """What is mixed into a draw, for 100 seeds x 250 games x 2 purposes x 20 indices: all 1,000,000 differ."""
    games, purposes, indices = (a.ravel() for a in np.meshgrid(np.arange(250), [0, 1], np.arange(20)))
    places = ((games << 24) | (purposes << 16) | indices).astype(np.uint64)
    states = [key + (places + np.uint64(1)) * step for key, step in map(rng.seed_stream, range(100))]
    assert len(np.unique(np.concatenate(states))) == 100 * 250 * 2 * 20


@pytest.mark.parametrize("n", [2, 3, DICE.n_rolls, DICE.n_rest, 2**31 + 1, 2**32])
def test_every_number_below_n_has_equally_many_accepted_draws(n: int) -> None:
    """Counted by arithmetic: the draws of number v are those whose product lies in v's share and is not rejected."""
    rejected_below = 2**32 % n
    numbers = {0, 1, n // 2, n - 2, n - 1} if n > 10**6 else range(n)
    for v in numbers:
        first = -(-(v * 2**32 + rejected_below) // n)
        last = ((v + 1) * 2**32 - 1) // n
        assert last - first + 1 == 2**32 // n, v


@pytest.mark.slow
@pytest.mark.parametrize("n", [DICE.n_rolls, DICE.n_rest])
def test_every_number_below_n_is_given_by_equally_many_of_all_32_bit_draws(n: int) -> None:
    counts = np.zeros(n, dtype=np.int64)
    _accepted(n, counts)
    assert (counts == 2**32 // n).all()


def test_rolls_by_the_group_equal_rolls_one_by_one_rejections_included() -> None:
    """Among 3,000,000 dice actions about 17 first draws are rejected."""
    key, step = rng.seed_stream(7)
    n = 3_000_000
    one_by_one, by_group = np.zeros((n, 3), dtype=np.int64), np.zeros((n, 3), dtype=np.int64)
    _actions(key, step, 5, n, one_by_one)
    _groups(key, step, 5, by_group)
    assert (one_by_one == by_group).all()

    places = ((np.arange(n, dtype=np.uint64) + np.uint64(5)) << np.uint64(24)).astype(np.uint64)
    bits = np.zeros(n, np.uint64)
    _draws(key, step, places, bits)
    upper, lower = bits >> np.uint64(32), bits & np.uint64(2**32 - 1)
    low_products = (upper * np.uint64(960)) & np.uint64(2**32 - 1), (lower * np.uint64(57600)) & np.uint64(2**32 - 1)
    rejected = (low_products[0] < 2**32 % 960) | (low_products[1] < 2**32 % 57600)
    assert 3 <= rejected.sum() <= 50
    unchanged = (upper * np.uint64(960)) >> np.uint64(32)
    assert (one_by_one[~rejected, 0] == unchanged[~rejected]).all()
    assert (one_by_one[rejected, 0] != unchanged[rejected]).any()
    for column, most in enumerate((DICE.n_rolls, DICE.second_courses, DICE.third_courses)):
        assert one_by_one[:, column].min() == 0
        assert one_by_one[:, column].max() == most - 1


def test_every_game_of_the_longest_run_has_room() -> None:
    assert MAX_GAMES <= rng.MAX_GAMES


def test_uniform_numbers_lie_in_the_unit_interval() -> None:
    assert rng.unit.py_func(np.uint64(0)) == 0.0
    assert rng.unit.py_func(np.uint64(MASK)) == 1 - 2.0**-53
