"""Reports: what is in the folder, the same each time, whole or not there, and true for every kind of run."""

import csv
import hashlib
import json
import os
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from commands import alone, files_in, mentions, refused, succeeded
from tournament_commands import FIELD, MINE, RACE, other_deck

from analyzer.field_counts import field_table_names
from analyzer.runs import Run
from analyzer.wool_rules.game import WOOL_RULES
from reports.cli.shown import COUNTED
from reports.columns import describe
from reports.field_charts import pictures


def small(games: int, players: str = "3") -> tuple[str, ...]:
    return ("tournament", *FIELD, "--players", players, "--games", str(games), "--seed", "5")


SECTIONS = {
    "better": "Who is better",
    "head-to-head": "Head to head",
    "scores": "Scores",
    "points": "Where the points come from",
    "bids": "Bids",
    "turns": "Going early or late",
    "seats": "Seats and numbers of players",
    "ratings": "Ratings",
    "luck": "Luck and skill",
    "field": "What to play against this field",
    "extremes": "The most extreme games",
    "assumed": "What is assumed",
}


class Page(HTMLParser):
    """What is on a page: ids, links, texts by tag, tables by name and title, and everything it might load."""

    def __init__(self, file: Path) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.links: list[str] = []
        self.loads: list[str] = []
        self.tags: list[str] = []
        self.tables: dict[str, list[list[str]]] = {}
        self.text = ""
        self._rows: list[list[str]] = []
        self._in_caption = False
        self._caption = ""
        self.notes: dict[str, str] = {}
        self._in_note = False
        self.source = file.read_text(encoding="utf-8")
        self.feed(self.source)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.tags.append(tag)
        self.ids += [given["id"] or ""] if "id" in given else []
        self.links += [given["href"] or ""] if tag == "a" else []
        self.loads += [f"{tag} {key}={value}" for key, value in attrs if key in {"src", "srcset", "data", "action"}]
        if tag == "table":
            self._rows, self._caption = [], ""
        self._in_caption = tag == "caption"
        self._in_note = tag == "p" and given.get("class") == "note"
        if tag == "tr":
            self._rows.append([])
        if tag in {"td", "th"} and self._rows:
            self._rows[-1].append(given.get("data-v", given.get("data-column")) or "")

    def handle_endtag(self, tag: str) -> None:
        if tag == "p":
            self._in_note = False
        if tag == "caption":
            self.tables[self._caption] = self._rows
            self.notes[self._caption] = ""
            self._in_caption = False

    def handle_data(self, data: str) -> None:
        self.text += data
        if self._in_note and self._caption:
            self.notes[self._caption] = self.notes.get(self._caption, "") + data
        if self._in_caption:
            self._caption += data


def report_of(folder: str, *options: str) -> Page:
    succeeded(alone("report", folder, *options))
    return Page(Path(folder) / "report.html")


