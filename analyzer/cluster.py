"""Blocks on a Dask cluster: finding the scheduler, sending work, and hearing of results and workers.

A block goes to a worker that we choose (:mod:`analyzer.dispatch` says why), as a Dask task of its own. Results come by
way of the scheduler, so that this machine need not reach the workers.
"""

import asyncio
import logging
import re
import time
import uuid
import warnings
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from queue import Empty, SimpleQueue
from types import TracebackType
from typing import TYPE_CHECKING, Any, Final, Self

from analyzer.dispatch import Answer, ClusterError, Dispatch, LostError, Roll, Worker
from analyzer.errors import BadInputError, WoolsimError
from analyzer.packing import decompress, unpack
from analyzer.plan import Block, Plan
from analyzer.remote import Order, UnpreparedError, outcome, play_block, prepare, request, software
from analyzer.tournament import Executor

if TYPE_CHECKING:
    from concurrent.futures import Future

ANSWER_WITHIN: Final = 6.0
"""Seconds in which a scheduler must answer."""
LOST_AFTER: Final = 30.0
"""Seconds without an answer after which a scheduler is given up though its connection is open: it may be busy."""
WORKERS_WITHIN: Final = 30.0
"""Seconds in which a scheduler must have its first worker."""
WAITING_SAID: Final = 1.0
CALL_EVERY: Final = 0.5
"""Seconds between two looks at which workers there are."""
CLOSE_WITHIN: Final = 2.0
_LONGEST_REASON: Final = 100

_NOISY: Final = {"distributed", "tornado", "asyncio", "bokeh"}

_CALL: Final = "__import__('analyzer.remote', fromlist=['answer']).answer(asked, software)"
"""What a task evaluates: so the scheduler need not have this package, and a worker that has not can say so."""

_ADDRESS: Final = re.compile(r"(tcp|tls)://(\[[0-9A-Fa-f:.]+\]|[^\s/:\[\]]+):([0-9]{1,5})")


def check_address(address: str) -> str:
    """Return the address of a scheduler.

    Raises
    ------
    BadInputError
        When it is none.
    """
    found = _ADDRESS.fullmatch(address)
    if found is None or not 1 <= int(found[3]) <= 65_535:
        raise BadInputError(f"{address!r}: the address of a Dask scheduler is needed, as in tcp://192.168.0.5:8786")
    return address


class Cluster:
    """A connection to a Dask cluster that has a worker; use as a context.

    Parameters
    ----------
    address : str
        As ``tcp://HOST:PORT``.
    say : callable (text)
        Told what people should know.

    Raises
    ------
    BadInputError
        When the package is missing, the scheduler does not answer within :data:`ANSWER_WITHIN` seconds, or it has no
        worker for :data:`WORKERS_WITHIN` seconds.
    """

    def __init__(self, address: str, say: Callable[[str], None]) -> None:
        self.address, self._say = check_address(address), say
        self._quiet = _quiet()

    def __enter__(self) -> Self:
        self._quiet.__enter__()
        try:
            self._client = self._connected()
            try:
                self._wait_for_workers()
            except BaseException:
                self._close()
                raise
        except BaseException:
            self._quiet.__exit__(None, None, None)
            raise
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._close()
        self._quiet.__exit__(None, None, None)

    def executor(self, order: Order, plan: Plan, stall: float) -> Executor:
        """Return what plays blocks of a plan on the workers, with the engine that an order says.

        A game that has not ended for `stall` seconds is a fault of who was asked last.
        """

        def begin(blocks: Iterable[Block]) -> Dispatch:
            return Dispatch(_Link(self._client, self.address, order, plan, stall), blocks, self._say)

        return begin

    def _connected(self) -> Any:
        try:
            import distributed
        except ImportError as error:
            raise BadInputError(f"a cluster needs more packages: pip install 'woolsim[cluster]' ({error})") from None
        connect: Any = distributed.Client
        try:
            # A client waits longer for something that listens and says nothing. In a thread: a notebook has a loop.
            with ThreadPoolExecutor(1) as thread:
                thread.submit(asyncio.run, _answer_of(self.address)).result()
            return connect(self.address, timeout=ANSWER_WITHIN, set_as_default=False)
        except Exception as error:  # whatever a wrong host, port or protocol may lead to
            raise self._silent(error) from None

    def _silent(self, error: Exception) -> BadInputError:
        """Return the error that says that the scheduler does not answer."""
        reason = " ".join(str(error).split())[:_LONGEST_REASON]
        why = "" if isinstance(error, TimeoutError) else f" ({type(error).__name__}: {reason})"
        return BadInputError(
            f"--scheduler {self.address}: does not answer{why}; is it the address that `dask scheduler` prints, and "
            "has it the same version of Dask?"
        )

    def _wait_for_workers(self) -> None:
        begun, said = time.monotonic(), False
        while not self._threads():
            waited = time.monotonic() - begun
            if waited > WORKERS_WITHIN:
                raise BadInputError(
                    f"--scheduler {self.address}: has no worker; start some with: dask worker {self.address}"
                )
            if waited > WAITING_SAID and not said:
                said = True
                self._say(f"Waiting for workers of {self.address}")
            time.sleep(CALL_EVERY)

    def _threads(self) -> dict[str, int]:
        """Return the threads of each worker."""
        try:
            found: dict[str, int] = self._client.sync(self._client.scheduler.ncores, callback_timeout=ANSWER_WITHIN)
        except (OSError, TimeoutError) as error:
            raise self._silent(error) from None
        return found

    def _close(self) -> None:
        with suppress(Exception):  # it may be gone
            self._client.close(timeout=CLOSE_WITHIN)


