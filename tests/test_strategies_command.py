"""`woolsim strategies`: list, show, new and check, and what a strategy of one's own may get wrong."""

import csv
import json
from io import StringIO
from pathlib import Path

import pytest
from commands import Outcome, files_in, in_process, mentions, refused, succeeded

from strategies.entries import strategies_by_name
from strategies.registry import strategy

Capture = pytest.CaptureFixture[str]

NAMES = [entry.name for entry in strategies_by_name()]


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "here"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return folder


# list


def test_list_has_every_strategy_with_name_first(capsys: Capture) -> None:
    rows = succeeded(in_process(capsys, "strategies", "list", "--format", "csv")).rows()
    assert list(rows[0]) == ["name", "from", "slots", "parameters", "summary"]
    assert [row["name"] for row in rows] == NAMES
    assert NAMES[:3] == ["plain", "random", "value"]
    assert len(NAMES) >= 14
    assert all(row["summary"].endswith(".") and row["slots"] for row in rows)
    assert in_process(capsys, "strategies", "list", "--format", "json").objects() == rows


def test_list_for_people_fits_into_80_columns_and_loses_nothing(capsys: Capture) -> None:
    outcome = succeeded(in_process(capsys, "strategies", "list"))
    assert max(map(len, outcome.out.splitlines())) <= 80
    squeezed = "".join(outcome.out.split())
    for entry in strategies_by_name():
        mentions(squeezed, ["".join(entry.summary.split()), *(f"{name}=" for name in entry.parameters)])


@pytest.mark.parametrize(
    "arguments", [["--slot", "bid"], ["extra"], ["--format", "yaml"], ["--slot", "hold", "--slot", "hold"]]
)
def test_list_refuses_what_it_does_not_know(arguments: list[str], capsys: Capture) -> None:
    refused(in_process(capsys, "strategies", "list", *arguments))


# show


QUICK = {"plain", "random", "mixed-bidder"}


@pytest.mark.parametrize("name", [pytest.param(n, marks=[pytest.mark.slow] * (n not in QUICK)) for n in NAMES])
def test_show_says_everything_about_a_strategy(name: str, capsys: Capture) -> None:
    (entry,) = (entry for entry in strategies_by_name() if entry.name == name)
    outcome = succeeded(in_process(capsys, "strategies", "show", name))
    mentions(outcome.out, [entry.doc, "from        built-in", "games a second on one core", *entry.functions])
    assert ("stochastic  yes" in outcome.out) == (name in {"random", "mixed-bidder"})
    assert max(map(len, entry.doc.splitlines())) <= 120
    for parameter, default in entry.parameters.items():
        assert f"{parameter}={default}" in outcome.out


USEFUL = '''
class Careful:
    """Bids low, and remembers what was taken.

    More about it.
    """

    RANGES = {"level": (14, 20)}

    def bid(v, level=16):
        return level + int(v.seats[v.me].white > 10)


class Heir(Careful):
    """Inherits its bid."""

    def steal(v):
        return False


def bid(v):
    return 17
'''


@pytest.mark.parametrize(
    ("spec", "parts"),
    [
        (
            "mine.py:Careful",
            ["Bids low", "More about it", "from mine.py", "parameters level=16", "slots bid", "by plain accept, hold"],
        ),
        ("mine.py:Careful", ["stochastic no", 'uses memory yes: what seats have taken (hidden by memory = "table")']),
        ("mine.py:Heir:level=15", ["mine.py:Heir:level=15", "Inherits its bid.", "slots bid, steal"]),
        ("mine.py", ["slots bid", "parameters none", "uses memory no"]),
        ("mine.py:Careful/hold=random", ["replaced hold by random", "stochastic yes"]),
        ("mine.py:bid", ["slots bid"]),
    ],
)
def test_show_reads_strategies_of_ones_own(spec: str, parts: list[str], capsys: Capture) -> None:
    Path("mine.py").write_text(USEFUL)
    mentions(succeeded(in_process(capsys, "strategies", "show", spec)).words(), parts)


