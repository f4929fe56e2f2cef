"""What the machinery asks of a game, tested on every game there is and on a small one that only these tests know."""

import json
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, fields, replace
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import toy_game
from tournament_samples import as_bytes, raising_after, sums_in
from toy_game import TOY, TOY_HOUSE

from analyzer.blocks import MAX_GAMES, MAX_SEED
from analyzer.errors import BadInputError, GameFaultError, Sitting
from analyzer.field_results import MOST_PLAYERS, FieldSums
from analyzer.game import Engine, Event, Game, Tables, rotations
from analyzer.outcome import Outcome
from analyzer.results import SCORE, WHOLE_WIN, WIN, more_extreme
from analyzer.runs import Run
from analyzer.slots import Strategy
from analyzer.tournament import Stopping, Tournament, on_threads
from analyzer.wool_rules.game import WOOL_RULES
from strategies.entries import strategies_by_name, strategy_entries
from strategies.fields import field, read_field
from strategies.games import HOUSES, MAIN, command_of, house_of
from strategies.registry import strategy
from strategies.tournaments import ROUND_ROBIN, Asked, labels

SEED = 11
PATIENCE = 20.0
"""Seconds for a game that takes microseconds, on a machine that may be busy."""


@dataclass(frozen=True)
class Sample:
    """A game with what these tests must know of it.

    `specs` are of three strategies, the first better than the last; `other` writes files into a folder, if it needs
    any, and returns the options of a setting that is not the standard one; `scores` reads a log; `answer` is always a
    legal one for the first slot.
    """

    game: Game
    specs: tuple[str, str, str]
    other: Callable[[Path], dict[str, str]]
    scores: Callable[[list[Event]], list[int]]
    answer: int


def other_wool_rules(folder: Path) -> dict[str, str]:
    file = folder / "rules.toml"
    file.write_text("dog_single = 30\n", encoding="utf-8")
    return {"rules": str(file)}


WOOL = Sample(
    WOOL_RULES,
    ("plain:level=20", "plain:level=26", "random"),
    other_wool_rules,
    lambda events: [event["total"] for event in events if event["event"] == "score"],
    20,
)
SMALL = Sample(
    TOY,
    ("steady:level=4", "random", "steady:level=0"),
    lambda _folder: {"sides": "8"},
    lambda events: events[-1]["scores"],
    3,
)


@pytest.fixture(autouse=True, scope="module")
def toy() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(HOUSES, TOY.name, TOY_HOUSE)
        yield


@pytest.fixture(params=[WOOL, SMALL], ids=lambda sample: sample.game.name)
def sample(request: pytest.FixtureRequest) -> Sample:
    return request.param


@pytest.fixture
def other(sample: Sample, tmp_path: Path) -> Any:
    return sample.game.read_setting(sample.other(tmp_path))


def strategies_of(sample: Sample) -> list[Strategy]:
    return [strategy(spec, sample.game) for spec in sample.specs]


def engine_of(sample: Sample, *more: Any, seed: int = SEED, also: tuple[Strategy, ...] = ()) -> Engine:
    settings = (sample.game.read_setting({}), *more)
    return sample.game.engine([*strategies_of(sample), *also], settings, seed)


@cache
def one_engine(sample: Sample) -> Engine:
    return engine_of(sample)


def tables(line_up: tuple[int, ...], *units: tuple[int, int], setting: int = 0) -> Tables:
    """Return one table that plays units of games in all rotations."""
    line_ups = np.tile(np.array(line_up), (len(units), 1, 1))
    return Tables(np.array(units), line_ups, (setting,), rotations(len(line_up)))


def arrays(sums: FieldSums) -> dict[str, np.ndarray]:
    named = {each.name: getattr(sums, each.name) for each in fields(sums) if each.name not in {"games", "extra"}}
    return named | sums.extra | {"games": np.array(sums.games)}


def added(parts: list[FieldSums]) -> dict[str, np.ndarray]:
    """Return the sums of parts that play one line-up, units added up too."""
    every = [arrays(part) for part in parts]
    total = {name: sum(part[name] for part in every) for name in every[0]}
    for name in ("products", "orders", "seats"):
        total[name] = sum(part[name].sum(axis=0) for part in every)
    for part in every:
        total["extremes"] = more_extreme(every[0]["extremes"], part["extremes"])
        every[0]["extremes"] = total["extremes"]
    return total


