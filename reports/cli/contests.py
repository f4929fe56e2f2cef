"""What a run is of, as the commands play and show it: a tournament, or a race in which whoever is beaten drops out."""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Protocol

from analyzer.errors import BadInputError
from reports.cli.again import command_line
from reports.export import ANYTIME, Provenance

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from rich.console import RenderableType

    from analyzer.line_up_sums import LineUpSums
    from analyzer.rows import Row
    from analyzer.runs import Run
    from analyzer.sequential import Verdict
    from analyzer.tournament import Stopping
    from reports.cli.hands import Executors
    from strategies.tournaments import Asked


LEADERS: Final = 3
"""Strategies that are shown while games are played."""

FEW: Final = 10
"""Deals of each line-up below which what is known of errors is itself little."""


class NamedTable(NamedTuple):
    """A table of a run; its rows are made when they are asked for."""

    name: str
    rows: "Callable[[], list[Row]]"
    columns: tuple[str, ...]


class Contest(Protocol):
    """What a run is of."""

    @property
    def games_there(self) -> int:
        """Games that the run has."""

    @property
    def games_wanted(self) -> int:
        """Games that it will have at most."""

    @property
    def finished(self) -> bool:
        """Whether it has all games that are asked for now; that does not say whether they decide."""

    @property
    def at_most(self) -> bool:
        """Whether the results decide when it ends, so that it may end before."""

    def blocks(self) -> tuple[int, int]:
        """Return how many blocks are played, and how many there are at most; in a race, of its stage."""

    def play(self, executors: "Executors", progress: Callable[[int], None]) -> None:
        """Play what is missing; after Ctrl-C what was begun is kept first."""

    def leaders(self) -> list[str]:
        """Return who leads so far, a line each."""

    def field_sums(self) -> "list[LineUpSums]":
        """Return the sums by line-up for each player count.

        Raises
        ------
        BadInputError
            Where tables are compared, so that there are none.
        """

    def lacks(self) -> str | None:
        """Say why there is nothing to show yet."""

    def heading(self) -> str:
        """Return what has been played, in words."""

    def notes(self) -> str:
        """Return what else is to be said of how it was played."""

    def tables(self) -> list[NamedTable]:
        """Return the tables, the main one first."""

    def readable(self) -> "RenderableType":
        """Return the tables laid out for people."""

    def picture(self) -> "Figure":
        """Return the picture of the win shares."""

    def verdict(self) -> str | None:
        """Say whether what there is decides; also of a run that was interrupted, or extended after it was decided."""


def asked_of(run: "Run", *, to_play: bool = False) -> "Asked":
    """Return what a run asks; `to_play` reads its strategies anew."""
    from strategies.games import HOUSES
    from strategies.tournaments import Asked

    if run.question.get("game") not in HOUSES:
        raise BadInputError(f"{run.folder}: is a run of {run.question.get('game')!r}, which this version does not play")
    return Asked.of_question(run.question, to_play=to_play)


def contest_of(run: "Run", asked: "Asked", stopping: "Stopping | None" = None) -> Contest:
    """Return what a run is of, with the blocks that it has; `stopping` is when it ends if not as it is asked."""
    from strategies.tournaments import RACE

    return _Race(run, asked) if asked.shape == RACE else _Tournament(run, asked, stopping or asked.stopping)


def table_names(asked: "Asked") -> tuple[str, ...]:
    """Return the names of the tables that a run of such a question has, the main one first."""
    from analyzer.outcome import COLUMNS
    from strategies.tournaments import CANDIDATES, RACE, SETTINGS

    if asked.shape in {CANDIDATES, RACE}:
        return ("candidates",)
    if asked.shape == SETTINGS:
        return ("places",) if asked.perturbed else ("settings", "places")
    return tuple(COLUMNS)


def provenance_of(run: "Run", asked: "Asked", contest: Contest) -> Provenance:
    """Return what reproduces the figures of a run."""
    first: Any = asked.settings[0]
    played = f"played: {contest.heading()}{contest.notes()}"
    return Provenance(command_line(run), run.question["seed"], played, first.rules, first.deck)


def _no_field(run: "Run") -> BadInputError:
    return BadInputError(f"{run.folder}: its tables compare; a field of strategies is needed")


def _verdict_words(run: "Run", deals: int, value: str, level: float, *, over: bool) -> str:
    """Say what is known after some deals, if anything; `over` once there are as many as were asked for at most."""
    games = f"{deals:,} deal{'' if deals == 1 else 's'} of each line-up"
    if value:
        return f"decided after {games}: {value} (anytime-valid bounds, {level:.0%})"
    if over:
        return f"not decided after {games}, the most that were asked for (--max-games)"
    return f"not decided after {games} so far: woolsim resume {run.folder}"