def test_a_strategy_plays_what_it_inherits(capsys: Capture) -> None:
    Path("mine.py").write_text(USEFUL)
    asked = ("simulate", "mine.py:Heir", "plain", "--games", "20", "--table", "bids", "--format", "csv")
    rows = succeeded(in_process(capsys, *asked)).rows()
    assert {row["bid"] for row in rows if row["seat"] == "0"} == {"16", "17"}


# new


@pytest.mark.parametrize("file", ["my_strategy.py", "über mut.py", "3-7-0.py", "__.py", "class.py", "a'b.py"])
def test_a_new_strategy_works_at_once(file: str, capsys: Capture) -> None:
    import shlex

    outcome = succeeded(in_process(capsys, "strategies", "new", file))
    lines = [line.strip() for line in outcome.out.splitlines() if line.startswith("  woolsim ")]
    check, play = (shlex.split(line)[1:] for line in lines)
    assert check[:2] == ["strategies", "check"]
    assert play[0] == "simulate"
    spec = check[2]
    assert spec.startswith(f"{file}:")
    assert play[1:] == [spec, "plain", "plain", "plain"]
    assert strategy(spec).spec.startswith(spec)
    if file in {"my_strategy.py", "a'b.py"}:  # it is the same function in all of them
        rows = succeeded(in_process(capsys, *play, "--games", "50", "--format", "csv")).rows()
        assert rows[0]["strategy"].startswith(spec)
    written = Path(file).read_text(encoding="utf-8")
    assert "CLASS_NAME" not in written
    assert "FILE_NAME" not in written
    assert f"class {spec.rpartition(':')[2]}:" in written


@pytest.mark.parametrize("positions", ["few", pytest.param("all", marks=pytest.mark.slow)])
def test_the_new_strategy_passes_its_check(positions: str, request: pytest.FixtureRequest, capsys: Capture) -> None:
    if positions == "few":
        request.getfixturevalue("few_positions")
    succeeded(in_process(capsys, "strategies", "new", "my_strategy.py"))
    outcome = succeeded(in_process(capsys, "strategies", "check", "my_strategy.py:MyStrategy"))
    words = outcome.words()
    mentions(words, ["Checking my_strategy.py:MyStrategy", "deck reconstructed", "rules standard", "Nothing wrong."])
    mentions(words, ["Normal runs do not check whether a function reads outside an array"])
    mentions(words, ["bounds checking", "legal", "deterministic", "sees nothing hidden", "uncompiled", "ns a call"])
    mentions(words, [f"{slot} " for slot in ("bid", "accept", "hold", "save", "pick", "steal", "top", "games")])
    assert max(map(len, outcome.out.splitlines()[1:])) <= 80


def test_new_does_not_overwrite_unless_told(capsys: Capture, here: Path) -> None:
    Path("mine.py").write_text("mine")
    mentions(refused(in_process(capsys, "strategies", "new", "mine.py")), ["mine.py", "is there already", "--force"])
    assert files_in(here) == {"mine.py": b"mine"}
    succeeded(in_process(capsys, "strategies", "new", "mine.py", "--force"))
    assert "class Mine:" in Path("mine.py").read_text()


@pytest.mark.parametrize(
    ("file", "parts"),
    [
        ("mine", ["mine", "*.py"]),
        ("mine.txt", ["mine.txt", "*.py"]),
        ("no/such/mine.py", ["no/such", "does not exist"]),
        ("folder.py", ["folder.py", "folder"]),
        ("/dev/full.py/x.py", ["/dev/full.py"]),
        ("/proc/x.py", ["/proc"]),
        ("a\x00b.py", ["null"]),
        ("a" * 300 + ".py", ["too long"]),
    ],
)
def test_new_names_what_it_cannot_write(file: str, parts: list[str], capsys: Capture, here: Path) -> None:
    Path("folder.py").mkdir()
    mentions(refused(in_process(capsys, "strategies", "new", file)), parts)
    assert files_in(here) == {}


# Faults that are found before a game is played: one message with file and line


