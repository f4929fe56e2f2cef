"""Races that are kept: interrupted, killed, extended, merged or shared among threads, they are what they would be."""

import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from commands import Outcome, alone, files_in, in_process, mentions, refused, started, succeeded
from race_samples import MOST, QUESTION, Raced, stages_of
from tournament_samples import raising_after

from analyzer.blocks import MAX_GAMES
from analyzer.find_best import MOST_STAGES, stage_end
from analyzer.runs import Run, merge

Capture = pytest.CaptureFixture[str]

SAMPLES = Path(__file__).with_name("race_samples.py")


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Raced:
    """Return a race that was played at once."""
    raced = Raced(tmp_path_factory.mktemp("races") / "whole")
    raced.play()
    return raced


def same(one: Raced, other: Raced) -> None:
    assert stages_of(one.read()) == stages_of(other.read())


def test_the_race_of_these_tests_has_stages_whose_blocks_are_many_and_of_several_line_ups(whole: Raced) -> None:
    race = whole.read()
    assert race.over
    assert race.stages[-1].race.decided
    assert len(race.stages) > 8
    assert len(whole.numbers) > 5 * len(race.stages)
    assert {len(stage.contenders) for stage in race.stages} == {5, 4, 2}
    assert race.stages[-1].games < MOST
    games = sum(
        len(stage.contenders) * (stage.games - before) * 9
        for stage, before in zip(race.stages, [0, *(stage.games for stage in race.stages)], strict=False)
    )
    assert (race.games_done, race.games_begun, race.games_missing) == (games, 0, 0)


@pytest.mark.parametrize("threads", [2, 3])
def test_threads_change_no_bit(threads: int, whole: Raced, tmp_path: Path) -> None:
    raced = Raced(tmp_path)
    raced.play(threads=threads)
    same(raced, whole)
    assert raced.numbers == whole.numbers


@pytest.mark.parametrize("blocks", [1, 9, 50])
def test_interrupted_and_resumed_is_played_at_once(blocks: int, whole: Raced, tmp_path: Path) -> None:
    raced = Raced(tmp_path)
    for _ in range(2):
        before = len(raced.numbers) if (tmp_path / "run.sqlite").exists() else 0
        if before + blocks < len(whole.numbers):
            with pytest.raises(KeyboardInterrupt):
                raced.play(threads=2, progress=raising_after(blocks))
            assert before + blocks <= len(raced.numbers) <= before + blocks + 4
            race, there = raced.read(), stages_of(whole.read())
            assert stages_of(race) == there[: len(race.stages)]
            assert not race.over
    raced.play()
    same(raced, whole)
    assert raced.numbers == whole.numbers


@pytest.mark.parametrize("ends", [(1, MOST), (6, 7, 8, 41, MOST), (62, 63), (20, 30, 50)])
def test_a_race_is_extended_to_what_it_would_have_been(ends: tuple[int, ...], whole: Raced, tmp_path: Path) -> None:
    """Also where it ended within a stage, whose last look then never was."""
    grown, at_once = Raced(tmp_path / "grown"), Raced(tmp_path / "whole")
    for end in ends:
        grown.play(end)
    at_once.play(ends[-1])
    same(grown, at_once)
    if ends[-1] >= 63:
        same(grown, whole)
    else:
        assert grown.read().stages[-1].games == ends[-1]


def test_what_is_damaged_is_played_again(whole: Raced, tmp_path: Path) -> None:
    """Without a block of an early stage the later ones do not count until it is there again."""
    folder = tmp_path / "run"
    with Run.open(whole.folder, write=False) as run, Run.create(folder, QUESTION, extent=MOST) as holed:
        holed._db.execute("PRAGMA synchronous = OFF")
        lost = min(number for number, _ in run.blocks() if number % MOST_STAGES == 4)
        for number, arrays in run.blocks():
            if number != lost:
                holed.commit(number, arrays)
    raced = Raced(folder)
    assert len(raced.read().stages) == 4
    played: list[int] = []
    raced.play(progress=played.append)
    assert len(played) == 1
    same(raced, whole)


def test_copies_of_a_run_that_went_on_are_merged(whole: Raced, tmp_path: Path) -> None:
    for name, blocks in (("one", 20), ("other", 35)):
        with pytest.raises(KeyboardInterrupt):
            Raced(tmp_path / name).play(progress=raising_after(blocks))
    Raced(tmp_path / "one").play(30)
    with (
        Run.open(tmp_path / "one", write=False) as one,
        Run.open(tmp_path / "other", write=False) as other,
        merge(tmp_path / "merged", [one, other]),
    ):
        pass
    merged = Raced(tmp_path / "merged")
    merged.play()
    same(merged, whole)


def test_a_race_never_has_more_stages_than_numbers_tell_apart() -> None:
    start = stages = 0
    while start < MAX_GAMES:
        start, stages = stage_end(start, 1), stages + 1
    assert stages < MOST_STAGES


