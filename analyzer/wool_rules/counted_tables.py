"""Tables of what games of Wool Rules count beside results: how bids went, and what going early or late brought."""

from collections.abc import Callable, Iterator, Mapping
from typing import Final

import numpy as np

from analyzer.counted import Counted, Table
from analyzer.results import IntArray
from analyzer.rows import Row, columns, with_interval
from analyzer.stats import ratio
from analyzer.wool_rules.bidding import bid_label
from analyzer.wool_rules.constants import LOWEST_BID, MAX_MODIFIER
from analyzer.wool_rules.need_odds import bid_odds
from analyzer.wool_rules.rules import Rules
from analyzer.wool_rules.setting import Setting
from analyzer.wool_rules.tallies import END_ONE, END_THREE, END_TWO, END_UNDER

ENDS: Final = ("three", "two", "one", "success", "fail", "under_14")
"""How dice actions end; success is the sum of the first three, fail includes under 14."""

ACTION_FIGURES: Final = ("actions", *with_interval(*(f"p_{end}" for end in ENDS)))


def attempts(counted: Counted) -> Table:
    """Return how dice actions ended, by bid made."""

    def rows(at: int) -> list[Row]:
        by_bid = counted.extra["actions"][at].sum(axis=1)
        return [_bid(bid) | action_cells(counted, at, ends) for bid, ends in enumerate(by_bid) if ends.any()]

    return counted.table(("bid", *ACTION_FIGURES), rows)


def calibration(counted: Counted, rules: Rules) -> Table:
    """Return success by bid and modifier beside the exact odds.

    The exact odds are those of max-odds without chips: chips spent and other aims make the difference.
    """
    exact, success = bid_odds(rules), with_interval("p_success")

    def rows(at: int) -> list[Row]:
        found: list[Row] = []
        actions = counted.extra["actions"][at]
        for bid, modifier in np.argwhere(actions.sum(axis=2)).tolist():
            cells = action_cells(counted, at, actions[bid, modifier])
            row = _bid(bid) | {"modifier": modifier - MAX_MODIFIER}
            row |= {name: cells[name] for name in ("actions", *success)}
            found.append(row | {"exact_p_success": float(exact[bid, modifier])})
        return found

    return counted.table(("bid", "modifier", "actions", *success, "exact_p_success"), rows)


def turns(counted: Counted) -> Table:
    """Return points gained per round by place in the turn order."""

    def rows(at: int) -> list[Row]:
        gains = counted.extra["place_gains"][at]
        return [{"place": place + 1} | cells for place, cells in _gain_cells(counted, at, gains)]

    return counted.table(("place", "rounds", *with_interval("points")), rows)


def bids(counted: Counted) -> Table:
    """Return points gained per round by bid made."""

    def rows(at: int) -> list[Row]:
        gains = counted.extra["bid_gains"][at]
        return [_bid(bid) | cells for bid, cells in _gain_cells(counted, at, gains)]

    return counted.table(("bid", "rounds", *with_interval("points")), rows)


def action_cells(counted: Counted, at: int, ends: IntArray) -> Row:
    """Return shares of dice actions of a player from how often they ended in each way."""
    n = int(ends.sum())
    success = ends[END_THREE] + ends[END_TWO] + ends[END_ONE]
    counts = (ends[END_THREE], ends[END_TWO], ends[END_ONE], success, n - success, ends[END_UNDER])
    cells: Row = {"actions": n}
    for end, count in zip(ENDS, counts, strict=True):
        cells |= columns(f"p_{end}", counted.share(at, int(count), n))
    return cells


def _bid(bid: int) -> Row:
    """Return the column that names a bid, counted from the lowest."""
    return {"bid": bid_label(LOWEST_BID + bid)}


def _gain_cells(counted: Counted, at: int, gains: IntArray) -> Iterator[tuple[int, Row]]:
    """Yield (place or bid, rounds and points gained in them) for those that occurred."""
    factor = float(counted.dependence[at]) ** 0.5
    for kind, sums in enumerate(gains.tolist()):
        points = ratio(*sums)
        if points is not None:
            yield kind, {"rounds": sums[0]} | columns("points", points.widened(factor))


TABLES: Final[Mapping[str, Callable[[Counted, Setting], Table]]] = {
    "attempts": lambda counted, _: attempts(counted),
    "calibration": lambda counted, setting: calibration(counted, setting.rules),
    "turns": lambda counted, _: turns(counted),
    "bids": lambda counted, _: bids(counted),
}
"""All of them by name, of players in one setting."""
