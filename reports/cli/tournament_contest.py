"""Tournaments, and comparisons whose tables all play the same deals to the end, as the commands play and show them."""

from collections.abc import Callable
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

from reports.cli.contest import (
    Contest,
    NamedTable,
    leader_lines,
    no_field,
    rough,
    verdict_words,
    win_share_of,
    win_share_picture,
)
from reports.export import ANYTIME

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from rich.console import RenderableType

    from analyzer.field_counts import FieldCounts
    from analyzer.line_up_sums import LineUpSums
    from analyzer.outcome import Outcome
    from analyzer.runs import Run
    from analyzer.sequential import Verdict
    from analyzer.tournament import Stopping
    from reports.cli.hands import Executors
    from strategies.tournaments import Asked


def tournament_contest(run: "Run", asked: "Asked", stopping: "Stopping") -> Contest:
    """Return a tournament that ends when `stopping` says, with the blocks that its run has."""
    return _Tournament(run, asked, stopping)


class _Tournament:
    """A tournament, or a comparison whose tables all play the same deals to the end."""

    def __init__(self, run: "Run", asked: "Asked", stopping: "Stopping") -> None:
        from analyzer.tournament import Tournament
        from strategies.tournaments import bounds_of, labels

        self._run, self._asked = run, asked
        self._names, self._bounds = labels(run.question), bounds_of(run.question, asked.plan)
        self._tournament = Tournament(asked.plan, run, stopping, asked.look)

    @property
    def games_there(self) -> int:
        return self._tournament.games_done

    @property
    def games_wanted(self) -> int:
        return self._tournament.games_wanted

    @property
    def finished(self) -> bool:
        return self.games_there >= self._asked.plan.games_of(self._run.extent, self._run.part)

    @property
    def at_most(self) -> bool:
        return self._tournament.stopping.looks

    def blocks(self) -> tuple[int, int]:
        return self._tournament.blocks

    def play(self, executors: "Executors", progress: Callable[[int], None]) -> None:
        self._tournament.play(executors(self._asked.plan), progress)

    def field_sums(self) -> "list[LineUpSums]":
        if len(self._asked.plan.settings) > 1:
            raise no_field(self._run)
        return self._tournament.tally.line_up_sums()

    def leaders(self) -> list[str]:
        """Return who leads so far; without ratings, which take too long to be made anew all the time."""
        from analyzer.means import mean_win_shares
        from analyzer.rows import Row, columns

        if len(self._asked.plan.settings) > 1:
            return leader_lines(self.tables()[0].rows())
        sampled = self._asked.design.sampled
        shares = mean_win_shares(self.field_sums(), len(self._names), sampled=sampled).shares(self._bounds)
        named = zip(self._names, shares, strict=True)
        return leader_lines([Row(strategy=name) | columns("win_share", share) for name, share in named])

    def lacks(self) -> str | None:
        return None if self.games_there else "no game has been played yet"

    def heading(self) -> str:
        from reports.words import counted, listed

        run, plan = self._run, self._asked.plan
        tables = f"{plan.n_line_ups:,} line-up{'' if plan.n_line_ups == 1 else 's'}"
        heading = f"{counted(self.games_there)}: {tables} of {listed(map(str, self._asked.players))} players"
        if len(plan.settings) > 1:
            heading += f", at {len(plan.settings)} tables with the same deals"
        part = f"part {run.part.number} of {run.part.of}"
        deals = f"{run.extent:,} deal{'' if run.extent == 1 else 's'}"
        if not self.finished:
            return f"{heading}; unfinished: {plan.games_of(run.extent, run.part):,} are asked for"
        if run.part.of > 1:
            return f"{heading}; all of {part} of {deals} each (woolsim merge joins the parts)"
        return f"{heading}, {deals} each in all rotations"

    def notes(self) -> str:
        settings, notes = self._asked.settings, rough(self._run.extent)
        if self._asked.stopping.looks:
            ordinary = ", but those of ratings, luck and mixtures are ordinary ones"
            notes += f"; {ANYTIME}{'' if len(self._asked.plan.settings) > 1 else ordinary}"
        if self._asked.design.sampled:
            notes += "; errors include the random choice of line-ups, but those of ratings, luck and mixtures do not"
        if len(settings) > 2:
            return f"{notes}; {len(settings) - 1} other decks, as plausible (assumption)"
        if len(settings) > 1:
            other: Any = settings[1]
            return f"{notes}; compared with deck {other.deck.name} ({other.deck.digest}), rules {other.rules.name}"
        return notes

    def tables(self) -> list[NamedTable]:
        from analyzer.outcome import COLUMNS
        from analyzer.paired import (
            CANDIDATE_COLUMNS,
            PLACE_COLUMNS,
            SETTING_COLUMNS,
            candidate_rows,
            place_rows,
            setting_rows,
        )
        from strategies.tournaments import CANDIDATES, SETTINGS, labels

        asked, tally, names, bounds = self._asked, self._tournament.tally, self._names, self._bounds
        if asked.shape == CANDIDATES:
            mine, exact = labels(self._run.question, candidates=True), asked.exact
            return [NamedTable("candidates", lambda: candidate_rows(tally, mine, bounds, exact), CANDIDATE_COLUMNS)]
        places = NamedTable("places", lambda: place_rows(tally, names, bounds), PLACE_COLUMNS)
        if asked.perturbed:
            return [places]
        if asked.shape == SETTINGS:
            settings = NamedTable("settings", lambda: setting_rows(tally, names, bounds), SETTING_COLUMNS)
            return [settings, places]
        return [NamedTable(name, partial(self._outcome.table, name), columns) for name, columns in COLUMNS.items()]

    @cached_property
    def _outcome(self) -> "Outcome":
        """What is shown as tables and drawn, made once: who looks at tables plays no more."""
        from analyzer.outcome import Outcome

        return Outcome(self._names, self.field_sums(), self._bounds, self._asked.design)

    def readable(self) -> "RenderableType":
        from reports.tournament_tables import paired_tables, tournament_tables

        if len(self._asked.plan.settings) > 1:
            rows = {table.name: table.rows() for table in self.tables()}
            return paired_tables(rows, self.heading(), self._bounds)
        specs = [each["name"] for each in self._run.question["strategies"]]
        return tournament_tables(self._outcome, self.heading(), specs)

    def picture(self) -> "Figure":
        return win_share_picture(self._run, self.tables()[0].rows(), self.heading())

    def words(self) -> list[str]:
        from reports.tournament_tables import design_words, group_words, paired_words

        if len(self._asked.plan.settings) > 1:
            return paired_words({table.name: table.rows() for table in self.tables()}, self._bounds)
        first = f"Win shares are means over all line-ups, those with copies too. {group_words(self._outcome)}"
        margin = "Margin: score less the mean of the others. Deals are played in all rotations of the seats."
        return [f"{first} {margin}", *design_words(self._outcome)]

    def counts(self) -> "list[FieldCounts]":
        from analyzer.field_counts import FieldCounts

        return FieldCounts.of(self._tournament.tally)

    def verdict(self) -> str | None:
        stopping, extent = self._asked.stopping, self._run.extent
        if not stopping.looks:
            return None
        verdict = self._asked.look(self._tournament.tally)
        value = self._found(verdict) if extent >= stopping.min_games else ""
        return verdict_words(self._run, extent, value, stopping.level, over=extent >= stopping.max_games)

    def _found(self, verdict: "Verdict") -> str:
        """Return what a verdict says, and of whom."""
        from analyzer.sequential import Verdict
        from reports.tournament_tables import ahead_words
        from strategies.tournaments import CANDIDATES

        if verdict is not Verdict.BEST:
            return str(verdict.value)
        rows = self.tables()[0].rows()
        if self._asked.shape == CANDIDATES and len(rows) == 2:
            return ahead_words(rows[1], str(rows[0]["strategy"]))
        return f"{max(rows, key=win_share_of)['strategy']} is the best"
