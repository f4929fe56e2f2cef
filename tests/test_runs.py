"""Runs: what is committed is read back bit for bit, in whatever order, parts and processes it came."""

import random
import subprocess
import sys
import zlib
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays_of
from run_samples import QUESTION, as_bytes, begun, contents, expected, sums

from analyzer.errors import BadInputError, WoolsimError
from analyzer.packing import compress, decompress, pack, unpack
from analyzer.runs import WHOLE, Part, Run, merge

PLAYER = Path(__file__).with_name("run_samples.py")

integer_arrays = arrays_of.arrays(
    st.one_of(arrays_of.integer_dtypes(endianness="="), arrays_of.unsigned_integer_dtypes(endianness="=")),
    arrays_of.array_shapes(min_dims=0, max_dims=4, min_side=0, max_side=4),
)


# Arrays as bytes


@settings(max_examples=50)
@given(st.dictionaries(st.text(max_size=5), integer_arrays, max_size=4))
def test_arrays_come_back_as_they_were(arrays: dict[str, np.ndarray]) -> None:
    back = unpack(decompress(compress(pack(arrays))))
    assert as_bytes(back) == as_bytes(arrays)
    assert all(array.flags.writeable and array.flags.aligned for array in back.values())


def test_equal_arrays_are_equal_bytes_however_they_lie_in_memory() -> None:
    table = np.arange(12).reshape(3, 4)
    same = [{"b": table, "a": table.T}, {"a": np.ascontiguousarray(table.T), "b": table.astype(">i8")}]
    assert pack(same[0]) == pack(same[1])


@pytest.mark.parametrize("array", [np.zeros(2), np.array(["a"]), np.array([True]), np.array([None])])
def test_only_integers_are_sums(array: np.ndarray) -> None:
    with pytest.raises(TypeError, match="share: sums are integers"):
        pack({"share": array})


# One run


def test_a_run_opens_with_its_question_extent_and_part(tmp_path: Path) -> None:
    with Run.create(tmp_path / "a" / "run", QUESTION, extent=5, part=Part(2, 3)) as run:
        assert (run.question, run.extent, run.part, run.damage) == (QUESTION, 5, (2, 3), None)
    with Run.open(tmp_path / "a" / "run", write=False) as run:
        assert (run.question, run.extent, run.part, run.done()) == (QUESTION, 5, (2, 3), set())


def test_a_run_is_one_file_whenever_no_commit_is_under_way(tmp_path: Path) -> None:
    with begun(tmp_path, [3]):
        assert [path.name for path in tmp_path.iterdir()] == ["run.sqlite"]


def test_blocks_come_in_the_order_of_their_numbers_whatever_the_order_of_commits(tmp_path: Path) -> None:
    numbers = [0, 1, 2, 7, 10**12]
    for at in range(3):
        order = random.Random(at).sample(numbers, len(numbers))
        with begun(tmp_path / str(at), order) as run:
            assert run.done() == set(numbers)
            assert list(contents(run)) == numbers
            assert contents(run) == expected(numbers)


def test_a_run_is_continued_by_the_same_question_and_never_asks_for_less(tmp_path: Path) -> None:
    with Run.create(tmp_path, QUESTION, extent=5, part=Part(1, 2)) as run:
        run.commit(1, sums(1))
    with Run.create(tmp_path, dict(reversed(QUESTION.items())), extent=3) as run:
        assert (run.extent, run.part, contents(run)) == (5, (1, 2), expected([1]))
        run.extend(9)
        run.extend(7)
        run.take(WHOLE)
    with Run.open(tmp_path, write=False) as run:
        assert (run.extent, run.part) == (9, WHOLE)


def test_another_question_is_refused_with_the_difference_and_changes_nothing(tmp_path: Path) -> None:
    begun(tmp_path, [1]).close()
    before = (tmp_path / "run.sqlite").read_bytes()
    mine = {"name": "mine.csv", "hash": "1f2e9c7055"}
    with pytest.raises(BadInputError, match=r"the deck differs: reconstructed \(8d6f0a11\) there, mine.csv") as caught:
        Run.create(tmp_path, QUESTION | {"deck": mine}, extent=9)
    assert str(tmp_path) in str(caught.value)
    assert (tmp_path / "run.sqlite").read_bytes() == before


def test_without_blocks_a_run_takes_another_question_and_who_played_the_old_one_commits_no_more(tmp_path: Path) -> None:
    other = QUESTION | {"seed": 7}
    with begun(tmp_path) as old, Run.create(tmp_path, other, extent=9, part=Part(2, 3)) as run:
        assert (run.question, run.extent, run.part) == (other, 9, Part(2, 3))
        with pytest.raises(WoolsimError, match="began it anew with another question"):
            old.commit(0, sums(0))
        run.commit(1, sums(1))
        assert contents(run) == expected([1])
    with Run.open(tmp_path, write=True) as run:
        assert (run.question, run.damage) == (other, None)
        with pytest.raises(BadInputError, match="the seed differs: 7 there"):
            run.ask(QUESTION, 3)


def test_a_part_is_refused_where_blocks_of_another_one_are(tmp_path: Path) -> None:
    Run.create(tmp_path, QUESTION, part=Part(1, 3)).close()
    with Run.create(tmp_path, QUESTION, part=Part(2, 3)) as run:
        run.commit(1, sums(1))
    with pytest.raises(BadInputError, match="has blocks of part 2 of 3, and part 1 of 3 is asked for now"):
        Run.create(tmp_path, QUESTION, part=Part(1, 3))
    with Run.create(tmp_path, QUESTION, part=WHOLE) as run:
        assert run.part == WHOLE


