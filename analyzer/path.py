"""Following the central path of a symmetric game to one of its equilibria."""

from collections.abc import Callable
from contextlib import suppress
from typing import Final

import numpy as np

from analyzer.stats import FloatArray

Expected = Callable[[FloatArray], tuple[FloatArray, FloatArray]]
"""Pay-offs of all strategies against a mixture, and their derivatives by the mixture."""

_FIRST_STEP: Final = 0.05
_LONGEST_STEP: Final = 0.2
_SHORTEST_STEP: Final = 1e-10
_CORRECTIONS: Final = 6
_LONGER: Final = 1.5
_ON_PATH: Final = 1e-8
_AT_END: Final = 1e-13
_SLIGHTLY_NEGATIVE: Final = -1e-9
_SMOOTH: Final = 0.95
"""Least cosine between the directions before and after a step: a longer step might land on another branch."""


def end_of_central_path(expected: Expected, strategies: int) -> FloatArray:
    """Return the mixture at the end of the path from the uniform mixture to an equilibrium.

    Parameters
    ----------
    expected : callable
        Pay-offs of a size around 1, and their derivatives.
    strategies : int

    Returns
    -------
    float64 array, shape (strategies,)
        An equilibrium, but for rounding; where the path ends in a degenerate one, as close as it can be followed.

    Notes
    -----
    Points on the path have p[s] * (v - t * expected[s](p)) = (1 - t) / strategies for every strategy s: the uniform
    mixture at t = 0, an equilibrium of value v at t = 1, where who is played loses nothing against the best. With two
    players t grows all along and this is the interior-point method for the linear programme; with more it may turn
    back, so the path is followed by its length, not by t, and generically reaches t = 1 (P. J.-J. Herings, R. Peeters,
    "Homotopy methods to compute equilibria in game theory", Econ. Theory 42 (2010) 119-156). Predictor by the tangent,
    corrector by Newton's method: E. L. Allgower, K. Georg, "Numerical Continuation Methods",
    1990.
    """
    point = np.append(np.full(strategies, 1 / strategies), [1.0, 0.0])
    direction = _tangent(_equations(expected, point)[1], np.eye(len(point))[-1])
    length = _FIRST_STEP
    while length > _SHORTEST_STEP:
        ahead = point + length * direction
        if ahead[-1] >= 1:
            end = _end_near(expected, point + (1 - point[-1]) / direction[-1] * direction)
            if end is not None:
                return end[:strategies]
        else:
            step = _point_near(expected, ahead, direction)
            if step is not None:
                point, direction = step
                length = min(_LONGER * length, _LONGEST_STEP)
                continue
        length /= 2
    return point[:strategies]


def _equations(expected: Expected, point: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return the path's equations at (p, v, t), their derivatives, and what each strategy loses against the best."""
    mixture, value, t = point[:-2], point[-2], point[-1]
    n = len(mixture)
    payoffs, slopes = expected(mixture)
    losses = value - t * payoffs
    derivatives = np.zeros((n + 1, n + 2))
    derivatives[:n, :n] = np.diag(losses) - t * mixture[:, None] * slopes
    derivatives[:n, n] = mixture
    derivatives[:n, n + 1] = 1 / n - mixture * payoffs
    derivatives[n, :n] = 1
    return np.append(mixture * losses - (1 - t) / n, mixture.sum() - 1), derivatives, losses


def _tangent(derivatives: FloatArray, direction: FloatArray) -> FloatArray:
    """Return the unit vector along the path that does not turn back from a direction."""
    along = np.linalg.solve(np.vstack([derivatives, direction]), np.eye(len(direction))[-1])
    return np.asarray(along / np.linalg.norm(along))


def _point_near(expected: Expected, point: FloatArray, direction: FloatArray) -> tuple[FloatArray, FloatArray] | None:
    """Return the point where the path crosses the plane through a point across a direction, and the tangent there.

    None if Newton's method leads astray.
    """
    with suppress(np.linalg.LinAlgError):  # exactly at a fork; a shorter step does not meet it
        for _ in range(_CORRECTIONS):
            faults, derivatives, losses = _equations(expected, point)
            if np.abs(faults).max() < _ON_PATH:
                onward = _tangent(derivatives, direction)
                inside = min(point[:-2].min(), losses.min()) > 0
                return (point, onward) if inside and onward @ direction > _SMOOTH else None
            point = point - np.linalg.solve(np.vstack([derivatives, direction]), np.append(faults, 0))
    return None


def _end_near(expected: Expected, point: FloatArray) -> FloatArray | None:
    """Return the end of the path near a point with t = 1; None if Newton's method leads astray.

    With the pseudo-inverse, because equal strategies leave open how to share between them.
    """
    for _ in range(_CORRECTIONS):
        faults, derivatives, losses = _equations(expected, point)
        if np.abs(faults).max() < _AT_END:
            return point if min(point[:-2].min(), losses.min()) > _SLIGHTLY_NEGATIVE else None
        change = np.linalg.lstsq(derivatives[:, :-1], faults)[0]
        point = point - np.append(change, 0)
    return None
