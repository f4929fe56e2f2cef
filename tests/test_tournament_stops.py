"""What stops `woolsim tournament` and its relatives in the middle: strategies that fail, Ctrl-C."""

import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from commands import THIRD, alone, in_process, mentions, refused, started, succeeded, woolsim
from tournament_commands import RACE, SMALL, whole

from strategies.recipes import Recipe

Capture = pytest.CaptureFixture[str]

pytestmark = pytest.mark.usefixtures("here")


# Strategies that fail


FAULTS = f"""
{THIRD}
class Illegal:
    def bid(v):
        return 99 if v.round == 4 else 20
"""


def replay_of(message: str) -> list[str]:
    """Return the words of the replay command in a message, without its first."""
    first, *words = shlex.split(message.partition("to see that game: ")[2])
    assert (first, words[0]) == ("woolsim", "replay")
    return words


FAULTY = {
    "tournament": "tournament plain {} --players 2",
    "three players": "tournament random {} --players 3 --seed 8",
    "compare": "compare plain {} --field random --players 3",
    "compare with a deck": "compare plain {} --players 2 --deck other.csv",
    "compared decks": "compare plain --field {} --players 2 --deck other.csv",
    "two decks": "compare plain {} --players 2 --deck other.csv --deck third.csv",
    "a deck": "tournament plain {} --players 2 --deck other.csv",
    "sweep": "sweep plain {} --players 2",
    "find-best": "find-best plain {} --field random --players 3",
}


@pytest.mark.parametrize("name", list(FAULTY))
def test_an_illegal_answer_is_named_with_the_command_that_shows_it(name: str, files: None) -> None:
    Path("faults.py").write_text(FAULTS)
    command = FAULTY[name].format("faults.py:Illegal").split()
    message = refused(alone(*command))
    mentions(message, ["bid of faults.py:Illegal", "seat ", "game ", "round 4", "99"])
    shown = alone(*replay_of(message))
    assert shown.status == 2
    where = message.removeprefix("Error: ").partition("; to see that game")[0]
    assert where in " ".join(shown.err.split()), (where, shown.err)


def test_a_run_that_failed_can_be_resumed_once_nothing_is_wrong_any_more(capsys: Capture) -> None:
    Path("faults.py").write_text(FAULTS)
    refused(in_process(capsys, "tournament", "plain", "faults.py:Illegal", "--players", "2", "--out", "run"))
    mentions(refused(in_process(capsys, "show", "run")), ["no game has been played yet", "woolsim resume run"])


@pytest.mark.skipif(sys.platform == "win32", reason="signals of Unix")
def test_an_endless_loop_ends_with_one_message() -> None:
    Path("faults.py").write_text(FAULTS)
    message = refused(woolsim("compare", "plain", "faults.py:Third", "--players", "2", "--games", "9", "--stall", "1"))
    mentions(message, ["bid of faults.py:Third", "has not answered for 1 seconds", "game ", "round 3"])
    assert replay_of(message)[1:3] in (["plain", "faults.py:Third"], ["faults.py:Third", "plain"])


# Ctrl-C


@pytest.mark.skipif(sys.platform == "win32", reason="signals of Unix")
def test_ctrl_c_shows_the_standings_so_far_and_resume_completes_them() -> None:
    command = ["tournament", "plain:level=21", "plain", "random", "--players", "4", "--games"]
    games = "10000"
    process = started(
        *command, games, "--out", "run", "--threads", "1", "--format", "csv",
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    _wait_for_blocks(process, Path("run/run.sqlite"))
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=30)
    assert process.returncode == 130, err
    assert out == ""
    assert "Traceback" not in err
    mentions(err, ["Who is better", "unfinished", "to go on: woolsim resume run", "Error: interrupted"])
    assert "unfinished" in succeeded(alone("show", "run")).out
    resumed = succeeded(alone("resume", "run", "--format", "csv"))
    assert resumed.out == whole("whole", *command, games)


@pytest.mark.parametrize("command", [SMALL, RACE], ids=lambda command: command[0])
def test_ctrl_c_while_it_compiles_says_how_to_go_on(
    command: tuple[str, ...], capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(self: Recipe) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(Recipe, "engine", interrupted)
        outcome = in_process(capsys, *command, "--out", "run")
    assert (outcome.status, outcome.out) == (130, "")
    mentions(outcome.err, ["to go on: woolsim resume run"])
    mentions(refused(in_process(capsys, "show", "run")), ["no game has been played yet", "woolsim resume run"])
    resumed = succeeded(in_process(capsys, "resume", "run", "--format", "csv"))
    assert resumed.out == whole("whole", *command)


def _wait_for_blocks(process: "subprocess.Popen[str]", path: Path) -> None:
    """Wait until a run has some blocks."""
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and process.poll() is None:
        if path.exists() and alone("show", str(path.parent)).status == 0:
            return
        time.sleep(0.05)
    pytest.fail(f"did not begin: {process.poll()}")
