"""`woolsim simulate` and `woolsim replay`: whole games of a line-up, millions of them or one."""

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from analyzer.errors import BadInputError, GameFaultError, Sitting
from analyzer.wool_rules.deck import Deck
from analyzer.wool_rules.rules import Rules
from reports.cli.amounts import games_option, seed_option, threads_option
from reports.cli.completion import StrategySpec
from reports.cli.faults import Replaying, faults_named, replaying_command
from reports.cli.options import (
    OnceCommand,
    One,
    OutputFile,
    check_different,
    deck_option,
    files_given,
    output_files,
    read_game,
    reproducing_command,
    rules_option,
    stall_option,
    table_format,
    table_option,
)
from reports.cli.playing import Folder
from reports.cli.progress import progress_bar
from reports.cli.say import note, print_data, say
from reports.cli.show import (
    announcing_compilation,
    end_stalled,
    has_unicode,
    print_provenance,
    print_tables,
    show_rows,
    write_files,
)
from reports.cli.shown import report_option
from reports.export import Provenance, write_csv

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from analyzer.game import Event
    from analyzer.wool_rules.games import GamePlayer, Question
    from analyzer.wool_rules.summary import Summary

_HELP: Final = {"help_option_names": ["-h", "--help"]}

TABLES: Final = ("seats", "attempts", "calibration", "places", "bids", "finish", "table")


def _line_up(specs: tuple[str, ...], rules: Rules, deck: Deck, seed: int, *, rotate: bool) -> "Question":
    from analyzer.wool_rules.games import Question
    from strategies.registry import strategy

    return Question(tuple(strategy(spec) for spec in specs), rules, deck, seed, rotate)


@click.command("simulate", context_settings=_HELP, cls=OnceCommand)
@click.argument("line_up", nargs=-1, type=StrategySpec(), metavar="STRATEGY...")
@games_option("Games; 1e6 is a million", default="1e5")
@seed_option
@click.option(
    "--rotate", is_flag=True, help="Play every game in all rotations of the seats, on the same deck and dice."
)
@threads_option
@stall_option
@table_option(TABLES, "them all", default="seats")
@click.option(
    "--histogram", type=OutputFile(with_sidecar=True), help="Also write how often each score was made, as CSV."
)
@click.option("--out", type=Folder(), help="Folder of --report.  [default: in woolsim-out, named by the question]")
@rules_option
@deck_option
@table_format
@report_option
@output_files
@click.pass_context
def simulate_command(
    ctx: click.Context,
    line_up: tuple[str, ...],
    games: int,
    seed: int,
    rotate: bool,
    threads: int | None,
    stall: int,
    which: str,
    histogram: Path | None,
    out: Path | None,
    rules: Rules,
    deck: Deck,
    style: str,
    report: bool,
    csv_file: Path | None,
    png: Path | None,
) -> None:
    """Play many games of a line-up, and say who scores and wins how much, and why.

    The strategy that is named first sits on seat 0.

    \b
    woolsim simulate plain:level=20 value random --games 1e5 --seed 1
    woolsim simulate plain plain:level=26 --rotate --format csv --table bids
    """  # noqa: D301
    from analyzer.simulation import simulate
    from analyzer.wool_rules.games import GamePlayer
    from analyzer.wool_rules.summary import Summary
    from reports.words import counted

    check_different(csv=csv_file, png=png, histogram=histogram)
    if out is not None and not report:
        raise BadInputError("--out is the folder of a report: add --report")
    question = _line_up(line_up, rules, deck, seed, rotate=rotate)
    folder = _report_folder(question, games, out) if report else None
    with announcing_compilation():
        player = GamePlayer(question)

    def replaying(sitting: Sitting) -> str:
        return replaying_command(line_up, seed, sitting, files_given(ctx))

    with faults_named(replaying) as alarm, progress_bar("playing", games, "games") as progress:
        sums = simulate(player, games, threads=threads, progress=progress, stall=stall, alarm=alarm)
    summary = Summary(question, sums)
    plays = f"simulated: {counted(games)}" + (f" in {question.players} seatings" if rotate else "")
    provenance = Provenance(reproducing_command(ctx, seed), seed, plays, rules, deck)
    if folder is not None:  # before anything is printed: whoever reads it may have enough soon
        _write_report(folder, player, summary, provenance, replaying)
    columns, rows = summary.tables()[which]
    write_files(rows, columns, provenance, csv_file, png, lambda: _figure(summary))
    if histogram is not None:
        columns_of_scores, scores = summary.tables()["histogram"]
        write_csv(histogram, scores, columns_of_scores, provenance)
        note(f"wrote {histogram} and {histogram}.meta.json")
    if style == "table":
        from reports.game_tables import simulation_tables

        print_tables(simulation_tables(summary))
    else:
        show_rows(rows, columns, style)
    _print_extremes(ctx, line_up, summary, err=style != "table")
    print_provenance(provenance, err=style != "table")


