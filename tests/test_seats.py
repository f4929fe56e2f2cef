"""Seats are alike; nothing illegal in a million games with every index checked."""

import json
import os
import subprocess
import sys
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.stats import chi2
from whole_games import question

from analyzer.results import SCORE, WHOLE_WIN, WIN
from analyzer.wool_rules import engine as engine_module
from analyzer.wool_rules.constants import DOG, SCORE_PARTS
from analyzer.wool_rules.deck import kind_counts, shipped_deck
from analyzer.wool_rules.games import GamePlayer
from analyzer.wool_rules.tallies import RESULT_FIELDS

FALSE_ALARM = 1e-6
"""How often a comparison of seats would fail though they are alike, if its seed were not fixed."""

FIRST_PART = RESULT_FIELDS.index(SCORE_PARTS[0])
FIRST_COUNT = RESULT_FIELDS.index("n_white")
HAS_BONE = RESULT_FIELDS.index("has_bone")


def differences(line_up: tuple[str, ...], games: int, seed: int) -> dict[str, float]:
    """Return the chi-square of the means by seat of every field; each seat's mean is over games of its own.

    Scores of one game depend on each other, those of different games do not: so the means are independent.
    """
    player = GamePlayer(question(*line_up, seed=seed))
    n = len(line_up)
    sums = [player(seat * games, games) for seat in range(n)]
    mean = np.array([sums[seat].total[seat] for seat in range(n)]) / games
    variance = (np.array([sums[seat].squares[seat] for seat in range(n)]) / games - mean**2) / games
    common = variance.mean(axis=0)
    varies = common > 0
    statistic = ((mean - mean.mean(axis=0)) ** 2)[:, varies].sum(axis=0) / common[varies]
    return dict(zip(np.array(RESULT_FIELDS)[varies].tolist(), statistic.tolist(), strict=True))


LIKE_EACH_OTHER = [("random",) * players for players in range(2, 7)] + [("plain:level=22",) * 2, ("plain",) * 4]


@pytest.mark.parametrize("line_up", LIKE_EACH_OTHER, ids=lambda line_up: f"{len(line_up)} x {line_up[0]}")
def test_identical_strategies_differ_between_seats_only_within_error(line_up: tuple[str, ...]) -> None:
    """Score, win share, parts, cards, chips and skips by chi-square, at a false-alarm rate of 1e-6 each."""
    limit = chi2.isf(FALSE_ALARM, len(line_up) - 1)
    found = differences(line_up, 20_000, seed=31)
    assert {"score", "win_share", *SCORE_PARTS} <= found.keys()
    assert {name: value for name, value in found.items() if value > limit} == {}


def test_strategies_that_are_not_identical_do_differ() -> None:
    """The comparison sees one level more or less of one of four players."""
    limit = chi2.isf(FALSE_ALARM, 3)
    found = differences(("plain", "plain", "plain:level=21", "plain"), 20_000, seed=31)
    assert found["score"] > limit
    assert found["skipped"] > limit


def test_a_player_is_as_good_on_one_seat_as_on_another() -> None:
    """Random among three plain ones, on each seat in turn, in other games each time."""
    n, mean, variance = 20_000, [], []
    for seat in range(4):
        line_up = ["plain"] * 4
        line_up[seat] = "random"
        sums = GamePlayer(question(*line_up, seed=32))(seat * n, n)
        mean.append(sums.total[seat, SCORE] / n)
        variance.append((sums.squares[seat, SCORE] / n - mean[-1] ** 2) / n)
    assert ((np.array(mean) - np.mean(mean)) ** 2).sum() / np.mean(variance) < chi2.isf(FALSE_ALARM, 3)


def test_rotation_gives_every_strategy_every_seat_equally_often() -> None:
    """Identical strategies in rotation: every place in the line-up has exactly the same sums."""
    sums = GamePlayer(question("plain", "plain", "plain", seed=33, rotate=True))(0, 500)
    assert (sums.total == sums.total[0]).all()
    assert (sums.squares == sums.squares[0]).all()


# No illegal state


