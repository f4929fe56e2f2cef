"""Whole games per second and core against plain Python; two threads against two processes; a dice action in a game.

The reference is the oracle of the tests, `tests/oracle_game.py`: the rulebook in plain Python, which imports nothing of
ours. It plays the same games of four `plain` players and must come to the same scores.
"""

import multiprocessing
import sys
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from timing import Samples, at_least, interleaved, print_table, quick_asked, timed

from analyzer.blocks import run_blocks, usable_cores
from analyzer.jit import INT, blank_records, explicit_kernel, record_type
from analyzer.results import SCORE
from analyzer.wool_rules.asking import VIEW_TYPE
from analyzer.wool_rules.constants import MAX_PLAYERS
from analyzer.wool_rules.deck import SHIPPED_FILE, shipped_deck
from analyzer.wool_rules.dice_action import attempts, shake_dice
from analyzer.wool_rules.games import GamePlayer, Question
from analyzer.wool_rules.rules import STANDARD
from analyzer.wool_rules.state import STATE_DTYPE
from analyzer.wool_rules.tallies import N_RESULTS
from strategies.entries import strategy_entries
from strategies.registry import strategy

sys.path.append(str(Path(__file__).parent.parent / "tests"))
import oracle_game  # of the tests, which are no package
from tape import EngineTape

if TYPE_CHECKING:
    from collections.abc import Callable

SEED = 1
PLAYERS = 4
REFERENCE = "plain Python, plain"
FLOORS = {"plain": (200e3, 400e3), "value": (5e3, 10e3)}
"""Games per second: floor and aim."""
ORACLE_FLOOR = 300
SCALING_FLOOR = 0.95
BLOCK = 50_000

Views = Any


def player_of(spec: str) -> GamePlayer:
    """Return what plays games of four seats of a strategy."""
    return GamePlayer(Question((strategy(spec),) * PLAYERS, STANDARD, shipped_deck(), SEED))


def oracle_scores(deck: list[oracle_game.Card], games: int) -> list[list[int]]:
    """Return the scores of the first games of four `plain` players, played in plain Python."""
    scores = []
    for game in range(games):
        tape = EngineTape(SEED, game, PLAYERS, oracle_game.STANDARD_RULES)
        events = oracle_game.play(deck, {}, ["plain"] * PLAYERS, tape, seed=SEED, game=game)
        scores.append([event["total"] for event in events if event["event"] == "score"])
    return scores


def check_scores(player: GamePlayer, deck: list[oracle_game.Card]) -> list[str]:
    """Compare the first games with the oracle's; return what is wrong."""
    ours = [player.record(game).results[:, SCORE].tolist() for game in range(50)]
    return [] if ours == oracle_scores(deck, 50) else ["the oracle comes to other scores"]


