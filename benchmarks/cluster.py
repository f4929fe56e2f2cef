"""What a cluster costs: bytes that a tournament moves, and two worker processes against two threads of one process."""

import pickle
import socket
import sys
import tempfile
import threading
from collections.abc import Callable
from contextlib import suppress
from itertools import islice
from pathlib import Path

from distributed import LocalCluster
from timing import at_least, interleaved, print_table, quick_asked, timed

from analyzer.cluster import Cluster
from analyzer.line_ups import round_robin
from analyzer.packing import compress, pack
from analyzer.plan import Block, Plan
from analyzer.runs import Run
from analyzer.sequential import Verdict
from analyzer.tally import Tally
from analyzer.tournament import Executor, Stopping, Tournament, on_threads
from analyzer.wool_rules.deck import shipped_deck
from analyzer.wool_rules.game import WOOL_RULES
from analyzer.wool_rules.rules import STANDARD
from analyzer.wool_rules.setting import Setting
from strategies.recipes import Recipe
from strategies.registry import strategy

FIELD = ("plain:level=19", "plain:level=20", "plain:level=21", "plain:level=22")
LARGE_FIELD = tuple(f"plain:level={level}/hold={hold}" for level in range(14, 24) for hold in ("max-odds", "plain"))
PLAYERS, SEED, STALL = 4, 1, 30
WORKERS = 2
EFFICIENCY_FLOOR = 0.8
MILLION = 1_000_000


def recipe_of(specs: tuple[str, ...]) -> Recipe:
    return Recipe(WOOL_RULES, [strategy(spec) for spec in specs], (Setting(STANDARD, shipped_deck()),), SEED)


def games_of(plan: Plan, block: Block) -> int:
    part, first, last = plan.groups[block.group]
    return (block.stop - block.start) * plan.line_ups[part][first:last].size


class Counter:
    """A port that passes on to another one, and counts the bytes in both directions."""

    def __init__(self, address: str) -> None:
        host, _, port = address.removeprefix("tcp://").rpartition(":")
        self._to, self._server = (host, int(port)), socket.create_server(("127.0.0.1", 0))
        self._passed: list[int] = []
        self.address = f"tcp://127.0.0.1:{self._server.getsockname()[1]}"
        threading.Thread(target=self._accept, daemon=True).start()

    @property
    def bytes(self) -> int:
        """Bytes that have passed."""
        return sum(self._passed)

    def _accept(self) -> None:
        while True:
            near, far = self._server.accept()[0], socket.create_connection(self._to)
            for pair in ((near, far), (far, near)):
                threading.Thread(target=self._pass_on, args=pair, daemon=True).start()

    def _pass_on(self, source: socket.socket, target: socket.socket) -> None:
        with suppress(OSError):
            while data := source.recv(1 << 16):
                self._passed.append(len(data))
                target.sendall(data)
            target.shutdown(socket.SHUT_WR)


def moved(cluster: LocalCluster, quick: bool) -> None:
    """Print how many bytes pass between here and the scheduler while a tournament is played, and what they are."""
    rows = []
    for name, specs in (("4 strategies", FIELD), ("20 strategies", LARGE_FIELD)):
        plan = Plan((round_robin(len(specs), PLAYERS),))
        order, blocks = recipe_of(specs).order(), list(islice(plan.missing({}, plan.stride), 10 if quick else 50))
        counter, sums = Counter(cluster.scheduler_address), 0
        with Cluster(counter.address, print) as connected:
            begun = counter.bytes
            with connected.executor(order, plan, STALL)(blocks) as playing:
                for _, arrays in playing:
                    sums += len(compress(pack(arrays)))
            passed = counter.bytes - begun
        games, job = sum(games_of(plan, block) for block in blocks), len(pickle.dumps((order, plan)))
        of_blocks = passed - WORKERS * job
        rows.append(
            (
                f"{name}, {plan.n_line_ups:,} line-ups",
                f"{job / 1e3:,.0f} kB",
                f"{games / len(blocks):,.0f}",
                f"{sums / len(blocks) / 1e3:,.0f} kB",
                f"{of_blocks / len(blocks) / 1e3:,.0f} kB",
                f"{of_blocks / games * MILLION / 1e6:.1f} MB",
            )
        )
    print_table(
        f"Bytes moved between here and the scheduler, games of {PLAYERS} players",
        ("", "once a worker", "games a block", "its sums", "all of a block", "all of 10^6 games"),
        rows,
    )


def _no_look(_tally: Tally) -> Verdict:
    raise AssertionError("a tournament of so many games is not looked at")


def played(plan: Plan, deals: int, executor: Callable[[], Executor]) -> None:
    """Play a tournament into a new run file."""
    with (
        tempfile.TemporaryDirectory() as folder,
        Run.create(Path(folder, "run"), {"what": "benchmark"}, extent=deals) as run,
    ):
        tournament = Tournament(plan, run, Stopping(deals), _no_look)
        tournament.play(executor())
        assert tournament.games_done == deals * plan.games


def efficiency(cluster: LocalCluster, quick: bool) -> None:
    """Print the games a second of two worker processes and of two threads."""
    recipe, plan = recipe_of(FIELD), Plan((round_robin(len(FIELD), PLAYERS),))
    deals = (200_000 if quick else 1_500_000) // plan.games
    engine, order = recipe.engine(), recipe.order()
    with Cluster(cluster.scheduler_address, print) as connected:
        tasks = {
            "threads": timed(lambda: played(plan, deals, lambda: on_threads(engine, plan, WORKERS)), 1),
            "workers": timed(lambda: played(plan, deals, lambda: connected.executor(order, plan, STALL)), 1),
        }
        interleaved(tasks, 1)
        samples = interleaved(tasks, 2 if quick else 5)
    ratio, games = samples.ratio("threads", "workers"), deals * plan.games
    print_table(
        f"{games:,} games of {plan.n_line_ups} line-ups, run file included",
        ("", "games/s", "ratio", "floor", "floor is"),
        [
            (f"{WORKERS} threads here", f"{games / samples.median('threads'):,.0f}", "1", "", ""),
            (
                f"{WORKERS} worker processes",
                f"{games / samples.median('workers'):,.0f}",
                f"{ratio:.2f}",
                str(EFFICIENCY_FLOOR),
                at_least(ratio, EFFICIENCY_FLOOR),
            ),
        ],
    )


def main() -> int:
    """Run all parts."""
    quick = quick_asked(__doc__)
    with LocalCluster(n_workers=WORKERS, threads_per_worker=1, dashboard_address=None, silence_logs=50) as cluster:
        moved(cluster, quick)
        efficiency(cluster, quick)
    return 0


if __name__ == "__main__":
    sys.exit(main())
