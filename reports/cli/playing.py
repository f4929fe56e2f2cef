"""Playing and showing a tournament's run: what the commands that begin one and those that go on with one share."""

import shlex
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from analyzer.errors import BadInputError, Sitting
from reports.cli.faults import replaying_command
from reports.cli.hands import Hands, Where
from reports.cli.options import csv_output, table_format
from reports.cli.settings import options_of, words_of
from reports.cli.show import (
    print_provenance,
    print_tables,
    progress_bar,
    show_rows,
    write_files,
)
from reports.export import ANYTIME, Provenance

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from analyzer.runs import Run
    from analyzer.slots import Strategy
    from analyzer.tournament import Stopping, Tournament
    from strategies.tournaments import Asked

TABLES: Final = ("standings", "pairs", "seats", "rotation", "luck", "mixture", "line-ups")
LINE_EVERY: Final = 10.0
"""Seconds between two lines of progress where there is no terminal."""


def shown_options(command: Any) -> Any:
    """Add what says which table is shown and how."""
    table = click.option(
        "--table",
        "which",
        type=click.Choice(TABLES),
        help="Which table csv, json and markdown have; the readable form has most of them.  [default: standings]",
    )
    return table(table_format(csv_output(command)))


def opponents_option(command: Any) -> Any:
    """Add --field; the command gets `opponents`."""
    return click.option(
        "--field",
        "opponents",
        multiple=True,
        metavar="STRATEGY",
        help="Who sits beside them, or a TOML file with a field; several times for more.  [default: they themselves]",
    )(command)


def strategies_of(given: tuple[str, ...]) -> "tuple[Strategy, ...]":
    """Return the strategies of options that name strategies or files of them."""
    from strategies.fields import field, read_field

    files = [read_field(Path(each)).strategies for each in given if each.endswith(".toml")]
    return (*field(each for each in given if not each.endswith(".toml")), *(one for file in files for one in file))


def say_damage(run: "Run") -> None:
    """Say what was lost of a damaged run."""
    if run.damage:
        click.echo(f"Note: {run.damage}", err=True)


def asked_of(run: "Run", *, to_play: bool = False) -> "Asked":
    """Return what a run asks; `to_play` reads its strategies anew."""
    from strategies.games import HOUSES
    from strategies.tournaments import Asked

    if run.question.get("game") not in HOUSES:
        raise BadInputError(f"{run.folder}: is a run of {run.question.get('game')!r}, which this version does not play")
    return Asked.of_question(run.question, to_play=to_play)


def play(asked: "Asked", run: "Run", stopping: "Stopping", where: Where, hands: Hands) -> None:
    """Play what is missing, say how it goes on, and end with the standings so far on Ctrl-C."""
    from analyzer.dispatch import ClusterError
    from analyzer.tournament import Tournament

    tournament = Tournament(asked.plan, run, stopping, asked.look)
    to_go_on = f"to go on: {shlex.join(['woolsim', 'resume', str(run.folder), *where.options])}"

    def replaying(sitting: Sitting) -> str:
        specs = [each.given for each in asked.strategies]
        command = replaying_command(specs, asked.seed, sitting, words_of(options_of(run.question, sitting.setting)))
        if sitting.setting and asked.perturbed:
            return f"{command} (with plausible deck {sitting.setting} instead)"
        return command

    total = stopping.most * asked.plan.games
    try:
        with hands.playing(asked.recipe, replaying) as executor, _progress(tournament, total, run) as progress:
            tournament.play(executor(asked.plan), progress)
    except KeyboardInterrupt:
        if tournament.games_done:
            show(run, None, "table", None, err=True)
        click.echo(to_go_on, err=True)
        raise
    except ClusterError as error:
        raise ClusterError(f"{error}; what is finished is kept; {to_go_on}") from error


def _verdict_words(run: "Run", asked: "Asked", tournament: "Tournament") -> str:
    """Say whether what there is decides; also of a run that was interrupted, or extended after it was decided."""
    games, stopping = f"{run.extent:,} deals of each line-up", asked.stopping
    verdict = asked.look(tournament.tally)
    if verdict.stop and run.extent >= stopping.min_games:
        return f"decided after {games}: {verdict.value} (anytime-valid bounds, {stopping.level:.0%})"
    if run.extent < stopping.max_games:
        return f"not decided after {games} so far: woolsim resume {run.folder}"
    return f"not decided after {games}, the most that were asked for (--max-games)"


