"""Who plays the games of a tournament: threads of this process, or the workers of a cluster."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from functools import wraps
from typing import TYPE_CHECKING, Any, Protocol

import click

from analyzer.errors import BadInputError
from reports.cli.amounts import threads_option
from reports.cli.faults import Replaying, faults_named
from reports.cli.options import stall_option
from reports.cli.say import noting
from reports.cli.show import announcing_compilation

if TYPE_CHECKING:
    from analyzer.cluster import Cluster
    from analyzer.plan import Plan
    from analyzer.tournament import Executor
    from strategies.recipes import Recipe

    Executors = Callable[[Plan], Executor]
    """Returns what plays the blocks of a plan."""


class Hands(Protocol):
    """Who plays."""

    def playing(self, recipe: "Recipe", replaying: Replaying) -> "AbstractContextManager[Executors]":
        """Get ready to play what a recipe says; faults inside the block are said with how to see their game."""


@dataclass(frozen=True)
class Where:
    """Where games are played, as the options say.

    Parameters
    ----------
    threads : int, optional
        Of this process.
    scheduler : str, optional
        Address of a cluster's scheduler; then the workers' threads play.
    stall : int
        Seconds after which a game that does not end is a fault.
    """

    threads: int | None
    scheduler: str | None
    stall: int

    @property
    def options(self) -> list[str]:
        """What a command that goes on needs to play in the same place."""
        return [] if self.scheduler is None else ["--scheduler", self.scheduler]

    @contextmanager
    def hands(self) -> Iterator[Hands]:
        """Yield who plays; of a cluster, while there is a connection to it.

        Raises
        ------
        BadInputError
            When the cluster cannot be used.
        """
        if self.scheduler is None:
            yield _Threads(self.threads, self.stall)
            return
        from analyzer.cluster import Cluster

        with Cluster(self.scheduler, noting()) as cluster:
            yield _Workers(cluster, self.stall)


@dataclass(frozen=True)
class _Threads:
    threads: int | None
    stall: int

    @contextmanager
    def playing(self, recipe: "Recipe", replaying: Replaying) -> "Iterator[Executors]":
        """Compile, and watch over the threads."""
        from analyzer.tournament import on_threads
        from analyzer.watchdog import Watchdog

        with announcing_compilation():
            engine = recipe.engine()
        with faults_named(replaying) as alarm, Watchdog(engine, self.stall, alarm):
            yield lambda plan: on_threads(engine, plan, self.threads)


@dataclass(frozen=True)
class _Workers:
    cluster: "Cluster"
    stall: int

    @contextmanager
    def playing(self, recipe: "Recipe", replaying: Replaying) -> "Iterator[Executors]":
        """Say what is to be made; the workers compile and watch over themselves."""
        order = recipe.order()
        with faults_named(replaying):
            yield lambda plan: self.cluster.executor(order, plan, self.stall)


class SchedulerAddress(click.ParamType[str]):
    """The address of a Dask scheduler."""

    name = "ADDRESS"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the address."""
        from analyzer.cluster import check_address

        try:
            return check_address(str(value))
        except BadInputError as error:
            self.fail(str(error), param, ctx)


def where_options(command: Any) -> Any:
    """Add --threads, --scheduler and --stall; the command gets `where`."""

    @wraps(command)
    def with_where(*given: Any, threads: int | None, scheduler: str | None, stall: int, **options: Any) -> Any:
        if threads is not None and scheduler is not None:
            raise BadInputError(
                "--threads is for this process; with --scheduler the workers have theirs (dask worker --nthreads)"
            )
        return command(*given, where=Where(threads, scheduler, stall), **options)

    for option in (
        stall_option,
        click.option(
            "--scheduler",
            type=SchedulerAddress(),
            help="Play on a Dask cluster: its address, as tcp://HOST:8786 (needs woolsim[cluster]).",
        ),
        threads_option,
    ):
        with_where = option(with_where)
    return with_where
