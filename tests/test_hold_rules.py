"""The contract that every built-in hold rule meets, and what makes a plain function a policy."""

import inspect
from itertools import product
from types import FunctionType
from typing import Any

import numpy as np
import pytest
from plain_view import plain_view

from analyzer.errors import BadInputError, PolicyError
from analyzer.slots import MAX_PARAMETERS, Policy, cast_parameter, parameters_of
from analyzer.wool_rules.bid_table import bid_table
from analyzer.wool_rules.constants import SIDES
from analyzer.wool_rules.dice import OTHERS, dice_of
from analyzer.wool_rules.hold_policy import VIEW_TYPE
from analyzer.wool_rules.hold_rules import PolicyRule, exact_counts
from analyzer.wool_rules.terms import Terms
from analyzer.wool_rules.views import ACTION_VIEW_DTYPE
from strategies.wool_rules.hold_registry import HoldEntry, hold_entries, hold_rule

FACES = dice_of(SIDES).faces
ENTRIES = hold_entries()
POLICIES = [entry for entry in ENTRIES if not entry.solved]
QUESTIONS = Terms.of_bids(np.array([14, 20, 27]), np.array([0, -3, 2]), np.array([0, 1, 2]))


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda e: e.name)
def test_a_built_in_rule_is_documented_and_answers_legally_everywhere(entry: HoldEntry) -> None:
    assert entry.summary.endswith(".")
    assert len(inspect.getsource(entry.function).splitlines()) < 25
    tables = hold_rule(entry.name).hold_tables(QUESTIONS)
    for first, second in product(tables.first, tables.second):
        assert set(np.unique(first)) <= {0, 1, 2}
        for held in range(3):
            made = QUESTIONS.reached()[FACES.sum(axis=1)]
            asked = np.broadcast_to(second[held], made.shape)[~made]
            assert set(np.unique(asked)) <= set(OTHERS[held])


@pytest.mark.parametrize("entry", POLICIES, ids=lambda e: e.name)
def test_compiled_and_uncompiled_agree(entry: HoldEntry) -> None:
    """Every fourth situation of three dice actions, with the same draws."""
    rule = hold_rule(entry.name)
    assert isinstance(rule, PolicyRule)
    compiled = rule.policy.compile(VIEW_TYPE)
    chance = np.random.default_rng(5)
    views = np.zeros(1, ACTION_VIEW_DTYPE)
    views["rules"] = QUESTIONS.rules.record()
    record = views[0]
    for at in range(len(QUESTIONS)):
        for faces in FACES[::4]:
            for held in (None, 0, 1, 2):
                plain = plain_view(QUESTIONS, at, faces, held, tuple(chance.random(4)))
                for name in ("me", "attempt", "target", "dice", "held", "result", "help", "draws"):
                    record[name] = getattr(plain, name)
                for name in ("chips", "modifier", "bid"):
                    record["seats"][0][name] = getattr(plain.seats[0], name)
                assert compiled.call(record, compiled.parameters) == rule.policy.function(plain)


def test_a_policy_sees_the_view_of_the_design_page(tmp_path) -> None:  # type: ignore[no-untyped-def]
    """A policy that answers by a checksum of its whole view tells whether the compiled view is the one it should be."""
    file = tmp_path / "spy.py"
    file.write_text(
        "def spy(v):\n"
        "    s = v.seats[v.me]\n"
        "    mix = 3 * v.attempt + 5 * v.target + 7 * v.result + 11 * v.help + 13 * s.chips + 17 * s.modifier\n"
        "    mix += 19 * s.bid\n"
        "    for d in range(3):\n"
        "        mix += (23 + d) * v.dice[d] + (31 + d) * v.held[d]\n"
        "    for k in range(3):\n"
        "        d = (mix + k) % 3\n"
        "        if not v.held[d]:\n"
        "            return (12, 10, 8)[d]\n"
        "    return 0\n"
    )
    rule = hold_rule(f"{file}:spy")
    assert isinstance(rule, PolicyRule)
    tables = rule.hold_tables(QUESTIONS)
    (first,), (second,) = tables.first, tables.second
    for at in range(len(QUESTIONS)):
        for roll, faces in enumerate(FACES):
            if QUESTIONS.reached()[faces.sum(), at]:
                continue
            answer = rule.policy.function(plain_view(QUESTIONS, at, faces, None, ()))
            assert SIDES[first[roll, at]] == answer
            for held in range(3):
                answer = rule.policy.function(plain_view(QUESTIONS, at, faces, held, ()))
                assert SIDES[second[held, roll, at]] == answer


