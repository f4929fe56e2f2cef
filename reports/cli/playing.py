"""Playing and showing a tournament's run: what the commands that begin one and those that go on with one share."""

import shlex
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from analyzer.errors import BadInputError, Sitting, WoolsimError
from reports.cli.contests import Contest, asked_of, contest_of, provenance_of, table_names
from reports.cli.faults import replaying_command
from reports.cli.hands import Hands, Where
from reports.cli.options import csv_output, files_given, joined, table_format
from reports.cli.settings import options_of, words_of
from reports.cli.show import (
    print_provenance,
    print_tables,
    progress_bar,
    show_rows,
    write_files,
)

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from analyzer.runs import Part, Run
    from analyzer.tournament import Stopping
    from strategies.fields import FieldFile
    from strategies.tournaments import Asked

TABLES: Final = ("standings", "pairs", "seats", "rotation", "luck", "mixture", "payoff", "cycles", "line-ups")
ALL_TABLES: Final = (*TABLES, "candidates", "settings", "places")
DEFAULT_FOLDER: Final = "woolsim-out"
DEFAULT_PLAYERS: Final = 4
LINE_EVERY: Final = 10.0
"""Seconds between two lines of progress where there is no terminal."""


def shown_options(*tables: str) -> Callable[[Any], Any]:
    """Return what adds the options that say which of the tables that there may be is shown, and how."""
    table = click.option(
        "--table",
        "which",
        type=click.Choice(tables),
        metavar="TABLE",
        help=f"Which table csv, json and markdown have, of {', '.join(tables)}; the readable form has most of them.  "
        "[default: the first that the run has]",
    )
    return lambda command: table(table_format(csv_output(command)))


class Folder(click.ParamType[Path]):
    """A folder for a run."""

    name = "RUN"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Path:
        """Return the path."""
        if not str(value).strip():
            self.fail("is empty: name a folder, as in --out my-run", param, ctx)
        return Path(value)


def out_option(command: Any) -> Any:
    """Add --out."""
    return click.option("--out", type=Folder(), help="Folder of the run.")(command)


def opponents_option(default: str) -> Callable[[Any], Any]:
    """Return what adds --field; the command gets `opponents`."""
    return click.option(
        "--field",
        "opponents",
        multiple=True,
        metavar="STRATEGY",
        help=f"Who sits beside them, or a TOML file with a field; several times for more.  [default: {default}]",
    )


def field_of(given: tuple[str, ...]) -> "FieldFile":
    """Return the strategies of words that name strategies or files of them, with the player counts of the files."""
    from strategies.fields import FieldFile, field, read_field

    names = [each for each in given if each.endswith(".toml")]
    files = [read_field(Path(name)) for name in names]
    for name, file in zip(names, files, strict=True):
        if file.candidates:
            raise BadInputError(f"{name}: has a candidate, which only woolsim tournament --field knows; leave it out")
    strategies = field(each for each in given if each not in names)
    return FieldFile(
        (*strategies, *(one for file in files for one in file.strategies)),
        joined(tuple(file.players for file in files)),
    )


def player_counts(given: tuple[int, ...], *fields: "FieldFile") -> tuple[int, ...]:
    """Return the player counts of an option, or else of files, in ascending order; four where none says."""
    return tuple(sorted(given or joined(tuple(each.players for each in fields)) or (DEFAULT_PLAYERS,)))


def say_damage(run: "Run") -> None:
    """Say what was lost of a damaged run."""
    if run.damage:
        click.echo(f"Note: {run.damage}", err=True)


def begin(
    ctx: click.Context,
    asked: "Asked",
    most: int | None,
    out: Path | None,
    part: "Part",
    where: Where,
    which: str | None,
    style: str,
    csv_file: Path | None,
    png: Path | None = None,
) -> None:
    """Begin a run, or go on with the one that is there, play it and show it.

    Parameters
    ----------
    most : int or None
        For how many deals of each line-up the run asks; None where the results alone decide.
    """
    check_table(asked, which)
    asked.check_answerable()
    asked.plan.check_extent(most or asked.stopping.most)
    if most and not asked.plan.games_of(most, part):
        raise BadInputError(
            f"--part {part.number}/{part.of}: so small a run leaves nothing to play for this part; merge the others"
        )
    question = asked.question() | {"files": ctx.meta.get("woolsim.files", files_given(ctx))}
    with where.hands() as hands, _created(question, out, most or 0, most or asked.stopping.most, part) as run:
        play(asked, run, asked.stopping, where, hands)
        show(run, which, style, csv_file, png)


