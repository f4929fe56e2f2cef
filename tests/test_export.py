"""CSV, JSON and Markdown, files that are whole or not there, and frames."""

import csv
import json
import math
import os
from dataclasses import replace
from io import StringIO
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from commands import COLUMNS, QUANTITIES, SIMULATED_COLUMNS, files_in

from analyzer import __version__
from analyzer.errors import BadInputError, WoolsimError
from analyzer.wool_rules.bid_table import bid_table
from analyzer.wool_rules.deck import shipped_deck
from analyzer.wool_rules.rules import STANDARD, Rules
from reports.export import OutputError, Provenance, check_output, replacing, to_csv, to_json, to_markdown, write_csv
from reports.frames import frame as frame_of
from strategies.wool_rules.hold_registry import hold_rule

ROWS: list[dict[str, str | int | float | bool | None]] = [
    {"bid": "14", "hold": "fixed-values:three=1,two=2", "p": 0.1, "n": 10**15, "best": True, "z": None},
    {"bid": "26+", "hold": 'my "own".py:f', "p": 1 / 3, "n": -3, "best": False, "z": -1e-17},
    {"bid": "15", "hold": "two\nlines", "p": 5e-324, "n": 0, "best": None, "z": 2.0},
]

NAMES = tuple(ROWS[0])


# CSV, JSON, Markdown


def test_csv_gives_back_every_cell_to_the_last_digit() -> None:
    header, *body = csv.reader(StringIO(to_csv(ROWS, NAMES)))
    assert tuple(header) == NAMES
    for cells, row in zip(body, ROWS, strict=True):
        assert cells == ["" if cell is None else str(cell) for cell in row.values()]
        assert float(cells[2]) == row["p"]


def test_csv_has_one_kind_of_line_end_and_ends_with_it() -> None:
    text = to_csv([{"bid": row["bid"], "p": row["p"]} for row in ROWS], ("bid", "p"))
    assert "\r" not in text
    assert text.endswith("\n")
    assert text.splitlines() == ["bid,p", "14,0.1", f"26+,{1 / 3}", "15,5e-324"]


def test_json_is_one_array_of_objects_with_null_for_missing() -> None:
    assert json.loads(to_json(ROWS, NAMES)) == ROWS
    assert [list(o) for o in json.loads(to_json(ROWS, ("z", "bid")))] == [["z", "bid"]] * 3
    assert to_json(ROWS, NAMES).endswith("]\n")


def test_json_never_has_what_json_does_not_know() -> None:
    with pytest.raises(ValueError, match="JSON"):
        to_json([{"p": math.nan}], ("p",))


def test_no_rows_leave_the_header_and_an_empty_array() -> None:
    assert to_csv([], ("bid", "p")) == "bid,p\n"
    assert json.loads(to_json([], ("bid", "p"))) == []
    assert to_markdown(["bid", "p"], []) == "| bid | p |\n| --- | --- |\n"


def test_markdown_keeps_a_bar_in_a_cell_from_ending_it() -> None:
    text = to_markdown(["rule", "p"], [["a|b", "1 %"], ["c", ""]])
    assert text == "| rule | p |\n| --- | ---: |\n| a\\|b | 1 % |\n| c |  |\n"


# What reproduces an output


def test_provenance_names_program_version_seed_command_and_that_no_deck_matters() -> None:
    made = Provenance("woolsim bid-table --seed 7", 7, "exact")
    assert made.as_dict() == {
        "program": "woolsim",
        "version": __version__,
        "command": "woolsim bid-table --seed 7",
        "seed": 7,
        "figures": "exact",
        "rules": {"name": "standard", "hash": STANDARD.digest},
        "deck": None,
        "deck_note": "dice odds do not depend on a deck",
    }
    line = made.one_line()
    assert "\n" not in line
    for part in (f"woolsim {__version__}", "seed 7", "exact", "woolsim bid-table --seed 7"):
        assert part in line
    assert "seed" not in Provenance("woolsim hold-table", None, "exact").one_line()


def test_provenance_names_deck_and_rules() -> None:
    shipped = shipped_deck()
    made = Provenance("woolsim simulate", 1, "simulated", Rules(dice=(12, 10, 6)), shipped)
    assert f"; deck reconstructed ({shipped.digest}), an assumption: no card list is published; " in made.one_line()
    assert f"; rules changed: dice ({made.rules.digest}); made by" in made.one_line()
    described = made.as_dict()
    assert described["rules"] == {"name": "changed: dice", "hash": made.rules.digest}
    assert described["deck"] == {
        "name": "reconstructed",
        "hash": shipped.digest,
        "note": "an assumption: no card list is published",
    }
    assert "deck_note" not in described

    mine = replace(shipped, name="mine", cards=(replace(shipped.cards[0], sheep_number=999), *shipped.cards[1:]))
    line = Provenance("woolsim simulate", 1, "simulated", deck=mine).one_line()
    assert f"; deck mine ({mine.digest}); rules standard ({STANDARD.digest}); made by" in line


# Files


