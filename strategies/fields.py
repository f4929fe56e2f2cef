"""Fields: many strategies from few specs, from a file, and how to notice that one has changed.

A spec may give ranges, each of which stands for all its values, ends included: ``plain:level=14..27`` by ones,
``mine.py:Bold:nerve=0.1..0.9..0.2`` by steps of 0.2. Several ranges in one spec stand for all their combinations.
"""

from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import islice, product
from math import prod
from pathlib import Path
from typing import Final

from analyzer.errors import BadInputError
from analyzer.files import TomlEntry, read_toml
from analyzer.game import Game
from analyzer.policy_source import constant_text, substance
from analyzer.questions import canonical, text_digest
from analyzer.slots import Policy, Strategy
from strategies.games import MAIN
from strategies.registry import strategy
from strategies.specs import Part, parse_part, split_slots

MAX_STRATEGIES: Final = 1000
"""A field has at most so many: the pay-offs of its pairs fill 8 MB."""

_KEYS: Final = ("strategies", "players", "candidate")


@dataclass(frozen=True)
class FieldFile:
    """What a field file says.

    Parameters
    ----------
    strategies : tuple of Strategy
        No two the same.
    players : tuple of int
        Player counts in the order given; empty if it says nothing about them.
    candidates : tuple of Strategy
        Of a gauntlet: one, or several if its spec has a range; empty if there is none.
    """

    strategies: tuple[Strategy, ...]
    players: tuple[int, ...] = ()
    candidates: tuple[Strategy, ...] = ()


def field(specs: Iterable[str], game: Game = MAIN, *, repeated: bool = False) -> tuple[Strategy, ...]:
    """Return the strategies that specs stand for, in their order.

    Raises
    ------
    BadInputError
        For a faulty spec or range, too many strategies, or, unless they may be repeated as in a line-up, one that
        comes twice, however it is written.
    """
    expanded = list(islice((one for spec in specs for one in expand(spec, game)), MAX_STRATEGIES + 1))
    if len(expanded) > MAX_STRATEGIES:
        raise BadInputError(f"the field has more than {MAX_STRATEGIES:,} strategies; give fewer, or longer steps")
    strategies = tuple(strategy(spec, game) for spec in expanded)
    if not repeated:
        check_distinct(strategies, game)
    return strategies


def check_distinct(strategies: Iterable[Strategy], game: Game = MAIN) -> None:
    """Refuse a field that has a strategy twice.

    Raises
    ------
    BadInputError
        With both ways in which it was given.
    """
    for same, one in _alike(strategies, lambda each: _identity(each, game)):
        if same.given == one.given:
            raise BadInputError(f"{one.given} is in the field twice; give it once")
        raise BadInputError(f"{same.given} and {one.given} are the same strategy, {same.spec}; give one of them")


def check_plays_differ(strategies: Iterable[Strategy]) -> None:
    """Refuse two strategies that play alike under different names, where one is to be found the better one.

    Raises
    ------
    BadInputError
        With both ways in which it was given.
    """
    for same, one in _alike(strategies, source_digest):
        raise BadInputError(
            f"{same.given} and {one.given} play alike, by the same functions and parameters: neither is better; "
            "give one of them"
        )


def _alike(strategies: Iterable[Strategy], key: Callable[[Strategy], Hashable]) -> Iterator[tuple[Strategy, Strategy]]:
    """Yield each strategy that has the key of one before it, behind that one."""
    found: dict[Hashable, Strategy] = {}
    for one in strategies:
        same = found.setdefault(key(one), one)
        if same is not one:
            yield same, one


def expand(spec: str, game: Game = MAIN) -> list[str]:
    """Return the specs that one with ranges stands for, the last range changing fastest.

    Raises
    ------
    BadInputError
        For a faulty spec or range, or too many combinations.
    """
    parts = _parts(spec, game)
    values = [[_values(part, name) for name in part.given] for _, part in parts]
    _check_number(spec, prod(len(texts) for of_part in values for texts in of_part))
    choices = [
        [(slot, replace(part, given=dict(zip(part.given, chosen, strict=True)))) for chosen in product(*of_part)]
        for (slot, part), of_part in zip(parts, values, strict=True)
    ]
    return [_written(chosen) for chosen in product(*choices)]


def read_field(path: Path, game: Game = MAIN) -> FieldFile:
    """Read a field file.

    Parameters
    ----------
    path : Path
        TOML with the keys ``strategies`` (a list of specs, ranges allowed), and if wanted ``players`` (a list of player
        counts) and ``candidate`` (a spec). Users' files in specs are looked for from the file's folder.
    game : Game

    Raises
    ------
    BadInputError
        With file and line: not readable, not TOML, a key that is unknown, missing or of the wrong type, a faulty spec.
    """
    given = read_toml(path, _KEYS)
    if "strategies" not in given:
        raise BadInputError(
            f'{path}: has no strategies; write for example strategies = ["plain:level=14..27", "value"]'
        )
    specs = _texts(given["strategies"])
    players, candidate = given.get("players"), given.get("candidate")
    if candidate and not isinstance(candidate.value, str):
        raise BadInputError(f"{candidate.place}: candidate = {candidate.value!r}: a spec in quotation marks is needed")
    return FieldFile(
        _field_at(given["strategies"], specs, path.parent, game),
        _player_counts(players, game) if players else (),
        _field_at(candidate, [candidate.value], path.parent, game) if candidate else (),
    )


