"""Where strategies come from: modules of ours, users' files, installed packages.

A strategy is a home with functions named for slots: a module, a class (functions without self) or a whole file. Its
``RANGES`` may give lowest and highest values of parameters.
"""

import inspect
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from importlib.metadata import entry_points
from types import FunctionType, ModuleType
from typing import Any, Final

from analyzer.errors import BadInputError, PolicyError
from analyzer.game import Game
from analyzer.slots import Parameter, parameters_of
from strategies.games import MAIN, Home, command_of, house_of
from strategies.specs import Part, parse_part, unknown
from strategies.user_files import load

Ranges = Mapping[str, tuple[float, float]]

ENTRY_POINT_GROUP: Final = "woolsim.strategies"
"""Of the main game; the others' are called as the game within it."""


@dataclass(frozen=True)
class StrategyEntry:
    """A strategy as its author wrote it.

    Parameters
    ----------
    name : str
        What specs call it.
    where : str
        ``built-in``, the file, or the package it comes from.
    doc : str
        Its documentation.
    functions : dict
        By slot, only those it has itself.
    ours : bool
        Whether compiled code may be kept between runs.
    ranges : mapping
        Lowest and highest value of parameters that have such (``RANGES`` in its module or class).
    """

    name: str
    where: str
    doc: str
    functions: dict[str, FunctionType]
    ours: bool
    ranges: Ranges

    @property
    def summary(self) -> str:
        """First line of the documentation."""
        return self.doc.splitlines()[0] if self.doc else ""

    @property
    def parameters(self) -> dict[str, Parameter]:
        """Parameters of all its functions and their defaults.

        Raises
        ------
        PolicyError
            When two functions give one parameter different defaults.
        """
        found: dict[str, Parameter] = {}
        for function in self.functions.values():
            for name, default in parameters_of(function).items():
                before = found.setdefault(name, default)
                if type(before) is not type(default) or before != default:
                    raise PolicyError(
                        f"{self.where}: parameter {name!r} of {self.name} has the default {before!r} in one function "
                        f"and {default!r} in {function.__name__}; it is one parameter and needs one default"
                    )
        return found


@cache
def strategy_entries(game: Game = MAIN) -> Mapping[str, StrategyEntry]:
    """Return the built-in strategies of a game by name, the reference ones first."""
    house, found = house_of(game), {}
    for name, home in house.homes().items():
        functions = slot_functions(home, game.slots)
        if functions:
            doc = inspect.getdoc(home) or ""
            found[name] = StrategyEntry(name, "built-in", doc, functions, True, ranges_of(home, name))
    return {name: found[name] for name in sorted(found, key=lambda n: (n not in house.first, n))}


def installed_entries(game: Game = MAIN) -> dict[str, Any]:
    """Return the entry points through which installed packages offer strategies of a game, by name."""
    group = ENTRY_POINT_GROUP if game is MAIN else f"{ENTRY_POINT_GROUP}.{game.name.replace('-', '_')}"
    return {point.name: point for point in entry_points(group=group)}


def strategies_by_name(game: Game = MAIN) -> list[StrategyEntry]:
    """Return the built-in strategies of a game and those of installed packages."""
    return [
        *strategy_entries(game).values(),
        *(_entry_installed(parse_part(name), point, game) for name, point in installed_entries(game).items()),
    ]


def slot_functions(home: Home, slots: Iterable[str]) -> dict[str, FunctionType]:
    """Return the functions of a module, class or file that are named for a slot."""
    names = _names_in(home)
    functions = {slot: _plain_function(names.get(slot)) for slot in slots}
    return {slot: function for slot, function in functions.items() if function is not None}


def _names_in(home: Home) -> Mapping[str, object]:
    """Return what a home defines by name; a class has what it inherits."""
    if isinstance(home, Mapping):
        return home
    parts = reversed(home.__mro__) if isinstance(home, type) else (home,)
    return {name: value for part in parts for name, value in vars(part).items()}


def _plain_function(value: object) -> FunctionType | None:
    if isinstance(value, staticmethod):
        value = value.__func__
    return value if isinstance(value, FunctionType) else None


def check_home(home: Home, name: str, slots: tuple[str, ...]) -> None:
    """Refuse a home that would not play as its author thinks.

    Raises
    ------
    BadInputError
        When something else than a function has the name of a slot, or a class has a function whose name is nearly one.
    """
    for key, value in _names_in(home).items():
        if key in slots and _plain_function(value) is None:
            raise BadInputError(f"{name}: {key} is a {type(value).__name__}; it must be a function, written with def")
        near = get_close_matches(key, slots, n=1, cutoff=0.75)
        if isinstance(home, type) and near and key not in slots and _plain_function(value) is not None:
            raise BadInputError(f"{name}: {key} is no slot; did you mean {near[0]}? slots: {', '.join(slots)}")


