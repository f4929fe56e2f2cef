"""The exact solution against an oracle of fractions that imports nothing of ours, and its properties."""

from fractions import Fraction

import numpy as np
import oracle_dice as oracle
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analyzer.wool_rules.bid_table import bid_table
from analyzer.wool_rules.bidding import ALL_BIDS
from analyzer.wool_rules.constants import SIDES
from analyzer.wool_rules.dice import dice_of
from analyzer.wool_rules.exact import outcomes, solve
from analyzer.wool_rules.plans import (
    CHIPS,
    FAIL,
    FAILED,
    ONE,
    SAVED,
    SHARES,
    TAKE,
    TAKE_ONE,
    THREE,
    TWO,
    UNDER,
    UNDER_14,
    Plan,
    plan_of_holds,
    shares,
)
from analyzer.wool_rules.rules import STANDARD
from analyzer.wool_rules.terms import Terms, Values
from strategies.wool_rules.hold_registry import hold_rule

DICE = dice_of(SIDES)
FACES, N_ROLLS, N_ACTIONS = DICE.faces, DICE.n_rolls, DICE.n_actions
FIRST_STATES, SECOND_STATES = DICE.first_states, DICE.second_states
N_REST, THIRD_COURSES = DICE.n_rest, DICE.third_courses

ENDS = {TAKE_ONE: "one", FAILED: "fail", SAVED: "saved", UNDER_14: "under14"}

QUESTIONS = [
    # target, modifier, chips, values: three, two, one, fail, under 14, cost of a chip
    (14, 0, 0, (1, 1, 1)),
    (18, 2, 0, (3, 2, 1)),
    (20, -3, 1, (3, 2, 1)),
    (22, 0, 2, (1, 1, 1)),
    (24, -3, 1, (3, 2, 1, 0, -2, "1/2")),  # Conni's bid, with a price on chips and black sheep
    (24, 1, 2, (1, 4, 2, 0, -1, "1/4")),  # Kathrin wants two cards
    (19, -2, 0, (-3, -1, 2, 1, "-5/2")),  # Robbi wants one card at most
    (26, 3, 3, ("7/2", 2, "5/4", "1/3", -3, "3/4")),
    (14, 1, 2, (3, 1, 2, 0, -4, 1)),  # a bid of 14 cannot be saved
    (16, -1, 3, (0, 0, 0, 1, -1, "1/10")),  # failing is the aim
]


def _terms(target: int, modifier: int, chips: int) -> Terms:
    return Terms.one(target, modifier, chips)


def _as_odds(counts: np.ndarray, courses: int) -> dict[str, Fraction]:
    """Turn our counts into the oracle's keys, without rounding."""
    three, two, one = (Fraction(int(counts[k]), courses) for k in (THREE, TWO, ONE))
    return {
        "p_three": three,
        "p_two": two,
        "p_one": one,
        "p_success": three + two + one,
        "p_fail": Fraction(int(counts[FAIL]), courses),
        "p_under_14": Fraction(int(counts[UNDER]), courses),
        "mean_cards": 3 * three + 2 * two + one,
        "mean_chips_spent": Fraction(int(counts[CHIPS]), courses),
    }


@pytest.mark.parametrize(("target", "modifier", "chips", "values"), QUESTIONS)
def test_every_decision_and_chance_equals_the_oracle(
    target: int, modifier: int, chips: int, values: tuple[int | str, ...]
) -> None:
    exact_values = [Fraction(v) for v in values]
    expected = oracle.best_decisions(target, modifier, chips, oracle.values(*exact_values))
    terms = _terms(target, modifier, chips)
    solution = solve(terms, Values(*map(float, exact_values), *[0.0] * (6 - len(values))))
    plan, ends = solution.plan, outcomes(terms, solution.plan)

    assert abs(solution.expected[0] - float(expected.expected)) < 1e-12
    for faces, decision in expected.first.items():
        at = DICE.roll_index(faces)
        assert plan.first[at, 0] == (TAKE if decision == ("take",) else decision[1]), faces
        assert solution.first_die[at, 0] == expected.first_hold[faces], faces
    for (held, faces), decision in expected.second.items():
        at = DICE.roll_index(faces)
        assert plan.second[held, at, 0] == (TAKE if decision == ("take",) else decision[1]), (held, faces)
        assert solution.second_die[held, at, 0] == expected.second_hold[held, faces], (held, faces)
    assert {total: ENDS[int(plan.third[total, 0])] for total in range(3, 31)} == expected.third

    assert _as_odds(ends.start[:, 0], N_ACTIONS) == expected.odds()
    for state, (die, face) in enumerate(FIRST_STATES):
        found = _as_odds(ends.after_first[:, state, 0], N_REST)
        assert found == expected.after_first(die, face), (die, face)
    for state, (free, held_sum) in enumerate(SECOND_STATES):
        found = _as_odds(ends.after_second[:, state, 0], THIRD_COURSES)
        assert found == expected.after_second(free, held_sum), (free, held_sum)


