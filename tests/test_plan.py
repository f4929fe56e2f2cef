"""The plan: every game of every line-up exactly once, in blocks that are the same for everybody."""

import time
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tournament_samples import cut_plan, line_ups_of, round_robin

from analyzer.blocks import MAX_GAMES
from analyzer.errors import BadInputError
from analyzer.plan import (
    FEWEST_BATCHES,
    FEWEST_CELLS,
    LINE_UPS_IN_MEMORY,
    MOST_BATCHES,
    MOST_CELLS,
    UNITS_PER_ROUND,
    Block,
    Plan,
)
from analyzer.runs import Part


@st.composite
def plans(draw: st.DrawFn) -> Plan:
    """Draw a plan of some player counts, with rounds of few rotation blocks or of many."""
    counts = draw(st.lists(st.integers(2, 6), min_size=1, max_size=3, unique=True))
    line_ups = [np.zeros((draw(st.integers(1, 20)), players), np.int64) for players in counts]
    return cut_plan(line_ups, draw(st.sampled_from([1, 7, 60, 500, 3000])))


Spans = list[list[tuple[int, int]]]
"""(start, stop) of the blocks of each group, in order."""


def some_played(plan: Plan, data: st.DataObject, extents: list[int]) -> list[Block]:
    """Return blocks that are there when some of those missing are played, for one extent after the other."""
    there: list[Block] = []
    for extent in extents:
        missing = list(plan.missing(plan.by_turn(there), extent))
        there += data.draw(st.lists(st.sampled_from(missing), unique=True)) if missing else []
    return there


def all_usable(plan: Plan, there: list[Block], extent: int) -> list[Block]:
    by_turn = plan.by_turn(there)
    return [block for start, stop in plan.rounds(0, extent) for block in plan.usable(by_turn, start, stop)]


def is_whole(plan: Plan, blocks: list[Block], extent: int) -> bool:
    """Return whether the blocks of every group follow each other without gap from 0 to the extent."""
    spans: Spans = [[] for _ in plan.groups]
    for block in sorted(blocks, key=lambda block: block.start):
        spans[block.group].append((block.start, block.stop))
    return all(
        [start for start, _ in own] == [0, *(stop for _, stop in own[:-1])] and own[-1][1] == extent for own in spans
    )


# Blocks


@settings(deadline=None)
@given(plans(), st.lists(st.integers(1, 150), min_size=1, max_size=4), st.data())
def test_whatever_is_there_the_missing_blocks_make_it_whole(
    plan: Plan, extents: list[int], data: st.DataObject
) -> None:
    """Extents in any order: blocks may be there that end beyond what is asked for now."""
    *before, extent = extents
    there = some_played(plan, data, before)
    missing = list(plan.missing(plan.by_turn(there), extent))
    there += missing
    assert len({block.number for block in there}) == len(there)
    assert is_whole(plan, all_usable(plan, there, extent), extent)
    assert set(missing) <= set(all_usable(plan, there, extent))
    assert not list(plan.missing(plan.by_turn(there), extent))


@settings(deadline=None)
@given(plans(), st.lists(st.integers(1, 150), min_size=2, max_size=4), st.data())
def test_nothing_is_played_twice_where_a_run_only_grows(plan: Plan, extents: list[int], data: st.DataObject) -> None:
    *before, extent = sorted(extents)
    there = some_played(plan, data, before)
    there += plan.missing(plan.by_turn(there), extent)
    assert is_whole(plan, there, extent)


@settings(deadline=None)
@given(plans(), st.integers(1, 150), st.integers(1, 150))
def test_what_is_missing_from_the_middle_of_a_round_on_begins_there(plan: Plan, start: int, more: int) -> None:
    there = list(plan.missing({}, start))
    there += plan.missing(plan.by_turn(there), start + more, start)
    assert is_whole(plan, there, start + more)


@settings(deadline=None)
@given(plans(), st.integers(1, 150), st.integers(1, 12))
def test_the_games_and_blocks_of_each_part_are_those_of_its_blocks(plan: Plan, extent: int, of: int) -> None:
    blocks = list(plan.missing({}, extent))
    for part in (Part(number, of) for number in range(1, of + 1)):
        own = [one for one in blocks if plan.has(part, one)]
        assert plan.games_of(extent, part) == sum(map(plan.games_in, own))
        assert plan.blocks_of(extent, part) == len(own)
    assert plan.games_of(extent) == extent * plan.games


@settings(deadline=None)
@given(plans(), st.integers(1, 150), st.integers(1, 150))
def test_a_block_lies_in_one_round_and_is_known_by_its_number(plan: Plan, extent: int, other: int) -> None:
    blocks = {*plan.missing({}, extent), *plan.missing({}, other)}
    assert len({block.number for block in blocks}) == len(blocks)
    for block in blocks:
        assert block.start // plan.span == (block.stop - 1) // plan.span
        assert plan.block(block.number) == block


