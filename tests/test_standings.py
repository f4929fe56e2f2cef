"""Standings, comparisons and luck of tournaments against a slow twin, by hand, and their coverage."""

import math
from itertools import combinations

import numpy as np
import plain_standings as plain
import pytest
from raw_games import all_line_ups, chances, drawn_wins, limit, looks, made_up_games, shares_of, sums_of, true_shares
from scipy.stats import t

from analyzer.bounds import DIFFERENCE_SPAN, ORDINARY, Bounds
from analyzer.comparisons import holm, pairwise, tie_groups
from analyzer.design import Design
from analyzer.line_up_sums import LineUpSums
from analyzer.line_ups import balanced
from analyzer.luck import SOURCES, duplicate_factors, luck_and_skill
from analyzer.means import LineUpMeans, StrategyMeans, covariance_of_means, mean_margins, mean_win_shares
from analyzer.standings import by_seat, standings
from analyzer.stats import Estimate

NAMES = ["ann", "bob", "cy"]
SAMPLED = Design(sampled=True)


def tables_of(line_ups: np.ndarray, scores: np.ndarray) -> list[plain.Table]:
    both = np.stack([shares_of(scores) / 60, scores], axis=-1).tolist()
    return [
        (players, [[[tuple(p) for p in s] for s in b] for b in blocks])
        for players, blocks in zip(line_ups.tolist(), both, strict=True)
    ]


@pytest.fixture(scope="module")
def field() -> tuple[list[LineUpSums], list[plain.Table]]:
    """Three strategies at tables of two and of three, with different numbers of blocks."""
    rng = np.random.default_rng(5)
    runs, tables = [], []
    for players, blocks in ((2, 9), (3, 7)):
        line_ups = all_line_ups(3, players)
        scores = made_up_games(line_ups, blocks, np.array([0.0, 0.3, 2.0]), rng)
        runs.append(sums_of(line_ups, scores))
        tables += tables_of(line_ups, scores)
    return runs, tables


def interval(value: float, variance: float, freedom: float) -> tuple[float, float, float]:
    half = t.ppf(0.975, freedom) * variance**0.5
    return value, value - half, value + half


def wilson(share: float, variance: float, freedom: float) -> tuple[float, float, float]:
    """Wilson's interval as the roots of (p - share)^2 = t^2 p (1 - p) / n."""
    n, z = share * (1 - share) / variance, t.ppf(0.975, freedom)
    low, high = np.sort(np.roots([1 + z**2 / n, -2 * share - z**2 / n, share**2]).real)
    return share, low, high


def figures(row: dict, name: str) -> tuple:
    return row[name], row[f"{name}_low"], row[f"{name}_high"]


def test_standings_equal_the_twins(field) -> None:
    runs, tables = field
    rows = standings(runs, NAMES)
    assert list(rows[0]) == [
        "strategy", "games", "win_share", "win_share_low", "win_share_high", "margin", "margin_low", "margin_high",
        "rating", "rating_low", "rating_high", "group",
    ]  # fmt: skip
    assert [row["win_share"] for row in rows] == sorted((row["win_share"] for row in rows), reverse=True)
    groups = plain.tie_groups(tables, 3, 0.95)
    for row in rows:
        at = NAMES.index(row["strategy"])
        assert row["games"] == plain.games(tables, at)
        assert figures(row, "win_share") == pytest.approx(wilson(*plain.mean(tables, at, "win")))
        assert figures(row, "margin") == pytest.approx(interval(*plain.mean(tables, at, "margin")))
        assert row["group"] == groups[at]


def test_differences_equal_the_twins(field) -> None:
    runs, tables = field
    for found, what in ((mean_win_shares(runs, 3), "win"), (mean_margins(runs, 3), "margin")):
        differences, variances = found.differences()
        for a, b in combinations(range(3), 2):
            assert (differences[a, b], variances[a, b]) == pytest.approx(plain.difference(tables, a, b, what)[:2])


