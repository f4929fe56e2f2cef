"""Sums put together from blocks are those of all games at once, whatever the blocks and their order."""

import random
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tournament_samples import FIELD, arrays_of, cut_plan, engine, round_robin, sums_in

from analyzer.errors import BadInputError
from analyzer.field_results import FieldSums
from analyzer.game import Tables, rotations
from analyzer.plan import Block, Plan
from analyzer.tally import Tally

BY_ROW = ("total", "squares", "scores")
BY_PART = ("places", "shared", "extremes")
EXTENT = 23
PLAN = round_robin(3, 2, 3, games_per_block=420)
"""Rounds of ten rotation blocks, cells of one."""

COARSE = round_robin(3, 3, games_per_block=30 * 40)
"""Cells of four rotation blocks: blocks may be cut within one."""


def tally_of(plan: Plan, blocks: list[Block]) -> Tally:
    tally = Tally(plan)
    for block in blocks:
        tally.add(block, arrays_of(plan, block))
    return tally


@cache
def at_once(plan: Plan, part: int, extent: int) -> FieldSums:
    """Return the sums of one call of the engine for all line-ups of a player count."""
    line_ups = plan.line_ups[part]
    before = sum(map(len, plan.line_ups[:part]))
    units = np.array([[(before + at) * plan.stride, extent] for at in range(len(line_ups))])
    return engine(*FIELD).play(Tables(units, line_ups[:, None], (0,), rotations(line_ups.shape[1])), compared=True)


def check_is_all_at_once(tally: Tally, extent: int) -> None:
    whole = [at_once(tally.plan, part, extent) for part in range(len(tally.plan.line_ups))]
    for sums, by_part, expected in zip(tally.line_up_sums(), tally.by_part, whole, strict=True):
        total = sums.total()
        assert (total.blocks == extent).all()
        assert np.array_equal(total.win_products, expected.products[:, 0])
        assert np.array_equal(total.score_products, expected.products[:, 1])
        assert np.array_equal(total.orders, expected.orders[:, 0])
        assert np.array_equal(total.seats, expected.seats)
        assert (total.wins.sum(axis=1) == 60 * extent * sums.players).all()
        for name in (*BY_PART, *BY_ROW):
            assert np.array_equal(by_part[name], getattr(expected, name)), name
        for name in expected.extra:
            assert np.array_equal(by_part[name], expected.extra[name]), name
        assert by_part.keys() == {*BY_PART, *BY_ROW, *expected.extra}


@settings(deadline=None, max_examples=20)
@given(st.integers(0, 2**32))
def test_blocks_in_any_order_add_up_to_one_call_of_the_engine(seed: int) -> None:
    blocks = list(PLAN.missing({}, EXTENT))
    assert len(blocks) == 6
    random.Random(seed).shuffle(blocks)
    check_is_all_at_once(tally_of(PLAN, blocks), EXTENT)


@pytest.mark.parametrize("games_per_block", [1, 60, 20_000])
def test_the_size_of_a_block_changes_no_sum(games_per_block: int) -> None:
    plan = round_robin(3, 2, 3, games_per_block=games_per_block)
    check_is_all_at_once(tally_of(plan, list(plan.missing({}, EXTENT))), EXTENT)


@settings(deadline=None, max_examples=20)
@given(st.lists(st.integers(1, 49), max_size=4))
def test_batches_are_those_of_game_numbers_whatever_the_blocks(extents: list[int]) -> None:
    """Blocks end where a run was once asked to end, also in the middle of a cell."""
    blocks: list[Block] = []
    for extent in [*sorted(extents), 50]:
        blocks += COARSE.missing(COARSE.by_turn(blocks), extent)
    tally, uncut = tally_of(COARSE, blocks), tally_of(COARSE, list(COARSE.missing({}, 50)))
    assert sums_in(tally) == sums_in(uncut)


def test_a_batch_is_every_so_many_cells(monkeypatch: pytest.MonkeyPatch) -> None:
    """Batches are taken by turns, so that one that is begun last has fewer games, and none has more by a whole turn."""
    monkeypatch.setattr("analyzer.plan.MOST_CELLS", 10)
    plan = round_robin(3, 3, games_per_block=30 * 40)
    assert (plan.grain, plan.batches) == (4, 20)
    extent = 2 * 4 * 20 + 4 * 3 + 1
    (sums,) = tally_of(plan, list(plan.missing({}, extent))).line_up_sums()
    assert (sums.blocks.T == [12] * 3 + [9] + [8] * 16).all()
    batch = [start for start in range(0, extent, 4) if start // 4 % 20 == 3]
    units = np.array([[start, min(4, extent - start)] for start in batch])
    line_up = plan.line_ups[0][:1]
    alone = engine(*FIELD).play(
        Tables(units, np.repeat(line_up[None], len(batch), axis=0), (0,), rotations(3)), compared=True
    )
    assert np.array_equal(sums.seats[3, 0], alone.seats.sum(axis=0))
    assert np.array_equal(sums.orders[3, 0], alone.orders.sum(axis=0)[0])


def test_sums_that_are_divided_otherwise_are_refused() -> None:
    plan = round_robin(3, 3)
    block = next(plan.missing({}, plan.span))
    assert len(plan.cells(block)) > 1
    joined = {name: sums[:1] for name, sums in arrays_of(plan, block).items()}
    with pytest.raises(BadInputError, match=rf"block {block.number} .* begin another run"):
        Tally(plan).add(block, joined)


def test_batches_without_games_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("analyzer.plan.MOST_CELLS", 10)
    plan = round_robin(3, 3, games_per_block=30 * 40)
    assert [sums.blocks.shape for sums in Tally(plan).line_up_sums()] == [(0, 10)]
    (sums,) = tally_of(plan, list(plan.missing({}, 5))).line_up_sums()
    assert sums.blocks.tolist() == [[4] * 10, [1] * 10]


def test_tables_that_play_the_same_games_are_added_up_side_by_side() -> None:
    tables = np.stack([np.array([[0, 2, 2], [0, 0, 2]]), np.array([[1, 2, 2], [1, 0, 2]])], axis=1)
    plan = cut_plan([tables], 60, (0, 0))
    tally = tally_of(plan, list(plan.missing({}, EXTENT))[::-1])
    units = np.array([[0, EXTENT], [plan.stride, EXTENT]])
    expected = engine(*FIELD).play(Tables(units, tables, (0, 0), rotations(3)), compared=True)
    (sums,) = tally.parts
    assert sums["blocks"].sum(axis=0).tolist() == [EXTENT] * 2
    for name in ("products", "orders", "seats"):
        assert np.array_equal(sums[name].sum(axis=0), getattr(expected, name)), name
    assert np.array_equal(tally.by_part[0]["total"], expected.total)
