"""Comparisons on the same deals, against what follows from single games, and the stages of find-best."""

import math
import statistics
from functools import partial
from itertools import combinations_with_replacement, pairwise
from typing import Any

import numpy as np
import pytest
from known_chances import KeptInMemory
from raw_games import shares_of
from scipy.stats import t

from analyzer.bounds import ORDINARY, Bounds
from analyzer.find_best import Elimination, Stage, find_best_rows
from analyzer.game import Engine, rotations
from analyzer.means import StrategyMeans
from analyzer.paired import (
    SCORES,
    WINS,
    all_opponents,
    candidate_rows,
    candidate_tables,
    compared_means,
    first_places,
    in_each_setting,
    known_places,
    place_rows,
    setting_rows,
    verdict,
)
from analyzer.plan import Plan
from analyzer.results import WHOLE_WIN
from analyzer.tally import Tally, block_arrays
from analyzer.tournament import Executor, on_threads
from analyzer.wool_rules.deck import shipped_deck
from analyzer.wool_rules.game import WOOL_RULES
from analyzer.wool_rules.games import GamePlayer, Question
from analyzer.wool_rules.plausible_decks import plausible_decks
from analyzer.wool_rules.rules import STANDARD
from analyzer.wool_rules.setting import Setting
from strategies.registry import strategy

SPECS = ("plain:level=21", "random", "plain", "plain:level=22")
SEED, GAMES = 11, 9
SHIPPED = Setting(STANDARD, shipped_deck())
OTHERS = tuple(Setting(STANDARD, deck) for deck in plausible_decks(shipped_deck(), 2, SEED))


def played(plan: Plan, *settings: Setting, games: int = GAMES) -> Tally:
    """Return the sums of a plan's first deals."""
    engine = engine_of(*settings)
    tally = Tally(plan)
    for block in plan.missing({}, games):
        tally.add(block, block_arrays(engine.play(plan.tables(block), compared=True), block))
    return tally


def engine_of(*settings: Setting, specs: tuple[str, ...] = SPECS) -> Engine:
    return WOOL_RULES.engine([strategy(spec) for spec in specs], settings, SEED)


def alone_at(line_up: tuple[int, ...], setting: Setting, start: int, games: int = GAMES) -> np.ndarray:
    """Return score and win share of each place in each game played by itself, shape (2, games, places).

    A game is a deal: its mean over all rotations of the seats.
    """
    specs, players = tuple(strategy(SPECS[who]) for who in line_up), len(line_up)
    player = GamePlayer(Question(specs, setting.rules, setting.deck, SEED, rotate=True))
    found = np.zeros((2, games, players))
    for game in range(games):
        for turn, seated in enumerate(rotations(players)):
            scores = player.record(start + game, turn).results[:, 0].astype(np.int64)
            wins = shares_of(scores) / WHOLE_WIN
            for seat, place in enumerate(seated):
                found[WINS, game, place] += wins[seat] / players
                found[SCORES, game, place] += scores[seat] / players
    return found


def freedom(by_line_up: list[np.ndarray]) -> float:
    """Return Satterthwaite's degrees of freedom of a mean of independent line-ups."""
    parts = [(statistics.variance(values) / len(values), len(values) - 1) for values in by_line_up]
    return sum(part for part, _ in parts) ** 2 / sum(part**2 / free for part, free in parts)


def mean_and_variance(by_line_up: list[np.ndarray]) -> tuple[float, float]:
    """Return the mean of the means of independent line-ups, and its variance."""
    means = [statistics.fmean(values) for values in by_line_up]
    variances = [statistics.variance(values) / len(values) for values in by_line_up]
    return statistics.fmean(means), sum(variances) / len(by_line_up) ** 2


def close(row: dict, name: str, wanted: tuple[float, float], free: float) -> None:
    """Check a difference and its interval."""
    value, half = wanted[0], t.ppf(0.975, free) * math.sqrt(wanted[1])
    found = [row[name], row[f"{name}_low"], row[f"{name}_high"]]
    assert found == pytest.approx([value, value - half, value + half], abs=1e-9), name


