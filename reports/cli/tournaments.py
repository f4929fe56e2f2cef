"""`woolsim tournament` and what is done with its runs: resume, extend, show, merge."""

import re
import shlex
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from analyzer.errors import BadInputError, GameFaultError, Sitting
from analyzer.wool_rules.deck import Deck
from analyzer.wool_rules.rules import Rules
from reports.cli.options import (
    PICTURE_SUFFIXES,
    Many,
    OnceCommand,
    One,
    OutputFile,
    check_different,
    csv_output,
    deck_option,
    files_given,
    joined,
    read_decks,
    read_games,
    read_players,
    read_seed,
    read_threads,
    reproducing_command,
    rules_option,
    stall_option,
    table_format,
)
from reports.cli.show import (
    announcing_compilation,
    end_stalled,
    print_provenance,
    print_tables,
    progress_bar,
    show_rows,
    write_files,
)
from reports.export import Provenance

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from analyzer.find_best import Stage
    from analyzer.runs import Part, Run
    from analyzer.slots import Strategy
    from analyzer.tournament import Stopping, Tournament
    from analyzer.wool_rules.setting import Setting
    from strategies.tournaments import Asked

_HELP: Final = {"help_option_names": ["-h", "--help"]}

TABLES: Final = ("standings", "pairs", "seats", "rotation", "luck", "mixture", "line-ups")
DEFAULT_FOLDER: Final = "woolsim-out"
OPPONENTS: Final = 30
"""Groups of opponents in find-best, chosen at random from the strategies themselves."""
LINE_EVERY: Final = 10.0
"""Seconds between two lines of progress where there is no terminal."""


