"""What the options of tournament commands mean together: totals, parts, commands that are printed, contradictions."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from commands import Outcome, files_in, in_process, mentions, refused, succeeded
from tournament_commands import made_by_line, other_deck

from analyzer.plan import Plan
from analyzer.runs import Run
from analyzer.wool_rules.deck import SHIPPED_FILE
from reports.cli import progress

Capture = pytest.CaptureFixture[str]

pytestmark = pytest.mark.usefixtures("here")

SMALL = ("tournament", "plain:level=21", "plain", "random", "--players", "3", "--seed", "5")


# Totals


def totals(outcome: Outcome) -> set[tuple[str, str]]:
    """Return, of every line of progress, how many games there are and are wanted; the last one's are equal."""
    found = re.findall(
        r"^[0-9,]+ of [0-9,]+ blocks, ([0-9,]+) of ([0-9,]+) games, .* ([0-9,]+) s left", outcome.err, re.MULTILINE
    )
    assert found, outcome.err
    assert (found[-1][0], found[-1][2]) == (found[-1][1], "0")
    return {(there, wanted) for there, wanted, _ in found}


def test_the_total_of_progress_is_what_a_run_will_have(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ten line-ups of three in three seats: 30 games a deal."""
    monkeypatch.setattr(progress, "LINE_EVERY", 0)
    command = (*SMALL, "--threads", "1", "--out", "run")
    assert {wanted for _, wanted in totals(succeeded(in_process(capsys, *command, "--games", "50")))} == {"1,500"}
    extended = succeeded(in_process(capsys, "extend", "run", "--games", "60", "--threads", "1"))
    assert totals(extended) == {("1,800", "1,800")}
    with Run.open(Path("run"), write=True) as run:
        run.extend(2000)
    resumed = succeeded(in_process(capsys, "resume", "run", "--threads", "1"))
    assert {wanted for _, wanted in totals(resumed)} == {"60,000"}


def test_the_total_of_a_part_is_its_own(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "LINE_EVERY", 0)
    monkeypatch.setattr(Plan, "span", 10)
    wanted = []
    for part in ("1/3", "2/3", "3/3"):
        outcome = succeeded(in_process(capsys, *SMALL, "--games", "50", "--part", part, "--out", part[0]))
        (total,) = {wanted for _, wanted in totals(outcome)}
        wanted.append(int(total.replace(",", "")))
    assert sum(wanted) == 1500
    assert max(wanted) < 1500


def test_progress_says_blocks_and_the_leaders_with_their_intervals(
    capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Three rounds of one block; intervals become narrower."""
    monkeypatch.setattr(progress, "LINE_EVERY", 0)
    monkeypatch.setattr(Plan, "span", 20)
    command = ("tournament", "plain:level=20..22", "random", "--players", "2", "--games", "60", "--threads", "1")
    said = succeeded(in_process(capsys, *command)).err
    heads = re.findall(r"^([0-9]) of 3 blocks, ([0-9,]+) of 1,200 games, [0-9,]+ a second, [0-9]+ s left$", said, re.M)
    assert heads == [("1", "400"), ("2", "800"), ("3", "1,200")]
    leaders = re.findall(r"^  ([0-9.]+)% wins \(([0-9.]+)% to ([0-9.]+)%\)  (\S+)$", said, re.M)
    assert len(leaders) == 9
    widths = []
    for at in (0, 3, 6):
        shares, lows, highs = ([float(line[which]) for line in leaders[at : at + 3]] for which in range(3))
        assert shares == sorted(shares, reverse=True)
        assert all(low < share < high for low, share, high in zip(lows, shares, highs, strict=True))
        widths.append(highs[0] - lows[0])
    assert widths == sorted(widths, reverse=True)


def test_progress_of_a_race_says_its_stages_and_that_it_may_end_before(
    capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(progress, "LINE_EVERY", 0)
    monkeypatch.setattr("analyzer.plan.GAMES_PER_BLOCK", 300)
    command = ("find-best", "plain:level=20..22", "random", "--field", "plain:level=20", "--players", "2")
    said = succeeded(in_process(capsys, *command, "--seed", "2", "--threads", "1")).err
    mentions(said, [" s left at most\n", "stage 2, ", " left; before it:\n", "% wins ("])
    assert re.findall(r"^([0-9]) of ([0-9]) blocks, ", said, re.M)[0] == ("1", "1")


# Parts


def test_a_part_is_called_finished_and_printed_as_a_part(capsys: Capture) -> None:
    outcome = succeeded(in_process(capsys, *SMALL, "--games", "50", "--part", "1/2", "--out", "run"))
    mentions(outcome.words(), ["all of part 1 of 2 of 50 deals", "--part 1/2", "woolsim merge"])
    assert "unfinished" not in outcome.out + outcome.err
    assert "resume" not in outcome.out + outcome.err
    mentions(made_by_line(outcome), ["--games 50", "--part 1/2"])


def test_a_part_without_games_is_refused_and_leaves_nothing(capsys: Capture, here: Path) -> None:
    command = (*SMALL, "--games", "50", "--part", "2/2", "--format", "csv", "--csv", "t.csv")
    mentions(refused(in_process(capsys, *command)), ["--part 2/2", "nothing to play"])
    assert not files_in(here)


def test_a_folder_has_one_part_and_parts_have_folders_of_their_own(
    capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Plan, "span", 10)
    command = (*SMALL, "--games", "50", "--part")
    succeeded(in_process(capsys, *command, "1/2", "--out", "run"))
    for part, has in (("2/2", "part 1 of 2"), ("1/3", "part 1 of 2")):
        mentions(
            refused(in_process(capsys, *command, part, "--out", "run")), ["run: has blocks of", has, f"part {part[0]}"]
        )
    succeeded(in_process(capsys, *command[:-1], "--out", "run"))
    mentions(refused(in_process(capsys, *command, "2/2", "--out", "run")), ["blocks of the whole run"])
    for part in ("1/2", "2/2"):
        succeeded(in_process(capsys, *command, part))
    names = sorted(path.name for path in Path("woolsim-out").iterdir())
    assert [name[-12:] for name in names] == ["-part-1-of-2", "-part-2-of-2"]
    merged = in_process(capsys, "merge", *(f"woolsim-out/{name}" for name in names), "--out", "both", "--format", "csv")
    assert succeeded(merged).out == succeeded(in_process(capsys, "show", "run", "--format", "csv")).out


def test_parts_from_machines_with_other_paths_are_merged(
    files: None, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Plan, "span", 10)
    for part, folder in (("1/2", Path("a")), ("2/2", Path("b/c"))):
        folder.mkdir(parents=True)
        Path(folder / "mine.py").write_text(Path("mine.py").read_text())
        Path(folder / f"deck{part[0]}.csv").write_text(Path("other.csv").read_text())
        words = ("--players", "2", "--games", "60", "--deck", f"{folder}/deck{part[0]}.csv", "--part", part)
        succeeded(in_process(capsys, "tournament", f"{folder}/mine.py", "plain", *words, "--out", part[0]))
    merged = succeeded(in_process(capsys, "merge", "1", "2", "--out", "both", "--format", "csv"))
    made_here = ("tournament", "mine.py", "plain", "--players", "2", "--games", "60", "--deck", "other.csv")
    whole = succeeded(in_process(capsys, *made_here, "--format", "csv"))
    assert merged.out.replace("a/mine.py", "mine.py") == whole.out
    Path("mine.py").write_text("def bid(v, level=23):\n    return level\n")
    succeeded(in_process(capsys, *made_here, "--part", "1/2", "--out", "3"))
    message = refused(in_process(capsys, "merge", "3", "2", "--out", "none"))
    mentions(message, ["the strategies differ", "mine.py:level=23"])


# Folders


def test_a_run_that_has_more_deals_than_are_asked_for_says_so(capsys: Capture) -> None:
    first = succeeded(in_process(capsys, *SMALL, "--games", "30", "--format", "csv"))
    assert "Note" not in first.err
    again = succeeded(in_process(capsys, *SMALL, "--games", "20", "--format", "csv"))
    assert again.out == first.out
    mentions(
        again.err, ["Note: the run in woolsim-out/round-robin-plain-level-21", "30 deals", "with 20 only", "--out"]
    )


MENDED = "def bid(v):\n    return {}\n"


@pytest.mark.parametrize("again", ["tournament", "resume"])
def test_a_run_that_failed_before_its_first_block_takes_the_mended_strategy(again: str, capsys: Capture) -> None:
    Path("mine.py").write_text(MENDED.format("99 if v.round == 4 else 20"))
    command = ("tournament", "mine.py", "plain", "--players", "2", "--games", "30", "--out")
    mentions(refused(in_process(capsys, *command, "run")), ["bid of mine.py", "99"])
    Path("mine.py").write_text(MENDED.format("20 + v.round % 2"))
    words = (*command, "run") if again == "tournament" else ("resume", "run")
    mended = succeeded(in_process(capsys, *words, "--format", "csv"))
    assert mended.out == succeeded(in_process(capsys, *command, "whole", "--format", "csv")).out
    Path("mine.py").write_text(MENDED.format("21"))
    mentions(refused(in_process(capsys, *words)), ["the strategies differ"])


def test_an_empty_name_of_a_folder_is_refused(capsys: Capture, here: Path) -> None:
    for command in ((*SMALL, "--games", "2"), ("merge", "run")):
        mentions(refused(in_process(capsys, *command, "--out", "")), ["--out", "name a folder"])
    assert not files_in(here)


@pytest.mark.parametrize(
    "command", [("compare", "plain", "random"), ("sweep", "plain:level=20..22")], ids=lambda command: command[0]
)
def test_comparisons_have_parts_too(command: tuple[str, ...], capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Plan, "span", 10)
    command = (*command, "--games", "50", "--players", "2", "--format", "csv")
    whole = succeeded(in_process(capsys, *command, "--out", "whole")).out
    for part in ("1/2", "2/2"):
        said = succeeded(in_process(capsys, *command, "--part", part, "--out", part[0]))
        mentions(made_by_line(said), [f"--part {part}"])
    assert succeeded(in_process(capsys, "merge", "2", "1", "--out", "joined", "--format", "csv")).out == whole


def test_a_part_is_not_joined_into_itself(capsys: Capture, here: Path) -> None:
    succeeded(in_process(capsys, *SMALL, "--games", "50", "--part", "1/2", "--out", "run"))
    before = (here / "run" / "run.sqlite").read_bytes()
    mentions(refused(in_process(capsys, "merge", "run", "--out", "run")), ["--out run", "another folder"])
    assert (here / "run" / "run.sqlite").read_bytes() == before


# What is said of errors


def test_who_extends_a_fixed_number_of_games_is_told_what_that_does_to_intervals(capsys: Capture) -> None:
    succeeded(in_process(capsys, *SMALL, "--games", "20", "--out", "run"))
    mentions(succeeded(in_process(capsys, "extend", "run", "--games", "30")).err, ["Note: ", "--until-decided"])
    for again in (("resume", "run"), ("extend", "run", "--games", "30"), ("show", "run")):
        assert "Note" not in succeeded(in_process(capsys, *again)).err


def test_few_deals_and_random_opponents_are_named_in_what_reproduces_the_figures(capsys: Capture) -> None:
    for games, rough in (("9", True), ("10", False)):
        words = succeeded(in_process(capsys, *SMALL, "--games", games)).words()
        assert ("fewer than 10 deals of each line-up: errors are rough" in words) == rough
    drawn = succeeded(in_process(capsys, "find-best", *SMALL[1:4], "--max-games", "50"))
    mentions(drawn.words(), ["beside 30 groups of opponents drawn from the candidates"])


def test_what_has_not_all_line_ups_names_no_groups(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    """Interrupted within the first round, whose blocks have different line-ups."""
    monkeypatch.setattr("analyzer.plan.GAMES_PER_BLOCK", 10)
    command = ("tournament", "plain:level=20..23", "--players", "3", "--games", "5", "--threads", "1", "--out", "run")
    with monkeypatch.context() as patch:
        patch.setattr("analyzer.runs.Run.commit", interrupting(Run.commit))
        assert in_process(capsys, *command).status == 130
    outcome = succeeded(in_process(capsys, "show", "run"))
    mentions(outcome.words(), ["No groups: only ", " of 20 line-ups have played", "unfinished"])
    mentions(outcome.err, ["to go on: woolsim resume run"])
    rows = succeeded(in_process(capsys, "show", "run", "--format", "json")).objects()
    assert {row["group"] for row in rows} == {None}
    rows = succeeded(in_process(capsys, "resume", "run", "--format", "json")).objects()
    assert None not in {row["group"] for row in rows}


def interrupting(commit: Callable[[Run, int, Any], None]) -> Callable[[Run, int, Any], None]:
    """Return what keeps a block and is then interrupted, the first time."""
    kept: list[int] = []

    def committed(run: Run, number: int, arrays: Any) -> None:
        commit(run, number, arrays)
        kept.append(number)
        if len(kept) == 1:
            raise KeyboardInterrupt

    return committed


# What contradicts itself


CONTRADICTIONS = {
    "most without results": ("tournament plain random --max-games 5", ["--max-games", "--until-decided", "--games N"]),
    "no line-ups": ("tournament plain random --shape random --line-ups 0", ["a number of line-ups"]),
    "no candidates": ("tournament plain random --shape gauntlet --candidates 0", ["a number of candidates"]),
    "part where results decide": ("compare plain random --part 1/2", ["--part", "--games"]),
    "least without results": ("tournament plain random --games 4 --min-games 5", ["--min-games", "--until-decided"]),
    "least above most": (
        "tournament plain random --until-decided --min-games 100 --max-games 10",
        ["--min-games 100", "at most, 10", "--max-games"],
    ),
    "least above the default": ("compare plain random --min-games 2e5", ["--min-games 200,000", "at most, 100,000"]),
    "compare with least": ("compare plain random --min-games 100 --games 10", ["--min-games", "--games"]),
    "compare with most": ("compare plain random --max-games 100 --games 10", ["--max-games", "--games"]),
    "sweep with most": ("sweep plain:level=20..21 --max-games 10", ["--max-games"]),
    "shape and candidate": ("tournament --field gauntlet.toml --shape table", ["gauntlet.toml", "--shape table"]),
    "round robin and candidate": ("tournament --field gauntlet.toml --shape round-robin", ["--shape round-robin"]),
    "two says of candidates": ("tournament --field gauntlet.toml --candidates 2", ["gauntlet.toml", "--candidates"]),
    "candidate in its field": ("tournament --field twice.toml", ["plain:level=21", "twice"]),
    "candidate in a command's field": ("tournament plain:level=21 --field gauntlet.toml", ["plain:level=21", "twice"]),
    "compare with a candidate": ("compare plain random --field gauntlet.toml", ["gauntlet.toml", "candidate"]),
    "sweep with a candidate": ("sweep plain:level=19..20 --field gauntlet.toml", ["gauntlet.toml", "candidate"]),
    "find-best of two counts": ("find-best field.toml", ["2 player counts", "--players"]),
    "function and file": ("tournament mine.py mine.py:bid:level=22", ["mine.py", "same strategy"]),
    "two ways to a file": ("tournament mine.py ./mine.py:level=22", ["mine.py", "same strategy"]),
    "table of a comparison": ("tournament plain random --games 2 --table places", ["--table places", "standings"]),
    "table of other decks": ("compare plain random --table settings", ["--table settings", "candidates"]),
    "standings of compare": (
        "compare plain random --table standings",
        ["--table", "'settings', 'places'"],
    ),
    "one deck twice": ("compare plain random --deck one.csv --deck same.csv", ["one.csv and same.csv are the same"]),
    "the shipped deck": ("compare plain --field random --deck one.csv", ["one.csv and the standard are the same"]),
    "one strategy": ("compare plain --field random", ["two strategies", "--deck"]),
}


@pytest.fixture
def files(here: Path) -> None:
    Path("gauntlet.toml").write_text('candidate = "plain:level=21"\nstrategies = ["plain", "random"]\n')
    Path("twice.toml").write_text('candidate = "plain:level=21"\nstrategies = ["plain:level=20..22", "random"]\n')
    Path("field.toml").write_text('strategies = ["plain", "random"]\nplayers = [3, 2]\n')
    Path("mine.py").write_text("def bid(v, level=22):\n    return level\n")
    deck = SHIPPED_FILE.read_text(encoding="utf-8")
    for name in ("one.csv", "same.csv"):
        Path(name).write_text(deck)
    other_deck()


@pytest.mark.parametrize("name", list(CONTRADICTIONS))
def test_what_contradicts_itself_is_refused_before_anything_is_played(
    name: str, files: None, capsys: Capture, here: Path
) -> None:
    before = files_in(here)
    command, parts = CONTRADICTIONS[name]
    mentions(refused(in_process(capsys, *command.split())), parts)
    assert files_in(here) == before


def test_the_first_look_is_no_later_than_the_last(capsys: Capture) -> None:
    outcome = succeeded(in_process(capsys, "compare", "plain:level=21", "plain", "--players", "2", "--max-games", "20"))
    mentions(made_by_line(outcome), ["--min-games 20 --max-games 20"])


# Fields of files, decks


@pytest.mark.parametrize("command", ["compare plain:level=21 value", "sweep plain:level=21..22"])
def test_the_player_counts_of_a_file_are_played_unless_others_are_asked_for(
    command: str, files: None, capsys: Capture
) -> None:
    words = (*command.split(), "--field", "field.toml", "--games", "3")
    mentions(made_by_line(succeeded(in_process(capsys, *words))), ["--players 2,3 "])
    mentions(made_by_line(succeeded(in_process(capsys, *words, "--players", "4"))), ["--players 4 "])


def test_two_strategies_are_compared_on_the_deck_that_is_given(files: None, capsys: Capture) -> None:
    more = ("--players", "2", "--games", "20", "--format", "csv")
    outcome = succeeded(in_process(capsys, "compare", "plain", "random", "--deck", "other.csv", *more))
    swept = succeeded(in_process(capsys, "sweep", "plain", "random", "--deck", "other.csv", *more))
    assert [row["strategy"] for row in outcome.rows()] == ["plain", "random"]
    mentions(outcome.err, ["other.csv", "made by: woolsim compare plain random", "--deck other.csv"])
    mentions(swept.err, ["other.csv"])
    shipped = succeeded(in_process(capsys, "compare", "plain", "random", *more))
    assert outcome.rows() != shipped.rows()


def test_help_says_who_sits_beside_them(capsys: Capture) -> None:
    for command, default in (("compare", "they themselves"), ("sweep", "plain"), ("find-best", "groups of them")):
        mentions(succeeded(in_process(capsys, command, "--help")).words(), [f"[default: {default}"])
    assert "--min-games" not in succeeded(in_process(capsys, "sweep", "--help")).out
