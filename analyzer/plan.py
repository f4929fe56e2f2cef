"""The plan of a tournament: which line-ups play which game numbers, in which blocks.

Line-up number i plays the game numbers i * stride + g for g = 0, 1, ...: line-ups share no game. A rotation block is
one such game in all rotations of the seats. Everything here follows from the line-ups alone, so that it is the same in
every process, for any number of threads, and however many rotation blocks are asked for:

- rounds of `span` rotation blocks of every line-up, about as many games as a block should have; results are looked at
  after whole rounds, in the order of the games;
- cells of `grain` rotation blocks: a round has some, and no sums are kept of less than what lies in one cell;
- batches, into which the cells fall by turns: the parts that are resampled for intervals. Nothing is resampled where
  tables are compared, so that there a round is a cell and all cells are one batch.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, NamedTuple

import numpy as np

from analyzer.blocks import MAX_GAMES
from analyzer.errors import BadInputError
from analyzer.game import Tables, rotations
from analyzer.results import IntArray
from analyzer.runs import WHOLE, Part

GAMES_PER_BLOCK: Final = 20_000
"""Takes a tenth of a second with simple strategies, and a few seconds with slow ones."""

UNITS_PER_ROUND: Final = 700
"""Sums of so many cells, all line-ups counted, are kept of a round: with few line-ups the cells are the smaller."""

FEWEST_CELLS: Final = 10
MOST_CELLS: Final = 200
"""Of a round."""

MOST_BATCHES: Final = 20
FEWEST_BATCHES: Final = 8
LINE_UPS_IN_MEMORY: Final = 200_000
"""Sums of so many line-ups, about a kilobyte each, are kept at once, batches of one counted singly."""


class Block(NamedTuple):
    """What is played and kept together.

    Parameters
    ----------
    number : int
        Says the rest; two blocks of a run never have the same, even if one is a part of the other.
    group : int
        Which line-ups.
    start, stop : int
        Their rotation blocks from `start` to `stop` - 1.
    """

    number: int
    group: int
    start: int
    stop: int


class Group(NamedTuple):
    """Line-ups `first` to `last` - 1 of one player count."""

    part: int
    first: int
    last: int


There = Mapping[int, Sequence[Block]]
"""Blocks that are there, by their :meth:`Plan.turn`. They may overlap: a block ends where a run was to end when it was
begun, and a run that is extended, or decided early, can end elsewhere."""


@dataclass(frozen=True, eq=False)
class Plan:
    """Which line-ups play.

    Parameters
    ----------
    line_ups : tuple of int64 arrays, shape (L, players) or (L, tables, players)
        For each player count: index of each player's strategy. Where several tables are compared, they stand side by
        side and play the same games, so that what differs is not the luck; else a line-up is ascending.
    settings : tuple of int
        The setting of each of the tables, as an index.
    """

    line_ups: tuple[IntArray, ...]
    settings: tuple[int, ...] = (0,)

    @cached_property
    def n_line_ups(self) -> int:
        """Line-ups of all player counts."""
        return sum(map(len, self.line_ups))

    @property
    def stride(self) -> int:
        """Game numbers that each line-up has for itself."""
        return MAX_GAMES // self.n_line_ups

    def check_extent(self, deals: int) -> None:
        """Refuse more rotation blocks than a line-up has game numbers.

        Raises
        ------
        BadInputError
        """
        if deals > self.stride:
            raise BadInputError(
                f"{deals:,} deals of each of {self.n_line_ups:,} line-ups: {self.stride:,} of each is the most, as a "
                f"seed has {MAX_GAMES:,} games"
            )

    @cached_property
    def games(self) -> int:
        """Games in one rotation block of every line-up."""
        return sum(part.size for part in self.line_ups)

    @cached_property
    def span(self) -> int:
        """Rotation blocks of a line-up in a round."""
        return max(1, GAMES_PER_BLOCK // self.games)

    @cached_property
    def grain(self) -> int:
        """Rotation blocks of a line-up in a cell."""
        if len(self.settings) > 1:
            return self.span
        cells = min(max(UNITS_PER_ROUND // self.n_line_ups, FEWEST_CELLS), MOST_CELLS)
        return max(1, self.span // cells)

    @cached_property
    def batches(self) -> int:
        """Parts that are resampled."""
        if len(self.settings) > 1:
            return 1
        return min(max(LINE_UPS_IN_MEMORY // self.n_line_ups, FEWEST_BATCHES), MOST_BATCHES)

    @cached_property
    def groups(self) -> list[Group]:
        """Line-ups that are in one block."""
        groups = []
        for part, line_ups in enumerate(self.line_ups):
            size = max(1, GAMES_PER_BLOCK // (self.span * line_ups[0].size))
            groups += [Group(part, first, min(first + size, len(line_ups))) for first in range(0, len(line_ups), size)]
        return groups

    def rounds(self, start: int, stop: int) -> Iterator[tuple[int, int]]:
        """Yield the rotation blocks from `start` to `stop` round by round."""
        while start < stop:
            end = min((start // self.span + 1) * self.span, stop)
            yield start, end
            start = end

    def missing(self, there: There, extent: int, start: int = 0) -> Iterator[Block]:
        """Yield the blocks that are missing from rotation block `start` to `extent` - 1, round by round."""
        for first, stop in self.rounds(start, extent):
            yield from self.missing_in(there, first, stop)

    def missing_in(self, there: There, start: int, stop: int) -> Iterator[Block]:
        """Yield the blocks of a round that are missing from rotation block `start` to `stop` - 1."""
        for group in range(len(self.groups)):
            at = start
            for block in self._in_a_row(there, group, start, stop):
                if block.start > at:
                    yield self._block(group, at, block.start)
                at = block.stop
            if at < stop:
                yield self._block(group, at, stop)

    def usable(self, there: There, start: int, stop: int) -> Iterator[Block]:
        """Yield the blocks of a round that count from rotation block `start` to `stop` - 1; they do not overlap."""
        for group in range(len(self.groups)):
            yield from self._in_a_row(there, group, start, stop)

    def _in_a_row(self, there: There, group: int, start: int, stop: int) -> Iterator[Block]:
        blocks = there.get(start // self.span * len(self.groups) + group, ())
        for block in sorted(blocks, key=lambda block: (block.start, -block.stop)):
            if start <= block.start and block.stop <= stop:
                yield block
                start = block.stop

    def by_turn(self, blocks: Iterable[Block]) -> dict[int, list[Block]]:
        """Return blocks by their turn."""
        there: dict[int, list[Block]] = {}
        for block in blocks:
            there.setdefault(self.turn(block), []).append(block)
        return there

    def turn(self, block: Block) -> int:
        """Return the place of a block in the order in which blocks are played; parts of a block have the same."""
        return block.start // self.span * len(self.groups) + block.group

    def block(self, number: int) -> Block:
        """Return the block of a number."""
        rest, group = divmod(number, len(self.groups))
        start, more = divmod(rest, self.span)
        return Block(number, group, start, start + more + 1)

    def _block(self, group: int, start: int, stop: int) -> Block:
        number = (start * self.span + stop - start - 1) * len(self.groups) + group
        return Block(number, group, start, stop)

    def games_in(self, block: Block) -> int:
        """Return how many games a block has."""
        part, first, last = self.groups[block.group]
        return (block.stop - block.start) * self.line_ups[part][first:last].size

    def has(self, part: Part, block: Block) -> bool:
        """Return whether a part of a run is to play a block: it plays whole rounds, so that each has all line-ups."""
        return part.has(block.start // self.span)

    def games_of(self, extent: int, part: Part = WHOLE) -> int:
        """Return how many games a part of a run has, up to rotation block `extent` - 1."""
        rounds, rest = divmod(extent, self.span)
        return (part.count_of(rounds) * self.span + (rest if part.has(rounds) else 0)) * self.games

    def blocks_of(self, extent: int, part: Part = WHOLE) -> int:
        """Return how many blocks a part of a run has, up to rotation block `extent` - 1, if none is cut in two."""
        return part.count_of(-(-extent // self.span)) * len(self.groups)

    def cells(self, block: Block) -> IntArray:
        """Return the rotation blocks of a block by cell, shape (cells, 2): first, and how many."""
        edges = np.arange(block.start // self.grain + 1, -(-block.stop // self.grain)) * self.grain
        edges = np.array([block.start, *edges, block.stop])
        return np.stack([edges[:-1], np.diff(edges)], axis=1)

    def tables(self, block: Block) -> Tables:
        """Return what a block plays: for each of its line-ups, cell by cell."""
        part, first, last = self.groups[block.group]
        line_ups, cells = self.line_ups[part][first:last], self.cells(block)
        before = sum(map(len, self.line_ups[:part])) + first
        starts = (before + np.arange(len(line_ups)))[:, None] * self.stride + cells[:, 0]
        units = np.stack([starts, np.broadcast_to(cells[:, 1], starts.shape)], axis=-1).reshape(-1, 2)
        players = line_ups.shape[-1]
        tables = np.repeat(line_ups.reshape(len(line_ups), -1, players), len(cells), axis=0)
        return Tables(units, tables, self.settings, rotations(players))
