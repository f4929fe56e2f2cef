"""Stopping rules: the boundary against its formula, what they say, and how often they are ever wrong."""

import numpy as np
import pytest
from raw_games import all_line_ups, drawn_wins, looks, true_shares
from scipy.optimize import minimize_scalar
from scipy.special import lambertw

from analyzer.means import LineUpMeans, StrategyMeans
from analyzer.sequential import SHARE_SPAN, boundary, race, radius, sign_known, target_error, until_decided


def shares(values: list[float], error: float, games: int = 10_000, blocks: int = 10_000) -> StrategyMeans:
    """Return independent win shares of the same error."""
    size = len(values)
    return StrategyMeans(np.full(size, games), np.full(size, blocks), np.array(values), np.eye(size) * error**2)


@pytest.mark.parametrize("alpha", [0.05, 0.001])
def test_the_boundary_is_robbins_mixture_tuned_to_the_planned_number(alpha: float) -> None:
    planned = 400

    def mixture(n: int, square: float) -> float:
        return np.sqrt((n * square + 1) / (n * square) * (2 * np.log(1 / alpha) + np.log(n * square + 1)))

    tuned = float((-lambertw(-(alpha**2) / np.e, -1) - 1).real) / planned
    best = minimize_scalar(lambda log: mixture(planned, np.exp(log)), bounds=(-10, 2), method="bounded")
    assert boundary(np.array(planned), planned, alpha) == pytest.approx(best.fun)
    for n in (1, 40, 400, 40_000):
        assert boundary(np.array(n), planned, alpha) == pytest.approx(mixture(n, tuned))


def test_a_radius_is_never_less_than_what_may_be_unseen() -> None:
    for alpha in (0.05, 1e-4):
        for n in (2, 100, 10_000):
            assert radius(np.zeros(1), np.array([n]), np.array([n]), 1000, alpha, 2.0)[0] >= 2 * np.log(1 / alpha) / n


def test_observations_without_a_known_span_count_by_their_error_alone() -> None:
    found = radius(np.array([2.0]), np.array([50]), np.array([50]), 1000, 0.05, 0.0)
    assert found[0] == pytest.approx(2 * boundary(np.array(50), 1000, 0.05))


def test_the_best_is_decided_when_it_beats_all_others() -> None:
    reach = boundary(np.array(10_000), 10_000, 0.05 / 2) * np.sqrt(2) * 0.01
    close, clear = (until_decided(shares([0.2, 0.4 + gap, 0.4], 0.01), 10_000) for gap in (0.9 * reach, 1.1 * reach))
    assert not close.stop
    assert clear.stop
    assert [round(e.value, 6) for e in clear.intervals] == [round(x, 6) for x in (-0.2 - 1.1 * reach, 0, -1.1 * reach)]
    assert (clear.intervals[1].low, clear.intervals[1].high) == (0, 0)
    assert clear.intervals[2].high == pytest.approx(-0.1 * reach, rel=0.02)
    assert clear.intervals[2].low == pytest.approx(-2.1 * reach, rel=0.02)
    # Not decided: either of the two may be the best.
    assert [e.high == 0 for e in close.intervals] == [False, True, True]
    assert close.intervals[1].low < 0


def test_who_is_beaten_for_certain_leaves_the_race() -> None:
    found = race(shares([0.2, 0.45, 0.4], 0.02), 10_000)
    assert found.contenders.tolist() == [False, True, True]
    assert not found.decided


def test_the_error_is_shared_out_among_all_that_started() -> None:
    reach = boundary(np.array(10_000), 10_000, 0.05) * np.sqrt(2) * 0.01
    two = shares([0.4, 0.4 + 1.05 * reach], 0.01)
    assert race(two, 10_000).decided
    assert not race(two, 10_000, started=100).decided


def test_strategies_that_never_differ_are_never_decided() -> None:
    assert not until_decided(shares([0.5, 0.5], 0.0), 100).stop


def test_a_certain_winner_is_decided_after_a_few_games() -> None:
    at = [n for n in range(2, 100) if until_decided(shares([1.0, 0.0], 0.0, n, n), 1000).stop]
    assert at == list(range(at[0], 100))
    assert 6 < at[0] < 30


def test_every_share_must_be_within_the_target() -> None:
    means = shares([0.5, 0.001], 0.01)
    half = float(radius(np.array([0.01]), np.array([10_000]), np.array([10_000]), 10_000, 0.05, SHARE_SPAN)[0])
    found = target_error(means, half * 1.001, 10_000)
    assert found.stop
    assert not target_error(means, half * 0.999, 10_000).stop
    assert (found.intervals[0].low, found.intervals[0].high) == pytest.approx((0.5 - half, 0.5 + half))
    assert found.intervals[1].low == 0


