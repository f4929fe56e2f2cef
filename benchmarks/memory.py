"""Peak memory of simulations of 1e6 and 1e8 dice actions: it must not grow with their number."""

import subprocess
import sys
from functools import partial
from importlib.util import find_spec

from timing import at_most, interleaved, print_table, quick_asked

SIMULATE = """
import resource, sys
from analyzer.wool_rules.simulate import simulate_action
from analyzer.wool_rules.terms import Terms
from strategies.registry import hold_rule
counts = simulate_action(hold_rule("max-odds"), Terms.one(22), {n})
assert counts[:4].sum() == {n}
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
print(peak * (1 if sys.platform == "darwin" else 1024))
"""

SMALL, LARGE = 10**6, 10**8
GROWTH_FLOOR = 1.05


def peak(n: int) -> float:
    """Return the peak memory in bytes of a process that simulates n dice actions."""
    ran = subprocess.run([sys.executable, "-c", SIMULATE.format(n=n)], check=True, capture_output=True, text=True)
    return float(ran.stdout)


def main() -> int:
    """Measure; return 1 if memory grows with the number of dice actions."""
    quick = quick_asked(__doc__)
    if find_spec("resource") is None:
        print("This system does not tell the peak memory of a process")
        return 0
    peak(SMALL)  # compiling takes memory of its own; from here on the code is kept
    tasks = {f"{n:.0e}": partial(peak, n) for n in (SMALL, LARGE)}
    small, large = tasks
    samples = interleaved(tasks, 1 if quick else 7)
    print_table(
        "Peak memory of the whole process, all threads",
        ("dice actions", "MB", "ratio"),
        [(name, f"{samples.median(name) / 1e6:.1f}", f"{samples.ratio(name, small):.3f}") for name in tasks],
    )
    grown = samples.ratio(large, small)
    print(f"\n  floor: no more than {GROWTH_FLOOR} times as much: {at_most(grown, GROWTH_FLOOR)}")
    return 0 if grown <= GROWTH_FLOOR else 1


if __name__ == "__main__":
    sys.exit(main())