def same(one: dict[str, np.ndarray], other: dict[str, np.ndarray]) -> bool:
    return as_bytes(one) == as_bytes(other)


def play(engine: Engine, line_up: tuple[int, ...], *units: tuple[int, int], setting: int = 0) -> FieldSums:
    return engine.play(tables(line_up, *units, setting=setting), compared=True)


# Names


def test_every_game_is_tested_here() -> None:
    assert set(HOUSES) == {WOOL.game.name, SMALL.game.name}
    assert all(name == house.game.name for name, house in HOUSES.items())


def test_a_game_needs_no_more_than_this() -> None:
    assert len(Path(toy_game.__file__).read_text(encoding="utf-8").splitlines()) <= 150


def test_what_a_game_says_of_itself_goes_together(sample: Sample) -> None:
    game = sample.game
    assert game.name == game.name.lower()
    assert game.name.replace("-", "").isalpha()
    assert 2 <= game.min_players < game.max_players <= MOST_PLAYERS
    assert set(game.truth_slots) < set(game.slots)
    assert all(slot.isidentifier() for slot in game.slots)
    assert {"me", "draws"} <= set(game.view.names or ())
    assert game.score_parts
    fields = ("score", "win_share", *game.score_parts, *game.counted)
    assert len(set(fields)) == len(fields)
    assert all(kind in {Path, int} for kind in game.options.values())
    assert len(game.engine_digest) == 64


def test_strategies_have_names_and_what_they_leave_out_is_played_by_the_default(sample: Sample) -> None:
    game, house = sample.game, house_of(sample.game)
    entries = strategy_entries(game)
    assert list(entries)[: len(house.first)] == list(house.first)
    assert all(entry.summary for entry in entries.values())
    assert tuple(entries[house.default].functions) == game.slots
    default = strategy(house.default, game)
    for name in entries:
        one = strategy(name, game)
        assert tuple(one.policies) == game.slots
        for slot in game.slots:
            assert one.policies[slot].truth == (slot in game.truth_slots)
            if slot not in entries[name].functions:
                assert one.policies[slot].function is default.policies[slot].function


def test_a_file_of_a_user_plays_and_a_field_file_names_it(sample: Sample, tmp_path: Path) -> None:
    game, slot = sample.game, sample.game.slots[0]
    file = tmp_path / "mine.py"
    file.write_text(f"class Mine:\n    def {slot}(v, n={sample.answer}):\n        return n\n", encoding="utf-8")
    (tmp_path / "field.toml").write_text(f'strategies = ["mine.py:Mine", "{sample.specs[0]}"]\nplayers = [2]\n')
    found = read_field(tmp_path / "field.toml", game)
    assert found.players == (2,)
    mine = found.strategies[0]
    assert mine.policies[slot].parameters == {"n": sample.answer}
    sums = game.engine(found.strategies, (game.read_setting({}),), SEED)
    assert play(sums, (0, 1), (0, 5)).games == 5
    given = [f"{file}:Mine:n={sample.answer}", f"{file}:Mine"]
    with pytest.raises(BadInputError, match="same strategy"):
        field(given, game)
    (tmp_path / "field.toml").write_text(f'strategies = ["{sample.specs[0]}"]\nplayers = [{game.max_players + 1}]\n')
    with pytest.raises(BadInputError, match=f"from {game.min_players} to {game.max_players}"):
        read_field(tmp_path / "field.toml", game)


def test_strategies_of_installed_packages_belong_to_one_game(sample: Sample, monkeypatch: pytest.MonkeyPatch) -> None:
    house = house_of(sample.game)
    home = house.homes()[house.default]
    mine = "woolsim.strategies" if sample.game is MAIN else f"woolsim.strategies.{sample.game.name.replace('-', '_')}"
    point = SimpleNamespace(name="theirs", value="package:theirs", load=lambda: home)
    monkeypatch.setattr("strategies.entries.entry_points", lambda group: [point] if group == mine else [])
    assert [entry.name for entry in strategies_by_name(sample.game)][-1] == "theirs"
    for other in HOUSES.values():
        if other.game is sample.game:
            assert tuple(strategy("theirs", other.game).policies) == other.game.slots
        else:
            with pytest.raises(BadInputError, match="unknown strategy 'theirs'"):
                strategy("theirs", other.game)