def test_numbers_of_blocks_fit_in_a_run_file() -> None:
    for line_ups in (1, 3, 8855, 10**6):
        plan = Plan((np.zeros((line_ups, 2), np.int64),))
        last = list(plan.missing({}, plan.stride, plan.stride - 1))[-1]
        assert plan.block(last.number) == last
        assert 0 <= last.number < 2**63


@settings(deadline=None)
@given(plans(), st.integers(1, 150))
def test_rounds_come_one_after_the_other(plan: Plan, extent: int) -> None:
    """What can be looked at first is played first."""
    blocks = list(plan.missing({}, extent))
    turns = [plan.turn(block) for block in blocks]
    assert turns == sorted(turns)
    assert [block.start for block in blocks] == sorted(block.start for block in blocks)
    assert sum(stop - start for start, stop in plan.rounds(0, extent)) == extent


@settings(deadline=None)
@given(plans(), st.integers(1, 60), st.integers(1, 60), st.integers(1, 5))
def test_parts_share_all_blocks_whatever_the_extent(plan: Plan, extent: int, more: int, of: int) -> None:
    """A part that has played for a smaller extent goes on with its own turns."""
    blocks: list[Block] = []
    for part in (Part(number, of) for number in range(1, of + 1)):
        mine: list[Block] = []
        for asked in (extent, extent + more):
            mine += [block for block in plan.missing(plan.by_turn(mine), asked) if plan.has(part, block)]
        blocks += mine
    assert is_whole(plan, blocks, extent + more)


def test_parts_share_the_work_evenly() -> None:
    plan = round_robin(4, 2, 3, games_per_block=20)
    shares = [plan.blocks_of(30, Part(number, 4)) for number in range(1, 5)]
    assert sum(shares) == len(list(plan.missing({}, 30)))
    assert max(shares) - min(shares) <= len(plan.groups)


def test_a_part_has_all_line_ups() -> None:
    """Else it would compare strategies that have had different opponents."""
    plan = Plan((line_ups_of(20, 4),))
    assert len(plan.groups) == 2
    for part in (Part(1, 2), Part(2, 2)):
        mine = [block for block in plan.missing({}, 4) if plan.has(part, block)]
        assert {block.group for block in mine} == {0, 1}