@pytest.mark.parametrize("players", [(2,), (3,), (2, 3)], ids=str)
def test_candidates_are_compared_as_their_single_games_say(players: tuple[int, ...]) -> None:
    candidates, beside = 2, (2, 3)
    plan = Plan(tuple(candidate_tables(range(2), all_opponents(beside, k)) for k in players), (0, 0))
    rows = candidate_rows(played(plan, SHIPPED), [SPECS[at] for at in range(candidates)])
    values: list[list[np.ndarray]] = [[], []]  # by candidate and line-up: wins and scores of the first place by game
    at = 0
    for k in players:
        for others in combinations_with_replacement(beside, k - 1):
            for who in range(candidates):
                values[who].append(alone_at((who, *others), SHIPPED, at * plan.stride)[:, :, 0])
            at += 1
    for who, row in enumerate(rows):
        assert row["games"] == GAMES * at
        wins, scores = ([value[what] for value in values[who]] for what in (WINS, SCORES))
        assert row["win_share"] == pytest.approx(mean_and_variance(wins)[0], abs=1e-12)
        close(row, "score", mean_and_variance(scores), freedom(scores))
    for what, name in ((WINS, "win_share_ahead"), (SCORES, "score_ahead")):
        ahead = [second[what] - first[what] for first, second in zip(*values, strict=True)]
        close(rows[1], name, mean_and_variance(ahead), freedom(ahead))
    assert rows[0]["win_share_ahead"] is rows[0]["p"] is None
    ahead = [second[WINS] - first[WINS] for first, second in zip(*values, strict=True)]
    mean, variance = mean_and_variance(ahead)
    assert rows[1]["p"] == pytest.approx(2 * t.sf(abs(mean) / math.sqrt(variance), freedom(ahead)), rel=1e-6)
    apart = sum(mean_and_variance([value[WINS] for value in of])[1] for of in values)
    assert rows[1]["pairing"] == pytest.approx(apart / variance)


def line_up_values(plan: Plan, settings: tuple[Setting, ...], field: int) -> list[tuple[tuple[int, ...], list]]:
    """Return every line-up of two with its single games in each setting."""
    return [
        (line_up, [alone_at(line_up, setting, at * plan.stride) for setting in settings])
        for at, line_up in enumerate(combinations_with_replacement(range(field), 2))
    ]


def settings_plan(field: int, settings: int) -> Plan:
    line_ups = np.array(list(combinations_with_replacement(range(field), 2)))
    return Plan((np.repeat(line_ups[:, None], settings, axis=1),), tuple(range(settings)))


def test_settings_are_compared_as_their_single_games_say() -> None:
    settings = (SHIPPED, OTHERS[0])
    plan = settings_plan(2, 2)
    rows = setting_rows(played(plan, *settings), SPECS[:2])
    games = line_up_values(plan, settings, 2)
    for who, row in enumerate(rows):
        for what, name in ((WINS, "win_share"), (SCORES, "score")):
            here = [(v[0][what], v[1][what], np.array(line_up) == who) for line_up, v in games if who in line_up]
            places = sum(int(mine.sum()) for _, _, mine in here)
            first, second = ([v[i][:, v[2]].sum(axis=1) for v in here] for i in (0, 1))
            total = [statistics.fmean(values) for values in first], [statistics.fmean(values) for values in second]
            assert row[name] == pytest.approx(sum(total[0]) / places, abs=1e-12)
            assert row[f"{name}_then"] == pytest.approx(sum(total[1]) / places, abs=1e-12)
            change = [b - a for a, b in zip(first, second, strict=True)]
            variance = sum(statistics.variance(values) / GAMES for values in change) / places**2
            close(row, f"{name}_change", (sum(map(statistics.fmean, change)) / places, variance), freedom(change))
    assert {row["games"] for row in rows} == {2 * GAMES}