def rows_of(file: Path) -> list[dict[str, str]]:
    with file.open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small run with a report."""
    folder = tmp_path_factory.mktemp("runs") / "small"
    succeeded(alone(*small(120, "2,3"), "--out", str(folder), "--report"))
    return folder


@pytest.fixture(scope="module")
def page(run: Path) -> Page:
    return Page(run / "report.html")


@pytest.fixture
def few_pictures(monkeypatch: pytest.MonkeyPatch) -> None:
    """Draw one chart of all: drawing takes most of the time."""
    monkeypatch.setattr("reports.report_charts.pictures", lambda frames: pictures(frames)[:1])


def manifest_of(folder: Path) -> dict[str, Any]:
    found = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    assert isinstance(found, dict)
    return found


def test_a_page_has_every_section_and_links_to_each(page: Page) -> None:
    assert [link.removeprefix("#") for link in page.links[1:]] == list(SECTIONS)
    assert page.links[0] == "#main"
    assert set(SECTIONS) <= set(page.ids)
    assert all(title in page.text for title in SECTIONS.values())
    assert len(page.ids) == len(set(page.ids))


def test_a_page_needs_nothing_but_itself(page: Page) -> None:
    assert page.loads == []
    assert "link" not in page.tags
    assert not re.findall(r"url\((?!#)", page.source)
    addresses = set(re.findall(r"https?://[^\"'<> ]+", page.source))
    assert addresses == {"http://www.w3.org/2000/svg"}  # a name, not an address
    assert "default-src 'none'" in page.source


def test_a_page_says_question_answer_assumption_and_how_to_make_it_again(run: Path, page: Page) -> None:
    words = " ".join(page.text.split())
    mentions(
        words,
        [
            "Which of 3 strategies wins most when all play all, at tables of 2 and 3 players",
            " wins ",
            " of its ",
            "Deck reconstructed (6c809c6dd18c) is an assumption: no card list is published",
            "Rules standard (45d776225aa0)",
            "woolsim tournament plain:level=21 plain random --shape round-robin --players 2,3 --games 120 --seed 5",
            f"woolsim report {run.name}",
        ],
    )
    assert "Unfinished" not in words


def test_the_tables_of_a_page_have_the_figures_of_the_files(run: Path, page: Page) -> None:
    header, *body = page.tables["Standings"]
    rows = rows_of(run / "csv" / "standings.csv")
    assert len(body) == len(rows) == len(FIELD)
    for cells, row in zip(body, rows, strict=True):
        assert dict(zip(header, cells, strict=True)) == {name: row[name] for name in header}
    assert {"win_share", "win_share_low", "win_share_high", "games"} <= set(header)
    assert {"All pairs", "Scores of single games, in points", "How dice actions ended, by bid", "Ratings"} <= set(
        page.tables
    )


def test_figures_on_the_page_have_their_number_and_their_interval(page: Page) -> None:
    counts, notes = {"games", "actions", "rounds"}, page.notes
    for title, (header, *_) in page.tables.items():
        shown = [name for name in header if f"{name}_low" in header]
        assert shown or "95 % intervals of" in notes[title] or title == "What rotating brings", title
        if title not in {"Mean points a game by part of the score", "Mean number a game", "What rotating brings"}:
            assert counts & set(header) or title in {"Share of the variance of single scores", "Mixture"}, title


def test_every_table_is_a_file_that_pandas_reads_without_arguments(run: Path) -> None:
    files = sorted((run / "csv").glob("*.csv"))
    assert {file.stem for file in files} >= {
        *("standings", "pairs", "seats", "luck", "mixture", "payoff", "line-ups", "rotation"),
        *("scores", "histogram", "attempts", "calibration", "turns", "bids", "victories"),
    }
    described = (run / "csv" / "README.md").read_text(encoding="utf-8")
    for file in files:
        frame = pd.read_csv(file)
        assert len(frame) == len(rows_of(file))
        for name in frame.columns:
            assert describe(f"tournament/{file.stem}", name).meaning
            assert f"`{name}`" in described
        assert f"## {file.name}" in described
    scores = pd.read_csv(run / "csv" / "scores.csv")
    parts = ["white", "black", "three_seven_zero", "zero_zero_seven", "dogs", "most_dogs", "bone", "chips"]
    assert scores[parts].sum(axis=1).to_numpy() == pytest.approx(scores["mean_score"].to_numpy())
    seats = pd.read_csv(run / "csv" / "seats.csv")
    means = seats[seats["seat"].isna()].set_index(["players", "strategy"])["score"]
    assert scores.set_index(["players", "strategy"])["mean_score"].to_dict() == pytest.approx(means.to_dict())


def test_every_chart_is_a_picture_and_an_image_with_words(run: Path, page: Page) -> None:
    pictures = sorted(path.stem for path in (run / "png").iterdir())
    assert {"standings", "head-to-head", "ratings", "luck", "mixture", "players"} <= set(pictures)
    assert {"scores-2-players", "scores-3-players", "points-2-players", "bids-3-players"} <= set(pictures)
    assert page.tags.count("svg") == len(pictures)
    for name in pictures:
        assert f'aria-labelledby="chart-{name}-title chart-{name}-desc"' in page.source
        assert (run / "png" / f"{name}.png").read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"
    assert "plain:level=21</text>" in page.source  # texts of charts are texts


def test_the_manifest_has_what_made_it_and_the_hash_of_every_file(run: Path) -> None:
    found = manifest_of(run)
    there = {name for name in files_in(run) if not name.startswith("run.sqlite")}
    assert set(found["files"]) == there - {"manifest.json"}
    for name, about in found["files"].items():
        content = (run / name).read_bytes()
        assert about == {"sha256": hashlib.sha256(content).hexdigest(), "bytes": len(content)}
    assert found["finished"] is True
    assert found["seed"] == 5
    assert found["deck"]["note"] == "an assumption: no card list is published"
    assert found["command"].startswith("woolsim tournament ")
    assert {"python", "numpy", "pandas", "matplotlib"} <= set(found["made_with"])


@pytest.mark.slow
def test_a_second_report_is_the_same_in_every_byte(run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = files_in(run)
    monkeypatch.chdir(run.parent)
    succeeded(alone("report", run.name))
    assert files_in(run) == before


def test_the_most_extreme_games_are_told(run: Path, page: Page) -> None:
    words = " ".join(page.text.split())
    for what in ("highest score", "lowest score", "biggest margin"):
        for players in (2, 3):
            assert re.search(rf"{what} with {players} players: -?\d+, \S+ on seat \d", words)
    assert page.source.count("<pre") == 6
    commands = re.findall(r"woolsim replay [^<]+", page.source)
    assert len(commands) == 6
    value = re.search(r"highest score with 3 players: (\d+), \S+ on seat (\d)", words)
    assert value
    with Run.open(run, write=False) as opened:
        assert opened.question["seed"] == 5
    told = succeeded(alone(*commands[3].split()[1:], "--json")).out
    scores = [json.loads(line) for line in told.splitlines() if '"event": "score"' in line]
    assert scores[int(value[2])]["total"] == int(value[1])


@pytest.mark.usefixtures("few_pictures")
def test_formats_replace_each_other_and_leave_what_is_not_ours(here: Path) -> None:
    succeeded(alone(*small(20), "--out", "run"))
    report_of("run")
    Path("run/png/mine.png").write_bytes(b"mine")
    Path("run/csv/scores.csv").write_text("mine")
    page = report_of("run", "--image-format", "svg,pdf")
    assert sorted(path.name for path in Path("run/png").iterdir()) == ["mine.png"]
    assert len(list(Path("run/svg").iterdir())) == len(list(Path("run/pdf").iterdir())) == page.tags.count("svg")
    assert Path("run/svg/standings.svg").read_text(encoding="utf-8").startswith("<?xml")
    assert Path("run/pdf/standings.pdf").read_bytes().startswith(b"%PDF")
    assert len(rows_of(Path("run/csv/scores.csv"))) == len(FIELD)
    assert "svg/ and pdf/" in page.text
    mentions(refused(alone("report", "run", "--image-format", "gif")), ["--image-format", "gif", "png, svg, pdf"])


@pytest.mark.usefixtures("few_pictures")
def test_tables_as_parquet(here: Path) -> None:
    pytest.importorskip("pyarrow", reason="tables are written as Parquet by pyarrow (woolsim[parquet])")
    succeeded(alone(*small(20), "--out", "run"))
    report_of("run", "--parquet")
    for file in Path("run/csv").glob("*.csv"):
        frame = pd.read_parquet(Path("run/parquet") / f"{file.stem}.parquet")
        assert len(frame) == len(rows_of(file))
        assert list(frame.columns) == list(rows_of(file)[0])


@pytest.mark.usefixtures("few_pictures")
def test_without_pyarrow_parquet_is_refused_and_nothing_is_written(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    succeeded(alone(*small(20), "--out", "run"))
    monkeypatch.setattr("reports.report_files.find_spec", lambda _name: None)
    mentions(refused(alone("report", "run", "--parquet")), ["--parquet", "pyarrow", "woolsim[parquet]"])
    assert set(files_in(Path("run"))) == {"run.sqlite"}


@pytest.mark.usefixtures("few_pictures")
def test_a_report_of_a_half_finished_run_says_so(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("analyzer.plan.GAMES_PER_BLOCK", 600)
    succeeded(alone(*small(20), "--out", "run"))
    with Run.open(Path("run"), write=True) as run:
        run.extend(400)
    page = report_of("run")
    mentions(" ".join(page.text.split()), ["Unfinished.", "games have been played", "woolsim resume run"])
    assert manifest_of(Path("run"))["finished"] is False


def test_what_is_no_run_or_has_nothing_to_report_is_refused(here: Path) -> None:
    mentions(refused(alone("report", "nothing")), ["nothing"])
    Path("empty").mkdir()
    mentions(refused(alone("report", "empty")), ["empty", "run.sqlite"])


@pytest.mark.usefixtures("few_pictures")
def test_no_manifest_makes_it_remove_what_a_report_does_not_write(here: Path) -> None:
    succeeded(alone(*small(20), "--out", "run", "--report"))
    Path("precious.csv").write_text("mine")
    for name in ("notes.txt", "csv/notes.txt", "png/mine.csv"):
        Path("run", name).write_text("mine")
    manifest = manifest_of(Path("run"))
    for name in (
        "run.sqlite",
        "notes.txt",
        "csv/notes.txt",
        "png/mine.csv",
        "../precious.csv",
        "csv/../notes.txt",
    ):
        content = Path("run", name).read_bytes()
        manifest["files"][name] = {"sha256": hashlib.sha256(content).hexdigest(), "bytes": len(content)}
    Path("run/manifest.json").write_text(json.dumps(manifest))
    before = Path("run/run.sqlite").read_bytes()
    succeeded(alone("report", "run", "--image-format", "svg"))
    assert Path("run/run.sqlite").read_bytes() == before
    assert Path("precious.csv").read_text() == "mine"
    assert {"notes.txt", "csv/notes.txt", "png/mine.csv"} <= set(files_in(Path("run")))


@pytest.mark.usefixtures("few_pictures")
def test_what_a_killed_report_left_behind_is_cleared_up(here: Path) -> None:
    succeeded(alone(*small(20), "--out", "run", "--report"))
    before = files_in(Path("run"))
    dead = subprocess.Popen([sys.executable, "-c", ""])
    dead.wait()
    ended, own = dead.pid, os.getpid()
    for name in (f"csv/.scores.csv.{ended}.part", f"png/.x.png.{ended}.before", f".report.html.{ended}.part"):
        Path("run", name).write_text("half")
    kept = {f"csv/.other.csv.{own}.part": b"busy", f".run.sqlite.{ended}.part": b"not ours"}
    for name, content in kept.items():
        Path("run", name).write_bytes(content)
    succeeded(alone("report", "run"))
    assert files_in(Path("run")) == before | kept


@pytest.mark.usefixtures("few_pictures")
def test_a_folder_may_have_any_name_and_be_where_one_is(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    succeeded(alone(*small(20), "--out", "bad\udcff", "--report"))
    assert manifest_of(Path("bad\udcff"))["commands"]["this report"].startswith("woolsim report 'bad")
    before = files_in(Path("bad\udcff"))
    monkeypatch.chdir("bad\udcff")
    succeeded(alone("report", "."))
    assert files_in(Path()) == before


@pytest.mark.usefixtures("few_pictures")
def test_a_folder_that_cannot_be_written_keeps_what_it_has(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    succeeded(alone(*small(20), "--out", "run", "--report"))
    before = files_in(Path("run"))

    def full(*_: Any, **__: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("reports.report_files.report_page", full)
    message = refused(alone("report", "run", "--image-format", "svg"), 1)
    mentions(message, ["run", "No space left on device"])
    assert files_in(Path("run")) == before
    assert not Path("run/svg").exists()


HOSTILE = '"><img src=x onerror=alert(1)>ü羊🐑&amp;.py'
DECK = "=1+1 <b>'\"ü羊🐑.csv"


@pytest.mark.slow
def test_names_with_all_kinds_of_letters_come_through(here: Path) -> None:
    Path(HOSTILE).write_text(MINE)
    other_deck()
    Path("other.csv").rename(DECK)
    long = "long" * 45 + ".py"
    Path(long).write_text(MINE.replace("24", "23"))
    specs = (f"{HOSTILE}:Steady", f"{long}:Steady", "plain")
    succeeded(alone("tournament", *specs, "--players", "2", "--games", "20", "--deck", DECK, "--out", "run"))
    page = report_of("run")
    assert page.loads == []
    assert "img" not in page.tags
    assert f"{HOSTILE}:Steady" in page.text
    assert f"{long}:Steady" in page.text
    assert f"{HOSTILE}:Steady" in [row[0] for row in page.tables["Standings"]]
    rows = rows_of(Path("run/csv/standings.csv"))
    assert {row["strategy"] for row in rows} == set(specs)
    assert DECK.removesuffix(".csv") in page.text
    assert "b" not in page.tags
    assert manifest_of(Path("run"))["deck"]["name"] == DECK.removesuffix(".csv")


@pytest.mark.usefixtures("few_pictures")
def test_assumptions_are_those_of_the_rules_in_force(here: Path) -> None:
    Path("r.toml").write_text("plain_26 = false\ndogless_discard = 0\nblack_sheep_below = 10\ndog_most = -1\n")
    command = ("tournament", "plain", "random", "--players", "2", "--games", "20", "--rules", "r.toml", "--out", "run")
    succeeded(alone(*command))
    words = report_of("run").text
    mentions(
        words, ["26 can be bid as 26+ only", "without a dog loses nothing", "Under 10 after", "are worth -1 points"]
    )
    assert not [wrong for wrong in ("two lowest", "nder 14 after", "26+ stands beside") if wrong in words]


@pytest.mark.usefixtures("few_pictures")
def test_a_strategy_that_has_changed_is_not_told_as_if_it_had_played(here: Path) -> None:
    Path("mine.py").write_text(MINE)
    command = ("tournament", "mine.py:Steady", "plain", "--players", "2", "--games", "20", "--out", "run")
    succeeded(alone(*command))
    Path("mine.py").write_text(MINE.replace("24", "20"))
    page = report_of("run")
    assert "It cannot be told here: the program or a strategy has changed since the games were played." in page.text
    assert page.source.count("<pre") == 0
    Path("mine.py").unlink()
    assert "It cannot be told here: " in report_of("run").text


CONTESTS = {
    "two": (("compare", "plain:level=21", "plain", "--games", "60"), "candidates", "plain:level=21 or plain?"),
    "sweep": (("sweep", "plain:level=19..22", "--games", "40"), "candidates", "4 candidates compared"),
    "race": ((*RACE, "--max-games", "200"), "candidates", "The best of 5 candidates"),
    "decks": (
        ("compare", "plain", "--field", "random", "--deck", "other.csv", "--games", "60", "--players", "2"),
        "settings",
        "What other cards or rules change",
    ),
    "decks of a kind": (
        ("tournament", "plain", "random", "--players", "2", "--games", "60", "--perturb-deck", "3"),
        "places",
        "Other decks as plausible",
    ),
    "gauntlet": (
        ("tournament", *FIELD, "--shape", "gauntlet", "--players", "3", "--games", "60"),
        "standings",
        "A gauntlet for plain:level=21",
    ),
    "random": (
        ("tournament", *FIELD, "--shape", "random", "--line-ups", "6", "--players", "3", "--games", "60"),
        "standings",
        "A tournament of 3 strategies, line-ups drawn at random",
    ),
    "table": (("tournament", *FIELD, "--shape", "table", "--games", "60"), "standings", "One table of 3"),
    "decided": (
        ("tournament", "plain:level=21", "random", "--players", "2", "--until-decided"),
        "standings",
        "A tournament of 2 strategies",
    ),
}


QUICK = {"two", "decks of a kind"}
"""Kinds that the default run reports; drawing takes seconds for each."""


@pytest.mark.parametrize(
    "kind", [kind if kind in QUICK else pytest.param(kind, marks=pytest.mark.slow) for kind in CONTESTS]
)
def test_every_kind_of_run_has_a_report(kind: str, here: Path) -> None:
    command, main, title = CONTESTS[kind]
    other_deck()
    succeeded(alone(*command, "--out", "run", "--report"))
    page = Page(Path("run/report.html"))
    assert f"<h1>{title}</h1>" in page.source
    tables = {path.stem for path in Path("run/csv").glob("*.csv")}
    assert {main, "scores", "histogram", "attempts", "calibration", "turns", "bids", "victories"} <= tables
    assert page.loads == []
    assert len(page.ids) == len(set(page.ids))
    assert "The most extreme games" in page.text
    assert page.source.count("<pre") == 3, "one game of each kind is told"
    assert page.tags.count("svg") == len(list(Path("run/png").iterdir())) > 4
    games = sum(int(row["games"]) for row in rows_of(Path("run/csv/victories.csv")) if row["winners"] == "1")
    assert games == manifest_of(Path("run"))["run"]["games"]
    if kind == "decided":
        assert "is the best" in page.text


def test_what_happened_in_the_games_is_also_a_table_of_show(run: Path) -> None:
    assert field_table_names(WOOL_RULES) == COUNTED
    for name in COUNTED:
        shown = succeeded(alone("show", str(run), "--table", name, "--format", "csv")).out
        assert shown == (run / "csv" / f"{name}.csv").read_text(encoding="utf-8")


@pytest.mark.slow
def test_a_simulation_writes_a_report_of_its_own(here: Path) -> None:
    command = ("simulate", "plain:level=22", "random", "--games", "300", "--seed", "3", "--report")
    succeeded(alone(*command))
    (folder,) = Path("woolsim-out").iterdir()
    before = files_in(folder)
    succeeded(alone(*command))
    assert files_in(folder) == before
    page = Page(folder / "report.html")
    assert "Who scores and wins how much at a table of plain:level=22 and random, and why?" in page.text
    assert page.source.count("<pre") == 3
    assert {path.stem for path in (folder / "csv").glob("*.csv")} == {
        *("seats", "attempts", "calibration", "places", "bids", "finish", "table", "histogram"),
    }
    shown = succeeded(alone("simulate", "plain:level=22", "random", "--games", "300", "--seed", "3", "--format", "csv"))
    rows = rows_of(folder / "csv" / "seats.csv")
    assert [row["mean_score"] for row in rows] == [row["mean_score"] for row in shown.rows()]
    succeeded(alone(*command, "--out", "named"))
    assert {name: content for name, content in files_in(Path("named")).items() if name.startswith("csv/")} == {
        name: content for name, content in before.items() if name.startswith("csv/")
    }


def test_the_report_of_a_simulation_keeps_out_of_a_run(here: Path) -> None:
    succeeded(alone(*small(20), "--out", "run"))
    message = refused(
        alone("simulate", "plain", "random", "--games", "10", "--report", "--out", "run", "--format", "csv")
    )
    mentions(message, ["--out run", "another folder"])
    mentions(refused(alone("simulate", "plain", "random", "--games", "10", "--out", "x")), ["--out", "--report"])