@pytest.mark.skipif(sys.platform == "win32", reason="signals of Unix")
def test_killed_at_random_moments_and_resumed_is_played_at_once(whole: Raced, tmp_path: Path) -> None:
    check_killed(whole, tmp_path, 3, 1)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="signals of Unix")
@pytest.mark.parametrize("seed", range(5))
def test_killed_at_many_moments_and_resumed_is_played_at_once(seed: int, whole: Raced, tmp_path: Path) -> None:
    check_killed(whole, tmp_path, 12, seed)


def check_killed(whole: Raced, folder: Path, times: int, seed: int) -> None:
    command = [sys.executable, SAMPLES, folder, str(times), str(seed)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    committed = [int(line) for line in done.stdout.split()]
    assert len(committed) == times
    killed = Raced(folder)
    assert len(killed.numbers) >= sum(committed) > 0
    killed.play(threads=2)
    same(killed, whole)


# As its users run it


RACE = ("find-best", "plain:level=18..22", "random", "--field", "plain:level=20", "--players", "3", "--seed", "2")
GAMES_PER_ROUND = 300
"""So that this race, too, has several stages: the first ends after 16 deals."""


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("analyzer.plan.GAMES_PER_BLOCK", GAMES_PER_ROUND)
    return tmp_path


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Outcome]:
    """Return a finished run and what was said."""
    folder = str(tmp_path_factory.mktemp("runs") / "found")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("analyzer.plan.GAMES_PER_BLOCK", GAMES_PER_ROUND)
        return folder, succeeded(alone(*RACE, "--out", folder, "--format", "csv"))


def interrupted(capsys: Capture, monkeypatch: pytest.MonkeyPatch, after: int, *command: str) -> Outcome:
    """Run a command that gets Ctrl-C when so many blocks are kept."""
    kept, commit = 0, Run.commit

    def committed(self: Run, number: int, arrays: Any) -> None:
        nonlocal kept
        commit(self, number, arrays)
        kept += 1
        if kept == after:
            raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(Run, "commit", committed)
        outcome = in_process(capsys, *command)
    assert (outcome.status, outcome.out) == (130, "")
    mentions(outcome.err, ["to go on: woolsim resume run"])
    return outcome


def test_a_finished_run_is_shown_as_it_was_when_it_was_played(
    here: Path, found: tuple[str, Outcome], capsys: Capture
) -> None:
    folder, first = found
    again = succeeded(in_process(capsys, "show", folder, "--format", "csv", "--csv", "t.csv"))
    assert again.out == first.out == Path("t.csv").read_text()
    for outcome in (first, again):
        mentions(outcome.err, ["decided after ", "is the best", "kept in ", "made by: woolsim find-best"])
    readable = succeeded(in_process(capsys, "show", folder))
    mentions(readable.words(), ["stages", "The best is plain:level=21", "anytime-valid"])
    assert "unfinished" not in readable.out
    assert max(map(len, readable.out.partition("made by:")[0].splitlines())) <= 80
    assert succeeded(in_process(capsys, "resume", folder, "--format", "csv")).out == first.out
    assert succeeded(in_process(capsys, "extend", folder, "--games", "2e4", "--format", "csv")).out == first.out


def test_without_out_the_run_lies_in_a_folder_that_is_named_and_more_games_go_on_there(
    here: Path, capsys: Capture
) -> None:
    command = [*RACE, "--format", "csv", "--max-games"]
    for games in ("7", "20", "30"):
        outcome = succeeded(in_process(capsys, *command, games))
        (folder,) = Path("woolsim-out").iterdir()
        mentions(
            outcome.err, [f"kept in {folder}", f"not decided after {games} deals", f"--max-games {games} --seed 2"]
        )
    assert outcome.out == succeeded(in_process(capsys, *command, "30", "--out", "whole")).out


@pytest.mark.parametrize("games", ["7", "20"])
def test_a_run_is_extended_to_what_it_would_have_been(
    here: Path, games: str, found: tuple[str, Outcome], capsys: Capture
) -> None:
    """Ended within the first stage, and within a later one."""
    succeeded(in_process(capsys, *RACE, "--max-games", games, "--out", "run"))
    extended = succeeded(in_process(capsys, "extend", "run", "--games", "1e4", "--format", "csv"))
    assert extended.out == found[1].out
    mentions(extended.err, ["--max-games 10000 --seed 2"])
    mentions(refused(in_process(capsys, "extend", "run", "--games", "9999")), ["--games 9999", "10,000", "only grows"])