@pytest.mark.parametrize(("target", "modifier", "chips"), [(14, 0, 0), (17, 3, 1), (22, 0, 0), (24, -3, 1), (26, 1, 3)])
@pytest.mark.parametrize(
    ("spec", "rule"),
    [("keep-highest", oracle.keep_highest), ("keep-above-mean", oracle.keep_above_mean), ("random", oracle.uniform)],
)
def test_odds_of_the_simple_rules_equal_the_oracle(
    spec: str, rule: oracle.HoldRule, target: int, modifier: int, chips: int
) -> None:
    (row,) = bid_table([hold_rule(spec)], [target], [modifier], [chips]).rows
    expected = oracle.hold_rule_odds(target, modifier, chips, *rule)
    assert {name: row[name] for name in SHARES} == pytest.approx(
        {name: float(expected[name]) for name in SHARES}, abs=1e-12
    )


@pytest.mark.parametrize(("rule_chips", "chips"), [(0, 0), (0, 2), (2, 2), (3, 1)])
@pytest.mark.parametrize(("name", "values"), [("max-odds", oracle.MAX_ODDS), ("max-cards", oracle.MAX_CARDS)])
def test_solved_rules_hold_by_their_own_chips_and_spend_the_rows(
    name: str, values: dict[str, Fraction], rule_chips: int, chips: int
) -> None:
    (row,) = bid_table([hold_rule(f"{name}:chips={rule_chips}")], [23], [-1], [chips]).rows
    followed = oracle.follow(oracle.best_decisions(23, -1, rule_chips, values))
    expected = oracle.hold_rule_odds(23, -1, chips, *followed)
    assert {n: row[n] for n in SHARES} == pytest.approx({n: float(expected[n]) for n in SHARES}, abs=1e-12)


def test_max_odds_counts_on_no_chips_unless_told() -> None:
    plain, told = bid_table([hold_rule("max-odds"), hold_rule("max-odds:chips=0")], ALL_BIDS, [0], [2]).rows[::14]
    assert plain | {"hold": ""} == told | {"hold": ""}


def test_known_chances() -> None:
    """Bid 22 and 24 without help, from independent work; 26+ is as likely as 26."""
    rows = {row["bid"]: row["p_success"] for row in bid_table([hold_rule("max-odds")], ALL_BIDS).rows}
    assert rows["22"] == pytest.approx(0.58402, abs=5e-6)
    assert rows["24"] == pytest.approx(0.39092, abs=5e-6)
    assert rows["26+"] == rows["26"]
    assert list(rows) == [*map(str, range(14, 27)), "26+"]


def test_most_likely_success_is_also_most_cards() -> None:
    """As the design page says: max-odds and max-cards have the same odds; other values do not."""
    odds, cards, two = (
        [tuple(row[n] for n in SHARES) for row in bid_table([hold_rule(spec)], ALL_BIDS, range(-3, 4), range(3)).rows]
        for spec in ("max-odds", "max-cards", "fixed-values:three=0,two=0,one=1,fail=1,under14=-3")
    )
    assert odds == cards
    assert odds != two


whole_values = st.tuples(*[st.integers(-4, 6)] * 5, st.integers(0, 3))
any_terms = st.builds(_terms, st.integers(14, 26), st.integers(-6, 6), st.integers(0, 5))


@settings(max_examples=60, deadline=None)
@given(any_terms, whole_values)
def test_chances_sum_to_one_and_value_is_what_the_ends_are_worth(terms: Terms, values: tuple[int, ...]) -> None:
    solution = solve(terms, Values(*map(float, values)))
    ends = outcomes(terms, solution.plan)
    for counts, courses in (
        (ends.start, N_ACTIONS),
        (ends.after_first, N_REST),
        (ends.after_second, THIRD_COURSES),
    ):
        assert (counts[[THREE, TWO, ONE, FAIL]].sum(axis=0) == courses).all()
        assert (counts[UNDER] <= counts[FAIL]).all()
    share = shares(ends.start[:, 0], N_ACTIONS, STANDARD)
    three, two, one, fail, under14, chip = values
    worth = three * share["p_three"] + two * share["p_two"] + one * share["p_one"] - chip * share["mean_chips_spent"]
    worth += fail * (share["p_fail"] - share["p_under_14"]) + under14 * share["p_under_14"]
    assert solution.expected[0] == pytest.approx(worth, abs=1e-12)


