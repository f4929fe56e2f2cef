"""Blocks given to workers elsewhere, which may come, go, stand still or be slow: who plays what, and what again.

Nothing here knows how workers are reached. A few blocks are with each worker at any time. A block whose worker is lost,
or that takes much longer than others do, is given to another one too, and the first result counts: results are the same
bit for bit, so it makes no difference which.
"""

import time
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from statistics import median
from types import TracebackType
from typing import Final, NamedTuple, Protocol, Self

from analyzer.errors import BadInputError, GameFaultError, WoolsimError
from analyzer.plan import Block
from analyzer.remote import UnpreparedError
from analyzer.tournament import Arrays, Ended

TICK: Final = 0.25
"""Seconds between two looks at what takes long."""
PER_THREAD: Final = 2
"""Blocks with a worker, for each of its threads: it need not wait for the next one."""
OVERDUE: Final = 5.0
"""A block that takes so many times as long as the median of the last ones is given to another worker too ..."""
SOONEST: Final = 1.0
"""... but not before so many seconds."""
TIMES_KEPT: Final = 100
SILENT: Final = 10.0
"""Seconds without a sign of life after which a worker gets nothing more, and its blocks are given to others."""
DESERTED: Final = 30.0
"""Seconds without any worker after which a run ends."""
MOST_LOSSES: Final = 4
"""Workers that may be lost with a block, and how often one may not be reached."""
LAST_WAIT: Final = 15.0
"""Seconds after Ctrl-C in which blocks that were begun can still be finished."""
NOTICED: Final = 1.0
"""Seconds of compiling before it is said."""


class Worker(NamedTuple):
    """A worker.

    Parameters
    ----------
    id : str
        Never used again.
    address : str
        For people.
    threads : int
    seen : float
        Changes with every sign of life.
    """

    id: str
    address: str
    threads: int
    seen: float


class Roll(NamedTuple):
    """The workers there are."""

    workers: tuple[Worker, ...]


class Answer(NamedTuple):
    """What came of a request: an error or, for a block, its sums."""

    ticket: int
    arrays: Arrays | None = None
    error: Exception | None = None


class ClusterError(WoolsimError):
    """Workers can no longer be had; what is finished is not touched by that."""


class LostError(Exception):
    """A request has come to nothing, as happens when a worker is lost."""


class Link(Protocol):
    """How workers are reached. Requests return at once; answers and rolls come as events."""

    def prepare(self, worker: Worker, ticket: int) -> None:
        """Ask a worker to get ready."""

    def play(self, worker: Worker, block: Block, ticket: int) -> None:
        """Ask a worker to play a block."""

    def drop(self, tickets: Iterable[int]) -> None:
        """Forget requests: nobody waits for their answers."""

    def close(self) -> None:
        """Forget all requests, and send no more events."""

    def event(self, seconds: float) -> Roll | Answer | None:
        """Return the next event, None if there is none for so long.

        Raises
        ------
        ClusterError
            When workers can no longer be reached at all.
        """


@dataclass(eq=False)
class _Flight:
    """A block that is not finished."""

    block: Block
    workers: set[str] = field(default_factory=set)
    latest: float = 0.0
    losses: int = 0
    waits: bool = False


@dataclass(eq=False)
class _Hand:
    """A worker and what it was asked for."""

    worker: Worker
    heard: float
    ready: bool = False
    tickets: dict[int, None] = field(default_factory=dict)

    @property
    def load(self) -> float:
        """Requests for each thread."""
        return len(self.tickets) / self.worker.threads


