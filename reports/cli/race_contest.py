"""Races, in which whoever is beaten drops out, as the commands play and show them."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from reports.cli.contest import Contest, NamedTable, leader_lines, no_field, verdict_words, win_share_picture
from reports.export import ANYTIME

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from rich.console import RenderableType

    from analyzer.field_counts import FieldCounts
    from analyzer.line_up_sums import LineUpSums
    from analyzer.rows import Row
    from analyzer.runs import Run
    from reports.cli.hands import Executors
    from strategies.tournaments import Asked


def race_contest(run: "Run", asked: "Asked") -> Contest:
    """Return a race, with the blocks that its run has."""
    return _Race(run, asked)


class _Race:
    """A race."""

    def __init__(self, run: "Run", asked: "Asked") -> None:
        from analyzer.find_best import Elimination
        from strategies.tournaments import labels

        self._run, self._asked, self._names = run, asked, labels(run.question, candidates=True)
        self._race = Elimination(asked.plan, run, asked.bounds)

    @property
    def games_there(self) -> int:
        return self._race.games_done + self._race.games_begun

    @property
    def games_wanted(self) -> int:
        return self.games_there + self._race.games_missing

    @property
    def finished(self) -> bool:
        return self._race.over

    @property
    def at_most(self) -> bool:
        return True

    def blocks(self) -> tuple[int, int]:
        return self._race.blocks

    def play(self, executors: "Executors", progress: Callable[[int], None]) -> None:
        self._race.play(executors, progress)

    def leaders(self) -> list[str]:
        if not self._race.stages:
            return []
        left = len(self._race.plan.settings)
        return [f"stage {len(self._race.stages) + 1}, {left} left; before it:", *leader_lines(self._rows())]

    def field_sums(self) -> "list[LineUpSums]":
        raise no_field(self._run)

    def lacks(self) -> str | None:
        if self._race.stages:
            return None
        if not self.games_there:
            return "no game has been played yet"
        return f"no stage is finished yet; of the first it has {self.games_there:,} games"

    def heading(self) -> str:
        from reports.words import counted

        race = self._race
        heading = f"{counted(race.games_done)} in {len(race.stages)} stage{'' if len(race.stages) == 1 else 's'}"
        if self.finished:
            return heading
        begun = f"{race.games_begun:,} games of stage {len(race.stages) + 1} do not count yet"
        return f"{heading}; unfinished: {begun}"

    def notes(self) -> str:
        groups = self._asked.line_ups
        beside = f"; beside {groups} groups of opponents drawn from the candidates; others would give other figures"
        return f"; {ANYTIME}{beside if groups else ''}"

    def tables(self) -> list[NamedTable]:
        from analyzer.find_best import FIND_BEST_COLUMNS

        return [NamedTable("candidates", self._rows, FIND_BEST_COLUMNS)]

    def readable(self) -> "RenderableType":
        from reports.tournament_tables import find_best_table

        race, decided = self._race, self._race.stages[-1].race.decided
        return find_best_table(self._rows(), self.heading(), race.bounds, decided=decided, alike=race.alike)

    def picture(self) -> "Figure":
        return win_share_picture(self._run, self._rows(), self.heading())

    def words(self) -> list[str]:
        from reports.tournament_tables import find_best_words

        race, decided = self._race, self._race.stages[-1].race.decided
        return [find_best_words(self._rows(), race.bounds, decided=decided, alike=race.alike)]

    def counts(self) -> "list[FieldCounts]":
        return [] if self._race.counts is None else [self._race.counts]

    def verdict(self) -> str | None:
        from analyzer.sequential import Verdict

        last = self._race.stages[-1]
        value = f"{self._rows()[0]['strategy']} is the best" if last.race.decided else ""
        if self._race.alike:
            value = str(Verdict.ALIKE.value)
        return verdict_words(self._run, last.games, value, self._race.bounds.level, over=self._race.over)

    def _rows(self) -> "list[Row]":
        from analyzer.find_best import find_best_rows

        return find_best_rows(self._race.stages, self._names, self._race.bounds, self._asked.exact)
