"""A small Dask cluster: a scheduler and worker processes on the loopback address, none of which outlives it."""

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import TracebackType
from typing import Self

ROOT = Path(__file__).parent.parent
STARTED_WITHIN = 240.0
QUIET = {"DASK_DISTRIBUTED__WORKER__PROFILE__ENABLED": "False"}


def until(what: object, seconds: float = STARTED_WITHIN) -> None:
    """Wait until a callable returns something true."""
    assert callable(what)
    end = time.monotonic() + seconds
    while not what():
        assert time.monotonic() < end, "it did not happen in time"
        time.sleep(0.05)


class SmallCluster:
    """A cluster whose workers are started, stopped and killed by tests and benchmarks.

    Parameters
    ----------
    folder : Path
        For what the processes write.
    """

    def __init__(self, folder: Path) -> None:
        self.folder, self.workers, self._started = folder, list["subprocess.Popen[bytes]"](), 0
        file = folder / "scheduler.json"
        self.scheduler = self._start("scheduler", "--port", "0", "--scheduler-file", str(file))
        until(lambda: file.exists() and file.read_text().endswith("}"))
        self.address: str = json.loads(file.read_text())["address"]

    def _start(self, *arguments: str) -> "subprocess.Popen[bytes]":
        self._started += 1
        with (self.folder / f"{self._started}.log").open("wb") as log:
            return subprocess.Popen(
                [sys.executable, "-m", "dask", *arguments, "--host", "127.0.0.1", "--no-dashboard"],
                cwd=self.folder,
                env={**os.environ, **QUIET},
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
            )

    def staff(self, n: int) -> Self:
        """Start workers until there are so many, and wait until the scheduler knows them."""
        self.workers = [worker for worker in self.workers if worker.poll() is None]
        for _ in range(n - len(self.workers)):
            place = ("--nthreads", "1", "--no-nanny", "--local-directory", str(self.folder))
            self.workers.append(self._start("worker", self.address, *place))
        until(lambda: self.known() == len(self.workers))
        return self

    def known(self) -> int:
        """Return how many workers the scheduler has."""
        from distributed import Client

        with contextlib.closing(Client(self.address, set_as_default=False)) as client:
            return len(client.nthreads())

    def signal(self, at: int, number: signal.Signals) -> None:
        """Send a signal to a worker."""
        self.workers[at].send_signal(number)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        for process in (*self.workers, self.scheduler):
            process.kill()
        for process in (*self.workers, self.scheduler):
            process.wait()