def is_legal(results: np.ndarray, players: int) -> dict[str, bool]:
    """Tell of each thing that must hold in every game whether it does; results: (games, seatings, seats, fields)."""
    deck = kind_counts(shipped_deck())
    cards = results[..., FIRST_COUNT : FIRST_COUNT + DOG + 1]
    parts = results[..., FIRST_PART : FIRST_PART + len(SCORE_PARTS)]
    part = {name: parts[..., at] for at, name in enumerate(SCORE_PARTS)}
    score, win = results[..., SCORE], results[..., WIN]
    dogs, bone = cards[..., DOG], results[..., HAS_BONE]
    chips, spent, skipped = part["chips"], results[..., HAS_BONE + 1], results[..., HAS_BONE + 2]
    best = score.max(axis=2, keepdims=True)
    winners = (score == best).sum(axis=2, keepdims=True)
    most = dogs.max(axis=2, keepdims=True)
    white = sum(card.points for card in shipped_deck().cards if card.points > 0)
    black = sum(card.points for card in shipped_deck().cards if card.points < 0)
    n_370, n_007 = cards[..., 2], cards[..., 3]
    return {
        "all cards are owned, kind by kind": bool((cards.sum(axis=2) == deck[: DOG + 1]).all()),
        "nobody has less than no card": bool((cards >= 0).all()),
        "the bone is owned by one": bool((bone.sum(axis=2) == 1).all() and np.isin(bone, (0, 1)).all()),
        "chips are 0 to 25, together too": bool((chips >= 0).all() and (chips.sum(axis=2) <= 25).all()),
        "spent and skipped are counts": bool((spent >= 0).all() and (skipped >= 0).all() and (skipped <= 20).all()),
        "scores are the sums of their parts": bool((parts.sum(axis=3) == score).all()),
        "win shares are one together": bool((win.sum(axis=2) == WHOLE_WIN).all()),
        "the highest scores win, equally": bool((win == np.where(score == best, WHOLE_WIN // winners, 0)).all()),
        "black points": bool((part["black"].sum(axis=2) == black).all() and (part["black"] <= 0).all()),
        "white points": bool((part["white"] >= 0).all() and (part["white"].sum(axis=2) <= white).all()),
        "3-7-0": bool((part["three_seven_zero"] == np.array([0, 3, 14])[n_370 % 3]).all()),
        "0-0-7": bool((part["zero_zero_seven"] == 21 * (n_007 // 3)).all()),
        "single dogs": bool((part["dogs"] == np.where(dogs == 1, 9, 0)).all()),
        "most dogs": bool((part["most_dogs"] == np.where(dogs == most, -5, 0)).all()),
        "bone points": bool((part["bone"] == 4 * dogs * bone).all()),
        "a lone dog never pays": not bool((part["dogs"].astype(bool) & part["most_dogs"].astype(bool)).any()),
        "somebody has two dogs": bool((most >= 2).all()),
        "players": results.shape[2] == players,
    }


def judged_run(monkeypatch: Any, specs: list[str], games: int, block: int, seed: int) -> dict[str, bool]:
    """Play games, in blocks of equal size, look at the results of each, and return what held in all of them."""
    kernel, seen = engine_module.play_units, 0
    held: dict[str, bool] = {}

    class Looking:
        """The kernel, and a look at what it leaves."""

        prepare = staticmethod(kernel.prepare)

        def __call__(self, *arguments: Any) -> None:
            nonlocal seen
            kernel(*arguments)
            (results,) = (each for each in arguments if isinstance(each, np.ndarray) and each.dtype == np.int32)
            for name, holds in is_legal(results[0], len(specs)).items():
                held[name] = held.get(name, True) and holds
            seen += results.shape[1]

    monkeypatch.setattr(engine_module, "play_units", Looking())
    monkeypatch.setattr(engine_module, "STRIP", block)
    player = GamePlayer(question(*specs, seed=seed))
    for start in range(0, games, block):
        assert player(start, block).games == block
    assert seen == games
    return held


@pytest.mark.parametrize("players", range(2, 7))
def test_thousands_of_random_games_are_legal_throughout(players: int, monkeypatch: pytest.MonkeyPatch) -> None:
    held = judged_run(monkeypatch, ["random"] * players, 10_000, 5_000, seed=34)
    assert [name for name, holds in held.items() if not holds] == []


def test_each_of_these_things_can_be_seen_to_fail() -> None:
    """A single number changed in the results of legal games is noticed."""
    player = GamePlayer(question("random", "random", "random", seed=35))
    logs = player.record(0)
    results = logs.results.astype(np.int64)[None, None]
    assert all(is_legal(results, 3).values())
    changed = set()
    for seat, field in product(range(3), range(len(RESULT_FIELDS))):
        spoilt = results.copy()
        spoilt[0, 0, seat, field] += 60
        failed = {name for name, holds in is_legal(spoilt, 3).items() if not holds}
        assert failed or RESULT_FIELDS[field] == "chips_spent", RESULT_FIELDS[field]
        changed |= failed
    assert len(changed) >= 14


MILLION = """
import json, os, sys
import numba
from pathlib import Path
assert numba.config.BOUNDSCHECK == 1, "indices are not checked"
sys.path[:0] = [{tests!r}]
import pytest
from test_seats import judged_run
out = {{}}
with pytest.MonkeyPatch.context() as patch:
    for players in range(2, 7):
        with patch.context() as inner:
            held = judged_run(inner, ["random"] * players, {games}, 20_000, seed=36)
        out[players] = [name for name, holds in held.items() if not holds]
print(json.dumps(out))
"""


OUTSIDE = """
import numba
import numpy as np
from analyzer.jit import inlined
from analyzer.wool_rules.views import VIEW_DTYPE

@inlined
def card_at(v, i):
    return v.table[i].card

@numba.njit(error_model="numpy")
def read(views, i):
    v = views[0]
    return card_at(v, i)

views = np.zeros(1, VIEW_DTYPE)
room = len(views[0]["table"])
read(views, room - 1)
print("inside")
read(views, room)
"""
"""What the engine does, helper and record and all, with an index that is one too large."""


def bounds_checked(tmp_path: Path, code: str, timeout: float) -> subprocess.CompletedProcess[str]:
    root = Path(__file__).parent.parent
    environment = {"NUMBA_BOUNDSCHECK": "1", "WOOLSIM_CACHE_DIR": str(tmp_path), "PYTHONPATH": str(root)}
    return subprocess.run(
        [sys.executable, "-c", code],
        env=os.environ | environment,
        cwd=tmp_path,
        capture_output=True,
        encoding="utf-8",
        timeout=timeout,
        check=False,
    )


@pytest.mark.slow
def test_a_million_random_games_with_every_index_checked(tmp_path: Path) -> None:
    """200,000 games each for 2 to 6 players: no index out of range, no illegal answer, no illegal state."""
    code = MILLION.format(tests=str(Path(__file__).parent), games=200_000)
    done = bounds_checked(tmp_path, code, 600)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == {str(players): [] for players in range(2, 7)}


@pytest.mark.slow
def test_checking_of_indices_would_be_noticed(tmp_path: Path) -> None:
    """The same surroundings stop a kernel that reads outside an array of a view."""
    done = bounds_checked(tmp_path, OUTSIDE, 120)
    assert done.stdout == "inside\n"
    assert "IndexError" in done.stderr
