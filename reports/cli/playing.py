"""Playing and showing a tournament's run: what the commands that begin one and those that go on with one share."""

import shlex
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from analyzer.errors import BadInputError, Sitting, WoolsimError
from reports.cli.completion import CompletesFiles, StrategySpec
from reports.cli.contests import contest_of
from reports.cli.faults import Replaying, replaying_command
from reports.cli.hands import Hands, Where
from reports.cli.options import files_given, joined
from reports.cli.progress import contest_progress
from reports.cli.say import note
from reports.cli.settings import options_of, words_of
from reports.cli.shown import Shown, show, show_interrupted

if TYPE_CHECKING:
    from analyzer.runs import Part, Run
    from analyzer.tournament import Stopping
    from strategies.fields import FieldFile
    from strategies.tournaments import Asked

DEFAULT_FOLDER: Final = "woolsim-out"
DEFAULT_PLAYERS: Final = 4


class Folder(CompletesFiles, click.ParamType[Path]):
    """A folder for a run."""

    name = "RUN"
    kind = "dir"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Path:
        """Return the path."""
        if not str(value).strip():
            self.fail("is empty: name a folder, as in --out my-run", param, ctx)
        return Path(value)


def out_option(command: Any, *, required: bool = False) -> Any:
    """Add --out."""
    return click.option("--out", type=Folder(), required=required, help="Folder of the run.")(command)


def opponents_option(default: str) -> Callable[[Any], Any]:
    """Return what adds --field; the command gets `opponents`."""
    return click.option(
        "--field",
        "opponents",
        type=StrategySpec(),
        multiple=True,
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
        note(f"Note: {run.damage}")


def begin(
    ctx: click.Context,
    asked: "Asked",
    most: int | None,
    out: Path | None,
    part: "Part",
    where: Where,
    shown: Shown,
) -> None:
    """Begin a run, or go on with the one that is there, play it and show it.

    Parameters
    ----------
    most : int or None
        For how many deals of each line-up the run asks; None where the results alone decide.
    """
    shown.check(asked)
    asked.check_answerable()
    asked.plan.check_extent(most or asked.stopping.most)
    if most and not asked.plan.games_of(most, part):
        raise BadInputError(
            f"--part {part.number}/{part.of}: so small a run leaves nothing to play for this part; merge the others"
        )
    question = asked.question() | {"files": ctx.meta.get("woolsim.files", files_given(ctx))}
    with where.hands() as hands, _created(question, out, most or 0, most or asked.stopping.most, part) as run:
        play(asked, run, asked.stopping, where, hands)
        show(run, shown)


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
        note(
            f"Note: the run in {folder} was asked for {run.extent:,} deals of each line-up before, and has them all "
            f"now too; with {most:,} only it needs another folder (--out)"
        )
    return run


def play(asked: "Asked", run: "Run", stopping: "Stopping", where: Where, hands: Hands) -> None:
    """Play what is missing, say how it goes on, and end with the standings so far on Ctrl-C."""
    from analyzer.dispatch import ClusterError

    to_go_on = f"to go on: {shlex.join(['woolsim', 'resume', str(run.folder), *where.options])}"

    contest = contest_of(run, asked, stopping)
    try:
        with hands.playing(asked.recipe, replaying_of(run, asked)) as executors, contest_progress(contest) as progress:
            contest.play(executors, progress)
    except KeyboardInterrupt:
        show_interrupted(run)
        note(to_go_on)
        raise
    except ClusterError as error:
        raise ClusterError(f"{error}; what is finished is kept; {to_go_on}") from error


def replaying_of(run: "Run", asked: "Asked") -> Replaying:
    """Return what says how a game of a run is replayed."""
    specs = [each.given for each in asked.strategies]

    def replaying(sitting: Sitting) -> str:
        command = replaying_command(specs, asked.seed, sitting, words_of(options_of(run.question, sitting.setting)))
        if sitting.setting and asked.perturbed:
            return f"{command} (with plausible deck {sitting.setting} instead)"
        return command

    return replaying