FAULTS = '''import random

import numpy as np

STATE = np.zeros(3)
COUNTS = [0]


class Empty:
    """Nothing."""


class Float:
    def bid(v):
        return 20.5


class Sometimes:
    def bid(v):
        if v.round > 3:
            return 20


class Truth:
    def bid(v):
        return True


class Whole:
    def steal(v):
        return 1


class Text:
    def bid(v):
        return "20"


class Store:
    def bid(v):
        v.seats[0].chips = 20
        return 20


class Alias:
    def bid(v):
        seat = v.seats[v.me]
        seat.chips += 1
        return 20


class Self:
    def bid(self, v):
        return 20


class Print:
    def bid(v):
        print(v.round)
        return 20


class Numpy:
    def bid(v):
        return np.random.randint(14, 20)


class Python:
    def bid(v):
        return random.randint(14, 20)


class Global:
    def bid(v):
        global LAST
        LAST = v.round
        return 20


class Array:
    def bid(v):
        STATE[0] += 1
        return 14 + int(STATE[0]) % 12


class List:
    def bid(v):
        COUNTS[0] += 1
        return 14 + COUNTS[0] % 12


class Append:
    def bid(v):
        COUNTS.append(v.round)
        return 14


class NoView:
    def bid():
        return 20


class NoDefault:
    def bid(v, x):
        return 20


class TextDefault:
    def bid(v, x="a"):
        return 20


class TwoDefaults:
    def bid(v, n=14):
        return n

    def accept(v, n=15):
        return n > 3


class Hidden:
    def bid(v):
        return 14 + v.deck[0]


class Undefined:
    def bid(v):
        return lavel


class Lambda:
    bid = lambda v: 20


class Number:
    bid = 20


class ClassMethod:
    @classmethod
    def bid(cls, v):
        return 20


class Misspelt:
    def bid(v):
        return 20

    def hodl(v):
        return 12


class Ranges:
    RANGES = {"n": 3}

    def bid(v, n=14):
        return n


class Recursive:
    def bid(v):
        return helper(v)


def helper(v):
    return helper(v)


def lonely(v):
    return 20
'''

BEFORE = [
    ("Empty", ["Empty has no function named for a slot", "bid, accept, hold"]),
    ("Float", ["bid", "fraction", "whole number"]),
    ("Sometimes", ["bid", "sometimes returns None"]),
    ("Truth", ["bid", "truth value", "whole number"]),
    ("Whole", ["steal", "whole number", "True or False"]),
    ("Text", ["bid", "text"]),
    ("Store", ["bid stores into its view"]),
    ("Alias", ["bid stores into its view"]),
    ("Self", ["bid takes self"]),
    ("Print", ["bid prints"]),
    ("Numpy", ["np.random.randint", "draws"]),
    ("Python", ["random.randint", "draws"]),
    ("Global", ["keeps no state"]),
    ("Array", ["STATE", "keeps no state"]),
    ("List", ["COUNTS", "keeps no state"]),
    ("Append", ["COUNTS", "keeps no state"]),
    ("NoView", ["view", "first argument"]),
    ("NoDefault", ["'x'", "default"]),
    ("TextDefault", ["'x'", "default"]),
    ("TwoDefaults", ["'n'", "14", "15", "one default"]),
    ("Hidden", ["'deck'", "does not show"]),
    ("Undefined", ["'lavel'", "not defined"]),
    ("Lambda", ["def"]),
    ("Number", ["bid is a int", "function"]),
    ("ClassMethod", ["bid is a classmethod", "function"]),
    ("Misspelt", ["hodl is no slot", "did you mean hold?"]),
    ("Ranges", ["RANGES"]),
    ("Recursive", ["calls itself"]),
    ("lonely", ["lonely is a function", "plain/SLOT=bad.py:lonely"]),
    ("Flaot", ["'Flaot'", "did you mean Float?"]),
]


def line_of(name: str) -> range:
    """Return the lines of a class in the file of faults."""
    lines = FAULTS.splitlines()
    first = next((at for at, line in enumerate(lines, 1) if line.startswith((f"class {name}:", f"def {name}("))), 0)
    return range(first, first + 12)


