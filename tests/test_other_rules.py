"""The odds of a dice action follow a rules file: other dice, bids, cards, chips and black sheep."""

import json
import math
from fractions import Fraction
from itertools import combinations
from pathlib import Path

import numpy as np
import oracle_dice as oracle
import pytest
from commands import in_process

from analyzer.errors import BadInputError, PolicyError
from analyzer.wool_rules.advice import hold_chart
from analyzer.wool_rules.bid_table import bid_table
from analyzer.wool_rules.bidding import ALL_BIDS, bid_label, bids_of, parse_bid
from analyzer.wool_rules.dice import OTHERS, Dice, dice_of
from analyzer.wool_rules.exact import outcomes, solve
from analyzer.wool_rules.hold_policy import PolicyPlayer
from analyzer.wool_rules.hold_rules import PolicyRule, SolvedRule, exact_counts
from analyzer.wool_rules.plans import CHIPS, FAIL, ONE, SHARES, TAKE, THREE, TWO, UNDER, shares
from analyzer.wool_rules.position import position
from analyzer.wool_rules.rolls import CODE_ROWS, GROUP, split_of
from analyzer.wool_rules.rules import MAX_SIDES, STANDARD, Rules
from analyzer.wool_rules.simulate import simulate_action
from analyzer.wool_rules.terms import Terms, Values
from strategies.wool_rules.hold_registry import hold_rule

SMALL = Rules(dice=(5, 9, 4), black_sheep_below=9, cards_per_attempt=(4, 1, 0))
"""Dice that do not descend, few enough rolls for the oracle."""

LARGE = Rules(dice=(29, 30, 23), black_sheep_below=40)
MIDDLE = Rules(dice=(4, 20, 7))


# Exact odds


@pytest.mark.parametrize(
    ("target", "modifier", "chips", "values"),
    [
        (14, 0, 0, (1, 1, 1)),
        (15, 1, 2, (4, 1, 0)),
        (16, -2, 2, (3, 2, 1, 0, -2, "1/2")),
        (14, 0, 1, (0, 0, 0, 1, -1, "1/10")),
    ],
)
@pytest.mark.parametrize("rules", [SMALL, Rules(dice=(2, 8, 7), black_sheep_below=15)], ids=["small", "high threshold"])
def test_every_decision_and_chance_equals_the_oracle(
    rules: Rules, target: int, modifier: int, chips: int, values: tuple[int | str, ...]
) -> None:
    exact_values = [Fraction(value) for value in values]
    terms = Terms.one(target, modifier, chips, rules)
    with oracle.other_rules(rules.dice, rules.black_sheep_below, rules.cards_per_attempt):
        expected = oracle.best_decisions(target, modifier, chips, oracle.values(*exact_values))
        odds = expected.odds()
    solution = solve(terms, Values(*map(float, exact_values), *[0.0] * (6 - len(values))))
    plan, counts = solution.plan, outcomes(terms, solution.plan).start[:, 0]

    assert abs(solution.expected[0] - float(expected.expected)) < 1e-12
    for faces, decision in expected.first.items():
        assert plan.first[terms.dice.roll_index(faces), 0] == (TAKE if decision == ("take",) else decision[1]), faces
    for (held, faces), decision in expected.second.items():
        found = plan.second[held, terms.dice.roll_index(faces), 0]
        assert found == (TAKE if decision == ("take",) else decision[1]), (held, faces)
    courses = terms.dice.n_actions
    for row, name in ((THREE, "p_three"), (TWO, "p_two"), (ONE, "p_one"), (FAIL, "p_fail"), (UNDER, "p_under_14")):
        assert Fraction(int(counts[row]), courses) == odds[name], name
    assert Fraction(int(counts[CHIPS]), courses) == odds["mean_chips_spent"]
    cards = shares(outcomes(terms, plan).start, courses, rules)["mean_cards"][0]
    assert cards == pytest.approx(float(odds["mean_cards"]), abs=1e-12)


@pytest.mark.parametrize(
    ("spec", "rule"),
    [("keep-highest", oracle.keep_highest), ("keep-above-mean", oracle.keep_above_mean), ("random", oracle.uniform)],
)
@pytest.mark.parametrize("rules", [SMALL, MIDDLE], ids=lambda rules: str(rules.dice))
def test_odds_of_the_simple_rules_equal_the_oracle(rules: Rules, spec: str, rule: oracle.HoldRule) -> None:
    """Ties go by sides, whatever the order in which the dice are named."""
    (row,) = bid_table([hold_rule(spec)], [15], [-1], [1], game_rules=rules).rows
    with oracle.other_rules(rules.dice, rules.black_sheep_below, rules.cards_per_attempt):
        expected = oracle.hold_rule_odds(15, -1, 1, *rule)
    assert {name: row[name] for name in SHARES} == pytest.approx(
        {name: float(expected[name]) for name in SHARES}, abs=1e-12
    )


