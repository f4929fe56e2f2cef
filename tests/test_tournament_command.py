"""`woolsim tournament` and its relatives as their users run them: tables, files, runs gone on with, refusals."""

import csv
import json
import shlex
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pandas as pd
import pytest
from commands import Outcome, alone, files_in, in_process, mentions, refused, started, succeeded, woolsim
from scipy.stats import norm, t

from analyzer.tournament import Tournament
from analyzer.wool_rules.deck import SHIPPED_FILE
from reports.tournament_plots import sweep_figure, swept_parameter
from strategies.recipes import Recipe

Capture = pytest.CaptureFixture[str]

STANDINGS = [
    *("strategy", "games", "win_share", "win_share_low", "win_share_high"),
    *("margin", "margin_low", "margin_high", "rating", "rating_low", "rating_high", "group"),
]
TABLES = {
    "standings": STANDINGS[0],
    "pairs": "strategy",
    "seats": "strategy",
    "rotation": "strategy",
    "luck": "players",
    "mixture": "players",
    "payoff": "players",
    "line-ups": "players",
}
FIELD = ("plain:level=21", "plain", "random")
SMALL = ("tournament", *FIELD, "--players", "3", "--games", "120", "--seed", "5")


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def csv_of(folder: str, *more: str) -> str:
    """Return what `show` says of a run."""
    return succeeded(alone("show", folder, "--format", "csv", *more)).out


