"""The hold chart loses nothing, its short rule what it says, and positions agree with the oracle."""

from fractions import Fraction

import numpy as np
import oracle_dice as oracle
import pytest

from analyzer.wool_rules.advice import HoldChart, hold_chart
from analyzer.wool_rules.bidding import ALL_BIDS
from analyzer.wool_rules.constants import SIDES
from analyzer.wool_rules.dice import OTHERS, dice_of
from analyzer.wool_rules.exact import outcomes
from analyzer.wool_rules.hold_rules import SolvedRule
from analyzer.wool_rules.plans import TAKE, plan_of_holds, shares
from analyzer.wool_rules.position import position
from analyzer.wool_rules.rules import STANDARD
from analyzer.wool_rules.terms import Terms
from reports.words import accept_sentences
from strategies.wool_rules.hold_registry import hold_rule

FACES, N_ACTIONS = dice_of(SIDES).faces, dice_of(SIDES).n_actions
SPECS = ("max-odds", "max-cards", "fixed-values:three=1,two=3,one=2,under14=-2,chip=0.3")


def _chart(spec: str, terms: Terms) -> HoldChart:
    rule = hold_rule(spec)
    assert isinstance(rule, SolvedRule)
    return hold_chart(rule, terms)


HELP = ((0, 0), (-3, 1), (2, 2))
"""Modifier and chips."""


@pytest.mark.parametrize("part", [0, *(pytest.param(part, marks=pytest.mark.slow) for part in (1, 2))])
@pytest.mark.parametrize("spec", SPECS)
@pytest.mark.parametrize(("modifier", "chips"), HELP)
def test_following_the_chart_loses_nothing_at_any_bid(spec: str, modifier: int, chips: int, part: int) -> None:
    """In each part, every bid is asked about with every rule and with all help: a third of all combinations."""
    first = (part + SPECS.index(spec) + HELP.index((modifier, chips))) % 3
    for bid in ALL_BIDS[first::3]:
        terms = Terms.one(bid, modifier, chips)
        chart = _chart(spec, terms)
        assert abs(chart.loss) < 1e-12 * 5, bid
        assert chart.short.loss >= -1e-12, bid


def test_a_person_with_the_chart_sets_aside_what_the_solution_does() -> None:
    """Read the chart as a person would, roll by roll, and compare with the exact decisions."""
    terms = Terms.one(22)
    chart = _chart("max-odds", terms)
    solution = hold_rule("max-odds").solve(terms)  # type: ignore[attr-defined]
    for roll, faces in enumerate(FACES):
        if solution.plan.first[roll, 0] == TAKE:
            continue
        by_chart = min(range(3), key=lambda die: chart.first[die, int(faces[die])])
        assert by_chart == solution.first_die[roll, 0], faces
        for held in range(3):
            if solution.plan.second[held, roll, 0] == TAKE:
                continue
            j, k = OTHERS[held]
            stays_free = {
                k: chart.second[k, int(faces[held] + faces[j])],
                j: chart.second[j, int(faces[held] + faces[k])],
            }
            free = min(stays_free, key=stays_free.__getitem__)
            assert 3 - held - free == solution.second_die[held, roll, 0], (held, faces)


def test_ranks_are_whole_numbers_from_one_without_gaps() -> None:
    chart = _chart("max-odds", Terms.one(24, -3, 1))
    for ranks in (chart.first, chart.second):
        assert sorted(ranks.values()) == list(range(1, len(ranks) + 1))


@pytest.mark.parametrize("bid", [14, 18, 22, 26])
def test_the_short_rule_loses_what_is_printed(bid: int) -> None:
    terms = Terms.one(bid)
    chart = _chart("max-odds", terms)
    first = np.argmax(FACES + np.array(chart.short.add), axis=1).astype(np.int8)[:, None]
    second = np.empty((3, len(FACES), 1), np.int8)
    for held in range(3):
        for roll, faces in enumerate(FACES):
            second[held, roll, 0] = max(OTHERS[held], key=lambda d: (faces[d] + chart.short.add[d], SIDES[d]))
    ends = outcomes(terms, plan_of_holds(terms, first, second))
    success = shares(ends.start[:, 0], N_ACTIONS, STANDARD)["p_success"]
    assert chart.best - success == pytest.approx(chart.short.loss, abs=1e-12)
    assert chart.short.loss < 0.001