def test_pairwise_equals_the_twin(field) -> None:
    runs, tables = field
    rows = pairwise(runs, NAMES)
    assert [(row["strategy"], row["opponent"]) for row in rows] == list(combinations(NAMES, 2))
    expected = [plain.meeting(tables, a, b, "win") for a, b in combinations(range(3), 2)]
    adjusted = plain.holm([plain.p_value(*figures) for *figures, _ in expected])
    for row, (a, b), (value, spread, free, apart), p in zip(
        rows, combinations(range(3), 2), expected, adjusted, strict=True
    ):
        assert row["games"] == sum(len(blocks) for players, blocks in tables if a in players and b in players)
        assert figures(row, "win_share") == pytest.approx(interval(value, spread, free))
        assert figures(row, "score") == pytest.approx(interval(*plain.meeting(tables, a, b, "score")[:3]))
        assert row["p"] == pytest.approx(plain.p_value(value, spread, free))
        assert row["p_holm"] == pytest.approx(p)
        assert row["pairing"] == pytest.approx(apart / spread)


def test_seats_equal_the_twin(field) -> None:
    runs, tables = field
    rows = by_seat(runs, NAMES)
    assert len(rows) == 3 * (3 + 4)
    for row in rows:
        at, here = NAMES.index(row["strategy"]), [table for table in tables if len(table[0]) == row["players"]]
        assert row["games"] == plain.games(here, at)
        if row["seat"] is None:
            share, score = plain.mean(here, at, "win"), plain.mean(here, at, "score")
        else:
            share, score = (plain.at_seat(here, at, row["seat"], what) for what in (0, 1))
        assert figures(row, "win_share") == pytest.approx(wilson(*share))
        assert figures(row, "score") == pytest.approx(interval(*score))


def test_factors_of_duplicate_games_equal_the_twin(field) -> None:
    """Tables of copies alone, who share every victory, do not count."""
    runs, tables = field[0], [table for table in field[1] if len(set(table[0])) > 1]
    rows = duplicate_factors(runs, NAMES)
    assert [row["strategy"] for row in rows] == [*NAMES, None]
    for at, row in enumerate(rows[:3]):
        assert row["win_share"] == pytest.approx(plain.duplicate_factor(tables, at, 0))
        assert row["score"] == pytest.approx(plain.duplicate_factor(tables, at, 1))
    one_strategy = [([0] * len(players), blocks) for players, blocks in tables]
    assert rows[-1]["score"] == pytest.approx(plain.duplicate_factor(one_strategy, 0, 1))


def test_a_small_example_by_hand() -> None:
    """Two blocks of A against B: A wins both games of the first (10 : 4 and 7 : 3) and one of the second."""
    scores = np.array([[[[10, 4], [7, 3]], [[6, 2], [1, 5]]]])
    ann, bob = standings([sums_of(np.array([[0, 1]]), scores)], NAMES[:2])
    assert (ann["strategy"], ann["games"], ann["win_share"]) == ("ann", 2, 0.75)
    # Observations 1 and 1/2: variance 1/8, of their mean 1/16; so 3/16 / (1/16) = 3 trials, of which 2.25 were won.
    # Two blocks leave one degree of freedom: Student's distribution is Cauchy's.
    z = math.tan(0.475 * math.pi)
    centre, half = (0.75 + z**2 / 6) / (1 + z**2 / 3), z / (1 + z**2 / 3) * (3 / 48 + z**2 / 36) ** 0.5
    assert figures(ann, "win_share")[1:] == pytest.approx((centre - half, centre + half))
    # Margins: (6 + 4) / 2 = 5 and (4 - 4) / 2 = 0.
    assert figures(ann, "margin") == pytest.approx((2.5, 2.5 - z * 2.5, 2.5 + z * 2.5))
    assert figures(bob, "margin") == pytest.approx((-2.5, -2.5 - z * 2.5, -2.5 + z * 2.5))
    # The difference is 1/2 with a standard error of 1/2: p = 1/2.
    assert ann["group"] == bob["group"] == 1
    (row,) = pairwise([sums_of(np.array([[0, 1]]), scores)], NAMES[:2])
    assert figures(row, "win_share") == pytest.approx((0.5, -1, 1))
    assert row["p"] == pytest.approx(0.5)
    # Each other's losses: independent, the difference would have half the variance.
    assert row["pairing"] == pytest.approx(0.5)


