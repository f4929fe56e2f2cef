"""`woolsim report`, and `--report` of what plays: a page, tables and pictures in a run's folder."""

import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from analyzer.errors import BadInputError, Sitting, WoolsimError
from reports.cli.contests import asked_of, contest_of, counted_tables, family_of, provenance_of, setting_words
from reports.cli.faults import Replaying
from reports.cli.options import OnceCommand
from reports.cli.playing import DEFAULT_FOLDER, replaying_of, say_damage
from reports.cli.progress import progress_bar, working
from reports.cli.say import say
from reports.cli.settings import check_unchanged
from reports.cli.show import announcing_compilation, draw_into

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from matplotlib.transforms import BboxBase

    from analyzer.counted import Table
    from analyzer.extremes import Extreme
    from analyzer.runs import Run
    from reports.cli.contest import Contest
    from reports.report import Report, Story
    from strategies.tournaments import Asked


class Formats(click.ParamType[tuple[str, ...]]):
    """Formats of pictures: `png`, or several as in `svg,pdf`."""

    name = "FORMATS"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[str, ...]:
        """Return the formats."""
        if isinstance(value, tuple):
            return value
        from reports.report_files import IMAGE_FORMATS

        formats = tuple(dict.fromkeys(part.strip().lower() for part in str(value).split(",")))
        for each in formats:
            if each not in IMAGE_FORMATS:
                self.fail(f"{each!r}: formats of pictures are {', '.join(IMAGE_FORMATS)}", param, ctx)
        return formats


@dataclass(frozen=True)
class Wanted:
    """What a report is to have.

    Parameters
    ----------
    formats : tuple of str
        Of pictures.
    parquet : bool
        Whether tables are written as Parquet too.
    """

    formats: tuple[str, ...] = ("png",)
    parquet: bool = False


def report_options(command: Any) -> Any:
    """Add --image-format and --parquet; the command gets `wanted`."""

    @wraps(command)
    def with_wanted(*given: Any, image_format: tuple[str, ...], parquet: bool, **options: Any) -> Any:
        return command(*given, wanted=Wanted(image_format, parquet), **options)

    for option in (
        click.option("--parquet", is_flag=True, help="Also write every table as Parquet (needs woolsim[parquet])."),
        click.option(
            "--image-format", type=Formats(), default="png", show_default=True, help="Of pictures: png, svg, pdf."
        ),
    ):
        with_wanted = option(with_wanted)
    return with_wanted


@click.command("report", context_settings={"help_option_names": ["-h", "--help"]}, cls=OnceCommand)
@click.argument("run", type=click.Path(path_type=Path), metavar="RUN")
@report_options
def report_command(run: Path, wanted: Wanted) -> None:
    """Write a report of a run into its folder: a page, tables and pictures.

    The page needs no network; tables are CSV files, and a manifest has what made it all.

    \b
    woolsim report woolsim-out/my-run
    woolsim report woolsim-out/my-run --image-format svg,pdf
    """  # noqa: D301
    from analyzer.runs import Run

    with Run.open(run, write=False) as opened:
        say_damage(opened)
        report_of(opened, wanted, err=False)


def report_of(run: "Run", wanted: Wanted, *, err: bool) -> None:
    """Write the report of a run into its folder, and say so on standard output or standard error.

    Raises
    ------
    BadInputError
        When it has nothing to report yet.
    """
    from reports.run_report import Facts, run_report
    from reports.tournament_tables import MARKS

    asked = asked_of(run)
    contest = contest_of(run, asked)
    lacks = contest.lacks()
    if lacks is not None:
        raise BadInputError(f"{run.folder}: {lacks}; woolsim resume {run.folder}")
    provenance = provenance_of(run, asked, contest)
    with working("working out the tables"):
        tables = _tables(run, asked, contest)
        said = [words.replace(MARKS, "From, to: 95 % interval.") for words in contest.words()]
    facts = Facts(
        asked,
        family_of(asked),
        contest.heading() + contest.notes(),
        contest.verdict() or "",
        _unfinished(run, contest),
        said,
        tables,
        _stories(run, asked, contest),
        provenance,
        {"run": {"games": contest.games_there, "engine": run.question["engine"]}},
    )
    report = run_report(facts)
    options = [] if wanted.formats == ("png",) else ["--image-format", ",".join(wanted.formats)]
    options += ["--parquet"] * wanted.parquet
    again = shlex.join(["woolsim", "report", run.folder.resolve().name, *options])
    write(run.folder, report, [("the games", provenance.command), ("this report", again)], wanted, err=err)


