"""Specs: what a line-up may be written as, what every wrong one is told, strategies from files and packages."""

import sys
from collections.abc import Callable
from importlib.metadata import EntryPoint
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from whole_games import SHIPPED_ROWS, Reader, events, logs, question

from analyzer.errors import BadInputError, PolicyError
from analyzer.wool_rules.games import GamePlayer
from analyzer.wool_rules.state import SLOTS
from strategies import entries as entries_module
from strategies.entries import strategy_entries
from strategies.registry import strategy
from strategies.specs import fill, parse_part, split_slots

MINE = '''
"""Strategies of one's own."""

LIMIT = 3


def helper(v):
    return v.round > LIMIT


def bid(v, level=19, nerve=0.5, bold=False):
    """Bid by the file itself."""
    return level + 1 if bold and helper(v) else level


def pick(v, nerve=0.5):
    return 0 if nerve < 0.6 else v.n_table - 1


def lowest(v, sides=8):
    return sides if v.attempt == 1 else 10


class Cautious:
    """Bids low and takes what comes."""

    def bid(v, level=15):
        return level

    def pick(v):
        return 0


class Static:
    @staticmethod
    def bid(v, level=16):
        return level


class Heir(Cautious):
    def pick(v):
        return v.n_table - 1


class WithSelf:
    def bid(self, v):
        return 20


class Nothing:
    def choose(v):
        return 1


class TwoMinds:
    def bid(v, nerve=20):
        return nerve

    def pick(v, nerve=1):
        return 0


class TwoTypes:
    def bid(v, nerve=1):
        return 20

    def pick(v, nerve=1.0):
        return 0
'''


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    file = tmp_path / "mine.py"
    file.write_text(MINE)
    return file


def refused(spec: str, *words: str, error: type[BadInputError] = BadInputError) -> str:
    """A spec must be refused in one line with these words; return the message."""
    with pytest.raises(error) as caught:
        strategy(spec)
    message = str(caught.value)
    assert "\n" not in message
    for word in words:
        assert word in message, message
    return message


# Reading


names = st.text("abcdefghijklmnopqrstuvwxyz-", min_size=1, max_size=8).filter(lambda name: name not in SLOTS)
values = st.one_of(st.integers(-99, 99), st.floats(-9, 9), st.booleans()).map(lambda value: str(value).lower())
parts = st.tuples(names, st.dictionaries(names, values, max_size=3))


def written(part: tuple[str, dict[str, str]]) -> str:
    name, given = part
    return name + (":" + ",".join(f"{key}={value}" for key, value in given.items()) if given else "")


@given(parts, st.dictionaries(st.sampled_from(SLOTS), parts, max_size=7))
def test_a_spec_is_read_as_it_is_written(first: Any, slots: dict[str, Any]) -> None:
    """Names, parameters and the parts of slots in any order."""
    spec = "/".join([written(first), *(f"{slot}={written(part)}" for slot, part in slots.items())])
    head, read = split_slots(spec, SLOTS)
    assert list(read) == list(slots)
    for text, (name, given_values) in zip([head, *read.values()], [first, *slots.values()], strict=True):
        part = parse_part(text)
        assert (part.name, dict(part.given), part.file) == (name, given_values, None)


@pytest.mark.parametrize(
    ("spec", "first", "parts"),
    [
        ("plain", "plain", {}),
        ("plain/hold=max-odds", "plain", {"hold": "max-odds"}),
        ("a/b/c.py:X/bid=d/e.py:f:x=1", "a/b/c.py:X", {"bid": "d/e.py:f:x=1"}),
        ("/tmp/bid/pick.py:hold", "/tmp/bid/pick.py:hold", {}),
        ("bid/top.py", "bid/top.py", {}),
        (" plain : level = 20 /bid = random ", "plain : level = 20", {"bid": "random"}),
        ("plain/top=x.py:y/steal=z.py:w", "plain", {"top": "x.py:y", "steal": "z.py:w"}),
    ],
)
def test_a_spec_is_split_only_at_a_slash_before_a_slot(spec: str, first: str, parts: dict[str, str]) -> None:
    """Folders may be called anything, slots included."""
    head, found = split_slots(spec, SLOTS)
    assert (head.strip(), found) == (first, parts)