def test_copies_of_a_strategy_share_one_observation() -> None:
    """A A B: A's copies win 1/2 + 1/2 and 1/3 + 0 of three seatings; appearances, not strategies, weigh the same."""
    wins = np.array([[[[60, 0, 0], [0, 0, 60], [0, 60, 0]], [[60, 0, 0], [0, 0, 60], [0, 0, 60]]]])
    found = StrategyMeans.of([LineUpMeans.win_shares(sums_of(np.array([[0, 0, 1]]), wins, wins))], 2)
    assert found.values == pytest.approx([(2 + 1) / 12, (1 + 2) / 6])
    # Means of the two copies: 1/3 and 1/6 of a game; variance of the mean of two: (1/6)^2 / 4.
    assert found.variances[0] == pytest.approx(1 / 144)
    assert found.games.tolist() == [2, 2]
    assert found.blocks.tolist() == [2, 2]


def test_errors_of_a_random_choice_of_line_ups_are_those_between_line_ups() -> None:
    """One player of each strategy at a table: means of line-up means, their variance, and line-ups less one."""
    line_ups = np.array([[0, 1], [0, 2], [1, 2], [0, 1], [0, 2]])
    scores = made_up_games(line_ups, 6, np.array([0.0, 1.0, 2.0]), np.random.default_rng(4))
    sums = sums_of(line_ups, scores)
    shares = np.where(np.arange(2) == 0, *(shares_of(scores).mean(axis=(1, 2))[:, [i]] / 60 for i in (0, 1)))
    rows = {row["strategy"]: row for row in standings([sums], NAMES, design=SAMPLED)}
    margins = mean_margins([sums], 3, sampled=True)
    assert margins.observations[0].tolist() == [4, 3, 3]
    for at, name in enumerate(NAMES):
        mine = shares[line_ups == at]
        found = wilson(mine.mean(), mine.var(ddof=1) / len(mine), len(mine) - 1)
        assert figures(rows[name], "win_share") == pytest.approx(found)
    meetings = {(row["strategy"], row["opponent"]): row for row in pairwise([sums], NAMES, design=SAMPLED)}
    ahead = shares[[0, 3], 0] - shares[[0, 3], 1]
    _, low, high = interval(ahead.mean(), ahead.var(ddof=1) / 2, 1)
    assert figures(meetings["ann", "bob"], "win_share") == pytest.approx((ahead.mean(), max(low, -1), min(high, 1)))
    assert meetings["bob", "cy"]["win_share_low"] is None
    all_seats = [row for row in by_seat([sums], NAMES, design=SAMPLED) if row["seat"] is None]
    assert all(figures(row, "win_share") == figures(rows[row["strategy"]], "win_share") for row in all_seats)


def test_a_single_random_line_up_tells_no_error_and_makes_one_group() -> None:
    sums = sums_of(np.array([[0, 1]]), np.tile([[[5, 1], [5, 1]]], (1, 500, 1, 1)))
    assert [row["group"] for row in standings([sums], NAMES[:2])] == [1, 2]
    for row in standings([sums], NAMES[:2], design=SAMPLED):
        assert row["group"] == 1
        assert row["win_share_low"] is row["margin_low"] is None


def test_only_candidates_of_a_gauntlet_are_in_groups() -> None:
    """Each plays the field alone: the same strategy in the field has other opponents, so other win shares."""
    line_ups = np.array([[0, 2], [0, 3], [1, 2], [1, 3]])
    sums = sums_of(line_ups, made_up_games(line_ups, 300, np.array([2.0, 0.0, 2.0, 0.0]), np.random.default_rng(9)))
    names = ["good", "bad", "good too", "bad too"]
    groups = {row["strategy"]: row["group"] for row in standings([sums], names, design=Design(candidates=2))}
    assert groups == {"good": 1, "bad": 2, "good too": None, "bad too": None}
    assert {row["group"] for row in standings([sums], names, design=Design(candidates=1))} == {None}


def test_rows_are_plain_python(field) -> None:
    runs, _ = field
    for rows in (standings(runs, NAMES), pairwise(runs, NAMES), by_seat(runs, NAMES), luck_and_skill(runs[0])):
        assert {type(value) for row in rows for value in row.values()} <= {str, int, float, type(None)}


def test_batches_do_not_matter(field) -> None:
    runs, _ = field
    in_batches = [LineUpSums.joined([run, LineUpSums.nothing(run.line_ups)]) for run in runs]
    assert standings(in_batches, NAMES) == standings(runs, NAMES)
    assert by_seat(in_batches, NAMES) == by_seat(runs, NAMES)