def files_of(spec: str, game: Game = MAIN) -> list[str]:
    """Return the users' files that a spec names."""
    return [part.file for _, part in _parts(spec, game) if part.file is not None]


def with_files(spec: str, place: Callable[[str], str], game: Game = MAIN) -> str:
    """Return a spec with each of its users' files at another place."""
    return _written((slot, replace(part, file=part.file and place(part.file))) for slot, part in _parts(spec, game))


def source_digest(strategy: Strategy) -> str:
    """Return the SHA-256 of all that decides how a strategy plays: its functions, what they call, and parameters.

    The same on every machine that reads the same source with the same Python; comments and line numbers do not count,
    nor does the file's place.
    """
    found = {
        slot: [substance(policy.function), [[name, constant_text(value)] for name, value in policy.parameters.items()]]
        for slot, policy in strategy.policies.items()
    }
    return text_digest(canonical(found))


def _parts(spec: str, game: Game) -> list[tuple[str, Part]]:
    """Return the parts of a spec, each with what stands before it: nothing, or a slot and "="."""
    first, slots = split_slots(spec, game.slots)
    return [("", parse_part(first)), *((f"{slot}=", parse_part(text)) for slot, text in slots.items())]


def _written(parts: Iterable[tuple[str, Part]]) -> str:
    """Return the spec that has such parts."""
    return "/".join(slot + _part_written(part) for slot, part in parts)


def _part_written(part: Part) -> str:
    given = ",".join(f"{name}={value}" for name, value in part.given.items())
    return ":".join(filter(None, [part.file, part.name, given]))


def _values(part: Part, name: str) -> list[str]:
    """Return the values that a parameter takes in a part of a spec."""
    text = part.given[name]
    if ".." not in text:
        return [text]
    try:
        low, high, *more = map(Decimal, text.split(".."))
        step = more[0] if more else Decimal(1)
        is_range = len(more) <= 1 and step > 0 and low <= high and (more or low % 1 == high % 1 == 0)
        last = int((high - low) // step)
    except (ValueError, ArithmeticError):
        is_range = False
    if not is_range:
        raise BadInputError(
            f"{part.text}: {name}={text} is no range; write LOW..HIGH for whole numbers and LOW..HIGH..STEP for "
            "others, as in 14..27 and 0.1..0.9..0.2"
        )
    _check_number(part.text, last + 1)
    return [str(low + at * step) for at in range(last + 1)]


def _check_number(spec: str, number: int) -> None:
    if number > MAX_STRATEGIES:
        raise BadInputError(
            f"{spec}: stands for {number:,} strategies, more than {MAX_STRATEGIES:,}; give longer steps"
        )


def _identity(one: Strategy, game: Game) -> frozenset[object]:
    """Return what is the same for two spellings of a strategy: its full spec; of users' files, the functions in it."""
    parts = _parts(one.spec, game)
    if one.policies and any(part.file for _, part in parts):
        return frozenset((slot, *_whereabouts(policy)) for slot, policy in one.policies.items())
    return frozenset(
        (slot, Path(part.file).resolve() if part.file else None, part.name, tuple(part.given.items()))
        for slot, part in parts
    )


def _whereabouts(policy: Policy) -> tuple[object, ...]:
    """Return where a policy's function is written, and its parameters."""
    code = policy.function.__code__
    return Path(code.co_filename).resolve(), code.co_firstlineno, code.co_qualname, tuple(policy.parameters.items())


def _field_at(entry: TomlEntry, specs: Iterable[str], folder: Path, game: Game) -> tuple[Strategy, ...]:
    """Return the field that an entry of a file in a folder gives."""
    try:
        return field([with_files(spec, lambda file: str(folder / file), game) for spec in specs], game)
    except BadInputError as error:
        raise BadInputError(f"{entry.place}: {error}") from None


def _texts(entry: TomlEntry) -> list[str]:
    value = entry.value
    if not isinstance(value, list) or not value or not all(isinstance(one, str) for one in value):
        raise BadInputError(f"{entry.place}: strategies = {value!r}: a list of specs in quotation marks is needed")
    return value


def _player_counts(entry: TomlEntry, game: Game) -> tuple[int, ...]:
    value, possible = entry.value, range(game.min_players, game.max_players + 1)
    counts = value if isinstance(value, list) and all(type(one) is int and one in possible for one in value) else []
    if not counts or len(set(counts)) < len(counts):
        raise BadInputError(
            f"{entry.place}: players = {value!r}: a list of different whole numbers from {game.min_players} to "
            f"{game.max_players} is needed, as in [3, 4]"
        )
    return tuple(counts)
