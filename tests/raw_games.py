"""Raw results of made-up tournaments, and their sums."""

from dataclasses import replace
from itertools import combinations_with_replacement

import numpy as np

from analyzer.line_up_sums import LineUpSums
from analyzer.means import LineUpMeans


def limit(alpha: float, runs: int) -> float:
    """Return what a share of runs does not exceed by chance (one in 30,000) where alpha is the truth."""
    return float(alpha + 4 * np.sqrt(alpha * (1 - alpha) / runs))


def all_line_ups(strategies: int, players: int) -> np.ndarray:
    return np.array(list(combinations_with_replacement(range(strategies), players)))


def shares_of(scores: np.ndarray) -> np.ndarray:
    """Return win shares in 60ths; the last axis is the players."""
    best = scores == scores.max(axis=-1, keepdims=True)
    return 60 * best // best.sum(axis=-1, keepdims=True)


def made_up_games(line_ups: np.ndarray, blocks: int, strength: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Return whole scores, shape (line-ups, blocks, seatings, players): luck of the block, the seat and the game."""
    n, k = line_ups.shape
    luck = rng.normal(size=(n, blocks, 1, k)) + 0.5 * rng.normal(size=(n, blocks, k, 1))
    seats = (np.arange(k)[:, None] + np.arange(k)[None, :]) % k
    advantage = np.linspace(0.5, 0, k)[seats]
    noise = rng.normal(size=(n, blocks, k, k))
    return np.rint(3 * (strength[line_ups][:, None, None, :] + luck + advantage + noise)).astype(np.int64)


def sums_of(line_ups: np.ndarray, scores: np.ndarray, wins: np.ndarray | None = None) -> LineUpSums:
    """Return the sums of raw scores, without batches; player i sits on seat (i + r) % k in seating r."""
    wins = shares_of(scores) if wins is None else wins
    n, blocks, k, _ = scores.shape
    seats = np.zeros((n, k, k, 4), np.int64)
    for rotation in range(k):
        for player in range(k):
            win, score = wins[:, :, rotation, player], scores[:, :, rotation, player]
            figures = [win.sum(1), (win**2).sum(1), score.sum(1), (score**2).sum(1)]
            seats[:, player, (player + rotation) % k] = np.stack(figures, axis=-1)
    win, score = wins.sum(axis=2), scores.sum(axis=2)
    return LineUpSums(
        line_ups,
        np.full(n, blocks),
        win.sum(axis=1),
        score.sum(axis=1),
        np.einsum("lbi,lbj->lij", win, win),
        np.einsum("lbi,lbj->lij", score, score),
        np.zeros((n, 2**k), np.int64),
        seats,
    )


def chances(line_ups: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Return each player's chance to win in each seating, shape (line-ups, seatings, players).

    Proportional to the weight of the strategy, a third more on the first seat.
    """
    k = line_ups.shape[1]
    first_seat = (np.arange(k)[:, None] + np.arange(k)[None, :]) % k == 0
    chance = weights[line_ups][:, None, :] * (1 + first_seat / 3)
    return chance / chance.sum(axis=2, keepdims=True)


def drawn_wins(line_ups: np.ndarray, blocks: int, weights: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Return win shares in 60ths, shape (line-ups, blocks, seatings, players); half of all blocks keep one luck."""
    chance, (n, k) = chances(line_ups, weights), line_ups.shape
    luck = rng.uniform(size=(n, blocks, k, 1))
    luck = np.where(rng.uniform(size=(n, blocks, 1, 1)) < 0.5, luck[:, :, :1], luck)
    winner = (luck > np.cumsum(chance, axis=2)[:, None]).sum(axis=3).clip(max=k - 1)
    return 60 * (winner[..., None] == np.arange(k))


def true_shares(line_ups: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Return the strategies' true win shares, over all appearances."""
    each = chances(line_ups, weights).mean(axis=1)
    return np.array([each[line_ups == strategy].mean() for strategy in range(len(weights))])


def looks(line_ups: np.ndarray, wins: np.ndarray, at: np.ndarray) -> list[LineUpMeans]:
    """Return the mean win shares after so many blocks, from raw ones."""
    observed = wins.sum(axis=2)
    totals = observed.cumsum(axis=1)[:, at - 1]
    products = (observed[..., :, None] * observed[..., None, :]).cumsum(axis=1)[:, at - 1]
    nothing = LineUpSums.nothing(line_ups)
    return [
        LineUpMeans.win_shares(
            replace(nothing, blocks=np.full(len(line_ups), n), wins=totals[:, i], win_products=products[:, i])
        )
        for i, n in enumerate(at)
    ]
