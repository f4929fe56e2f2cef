"""Rows of the game of choosing a strategy: pay-offs, circles, mixtures; of a tournament or a person's own file."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Self

from analyzer.bounds import ORDINARY, Bounds
from analyzer.comparisons import head_to_head
from analyzer.cycles import CYCLE_COLUMNS, cycle_rows
from analyzer.design import EVERY_LINE_UP, Design
from analyzer.line_up_sums import LineUpSums
from analyzer.means import LineUpMeans
from analyzer.metagame import Field, MetaGame, analyse
from analyzer.payoffs import PAYOFF_COLUMNS, payoff_rows
from analyzer.rows import Row, columns, with_interval
from analyzer.shown import Shown
from analyzer.win_share_file import OwnResults

META_GAME_COLUMNS: Final[Mapping[str, tuple[str, ...]]] = {
    "mixture": ("players", "strategy", *with_interval("share"), "support", "payoff"),
    "payoff": PAYOFF_COLUMNS,
    "cycles": CYCLE_COLUMNS,
}
"""Columns of each table by its name, the main one first."""


@dataclass(frozen=True, eq=False, repr=False)
class MetaGameTables(Shown):
    """A field as a game of choosing a strategy.

    Parameters
    ----------
    names : sequence of str
        Of the strategies.
    means : sequence of LineUpMeans
        Win shares, for each number of players.
    fields : callable
        Returns the same to be resampled; raises BadInputError when a line-up is missing.
    bounds : Bounds
        Of pay-offs and circles; mixtures have the same level.
    design : Design
        How the line-ups were chosen.
    """

    names: Sequence[str]
    means: Sequence[LineUpMeans]
    fields: Callable[[], Sequence[Field]]
    bounds: Bounds = ORDINARY
    design: Design = EVERY_LINE_UP

    def headline(self) -> str:
        """Say whose choice it is about; figures take resampling."""
        players = " and ".join(str(part.line_ups.shape[1]) for part in self.means)
        return f"choosing one of {len(self.names)} strategies at tables of {players} players"

    @classmethod
    def of_sums(
        cls,
        sums: Sequence[LineUpSums],
        names: Sequence[str],
        bounds: Bounds = ORDINARY,
        design: Design = EVERY_LINE_UP,
    ) -> Self:
        """Return the tables of a tournament."""
        played = [part for part in sums if part.blocks.any()]
        means = [LineUpMeans.win_shares(part) for part in played]
        return cls(names, means, lambda: [Field.of_sums(part, names) for part in played], bounds, design)

    @classmethod
    def of_results(cls, results: Sequence[OwnResults]) -> Self:
        """Return the tables of a person's own results."""
        return cls(results[0].field.names, [own.means for own in results], lambda: [own.field for own in results])

    def rows(self, name: str) -> list[Row]:
        """Return the rows of a table of :data:`META_GAME_COLUMNS`.

        Raises
        ------
        BadInputError
            For the mixture when a line-up is missing.
        """
        if name == "payoff":
            return payoff_rows(self.means, self.names, self.bounds)
        if name == "cycles":
            return cycle_rows(head_to_head(self.means, self.names, self.bounds, self.design), self.bounds)
        return mixture_rows([analyse(field, self.bounds.level) for field in self.fields()], self.names)


def mixture_rows(found: Sequence[MetaGame], names: Sequence[str]) -> list[Row]:
    """Return the mixtures that nobody can gain by leaving, columns of the table `mixture`."""
    rows: list[Row] = []
    for meta in found:
        payoffs = meta.game.expected(meta.mixture)
        for at, name in enumerate(names):
            support = None if meta.support is None else float(meta.support[at])
            row: Row = {"players": meta.game.players, "strategy": name}
            rows.append(row | columns("share", meta.shares[at]) | {"support": support, "payoff": float(payoffs[at])})
    return rows
