"""Option types and bundles shared by all commands: same names, same meanings everywhere."""

import re
import shlex
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final, TypeVar

import click

from analyzer.blocks import MAX_GAMES, MAX_SEED, MAX_THREADS
from analyzer.errors import BadInputError
from analyzer.wool_rules.bidding import ALL_BIDS, bid_label, bids_of, parse_bid
from analyzer.wool_rules.constants import MAX_MODIFIER, MAX_PLAYERS, MIN_PLAYERS
from analyzer.wool_rules.deck import Deck, read_deck, shipped_deck
from analyzer.wool_rules.rules import STANDARD, Rules, read_rules
from reports.cli.completion import CompletesFiles
from reports.cli.help import HelpedCommand
from reports.cli.say import QUIET_OPTIONS
from reports.export import check_output, sidecar

F = TypeVar("F", bound=Callable[..., Any])

PICTURE_SUFFIXES: Final = (".png", ".svg", ".pdf")
FORMATS: Final = ("table", "csv", "json", "markdown")


class OnceCommand(HelpedCommand):
    """A command that does not let the last of two values win in silence."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Refuse an option that is given twice and takes one value."""
        _, _, order = self.make_parser(ctx).parse_args(list(args))
        given = [parameter for parameter in order if isinstance(parameter, click.Option) and not parameter.multiple]
        for option in given:
            if given.count(option) > 1:
                raise click.UsageError(
                    f"{option.opts[0]} is given {given.count(option)} times; it takes one value", ctx
                )
        return super().parse_args(ctx, args)


def rules_of(ctx: click.Context | None) -> Rules:
    """Return the rules that a command was given: --rules is read before all options that depend on it."""
    rules = None if ctx is None else ctx.params.get("rules")
    return rules if isinstance(rules, Rules) else STANDARD


Read = Callable[[str, Rules], int]
"""Reads a value as the rules allow it; raises BadInputError."""


class Many(click.ParamType[tuple[int, ...]]):
    """Values and ranges: ``22``, ``0,2``, ``-3..3``, ``14,20..26+``; a range has what the rules allow within it."""

    def __init__(self, name: str, read: Read, within: Callable[[Rules], Sequence[int]] | None = None) -> None:
        self.name = name
        self._read = read
        self._within = within

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[int, ...]:
        """Return the values in the order given, each once."""
        if isinstance(value, tuple):
            return value
        found: dict[int, None] = {}
        rules = rules_of(ctx)
        try:
            for part in str(value).split(","):
                low, dots, high = part.partition("..")
                if dots and not (low.strip() and high.strip()):
                    self.fail(f"{part!r} is no range: write the lowest and the highest, as in 14..20", param, ctx)
                first, last = self._read(low, rules), self._read(high if dots else low, rules)
                if first > last:
                    self.fail(f"{part!r} runs backwards: give the lower value first", param, ctx)
                possible = range(first, last + 1) if self._within is None else self._within(rules)
                found |= dict.fromkeys(value for value in possible if first <= value <= last)
        except BadInputError as error:
            self.fail(str(error), param, ctx)
        return tuple(found)