@pytest.mark.parametrize(("name", "parts"), BEFORE, ids=[name for name, _ in BEFORE])
def test_a_faulty_strategy_is_refused_before_any_game(name: str, parts: list[str], capsys: Capture, here: Path) -> None:
    Path("bad.py").write_text(FAULTS)
    messages = [
        refused(in_process(capsys, "simulate", "plain", f"bad.py:{name}", "--games", "10", "--csv", "t.csv")),
        refused(in_process(capsys, "replay", f"bad.py:{name}", "plain", "--json")),
    ]
    for message in messages:
        mentions(message, ["bad.py", *parts])
        number = message.removeprefix("Error: bad.py:").partition(":")[0]
        assert not number.isdigit() or int(number) in line_of(name), message
    assert set(files_in(here)) == {"bad.py"}


@pytest.mark.usefixtures("few_positions")
@pytest.mark.parametrize("name", ["Float", "Whole", "Undefined"])
def test_check_says_it_too(name: str, capsys: Capture) -> None:
    Path("bad.py").write_text(FAULTS)
    outcome = in_process(capsys, "strategies", "check", f"bad.py:{name}")
    assert outcome.status == 2
    mentions(outcome.out, dict(BEFORE)[name] + ["WRONG", "bad.py:"])


FILES = [
    ("", "bad.py", ["no function named for a slot"]),
    ("", "bad.py:A", ["unknown strategy 'A'", "none"]),
    ("class A:\n    def bid(v):\n        return 14 +\n", "bad.py:A", ["bad.py:3", "invalid syntax"]),
    ("x = 1\nimport nosuchmodule\n", "bad.py:A", ["bad.py:2", "ModuleNotFoundError"]),
    ("raise SystemExit(3)\n", "bad.py:A", ["bad.py:1", "SystemExit"]),
    ("x = 1\n\ny = 1 / 0\n", "bad.py", ["bad.py:3", "ZeroDivisionError"]),
    ("class A:\n    def bid(v):\n        return 20\n", "bad.py:A:x=1", ["'x'", "no parameters"]),
    ("class A:\n    def bid(v, x=1):\n        return 20\n", "bad.py:A:x=1.5", ["x=1.5", "whole number"]),
    (
        "class A:\n    def bid(v, x=1):\n        return 20\n",
        "bad.py:A:x=1/hodl=random",
        ["'hodl'", "did you mean hold?"],
    ),
    ("class A:\n    def bid(v):\n        return 20\n", "plain/hold=bad.py:A", ["/hold=", "no function for hold"]),
    ("\0", "bad.py:A", ["bad.py:1", "null"]),
]


@pytest.mark.parametrize(("text", "spec", "parts"), FILES, ids=[f"{case[1]} {ascii(case[0])[:30]}" for case in FILES])
def test_a_faulty_file_is_refused_with_its_line(text: str, spec: str, parts: list[str], capsys: Capture) -> None:
    Path("bad.py").write_text(text)
    mentions(refused(in_process(capsys, "simulate", spec, "plain")), parts)


def test_an_edited_file_is_read_again(capsys: Capture) -> None:
    import os

    file = Path("mine.py")
    for at, level in enumerate((15, 16)):
        file.write_text(f"def bid(v):\n    return {level}\n")
        os.utime(file, ns=(at, at))
        asked = ("simulate", "mine.py", "plain", "--games", "10", "--table", "bids", "--format", "csv")
        rows = succeeded(in_process(capsys, *asked)).rows()
        assert {row["bid"] for row in rows if row["seat"] == "0"} == {str(level)}


def test_what_a_file_prints_stays_out_of_the_table(capsys: Capture) -> None:
    Path("chatty.py").write_text("print('hello')\ndef bid(v):\n    return 20\n")
    outcome = succeeded(in_process(capsys, "simulate", "chatty.py", "plain", "--games", "10", "--format", "csv"))
    assert len(outcome.rows()) == 2
    assert "hello" in outcome.err


# Faults that show in a game


IN_GAMES = """
class Late:
    def bid(v):
        return 40 if v.round == 7 else 20

class Low:
    def bid(v):
        return 13

class Broke:
    def bid(v):
        return 27

class Taken:
    def pick(v):
        return v.n_table

class Held:
    def hold(v):
        return 12

class Nothing:
    def hold(v):
        return 0

class Above:
    def top(v):
        return v.n_taken

class Zero:
    def bid(v):
        return 20 + 0 * (10 // (v.round - 5))

class Nerves:
    def accept(v):
        if v.round == 4:
            raise ValueError("no nerves")
        return True
"""