@pytest.mark.parametrize("spec", ["max-odds", "max-cards", "keep-highest", "keep-above-mean", "random"])
def test_the_order_in_which_dice_are_named_changes_nothing(spec: str) -> None:
    tables = [
        bid_table([hold_rule(spec)], ALL_BIDS, [-2], [1], game_rules=Rules(dice=dice)).rows
        for dice in ((12, 10, 8), (8, 12, 10), (10, 8, 12))
    ]
    assert tables[0] == tables[1] == tables[2]


def test_most_cards_are_those_of_the_rules() -> None:
    """With one card first and seven last, a player who wants many cards declines help."""
    rule = hold_rule("max-cards")
    assert isinstance(rule, SolvedRule)
    terms = Terms.one(20, 2, 2, Rules(cards_per_attempt=(1, 2, 7)))
    (found, same, other) = (solve(terms, values) for values in (rule.values, Values(1, 2, 7), Values(3, 2, 1)))
    assert found.expected == same.expected
    assert (found.plan.first == same.plan.first).all()
    assert (found.plan.first != other.plan.first).any()


def test_no_count_of_any_dice_is_too_large_for_a_float() -> None:
    """25 chips on every course, under each of the six plans of `random`; and a roll has room in what simulates it."""
    for sides in combinations(range(2, MAX_SIDES + 1), 3):
        dice = Dice(sides)
        assert dice.n_actions * 25 * 6 < 2**53, sides
        assert max(dice.n_rolls, dice.second_courses, dice.third_courses) < 2**16, sides
        split = [int(number) for number in split_of(dice)]
        rest, second, factor, shift = split[1:5]
        assert rest < 2**30
        assert factor < 2**32
        assert (rest - 1) * factor < 2**64
        assert rest * (second * factor - 2**shift) < 2**shift, sides
        split_of.cache_clear()


def test_large_dice_are_counted_without_rounding() -> None:
    terms = Terms.one(26, -3, 2, Rules(dice=(29, 28, 27)))
    counts, weight = exact_counts(hold_rule("max-odds"), terms)
    assert counts[[THREE, TWO, ONE, FAIL], 0].sum() == terms.dice.n_actions * weight == (29 * 28 * 27) ** 3
    made = int((terms.dice.totals - 3 >= 26 - 2).sum())
    assert counts[THREE, 0] == made * terms.dice.n_rest


# Rolling


FALSE_ALARM = 1e-3
"""Chance that any z score of these simulations is too large although everything is right."""


@pytest.mark.parametrize("rules", [SMALL, MIDDLE, LARGE], ids=lambda rules: str(rules.dice))
@pytest.mark.parametrize("spec", ["max-odds:chips=1", "keep-highest", "random"])
def test_simulation_agrees_with_the_exact_odds(spec: str, rules: Rules) -> None:
    bid = 26 if rules is LARGE else 15
    terms, rule, n = Terms.one(bid, -1, 1, rules), hold_rule(spec), 1_000_000
    counts = simulate_action(rule, terms, n, seed=4)
    exact, weight = exact_counts(rule, terms)
    p = exact[:CHIPS, 0] / (terms.dice.n_actions * weight)
    errors = np.sqrt(n * p * (1 - p))
    assert counts[[THREE, TWO, ONE, FAIL]].sum() == n
    limit = 4.6  # two-sided chance 4e-6; 45 of them are below FALSE_ALARM
    assert 45 * math.erfc(limit / math.sqrt(2)) < FALSE_ALARM
    assert (np.abs(counts[:CHIPS] - n * p) <= limit * errors).all(), (counts, n * p)


@pytest.mark.parametrize("rules", [SMALL, LARGE], ids=lambda rules: str(rules.dice))
def test_a_rule_gives_the_same_counts_as_a_table_and_when_asked(rules: Rules) -> None:
    rule, terms, n = hold_rule("keep-above-mean"), Terms.one(15, 1, 1, rules), 1000 * GROUP + 5
    assert isinstance(rule, PolicyRule)
    asked = PolicyPlayer(rule.policy, terms, 5)(0, n) @ CODE_ROWS
    assert (asked == simulate_action(rule, terms, n, seed=5)).all()


# Advice