def test_a_sign_is_known_when_zero_is_outside() -> None:
    found = sign_known(-0.1, 0.01, 1000, 1000)
    (interval,) = found.intervals
    assert found.stop
    assert interval.high is not None
    assert interval.high < 0
    assert not sign_known(-0.01, 0.01, 1000, 1000).stop


def test_nothing_is_decided_before_errors_are_known() -> None:
    line_ups = all_line_ups(2, 2)
    (part,) = looks(line_ups, drawn_wins(line_ups, 1, np.ones(2), np.random.default_rng(0)), np.array([1]))
    means = StrategyMeans.of([part], 2)
    for verdict in (until_decided(means, 100), target_error(means, 1.0, 100), sign_known(0.5, float("nan"), 1, 100)):
        assert not verdict.stop
        assert all(interval.low is None for interval in verdict.intervals)
    assert race(means, 100).contenders.all()


def limit(alpha: float, runs: int) -> float:
    """Return what a share of runs does not exceed by chance (one in 30,000) where alpha is the truth."""
    return alpha + 4 * np.sqrt(alpha * (1 - alpha) / runs)


@pytest.mark.slow
@pytest.mark.parametrize("first", [5, 50])
@pytest.mark.parametrize("share", [0.5, 0.1, 0.02, 0.005])
@pytest.mark.parametrize("alpha", [0.05, 0.05 / 19])
def test_the_truth_is_rarely_ever_outside(share: float, first: int, alpha: float) -> None:
    rng, runs, games = np.random.default_rng(11), 4000, 3000
    at = np.arange(first, games + 1, first)
    won = (rng.uniform(size=(runs, games)) < share).cumsum(axis=1)[:, at - 1]
    means, outside = won / at, np.zeros(runs, bool)
    errors = np.sqrt(means * (1 - means) / (at - 1))
    for look, n in enumerate(at.tolist()):
        radii = radius(errors[:, look], np.full(runs, n), np.array([n]), games, alpha, SHARE_SPAN)
        outside |= np.abs(means[:, look] - share) > radii
    assert outside.mean() <= limit(alpha, runs)


@pytest.mark.slow
def test_an_ordinary_interval_looked_at_often_is_wrong_more_often_than_it_says() -> None:
    """What the boundary is for: 1.96 standard errors at each of 200 looks."""
    rng, at = np.random.default_rng(11), np.arange(10, 2001, 10)
    means = (rng.uniform(size=(2000, 2000)) < 0.5).cumsum(axis=1)[:, at - 1] / at
    outside = np.abs(means - 0.5) > 1.96 * np.sqrt(means * (1 - means) / (at - 1))
    assert np.mean(outside.any(axis=1)) > 0.3


def run_race(weights: np.ndarray, rng: np.random.Generator, at: np.ndarray, level: float) -> tuple[bool, bool, int]:
    """Play until decided; return whether that was so, whether anything said on the way was wrong, and when it ended."""
    line_ups = all_line_ups(len(weights), 2)
    truth = true_shares(line_ups, weights)
    best = np.isclose(truth, truth.max())
    wrong = False
    for part in looks(line_ups, drawn_wins(line_ups, int(at[-1]), weights, rng), at):
        means = StrategyMeans.of([part], len(weights))
        found = race(means, int(at[-1]), level)
        behind = [(e.low, e.value, e.high) for e in found.behind]
        covered = all(
            low - 1e-9 <= t <= high + 1e-9 for (low, _, high), t in zip(behind, truth - truth.max(), strict=True)
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
def test_shares_at_the_target_cover_the_truth() -> None:
    rng, runs, weights = np.random.default_rng(13), 500, np.array([2.0, 1.0, 0.3])
    line_ups, at = all_line_ups(3, 3), np.arange(5, 301, 5)
    truth, covered = true_shares(line_ups, weights), np.zeros(3)
    for _ in range(runs):
        for part in looks(line_ups, drawn_wins(line_ups, 300, weights, rng), at):
            found = target_error(StrategyMeans.of([part], 3), 0.05, 150)
            if found.stop:
                break
        assert found.stop
        covered += [e.low <= t <= e.high for e, t in zip(found.intervals, truth, strict=True)]
    assert np.all(1 - covered / runs <= limit(0.05, runs))


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
            left = left[race(StrategyMeans.of([part], 13).only(left), 600, 0.8, started=12).contenders]
        kept += best in left
        played += part.blocks.sum()
    assert kept / runs >= 1 - limit(0.2, runs)
    assert played < 0.7 * runs * 12 * 600


def only_some_played_on(before: LineUpMeans, after: LineUpMeans, left: np.ndarray) -> LineUpMeans:
    blocks, values, covariance = before.blocks.copy(), before.values.copy(), before.covariance.copy()
    blocks[left], values[left], covariance[left] = after.blocks[left], after.values[left], after.covariance[left]
    return LineUpMeans(before.line_ups, blocks, values, covariance)