def test_ratings_stand_before_the_group() -> None:
    scores = np.array([[[[10, 4], [7, 3]], [[6, 2], [1, 5]]]])
    rows = standings([sums_of(np.array([[0, 1]]), scores)], NAMES[:2], ratings=[Estimate(1.0, 0.5, 1.5), None])
    assert figures(rows[0], "rating") == (1.0, 0.5, 1.5)
    assert figures(rows[1], "rating") == (None, None, None)
    assert list(rows[0])[-2:] == ["rating_high", "group"]


def test_identical_strategies_end_in_one_group_and_a_better_one_is_found() -> None:
    line_ups = all_line_ups(4, 3)
    scores = made_up_games(line_ups, 200, np.array([0.0, 0.0, 0.0, 1.0]), np.random.default_rng(8))
    rows = standings([sums_of(line_ups, scores)], ["a", "b", "c", "best"])
    assert {row["strategy"]: row["group"] for row in rows} == {"best": 1, "a": 2, "b": 2, "c": 2}


def test_copies_under_different_names_that_never_differ_tie() -> None:
    """Identical strategies at one table: all rotations are the same game, so each block is worth 1/k to each."""
    line_ups = all_line_ups(2, 3)
    game = np.random.default_rng(1).integers(0, 9, (4, 5, 1, 3))
    scores = np.concatenate([np.roll(game, r, axis=3) for r in range(3)], axis=2)
    sums = sums_of(line_ups, scores)
    found = mean_win_shares([sums], 2)
    assert found.values == pytest.approx([1 / 3, 1 / 3])
    assert found.variances.tolist() == [0, 0]
    assert tie_groups(found) == [1, 1]
    assert [row["win_share"] for row in duplicate_factors([sums], NAMES[:2])] == [None, None, None]
    assert all(row["pairing"] is None and row["p"] == 1 for row in pairwise([sums], NAMES[:2]))


def test_a_strategy_that_meets_only_itself_has_no_margin() -> None:
    line_ups = np.array([[0, 0], [1, 2]])
    sums = sums_of(line_ups, made_up_games(line_ups, 6, np.zeros(3), np.random.default_rng(2)))
    rows = {row["strategy"]: row for row in standings([sums], NAMES)}
    assert rows["ann"]["win_share"] == 0.5
    assert figures(rows["ann"], "margin") == (0, None, None)
    assert [(row["strategy"], row["opponent"]) for row in pairwise([sums], NAMES)] == [("bob", "cy")]


def test_who_always_wins_is_certainly_better_and_no_share_leaves_0_to_1() -> None:
    scores = np.tile([[[5, 1], [5, 1]]], (1, 8, 1, 1))
    sums = sums_of(np.array([[0, 1]]), scores)
    ann, bob = standings([sums], NAMES[:2])
    assert (ann["win_share"], ann["win_share_high"]) == (1, 1)
    assert (bob["win_share"], bob["win_share_low"]) == (0, 0)
    assert 0.5 < ann["win_share_low"] < 1
    assert (ann["group"], bob["group"]) == (1, 2)
    row = pairwise([sums], NAMES[:2])[0]
    # Were the truth no difference, each of 8 blocks would have had at most even chances to be as it was.
    assert row["p"] == pytest.approx(2 * 0.5**8)
    assert figures(row, "win_share") == pytest.approx((1, 1 - 2 * (1 - 0.025 ** (1 / 8)), 1))
    two = sums_of(np.array([[0, 1]]), scores[:, :2])
    assert [row["group"] for row in standings([two], NAMES[:2])] == [1, 1]
    assert figures(standings([two], NAMES[:2])[0], "margin") == (4, None, None)


def test_one_block_tells_no_error() -> None:
    line_ups = all_line_ups(2, 2)
    sums = sums_of(line_ups, made_up_games(line_ups, 1, np.zeros(2), np.random.default_rng(3)))
    for row in standings([sums], NAMES[:2]):
        assert row["win_share"] is not None
        assert row["win_share_low"] is row["win_share_high"] is row["margin_low"] is None
        assert row["group"] == 1
    assert pairwise([sums], NAMES[:2])[0]["win_share_low"] is None
    assert all(row["score"] is not None and row["score_low"] is None for row in by_seat([sums], NAMES[:2]))
    assert all(row["share"] is None for row in luck_and_skill(sums))
    assert duplicate_factors([sums], NAMES[:2])[-1] == {"strategy": None, "win_share": None, "score": None}