def _report_folder(question: "Question", games: int, out: Path | None) -> Path:
    """Return the folder of a simulation's report."""
    from reports.cli.report import report_folder

    what = {"strategies": [each.spec for each in question.strategies], "seed": question.seed}
    what |= {"games": games, "rotate": question.rotate, **question.setting.as_dict()}
    return report_folder(out, f"simulate {' '.join(each.given for each in question.strategies)}", what)


def _write_report(
    folder: Path, player: "GamePlayer", summary: "Summary", provenance: Provenance, replaying: Replaying
) -> None:
    """Write the report of a simulation into a folder of its own."""
    from analyzer.wool_rules.game import WOOL_RULES
    from reports.cli.report import Wanted, told, write
    from reports.simulation_report import simulation_report

    extremes = summary.extremes()
    titles = [f"{each.what}: {each.value}, {summary.labels[each.who]} on seat {each.seat}" for each in extremes]
    stories = told(extremes, titles, replaying, lambda: (WOOL_RULES, player.engine))
    write(
        folder,
        simulation_report(summary, stories, provenance),
        [("games and report", provenance.command)],
        Wanted(),
        err=True,
    )


def _figure(summary: "Summary") -> "Figure":
    from reports.game_charts import simulation_figure

    return simulation_figure(summary)


def _print_extremes(ctx: click.Context, specs: tuple[str, ...], summary: "Summary", *, err: bool) -> None:
    """Name the most extreme games with the commands that replay them."""
    for extreme in summary.extremes():
        say(f"{extreme.what} {extreme.value}, {summary.labels[extreme.who]} on seat {extreme.seat}:", err=err)
        say(f"  {replaying_command(specs, summary.question.seed, extreme.sitting, files_given(ctx))}", err=err)


@click.command("replay", context_settings=_HELP, cls=OnceCommand)
@click.argument("line_up", nargs=-1, type=StrategySpec(), metavar="STRATEGY...")
@seed_option
@click.option(
    "--game",
    type=One("GAME", read_game),
    default="0",
    show_default=True,
    help="Number of the game in the run.",
)
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line, for programs.")
@stall_option
@rules_option
@deck_option
@click.pass_context
def replay_command(
    ctx: click.Context,
    line_up: tuple[str, ...],
    seed: int,
    game: int,
    as_json: bool,
    stall: int,
    rules: Rules,
    deck: Deck,
) -> None:
    """Tell the story of one game of a run, to be followed with the rulebook.

    \b
    woolsim replay plain:level=20 value random --seed 1 --game 17
    woolsim replay plain random --game 3 --json
    """  # noqa: D301
    from analyzer.watchdog import guarded
    from analyzer.wool_rules.game import WOOL_RULES

    question = _line_up(line_up, rules, deck, seed, rotate=False)
    with announcing_compilation():
        engine = WOOL_RULES.engine(question.strategies, (question.setting,), seed)
    sitting = Sitting(game, tuple(range(question.players)))

    def tell(events: "list[Event]") -> None:
        if as_json:
            print_data("".join(json.dumps(event) + "\n" for event in events))
        else:
            from reports.story import story

            say(story(events, deck, rules, unicode=has_unicode(sys.stdout)), nl=False)

    def alarm(who: str, sitting: Sitting, seconds: float) -> None:
        try:
            tell(WOOL_RULES.unfinished_log(engine, sitting))
        finally:
            end_stalled(f"{who} has not answered for {seconds:g} seconds; the game up to there is above")

    fault = None
    try:
        events = guarded(lambda: WOOL_RULES.log(engine, sitting), engine, stall, alarm)
    except GameFaultError as error:
        events, fault = error.events, error
    tell(events)
    if fault is not None:
        raise fault
    print_provenance(Provenance(reproducing_command(ctx, seed), seed, f"game {game}", rules, deck), err=as_json)