@contextmanager
def _progress(tournament: "Tournament", total: int, run: "Run") -> Iterator[Callable[[int], None]]:
    """Show a bar with the leader on a terminal, and a line every so often where there is none."""
    if sys.stderr.isatty():
        with progress_bar("playing", total, lambda: _leader(tournament, run)) as advance:
            advance(tournament.games_done)
            yield advance
        return
    begun = last = time.monotonic()
    before = played = tournament.games_done

    def line(games: int) -> None:
        nonlocal last, played
        played += games
        now = time.monotonic()
        if now - last >= LINE_EVERY:
            last, speed = now, (played - before) / (now - begun)
            click.echo(
                f"{played:,} of {total:,} games, {speed:,.0f} a second, {(total - played) / speed:,.0f} s left; "
                f"{_leader(tournament, run)}",
                err=True,
            )

    yield line


def _leader(tournament: "Tournament", run: "Run") -> str:
    """Return who leads; without ratings, which take too long to be made anew all the time."""
    from analyzer.means import mean_win_shares
    from analyzer.rows import Row, columns
    from reports.words import percent
    from strategies.tournaments import bounds_of, labels

    if len(tournament.plan.settings) > 1:
        rows = _tables_of(run, tournament)[0][1]()
    else:
        names, bounds = labels(run.question), bounds_of(run.question, tournament.plan)
        shares = mean_win_shares(tournament.tally.line_up_sums(), len(names)).shares(bounds)
        rows = [Row(strategy=name) | columns("win_share", share) for name, share in zip(names, shares, strict=True)]
    known = [row for row in rows if isinstance(row.get("win_share"), float)]
    if not known:
        return "no results yet"
    best = max(known, key=lambda row: float(str(row["win_share"])))
    shown = percent(best["win_share"])
    if "win_share_low" not in best:
        return f"leads: {best['strategy']} {shown}"
    return f"leads: {best['strategy']} {shown} ({percent(best['win_share_low'])} to {percent(best['win_share_high'])})"


def described(run: "Run", asked: "Asked", tournament: "Tournament") -> tuple[str, Provenance]:
    """Return what has been played, in words, and what reproduces it."""
    from reports.words import counted

    plan, settings = asked.plan, asked.settings
    tables = f"{plan.n_line_ups:,} line-up{'' if plan.n_line_ups == 1 else 's'}"
    heading = f"{counted(tournament.games_done)}: {tables} of {' and '.join(map(str, asked.players))} players"
    if len(plan.settings) > 1:
        heading += f", at {len(plan.settings)} tables with the same deals"
    if tournament.games_done == run.extent * plan.games:
        heading += f", {run.extent:,} deals each in all rotations"
    else:
        heading += f"; unfinished: {run.extent * plan.games:,} are asked for (woolsim resume {run.folder})"
    command = _command_line(run)
    first: Any = settings[0]
    played = f"played: {heading}"
    if asked.stopping.looks:
        but = "" if len(plan.settings) > 1 else ", but those of ratings, luck and mixtures are ordinary ones"
        played += f"; {ANYTIME}{but}"
    if len(settings) > 2:
        played += f"; {len(settings) - 1} other decks, as plausible (assumption)"
    elif len(settings) > 1:
        other: Any = settings[1]
        played += f"; compared with deck {other.deck.name} ({other.deck.digest}), rules {other.rules.name}"
    return heading, Provenance(command, run.question["seed"], played, first.rules, first.deck)


Maker = Callable[[], "list[dict[str, str | int | float | None]]"]


def _tables_of(run: "Run", tournament: "Tournament") -> list[tuple[str, Maker, tuple[str, ...]]]:
    """Return name, rows and columns of each table of a run, the main one first."""
    from analyzer.outcome import COLUMNS, Outcome
    from analyzer.paired import (
        CANDIDATE_COLUMNS,
        PLACE_COLUMNS,
        SETTING_COLUMNS,
        candidate_rows,
        place_rows,
        setting_rows,
    )
    from strategies.tournaments import CANDIDATES, SETTINGS, bounds_of, labels

    names, question = labels(run.question), run.question
    bounds = bounds_of(question, tournament.plan)
    if question["shape"] == CANDIDATES:
        mine = names[: question["candidates"]]
        return [("candidates", lambda: candidate_rows(tournament.tally, mine, bounds), CANDIDATE_COLUMNS)]
    if question["shape"] == SETTINGS and len(question["compared_with"]) > 1:
        return [("places", lambda: place_rows(tournament.tally, names), PLACE_COLUMNS)]
    if question["shape"] == SETTINGS:
        return [("settings", lambda: setting_rows(tournament.tally, names, bounds), SETTING_COLUMNS)]
    outcome = Outcome(names, tournament.tally.line_up_sums(), bounds)
    return [(name, partial(outcome.table, name), columns) for name, columns in COLUMNS.items()]


def _command_line(run: "Run") -> str:
    """Return the command that makes a run's figures again."""
    games, most = run.extent, run.question["stopping"].get("max_games", run.extent)
    if games <= most:
        return shlex.join(_command(run.question, games))
    begun = [*_command(run.question, most), "--out", str(run.folder)]
    return f"{shlex.join(begun)} && {shlex.join(['woolsim', 'extend', str(run.folder), '--games', str(games)])}"