@pytest.mark.parametrize(
    ("text", "file", "name", "given_values"),
    [
        ("mine.py", "mine.py", "", {}),
        ("mine.py:Bold", "mine.py", "Bold", {}),
        ("mine.py:Bold:nerve=0.4", "mine.py", "Bold", {"nerve": "0.4"}),
        ("mine.py:nerve=0.4,level=3", "mine.py", "", {"nerve": "0.4", "level": "3"}),
        ("C:\\games\\mine.py:Bold", "C:\\games\\mine.py", "Bold", {}),
        ("dir.py/mine.py:Bold", "dir.py/mine.py", "Bold", {}),
        ("plain:level=20", None, "plain", {"level": "20"}),
    ],
)
def test_a_part_names_a_file_a_name_and_values(
    text: str, file: str | None, name: str, given_values: dict[str, str]
) -> None:
    part = parse_part(text)
    assert (part.file, part.name, dict(part.given)) == (file, name, given_values)


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("plain:level", "'level' is not param=value"),
        ("plain:level=", "is not param=value"),
        ("plain:=20", "is not param=value"),
        ("plain:level=20,", "is not param=value"),
        ("plain:level=20,level=21", "level is given twice"),
        ("plain/bid=random/bid=plain", "slot bid is given twice"),
        ("plain/bid=", "slot bid needs a name"),
        ("plain/bud=random", "unknown slot 'bud'; did you mean bid?"),
        ("plane", "unknown strategy 'plane'; did you mean plain?"),
        ("Plain", "did you mean plain?"),
        ("", "unknown strategy ''"),
        ("plain/hold=max-ods", "unknown hold rule or strategy 'max-ods'; did you mean max-odds?"),
        ("plain/bid=rnadom", "unknown strategy 'rnadom'; did you mean random?"),
        ("plain/bid=max-odds", "unknown strategy 'max-odds'"),
        ("plain:levle=20", "unknown parameter 'levle'; did you mean level?"),
        ("random:level=20", "unknown parameter 'level'; the strategy has no parameters"),
        ("plain/pick=plain:level=20", "unknown parameter 'level'; the function has no parameters"),
        ("plain:level=20.5", "a whole number"),
        ("plain:level=high", "a whole number is needed"),
        ("plain:level=nan", "a whole number is needed"),
        ("plain:level=13", "14 to 27 is needed"),
        ("plain:level=28", "14 to 27 is needed"),
        ("random/bid=plain:level=28", "14 to 27 is needed"),
        ("plain/hold=max-odds:chips=26", "0 to 25 is needed"),
        ("plain/hold=fixed-values:three=x", "a number is needed"),
    ],
)
def test_a_wrong_spec_is_refused_with_a_hint(spec: str, words: str) -> None:
    refused(spec, words)


# Parameters and full specs


@pytest.mark.parametrize("text", ["22", "22.0", "2.2e1", " 22 "])
def test_a_parameter_has_the_type_of_its_default(text: str) -> None:
    found = strategy(f"plain:level={text}")
    assert dict(found.policies["bid"].parameters) == {"level": 22}
    assert type(found.policies["bid"].parameters["level"]) is int
    assert found.spec == "plain:level=22"


def test_a_parameter_reaches_every_function_that_declares_it_and_no_other(mine: Path) -> None:
    found = strategy(f"{mine}:level=17,nerve=1,bold=yes")
    assert dict(found.policies["bid"].parameters) == {"level": 17, "nerve": 1.0, "bold": True}
    assert dict(found.policies["pick"].parameters) == {"nerve": 1.0}
    assert type(found.policies["pick"].parameters["nerve"]) is float
    assert dict(found.policies["hold"].parameters) == {}


