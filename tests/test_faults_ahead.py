"""A policy's fault in games that are played ahead counts only if they do: whatever the threads, workers and order."""

import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from test_dispatch import Fake, Fellow
from tournament_samples import FIELD, QUESTION, OutOfOrder, Played, arrays_of, engine, raising_after, round_robin

from analyzer.dispatch import Answer, Dispatch
from analyzer.errors import GameFaultError, Sitting
from analyzer.game import Tables
from analyzer.plan import Block
from analyzer.runs import Run
from analyzer.tournament import Arrays, Ended, Executor, Stopping, on_threads, play_blocks

PLAN = round_robin(3, 2, 3)
"""Rounds of five deals in two blocks."""
UNTIL = Stopping(until_decided=True, max_games=203)
NEVER = Stopping(target_error=0.01, max_games=38, min_games=12)
BLOCKS = list(PLAN.missing({}, UNTIL.most))
WAIT = 10.0
"""Seconds after which a test that hangs fails."""


@pytest.fixture(scope="module")
def decided(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The run of a tournament without faults: deals of each line-up when it was decided, and all sums."""
    played = Played(tmp_path_factory.mktemp("decided"), PLAN)
    played.play(stopping=UNTIL)
    assert 40 <= played.extent < 190
    return played.all_of_it()


def first_game(block: Block) -> int:
    return int(PLAN.tables(block).units[0, 0])


def fault_in(block: Block) -> GameFaultError:
    game = first_game(block)
    return GameFaultError(f"bid answered 99 in game {game}", Sitting(game, (0, 1)))


def end_of(played: Played, games: int | None = None, **how: Any) -> int | None:
    """Play, and return the game whose fault ends it, None if none does."""
    try:
        played.play(games, **how)
    except GameFaultError as fault:
        return fault.sitting.game
    return None


class Faulty(OutOfOrder):
    """Hands blocks over in an order of its own, some with a fault; knows what was begun when the first was known."""

    def __init__(self, faulty: set[Block], seed: int, ahead: int) -> None:
        super().__init__(PLAN, seed, ahead)
        self.faulty, self.ended, self.begun_before = faulty, list[Block](), list[Block]()

    def _next(self) -> Any:
        block = self.playing.pop(self.random.randrange(len(self.playing)))
        self.ended.append(block)
        if block not in self.faulty:
            return block, arrays_of(PLAN, block)
        self.begun_before = self.begun_before or list(self.begun)
        return block, fault_in(block)


class FaultyEngine:
    """An engine with faults in some blocks; one other block ends only when one of them has been met."""

    def __init__(self, faulty: set[Block], late: Block | None = None) -> None:
        self.faulty = {first_game(block): block for block in faulty}
        self.late, self.met = late and first_game(late), threading.Event()

    def play(self, tables: Tables, *, compared: bool) -> Any:
        game = int(tables.units[0, 0])
        if game in self.faulty:
            self.met.set()
            raise fault_in(self.faulty[game])
        if game == self.late:
            assert self.met.wait(WAIT)
        return engine(*FIELD).play(tables, compared=compared)


def threaded(faulty: set[Block], threads: int, late: Block | None = None) -> Executor:
    engine: Any = FaultyEngine(faulty, late)
    return on_threads(engine, PLAN, threads)


# Never needed


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_a_fault_in_a_round_that_is_not_needed_is_none(threads: int, decided: Any, tmp_path: Path) -> None:
    """The last block that is needed ends after the fault, where there is a thread to meet it."""
    *_, last = PLAN.missing({}, decided[0])
    ahead = next(PLAN.missing({}, UNTIL.most, decided[0]))
    played = Played(tmp_path, PLAN)
    tournament = played.play(stopping=UNTIL, executor=threaded({ahead}, threads, last if threads > 1 else None))
    assert tournament.verdict.stop
    assert played.all_of_it() == decided


def test_after_a_fault_nothing_more_is_begun_and_the_others_are_finished(decided: Any, tmp_path: Path) -> None:
    ahead = next(PLAN.missing({}, UNTIL.most, decided[0]))
    played, executor = Played(tmp_path, PLAN), Faulty({ahead}, seed=1, ahead=12)
    played.play(stopping=UNTIL, executor=executor)
    assert played.all_of_it() == decided
    assert executor.begun == executor.begun_before
    assert executor.ended.index(ahead) < len(executor.ended) - 1


# Needed


@pytest.mark.parametrize("threads", [1, 2, 3])
@pytest.mark.parametrize("which", [[0], [1, 2], [9, 6, 11], [12, 13]])
def test_a_fault_that_is_needed_ends_a_run_and_what_is_before_it_is_kept(
    which: list[int], threads: int, decided: Any, tmp_path: Path
) -> None:
    """Of several faults the first in the order of the games, and again when the run goes on."""
    first, faulty, played = BLOCKS[min(which)], {BLOCKS[at] for at in which}, Played(tmp_path, PLAN)
    for n in (threads, 4 - threads):
        assert end_of(played, stopping=UNTIL, executor=threaded(faulty, n)) == first_game(first)
        assert {block.number for block in BLOCKS[: min(which)]} <= played.numbers
        assert not {block.number for block in faulty} & played.numbers
        assert played.extent == first.start
    played.play(stopping=UNTIL, threads=threads)
    assert played.all_of_it() == decided


@settings(deadline=None, max_examples=25)
@given(st.sets(st.integers(0, len(BLOCKS) - 1), max_size=4), st.integers(0, 2**32), st.integers(1, 12))
def test_order_does_not_decide_what_a_run_ends_with(decided: Any, which: set[int], seed: int, ahead: int) -> None:
    """A fault, exactly if no verdict is reached in the rounds before it: the first one."""
    faulty = [BLOCKS[at] for at in sorted(which)]
    with TemporaryDirectory() as folder:
        played, executor = Played(Path(folder), PLAN), Faulty(set(faulty), seed, ahead)
        ended_with = end_of(played, stopping=UNTIL, executor=executor)
        if faulty and faulty[0].start < decided[0]:
            assert ended_with == first_game(faulty[0])
        else:
            assert ended_with is None
            assert played.all_of_it() == decided
        assert executor.begun == (executor.begun_before or executor.begun)
        assert played.numbers == {block.number for block in executor.ended if block not in faulty}


@settings(deadline=None, max_examples=15)
@given(st.sets(st.integers(0, 9), min_size=1, max_size=3), st.integers(0, 2**32), st.integers(1, 12))
def test_it_is_so_too_in_a_run_whose_end_was_moved_and_that_has_gaps(which: set[int], seed: int, ahead: int) -> None:
    """What is missing below its first end comes first, although some of it lies in the same round as what follows."""
    there = list(PLAN.missing({}, 23))[::3]
    missing = [*PLAN.missing(PLAN.by_turn(there), 23), *PLAN.missing({}, NEVER.most, 23)]
    faulty = [missing[at] for at in sorted(which)]
    with TemporaryDirectory() as folder:
        played = Played(Path(folder), PLAN)
        with Run.create(played.folder, QUESTION, extent=23) as run:
            for block in there:
                run.commit(block.number, arrays_of(PLAN, block))
        for again in range(2):
            executor = Faulty(set(faulty), seed + again, ahead)
            assert end_of(played, stopping=NEVER, executor=executor) == first_game(faulty[0])
        before = {block.number for block in missing[: min(which)]}
        assert before <= played.numbers


@settings(deadline=None, max_examples=10)
@given(st.integers(0, 15), st.integers(0, 2**32), st.integers(1, 12), st.lists(st.integers(1, 9), max_size=3))
def test_interruptions_do_not_decide_it_either(which: int, seed: int, ahead: int, stops: list[int]) -> None:
    faulty = list(PLAN.missing({}, NEVER.most))[which]
    with TemporaryDirectory() as folder:
        played = Played(Path(folder), PLAN)
        for at, blocks in enumerate(stops):
            with suppress(KeyboardInterrupt, GameFaultError):
                executor = Faulty({faulty}, seed + at, ahead)
                played.play(stopping=NEVER, executor=executor, progress=raising_after(blocks))
        executor = Faulty({faulty}, seed, ahead)
        assert end_of(played, stopping=NEVER, executor=executor) == first_game(faulty)


# Where it is not the results that decide


@pytest.mark.parametrize("seed", range(4))
def test_with_a_number_of_games_the_first_fault_that_is_known_ends_a_run(seed: int, tmp_path: Path) -> None:
    faulty = {BLOCKS[3], BLOCKS[5]}
    played, executor = Played(tmp_path, PLAN), Faulty(faulty, seed, 6)
    known = end_of(played, 20, executor=executor)
    *before, last = executor.ended
    assert known == first_game(last)
    assert faulty & set(executor.ended) == {last}
    assert played.numbers == {block.number for block in before}


def test_blocks_that_all_count_end_with_the_first_fault() -> None:
    kept, executor = list[Block](), Faulty({BLOCKS[5]}, 2, 3)

    def keep(block: Block, _: Arrays) -> None:
        kept.append(block)

    with pytest.raises(GameFaultError):
        play_blocks(executor, BLOCKS, keep)
    assert [*kept, BLOCKS[5]] == executor.ended


@pytest.mark.parametrize("stopping", [Stopping(20), UNTIL], ids=["games", "until decided"])
def test_on_ctrl_c_a_fault_in_flight_keeps_nothing_else_back(stopping: Stopping, tmp_path: Path) -> None:
    played, executor = Played(tmp_path, PLAN), Faulty({BLOCKS[1], BLOCKS[2]}, 0, 5)
    with pytest.raises(KeyboardInterrupt):
        played.play(stopping.games, stopping=stopping, executor=executor, progress=raising_after(1))
    assert executor.ended[0] not in executor.faulty
    assert sorted(executor.ended) == BLOCKS[:5]
    assert played.numbers == {block.number for block in (BLOCKS[0], *BLOCKS[3:5])}


# On a cluster


class Cluster(Fake):
    """Workers that play the field, with faults in some blocks."""

    def __init__(self, faulty: set[Block], **workers: Fellow) -> None:
        super().__init__(**workers)
        self.faulty, self.taken = faulty, list[Block]()

    def _answer(self, fellow: Fellow, ticket: int, block: Block | None) -> Answer:
        answer = super()._answer(fellow, ticket, block)
        if block is None:
            return answer
        return Answer(ticket, error=fault_in(block)) if block in self.faulty else Answer(ticket, arrays_of(PLAN, block))

    def __call__(self, blocks: Any) -> Dispatch:
        return Dispatch(self, self._taken(blocks), lambda _: None, self.clock)

    def _taken(self, blocks: Any) -> Iterator[Block]:
        for block in blocks:
            self.taken.append(block)
            yield block


@pytest.mark.parametrize("which", [0, 5, 12, "next", "later"])
def test_workers_of_all_speeds_end_a_run_as_threads_here_do(which: int | str, decided: Any, tmp_path: Path) -> None:
    first, second, third, *_ = PLAN.missing({}, UNTIL.most, decided[0])
    faulty = BLOCKS[which] if isinstance(which, int) else {"next": first, "later": third}[which]
    cluster = Cluster({faulty, second}, a=Fellow(), b=Fellow(seconds=0.35), c=Fellow(threads=2), slow=Fellow(seconds=7))
    played = Played(tmp_path, PLAN)
    ended_with = end_of(played, stopping=UNTIL, executor=cluster)
    if isinstance(which, int):
        assert ended_with == first_game(faulty)
        assert {block.number for block in BLOCKS[:which]} <= played.numbers
    else:
        assert ended_with is None
        assert played.all_of_it() == decided


def test_a_worker_that_is_lost_after_a_fault_has_its_blocks_played_by_others(decided: Any, tmp_path: Path) -> None:
    """Although nothing new is begun any more."""
    ahead = next(PLAN.missing({}, UNTIL.most, decided[0]))
    cluster = Cluster({ahead}, a=Fellow(seconds=0.2), b=Fellow(seconds=0.3))
    played = Played(tmp_path, PLAN)

    def lose(_: int) -> None:
        if ahead in cluster.taken and "b" in cluster.workers:
            del cluster.workers["b"]

    played.play(stopping=UNTIL, executor=cluster, progress=lose)
    assert played.all_of_it() == decided


def test_threads_and_workers_yield_a_fault_with_its_block_and_go_on() -> None:
    faulty = BLOCKS[3]
    for executor in (threaded({faulty}, 2), Cluster({faulty}, a=Fellow(), b=Fellow())):
        ended: list[Ended]
        with executor(BLOCKS[:20]) as playing:
            ended = list(playing)
        assert sorted(block for block, _ in ended) == BLOCKS[:20]
        assert [block for block, found in ended if isinstance(found, GameFaultError)] == [faulty]
