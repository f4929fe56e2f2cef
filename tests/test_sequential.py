"""Stopping rules: what they say, that standings say the same, and how often they are ever wrong."""

import numpy as np
import pytest
from raw_games import all_line_ups, drawn_wins, limit, looks, true_shares

from analyzer.bounds import DIFFERENCE_SPAN, SHARE_SPAN, Bounds, boundary, radius
from analyzer.comparisons import tie_groups
from analyzer.means import LineUpMeans, StrategyMeans
from analyzer.sequential import (
    NEGLIGIBLE,
    Verdict,
    race,
    target_error,
    until_decided,
    until_known,
    until_surely_alike,
)

BOUNDS = Bounds(planned=10_000)


def shares(values: list[float], error: float, games: int = 10_000, blocks: int = 10_000) -> StrategyMeans:
    """Return independent win shares of the same error."""
    size = len(values)
    return StrategyMeans(np.full(size, games), np.full(size, blocks), np.array(values), np.eye(size) * error**2)


def reach(alpha: float) -> float:
    """Return by how much two such shares with an error of 0.01 must differ, unseen results left out."""
    return float(boundary(np.array(10_000), 10_000, alpha) * np.sqrt(2) * 0.01)


def test_the_best_is_decided_when_it_is_alone_in_its_group() -> None:
    for gap, verdict in ((0.95, Verdict.OPEN), (1.05, Verdict.BEST)):
        means = shares([0.2, 0.4 + gap * reach(0.05), 0.4], 0.01)
        assert until_decided(means, BOUNDS) is verdict
        assert tie_groups(means, BOUNDS) == ([2, 1, 1] if verdict is Verdict.OPEN else [3, 1, 2])


def test_pairs_that_are_not_clear_make_the_best_one_harder_to_tell() -> None:
    """Holm: of three strategies, one pair is left to be tested in the case above, and here all three."""
    for gap, verdict in ((1.05, Verdict.OPEN), (1.2, Verdict.BEST)):
        assert until_decided(shares([0.4, 0.4 + gap * reach(0.05), 0.4], 0.01), BOUNDS) is verdict


def test_decided_is_exactly_what_the_groups_show() -> None:
    rng, found = np.random.default_rng(3), set()
    for _ in range(300):
        means = shares(rng.normal(0.5, 0.05, 4).tolist(), 0.01)
        alone = tie_groups(means, BOUNDS).count(1) == 1
        found.add(alone)
        assert until_decided(means, BOUNDS).stop == alone
    assert found == {False, True}


def test_a_race_says_how_far_each_lies_behind() -> None:
    gap = 1.1 * reach(0.05 / 2)
    close, clear = (race(shares([0.2, 0.4 + factor * gap, 0.4], 0.01), BOUNDS) for factor in (0.8, 1))
    assert (close.decided, clear.decided) == (False, True)
    assert [e.value for e in clear.behind] == pytest.approx([0.2 + gap, 0, gap])
    assert (clear.behind[1].low, clear.behind[1].high) == (0, 0)
    assert clear.behind[2].low == pytest.approx(gap / 11, rel=0.02)
    assert clear.behind[2].high == pytest.approx(21 * gap / 11, rel=0.02)
    # Not decided: either of the two may be the best.
    assert [e.low == 0 for e in close.behind] == [False, True, True]
    assert close.behind[1].high > 0


def test_who_is_beaten_for_certain_leaves_the_race() -> None:
    found = race(shares([0.2, 0.45, 0.4], 0.02), BOUNDS)
    assert found.contenders.tolist() == [False, True, True]
    assert not found.decided


def test_the_error_is_shared_out_among_all_that_started() -> None:
    two = shares([0.4, 0.4 + 1.05 * reach(0.05)], 0.01)
    assert race(two, BOUNDS).decided
    assert not race(two, BOUNDS, started=100).decided


def test_strategies_that_never_differ_are_never_decided_but_surely_alike_in_the_end() -> None:
    assert until_decided(shares([0.5, 0.5], 0.0), BOUNDS) is Verdict.OPEN
    at = [n for n in range(100, 40_000, 100) if until_surely_alike([shares([0.5, 0.5], 0.0, n, n)], BOUNDS).stop]
    assert at == list(range(at[0], 40_000, 100))
    counts = np.array([at[0]])
    assert radius(np.zeros(1), counts, counts, 10_000, 0.05, DIFFERENCE_SPAN)[0] == pytest.approx(NEGLIGIBLE, rel=0.02)


def test_a_certain_winner_is_decided_after_a_few_games() -> None:
    bounds = Bounds(planned=1000)
    at = [n for n in range(2, 100) if until_decided(shares([1.0, 0.0], 0.0, n, n), bounds).stop]
    assert at == list(range(at[0], 100))
    assert 6 < at[0] < 30


