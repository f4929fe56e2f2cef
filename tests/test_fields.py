"""Fields: ranges stand for all their values, nobody plays twice under two spellings, and a changed source shows."""

from pathlib import Path

import pytest

from analyzer.errors import BadInputError
from strategies.fields import MAX_STRATEGIES, expand, field, read_field, source_digest
from strategies.registry import strategy

BOLD = """
from helper import least
NERVE = 0.5

class Bold:
    def bid(v, nerve=0.4):
        return least(v) + int(nerve * NERVE)
"""
HELPER = "def least(v):\n    return 14\n"


def user_files(folder: Path, bold: str = BOLD) -> Path:
    folder.mkdir(exist_ok=True)
    (folder / "helper.py").write_text(HELPER, encoding="utf-8")
    path = folder / "bold.py"
    path.write_text(bold, encoding="utf-8")
    return path


# Ranges


def test_a_range_stands_for_all_its_values() -> None:
    assert expand("plain:level=14..27") == [f"plain:level={level}" for level in range(14, 28)]
    assert expand("plain:level=14..20..3") == ["plain:level=14", "plain:level=17", "plain:level=20"]
    assert expand("plain") == ["plain"]


def test_steps_are_exact() -> None:
    assert expand("../mine.py:Bold:nerve=0.1..0.9..0.2") == [
        f"../mine.py:Bold:nerve=0.{tenths}" for tenths in (1, 3, 5, 7, 9)
    ]


def test_several_ranges_stand_for_all_combinations_in_slots_too() -> None:
    assert expand("plain:level=20..21/hold=max-odds:chips=0..1") == [
        "plain:level=20/hold=max-odds:chips=0",
        "plain:level=20/hold=max-odds:chips=1",
        "plain:level=21/hold=max-odds:chips=0",
        "plain:level=21/hold=max-odds:chips=1",
    ]


@pytest.mark.parametrize(
    "text",
    ["14..x", "20..14", "0.1..0.9", "1..9..0", "1..9..-1", "..", "1..nan", "inf..inf", "1..2..3..4", "1..1e9999999999"],
)
def test_what_is_no_range_is_refused(text: str) -> None:
    with pytest.raises(BadInputError, match=r"is no range; write LOW\.\.HIGH"):
        expand(f"plain:level={text}")


def test_too_many_strategies_are_refused() -> None:
    with pytest.raises(BadInputError, match="stands for 1,001 strategies"):
        expand(f"plain:level=0..{MAX_STRATEGIES}")
    with pytest.raises(BadInputError, match="stands for 2,800 strategies"):
        expand("plain:level=14..27/hold=fixed-values:three=1..200")
    with pytest.raises(BadInputError, match="more than 1,000 strategies"):
        field(["plain/hold=fixed-values:three=1..600", "plain/hold=fixed-values:three=1..600"])


# Duplicates


@pytest.mark.parametrize(
    "specs",
    [
        ("plain", "plain:level=20"),
        ("plain:level=20", "plain:level=20.0"),
        ("plain/hold=keep-highest/bid=random", "plain/bid=random/hold=keep-highest"),
    ],
)
def test_two_spellings_of_a_strategy_are_both_named(specs: tuple[str, str]) -> None:
    with pytest.raises(BadInputError) as caught:
        field(specs)
    assert str(caught.value).startswith(f"{specs[0]} and {specs[1]} are the same strategy, ")


def test_two_paths_to_a_file_are_one(tmp_path: Path) -> None:
    path = user_files(tmp_path)
    with pytest.raises(BadInputError, match="are the same strategy"):
        field([f"{path}:Bold", f"{tmp_path}/../{tmp_path.name}/bold.py:Bold"])


def test_a_strategy_given_twice_is_refused() -> None:
    with pytest.raises(BadInputError, match="plain is in the field twice"):
        field(["plain", "value", "plain"])


# Field files


def written(folder: Path, text: str) -> Path:
    path = folder / "field.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_field_file_is_read_with_users_files_beside_it(tmp_path: Path) -> None:
    user_files(tmp_path)
    found = read_field(
        written(
            tmp_path,
            'strategies = ["plain:level=20..21", "bold.py:Bold"]\nplayers = [3, 4]\n'
            'candidate = "plain/bid=bold.py:Bold:nerve=0.9"\n',
        )
    )
    assert [one.spec for one in found.strategies] == [
        "plain:level=20",
        "plain:level=21",
        f"{tmp_path / 'bold.py'}:Bold:nerve=0.4",
    ]
    assert found.players == (3, 4)
    assert [one.spec for one in found.candidates] == [f"plain:level=20/bid={tmp_path / 'bold.py'}:Bold:nerve=0.9"]


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("strategies = plain", ":1: is not TOML"),
        ('strategies = ["plain"]\nplayer = [3]', ":2: unknown key 'player'; known: strategies, players, candidate"),
        ("players = [3]", ": has no strategies; write for example strategies = "),
        ("strategies = []", r":1: strategies = \[\]: a list of specs in quotation marks is needed"),
        ("strategies = [1]", r":1: strategies = \[1\]: a list of specs"),
        ('strategies = "plain"', ":1: strategies = 'plain': a list of specs"),
        ('strategies = ["plain"]\nplayers = 4', ":2: players = 4: a list of different whole numbers from 2 to 6"),
        ('strategies = ["plain"]\nplayers = [3, 3]', r":2: players = \[3, 3\]: a list of different"),
        ('strategies = ["plain"]\nplayers = [true]', r":2: players = \[True\]: a list of different"),
        ('strategies = ["plain"]\nplayers = [7]', r":2: players = \[7\]: a list of different"),
        ('strategies = ["plain"]\ncandidate = 3', ":2: candidate = 3: a spec in quotation marks is needed"),
        ('strategies = ["plan"]', ":1: unknown strategy 'plan'; did you mean plain"),
        ('strategies = ["plain", "plain:level=20"]', ":1: plain and plain:level=20 are the same strategy"),
    ],
)
def test_a_faulty_field_file_is_refused_with_its_line(tmp_path: Path, text: str, complaint: str) -> None:
    path = written(tmp_path, text)
    with pytest.raises(BadInputError, match=f"^{path}{complaint}"):
        read_field(path)


# Sources


def digest_of(path: Path) -> str:
    return source_digest(strategy(f"{path}:Bold"))


def test_a_source_digest_is_the_same_elsewhere_and_further_down(tmp_path: Path) -> None:
    here = digest_of(user_files(tmp_path / "here"))
    assert len(here) == 64
    assert digest_of(user_files(tmp_path / "there", "# a comment\n\n" + BOLD)) == here


@pytest.mark.parametrize(("old", "new"), [("14", "15"), ("NERVE = 0.5", "NERVE = 0.6"), ("int(nerve", "2 * int(nerve")])
def test_a_changed_function_helper_or_constant_shows(tmp_path: Path, old: str, new: str) -> None:
    changed = (HELPER + BOLD.replace("from helper import least", "")).replace(old, new)
    same = HELPER + BOLD.replace("from helper import least", "")
    before = digest_of(user_files(tmp_path / "before", same))
    assert digest_of(user_files(tmp_path / "after", changed)) != before


def test_another_parameter_or_slot_shows() -> None:
    specs = ["plain", "plain:level=21", "plain/hold=max-odds", "plain/hold=max-odds:chips=1", "random"]
    assert len({source_digest(strategy(spec)) for spec in specs}) == len(specs)
