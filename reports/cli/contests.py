"""Which contest a run is of: a tournament, or a race in which whoever is beaten drops out; and what reproduces it."""

from typing import TYPE_CHECKING, Any

from analyzer.errors import BadInputError
from reports.cli.again import command_line
from reports.cli.contest import Contest
from reports.cli.race_contest import race_contest
from reports.cli.tournament_contest import tournament_contest
from reports.export import Provenance

if TYPE_CHECKING:
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