def test_parameters_change_what_is_played(mine: Path) -> None:
    """Whole number, number and truth value, each seen in games: bids, and whether the first card is taken."""
    asked = question(f"{mine}:level=21", f"{mine}:level=18,bold=true", f"{mine}:nerve=0.7", "plain", seed=3)
    first: dict[int, set[bool]] = {0: set(), 2: set()}
    for log in logs(asked, 20):
        reader = Reader(log, SHIPPED_ROWS)
        for event in reader:
            if event["event"] == "bid":
                bold = 18 + (event["round"] > 3)
                assert event["bid"] == str([21, bold, 19, 20][event["seat"]])
            if event.get("reason") == "success" and event["seat"] in first and len(event["cards"]) < len(reader.table):
                first[event["seat"]].add(event["cards"][0] == reader.table[0])
    assert first == {0: {True}, 2: {False}}


FULL = [
    ("plain", "plain:level=20"),
    ("plain:level=27", "plain:level=27"),
    ("random", "random"),
    ("random/bid=plain", "random/bid=plain:level=20"),
    ("random/top=plain/bid=plain:level=14", "random/top=plain/bid=plain:level=14"),
    ("plain/hold=max-odds", "plain:level=20/hold=max-odds:chips=0"),
    ("plain/hold=keep-highest", "plain:level=20/hold=keep-highest"),
    ("plain/hold=random", "plain:level=20/hold=random"),
    (
        "plain/hold=fixed-values:three=2",
        "plain:level=20/hold=fixed-values:three=2.0,two=2.0,one=1.0,fail=0.0,under14=0.0,chip=0.0,chips=0",
    ),
]


@pytest.mark.parametrize(("spec", "full"), FULL)
def test_a_full_spec_has_every_parameter_and_leads_back_to_itself(spec: str, full: str) -> None:
    found = strategy(spec)
    assert found.spec == full
    again = strategy(full)
    assert again.spec == full
    for slot in SLOTS:
        assert again.policies[slot].function is found.policies[slot].function
        assert again.policies[slot].parameters == found.policies[slot].parameters


@pytest.mark.parametrize("name", list(strategy_entries()))
def test_the_full_spec_of_every_built_in_strategy_leads_back_to_it(name: str) -> None:
    for slot in SLOTS:
        found = strategy(f"plain/{slot}={name}" if slot in strategy_entries()[name].functions else name)
        assert strategy(found.spec).spec == found.spec


@pytest.mark.parametrize("name", ["", ":Cautious", ":Static", ":Heir", ":bid", ":nerve=0.25,bold=on"])
def test_the_full_spec_of_a_strategy_in_a_file_leads_back_to_it(mine: Path, name: str) -> None:
    if "bold=on" in name:
        refused(f"{mine}{name}", "bold=on: true or false is needed")
        name = name.replace("on", "1")
    found = strategy(f"{mine}{name}/hold={mine}:lowest:sides=12")
    assert found.spec.endswith(f"/hold={mine}:lowest:sides=12")
    assert strategy(found.spec).spec == found.spec
    assert "=True" not in found.spec


@given(st.floats(-1e6, 1e6), st.integers(-(2**53), 2**53), st.booleans())
def test_parameters_survive_the_way_through_a_spec_exactly(number: float, whole: int, truth: bool) -> None:
    """What is written as a full spec is read as the very same values."""
    from strategies.specs import written as full

    defaults = {"number": 0.5, "whole": 1, "truth": False}
    given_values = {"number": number, "whole": whole, "truth": truth}
    part = parse_part(full("x", given_values))
    found = fill(part, defaults, "strategy")
    assert found == given_values
    assert [type(value) for value in found.values()] == [float, int, bool]


def test_the_log_names_full_specs() -> None:
    (log,) = logs(question("plain", "random/bid=plain", "plain/hold=max-odds"), 1)
    assert log[0]["strategies"] == [
        "plain:level=20",
        "random/bid=plain:level=20",
        "plain:level=20/hold=max-odds:chips=0",
    ]


# Slots


