"""Endless loops and Ctrl-C in games: the process ends soon, with one message, and leaves nothing half-written."""

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from commands import SCRIPT, THIRD, alone, files_in, mentions, started, succeeded, woolsim

from analyzer.errors import Sitting
from analyzer.watchdog import Watchdog, guarded

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals, pipes and folders of Unix")

LOOPS = f"""
{THIRD}
class Late:
    def pick(v):
        i = 0
        while v.round == 9 and v.supply > 0:
            i = (i + 1) % 7
        return 0
"""

LONG = ("simulate", "plain", "random", "plain", "random", "--games", "1e12", "--csv", "t.csv", "--histogram", "h.csv")
"""Weeks of work, if it is begun."""


@pytest.fixture(scope="module", autouse=True)
def compiled() -> None:
    """Compile once, so that no test waits for it."""
    succeeded(alone("simulate", "plain", "random", "--games", "10"))


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("loops.py").write_text(LOOPS)
    return tmp_path


# The watchdog by itself


class Watched:
    """Something that finishes a game every so often until it hangs."""

    def __init__(self) -> None:
        self.games, self.in_flight, self.stopped = 0, True, threading.Event()

    def progress(self) -> list[tuple[int, int]]:
        return [(1, self.games)] if self.in_flight else []

    def last_asked(self, block: int) -> tuple[str, Sitting] | None:
        return ("somebody", Sitting(self.games, (1, 0))) if self.in_flight and block == 1 else None

    def stop(self) -> None:
        self.stopped.set()


def test_the_alarm_says_who_hangs_and_for_how_long() -> None:
    watched, alarms, heard = Watched(), [], threading.Event()
    watched.games = 5

    def alarm(*what: object) -> None:
        alarms.append(what)
        heard.set()

    begun = time.monotonic()
    with Watchdog(watched, 0.3, alarm):
        assert heard.wait(5)
    assert 0.3 <= time.monotonic() - begun < 3
    assert alarms == [("somebody", Sitting(5, (1, 0)), 0.3)]


def test_no_alarm_while_games_end_or_nothing_is_in_flight() -> None:
    watched, alarms = Watched(), []
    with Watchdog(watched, 0.3, lambda *what: alarms.append(what)):
        for _ in range(12):
            time.sleep(0.05)
            watched.games += 1
        watched.in_flight = False
        time.sleep(0.6)
    assert alarms == []


def test_a_block_that_ends_at_the_last_moment_raises_no_alarm() -> None:
    class Quick(Watched):
        def last_asked(self, block: int) -> None:  # it has just ended
            return None

    alarms: list[object] = []
    with Watchdog(Quick(), 0.1, lambda *what: alarms.append(what)):
        time.sleep(0.4)
    assert alarms == []