def test_write_csv_writes_table_and_sidecar(tmp_path: Path) -> None:
    made = Provenance("woolsim bid-table --hold Käse.py:f", 1, "exact")
    write_csv(tmp_path / "t.csv", ROWS, NAMES, made)
    assert set(files_in(tmp_path)) == {"t.csv", "t.csv.meta.json"}
    assert (tmp_path / "t.csv").read_bytes() == to_csv(ROWS, NAMES).encode()
    assert json.loads((tmp_path / "t.csv.meta.json").read_bytes()) == made.as_dict()


def test_replacing_puts_the_new_file_in_place_of_the_old_one(tmp_path: Path) -> None:
    target = tmp_path / "t.csv"
    target.write_text("old")
    with replacing(target) as (part,):
        part.write_text("new")
        assert target.read_text() == "old"
        assert part.parent == tmp_path
    assert files_in(tmp_path) == {"t.csv": b"new"}


class Interrupted(BaseException):
    """What is no ordinary exception, like Ctrl-C."""


def write_half(error: BaseException, *paths: Path) -> None:
    """Begin to write files and fail in the middle."""
    with replacing(*paths) as parts:
        for part in parts:
            part.write_text("half")
        raise error


@pytest.mark.parametrize("error", [ValueError("in the middle"), KeyboardInterrupt(), Interrupted()])
def test_an_exception_while_writing_leaves_the_old_files_and_nothing_else(error: BaseException, tmp_path: Path) -> None:
    (tmp_path / "old.csv").write_text("old")
    with pytest.raises(type(error)):
        write_half(error, tmp_path / "old.csv", tmp_path / "new.csv")
    assert files_in(tmp_path) == {"old.csv": b"old"}


def test_a_failing_disk_is_one_clear_error_and_nothing_is_left(tmp_path: Path) -> None:
    (tmp_path / "old.csv").write_text("old")
    with pytest.raises(OutputError, match=r"old\.csv.*No space left") as caught:
        write_half(OSError(28, "No space left on device"), tmp_path / "old.csv")
    assert isinstance(caught.value, WoolsimError)
    assert caught.value.exit_status == 1
    assert files_in(tmp_path) == {"old.csv": b"old"}


def test_files_that_belong_together_are_all_replaced_or_none(tmp_path: Path) -> None:
    # The second place is taken by a folder, so that only the first could be renamed.
    table, sidecar = tmp_path / "t.csv", tmp_path / "t.csv.meta.json"
    table.write_text("old")
    sidecar.mkdir()
    with pytest.raises(OutputError, match=r"t\.csv"):
        write_csv(table, ROWS, NAMES, Provenance("woolsim", None, "exact"))
    assert files_in(tmp_path) == {"t.csv": b"old"}


def test_check_output_leaves_a_folder_as_it_was(tmp_path: Path) -> None:
    (tmp_path / "old.csv").write_text("old")
    modified = (tmp_path / "old.csv").stat().st_mtime_ns
    check_output(tmp_path / "old.csv")
    check_output(tmp_path / "new.csv")
    assert files_in(tmp_path) == {"old.csv": b"old"}
    assert (tmp_path / "old.csv").stat().st_mtime_ns == modified


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("folder", "folder"),
        ("none/t.csv", "does not exist"),
        ("file/t.csv", "not a folder"),
        ("pipe", "not an ordinary file"),
        ("x" * 300, "too long"),
    ],
)
def test_check_output_says_what_is_in_the_way(name: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").write_text("")
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(BadInputError, match=message):
        check_output(tmp_path / name)


# Frames


@pytest.mark.parametrize("simulate", [None, 100])
def test_frame_has_texts_whole_numbers_and_floats(simulate: int | None) -> None:
    table = bid_table([hold_rule("max-odds")], [14, 27], (0, -1), (0, 25), simulate=simulate)
    frame = frame_of("bid-table", table.rows, table.columns)
    assert list(frame.columns) == COLUMNS + (SIMULATED_COLUMNS if simulate else [])
    assert len(frame) == 8
    for name in frame:
        if name in {"bid", "hold"}:
            assert pd.api.types.is_string_dtype(frame[name].dtype), name
        elif name in {"target", "modifier", "chips", "sim_n"}:
            assert pd.api.types.is_integer_dtype(frame[name].dtype), name
        else:
            assert frame[name].dtype == np.float64, name
    for name in table.columns:
        for cell, given in zip(frame[name], table.rows, strict=True):
            assert pd.isna(cell) if given[name] is None else cell == given[name]


def test_missing_figures_are_nan_in_a_frame(tmp_path: Path) -> None:
    (tmp_path / "chance.py").write_text("def f(v):\n    return 12 if v.draws[0] < 2 and not v.held[0] else 10\n")
    table = bid_table([hold_rule(f"{tmp_path / 'chance.py'}:f")], [20], simulate=100)
    frame = frame_of("bid-table", table.rows, table.columns)
    missing = {name for name in frame if frame[name].isna().all()}
    assert missing == {*COLUMNS[5:], *(f"sim_p_{name}_z" for name in QUANTITIES)}


def test_a_frame_of_no_rows_has_the_columns_and_types() -> None:
    frame = frame_of("bid-table", [], COLUMNS)
    assert list(frame.columns) == COLUMNS
    assert frame["p_success"].dtype == np.float64
    assert frame.empty
