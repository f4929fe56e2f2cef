"""Threads that do pieces of work: each once, few at a time, and what goes wrong loses nothing that was begun."""

import threading
import time
from collections.abc import Iterator
from itertools import count

import pytest

from analyzer.blocks import Workers

WAIT = 10.0
"""Seconds after which a test that hangs fails."""


def square(piece: int) -> int:
    return piece * piece


class Work:
    """Squares pieces; notes which were begun, fails at some, and lets some wait for a gate."""

    def __init__(self, bad: int | None = None, waiting: tuple[int, ...] = ()) -> None:
        self.bad, self.waiting = bad, waiting
        self.begun: list[int] = []
        self.gate = threading.Event()

    def __call__(self, piece: int) -> int:
        self.begun.append(piece)
        if piece in self.waiting:
            assert self.gate.wait(WAIT)
        if piece == self.bad:
            raise ZeroDivisionError(piece)
        return square(piece)

    def wait_until_begun(self, *pieces: int) -> None:
        end = time.monotonic() + WAIT
        while not set(pieces) <= set(self.begun):
            assert time.monotonic() < end
            time.sleep(0.001)


@pytest.mark.parametrize("threads", [1, 2, 3, 8])
@pytest.mark.parametrize("n", [0, 1, 2, 7, 200])
def test_each_piece_is_done_once_and_yielded_with_its_result(n: int, threads: int) -> None:
    work = Work()
    with Workers(work, range(n), threads) as workers:
        found = list(workers)
    assert sorted(found) == [(piece, square(piece)) for piece in range(n)]
    assert sorted(work.begun) == list(range(n))


def test_the_same_piece_may_come_twice() -> None:
    with Workers(square, [3, 3, 3], 2) as workers:
        assert list(workers) == [(3, 9)] * 3


@pytest.mark.parametrize("threads", [1, 2, 4])
def test_no_more_than_two_pieces_a_thread_are_taken_at_once(threads: int) -> None:
    """Pieces are taken as they are needed, so that there may be any number of them."""
    taken = 0

    def pieces() -> Iterator[int]:
        nonlocal taken
        for piece in count():
            taken = piece + 1
            yield piece

    with Workers(square, pieces(), threads) as workers:
        for had, _ in enumerate(workers):
            assert taken - had <= 2 * threads
            if had == 50:
                break
    assert taken <= 51 + 2 * threads


def test_a_piece_that_takes_long_keeps_no_other_from_being_yielded() -> None:
    work = Work(waiting=(0,))
    with Workers(work, range(20), 2) as workers:
        order = []
        for piece, _ in workers:
            order.append(piece)
            if len(order) == 19:
                work.gate.set()
    assert order[-1] == 0
    assert sorted(order) == list(range(20))


@pytest.mark.parametrize("threads", [1, 3])
def test_an_error_is_raised_and_nothing_is_begun_afterwards(threads: int) -> None:
    work, had = Work(bad=10), list[int]()
    with pytest.raises(ZeroDivisionError, match="10"), Workers(work, range(1000), threads) as workers:
        had.extend(piece for piece, _ in workers)
    assert 10 not in had
    assert len(work.begun) <= len(had) + 1 + 2 * threads
    begun = len(work.begun)
    time.sleep(0.02)
    assert len(work.begun) == begun


def test_after_an_error_the_pieces_in_flight_can_be_had() -> None:
    """The one that failed has had its say: it keeps nothing back that was begun beside it."""
    work = Work(bad=0, waiting=(1, 2))
    with Workers(work, range(1000), 3) as workers:
        with pytest.raises(ZeroDivisionError):
            next(iter(workers))
        work.wait_until_begun(1, 2)
        work.gate.set()
        found = dict(workers.in_flight())
    assert found.keys() == set(work.begun) - {0}
    assert found == {piece: square(piece) for piece in found}


def test_in_flight_yields_what_was_begun_and_begins_nothing() -> None:
    work = Work(waiting=(1, 2))
    with Workers(work, range(1000), 2) as workers:
        assert next(iter(workers)) == (0, 0)
        work.wait_until_begun(1, 2)
        later = threading.Timer(0.05, work.gate.set)
        later.start()
        assert sorted(workers.in_flight()) == [(1, 1), (2, 4)]
        assert not list(workers.in_flight())
    assert sorted(work.begun) == [0, 1, 2]


def test_an_error_in_flight_is_raised_and_the_others_can_still_be_had() -> None:
    work = Work(bad=1, waiting=(1, 2))
    with Workers(work, range(1000), 2) as workers:
        assert next(iter(workers)) == (0, 0)
        work.wait_until_begun(1, 2)
        threading.Timer(0.05, work.gate.set).start()
        found = []
        with pytest.raises(ZeroDivisionError):
            found += workers.in_flight()
        found += workers.in_flight()
    assert [piece for piece, _ in found] in ([2], [])
    assert sorted(work.begun) == [0, 1, 2]


def test_leaving_early_waits_for_what_was_begun() -> None:
    work = Work(waiting=(1, 2))
    with Workers(work, range(1000), 2) as workers:
        assert next(iter(workers)) == (0, 0)
        work.wait_until_begun(1, 2)
        threading.Timer(0.05, work.gate.set).start()
    assert sorted(work.begun) == [0, 1, 2]
    assert work.gate.is_set()


def test_an_error_in_what_yields_pieces_is_raised() -> None:
    def pieces() -> Iterator[int]:
        yield 1
        raise LookupError("no more")

    with pytest.raises(LookupError, match="no more"), Workers(square, pieces(), 2) as workers:
        list(workers)