def test_what_no_game_of_that_name_has_is_refused_with_what_there_is(sample: Sample) -> None:
    with pytest.raises(BadInputError, match=f"{command_of(sample.game)} strategies list") as caught:
        strategy("nobody", sample.game)
    assert house_of(sample.game).default in str(caught.value)
    with pytest.raises(BadInputError) as caught:
        strategy(f"{sample.specs[0]}/shout=random", sample.game)
    assert all(slot in str(caught.value) for slot in sample.game.slots)


# Settings


def test_settings_are_read_written_and_read_again(sample: Sample, other: Any) -> None:
    game, standard = sample.game, sample.game.read_setting({})
    assert standard == game.read_setting({}) != other
    assert hash(standard) == hash(game.read_setting({}))
    for setting in (standard, other):
        data = setting.as_dict()
        assert set(data) == set(game.options)
        assert all("name" in part for part in data.values())
        again = game.setting(json.loads(json.dumps({"shape": "also in a question", **data})))
        assert again == setting
        assert again.as_dict() == data


def test_an_option_that_cannot_be_read_is_named(sample: Sample) -> None:
    for option in sample.game.options:
        with pytest.raises(BadInputError, match="no-such-thing"):
            sample.game.read_setting({option: "no-such-thing"})


def test_tables_in_several_settings_are_those_of_each_alone(sample: Sample, other: Any) -> None:
    engine = engine_of(sample, other)
    line_up, n = (0, 1), len(sample.specs)
    both = Tables(np.array([[3, 20]]), np.array([[line_up, line_up]]), (0, 1), rotations(2))
    sums = engine.play(both, compared=True)
    alone = [play(engine, line_up, (3, 20), setting=at) for at in (0, 1)]
    for name in ("total", "squares", "scores"):
        together = getattr(sums, name)
        assert np.array_equal(together, sum(getattr(each, name) for each in alone)), name
        assert np.array_equal(together[:n], getattr(alone[0], name)[:n]), name
        assert np.array_equal(together[n:], getattr(alone[1], name)[n:]), name
    assert not np.array_equal(sums.total[:n], sums.total[n:])
    assert np.array_equal(sums.seats[0], np.concatenate([each.seats[0] for each in alone]))


# Games


def test_the_same_seed_plays_the_same_games_and_another_others(sample: Sample) -> None:
    line_up = (0, 1, 2)[: sample.game.max_players]
    first = arrays(play(one_engine(sample), line_up, (0, 40)))
    assert same(first, arrays(play(one_engine(sample), line_up, (0, 40))))
    assert same(first, arrays(play(engine_of(sample), line_up, (0, 40))))
    assert not same(first, arrays(play(engine_of(sample, seed=SEED + 1), line_up, (0, 40))))
    assert not same(first, arrays(play(one_engine(sample), line_up, (40, 40))))


def test_blocks_and_threads_change_no_bit(sample: Sample) -> None:
    engine, line_up = one_engine(sample), (0, 1, 2)
    whole = added([play(engine, line_up, (5, 60))])
    assert whole["games"] == 60
    assert same(whole, added([play(engine, line_up, (5, 1), (6, 29), (35, 30))]))
    cuts = [(5, 20), (25, 10), (35, 29), (64, 1)]
    assert same(whole, added([play(engine, line_up, cut) for cut in reversed(cuts)]))
    with ThreadPoolExecutor(4) as pool:
        parts = list(pool.map(lambda cut: play(engine, line_up, cut), cuts))
    assert same(whole, added(parts))


def test_what_is_compared_changes_nothing_else(sample: Sample) -> None:
    engine = one_engine(sample)
    plain = engine.play(tables((0, 2), (0, 30)), compared=False)
    assert [plain.products.size, plain.orders.size, plain.seats.size] == [0, 0, 0]
    more = arrays(play(engine, (0, 2), (0, 30)))
    nothing = {name: arrays(plain)[name] for name in ("products", "orders", "seats")}
    assert same(arrays(plain), more | nothing)