@pytest.mark.parametrize("spec", ["max-odds", "max-cards", "fixed-values:three=1,two=3,one=2,under14=-2,chip=0.3"])
@pytest.mark.parametrize("rules", [SMALL, MIDDLE], ids=lambda rules: str(rules.dice))
def test_following_a_chart_loses_nothing(rules: Rules, spec: str) -> None:
    rule = hold_rule(spec)
    assert isinstance(rule, SolvedRule)
    chart = hold_chart(rule, Terms.one(15, -1, 1, rules))
    assert abs(chart.loss) < 1e-12 * 5
    assert chart.short.loss >= -1e-12
    assert chart.short.add[rules.dice.index(max(rules.dice))] == 0


def test_a_position_agrees_with_the_oracle() -> None:
    terms = Terms.one(16, -2, 2, SMALL)
    (advice,) = position([hold_rule("max-cards:chips=2")], terms, (3, 2, 4), 2, 1).advice
    with oracle.other_rules(SMALL.dice, SMALL.black_sheep_below, SMALL.cards_per_attempt):
        best = oracle.best_decisions(16, -2, 2, oracle.values(*SMALL.cards_per_attempt))
    for option in advice.options:
        (free,) = set(OTHERS[1]) - {option.die}
        expected = best.after_second(free, 9 - (3, 2, 4)[free])
        assert option.shares["p_under_14"] == pytest.approx(float(expected["p_under_14"]), abs=1e-12)
    assert [option.die for option in advice.options if option.chosen] == [best.second_hold[1, (3, 2, 4)]]


# Bids and chips


def test_without_a_plain_26_it_cannot_be_bid() -> None:
    rules = Rules(plain_26=False)
    assert [bid_label(bid) for bid in bids_of(rules)] == [*map(str, range(14, 26)), "26+"]
    assert parse_bid("26+", rules) == 27
    with pytest.raises(BadInputError, match=r"14 to 25, and 26\+"):
        parse_bid("26", rules)
    with pytest.raises(BadInputError, match=r"bid 26: bids are 14 to 25, and 26\+"):
        bid_table([hold_rule("max-odds")], [26], game_rules=rules)


def test_nobody_spends_more_chips_than_there_are() -> None:
    with pytest.raises(BadInputError, match="from 0 to 12"):
        bid_table([hold_rule("max-odds")], [20], [0], [13], game_rules=Rules(chips_total=12))


# Policies