def test_slots_left_out_are_played_by_plain_with_its_defaults(mine: Path) -> None:
    plain = strategy_entries()["plain"].functions
    found = strategy(f"{mine}:Cautious").policies
    assert {slot for slot in SLOTS if found[slot].function is not plain[slot]} == {"bid", "pick"}
    assert dict(strategy(f"{mine}:pick:nerve=0.1").policies["bid"].parameters) == {"level": 20}


def test_a_slot_may_be_played_by_another_strategy_a_hold_rule_or_a_function_of_a_file(mine: Path) -> None:
    spec = f"random/bid={mine}:Cautious:level=17/pick={mine}:nerve=0.9/hold={mine}:lowest:sides=12/top=plain"
    found = strategy(spec)
    assert found.policies["bid"].function.__qualname__ == "Cautious.bid"
    assert dict(found.policies["bid"].parameters) == {"level": 17}
    assert dict(found.policies["pick"].parameters) == {"nerve": 0.9}
    assert found.policies["hold"].function.__name__ == "lowest"
    assert found.policies["accept"].function.__module__ == "strategies.wool_rules.random"
    assert found.policies["top"].function.__module__ == "strategies.wool_rules.plain"
    assert {
        event["bid"] for log in logs(question(spec, "plain"), 2) for event in events(log, "bid") if not event["seat"]
    } == {"17"}


def test_a_slot_replaced_is_not_touched_by_the_parameters_before_it() -> None:
    found = strategy("plain:level=14/bid=plain:level=25")
    assert dict(found.policies["bid"].parameters) == {"level": 25}
    assert found.spec == "plain:level=14/bid=plain:level=25"


def test_a_strategy_without_a_function_for_the_slot_cannot_play_it(mine: Path) -> None:
    refused(f"plain/top={mine}:Cautious", "Cautious has no function for top; it has bid, pick")


# Files


def test_a_strategy_is_a_class_a_whole_file_or_one_function_named_for_its_slot(mine: Path) -> None:
    plain = strategy_entries()["plain"].functions
    own = {
        "": {"bid", "pick"},
        ":Cautious": {"bid", "pick"},
        ":Static": {"bid"},
        ":bid": {"bid"},
        ":pick": {"pick"},
    }
    for name, slots in own.items():
        found = strategy(f"{mine}{name}").policies
        assert {slot for slot in SLOTS if found[slot].function is not plain[slot]} == slots, name


def test_a_static_method_is_a_function_like_any_other(mine: Path) -> None:
    asked = question(f"{mine}:Static", f"{mine}:Static:level=18", seed=2)
    for log in logs(asked, 2):
        assert {(event["seat"], event["bid"]) for event in events(log, "bid")} == {(0, "16"), (1, "18")}


def test_a_class_has_what_it_inherits(mine: Path) -> None:
    found = strategy(f"{mine}:Heir").policies
    assert found["bid"].function.__qualname__ == "Cautious.bid"
    assert found["pick"].function.__qualname__ == "Heir.pick"


@pytest.mark.parametrize(
    ("name", "words", "error"),
    [
        (":WithSelf", ("bid takes self", "take the view first"), PolicyError),
        (":Nothing", ("has no function named for a slot", *SLOTS), BadInputError),
        (":Cautions", ("unknown strategy 'Cautions'; did you mean Cautious?",), BadInputError),
        (":lowest", ("lowest is a function", "plain/SLOT="), BadInputError),
        (":TwoMinds", ("parameter 'nerve'", "20", "1", "needs one default"), PolicyError),
        (":TwoTypes", ("parameter 'nerve'", "1.0", "needs one default"), PolicyError),
        (":Cautious:nerve=1", ("unknown parameter 'nerve'",), BadInputError),
        ("/hold=nowhere.py:x", ("nowhere.py: there is no such file",), BadInputError),
    ],
)
def test_what_is_no_strategy_in_a_file_is_refused(
    mine: Path, name: str, words: tuple[str, ...], error: type[BadInputError]
) -> None:
    refused(f"{mine}{name}", *words, error=error)


