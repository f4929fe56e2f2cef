"""Line-ups: complete, in their documented order, and where they are a choice, a level one."""

from collections import Counter
from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from analyzer.errors import BadInputError
from analyzer.line_ups import MAX_LINE_UPS, LineUps, balanced, fixed, gauntlet, round_robin


def rows(line_ups: LineUps) -> list[tuple[int, ...]]:
    assert line_ups.dtype == np.int64
    return [tuple(row) for row in line_ups.tolist()]


def meetings(line_ups: LineUps, strategies: int) -> NDArray[np.int64]:
    """Return how often each pair of different strategies met."""
    met = np.zeros((strategies, strategies), np.int64)
    for row in rows(line_ups):
        for one, other in combinations(row, 2):
            met[one, other] += 1
    return met[np.triu_indices(strategies, 1)]


# All line-ups


@given(st.integers(2, 6), st.integers(2, 5))
def test_a_round_robin_is_every_multiset_once_in_lexicographic_order(strategies: int, players: int) -> None:
    every = {tuple(sorted(row)) for row in product(range(strategies), repeat=players)}
    assert rows(round_robin(strategies, players)) == sorted(every)


def test_twenty_strategies_with_four_players_have_8855_line_ups() -> None:
    assert round_robin(20, 4).shape == (8855, 4)


def test_a_gauntlet_seats_each_candidate_with_every_multiset_of_the_field() -> None:
    assert rows(gauntlet([2], [0, 1], 3)) == [(0, 0, 2), (0, 1, 2), (1, 1, 2)]
    assert rows(gauntlet([3, 2], [1], 2)) == [(1, 3), (1, 2)]


def test_a_line_up_of_two_candidates_comes_once() -> None:
    assert rows(gauntlet([0, 1], [0, 1], 2)) == [(0, 0), (0, 1), (1, 1)]
    assert rows(gauntlet([0, 0], [1, 1], 2)) == [(0, 1)]


def test_a_fixed_table_is_itself_sorted() -> None:
    assert rows(fixed([3, 0, 3])) == [(0, 3, 3)]


# A balanced choice


@given(st.integers(2, 9), st.integers(2, 6), st.integers(1, 40), st.integers(0, 2**32))
def test_every_beginning_of_a_balanced_choice_gives_all_strategies_about_as_many_seats(
    strategies: int, players: int, n: int, seed: int
) -> None:
    line_ups = balanced(strategies, players, n, seed)
    assert line_ups.shape == (n, players)
    assert (np.diff(line_ups, axis=1) >= 0).all()
    seats = np.cumsum([np.bincount(row, minlength=strategies) for row in line_ups], axis=0)
    assert (np.ptp(seats, axis=1) <= players).all()


def kinds(line_ups: LineUps) -> Counter[tuple[int, ...]]:
    """Return how many line-ups have so many copies of so many strategies."""
    return Counter(tuple(sorted(Counter(row).values())) for row in rows(line_ups))


@given(st.integers(2, 9), st.integers(2, 5), st.integers(1, 300), st.integers(0, 2**32))
def test_a_balanced_choice_has_each_kind_of_line_up_as_often_as_a_round_robin(
    strategies: int, players: int, n: int, seed: int
) -> None:
    every, chosen = kinds(round_robin(strategies, players)), kinds(balanced(strategies, players, n, seed))
    assert chosen.keys() <= every.keys()
    for kind, times in every.items():
        assert abs(chosen[kind] - n * times / every.total()) < 4


def test_every_line_up_is_as_likely_as_any_other() -> None:
    """The third of each choice: chi square of ten cases, by 2,000 seeds."""
    found = Counter(rows(balanced(3, 3, 3, seed))[2] for seed in range(2000))
    assert len(found) == 10
    assert sum((found[row] - 200) ** 2 / 200 for row in found) < 40


@given(st.integers(2, 12), st.integers(2, 5), st.integers(1, 30), st.integers(1, 30), st.integers(0, 2**32))
def test_a_longer_choice_continues_a_shorter_one(strategies: int, players: int, n: int, more: int, seed: int) -> None:
    longer = balanced(strategies, players, n + more, seed)
    assert (longer[:n] == balanced(strategies, players, n, seed)).all()


def test_another_seed_chooses_other_line_ups() -> None:
    assert (balanced(20, 4, 50, 1) != balanced(20, 4, 50, 2)).any()


def test_pairs_meet_far_more_evenly_than_by_lot() -> None:
    line_ups = balanced(20, 4, 500, 7)
    rng = np.random.default_rng(7)
    by_lot = rng.permutation(round_robin(20, 4))[:500]
    assert meetings(line_ups, 20).mean() == pytest.approx(meetings(by_lot, 20).mean(), rel=0.05)
    assert meetings(line_ups, 20).std() < meetings(by_lot, 20).std() / 2


def test_line_ups_are_new_while_there_are_others() -> None:
    assert len(set(rows(balanced(20, 4, 1000, 3)))) > 990
    assert Counter(rows(balanced(4, 2, 30, 3))).keys() == set(rows(round_robin(4, 2)))  # all ten, again and again


# What cannot be played


@pytest.mark.parametrize("players", [0, 1])
def test_a_line_up_needs_two_players(players: int) -> None:
    too_few = f"at least 2 players, {players} given"
    with pytest.raises(BadInputError, match=too_few):
        fixed([0] * players)
    with pytest.raises(BadInputError, match=too_few):
        round_robin(3, players)
    with pytest.raises(BadInputError, match=too_few):
        gauntlet([0], [1], players)
    with pytest.raises(BadInputError, match=too_few):
        balanced(3, players, 5, 0)


def test_one_strategy_sits_with_its_like() -> None:
    assert round_robin(1, 4).tolist() == [[0, 0, 0, 0]]


@pytest.mark.parametrize("strategies", [0, 1])
def test_one_strategy_is_no_field_to_choose_from(strategies: int) -> None:
    with pytest.raises(BadInputError, match=f"at least two strategies, {strategies} given"):
        balanced(strategies, 4, 10, 0)


def test_a_gauntlet_needs_both_sides() -> None:
    with pytest.raises(BadInputError, match="needs a candidate"):
        gauntlet([], [0], 2)
    with pytest.raises(BadInputError, match="needs opponents"):
        gauntlet([0], [], 2)


def test_too_many_line_ups_are_counted_and_pointed_elsewhere() -> None:
    with pytest.raises(BadInputError, match=r"has 4,421,275 line-ups, more than .*random choice"):
        round_robin(100, 4)
    with pytest.raises(BadInputError, match=r"a gauntlet of 2 and 200 strategies with 4 players has 2,706,800"):
        gauntlet([0, 1], range(2, 202), 4)


@pytest.mark.parametrize("n", [-3, 0, MAX_LINE_UPS + 1])
def test_a_choice_has_some_line_ups_and_not_too_many(n: int) -> None:
    with pytest.raises(BadInputError, match="random line-ups: at"):
        balanced(5, 3, n, 0)
