"""Intervals and expected numbers of outliers against SciPy and by counting."""

import numpy as np
import pytest
from scipy.stats import binom, binomtest, norm

from analyzer.stats import holm_lower_bounds, independent_trials, outside_probability, wilson, z_score


@pytest.mark.parametrize(("count", "n"), [(0, 10), (1, 10), (5, 10), (10, 10), (583_900, 1_000_000), (3, 10**9)])
@pytest.mark.parametrize("level", [0.9, 0.95, 0.999])
def test_wilson_equals_scipy(count: int, n: int, level: float) -> None:
    expected = binomtest(count, n).proportion_ci(level, method="wilson")
    assert wilson(count, n, level) == pytest.approx((expected.low, expected.high), abs=1e-12)


def test_wilson_covers_what_it_promises_on_average() -> None:
    """Exact coverage for n = 200, averaged over shares, is within half a percent of 95 %."""
    n, shares = 200, np.linspace(0.01, 0.99, 99)
    bounds = np.array([wilson(count, n) for count in range(n + 1)])
    coverage = [binom.pmf(np.arange(n + 1), n, p)[(bounds[:, 0] <= p) & (p <= bounds[:, 1])].sum() for p in shares]
    assert abs(np.mean(coverage) - 0.95) < 0.005


def test_z_score_is_missing_where_nothing_is_left_to_chance() -> None:
    assert z_score(0, 100, 0.0) is None
    assert z_score(100, 100, 1.0) is None
    assert z_score(60, 100, 0.5) == pytest.approx(2.0)


@pytest.mark.parametrize(("n", "p"), [(100, 0.5), (1000, 0.001), (1000, 1e-6), (50, 0.97), (10_000, 0.3)])
def test_chance_to_lie_outside_equals_a_count_over_all_results(n: int, p: float) -> None:
    k = np.arange(n + 1)
    z = (k - n * p) / np.sqrt(n * p * (1 - p))
    expected = binom.pmf(k, n, p)[np.abs(z) > 3].sum()
    assert outside_probability(n, p, 3.0) == pytest.approx(expected, rel=1e-9, abs=1e-15)


def test_chance_to_lie_outside_is_the_normal_one_for_large_numbers() -> None:
    assert outside_probability(10**10, 0.4, 3.0) == pytest.approx(0.0026998, rel=1e-3)
    assert outside_probability(10**10, 0.0, 3.0) == 0.0


def test_as_many_trials_as_would_have_the_same_error() -> None:
    wins = np.array([0, 60, 60, 0, 60, 0, 60, 60])
    assert independent_trials(int(wins.sum()), int((wins**2).sum()), 8, 60) == pytest.approx(7)  # n - 1 in a variance
    halves = np.array([0, 30, 60, 30, 60, 30, 30, 30])
    assert independent_trials(int(halves.sum()), int((halves**2).sum()), 8, 60) > 14
    assert independent_trials(8 * 60, 8 * 3600, 8, 60) == 8


def holm_by_p_values(p_values: np.ndarray, alpha: float) -> np.ndarray:
    """Holm's procedure as in the paper."""
    rejected, order = np.zeros(len(p_values), bool), np.argsort(p_values)
    for rank, at in enumerate(order):
        if p_values[at] > alpha / (len(p_values) - rank):
            break
        rejected[at] = True
    return rejected


def test_bounds_lie_over_the_null_exactly_where_holm_rejects() -> None:
    rng = np.random.default_rng(3)
    seen = 0
    for _ in range(300):
        null = rng.choice([1 / 2, 1 / 3, 1 / 6], 8)
        share, trials = np.minimum(null + rng.normal(0.03, 0.02, 8), 1), rng.uniform(500, 3000, 8)
        p_values = norm.sf((share - null) * np.sqrt(trials / (null * (1 - null))))
        bounds = holm_lower_bounds(list(zip(share.tolist(), trials.tolist(), null.tolist(), strict=True)))
        expected = holm_by_p_values(p_values, 0.05)
        assert (np.array(bounds) > null).tolist() == expected.tolist()
        seen += 0 < expected.sum() < 8
    assert seen > 100  # not only clear cases


def test_one_case_alone_has_the_plain_one_sided_bound() -> None:
    assert holm_lower_bounds([(0.6, 400, 0.5)]) == [pytest.approx(wilson(240, 400, 0.9)[0])]
