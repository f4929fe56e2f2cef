"""Who plays which block elsewhere: workers that come, go, stand still or are slow, in a time that tests make pass."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field

import numpy as np
import pytest

from analyzer.dispatch import (
    DESERTED,
    LAST_WAIT,
    MOST_LOSSES,
    PER_THREAD,
    SOONEST,
    Answer,
    ClusterError,
    Dispatch,
    LostError,
    Roll,
    Worker,
)
from analyzer.errors import BadInputError, GameFaultError, Sitting
from analyzer.plan import Block
from analyzer.remote import UnpreparedError
from analyzer.tournament import Ended

CALL_EVERY = 0.5


def blocks(n: int) -> list[Block]:
    return [Block(number, 0, number, number + 1) for number in range(n)]


@dataclass
class Fellow:
    """A worker: seconds for a block, and whether it stands still, refuses or is gone."""

    seconds: float = 0.1
    threads: int = 1
    still: bool = False
    refuses: Exception | None = None
    forgetful: int = 0
    queue: list[tuple[float, int, Block | None]] = field(default_factory=list)
    free: float = 0.0
    begun: list[Block] = field(default_factory=list)


class Fake:
    """A cluster whose clock goes on when somebody waits; `happenings` are things that happen at a time."""

    def __init__(self, **workers: Fellow) -> None:
        self.workers, self.now, self.called = dict(workers), 0.0, -1.0
        self.happenings: list[tuple[float, Callable[[], object]]] = []
        self.dropped: set[int] = set()
        self.prepared: list[str] = []
        self.most_asked = 0
        self.answers: list[Answer] = []
        self.closed = False

    def clock(self) -> float:
        return self.now

    def prepare(self, worker: Worker, ticket: int) -> None:
        self.prepared.append(worker.id)
        self._queue(worker, ticket, None)

    def play(self, worker: Worker, block: Block, ticket: int) -> None:
        self._queue(worker, ticket, block)

    def drop(self, tickets: Iterable[int]) -> None:
        self.dropped |= set(tickets)

    def close(self) -> None:
        self.closed = True

    def event(self, seconds: float) -> Roll | Answer | None:
        end = self.now + seconds
        while True:
            self._happen()
            if self.answers:
                return self.answers.pop(0)
            if self.now >= self.called + CALL_EVERY:
                self.called = self.now
                return Roll(tuple(self._roll()))
            if self.now >= end:
                return None
            self.now += 0.01

    def _roll(self) -> Iterator[Worker]:
        for name, fellow in self.workers.items():
            yield Worker(name, f"tcp://{name}", fellow.threads, -1.0 if fellow.still else self.now)

    def _queue(self, worker: Worker, ticket: int, block: Block | None) -> None:
        fellow = self.workers.get(worker.id)
        if fellow is None:
            return
        fellow.free = max(fellow.free, self.now) + (fellow.seconds if block else 0.5) / fellow.threads
        fellow.queue.append((fellow.free, ticket, block))
        self.most_asked = max(self.most_asked, sum(block is not None for _, _, block in fellow.queue))

    def _happen(self) -> None:
        for at, what in [each for each in self.happenings if each[0] <= self.now]:
            self.happenings.remove((at, what))
            what()
        for fellow in self.workers.values():
            while fellow.queue and fellow.queue[0][0] <= self.now and not fellow.still:
                _, ticket, block = fellow.queue.pop(0)
                if ticket not in self.dropped:
                    self.answers.append(self._answer(fellow, ticket, block))

    def _answer(self, fellow: Fellow, ticket: int, block: Block | None) -> Answer:
        if block is None:
            return Answer(ticket, error=fellow.refuses)
        fellow.begun.append(block)
        if fellow.forgetful:
            fellow.forgetful -= 1
            return Answer(ticket, error=UnpreparedError("job"))
        return Answer(ticket, {"number": np.array([block.number])})

    def loses(self, name: str) -> Callable[[], object]:
        return lambda: self.workers.pop(name)

    def times_begun(self, block: Block) -> int:
        return sum(fellow.begun.count(block) for fellow in self.workers.values())


class Faulty(Fake):
    """A cluster in which a strategy does something illegal in all blocks from one on."""

    def __init__(self, first: int, **workers: Fellow) -> None:
        super().__init__(**workers)
        self.first = first

    def _answer(self, fellow: Fellow, ticket: int, block: Block | None) -> Answer:
        answer = super()._answer(fellow, ticket, block)
        if block is None or block.number < self.first:
            return answer
        return Answer(ticket, error=GameFaultError("mine.py:3: bid answered 99", Sitting(block.number, (0, 1))))


def played(fake: Fake, n: int = 40, said: list[str] | None = None) -> list[Block]:
    """Play blocks to the end; each comes once, with its own sums."""
    with Dispatch(fake, blocks(n), (said if said is not None else []).append, fake.clock) as playing:
        found = []
        for block, arrays in playing:
            assert not isinstance(arrays, GameFaultError)
            assert arrays["number"].tolist() == [block.number]
            found.append(block)
    assert sorted(found) == blocks(n)
    assert fake.closed
    return found


def test_every_block_is_played_once_and_few_are_with_a_worker() -> None:
    fake = Fake(a=Fellow(), b=Fellow(threads=3))
    played(fake)
    assert all(fake.times_begun(block) == 1 for block in blocks(40))
    assert fake.most_asked <= 3 * PER_THREAD
    assert fake.prepared == ["a", "b"]
    assert len(fake.workers["b"].begun) > 2 * len(fake.workers["a"].begun)


def test_no_blocks_need_no_workers() -> None:
    assert played(Fake(), 0) == []


def test_blocks_of_a_lost_worker_are_played_by_others() -> None:
    fake, said = Fake(a=Fellow(), b=Fellow(), c=Fellow()), list[str]()
    fake.happenings = [(1.2, fake.loses("b")), (2.0, fake.loses("c"))]
    played(fake, 60, said)
    assert [("tcp://b" in line, "tcp://c" in line) for line in said] == [(True, False), (False, True)]


def test_a_worker_that_joins_later_gets_ready_and_helps() -> None:
    fake = Fake(a=Fellow())
    fake.happenings = [(2.0, lambda: fake.workers.update(late=Fellow()))]
    played(fake, 80)
    assert fake.prepared == ["a", "late"]
    assert len(fake.workers["late"].begun) > 15


def test_a_worker_that_stands_still_holds_up_nobody() -> None:
    fake = Fake(a=Fellow(), b=Fellow())
    fake.happenings = [(1.5, lambda: setattr(fake.workers["b"], "still", True))]
    played(fake)
    assert fake.now < 1.5 + 40 * 0.1 + SOONEST + 3


def test_what_a_slow_worker_has_is_played_by_others_and_its_late_results_do_not_count() -> None:
    fake = Fake(a=Fellow(), slow=Fellow(seconds=4.0), b=Fellow())
    played(fake, 200)
    assert fake.now < 20
    assert any(fake.times_begun(block) == 2 for block in blocks(200))


def test_a_block_that_others_wait_for_is_played_again_while_there_is_more_to_do() -> None:
    """Where results decide, later rounds are played meanwhile: a block in the first must not wait for all of them."""
    fake = Fake(a=Fellow(), slow=Fellow(seconds=500.0))
    found = played(fake, 150)
    assert found.index(blocks(2)[1]) < 60


def test_blocks_of_all_lengths_are_not_taken_for_slow_ones_at_once() -> None:
    fake = Fake(a=Fellow(seconds=0.2), b=Fellow(seconds=0.6))
    played(fake, 60)
    assert all(fake.times_begun(block) == 1 for block in blocks(60))


def test_without_workers_it_ends_after_a_while() -> None:
    fake = Fake(a=Fellow())
    fake.happenings = [(1.0, fake.loses("a"))]
    with pytest.raises(ClusterError, match="no worker has been heard of for 30 seconds"):
        played(fake)
    assert DESERTED <= fake.now < DESERTED + 5


def test_workers_that_all_stand_still_end_it_too() -> None:
    fake = Fake(a=Fellow(still=True), b=Fellow(still=True))
    with pytest.raises(ClusterError, match="no worker has been heard of"):
        played(fake)


def test_it_waits_for_workers_to_come_back() -> None:
    fake = Fake(a=Fellow())
    fake.happenings = [(1.0, fake.loses("a")), (20.0, lambda: fake.workers.update(b=Fellow()))]
    played(fake)


def test_a_block_that_takes_its_workers_with_it_ends_the_run() -> None:
    fake = Fake(**{f"w{at}": Fellow(seconds=3.0) for at in range(1)})

    def replaced(at: int) -> Callable[[], object]:
        return lambda: (fake.workers.pop(f"w{at}"), fake.workers.update({f"w{at + 1}": Fellow(seconds=3.0)}))

    fake.happenings = [(2.0 * (at + 1), replaced(at)) for at in range(MOST_LOSSES + 1)]
    with pytest.raises(ClusterError, match=rf"{MOST_LOSSES} workers were lost while they played deals 0 to 0"):
        played(fake, 1)


def test_a_worker_that_was_started_again_gets_ready_again() -> None:
    fake = Fake(a=Fellow(forgetful=2))
    played(fake)
    assert fake.prepared == ["a", "a"]


def test_a_worker_that_could_not_be_reached_is_asked_again() -> None:
    fake = Fake(a=Fellow(refuses=LostError("connection")))
    fake.happenings = [(1.4, lambda: setattr(fake.workers["a"], "refuses", None))]
    played(fake)
    assert len(fake.prepared) > 1


def test_a_worker_that_can_never_be_reached_ends_the_run() -> None:
    fake = Fake(a=Fellow(), b=Fellow(refuses=LostError("no connection")))
    with pytest.raises(ClusterError, match="worker tcp://b cannot be reached: no connection"):
        played(fake, 1000)


def test_a_worker_that_differs_ends_the_run_with_its_name() -> None:
    fake = Fake(a=Fellow(refuses=BadInputError("the numba differs")))
    with pytest.raises(BadInputError, match="worker tcp://a: the numba differs"):
        played(fake)


def test_a_fault_in_a_game_comes_with_its_block_and_keeps_no_other_back() -> None:
    fake = Faulty(7, a=Fellow(), slow=Fellow(seconds=4.0), b=Fellow())
    with Dispatch(fake, blocks(40), lambda _: None, fake.clock) as playing:
        ended = dict(playing)
    assert sorted(ended) == blocks(40)
    for block, found in ended.items():
        if block.number < 7:
            assert not isinstance(found, GameFaultError)
        else:
            assert isinstance(found, GameFaultError)
            assert (str(found), found.sitting.game) == ("mine.py:3: bid answered 99", block.number)


def test_a_block_is_taken_only_when_it_is_given_to_somebody() -> None:
    """What was finished before may have said that nothing more is to be begun."""
    fake, taken, asked = Fake(a=Fellow(), b=Fellow()), list[Block](), set[Block]()
    play = fake.play

    def asking(worker: Worker, block: Block, ticket: int) -> None:
        asked.add(block)
        play(worker, block, ticket)

    fake.play = asking  # type: ignore[method-assign]
    with Dispatch(fake, (taken.append(block) or block for block in blocks(40)), lambda _: None, fake.clock) as playing:
        for _ in playing:
            assert set(taken) == asked
    assert taken == blocks(40)


def interrupted(fake: Fake, after: int) -> list[Block]:
    """Return the blocks that come after Ctrl-C when so many were finished."""
    with Dispatch(fake, blocks(1000), lambda _: None, fake.clock) as playing:
        for at, _ in enumerate(playing, 1):
            if at == after:
                return [block for block, _ in playing.in_flight()]
    raise AssertionError


def test_after_ctrl_c_what_was_begun_is_finished_and_what_waits_is_not() -> None:
    fake = Fake(a=Fellow(threads=2), b=Fellow())
    found = interrupted(fake, 20)
    assert 1 <= len(found) <= 3
    assert len(set(found)) == len(found)


def test_after_ctrl_c_faults_keep_no_other_block_back() -> None:
    assert len(interrupted(Faulty(20, a=Fellow(threads=2), b=Fellow(seconds=0.11)), 20)) > 1


def test_a_block_whose_answer_ctrl_c_came_upon_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    fake, taken_in, answers = Fake(a=Fellow()), Dispatch._taken_in, 0

    def interrupted_once(self: Dispatch) -> Iterator[Ended]:
        nonlocal answers
        answers += isinstance(self._event, Answer)
        if answers == 5:
            answers += 1
            raise KeyboardInterrupt
        return taken_in(self)

    monkeypatch.setattr(Dispatch, "_taken_in", interrupted_once)
    with Dispatch(fake, blocks(1000), lambda _: None, fake.clock) as playing:
        found = list[Block]()
        with suppress(KeyboardInterrupt):
            for block, _ in playing:
                found.append(block)
        before = len(found)
        found += [block for block, _ in playing.in_flight()]
    assert len(found) > before
    assert found == blocks(1000)[: len(found)]
    assert fake.now < LAST_WAIT


def test_after_ctrl_c_nobody_waits_long_for_a_worker_that_stands_still() -> None:
    fake = Fake(a=Fellow(), b=Fellow())
    fake.happenings = [(1.6, lambda: setattr(fake.workers["b"], "still", True))]
    interrupted(fake, 15)
    assert fake.now < 3 + LAST_WAIT + 1


def test_after_ctrl_c_lost_workers_are_not_replaced() -> None:
    fake = Fake(a=Fellow(seconds=5.0), b=Fellow())
    fake.happenings = [(1.7, fake.loses("a"))]
    begun = fake.now
    assert len(interrupted(fake, 5)) <= 1
    assert fake.now - begun < LAST_WAIT


def test_compiling_is_said_if_it_takes_long() -> None:
    class Slow(Fake):
        def _queue(self, worker: Worker, ticket: int, block: Block | None) -> None:
            super()._queue(worker, ticket, block)
            if block is None:
                self.workers[worker.id].queue[-1] = (self.now + 5.0, ticket, None)

    said = list[str]()
    played(Slow(a=Fellow()), 5, said)
    assert len(said) == 1
    assert said[0].startswith("Compiling on the workers")
    quick = list[str]()
    played(Fake(a=Fellow()), 5, quick)
    assert quick == []
