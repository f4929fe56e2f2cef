"""Stopping rules as the commands use them, on games of known truth: what is shown at the stop is as sure as it says."""

from typing import Any
from unittest.mock import patch

import numpy as np
import pytest
from known_chances import KeptInMemory, KnownChances, OneByOne, played
from raw_games import limit
from tournament_samples import SETTING

from analyzer.bounds import Bounds
from analyzer.find_best import Elimination, find_best_rows
from analyzer.paired import all_opponents, candidate_rows, candidate_tables, setting_rows
from analyzer.plan import Plan
from analyzer.sequential import Verdict
from analyzer.slots import Strategy
from analyzer.standings import standings
from analyzer.tournament import Stopping
from analyzer.wool_rules.game import WOOL_RULES
from strategies.tournaments import CANDIDATES, ROUND_ROBIN, SETTINGS, Asked

LOOSE = 0.5
"""A level at which errors are frequent enough to be seen."""


def asked_for(weights: np.ndarray, shape: str, players: tuple[int, ...], stopping: Stopping, span: int = 10) -> Asked:
    """Return a tournament that is looked at after every `span` deals; the first two compete where some do."""
    specs = [f"plain:level={14 + at}" for at in range(len(weights))]
    field = tuple(Strategy(spec, {}, spec) for spec in specs)
    settings = (SETTING,) * (2 if shape == SETTINGS else 1)
    asked = Asked(WOOL_RULES, field, settings, shape, players, 1, stopping, 2)
    with patch("analyzer.plan.GAMES_PER_BLOCK", span * asked.plan.games):
        assert asked.plan.span == span
        assert asked.plan.groups
    return asked


def true_means(asked: Asked, engine: KnownChances) -> tuple[np.ndarray, np.ndarray]:
    """Return the strategies' true win shares and margins over all appearances."""
    found = np.zeros((3, len(engine.weights)))
    for line_ups in asked.plan.line_ups:
        scores = engine.scores(line_ups)
        k = line_ups.shape[1]
        margins = scores - (scores.sum(axis=1, keepdims=True) - scores) / (k - 1)
        for at, figures in enumerate((engine.win_shares(line_ups), margins, np.ones(line_ups.shape))):
            found[at] += np.bincount(line_ups.ravel(), figures.ravel(), len(engine.weights))
    return found[0] / found[2], found[1] / found[2]


def shown(asked: Asked, tournament: Any) -> dict[int, dict[str, Any]]:
    """Return the rows of the standings by strategy."""
    names = [each.spec for each in asked.strategies]
    rows = standings(tournament.tally.line_up_sums(), names, asked.bounds)
    return {names.index(str(row["strategy"])): row for row in rows}


def covers(row: dict[str, Any], figure: str, truth: float) -> bool:
    return bool(row[f"{figure}_low"] - 1e-9 <= truth <= row[f"{figure}_high"] + 1e-9)


# At the stop, and after it


@pytest.mark.parametrize("seed", range(4))
def test_standings_say_what_the_verdict_says(seed: int) -> None:
    """Decided: one strategy alone in group 1; not decided: several; and no shown share wider than was asked for."""
    weights = np.array([1.5, 1.0, 1.0])
    for most in (20, 2000):
        asked = asked_for(weights, ROUND_ROBIN, (2,), Stopping(until_decided=True, max_games=most))
        tournament = played(asked, KnownChances(weights, np.random.default_rng(seed)))
        groups = [row["group"] for row in shown(asked, tournament).values()]
        assert tournament.verdict.stop == (groups.count(1) == 1) == (most > 20)
    asked = asked_for(weights, ROUND_ROBIN, (2,), Stopping(target_error=0.05, max_games=2000))
    tournament = played(asked, KnownChances(weights, np.random.default_rng(seed)))
    assert tournament.verdict is Verdict.SHARES
    for row in shown(asked, tournament).values():
        assert (row["win_share_high"] - row["win_share_low"]) / 2 <= 0.05


