"""Rolling the dice agrees with the exact odds, and does not depend on threads, blocks or the way a rule is asked."""

import math

import numpy as np
import pytest
from scipy.stats import chisquare

from analyzer.blocks import blocks_of, run_blocks
from analyzer.wool_rules.constants import SIDES
from analyzer.wool_rules.dice import dice_of
from analyzer.wool_rules.exact import outcomes, solve
from analyzer.wool_rules.hold_policy import PolicyPlayer
from analyzer.wool_rules.hold_rules import PolicyRule, exact_counts
from analyzer.wool_rules.plans import CHIPS, FAIL, ONE, THREE, TWO, UNDER
from analyzer.wool_rules.rolls import CODE_ROWS
from analyzer.wool_rules.simulate import TablePlayer, simulate_action
from analyzer.wool_rules.terms import Terms, Values
from strategies.wool_rules.hold_registry import hold_entries, hold_rule

RULES = [entry.name for entry in hold_entries()]
QUESTIONS = [(14, 0, 0), (22, 0, 0), (24, -3, 1), (26, 3, 2)]
N_ACTIONS = dice_of(SIDES).n_actions
FALSE_ALARM = 1e-3
"""Chance that any of the checks of this file fails although everything is right (seeds are fixed, so it is once)."""


def _ends(counts: np.ndarray) -> np.ndarray:
    """Return three, two, one, failed with at least 14, failed under 14."""
    return np.array([counts[THREE], counts[TWO], counts[ONE], counts[FAIL] - counts[UNDER], counts[UNDER]])


def _p_value(counts: np.ndarray, exact: np.ndarray, courses: int, n: int) -> float:
    expected = _ends(exact) * (n / courses)
    seen = _ends(counts)
    assert (seen[expected == 0] == 0).all()
    return float(chisquare(seen[expected > 0], expected[expected > 0]).pvalue)


def _check(spec: str, question: tuple[int, int, int], n: int, seed: int, alarm: float) -> None:
    terms, rule = Terms.one(*question), hold_rule(spec)
    counts = simulate_action(rule, terms, n, seed=seed)
    exact, weight = exact_counts(rule, terms)
    assert counts[[THREE, TWO, ONE, FAIL]].sum() == n
    assert _p_value(counts, exact[:, 0], N_ACTIONS * weight, n) > alarm


@pytest.mark.parametrize("question", QUESTIONS)
@pytest.mark.parametrize("spec", RULES)
def test_simulation_agrees_with_the_exact_odds(spec: str, question: tuple[int, int, int]) -> None:
    _check(spec, question, 4_000_000, 11, FALSE_ALARM / (len(RULES) * len(QUESTIONS)))


@pytest.mark.slow
@pytest.mark.parametrize("spec", RULES)
def test_a_long_simulation_agrees_with_the_exact_odds(spec: str) -> None:
    _check(spec, (22, -1, 1), 1_000_000_000, 12, FALSE_ALARM / len(RULES))


def test_the_check_notices_an_error_of_a_thousandth() -> None:
    """A chi-square test that could not fail would show nothing."""
    terms, rule = Terms.one(22), hold_rule("max-odds")
    counts = simulate_action(rule, terms, 4_000_000, seed=11)
    exact = exact_counts(rule, terms)[0][:, 0].copy()
    exact[TWO] -= N_ACTIONS // 1000
    exact[ONE] += N_ACTIONS // 1000
    assert _p_value(counts, exact, N_ACTIONS, 4_000_000) < FALSE_ALARM


def test_chips_spent_agree_with_the_exact_mean() -> None:
    terms, n = Terms.one(24, -1, 3), 4_000_000
    counts = simulate_action(hold_rule("max-odds:chips=3"), terms, n, seed=3)
    mean = exact_counts(hold_rule("max-odds:chips=3"), terms)[0][CHIPS, 0] / N_ACTIONS
    # At most 3 chips an action: the standard error is below 3 / 2 / sqrt(n).
    assert abs(counts[CHIPS] / n - mean) < 4 * 1.5 / math.sqrt(n)


@pytest.mark.parametrize("spec", ["max-odds", "keep-highest", "random"])
def test_counts_depend_on_neither_threads_nor_blocks(spec: str) -> None:
    terms, rule = Terms.one(23, 1, 1), hold_rule(spec)
    runs = [
        simulate_action(rule, terms, 300_001, seed=9, threads=threads, block_size=size)
        for threads, size in ((1, 300_001), (1, 1000), (2, 77_777), (3, 4096))
    ]
    assert all((run == runs[0]).all() for run in runs)
    assert (simulate_action(rule, terms, 300_001, seed=10) != runs[0]).any()


@pytest.mark.parametrize("question", QUESTIONS)
@pytest.mark.parametrize("spec", ["keep-highest", "keep-above-mean"])
def test_a_rule_gives_the_same_counts_as_a_table_and_when_asked(spec: str, question: tuple[int, int, int]) -> None:
    rule, terms = hold_rule(spec), Terms.one(*question)
    assert isinstance(rule, PolicyRule)
    asked = PolicyPlayer(rule.policy, terms, 5)(1000, 200_000) @ CODE_ROWS
    table = simulate_action(rule, terms, 201_000, seed=5) - simulate_action(rule, terms, 1000, seed=5)
    assert (asked == table).all()


def test_a_plan_that_saves_with_chips_is_simulated_as_it_is_solved() -> None:
    """The bid table never saves with chips; a solved plan may, and its tables must follow."""
    terms = Terms.one(20, -2, 3)
    plan = solve(terms, Values(3, 2, 1, 0, -5, 0.5)).plan
    exact, n = outcomes(terms, plan).start[:, 0], 2_000_000
    counts = TablePlayer(terms, plan, 21)(0, n) @ CODE_ROWS
    assert _p_value(counts, exact, N_ACTIONS, n) > FALSE_ALARM
    assert exact[UNDER] < exact_counts(hold_rule("max-odds"), terms)[0][UNDER, 0]
    assert counts[CHIPS] / n == pytest.approx(exact[CHIPS] / N_ACTIONS, abs=4 * 1.5 / math.sqrt(n))


def test_dice_actions_get_the_same_rolls_whatever_the_bid() -> None:
    """Three cards at bid 18 are three cards at bid 17 too: with the same dice the counts are ordered, not only odds."""
    counts = [
        simulate_action(hold_rule("keep-highest"), Terms.one(bid), 50_000, seed=2)[THREE] for bid in range(14, 27)
    ]
    assert counts == sorted(counts, reverse=True)


def test_blocks_cover_every_game_once() -> None:
    games = [game for start, n in blocks_of(1003, 100) for game in range(start, start + n)]
    assert games == list(range(1003))


def test_an_error_in_a_block_ends_the_run() -> None:
    def play(start: int, n: int) -> np.ndarray:
        if start >= 50:
            raise ZeroDivisionError
        return np.array([n])

    with pytest.raises(ZeroDivisionError):
        run_blocks(play, 1000, block_size=10, threads=2)


def test_progress_reports_every_game() -> None:
    seen: list[int] = []
    total = run_blocks(lambda _, n: np.array([n]), 1234, block_size=100, threads=2, progress=seen.append)
    assert sum(seen) == 1234 == total[0]
