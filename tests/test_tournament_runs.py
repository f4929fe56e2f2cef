"""Runs of tournament commands gone on with: extended, resumed, merged, or refused where the question differs."""

import csv
import shlex
import sqlite3
from pathlib import Path

import pytest
from commands import alone, files_in, in_process, mentions, refused, succeeded
from tournament_commands import MINE, SMALL, csv_of, made_by, other_deck, whole

from analyzer.plan import Plan
from analyzer.tournament import Tournament

Capture = pytest.CaptureFixture[str]

pytestmark = pytest.mark.usefixtures("here")


# Going on with a run


def test_a_run_is_extended_to_what_it_would_have_been(capsys: Capture) -> None:
    begin = [*SMALL[:-4], "--seed", "5", "--games"]
    succeeded(in_process(capsys, *begin, "7", "--out", "grown"))
    outcome = succeeded(in_process(capsys, "extend", "grown", "--games", "120", "--format", "csv"))
    assert outcome.out == whole("whole", *SMALL)
    mentions(outcome.err, ["--games 120 --seed 5", "kept in grown"])
    assert succeeded(in_process(capsys, "resume", "grown", "--format", "csv")).out == outcome.out


def test_giving_the_command_again_with_more_games_goes_on(capsys: Capture) -> None:
    begin = [*SMALL[:-4], "--seed", "5", "--out", "grown", "--format", "csv", "--games"]
    succeeded(in_process(capsys, *begin, "7"))
    assert succeeded(in_process(capsys, *begin, "120")).out == whole("whole", *SMALL)


def test_a_run_only_grows(capsys: Capture) -> None:
    succeeded(in_process(capsys, *SMALL, "--out", "run"))
    before = csv_of("run")
    mentions(refused(in_process(capsys, "extend", "run", "--games", "7")), ["--games 7", "120", "only grows"])
    assert csv_of("run") == before


PAIRED = {
    "candidates": ["compare", "plain:level=21", "random", "--field", "plain", "--players", "3"],
    "sweep": ["sweep", "plain:level=20..22", "--field", "plain", "--players", "3"],
    "another deck": ["compare", "plain", "--field", "random", "--players", "2", "--deck", "other.csv"],
    "two decks": ["compare", "plain", "random", "--players", "2", "--deck", "other.csv", "--deck", "third.csv"],
    "rules": ["compare", "plain", "--field", "random", "--players", "2", "--rules", "rules.toml"],
    "a deck": ["tournament", "plain", "random", "--players", "2", "--deck", "other.csv"],
    "many decks": ["tournament", "plain", "random", "--players", "2", "--perturb-deck", "11"],
    "a table": ["tournament", "plain", "random", "--shape", "table"],
    "several candidates": ["tournament", "--field", "gauntlets.toml", "--players", "2"],
}


@pytest.mark.parametrize("name", list(PAIRED))
def test_every_shape_is_extended_to_what_it_would_have_been(name: str, files: None, capsys: Capture) -> None:
    command = PAIRED[name]
    succeeded(in_process(capsys, *command, "--games", "3", "--out", "grown"))
    grown = succeeded(in_process(capsys, "extend", "grown", "--games", "8", "--format", "csv"))
    assert grown.out == whole("whole", *command, "--games", "8")
    assert csv_of("grown") == grown.out


def test_until_decided_can_be_resumed_and_extended(capsys: Capture) -> None:
    command = ["tournament", "plain:level=21", "random", "--players", "2", "--until-decided", "--out", "run"]
    first = succeeded(in_process(capsys, *command, "--format", "csv"))
    mentions(first.err, ["decided after ", "plain:level=21 is the best", "anytime-valid"])
    again = succeeded(in_process(capsys, "resume", "run", "--format", "csv"))
    assert again.out == first.out
    mentions(again.err, ["decided after "])


def test_what_is_not_decided_is_said(capsys: Capture) -> None:
    command = ["tournament", "plain", "plain:level=22", "--players", "2", "--target-error", "0.001"]
    outcome = succeeded(in_process(capsys, *command, "--max-games", "20", "--out", "run"))
    mentions(outcome.err, ["not decided after 20 deals", "--max-games"])


def test_parts_merged_are_the_whole(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Plan, "span", 10)
    command = ["tournament", "plain:level=20..22", "random", "--players", "3", "--games", "70", "--seed", "3"]
    for part in ("1", "2"):
        outcome = succeeded(in_process(capsys, *command, "--part", f"{part}/2", "--out", f"part-{part}"))
        mentions(outcome.words(), [f"all of part {part} of 2 of 70 deals", "woolsim merge"])
    merged = succeeded(in_process(capsys, "merge", "part-1", "part-2", "--out", "merged", "--format", "csv"))
    assert merged.out == whole("whole", *command)
    assert csv_of("merged") == merged.out
    for part in ("part-1", "part-2"):
        assert csv_of(part) != merged.out