@settings(max_examples=40, deadline=None)
@given(any_terms, whole_values)
def test_a_solution_from_the_middle_averaged_over_rolls_equals_the_whole(terms: Terms, values: tuple[int, ...]) -> None:
    solution = solve(terms, Values(*map(float, values)))
    plan, ends = solution.plan, outcomes(terms, solution.plan)
    need = terms.help()[:, 0]
    whole = np.zeros(6, dtype=np.int64)
    for roll in range(N_ROLLS):
        action = plan.first[roll, 0]
        if action == TAKE:
            whole[THREE] += N_REST
            whole[CHIPS] += N_REST * need[FACES[roll].sum()]
        else:
            whole += ends.after_first[:, DICE.first_state(action, FACES[roll, action]), 0]
    assert (whole == ends.start[:, 0]).all()

    die, face = 1, 4  # the same one attempt later
    middle = np.zeros(6, dtype=np.int64)
    rolls = [roll for roll in range(N_ROLLS) if FACES[roll, die] == face]
    for roll in rolls:
        action, total = plan.second[die, roll, 0], FACES[roll].sum()
        if action == TAKE:
            middle[TWO] += THIRD_COURSES
            middle[CHIPS] += THIRD_COURSES * need[total]
        else:
            free = 3 - die - action
            middle += ends.after_second[:, DICE.second_state(free, total - FACES[roll, free]), 0]
    assert (middle * DICE.second_courses == ends.after_first[:, DICE.first_state(die, face), 0] * len(rolls)).all()


@pytest.mark.parametrize("chips", [0, 1, 3])
def test_more_bonus_more_chips_and_lower_bids_never_hurt(chips: int) -> None:
    best = hold_rule(f"max-odds:chips={chips}")
    rows = bid_table([best], ALL_BIDS[:-1], range(-6, 7), [chips]).rows
    success = np.array([row["p_success"] for row in rows]).reshape(13, 13)
    assert (np.diff(success, axis=0) >= 0).all(), "more bonus"
    assert (np.diff(success, axis=1) <= 0).all(), "higher bids"
    more = bid_table([hold_rule(f"max-odds:chips={chips + 1}")], ALL_BIDS[:-1], range(-6, 7), [chips + 1]).rows
    assert all(a["p_success"] <= b["p_success"] for a, b in zip(rows, more, strict=True))


@settings(max_examples=40, deadline=None)
@given(any_terms, st.integers(0, 2**32 - 1))
def test_the_best_rule_is_nowhere_below_any_other_rule(terms: Terms, seed: int) -> None:
    """Other rules: one that answers by chance in every situation but always the same there, and the built-in ones."""
    answers = np.random.default_rng(seed)
    first = answers.integers(0, 3, (N_ROLLS, 1)).astype(np.int8)
    second = np.stack([answers.choice([d for d in range(3) if d != held], (N_ROLLS, 1)) for held in range(3)])
    best = solve(terms, Values(1, 1, 1)).expected[0]
    plan = plan_of_holds(terms, first, second.astype(np.int8))
    assert shares(outcomes(terms, plan).start[:, 0], N_ACTIONS, STANDARD)["p_success"] <= best + 1e-15
    bid, modifier, chips = (int(a[0]) for a in (terms.target, terms.modifier, terms.chips))
    for spec in ("max-cards", "keep-highest", "keep-above-mean", "random"):
        (row,) = bid_table([hold_rule(spec)], [bid], [modifier], [chips]).rows
        assert row["p_success"] <= best + 1e-15, spec


def test_a_batch_gives_what_its_dice_actions_give_alone() -> None:
    bids, modifiers, chips = np.array([14, 20, 26, 22]), np.array([3, -3, 0, 1]), np.array([0, 2, 5, 1])
    together = solve(Terms.of_bids(bids, modifiers, chips), Values(3, 2, 1, 0, -2, 0.5))
    for at, question in enumerate(zip(bids, modifiers, chips, strict=True)):
        alone = solve(Terms.one(*map(int, question)), Values(3, 2, 1, 0, -2, 0.5))
        for name in ("first_rank", "second_rank", "expected", "third"):
            assert (getattr(together, name)[..., at] == getattr(alone, name)[..., 0]).all(), name


def test_chips_are_not_spent_on_saving_for_nothing_but_the_bonus_is() -> None:
    plan = solve(_terms(20, 1, 2), Values(1, 1, 1)).plan
    assert plan.third[13, 0] == SAVED
    assert plan.third[12, 0] == UNDER_14
    assert solve(_terms(20, 1, 2), Values(1, 1, 1, under14=-0.01)).plan.third[12, 0] == SAVED


def test_near_ties_of_fractions_are_ties() -> None:
    """0.1 + 0.2 is not 0.3 for a computer; the decisions must not notice."""
    terms = Terms.of_bids(np.arange(14, 27), np.full(13, -2), np.full(13, 2))
    small, large = (solve(terms, Values(*(v * scale for v in (3, 2, 1, 0, -1, 1)))) for scale in (0.1, 10))
    for name in ("first_die", "first_take", "second_die", "second_take", "third"):
        assert (getattr(small, name) == getattr(large, name)).all(), name


def test_plan_of_holds_takes_as_soon_as_help_makes_the_bid() -> None:
    terms = _terms(20, 2, 1)
    holds = np.zeros((N_ROLLS, 1), np.int8), np.ones((3, N_ROLLS, 1), np.int8)
    plan = plan_of_holds(terms, *holds)
    assert isinstance(plan, Plan)
    assert ((plan.first[:, 0] == TAKE) == (FACES.sum(axis=1) >= 17)).all()
    assert (plan.third[[11, 12, 16, 17], 0] == [UNDER_14, FAILED, FAILED, TAKE_ONE]).all()
