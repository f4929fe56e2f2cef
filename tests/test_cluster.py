"""Tournaments on a cluster of real processes: the same figures bit for bit, whatever happens to workers meanwhile."""

import pickle
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path

import pytest
from clusters import SmallCluster, until
from commands import RUNNING, SCRIPT, alone, files_in, mentions, refused, succeeded
from tournament_samples import FIELD, SEED, SETTING, Played, raising_after, round_robin

from analyzer import remote
from analyzer.cluster import ANSWER_WITHIN, Cluster, _of_the_way, _read
from analyzer.dispatch import LostError, Worker
from analyzer.errors import BadInputError, GameFaultError, Sitting, WoolsimError
from analyzer.plan import Plan
from analyzer.runs import Run
from analyzer.tournament import Executor, Stopping
from analyzer.wool_rules.game import WOOL_RULES
from strategies.recipes import Recipe, engine_of
from strategies.registry import strategy

pytestmark = [
    pytest.mark.skipif(sys.platform == "win32", reason="signals of Unix"),
    pytest.mark.usefixtures("here"),
]

README = Path(__file__).parent.parent / "README.md"
PLAN = round_robin(3, 2, 3)
GAMES = 60
"""About 25 blocks."""


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SmallCluster]:
    with SmallCluster(tmp_path_factory.mktemp("cluster")) as small:
        yield small


def recipe_of(*specs: str) -> Recipe:
    return Recipe(WOOL_RULES, tuple(strategy(spec) for spec in specs), (SETTING,), SEED)


@contextmanager
def on(cluster: SmallCluster, plan: Plan = PLAN, stall: float = 30) -> Iterator[Executor]:
    """Yield what plays the field on a cluster."""
    with Cluster(cluster.address, lambda _: None) as connected:
        yield connected.executor(recipe_of(*FIELD).order(), plan, stall)


@pytest.fixture(scope="module")
def local(tmp_path_factory: pytest.TempPathFactory) -> Played:
    """Return the tournament as threads here play it."""
    played = Played(tmp_path_factory.mktemp("local") / "run", PLAN)
    played.play(GAMES)
    return played


def same(found: Played, local: Played) -> None:
    """Check that two runs have the same blocks and sums, bit for bit."""
    assert found.complete
    assert found.numbers == local.numbers
    assert found.all_of_it() == local.all_of_it()
    with Run.open(found.folder, write=False) as one, Run.open(local.folder, write=False) as other:
        for (number, here), (same_number, there) in zip(one.blocks(), other.blocks(), strict=True):
            assert number == same_number
            assert {name: array.tobytes() for name, array in here.items()} == {
                name: array.tobytes() for name, array in there.items()
            }


def after(blocks: int, happens: Callable[[], object]) -> Callable[[int], None]:
    """Return a progress callback that lets something happen once so many blocks are kept."""
    left = blocks

    def progress(_: int) -> None:
        nonlocal left
        left -= 1
        if left == 0:
            happens()

    return progress


# The same figures


def test_a_worker_killed_in_the_middle_changes_nothing(cluster: SmallCluster, local: Played, here: Path) -> None:
    cluster.staff(3)
    found = Played(here / "run", PLAN)
    at_the_kill: list[int] = []

    def kill() -> None:
        cluster.signal(1, signal.SIGKILL)
        at_the_kill.append(len(found.numbers))

    with on(cluster) as executor:
        found.play(GAMES, executor=executor, progress=after(6, kill))
    assert at_the_kill == [6]
    assert len(local.numbers) > 15
    assert cluster.workers[1].wait(5) == -signal.SIGKILL
    same(found, local)
    assert found.tables() == local.tables()


def test_a_worker_that_stands_still_holds_up_nobody(cluster: SmallCluster, local: Played, here: Path) -> None:
    cluster.staff(2)
    found, begun = Played(here / "run", PLAN), time.monotonic()
    try:
        with on(cluster) as executor:
            stop = after(4, lambda: cluster.signal(0, signal.SIGSTOP))
            found.play(GAMES, executor=executor, progress=stop)
    finally:
        cluster.signal(0, signal.SIGCONT)
    assert time.monotonic() - begun < 30
    same(found, local)