def test_blocks_have_about_as_many_games_as_they_should() -> None:
    for strategies, players in ((2, (2,)), (5, (4,)), (8, (2, 3, 4)), (12, (4,)), (20, (4,)), (9, (6,))):
        plan = Plan(tuple(line_ups_of(strategies, count) for count in players))
        sizes = []
        for block in plan.missing({}, 2 * plan.span):
            part, first, last = plan.groups[block.group]
            sizes.append((block.stop - block.start) * plan.line_ups[part][first:last].size)
        assert max(sizes) <= 20_000
        assert sum(sizes) == 2 * plan.span * plan.games
        # A round that would be larger is cut, and what is left over from cutting may be small.
        assert sorted(sizes)[len(sizes) // 2] >= 10_000 / len(players)


# Games


def games_of(plan: Plan, block: Block) -> list[tuple[tuple[int, ...], int]]:
    """Return (line-up, game number) of each rotation block that a block plays."""
    tables = plan.tables(block)
    return [
        (tuple(line_up.tolist()), game)
        for (start, n), (line_up,) in zip(tables.units.tolist(), tables.line_ups, strict=True)
        for game in range(start, start + n)
    ]


@pytest.mark.parametrize("games_per_block", [1, 30, 200, 1000])
@pytest.mark.parametrize("extent", [1, 7, 23])
def test_each_line_up_plays_its_own_games_each_once(games_per_block: int, extent: int) -> None:
    plan = round_robin(3, 2, 3, 4, games_per_block=games_per_block)
    played = [pair for block in plan.missing({}, extent) for pair in games_of(plan, block)]
    by_line_up: dict[tuple[int, ...], list[int]] = {}
    for line_up, game in played:
        by_line_up.setdefault(line_up, []).append(game)
    every = [tuple(line_up) for part in plan.line_ups for line_up in part.tolist()]
    assert by_line_up.keys() == set(every)
    for at, line_up in enumerate(every):
        assert sorted(by_line_up[line_up]) == [at * plan.stride + game for game in range(extent)]


@pytest.mark.parametrize("n", [1, 2, 3, 7, 8855, 10**6])
def test_game_numbers_of_line_ups_never_meet_and_have_room_in_a_stream(n: int) -> None:
    plan = Plan((np.zeros((n, 2), np.int64),))
    most = plan.stride
    assert n * most <= MAX_GAMES < 2**40
    last = plan.tables(Block(0, len(plan.groups) - 1, most - 1, most)).units
    assert last[-1].tolist() == [n * most - 1, 1]
    if n > 1:
        first_two = plan.tables(Block(0, 0, most - 1, most)).units[:2, 0]
        assert first_two[1] - first_two[0] == most


def test_tables_of_a_line_up_play_the_same_games_and_count_in_a_block() -> None:
    tables = np.stack([np.array([[0, 2, 2], [0, 2, 3]]), np.array([[1, 2, 2], [1, 2, 3]])], axis=1)
    plan = cut_plan([tables], 24, (0, 0))
    assert (plan.n_line_ups, plan.games, plan.span, len(plan.groups)) == (2, 12, 2, 1)
    played = plan.tables(next(plan.missing({}, 2)))
    assert played.units.tolist() == [[0, 2], [plan.stride, 2]]
    assert played.line_ups.tolist() == tables.tolist()
    assert played.settings == (0, 0)


# Cells and batches


@settings(deadline=None)
@given(plans(), st.integers(0, 100), st.integers(1, 100), st.integers(1, 9))
def test_a_cell_lies_in_one_grain(plan: Plan, start: int, length: int, grain: int) -> None:
    plan.__dict__["grain"] = grain
    cells = plan.cells(Block(0, 0, start, start + length)).tolist()
    assert [first for first, _ in cells] == [start, *(first + n for first, n in cells[:-1])]
    assert sum(n for _, n in cells) == length
    assert all(n > 0 and first // grain == (first + n - 1) // grain for first, n in cells)
    assert all(cell[0] // grain + 1 == other[0] // grain for cell, other in pairwise(cells))


def test_a_round_has_few_cells() -> None:
    for strategies, players in ((2, 2), (3, 2), (5, 4), (8, 3)):
        plan = Plan((line_ups_of(strategies, players),))
        assert plan.grain >= 1
        cells = len(plan.cells(Block(0, 0, 0, plan.span)))
        assert cells <= 2 * MOST_CELLS
        assert cells * plan.n_line_ups <= 2 * UNITS_PER_ROUND or cells <= 2 * FEWEST_CELLS


@pytest.mark.parametrize(("n", "batches"), [(1, 20), (8855, 20), (20_000, 10), (24_000, 8), (10**5, 8)])
def test_batches_become_fewer_where_memory_would_not_do(n: int, batches: int) -> None:
    plan = Plan((np.zeros((n, 2), np.int64),))
    assert plan.batches == batches
    assert FEWEST_BATCHES <= plan.batches <= MOST_BATCHES
    assert plan.batches == FEWEST_BATCHES or plan.batches * n <= LINE_UPS_IN_MEMORY


def test_a_round_of_what_is_compared_is_one_cell_and_all_are_one_batch() -> None:
    plan = Plan((np.array([[[0, 2], [1, 2]]]),), (0, 0))
    assert (plan.grain, plan.batches) == (plan.span, 1)
    assert plan.span > MOST_CELLS
    for start, stop in ((0, plan.span), (plan.span + 7, 2 * plan.span)):
        assert plan.cells(Block(0, 0, start, stop)).tolist() == [[start, stop - start]]


def test_line_ups_of_a_block_come_with_their_cells_in_the_order_of_the_tally(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("analyzer.plan.MOST_CELLS", 10)
    plan = round_robin(3, 3, games_per_block=60 * 30)
    assert (plan.span, plan.grain) == (60, 6)
    tables = plan.tables(Block(0, 0, 4, 15))
    assert tables.line_ups[:, 0].tolist() == [line_up for line_up in plan.line_ups[0].tolist() for _ in range(3)]
    assert tables.units[:4].tolist() == [[4, 2], [6, 6], [12, 3], [plan.stride + 4, 2]]
    assert tables.seating.tolist() == [[0, 1, 2], [2, 0, 1], [1, 2, 0]]


# Big fields


def test_a_field_of_8855_line_ups_is_planned_at_once() -> None:
    line_ups = line_ups_of(20, 4)
    assert len(line_ups) == 8855
    begun = time.perf_counter()
    plan = Plan((line_ups,))
    blocks = list(plan.missing({}, 200))
    games = sum(int(plan.tables(block).units[:, 1].sum()) for block in blocks)
    assert time.perf_counter() - begun < 1
    assert games == 200 * 8855


def test_what_is_missing_of_a_long_run_is_found_fast() -> None:
    plan = Plan((line_ups_of(2, 2),))
    there = list(plan.missing({}, 10**6))
    assert len(there) == -(-(10**6) // plan.span)
    begun = time.perf_counter()
    assert not list(plan.missing(plan.by_turn(there), 10**6))
    assert time.perf_counter() - begun < 1


def test_blocks_of_a_larger_extent_are_the_same() -> None:
    """Nothing but the line-ups decides: not what is done, nor how much is asked for."""
    one, other = round_robin(4, 2, 3), round_robin(4, 2, 3)
    assert set(one.missing({}, 2 * one.span)) < set(other.missing({}, 5 * one.span))


def test_more_deals_than_a_line_up_has_game_numbers_are_refused() -> None:
    plan = Plan((np.array([[0, 0], [0, 1]]),))
    plan.check_extent(plan.stride)
    with pytest.raises(BadInputError, match="of each is the most"):
        plan.check_extent(plan.stride + 1)
