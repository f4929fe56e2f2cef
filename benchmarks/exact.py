"""The exact solution: whole tables, one dice action compiled, and the packages icepool and dyce beside it."""

import sys
from functools import partial
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import numba
import numpy as np
from dice_packages import Shares, dyce_table, icepool_table
from numpy.typing import NDArray
from timing import at_most, interleaved, print_table, quick_asked, timed

from analyzer.jit import needs_compiling
from analyzer.slots import Policy, parameters_of
from analyzer.wool_rules.bid_table import BidTable, bid_table
from analyzer.wool_rules.bidding import ALL_BIDS
from analyzer.wool_rules.decisions import best_die, expected_value
from analyzer.wool_rules.exact import solve
from analyzer.wool_rules.hold_policy import VIEW_TYPE, tabulate
from analyzer.wool_rules.rules import STANDARD
from analyzer.wool_rules.terms import Terms, Values
from analyzer.wool_rules.views import ACTION_VIEW_DTYPE, View
from strategies.wool_rules.hold_registry import hold_rule

if TYPE_CHECKING:
    from collections.abc import Callable

RULES = ("max-odds", "keep-highest", "random")
MODIFIERS = range(-3, 4)
CHIPS = range(4)

TABLE_FLOOR_MS = 50.0
COMPILED_FLOOR_US = 5.0
AGREEMENT = 1e-12
N_QUESTIONS = 512


def whole_table(spec: str) -> BidTable:
    """Return the table of all bids, modifiers and chips under a rule."""
    return bid_table([hold_rule(spec)], ALL_BIDS, MODIFIERS, CHIPS)


def tables(quick: bool) -> None:
    """Print how long the whole table takes under each rule."""
    compiles = needs_compiling(tabulate)
    tasks = {spec: timed(partial(whole_table, spec), 1e-3) for spec in RULES}
    first = interleaved(tasks, 1)
    samples = interleaved(tasks, 5 if quick else 101)
    print_table(
        f"Whole table, {len(ALL_BIDS)} bids x modifiers -3 to 3 x chips 0 to 3, once imported (ms)",
        ("", "first call", "then", "floor", "floor is"),
        [
            (
                spec,
                f"{first.median(spec):.1f}",
                f"{samples.median(spec):.1f}",
                f"{TABLE_FLOOR_MS:.0f}",
                at_most(samples.median(spec), TABLE_FLOOR_MS),
            )
            for spec in RULES
        ],
    )
    kept = "not kept from before" if compiles else "kept from an earlier run"
    print(f"\n  The first call of keep-highest, a policy, compiles it; the kernel that asks it was {kept}.")


VALUES = {
    "three": (2, 4),
    "two": (1, 3),
    "one": (0, 2),
    "fail": (-0.5, 0.5),
    "under14": (-1, 0),
    "chip": (0, 0.5),
}
"""What the ends of a dice action may be worth, from and to."""


def value_and_die(
    v: View,
    three: float = 3.0,
    two: float = 2.0,
    one: float = 1.0,
    fail: float = 0.0,
    under14: float = 0.0,
    chip: float = 0.0,
    chips: int = 0,
) -> int:
    """Return what a strategy asks in a turn: is the whole dice action worth it, and which die to set aside."""
    modifier = v.seats[0].modifier
    worth = expected_value(v, v.target, modifier, chips, three, two, one, fail, under14, chip)
    return best_die(v, three, two, one, fail, under14, chip, chips) if worth > -100 else 0


def questions() -> tuple[NDArray[np.void], NDArray[np.float64]]:
    """Return first rolls of dice actions of all kinds, and the values and chips of each."""
    generator = np.random.default_rng(1)
    views = np.zeros(N_QUESTIONS, ACTION_VIEW_DTYPE)
    views["rules"], views["attempt"] = STANDARD.record(), 1
    views["target"] = generator.integers(14, 27, N_QUESTIONS)
    views["seats"]["modifier"][:, 0] = generator.integers(-3, 4, N_QUESTIONS)
    views["dice"] = generator.integers(1, np.array(STANDARD.dice) + 1, (N_QUESTIONS, len(STANDARD.dice)))
    values = [generator.uniform(low, high, N_QUESTIONS) for low, high in VALUES.values()]
    return views, np.column_stack([*values, generator.integers(0, 4, N_QUESTIONS)])