def test_where_results_decide_it_decides_as_threads_here_do(cluster: SmallCluster, here: Path) -> None:
    cluster.staff(2)
    stopping = Stopping(target_error=0.06, max_games=200)
    ends = []
    for name in ("far", "near"):
        played = Played(here / name, PLAN)
        if name == "far":
            with on(cluster) as executor:
                played.play(stopping=stopping, executor=executor)
        else:
            played.play(stopping=stopping)
        ends.append(played.all_of_it())
    assert ends[0] == ends[1]
    assert 0 < ends[0][0] < 200


def test_ctrl_c_keeps_what_was_begun_and_threads_here_go_on(cluster: SmallCluster, local: Played, here: Path) -> None:
    cluster.staff(2)
    found = Played(here / "run", PLAN)
    with on(cluster) as executor, pytest.raises(KeyboardInterrupt):
        found.play(GAMES, executor=executor, progress=raising_after(5))
    assert 5 <= len(found.numbers) < len(local.numbers)
    found.play(GAMES)
    same(found, local)


MINE = """
from beside import level

class Bold:
    '''Bids high.'''
    def bid(v, nerve=0.5):
        return 20 + level(nerve)

class Wild:
    def bid(v):
        return 99

class Loop:
    def bid(v):
        i = 0
        while v.round == 3:
            i = (i + 1) % 7
        return 20 + i
"""
BESIDE = """
from deeper.numbers import STEPS

def level(nerve):
    return int(nerve * STEPS)
"""


def files_of_mine(folder: Path) -> None:
    (folder / "own" / "deeper").mkdir(parents=True)
    (folder / "own" / "mine.py").write_text(MINE)
    (folder / "own" / "beside.py").write_text(BESIDE)
    (folder / "own" / "deeper" / "numbers.py").write_text("STEPS = 6\n")


@pytest.fixture
def mine(here: Path) -> Iterator[str]:
    """Return where a strategy of one's own lies, in a folder that workers cannot see."""
    files_of_mine(here)
    yield "own/mine.py"
    for name in ("beside", "deeper", "deeper.numbers"):
        sys.modules.pop(name, None)


def test_commands_say_the_same_with_a_strategy_of_ones_own(cluster: SmallCluster, mine: str, here: Path) -> None:
    cluster.staff(2)
    command = ("compare", f"{mine}:Bold:nerve=0.4", "plain", "--field", f"random/bid={mine}:bid", "--games", "300")
    (here / mine).write_text(MINE + "\ndef bid(v):\n    return 21\n")
    near = succeeded(alone(*command, "--out", "near", "--format", "csv"))
    far = succeeded(alone(*command, "--out", "far", "--format", "csv", "--scheduler", cluster.address))
    assert far.out == near.out
    assert succeeded(alone("extend", "far", "--games", "600", "--format", "csv", "--scheduler", cluster.address)).out
    with Run.open(Path("far"), write=False) as run:
        assert run.question["strategies"][0]["given"] == f"{mine}:Bold:nerve=0.4"


def test_find_best_says_the_same(cluster: SmallCluster) -> None:
    cluster.staff(2)
    command = ("find-best", "plain:level=18..20", "--players", "2", "--max-games", "100", "--format", "csv")
    far = succeeded(alone(*command, "--out", "far", "--scheduler", cluster.address))
    assert far.out == succeeded(alone(*command, "--out", "near")).out
    assert cluster.address not in far.err