class One(click.ParamType[int]):
    """One value."""

    def __init__(self, name: str, read: Read) -> None:
        self.name = name
        self._read = read

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Return the value."""
        if isinstance(value, int):
            return value
        try:
            return self._read(str(value), rules_of(ctx))
        except BadInputError as error:
            self.fail(str(error), param, ctx)


_NUMBER: Final = re.compile(r"[+-]?[0-9][0-9_]*(\.[0-9]+)?([eE]\+?[0-9]{1,3})?", re.ASCII)


def _whole(text: str, what: str, low: int, high: int) -> int:
    """Read a whole number from `low` to `high`; 1e6 and 1_000_000 are whole numbers too."""
    from decimal import Decimal, InvalidOperation

    shown = text.strip()
    try:
        number = Decimal(shown) if _NUMBER.fullmatch(shown) else None
    except InvalidOperation:
        number = None
    if number is None or not low <= number <= high or number != int(number):
        shown = shown if len(shown) <= 40 else shown[:37] + "..."
        raise BadInputError(f"{shown!r}: {what} is a whole number from {low:,} to {high:,}")
    return int(number)


def _reader(what: str, low: int, high: int) -> Read:
    """Return what reads a whole number in a range that the rules do not change."""
    return lambda text, _rules: _whole(text, what, low, high)


read_modifier: Final = _reader("a modifier", -MAX_MODIFIER, MAX_MODIFIER)
read_attempt: Final = _reader("the attempt", 1, 2)
read_count: Final = _reader("a number of dice actions", 1, MAX_GAMES)
read_games: Final = _reader("a number of games", 1, MAX_GAMES)
read_line_ups: Final = _reader("a number of line-ups", 1, MAX_GAMES)
read_candidates: Final = _reader("a number of candidates", 1, MAX_GAMES)
read_decks: Final = _reader("a number of decks", 2, 100)
read_players: Final = _reader("a number of players", MIN_PLAYERS, MAX_PLAYERS)
read_game: Final = _reader("the number of a game", 0, MAX_GAMES - 1)
read_stall: Final = _reader("a number of seconds", 1, 86_400)
read_seed: Final = _reader("a seed", 0, MAX_SEED)
read_threads: Final = _reader("a number of threads", 1, MAX_THREADS)


def read_chips(text: str, rules: Rules) -> int:
    """Read a number of chips."""
    return _whole(text, "a number of chips", 0, rules.chips_total)


def sides_text(rules: Rules, joint: str) -> str:
    """Name the dice by their sides."""
    *first, last = map(str, rules.dice)
    return f"{', '.join(first)} {joint} {last}"


def read_die(text: str, rules: Rules) -> int:
    """Read the sides of a die and return its index."""
    sides = text.strip().removeprefix("d")
    if sides not in map(str, rules.dice):
        raise BadInputError(f"{text.strip()!r}: the dice are {sides_text(rules, 'and')}")
    return rules.dice.index(int(sides))


class Dice(click.ParamType[tuple[int, int, int]]):
    """Three faces, in the order of the rules' dice: d12 first."""

    name = "D12,D10,D8"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[int, int, int]:
        """Return the faces."""
        if isinstance(value, tuple):
            return value
        parts, dice = str(value).split(","), rules_of(ctx).dice
        if len(parts) != len(dice):
            names = ",".join(f"d{sides}" for sides in dice)
            self.fail(f"{value!r} has {len(parts)}: all three faces are needed, {names}", param, ctx)
        try:
            first, second, third = (
                _whole(part, f"what the d{sides} shows", 1, sides) for part, sides in zip(parts, dice, strict=True)
            )
        except BadInputError as error:
            self.fail(str(error), param, ctx)
        return first, second, third


def _remember(ctx: click.Context | None, option: str, file: str) -> None:
    """Keep the name of a file for commands that this one suggests."""
    if ctx is not None:
        ctx.meta[f"woolsim.{option}"] = file


def files_given(ctx: click.Context) -> list[str]:
    """Return --rules and --deck as they were given, for a command that is suggested."""
    found = []
    for option in ("rules", "deck"):
        if f"woolsim.{option}" in ctx.meta:
            found += [f"--{option}", str(ctx.meta[f"woolsim.{option}"])]
    return found


class RulesFile(CompletesFiles, click.ParamType[Rules]):
    """A rules file, read and checked."""

    name = "FILE"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Rules:
        """Return the rules."""
        if isinstance(value, Rules):
            return value
        _remember(ctx, "rules", value)
        try:
            return read_rules(Path(value))
        except BadInputError as error:
            self.fail(str(error), param, ctx)


class DeckFile(CompletesFiles, click.ParamType[Deck]):
    """A deck file, read and checked."""

    name = "FILE"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Deck:
        """Return the deck."""
        if isinstance(value, Deck):
            return value
        _remember(ctx, "deck", value)
        try:
            return read_deck(Path(value), rules_of(ctx))
        except BadInputError as error:
            self.fail(str(error), param, ctx)


class OutputFile(CompletesFiles, click.ParamType[Path]):
    """A file that can be written, checked before any work is done."""

    name = "FILE"

    def __init__(self, suffixes: tuple[str, ...] = (), *, with_sidecar: bool = False) -> None:
        self._suffixes = suffixes
        self._with_sidecar = with_sidecar

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Path:
        """Return the path."""
        path = Path(value)
        if self._suffixes and path.suffix.lower() not in self._suffixes:
            self.fail(f"{str(path)!r}: name it {', '.join('*' + s for s in self._suffixes)}", param, ctx)
        try:
            check_output(path)
            if self._with_sidecar:
                check_output(sidecar(path))
        except BadInputError as error:
            self.fail(str(error), param, ctx)
        return path


ALL_BIDS_TEXT: Final = f"{bid_label(ALL_BIDS[0])}..{bid_label(ALL_BIDS[-1])}"


BIDS: Final = Many("BIDS", parse_bid, bids_of)