class Share(click.ParamType[float]):
    """A number between 0 and 1."""

    name = "SHARE"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Return the number."""
        try:
            number = float(value)
        except ValueError:
            number = -1.0
        if not 0 < number < 1:
            self.fail(f"{value!r}: a number between 0 and 1 is needed, such as 0.005", param, ctx)
        return number


class PartOf(click.ParamType[tuple[int, int]]):
    """A part of a run, ``2/3``."""

    name = "K/N"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[int, int]:
        """Return number and count."""
        if isinstance(value, tuple):
            return value
        found = re.fullmatch(r"([0-9]{1,4})/([0-9]{1,4})", str(value).strip())
        if found is None or not 1 <= int(found[1]) <= int(found[2]):
            self.fail(f"{value!r}: write which part of how many, as in 1/3, 2/3 and 3/3", param, ctx)
        return int(found[1]), int(found[2])


def _shown(command: Any) -> Any:
    """Add what says which table is shown and how."""
    table = click.option(
        "--table",
        "which",
        type=click.Choice(TABLES),
        help="Which table csv, json and markdown have; the readable form has most of them.  [default: standings]",
    )
    return table(table_format(csv_output(command)))


def _threads(command: Any) -> Any:
    return click.option(
        "--threads", type=One("T", read_threads), help="Default: one for each core. No influence on figures."
    )(command)


@click.command("tournament", context_settings=_HELP, cls=OnceCommand)
@click.argument("field", nargs=-1, metavar="STRATEGY...")
@click.option("--field", "file", type=click.Path(path_type=Path), metavar="FILE", help="A field from a TOML file.")
@click.option(
    "--players",
    type=Many("PLAYERS", read_players),
    multiple=True,
    help="How many play at a table, 2 to 6; several as in 3,4 or 2..6.  [default: 4]",
)
@click.option(
    "--shape",
    type=click.Choice(["round-robin", "gauntlet", "table", "random"]),
    default="round-robin",
    show_default=True,
    help="All line-ups; the first strategy against the others; the one line-up given; or --line-ups at random.",
)
@click.option("--line-ups", type=One("N", read_games), help="How many line-ups of a random, balanced design.")
@click.option(
    "--candidates", type=One("N", read_games), help="How many of the first are in the gauntlet.  [default: 1]"
)
@click.option(
    "--games", type=One("N", read_games), help="Deals for each line-up, each in all rotations. [default: 1e3]"
)
@click.option("--target-error", type=Share(), help="Stop when every win share is known up to this, as 0.005.")
@click.option("--until-decided", is_flag=True, help="Stop when the best strategy is known for certain.")
@click.option("--min-games", type=One("N", read_games), default="10", show_default=True, help="Deals before that.")
@click.option("--max-games", type=One("N", read_games), default="1e5", show_default=True, help="Deals at most.")
@click.option(
    "--perturb-deck",
    "other_decks",
    type=One("K", read_decks),
    help="Play K other decks too, as plausible as the reconstruction, and say which places survive.",
)
@click.option("--seed", type=One("SEED", read_seed), default="1", show_default=True, help="Seed of decks and dice.")
@click.option("--out", type=click.Path(path_type=Path), metavar="RUN", help="Folder of the run.")
@click.option("--part", type=PartOf(), help="Play only part K of N, to share a run between machines.")
@_threads
@stall_option
@rules_option
@deck_option
@_shown
@click.pass_context
def tournament_command(
    ctx: click.Context,
    field: tuple[str, ...],
    file: Path | None,
    players: tuple[tuple[int, ...], ...],
    shape: str,
    line_ups: int | None,
    candidates: int | None,
    games: int | None,
    target_error: float | None,
    until_decided: bool,
    min_games: int,
    max_games: int,
    other_decks: int | None,
    seed: int,
    out: Path | None,
    part: tuple[int, int] | None,
    threads: int | None,
    stall: int,
    rules: Rules,
    deck: Deck,
    which: str | None,
    style: str,
    csv_file: Path | None,
) -> None:
    """Say who is better and how sure that is: all play each other, in all seats, on the same decks and dice.

    \b
    woolsim tournament plain:level=19..22 random --players 4 --games 50
    woolsim tournament plain random lone-dog --until-decided
    """  # noqa: D301
    from analyzer.runs import WHOLE, Part
    from analyzer.tournament import Stopping
    from analyzer.wool_rules.game import WOOL_RULES
    from analyzer.wool_rules.plausible_decks import plausible_decks
    from analyzer.wool_rules.setting import Setting
    from strategies.fields import field as fields
    from strategies.fields import read_field
    from strategies.tournaments import SETTINGS, Asked

    looks = target_error is not None or until_decided
    if looks and games is not None:
        raise BadInputError("--games says when to stop, and so do --target-error and --until-decided; give one of them")
    if looks and part is not None:
        raise BadInputError("--part: the parts of a run cannot see each other's results; give --games")
    if (shape == "random") != (line_ups is not None):
        raise BadInputError("--shape random and --line-ups N belong together")
    if candidates is not None and shape != "gauntlet":
        raise BadInputError("--candidates goes with --shape gauntlet")
    counts = joined(players)
    strategies, first = fields(field, repeated=shape == "table"), candidates or 1
    if file is not None:
        given = read_field(file)
        counts = counts or given.players
        strategies = (*strategies, *given.strategies)
        if given.candidates:
            shape, first = "gauntlet", len(given.candidates)
            strategies = (*given.candidates, *strategies)
    if not strategies:
        raise BadInputError("an empty field: name strategies, or a file with --field (woolsim strategies list)")
    if shape == "gauntlet" and first >= len(strategies):
        raise BadInputError("a gauntlet needs strategies beside the candidates; name more")
    if shape == "table":
        counts = counts or (len(strategies),)
        if counts != (len(strategies),):
            raise BadInputError(f"--shape table has the {len(strategies)} players named; leave out --players")
    stopping = (
        Stopping(games, target_error, until_decided, min_games, max(max_games, min_games)) if looks else Stopping(games)
    )
    settings: tuple[Setting, ...] = (Setting(rules, deck),)
    if other_decks:
        _check_perturbing(shape, looks=looks)
        shape = SETTINGS
        settings += tuple(Setting(rules, other) for other in plausible_decks(deck, other_decks, seed))
    asked = Asked(
        WOOL_RULES,
        strategies,
        settings,
        shape.replace("-", " "),
        tuple(sorted(counts or (4,))),
        seed,
        stopping,
        first,
        line_ups or 0,
    )
    _begin(ctx, asked, out, Part(*part) if part else WHOLE, threads, stall, which, style, csv_file)


def _check_perturbing(shape: str, *, looks: bool) -> None:
    if shape != "round-robin" or looks:
        raise BadInputError("--perturb-deck goes with --shape round-robin and --games")


def _begin(
    ctx: click.Context,
    asked: "Asked",
    out: Path | None,
    part: "Part",
    threads: int | None,
    stall: int,
    which: str | None,
    style: str,
    csv_file: Path | None,
    png: Path | None = None,
) -> None:
    """Begin a run, or go on with the one that is there, play it and show it."""
    asked.plan.check_extent(asked.stopping.most)
    question = asked.question() | {"files": ctx.meta.get("woolsim.files", files_given(ctx))}
    stopping = asked.stopping
    with _created(question, out, 0 if stopping.looks else stopping.most, part) as run:
        _play(asked, run, stopping, threads, stall)
        _show(run, which, style, csv_file, png)


def _created(question: dict[str, Any], out: Path | None, extent: int, part: "Part") -> "Run":
    from analyzer.questions import default_name
    from analyzer.runs import Run

    shown = f"{question['shape']} " + " ".join(each["given"] for each in question["strategies"])
    folder = out if out is not None else Path(DEFAULT_FOLDER, default_name(shown, question))
    run = Run.create(folder, question, extent=extent, part=part)
    _say_damage(run)
    return run


def _say_damage(run: "Run") -> None:
    if run.damage:
        click.echo(f"Note: {run.damage}", err=True)


def _opponents(option: Any) -> Any:
    return click.option(
        "--field",
        "opponents",
        multiple=True,
        metavar="STRATEGY",
        help="Who sits beside them, or a TOML file with a field; several times for more.  [default: they themselves]",
    )(option)


def _paired(command: Any) -> Any:
    """Add the options of comparisons with common deals."""
    for option in (
        _shown,
        stall_option,
        _threads,
        click.option("--out", type=click.Path(path_type=Path), metavar="RUN", help="Folder of the run."),
        click.option("--seed", type=One("SEED", read_seed), default="1", show_default=True, help="Seed of all deals."),
        click.option("--max-games", type=One("N", read_games), default="1e5", show_default=True, help="Deals at most."),
        click.option(
            "--min-games", type=One("N", read_games), default="50", show_default=True, help="Deals before that."
        ),
        click.option("--players", type=Many("PLAYERS", read_players), multiple=True, help="At a table.  [default: 4]"),
        _opponents,
    ):
        command = option(command)
    return command


def _strategies(given: tuple[str, ...]) -> "tuple[Strategy, ...]":
    """Return the strategies of options that name strategies or files of them."""
    from strategies.fields import field, read_field

    files = [read_field(Path(each)).strategies for each in given if each.endswith(".toml")]
    return (*field(each for each in given if not each.endswith(".toml")), *(one for file in files for one in file))


@click.command("compare", context_settings=_HELP, cls=OnceCommand)
@click.argument("strategies", nargs=-1, metavar="A B")
@click.option("--games", type=One("N", read_games), help="Deals of each line-up.  [default: until it is known]")
@click.option("--rules", "rules_files", multiple=True, metavar="FILE", help="Rules to compare; one, or two.")
@click.option("--deck", "deck_files", multiple=True, metavar="FILE", help="Decks to compare; one, or two.")
@_paired
@click.pass_context
def compare_command(
    ctx: click.Context,
    strategies: tuple[str, ...],
    games: int | None,
    rules_files: tuple[str, ...],
    deck_files: tuple[str, ...],
    opponents: tuple[str, ...],
    players: tuple[tuple[int, ...], ...],
    min_games: int,
    max_games: int,
    seed: int,
    out: Path | None,
    threads: int | None,
    stall: int,
    which: str | None,
    style: str,
    csv_file: Path | None,
) -> None:
    """Say whether A is better than B, or what other cards or rules would change, on the same deals.

    \b
    woolsim compare plain:level=21 plain:level=22 --field plain:level=20
    woolsim compare plain random --deck my_deck.csv --games 100
    """  # noqa: D301
    from analyzer.runs import WHOLE
    from strategies.tournaments import CANDIDATES, SETTINGS

    settings, files = _settings(rules_files, deck_files)
    named, beside = _strategies(strategies), _strategies(opponents)
    if len(settings) == 1 and len(named) != 2:
        raise BadInputError("name the two strategies to compare, A and B; or two decks (--deck) or rules (--rules)")
    shape = CANDIDATES if len(settings) == 1 else SETTINGS
    asked = _paired_asked((*named, *beside), settings, shape, len(named), players, seed, games, min_games, max_games)
    ctx.meta["woolsim.files"] = files
    _begin(ctx, asked, out, WHOLE, threads, stall, which, style, csv_file)


@click.command("sweep", context_settings=_HELP, cls=OnceCommand)
@click.argument("strategies", nargs=-1, metavar="STRATEGY:PARAMETER=LOW..HIGH")
@click.option("--games", type=One("N", read_games), default="1e3", show_default=True, help="Deals of each line-up.")
@click.option("--png", type=OutputFile(PICTURE_SUFFIXES), help="Also draw the win share against the parameter.")
@rules_option
@deck_option
@_paired
@click.pass_context
def sweep_command(
    ctx: click.Context,
    strategies: tuple[str, ...],
    games: int,
    png: Path | None,
    rules: Rules,
    deck: Deck,
    opponents: tuple[str, ...],
    players: tuple[tuple[int, ...], ...],
    min_games: int,
    max_games: int,
    seed: int,
    out: Path | None,
    threads: int | None,
    stall: int,
    which: str | None,
    style: str,
    csv_file: Path | None,
) -> None:
    """Draw the win share against a parameter: every value plays the same deals against the same opponents.

    \b
    woolsim sweep plain:level=14..27 --field plain:level=20 --games 200
    """  # noqa: D301
    from analyzer.runs import WHOLE
    from analyzer.wool_rules.setting import Setting
    from strategies.tournaments import CANDIDATES

    check_different(csv=csv_file, png=png)
    named, beside = _strategies(strategies), _strategies(opponents or ("plain",))
    if len(named) < 2:
        raise BadInputError("a sweep needs a range of a parameter, as in plain:level=14..27, or several strategies")
    settings = (Setting(rules, deck),)
    asked = _paired_asked(
        (*named, *beside), settings, CANDIDATES, len(named), players, seed, games, min_games, max_games
    )
    _begin(ctx, asked, out, WHOLE, threads, stall, which, style, csv_file, png)


@click.command("find-best", context_settings=_HELP, cls=OnceCommand)
@click.argument("strategies", nargs=-1, metavar="STRATEGY...")
@_opponents
@click.option("--players", type=One("PLAYERS", read_players), default="4", show_default=True, help="At a table.")
@click.option("--max-games", type=One("N", read_games), default="1e4", show_default=True, help="Deals at most.")
@click.option("--seed", type=One("SEED", read_seed), default="1", show_default=True, help="Seed of all deals.")
@_threads
@stall_option
@rules_option
@deck_option
@table_format
@csv_output
@click.pass_context
def find_best_command(
    ctx: click.Context,
    strategies: tuple[str, ...],
    opponents: tuple[str, ...],
    players: int,
    max_games: int,
    seed: int,
    threads: int | None,
    stall: int,
    rules: Rules,
    deck: Deck,
    style: str,
    csv_file: Path | None,
) -> None:
    """Find the best of many strategies: all play the same deals, and whoever is certainly beaten drops out.

    \b
    woolsim find-best plain:level=14..27 lone-dog random --field plain:level=20
    """  # noqa: D301
    from analyzer.find_best import FIND_BEST_COLUMNS, find_best, find_best_rows
    from analyzer.line_ups import balanced
    from analyzer.paired import all_opponents
    from analyzer.watchdog import Watchdog
    from analyzer.wool_rules.game import WOOL_RULES
    from analyzer.wool_rules.setting import Setting
    from reports.words import counted
    from strategies.fields import check_distinct

    named, beside = _strategies(strategies), _strategies(opponents)
    if len(named) < 2:
        raise BadInputError("name two strategies or more, or a range, as in plain:level=14..27")
    check_distinct(named)
    check_distinct(beside)
    everybody = (*named, *beside)
    if beside:
        around = all_opponents(range(len(named), len(everybody)), players)
    else:
        around = (
            balanced(len(named), players - 1, OPPONENTS, seed)
            if players > 2
            else all_opponents(range(len(named)), players)
        )
    with announcing_compilation():
        engine = WOOL_RULES.engine(everybody, (Setting(rules, deck),), seed)

    def replaying(sitting: Sitting) -> str:
        seated = [everybody[who].given for who in sitting.seats]
        which = ["--seed", str(seed), "--game", str(sitting.game)]
        return shlex.join(["woolsim", "replay", *seated, *which, *files_given(ctx)])

    def alarm(who: str, sitting: Sitting, seconds: float) -> None:
        end_stalled(f"{who} has not answered for {seconds:g} seconds; to see that game: {replaying(sitting)}")

    stages: list[Stage] = []
    total = len(named) * players * len(around) * max_games
    try:
        with Watchdog(engine, stall, alarm), progress_bar("playing", total) as progress:
            stages += find_best(engine, len(named), around, max_games=max_games, threads=threads, progress=progress)
    except GameFaultError as error:
        raise BadInputError(f"{error}; to see that game: {replaying(error.sitting)}") from error
    rows = find_best_rows(stages, [each.given for each in named])
    played = (
        sum(
            len(stage.contenders) * (stage.games - before)
            for stage, before in zip(stages, [0, *(stage.games for stage in stages)], strict=False)
        )
        * players
        * len(around)
    )
    heading = f"{counted(played)} in {len(stages)} stage{'' if len(stages) == 1 else 's'}"
    provenance = Provenance(reproducing_command(ctx, seed), seed, f"played: {heading}", rules, deck)
    write_files(rows, FIND_BEST_COLUMNS, provenance, csv_file)
    if style == "table":
        from reports.tournament_tables import find_best_table

        print_tables(find_best_table(rows, heading, decided=stages[-1].race.decided))
    else:
        show_rows(rows, FIND_BEST_COLUMNS, style)
    print_provenance(provenance, err=style != "table")


def _settings(rules_files: tuple[str, ...], deck_files: tuple[str, ...]) -> "tuple[tuple[Setting, ...], list[str]]":
    """Return the settings that files of rules and decks make: one, or two that are compared."""
    from analyzer.wool_rules.deck import read_deck, shipped_deck
    from analyzer.wool_rules.rules import STANDARD, read_rules
    from analyzer.wool_rules.setting import Setting

    for option, files in (("--rules", rules_files), ("--deck", deck_files)):
        if len(files) > 2:
            raise BadInputError(f"{option}: {len(files)} files; two can be compared")
    rules = [read_rules(Path(file)) for file in rules_files]
    decks = [read_deck(Path(file), *rules[:1]) for file in deck_files]
    both_rules = [STANDARD, *rules] if len(rules) == 1 else rules or [STANDARD]
    both_decks = [shipped_deck(), *decks] if len(decks) == 1 else decks or [shipped_deck()]
    settings = tuple(
        dict.fromkeys(
            (both_rules[min(i, len(both_rules) - 1)], both_decks[min(i, len(both_decks) - 1)]) for i in range(2)
        )
    )
    given = [
        word
        for option, files in (("--rules", rules_files), ("--deck", deck_files))
        for file in files
        for word in (option, file)
    ]
    return tuple(Setting(*pair) for pair in settings), given


def _paired_asked(
    strategies: "tuple[Strategy, ...]",
    settings: "tuple[Setting, ...]",
    shape: str,
    candidates: int,
    players: tuple[tuple[int, ...], ...],
    seed: int,
    games: int | None,
    min_games: int,
    max_games: int,
) -> "Asked":
    from analyzer.tournament import Stopping
    from analyzer.wool_rules.game import WOOL_RULES
    from strategies.tournaments import Asked

    until_known = Stopping(None, None, True, min_games, max(max_games, min_games))
    stopping = until_known if games is None else Stopping(games)
    counts = tuple(sorted(joined(players))) or (4,)
    return Asked(WOOL_RULES, strategies, settings, shape, counts, seed, stopping, candidates)


@click.command("resume", context_settings=_HELP, cls=OnceCommand)
@click.argument("run", type=click.Path(path_type=Path), metavar="RUN")
@_threads
@stall_option
@_shown
def resume_command(
    run: Path, threads: int | None, stall: int, which: str | None, style: str, csv_file: Path | None
) -> None:
    """Go on with a run that was interrupted.

    \b
    woolsim resume woolsim-out/my-run
    """  # noqa: D301
    _go_on(run, None, threads, stall, which, style, csv_file)


@click.command("extend", context_settings=_HELP, cls=OnceCommand)
@click.argument("run", type=click.Path(path_type=Path), metavar="RUN")
@click.option("--games", type=One("N", read_games), required=True, help="Deals for each line-up, in all.")
@_threads
@stall_option
@_shown
def extend_command(
    run: Path, games: int, threads: int | None, stall: int, which: str | None, style: str, csv_file: Path | None
) -> None:
    """Play more games in a run; those it has are kept.

    \b
    woolsim extend woolsim-out/my-run --games 1e4
    """  # noqa: D301
    _go_on(run, games, threads, stall, which, style, csv_file)


def _go_on(
    folder: Path,
    games: int | None,
    threads: int | None,
    stall: int,
    which: str | None,
    style: str,
    csv_file: Path | None,
) -> None:
    from analyzer.runs import Run
    from analyzer.tournament import Stopping

    with Run.open(folder, write=True) as run:
        _say_damage(run)
        asked = _asked(run, to_play=True)
        run.expect(asked.question() | {"files": run.question["files"]})
        _check_files(run)
        stopping = asked.stopping
        if games is not None:
            if games < run.extent:
                raise BadInputError(f"--games {games}: the run has {run.extent:,} already; a run only grows")
            asked.plan.check_extent(games)
            run.extend(games)
            stopping = Stopping(games)
        _play(asked, run, stopping, threads, stall)
        _show(run, which, style, csv_file)


def _asked(run: "Run", *, to_play: bool = False) -> "Asked":
    from analyzer.wool_rules.game import WOOL_RULES
    from strategies.tournaments import Asked

    games = {game.name: game for game in (WOOL_RULES,)}
    if run.question.get("game") not in games:
        raise BadInputError(f"{run.folder}: is a run of {run.question.get('game')!r}, which this version does not play")
    return Asked.of_question(run.question, games, to_play=to_play)


def _check_files(run: "Run") -> None:
    """Refuse to go on when a file of rules or a deck that the run began with has changed."""
    from analyzer.wool_rules.deck import read_deck
    from analyzer.wool_rules.rules import read_rules

    question, files = run.question, run.question["files"]
    readers: dict[str, Callable[[Path], Rules | Deck]] = {"--rules": read_rules, "--deck": read_deck}
    for option, file in zip(files[::2], files[1::2], strict=True):
        path, what = Path(file), option.removeprefix("--")
        if option in readers and path.exists():
            now = readers[option](path)
            there = [each[what] for each in (*question["compared_with"].values(), question)]
            if now.digest not in {each["hash"] for each in there}:
                kept = next((each for each in there if each["name"] == now.name), there[0])
                raise BadInputError(
                    f"{path}: has changed since the run began: {kept['name']} ({kept['hash'][:8]}) there, {now.name} "
                    f"({now.digest[:8]}) now; begin another run with it"
                )


@click.command("show", context_settings=_HELP, cls=OnceCommand)
@click.argument("run", type=click.Path(path_type=Path), metavar="RUN")
@_shown
def show_command(run: Path, which: str | None, style: str, csv_file: Path | None) -> None:
    """Show the results of a run, finished or not.

    \b
    woolsim show woolsim-out/my-run
    woolsim show woolsim-out/my-run --table pairs --format csv
    """  # noqa: D301
    from analyzer.runs import Run

    with Run.open(run, write=False) as opened:
        _say_damage(opened)
        _show(opened, which, style, csv_file)


@click.command("meta-game", context_settings=_HELP, cls=OnceCommand)
@click.argument("results", type=click.Path(path_type=Path), metavar="RUN|FILE")
@table_format
@click.pass_context
def meta_game_command(ctx: click.Context, results: Path, style: str) -> None:
    """Say which mixture of strategies nobody can gain by leaving: of a run, or of your own results as CSV.

    A CSV file has the columns line_up, strategy, games, win_share, and perhaps win_share_low and win_share_high: a row
    for each strategy of each line-up, all line-ups of the field.

    \b
    woolsim meta-game woolsim-out/my-run
    woolsim meta-game results.csv --format csv
    """  # noqa: D301
    from analyzer.metagame import Field, analyse
    from analyzer.outcome import COLUMNS, mixture_rows
    from analyzer.runs import Run
    from analyzer.tournament import Tournament
    from analyzer.win_share_file import read_results
    from reports.tournament_tables import mixture_table
    from strategies.tournaments import labels

    if results.is_dir():
        with Run.open(results, write=False) as run:
            asked = _asked(run)
            tournament = Tournament(asked.plan, run, asked.stopping, asked.look)
            if len(asked.plan.settings) > 1:
                raise BadInputError(f"{results}: its tables compare; a field of strategies is needed")
            _, provenance = _described(run, asked, tournament)
            fields = [Field.of_sums(part, labels(run.question)) for part in tournament.tally.line_up_sums()]
    else:
        provenance, fields = None, [read_results(results)]
    rows = mixture_rows([(analyse(field), field.names) for field in fields])
    if style == "table":
        print_tables(mixture_table(rows))
    else:
        show_rows(rows, COLUMNS["mixture"], style)
    if provenance is not None:
        print_provenance(provenance, err=style != "table")
    else:
        click.echo(f"made by: {reproducing_command(ctx)}; the figures of {results} are its author's", err=True)


@click.command("merge", context_settings=_HELP, cls=OnceCommand)
@click.argument("runs", nargs=-1, type=click.Path(path_type=Path), metavar="RUN RUN...")
@click.option("--out", type=click.Path(path_type=Path), required=True, metavar="RUN", help="Folder of the joined run.")
@_shown
def merge_command(runs: tuple[Path, ...], out: Path, which: str | None, style: str, csv_file: Path | None) -> None:
    """Join the parts of a run that several machines have played.

    \b
    woolsim merge part-1 part-2 part-3 --out whole
    """  # noqa: D301
    from contextlib import ExitStack

    from analyzer.runs import Run, merge

    if not runs:
        raise BadInputError("name the runs to join, as in woolsim merge part-1 part-2 --out whole")
    with ExitStack() as stack:
        opened = [stack.enter_context(Run.open(run, write=False)) for run in runs]
        for each in opened:
            _say_damage(each)
        _show(stack.enter_context(merge(out, opened)), which, style, csv_file)


def _play(asked: "Asked", run: "Run", stopping: "Stopping", threads: int | None, stall: int) -> None:
    """Play what is missing, say how it goes on, and end with the standings so far on Ctrl-C."""
    from analyzer.tournament import Tournament, on_threads
    from analyzer.watchdog import Watchdog

    with announcing_compilation():
        engine = asked.engine()
    tournament = Tournament(asked.plan, run, stopping, asked.look)

    def replaying(sitting: Sitting) -> str:
        seated = [asked.strategies[who].given for who in sitting.seats]
        which = ["--seed", str(asked.seed), "--game", str(sitting.game)]
        command = shlex.join(["woolsim", "replay", *seated, *which, *_files_of(run.question, sitting.setting)])
        if sitting.setting and asked.perturbed:
            return f"{command} (with plausible deck {sitting.setting} instead)"
        return command

    def alarm(who: str, sitting: Sitting, seconds: float) -> None:
        end_stalled(f"{who} has not answered for {seconds:g} seconds; to see that game: {replaying(sitting)}")

    total = stopping.most * asked.plan.games
    try:
        with Watchdog(engine, stall, alarm), _progress(tournament, total, run) as progress:
            tournament.play(on_threads(engine, asked.plan, threads), progress)
    except GameFaultError as error:
        raise BadInputError(f"{error}; to see that game: {replaying(error.sitting)}") from error
    except KeyboardInterrupt:
        if tournament.games_done:
            _show(run, None, "table", None, err=True)
        click.echo(f"to go on: {shlex.join(['woolsim', 'resume', str(run.folder)])}", err=True)
        raise
    if stopping.looks:
        click.echo(_verdict_words(tournament), err=True)


def _files_of(question: dict[str, Any], setting: int) -> list[str]:
    """Return the files of rules and deck with which a setting of a run is played, as options."""
    given = question["files"]
    found: list[str] = []
    for option in ("--rules", "--deck"):
        files = [file for name, file in zip(given[::2], given[1::2], strict=True) if name == option]
        if len(files) == 1 and question["shape"] == "settings" and len(question["compared_with"]) == 1:
            files = ["", *files]  # the first setting has the standard rules, or the shipped deck
        chosen = files[min(setting, len(files) - 1)] if files else ""
        found += [option, chosen] if chosen else []
    return found


def _verdict_words(tournament: "Tournament") -> str:
    games, stopping = tournament.run.extent, tournament.stopping
    if tournament.verdict is not None and tournament.verdict.stop:
        what = "every win share is known as well as asked" if stopping.target_error else "the best strategy is known"
        return f"decided after {games:,} deals of each line-up: {what} (anytime-valid bounds, {stopping.level:.0%})"
    return f"not decided after {games:,} deals of each line-up, the most that were asked for (--max-games)"


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
    from strategies.tournaments import labels

    if len(tournament.plan.settings) > 1:
        rows = _tables_of(run, tournament)[0][1]()
    else:
        names = labels(run.question)
        shares = mean_win_shares(tournament.tally.line_up_sums(), len(names)).shares(0.95)
        rows = [Row(strategy=name) | columns("win_share", share) for name, share in zip(names, shares, strict=True)]
    known = [row for row in rows if isinstance(row.get("win_share"), float)]
    if not known:
        return "no results yet"
    best = max(known, key=lambda row: float(str(row["win_share"])))
    shown = percent(best["win_share"])
    if "win_share_low" not in best:
        return f"leads: {best['strategy']} {shown}"
    return f"leads: {best['strategy']} {shown} ({percent(best['win_share_low'])} to {percent(best['win_share_high'])})"


def _described(run: "Run", asked: "Asked", tournament: "Tournament") -> tuple[str, Provenance]:
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
    command = shlex.join(_command(run.question, run.extent))
    first: Any = settings[0]
    played = f"played: {heading}"
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
    from strategies.tournaments import CANDIDATES, SETTINGS, labels

    names, question = labels(run.question), run.question
    if question["shape"] == CANDIDATES:
        mine = names[: question["candidates"]]
        return [("candidates", lambda: candidate_rows(tournament.tally, mine), CANDIDATE_COLUMNS)]
    if question["shape"] == SETTINGS and len(question["compared_with"]) > 1:
        return [("places", lambda: place_rows(tournament.tally, names), PLACE_COLUMNS)]
    if question["shape"] == SETTINGS:
        return [("settings", lambda: setting_rows(tournament.tally, names), SETTING_COLUMNS)]
    outcome = Outcome(names, tournament.tally.line_up_sums())
    return [(name, partial(outcome.table, name), columns) for name, columns in COLUMNS.items()]


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
    return [*command, "--games", str(games), "--seed", str(question["seed"]), *question["files"]]


def _show(
    run: "Run", which: str | None, style: str, csv_file: Path | None, png: Path | None = None, *, err: bool = False
) -> None:
    """Show a run."""
    from analyzer.tournament import Tournament

    asked = _asked(run)
    tournament = Tournament(asked.plan, run, asked.stopping, asked.look)
    heading, provenance = _described(run, asked, tournament)
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
    from strategies.tournaments import labels

    (name, rows, _), *more = _tables_of(run, tournament)
    if more:
        specs = [each["name"] for each in run.question["strategies"]]
        outcome = Outcome(labels(run.question), tournament.tally.line_up_sums())
        print_tables(tournament_tables(outcome, heading, specs), err=err)
    else:
        print_tables(paired_tables(name, rows(), heading), err=err)