def test_the_readme_says_how_to_run_it(cluster: SmallCluster) -> None:
    """Its three lines are run: the first two by :class:`SmallCluster`, which adds where to listen."""
    cluster.staff(2)
    (block,) = re.findall(r"^```bash\n(.*?)^```$", README.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    scheduler, worker, command = (line.split() for line in block.splitlines())
    address = command[-1]
    assert scheduler == ["dask", "scheduler"]
    assert worker == ["dask", "worker", address]
    far = succeeded(alone(*(cluster.address if word == address else word for word in command[1:])))
    near = succeeded(alone(*command[1:-2], "--out", "near"))
    assert far.out == near.out


# What goes wrong


def test_a_fault_is_said_as_it_is_here(cluster: SmallCluster, mine: str) -> None:
    cluster.staff(2)
    command = ("tournament", f"{mine}:Wild", "plain", "--games", "20", "--players", "2")
    near = refused(alone(*command, "--out", "near", "--threads", "1"))
    far = refused(alone(*command, "--out", "far", "--scheduler", cluster.address))
    assert far == near
    mentions(far, ["Error: own/mine.py:", "bid of own/mine.py:Wild", "answered 99", "woolsim replay own/mine.py:Wild"])


@pytest.mark.slow
def test_an_endless_loop_on_a_worker_is_said_and_ends_the_worker(cluster: SmallCluster, mine: str) -> None:
    cluster.staff(2)
    command = ("tournament", f"{mine}:Loop", "plain", "--games", "20", "--players", "2", "--stall", "1")
    message = refused(alone(*command, "--scheduler", cluster.address))
    mentions(message, ["own/mine.py:", "bid of own/mine.py:Loop", "has not answered for 1 seconds", "woolsim replay"])
    until(lambda: any(worker.poll() is not None for worker in cluster.workers), 20)


def test_a_strategy_that_cannot_be_loaded_there_names_the_worker(cluster: SmallCluster, here: Path) -> None:
    (here / "mine.py").write_text(
        f"import os\nassert os.getcwd() == {str(here)!r}, 'elsewhere'\ndef bid(v):\n    return 20\n"
    )
    cluster.staff(1)
    message = refused(alone("tournament", "mine.py", "plain", "--games", "5", "--scheduler", cluster.address))
    mentions(message, ["worker tcp://127.0.0.1:", "mine.py:2: running the file failed with AssertionError"])


def running(*command: str) -> "subprocess.Popen[str]":
    """Start a command that a test ends; wait until it has kept a block in the folder `run`."""
    process = subprocess.Popen([str(SCRIPT), *command], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    RUNNING.append(process)

    def keeps_blocks() -> bool:
        assert process.poll() is None, process.communicate()
        with suppress(BadInputError), Run.open(Path("run"), write=False) as run:  # it may just be made
            return bool(run.done())
        return False

    until(keeps_blocks)
    return process


LONG = ("tournament", "plain", "random", "--players", "2", "--games", "1e8", "--out", "run")


@pytest.mark.slow
def test_a_lost_scheduler_ends_a_run_that_can_be_resumed(tmp_path_factory: pytest.TempPathFactory) -> None:
    with SmallCluster(tmp_path_factory.mktemp("lost")) as cluster:
        cluster.staff(1)
        process = running(*LONG, "--scheduler", cluster.address)
        cluster.scheduler.kill()
        _, err = process.communicate(timeout=40)
    assert process.returncode == 1
    (line,) = [line for line in err.splitlines() if line.startswith(("Error", "Traceback", "20"))]
    mentions(line, ["does not answer any more", "is kept", f"woolsim resume run --scheduler {cluster.address}"])
    with Run.open(Path("run"), write=False) as run:
        assert run.damage is None
        assert run.done()


def test_ctrl_c_is_heard(cluster: SmallCluster) -> None:
    cluster.staff(1)
    process = running(*LONG, "--scheduler", cluster.address)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=40)
    assert process.returncode == 130, err
    mentions(err, ["Error: interrupted", f"to go on: woolsim resume run --scheduler {cluster.address}"])
    assert "Traceback" not in err


# Bad input


@contextmanager
def listening() -> Iterator[int]:
    """Yield a port at which somebody listens who never says anything."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server.getsockname()[1]


def test_a_scheduler_that_is_not_there_is_said(monkeypatch: pytest.MonkeyPatch, here: Path) -> None:
    monkeypatch.setattr("analyzer.cluster.ANSWER_WITHIN", 1.0)  # a start of the scheduler is waited for as long
    with listening() as port:
        pass
    _does_not_answer(port, here)


def test_a_scheduler_that_says_nothing_is_said_within_ten_seconds(monkeypatch: pytest.MonkeyPatch, here: Path) -> None:
    monkeypatch.setattr("analyzer.cluster.ANSWER_WITHIN", 1.0)
    with listening() as port:
        _does_not_answer(port, here)


def _does_not_answer(port: int, here: Path) -> None:
    begun = time.monotonic()
    message = refused(alone(*LONG, "--scheduler", f"tcp://127.0.0.1:{port}"))
    assert time.monotonic() - begun < 10 - (ANSWER_WITHIN - 1.0)  # it waits for one second here
    mentions(message, [f"--scheduler tcp://127.0.0.1:{port}", "does not answer", "dask scheduler"])
    assert files_in(here) == {}
    assert not Path("run").exists()


@pytest.mark.parametrize(
    "address", ["", "localhost:8786", "tcp://", "tcp://host", "tcp://host:0", "tcp://host:99999", "http://host:80", "7"]
)
@pytest.mark.parametrize("command", [LONG, ("resume", "run"), ("find-best", "plain", "random")], ids=lambda c: c[0])
def test_an_address_that_is_none_is_refused(command: tuple[str, ...], address: str, here: Path) -> None:
    message = refused(alone(*command, "--scheduler", address))
    mentions(message, ["--scheduler", repr(address), "tcp://192.168.0.5:8786"])
    assert files_in(here) == {}


def test_threads_and_a_scheduler_exclude_each_other() -> None:
    message = refused(alone(*LONG, "--scheduler", "tcp://127.0.0.1:1", "--threads", "2"))
    mentions(message, ["--threads", "--scheduler"])


def test_without_dask_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch, here: Path) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    message = refused(alone(*LONG, "--scheduler", "tcp://127.0.0.1:1"))
    mentions(message, ["pip install 'woolsim[cluster]'"])
    assert not Path("run").exists()


def test_a_scheduler_without_workers_is_waited_for_but_not_for_ever(
    monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory, here: Path
) -> None:
    monkeypatch.setattr("analyzer.cluster.WORKERS_WITHIN", 2.0)
    with SmallCluster(tmp_path_factory.mktemp("empty")) as empty:
        outcome = alone(*LONG, "--scheduler", empty.address)
    assert outcome.status == 2
    mentions(
        outcome.err, [f"Waiting for workers of {empty.address}", f"Error: --scheduler {empty.address}: has no worker"]
    )
    assert not Path("run").exists()


# What a worker checks


def test_a_source_that_arrives_changed_is_refused(mine: str) -> None:
    order = recipe_of(f"{mine}:Bold", "plain").order()
    assert len(order.sources) == 3
    order.check()
    name = next(iter(order.sources))
    changed = replace(order, sources={**order.sources, name: order.sources[name] + b"\n"})
    with pytest.raises(BadInputError, match=name):
        changed.check()


@pytest.mark.parametrize("what", list(remote.software()))
def test_other_software_is_refused_by_name(what: str) -> None:
    asked = remote.request(pytest.fail, "it was done though")
    with pytest.raises(BadInputError) as caught:
        remote.outcome(remote.answer(asked, {**remote.software(), what: "0.0.1"}))
    mentions(str(caught.value), [what, "0.0.1 here", f"{remote.software()[what]} there", "install the same"])


def test_a_strategy_or_engine_that_is_another_one_there_is_refused() -> None:
    order = recipe_of("plain", "random").order()
    recipe = dict(order.recipe)
    first, second = recipe["strategies"]
    with pytest.raises(BadInputError, match=r"random \(.*\) there, random \(00000000\) here"):
        engine_of({**recipe, "strategies": [first, {**second, "hash": "0" * 64}]}, {})
    with pytest.raises(BadInputError, match=r"engine sources \(.*\) there, engine sources \(00000000\) here"):
        engine_of({**recipe, "engine": {"name": "engine sources", "hash": "0" * 64}}, {})
    with pytest.raises(BadInputError, match="there is no game 'chess' there"):
        engine_of({**recipe, "game": "chess"}, {})


def test_a_worker_compiles_once_for_all_jobs_and_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(remote, "_jobs", type(remote._jobs)())
    monkeypatch.setattr(remote, "_engines", type(remote._engines)())
    order, made = recipe_of(*FIELD).order(), []

    def make(recipe: object, sources: object) -> object:
        made.append(recipe)
        time.sleep(0.1)
        return engine_of(order.recipe, {})

    counted = replace(order, make=make)
    threads = [threading.Thread(target=remote.prepare, args=(f"job {at}", counted, PLAN)) for at in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(made) == 1
    assert len(remote._jobs) == remote.MOST_JOBS
    with pytest.raises(remote.UnpreparedError):
        remote.play_block("job -1", (0, 0, 0, 1), 30)


def test_a_users_file_is_loaded_from_what_was_sent_and_leaves_nothing(mine: str, here: Path) -> None:
    order = pickle.loads(pickle.dumps(recipe_of(f"{mine}:Bold", f"{mine}:Wild").order()))
    for name in ("beside", "deeper", "deeper.numbers"):
        del sys.modules[name]
    for file in sorted(here.rglob("*.py")):
        file.unlink()
    engine = engine_of(order.recipe, order.sources)
    assert not {"beside", "deeper", "deeper.numbers"} & set(sys.modules)
    plan = round_robin(2, 2)
    with pytest.raises(GameFaultError, match=r"^own/mine.py:10: bid of own/mine.py:Wild \(seat") as caught:
        engine.play(plan.tables(next(plan.missing({}, 1))), compared=True)
    again = pickle.loads(pickle.dumps(caught.value))
    assert (str(again), again.sitting) == (str(caught.value), caught.value.sitting)


def _fail() -> None:
    class StubbornError(Exception):
        """Of a class that nobody else has, so that it cannot travel."""

    raise StubbornError("no")


def test_errors_of_a_worker_are_no_lost_connection() -> None:
    worker = Worker("w", "tcp://there:1", 1, 0.0)
    answered = remote.answer(remote.request(open, "/nowhere/at/all"), remote.software())
    error = _read(7, answered, worker).error
    assert isinstance(error, WoolsimError)
    mentions(str(error), ["worker tcp://there:1 failed with FileNotFoundError"])
    assert isinstance(_of_the_way(OSError("reset"), worker), LostError)


def test_whatever_goes_wrong_there_arrives_here() -> None:
    with pytest.raises(ZeroDivisionError):
        remote.outcome(remote.answer(remote.request(divmod, 1, 0), remote.software()))
    with pytest.raises(WoolsimError, match="StubbornError: no"):
        remote.outcome(remote.answer(remote.request(_fail), remote.software()))
    assert remote.outcome(remote.answer(remote.request(divmod, 7, 2), remote.software())) == (3, 1)


@pytest.mark.slow
def test_a_worker_without_woolsim_says_so(tmp_path_factory: pytest.TempPathFactory, here: Path) -> None:
    folder = tmp_path_factory.mktemp("bare")
    (folder / "analyzer.py").write_text("raise ImportError('there is no woolsim here')")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", str(folder))
        with SmallCluster(folder) as bare:
            message = refused(alone(*LONG, "--scheduler", bare.staff(1).address))
    mentions(message, ["worker tcp://127.0.0.1:", "there is no woolsim here", "install woolsim[cluster]"])


def test_nothing_is_compiled_with_fast_mathematics() -> None:
    """Else the same code might add up in another order on another machine."""
    sources = [file for name in ("analyzer", "strategies", "reports") for file in (README.parent / name).rglob("*.py")]
    assert len(sources) > 50
    assert not [file.name for file in sources if "fastmath" in file.read_text(encoding="utf-8")]


def test_faults_survive_a_journey() -> None:
    fault = GameFaultError("mine.py:3: bid answered 99", Sitting(7, (1, 0), 2))
    fault.events.append({"event": "bid"})
    again = pickle.loads(pickle.dumps(fault))
    assert (str(again), again.sitting, again.events) == (str(fault), fault.sitting, fault.events)