class Dispatch:
    """Blocks being played by workers elsewhere; meets :class:`~analyzer.tournament.Finished`.

    Parameters
    ----------
    link : Link
    blocks : iterable of Block
        Taken as workers become free.
    say : callable (text)
        Told what people should know: workers that are lost, compilation.
    clock : callable
        Seconds.

    Raises
    ------
    BadInputError
        While iterating, when a worker refuses to get ready.
    ClusterError
        While iterating: no workers left, or a block that takes its workers with it.
    WoolsimError
        While iterating: what a block raised, but a policy's fault is yielded with its block.
    """

    def __init__(
        self,
        link: Link,
        blocks: Iterable[Block],
        say: Callable[[str], None],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._link, self._blocks, self._say, self._clock = link, iter(blocks), say, clock
        self._next: Block | None = None
        self._hands: dict[str, _Hand] = {}
        self._asked: dict[int, tuple[_Hand, _Flight | None, float]] = {}
        self._flights: dict[Block, _Flight] = {}
        self._again: deque[_Flight] = deque()
        self._times: deque[float] = deque(maxlen=TIMES_KEPT)
        self._unreached: Counter[str] = Counter()
        self._tickets, self._ending = 0, False
        self._event: Roll | Answer | None = None
        self._begun = self._peopled = self._looked = clock()
        self._told = False

    def __iter__(self) -> Iterator[Ended]:
        while self._flights or self._coming() is not None:
            self._look()
            self._give()
            yield from self._heard()

    def in_flight(self) -> Iterator[Ended]:
        """Begin nothing new, and yield what was begun, for :data:`LAST_WAIT` seconds at most."""
        self._next, self._blocks = None, iter(())
        self._ending, end = True, self._clock() + LAST_WAIT
        self._again.clear()
        yield from self._taken_in()  # once more: Ctrl-C may have come on the way
        for hand in self._hands.values():
            of_blocks = [ticket for ticket in hand.tickets if self._asked[ticket][1] is not None]
            self._drop(of_blocks[hand.worker.threads :])  # a worker begins them in their order
        while self._clock() < end and any(
            flight is not None and flight.block in self._flights for _, flight, _ in self._asked.values()
        ):
            try:
                yield from self._heard()
            except WoolsimError:
                return  # that it was interrupted is what is said

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        """Let go of everything; workers finish what they have begun for nobody."""
        self._link.close()

    def _heard(self) -> Iterator[Ended]:
        self._event = self._link.event(TICK)
        yield from self._taken_in()

    def _taken_in(self) -> Iterator[Ended]:
        if isinstance(self._event, Roll):
            self._call(self._event)
        elif self._event is not None:
            yield from self._answered(self._event)

    def _call(self, roll: Roll) -> None:
        """Take note of who is there."""
        now, there = self._clock(), {worker.id: worker for worker in roll.workers}
        for gone in [hand for hand in self._hands.values() if hand.worker.id not in there]:
            self._lose(gone)
        for worker in roll.workers:
            hand = self._hands.get(worker.id)
            if hand is None and not self._ending:
                self._hands[worker.id] = hand = _Hand(worker, now)
                self._prepare(hand)
            elif hand is not None and hand.worker != worker:
                hand.worker, hand.heard = worker, now

    def _prepare(self, hand: _Hand) -> None:
        hand.ready = False
        self._link.prepare(hand.worker, self._ticket(hand, None))

    def _ticket(self, hand: _Hand, flight: _Flight | None) -> int:
        self._tickets += 1
        self._asked[self._tickets] = (hand, flight, self._clock())
        hand.tickets[self._tickets] = None
        return self._tickets

    def _lose(self, hand: _Hand) -> None:
        """Give the blocks of a worker that is gone to others."""
        del self._hands[hand.worker.id]
        flights = [flight for ticket in hand.tickets if (flight := self._asked[ticket][1]) is not None]
        self._drop(hand.tickets)
        if self._ending:
            return
        self._say(f"Note: worker {hand.worker.address} is gone; what it had begun is played by others")
        for flight in flights:
            self._play_again(flight, hand)

    def _play_again(self, flight: _Flight, without: _Hand) -> None:
        """Give a block that has come to nothing to somebody."""
        flight.workers.discard(without.worker.id)
        flight.losses += 1
        if flight.losses >= MOST_LOSSES:
            _, group, start, stop = flight.block
            raise ClusterError(
                f"{flight.losses} workers were lost while they played deals {start:,} to {stop - 1:,} of the line-ups "
                f"of block {flight.block.number} (group {group}): a strategy may bring them down, or their memory is "
                "too small"
            )
        if self._flights.get(flight.block) is flight and not flight.workers:
            self._wait(flight)

    def _wait(self, flight: _Flight) -> None:
        if not flight.waits:
            flight.waits = True
            self._again.append(flight)

    def _drop(self, tickets: Iterable[int]) -> None:
        tickets = list(tickets)
        for ticket in tickets:
            self._asked.pop(ticket)[0].tickets.pop(ticket)
        self._link.drop(tickets)

    def _answered(self, answer: Answer) -> Iterator[Ended]:
        if answer.ticket not in self._asked:
            return
        hand, flight, begun = self._asked.pop(answer.ticket)
        del hand.tickets[answer.ticket]
        if flight is None:
            self._got_ready(hand, answer.error)
        elif self._flights.get(flight.block) is flight:
            if isinstance(answer.error, GameFaultError):
                del self._flights[flight.block]
                yield flight.block, answer.error
            elif answer.error is not None:
                self._failed(hand, flight, answer.error)
            elif answer.arrays is not None:
                self._times.append(self._clock() - begun)
                del self._flights[flight.block]
                yield flight.block, answer.arrays

    def _got_ready(self, hand: _Hand, error: Exception | None) -> None:
        if isinstance(error, BadInputError):
            raise BadInputError(f"worker {hand.worker.address}: {error}") from error
        if error is None:
            hand.ready = True
        elif isinstance(error, LostError):
            self._hands.pop(hand.worker.id, None)  # if it is still there, the next roll brings it back
            self._unreached[hand.worker.id] += 1
            if self._unreached[hand.worker.id] >= MOST_LOSSES:
                raise ClusterError(f"worker {hand.worker.address} cannot be reached: {error}") from error
        else:
            raise error

    def _failed(self, hand: _Hand, flight: _Flight, error: Exception) -> None:
        if isinstance(error, UnpreparedError):
            if hand.ready and hand.worker.id in self._hands and not self._ending:
                self._prepare(hand)
        elif not isinstance(error, LostError):
            raise error
        if not self._ending:
            self._play_again(flight, hand)

    def _look(self) -> None:
        """Notice what takes long: blocks, workers, compilation."""
        now = self._clock()
        if now - self._looked < TICK:
            return
        self._looked = now
        alive = {hand.worker.id for hand in self._hands.values() if not self._is_silent(hand)}
        if alive:
            self._peopled = now
        elif now - self._peopled > DESERTED:
            raise ClusterError(f"no worker has been heard of for {DESERTED:g} seconds")
        limit = max(SOONEST, OVERDUE * median(self._times)) if self._times else float("inf")
        for flight in self._flights.values():
            if now - flight.latest > limit or flight.workers.isdisjoint(alive):
                self._wait(flight)
        if not self._told and now - self._begun > NOTICED:
            self._told = True
            if self._hands and not any(hand.ready for hand in self._hands.values()):
                self._say("Compiling on the workers, as at their first use; this takes some seconds.")

    def _is_silent(self, hand: _Hand) -> bool:
        return self._clock() - hand.heard > SILENT

    def _give(self) -> None:
        """Give blocks to whoever has room, one at a time to who has the least to do."""
        free = [hand for hand in self._hands.values() if hand.ready and not self._is_silent(hand)]
        while free := [hand for hand in free if hand.load < PER_THREAD]:
            hand = min(free, key=lambda hand: hand.load)
            flight = self._flight_for(hand)
            if flight is None:
                free.remove(hand)
                continue
            flight.workers.add(hand.worker.id)
            flight.latest = self._clock()
            self._link.play(hand.worker, flight.block, self._ticket(hand, flight))

    def _flight_for(self, hand: _Hand) -> _Flight | None:
        """Return what a worker should play next: what somebody else has had for too long, or something new."""
        for flight in list(self._again):
            if self._flights.get(flight.block) is not flight:
                self._again.remove(flight)
            elif hand.worker.id not in flight.workers:
                self._again.remove(flight)
                flight.waits = False
                return flight
        block = self._coming()
        if block is None:
            return None
        self._next, flight = None, _Flight(block)
        self._flights[block] = flight
        return flight

    def _coming(self) -> Block | None:
        """Return the next block to begin; it is not taken before, as what is finished may say that there is none."""
        if self._next is None:
            self._next = next(self._blocks, None)
        return self._next
