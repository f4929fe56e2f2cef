"""Which contest a run is of: a tournament, or a race in which whoever is beaten drops out; and what reproduces it."""

from typing import TYPE_CHECKING, Any

from analyzer.errors import BadInputError
from analyzer.rows import in_order
from reports.cli.again import command_line
from reports.cli.contest import Contest
from reports.cli.race_contest import race_contest
from reports.cli.tournament_contest import tournament_contest
from reports.export import Provenance

if TYPE_CHECKING:
    from analyzer.counted import Table
    from analyzer.rows import Row
    from analyzer.runs import Run
    from analyzer.tournament import Stopping
    from strategies.tournaments import Asked


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

    if asked.shape == RACE:
        return race_contest(run, asked)
    return tournament_contest(run, asked, stopping or asked.stopping)


def table_names(asked: "Asked") -> tuple[str, ...]:
    """Return the names of the tables that a run of such a question has, the main one first."""
    from analyzer.field_counts import field_table_names
    from analyzer.outcome import COLUMNS
    from strategies.tournaments import CANDIDATES, RACE, SETTINGS

    happened = field_table_names(asked.game)
    if asked.shape in {CANDIDATES, RACE}:
        return ("candidates", *happened)
    if asked.shape == SETTINGS:
        return ("places", *happened) if asked.perturbed else ("settings", "places", *happened)
    return (*COLUMNS, *happened)


def family_of(asked: "Asked") -> str:
    """Return the command whose tables a run has, as descriptions of columns call it."""
    from strategies.tournaments import CANDIDATES, RACE, SETTINGS

    return {CANDIDATES: "compare", SETTINGS: "compare", RACE: "find-best"}.get(asked.shape, "tournament")


def counted_tables(run: "Run", asked: "Asked", contest: Contest) -> "dict[str, Table]":
    """Return the tables of what happened in the games of a run by name; the best strategies come first."""
    from analyzer.field_counts import field_tables
    from strategies.tournaments import labels

    happened = field_tables(asked.game, contest.counts(), labels(run.question), asked.settings, setting_words(asked))
    place = {str(row["strategy"]): at for at, row in enumerate(contest.tables()[0].rows())}
    return {name: (columns, in_order(rows, place)) for name, (columns, rows) in happened.items()}


def setting_words(asked: "Asked") -> "list[Row]":
    """Return what names each setting in tables of what happened."""
    if len(asked.settings) == 1:
        return [{}]
    if asked.perturbed:
        return [{"setting": "as asked" if at == 0 else f"other deck {at}"} for at in range(len(asked.settings))]
    return [{"setting": "before"}, {"setting": "then"}]


def provenance_of(run: "Run", asked: "Asked", contest: Contest) -> Provenance:
    """Return what reproduces the figures of a run."""
    first: Any = asked.settings[0]
    played = f"played: {contest.heading()}{contest.notes()}"
    return Provenance(command_line(run), run.question["seed"], played, first.rules, first.deck)
