"""`woolsim tournament` and its relatives as their users run them: tables, files, runs gone on with, refusals."""

import json
import os
import shlex
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from commands import Outcome, alone, files_in, in_process, mentions, refused, started, succeeded, woolsim

from analyzer.wool_rules.deck import SHIPPED_FILE

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
    "line-ups": "players",
}
FIELD = ("plain:level=21", "plain", "random")
SMALL = ("tournament", *FIELD, "--players", "3", "--games", "12", "--seed", "5")


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
    assert [cell.strip().replace(" ", "_") for cell in lines[0].strip("|").split("|")] == list(rows[0])
    assert len(lines) == len(rows) + 2
    for outcome in shown.values():
        mentions(outcome.err, ["deck reconstructed", "an assumption", "seed 5", "made by: woolsim tournament"])


def test_the_readable_form_fits_a_terminal_and_names_its_deck_as_an_assumption(small: str) -> None:
    outcome = succeeded(alone("show", small))
    tables, _, _ = outcome.out.partition("made by:")
    assert max(len(line.rstrip()) for line in tables.splitlines()) <= 80
    mentions(outcome.words(), ["Who is better", "win share", "reconstructed", "an assumption", *FIELD])


def test_long_names_and_many_strategies_fit_a_terminal() -> None:
    long = "plain:level=21/bid=random/target=plain"
    command = ("tournament", "plain:level=18..24", long, "random", "--players", "2,6", "--shape", "random")
    outcome = succeeded(alone(*command, "--line-ups", "4", "--games", "3", "--out", "r"))
    tables, _, _ = outcome.out.partition("made by:")
    assert max(len(line.rstrip()) for line in tables.splitlines()) <= 80


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

REPRODUCED = {
    "round robin": "tournament plain:level=20..22 random --players 3 --games 6 --seed 9",
    "several player counts": "tournament plain random --players 2,4..5 --games 4",
    "gauntlet": "tournament plain:level=21 plain random --shape gauntlet --players 3 --games 6",
    "table": "tournament random plain plain --shape table --games 9",
    "random design": "tournament plain:level=20..23 random --shape random --line-ups 6 --players 3,4 --games 4",
    "field file": "tournament --field field.toml --games 4",
    "field file and more": "tournament lone-dog --field field.toml --players 3 --games 3",
    "file with a candidate": "tournament --field gauntlet.toml --games 6",
    "until decided": "tournament plain:level=21 random --players 2 --until-decided --max-games 3e4",
    "target error": "tournament plain:level=21 plain --players 2 --target-error 0.4 --max-games 3e4",
    "perturbed decks": "tournament plain:level=21 plain --players 2 --games 6 --perturb-deck 3 --seed 4",
    "compare": "compare plain:level=21 random --field plain --players 3 --games 8",
    "compare each other": "compare plain:level=21 plain --players 3 --games 8",
    "compare until known": "compare plain:level=21 random --field plain --players 3",
    "two decks": "compare plain random --deck other.csv --players 3 --games 8",
    "two decks and rules": "compare plain random --deck other.csv --rules rules.toml --players 2 --games 8",
    "sweep": "sweep plain:level=20..22 --players 3 --games 6",
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
    Path("mine.py").write_text(MINE)
    other_deck()
    Path("rules.toml").write_text("max_chips_per_action = 1\n")


@pytest.mark.parametrize("name", list(REPRODUCED))
def test_the_command_that_is_printed_makes_the_same_figures(name: str, files: None) -> None:
    command = REPRODUCED[name].split()
    kept = [] if command[0] == "find-best" else ["--out", "first"]
    first = succeeded(alone(*command, *kept, "--format", "csv"))
    again = made_by(first)
    kept = [] if command[0] == "find-best" else ["--out", "second"]
    second = succeeded(alone(*again, *kept, "--format", "csv"))
    assert second.out == first.out
    assert made_by(second) == again
