"""Names with signs that mean something to a terminal, a spreadsheet or Markdown come through as the text they are."""

import csv
import json
from io import StringIO
from pathlib import Path

import pytest
from commands import alone, in_process, refused, succeeded
from hypothesis import example, given
from hypothesis import strategies as some

from analyzer.csv_text import harmless, meant
from analyzer.win_share_file import read_results
from analyzer.wool_rules.deck import SHIPPED_FILE
from reports.cli.show import show_rows
from reports.export import to_csv, to_json, to_markdown
from reports.visible import visible

Capture = pytest.CaptureFixture[str]

STEADY = "class Steady:\n    def bid(v, level=24):\n        return level\n"

ODD = (
    "[red]bold[/red]",
    "a \"quoted\" 'name'",
    "<script>alert(1)</script>",
    "sheep 🐑 :sheep:",
    "red \x1b[31m bell \x07 csi \x9b31m",
    "Ünïcödé 日本語 עברית",
    "a|b",
    "=1+1",
    "-cmd",
    "@sum",
    "x" * 200,
)
"""Names of strategies."""


def unseen(name: str) -> list[str]:
    """Return the signs of a name that a terminal would obey."""
    return [sign for sign in name if visible(sign) != sign]


# CSV that no spreadsheet computes


@pytest.mark.parametrize("text", ["=1+1", "+cmd", "-x", "@a", "\tx", "\rx", "＝x", "-", "+", "=", "-2+3", "--1", "- 1"])
def test_text_that_may_be_a_formula_gets_an_apostrophe_and_loses_it_again(text: str) -> None:
    assert harmless(text) == f"'{text}"
    assert meant(harmless(text)) == text


@pytest.mark.parametrize("text", ["-3", "+1", "-1.5e-3", "26+", "0", "", "plain:level=20", "3-7-0", "'quoted'", " =x"])
def test_numbers_and_other_text_stay_as_they_are(text: str) -> None:
    assert harmless(text) == text == meant(text)


@example("'=x")
@example("'-3")
@example("''+1")
@given(some.text(alphabet="'=+-@1.ex\t", max_size=6) | some.text())
def test_reading_gives_back_whatever_was_written(text: str) -> None:
    assert meant(harmless(text)) == text