@pytest.mark.parametrize("seed", range(4))
def test_compare_shows_a_difference_from_zero_exactly_if_it_is_decided(seed: int) -> None:
    weights = np.array([1.3, 1.0, 1.0])
    for most in (20, 3000):
        asked = asked_for(weights, CANDIDATES, (3,), Stopping(until_decided=True, max_games=most))
        tournament = played(asked, KnownChances(weights, np.random.default_rng(seed)))
        _, row = candidate_rows(tournament.tally, ["s0", "s1"], asked.bounds)
        assert tournament.verdict.stop == (not covers(row, "win_share_ahead", 0)) == (row["p"] <= 0.05) == (most > 20)


@pytest.mark.parametrize("shape", [CANDIDATES, SETTINGS])
def test_what_never_differs_is_said_to_be_alike(shape: str) -> None:
    """Two candidates that play alike, or two settings that make no difference."""

    class Alike(KnownChances):
        def play(self, tables: Any, *, compared: bool) -> Any:
            tables.line_ups[:, 1] = tables.line_ups[:, 0]
            return super().play(tables, compared=compared)

    weights = np.array([1.3, 1.0, 1.0])
    asked = asked_for(weights, shape, (2,), Stopping(until_decided=True), span=2500)
    tournament = played(asked, Alike(weights, np.random.default_rng(1), apart=0))
    assert tournament.verdict is Verdict.ALIKE
    assert 2500 < tournament.run.extent < 20_000
    if shape == CANDIDATES:
        _, row = candidate_rows(tournament.tally, ["s0", "s1"], asked.bounds)
        figures, share = ("win_share_ahead", "score_ahead"), "win_share_ahead"
    else:
        row = setting_rows(tournament.tally, ["s0", "s1", "s2"], asked.bounds)[0]
        figures, share = ("win_share_change", "score_change"), "win_share_change"
    assert [row[figure] for figure in figures] == [0, 0]
    assert row[f"{share}_high"] == -row[f"{share}_low"] < 0.001


def test_intervals_become_narrower_when_a_decided_run_is_extended() -> None:
    """By the bounds of the run, not by those of a number of games that was fixed before."""
    weights = np.array([1.5, 1.0])
    asked = asked_for(weights, ROUND_ROBIN, (2,), Stopping(until_decided=True, max_games=2000))
    at_stop, later = (played(asked, KnownChances(weights, np.random.default_rng(2)), games) for games in (None, 5000))
    assert at_stop.run.extent < 2000 < later.run.extent == 5000
    ordinary = standings(later.tally.line_up_sums(), ["s0", "s1"])
    for at, row in enumerate(ordinary):
        widths = [
            row["win_share_high"] - row["win_share_low"]
            for row in (shown(asked, at_stop)[at], shown(asked, later)[at], row)
        ]
        assert widths[0] > widths[1] > widths[2]


# How often they are wrong


def outcomes(asked: Asked, weights: np.ndarray, runs: int, seed: int, extended: int | None = None) -> Any:
    """Yield tournaments of the same field."""
    engine = KnownChances(weights, np.random.default_rng(seed))
    for _ in range(runs):
        yield played(asked, engine, extended)


@pytest.mark.slow
@pytest.mark.parametrize(("players", "target"), [((2,), 0.05), ((2, 3), 0.04)], ids=str)
def test_intervals_cover_the_truth_when_every_share_is_known_well_enough(
    players: tuple[int, ...], target: float
) -> None:
    weights, runs = np.array([3.0, 1.0, 0.2]), 400
    asked = asked_for(weights, ROUND_ROBIN, players, Stopping(target_error=target, max_games=5000, level=LOOSE))
    shares, margins = true_means(asked, KnownChances(weights, np.random.default_rng()))
    wrong = np.zeros((2, 3))
    for tournament in outcomes(asked, weights, runs, 31):
        assert tournament.verdict is Verdict.SHARES
        for at, row in shown(asked, tournament).items():
            wrong[:, at] += not covers(row, "win_share", shares[at]), not covers(row, "margin", margins[at])
    assert np.all(wrong / runs <= limit(1 - LOOSE, runs)), wrong / runs