def test_every_game_has_one_win_to_share_and_scores_are_the_sum_of_their_parts(sample: Sample) -> None:
    game = sample.game
    for players in range(game.min_players, game.max_players + 1):
        line_up = tuple(sorted(seat % 3 for seat in range(players)))
        sums = play(one_engine(sample), line_up, (0, 30))
        assert sums.total[:, WIN].sum() == WHOLE_WIN * 30 * players  # exactly, in every seating
        assert sums.shared.sum() == 30 * players
        assert sums.shared[0] == 0
        parts = slice(WIN + 1, WIN + 1 + len(game.score_parts))
        assert np.array_equal(sums.total[:, parts].sum(axis=1), sums.total[:, SCORE])
        assert sums.total.shape[1] == 2 + len(game.score_parts) + len(game.counted)
        assert sums.scores.sum(axis=1).tolist() == [30 * players * line_up.count(who) for who in range(3)]
        assert sums.places[:, 0].sum() == sums.total[:, SCORE].sum()
        seats, products = sums.seats[0], sums.products[0]
        rows = np.array(line_up)
        for who in range(3):
            assert seats[rows == who, :, 0].sum() == sums.total[who, WIN]
            assert seats[rows == who, :, 2].sum() == sums.total[who, SCORE]
        assert products[0].sum() == 30 * (WHOLE_WIN * players) ** 2  # the shares of a rotation block always add up
        assert sums.orders[0, 0, 2**players - 1] == WHOLE_WIN * 30 * players


def test_a_line_up_in_another_order_plays_the_same_games(sample: Sample) -> None:
    """In all rotations, what matters is who sits next to whom."""
    first, second = (play(one_engine(sample), line_up, (0, 40)) for line_up in ((0, 1, 2), (1, 2, 0)))
    for name in ("total", "squares", "scores", "places", "shared"):
        assert np.array_equal(getattr(first, name), getattr(second, name)), name
    assert np.array_equal(np.roll(first.seats[0], -1, axis=0), second.seats[0])


def logged(sample: Sample, line_up: tuple[int, ...], games: range) -> np.ndarray:
    """Return scores and win shares by strategy from the logs of single games, in all seatings."""
    engine, found = one_engine(sample), np.zeros((len(sample.specs), 2), np.int64)
    for game in games:
        for seating in rotations(len(line_up)):
            seats = tuple(line_up[place] for place in seating)
            events = sample.game.log(engine, Sitting(game, seats))
            json.dumps(events)
            setup, end, scores = events[0], events[-1], sample.scores(events)
            assert (setup["event"], setup["seed"], setup["game"]) == ("setup", SEED, game)
            assert setup["strategies"] == [engine.strategies[who].spec for who in seats]
            assert end["event"] == "end"
            assert end["winners"] == [seat for seat, score in enumerate(scores) if score == max(scores)]
            assert end["win_share"] == 1 / len(end["winners"])
            for seat, who in enumerate(seats):
                share = WHOLE_WIN // len(end["winners"]) if seat in end["winners"] else 0
                found[who] += scores[seat], share
    return found


def test_logs_of_single_games_tell_what_the_sums_say(sample: Sample) -> None:
    for line_up in ((0, 2), (0, 1, 2), (0, 1, 1, 2)):
        sums = play(one_engine(sample), line_up, (100, 8))
        assert np.array_equal(logged(sample, line_up, range(100, 108)), sums.total[:, [SCORE, WIN]])


def told(sample: Sample, game: int, seats: tuple[int, ...], engine: Engine | None = None) -> tuple[Event, list[Event]]:
    """Return what a game begins with, whoever plays, and what happens in it."""
    setup, *events = sample.game.log(engine or one_engine(sample), Sitting(game, seats))
    return {name: value for name, value in setup.items() if name not in {"strategies", "game", "seed"}}, events


def test_who_plays_changes_nothing_of_what_is_dealt(sample: Sample) -> None:
    for game in range(4):
        assert told(sample, game, (0, 1, 2))[0] == told(sample, game, (2, 2, 0))[0]
        assert told(sample, game, (0, 1, 2)) == told(sample, game, (0, 1, 2))


def test_games_and_seeds_of_any_size_are_games_of_their_own(sample: Sample) -> None:
    """None is taken for another, as it would be if only some bits of its number counted."""
    engines = [engine_of(sample, seed=seed) for seed in (0, SEED + 2**32, MAX_SEED)]
    numbers = (7, 7 + 2**31, 7 + 2**32, MAX_GAMES - 2)
    courses = [[told(sample, game + at, (0, 2, 2)) for at in (0, 1)] for game in numbers]
    courses += [[told(sample, 7 + at, (0, 2, 2), engine) for at in (0, 1)] for engine in engines]
    assert all(one != other for at, one in enumerate(courses) for other in courses[:at])
    assert play(one_engine(sample), (0, 1), (MAX_GAMES - 3, 3)).games == 3


