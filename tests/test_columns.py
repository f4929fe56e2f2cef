"""Every column of every table is described, with its unit and type, and nothing is described that there is not."""

import csv
import io
import re
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pandas as pd
import pytest

from analyzer.counted import Table
from analyzer.field_counts import field_tables
from analyzer.find_best import FIND_BEST_COLUMNS
from analyzer.outcome import COLUMNS as TOURNAMENT_COLUMNS
from analyzer.paired import CANDIDATE_COLUMNS, PLACE_COLUMNS, SETTING_COLUMNS
from analyzer.runs import Run
from analyzer.wool_rules.bid_table import EXACT_COLUMNS, SIMULATED_COLUMNS, bid_table
from analyzer.wool_rules.deck import COLUMNS as DECK_COLUMNS
from analyzer.wool_rules.deck import shipped_deck
from analyzer.wool_rules.games import GamePlayer, Question
from analyzer.wool_rules.position import position
from analyzer.wool_rules.rules import STANDARD
from analyzer.wool_rules.summary import Summary
from analyzer.wool_rules.terms import Terms
from reports import notebook
from reports.cli.contests import asked_of, contest_of
from reports.cli.strategies import _hold_rows, _strategy_rows
from reports.columns import SPECIAL, column_text, describe, described
from reports.decks import card_rows
from reports.export import to_csv
from reports.frames import DTYPES, frame, summary_frames
from reports.rows import HOLD_COLUMNS, position_columns, position_rows
from strategies.registry import strategy
from strategies.tournaments import labels
from strategies.wool_rules.hold_registry import hold_rule


@cache
def summary() -> Summary:
    question = Question(tuple(map(strategy, ("plain", "random", "plain"))), STANDARD, shipped_deck(), 1)
    return Summary(question, GamePlayer(question)(0, 40))


@cache
def happened() -> dict[str, Table]:
    """Return what happened in the games of a tournament, by strategy and setting."""
    with TemporaryDirectory() as folder:
        notebook.tournament("plain", "random", players=2, games=2, out=folder)
        with Run.open(Path(folder), write=False) as run:
            asked = asked_of(run)
            counts, names = contest_of(run, asked).counts(), labels(run.question)
    return field_tables(asked.game, counts, names, asked.settings, [{"setting": "as asked"}])


@cache
def tables() -> dict[str, tuple[str, ...]]:
    """Return the columns of every table of the program."""
    return {
        "bid-table": (*EXACT_COLUMNS, *SIMULATED_COLUMNS),
        "hold-chart": HOLD_COLUMNS,
        "position": position_columns(STANDARD),
        "deck": DECK_COLUMNS,
        "strategies": tuple(_strategy_rows()[0]),
        "strategies/hold": tuple(_hold_rows()[0]),
        "compare/candidates": CANDIDATE_COLUMNS,
        "compare/settings": SETTING_COLUMNS,
        "compare/places": PLACE_COLUMNS,
        "find-best/candidates": FIND_BEST_COLUMNS,
        **{f"simulate/{name}": columns for name, (columns, _) in summary().tables().items()},
        **{f"tournament/{name}": columns for name, columns in TOURNAMENT_COLUMNS.items()},
        **{f"tournament/{name}": columns for name, (columns, _) in happened().items()},
    }


COLUMNS = [(table, column) for table, columns in tables().items() for column in columns]


def test_every_column_of_every_table_is_described() -> None:
    for table, column in COLUMNS:
        said = describe(table, column)
        assert said.name == column
        assert said.kind in DTYPES
        assert re.fullmatch(r"[A-Zys1].*\.", said.meaning), said
        assert len(said.meaning) < 120, said
        assert "|" not in said.meaning + said.unit
        assert said.unit or said.kind != "number", said  # a figure has a unit


def test_every_description_is_of_a_column_that_there_is() -> None:
    everywhere = {column for _, column in COLUMNS}
    there = {*COLUMNS, *((table.rpartition("/")[2], column) for table, column in COLUMNS)}
    for table, column in described():
        assert (table, column) in there if table else column in everywhere, (table, column)