def test_a_file_without_slots_names_the_strategies_in_it(tmp_path: Path) -> None:
    file = tmp_path / "two.py"
    file.write_text("class A:\n    def bid(v):\n        return 20\n\n\nclass B(A):\n    pass\n\n\nclass C:\n    pass\n")
    message = refused(str(file), "has no function named for a slot")
    assert message.endswith("strategies (classes) in it: A, B")


def test_an_edited_file_is_read_again(tmp_path: Path) -> None:
    file = tmp_path / "edited.py"
    for level in (15, 16):
        file.write_text(f"def bid(v):\n    return {level}\n" + "#" * level)
        found = strategy(str(file))
        assert f"return {level}" in file.read_text()
        assert found.policies["bid"].function.__code__.co_consts[1] == level


def test_a_files_name_may_have_anything_in_it(tmp_path: Path) -> None:
    folder = tmp_path / "my bid=games.d"
    folder.mkdir()
    file = folder / "a:b, c.py"
    file.write_text("def bid(v, level=18):\n    return level\n")
    found = strategy(f"{file}:level=19/top=random")
    assert dict(found.policies["bid"].parameters) == {"level": 19}


# Installed packages


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Install strategies: names with a value such as ``module:Class``."""

    def install(**points: str) -> None:
        found = [EntryPoint(name.replace("_", "-"), value, "woolsim.strategies") for name, value in points.items()]

        def entry_points(*, group: str) -> list[EntryPoint]:
            return [point for point in found if point.group == group]

        monkeypatch.setattr("importlib.metadata.entry_points", entry_points)
        monkeypatch.setattr(entries_module, "entry_points", entry_points)

    return install


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Put an importable module with strategies on the path; return its name."""
    (tmp_path / "woolsim_strategies_of_a_test.py").write_text(MINE)
    monkeypatch.syspath_prepend(str(tmp_path))
    yield "woolsim_strategies_of_a_test"
    sys.modules.pop("woolsim_strategies_of_a_test", None)


def test_installed_packages_offer_strategies_as_modules_and_classes(
    installed: Callable[..., None], package: str
) -> None:
    installed(whole=package, careful=f"{package}:Cautious")
    assert dict(strategy("whole:level=21").policies["bid"].parameters)["level"] == 21
    assert strategy("careful").spec == "careful:level=15"
    assert strategy("plain/bid=careful:level=17").spec == "plain:level=20/bid=careful:level=17"
    for log in logs(question("careful", "whole", "plain", seed=1), 2):
        assert [event["bid"] for event in events(log, "bid")][:3] == ["15", "19", "20"]


def test_a_built_in_strategy_cannot_be_replaced_by_an_installed_one(
    installed: Callable[..., None], package: str
) -> None:
    installed(plain=f"{package}:Cautious")
    assert strategy("plain").spec == "plain:level=20"


def test_an_unknown_name_may_be_meant_for_an_installed_strategy(installed: Callable[..., None], package: str) -> None:
    installed(careful=f"{package}:Cautious")
    refused("carefull", "did you mean careful?")


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ("no_such_module_of_ours", "cannot be loaded: ModuleNotFoundError"),
        ("woolsim_strategies_of_a_test:NoSuchClass", "cannot be loaded: AttributeError"),
        ("woolsim_strategies_of_a_test:Nothing", "has no function named for a slot"),
        ("woolsim_strategies_of_a_test:LIMIT", "has no function named for a slot"),
    ],
)
def test_a_broken_installed_strategy_is_named(
    installed: Callable[..., None], package: str, value: str, words: str
) -> None:
    installed(broken=value)
    refused("broken", words, value)
    assert strategy("plain").spec == "plain:level=20", "the others still play"


def test_an_installed_module_may_be_one_that_exists_already(installed: Callable[..., None]) -> None:
    module = ModuleType("made_by_hand")
    module.__dict__["bid"] = strategy_entries()["random"].functions["bid"]
    sys.modules["made_by_hand"] = module
    try:
        installed(by_hand="made_by_hand")
        assert strategy("by-hand").policies["bid"].uses_draws
        assert GamePlayer(question("by-hand", "plain"))(0, 5).games == 5
    finally:
        del sys.modules["made_by_hand"]
