"""Tournaments: the same figures in every bit, however they were played, interrupted, extended, shared and merged."""

import re
import subprocess
import sys
from contextlib import suppress
from dataclasses import replace
from itertools import permutations
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tournament_samples import (
    FIELD,
    QUESTION,
    STOPPINGS,
    OutOfOrder,
    Played,
    arrays_of,
    as_bytes,
    cut_plan,
    engine,
    engine_of,
    line_ups_of,
    raising_after,
    round_robin,
    tournament_in,
)

from analyzer.errors import GameFaultError
from analyzer.game import Tables, rotations
from analyzer.outcome import Outcome
from analyzer.plan import Block, Plan
from analyzer.runs import Part, Run, merge
from analyzer.sequential import Verdict
from analyzer.slots import Strategy
from analyzer.tally import block_arrays
from analyzer.tournament import Stopping, on_threads
from strategies.registry import strategy

SAMPLES = Path(__file__).with_name("tournament_samples.py")

GAMES = 23
PLAN = round_robin(3, 2, 3)
"""Two and three players, rounds of five rotation blocks."""

UNTIL = {
    "until decided": Stopping(until_decided=True, max_games=203),
    "target error": Stopping(target_error=0.06, max_games=203),
    "both": Stopping(until_decided=True, target_error=0.15, max_games=203),
    "never decided": Stopping(target_error=0.01, max_games=38, min_games=12),
}