def report_folder(out: Path | None, words: str, question: "Mapping[str, Any]") -> Path:
    """Return the folder of a report of what has no run, named by its question.

    Raises
    ------
    BadInputError
        When it has a run, whose report is another one, or is a file.
    """
    from analyzer.questions import default_name
    from analyzer.run_file import FILE_NAME

    folder = out or Path(DEFAULT_FOLDER, default_name(words, question))
    if (folder / FILE_NAME).exists():
        raise BadInputError(f"--out {folder}: has a run with a report of its own; name another folder")
    if folder.exists() and not folder.is_dir():
        raise BadInputError(f"--out {folder}: is a file; name a folder")
    return folder


def write(folder: Path, report: "Report", commands: "Sequence[tuple[str, str]]", wanted: Wanted, *, err: bool) -> None:
    """Write a report and say what was written; `commands` make its figures and the report again."""
    from reports.report_files import PAGE, files_in_words, write_report

    def save(figure: "Figure", path: Path, kind: str, box: "BboxBase") -> None:
        draw_into(path, figure, kind, report.provenance, bbox_inches=box)

    with progress_bar("drawing", len(report.charts), "charts") as progress:
        files = write_report(
            folder,
            report,
            commands,
            save,
            formats=wanted.formats,
            parquet=wanted.parquet,
            progress=progress,
        )
    words = [f"wrote into {folder}: {', '.join(files_in_words(files))}", f"open {folder / PAGE} in any browser"]
    say("\n".join(words), err=err)


def _unfinished(run: "Run", contest: "Contest") -> str:
    """Say what is missing yet, if anything."""
    if contest.finished:
        return ""
    command = shlex.join(["woolsim", "resume", str(run.folder.resolve().name)])
    most = " at most" if contest.at_most else ""
    return (
        f"{contest.games_there:,} of {contest.games_wanted:,} games{most} have been played; {command} plays the others "
        "and woolsim report writes the report anew."
    )


def _tables(run: "Run", asked: "Asked", contest: "Contest") -> "dict[str, Table]":
    """Return all tables of a run, the main one first."""
    from reports.tournament_tables import MOST_LINE_UPS

    tables: dict[str, Table] = {}
    for table in contest.tables():
        if table.name == "mixture" and asked.plan.n_line_ups > MOST_LINE_UPS:
            continue
        try:
            tables[table.name] = (table.columns, table.rows())
        except BadInputError:  # a mixture needs every line-up
            continue
    return tables | counted_tables(run, asked, contest)


def _stories(run: "Run", asked: "Asked", contest: "Contest") -> "list[Story]":
    """Return the most extreme games of each player count, told if what played them is still there."""
    from strategies.tournaments import labels

    names, settings = labels(run.question), setting_words(asked)
    extremes = [(part.players, extreme) for part in contest.counts() for extreme in part.extremes]

    def title(players: int, extreme: "Extreme") -> str:
        where = f" with {players} players" if len(asked.players) > 1 else ""
        setting = settings[extreme.sitting.setting].get("setting")
        who = f"{names[extreme.who]} on seat {extreme.seat}" + (f" ({setting})" if setting else "")
        return f"{extreme.what}{where}: {extreme.value}, {who}"

    def replaying(sitting: Sitting) -> str:
        if asked.perturbed and sitting.setting:
            return ""  # of that deck there is no file
        return replaying_of(run, asked)(sitting)

    titles = [title(*each) for each in extremes]
    return told([extreme for _, extreme in extremes], titles, replaying, lambda: _engine_as_played(run))


def _engine_as_played(run: "Run") -> Any:
    """Return what played a run; raise BadInputError if it is no longer there as it was."""
    asked = asked_of(run, to_play=True)
    now = asked.question()
    for key in ("engine", "strategies"):
        if now[key] != run.question[key]:
            raise BadInputError("the program or a strategy has changed since the games were played")
    check_unchanged(asked, run.question)
    return asked.game, asked.recipe.engine()


def told(
    extremes: "Sequence[Extreme]",
    titles: Sequence[str],
    replaying: Replaying,
    engine: Callable[[], Any],
) -> "list[Story]":
    """Return games that stand out as stories; where they cannot be played again, why."""
    from reports.report import Story
    from reports.stories import story_of

    if not extremes:
        return []
    commands = [replaying(extreme.sitting) for extreme in extremes]
    try:
        with announcing_compilation():
            game, playing = engine()
        stories = []
        for extreme, title, command in zip(extremes, titles, commands, strict=True):
            events = game.log(playing, extreme.sitting)
            text = story_of(game, events, playing.settings[extreme.sitting.setting])
            stories.append(Story(title, command, text))
    except (WoolsimError, OSError) as error:
        missing = f"It cannot be told here: {error}."
        return [Story(title, command, "", missing) for title, command in zip(titles, commands, strict=True)]
    return stories
