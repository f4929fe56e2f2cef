"""Rules as a hobby programmer writes them are accepted, and do compiled what they do in plain Python."""

import ast
from itertools import islice
from pathlib import Path

import numpy as np
import pytest
from plain_view import plain_view

from analyzer.wool_rules.constants import SIDES
from analyzer.wool_rules.dice import dice_of
from analyzer.wool_rules.hold_rules import PolicyRule
from analyzer.wool_rules.terms import Terms
from strategies.wool_rules.hold_registry import hold_rule

FACES = dice_of(SIDES).faces

RULES = '''
import random
import math
import numpy as np

SIDES = [12, 10, 8]
MEANS = [[6.5, 1.0], [5.5, 1.0], [4.5, 1.0]]


def best(v):
    """The highest face."""
    top, answer = -1, 0
    for d in range(3):
        if not v.held[d] and v.dice[d] > top:
            top, answer = v.dice[d], SIDES[d]
    return answer


def unpacked(v):
    d12, d10, d8 = v.dice
    d12 -= 2
    return best(v) if d12 > d10 + d8 else next_free(v)


def next_free(v):
    for sides, held in zip(SIDES, v.held):
        if not held:
            return sides
    return 0


def alias_of_a_number(v):
    dice = v.dice
    total = dice[0]
    total += dice[1]
    for face in dice:
        face -= 6
        total += face
    return best(v) if total > 10 else next_free(v)


def worth(faces, i, bonus=1):
    x = faces[i]
    x += bonus
    return x * MEANS[i][1] - MEANS[i][0]


def helper_with_a_local_number(v):
    top, answer = -100.0, 0
    for i in range(3):
        if not v.held[i] and worth(v.dice, i, bonus=2) > top:
            top, answer = worth(v.dice, i, bonus=2), SIDES[i]
    return answer


def numbers_of_a_seat(v):
    seat = v.seats[v.me]
    m, c = seat.modifier, seat.chips
    m += 1
    c -= 1
    return best(v) if m + c > 0 else next_free(v)


def name_used_twice(v):
    d = v.dice
    top = d[0]
    d = [1, 2, 3]
    d[0] = top
    return best(v) if d[0] > 6 else next_free(v)


def local_names_like_functions(v):
    best = 0
    random = v.dice[0] % 3
    coin = v.dice[1] > 5
    for d in range(3):
        if not v.held[d] and v.dice[d] + random * coin > best:
            best = v.dice[d] + random * coin
    for d in range(3):
        if not v.held[d] and v.dice[d] + random * coin == best:
            return SIDES[d]
    return 0


def coin(v):
    return v.draws[0] < 0.5


def own_array(v):
    scores = np.zeros(3)
    for i in range(3):
        scores[i] = -99.0 if v.held[i] else v.dice[i] / SIDES[i] + math.sqrt(i)
    copy = v.dice.copy()
    copy[0] += 1
    scores[0] *= 1.0 if copy[0] > 6 else 0.5
    return SIDES[int(np.argmax(scores))]


def while_and_ternary(v, least=5):
    i = 0
    while v.held[i] or (v.dice[i] < least and i < 2 and not v.held[i + 1]):
        i += 1
    return SIDES[i] if i < 3 else 0


def inner_function(v):
    def score(i):
        return v.dice[i] * 10 // SIDES[i]

    top, answer = -1, 0
    for i in range(3):
        if not v.held[i] and score(i) > top:
            top, answer = score(i), SIDES[i]
    return answer
'''

NAMES = [
    node.name
    for node in ast.parse(RULES).body
    if isinstance(node, ast.FunctionDef) and node.name not in {"worth", "coin"}
]


@pytest.mark.parametrize("name", NAMES)
def test_an_honest_rule_is_accepted_and_does_what_it_says(name: str, tmp_path: Path) -> None:
    file = tmp_path / "rules.py"
    file.write_text(RULES)
    rule = hold_rule(f"{file}:{name}")
    assert isinstance(rule, PolicyRule)
    assert rule.has_exact_odds
    terms = Terms.of_bids(np.array([20, 27]), np.array([-2, 3]), np.array([0, 2]))
    tables = rule.hold_tables(terms)
    for at in range(len(terms)):
        for roll, faces in islice(enumerate(FACES), 0, None, 7):  # every face of every die, in many combinations
            if terms.reached()[faces.sum(), at]:
                continue
            for held in (None, 0, 1, 2):
                view = plain_view(terms, at, faces, held, ())
                view.dice = np.array(view.dice)  # a rule may copy it
                answer = rule.policy.function(view)
                found = tables.first[0][roll, at] if held is None else tables.second[0][held, roll, at]
                assert SIDES[found] == answer, (faces, held)


def test_the_source_of_every_function_of_ours_is_as_it_must_be_of_a_users() -> None:
    from analyzer.policy_source import check_source
    from analyzer.wool_rules.views import ACTION_VIEW_DTYPE, VIEW_DTYPE
    from strategies.entries import strategy_entries
    from strategies.wool_rules.hold_registry import hold_entries

    functions = [f for entry in strategy_entries().values() for f in entry.functions.values()]
    assert len(functions) > 14
    for function in functions:
        check_source(function, VIEW_DTYPE)
    for entry in hold_entries():
        if not entry.solved:
            check_source(entry.function, ACTION_VIEW_DTYPE)
