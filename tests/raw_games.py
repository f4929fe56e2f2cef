"""Raw results of made-up tournaments, and their sums."""

from itertools import combinations_with_replacement

import numpy as np

from analyzer.line_up_sums import LineUpSums


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