def _leaders(rows: "list[Row]") -> list[str]:
    """Return the leaders of rows with win shares, and how well each is known."""
    from reports.words import percent

    known = [row for row in rows if isinstance(row.get("win_share"), float)]
    lines = []
    for row in sorted(known, key=_win_share, reverse=True)[:LEADERS]:
        shown, low, high = (percent(row[f"win_share{end}"]) for end in ("", "_low", "_high"))
        lines.append(f"{shown} wins ({low} to {high})  {row['strategy']}")
    return lines


def _rough(deals: int) -> str:
    return f"; fewer than {FEW} deals of each line-up: errors are rough" if deals < FEW else ""


def _win_share(row: "Row") -> float:
    return float(row["win_share"]) if isinstance(row["win_share"], float) else -1.0


def _figure(run: "Run", rows: "list[Row]", heading: str) -> "Figure":
    """Return the picture of the win shares in rows."""
    import pandas as pd

    from reports.tournament_plots import win_share_figure
    from strategies.tournaments import CANDIDATES, RACE

    frame, players, beside = pd.DataFrame(rows), run.question["players"], ""
    if len(players) == 1:
        frame["players"] = players[0]
    if run.question["shape"] in {CANDIDATES, RACE}:
        others = [each["given"] for each in run.question["strategies"][run.question["candidates"] :]]
        beside = f" beside {', '.join(others) or 'each other'}"
    title = f"Win share{beside}; {heading}; deck {run.question['deck']['name']}; 95 % intervals"
    return win_share_figure(frame, title)


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
            raise _no_field(self._run)
        return self._tournament.tally.line_up_sums()

    def leaders(self) -> list[str]:
        """Return who leads so far; without ratings, which take too long to be made anew all the time."""
        from analyzer.means import mean_win_shares
        from analyzer.rows import Row, columns

        if len(self._asked.plan.settings) > 1:
            return _leaders(self.tables()[0].rows())
        sampled = self._asked.design.sampled
        shares = mean_win_shares(self.field_sums(), len(self._names), sampled=sampled).shares(self._bounds)
        named = zip(self._names, shares, strict=True)
        return _leaders([Row(strategy=name) | columns("win_share", share) for name, share in named])

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
        settings, notes = self._asked.settings, _rough(self._run.extent)
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
        from analyzer.outcome import COLUMNS, Outcome
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
        outcome = Outcome(names, self.field_sums(), bounds, asked.design)
        return [NamedTable(name, partial(outcome.table, name), columns) for name, columns in COLUMNS.items()]

    def readable(self) -> "RenderableType":
        from analyzer.outcome import Outcome
        from reports.tournament_tables import paired_tables, tournament_tables

        if len(self._asked.plan.settings) > 1:
            rows = {table.name: table.rows() for table in self.tables()}
            return paired_tables(rows, self.heading(), self._bounds)
        specs = [each["name"] for each in self._run.question["strategies"]]
        outcome = Outcome(self._names, self.field_sums(), self._bounds, self._asked.design)
        return tournament_tables(outcome, self.heading(), specs)

    def picture(self) -> "Figure":
        return _figure(self._run, self.tables()[0].rows(), self.heading())

    def verdict(self) -> str | None:
        stopping, extent = self._asked.stopping, self._run.extent
        if not stopping.looks:
            return None
        verdict = self._asked.look(self._tournament.tally)
        value = self._found(verdict) if extent >= stopping.min_games else ""
        return _verdict_words(self._run, extent, value, stopping.level, over=extent >= stopping.max_games)

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
        return f"{max(rows, key=_win_share)['strategy']} is the best"


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
        return [f"stage {len(self._race.stages) + 1}, {left} left; before it:", *_leaders(self._rows())]

    def field_sums(self) -> "list[LineUpSums]":
        raise _no_field(self._run)

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
        return _figure(self._run, self._rows(), self.heading())

    def verdict(self) -> str | None:
        from analyzer.sequential import Verdict

        last = self._race.stages[-1]
        value = f"{self._rows()[0]['strategy']} is the best" if last.race.decided else ""
        if self._race.alike:
            value = str(Verdict.ALIKE.value)
        return _verdict_words(self._run, last.games, value, self._race.bounds.level, over=self._race.over)

    def _rows(self) -> "list[Row]":
        from analyzer.find_best import find_best_rows

        return find_best_rows(self._race.stages, self._names, self._race.bounds, self._asked.exact)