def test_parts_of_different_questions_are_not_merged(capsys: Capture) -> None:
    for seed in ("1", "2"):
        command = ["tournament", "plain", "random", "--players", "2", "--games", "4", "--seed", seed]
        succeeded(in_process(capsys, *command, "--out", f"run-{seed}"))
    message = refused(in_process(capsys, "merge", "run-1", "run-2", "--out", "merged"))
    mentions(message, ["the seed differs: 1 there, 2 here", "run-2"])
    assert not Path("merged").exists()
    mentions(refused(in_process(capsys, "merge", "--out", "merged")), ["name the runs to join"])
    mentions(refused(in_process(capsys, "merge", "run-1", "none", "--out", "merged")), ["none", "no such run"])
    assert not Path("merged").exists()


# What is shown after a stop by the results


UNTIL = ("tournament", "plain:level=21", "plain", "random", "--players", "2", "--until-decided")


@pytest.fixture(scope="module")
def decided(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = str(tmp_path_factory.mktemp("runs") / "decided")
    succeeded(alone(*UNTIL, "--max-games", "3000", "--out", folder))
    return folder


def widths(text: str, figure: str) -> list[float]:
    return [float(row[f"{figure}_high"]) - float(row[f"{figure}_low"]) for row in csv.DictReader(text.splitlines())]


def test_intervals_after_a_stop_by_the_results_are_wider_than_those_of_as_many_games(
    decided: str, capsys: Capture
) -> None:
    shown = succeeded(in_process(capsys, "show", decided, "--format", "csv"))
    games = made_by(shown)[made_by(shown).index("--max-games") + 1]
    as_many = whole("as-many", *UNTIL[:-1], "--games", games)
    for figure, least in (("win_share", 1.4), ("margin", 1.4), ("rating", 1.0)):
        found = zip(widths(shown.out, figure), widths(as_many, figure), strict=True)
        assert all(looked_at / ordinary >= least for looked_at, ordinary in found), figure
    readable = succeeded(in_process(capsys, "show", decided))
    for text in (shown.err, readable.out):
        mentions(" ".join(text.split()), ["esults decide when to stop"])
    mentions(readable.words(), ["anytime-valid", "ratings, luck and mixtures are ordinary ones"])
    mentions(shown.err, ["decided after", "is the best"])
    assert [row["group"] for row in shown.rows()].count("1") == 1


def test_a_run_extended_past_its_most_games_is_reproduced_by_two_commands(capsys: Capture) -> None:
    command = [*UNTIL, "--max-games", "60", "--out"]
    succeeded(in_process(capsys, *command, "run"))
    extended = succeeded(in_process(capsys, "extend", "run", "--games", "90", "--format", "csv"))
    (line,) = [line for line in extended.err.splitlines() if line.startswith("made by: ")]
    first, then = (shlex.split(part)[1:] for part in line.removeprefix("made by: ").split(" && "))
    Path("run").rename("before")
    succeeded(in_process(capsys, *first))
    again = succeeded(in_process(capsys, *then, "--format", "csv"))
    assert again.out == extended.out
    mentions(again.err, ["decided after 90 deals"])


def test_what_is_not_decided_yet_says_how_to_go_on(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    command = ["tournament", "plain:level=21", "random", "--players", "2", "--target-error", "0.002", "--out", "run"]
    begun = Tournament._decided

    def interrupted(self: Tournament) -> bool:
        over = begun(self)
        if self.run.extent:
            raise KeyboardInterrupt
        return over

    with monkeypatch.context() as patch:
        patch.setattr(Tournament, "_decided", interrupted)
        stopped = in_process(capsys, *command, "--max-games", "3e4", "--threads", "1")
    assert stopped.status == 130
    for outcome in (stopped, succeeded(in_process(capsys, "show", "run"))):
        mentions(outcome.err, ["not decided after 3,333 deals of each line-up so far", "woolsim resume run"])


# A run that answers another question


def asked_again(folder: str) -> list[list[str]]:
    return [["resume", folder], ["extend", folder, "--games", "9"]]


def test_another_seed_in_the_same_folder_is_refused(capsys: Capture) -> None:
    command = ["tournament", "plain", "random", "--players", "2", "--games", "4", "--out", "run", "--seed"]
    succeeded(in_process(capsys, *command, "1"))
    before = files_in(Path("run"))
    message = refused(in_process(capsys, *command, "2"))
    mentions(message, ["run", "the seed differs: 1 there, 2 here"])
    assert files_in(Path("run")) == before


def test_a_changed_strategy_file_is_refused_but_its_results_are_shown(files: None, capsys: Capture) -> None:
    command = ["tournament", "mine.py:Steady", "plain", "--players", "2", "--games", "4", "--out", "run"]
    first = succeeded(in_process(capsys, *command, "--format", "csv"))
    Path("mine.py").write_text(MINE.replace("return level", "return min(level, 23)"))
    for again in (command, *asked_again("run")):
        mentions(refused(in_process(capsys, *again)), ["the strategies differ", "mine.py:Steady", "there", "here"])
    assert succeeded(in_process(capsys, "show", "run", "--format", "csv")).out == first.out
    Path("mine.py").write_text("# a comment does not count\n" + MINE)
    succeeded(in_process(capsys, "resume", "run"))


def test_results_are_shown_when_the_strategy_file_is_gone(files: None, capsys: Capture) -> None:
    command = ["tournament", "mine.py:Steady", "plain", "--players", "2", "--games", "4", "--out", "run"]
    first = succeeded(in_process(capsys, *command, "--format", "csv"))
    Path("mine.py").unlink()
    for again in asked_again("run"):
        mentions(refused(in_process(capsys, *again)), ["mine.py"])
    assert succeeded(in_process(capsys, "show", "run", "--format", "csv")).out == first.out


def test_a_changed_deck_file_is_refused_but_its_results_are_shown(files: None, capsys: Capture) -> None:
    command = ["tournament", "plain", "random", "--players", "2", "--games", "4", "--deck", "other.csv", "--out", "run"]
    first = succeeded(in_process(capsys, *command, "--format", "csv"))
    other_deck(7)
    for again in (command, *asked_again("run")):
        mentions(refused(in_process(capsys, *again)), ["other", "there"])
    assert csv_of("run") == first.out
    other_deck(9)
    assert succeeded(in_process(capsys, "resume", "run", "--format", "csv")).out == first.out


@pytest.mark.parametrize("name", ["another deck", "two decks"])
def test_a_changed_deck_that_is_compared_is_refused(name: str, files: None, capsys: Capture) -> None:
    succeeded(in_process(capsys, *PAIRED[name], "--games", "3", "--out", "run"))
    other_deck(7)
    for again in asked_again("run"):
        mentions(refused(in_process(capsys, *again)), ["other.csv", "has changed since the run began"])


def test_other_sources_of_the_engine_are_refused_but_results_are_shown(
    capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    from analyzer.wool_rules.game import WOOL_RULES

    command = ["tournament", "plain", "random", "--players", "2", "--games", "4", "--out", "run"]
    first = succeeded(in_process(capsys, *command, "--format", "csv"))
    monkeypatch.setitem(WOOL_RULES.__dict__, "engine_digest", "0123456789" * 6)
    for again in (command, *asked_again("run")):
        mentions(refused(in_process(capsys, *again)), ["the engine differs", "engine sources (01234567) here"])
    assert csv_of("run") == first.out


@pytest.mark.parametrize("command", ["show", "resume", "extend", "merge", "meta-game"])
def test_what_is_no_run_is_named(command: str, capsys: Capture, here: Path) -> None:
    Path("empty").mkdir()
    Path("file").write_text("mine")
    Path("other").mkdir()
    Path("other/run.sqlite").write_text("mine, and no database")
    before = files_in(here)
    more = {"extend": ["--games", "9"], "merge": ["--out", "merged"]}.get(command, [])
    for what in ("none", "empty", "file", "other"):
        mentions(refused(in_process(capsys, command, what, *more)), [what])
    assert files_in(here) == before


def test_a_run_of_another_game_is_named(capsys: Capture) -> None:
    succeeded(in_process(capsys, *SMALL, "--out", "run"))
    with sqlite3.connect("run/run.sqlite") as database:
        for table, column in _texts_with(database, "wool-rules"):
            database.execute(f"UPDATE {table} SET {column} = replace({column}, 'wool-rules', 'goat-rules')")
    database.close()
    for again in (["show", "run"], ["resume", "run"]):
        mentions(refused(in_process(capsys, *again)), ["run"])


def _texts_with(database: sqlite3.Connection, text: str) -> list[tuple[str, str]]:
    tables = [name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
    places = [(table, row[1]) for table in tables for row in database.execute(f"PRAGMA table_info({table})")]
    return [
        (table, column)
        for table, column in places
        if database.execute(f"SELECT 1 FROM {table} WHERE instr({column}, ?)", (text,)).fetchone()
    ]