class _Link:
    """A job on a cluster; meets :class:`~analyzer.dispatch.Link`."""

    def __init__(self, client: Any, address: str, order: Order, plan: Plan, stall: float) -> None:
        self._client, self._address, self._stall = client, address, stall
        self._order, self._plan, self._job = order, plan, uuid.uuid4().hex
        self._events: SimpleQueue[Roll | Answer | ClusterError] = SimpleQueue()
        self._open: dict[int, Future[None]] = {}
        self._loop = client.loop.asyncio_loop
        self._calling = asyncio.run_coroutine_threadsafe(self._call(), self._loop)

    def prepare(self, worker: Worker, ticket: int) -> None:
        """Ask a worker to get ready."""
        self._submit(worker, ticket, prepare, self._job, self._order, self._plan)

    def play(self, worker: Worker, block: Block, ticket: int) -> None:
        """Ask a worker to play a block."""
        self._submit(worker, ticket, play_block, self._job, tuple(block), self._stall)

    def drop(self, tickets: Iterable[int]) -> None:
        """Forget requests."""
        for ticket in tickets:
            asked = self._open.pop(ticket, None)  # none where Ctrl-C came while it was asked, or its answer taken in
            if asked is not None:
                asked.cancel()  # the future is let go of with it, and the task with that

    def close(self) -> None:
        """Forget all requests, and look no more who is there."""
        self._calling.cancel()
        self.drop(list(self._open))

    def event(self, seconds: float) -> Roll | Answer | None:
        """Return the next event, None if there is none for so long."""
        try:
            event = self._events.get(timeout=seconds)
        except Empty:
            return None
        if isinstance(event, ClusterError):
            raise event
        if isinstance(event, Answer):
            self._open.pop(event.ticket, None)
        return event

    def _submit(self, worker: Worker, ticket: int, work: Callable[..., Any], *arguments: Any) -> None:
        asked = self._ask(worker, ticket, work, arguments)
        self._open[ticket] = asyncio.run_coroutine_threadsafe(asked, self._loop)

    async def _ask(self, worker: Worker, ticket: int, work: Callable[..., Any], arguments: tuple[Any, ...]) -> None:
        names = {"asked": request(work, *arguments), "software": software()}
        key = f"woolsim-{uuid.uuid4().hex}"
        try:
            task = self._client.submit(eval, _CALL, names, key=key, workers=[worker.address], pure=False)
            answered = await task
        except Exception as error:  # whatever Dask has to say
            answer = Answer(ticket, error=_of_the_way(error, worker))
        else:
            answer = _read(ticket, answered, worker)
        self._events.put(answer)

    async def _call(self) -> None:
        """Look again and again which workers there are."""
        heard = time.monotonic()
        while True:
            try:
                found = await asyncio.wait_for(self._client.scheduler.identity(n_workers=-1), ANSWER_WITHIN)
            except Exception:  # whatever it is: without the scheduler nothing goes on
                if self._client.status != "running" or time.monotonic() - heard > LOST_AFTER:
                    self._events.put(ClusterError(f"the scheduler {self._address} does not answer any more"))
                    return
            else:
                heard = time.monotonic()
                self._events.put(Roll(tuple(_workers_of(found))))
            await asyncio.sleep(CALL_EVERY)


async def _answer_of(address: str) -> None:
    """Wait until a scheduler has answered, but not for long."""
    from distributed import rpc

    async def ask() -> None:
        call: Any = rpc
        async with call(address, timeout=ANSWER_WITHIN) as scheduler:
            await scheduler.identity(n_workers=0)

    await asyncio.wait_for(ask(), ANSWER_WITHIN)


def _workers_of(identity: Any) -> Iterator[Worker]:
    """Yield the workers that a scheduler says it has."""
    for address, about in identity["workers"].items():
        yield Worker(about["id"], address, about["nthreads"], about["last_seen"])


def _of_the_way(error: Exception, worker: Worker) -> Exception:
    """Return what it means to us that a request was not answered."""
    from distributed import KilledWorker
    from distributed.client import FutureCancelledError

    if isinstance(error, (FutureCancelledError, KilledWorker, OSError)):
        return LostError(str(error))
    if isinstance(error, ImportError):
        return BadInputError(f"{error}; install woolsim[cluster] where the worker runs")
    return _failure(error, worker)


def _failure(error: Exception, worker: Worker) -> WoolsimError:
    return WoolsimError(f"worker {worker.address} failed with {type(error).__name__}: {error}")


def _read(ticket: int, answered: bytes, worker: Worker) -> Answer:
    """Return what a worker's answer says."""
    try:
        sums = outcome(answered)
        return Answer(ticket, unpack(decompress(sums)) if sums is not None else None)
    except (WoolsimError, UnpreparedError) as error:
        return Answer(ticket, error=error)
    except Exception as error:  # whatever went wrong there
        return Answer(
            ticket, error=WoolsimError(f"worker {worker.address} failed with {type(error).__name__}: {error}")
        )


@contextmanager
def _quiet() -> Iterator[None]:
    """Keep what Dask logs and warns of off standard error: whatever matters is an error of ours."""
    with suppress(ImportError):
        import distributed  # noqa: F401 - sets its loggers up

    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", module="distributed")
        warnings.filterwarnings("ignore", "Sending large graph")  # a plan of many line-ups, once for each worker
        names = [name for name in logging.root.manager.loggerDict if name.split(".")[0] in _NOISY]
        levels = {logger: logger.level for logger in map(logging.getLogger, names)}
        try:
            for logger in levels:
                logger.setLevel(logging.CRITICAL + 1)
            yield
        finally:
            for logger, level in levels.items():
                logger.setLevel(level)