def test_strategies_and_line_ups_without_games_are_left_out() -> None:
    line_ups = all_line_ups(3, 2)
    sums = sums_of(line_ups[:3], made_up_games(line_ups[:3], 5, np.zeros(3), np.random.default_rng(4)))
    nothing = LineUpSums.nothing(line_ups[3:])
    some, all_of_them = standings([sums, nothing], NAMES), standings([sums], NAMES)
    assert {row["group"] for row in some} == {None}  # while some have not played, opponents differ
    assert [row | {"group": None} for row in all_of_them] == some
    assert all(row["group"] for row in all_of_them)
    rows = {row["strategy"]: row for row in standings([LineUpSums.nothing(line_ups)], NAMES)}
    assert rows["cy"]["games"] == 0
    assert rows["cy"]["win_share"] is rows["cy"]["margin"] is rows["cy"]["group"] is None
    assert pairwise([nothing], NAMES) == by_seat([nothing], NAMES) == []
    assert all(row["share"] is None for row in luck_and_skill(nothing))


def test_a_difference_has_its_own_degrees_of_freedom(field: tuple[list[LineUpSums], list[plain.Table]]) -> None:
    means = mean_win_shares(field[0], 3)
    assert means.freedom is not None
    parts = [LineUpMeans.win_shares(part) for part in field[0]]
    places = [sum((part.line_ups == who).sum() for part in parts) for who in range(3)]
    for one in range(3):
        for other in range(3):
            variances, doubts = 0.0, 0.0
            for part in parts:
                for line_up, covariance, n in zip(part.line_ups, part.covariance, part.blocks, strict=True):
                    weights = (line_up == one) / places[one] - (one != other) * (line_up == other) / places[other]
                    variance = weights @ covariance @ weights
                    variances, doubts = variances + variance, doubts + variance**2 / (n - 1)
            assert means.freedom[one, other] == pytest.approx(variances**2 / doubts)