def speed(players: dict[str, GamePlayer], deck: list[oracle_game.Card], quick: bool) -> Samples:
    """Print and return the seconds per game on one core."""
    shrink = 10 if quick else 1
    games = {"plain": BLOCK // shrink, "random": BLOCK // shrink, "value": 4_000 // shrink}
    tasks: dict[str, Callable[[], float]] = {
        name: timed(partial(player, 0, games[name]), games[name]) for name, player in players.items()
    }
    few = 200 // shrink
    tasks[REFERENCE] = timed(partial(oracle_scores, deck, few), few)
    interleaved(tasks, 1)  # fills caches
    samples = interleaved(tasks, 3 if quick else 21)
    print_table(
        f"Games of {PLAYERS} players of one strategy on one core, every decision asked; ratio: speed / plain Python's",
        ("", "us each", "games/s", "floor", "aim", "floor is", "ratio", "floor", "floor is"),
        [_speed_row(samples, name) for name in tasks],
    )
    return samples


def _speed_row(samples: Samples, name: str) -> tuple[str, ...]:
    each = samples.median(name)
    floor = aim = verdict = ratio = ratio_floor = ratio_verdict = ""
    if name in FLOORS:
        floor, aim = (f"{figure:,.0f}" for figure in FLOORS[name])
        verdict = at_least(1 / each, FLOORS[name][0])
    if name == "plain":
        times = samples.ratio(REFERENCE, name)
        ratio, ratio_floor, ratio_verdict = f"{times:,.0f}", f"{ORACLE_FLOOR}", at_least(times, ORACLE_FLOOR)
    return name, f"{each * 1e6:.2f}", f"{1 / each:,.0f}", floor, aim, verdict, ratio, ratio_floor, ratio_verdict


_worker: list[GamePlayer] = []


def _start_worker() -> None:
    """Set up what a process of its own plays with."""
    _worker.append(player_of("plain"))
    _worker[0](0, 1000)


def _play_share(start: int, n: int) -> int:
    """Play blocks in a process of its own."""
    return run_blocks(_worker[0], start + n, first=start, block_size=BLOCK, threads=1).games


def scaling(player: GamePlayer, each: float, quick: bool) -> None:
    """Print what two threads bring, against two processes that share nothing."""
    if usable_cores() < 2:
        print("\nTwo threads: this process may use one core only, so there is nothing to measure")
        return
    blocks = max(1, round((0.2 if quick else 1.0) / each / BLOCK))
    share = blocks * BLOCK
    with ProcessPoolExecutor(2, multiprocessing.get_context("spawn"), _start_worker) as pool:

        def by_processes() -> None:
            assert sum(pool.map(_play_share, (0, share), (share, share))) == 2 * share

        tasks = {
            "1 thread": timed(partial(run_blocks, player, share, block_size=BLOCK, threads=1), share),
            "2 threads": timed(partial(run_blocks, player, 2 * share, block_size=BLOCK, threads=2), 2 * share),
            "2 processes": timed(by_processes, 2 * share),
        }
        interleaved(tasks, 1)
        samples = interleaved(tasks, 2 if quick else 9)
    print_table(
        f"From one core to two, plain, {share:,} games for each",
        ("", "games/s", "speed-up"),
        [(name, f"{1 / samples.median(name):,.0f}", f"{samples.ratio('1 thread', name):.3f}") for name in tasks],
    )
    ratio = samples.ratio("2 processes", "2 threads")
    print(f"\n  two threads / two processes: {ratio:.3f}; floor {SCALING_FLOOR}: {at_least(ratio, SCALING_FLOOR)}")


@explicit_kernel(VIEW_TYPE[::1], record_type(STATE_DTYPE)[::1], INT)
def carry_out_actions(views: Views, states: Any, n: int) -> None:
    """Carry out the dice actions of n games of four, nine rounds with three of them each, and nothing else."""
    v, s = views[0], states[0]
    for game in range(n):
        s.game = game
        for number in range(1, 10):
            v.round = number
            shake_dice(v, s)
            for seat in range(3):
                attempts(v, s, seat)


def dice_actions(player: GamePlayer, quick: bool) -> None:
    """Print the time of a dice action as games carry it out, in a kernel of its own that does nothing else."""
    games = 2_000 if quick else 20_000
    with player.engine.desk(player.tables(0, 1, player.question.seating)) as desk:
        player.engine.play_at(desk, np.zeros((1, 1, 1, PLAYERS, N_RESULTS), np.int32))  # seats the line-up
        views, states = blank_records(desk.views.dtype), blank_records(desk.states.dtype)
        views[:], states[:] = desk.views, desk.states
    views["seats"]["bid"] = 20
    states["who"] = np.arange(MAX_PLAYERS) % PLAYERS
    task = timed(partial(carry_out_actions, views, states, games), games * 27)
    task()  # compiles
    samples = interleaved({"bid 20, by plain": task}, 3 if quick else 21)
    print_table(
        "A dice action in a game (rolls, decisions asked; without cards), in a kernel of its own",
        ("", "ns each"),
        [(name, f"{samples.median(name) * 1e9:.1f}") for name in samples.rounds],
    )


def main() -> int:
    """Run all parts; return 1 if scores that must be equal are not."""
    quick = quick_asked(__doc__)
    deck = oracle_game.read_deck(SHIPPED_FILE)
    names = [name for name in ("plain", "value", "random") if name in strategy_entries()]
    players = {name: player_of(name) for name in names}
    wrong = check_scores(players["plain"], deck)
    print("\n".join(f"WRONG: {complaint}" for complaint in wrong) or "Scores: as they must be")
    samples = speed(players, deck, quick)
    scaling(players["plain"], samples.median("plain"), quick)
    dice_actions(players["plain"], quick)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