@pytest.mark.parametrize("after", [1, 2, 4])
def test_ctrl_c_keeps_what_is_played_and_resume_goes_on(
    here: Path, after: int, found: tuple[str, Outcome], capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    outcome = interrupted(capsys, monkeypatch, after, *RACE, "--out", "run", "--threads", "1")
    shown = in_process(capsys, "show", "run")
    if "no stage is finished yet" in shown.err:
        mentions(refused(shown), ["run", " games", "woolsim resume run"])
    else:
        for each in (outcome.err, shown.out):
            mentions(" ".join(each.split()), ["unfinished", "do not count yet", "Not decided among"])
        mentions(shown.err, ["not decided after", "so far: woolsim resume run"])
    assert succeeded(in_process(capsys, "resume", "run", "--format", "csv")).out == found[1].out
    assert succeeded(in_process(capsys, "show", "run", "--format", "csv")).out == found[1].out


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="signals of Unix")
def test_ctrl_c_as_a_signal_shows_the_race_so_far(tmp_path: Path) -> None:
    """These three play nearly alike, beside one that is slow."""
    command = ["find-best", "plain:level=14..16", "--field", "value", "--max-games", "5e3", "--format", "csv"]
    run, shown = str(tmp_path / "run"), []
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    process = started(*command, "--out", run, "--threads", "1", **pipes)
    while process.poll() is None and not shown:
        time.sleep(0.05)
        shown += [at for at in [alone("show", run)] if at.status == 0]
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=30)
    assert (process.returncode, out) == (130, ""), err
    assert "Traceback" not in err
    mentions(err, ["unfinished", "do not count yet", f"to go on: woolsim resume {run}", "Error: interrupted"])
    mentions(" ".join(err.split()), ["Not decided among 3: plain:level=1"])
    resumed = succeeded(alone("resume", run, "--format", "csv"))
    assert resumed.out == succeeded(alone(*command, "--out", str(tmp_path / "whole"))).out


def test_a_race_ends_when_those_who_are_left_play_alike(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    """Two who bid less than all others, which only results show, and one whom they beat."""
    monkeypatch.chdir(tmp_path)
    command = ("find-best", "plain:level=14", "plain:level=15", "random", "--field", "plain:level=20", "--players", "3")
    outcome = succeeded(in_process(capsys, *command, "--max-games", "1e6", "--out", "run"))
    mentions(outcome.words(), ["Play alike: plain:level=14, plain:level=15; no difference in any deal"])
    mentions(outcome.err, ["decided after", "win shares differ by less than 0.1 percentage points"])
    rows = succeeded(in_process(capsys, "show", "run", "--format", "csv")).rows()
    assert [row["dropped"] for row in rows[:2]] == ["", ""]
    assert rows[2]["dropped"] != ""
    assert int(rows[0]["games"]) < 30_000


def test_copies_of_a_run_are_merged(
    here: Path, found: tuple[str, Outcome], capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    interrupted(capsys, monkeypatch, 3, *RACE, "--out", "run", "--threads", "1")
    shutil.copytree("run", "copy")
    succeeded(in_process(capsys, "resume", "copy"))
    merged = succeeded(in_process(capsys, "merge", "run", "copy", "--out", "merged", "--format", "csv"))
    assert merged.out == found[1].out


def test_what_makes_no_sense_of_a_race_is_refused(here: Path, found: tuple[str, Outcome], capsys: Capture) -> None:
    folder = found[0]
    mentions(refused(in_process(capsys, "meta-game", folder)), [folder, "its tables compare"])
    mentions(refused(in_process(capsys, "show", folder, "--table", "pairs")), ["--table pairs", "candidates"])
    mentions(refused(in_process(capsys, *RACE, "--part", "1/2")), ["--part"])
    mentions(refused(in_process(capsys, *RACE, "--field", "random", "--max-games", "1e12")), ["deals"])
    sweep = ["sweep", *RACE[1:], "--games", "9", "--out", folder]
    mentions(refused(in_process(capsys, *sweep)), [folder, "the shape differs: find-best there"])
    assert not files_in(here)


MINE = """
class Steady:
    def bid(v, level=24):
        return level
"""


@pytest.mark.parametrize("change", [lambda text: text.replace("return level", "return level - 1"), None])
def test_a_changed_strategy_file_is_refused_but_its_results_are_shown(
    here: Path, change: Callable[[str], str] | None, capsys: Capture
) -> None:
    Path("mine.py").write_text(MINE)
    command = ["find-best", "mine.py:Steady", "plain", "random", "--players", "2", "--max-games", "40", "--out", "run"]
    first = succeeded(in_process(capsys, *command, "--format", "csv"))
    if change is None:
        Path("mine.py").unlink()
    else:
        Path("mine.py").write_text(change(MINE))
    sys.modules.pop("mine", None)
    for again in (command, ["resume", "run"], ["extend", "run", "--games", "60"]):
        mentions(refused(in_process(capsys, *again)), ["mine.py"])
    assert succeeded(in_process(capsys, "show", "run", "--format", "csv")).out == first.out


def test_stages_end_where_they_should(found: tuple[str, Outcome]) -> None:
    """What other tests of this file take for granted."""
    games = sorted({int(row["games"]) for row in found[1].rows()})
    assert games[0] >= 16
    assert len(games) >= 3
