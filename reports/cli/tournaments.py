"""`woolsim tournament`, `compare` and `sweep`: what begins a run."""

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from analyzer.errors import BadInputError
from analyzer.wool_rules.deck import Deck
from analyzer.wool_rules.rules import Rules
from reports.cli.amounts import DEALS, games_option, player_counts_option, seed_option
from reports.cli.completion import AnyFile, StrategySpec
from reports.cli.hands import Where, where_options
from reports.cli.options import (
    OnceCommand,
    One,
    deck_option,
    joined,
    read_candidates,
    read_decks,
    read_line_ups,
    rules_option,
)
from reports.cli.playing import begin, field_of, opponents_option, out_option, player_counts
from reports.cli.settings import settings_of
from reports.cli.shown import TABLES, Shown, shown_options
from reports.cli.stopping import check_no_bounds, stopping_of, stopping_options

if TYPE_CHECKING:
    from analyzer.runs import Part
    from analyzer.slots import Strategy

_HELP: Final = {"help_option_names": ["-h", "--help"]}

_LEAST: Final = 10
_LEAST_COMPARED: Final = 50
"""Deals of each line-up before the first look at the results."""


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


class PartOf(click.ParamType["Part"]):
    """A part of a run, ``2/3``; all of it is ``1/1``."""

    name = "K/N"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> "Part":
        """Return the part."""
        from analyzer.runs import Part

        if isinstance(value, Part):
            return value
        found = re.fullmatch(r"([0-9]{1,4})/([0-9]{1,4})", str(value).strip())
        if found is None or not 1 <= int(found[1]) <= int(found[2]):
            self.fail(f"{value!r}: write which part of how many, as in 1/3, 2/3 and 3/3", param, ctx)
        return Part(int(found[1]), int(found[2]))


part_option: Final = click.option(
    "--part", type=PartOf(), default="1/1", help="Play only part K of N, to share a run between machines."
)


@click.command("tournament", context_settings=_HELP, cls=OnceCommand)
@click.argument("field", nargs=-1, type=StrategySpec(), metavar="STRATEGY...")
@click.option("--field", "file", type=click.Path(path_type=Path), metavar="FILE", help="A field from a TOML file.")
@player_counts_option
@click.option(
    "--shape",
    type=click.Choice(["round-robin", "gauntlet", "table", "random"]),
    help="All line-ups; the first strategy against the others; the one line-up given; or --line-ups at random.  "
    "[default: round-robin, or gauntlet where the file of --field has a candidate]",
)
@click.option("--line-ups", type=One("N", read_line_ups), help="How many line-ups of a random, balanced design.")
@click.option(
    "--candidates", type=One("N", read_candidates), help="How many of the first are in the gauntlet.  [default: 1]"
)
@games_option(DEALS, said="1e3")
@click.option("--target-error", type=Share(), help="Stop when every win share is known up to this, as 0.005.")
@click.option("--until-decided", is_flag=True, help="Stop when the best strategy is known for certain.")
@stopping_options(_LEAST)
@click.option(
    "--perturb-deck",
    "other_decks",
    type=One("K", read_decks),
    help="Play K other decks too, as plausible as the reconstruction, and say which places survive.",
)
@seed_option
@out_option
@part_option
@where_options
@rules_option
@deck_option
@shown_options(*TABLES, "places")
@click.pass_context
def tournament_command(
    ctx: click.Context,
    field: tuple[str, ...],
    file: Path | None,
    players: tuple[tuple[int, ...], ...],
    shape: str | None,
    line_ups: int | None,
    candidates: int | None,
    games: int | None,
    target_error: float | None,
    until_decided: bool,
    min_games: int | None,
    max_games: int | None,
    other_decks: int | None,
    seed: int,
    out: Path | None,
    part: "Part",
    where: Where,
    rules: Rules,
    deck: Deck,
    shown: Shown,
) -> None:
    """Say who is better and how sure that is: all play each other.

    They do so in all seats, on the same decks and dice.

    \b
    woolsim tournament plain:level=19..22 random --players 4 --games 50
    woolsim tournament plain random lone-dog --until-decided
    """  # noqa: D301
    from analyzer.wool_rules.game import WOOL_RULES
    from analyzer.wool_rules.plausible_decks import plausible_decks
    from analyzer.wool_rules.setting import Setting
    from strategies.tournaments import SETTINGS, Asked

    looks = target_error is not None or until_decided
    if looks and games is not None:
        raise BadInputError("--games says when to stop, and so do --target-error and --until-decided; give one of them")
    _check_part(part, looks=looks)
    if not looks:
        check_no_bounds(min_games, max_games, "goes with --target-error or --until-decided; else --games N says it")
    stopping = stopping_of(games, target_error, min_games, max_games, _LEAST, until_decided=until_decided)
    shape, strategies, first, counts = _who_plays(field, file, shape, candidates, joined(players))
    if (shape == "random") != (line_ups is not None):
        raise BadInputError("--shape random and --line-ups N belong together")
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
    most = None if looks else stopping.most
    begin(ctx, asked, most, out, part, where, shown)


