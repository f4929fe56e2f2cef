"""Sums by line-up: adding, joining batches, refusing what does not fit."""

from dataclasses import fields, replace

import numpy as np
import pytest

from analyzer.line_up_sums import LineUpSums

LINE_UPS = np.array([[0, 0], [0, 1], [1, 1]])


def some_sums(seed: int, batches: int | None = None) -> LineUpSums:
    rng = np.random.default_rng(seed)
    nothing = LineUpSums.nothing(LINE_UPS)
    lead = () if batches is None else (batches,)
    arrays = {
        field.name: rng.integers(0, 100, lead + getattr(nothing, field.name).shape)
        for field in fields(LineUpSums)
        if field.name != "line_ups"
    }
    return LineUpSums(LINE_UPS, **arrays)


def assert_equal(a: LineUpSums, b: LineUpSums) -> None:
    for field in fields(LineUpSums):
        np.testing.assert_array_equal(getattr(a, field.name), getattr(b, field.name))


def test_a_total_over_joined_sums_is_their_sum() -> None:
    a, b = some_sums(1), some_sums(2)
    assert_equal(LineUpSums.joined([a, b]).total(), a + b)


def test_batches_are_joined_one_after_the_other() -> None:
    joined = LineUpSums.joined([some_sums(1, batches=2), some_sums(2), some_sums(3, batches=3)])
    assert joined.batched
    assert joined.blocks.shape == (6, 3)
    np.testing.assert_array_equal(joined.seats[2], some_sums(2).seats)
    np.testing.assert_array_equal(joined.wins[3:], some_sums(3, batches=3).wins)


def test_a_total_without_batches_is_the_same_sums() -> None:
    assert_equal(some_sums(1).total(), some_sums(1))


def test_groups_share_out_the_batches_in_order() -> None:
    batches = [some_sums(seed) for seed in range(5)]
    groups = LineUpSums.joined(batches).groups(2)
    assert_equal(groups[0], batches[0] + batches[1] + batches[2])
    assert_equal(groups[1], batches[3] + batches[4])
    assert len(LineUpSums.joined(batches).groups(20)) == 5


def test_what_was_added_can_be_left_out() -> None:
    assert_equal(some_sums(1) + some_sums(2) - some_sums(2), some_sums(1))


def test_no_games_change_no_sum() -> None:
    assert_equal(some_sums(1) + LineUpSums.nothing(LINE_UPS), some_sums(1))


def test_sums_of_other_line_ups_or_batches_are_not_added() -> None:
    other = replace(some_sums(1), line_ups=np.array([[0, 0], [0, 2], [2, 2]]))
    with pytest.raises(ValueError, match="different line-ups"):
        some_sums(1) + other
    with pytest.raises(ValueError, match="different line-ups"):
        LineUpSums.joined([some_sums(1), other])
    with pytest.raises(ValueError, match="different batches"):
        some_sums(1, batches=2) + some_sums(1)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"line_ups": np.arange(2)}, "line_ups has shape"),
        ({"line_ups": np.array([[0, 0], [1, 0], [1, 1]])}, "ascending"),
        ({"line_ups": LINE_UPS - 1}, "indices"),
        ({"blocks": np.ones((1, 1, 3), np.int64)}, "blocks has shape"),
        ({"blocks": np.array([1, -1, 1])}, "negative"),
        ({"wins": np.zeros((3, 3), np.int64)}, "wins has shape"),
        ({"scores": np.zeros((3, 2))}, "float64"),
        ({"orders": np.zeros((3, 3), np.int64)}, "orders has shape"),
        ({"win_products": np.zeros((2, 3, 2, 2), np.int64)}, "win_products has shape"),
    ],
)
def test_arrays_that_do_not_fit_are_refused(change: dict[str, np.ndarray], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        replace(some_sums(1), **change)