@pytest.mark.slow
@pytest.mark.parametrize(
    "weights", [[1.0, 1.0], [1.0, 1.0, 1.0, 1.0], [1.5, 1.5, 1.0, 0.7], [1.6, 1.2, 1.0, 1.0]], ids=str
)
def test_who_is_decided_for_is_the_best_and_groups_are_right(weights: list[float]) -> None:
    """The error of the whole family: nobody is in a lower group than one that is no better, with ties and without."""
    weight, runs = np.array(weights), 400
    stopping = Stopping(until_decided=True, max_games=300, level=LOOSE)
    asked = asked_for(weight, ROUND_ROBIN, (2,), stopping)
    shares, margins = true_means(asked, KnownChances(weight, np.random.default_rng()))
    family, decided, outside = 0, 0, np.zeros((2, len(weight)))
    for tournament in outcomes(asked, weight, runs, 32):
        rows = shown(asked, tournament)
        groups = np.array([rows[at]["group"] for at in range(len(weight))])
        values = np.array([rows[at]["win_share"] for at in range(len(weight))])
        leaders = [max(np.flatnonzero(groups == group), key=values.item) for group in set(groups.tolist())]
        family += any(np.any(weight[groups > groups[leader]] >= weight[leader]) for leader in leaders)
        decided += tournament.verdict.stop
        if tournament.verdict.stop:
            assert (groups == 1).sum() == 1
        for at, row in rows.items():
            outside[:, at] += not covers(row, "win_share", shares[at]), not covers(row, "margin", margins[at])
    assert family / runs <= limit(1 - LOOSE, runs)
    assert np.all(outside / runs <= limit(1 - LOOSE, runs)), outside / runs
    if (weight == weight.max()).sum() == 1:
        assert decided / runs > 0.5
    else:
        assert decided / runs <= limit(1 - LOOSE, runs)


@pytest.mark.slow
@pytest.mark.parametrize("weights", [[1.0, 1.0, 1.0], [1.2, 1.0, 1.0], [1.0, 1.3, 0.5]], ids=str)
def test_the_difference_that_compare_shows_covers_the_truth(weights: list[float]) -> None:
    weight, runs = np.array(weights), 250
    asked = asked_for(weight, CANDIDATES, (3,), Stopping(until_decided=True, max_games=400, level=LOOSE))
    (tables,) = asked.plan.line_ups
    engine = KnownChances(weight, np.random.default_rng())
    ahead = [
        (truth[:, 1, 0] - truth[:, 0, 0]).mean()
        for truth in (
            np.stack([of(tables[:, side]) for side in range(2)], axis=1) for of in (engine.win_shares, engine.scores)
        )
    ]
    wrong, decided = np.zeros(2), 0
    for tournament in outcomes(asked, weight, runs, 33):
        _, row = candidate_rows(tournament.tally, ["s0", "s1"], asked.bounds)
        wrong += not covers(row, "win_share_ahead", ahead[0]), not covers(row, "score_ahead", ahead[1])
        decided += tournament.verdict.stop
    assert np.all(wrong / runs <= limit(1 - LOOSE, runs)), wrong / runs
    assert (decided / runs > 0.3) == (weights[0] != weights[1])


@pytest.mark.slow
def test_changes_that_another_deck_makes_are_known_only_where_there_are_any() -> None:
    """Two settings that are the same: a rise or fall is found of one score at most as often as stated, and of both."""
    weights, runs, wrong, found = np.array([1.5, 1.0]), 200, np.zeros(4), np.zeros(2)
    asked = asked_for(weights, SETTINGS, (2,), Stopping(until_decided=True, max_games=300, level=LOOSE))
    for tournament in outcomes(asked, weights, runs, 37):
        rows = setting_rows(tournament.tally, ["s0", "s1"], asked.bounds)
        wrong += [not covers(row, f"{figure}_change", 0) for row in rows for figure in ("win_share", "score")]
        found += any(row["score_p"] <= (1 - LOOSE) / 2 for row in rows), tournament.verdict.stop
    assert np.all(wrong / runs <= limit(1 - LOOSE, runs)), wrong / runs
    assert np.all(found / runs <= limit(1 - LOOSE, runs)), found / runs