def test_the_most_extreme_game_can_be_replayed(sample: Sample) -> None:
    line_up, engine = (0, 1, 2), one_engine(sample)
    for which, pick in ((0, max), (1, min)):
        value, game, _, seating, place = play(engine, line_up, (0, 50)).extremes[which].tolist()
        seated = rotations(3)[seating].tolist()
        scores = sample.scores(sample.game.log(engine, Sitting(game, tuple(line_up[at] for at in seated))))
        assert scores[seated.index(place)] == pick(scores) == (value if which == 0 else -value)


# What goes wrong

WRONG = """
def illegal(v):
    return -1000

def failing(v, nothing=0):
    return {}
"""


@pytest.mark.parametrize("what", ["illegal", "failing"])
def test_a_wrong_answer_is_a_fault_of_a_game_that_can_be_seen(
    what: str, sample: Sample, other: Any, tmp_path: Path
) -> None:
    game, default = sample.game, house_of(sample.game).default
    asked = [slot for slot in game.slots if slot not in game.truth_slots] if what == "illegal" else game.truth_slots[:1]
    for slot in asked:
        file = tmp_path / f"{slot}.py"
        file.write_text(WRONG.format("1 // nothing > 0" if slot in game.truth_slots else "1 // nothing"))
        wrong = strategy(f"{default}/{slot}={file}:{what}", game)
        engine = engine_of(sample, other, also=(wrong,))
        with pytest.raises(GameFaultError) as caught:
            play(engine, (0, 1, 3), (50, 500), setting=1)
        check_fault(game, engine, caught.value, slot, first=50)


def check_fault(game: Game, engine: Engine, fault: GameFaultError, slot: str, first: int) -> None:
    """The fault must be that of the first game that has one, and be the same when that game is replayed."""
    sitting = fault.sitting
    assert 0 <= sitting.game - first < 500
    assert sorted(sitting.seats) == [0, 1, 3]
    assert sitting.setting == 1
    assert slot in str(fault)
    assert engine.strategies[3].spec in str(fault)
    with pytest.raises(GameFaultError) as again:
        game.log(engine, sitting)
    assert (str(again.value), again.value.sitting) == (str(fault), sitting)
    setup, *rest = again.value.events
    assert setup["strategies"] == [engine.strategies[who].spec for who in sitting.seats]
    assert all(event["event"] != "end" for event in rest)
    assert engine.progress() == []
    if sitting.game > first:
        assert play(engine, (0, 1, 3), (first, sitting.game - first), setting=1).games == sitting.game - first


@contextmanager
def in_flight(engine: Engine, line_up: tuple[int, ...], first: int, played: list[FieldSums]) -> Iterator[int]:
    """Play more games than there is time for while this block runs; give the number of what is in flight."""
    thread = threading.Thread(target=lambda: played.append(play(engine, line_up, (first, 10**8))), daemon=True)
    thread.start()
    try:
        while not (seen := [block for block, games in engine.progress() if games and engine.last_asked(block)]):
            assert thread.is_alive(), "ended before anything was seen"
            time.sleep(0.001)
        yield seen[0]
    finally:
        engine.stop()
        thread.join(PATIENCE)
    assert not thread.is_alive()


def test_blocks_in_flight_are_seen_and_stopped_after_the_game_they_play(sample: Sample) -> None:
    engine, played = engine_of(sample), list[FieldSums]()
    assert engine.progress() == []
    latest: dict[int, int] = {}
    for first in (0, 10**9):
        with in_flight(engine, (0, 1, 2), first, played) as block:
            games = dict(engine.progress())[block]
            assert games >= latest.get(block, 0)  # a watchdog must not take the next block for a standstill
            seen = [engine.last_asked(block) for _ in range(20)]  # seats may change while one looks, but not each time
            assert all(any(slot in who for slot in sample.game.slots) for who, _ in seen)
            assert all(first <= sitting.game < first + 10**8 for _, sitting in seen)
            assert [0, 1, 2] in [sorted(sitting.seats) for _, sitting in seen]
            end = time.monotonic() + PATIENCE
            while (latest := dict(engine.progress()))[block] == games and time.monotonic() < end:
                time.sleep(0.001)
            assert latest[block] > games
        assert engine.progress() == []
        assert engine.last_asked(block) is None
        assert 0 < played[-1].games < 10**8
        assert same(arrays(played[-1]), arrays(play(engine, (0, 1, 2), (first, played[-1].games))))


