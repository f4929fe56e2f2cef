"""What a worker elsewhere does: it makes an engine from what it is sent, once, and plays blocks with it.

Whatever decides about figures is compared first with what the sender has: versions, architecture, sources. Sums travel
as a run file keeps them, compressed.
"""

import os
import pickle
import platform
import weakref
from collections import OrderedDict
from collections.abc import Callable, Mapping
from concurrent.futures import Future, InvalidStateError
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from importlib.metadata import version
from threading import Lock, Thread, Timer
from typing import Any, Final

from analyzer import __version__
from analyzer.errors import BadInputError, GameFaultError, Sitting, WoolsimError
from analyzer.game import Engine
from analyzer.packing import compress, pack
from analyzer.plan import Block, Plan
from analyzer.questions import difference, digest
from analyzer.tally import block_arrays
from analyzer.watchdog import Watchdog

_LIBRARIES: Final = ("numba", "llvmlite", "numpy", "distributed")
"""Those that decide how code is compiled, what numbers are, and how blocks travel."""

MOST_JOBS: Final = 8
"""Jobs that a worker keeps ready; it may serve several people."""

LEAVING: Final = 5.0
"""Seconds after which a worker ends whose strategy does not come back: time for the message to get away."""


@cache
def software() -> dict[str, str]:
    """Return what must be the same here and there for figures to be the same bit for bit."""
    return {
        "woolsim": __version__,
        "Python": platform.python_version(),
        **{name: version(name) for name in _LIBRARIES},
        "C library": " ".join(platform.libc_ver()).strip() or "of the system",
        "system": f"{platform.system()} {platform.machine()}",
    }


@dataclass(frozen=True)
class Order:
    """How to make an engine elsewhere.

    Parameters
    ----------
    make : function (recipe, sources) -> Engine
        At the top of a module, so that its name says all.
    recipe : mapping
        What is played, as data for JSON.
    sources : mapping of SHA-256 to bytes
        What it refers to.
    """

    make: Callable[[Mapping[str, Any], Mapping[str, bytes]], Engine]
    recipe: Mapping[str, Any]
    sources: Mapping[str, bytes]

    def check(self) -> None:
        """Refuse sources that have arrived as others.

        Raises
        ------
        BadInputError
        """
        for name, source in self.sources.items():
            if sha256(source).hexdigest() != name:
                raise BadInputError(f"a source has arrived with other contents: its SHA-256 is not {name}")


class UnpreparedError(Exception):
    """A worker does not know the job: it has been started again, or has had others meanwhile."""


@dataclass
class Job:
    """Blocks of a plan, played by an engine."""

    engine: Engine
    plan: Plan

    def play(self, block: Block, stall: float) -> bytes:
        """Return the sums of a block, packed and compressed.

        Raises
        ------
        GameFaultError
            When a policy did something illegal, or a game has not ended for `stall` seconds; then nothing can end the
            game that is played, so this process ends soon.
        """
        found: Future[bytes] = Future()

        def play() -> None:
            try:
                arrays = block_arrays(self.engine.play(self.plan.tables(block), compared=True), block)
                outcome, error = compress(pack(arrays)), None
            except Exception as caught:  # whatever it is, it belongs to whoever asked
                outcome, error = b"", caught
            with suppress(InvalidStateError):
                found.set_exception(error) if error else found.set_result(outcome)

        def alarm(who: str, sitting: Sitting, seconds: float) -> None:
            with suppress(InvalidStateError):
                found.set_exception(GameFaultError(f"{who} has not answered for {seconds:g} seconds", sitting))
                _end_process()

        Thread(target=play, daemon=True, name="woolsim-block").start()
        with Watchdog(self.engine, stall, alarm):
            return found.result()


def request(work: Callable[..., Any], *arguments: Any) -> bytes:
    """Return a request that :func:`answer` understands."""
    return pickle.dumps((work, arguments))


def answer(asked: bytes, software_there: Mapping[str, str]) -> bytes:
    """Do what was asked if the software is the same as where it was asked; :func:`outcome` reads what came of it.

    Request and answer are bytes for whatever carries them: only who asks and who answers needs this package.
    """
    try:
        found = difference(software(), software_there)
        if found:
            raise BadInputError(f"{found}; install the same at both places")
        work, arguments = pickle.loads(asked)  # noqa: S301 - whoever can ask can run anything here
        return pickle.dumps((work(*arguments), None))
    except Exception as error:  # whatever it is, it belongs to whoever asked
        try:
            pickle.loads(pickle.dumps(error))  # noqa: S301 - just made
        except Exception:  # an error that cannot travel
            error = WoolsimError(f"{type(error).__name__}: {error}")
        return pickle.dumps((None, error))


def outcome(answered: bytes) -> Any:
    """Return what came of a request, or raise what it raised."""
    found, error = pickle.loads(answered)  # noqa: S301 - from a worker that we chose
    if error is not None:
        raise error
    return found


_preparing = Lock()
_engines: "weakref.WeakValueDictionary[str, Engine]" = weakref.WeakValueDictionary()
_jobs: "OrderedDict[str, Job]" = OrderedDict()


def prepare(name: str, order: Order, plan: Plan) -> None:
    """Make a job ready on this worker; an engine that it has already is used again.

    Raises
    ------
    BadInputError
        When this worker cannot play it, or would play it otherwise.
    """
    order.check()
    recipe = digest(order.recipe)
    with _preparing:
        engine = _engines.get(recipe)
        if engine is None:
            _engines[recipe] = engine = order.make(order.recipe, order.sources)
        _jobs[name] = Job(engine, plan)
        while len(_jobs) > MOST_JOBS:
            _jobs.popitem(last=False)


def play_block(name: str, block: tuple[int, int, int, int], stall: float) -> bytes:
    """Play a block of a job that was made ready; :meth:`Job.play` says more.

    Raises
    ------
    UnpreparedError
        When there is no such job here.
    """
    with _preparing:
        job = _jobs.get(name)
        if job is None:
            raise UnpreparedError(name)
        _jobs.move_to_end(name)
    return job.play(Block(*block), stall)


def _end_process() -> None:
    """End this process soon: the compiled code that does not come back would keep a core busy for ever.

    What a worker is usually started with (a Dask nanny) starts another one.
    """
    timer = Timer(LEAVING, os._exit, (1,))
    timer.daemon = True
    timer.start()