def test_every_share_must_be_within_the_target_as_it_is_shown() -> None:
    means = shares([0.5, 0.001], 0.01)
    half = float(radius(np.array([0.01]), np.array([10_000]), np.array([10_000]), 10_000, 0.05, SHARE_SPAN)[0])
    assert target_error(means, half * 1.001, BOUNDS) is Verdict.SHARES
    assert target_error(means, half * 0.999, BOUNDS) is Verdict.OPEN
    first, second = means.shares(BOUNDS)
    assert (first.low, first.high) == pytest.approx((0.5 - half, 0.5 + half))
    assert second.low == 0


def test_changes_are_known_when_holms_method_says_so_of_all() -> None:
    assert until_known([0.05, 0.02], BOUNDS) is Verdict.CHANGES
    assert until_known([0.04, 0.03], BOUNDS) is Verdict.OPEN
    assert until_known([0.06, 1e-9], BOUNDS) is Verdict.OPEN


def test_nothing_is_decided_before_errors_are_known() -> None:
    line_ups = all_line_ups(2, 2)
    (part,) = looks(line_ups, drawn_wins(line_ups, 1, np.ones(2), np.random.default_rng(0)), np.array([1]))
    means = StrategyMeans.of([part], 2)
    assert until_decided(means, BOUNDS) is target_error(means, 1.0, BOUNDS) is Verdict.OPEN
    found = race(means, BOUNDS)
    assert found.contenders.all()
    assert all(behind.low is None for behind in found.behind)


def test_nothing_is_decided_while_one_has_not_played() -> None:
    means = shares([0.9, 0.1, float("nan")], 0.001)
    means.games[2] = means.blocks[2] = 0
    means.covariance[2] = means.covariance[:, 2] = np.nan
    assert tie_groups(means, BOUNDS) == [1, 2, None]
    assert until_decided(means, BOUNDS) is Verdict.OPEN


def run_race(weights: np.ndarray, rng: np.random.Generator, at: np.ndarray, level: float) -> tuple[bool, bool, int]:
    """Play until decided; return whether that was so, whether anything said on the way was wrong, and when it ended."""
    line_ups, bounds = all_line_ups(len(weights), 2), Bounds(level, int(at[-1]))
    truth = true_shares(line_ups, weights)
    best = np.isclose(truth, truth.max())
    wrong = False
    for part in looks(line_ups, drawn_wins(line_ups, int(at[-1]), weights, rng), at):
        means = StrategyMeans.of([part], len(weights))
        found = race(means, bounds)
        behind = [(e.low, e.value, e.high) for e in found.behind]
        covered = all(
            low - 1e-9 <= t <= high + 1e-9 for (low, _, high), t in zip(behind, truth.max() - truth, strict=True)
        )
        wrong |= not covered or not found.contenders[best].any()
        if found.decided:
            return True, wrong or best.sum() > 1 or not best[means.values.argmax()], int(means.blocks[0])
    return False, wrong, int(at[-1])


@pytest.mark.slow
@pytest.mark.parametrize(
    "weights", [[1.0, 1.0, 1.0, 1.0], [1.5, 1.5, 1.0, 1.0], [2.0, 1.2, 1.0, 1.0], [1.0, 1.0]], ids=str
)
def test_a_race_is_wrong_no_more_often_than_stated(weights: list[float]) -> None:
    """At a level of 80 %, where errors are frequent enough to be seen; looking after every five blocks."""
    rng, runs = np.random.default_rng(12), 500
    ends = [run_race(np.array(weights), rng, np.arange(5, 301, 5), 0.8) for _ in range(runs)]
    assert np.mean([wrong for _, wrong, _ in ends]) <= limit(0.2, runs)
    if weights[0] > weights[1]:
        assert np.mean([decided for decided, _, _ in ends]) > 0.5


@pytest.mark.slow
def test_culling_in_stages_keeps_the_best_as_often_as_stated() -> None:
    """Twelve candidates against a fixed opponent, at a level of 80 %; who is no contender plays no more."""
    rng, runs, kept, played = np.random.default_rng(14), 300, 0, 0
    weights = np.repeat([0.4, 0.9, 1.0], [6, 5, 2])
    best, at = 11, np.arange(10, 601, 10)
    line_ups = np.stack([np.arange(12), np.full(12, 12)], axis=1)
    for _ in range(runs):
        left, part = np.arange(12), None
        for all_play in looks(line_ups, drawn_wins(line_ups, 600, weights, rng), at):
            part = all_play if part is None else only_some_played_on(part, all_play, left)
            left = left[race(StrategyMeans.of([part], 13).only(left), Bounds(0.8, 600), started=12).contenders]
        kept += best in left
        played += part.blocks.sum()
    assert kept / runs >= 1 - limit(0.2, runs)
    assert played < 0.7 * runs * 12 * 600


def only_some_played_on(before: LineUpMeans, after: LineUpMeans, left: np.ndarray) -> LineUpMeans:
    blocks, values, covariance = before.blocks.copy(), before.values.copy(), before.covariance.copy()
    blocks[left], values[left], covariance[left] = after.blocks[left], after.values[left], after.covariance[left]
    return LineUpMeans(before.line_ups, blocks, values, covariance)