GAME_FAULTS = [
    ("Late", "bid", ["round 7", "answered 40", "14 to 27"]),
    ("Low", "bid", ["round 1", "answered 13", "14 to"]),
    ("Broke", "bid", ["answered 27", "26+", "costs a chip"]),
    ("Taken", "pick", ["position on the table", "0 or 1"]),
    ("Held", "hold", ["answered 12", "a die that is free", "8 or 10"]),
    ("Nothing", "hold", ["answered 0", "a die that is free", "8 or 10 or 12"]),
    ("Above", "top", ["position of a sheep taken"]),
    ("Zero", "bid", ["round 5", "ZeroDivisionError"]),
    ("Nerves", "accept", ["round 4", "ValueError: no nerves"]),
]


@pytest.mark.parametrize(("name", "slot", "parts"), GAME_FAULTS, ids=[case[0] for case in GAME_FAULTS])
def test_a_fault_in_a_game_names_everything_and_the_command_that_shows_it(
    name: str, slot: str, parts: list[str], capsys: Capture, here: Path
) -> None:
    import shlex

    Path("bad.py").write_text(IN_GAMES)
    asked = ("simulate", "random", f"bad.py:{name}", "plain", "--games", "500", "--seed", "4", "--csv", "t.csv")
    message = refused(in_process(capsys, *asked))
    mentions(message, ["bad.py:", f"{slot} of bad.py:{name}", "seat 1", "game ", *parts])
    assert set(files_in(here)) == {"bad.py"}
    fault, _, command = message.partition("; to see that game: ")
    program, *arguments = shlex.split(command)
    assert program == "woolsim"
    mentions(command, [f"replay random bad.py:{name} plain --seed 4 --game "])
    shown = in_process(capsys, *arguments)
    assert shown.status == 2
    assert fault in shown.err


@pytest.mark.parametrize("threads", ["1", "3"])
def test_threads_do_not_change_who_is_blamed(threads: str, capsys: Capture) -> None:
    Path("bad.py").write_text(IN_GAMES)
    asked = ("simulate", "plain", "bad.py:Late", "--games", "1e4", "--threads")
    mentions(refused(in_process(capsys, *asked, threads)), ["game 0, round 7"])


# check


CHECKED = '''import numpy as np


class Table:
    """Reads a card that is not on the table."""

    def bid(v):
        return 14 + abs(v.table[6].points) % 12


class Seats:
    """Reads a seat that nobody has."""

    def bid(v):
        return 14 + v.seats[5].sheep_number % 12


class Outside:
    """Reads outside the array."""

    def bid(v):
        return 14 + v.seats[v.players + 1].chips % 10


class Before:
    """Reads before the array."""

    def bid(v):
        return 14 + v.seats[-8].chips % 10


class Draws:
    """There are four draws."""

    def bid(v):
        return 14 + int(v.draws[v.players] * 12)


class Illegal:
    def pick(v):
        return v.n_table


class Overflow:
    """Whole numbers of compiled code have 64 bits."""

    def bid(v):
        x = v.round
        for _ in range(9):
            x *= 1000
        return 14 + x % 7


class Small:
    """Compiled, small numbers become large ones."""

    def bid(v):
        return 20 if np.int8(v.round % 2 + 100) + np.int8(100) < 0 else 14


class Zero:
    def bid(v):
        return 14 + min(v.supply // v.seats[v.me].dogs, 5)


class Nerves:
    def accept(v):
        if v.attempt == 3:
            raise ValueError("no nerves")
        return True
'''

WRONG = [
    ("Table", "bid", ["sees nothing hidden", "bad.py:7", "then"]),
    ("Seats", "bid", ["sees nothing hidden", "bad.py:14", "players"]),
    ("Outside", "bid", ["bounds checking", "bad.py:21", "out of bounds"]),
    ("Before", "bid", ["bounds checking", "bad.py:28", "out of bounds"]),
    ("Draws", "bid", ["bounds checking", "bad.py:35", "out of bounds"]),
    ("Illegal", "pick", ["legal", "bad.py:40", "answered", "legal: 0"]),
    ("Overflow", "bid", ["the same uncompiled", "bad.py:47", "compiled"]),
    ("Small", "bid", ["the same uncompiled", "bad.py:57", "compiled"]),
    ("Zero", "bid", ["bad.py:62", "division by zero"]),
    ("Nerves", "accept", ["bad.py:67", "ValueError: no nerves"]),
]