def by_numpy(view: np.void, values: NDArray[np.float64]) -> int:
    """Return the answer of :func:`value_and_die` by the NumPy form."""
    terms = Terms(*(np.array([int(n)]) for n in (view["target"], view["seats"]["modifier"][0], values[-1], 0)))
    solution = solve(terms, Values(*map(float, values[:-1])))
    return STANDARD.dice[solution.first_die[terms.dice.roll_index(tuple(view["dice"])), 0]]


@numba.njit(nogil=True)
def ask_all(ask: Any, views: Any, values: Any, answers: Any) -> None:
    """Ask one question after the other, as a game would."""
    for at in range(len(views)):
        answers[at] = ask(views[at], values[at].copy())


def one_action(quick: bool) -> list[str]:
    """Print how long the questions of one dice action take, compiled and with NumPy; return what is wrong."""
    views, values = questions()
    function: Any = value_and_die
    policy = Policy("value_and_die", function, parameters_of(function), ACTION_VIEW_DTYPE)
    ask = policy.compile(VIEW_TYPE, checked=False).call
    answers = np.zeros(N_QUESTIONS, np.int64)
    ask_all(ask, views, values, answers)
    if any(by_numpy(*question) != answer for *question, answer in zip(views, values, answers, strict=True)):
        return ["the compiled form and the NumPy form disagree"]
    tasks = {
        "compiled, inside a loop": timed(partial(ask_all, ask, views, values, answers), N_QUESTIONS * 1e-6),
        "NumPy, one at a time": timed(lambda: [by_numpy(views[at], values[at]) for at in range(16)], 16e-6),
    }
    samples = interleaved(tasks, 5 if quick else 101)
    compiled, numpy = tasks
    print_table(
        f"Worth of a dice action and best die after its first roll, {N_QUESTIONS} different questions (µs)",
        ("", "each", "ratio", "floor", "floor is"),
        [
            (
                compiled,
                f"{samples.median(compiled):.2f}",
                "1",
                f"{COMPILED_FLOOR_US:.0f}",
                at_most(samples.median(compiled), COMPILED_FLOOR_US),
            ),
            (numpy, f"{samples.median(numpy):.1f}", f"{samples.ratio(numpy, compiled):.0f}", "", ""),
        ],
    )
    return []


def packages(quick: bool) -> list[str]:
    """Print how long icepool and dyce take for the table of the 14 bids; return what is wrong."""
    rivals: dict[str, Callable[[list[int]], list[Shares]]] = {
        name: table for name, table in (("icepool", icepool_table), ("dyce", dyce_table)) if find_spec(name)
    }
    if not rivals:
        print("\nNeither icepool nor dyce is installed: that part is left out (they come with the extra `dev`)")
        return []
    ours = "ours (NumPy)"
    rows = bid_table([hold_rule("max-odds")], ALL_BIDS).rows
    targets = [int(row["target"] or 0) for row in rows]
    wrong, error = [], {}
    for name, table in rivals.items():
        error[name] = max(
            abs(float(theirs) - float(row[column] or 0.0))
            for row, shares in zip(rows, table(targets), strict=True)
            for column, theirs in zip(("p_three", "p_two", "p_one"), shares, strict=True)
        )
        if error[name] > AGREEMENT:
            wrong.append(f"{name} and ours differ by {error[name]:.1e}")
    rule = hold_rule("max-odds")
    tasks = {ours: timed(partial(bid_table, [rule], ALL_BIDS), 1e-3)}
    tasks |= {name: timed(partial(table, targets), 1e-3) for name, table in rivals.items()}
    samples = interleaved(tasks, 1 if quick else 11)
    print_table(
        "Table of the 14 bids, success by attempt under the best hold rule",
        ("", "ms", "times ours", "largest difference"),
        [
            (ours, f"{samples.median(ours):.2f}", "1", ""),
            *(
                (name, f"{samples.median(name):.0f}", f"{samples.ratio(name, ours):.0f}", f"{error[name]:.1e}")
                for name in rivals
            ),
        ],
    )
    return wrong


def main() -> int:
    """Run all parts; return 1 if figures that must agree do not."""
    quick = quick_asked(__doc__)
    tables(quick)
    wrong = one_action(quick) + packages(quick)
    for complaint in wrong:
        print(f"WRONG: {complaint}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
