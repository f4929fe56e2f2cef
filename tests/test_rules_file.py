"""A rules file changes what it says and nothing else; what is wrong with it is said with file and line."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from analyzer.errors import BadInputError
from analyzer.wool_rules.rules import RULES_DTYPE, STANDARD, Rules, read_rules

CHANGED: dict[str, tuple[str, Any]] = {
    "plain_26": ("false", False),
    "chips_total": ("13", 13),
    "chips_start": ("3", 3),
    "dice": ("[20, 6, 10]", (20, 6, 10)),
    "table_numbers": ("[61, 62, 63, 64, 65, 66]", (61, 62, 63, 64, 65, 66)),
    "cards_per_attempt": ("[4, 2, 0]", (4, 2, 0)),
    "black_sheep_below": ("12", 12),
    "dog_single": ("-3", -3),
    "dog_most": ("0", 0),
    "bone_per_dog": ("5", 5),
    "three_seven_zero": ("[3, 14, 1]", (3, 14, 1)),
    "zero_zero_seven": ("[0, 7, 21]", (0, 7, 21)),
    "dogless_discard": ("0", 0),
    "memory": ('"table"', "table"),
}
"""By key: what a file says, and what is read."""


def _read(folder: Path, text: str) -> Rules:
    file = folder / "rules.toml"
    file.write_text(text, encoding="utf-8")
    return read_rules(file)


def test_every_key_is_tried() -> None:
    assert list(CHANGED) == list(Rules.__dataclass_fields__)


@pytest.mark.parametrize("key", CHANGED)
def test_a_key_changes_what_it_says_and_nothing_else(key: str, tmp_path: Path) -> None:
    written, value = CHANGED[key]
    rules = _read(tmp_path, f"# our house\n{key} = {written}\n")
    assert {name: getattr(rules, name) for name in CHANGED} == {
        name: value if name == key else getattr(STANDARD, name) for name in CHANGED
    }
    assert list(rules.changes) == [key]
    assert rules.name == f"changed: {key}"
    assert rules.digest != STANDARD.digest


@pytest.mark.parametrize("key", CHANGED)
def test_a_record_has_what_the_rules_have(key: str, tmp_path: Path) -> None:
    written, value = CHANGED[key]
    record = _read(tmp_path, f"{key} = {written}\n").record()[0]
    if key not in (RULES_DTYPE.names or ()):
        assert key == "table_numbers"  # dealt by the engine, shown as sheep numbers
    else:
        shown = 1 if key == "memory" else value
        assert (record[key] == np.array(shown)).all()


@pytest.mark.parametrize("text", ["", "# nothing\n", "dice = [12, 10, 8]\nmemory = 'perfect'\n"])
def test_what_says_nothing_new_is_the_standard(text: str, tmp_path: Path) -> None:
    rules = _read(tmp_path, text)
    assert rules == STANDARD
    assert (rules.name, rules.changes, rules.digest) == ("standard", {}, STANDARD.digest)


def test_the_hash_tells_rules_apart_and_not_files(tmp_path: Path) -> None:
    digests = {_read(tmp_path, f"{key} = {written}\n").digest for key, (written, _) in CHANGED.items()}
    assert len(digests) == len(CHANGED)
    one = _read(tmp_path, "dice = [6, 8, 4]\nplain_26 = false\n")
    assert one == _read(tmp_path, "plain_26 = false  # no\n\ndice = [\n 6,\n 8,\n 4]\n")
    assert one.digest == Rules(plain_26=False, dice=(6, 8, 4)).digest


BAD: dict[str, tuple[str, int, list[str]]] = {
    # what is wrong: text, line, parts of the message
    "unknown key": ("dice = [6, 8, 4]\nchip_total = 20\n", 2, ["unknown key 'chip_total'", "chips_total"]),
    "a table": ("[dice]\nfirst = 12\n", 1, ["dice", "list of 3"]),
    "unknown table": ("\n[house]\ndice = [6, 8, 4]\n", 2, ["unknown key 'house'"]),
    "no truth value": ("plain_26 = 1\n", 1, ["plain_26 = 1", "true or false"]),
    "a text for a truth value": ('plain_26 = "no"\n', 1, ["true or false"]),
    "a text": ('\n\nchips_total = "25"\n', 3, ["chips_total", "whole number"]),
    "a fraction": ("chips_start = 1.5\n", 1, ["chips_start", "1.5"]),
    "a whole float": ("chips_start = 2.0\n", 1, ["chips_start"]),
    "a truth value for a number": ("dog_single = true\n", 1, ["dog_single", "True"]),
    "too many chips": ("chips_total = 26\n", 1, ["26", "0 to 25"]),
    "negative chips": ("chips_start = -1\n", 1, ["-1"]),
    "more chips at the start than there are": ("chips_total = 11\n", 1, ["chips_start = 2", "chips_total = 11"]),
    "the same, by the start": ("# x\nchips_start = 5\n", 2, ["chips_start = 5", "chips_total = 25"]),
    "two dice": ("dice = [12, 10]\n", 1, ["dice", "list of 3"]),
    "no list": ("dice = 12\n", 1, ["dice = 12", "list of 3"]),
    "equal dice": ("dice = [12, 10, 12]\n", 1, ["dice", "differ"]),
    "a die with one side": ("dice = [12, 10, 1]\n", 1, ["1", "2 to 30"]),
    "a die with too many sides": ("dice = [12, 31, 8]\n", 1, ["31", "2 to 30"]),
    "a fraction of a side": ("dice = [12, 10.5, 8]\n", 1, ["10.5"]),
    "five table numbers": ("table_numbers = [1, 2, 3, 4, 5]\n", 1, ["list of 6"]),
    "equal table numbers": ("table_numbers = [1, 2, 3, 4, 5, 5]\n", 1, ["differ"]),
    "table number 0": ("table_numbers = [0, 2, 3, 4, 5, 6]\n", 1, ["0", "1 to 999"]),
    "too many cards": ("cards_per_attempt = [8, 2, 1]\n", 1, ["8", "0 to 7"]),
    "cards for four attempts": ("cards_per_attempt = [4, 3, 2, 1]\n", 1, ["list of 3"]),
    "black sheep below a negative number": ("black_sheep_below = -1\n", 1, ["-1", "0 to 99"]),
    "far too many points": ("dog_single = 101\n", 1, ["101"]),
    "far too few points": ("dog_most = -101\n", 1, ["-101"]),
    "a huge number": ("bone_per_dog = 99999999999999999999\n", 1, ["bone_per_dog"]),
    "two points for a trio": ("three_seven_zero = [3, 14]\n", 1, ["list of 3"]),
    "a text among points": ('zero_zero_seven = [0, "0", 21]\n', 1, ["'0'"]),
    "too many discarded": ("dogless_discard = 11\n", 1, ["11", "0 to 10"]),
    "unknown memory": ('memory = "none"\n', 1, ["'none'", "'perfect' or 'table'"]),
    "a memory that is a list": ('memory = ["table"]\n', 1, ["memory"]),
    "a key given twice": ("dog_single = 1\n\ndog_single = 2\n", 3, ["TOML"]),
    "no TOML": ("dice = 12, 10, 8\n", 1, ["TOML"]),
    "a line without a value": ("plain_26\n", 1, ["TOML"]),
    "infinity": ("dog_single = inf\n", 1, ["inf"]),
    "a date": ("dog_single = 2024-01-01\n", 1, ["dog_single"]),
}


@pytest.mark.parametrize("what", BAD)
def test_what_is_wrong_is_said_with_file_and_line(what: str, tmp_path: Path) -> None:
    text, line, parts = BAD[what]
    with pytest.raises(BadInputError) as caught:
        _read(tmp_path, text)
    message = str(caught.value)
    assert message.startswith(f"{tmp_path / 'rules.toml'}:{line}: "), message
    assert [part for part in parts if part not in message] == [], message
    assert "\n" not in message


@pytest.mark.parametrize("content", [b"dice = [12, 10, 8]\xff\n", b"\x00\x01"])
def test_a_file_that_is_no_text_is_refused(content: bytes, tmp_path: Path) -> None:
    file = tmp_path / "rules.toml"
    file.write_bytes(content)
    with pytest.raises(BadInputError, match=r"rules\.toml"):
        read_rules(file)


def test_a_file_that_is_not_there_and_a_folder_are_refused(tmp_path: Path) -> None:
    for path in (tmp_path / "none.toml", tmp_path):
        with pytest.raises(BadInputError, match=path.name):
            read_rules(path)
