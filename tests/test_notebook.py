"""In a notebook: a few words play, results show themselves as text and HTML, and their frames are typed."""

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from html.parser import HTMLParser
from pathlib import Path

import pandas as pd
import pytest
from commands import in_process, succeeded

from analyzer.errors import BadInputError
from analyzer.outcome import Outcome
from analyzer.runs import Run
from analyzer.shown import LEADING, MOST_LINES, Line, Shown
from analyzer.wool_rules.advice import hold_chart
from analyzer.wool_rules.deck import SHIPPED_FILE, shipped_deck
from analyzer.wool_rules.games import GamePlayer, Question
from analyzer.wool_rules.hold_rules import SolvedRule
from analyzer.wool_rules.position import position
from analyzer.wool_rules.rules import STANDARD, Rules
from analyzer.wool_rules.summary import Summary
from analyzer.wool_rules.terms import Terms
from reports import notebook
from reports.cli.contests import asked_of, contest_of
from reports.cli.shown import COUNTED
from reports.columns import describe
from reports.frames import DTYPES
from reports.game_plots import score_distributions, score_parts
from reports.results import Result
from strategies.registry import strategy
from strategies.wool_rules.hold_registry import hold_rule

HOSTILE = "<script>alert('x')</script> \"q\" & 我🧶👩‍🌾 $x$\n\t\x1b[31m" + "y" * 200