def test_no_special_description_says_what_the_general_one_does() -> None:
    for (table, column), said in SPECIAL.items():
        general = {describe("", column)[1:]} if ("", column) in described() else set()
        assert said not in general, (table, column)


def test_a_column_that_is_not_described_is_named() -> None:
    with pytest.raises(KeyError, match="'luck' of the table 'tournament/seats' is not described"):
        describe("tournament/seats", "luck")


def test_ends_of_intervals_and_simulated_shares_are_described_by_what_they_belong_to() -> None:
    low = describe("tournament/pairs", "score_low")
    assert low == ("score_low", "Lower end of the 95 % interval of score.", "points", "number")
    assert describe("tournament/rotation", "score").unit == "factor"
    assert describe("bid-table", "sim_p_one_high").meaning == "Upper end of the 95 % interval of sim_p_one."
    assert describe("bid-table", "sim_p_one").unit == "share"
    assert describe("bid-table", "sim_p_one_z").unit == "standard errors"
    assert describe("position", "d12").meaning == "What the die with 12 sides shows."


def test_a_name_means_what_it_does_in_its_table() -> None:
    assert describe("bid-table", "chips").kind == "whole number"
    assert describe("simulate/seats", "chips").kind == "number"
    assert describe("simulate/histogram", "score").kind == describe("tournament/histogram", "score").kind
    assert describe("simulate/histogram", "score").kind == "whole number"
    assert describe("tournament/standings", "games") != describe("simulate/finish", "games")


def test_the_text_has_a_section_for_each_table_and_a_row_for_each_figure() -> None:
    text = column_text(tables())
    assert text == column_text(tables())
    sections = dict(re.findall(r"^## (\S+)\.csv\n\n(.*?)(?=\n\n|\Z)", text, re.MULTILINE | re.DOTALL))
    assert sections.keys() == {table.rpartition("/")[2] for table in tables()}
    standings = sections["standings"].splitlines()
    assert standings[:2] == ["| column | type | unit | meaning |", "| --- | --- | --- | --- |"]
    assert [line.count(" | ") for line in standings] == [3] * len(standings)
    assert standings[4].startswith("| `win_share`, `win_share_low`, `win_share_high` | number | share | Games won,")
    named = re.findall(r"`(\S+?)`", sections["standings"])
    assert tuple(named) == TOURNAMENT_COLUMNS["standings"]


def test_every_frame_of_a_simulation_has_the_documented_types() -> None:
    frames = summary_frames(summary())
    for name, found in frames.items():
        for column in found.columns:
            assert str(found[column].dtype) == DTYPES[describe(f"simulate/{name}", column).kind], (name, column)


def test_frames_of_other_tables_have_the_documented_types() -> None:
    rules = [hold_rule("max-odds"), hold_rule("keep-highest")]
    found = position(rules, Terms.one(20), (5, 6, 4))
    columns = position_columns(STANDARD)
    positions = frame("position", position_rows(found), columns)
    assert positions["best"].dtype == "boolean"
    assert positions["best"].tolist().count(True) == 2
    assert positions["accept"].isna().all()
    assert positions["d12"].tolist() == [5] * 6
    assert positions["value"].isna().sum() == 3
    cards = frame("deck", card_rows(shipped_deck()), DECK_COLUMNS)
    assert cards["points"].dtype == "Int64"
    assert cards["kind"].dtype == "string"
    assert int(cards["sheep_number"].isna().sum()) == 9
    for table, header in tables().items():
        empty = frame(table, [], header)
        assert [str(dtype) for dtype in empty.dtypes] == [DTYPES[describe(table, name).kind] for name in header]


def test_what_pandas_reads_from_a_file_is_of_the_documented_type() -> None:
    table = bid_table([hold_rule("max-odds")], [14, 20, 27], simulate=50)
    kinds = {"text": "str", "whole number": "int64", "number": "float64", "truth": "bool"}
    read = pd.read_csv(io.StringIO(to_csv(table.rows, table.columns)))
    for name in table.columns:
        dtype, kind = read[name].dtype, describe("bid-table", name).kind
        assert pd.api.types.is_string_dtype(dtype) if kind == "text" else str(dtype) == kinds[kind], name
    assert next(csv.reader([to_csv([], table.columns)])) == list(table.columns)