def made_by(outcome: Outcome) -> list[str]:
    """Return the words of the command that reproduces figures, without its first."""
    (line,) = [line for line in (outcome.out + outcome.err).splitlines() if line.startswith("made by: ")]
    first, *words = shlex.split(line.removeprefix("made by: "))
    assert first == "woolsim"
    return words


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return the folder of a small finished run, for tests that only look at it."""
    folder = str(tmp_path_factory.mktemp("runs") / "small")
    succeeded(alone(*SMALL, "--out", folder))
    return folder


# Tables and files


def test_standings_as_csv_have_the_columns_that_are_promised(small: str) -> None:
    outcome = succeeded(alone("show", small, "--format", "csv"))
    assert outcome.out.splitlines()[0].split(",") == STANDINGS
    rows = outcome.rows()
    assert {row["strategy"] for row in rows} == set(FIELD)
    for row in rows:
        assert int(row["games"]) > 0
        for figure in ("win_share", "margin", "rating"):
            low, value, high = (float(row[figure + end]) for end in ("_low", "", "_high"))
            assert low <= value <= high, (row["strategy"], figure)
    shares = [float(row["win_share"]) for row in rows]
    assert shares == sorted(shares, reverse=True)
    assert rows[0]["group"] == "1"
    assert rows[-1]["strategy"] == "random"


@pytest.mark.parametrize("which", list(TABLES))
def test_every_table_is_the_same_in_csv_json_and_markdown(which: str, small: str) -> None:
    shown = {
        style: succeeded(alone("show", small, "--table", which, "--format", style))
        for style in ("csv", "json", "markdown")
    }
    rows, objects = shown["csv"].rows(), shown["json"].objects()
    assert next(iter(rows[0])) == TABLES[which]
    assert [list(row) for row in rows] == [list(row) for row in objects]
    for row, found in zip(rows, objects, strict=True):
        for column, text in row.items():
            value = found[column]
            if isinstance(value, float):
                assert float(text) == pytest.approx(value, rel=1e-12)
            elif not isinstance(value, bool):
                assert text == ("" if value is None else str(value))
    lines = [line for line in shown["markdown"].out.splitlines() if line.startswith("|")]
    assert len(lines[0].strip("|").split("|")) == len(rows[0])
    assert len(lines) == len(rows) + 2
    for outcome in shown.values():
        mentions(outcome.err, ["deck reconstructed", "an assumption", "seed 5", "made by: woolsim tournament"])


def test_the_readable_form_fits_a_terminal_and_names_its_deck_as_an_assumption(small: str) -> None:
    outcome = succeeded(alone("show", small))
    tables, _, _ = outcome.out.partition("made by:")
    assert max(len(line.rstrip()) for line in tables.splitlines()) <= 80
    mentions(outcome.words(), ["Who is better", "win share", "reconstructed", "an assumption", *FIELD])


def test_long_names_and_many_strategies_fit_a_terminal() -> None:
    long = "plain:level=21/bid=random/pick=plain"
    command = ("tournament", "plain:level=18..24", long, "random", "--players", "2,6", "--shape", "random")
    outcome = succeeded(alone(*command, "--line-ups", "4", "--games", "3", "--out", "r"))
    tables, _, _ = outcome.out.partition("made by:")
    assert max(len(line.rstrip()) for line in tables.splitlines()) <= 80


LONG = "plain:level={}/hold=keep-above-mean"
WIDE = {
    "two rules": ("compare", "plain:level=20..21/hold=keep-above-mean", "random", "--rules", "rules.toml"),
    "two": ("compare", LONG.format(20), LONG.format(21), "--players", "2"),
    "field": ("tournament", "plain:level=20..21/hold=keep-above-mean", "random", "--players", "2..3"),
    "decks": ("tournament", LONG.format(20), LONG.format(21), "--players", "2", "--perturb-deck", "2"),
    "seats": (
        "tournament",
        "plain:level=20..21/hold=keep-above-mean",
        "--players",
        "2..6",
        "--shape",
        "random",
        "--line-ups",
        "2",
    ),
}


@pytest.mark.parametrize("name", list(WIDE))
def test_long_specs_stay_distinct_and_no_figure_is_cut(name: str, here: Path) -> None:
    Path("rules.toml").write_text("dog_single = -3\n")
    outcome = succeeded(alone(*WIDE[name], "--games", "5", "--out", "r"))
    lines = outcome.out.partition("made by:")[0].splitlines()
    assert max(len(line.rstrip()) for line in lines) <= 80
    full = [spec for spec in (LONG.format(20), LONG.format(21)) if f"  {spec}" in outcome.out]
    assert len(full) == 2
    short = {line.split("  ")[0] for line in lines for spec in full if line.endswith(f"  {spec}")}
    assert len(short) == 2
    for line in lines:
        rest = line
        for label in short:
            rest = rest.replace(label, "")
        assert "…" not in rest
    mentions(outcome.words(), ["deal"])


@pytest.mark.parametrize("which", ["standings", "pairs"])
def test_a_csv_file_has_what_csv_output_has_with_its_origin_beside(which: str, small: str, here: Path) -> None:
    shown = succeeded(alone("show", small, "--table", which, "--csv", "t.csv", "--format", "csv"))
    assert set(files_in(here)) == {"t.csv", "t.csv.meta.json"}
    assert Path("t.csv").read_text() == shown.out
    origin = json.loads(Path("t.csv.meta.json").read_text())
    mentions(json.dumps(origin), ["woolsim tournament plain:level=21 plain random", "reconstructed", "standard"])


def test_without_out_the_run_lies_in_a_folder_that_is_named(capsys: Capture, here: Path) -> None:
    outcome = succeeded(in_process(capsys, *SMALL, "--format", "csv"))
    (line,) = [line for line in outcome.err.splitlines() if line.startswith("kept in ")]
    folder = line.removeprefix("kept in ")
    assert Path(folder).parent == Path("woolsim-out")
    assert csv_of(folder) == outcome.out
    assert succeeded(in_process(capsys, *SMALL, "--format", "csv")).out == outcome.out
    assert len(list(Path("woolsim-out").iterdir())) == 1


# Reproducing


TOML = 'strategies = ["plain:level=20..22", "random"]\nplayers = [2, 3]\n'
GAUNTLET = 'candidate = "plain:level=21"\nstrategies = ["plain", "random"]\nplayers = [3]\n'
GAUNTLETS = GAUNTLET.replace("level=21", "level=21..22")

REPRODUCED = {
    "round robin": "tournament plain:level=20..22 random --players 3 --games 6 --seed 9",
    "several player counts": "tournament plain random --players 2,4..5 --games 4",
    "gauntlet": "tournament plain:level=21 plain random --shape gauntlet --players 3 --games 6",
    "table": "tournament random plain plain --shape table --games 9",
    "random design": "tournament plain:level=20..23 random --shape random --line-ups 6 --players 3,4 --games 4",
    "field file": "tournament --field field.toml --games 4",
    "field file and more": "tournament plain:level=23 --field field.toml --players 3 --games 3",
    "file with a candidate": "tournament --field gauntlet.toml --games 6",
    "file with candidates": "tournament --field gauntlets.toml --players 2 --games 6",
    "until decided": "tournament plain:level=21 random --players 2 --until-decided --max-games 3e4",
    "target error": "tournament plain:level=21 plain --players 2 --target-error 0.4 --max-games 3e4",
    "perturbed decks": "tournament plain:level=21 plain --players 2 --games 6 --perturb-deck 3 --seed 4",
    "compare": "compare plain:level=21 random --field plain --players 3 --games 8",
    "compare each other": "compare plain:level=21 plain --players 3 --games 8",
    "compare until known": "compare plain:level=21 random --field plain --players 3",
    "compare with another deck": "compare plain random --deck other.csv --players 3 --games 8",
    "a deck and the shipped one": "compare plain --field random --deck other.csv --players 3 --games 8",
    "two decks": "compare plain random --deck other.csv --deck third.csv --players 3 --games 8",
    "deck and rules": "compare plain --field random --deck other.csv --rules rules.toml --players 2 --games 8",
    "two decks with rules": "compare plain random --deck other.csv --deck third.csv --rules rules.toml --games 4",
    "a part": "tournament plain random --players 2 --games 40000 --part 2/3",
    "gauntlet of a file and more": "tournament value --field gauntlet.toml --shape gauntlet --games 4",
    "sweep": "sweep plain:level=20..22 --players 3 --games 6",
    "sweep of two with another deck": "sweep plain:level=20..21 --players 2 --deck other.csv --games 6",
    "candidates of a gauntlet": "tournament plain random plain:level=22 --shape gauntlet --candidates 2 --games 4",
    "sweep of two": "sweep plain:level=20..21 --field random --players 3 --games 6",
    "sweep beside itself": "sweep plain:level=20..22 --field plain:level=20..21 --players 2,3 --games 6",
    "find-best": "find-best plain:level=19..21 --field plain --players 3 --max-games 60",
    "own deck": "tournament plain random --players 2 --games 6 --deck other.csv",
    "own file": "tournament mine.py:Steady mine.py:Steady:level=17 plain --players 2 --games 6",
}

MINE = """
class Steady:
    def bid(v, level=24):
        return level