def _command(question: dict[str, Any], games: int) -> list[str]:
    """Return the command that plays a run's games again."""
    from strategies.tournaments import CANDIDATES, GAUNTLET, SETTINGS, TABLE

    given, shape = [each["given"] for each in question["strategies"]], question["shape"]
    if shape == CANDIDATES:
        first, beside = given[: question["candidates"]], given[question["candidates"] :]
        swept = len(first) != 2 or (beside and question["files"])  # compare takes files as what is compared
        command = ["woolsim", "sweep" if swept else "compare", *first]
        for each in beside:
            command += ["--field", each]
    elif shape == SETTINGS and len(question["compared_with"]) > 1:
        command = ["woolsim", "tournament", *given, "--perturb-deck", str(len(question["compared_with"]))]
    elif shape == SETTINGS:
        command = ["woolsim", "compare", *given]
    else:
        command = ["woolsim", "tournament", *given, "--shape", shape.replace(" ", "-")]
    if shape != TABLE:
        command += ["--players", ",".join(map(str, question["players"]))]
    if shape == GAUNTLET and question["candidates"] > 1:
        command += ["--candidates", str(question["candidates"])]
    if question["line_ups"]:
        command += ["--line-ups", str(question["line_ups"])]
    return [*command, *_stop(question, games), "--seed", str(question["seed"]), *question["files"]]


def _stop(question: dict[str, Any], games: int) -> list[str]:
    """Return the options with which a run ends after its games; where results decide, as a run that looks only then."""
    from strategies.tournaments import CANDIDATES, SETTINGS

    stopping = question["stopping"]
    if not stopping:
        return ["--games", str(games)]
    words = ["--min-games", str(games), "--max-games", str(games)]
    if question["shape"] in {CANDIDATES, SETTINGS}:
        return words
    if stopping["until_decided"]:
        words = ["--until-decided", *words]
    return words if stopping["target_error"] is None else ["--target-error", str(stopping["target_error"]), *words]


def show(
    run: "Run", which: str | None, style: str, csv_file: Path | None, png: Path | None = None, *, err: bool = False
) -> None:
    """Show a run."""
    from analyzer.tournament import Tournament

    asked = asked_of(run)
    tournament = Tournament(asked.plan, run, asked.stopping, asked.look)
    heading, provenance = described(run, asked, tournament)
    if not tournament.games_done and run.part.of > 1:
        click.echo(f"part {run.part.number} of {run.part.of}: so small a run leaves nothing to play; it is complete")
        return
    if not tournament.games_done:
        raise BadInputError(f"{run.folder}: no game has been played yet; woolsim resume {run.folder}")
    tables = _tables_of(run, tournament)
    known = {name: (rows, columns) for name, rows, columns in tables}
    if which is not None and which not in known:
        raise BadInputError(f"--table {which}: this run has {', '.join(known)}")
    if csv_file is not None or png is not None or style != "table":
        make, columns = known[which or tables[0][0]]
        rows = make()
        write_files(rows, columns, provenance, csv_file, png, lambda: _sweep_figure(run, rows, heading))
        if style != "table":
            show_rows(rows, columns, style)
    if style == "table":
        _print_readable(run, tournament, heading, err=err)
    print_provenance(provenance, err=err or style != "table")
    if asked.stopping.looks:
        click.echo(_verdict_words(run, asked, tournament), err=True)
    click.echo(f"kept in {run.folder}", err=True)


def _sweep_figure(run: "Run", rows: "list[dict[str, str | int | float | None]]", heading: str) -> "Figure":
    import pandas as pd

    from reports.tournament_plots import sweep_figure

    frame = pd.DataFrame(rows)
    if len(run.question["players"]) == 1:
        frame["players"] = run.question["players"][0]
    beside = ", ".join(each["given"] for each in run.question["strategies"][run.question["candidates"] :])
    deck = run.question["deck"]["name"]
    return sweep_figure(frame, f"Win share beside {beside or 'each other'}; {heading}; deck {deck}; 95 % intervals")


def _print_readable(run: "Run", tournament: "Tournament", heading: str, *, err: bool) -> None:
    from analyzer.outcome import Outcome
    from reports.tournament_tables import paired_tables, tournament_tables
    from strategies.tournaments import bounds_of, labels

    (name, rows, _), *more = _tables_of(run, tournament)
    bounds = bounds_of(run.question, tournament.plan)
    if more:
        specs = [each["name"] for each in run.question["strategies"]]
        outcome = Outcome(labels(run.question), tournament.tally.line_up_sums(), bounds)
        print_tables(tournament_tables(outcome, heading, specs), err=err)
    else:
        print_tables(paired_tables(name, rows(), heading, bounds), err=err)