def test_a_block_may_be_committed_twice_but_not_with_other_sums(tmp_path: Path) -> None:
    with begun(tmp_path, [4]) as run:
        run.commit(4, sums(4))
        with pytest.raises(WoolsimError, match="block 4 has other sums than those just played"):
            run.commit(4, sums(5))
        assert contents(run) == expected([4])


def test_a_block_is_the_same_though_compressed_otherwise(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another machine may have another zlib."""
    begun(tmp_path / "a", [0, 1]).close()
    monkeypatch.setattr("analyzer.runs.compress", lambda packed: zlib.compress(packed, 9))
    a, b = Run.open(tmp_path / "a", write=False), begun(tmp_path / "b", [1, 2])
    with a, b, merge(tmp_path / "both", [a, b]) as both:
        assert contents(both) == expected(range(3))


@pytest.mark.parametrize("number", [-1, -(10**9)])
def test_blocks_are_counted_from_0(number: int, tmp_path: Path) -> None:
    with begun(tmp_path) as run, pytest.raises(ValueError, match="counted from 0"):
        run.commit(number, sums(0))


def test_block_numbers_may_be_numpy_integers(tmp_path: Path) -> None:
    with begun(tmp_path) as run:
        run.commit(np.int32(3), sums(3))  # type: ignore[arg-type]
        assert contents(run) == expected([3])


def test_who_only_reads_cannot_change_a_run(tmp_path: Path) -> None:
    begun(tmp_path).close()
    with Run.open(tmp_path, write=False) as run:
        for change in (lambda: run.commit(0, sums(0)), lambda: run.extend(3), lambda: run.take(Part(1, 2))):
            with pytest.raises(WoolsimError, match="cannot be written"):
                change()


# Parts


def test_parts_divide_a_run_without_rest() -> None:
    for of in (1, 2, 3, 7):
        owners = [[k for k in range(1, of + 1) if Part(k, of).has(at)] for at in range(20)]
        assert all(len(owner) == 1 for owner in owners)
        assert {owner[0] for owner in owners} == set(range(1, of + 1))


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 0, 1), (1, 2, 0)])
def test_merged_parts_are_the_run_bit_for_bit_in_any_order(order: tuple[int, ...], tmp_path: Path) -> None:
    for k in range(3):
        with Run.create(tmp_path / str(k), QUESTION, extent=10 + k, part=Part(k + 1, 3)) as run:
            for number in range(11):
                if run.part.has(number) or number == 4:  # block 4 is in all parts
                    run.commit(number, sums(number))
    parts = [Run.open(tmp_path / str(k), write=False) for k in order]
    with merge(tmp_path / "all", parts) as whole:
        assert contents(whole) == expected(range(11))
        assert (whole.extent, whole.part) == (12, WHOLE)
    with merge(tmp_path / "all", parts[:1]) as again:
        assert contents(again) == expected(range(11))
    for part in parts:
        part.close()


def test_merging_into_one_of_the_parts_adds_the_others(tmp_path: Path) -> None:
    with begun(tmp_path / "a", [0, 2]) as a, begun(tmp_path / "b", [1]) as b, merge(tmp_path / "a", [a, b]) as whole:
        assert contents(whole) == expected(range(3))


def test_runs_of_different_questions_are_not_merged(tmp_path: Path) -> None:
    other = QUESTION | {"seed": 7}
    with begun(tmp_path / "a", [0]) as a, Run.create(tmp_path / "b", other) as b:
        with pytest.raises(BadInputError, match=r"b: the seed differs: 9223372036854775808 there, 7 here") as caught:
            merge(tmp_path / "new" / "c", [a, b])
        assert str(tmp_path / "a") in str(caught.value)
        b.commit(1, sums(1))
        with pytest.raises(BadInputError, match="the seed differs"):
            merge(tmp_path / "b", [a])
        assert contents(b) == expected([1])
    assert not (tmp_path / "new").exists()


def test_contradicting_runs_are_not_merged_and_nothing_is_left_behind(tmp_path: Path) -> None:
    with begun(tmp_path / "a", [0, 1]) as a, begun(tmp_path / "b", [2]) as b, begun(tmp_path / "c", [3]) as c:
        b.commit(1, sums(0))
        for folder in ("new", "c"):
            with pytest.raises(
                WoolsimError, match=f"{folder}.run.sqlite: block 1 has other sums than in .*b.run.sqlite"
            ):
                merge(tmp_path / folder, [a, b])
        assert contents(c) == expected([3])
    assert not (tmp_path / "new").exists()


# Processes


def test_processes_that_commit_to_one_run_at_once_leave_every_block_whole(tmp_path: Path) -> None:
    """One goes up, one goes down: they meet in the middle and commit the same blocks."""
    spans = [("0", "40"), ("39", "-1")]
    players = [
        subprocess.Popen([sys.executable, PLAYER, tmp_path, *span], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        for span in spans
    ]
    for player in players:
        assert player.communicate(timeout=60)[1] == b""
        assert player.returncode == 0
    with Run.open(tmp_path, write=False) as run:
        assert run.damage is None
        assert contents(run) == expected(range(40))


def test_a_reader_who_takes_his_time_keeps_nobody_from_committing(tmp_path: Path) -> None:
    with begun(tmp_path, range(3)) as run, Run.open(tmp_path, write=False) as reader:
        blocks = reader.blocks()
        next(blocks)
        run.commit(3, sums(3))
        assert [number for number, _ in blocks] == [1, 2]
        assert reader.done() == {0, 1, 2, 3}