"""


def other_deck(value: int = 9) -> None:
    """Write a deck without faults whose card 31 differs from the shipped one."""
    text = SHIPPED_FILE.read_text(encoding="utf-8")
    assert text.count("\n31,white,8,-3,0,18\n") == 1
    Path("other.csv").write_text(text.replace("\n31,white,8,-3,0,18\n", f"\n31,white,{value},-3,0,18\n"))


@pytest.fixture
def files(here: Path) -> None:
    Path("field.toml").write_text(TOML)
    Path("gauntlet.toml").write_text(GAUNTLET)
    Path("gauntlets.toml").write_text(GAUNTLETS)
    Path("mine.py").write_text(MINE)
    other_deck(8 + 2)
    Path("other.csv").rename("third.csv")
    other_deck()
    Path("rules.toml").write_text("dog_single = -3\n")


@pytest.mark.parametrize("name", list(REPRODUCED))
def test_the_command_that_is_printed_makes_the_same_figures(name: str, files: None) -> None:
    command = REPRODUCED[name].split()
    first = succeeded(alone(*command, "--out", "first", "--format", "csv"))
    again = made_by(first)
    second = succeeded(alone(*again, "--out", "second", "--format", "csv"))
    assert second.out == first.out
    assert made_by(second) == again


# Going on with a run


def whole(folder: str, *command: str) -> str:
    """Return the CSV of a run in another folder."""
    return succeeded(alone(*command, "--out", folder, "--format", "csv")).out


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


def test_parts_merged_are_the_whole(capsys: Capture) -> None:
    command = ["tournament", "plain:level=20..22", "random", "--players", "3", "--games", "700", "--seed", "3"]
    for part in ("1", "2"):
        outcome = succeeded(in_process(capsys, *command, "--part", f"{part}/2", "--out", f"part-{part}"))
        mentions(outcome.words(), [f"all of part {part} of 2 of 700 deals", "woolsim merge"])
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


SAME = ("plain", "plain/bid=plain")


@pytest.mark.parametrize(
    "command",
    [
        ["compare", *SAME, "--field", "random"],
        ["find-best", "random", *SAME, "--field", "random"],
        ["tournament", "random", *SAME, "--until-decided"],
    ],
    ids=lambda command: command[0],
)
def test_who_plays_alike_by_the_same_functions_is_not_asked_to_be_the_better_one(
    command: list[str], capsys: Capture, here: Path
) -> None:
    message = refused(in_process(capsys, *command, "--players", "2"))
    mentions(message, ["plain and plain/bid=plain play alike", "neither is better"])
    assert not files_in(here)


def test_two_names_of_one_strategy_share_a_group_in_a_tournament(capsys: Capture) -> None:
    command = ("tournament", "random", *SAME, "--players", "2", "--games", "50", "--format", "csv")
    rows = succeeded(in_process(capsys, *command)).rows()
    assert len({row["group"] for row in rows if row["strategy"] in SAME}) == 1


def test_strategies_whose_results_never_differ_are_said_to_be_alike(capsys: Capture) -> None:
    """Both bid less than all others, so they always go last and take what is left."""
    command = ("compare", "plain:level=14", "plain:level=15", "--field", "plain:level=20", "--players", "3")
    outcome = succeeded(in_process(capsys, *command, "--format", "json"))
    _, second = outcome.objects()
    assert second["win_share_ahead"] == second["score_ahead"] == 0
    mentions(outcome.err, ["decided after", "no difference in any deal", "less than 0.1 percentage points"])
    assert second["games"] < 50_000


def test_holms_p_keeps_its_name_in_a_markdown_table(small: str) -> None:
    head = succeeded(alone("show", small, "--table", "pairs", "--format", "markdown")).out.splitlines()[0]
    assert head.endswith("| p | p holm | pairing |")


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
        mentions(refused(woolsim(*again)), ["the strategies differ", "mine.py:Steady", "there", "here"])
    assert succeeded(woolsim("show", "run", "--format", "csv")).out == first.out
    Path("mine.py").write_text("# a comment does not count\n" + MINE)
    succeeded(woolsim("resume", "run"))


def test_results_are_shown_when_the_strategy_file_is_gone(files: None, capsys: Capture) -> None:
    command = ["tournament", "mine.py:Steady", "plain", "--players", "2", "--games", "4", "--out", "run"]
    first = succeeded(in_process(capsys, *command, "--format", "csv"))
    Path("mine.py").unlink()
    for again in asked_again("run"):
        mentions(refused(woolsim(*again)), ["mine.py"])
    assert succeeded(woolsim("show", "run", "--format", "csv")).out == first.out


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


def test_a_run_of_another_game_is_named(capsys: Capture, small: str) -> None:
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


# Strategies that fail


FAULTS = """
class Third:
    def bid(v):
        i = 0
        while v.round == 3:
            i = (i + 1) % 7
        return 20 + i

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
@pytest.mark.parametrize("command", ["tournament plain {} --players 2", "compare plain {} --players 2 --games 9"])
def test_an_endless_loop_ends_with_one_message(command: str) -> None:
    Path("faults.py").write_text(FAULTS)
    message = refused(woolsim(*command.format("faults.py:Third").split(), "--stall", "1"))
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