def check_table(asked: "Asked", which: str | None) -> None:
    """Refuse a table that a run of such a question does not have."""
    names = table_names(asked)
    if which is not None and which not in names:
        raise BadInputError(f"--table {which}: this run has {', '.join(names)}")


@contextmanager
def naming_out(folder: Path) -> Iterator[None]:
    """Say which option helps where a run cannot be begun in a folder."""
    try:
        yield
    except BadInputError:
        raise
    except WoolsimError as error:
        if folder.exists():
            raise
        raise WoolsimError(f"{error}; name a folder that can be made and written with --out") from error


def _created(question: dict[str, Any], out: Path | None, extent: int, most: int, part: "Part") -> "Run":
    """Return the run of a question, which has `most` deals of each line-up at the end unless it has more already."""
    from analyzer.questions import default_name
    from analyzer.runs import WHOLE, Run

    shown = f"{question['shape']} " + " ".join(each["given"] for each in question["strategies"])
    which = "" if part == WHOLE else f"-part-{part.number}-of-{part.of}"
    folder = out if out is not None else Path(DEFAULT_FOLDER, default_name(shown, question) + which)
    with naming_out(folder):
        run = Run.create(folder, question, extent=extent, part=part)
    say_damage(run)
    if run.extent > most:
        click.echo(
            f"Note: the run in {folder} was asked for {run.extent:,} deals of each line-up before, and has them all "
            f"now too; with {most:,} only it needs another folder (--out)",
            err=True,
        )
    return run


def play(asked: "Asked", run: "Run", stopping: "Stopping", where: Where, hands: Hands) -> None:
    """Play what is missing, say how it goes on, and end with the standings so far on Ctrl-C."""
    from analyzer.dispatch import ClusterError

    to_go_on = f"to go on: {shlex.join(['woolsim', 'resume', str(run.folder), *where.options])}"

    def replaying(sitting: Sitting) -> str:
        specs = [each.given for each in asked.strategies]
        command = replaying_command(specs, asked.seed, sitting, words_of(options_of(run.question, sitting.setting)))
        if sitting.setting and asked.perturbed:
            return f"{command} (with plausible deck {sitting.setting} instead)"
        return command

    contest = contest_of(run, asked, stopping)
    try:
        with hands.playing(asked.recipe, replaying) as executors, _progress(contest) as progress:
            contest.play(executors, progress)
    except KeyboardInterrupt:
        show(run, None, "table", None, interrupted=True)
        click.echo(to_go_on, err=True)
        raise
    except ClusterError as error:
        raise ClusterError(f"{error}; what is finished is kept; {to_go_on}") from error


@contextmanager
def _progress(contest: Contest) -> Iterator[Callable[[int], None]]:
    """Show a bar with the leader on a terminal, and a line every so often where there is none."""
    if sys.stderr.isatty():
        with progress_bar("playing", contest.games_wanted, contest.leader) as advance:
            advance(contest.games_there)
            yield advance
        return
    begun = last = time.monotonic()
    before = played = contest.games_there

    def line(games: int) -> None:
        nonlocal last, played
        played += games
        now = time.monotonic()
        if now - last >= LINE_EVERY:
            last, speed, total = now, (played - before) / (now - begun), contest.games_wanted
            click.echo(
                f"{played:,} of {total:,} games, {speed:,.0f} a second, {max(total - played, 0) / speed:,.0f} s left; "
                f"{contest.leader()}",
                err=True,
            )

    yield line


def show(
    run: "Run",
    which: str | None,
    style: str,
    csv_file: Path | None,
    png: Path | None = None,
    *,
    interrupted: bool = False,
) -> None:
    """Show a run; of one that was `interrupted`, on standard error, what there is, if anything."""
    asked = asked_of(run)
    contest = contest_of(run, asked)
    lacks = contest.lacks()
    if lacks is not None and interrupted:
        return
    if lacks is not None:
        raise BadInputError(f"{run.folder}: {lacks}; woolsim resume {run.folder}")
    provenance = provenance_of(run, asked, contest)
    check_table(asked, which)
    tables = {table.name: table for table in contest.tables()}
    if csv_file is not None or png is not None or style != "table":
        table = tables[which or next(iter(tables))]
        rows = table.rows()
        write_files(rows, table.columns, provenance, csv_file, png, lambda: _sweep_figure(run, rows, contest.heading()))
        if style != "table":
            show_rows(rows, table.columns, style)
    if style == "table":
        print_tables(contest.readable(), err=interrupted)
    print_provenance(provenance, err=interrupted or style != "table")
    verdict = contest.verdict()
    if verdict is not None:
        click.echo(verdict, err=True)
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