def test_places_in_other_settings_are_those_of_their_win_shares() -> None:
    settings, field = (SHIPPED, *OTHERS), 3
    plan = settings_plan(field, 3)
    rows = place_rows(played(plan, *settings), SPECS[:field])
    games = line_up_values(plan, settings, field)
    shares = np.zeros((field, 3))
    for who in range(field):
        for table in range(3):
            values = [v[table][WINS][:, at].mean() for up, v in games for at, seated in enumerate(up) if seated == who]
            shares[who, table] = statistics.fmean(values)
    order = sorted(range(field), key=lambda who: -shares[who, 0])
    assert [row["strategy"] for row in rows] == [SPECS[who] for who in order]
    for place, (row, who) in enumerate(zip(rows, order, strict=True), 1):
        places = [1 + sum(shares[:, table] > shares[who, table] + 1e-12) for table in range(3)]
        assert (row["place"], row["settings"]) == (place, 2) == (places[0], 2)
        assert (row["best_place"], row["worst_place"]) == (min(places[1:]), max(places[1:]))
        assert row["same_place"] == statistics.fmean(one == places[0] for one in places[1:])
        assert row["win_share"] == pytest.approx(shares[who, 0])
        assert row["win_share_low"] < row["win_share"] < row["win_share_high"]
        assert row["verdict"] in {"survives", "changes", "not known"}
        assert (row["lowest_win_share"], row["highest_win_share"]) == pytest.approx(
            (min(shares[who, 1:]), max(shares[who, 1:]))
        )


def test_a_place_survives_only_where_every_neighbour_is_beyond_chance() -> None:
    """Three strategies in three settings: clear in all; the last two apart and then turned about; and unclear."""

    def means(values: list[float], error: float = 0.001) -> StrategyMeans:
        n = np.full(3, 1000)
        return StrategyMeans(n, n, np.array(values), np.eye(3) * error**2)

    clear, turned, near = means([0.6, 0.3, 0.1]), means([0.6, 0.1, 0.3]), means([0.6, 0.301, 0.3])
    cases = {
        "clear": ([clear, clear, clear], ["survives"] * 3),
        "turned": ([clear, clear, turned], ["survives", "changes", "changes"]),
        "near": ([clear, near, near], ["survives", "not known", "not known"]),
        "noisy": ([clear, clear, means([0.6, 0.3, 0.1], 0.5)], ["not known"] * 3),
    }
    for settings, verdicts in cases.values():
        assert [verdict(*ends) for ends in zip(*known_places(settings, ORDINARY), strict=True)] == verdicts


def test_the_same_at_both_tables_makes_no_difference_so_far() -> None:
    """Which is no proof that it never does: so many deals bound how large it can be, for win shares."""
    plan = settings_plan(2, 2)
    for row in setting_rows(played(plan, SHIPPED, SHIPPED), SPECS[:2]):
        for name in ("win_share", "score"):
            ends = {
                "score": (None, None),
                "win_share": (-2 * (1 - 0.025 ** (1 / GAMES)), 2 * (1 - 0.025 ** (1 / GAMES))),
            }
            assert row[f"{name}_change"] == 0
            assert (row[f"{name}_change_low"], row[f"{name}_change_high"]) == pytest.approx(ends[name])
            assert row[f"{name}_p"] == 1


def test_a_single_deal_has_no_interval() -> None:
    plan = Plan((candidate_tables(range(2), all_opponents((2,), 3)),), (0, 0))
    _, second = candidate_rows(played(plan, SHIPPED, games=1), SPECS[:2])
    assert isinstance(second["score_ahead"], float)
    assert second["score_ahead_low"] is second["score_ahead_high"] is second["pairing"] is None


def test_opponents_are_all_multisets() -> None:
    assert all_opponents((5, 2, 3), 3).tolist() == [[2, 2], [2, 3], [2, 5], [3, 3], [3, 5], [5, 5]]
    tables = candidate_tables((0, 1), all_opponents((2, 3), 2))
    assert tables.tolist() == [[[0, 2], [1, 2]], [[0, 3], [1, 3]]]