def test_rules_that_draw_are_told_from_those_that_do_not() -> None:
    found = {entry.name: hold_rule(entry.name).asked_policy() is not None for entry in ENTRIES}
    assert found == {name: name == "random" for name in found}


def test_draws_in_a_helper_are_noticed(tmp_path) -> None:  # type: ignore[no-untyped-def]
    file = tmp_path / "coin.py"
    file.write_text(
        "def toss(v):\n    return v.draws[1] < 0.5\n\n\n"
        "def coin(v):\n    for d in range(3):\n"
        "        if not v.held[d] and toss(v):\n            return (12, 10, 8)[d]\n"
        "    return 8 if not v.held[2] else 10\n"
    )
    rule = hold_rule(f"{file}:coin")
    assert not rule.has_exact_odds
    with pytest.raises(BadInputError, match="draws at random"):
        exact_counts(rule, Terms.one(22))
    (row,) = bid_table([rule], [22], simulate=100_000).rows
    assert row["p_success"] is None
    assert 0.3 < row["sim_p_success"] < 0.6


def test_parameters_change_a_rule_without_compiling_again(tmp_path) -> None:  # type: ignore[no-untyped-def]
    file = tmp_path / "mine.py"
    file.write_text(
        "def order(v, first=12, second=10.0, up=True):\n"
        "    third = 30 - first - int(second)\n"
        "    for sides in (first, int(second), third) if up else (third, int(second), first):\n"
        "        d = 0 if sides == 12 else (1 if sides == 10 else 2)\n"
        "        if not v.held[d]:\n"
        "            return sides\n"
        "    return 0\n"
    )
    specs = ["order", "order:first=8", "order:up=false", "order:first=10,second=8,up=no"]
    expected = [(0, 1), (2, 1), (2, 1), (0, 2)]  # after the first roll; after the second with that die set aside
    calls = set()
    for spec, (first, second) in zip(specs, expected, strict=True):
        rule = hold_rule(f"{file}:{spec}")
        assert isinstance(rule, PolicyRule)
        tables = rule.hold_tables(Terms.one(26))
        (one,), (two,) = tables.first, tables.second
        assert one[0, 0] == first, spec
        assert two[first, 0, 0] == second, spec
        calls.add(rule.policy.compile(VIEW_TYPE).call)
    assert len(calls) == 1


@pytest.mark.parametrize(
    ("text", "default", "value"),
    [
        ("7", 5, 7),
        ("7.0", 5, 7),
        ("-3", 0, -3),
        ("1e3", 0, 1000),
        ("2.5", 1.0, 2.5),
        ("true", False, True),
        ("0", True, False),
    ],
)
def test_a_parameter_has_the_type_of_its_default(text: str, default: float, value: float) -> None:
    found = cast_parameter("x", text, default)
    assert found == value
    assert type(found) is type(default)


@pytest.mark.parametrize(
    ("text", "default"), [("2.5", 1), ("x", 1), ("nan", 1.0), ("inf", 1), ("2", True), ("", 1), ("1e300", 3)]
)
def test_a_parameter_of_the_wrong_type_is_refused(text: str, default: float) -> None:
    with pytest.raises(BadInputError, match=r"parameter x="):
        cast_parameter("x", text, default)


def _lambda_policy() -> None:
    Policy("x", lambda v: 12, {}, ACTION_VIEW_DTYPE)  # type: ignore[arg-type]


def test_a_lambda_is_no_policy() -> None:
    with pytest.raises(PolicyError, match="must be written with def"):
        _lambda_policy()


def test_parameters_are_read_from_the_signature() -> None:
    def rule(v: object, level: int = 20, nerve: float = 0.5, *, bold: bool = False) -> int:
        return 12

    assert parameters_of(rule) == {"level": 20, "nerve": 0.5, "bold": False}


def test_a_function_may_have_so_many_parameters_and_not_more() -> None:
    def source(n: int) -> str:
        return f"def rule(v, {', '.join(f'p{i}=0' for i in range(n))}):\n    return 12\n"

    def rule(n: int) -> FunctionType:
        names: dict[str, Any] = {}
        exec(source(n), names)
        made: FunctionType = names["rule"]
        return made

    assert len(parameters_of(rule(MAX_PARAMETERS))) == MAX_PARAMETERS
    with pytest.raises(PolicyError, match=f"has {MAX_PARAMETERS + 1} parameters; {MAX_PARAMETERS} are possible"):
        parameters_of(rule(MAX_PARAMETERS + 1))
