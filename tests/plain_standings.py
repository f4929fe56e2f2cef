"""Statistics of tournaments from raw results, slowly and plainly. Imports nothing of ours.

A table is (strategies of its players, blocks), a block a list of seatings, a seating the (win share, score) of each
player. In seating r player i sits on seat (i + r) % k.
"""

from itertools import combinations
from math import sqrt
from statistics import fmean, variance

from scipy.stats import t

Table = tuple[list[int], list[list[list[tuple[float, float]]]]]


def per_game(block: list[list[tuple[float, float]]], player: int, what: str) -> float:
    """Return a player's mean over the seatings of a block."""
    if what == "margin":
        scores = [[score for _, score in seating] for seating in block]
        return fmean(s[player] - fmean(s[:player] + s[player + 1 :]) for s in scores)
    return fmean(seating[player][what == "score"] for seating in block)


def linear(tables: list[Table], weights: list[list[float]], what: str) -> tuple[float, float]:
    """Return a weighted sum of the players' means over all tables, and its variance."""
    value = spread = 0.0
    for (players, blocks), weight in zip(tables, weights, strict=True):
        if any(weight):
            whole = [sum(weight[i] * per_game(block, i, what) for i in range(len(players))) for block in blocks]
            value += fmean(whole)
            spread += variance(whole) / len(whole)
    return value, spread


def freedom(tables: list[Table], weights: list[list[float]], what: str) -> float:
    """Return Satterthwaite's degrees of freedom of the variance of :func:`linear`."""
    parts = [(linear([table], [weight], what)[1], len(table[1])) for table, weight in zip(tables, weights, strict=True)]
    return sum(spread for spread, _ in parts) ** 2 / sum(spread**2 / (n - 1) for spread, n in parts)


def appearances(tables: list[Table], strategy: int) -> list[list[float]]:
    n = sum(players.count(strategy) for players, _ in tables)
    return [[(player == strategy) / n for player in players] for players, _ in tables]


def mean(tables: list[Table], strategy: int, what: str) -> tuple[float, float, float]:
    weights = appearances(tables, strategy)
    return *linear(tables, weights, what), freedom(tables, weights, what)


def difference(tables: list[Table], one: int, other: int, what: str) -> tuple[float, float, float]:
    """Return a difference, its variance, and the fewer of both degrees of freedom."""
    both = zip(appearances(tables, one), appearances(tables, other), strict=True)
    value, spread = linear(tables, [[a - b for a, b in zip(x, y, strict=True)] for x, y in both], what)
    return value, spread, min(mean(tables, strategy, what)[2] for strategy in (one, other))


def games(tables: list[Table], strategy: int) -> int:
    return sum(len(blocks) for players, blocks in tables if strategy in players)


def meeting(tables: list[Table], one: int, other: int, what: str) -> tuple[float, float, float, float]:
    """Return the mean difference at common tables, its variance, degrees of freedom, and the variances of both."""
    common = [(players, blocks) for players, blocks in tables if one in players and other in players]

    def weights(strategy: int, sign: int) -> list[list[float]]:
        return [
            [sign * (p == strategy) / players.count(strategy) / len(common) for p in players] for players, _ in common
        ]

    plus, minus = weights(one, 1), weights(other, -1)
    paired = [[a + b for a, b in zip(x, y, strict=True)] for x, y in zip(plus, minus, strict=True)]
    value, spread = linear(common, paired, what)
    apart = linear(common, plus, what)[1] + linear(common, minus, what)[1]
    return value, spread, freedom(common, paired, what), apart


def p_value(value: float, spread: float, free: float) -> float:
    return float(2 * t.sf(abs(value) / sqrt(spread), free))


def holm(p: list[float]) -> list[float]:
    """Return adjusted p values by the definition: the largest of the stepwise bounds up to each."""
    order = sorted(range(len(p)), key=lambda at: p[at])
    return [
        min(1.0, max((len(p) - rank) * p[order[rank]] for rank in range(order.index(at) + 1))) for at in range(len(p))
    ]


def tie_groups(tables: list[Table], strategies: int, level: float) -> list[int]:
    pairs = list(combinations(range(strategies), 2))
    adjusted = holm([p_value(*difference(tables, a, b, "win")) for a, b in pairs])
    apart = {pair for pair, p in zip(pairs, adjusted, strict=True) if p <= 1 - level}
    left = sorted(range(strategies), key=lambda s: -mean(tables, s, "win")[0])
    found, group = [0] * strategies, 0
    while left:
        group += 1
        best = left[0]
        for strategy in left:
            if (min(best, strategy), max(best, strategy)) not in apart:
                found[strategy] = group
        left = [strategy for strategy in left if not found[strategy]]
    return found


def at_seat(tables: list[Table], strategy: int, seat: int, what: int) -> tuple[float, float, float]:
    """Return a mean from one seat, its variance, and degrees of freedom; copies at a table are fully dependent."""
    values: list[float] = []
    spread = doubt = 0.0
    for players, blocks in tables:
        error = 0.0
        k = len(players)
        for i in range(k):
            if players[i] == strategy:
                seen = [block[(seat - i) % k][i][what] for block in blocks]
                values.append(fmean(seen))
                error += sqrt(variance(seen) / len(seen))
        spread += error**2
        doubt += error**4 / (len(blocks) - 1)
    return fmean(values), spread / len(values) ** 2, spread**2 / doubt


def duplicate_factor(tables: list[Table], strategy: int, what: int) -> float:
    """Return the variance of the appearances' means if the seatings were independent, over the one they have."""
    apart = together = 0.0
    for players, blocks in tables:
        k, n = len(players), len(blocks)
        for i in range(k):
            if players[i] == strategy:
                apart += sum(variance([block[r][i][what] for block in blocks]) for r in range(k)) / k**2 / n
                together += variance([fmean(block[r][i][what] for r in range(k)) for block in blocks]) / n
    return apart / together
