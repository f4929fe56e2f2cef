"""Intervals and p values: the boundary against its formula, the ones against the others, how often they are wrong."""

import numpy as np
import pytest
from raw_games import limit
from scipy.optimize import brentq, minimize_scalar
from scipy.special import lambertw
from scipy.stats import t

from analyzer.bounds import DIFFERENCE_SPAN, NO_SPAN, ORDINARY, SHARE_SPAN, Bounds, boundary, radius

LOOKING = Bounds(planned=1000)


def p_value(bounds: Bounds, difference: float, variance: float, n: int, span: float) -> float:
    counts = np.array([n])
    return float(bounds.p_values(np.array([difference]), np.array([variance]), counts, counts, span)[0])


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
    found = LOOKING.mean(5.0, 4.0, 50, 50)
    half = 2 * boundary(np.array(50), 1000, 0.05)
    assert (found.low, found.high) == pytest.approx((5 - half, 5 + half))


def test_an_ordinary_interval_is_students() -> None:
    for level in (0.8, 0.95):
        for freedom in (None, 3.5):
            found = Bounds(level).mean(5.0, 4.0, 50, 50, freedom=freedom)
            assert (found.low, found.high) == pytest.approx(t(freedom or 49, 5, 2).interval(level))


def test_what_has_not_varied_is_not_certain() -> None:
    """An interval leaves out zero exactly where p is below its error; of scores nothing is known."""
    for n in range(1, 12):
        found = ORDINARY.mean(1.0, 0.0, n, n, DIFFERENCE_SPAN)
        assert (found.low > 0) == (p_value(ORDINARY, 1.0, 0.0, n, DIFFERENCE_SPAN) < 0.05) == (n > 5)
        assert ORDINARY.mean(1.0, 0.0, n, n).low is LOOKING.mean(1.0, 0.0, n, n).low is None


def test_an_interval_that_holds_at_all_looks_is_wider_and_leaves_a_share_between_0_and_1() -> None:
    for value in (0.0, 0.01, 0.4, 1.0):
        variance = value * (1 - value) / 500
        ordinary, looking = (bounds.share(value, variance, 500, 500) for bounds in (ORDINARY, LOOKING))
        assert 0 <= looking.low <= value <= looking.high <= 1
        assert looking.high - looking.low > ordinary.high - ordinary.low


def test_no_difference_of_shares_is_larger_than_1() -> None:
    for bounds in (ORDINARY, LOOKING):
        found = bounds.mean(-0.9, 0.01, 50, 50, DIFFERENCE_SPAN)
        assert found.low == -1 < found.value < found.high < 0
        assert bounds.mean(-0.9, 0.01, 50, 50).low < -1


@pytest.mark.parametrize("bounds", [ORDINARY, LOOKING], ids=["ordinary", "looking"])
def test_what_is_not_known_has_no_interval(bounds: Bounds) -> None:
    assert bounds.share(np.nan, np.nan, 0, 0) is bounds.mean(np.nan, np.nan, 0, 0) is None
    for found in (bounds.share(0.5, np.nan, 1, 1), bounds.mean(0.5, np.nan, 1, 1)):
        assert (found.value, found.low, found.high) == (0.5, None, None)
    assert p_value(bounds, 0.5, np.nan, 1, DIFFERENCE_SPAN) == p_value(bounds, 0.0, 0.0, 9, NO_SPAN) == 1
    assert p_value(bounds, 1e-17, 0.0, 9, NO_SPAN) == 1
    assert p_value(bounds, 0.5, 0.0, 9, NO_SPAN) == 1


@pytest.mark.parametrize("span", [NO_SPAN, DIFFERENCE_SPAN])
@pytest.mark.parametrize("n", [20, 1000, 50_000])
def test_p_is_the_error_at_which_the_interval_ends_at_zero(span: float, n: int) -> None:
    """At the level of the bounds the interval is just that one; at others it keeps the tuning."""
    rng = np.random.default_rng(n)
    alpha = np.array([0.05])
    half = float(radius(np.array([0.3 / n**0.5]), np.array([n]), np.array([n]), 1000, 0.05, span)[0])
    assert p_value(LOOKING, half, 0.09 / n, n, span) == pytest.approx(0.05)
    for difference in half * rng.uniform(0.3, 3, 20):
        p, found = p_value(LOOKING, difference, 0.09 / n, n, span), LOOKING.mean(difference, 0.09 / n, n, n, span)
        assert (p < alpha) == (found.low > 0)
        assert p == p_value(LOOKING, -difference, 0.09 / n, n, span)
        assert p == pytest.approx(_solved(difference, 0.09 / n, n, span), rel=1e-6)


def _solved(difference: float, variance: float, n: int, span: float) -> float:
    """Return the same by searching for the root, its logarithm as the unknown."""
    x = float((-lambertw(-(0.05**2) / np.e, -1) - 1).real) * n / 1000

    def beyond(log: float) -> float:
        return (1 + 1 / x) * (variance + log * (span / n) ** 2) * (2 * log + np.log1p(x)) - difference**2

    return 1.0 if beyond(0) >= 0 else float(np.exp(-brentq(beyond, 0, 1e7, xtol=1e-12)))


@pytest.mark.slow
@pytest.mark.parametrize("first", [5, 50])
@pytest.mark.parametrize("share", [0.5, 0.1, 0.02, 0.005])
@pytest.mark.parametrize("alpha", [0.05, 0.05 / 19])
def test_the_truth_is_rarely_ever_outside(share: float, first: int, alpha: float) -> None:
    """Whether the bounds are tightest at the first look or at the last."""
    rng, runs, games = np.random.default_rng(11), 4000, 3000
    at = np.arange(first, games + 1, first)
    won = (rng.uniform(size=(runs, games)) < share).cumsum(axis=1)[:, at - 1]
    means = won / at
    errors = np.sqrt(means * (1 - means) / (at - 1))
    for planned in (first, 10 * first, games):
        outside = np.zeros(runs, bool)
        for look, n in enumerate(at.tolist()):
            radii = radius(errors[:, look], np.full(runs, n), np.array([n]), planned, alpha, SHARE_SPAN)
            outside |= np.abs(means[:, look] - share) > radii
        assert outside.mean() <= limit(alpha, runs)


@pytest.mark.slow
def test_no_p_is_ever_smaller_more_often_than_it_says() -> None:
    """The smallest of 200 looks at differences of victories in games of equals, a third of them tied."""
    rng, runs, at = np.random.default_rng(12), 3000, np.arange(10, 2001, 10)
    won = rng.integers(-1, 2, (runs, 2000)).astype(np.float64)
    means, squares = won.cumsum(axis=1)[:, at - 1] / at, (won**2).cumsum(axis=1)[:, at - 1] / at
    n = np.broadcast_to(at, means.shape)
    p = Bounds(planned=20).p_values(means, (squares - means**2) / (at - 1), n, n, DIFFERENCE_SPAN).min(axis=1)
    ordinary = ORDINARY.p_values(means, (squares - means**2) / (at - 1), n, n).min(axis=1)
    for alpha in (0.2, 0.05, 0.01):
        assert np.mean(p <= alpha) <= limit(alpha, runs)
    assert np.mean(ordinary <= 0.05) > 0.3