@pytest.fixture(scope="module")
def at_once(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """Everything about a tournament played at once on one thread."""
    played = Played(tmp_path_factory.mktemp("at once"), PLAN)
    played.play(GAMES)
    assert played.complete
    return played.all_of_it()


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The tables of the same."""
    played = Played(tmp_path_factory.mktemp("tables"), PLAN)
    played.play(GAMES)
    return played.tables()


@pytest.fixture(scope="module")
def decided(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """Everything about tournaments played until something is known."""
    found = {}
    for name, stopping in UNTIL.items():
        played = Played(tmp_path_factory.mktemp("decided"), PLAN)
        played.play(stopping=stopping)
        assert played.complete
        found[name] = played.all_of_it()
    return found


# However it is played


def test_tables_say_what_was_asked_for(tables: dict[str, str]) -> None:
    assert f"'games': {GAMES}," in tables["line-ups"]
    assert all(table != "[]" for name, table in tables.items() if name != "cycles")  # nobody need win in circles


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_threads_change_no_bit(threads: int, at_once: Any, tables: dict[str, str], tmp_path: Path) -> None:
    played = Played(tmp_path, PLAN)
    played.play(GAMES, threads=threads)
    assert played.all_of_it() == at_once
    if threads == 3:
        assert played.tables() == tables


def test_tables_of_a_run_that_was_shared_interrupted_and_extended_change_no_bit(
    tables: dict[str, str], tmp_path: Path
) -> None:
    parts = [part_of(tmp_path, number, 2, 12) for number in (2, 1)]
    played = merged(tmp_path / "both", parts)
    with pytest.raises(KeyboardInterrupt):
        played.play(GAMES, threads=3, progress=raising_after(2))
    played.play(GAMES, threads=2)
    assert played.tables() == tables


@settings(deadline=None, max_examples=10)
@given(st.integers(0, 2**32), st.integers(1, 12))
def test_blocks_may_be_finished_in_any_order(at_once: Any, seed: int, ahead: int) -> None:
    with TemporaryDirectory() as folder:
        played = Played(Path(folder), PLAN)
        played.play(GAMES, executor=OutOfOrder(PLAN, seed, ahead))
        assert played.all_of_it() == at_once


def test_progress_tells_every_game(tmp_path: Path) -> None:
    told: list[int] = []
    tournament = Played(tmp_path, PLAN).play(GAMES, threads=2, progress=told.append)
    assert sum(told) == tournament.games_done == GAMES * PLAN.games


@pytest.mark.parametrize("stops", [(1, 2, 3), (3, 7, 10), (5, 20), (22,)])
def test_extended_step_by_step_is_played_at_once(stops: tuple[int, ...], at_once: Any, tmp_path: Path) -> None:
    played = Played(tmp_path, PLAN)
    for games in (*stops, GAMES):
        played.play(games, threads=2)
        assert played.complete
        assert played.extent == games
    assert played.all_of_it() == at_once


def test_a_run_that_is_whole_plays_nothing_more(at_once: Any, tmp_path: Path) -> None:
    played = Played(tmp_path, PLAN)
    told: list[int] = []
    played.play(GAMES)
    for games in (GAMES, 7):
        played.play(games, progress=told.append)
    assert not told
    assert played.all_of_it() == at_once


# Parts


def part_of(folder: Path, number: int, of: int, games: int = GAMES) -> Played:
    played = Played(folder / f"{number} of {of}", PLAN, part=Part(number, of))
    played.play(games, threads=2)
    return played


def merged(folder: Path, parts: list[Played]) -> Played:
    runs = [Run.open(part.folder, write=False) for part in parts]
    merge(folder, runs).close()
    for run in runs:
        run.close()
    return Played(folder, PLAN)


def test_parts_merged_in_any_order_are_the_whole(at_once: Any, tmp_path: Path) -> None:
    parts = [part_of(tmp_path, number, 3) for number in (1, 2, 3)]
    assert [part.complete for part in parts] == [False] * 3
    assert sum(len(part.numbers) for part in parts) == len(set.union(*(part.numbers for part in parts)))
    for at, order in enumerate(permutations(parts)):
        played = merged(tmp_path / str(at), list(order))
        assert played.complete
        assert played.all_of_it() == at_once


def test_a_run_whose_part_is_lost_plays_only_that(at_once: Any, tmp_path: Path) -> None:
    parts = [part_of(tmp_path, number, 3) for number in (1, 3)]
    played = merged(tmp_path / "both", parts)
    assert not played.complete
    told: list[int] = []
    played.play(GAMES, progress=told.append)
    assert sum(told) == GAMES * PLAN.games - sum(part.read().games_done for part in parts)
    assert played.all_of_it() == at_once


def test_parts_of_different_extents_are_merged_and_completed(at_once: Any, tmp_path: Path) -> None:
    parts = [part_of(tmp_path, number, 2, games) for number, games in ((1, 12), (2, GAMES))]
    played = merged(tmp_path / "both", parts)
    assert played.extent == GAMES
    played.play(GAMES)
    assert played.all_of_it() == at_once


# Interrupted


@pytest.mark.parametrize(("blocks", "threads"), [(1, 1), (2, 2), (5, 3), (8, 2)])
def test_interrupted_and_resumed_is_played_at_once(blocks: int, threads: int, at_once: Any, tmp_path: Path) -> None:
    played = Played(tmp_path, PLAN)
    with pytest.raises(KeyboardInterrupt):
        played.play(GAMES, threads=threads, progress=raising_after(blocks))
    kept = played.numbers
    assert blocks <= len(kept) <= blocks + 2 * threads
    told: list[int] = []
    played.play(GAMES, threads=3, progress=told.append)
    assert len(told) == len(played.numbers) - len(kept)
    assert played.all_of_it() == at_once


@settings(deadline=None, max_examples=10)
@given(st.integers(0, 2**32), st.integers(1, 6), st.integers(1, 9))
def test_on_ctrl_c_what_was_begun_is_kept_and_nothing_more_is_begun(seed: int, ahead: int, blocks: int) -> None:
    with TemporaryDirectory() as folder:
        played, executor = Played(Path(folder), PLAN), OutOfOrder(PLAN, seed, ahead)
        with pytest.raises(KeyboardInterrupt):
            played.play(GAMES, executor=executor, progress=raising_after(blocks))
        assert played.numbers == {block.number for block in executor.begun}
        assert len(executor.begun) <= blocks + ahead - 1
        assert sum(map(len, played.read().tally.line_up_sums()[0].blocks)) > 0


def test_on_ctrl_c_threads_finish_what_they_have_begun(tmp_path: Path) -> None:
    class Counting:
        """An engine that counts the blocks that are begun."""

        begun = 0

        def play(self, *args: Any, **kwargs: Any) -> Any:
            self.begun += 1
            return engine(*FIELD).play(*args, **kwargs)

    counting: Any = Counting()
    played = Played(tmp_path, PLAN)
    with pytest.raises(KeyboardInterrupt):
        played.play(GAMES, executor=on_threads(counting, PLAN, 1), progress=raising_after(3))
    assert len(played.numbers) == counting.begun < 10


@pytest.mark.parametrize("second", [1, 2])
def test_a_second_ctrl_c_loses_nothing_that_was_kept(second: int, at_once: Any, tmp_path: Path) -> None:
    told: list[int] = []

    def progress(games: int) -> None:
        told.append(games)
        if len(told) in {3, 3 + second}:
            raise KeyboardInterrupt

    played, executor = Played(tmp_path, PLAN), OutOfOrder(PLAN, 1, 4)
    with pytest.raises(KeyboardInterrupt):
        played.play(GAMES, executor=executor, progress=progress)
    assert len(played.numbers) == len(told) == 3 + second < len(executor.begun)
    played.play(GAMES)
    assert played.all_of_it() == at_once


@pytest.mark.parametrize("which", STOPPINGS)
def test_killed_at_random_moments_and_resumed_is_played_at_once(which: str, tmp_path: Path) -> None:
    check_killed(which, tmp_path, 4, 1)


@pytest.mark.slow
@pytest.mark.parametrize("which", STOPPINGS)
@pytest.mark.parametrize("seed", range(5))
def test_killed_at_many_moments_and_resumed_is_played_at_once(which: str, seed: int, tmp_path: Path) -> None:
    check_killed(which, tmp_path, 12, seed)


def check_killed(which: str, folder: Path, times: int, seed: int) -> None:
    stopping = STOPPINGS[which]
    killed, whole = Played(folder / "killed", PLAN), Played(folder / "whole", PLAN)
    command = [sys.executable, SAMPLES, killed.folder, which, str(times), str(seed)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    committed = [int(line) for line in done.stdout.split()]
    assert len(committed) == times
    assert len(killed.numbers) >= sum(committed) > 0
    for played in (killed, whole):
        played.play(stopping.games, stopping=stopping, threads=2)
    assert killed.all_of_it() == whole.all_of_it()


# Until it is decided


def test_what_is_to_be_decided_takes_some_looks_and_not_all_games(decided: dict[str, Any]) -> None:
    extents = {name: extent for name, (extent, _) in decided.items()}
    assert extents["never decided"] == 38
    assert all(20 <= extents[name] < 200 and extents[name] % PLAN.span == 0 for name in list(UNTIL)[:3])


@pytest.mark.parametrize("threads", [2, 3])
@pytest.mark.parametrize("name", UNTIL)
def test_threads_decide_alike(name: str, threads: int, decided: dict[str, Any], tmp_path: Path) -> None:
    played = Played(tmp_path, PLAN)
    tournament = played.play(stopping=UNTIL[name], threads=threads)
    assert tournament.verdict.stop == (name != "never decided")
    assert played.all_of_it() == decided[name]


@pytest.mark.parametrize("name", UNTIL)
def test_what_was_decided_is_what_so_many_games_say(name: str, decided: dict[str, Any], tmp_path: Path) -> None:
    played = Played(tmp_path, PLAN)
    played.play(decided[name][0], threads=2)
    assert played.all_of_it() == decided[name]


@settings(deadline=None, max_examples=10)
@given(st.sampled_from(list(UNTIL)), st.integers(0, 2**32), st.integers(1, 12), st.lists(st.integers(1, 9), max_size=3))
def test_order_and_interruptions_decide_nothing(
    decided: dict[str, Any], name: str, seed: int, ahead: int, stops: list[int]
) -> None:
    with TemporaryDirectory() as folder:
        played = Played(Path(folder), PLAN)
        for at, blocks in enumerate(stops):
            try:
                played.play(
                    stopping=UNTIL[name],
                    executor=OutOfOrder(PLAN, seed + at, ahead),
                    progress=raising_after(blocks),
                )
            except KeyboardInterrupt:
                assert played.extent <= decided[name][0]
        played.play(stopping=UNTIL[name], executor=OutOfOrder(PLAN, seed, ahead))
        assert played.all_of_it() == decided[name]


def test_what_is_decided_is_not_played_on(decided: dict[str, Any], tmp_path: Path) -> None:
    played, told = Played(tmp_path, PLAN), list[int]()
    stopping = UNTIL["until decided"]
    played.play(stopping=stopping)
    again = played.play(stopping=stopping, progress=told.append)
    assert not told
    assert again.verdict.stop


@pytest.mark.parametrize("more", [1, 2, 5, 8])
def test_a_decided_tournament_extended_is_played_at_once(more: int, decided: dict[str, Any], tmp_path: Path) -> None:
    """Although blocks of later rounds, longer than what is asked for now, were finished before it was decided."""
    name = "until decided"
    played, whole = Played(tmp_path / "extended", PLAN), Played(tmp_path / "whole", PLAN)
    games = decided[name][0] + more
    played.play(stopping=UNTIL[name], executor=OutOfOrder(PLAN, 2, 8))
    assert len(played.numbers) > len(list(PLAN.missing({}, decided[name][0])))
    played.play(games)
    assert played.complete
    whole.play(games)
    assert played.all_of_it() == whole.all_of_it()


def test_interrupted_and_then_given_a_number_of_games_is_played_at_once(at_once: Any, tmp_path: Path) -> None:
    played = Played(tmp_path, PLAN)
    with pytest.raises(KeyboardInterrupt):
        played.play(stopping=UNTIL["never decided"], executor=OutOfOrder(PLAN, 3, 12), progress=raising_after(9))
    played.play(GAMES)
    assert played.complete
    assert played.all_of_it() == at_once


def test_blocks_that_are_lost_from_a_decided_run_are_played_again(decided: dict[str, Any], tmp_path: Path) -> None:
    """As after damage to the file: what is left of it must not decide."""
    name = "until decided"
    extent = decided[name][0]
    played = Played(tmp_path, PLAN)
    with Run.create(tmp_path, QUESTION, extent=extent) as run:
        for block in list(PLAN.missing({}, extent))[::3]:
            run.commit(block.number, arrays_of(PLAN, block))
    played.play(stopping=UNTIL[name], threads=2)
    assert played.all_of_it() == decided[name]


# Two processes on one run


@pytest.mark.parametrize("name", ["until decided", "never decided"])
@pytest.mark.parametrize("blocks", [1, 4, 13])
def test_who_goes_on_with_a_run_that_another_has_decided_decides_alike(
    name: str, blocks: int, decided: dict[str, Any], tmp_path: Path
) -> None:
    played, told = Played(tmp_path, PLAN), list[int]()

    def progress(games: int) -> None:
        told.append(games)
        if len(told) == blocks:
            played.play(stopping=UNTIL[name])

    tournament = played.play(stopping=UNTIL[name], progress=progress, executor=OutOfOrder(PLAN, 4, 3))
    assert tournament.run.folder == tmp_path
    assert played.all_of_it() == decided[name]


@pytest.mark.parametrize("blocks", [1, 4, 8])
def test_a_run_may_be_extended_while_it_is_played(blocks: int, at_once: Any, tmp_path: Path) -> None:
    played, told = Played(tmp_path, PLAN), list[int]()

    def progress(games: int) -> None:
        told.append(games)
        if len(told) == blocks:
            played.play(GAMES)

    with Run.create(tmp_path, QUESTION, extent=17) as run:
        tournament = tournament_in(run, PLAN, Stopping(17))
        tournament.play(OutOfOrder(PLAN, 4, 3), progress)
    assert played.all_of_it() == at_once


# Who takes part


def renamed(each: Strategy, name: str) -> Strategy:
    return replace(each, spec=name, given=name)


def outcome_of(folder: Path, strategies: list[Strategy], plan: Plan, games: int) -> Outcome:
    with Run.create(folder, QUESTION, extent=games) as run:
        tournament = tournament_in(run, plan, Stopping(games))
        tournament.play(on_threads(engine_of(strategies), plan, 2))
        assert tournament.games_done == games * plan.games
    return Outcome([each.spec for each in strategies], tournament.tally.line_up_sums())


def groups_of(outcome: Outcome) -> dict[Any, Any]:
    return {row["strategy"]: row["group"] for row in outcome.standings}


@pytest.mark.parametrize("players", [2, 3, 4])
def test_identical_strategies_end_in_one_tie_group_and_a_better_one_is_found(players: int, tmp_path: Path) -> None:
    plain, chance = strategy("plain:level=20"), strategy("random")
    field = [renamed(chance, "chance"), renamed(plain, "one"), renamed(chance, "fate"), renamed(plain, "other")]
    outcome = outcome_of(tmp_path, field, Plan((line_ups_of(4, players),)), 60)
    assert groups_of(outcome) == {"one": 1, "other": 1, "chance": 2, "fate": 2}
    assert {row["strategy"] for row in outcome.standings[:2]} == {"one", "other"}


def test_identical_strategies_are_worth_the_same_at_a_table_of_their_own(tmp_path: Path) -> None:
    """Twins alone at a table play the same game in every rotation: each wins its share of every rotation block."""
    plain = strategy("plain:level=20")
    field = [renamed(plain, name) for name in ("one", "two", "three")]
    outcome = outcome_of(tmp_path, field, Plan((np.array([[0, 1, 2]]),)), 30)
    assert [(row["win_share"], row["group"]) for row in outcome.standings] == [(pytest.approx(1 / 3), 1)] * 3
    (sums,) = outcome.sums
    assert (sums.total().wins == 60 * 30).all()
    assert len(set(sums.total().scores[0].tolist())) == 1


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(8))
def test_identical_strategies_end_in_one_tie_group_with_any_seed(seed: int, tmp_path: Path) -> None:
    plain = strategy("plain:level=20")
    field = [renamed(plain, name) for name in ("one", "two", "three", "four")]
    plan = Plan((line_ups_of(4, 3),))
    with Run.create(tmp_path, QUESTION, extent=300) as run:
        tournament = tournament_in(run, plan, Stopping(300))
        tournament.play(on_threads(engine_of(field, seed), plan, 2))
    outcome = Outcome([each.spec for each in field], tournament.tally.line_up_sums())
    assert set(groups_of(outcome).values()) == {1}


def test_a_known_better_one_is_decided_for(tmp_path: Path) -> None:
    specs = ("random", "plain:level=20")
    played = Played(tmp_path, round_robin(2, 2, games_per_block=60), specs)
    tournament = played.play(stopping=Stopping(until_decided=True))
    assert tournament.verdict is Verdict.BEST
    assert played.extent < 1000


@pytest.mark.parametrize(
    ("specs", "line_ups"),
    [
        (FIELD, [[[0, 1, 2]]]),
        (FIELD[:2], [[[0, 1]]]),
        (FIELD, [[[0, 0, 1, 1, 2, 2]]]),
        (FIELD, [[[0, 1], [0, 2]], [[0, 0, 1, 2]], [[0, 1, 1, 1, 1, 2]]]),
    ],
)
def test_one_line_up_or_any_choice_of_them_is_a_field(
    specs: tuple[str, ...], line_ups: list[Any], tmp_path: Path
) -> None:
    plan = cut_plan([np.array(part) for part in line_ups], 100)
    runs = [Played(tmp_path / str(threads), plan, specs) for threads in (1, 3)]
    for threads, played in zip((1, 3), runs, strict=True):
        played.play(13, threads=threads)
    assert runs[0].all_of_it() == runs[1].all_of_it()
    tally = runs[0].read().tally
    outcome = Outcome(list(specs), tally.line_up_sums())
    for part, sums in zip(plan.line_ups, tally.line_up_sums(), strict=True):
        assert int(sums.total().wins.sum()) == 60 * 13 * part.size
    seen = {(row["players"], row["strategy"]) for row in outcome.table("seats")}
    assert seen == {(part.shape[1], specs[who]) for part in plan.line_ups for who in part.ravel()}
    assert [row["games"] for row in outcome.table("line-ups")] == [13] * sum(part.size for part in plan.line_ups)
    for name in ("standings", "pairs", "rotation", "luck"):
        assert outcome.table(name)


def test_tables_can_be_shown_at_any_time(tmp_path: Path) -> None:
    """With no game, with the games of a part, and after Ctrl-C."""
    played = Played(tmp_path, PLAN, part=Part(3, 5))
    played.play(0)
    counts = []
    for games in (0, 4, 23):
        with suppress(KeyboardInterrupt):
            played.play(games, progress=raising_after(1))
        tally = played.read().tally
        outcome = Outcome(list(FIELD), tally.line_up_sums())
        counts.append(sum(int(row["games"] or 0) for row in outcome.standings))  # type: ignore[arg-type]
        for name in ("standings", "pairs", "seats", "rotation", "luck", "line-ups"):
            outcome.table(name)
    assert counts[0] == 0 < counts[-1]


# A policy that fails

FAULTY = """
def bid(v, once_in=900):
    return 99 if v.draws[0] < 1 / once_in else 20

def accept(v):
    return 1 // (v.round - 7) > 5
"""


def faulty_engine(folder: Path, which: str) -> tuple[list[Strategy], Any]:
    file = folder / "faulty.py"
    file.write_text(FAULTY, encoding="utf-8")
    specs = ["plain:level=20", f"random/{which}={file}:{which}", "plain:level=22"]
    field = [strategy(spec) for spec in specs]
    return field, engine_of(field)


@pytest.mark.parametrize(("which", "says"), [("bid", "answered 99"), ("accept", "ZeroDivisionError")])
def test_a_fault_names_who_sits_where_and_keeps_what_was_played(which: str, says: str, tmp_path: Path) -> None:
    field, playing = faulty_engine(tmp_path, which)
    plan = round_robin(3, 2, 3)
    with Run.create(tmp_path / "run", QUESTION, extent=40) as run:
        tournament = tournament_in(run, plan, Stopping(40))
        with pytest.raises(GameFaultError, match=says) as caught:
            tournament.play(on_threads(playing, plan, 1))
        kept = run.done()
    game, seats, setting = caught.value.sitting
    every = [line_up for part in plan.line_ups for line_up in part.tolist()]
    line_up = every[game // plan.stride]
    assert sorted(seats) == line_up
    assert list(seats) in [line_up[-turn:] + line_up[:-turn] for turn in range(len(line_up))]
    assert setting == 0
    found = re.search(rf"{which} of (.*) \(seat (\d), game (\d+), round (\d+)\)", str(caught.value))
    assert found is not None
    assert (found[1], int(found[3])) == (field[1].spec, game)
    assert seats[int(found[2])] == 1
    # One thread plays in order: all blocks before the one with that game are kept.
    blocks = list(plan.missing({}, 40))
    begun = [any(_plays(plan, block, game)) for block in blocks].index(True)
    assert kept == {block.number for block in blocks[:begun]}
    alone = Tables(np.array([[game, 1]]), np.array([[line_up]]), (0,), rotations(len(line_up)))
    with pytest.raises(GameFaultError) as again:
        playing.play(alone, compared=True)
    assert str(again.value) == str(caught.value)
    assert again.value.sitting == caught.value.sitting


def _plays(plan: Plan, block: Block, game: int) -> Any:
    starts, counts = plan.tables(block).units.T
    return (starts <= game) & (game < starts + counts)


def test_a_fault_on_several_threads_keeps_whole_blocks_only(tmp_path: Path) -> None:
    _, playing = faulty_engine(tmp_path, "bid")
    plan = round_robin(3, 2, 3)
    with Run.create(tmp_path / "run", QUESTION, extent=40) as run:
        with pytest.raises(GameFaultError, match="answered 99"):
            tournament_in(run, plan, Stopping(40)).play(on_threads(playing, plan, 3))
        for number, arrays in run.blocks():
            block = plan.block(number)
            sums = playing.play(plan.tables(block), compared=True)
            assert as_bytes(arrays) == as_bytes(block_arrays(sums, block))
