"""Peak memory of simulations of few and of many dice actions and games: it must not grow with their number."""

import subprocess
import sys
from functools import partial
from importlib.util import find_spec

from timing import at_most, interleaved, print_table, quick_asked

DICE_ACTIONS = """
from analyzer.wool_rules.simulate import simulate_action
from analyzer.wool_rules.terms import Terms
from strategies.wool_rules.hold_registry import hold_rule
counts = simulate_action(hold_rule("max-odds"), Terms.one(22), {n})
assert counts[:4].sum() == {n}
"""

GAMES = """
from analyzer.simulation import simulate
from analyzer.wool_rules.deck import shipped_deck
from analyzer.wool_rules.games import GamePlayer, Question
from analyzer.wool_rules.rules import STANDARD
from strategies.registry import strategy
sums = simulate(GamePlayer(Question((strategy("plain"),) * 4, STANDARD, shipped_deck(), 1)), {n})
assert sums.games == {n}
"""

PEAK = """
import resource, sys
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
print(peak * (1 if sys.platform == "darwin" else 1024))
"""

CASES = {"dice actions": (DICE_ACTIONS, 10**6, 10**8, 10**8), "games of four plain": (GAMES, 10**4, 10**7, 10**6)}
"""What is simulated, how many: few, many, and many of a quick run."""

GROWTH_FLOOR = 1.05


def peak(script: str, n: int) -> float:
    """Return the peak memory in bytes of a process that simulates so many."""
    command = [sys.executable, "-c", script.format(n=n) + PEAK]
    ran = subprocess.run(command, check=True, capture_output=True, text=True)
    return float(ran.stdout)


def growth(what: str, quick: bool) -> float:
    """Print and return how much more memory many take than few."""
    script, few, many, quick_many = CASES[what]
    peak(script, few)  # compiling takes memory of its own; from here on the code is kept
    tasks = {f"{n:.0e}": partial(peak, script, n) for n in (few, quick_many if quick else many)}
    small, large = tasks
    samples = interleaved(tasks, 1 if quick else 3)
    print_table(
        "Peak memory of the whole process, all threads",
        (what, "MB", "ratio"),
        [(name, f"{samples.median(name) / 1e6:.1f}", f"{samples.ratio(name, small):.3f}") for name in tasks],
    )
    grown = samples.ratio(large, small)
    print(f"\n  floor: no more than {GROWTH_FLOOR} times as much: {at_most(grown, GROWTH_FLOOR)}")
    return grown


def main() -> int:
    """Measure; return 1 if memory grows with the number of dice actions or games."""
    quick = quick_asked(__doc__)
    if find_spec("resource") is None:
        print("This system does not tell the peak memory of a process")
        return 0
    grown = [growth(what, quick) for what in CASES]
    return 0 if max(grown) <= GROWTH_FLOOR else 1


if __name__ == "__main__":
    sys.exit(main())