def ranges_of(home: Home, name: str) -> dict[str, tuple[float, float]]:
    """Return the lowest and highest values that a module, class or file gives its parameters in ``RANGES``.

    Raises
    ------
    BadInputError
        When it is not a dictionary of names and pairs of numbers.
    """
    found = _names_in(home).get("RANGES", {})
    if not isinstance(found, dict) or not all(
        isinstance(pair, tuple) and len(pair) == 2 and all(isinstance(end, (int, float)) for end in pair)
        for pair in found.values()
    ):
        raise BadInputError(f'{name}: RANGES must be a dictionary such as {{"nerve": (0.0, 1.0)}}')
    return found


def entry_of(part: Part, game: Game) -> StrategyEntry:
    """Return the strategy of a game that a part of a spec names.

    Raises
    ------
    BadInputError
        When there is none of that name, or it has no function named for a slot.
    """
    if part.file is not None:
        return _entry_in_file(part, game)
    ours, installed = strategy_entries(game), installed_entries(game)
    if part.name in ours:
        return ours[part.name]
    if part.name in installed:
        return _entry_installed(part, installed[part.name], game)
    raise BadInputError(
        unknown("strategy", part.name, [*ours, *installed])
        + f" ({command_of(game)} strategies list); one of your own is given as FILE.py:NAME"
    )


def function_in(part: Part) -> FunctionType:
    """Return the function of a user's file that a part of a spec names.

    Raises
    ------
    BadInputError
        When there is no such file or function.
    """
    assert part.file is not None
    functions = {name: value for name, value in load(part.file).items() if isinstance(value, FunctionType)}
    if not part.name:
        listed = ", ".join(functions) or "none"
        raise BadInputError(f"{part.file}: name a function, as in {part.file}:NAME; functions in it: {listed}")
    if part.name not in functions:
        raise BadInputError(f"{part.file}: {unknown('function', part.name, functions)}")
    return functions[part.name]


def _entry_in_file(part: Part, game: Game) -> StrategyEntry:
    assert part.file is not None
    defined, slots = load(part.file), game.slots
    classes = {name: home for name, home in defined.items() if isinstance(home, type) and slot_functions(home, slots)}
    if not part.name:
        functions = slot_functions(defined, slots)
        if functions:
            return StrategyEntry(part.file, part.file, "", functions, False, ranges_of(defined, part.file))
        known = ", ".join(classes) or "none"
        raise BadInputError(
            f"{part.file}: has no function named for a slot ({', '.join(slots)}); strategies (classes) in it: {known}"
        )
    home = defined.get(part.name)
    if isinstance(home, FunctionType) and part.name in slots:
        functions, doc = {part.name: home}, inspect.getdoc(home)
    elif isinstance(home, type):
        check_home(home, f"{part.file}:{part.name}", slots)
        functions, doc = slot_functions(home, slots), inspect.getdoc(home)
    elif home is not None:
        raise BadInputError(
            f"{part.file}: {part.name} is a function; a strategy is a class with functions named for slots "
            f"({', '.join(slots)}); for one slot write {house_of(game).default}/SLOT={part.file}:{part.name}"
        )
    else:
        raise BadInputError(f"{part.file}: {unknown('strategy', part.name, classes)}")
    if not functions:
        raise BadInputError(f"{part.file}: {part.name} has no function named for a slot: {', '.join(slots)}")
    ranges = ranges_of(home, part.text)
    return StrategyEntry(f"{part.file}:{part.name}", part.file, doc or "", functions, False, ranges)


def _entry_installed(part: Part, point: Any, game: Game) -> StrategyEntry:
    try:
        home = point.load()
    except Exception as error:  # whatever an installed package may raise
        raise BadInputError(
            f"{part.name}: the installed strategy {point.value} cannot be loaded: {type(error).__name__}: {error}"
        ) from None
    if isinstance(home, (ModuleType, type)):
        check_home(home, part.name, game.slots)
    functions = slot_functions(home, game.slots) if isinstance(home, (ModuleType, type)) else {}
    if not functions:
        raise BadInputError(
            f"{part.name}: the installed {point.value} has no function named for a slot: {', '.join(game.slots)}"
        )
    ranges = ranges_of(home, part.name)
    return StrategyEntry(part.name, point.value, inspect.getdoc(home) or "", functions, False, ranges)