def _check_part(part: "Part", *, looks: bool) -> None:
    if looks and part.of > 1:
        raise BadInputError("--part: the parts of a run cannot see each other's results; give --games")


def _who_plays(
    specs: tuple[str, ...], file: Path | None, shape: str | None, candidates: int | None, counts: tuple[int, ...]
) -> "tuple[str, tuple[Strategy, ...], int, tuple[int, ...]]":
    """Return the shape, the field, how many of it are candidates, and the player counts."""
    from strategies.fields import FieldFile, field, read_field

    given = FieldFile(()) if file is None else read_field(file)
    if given.candidates and shape not in {None, "gauntlet"}:
        raise BadInputError(
            f"{file} has a candidate, who plays a gauntlet: leave out --shape {shape}, or the candidate"
        )
    if given.candidates and candidates is not None:
        raise BadInputError(f"{file} says who is a candidate: leave out --candidates, or the candidate in the file")
    shape = shape or ("gauntlet" if given.candidates else "round-robin")
    if candidates is not None and shape != "gauntlet":
        raise BadInputError("--candidates goes with --shape gauntlet")
    strategies = (*given.candidates, *field(specs, repeated=shape == "table"), *given.strategies)
    first, counts = len(given.candidates) or candidates or 1, counts or given.players
    if not strategies:
        raise BadInputError("an empty field: name strategies, or a file with --field (woolsim strategies list)")
    if shape == "gauntlet" and first >= len(strategies):
        raise BadInputError("a gauntlet needs strategies beside the candidates; name more")
    if shape == "table":
        counts = counts or (len(strategies),)
        if counts != (len(strategies),):
            raise BadInputError(f"--shape table has the {len(strategies)} players named; leave out --players")
    return shape, strategies, first, counts


def _check_perturbing(shape: str, *, looks: bool) -> None:
    if shape != "round-robin" or looks:
        raise BadInputError("--perturb-deck goes with --shape round-robin and --games")


def _paired(command: Any) -> Any:
    """Add the options of comparisons with common deals."""
    for option in (
        where_options,
        part_option,
        out_option,
        seed_option,
        player_counts_option,
    ):
        command = option(command)
    return command


