"""Simulated dice actions per second and core against C, NumPy and plain Python; two threads; the first run ever.

All figures are for bid 22 without modifier and chips. The reference is the C program beside this file,
`dice_actions.c`, in the form that is fastest here; with the same generator and tables it must give the same counts.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import median

import numpy as np
from numpy.typing import NDArray
from references import C_FORMS, NumpyPlayer, PlainPlayer, compile_c, run_c, write_tables
from timing import Samples, at_least, at_most, interleaved, print_table, quick_asked, timed

from analyzer.blocks import run_blocks, usable_cores
from analyzer.kept_code import CACHE_VARIABLE
from analyzer.wool_rules.hold_policy import PolicyPlayer
from analyzer.wool_rules.hold_rules import HoldRule, PolicyRule, exact_counts
from analyzer.wool_rules.plans import CHIPS
from analyzer.wool_rules.rolls import CODE_ROWS, tables_of
from analyzer.wool_rules.simulate import BLOCK_SIZE, TablePlayer
from analyzer.wool_rules.terms import Terms
from strategies.wool_rules.hold_registry import hold_rule

BID = 22
SEED = 1
REFERENCE_RULE = "max-odds"
TABLE_RULES = (
    REFERENCE_RULE,
    "max-cards",
    "fixed-values:one=1,two=3,three=0",
    "keep-highest",
    "keep-above-mean",
)
ASKED_RULES = ("random", "keep-highest")

TABLE_FLOOR, TABLE_AIM = 0.7, 0.95
ASKED_FLOOR = 30e6
SCALING_FLOOR = 0.95
FIRST_RUN_FLOOR = 6.0

C_PREFIX = "C, "

USER_RULE = '''"""A user's own hold rule."""


def patient(v, enough=9):
    """Set aside the d12 if it shows enough, else the free die with the highest face."""
    if not v.held[0] and v.dice[0] >= enough:
        return 12
    best, answer = 0, 0
    for die in range(3):
        if not v.held[die] and v.dice[die] > best:
            best, answer = v.dice[die], 12 - 2 * die
    return answer