VALUES = {"three": 3, "two": 2, "one": 1, "fail": 0, "under14": -2, "chip": Fraction(1, 2)}
OWN = "fixed-values:" + ",".join(f"{name}={float(value)}" for name, value in VALUES.items())


@pytest.mark.parametrize(("bid", "modifier", "chips"), [(24, -3, 1), (20, 2, 2), (14, 0, 1)])
def test_every_position_agrees_with_the_oracle(bid: int, modifier: int, chips: int) -> None:
    best = oracle.best_decisions(bid, modifier, chips, oracle.values(**VALUES))
    rule, terms = hold_rule(OWN), Terms.one(bid, modifier, chips)
    for faces in (tuple(map(int, f)) for f in FACES[::37]):
        for held in (None, 0, 1, 2):
            found = position([rule], terms, faces, 1 if held is None else 2, held)
            if found.made:
                continue
            (advice,) = found.advice
            decision, chosen = (
                (best.first[faces], best.first_hold[faces])
                if held is None
                else (best.second[held, faces], best.second_hold[held, faces])
            )
            assert [option.die for option in advice.options if option.chosen] == [chosen]
            assert advice.accept is (decision == ("take",) if found.can_accept else None)
            for option in advice.options:
                free = None if held is None else 3 - held - option.die
                expected = (
                    best.after_first(option.die, faces[option.die])
                    if held is None
                    else best.after_second(free, sum(faces) - faces[free])
                )
                assert option.shares == pytest.approx(
                    {name: float(expected[name]) for name in option.shares}, abs=1e-12
                )


def test_a_policy_says_what_it_would_set_aside_even_where_help_makes_the_bid() -> None:
    found = position([hold_rule("keep-highest")], Terms.one(24, 0, 3), (4, 10, 8))
    assert found.can_accept
    assert [option.die for option in found.advice[0].options if option.chosen] == [1]
    assert found.advice[0].accept is True


def test_a_rule_of_chance_is_averaged_in_a_position() -> None:
    """After setting aside the d12 showing 12, `random` keeps either other die with chance one half."""
    found = position([hold_rule("random")], Terms.one(24, -3, 1), (12, 10, 3))
    two, one = Fraction(0), Fraction(0)
    for a, b in ((a, b) for d12, a, b in FACES.tolist() if d12 == 12):
        if 12 + a + b >= 26:  # 24 with malus 3 and one chip
            two += Fraction(1, 80)
            continue
        d8_makes_it = Fraction(sum(12 + a + last >= 26 for last in range(1, 9)), 8)
        d10_makes_it = Fraction(sum(12 + b + last >= 26 for last in range(1, 11)), 10)
        one += Fraction(1, 80) * (d8_makes_it + d10_makes_it) / 2
    option = found.advice[0].options[0]
    assert option.shares["p_two"] == pytest.approx(float(two), abs=1e-12)
    assert option.shares["p_one"] == pytest.approx(float(one), abs=1e-12)
    assert all(option.chosen is None and option.value is None for option in found.advice[0].options)


@pytest.mark.parametrize(
    ("spec", "bid", "modifier", "said"),
    [
        ("max-odds", 22, -1, ["Accept help as soon as it makes the bid.\n"]),
        (
            "fixed-values:three=6,two=2.5,one=0,chip=1",  # a third roll is not worth a chip
            22,
            -1,
            ["First and second roll: accept help", "15 to 22 failed, 23 to 30 take one card"],
        ),
        (
            "fixed-values:three=0,two=3,one=1,under14=-2,chip=0.25",
            24,
            1,
            ["First roll made with", "11 to 13 lift to 14"],
        ),
    ],
)
def test_a_chart_says_all_that_following_it_takes(spec: str, bid: int, modifier: int, said: list[str]) -> None:
    text = accept_sentences(_chart(spec, Terms.one(bid, modifier, 2)))
    assert [part for part in said if part not in text] == [], text
    assert ("Third roll" in text) == (spec != "max-odds")
