"""Sums that compare the players of a field, against single games and a slow twin; several tables, several settings."""

from itertools import permutations
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from raw_games import sums_of
from whole_games import rules_of

from analyzer.field_results import FieldSums, reduce_field
from analyzer.game import Tables, rotations
from analyzer.results import SCORE, WIN
from analyzer.wool_rules.deck import shipped_deck
from analyzer.wool_rules.engine import Engine
from analyzer.wool_rules.games import GamePlayer, Question
from analyzer.wool_rules.setting import Setting
from strategies.registry import strategy

SPECS = ("plain:level=18", "random", "plain:level=24")
SEED = 11


def orders_of(scores: np.ndarray) -> np.ndarray:
    """Return 60 times how often each set of players was still to be placed; the last axis of `scores` is the players.

    Every order that agrees with the scores counts equally.
    """
    k = scores.shape[-1]
    counts = np.zeros(2**k)
    for game in scores.reshape(-1, k):
        agreeing = [order for order in permutations(range(k)) if np.all(np.diff(game[list(order)]) <= 0)]
        for order in agreeing:
            for placed in range(k):
                counts[sum(1 << who for who in order[placed:])] += 60 / len(agreeing)
    return np.rint(counts).astype(np.int64)


def by_player(results: np.ndarray, seating: np.ndarray) -> np.ndarray:
    """Return results, whose last two axes but one are seatings and seats, by place in the line-up."""
    found = np.zeros_like(results)
    for sitting, who in enumerate(seating):
        found[..., sitting, who, :] = results[..., sitting, :, :]
    return found


def random_results(seed: int, tables: int, games: int, players: int) -> np.ndarray:
    """Return results by seat with many ties, shape (tables, games, seatings, players, 2)."""
    scores = np.random.default_rng(seed).integers(-3, 4, (tables, games, players, players))
    best = scores == scores.max(axis=-1, keepdims=True)
    results = np.zeros((*scores.shape, 2), np.int32)
    results[..., SCORE], results[..., WIN] = scores, 60 * best // best.sum(axis=-1, keepdims=True)
    return results


@settings(deadline=None)
@given(st.integers(0, 2**32), st.integers(1, 3), st.integers(1, 8), st.integers(2, 5))
def test_results_of_a_field_are_reduced_as_a_slow_twin_would(seed: int, tables: int, games: int, players: int) -> None:
    results, seating = random_results(seed, tables, games + 2, players), rotations(players)
    sums = FieldSums.nothing((1, tables, players), 2, 1, 1, {}, compared=True)
    reduce_field(results, games, seating, sums.products[0], sums.orders[0], sums.seats[0])
    mine = by_player(results[:, :games], seating)
    observed = mine.astype(np.int64).sum(axis=2)
    for at, field in enumerate((WIN, SCORE)):
        flat = observed[..., field].transpose(1, 0, 2).reshape(games, -1)
        assert np.array_equal(sums.products[0, at], flat.T @ flat)
    expected = sums_of(np.zeros((tables, players), np.int64), mine[..., SCORE], mine[..., WIN])
    assert np.array_equal(sums.seats[0].reshape(expected.seats.shape), expected.seats)
    for table in range(tables):
        assert np.array_equal(sums.orders[0, table], orders_of(mine[table, ..., SCORE]))


def engine(*more: Setting) -> Engine:
    return Engine([strategy(spec) for spec in SPECS], (Setting(rules_of(), shipped_deck()), *more), SEED)


def single_games(line_up: np.ndarray, setting: Setting, games: range) -> np.ndarray:
    """Return results by seat of games that are played alone, shape (games, seatings, players, fields)."""
    specs = tuple(strategy(SPECS[who]) for who in line_up)
    player = GamePlayer(Question(specs, setting.rules, setting.deck, SEED, rotate=True))
    return np.array([[player.record(game, sitting).results for sitting in range(len(line_up))] for game in games])


def test_units_of_several_line_ups_are_the_games_of_each_alone() -> None:
    line_ups, units = np.array([[[0, 1, 1]], [[0, 1, 2]], [[2, 2, 2]]]), np.array([[5, 7], [100, 1], [2**39, 3]])
    mine = engine()
    sums = mine.play(Tables(units, line_ups, (0,), rotations(3)), compared=True)
    assert sums.games == 11
    total = np.zeros_like(sums.total)
    for at, (start, n) in enumerate(units.tolist()):
        results = by_player(single_games(line_ups[at, 0], mine.settings[0], range(start, start + n)), rotations(3))
        expected = sums_of(line_ups[at], results[None, ..., SCORE], results[None, ..., WIN])
        assert np.array_equal(sums.seats[at], expected.seats[0])
        assert np.array_equal(sums.products[at, 0], expected.win_products[0])
        assert np.array_equal(sums.products[at, 1], expected.score_products[0])
        assert np.array_equal(sums.orders[at, 0], orders_of(results[..., SCORE]))
        np.add.at(total, line_ups[at, 0], results.sum(axis=(0, 1)))
    assert np.array_equal(sums.total, total)
    assert sums.scores.sum(axis=1).tolist() == [3 * 8, 3 * 15, 3 * 10]


def test_tables_of_a_unit_play_the_same_games_each_in_its_setting() -> None:
    other = Setting(rules_of(dog_single=30), shipped_deck())
    mine = engine(other)
    line_ups = np.array([[[0, 1], [0, 2], [1, 2]]])
    sums = mine.play(Tables(np.array([[3, 4]]), line_ups, (0, 0, 1), rotations(2)), compared=True)
    results = np.stack(
        [
            by_player(single_games(line_ups[0, table], mine.settings[setting], range(3, 7)), rotations(2))
            for table, setting in enumerate((0, 0, 1))
        ]
    )
    observed = results.astype(np.int64).sum(axis=2)
    for at, field in enumerate((WIN, SCORE)):
        flat = observed[..., field].transpose(1, 0, 2).reshape(4, -1)
        assert np.array_equal(sums.products[0, at], flat.T @ flat)
    assert sums.total[:, SCORE].tolist() == [
        *(observed[0, :, 0, SCORE].sum() + observed[1, :, 0, SCORE].sum(), observed[0, :, 1, SCORE].sum()),
        *(observed[1, :, 1, SCORE].sum(), 0, observed[2, :, 0, SCORE].sum(), observed[2, :, 1, SCORE].sum()),
    ]


@pytest.mark.parametrize("n", [1, 3])
def test_how_units_are_cut_changes_nothing(n: int) -> None:
    line_ups = np.array([[[0, 1, 2]]])
    mine: Any = engine()
    whole = mine.play(Tables(np.array([[0, 600]]), line_ups, (0,), rotations(3)), compared=True)
    units = np.array([[start, 600 // n] for start in range(0, 600, 600 // n)])
    parts = mine.play(Tables(units, np.repeat(line_ups, n, axis=0), (0,), rotations(3)), compared=True)
    assert np.array_equal(parts.seats.sum(axis=0), whole.seats[0])
    assert np.array_equal(parts.products.sum(axis=0), whole.products[0])
    assert np.array_equal(parts.orders.sum(axis=0), whole.orders[0])
    for mine, theirs in zip(parts.arrays()[3:], whole.arrays()[3:], strict=True):
        assert np.array_equal(mine, theirs)