def test_covariances_neither_overflow_nor_cancel() -> None:
    """Two values that differ by 1 about a large mean, n so large that n * the sum of squares overflows."""
    n, value = 10**10, 10**4
    totals = np.array([n * value + n // 2])
    products = np.array([[n // 2 * value**2 + n // 2 * (value + 1) ** 2]])
    assert covariance_of_means(totals, products, np.array(n))[0, 0] == pytest.approx(0.25 / (n - 1), rel=1e-12)


def test_holm_equals_the_twin() -> None:
    rng = np.random.default_rng(6)
    for size in (1, 2, 7):
        p = rng.uniform(size=size) ** 3
        assert holm(p) == pytest.approx(plain.holm(p.tolist()))
    assert holm(np.array([0.01, 0.04, 0.03])) == pytest.approx([0.03, 0.06, 0.06])


def test_no_difference_is_no_evidence_and_unknown_errors_are_none() -> None:
    n = np.full(5, 9)
    found = ORDINARY.p_values(np.array([0.0, 1e-17, 0.1, 0.1, 2.306]), np.array([0.0, 0.0, 0.0, np.nan, 1.0]), n, n)
    assert found == pytest.approx([1, 1, 1, 1, 0.05], abs=1e-4)


def luck_shares(rows: list) -> dict:
    return {row["source"]: row["share"] for row in rows}


def test_luck_and_skill_find_known_components() -> None:
    """Scores that are sums of independent effects of known variance; few blocks, so that errors must be taken out."""
    rng = np.random.default_rng(7)
    line_ups = all_line_ups(6, 3)
    n, blocks = len(line_ups), 4
    strength = np.array([-30, -20, -10, 10, 20, 30])
    seats = (np.arange(3)[:, None] + np.arange(3)[None, :]) % 3
    table = rng.normal(0, 10, (n, 1, 1, 3))
    noise = rng.normal(0, 40, (n, blocks, 3, 3))
    scores = strength[line_ups][:, None, None, :] + table + np.array([12, 0, -12])[seats] + noise
    found = luck_shares(luck_and_skill(sums_of(line_ups, np.rint(scores).astype(np.int64))))
    own = np.array([strength.var(), 100, 96, 1600])
    assert sum(found.values()) == pytest.approx(1)
    assert [found[source] for source in SOURCES] == pytest.approx(own / own.sum(), abs=0.04)


def test_scores_decided_by_strategy_alone_are_skill_alone() -> None:
    line_ups = all_line_ups(3, 2)
    scores = np.broadcast_to(np.array([1, 5, 9])[line_ups][:, None, None, :], (6, 10, 2, 2))
    parts = [sums_of(line_ups, scores[:, i : i + 2]) for i in range(0, 10, 2)]
    rows = luck_and_skill(LineUpSums.joined(parts))
    assert luck_shares(rows) == pytest.approx({"strategy": 1, "opponents": 0, "seat": 0, "deck and dice": 0})
    assert figures(rows[0], "share") == pytest.approx((1, 1, 1))


def test_scores_that_are_all_the_same_have_nothing_to_explain() -> None:
    line_ups = all_line_ups(2, 2)
    assert set(luck_shares(luck_and_skill(sums_of(line_ups, np.full((3, 4, 2, 2), 7)))).values()) == {None}


def near(found: np.ndarray, expected: float, runs: int) -> np.ndarray:
    """Whether shares of runs lie within four standard errors (one in 15,000 does not) and half a percent of theory."""
    return np.abs(found - expected) <= 0.005 + 4 * np.sqrt(expected * (1 - expected) / runs)


@pytest.mark.slow
def test_intervals_cover_the_truth_as_often_as_they_say() -> None:
    """Win shares, margins, meetings and seats of a field of known chances; the score of a game is its win share."""
    rng, runs, weights = np.random.default_rng(21), 1500, np.array([2.0, 1.0, 0.6])
    line_ups = all_line_ups(3, 3)
    truth = true_shares(line_ups, weights)
    covered: dict[str, list[bool]] = {"win_share": [], "margin": [], "meeting": [], "seat": []}
    each = chances(line_ups, weights)
    from_first_seat = np.array([each[:, [0, 2, 1], [0, 1, 2]][line_ups == s].mean() for s in range(3)])
    for _ in range(runs):
        wins = drawn_wins(line_ups, 40, weights, rng)
        sums = [sums_of(line_ups, wins // 60, wins)]
        for row in standings(sums, NAMES):
            share = truth[NAMES.index(row["strategy"])]
            covered["win_share"].append(row["win_share_low"] <= share <= row["win_share_high"])
            covered["margin"].append(row["margin_low"] <= share - (1 - share) / 2 <= row["margin_high"])
        row = pairwise(sums, NAMES)[0]
        covered["meeting"].append(row["win_share_low"] <= meeting_truth(line_ups, each) <= row["win_share_high"])
        for row in by_seat(sums, NAMES):
            if row["seat"] == 0:
                share = from_first_seat[NAMES.index(row["strategy"])]
                covered["seat"].append(row["win_share_low"] <= share <= row["win_share_high"])
    for name in ("win_share", "margin", "meeting"):
        assert near(np.mean(covered[name]), 0.95, runs), (name, np.mean(covered[name]))
    # Copies count as fully dependent: too wide rather than too narrow.
    assert np.mean(covered["seat"]) > 0.945


@pytest.mark.slow
@pytest.mark.parametrize("n", [14, 40])
def test_intervals_of_random_line_ups_cover_the_truth_of_all_line_ups(n: int) -> None:
    """Also where games are so many that the draw of line-ups is nearly all of the error; and no group is wrong."""
    runs, weights = 400, np.array([3.0, 1.5, 1.0, 1.0, 1.0, 0.8, 0.5])
    every = all_line_ups(7, 3)
    truth, covered, apart, wrong = true_shares(every, weights), [], [], 0
    for run in range(runs):
        rng = np.random.default_rng([31, run])
        line_ups = balanced(7, 3, n, run)
        sums = [sums_of(line_ups, wins // 60, wins) for wins in [drawn_wins(line_ups, 200, weights, rng)]]
        rows = standings(sums, [str(at) for at in range(7)], design=SAMPLED)
        covered += [row["win_share_low"] <= truth[int(row["strategy"])] <= row["win_share_high"] for row in rows]
        apart.append(mean_win_shares(sums, 7, sampled=True).p_values(ORDINARY, DIFFERENCE_SPAN)[2, 3] <= 0.05)
        best = {row["group"]: truth[int(row["strategy"])] for row in reversed(rows)}
        wrong += any(truth[int(row["strategy"])] >= best[g] for row in rows for g in best if g < row["group"])
    # As if line-ups were drawn with replacement: rather too wide.
    assert np.mean(covered) > 0.945, np.mean(covered)
    assert np.mean(apart) <= limit(0.05, runs), np.mean(apart)
    assert wrong / runs <= limit(0.05, runs), wrong


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 3])
@pytest.mark.parametrize("blocks", [2, 3, 5, 10])
def test_few_deals_of_equals_are_no_evidence(players: int, blocks: int) -> None:
    """Also where results have not varied yet."""
    rng, runs, line_ups = np.random.default_rng(24), 1500, np.arange(players)[None, :]
    found = np.zeros(2)
    for _ in range(runs):
        wins = drawn_wins(line_ups, blocks, np.ones(players), rng)
        sums = sums_of(line_ups, wins // 60, wins)
        found += [
            pairwise([sums], NAMES[:players])[0]["p"] <= 0.05,
            tie_groups(mean_win_shares([sums], players)).count(1) < players,
        ]
    assert np.all(found / runs <= limit(0.05, runs)), found / runs


def meeting_truth(line_ups: np.ndarray, each: np.ndarray) -> float:
    """Return the true mean difference of the first two strategies at common tables."""
    mean = each.mean(axis=1)
    common = [at for at, line_up in enumerate(line_ups.tolist()) if {0, 1} <= set(line_up)]
    return np.mean([mean[at][line_ups[at] == 0].mean() - mean[at][line_ups[at] == 1].mean() for at in common])


@pytest.mark.slow
@pytest.mark.parametrize("weights", [[1, 1, 1, 1, 1], [2, 1, 1, 1, 1]], ids=str)
def test_who_is_no_worse_is_put_into_a_lower_group_no_more_often_than_stated(weights: list[float]) -> None:
    """Holm's familywise rate, at a level of 80 % where errors are frequent enough to be seen."""
    rng, runs = np.random.default_rng(22), 1500
    line_ups, chance = all_line_ups(5, 2), np.array(weights, float)
    wrong = 0
    for _ in range(runs):
        (part,) = looks(line_ups, drawn_wins(line_ups, 40, chance, rng), np.array([40]))
        means = StrategyMeans.of([part], 5)
        groups = np.array(tie_groups(means, Bounds(0.8)))
        leaders = [max(np.flatnonzero(groups == group), key=means.values.item) for group in set(groups)]
        wrong += any(np.any(chance[groups > groups[leader]] >= chance[leader]) for leader in leaders)
    assert wrong / runs <= 0.2 + 4 * np.sqrt(0.2 * 0.8 / runs)


@pytest.mark.slow
def test_shares_of_luck_are_unbiased_and_their_intervals_cover() -> None:
    rng, runs, strength = np.random.default_rng(23), 300, np.array([-8, 0, 8])
    line_ups = all_line_ups(3, 2)
    table = rng.normal(0, 4, (1, len(line_ups), 2))
    table -= np.array([table[0][line_ups == s].mean() for s in range(3)])[line_ups]
    truth = np.array([strength.var(), table.var(), 25, 400 + 1 / 12])
    truth /= truth.sum()
    seats = (np.arange(2)[:, None] + np.arange(2)[None, :]) % 2
    effects = strength[line_ups][:, None, None, :] + table[0][:, None, None, :] + np.array([5, -5])[seats]
    found, covered = [], []
    for _ in range(runs):
        scores = np.rint(effects + rng.normal(0, 20, (len(line_ups), 400, 2, 2))).astype(np.int64)
        rows = luck_and_skill(LineUpSums.joined([sums_of(line_ups, part) for part in np.split(scores, 20, axis=1)]))
        found.append([row["share"] for row in rows])
        covered.append([row["share_low"] <= t <= row["share_high"] for row, t in zip(rows, truth, strict=True)])
    assert np.mean(found, axis=0) == pytest.approx(truth, abs=4 * np.std(found, axis=0).max() / runs**0.5)
    assert np.all(near(np.mean(covered, axis=0), 0.95, runs)), np.mean(covered, axis=0)