def rules_option(command: F) -> F:
    """Add --rules; the command gets `rules`, the standard ones without it."""
    return click.option(
        "--rules",
        type=RulesFile(),
        is_eager=True,
        callback=lambda _ctx, _param, rules: rules or STANDARD,
        help="Other rules: a TOML file with what differs from the standard ones, as in dice = [12, 10, 6].",
    )(command)


def deck_option(command: F) -> F:
    """Add --deck; the command gets `deck`, the shipped one without it."""
    return click.option(
        "--deck",
        type=DeckFile(),
        callback=lambda _ctx, _param, deck: deck or shipped_deck(),
        help="Another deck: a CSV file as `woolsim deck new` starts it.",
    )(command)


def one_dice_action(command: F) -> F:
    """Add --bid, --modifier and --chips with one value each, and --rules."""
    for option in (
        click.option(
            "--chips",
            type=One("CHIPS", read_chips),
            default="0",
            show_default=True,
            help="Wool chips to be spent on making the bid.",
        ),
        click.option(
            "--modifier",
            type=One("POINTS", read_modifier),
            default="0",
            show_default=True,
            help="Bonus or malus on the top card of the flock.",
        ),
        click.option("--bid", type=One("BID", parse_bid), required=True, help="The bid, 14 to 26 or 26+."),
    ):
        command = option(command)
    return rules_option(command)


def table_option(
    tables: Sequence[str], readable: str, *, default: str | None = None, said: str = ""
) -> Callable[[F], F]:
    """Return what adds --table; the command gets `which`.

    Parameters
    ----------
    tables : sequence of str
    readable : str
        How many of them the readable form has.
    default : str, optional
        One of them; None for what `said` says in words.
    """
    text = f"Which table csv, json and markdown have: {', '.join(tables)}; the readable form has {readable}."
    return click.option(
        "--table",
        "which",
        type=click.Choice(tables),
        metavar="TABLE",
        default=default,
        show_default=default is not None,
        help=f"{text}  [default: {said}]" if said else text,
    )


def force_option(command: F) -> F:
    """Add --force."""
    return click.option("--force", is_flag=True, help="Overwrite FILE if it is there.")(command)


def stall_option(command: F) -> F:
    """Add --stall."""
    return click.option(
        "--stall",
        type=One("SECONDS", read_stall),
        default="30",
        show_default=True,
        help="Give up when a strategy has not come to an end for so long: it has an endless loop.",
    )(command)


def table_format(command: F) -> F:
    """Add --format."""
    return click.option(
        "--format",
        "style",
        type=click.Choice(FORMATS),
        default="table",
        show_default=True,
        help="How to print; csv and json have every column and all digits.",
    )(command)


def csv_output(command: F) -> F:
    """Add --csv."""
    return click.option(
        "--csv",
        "csv_file",
        type=OutputFile(with_sidecar=True),
        help="Also write CSV, and what reproduces it to FILE.meta.json.",
    )(command)


def output_files(command: F) -> F:
    """Add --csv and --png."""
    png = click.option("--png", type=OutputFile(PICTURE_SUFFIXES), help="Also draw a chart; .svg and .pdf work too.")
    return csv_output(png(command))


def check_different(**files: Path | None) -> None:
    """Refuse to write two things into one file, sidecars included; files are given by the name of their option."""
    seen: dict[Path, str] = {}
    for option, path in files.items():
        if path is None:
            continue
        for written in (path, sidecar(path)) if option != "png" else (path,):
            before = seen.setdefault(written.resolve(), option)
            if before != option:
                raise BadInputError(f"{written}: --{before} and --{option} would write the same file")


def joined(parts: tuple[tuple[int, ...], ...]) -> tuple[int, ...]:
    """Return the values of an option that may be given several times, each once."""
    return tuple(dict.fromkeys(value for part in parts for value in part))


def reproducing_command(ctx: click.Context, seed: int | None = None) -> str:
    """Return the command line that gives the same figures, the seed spelled out; cluster and quiet are left out."""
    arguments = ["woolsim", *(word for word in ctx.obj or [ctx.info_name or ""] if word not in QUIET_OPTIONS)]
    for at in reversed([at for at, word in enumerate(arguments) if word.partition("=")[0] == "--scheduler"]):
        del arguments[at : at + (1 if "=" in arguments[at] else 2)]
    if seed is not None and not any(a == "--seed" or a.startswith("--seed=") for a in arguments):
        arguments += ["--seed", str(seed)]
    return shlex.join(arguments)