def test_ctrl_c_while_it_compiles_says_how_to_go_on(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(self: Recipe) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(Recipe, "engine", interrupted)
        outcome = in_process(capsys, *SMALL, "--out", "run")
    assert (outcome.status, outcome.out) == (130, "")
    mentions(outcome.err, ["to go on: woolsim resume run"])
    resumed = succeeded(in_process(capsys, "resume", "run", "--format", "csv"))
    assert resumed.out == succeeded(in_process(capsys, *SMALL, "--out", "whole", "--format", "csv")).out


def _wait_for_blocks(process: "subprocess.Popen[str]", path: Path) -> None:
    """Wait until a run has some blocks."""
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and process.poll() is None:
        if path.exists() and alone("show", str(path.parent)).status == 0:
            return
        time.sleep(0.05)
    pytest.fail(f"did not begin: {process.poll()}")


# Compare, sweep and find-best


def test_a_strategy_against_itself_is_refused_however_it_is_written(capsys: Capture) -> None:
    for other in ("plain", "plain:level=20", "plain:level=020"):
        message = refused(in_process(capsys, "compare", "plain:level=20", other, "--out", "run"))
        mentions(message, ["plain:level=20"])
    assert not Path("run").exists()


def test_what_is_clear_is_decided_quickly(capsys: Capture) -> None:
    command = ("compare", "plain:level=21", "plain:level=20", "--field", "plain:level=20", "--players", "3")
    outcome = succeeded(in_process(capsys, *command, "--format", "json"))
    first, second = outcome.objects()
    mentions(outcome.err, ["decided after "])
    assert (first["win_share_ahead"], first["p"]) == (None, None)
    assert second["win_share_ahead_high"] < 0
    assert second["p"] < 1e-4
    assert second["games"] < 5000
    assert second["win_share_ahead"] == pytest.approx(second["win_share"] - first["win_share"])
    again = succeeded(in_process(capsys, *command))
    better = "plain:level=20 wins "
    assert better in outcome.err
    assert better in again.words()
    mentions(again.words(), [" less than plain:level=21."])
    readable = again.out.partition("made by:")[0]
    assert max(map(len, readable.splitlines())) <= 80


@pytest.mark.parametrize("players", [2, 3])
def test_compare_plays_the_games_that_simulate_plays(players: int, capsys: Capture) -> None:
    beside, more = ["random"] * (players - 1), ["--seed", "6", "--games", "40", "--format", "json"]
    command = ("compare", "plain:level=21", "plain", "--field", "random", "--players", str(players))
    rows = succeeded(in_process(capsys, *command, *more)).objects()
    for row in rows:
        simulated = succeeded(in_process(capsys, "simulate", row["strategy"], *beside, "--rotate", *more)).objects()[0]
        assert row["games"] == simulated["games"] == 40
        assert row["win_share"] == pytest.approx(simulated["win_share"], abs=1e-12)
        assert row["score"] == pytest.approx(simulated["mean_score"], abs=1e-9)
        # Student's interval here, that of the normal distribution there.
        wider = t.ppf(0.975, 39) / norm.ppf(0.975)
        halves = row["score_high"] - row["score"], simulated["mean_score_high"] - simulated["mean_score"]
        assert halves[0] == pytest.approx(wider * halves[1], abs=1e-9)


def test_another_deck_changes_scores_as_its_own_tournament_says(files: None, capsys: Capture) -> None:
    """The first setting of a comparison plays the games of a tournament with that deck, the second those of its own."""
    more = ["plain", "random", "--players", "2", "--seed", "6", "--games", "40", "--format", "json"]
    rows = succeeded(in_process(capsys, "compare", "--deck", "other.csv", "--deck", "third.csv", *more)).objects()
    for deck, name in (("other.csv", "win_share"), ("third.csv", "win_share_then")):
        standings = succeeded(in_process(capsys, "tournament", "--deck", deck, *more)).objects()
        shares = {row["strategy"]: row["win_share"] for row in standings}
        for row in rows:
            assert row[name] == pytest.approx(shares[row["strategy"]], abs=1e-12)
    for row in rows:
        assert row["score_change"] == pytest.approx(row["score_then"] - row["score"], abs=1e-9)


def test_perturbed_decks_leave_the_first_as_its_own_tournament_says(capsys: Capture) -> None:
    more = ["tournament", *FIELD, "--players", "2", "--games", "30", "--format", "json"]
    rows = succeeded(in_process(capsys, *more, "--perturb-deck", "2")).objects()
    standings = succeeded(in_process(capsys, *more)).objects()
    assert [row["strategy"] for row in rows] == [row["strategy"] for row in standings]
    for row, alone_row in zip(rows, standings, strict=True):
        assert row["win_share"] == pytest.approx(alone_row["win_share"], abs=1e-12)
        assert row["settings"] == 2


def test_the_meta_game_of_a_run_is_its_table_of_mixtures(small: str, capsys: Capture) -> None:
    outcome = succeeded(in_process(capsys, "meta-game", small, "--format", "csv"))
    assert outcome.out == csv_of(small, "--table", "mixture")
    succeeded(in_process(capsys, "compare", "plain", "random", "--players", "2", "--games", "3", "--out", "run"))
    for command in (["meta-game", "run"], ["show", "run", "--table", "standings"]):
        mentions(refused(in_process(capsys, *command)), ["run"])


@pytest.fixture(scope="module")
def two_counts(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return the folder of a run with two and three players."""
    folder = str(tmp_path_factory.mktemp("runs") / "two")
    succeeded(alone("tournament", *FIELD, "--players", "2,3", "--games", "30", "--out", folder))
    return folder


def test_every_table_of_a_meta_game_is_that_of_its_run(two_counts: str) -> None:
    for which in ("mixture", "payoff", "cycles"):
        shown = succeeded(alone("meta-game", two_counts, "--table", which, "--csv", "t.csv", "--format", "csv"))
        assert shown.out == csv_of(two_counts, "--table", which) == Path("t.csv").read_text()
    rows = succeeded(alone("meta-game", two_counts, "--table", "payoff", "--format", "csv")).rows()
    line_ups = csv.DictReader(csv_of(two_counts, "--table", "line-ups").splitlines())
    alike = {(row["players"], row["line_up"], row["strategy"]): float(row["win_share"]) for row in line_ups}
    for row in rows:
        assert len(row["opponents"].split(" + ")) == int(row["players"]) - 1
        if row["strategy"] not in row["opponents"].split(" + "):
            assert float(row["win_share"]) == alike[row["players"], row["line_up"], row["strategy"]]


def test_the_meta_game_of_an_exported_run_is_that_of_the_run(two_counts: str, here: Path) -> None:
    Path("own.csv").write_text(csv_of(two_counts, "--table", "line-ups"))
    for which, columns in (("payoff", ("win_share",)), ("mixture", ("share", "payoff"))):
        own = succeeded(alone("meta-game", "own.csv", "--table", which, "--format", "csv", "--csv", "t.csv")).rows()
        of_run = list(csv.DictReader(csv_of(two_counts, "--table", which).splitlines()))
        assert [row["strategy"] for row in own] == [row["strategy"] for row in of_run]
        for column in columns:
            found = [float(row[column]) for row in own]
            assert found == pytest.approx([float(row[column]) for row in of_run], abs=1e-9)
    mentions(Path("t.csv.meta.json").read_text(), ["own.csv", "author", "woolsim meta-game own.csv"])


def test_the_readable_meta_game_tells_pay_offs_circles_and_mixtures(two_counts: str, here: Path) -> None:
    outcome = succeeded(alone("meta-game", two_counts))
    tables, _, _ = outcome.out.partition("made by:")
    assert max(map(len, tables.splitlines())) <= 80
    assert "…" not in tables
    mentions(outcome.words(), ["Pay-offs, 2 players", "Pay-offs, 3 players", "There are none", "30 deals", *FIELD])
    circle = "line_up,strategy,games,win_share\n"
    for at, (one, other) in enumerate(("ab", "bc", "ca")):
        circle += f"{at},{one},9000,0.6\n{at},{other},9000,0.4\n"
    Path("circle.csv").write_text(circle)
    outcome = succeeded(alone("meta-game", "circle.csv"))
    mentions(outcome.words(), ["1. a beats b by 20.0 points (clearly, p <0.0001), which beats c", "1 circle, 1 clear"])


def test_places_of_a_table_with_the_same_strategy_are_told_apart(capsys: Capture) -> None:
    command = ("tournament", "random", "plain", "plain", "--shape", "table", "--games", "20", "--out", "run")
    outcome = succeeded(in_process(capsys, *command, "--format", "csv"))
    assert sorted(row["strategy"] for row in outcome.rows()) == ["plain (1)", "plain (2)", "random"]
    simulated = succeeded(in_process(capsys, "simulate", *command[1:4], "--games", "20", "--rotate", "--format", "csv"))
    shares = sorted(float(row["win_share"]) for row in simulated.rows())
    assert sorted(float(row["win_share"]) for row in outcome.rows()) == pytest.approx(shares, abs=1e-12)


def test_a_sweep_knows_its_parameter_where_names_are_numbered_and_joins_no_different_strategies() -> None:
    numbered = swept_parameter(pd.Series(["plain:level=20 (1)", "plain:level=21"]))
    assert numbered is not None
    assert (numbered[0], numbered[1].tolist()) == ("level", [20, 21])
    for names, line in ((["plain:level=20", "plain:level=21"], "-"), (["plain", "value"], "None")):
        shares = {"win_share": [0.4, 0.6], "win_share_low": [0.3, 0.5], "win_share_high": [0.5, 0.7]}
        (axes,) = sweep_figure(pd.DataFrame({"strategy": names, **shares}), "a sweep").axes
        assert axes.lines[0].get_linestyle() == line
        assert all(tick == int(tick) for tick in axes.get_xticks())


def test_sweep_draws_a_picture_and_keeps_a_table(capsys: Capture, here: Path) -> None:
    command = ("sweep", "plain:level=19..22", "--players", "3", "--games", "30", "--csv", "t.csv", "--png", "t.png")
    outcome = succeeded(in_process(capsys, *command, "--out", "run"))
    assert {"t.csv", "t.csv.meta.json", "t.png"} <= set(files_in(here))
    assert csv_of("run") == Path("t.csv").read_text()
    assert max(map(len, outcome.out.partition("made by:")[0].splitlines())) <= 80


RACE = ("find-best", "plain:level=18..22", "--field", "plain:level=20", "--players", "3", "--seed", "2")


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> Outcome:
    folder = str(tmp_path_factory.mktemp("runs") / "found")
    return succeeded(alone(*RACE, "--format", "csv", "--threads", "1", "--out", folder))


def test_the_best_of_several_is_found(found: Outcome) -> None:
    rows = found.rows()
    assert rows[0]["strategy"] == "plain:level=21"
    assert rows[0]["dropped"] == ""
    assert {row["strategy"] for row in rows} == {f"plain:level={level}" for level in range(18, 23)}
    dropped = [int(row["dropped"]) for row in rows if row["dropped"]]
    assert dropped == sorted(dropped, reverse=True)
    games = [int(row["games"]) for row in rows]
    assert games == sorted(games, reverse=True)


def test_nobody_lies_less_than_nothing_behind_the_best(found: Outcome) -> None:
    for at, row in enumerate(found.rows()):
        low, value, high = (float(row[f"behind{end}"]) for end in ("_low", "", "_high"))
        assert 0 <= low <= value <= high
        assert (value == 0) == (at == 0)
        assert (low > 0) == bool(row["dropped"])


def test_two_threads_find_the_same(found: Outcome) -> None:
    assert succeeded(alone(*made_by(found), "--threads", "2", "--format", "csv")).out == found.out


# Bad input


BAD = {
    "nobody": ("tournament", ["empty field"]),
    "one": ("tournament plain", ["two strategies or more"]),
    "twice": ("tournament plain random plain", ["plain", "twice"]),
    "two spellings": ("tournament plain plain:level=20", ["plain:level=20", "same strategy"]),
    "unknown": ("tournament plain plian", ["plian", "plain"]),
    "broken file": ("tournament --field broken.toml", ["broken.toml", "is not TOML"]),
    "no file": ("tournament --field none.toml", ["none.toml"]),
    "file without strategies": ("tournament --field players.toml", ["players.toml", "strategies"]),
    "unknown key": ("tournament --field key.toml", ["key.toml:1", "stratgies"]),
    "in file and command": ("tournament plain random --field twice.toml", ["plain", "twice"]),
    "seven players": ("tournament plain random --players 7", ["7", "2", "6"]),
    "one player": ("tournament plain random --players 1", ["1", "2", "6"]),
    "no line-ups": ("tournament plain random --shape random", ["--shape random", "--line-ups"]),
    "random until decided": (
        "tournament plain random --shape random --line-ups 8 --until-decided",
        ["--until-decided", "--shape random", "more --line-ups", "round-robin"],
    ),
    "random up to an error": (
        "tournament plain random --shape random --line-ups 8 --target-error 0.01",
        ["--target-error", "--shape random", "--line-ups"],
    ),
    "one candidate until decided": (
        "tournament plain random --shape gauntlet --until-decided",
        ["--until-decided", "gauntlet", "--candidates", "woolsim compare"],
    ),
    "line-ups alone": ("tournament plain random --line-ups 3", ["--shape random", "--line-ups"]),
    "candidates alone": ("tournament plain random --candidates 2", ["--candidates", "gauntlet"]),
    "candidates only": ("tournament plain random --shape gauntlet --candidates 2", ["gauntlet", "more"]),
    "table of seven": ("tournament plain:level=14..20 --shape table", ["7 players", "2 to 6"]),
    "table and players": ("tournament plain random --shape table --players 3", ["2 players named", "--players"]),
    "error of 2": ("tournament plain random --target-error 2", ["--target-error", "between 0 and 1"]),
    "error of nan": ("tournament plain random --target-error nan", ["--target-error", "between 0 and 1"]),
    "part 3/2": ("tournament plain random --part 3/2", ["--part", "3/2"]),
    "part 0/2": ("tournament plain random --part 0/2", ["--part", "0/2"]),
    "part and decided": ("tournament plain random --part 1/2 --until-decided", ["--part", "--games"]),
    "part and error": ("tournament plain random --part 1/2 --target-error 0.1", ["--part", "--games"]),
    "games and decided": ("tournament plain random --games 5 --until-decided", ["--games", "--until-decided"]),
    "games and error": ("tournament plain random --games 5 --target-error 0.1", ["--games", "--target-error"]),
    "no games": ("tournament plain random --games 0", ["--games", "0"]),
    "one other deck": ("tournament plain random --perturb-deck 1", ["--perturb-deck", "from 2 to 100"]),
    "decks and shape": ("tournament plain random --perturb-deck 3 --shape table", ["--perturb-deck", "round-robin"]),
    "compare one": ("compare plain", ["two strategies", "A and B"]),
    "compare three": ("compare plain random value", ["two strategies", "A and B"]),
    "three decks": ("compare plain --deck a --deck b --deck c", ["--deck", "3 files"]),
    "sweep one": ("sweep plain", ["range"]),
    "sweep no range": ("sweep plain:level=22..20", ["level=22..20", "range"]),
    "sweep twice": ("sweep plain plain:level=19..21", ["plain:level=20", "same strategy"]),
    "same files": ("sweep plain:level=19..21 --csv a.csv --png a.csv", ["--png", "a.csv"]),
    "find-best one": ("find-best plain", ["two strategies or more"]),
    "find-best twice": ("find-best plain twice.toml", ["plain", "twice"]),
    "find-best field twice": ("find-best plain random --field plain --field twice.toml", ["plain", "twice"]),
    "no such table": ("tournament plain random --players 2 --games 2 --table pears", ["--table", "pears"]),
    "broken results": ("meta-game broken.csv", ["broken.csv"]),
    "no results": ("meta-game none.csv", ["none.csv"]),
    "other columns": ("meta-game columns.csv", ["columns.csv", "line_up"]),
    "bad share": ("meta-game share.csv", ["share.csv:2", "win_share"]),
    "out is a file": ("tournament plain random --players 2 --games 2 --out broken.csv", ["broken.csv", "not a folder"]),
}


@pytest.mark.parametrize("name", list(BAD))
def test_bad_input_is_refused_with_one_message_and_nothing_is_left(name: str, capsys: Capture, here: Path) -> None:
    Path("broken.toml").write_text("strategies = [\n")
    Path("players.toml").write_text("players = [3]\n")
    Path("key.toml").write_text('stratgies = ["plain"]\n')
    Path("twice.toml").write_text('strategies = ["plain", "value"]\n')
    Path("broken.csv").write_bytes(b"\xff\xfe\x00strategy")
    Path("columns.csv").write_text("strategy,games\nplain,3\n")
    Path("share.csv").write_text("line_up,strategy,games,win_share\n1,plain,10,1.5\n1,random,10,-0.5\n")
    before = files_in(here)
    command, parts = BAD[name]
    mentions(refused(in_process(capsys, *command.split())), parts)
    assert files_in(here) == before


@pytest.mark.parametrize(
    ("folder", "status"),
    [
        ("file/run", 2),
        pytest.param(
            *("/proc/run", 1),
            marks=pytest.mark.skipif(not Path("/proc/self").exists(), reason="this system has no /proc"),
        ),
    ],
)
def test_a_folder_that_cannot_be_written_is_named(folder: str, status: int, capsys: Capture, here: Path) -> None:
    Path("file").write_text("mine")
    mentions(
        refused(in_process(capsys, *SMALL, "--out", folder), status=status),
        [folder, *([] if status == 2 else ["--out"])],
    )
    assert files_in(here) == {"file": b"mine"}
