"""What `woolsim tournament` and its relatives print and write: tables, files, the command that makes them, refusals."""

import json
from pathlib import Path

import pytest
from commands import alone, files_in, in_process, mentions, refused, succeeded
from tournament_commands import FIELD, SMALL, csv_of, made_by

Capture = pytest.CaptureFixture[str]

pytestmark = pytest.mark.usefixtures("here")

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


def test_holms_p_keeps_its_name_in_a_markdown_table(small: str) -> None:
    head = succeeded(alone("show", small, "--table", "pairs", "--format", "markdown")).out.splitlines()[0]
    assert head.endswith("| p | p holm | pairing |")


def test_places_of_a_table_with_the_same_strategy_are_told_apart(capsys: Capture) -> None:
    command = ("tournament", "random", "plain", "plain", "--shape", "table", "--games", "20", "--out", "run")
    outcome = succeeded(in_process(capsys, *command, "--format", "csv"))
    assert sorted(row["strategy"] for row in outcome.rows()) == ["plain (1)", "plain (2)", "random"]
    simulated = succeeded(in_process(capsys, "simulate", *command[1:4], "--games", "20", "--rotate", "--format", "csv"))
    shares = sorted(float(row["win_share"]) for row in simulated.rows())
    assert sorted(float(row["win_share"]) for row in outcome.rows()) == pytest.approx(shares, abs=1e-12)


# Reproducing


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


@pytest.mark.parametrize("name", list(REPRODUCED))
def test_the_command_that_is_printed_makes_the_same_figures(name: str, files: None) -> None:
    command = REPRODUCED[name].split()
    first = succeeded(alone(*command, "--out", "first", "--format", "csv"))
    again = made_by(first)
    second = succeeded(alone(*again, "--out", "second", "--format", "csv"))
    assert second.out == first.out
    assert made_by(second) == again


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