@pytest.mark.usefixtures("few_positions")
@pytest.mark.parametrize(("name", "slot", "parts"), WRONG, ids=[case[0] for case in WRONG])
def test_check_finds_what_no_game_shows(name: str, slot: str, parts: list[str], capsys: Capture) -> None:
    Path("bad.py").write_text(CHECKED)
    outcome = in_process(capsys, "strategies", "check", f"bad.py:{name}")
    assert outcome.status == 2
    assert "Warning" not in outcome.err
    mentions(outcome.err, ["Error: bad.py", "wrong"])
    wrong = [line for line in outcome.out.splitlines() if "WRONG" in line]
    assert any(all(part in line for part in parts) for line in wrong), outcome.out
    slots = blamed(outcome)
    assert slots <= {slot, "games"}, outcome.out


def blamed(outcome: Outcome) -> set[str]:
    """Return the parts of a check below which something is wrong."""
    found, part = set(), ""
    for line in outcome.out.splitlines():
        if line and not line.startswith(" "):
            part = line.split()[0]
        elif "WRONG" in line:
            found.add(part)
    return found


@pytest.mark.usefixtures("few_positions")
@pytest.mark.parametrize("name", ["plain", "random", "value", "mixed-bidder", "value/hold=keep-above-mean"])
def test_check_finds_nothing_wrong_with_ours(name: str, capsys: Capture) -> None:
    outcome = succeeded(in_process(capsys, "strategies", "check", name))
    mentions(outcome.words(), ["Nothing wrong", "20 each with 2 to 6 players"])


@pytest.mark.usefixtures("few_positions")
def test_check_follows_rules_and_deck(capsys: Capture) -> None:
    Path("r.toml").write_text("plain_26 = false\nmemory = 'table'\n")
    Path("mine.py").write_text("def bid(v):\n    return 26\n")
    outcome = in_process(capsys, "strategies", "check", "mine.py", "--rules", "r.toml")
    assert outcome.status == 2
    mentions(outcome.out, ["rules changed: ", "answered 26", "14, 15"])
    succeeded(in_process(capsys, "strategies", "check", "mine.py"))


@pytest.mark.parametrize("arguments", [[], ["plian"], ["plain", "random"], ["plain", "--rules", "no.toml"]])
@pytest.mark.parametrize("command", ["check", "show"])
def test_check_and_show_refuse_bad_input(command: str, arguments: list[str], capsys: Capture) -> None:
    refused(in_process(capsys, "strategies", command, *arguments))


def test_a_slow_strategy_is_slow_and_not_stalled(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    """Half a millisecond a call is thousands of times slower than ours, and no endless loop."""
    monkeypatch.setattr("strategies.trial.POSITIONS", 100)
    monkeypatch.setattr("strategies.trial.COMPARED", 1)
    monkeypatch.setattr("strategies.trial.GAMES", 2)
    Path("slow.py").write_text(
        "import math\n\n\ndef steal(v):\n    x = 0.0\n"
        "    for i in range(50_000):\n        x += math.sin(i)\n    return x > 0\n"
    )
    outcome = succeeded(in_process(capsys, "strategies", "check", "slow.py", "--stall", "20"))
    assert "Nothing wrong" in outcome.out


def test_strategies_without_a_command_shows_its_help(capsys: Capture) -> None:
    mentions(succeeded(in_process(capsys, "strategies")).out, ["list", "show", "new", "check"])


def test_the_list_is_csv_that_any_reader_takes(capsys: Capture) -> None:
    out = succeeded(in_process(capsys, "strategies", "list", "--format", "csv")).out
    assert [row["name"] for row in csv.DictReader(StringIO(out))] == NAMES
    assert json.loads(in_process(capsys, "strategies", "list", "--format", "json").out)[0]["name"] == "plain"
