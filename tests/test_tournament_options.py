"""What the options of tournament commands mean together: totals, parts, commands that are printed, contradictions."""

import re
from pathlib import Path

import pytest
from commands import Outcome, files_in, in_process, mentions, refused, succeeded

from analyzer.plan import Plan
from reports.cli import playing

Capture = pytest.CaptureFixture[str]

SMALL = ("tournament", "plain:level=21", "plain", "random", "--players", "3", "--seed", "5")


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def made_by(outcome: Outcome) -> str:
    """Return the command that is printed."""
    (line,) = [line for line in (outcome.out + outcome.err).splitlines() if line.startswith("made by: ")]
    return line


# Totals


def totals(outcome: Outcome) -> set[tuple[str, str]]:
    """Return, of every line of progress, how many games there are and are wanted; the last one's are equal."""
    found = re.findall(r"^([0-9,]+) of ([0-9,]+) games, .* ([0-9,]+) s left", outcome.err, re.MULTILINE)
    assert found, outcome.err
    assert (found[-1][0], found[-1][2]) == (found[-1][1], "0")
    return {(there, wanted) for there, wanted, _ in found}


def test_the_total_of_progress_is_what_a_run_will_have(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ten line-ups of three in three seats: 30 games a deal."""
    monkeypatch.setattr(playing, "LINE_EVERY", 0)
    command = (*SMALL, "--threads", "1", "--out", "run")
    assert {wanted for _, wanted in totals(succeeded(in_process(capsys, *command, "--games", "50")))} == {"1,500"}
    extended = succeeded(in_process(capsys, "extend", "run", "--games", "60", "--threads", "1"))
    assert totals(extended) == {("1,800", "1,800")}
    from analyzer.runs import Run

    with Run.open(Path("run"), write=True) as run:
        run.extend(2000)
    resumed = succeeded(in_process(capsys, "resume", "run", "--threads", "1"))
    assert {wanted for _, wanted in totals(resumed)} == {"60,000"}


def test_the_total_of_a_part_is_its_own(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(playing, "LINE_EVERY", 0)
    monkeypatch.setattr(Plan, "span", 10)
    wanted = []
    for part in ("1/3", "2/3", "3/3"):
        outcome = succeeded(in_process(capsys, *SMALL, "--games", "50", "--part", part, "--out", part[0]))
        (total,) = {wanted for _, wanted in totals(outcome)}
        wanted.append(int(total.replace(",", "")))
    assert sum(wanted) == 1500
    assert max(wanted) < 1500


# Parts


def test_a_part_is_called_finished_and_printed_as_a_part(capsys: Capture) -> None:
    outcome = succeeded(in_process(capsys, *SMALL, "--games", "50", "--part", "1/2", "--out", "run"))
    mentions(outcome.words(), ["all of part 1 of 2 of 50 deals", "--part 1/2", "woolsim merge"])
    assert "unfinished" not in outcome.out + outcome.err
    assert "resume" not in outcome.out + outcome.err
    mentions(made_by(outcome), ["--games 50", "--part 1/2"])


def test_a_part_without_games_is_refused_and_leaves_nothing(capsys: Capture, here: Path) -> None:
    command = (*SMALL, "--games", "50", "--part", "2/2", "--format", "csv", "--csv", "t.csv")
    mentions(refused(in_process(capsys, *command)), ["--part 2/2", "nothing to play"])
    assert not files_in(here)