@click.command("compare", context_settings=_HELP, cls=OnceCommand)
@click.argument("strategies", nargs=-1, type=StrategySpec(), metavar="A B")
@games_option(DEALS, said="until it is known")
@stopping_options(_LEAST_COMPARED)
@click.option(
    "--rules",
    "rules_files",
    type=AnyFile(),
    multiple=True,
    help="Other rules: a TOML file with what differs from the standard ones; two are compared, as two decks are.",
)
@click.option(
    "--deck",
    "deck_files",
    type=AnyFile(),
    multiple=True,
    help="Another deck: a CSV file with which both A and B play. Two decks are compared with each other, with A and "
    "B and all of --field as the field; and where no two strategies are named, one deck with the shipped one.",
)
@opponents_option("they themselves")
@_paired
@shown_options("candidates", "settings", "places")
@click.pass_context
def compare_command(
    ctx: click.Context,
    strategies: tuple[str, ...],
    games: int | None,
    min_games: int | None,
    max_games: int | None,
    rules_files: tuple[str, ...],
    deck_files: tuple[str, ...],
    opponents: tuple[str, ...],
    players: tuple[tuple[int, ...], ...],
    seed: int,
    out: Path | None,
    part: "Part",
    where: Where,
    shown: Shown,
) -> None:
    """Say whether A is better than B, or what other cards or rules would change.

    All that is compared plays the same deals.

    \b
    woolsim compare plain:level=21 plain:level=22 --field plain:level=20
    woolsim compare plain --field random --deck my_deck.csv --games 100
    """  # noqa: D301
    from analyzer.wool_rules.game import WOOL_RULES
    from strategies.tournaments import CANDIDATES, SETTINGS, Asked

    if games is not None:
        check_no_bounds(min_games, max_games, "goes without --games, where the results decide when to stop")
    _check_part(part, looks=games is None)
    stopping = stopping_of(games, None, min_games, max_games, _LEAST_COMPARED, until_decided=games is None)
    named, beside = field_of(strategies), field_of(opponents)
    given, two = {"rules": rules_files, "deck": deck_files}, len(named.strategies) == 2
    settings = settings_of(WOOL_RULES, given, compared=not two)
    if len(settings) == 1 and not two:
        raise BadInputError("name the two strategies to compare, A and B; or two decks (--deck) or rules (--rules)")
    shape, candidates = (CANDIDATES, 2) if len(settings) == 1 else (SETTINGS, 1)
    counts = player_counts(joined(players), named, beside)
    field = (*named.strategies, *beside.strategies)
    asked = Asked(WOOL_RULES, field, settings, shape, counts, seed, stopping, candidates)
    ctx.meta["woolsim.files"] = [
        word for option, files in given.items() for file in files for word in (f"--{option}", file)
    ]
    begin(ctx, asked, games, out, part, where, shown)


@click.command("sweep", context_settings=_HELP, cls=OnceCommand)
@click.argument("strategies", nargs=-1, type=StrategySpec(), metavar="STRATEGY:PARAMETER=LOW..HIGH")
@games_option(DEALS, default="1e3")
@rules_option
@deck_option
@opponents_option("plain")
@_paired
@shown_options("candidates")
@click.pass_context
def sweep_command(
    ctx: click.Context,
    strategies: tuple[str, ...],
    games: int,
    rules: Rules,
    deck: Deck,
    opponents: tuple[str, ...],
    players: tuple[tuple[int, ...], ...],
    seed: int,
    out: Path | None,
    part: "Part",
    where: Where,
    shown: Shown,
) -> None:
    """Say how the win share depends on a parameter.

    All values of it play the same deals against the same opponents.

    \b
    woolsim sweep plain:level=14..27 --field plain:level=20 --games 200
    woolsim sweep plain:level=20..23 --players 3 --games 50 --png sweep.png
    """  # noqa: D301
    from analyzer.tournament import Stopping
    from analyzer.wool_rules.game import WOOL_RULES
    from analyzer.wool_rules.setting import Setting
    from strategies.tournaments import CANDIDATES, Asked

    named, beside = field_of(strategies), field_of(opponents or ("plain",))
    candidates, counts = len(named.strategies), player_counts(joined(players), named, beside)
    if candidates < 2:
        raise BadInputError("a sweep needs a range of a parameter, as in plain:level=14..27, or several strategies")
    field, settings = (*named.strategies, *beside.strategies), (Setting(rules, deck),)
    asked = Asked(WOOL_RULES, field, settings, CANDIDATES, counts, seed, Stopping(games), candidates)
    begin(ctx, asked, games, out, part, where, shown)
