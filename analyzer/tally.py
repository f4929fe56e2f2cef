"""Sums of a tournament put together from its blocks, in whatever order they come."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from analyzer.errors import BadInputError
from analyzer.field_results import FieldSums
from analyzer.line_up_sums import LineUpSums
from analyzer.plan import Block, Plan
from analyzer.results import IntArray, more_extreme, no_extremes

_BY_PLACE = ("products", "orders", "seats")
_BY_ROW = ("total", "squares", "scores")


def block_arrays(sums: FieldSums, block: Block) -> dict[str, IntArray]:
    """Return what is kept of a block: its sums and where it stops, as a run file takes them."""
    arrays = {name: getattr(sums, name) for name in (*_BY_PLACE, *_BY_ROW, "places", "shared", "extremes")}
    return arrays | sums.extra | {"stop": np.array([block.stop])}


class Tally:
    """The sums of all blocks so far.

    Parameters
    ----------
    plan : Plan

    Attributes
    ----------
    by_part : list of dict of int64 arrays
        For each player count that has games `total`, `squares`, `scores` and what the game counts, by row of
        :class:`~analyzer.field_results.FieldSums`; and `places`, `shared` and `extremes`.
    parts : list of dict of int64 arrays, shape (batches, line-ups, ...)
        For each player count `blocks`, how many rotation blocks there are, and `products`, `orders` and `seats` of
        :class:`~analyzer.field_results.FieldSums`.
    """

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.by_part: list[dict[str, IntArray]] = [{} for _ in plan.line_ups]
        self.parts = [_batched(plan, line_ups) for line_ups in plan.line_ups]

    def add(self, block: Block, arrays: Mapping[str, Any]) -> None:
        """Add a finished block.

        Raises
        ------
        BadInputError
            When it has other cells than the plan says, as a block of another version may.
        """
        part, first, last = self.plan.groups[block.group]
        cells = self.plan.cells(block)
        if len(arrays["orders"]) != (last - first) * len(cells):
            raise BadInputError(
                f"the sums of block {block.number} are divided otherwise than they are by this version of woolsim: go "
                "on with the version that played it, or begin another run"
            )
        batches = cells[:, 0] // self.plan.grain % self.plan.batches
        sums = self.parts[part]
        for at, batch in enumerate(batches.tolist()):
            sums["blocks"][batch, first:last] += cells[at, 1]
            for name in _BY_PLACE:
                of_cells = arrays[name].reshape(last - first, len(cells), *arrays[name].shape[1:])
                sums[name][batch, first:last] += of_cells[:, at]
        counted = self.by_part[part]
        for name in arrays.keys() - {*_BY_PLACE, "extremes", "stop"}:
            counted[name] = counted.get(name, 0) + arrays[name]
        counted["extremes"] = more_extreme(counted.get("extremes", no_extremes()), arrays["extremes"])

    def line_up_sums(self) -> list[LineUpSums]:
        """Return the sums by line-up and batch, for each player count; batches without games are left out.

        Only where every line-up has one table.
        """
        return [_line_up_sums(*pair) for pair in zip(self.plan.line_ups, self.parts, strict=True)]


def _batched(plan: Plan, line_ups: IntArray) -> dict[str, IntArray]:
    players, places, tables = line_ups.shape[-1], line_ups[0].size, len(plan.settings)
    shapes = {
        "blocks": (),
        "products": (2, places, places),
        "orders": (tables, 2**players),
        "seats": (places, players, 4),
    }
    return {name: np.zeros((plan.batches, len(line_ups), *rest), np.int64) for name, rest in shapes.items()}


def _line_up_sums(line_ups: IntArray, sums: dict[str, IntArray]) -> LineUpSums:
    played = sums["blocks"].any(axis=1)
    blocks, products, orders, seats = (sums[name][played] for name in ("blocks", "products", "orders", "seats"))
    wins, scores = seats[..., 0].sum(axis=3), seats[..., 2].sum(axis=3)
    return LineUpSums(line_ups, blocks, wins, scores, products[:, :, 0], products[:, :, 1], orders[:, :, 0], seats)
