"""The bid table: how likely every bid is, exact and confirmed by simulation (columns of the design page)."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Final

import numpy as np
from numpy.typing import NDArray

from analyzer.blocks import MAX_GAMES, MAX_SEED, MAX_THREADS
from analyzer.errors import BadInputError
from analyzer.figures import number, share_between
from analyzer.shown import Line, Shown
from analyzer.stats import outside_probability, wilson, z_score
from analyzer.wool_rules.bidding import bid_label, bids_of, bids_text
from analyzer.wool_rules.constants import MAX_MODIFIER
from analyzer.wool_rules.hold_rules import HoldRule, exact_counts
from analyzer.wool_rules.plans import ONE, SHARES, THREE, TWO, UNDER, shares
from analyzer.wool_rules.rules import STANDARD, Rules
from analyzer.wool_rules.terms import Terms

Cell = str | int | float | None
Row = dict[str, Cell]

EXACT_COLUMNS: Final = ("bid", "target", "modifier", "chips", "hold", *SHARES)

SIMULATED: Final = ("success", "three", "two", "one", "under_14")
"""What a simulation is compared in."""

SIMULATED_COLUMNS: Final = (
    "sim_n",
    *(f"sim_p_{name}{suffix}" for name in SIMULATED for suffix in ("", "_low", "_high", "_z")),
)

Z_LIMIT: Final = 3.0

_ASKED: Final = ("hold", "modifier", "chips")
_SHARES: Final = {
    "success": "success",
    "1st attempt": "three",
    "2nd attempt": "two",
    "3rd attempt": "one",
    "black sheep": "under_14",
}
"""What is shown of a row: words and figures."""


@dataclass(frozen=True)
class SimulationCheck:
    """How many z scores of a table lie outside ±3, and how many to expect when simulation and odds agree.

    Parameters
    ----------
    scores, outside : int
        z scores in the table, and those outside.
    expected : float
        Sum of the exact (binomial) chances to lie outside.
    """

    scores: int
    outside: int
    expected: float


@dataclass(frozen=True, repr=False)
class BidTable(Shown):
    """A row for each hold rule, modifier, number of chips and bid, in this order.

    Parameters
    ----------
    rows : list of dict
        Keys are `columns`; None is missing.
    columns : tuple of str
    simulated : int or None
        Dice actions simulated for each row.
    check : SimulationCheck or None
    game_rules : Rules
        The rules in force.
    """

    rows: list[Row]
    columns: tuple[str, ...]
    simulated: int | None = None
    check: SimulationCheck | None = None
    game_rules: Rules = STANDARD

    def headline(self) -> str:
        """Say what it is of."""
        asked = [f"{name} {_values(self.rows, name)}" for name in _ASKED]
        how = "exact" if self.simulated is None else f"{self.simulated:,} dice actions simulated a row"
        rules = f"rules {self.game_rules.name} ({self.game_rules.digest})"
        return f"odds of a bid: {'; '.join(asked)}; {how}; {rules}"

    def lines(self) -> list[Line]:
        """Return the odds of each bid; where they cannot be calculated, as simulated, with intervals."""
        differ = [name for name in _ASKED if len({row[name] for row in self.rows}) > 1]
        lines: list[Line] = []
        for row in self.rows:
            at = "p_" if row["p_success"] is not None else "sim_p_"
            name = ", ".join([f"bid {row['bid']}", *(f"{name} {row[name]}" for name in differ)])
            shares = {header: share_between(row, at + column) for header, column in _SHARES.items()}
            cards = {"mean cards": number(row["mean_cards"])}
            simulated = {"success, simulated": share_between(row, "sim_p_success")} if self.simulated else {}
            lines.append({"bid": name, **shares, **cards, **simulated})
        return lines


def bid_table(
    rules: Sequence[HoldRule],
    bids: Sequence[int],
    modifiers: Sequence[int] = (0,),
    chips: Sequence[int] = (0,),
    *,
    game_rules: Rules = STANDARD,
    simulate: int | None = None,
    seed: int = 1,
    threads: int | None = None,
    progress: Callable[[int], None] | None = None,
) -> BidTable:
    """Compute the bid table.

    Parameters
    ----------
    rules : sequence of HoldRule
    bids : sequence of int
        14 to 26, 27 for 26+.
    modifiers : sequence of int
        Bonus or malus on the top card of the flock.
    chips : sequence of int
        Wool chips the player will spend on making the bid.
    game_rules : Rules
        The rules in force: dice, bids, chips, black sheep.
    simulate : int, optional
        Dice actions to simulate for each row; needed for rules of chance whose odds cannot be calculated.
    seed : int
        0 to 2**64 - 1. All rows roll the same dice.
    threads : int, optional
        Without influence on the figures.
    progress : callable, optional
        Called with the number of dice actions just finished.

    Returns
    -------
    BidTable

    Raises
    ------
    BadInputError
        For a rule of chance without simulation, or a value out of range.
    PolicyError
        For a policy that cannot be compiled or answers illegally.
    """
    _check_range("modifier", modifiers, -MAX_MODIFIER, MAX_MODIFIER)
    _check_range("chips", chips, 0, game_rules.chips_total)
    _check_bids(bids, game_rules)
    if threads is not None:
        _check_range("threads", [threads], 1, MAX_THREADS)
    if simulate is not None:
        _check_range("simulate", [simulate], 1, MAX_GAMES)
        _check_range("seed", [seed], 0, MAX_SEED)
    grid = np.array(list(product(modifiers, chips, bids)), dtype=np.int64)
    modifier, spend, bid = np.ascontiguousarray(grid.T)
    terms = Terms.of_bids(bid, modifier, spend, game_rules)
    for rule in rules:
        if simulate is None and not rule.has_exact_odds:
            raise BadInputError(
                f"hold rule {rule.spec} draws at random, so it has no exact odds: add --simulate 1e6 to estimate them"
            )
    rows = [row for rule in rules for row in _exact_rows(rule, terms)]
    if simulate is None:
        return BidTable(rows, EXACT_COLUMNS, game_rules=game_rules)
    from analyzer.wool_rules.simulate import simulate_action

    for row, (rule, at) in zip(rows, product(rules, range(len(bid))), strict=True):
        counts = simulate_action(
            rule,
            terms[at : at + 1],
            simulate,
            seed=seed,
            threads=threads,
            progress=progress,
        )
        row.update(_simulated_cells(row, counts, simulate))
    return BidTable(rows, EXACT_COLUMNS + SIMULATED_COLUMNS, simulate, _check(rows, simulate), game_rules)


def _values(rows: Sequence[Row], name: str) -> str:
    return ", ".join(dict.fromkeys(str(row[name]) for row in rows))


def _check_range(name: str, values: Sequence[int], low: int, high: int) -> None:
    if not len(values):
        raise BadInputError(f"no {name} is given")
    for value in values:
        if not low <= value <= high:
            raise BadInputError(f"{name} {value}: it must lie from {low} to {high}")


def _check_bids(bids: Sequence[int], rules: Rules) -> None:
    if not len(bids):
        raise BadInputError("no bid is given")
    for bid in bids:
        if bid not in bids_of(rules):
            raise BadInputError(f"bid {bid}: bids are {bids_text(rules)}")


def _exact_rows(rule: HoldRule, terms: Terms) -> list[Row]:
    """Return the exact columns of one rule; the odds of a rule that has none are missing."""
    columns: dict[str, list[Cell]] = {
        "bid": [bid_label(bid) for bid in terms.bid.tolist()],
        "target": terms.target.tolist(),
        "modifier": terms.modifier.tolist(),
        "chips": terms.chips.tolist(),
        "hold": [rule.spec] * len(terms),
    }
    if rule.has_exact_odds:
        counts, weight = exact_counts(rule, terms)
        figures = shares(counts, terms.dice.n_actions * weight, terms.rules)
        columns |= {name: figure.tolist() for name, figure in figures.items()}
    return [
        {name: columns[name][at] if name in columns else None for name in EXACT_COLUMNS} for at in range(len(terms))
    ]


def _simulated_cells(row: Row, counts: NDArray[np.int64], n: int) -> Row:
    """Return the simulated columns of one row."""
    three, two, one, under = (int(counts[how]) for how in (THREE, TWO, ONE, UNDER))
    cells: Row = {"sim_n": n}
    for name, count in zip(SIMULATED, (three + two + one, three, two, one, under), strict=True):
        exact = row[f"p_{name}"]
        low, high = wilson(count, n)
        cells[f"sim_p_{name}"] = count / n
        cells[f"sim_p_{name}_low"], cells[f"sim_p_{name}_high"] = low, high
        cells[f"sim_p_{name}_z"] = z_score(count, n, exact) if isinstance(exact, float) else None
    return cells


def _check(rows: list[Row], n: int) -> SimulationCheck:
    """Count the z scores outside ±3."""
    scores = [(row[f"p_{name}"], row[f"sim_p_{name}_z"]) for row in rows for name in SIMULATED]
    pairs = [(p, z) for p, z in scores if isinstance(p, float) and isinstance(z, float)]
    return SimulationCheck(
        len(pairs),
        sum(abs(z) > Z_LIMIT for _, z in pairs),
        sum(outside_probability(n, p, Z_LIMIT) for p, _ in pairs),
    )