def test_a_block_that_has_only_just_begun_is_stopped_too(sample: Sample) -> None:
    engine, played = engine_of(sample), list[FieldSums]()
    for _ in range(5):
        thread = threading.Thread(target=lambda: played.append(play(engine, (0, 1), (0, 10**8))), daemon=True)
        thread.start()
        while not engine.progress():
            assert thread.is_alive()
        engine.stop()
        thread.join(PATIENCE)
        assert not thread.is_alive()
        assert played[-1].games < 10**8


def test_an_unfinished_game_can_be_told(sample: Sample) -> None:
    engine, sitting = engine_of(sample), Sitting(4, (0, 1))
    assert sample.game.unfinished_log(engine, sitting) == []
    with in_flight(engine, (0, 1), 0, []):
        assert sample.game.unfinished_log(engine, sitting)[0]["event"] == "setup"


# Tournaments


def asked(sample: Sample, games: int, players: tuple[int, ...] = (2,)) -> Asked:
    settings = (sample.game.read_setting({}),)
    return Asked(sample.game, field(sample.specs, sample.game), settings, ROUND_ROBIN, players, SEED, Stopping(games))


def play_on(folder: Path, one: Asked, threads: int, progress: Callable[[int], None] | None = None) -> Tournament:
    with Run.create(folder, one.question(), extent=one.stopping.most) as run:
        tournament = Tournament(one.plan, run, one.stopping, one.look)
        tournament.play(on_threads(one.recipe.engine(), one.plan, threads), progress)
        return tournament


def test_a_tournament_is_the_sum_of_its_single_games(
    sample: Sample, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("analyzer.plan.GAMES_PER_BLOCK", 24)
    tiny = asked(sample, 4)
    tally = play_on(tmp_path / "run", tiny, 2).tally
    expected, (line_ups,) = np.zeros((3, 2), np.int64), tiny.plan.line_ups
    for at, line_up in enumerate(line_ups.tolist()):
        start = at * tiny.plan.stride
        expected += logged(sample, tuple(line_up), range(start, start + 4))
    assert np.array_equal(tally.by_part[0]["total"][:, [SCORE, WIN]], expected)


def test_a_tournament_interrupted_and_resumed_from_its_file_is_played_at_once(
    sample: Sample, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("analyzer.plan.GAMES_PER_BLOCK", 60)
    whole = play_on(tmp_path / "whole", asked(sample, 10, (2, 3)), 1)
    assert whole.games_done == 10 * whole.plan.games
    with pytest.raises(KeyboardInterrupt):
        play_on(tmp_path / "run", asked(sample, 10, (2, 3)), 2, raising_after(2))
    with Run.open(tmp_path / "run", write=False) as run:
        kept, question, again = len(run.done()), dict(run.question), Asked.of_question(run.question)
    assert 2 <= kept < len(list(whole.plan.missing({}, 10)))
    assert again.question() == question
    assert [each.spec for each in again.strategies] == [each["name"] for each in question["strategies"]]
    resumed = play_on(tmp_path / "run", replace(again, stopping=Stopping(10)), 1)
    assert sums_in(resumed.tally) == sums_in(whole.tally)


def test_standings_find_the_better_strategy(sample: Sample, tmp_path: Path) -> None:
    one = asked(sample, 150)
    tournament = play_on(tmp_path / "run", one, 1)
    with Run.open(tmp_path / "run", write=False) as run:
        only_shown = Asked.of_question(run.question, to_play=False)
        names = labels(run.question)
        shown = Tournament(only_shown.plan, run, only_shown.stopping, only_shown.look)
    assert names == list(sample.specs)
    rows = Outcome(names, shown.tally.line_up_sums()).standings
    assert rows == Outcome(names, tournament.tally.line_up_sums()).standings
    order = [row["strategy"] for row in rows]
    assert order.index(sample.specs[0]) < order.index(sample.specs[2])
    best, worst = (next(row for row in rows if row["strategy"] == sample.specs[at]) for at in (0, 2))
    assert best["win_share_low"] > worst["win_share_high"]
    assert best["group"] < worst["group"]