class Reader(HTMLParser):
    """Reads what a notebook shows: tags, and texts of cells and paragraphs."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.texts: list[str] = []
        self.open: list[str] = []
        self.feed(text)
        self.close()
        assert not self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.open.append(tag)
        assert {name for name, _ in attrs} <= {"style", "scope"}

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


def read(shown: Shown) -> Reader:
    reader = Reader(shown._repr_html_())
    assert set(reader.tags) <= {"p", "table", "thead", "tbody", "tr", "th", "td"}
    return reader


@cache
def played() -> Result:
    return notebook.simulate("plain:level=20", "random", "plain:level=14", games=400.0, seed=7, rotate=True)


@cache
def field() -> Result:
    return notebook.tournament("plain:level=19..20", "random", players=3, games=6)


@cache
def line_up() -> Question:
    return Question(tuple(map(strategy, ("plain", "random"))), STANDARD, shipped_deck(), 3)


def test_a_simulation_has_the_figures_of_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    words = "simulate plain:level=20 random plain:level=14 --games 400 --seed 7 --rotate --format csv"
    rows = succeeded(in_process(capsys, *words.split())).rows()
    seats = played().frames["seats"]
    assert seats["strategy"].tolist() == ["plain:level=20", "random", "plain:level=14"]
    for name in ("mean_score", "win_share_low", "p_under_14_high"):
        assert seats[name].tolist() == [float(row[name]) for row in rows]


def test_nothing_is_printed(capfd: pytest.CaptureFixture[str]) -> None:
    notebook.simulate("plain", "random", games=20)
    notebook.tournament("plain", "random", players=2, games=2)
    assert tuple(capfd.readouterr()) == ("", "")


def test_frames_have_all_tables_typed_and_explained() -> None:
    for result, family, main in ((played(), "simulate", "seats"), (field(), "tournament", "standings")):
        assert next(iter(result.frames)) == main
        assert len(result.frames) >= 8
        for name, frame in result.frames.items():
            for column, dtype in frame.dtypes.items():
                assert str(dtype) == DTYPES[describe(f"{family}/{name}", str(column)).kind], (name, column)
            explained = result.frames.explain(name)
            assert explained.index.tolist() == frame.columns.tolist()
            assert explained.columns.tolist() == ["meaning", "unit", "kind"]
    assert repr(played().frames).startswith("<Frames: seats, attempts,")


def test_a_frame_may_be_changed_without_changing_the_result() -> None:
    seats = played().frames["seats"]
    seats["games"] = 0
    assert played().frames["seats"]["games"].tolist() == [400, 400, 400]


def test_a_chart_is_drawn_of_a_frame_and_the_whole_picture_of_a_result() -> None:
    from matplotlib.figure import Figure

    figure = Figure()
    upper, lower = figure.subplots(2)
    assert score_parts(played().frames["seats"], upper) is figure
    assert score_distributions(played().frames["histogram"], lower) is figure
    assert len(played().figure().axes) == 4
    assert len(field().figure().axes) >= 1
    assert len(notebook.bid_table(modifiers=[0, 1]).figure().axes) >= 1


def test_a_result_says_what_was_played_and_who_leads() -> None:
    text = repr(played())
    assert len(text.splitlines()) == 2
    for part in ("400 games of 3 players, each in 3 seatings, seed 7", shipped_deck().digest, "95 % intervals"):
        assert part in text
    best = played().frames["seats"].sort_values("win_share", ascending=False).iloc[0]
    leader = f"wins: seat {best['seat']}: {best['strategy']} {best['win_share']:.1%} ({best['win_share_low']:.1%} to"
    assert leader in text
    assert "seed 1; played: 180 games: 10 line-ups of 3 players" in repr(field())
    assert "win share: plain:level=20 " in repr(field())


def test_a_notebook_shows_a_row_for_each_with_intervals() -> None:
    reader = read(field())
    assert reader.tags.count("tr") == 4
    standings = field().frames["standings"]
    for row in standings.to_dict("records"):
        assert f"{row['win_share']:.1%} ({row['win_share_low']:.1%} to {row['win_share_high']:.1%})" in reader.texts
    assert "rating" in reader.texts
    assert "margin (points)" in reader.texts


def test_a_tournament_that_is_kept_is_gone_on_with_and_loaded(here: Path) -> None:
    one = notebook.tournament("plain:level=19..20", "random", players=[3], games=6, out="run")
    again = notebook.load("run")
    for name, frame in field().frames.items():
        pd.testing.assert_frame_equal(again.frames[name], frame)
    assert repr(again) == repr(one) == repr(field())
    assert [path.name for path in here.iterdir()] == ["run"]
    more = notebook.tournament("plain:level=19..20", "random", players=3, games=8, out=here / "run")
    assert more.frames["standings"]["games"].sum() > one.frames["standings"]["games"].sum()


def test_runs_of_every_shape_are_loaded(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shapes = {
        "compare plain:level=20 random --games 4 --players 2 --out a": ("candidates", "win_share_ahead"),
        "find-best plain:level=19 random --players 2 --max-games 60 --out b": ("candidates", "behind"),
        "tournament plain random --players 2 --games 4 --perturb-deck 2 --out c": ("places", "lowest_win_share"),
    }
    for words, (table, column) in shapes.items():
        succeeded(in_process(capsys, *words.split()))
        result = notebook.load(words.split()[-1])
        assert list(result.frames) == [table, *COUNTED]
        assert result.frames["scores"]["mean_score"].notna().all()
        assert str(result.frames[table][column].dtype) == "float64"
        assert len(repr(result).splitlines()) == 2
        assert read(result).tags.count("tr") == 3
        assert result.figure().axes


def test_bid_tables_are_exact_and_simulated() -> None:
    exact = notebook.bid_table(bids=[14, "26+"], chips=[0, 2])
    assert exact.frames["bid-table"]["bid"].tolist() == ["14", "26+"] * 2
    assert "bid 26+, chips 2" in read(exact).texts
    simulated = notebook.bid_table("keep-highest", "random", bids=[20], simulations=1e3, seed=5)
    assert simulated.frames["bid-table"]["sim_n"].tolist() == [1000, 1000]
    assert "success, simulated" in read(simulated).texts


def test_every_result_of_the_analyzer_shows_itself_in_a_few_words() -> None:
    player, best = GamePlayer(line_up()), hold_rule("max-odds")
    assert isinstance(best, SolvedRule)
    summary = Summary(line_up(), player(0, 10))
    whole = field().frames["standings"]
    assert whole["group"].notna().all()
    shown: list[Shown] = [
        *(summary, summary.sums, line_up(), shipped_deck(), player.record(2)),
        *(hold_chart(best, Terms.one(20, chips=1)), position([best], Terms.one(20), (5, 6, 4))),
        position([best], Terms.one(14), (8, 6, 4)),
    ]
    for each in shown:
        text = repr(each)
        assert text.startswith(f"<{type(each).__name__}: ")
        assert len(text) < 500
        assert "array" not in text
        read(each)
    assert "the bid is made" in repr(shown[-1])
    assert repr(line_up().strategies[0]) == "<Strategy: 'plain:level=20'>"
    ranks = [text for text in read(shown[5]).texts if text.startswith(("1st roll", "2nd roll"))]
    assert len(ranks) == 6


def test_an_outcome_shows_its_standings(here: Path) -> None:
    notebook.tournament("plain:level=19..20", "random", players=3, games=6, out="run")
    with Run.open(here / "run", write=False) as run:
        outcome = Outcome(["one", HOSTILE, "three"], contest_of(run, asked_of(run)).field_sums())
    assert "3 strategies, line-ups of 3 players (10); 60 deals in all rotations; 95 % intervals" in repr(outcome)
    assert len(repr(outcome).splitlines()) == 2
    assert repr(outcome.meta_game) == "<MetaGameTables: choosing one of 3 strategies at tables of 3 players>"
    standings = field().frames["standings"].iloc[0]
    assert f"{standings['win_share']:.1%} ({standings['win_share_low']:.1%} to" in read(outcome).texts[6]
    assert read(outcome).tags.count("tr") == 4


class Sample(Shown):
    """Has as many lines as are asked for."""

    def __init__(self, name: str, lines: int) -> None:
        self.name, self.many = name, lines

    def headline(self) -> str:
        return self.name

    def lines(self) -> list[Line]:
        return [{"name": self.name, "a < b": f"{at}"} | ({"more": "&"} if at else {}) for at in range(self.many)]


def test_hostile_names_come_through_unharmed_and_harm_nothing() -> None:
    reader = read(Sample(HOSTILE, 2))
    name = HOSTILE.replace("\n", "\\n").replace("\t", "\\t").replace("\x1b", "\\x1b")
    assert reader.texts == [name, "name", "a < b", "more", name, "0", name, "1", "&"]
    text = repr(Sample(HOSTILE, 2))
    assert len(text.splitlines()) == 2
    assert "\x1b" not in text
    assert text.startswith("<Sample: <script>alert('x')</script>")
    question = line_up()
    named = tuple(replace(each, given=HOSTILE, spec=HOSTILE) for each in question.strategies)
    summary = Summary(replace(question, strategies=named), GamePlayer(question)(0, 10))
    assert f"seat 0: {name}" in read(summary).texts
    assert HOSTILE[:30] not in repr(named[0])[:9]


@pytest.mark.parametrize("lines", [0, 1, LEADING, LEADING + 1, MOST_LINES, MOST_LINES + 2])
def test_long_tables_are_cut_and_say_so(lines: int) -> None:
    shown = Sample("short", lines)
    reader = read(shown)
    assert reader.tags.count("tr") == (min(lines, MOST_LINES) + 1 if lines else 0)
    assert ("and 2 more rows" in reader.texts) == (lines == MOST_LINES + 2)
    assert len(repr(shown).splitlines()) == (2 if lines else 1)
    assert (f"; and {lines - LEADING} more>" in repr(shown)) == (lines > LEADING)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: notebook.simulate("plain"), "2 to 6 players"),
        (lambda: notebook.simulate("plain", "nobody"), "nobody"),
        (lambda: notebook.simulate(["plain", "random"]), "one after the other"),
        (lambda: notebook.simulate("plain", "random", games=10.5), "games 10.5: a whole number"),
        (lambda: notebook.simulate("plain", "random", games=0), "games 0"),
        (lambda: notebook.simulate("plain", "random", seed=-1), "seed -1"),
        (lambda: notebook.simulate("plain", "random", games=float("nan")), "games nan"),
        (lambda: notebook.simulate("plain", "random", threads=0), "threads 0"),
        (lambda: notebook.simulate("plain", "random", deck="none.csv"), "none.csv"),
        (lambda: notebook.tournament("plain", "random", shape="knock-out"), "shape 'knock-out'"),
        (lambda: notebook.tournament("plain", "random", players=9), "9 players"),
        (
            lambda: notebook.tournament("plain", "random", players=2, out="x", rules=Rules(chips_total=9)),
            "rules: a run",
        ),
        (lambda: notebook.load("nowhere"), "nowhere"),
        (lambda: notebook.bid_table("nothing"), "nothing"),
        (lambda: notebook.bid_table(bids=[13]), "13"),
    ],
)
@pytest.mark.usefixtures("here")
def test_bad_input_gets_one_clear_message(call: Callable[[], object], message: str) -> None:
    with pytest.raises(BadInputError, match=message) as told:
        call()
    assert "\n" not in str(told.value)
    assert list(Path().iterdir()) == []


def test_rules_and_decks_are_given_as_they_are_or_as_files(here: Path) -> None:
    (here / "few.toml").write_text("chips_total = 20\n")
    rules = Rules(chips_total=20)
    by_file = notebook.simulate("plain", "random", games=30, rules="few.toml", deck=SHIPPED_FILE)
    given = notebook.simulate("plain", "random", games=30, rules=rules, deck=shipped_deck())
    pd.testing.assert_frame_equal(by_file.frames["seats"], given.frames["seats"])
    assert rules.digest in repr(by_file)
    kept = notebook.tournament("plain", "random", players=2, games=2, rules="few.toml", out="run")
    assert rules.digest in repr(kept)
    assert repr(notebook.load("run")) == repr(kept)