def test_numbers_of_a_table_are_never_changed() -> None:
    rows = [{"name": "=1", "modifier": -3, "p": -1e-17, "there": True, "none": None, "=head": "+"}]
    assert to_csv(rows, tuple(rows[0])).splitlines()[1] == "'=1,-3,-1e-17,True,,'+"
    assert json.loads(to_json(rows, tuple(rows[0]))) == rows


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a CSV file of win shares whose strategies have odd names, written as we write CSV."""
    rows = [
        {"line_up": f"{at}-{other}", "strategy": name, "games": 100, "win_share": share}
        for at, first in enumerate(ODD)
        for other, second in enumerate(ODD[at:], at)
        for name, share in ((first, 0.5 + 0.4 * (at < other)), (second, 0.5 - 0.4 * (at < other)))
    ]
    file = tmp_path_factory.mktemp("odd") / "results.csv"
    file.write_text(to_csv(rows, tuple(rows[0])), encoding="utf-8")
    return file


def test_our_own_csv_is_read_back_with_the_names_that_were_meant(results: Path) -> None:
    (read,) = read_results(results)
    assert tuple(read.field.names) == ODD


@pytest.mark.parametrize("style", ["csv", "json"])
def test_programs_get_names_as_they_are(style: str, results: Path, capsys: Capture) -> None:
    out = succeeded(in_process(capsys, "meta-game", str(results), "--table", "payoff", "--format", style)).out
    rows = json.loads(out) if style == "json" else list(csv.DictReader(StringIO(out, newline="")))
    assert {meant(row["strategy"]) if style == "csv" else row["strategy"] for row in rows} == set(ODD)


# A terminal


def test_tables_for_people_show_names_and_obey_none(results: Path, capsys: Capture) -> None:
    outcome = succeeded(in_process(capsys, "meta-game", str(results)))
    assert not unseen(outcome.out.replace("\n", ""))
    shown = "".join(outcome.out.split())
    for name in (
        "[red]bold[/red]",
        "sheep 🐑 :sheep:",
        "日本語",
        "<script>alert",
        r"\x1b[31m",
        r"\x9b31m",
    ):
        assert "".join(name.split()) in shown, name


def test_a_deck_and_a_strategy_with_odd_file_names(here: Path, capsys: Capture) -> None:
    deck = 'de"ck <b>[red] \x1b[31m 羊🐑 ' + "y" * 150
    Path(f"{deck}.csv").write_text(SHIPPED_FILE.read_text(encoding="utf-8").replace("31,white,8,", "31,white,9,"))
    Path("=[bold]\x1b[5m🐑.py").write_text(STEADY)
    line_up = ("=[bold]\x1b[5m🐑.py:Steady", "plain", "--games", "20", "--deck", f"{deck}.csv")
    table = succeeded(in_process(capsys, "simulate", *line_up))
    assert not unseen((table.out + table.err).replace("\n", ""))
    assert "=[bold]" in table.out
    assert "<b>[red]" in table.out
    rows = succeeded(in_process(capsys, "simulate", *line_up, "--format", "csv"))
    first = next(csv.DictReader(StringIO(rows.out, newline="")))
    assert first["strategy"].startswith("'=[bold]\x1b[5m🐑.py:Steady")
    assert first["deck"] == deck
    assert not unseen(rows.err.replace("\n", ""))
    story = succeeded(in_process(capsys, "replay", *line_up[:2], "--deck", f"{deck}.csv"))
    assert not unseen(story.out.replace("\n", ""))


def test_messages_obey_no_name(here: Path, capsys: Capture) -> None:
    for arguments in (
        ("simulate", "no\x1b[31msuch"),
        ("bid-table", "--rules", "no\x1b[31m.toml"),
        ("deck", "check", "no\x1b[31m.csv"),
        ("bid-table", "--bid", "\x1b[31m"),
        ("show", "no\x1b[31m"),
    ):
        message = refused(in_process(capsys, *arguments))
        assert r"\x1b[31m" in message
        assert not unseen(message)


def test_data_is_made_visible_on_a_terminal_only(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    rows = [{"strategy": "red \x1b[31m"}]
    show_rows(rows, ("strategy",), "csv")
    assert "\x1b" in capsys.readouterr().out
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    show_rows(rows, ("strategy",), "csv")
    assert capsys.readouterr().out == "strategy\nred \\x1b[31m\n"


def test_visible_changes_nothing_but_what_is_obeyed() -> None:
    assert visible("two\nlines\tÜ 🐑 日本語 <b> [red] \\x1b") == "two\nlines\tÜ 🐑 日本語 <b> [red] \\x1b"
    assert visible("\x1b[0m\x07\r\x7f\x9b\u202e\u2028") == r"\x1b[0m\x07\r\x7f\x9b\u202e\u2028"


# Markdown


def test_no_text_ends_a_cell_of_markdown_or_begins_a_tag() -> None:
    text = to_markdown(["name", "p"], [["a|b\nc\r\nd", "<0.0001"], ["<script>x</script>", "1"], ["\x1b[31m", "< 5"]])
    assert text.splitlines()[2:] == [
        "| a\\|b c d | <0.0001 |",
        "| &lt;script>x&lt;/script> | 1 |",
        "| \\x1b[31m | < 5 |",
    ]


def test_a_table_of_odd_names_has_as_many_lines_and_cells_as_it_should(results: Path) -> None:
    out = succeeded(alone("meta-game", str(results), "--table", "payoff", "--format", "markdown")).out
    header, _, *body = out.splitlines()
    assert all(line.replace("\\|", "").count("|") == header.count("|") for line in body)
    assert "<script" not in out
    assert len(body) == len(ODD) ** 2