'''

FIRST_RUN = """
from analyzer.wool_rules.bid_table import bid_table
from strategies.wool_rules.hold_registry import hold_rule
bid_table([hold_rule({spec!r})], [{bid}], simulate=1000)
"""

Player = Callable[[int, int], NDArray[np.int64]]


@dataclass(frozen=True)
class CProgram:
    """The compiled C program and the tables it reads.

    Parameters
    ----------
    program, tables : path
    """

    program: Path
    tables: Path

    def each(self, form: str, n: int, processes: int = 1) -> float:
        """Return the seconds for each of dice actions 0 to n - 1, shared among so many processes."""
        return run_c(self.program, form, self.tables, 0, n, processes).seconds / n

    def counts(self, form: str, start: int, n: int, processes: int = 1) -> NDArray[np.int64]:
        """Return how dice actions `start` to `start + n - 1` end."""
        return run_c(self.program, form, self.tables, start, n, processes).counts


def by_tables(rule: HoldRule, terms: Terms) -> TablePlayer:
    """Return what plays a rule without chance."""
    (plan,) = rule.hold_tables(terms).plans(terms)
    return TablePlayer(terms, plan, SEED)


def by_calls(rule: HoldRule, terms: Terms) -> PolicyPlayer:
    """Return what asks a policy for every decision."""
    assert isinstance(rule, PolicyRule)
    return PolicyPlayer(rule.policy, terms, SEED)


def check_counts(c: CProgram | None, rule: HoldRule, terms: Terms, player: Player) -> list[str]:
    """Compare counts that must be equal, or lie within six standard errors of the exact ones; return what is wrong."""
    wrong = []
    start, n = 987_654_321, 2_345_678  # several rejections, and no whole number of chunks or groups
    ours = player(start, n)
    if c is not None:
        wrong += [
            f"the C program ({form}, {processes} processes) counts differently"
            for form in C_FORMS
            for processes in (1, 2)
            if not np.array_equal(ours, c.counts(form, start, n, processes))
        ]
    keep = hold_rule("keep-highest")
    if not np.array_equal(by_tables(keep, terms)(start, n), by_calls(keep, terms)(start, n)):
        wrong.append("keep-highest by its tables and asked for every decision counts differently")
    counts, weight = exact_counts(rule, terms)
    p = counts[:CHIPS, 0] / (terms.dice.n_actions * weight)
    tables = tables_of(terms, by_tables(rule, terms).plan)
    for name, other in (
        ("ours", ours),
        ("NumPy", NumpyPlayer(tables, SEED)(1 << 18)),
        ("plain Python", PlainPlayer(tables, SEED)(1 << 16)),
    ):
        rolled = other.sum()
        errors = np.sqrt(rolled * p * (1 - p))
        if np.any(np.abs((other @ CODE_ROWS)[:CHIPS] - rolled * p) > 6 * errors):
            wrong.append(f"{name} is more than six standard errors from the exact odds")
    return wrong


def speed(c: CProgram | None, terms: Terms, user_file: Path, quick: bool) -> Samples:
    """Print and return the seconds per dice action on one core."""
    shrink = 16 if quick else 1
    many, some, few = (1 << 26) // shrink, (1 << 22) // shrink, (1 << 16) // shrink
    tasks: dict[str, Callable[[], float]] = {}
    if c is not None:
        tasks |= {C_PREFIX + form: partial(c.each, form, many) for form in C_FORMS}
    of_tables = {spec: spec for spec in TABLE_RULES} | {"a user's rule": f"{user_file}:patient"}
    for name, spec in of_tables.items():
        tasks[name] = timed(partial(by_tables(hold_rule(spec), terms), 0, many), many)
    asked = {f"{spec}, asked every time": spec for spec in ASKED_RULES}
    for name, spec in asked.items():
        tasks[name] = timed(partial(by_calls(hold_rule(spec), terms), 0, some), some)
    tables = tables_of(terms, by_tables(hold_rule(REFERENCE_RULE), terms).plan)
    tasks["NumPy, vectorised"] = timed(partial(NumpyPlayer(tables, SEED), some), some)
    tasks["plain Python"] = timed(partial(PlainPlayer(tables, SEED), few), few)
    interleaved(tasks, 1)  # compiles, fills caches
    samples = interleaved(tasks, 3 if quick else 21)
    reference = fastest_c(samples) if c is not None else None
    print_table(
        f"Dice actions on one core (bid {BID}); ratio: speed / that of {reference or 'C, not measured here'}",
        ("", "ns each", "millions/s", "ratio", "floor", "aim", "floor is"),
        [_speed_row(samples, name, reference, name in of_tables, name in asked) for name in tasks],
    )
    return samples


def fastest_c(samples: Samples) -> str:
    """Return the name of the C program's fastest form."""
    return min((C_PREFIX + form for form in C_FORMS), key=samples.median)


def _speed_row(samples: Samples, name: str, reference: str | None, of_tables: bool, asked: bool) -> tuple[str, ...]:
    each = samples.median(name)
    ratio = samples.ratio(reference, name) if reference else None
    floor = aim = verdict = ""
    if of_tables and ratio is not None:
        floor, aim, verdict = f"{TABLE_FLOOR}", f"{TABLE_AIM}", at_least(ratio, TABLE_FLOOR)
    if asked:
        floor, verdict = f"{ASKED_FLOOR / 1e6:.0f} M/s", at_least(1 / each, ASKED_FLOOR)
    shown = "" if ratio is None else f"{ratio:.3f}"
    return name, f"{each * 1e9:.2f}", f"{1e-6 / each:.1f}", shown, floor, aim, verdict


def scaling(c: CProgram | None, samples_of_one: Samples, player: Player, quick: bool) -> None:
    """Print what two threads bring, against the C program as two processes."""
    if usable_cores() < 2:
        print("\nTwo threads: this process may use one core only, so there is nothing to measure")
        return
    seconds = 0.1 if quick else 0.6  # at least, on two cores
    n = _blocks_for(2 * seconds, samples_of_one.median(REFERENCE_RULE))
    tasks: dict[str, Callable[[], float]] = {
        f"ours {threads}": timed(partial(run_blocks, player, n, block_size=BLOCK_SIZE, threads=threads), n)
        for threads in (1, 2)
    }
    if c is not None:
        reference = fastest_c(samples_of_one)
        form = reference.removeprefix(C_PREFIX)
        n_c = _blocks_for(2 * seconds, samples_of_one.median(reference))
        tasks |= {f"C {processes}": partial(c.each, form, n_c, processes) for processes in (1, 2)}
    samples = interleaved(tasks, 2 if quick else 9)
    rows = [(f"{REFERENCE_RULE}, 2 threads", "ours")]
    if c is not None:
        rows.append((f"{reference}, 2 processes", "C"))
    print_table(
        f"From one core to two, with at least {seconds} s of work for each",
        ("", "millions/s on one", "on two", "speed-up"),
        [
            (
                name,
                f"{1e-6 / samples.median(f'{whose} 1'):.1f}",
                f"{1e-6 / samples.median(f'{whose} 2'):.1f}",
                f"{samples.ratio(f'{whose} 1', f'{whose} 2'):.3f}",
            )
            for name, whose in rows
        ],
    )
    if c is not None:
        rounds = zip(*(samples.rounds[name] for name in ("ours 1", "ours 2", "C 1", "C 2")), strict=True)
        share = median(ours_1 / ours_2 / (c_1 / c_2) for ours_1, ours_2, c_1, c_2 in rounds)
        print(f"\n  our speed-up / that of C: {share:.3f}; floor {SCALING_FLOOR}: {at_least(share, SCALING_FLOOR)}")


def _blocks_for(seconds: float, each: float) -> int:
    """Return how many dice actions fill the time, an even number of blocks."""
    return max(1, round(seconds / each / BLOCK_SIZE / 2)) * 2 * BLOCK_SIZE


def first_runs(folder: Path, quick: bool) -> None:
    """Print how long the first simulation takes after installing, and the next one; whole processes."""
    tasks: dict[str, Callable[[], float]] = {}
    rules = (REFERENCE_RULE, "random")
    caches = {spec: folder / f"cache of {spec}" for spec in rules}
    for spec in rules:
        tasks[f"{spec} cold"] = partial(_first_run, spec, caches[spec], cold=True)
        tasks[f"{spec} warm"] = partial(_first_run, spec, caches[spec], cold=False)
    samples = interleaved(tasks, 1 if quick else 3)
    print_table(
        "A process that simulates 1,000 dice actions, imports included: first (compiles) and from then on (s)",
        ("", "cold", "warm", "floor (cold)", "floor is"),
        [
            (
                spec,
                f"{samples.median(f'{spec} cold'):.2f}",
                f"{samples.median(f'{spec} warm'):.2f}",
                f"{FIRST_RUN_FLOOR:.0f}",
                at_most(samples.median(f"{spec} cold"), FIRST_RUN_FLOOR),
            )
            for spec in rules
        ],
    )


def _first_run(spec: str, cache: Path, *, cold: bool) -> float:
    """Return the seconds of a process that simulates 1,000 dice actions; a cold one finds nothing compiled."""
    if cold:
        shutil.rmtree(cache, ignore_errors=True)
    command = [sys.executable, "-c", FIRST_RUN.format(spec=spec, bid=BID)]
    return timed(partial(subprocess.run, command, check=True, env=os.environ | {CACHE_VARIABLE: str(cache)}))()


def main() -> int:
    """Run all parts; return 1 if counts that must be equal are not."""
    quick = quick_asked(__doc__)
    terms, rule = Terms.one(BID), hold_rule(REFERENCE_RULE)
    player = by_tables(rule, terms)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        user_file = folder / "my_rules.py"
        user_file.write_text(USER_RULE, encoding="utf-8")
        program = compile_c(folder)
        c = None
        if program is None:
            print("There is no gcc here: the C program is left out, and with it every ratio")
        else:
            tables = folder / "tables"
            write_tables(tables, SEED, tables_of(terms, player.plan))
            c = CProgram(program, tables)
        wrong = check_counts(c, rule, terms, player)
        print("\n".join(f"WRONG: {complaint}" for complaint in wrong) or "Counts: as they must be")
        scaling(c, speed(c, terms, user_file, quick), player, quick)
        first_runs(folder, quick)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
