"""What a terminal gets: colours unless they are unwanted, bars while it takes long, nothing where quiet is asked."""

import os
import re
import subprocess
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import pytest
from commands import SCRIPT, in_process, succeeded, woolsim

import reports.cli
from reports.cli.progress import working
from reports.cli.say import note, noting, say

Capture = pytest.CaptureFixture[str]

COLOUR = re.compile(r"\x1b\[[0-9;]*?(?:3|4|9|10)[0-7](?:;[0-9;]*)?m|\x1b\[[0-9;]*?[34]8;")
"""What sets the colour of signs or of what is behind them; bold and dim are none."""

BARS = ("bid-table", "--bid", "20..22")


def on_terminal(*arguments: str, cwd: Path | None = None, **environment: str) -> tuple[str, str]:
    """Return what a command prints on pseudo terminals, standard output and standard error."""
    env = {name: value for name, value in os.environ.items() if name not in {"NO_COLOR", "FORCE_COLOR", "COLUMNS"}}
    env |= {"TERM": "xterm-256color", **environment}
    ends = [os.openpty() for _ in range(2)]
    done = subprocess.Popen(
        [str(SCRIPT), *arguments], env=env, cwd=cwd, stdin=subprocess.DEVNULL, stdout=ends[0][1], stderr=ends[1][1]
    )
    for _, theirs in ends:
        os.close(theirs)
    with ThreadPoolExecutor() as pool:  # both at once: who writes much on one waits for its reader
        out, err = pool.map(_all_of, (ours for ours, _ in ends))
    assert done.wait(60) == 0
    return out, err


def _all_of(terminal: int) -> str:
    text = b""
    with suppress(OSError):  # Linux says so at the end of a terminal
        while piece := os.read(terminal, 65536):
            text += piece
    os.close(terminal)
    return text.decode()


def test_a_terminal_gets_colours() -> None:
    assert COLOUR.search(on_terminal(*BARS)[0])


@pytest.mark.parametrize("unwanted", [{"NO_COLOR": "1"}, {"TERM": "dumb"}])
def test_a_terminal_gets_no_colour_where_none_is_wanted(unwanted: dict[str, str]) -> None:
    out, _ = on_terminal(*BARS, **unwanted)
    assert "success" in out
    assert not COLOUR.search(out)
    if "TERM" in unwanted:
        assert "\x1b" not in out


def test_a_pipe_gets_colours_only_by_force() -> None:
    assert "\x1b" not in woolsim(*BARS).out
    forced = {**os.environ, "FORCE_COLOR": "1", "TERM": "xterm-256color"}
    assert COLOUR.search(woolsim(*BARS, env=forced).out)
    assert "\x1b" not in woolsim(*BARS, "--format", "csv", env=forced).out
    assert woolsim(*BARS, "--simulate", "1e4", "--format", "csv", env=forced).err.count("\x1b") == 0


@pytest.mark.parametrize(
    ("command", "bar"),
    [
        pytest.param("bid-table --bid 20 --simulate 1e5", "rolling"),
        pytest.param("odds-card --out card.png", "drawing", marks=pytest.mark.slow),
        pytest.param("odds-page", "solving", marks=pytest.mark.slow),
    ],
)
def test_bars_are_shown_on_a_terminal_unless_quiet(command: str, bar: str, tmp_path: Path) -> None:
    loud, err = on_terminal(*command.split(), cwd=tmp_path)
    assert bar in err
    quiet, err = on_terminal(*command.split(), "--quiet", cwd=tmp_path)
    assert err == ""
    assert quiet == loud  # also what reproduces it: being quiet makes no other figures


@pytest.mark.parametrize("quiet", ["-q", "--quiet"])
def test_quiet_says_errors_still(quiet: str, capsys: Capture) -> None:
    outcome = in_process(capsys, "bid-table", quiet, "--bid", "99")
    assert outcome.status == 2
    assert "Error: Invalid value for '--bid'" in outcome.err
    outcome = in_process(capsys, "simulate", "nobody", quiet)
    assert outcome.status == 2
    assert outcome.err.startswith("Error: ")


def test_quiet_leaves_output_and_files_as_they_are(here: Path, capsys: Capture) -> None:
    asked = ("bid-table", "--bid", "20", "--format", "csv", "--csv", "t.csv")
    loud = succeeded(in_process(capsys, *asked))
    kept = (Path("t.csv").read_bytes(), Path("t.csv.meta.json").read_bytes())
    quiet = succeeded(in_process(capsys, *asked, "-q"))
    assert loud.err
    assert quiet.err == ""
    assert quiet.out == loud.out
    assert (Path("t.csv").read_bytes(), Path("t.csv.meta.json").read_bytes()) == kept


def test_nothing_is_printed_past_quiet_and_past_what_makes_names_harmless() -> None:
    """Commands print by `reports.cli.say` and `show`; only what runs them says errors and help itself."""
    printing = re.compile(r"click\.echo\(|(?<!\w)print\(|\.secho\(")
    folder = Path(reports.cli.__file__).parent
    found = {file.name for file in folder.glob("*.py") if printing.search(file.read_text(encoding="utf-8"))}
    assert found == {"__init__.py", "say.py", "show.py"}


def test_without_a_command_nobody_is_quiet(capsys: Capture) -> None:
    note("beside")
    noting()("from another thread")
    say("output")
    assert capsys.readouterr() == ("output\n", "beside\nfrom another thread\n")


def test_work_without_a_terminal_shows_nothing(capsys: Capture) -> None:
    with working("thinking"):
        pass
    assert capsys.readouterr() == ("", "")