@pytest.mark.slow
@pytest.mark.parametrize("weights", [[1.0, 1.0, 1.0, 0.6], [1.6, 1.0, 1.0, 0.8, 0.8, 0.4]], ids=str)
def test_find_best_keeps_the_best_and_its_intervals_cover_the_truth(
    weights: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Stage after stage; the last strategy of all is the opponent."""
    monkeypatch.setattr("analyzer.plan.GAMES_PER_BLOCK", 400)
    candidates, runs, most = len(weights), 300, 400
    engine: Any = KnownChances(np.array([*weights, 1.0]), np.random.default_rng(34))
    around = all_opponents((candidates,), 3)
    tables = np.array([[at, *around[0]] for at in range(candidates)])
    truth = engine.win_shares(tables)[:, 0], engine.scores(tables)[:, 0]
    best = truth[0] == truth[0].max()
    plan = Plan((candidate_tables(range(candidates), around),), (0,) * candidates)
    bounds = Bounds(LOOSE, plan.span)
    wrong, outside, decided, stages_played = 0, np.zeros((2, candidates)), 0, 0
    for _ in range(runs):
        run: Any = KeptInMemory(most)
        race = Elimination(plan, run, bounds)
        race.play(lambda plan: OneByOne(engine, plan))
        stages = race.stages
        rows = {int(str(row["strategy"])): row for row in find_best_rows(stages, list(map(str, range(9))), bounds)}
        left = [at for at in rows if rows[at]["dropped"] is None]
        behind = all(covers(row, "behind", truth[0].max() - truth[0][at]) for at, row in rows.items())
        named_wrongly = stages[-1].race.decided and best.sum() > 1
        wrong += not behind or not best[left].any() or named_wrongly
        for at, row in rows.items():
            outside[:, at] += [not covers(row, name, truth[i][at]) for i, name in enumerate(("win_share", "score"))]
        decided += stages[-1].race.decided
        stages_played += len(stages)
    assert wrong / runs <= limit(1 - LOOSE, runs)
    assert np.all(outside / runs <= limit(1 - LOOSE, runs)), outside / runs
    assert stages_played > 2 * runs
    if best.sum() == 1:
        assert decided / runs > 0.5


@pytest.mark.slow
def test_ordinary_intervals_would_cover_less_than_they_say_at_such_a_stop() -> None:
    """What the bounds are for: where a lead decides, the leader's share is overrated."""
    weights, runs, wrong = np.array([1.0, 1.0]), 250, 0
    asked = asked_for(weights, ROUND_ROBIN, (2,), Stopping(until_decided=True, max_games=500, level=0.5))
    for tournament in outcomes(asked, weights, runs, 35):
        (row, _) = standings(tournament.tally.line_up_sums(), ["s0", "s1"])
        wrong += not covers(row, "win_share", 0.5)
    assert wrong / runs > limit(0.05, runs)


@pytest.mark.slow
def test_intervals_hold_too_where_a_decided_run_is_extended() -> None:
    weights, runs = np.array([1.4, 1.0, 1.0]), 150
    asked = asked_for(weights, ROUND_ROBIN, (2,), Stopping(until_decided=True, max_games=400, level=LOOSE))
    shares, _ = true_means(asked, KnownChances(weights, np.random.default_rng()))
    wrong = np.zeros(3)
    for tournament in outcomes(asked, weights, runs, 36, extended=450):
        for at, row in shown(asked, tournament).items():
            wrong[at] += not covers(row, "win_share", shares[at])
    assert np.all(wrong / runs <= limit(1 - LOOSE, runs)), wrong / runs
