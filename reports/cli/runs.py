"""What is done with the run of a tournament: `woolsim resume`, `extend`, `show`, `merge` and `meta-game`."""

from functools import partial
from pathlib import Path
from typing import Final

import click

from analyzer.errors import BadInputError
from reports.cli.amounts import DEALS, games_option
from reports.cli.contests import asked_of, contest_of, provenance_of
from reports.cli.hands import Where, where_options
from reports.cli.options import OnceCommand, csv_output, reproducing_command, table_format, table_option
from reports.cli.playing import naming_out, out_option, play, say_damage
from reports.cli.progress import working
from reports.cli.say import note
from reports.cli.settings import check_unchanged
from reports.cli.show import print_provenance, print_tables, show_rows, write_files
from reports.cli.shown import ALL_TABLES, Shown, show, shown_options
from reports.export import OwnFigures, Provenance

_HELP: Final = {"help_option_names": ["-h", "--help"]}

EXTENDED: Final = (
    "Note: intervals are those of a number of deals that was fixed beforehand; who plays more until a result is liked "
    "is sure of too much (--until-decided may look as often as it likes)"
)
"""Said where a run without looks is extended."""

META_TABLES: Final = ("mixture", "payoff", "cycles")
"""Tables of a meta-game, the main one first."""


@click.command("resume", context_settings=_HELP, cls=OnceCommand)
@click.argument("run", type=click.Path(path_type=Path), metavar="RUN")
@where_options
@shown_options(*ALL_TABLES)
def resume_command(run: Path, where: Where, shown: Shown) -> None:
    """Go on with a run that was interrupted.

    \b
    woolsim resume woolsim-out/my-run
    woolsim resume woolsim-out/my-run --threads 1 --table seats --format csv
    """  # noqa: D301
    _go_on(run, None, where, shown)


@click.command("extend", context_settings=_HELP, cls=OnceCommand)
@click.argument("run", type=click.Path(path_type=Path), metavar="RUN")
@games_option(f"{DEALS}; those that are there count", required=True)
@where_options
@shown_options(*ALL_TABLES)
def extend_command(run: Path, games: int, where: Where, shown: Shown) -> None:
    """Play more games in a run; those it has are kept.

    \b
    woolsim extend woolsim-out/my-run --games 1e4
    woolsim extend woolsim-out/my-run --games 200 --csv standings.csv
    """  # noqa: D301
    _go_on(run, games, where, shown)


def _go_on(folder: Path, games: int | None, where: Where, shown: Shown) -> None:
    from analyzer.runs import Run
    from analyzer.tournament import Stopping

    with Run.open(folder, write=True) as run:
        say_damage(run)
        asked = asked_of(run, to_play=True)
        shown.check(asked)
        run.ask(asked.question() | {"files": run.question["files"]}, run.extent)
        check_unchanged(asked, run.question)
        stopping = asked.stopping
        if games is not None:
            if games < run.extent:
                raise BadInputError(f"--games {games}: {run.extent:,} are asked for already; a run only grows")
            asked.plan.check_extent(games)
            if not asked.stopping.looks and games > run.extent:
                note(EXTENDED)
            stopping = Stopping(games)
        with where.hands() as hands:
            if games is not None:
                run.extend(games)
            play(asked, run, stopping, where, hands)
        show(run, shown)


@click.command("show", context_settings=_HELP, cls=OnceCommand)
@click.argument("run", type=click.Path(path_type=Path), metavar="RUN")
@shown_options(*ALL_TABLES)
def show_command(run: Path, shown: Shown) -> None:
    """Show the results of a run, finished or not.

    \b
    woolsim show woolsim-out/my-run
    woolsim show woolsim-out/my-run --table pairs --format csv
    """  # noqa: D301
    from analyzer.runs import Run

    with Run.open(run, write=False) as opened:
        say_damage(opened)
        show(opened, shown)


@click.command("meta-game", context_settings=_HELP, cls=OnceCommand)
@click.argument("results", type=click.Path(path_type=Path), metavar="RUN|FILE")
@table_option(META_TABLES, "them all", default=META_TABLES[0])
@csv_output
@table_format
@click.pass_context
def meta_game_command(ctx: click.Context, results: Path, which: str, csv_file: Path | None, style: str) -> None:
    """Say what strategies win against each other, and what is best to play.

    Also who beats whom in circles. The best is a mixture of strategies that nobody can gain by leaving. All this of a
    run, or of your own results as CSV.

    A CSV file has the columns line_up, strategy, games, win_share, and perhaps players, win_share_low and
    win_share_high: a row for each strategy of each line-up, all line-ups of the field.

    \b
    woolsim meta-game woolsim-out/my-run
    woolsim meta-game results.csv --table payoff --format csv
    """  # noqa: D301
    from analyzer.meta_game_tables import MetaGameTables
    from analyzer.outcome import COLUMNS
    from analyzer.runs import Run
    from analyzer.win_share_file import read_results
    from reports.meta_tables import meta_game_tables
    from strategies.tournaments import bounds_of, labels

    origin: Provenance | OwnFigures
    if results.is_dir():
        with Run.open(results, write=False) as run:
            asked = asked_of(run)
            contest = contest_of(run, asked)
            bounds = bounds_of(run.question, asked.plan)
            tables = MetaGameTables.of_sums(contest.field_sums(), labels(run.question), bounds, asked.design)
            origin = provenance_of(run, asked, contest)
    else:
        tables = MetaGameTables.of_results(read_results(results))
        origin = OwnFigures(reproducing_command(ctx), str(results))
    if csv_file is not None or style != "table":
        with working("working out the table"):
            rows = tables.rows(which)
        write_files(rows, COLUMNS[which], origin, csv_file)
        if style != "table":
            show_rows(rows, COLUMNS[which], style)
    if style == "table":
        with working("working out the tables"):
            readable = meta_game_tables(tables.names, *(tables.rows(each) for each in ("payoff", "cycles", "mixture")))
        print_tables(readable)
    print_provenance(origin, err=style != "table")


@click.command("merge", context_settings=_HELP, cls=OnceCommand)
@click.argument("runs", nargs=-1, type=click.Path(path_type=Path), metavar="RUN RUN...")
@partial(out_option, required=True)
@shown_options(*ALL_TABLES)
def merge_command(runs: tuple[Path, ...], out: Path, shown: Shown) -> None:
    """Join the parts of a run that several machines have played.

    \b
    woolsim merge part-1 part-2 part-3 --out whole
    woolsim merge part-1 part-2 part-3 --out whole --table pairs --format csv
    """  # noqa: D301
    from contextlib import ExitStack

    from analyzer.runs import Run, merge

    if not runs:
        raise BadInputError("name the runs to join, as in woolsim merge part-1 part-2 --out whole")
    if out.resolve() in [run.resolve() for run in runs]:
        raise BadInputError(f"--out {out}: is one of the runs to join, which are kept as they are; name another folder")
    with ExitStack() as stack:
        opened = [stack.enter_context(Run.open(run, write=False)) for run in runs]
        for each in opened:
            say_damage(each)
        with naming_out(out):
            merged = stack.enter_context(merge(out, opened))
        show(merged, shown)