def test_which_places_count() -> None:
    tables = np.array([[[0, 2, 1], [1, 2, 1]]])
    assert first_places(tables).tolist() == [[[1, 0, 0, 0, 0, 0]], [[0, 0, 0, 1, 0, 0]]]
    assert in_each_setting(1)(tables).tolist() == [[[0, 0, 1, 0, 0, 0]], [[0, 0, 0, 1, 0, 1]]]


# find-best


LEVELS = tuple(f"plain:level={level}" for level in (18, 20, 21, 22, 27))
BOUNDS = Bounds(planned=20)


@pytest.fixture(scope="module")
def stages() -> list[Stage]:
    return race_of(1)


def race_of(threads: int) -> list[Stage]:
    """Return the stages of a race with small rounds, so that there are several."""
    engine = engine_of(SHIPPED, specs=(*LEVELS, "plain:level=20"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("analyzer.plan.GAMES_PER_BLOCK", 300)
        return stages_of(engine, all_opponents((5,), 3), 6000, threads)


def stages_of(engine: Engine, around: np.ndarray, most: int, threads: int) -> list[Stage]:
    run: Any = KeptInMemory(most)
    race = Elimination(Plan((candidate_tables(range(5), around),), (0,) * 5), run, BOUNDS)
    race.play(partial(threaded, engine, threads))
    return race.stages


def threaded(engine: Engine, threads: int, plan: Plan) -> Executor:
    return on_threads(engine, plan, threads)


def same_stages(one: list[Stage], other: list[Stage]) -> None:
    assert len(one) == len(other)
    for mine, theirs in zip(one, other, strict=True):
        assert mine.games == theirs.games
        assert np.array_equal(mine.contenders, theirs.contenders)
        assert np.array_equal(mine.dropped, theirs.dropped)
        for name in ("wins", "scores"):
            for part in ("games", "values", "covariance"):
                assert np.array_equal(getattr(getattr(mine, name), part), getattr(getattr(theirs, name), part))
        assert np.array_equal(mine.race.behind, theirs.race.behind)


def test_threads_change_no_stage(stages: list[Stage]) -> None:
    same_stages(stages, race_of(2))


def test_whoever_drops_out_is_not_in_the_next_stage_and_the_best_remains(stages: list[Stage]) -> None:
    for stage, after in pairwise(stages):
        assert set(after.contenders) == set(stage.contenders) - set(stage.dropped)
        assert after.games > stage.games
    assert len({row["dropped"] for row in find_best_rows(stages, LEVELS, BOUNDS)}) > 2
    assert stages[0].contenders.tolist() == list(range(5))
    rows = find_best_rows(stages, LEVELS, BOUNDS)
    assert sorted(str(row["strategy"]) for row in rows) == sorted(LEVELS)
    assert rows[0]["strategy"] == "plain:level=21"
    out = [row["dropped"] or math.inf for row in rows]
    assert out == sorted(out, reverse=True)


def test_sums_carried_over_are_those_of_an_uninterrupted_play(monkeypatch: pytest.MonkeyPatch) -> None:
    """Small rounds make several stages; in each, the contenders stand as if they alone had played from the start."""
    monkeypatch.setattr("analyzer.plan.GAMES_PER_BLOCK", 300)
    engine, around = engine_of(SHIPPED, specs=(*LEVELS, "plain:level=20", "random")), all_opponents((5, 6), 3)
    found = stages_of(engine, around, 400, 1)
    assert len(found) >= 3
    assert sum(len(stage.dropped) for stage in found) > 0
    for stage in found:
        plan = Plan((candidate_tables(stage.contenders, around),), (0,) * len(stage.contenders))
        tally = Tally(plan)
        for block in plan.missing({}, stage.games):
            tally.add(block, block_arrays(engine.play(plan.tables(block), compared=True), block))
        for what, means in ((WINS, stage.wins), (SCORES, stage.scores)):
            whole = compared_means(tally, what, first_places)
            assert np.array_equal(means.games, whole.games)
            assert np.array_equal(means.values, whole.values)
            assert np.array_equal(means.covariance, whole.covariance)