def test_after_hurry_it_waits_no_longer_than_its_grace(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("analyzer.watchdog.GRACE", 0.2)
    heard = threading.Event()
    with Watchdog(Watched(), 1.5, lambda *what: heard.set()) as dog:
        dog.hurry()
        assert heard.wait(1.2)


def test_guarded_work_returns_or_raises_what_it_does() -> None:
    assert guarded(lambda: 7, Watched(), 30, lambda *_: None) == 7

    def broken() -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        guarded(broken, Watched(), 30, lambda *_: None)


def test_progress_of_blocks_never_goes_back() -> None:
    """Records are used again for later blocks: a watchdog must not take the next block for a standstill."""
    from analyzer.wool_rules.deck import shipped_deck
    from analyzer.wool_rules.games import GamePlayer, Question
    from analyzer.wool_rules.rules import STANDARD
    from strategies.registry import strategy

    player = GamePlayer(Question((strategy("plain"),) * 2, STANDARD, shipped_deck(), 1))
    seen: list[int] = []
    done = threading.Event()

    def look() -> None:
        while not done.is_set():
            seen.extend(games for _, games in player.progress())
            time.sleep(0.0005)

    looking = threading.Thread(target=look)
    looking.start()
    for start in range(0, 40_000, 2000):
        player(start, 2000)
    done.set()
    looking.join()
    assert seen == sorted(seen)
    assert seen[-1] > 2000
    assert player.progress() == []
    assert player.last_asked(0) is None
    assert player.engine.unfinished() is None


# Endless loops


@pytest.mark.parametrize(
    ("arguments", "parts"),
    [
        (
            ["simulate", "plain", "loops.py:Third", "--csv", "t.csv"],
            [
                "bid of loops.py:Third (seat 1, game 0, round 3)",
                "woolsim replay plain loops.py:Third --seed 1 --game 0",
            ],
        ),
        (["simulate", "loops.py:Late", "plain", "--games", "1e6"], ["pick of loops.py:Late (seat 0, game", "round 9"]),
        (["replay", "plain", "loops.py:Third"], ["bid of loops.py:Third (seat 1, game 0, round 3)"]),
        (["replay", "plain", "loops.py:Third", "--json"], ["bid of loops.py:Third", "up to there is above"]),
        (["strategies", "check", "loops.py:Third"], ["bid of loops.py:Third", "endless loop"]),
        (["strategies", "show", "loops.py:Third"], ["bid of loops.py:Third", "endless loop"]),
    ],
    ids=lambda value: " ".join(value[:3]) if value[0] in {"simulate", "replay", "strategies"} else "",
)
def test_an_endless_loop_ends_with_one_message(arguments: list[str], parts: list[str], here: Path) -> None:
    outcome = woolsim(*arguments, "--stall", "1", timeout=60)
    assert outcome.status == 2
    assert "Traceback" not in outcome.err
    (line,) = [line for line in outcome.err.splitlines() if not line.startswith("Compiling")]
    mentions(line, ["Error: loops.py:", "has not answered for 1 seconds", *parts])
    assert set(files_in(here)) == {"loops.py"}
    if arguments[0] == "replay":  # the game up to the loop is shown
        mentions(outcome.out, ['"round": 3'] if "--json" in arguments else ["Round 3", "The log ends here"])


@pytest.mark.parametrize("redirect", ["2>&-", "2>/dev/full >&-"])
def test_it_ends_even_if_nobody_hears_it(redirect: str) -> None:
    script = f"'{SCRIPT}' simulate plain loops.py:Third --stall 1 {redirect}"
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 2
    assert "Traceback" not in done.stderr


# Ctrl-C


def begun(process: "subprocess.Popen[str]", cpu: float = 2.0) -> None:
    """Wait until a process has worked so many seconds: by then it has started and plays."""
    ticks, deadline = os.sysconf("SC_CLK_TCK"), time.monotonic() + 60
    while time.monotonic() < deadline and process.poll() is None:
        fields = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
        if (int(fields[11]) + int(fields[12])) / ticks > cpu:
            return
        time.sleep(0.05)
    pytest.fail(f"did not begin: {process.poll()}")


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="this system has no /proc")
@pytest.mark.parametrize(
    ("arguments", "status", "said", "limit"),
    [
        (LONG, 130, "Error: interrupted", 4),
        (("simulate", "plain", "loops.py:Third"), 2, "has not answered for 3 seconds", 8),
        (("strategies", "check", "loops.py:Third"), 2, "has not answered for 3 seconds", 8),
    ],
    ids=["long run", "loop in simulate", "loop in check"],  # "check" by `guarded`, as are "show" and "replay"
)
def test_ctrl_c_is_heard(arguments: tuple[str, ...], status: int, said: str, limit: float, here: Path) -> None:
    before = files_in(here)
    process = started(*arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    begun(process, cpu=3.0)
    interrupted = time.monotonic()
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=30)
    assert time.monotonic() - interrupted < limit
    assert process.returncode == status, err
    (line,) = [line for line in err.splitlines() if not line.startswith("Compiling")]
    assert said in line
    assert files_in(here) == before


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="this system has no /proc")
def test_killed_in_a_long_run_it_leaves_the_old_files_and_no_part_of_new_ones(here: Path) -> None:
    for name in ("t.csv", "h.csv"):
        Path(name).write_text("old")
    before = files_in(here)
    process = started(*LONG, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    begun(process, cpu=3.0)
    process.kill()
    process.wait()
    assert files_in(here) == before


# Pipes, full disks and what is imported


@pytest.mark.parametrize("more", ["", "--format json --table bids"])
def test_head_takes_one_line_in_silence(more: str) -> None:
    script = f"'{SCRIPT}' simulate plain random --games 100 {more} | head -1; exit ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0
    assert len(done.stdout.splitlines()) == 1
    assert "Error" not in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("command", ["simulate plain random --games 50", "replay plain random --json"])
def test_a_pipe_that_nobody_reads_and_a_closed_output_make_no_traceback(command: str) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    try:
        outcome = woolsim(*command.split(), stdout=writing)
    finally:
        os.close(writing)
    assert outcome.status == 0
    assert "Error" not in outcome.err
    assert "Traceback" not in outcome.err
    script = f"'{SCRIPT}' {command} >&-"
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode in {0, 1}
    assert "Traceback" not in done.stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
@pytest.mark.parametrize("command", ["simulate plain random --games 50 --format csv", "replay plain random --json"])
def test_output_to_a_full_disk_fails_with_one_message(command: str) -> None:
    with Path("/dev/full").open("w") as full:
        outcome = woolsim(*command.split(), stdout=full)
    assert outcome.status == 1
    (line,) = [line for line in outcome.err.splitlines() if line.startswith("Error")]
    mentions(line, ["No space left"])


def without(heavy: set[str], first: str, *statements: str) -> None:
    """Let one process do one thing after the other, each without importing anything heavy."""
    code = f"import sys\n{first}\n"
    for statement in statements:
        code += f"{statement}\nfound = {heavy} & set(sys.modules)\nassert not found, ({statement!r}, found)\n"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 0, done.stderr


def test_the_commands_are_imported_without_anything_heavy() -> None:
    modules = [f"import reports.cli.{module}" for module in ("games", "strategies", "deck", "odds")]
    without({"numba", "pandas", "matplotlib", "scipy", "rich", "jinja2"}, "", *modules)


def test_answers_without_games_need_neither_pandas_nor_pictures() -> None:
    commands = (["strategies", "list"], ["simulate", "--help"], ["strategies", "new", "x.py"])
    runs = [f"assert run({arguments!r}) == 0" for arguments in commands]
    without({"pandas", "matplotlib", "scipy"}, "from reports.cli import run", *runs)
