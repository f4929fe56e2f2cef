"""What a tournament costs beside its games: statistics and storage; planning, memory and showing of a large field."""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

from timing import at_most, interleaved, print_table, quick_asked, timed

from analyzer.blocks import Workers, blocks_of
from analyzer.line_ups import round_robin
from analyzer.plan import Plan
from analyzer.runs import Run
from analyzer.tournament import Stopping, Tournament, on_threads
from analyzer.wool_rules.deck import shipped_deck
from analyzer.wool_rules.game import WOOL_RULES
from analyzer.wool_rules.games import GamePlayer, Question
from analyzer.wool_rules.rules import STANDARD
from analyzer.wool_rules.setting import Setting
from strategies.registry import strategy

SPECS = ("plain:level=19", "plain:level=20", "plain:level=21", "plain:level=22")
PLAYERS, SEED, BLOCK = 4, 1, 20_000
OVERHEAD_FLOOR = 1.15
SECONDS_FLOOR, BYTES_FLOOR = 5.0, 1 << 30
FIELD = 20

LARGE = """
import json, resource, sys, time
from pathlib import Path
import numpy as np
from analyzer.line_ups import round_robin
from analyzer.outcome import Outcome
from analyzer.plan import Plan
from analyzer.runs import Run
from analyzer.tournament import Stopping, Tournament, on_threads
from analyzer.wool_rules.deck import shipped_deck
from analyzer.wool_rules.game import WOOL_RULES
from analyzer.wool_rules.rules import STANDARD
from analyzer.wool_rules.setting import Setting
from strategies.registry import strategy

names = [f"plain:level={{14 + i % 14}}/hold={{('keep-highest', 'max-odds')[i // 14]}}" for i in range({field})]
found = {{}}
begun = time.perf_counter()
plan = Plan((round_robin({field}, 4),))
blocks = len(list(plan.missing({{}}, {games})))
found["plan"] = time.perf_counter() - begun
engine = WOOL_RULES.engine([strategy(name) for name in names], (Setting(STANDARD, shipped_deck()),), 1)
stopping = Stopping({games})
with Run.create(Path({folder!r}), {{"what": "benchmark"}}, extent={games}) as run:
    tournament = Tournament(plan, run, stopping, None)
    begun = time.perf_counter()
    tournament.play(on_threads(engine, plan, None))
    found["play"], found["games"] = time.perf_counter() - begun, tournament.games_done
found["memory"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)
begun = time.perf_counter()
with Run.open(Path({folder!r}), write=False) as run:
    tournament = Tournament(plan, run, stopping, None)
    outcome = Outcome(names, tournament.tally.line_up_sums())
    for table in ("standings", "pairs", "seats", "rotation", "luck"):
        outcome.table(table)
found["show"] = time.perf_counter() - begun
print(json.dumps(found))
"""


def overhead(quick: bool) -> None:
    """Print the time of a tournament against that of the same line-ups simulated one after the other."""
    strategies = [strategy(spec) for spec in SPECS]
    line_ups = round_robin(len(SPECS), PLAYERS)
    blocks = max(1, (100_000 if quick else 1_000_000) // (line_ups.size))
    games = blocks * line_ups.size
    plan = Plan((line_ups,))
    engine = WOOL_RULES.engine(strategies, (Setting(STANDARD, shipped_deck()),), SEED)
    players = [
        GamePlayer(Question(tuple(strategies[who] for who in line_up), STANDARD, shipped_deck(), SEED, rotate=True))
        for line_up in line_ups
    ]
    threads = 2

    pieces = [(player, *block) for player in players for block in blocks_of(blocks, max(1, BLOCK // PLAYERS))]

    def simulated() -> None:
        with Workers(lambda piece: piece[0](*piece[1:]), pieces, threads) as workers:
            assert sum(sums.games for _, sums in workers) == games // PLAYERS

    def tournament() -> None:
        with (
            tempfile.TemporaryDirectory() as folder,
            Run.create(Path(folder, "run"), {"what": "b"}, extent=blocks) as run,
        ):
            Tournament(plan, run, Stopping(blocks), lambda _: None).play(on_threads(engine, plan, threads))  # type: ignore[arg-type, return-value]

    tasks = {"simulate": timed(simulated, games), "tournament": timed(tournament, games)}
    interleaved(tasks, 1)
    samples = interleaved(tasks, 2 if quick else 7)
    ratio = samples.ratio("tournament", "simulate")
    print_table(
        f"{games:,} games of {len(line_ups)} line-ups, {threads} threads",
        ("", "us a game", "games/s", "ratio", "floor", "floor is"),
        [
            (name, f"{samples.median(name) * 1e6:.2f}", f"{1 / samples.median(name):,.0f}", *verdict)
            for name, verdict in (
                ("simulate", ("1", "", "")),
                ("tournament", (f"{ratio:.3f}", str(OVERHEAD_FLOOR), at_most(ratio, OVERHEAD_FLOOR))),
            )
        ],
    )


def large_field(quick: bool) -> None:
    """Print how long a large field takes to plan, load and show, and its peak memory, in a process of its own."""
    with tempfile.TemporaryDirectory() as folder:
        script = LARGE.format(field=FIELD, games=2 if quick else 28, folder=str(Path(folder, "run")))
        ran = subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, text=True)
        found = json.loads(ran.stdout)
        kept = Path(folder, "run", "run.sqlite").stat().st_size
    print_table(
        f"A field of {FIELD} strategies, {len(round_robin(FIELD, PLAYERS)):,} line-ups of {PLAYERS} in all rotations",
        ("", "", "floor", "floor is"),
        [
            ("plan", f"{found['plan']:.2f} s", f"{SECONDS_FLOOR:g} s", at_most(found["plan"], SECONDS_FLOOR)),
            ("play", f"{found['games']:,} games in {found['play']:.1f} s", "", ""),
            ("run file", f"{kept / 1e6:.0f} MB", "", ""),
            ("memory", f"{found['memory'] / 1e6:.0f} MB", "1 GiB", at_most(found["memory"], BYTES_FLOOR)),
            ("load and show", f"{found['show']:.2f} s", f"{SECONDS_FLOOR:g} s", at_most(found["show"], SECONDS_FLOOR)),
        ],
    )


def main() -> int:
    """Run all parts."""
    quick = quick_asked(__doc__)
    overhead(quick)
    large_field(quick)
    return 0


if __name__ == "__main__":
    sys.exit(main())