def test_a_policy_reads_the_dice_from_its_view_and_may_not_change_them(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(
        "def last(v):\n    return v.rules.dice[1] if v.held[2] else v.rules.dice[2]\n\n\n"
        "def named(v):\n    return 12 if not v.held[0] else 10\n\n\n"
        "def cheat(v):\n    d = v.rules.dice\n    d[0] = 30\n    return v.rules.dice[2]\n\n\n"
        "def sly(v):\n    v.rules.chips_total += 1\n    return v.rules.dice[2]\n"
    )
    (row,) = bid_table([hold_rule(f"{file}:last")], [15], game_rules=MIDDLE).rows
    assert 0 < float(str(row["p_success"])) < 1
    with pytest.raises(PolicyError, match=r"answered 12 .* dice 1,1,1; its answer must be .* free: 4 or 20 or 7"):
        bid_table([hold_rule(f"{file}:named")], [15], game_rules=MIDDLE)
    for name in ("cheat", "sly"):
        with pytest.raises(PolicyError, match="stores"):
            bid_table([hold_rule(f"{file}:{name}")], [15], game_rules=MIDDLE)


def test_a_store_into_the_rules_that_the_source_does_not_show_is_found(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(
        "def pick(x, y):\n    return x if y > 5 else y\n\n\n"
        "def hidden(v):\n    d = 3\n    for d in (v.rules.dice, v.rules.dice):\n        d[0] = 30\n"
        "    return 7 if not v.held[2] else 20\n"
    )
    with pytest.raises(PolicyError):
        bid_table([hold_rule(f"{file}:hidden")], [15], game_rules=MIDDLE)


# Commands


@pytest.fixture
def rules_file(tmp_path: Path) -> str:
    file = tmp_path / "house.toml"
    file.write_text(
        "dice = [6, 20, 4]\nblack_sheep_below = 11\ncards_per_attempt = [5, 2, 1]\nplain_26 = false\nchips_total = 20\n"
    )
    return str(file)


def test_tables_speak_of_the_rules(capsys: pytest.CaptureFixture[str], rules_file: str) -> None:
    done = in_process(capsys, "bid-table", "--rules", rules_file)
    assert done.status == 0
    for words in ("5 cards", "under 11", "less than 11", "rules changed: plain_26, chips_total, dice"):
        assert words in done.words(), done.out
    assert "25 " in done.out
    assert "\n26 " not in done.out
    assert "under 14" not in done.out

    done = in_process(capsys, "hold-table", "--bid", "20", "--chips", "1", "--rules", rules_file)
    for words in ("d6 free", "d20 free", "d4 free", "shows 1 2 3", "18 19 20"):
        assert words in done.words(), done.out
    assert "…" not in done.out

    done = in_process(capsys, "odds", "--bid", "20", "--dice", "2,11,3", "--rules", rules_file)
    for words in ("d6 shows 2, d20 shows 11, d4 shows 3", "d20 (11)", "Fail includes under 11"):
        assert words in done.words(), done.out


def test_columns_are_named_by_the_dice(capsys: pytest.CaptureFixture[str], rules_file: str) -> None:
    asked = ("odds", "--bid", "20", "--dice", "2,11,3", "--attempt", "2", "--held", "20", "--format", "csv")
    rows = in_process(capsys, *asked, "--rules", rules_file).rows()
    assert list(rows[0])[4:10] == ["attempt", "d6", "d20", "d4", "held", "result"]
    assert {row["held"] for row in rows} == {"20"}
    assert {row["die"] for row in rows} == {"6", "4"}


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ("bid-table --bid 26", "'26' is not a bid: bids are 14 to 25, and 26+"),
        ("bid-table --chips 21", "'21': a number of chips is a whole number from 0 to 20"),
        ("odds --bid 20 --dice 12,10,8", "'12': what the d6 shows is a whole number from 1 to 6"),
        ("odds --bid 20 --dice 6,20", "all three faces are needed, d6,d20,d4"),
        ("odds --bid 20 --dice 1,1,1 --attempt 2 --held 12", "'12': the dice are 6, 20 and 4"),
        ("odds --bid 20 --dice 1,1,1 --attempt 2", "--attempt 2 needs --held 6, 20 or 4"),
    ],
)
def test_options_are_read_by_the_rules_wherever_they_stand(
    capsys: pytest.CaptureFixture[str], rules_file: str, arguments: str, said: str
) -> None:
    command, *rest = arguments.split()
    for given in ([command, "--rules", rules_file, *rest], [command, *rest, "--rules", rules_file]):
        done = in_process(capsys, *given)
        assert done.status == 2
        assert said in " ".join(done.err.split()), done.err


def test_a_range_leaves_out_what_cannot_be_bid(capsys: pytest.CaptureFixture[str], rules_file: str) -> None:
    asked = ("bid-table", "--bid", "24..26+", "--format", "csv", "--rules", rules_file)
    assert [row["bid"] for row in in_process(capsys, *asked).rows()] == ["24", "25", "26+"]


def test_a_faulty_rules_file_is_said_with_option_file_and_line(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file = tmp_path / "bad.toml"
    file.write_text("\ndice = [12, 12, 8]\n")
    for command in ("bid-table", "hold-table --bid 20", "odds --bid 20 --dice 1,2,3"):
        done = in_process(capsys, *command.split(), "--rules", str(file))
        assert (done.status, done.out) == (2, "")
        assert "--rules" in done.err
        assert f"{file}:2: dice" in done.err


def test_every_output_says_which_rules(capsys: pytest.CaptureFixture[str], rules_file: str, tmp_path: Path) -> None:
    table, picture = tmp_path / "t.csv", tmp_path / "t.svg"
    done = in_process(capsys, "bid-table", "--rules", rules_file, "--csv", str(table), "--png", str(picture))
    assert done.status == 0, done.err
    rules = json.loads((tmp_path / "t.csv.meta.json").read_text())["rules"]
    assert rules["name"].startswith("changed: ")
    for text in (done.out, picture.read_text()):
        assert rules["hash"] in text
    standard = in_process(capsys, "bid-table", "--bid", "20", "--csv", str(table))
    assert json.loads((tmp_path / "t.csv.meta.json").read_text())["rules"]["name"] == "standard"
    assert f"rules standard ({STANDARD.digest})" in " ".join(standard.out.split())


def test_simulation_from_the_command_line_follows_the_rules(
    capsys: pytest.CaptureFixture[str], rules_file: str
) -> None:
    asked = ("bid-table", "--bid", "20", "--simulate", "1e5", "--hold", "random", "--format", "csv")
    (row,) = in_process(capsys, *asked, "--rules", rules_file).rows()
    assert abs(float(row["sim_p_success_z"])) < 4.6
    assert dice_of((6, 20, 4)).n_rolls == 480
