"""Questions of runs: the same ones have one digest; what differs is named; folders are told apart."""

from typing import Any

import pytest
from run_samples import QUESTION

from analyzer.questions import default_name, difference, digest


def test_the_order_of_keys_is_not_part_of_a_question() -> None:
    turned = dict(reversed(QUESTION.items()))
    assert digest(turned) == digest(QUESTION)
    assert difference(turned, QUESTION) is None


def test_a_tuple_is_a_list_as_json_has_it() -> None:
    assert difference({"levels": (1, 2)}, {"levels": [1, 2]}) is None


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"seed": 7}, "the seed differs: 9223372036854775808 there, 7 here"),
        ({"batch": 1000.0}, "the batch differs: 1000 there, 1000.0 here"),
        (
            {"deck": {"name": "mine.csv", "hash": "1f2e9c7055"}},
            "the deck differs: reconstructed (8d6f0a11) there, mine.csv (1f2e9c70) here",
        ),
        (
            {"deck": QUESTION["deck"] | {"cards": [[12, 3], [14, 0]]}},
            "the cards of deck differ: [14,-1] there, [14,0] here",
        ),
        (
            {"strategies": [QUESTION["strategies"][0], {"name": "mine.py:bid", "hash": "cc" * 32}]},
            "the strategies differ: mine.py:bid (bbbbbbbb) there, mine.py:bid (cccccccc) here",
        ),
        (
            {"strategies": QUESTION["strategies"][:1]},
            "the strategies differ: mine.py:bid (bbbbbbbb) there, nothing here",
        ),
        (
            {"strategies": QUESTION["strategies"][::-1]},
            "the strategies differ: plain:level=22 (aaaaaaaa), mine.py:bid (bbbbbbbb) there, "
            "mine.py:bid (bbbbbbbb), plain:level=22 (aaaaaaaa) here",
        ),
        ({"engine_sources": "e1"}, "the engine sources differ: nothing there, e1 here"),
        ({"note": None}, "the note differs: nothing there, nothing here"),
        ({"rules": {"sheep": "x" * 99}}, f'the rules differ: nothing there, {{"sheep":"{"x" * 49}… here'),
        ({"seed": 7, "batch": 1}, "the batch differs: 1000 there, 1 here; the seed differs: 9223372036854775808 there"),
    ],
)
def test_what_differs_is_named_on_both_sides(change: dict[str, Any], words: str) -> None:
    found = difference(QUESTION, QUESTION | change)
    assert found is not None
    assert found.startswith(words)
    assert digest(QUESTION) != digest(QUESTION | change)


def test_mappings_without_names_are_gone_into() -> None:
    there, here = {"plan": {"field": {"players": 4}, "games": 1}}, {"plan": {"field": {"players": 5}, "games": 1}}
    assert difference(there, here) == "the players of field of plan differ: 4 there, 5 here"


def test_many_differences_are_counted() -> None:
    found = difference({str(at): 0 for at in range(9)}, {str(at): 1 for at in range(9)})
    assert found is not None
    assert found.endswith("; the 2 differs: 0 there, 1 here; and 6 more")


def test_what_json_has_no_number_for_is_no_question() -> None:
    with pytest.raises(ValueError, match="JSON"):
        digest({"level": float("nan")})


def test_a_folder_is_named_after_command_and_question() -> None:
    name = default_name("tournament plain:level=22 Value", QUESTION)
    assert name == f"tournament-plain-level-22-value-{digest(QUESTION)[:8]}"
    assert default_name("tournament plain:level=22 Value", QUESTION | {"seed": 1}) != name


@pytest.mark.parametrize("command", ["", "../..", "schäfer/ÄÖÜ", "x" * 300, "tournament " * 50, "a\0b", "CON"])
def test_a_folders_name_is_short_and_plain_whatever_the_command(command: str) -> None:
    name = default_name(command, QUESTION)
    assert len(name) <= 50
    assert set(name) <= set("abcdefghijklmnopqrstuvwxyz0123456789-")
    assert not name.startswith("-")
    assert "--" not in name


def test_what_things_with_one_hash_are_called_and_where_files_lie_makes_no_difference() -> None:
    one, two = ({"name": f"{at}/mine.py", "given": f"{at}/mine.py", "hash": "aa" * 32} for at in "ab")
    other = {"name": "plain", "given": "plain", "hash": "bb" * 32}
    there = {"strategies": [one, other], "files": ["--deck", "a/x.csv"]}
    here = {"strategies": [two, other], "files": ["--deck", "b/y.csv"]}
    assert difference(there, here) is None
    found = difference(there, here | {"strategies": [two, {**other, "hash": "cc" * 32}]})
    assert found == "the strategies differ: plain (bbbbbbbb) there, plain (cccccccc) here"
