"""Names of strategies and hold rules, and the specs that name them with parameters.

A strategy of ours is a module in the folder of its game: its functions are named for slots, its name is the module's
with hyphens. Slots that a strategy leaves out are filled from `plain`, with its defaults. A user's own strategy is a
class (functions without self) or a whole file of such functions; installed packages offer theirs through the
entry-point group ``woolsim.strategies``.
"""

import importlib
import inspect
import pkgutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.metadata import entry_points
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any, Final, TypeVar

from analyzer.errors import BadInputError, PolicyError
from analyzer.slots import Parameter, Policy, Strategy, parameters_of
from analyzer.wool_rules.constants import CHIPS_TOTAL
from analyzer.wool_rules.hold_rules import HoldRule, HoldTables, PolicyRule, SolvedRule
from analyzer.wool_rules.state import SLOTS, TRUTH_SLOTS
from analyzer.wool_rules.terms import Values
from analyzer.wool_rules.views import ACTION_VIEW_DTYPE, VIEW_DTYPE
from strategies.specs import Part, fill, parse_part, split_slots, unknown, written
from strategies.user_files import load

F = TypeVar("F", bound=Callable[..., object])

_OUR_SOURCES: Final = (Path(__file__).parent,)

DEFAULTS: Final = "plain"
"""The strategy whose functions fill the slots that another leaves out."""

ENTRY_POINT_GROUP: Final = "woolsim.strategies"


@dataclass(frozen=True)
class HoldEntry:
    """A built-in hold rule.

    Parameters
    ----------
    name : str
    function : function
        A policy, or for a solved rule a function that returns the values.
    solved : bool
    mixture : callable, optional
        For a policy of chance: the tables it plays equally often.
    """

    name: str
    function: FunctionType
    solved: bool
    mixture: Callable[[], HoldTables] | None = None

    @property
    def summary(self) -> str:
        """First line of the docstring."""
        return first_line(self.function)

    @property
    def parameters(self) -> dict[str, Parameter]:
        """Parameters and their defaults."""
        if not self.solved:
            return parameters_of(self.function)
        return {name: p.default for name, p in inspect.signature(self.function).parameters.items()}


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
    """

    name: str
    where: str
    doc: str
    functions: dict[str, FunctionType]
    ours: bool

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


def first_line(function: Callable[..., object]) -> str:
    """Return the first line of a docstring."""
    return (inspect.getdoc(function) or "").split("\n", 1)[0]


_HOLDS: Final[dict[str, HoldEntry]] = {}


def solved_hold(name: str) -> Callable[[F], F]:
    """Register a function of parameters (`chips` among them) that returns Values as a hold rule."""

    def register(function: F) -> F:
        assert isinstance(function, FunctionType)
        _HOLDS[name] = HoldEntry(name, function, solved=True)
        return function

    return register


def policy_hold(name: str, mixture: Callable[[], HoldTables] | None = None) -> Callable[[F], F]:
    """Register a policy as a hold rule."""

    def register(function: F) -> F:
        assert isinstance(function, FunctionType)
        _HOLDS[name] = HoldEntry(name, function, solved=False, mixture=mixture)
        return function

    return register


def hold_entries() -> list[HoldEntry]:
    """Return the built-in hold rules in the order in which they are written."""
    import strategies.wool_rules.holds  # noqa: F401 - registers them

    return list(_HOLDS.values())


def hold_rule(spec: str) -> HoldRule:
    """Return the hold rule that a spec names, for a dice action on its own.

    Raises
    ------
    BadInputError
        Unknown name, file, function or parameter, or a value of the wrong type.
    PolicyError
        For a function that is no policy.
    """
    part = parse_part(spec)
    if part.file is not None:
        function = _function_in(part)
        parameters = fill(part, parameters_of(function), "rule")
        return PolicyRule(Policy(part.text, function, parameters, ACTION_VIEW_DTYPE))
    entries = {entry.name: entry for entry in hold_entries()}
    if part.name not in entries:
        raise BadInputError(unknown("hold rule", part.name, entries) + "; a rule of your own is given as FILE.py:NAME")
    entry = entries[part.name]
    if entry.solved:
        values, chips, _ = _solved(part, entry)
        return SolvedRule(part.text, values, chips, "chips" in part.given)
    policy = Policy(part.text, entry.function, fill(part, entry.parameters, "rule"), ACTION_VIEW_DTYPE, _OUR_SOURCES)
    return PolicyRule(policy, entry.mixture() if entry.mixture else None)


def _solved(part: Part, entry: HoldEntry) -> tuple[Values, int, dict[str, Parameter]]:
    """Return the values, the chips counted on and all parameters of a solved hold rule."""
    parameters = fill(part, entry.parameters, "rule")
    values, chips = entry.function(**parameters), int(parameters["chips"])
    assert isinstance(values, Values)
    if not 0 <= chips <= CHIPS_TOTAL:
        raise BadInputError(f"{part.text}: chips={chips}: 0 to {CHIPS_TOTAL} is needed")
    return values, chips, parameters


def _function_in(part: Part) -> FunctionType:
    """Return the function of a user's file that a part of a spec names."""
    assert part.file is not None
    functions = {name: value for name, value in load(part.file).items() if isinstance(value, FunctionType)}
    if not part.name:
        listed = ", ".join(functions) or "none"
        raise BadInputError(f"{part.file}: name a function, as in {part.file}:NAME; functions in it: {listed}")
    if part.name not in functions:
        raise BadInputError(f"{part.file}: {unknown('function', part.name, functions)}")
    return functions[part.name]


@cache
def strategy_entries() -> Mapping[str, StrategyEntry]:
    """Return the built-in strategies of Wool Rules by name, the reference ones first."""
    import strategies.wool_rules as house

    found = {}
    for info in pkgutil.iter_modules(house.__path__):
        module = importlib.import_module(f"{house.__name__}.{info.name}")
        functions = slot_functions(module)
        if functions:
            name = info.name.replace("_", "-")
            found[name] = StrategyEntry(name, "built-in", inspect.getdoc(module) or "", functions, ours=True)
    first = [DEFAULTS, "random", "value"]
    return {name: found[name] for name in sorted(found, key=lambda n: (n not in first, n))}


def installed_entries() -> dict[str, Any]:
    """Return the entry points through which installed packages offer strategies, by name."""
    return {point.name: point for point in entry_points(group=ENTRY_POINT_GROUP)}


def strategies_by_name() -> list[StrategyEntry]:
    """Return the built-in strategies and those of installed packages."""
    return [
        *strategy_entries().values(),
        *(_entry_installed(parse_part(name), point) for name, point in installed_entries().items()),
    ]


def slot_functions(home: ModuleType | type | Mapping[str, object]) -> dict[str, FunctionType]:
    """Return the functions of a module, class or file that are named for a slot."""
    names = home if isinstance(home, Mapping) else vars(home)
    found = {}
    for slot in SLOTS:
        function = names.get(slot)
        if isinstance(function, staticmethod):
            function = function.__func__
        if isinstance(function, FunctionType):
            found[slot] = function
    return found


def entry_of(part: Part) -> StrategyEntry:
    """Return the strategy that a part of a spec names.

    Raises
    ------
    BadInputError
        When there is none of that name, or it has no function named for a slot.
    """
    if part.file is not None:
        return _entry_in_file(part)
    ours, installed = strategy_entries(), installed_entries()
    if part.name in ours:
        return ours[part.name]
    if part.name in installed:
        return _entry_installed(part, installed[part.name])
    raise BadInputError(
        unknown("strategy", part.name, [*ours, *installed]) + "; one of your own is given as FILE.py:NAME"
    )


def _entry_in_file(part: Part) -> StrategyEntry:
    assert part.file is not None
    defined = load(part.file)
    classes = {name: value for name, value in defined.items() if isinstance(value, type) and slot_functions(value)}
    if not part.name:
        functions = slot_functions(defined)
        if functions:
            return StrategyEntry(part.file, part.file, "", functions, ours=False)
        known = ", ".join(classes) or "none"
        raise BadInputError(
            f"{part.file}: has no function named for a slot ({', '.join(SLOTS)}); strategies (classes) in it: {known}"
        )
    home = defined.get(part.name)
    if isinstance(home, FunctionType) and part.name in SLOTS:
        functions, doc = {part.name: home}, inspect.getdoc(home)
    elif isinstance(home, type):
        functions, doc = slot_functions(home), inspect.getdoc(home)
    elif home is not None:
        raise BadInputError(
            f"{part.file}: {part.name} is a function; a strategy is a class with functions named for slots "
            f"({', '.join(SLOTS)}); for one slot write {DEFAULTS}/SLOT={part.file}:{part.name}"
        )
    else:
        raise BadInputError(f"{part.file}: {unknown('strategy', part.name, classes)}")
    if not functions:
        raise BadInputError(f"{part.file}: {part.name} has no function named for a slot: {', '.join(SLOTS)}")
    return StrategyEntry(f"{part.file}:{part.name}", part.file, doc or "", functions, ours=False)


def _entry_installed(part: Part, point: Any) -> StrategyEntry:
    try:
        home = point.load()
    except Exception as error:  # whatever an installed package may raise
        raise BadInputError(
            f"{part.name}: the installed strategy {point.value} cannot be loaded: {type(error).__name__}: {error}"
        ) from None
    functions = slot_functions(home) if isinstance(home, (ModuleType, type)) else {}
    if not functions:
        raise BadInputError(
            f"{part.name}: the installed {point.value} has no function named for a slot: {', '.join(SLOTS)}"
        )
    return StrategyEntry(part.name, point.value, inspect.getdoc(home) or "", functions, ours=False)


def strategy(spec: str) -> Strategy:
    """Return the strategy that a spec names, every slot filled.

    Raises
    ------
    BadInputError
        Unknown name, file, slot or parameter, or a value of the wrong type.
    PolicyError
        For a function that is no policy.
    """
    first, parts = split_slots(spec, SLOTS)
    part = parse_part(first)
    entry = entry_of(part)
    parameters = fill(part, entry.parameters, "strategy")
    policies = {
        slot: _policy(part.text, slot, function, parameters, ours=entry.ours)
        for slot, function in entry.functions.items()
    }
    full = [written(entry.name, parameters)]
    for slot, text in parts.items():
        policies[slot] = policy = _slot_policy(slot, parse_part(text))
        full.append(f"{slot}={policy.spec}")
    defaults = strategy_entries()[DEFAULTS]
    for slot, function in defaults.functions.items():
        if slot not in policies:
            policies[slot] = _policy(DEFAULTS, slot, function, defaults.parameters, ours=True)
    return Strategy("/".join(full), {slot: policies[slot] for slot in SLOTS})


def _policy(spec: str, slot: str, function: FunctionType, values: Mapping[str, Parameter], *, ours: bool) -> Policy:
    mine = {name: values[name] for name in parameters_of(function)}
    kept_for = _OUR_SOURCES if ours else None
    return Policy(spec, function, mine, VIEW_DTYPE, kept_for, truth=slot in TRUTH_SLOTS)


def _slot_policy(slot: str, part: Part) -> Policy:
    """Return the policy that replaces one slot of a strategy; its spec has all parameters."""
    holds = {entry.name: entry for entry in hold_entries()} if slot == "hold" and part.file is None else {}
    if part.name in holds:
        return _game_hold(part, holds[part.name])
    if part.file is not None and isinstance(load(part.file).get(part.name), FunctionType):
        function, ours, name = _function_in(part), False, f"{part.file}:{part.name}"
    else:
        if part.file is None and slot == "hold" and part.name not in {*strategy_entries(), *installed_entries()}:
            raise BadInputError(unknown("hold rule or strategy", part.name, [*holds, *strategy_entries()]))
        entry = entry_of(part)
        if slot not in entry.functions:
            has = ", ".join(entry.functions)
            raise BadInputError(f"/{slot}={part.text}: {entry.name} has no function for {slot}; it has {has}")
        function, ours, name = entry.functions[slot], entry.ours, entry.name
    parameters = fill(part, parameters_of(function), "function")
    return _policy(written(name, parameters), slot, function, parameters, ours=ours)


def _game_hold(part: Part, entry: HoldEntry) -> Policy:
    """Return a built-in hold rule as a policy for games; a solved one counts on no more chips than its seat has."""
    from strategies.wool_rules.holds import solved_die

    if not entry.solved:
        parameters = fill(part, entry.parameters, "rule")
        return _policy(written(entry.name, parameters), "hold", entry.function, parameters, ours=True)
    values, chips, parameters = _solved(part, entry)
    at_stake = dict(zip(("three", "two", "one", "fail", "under14"), values.outcomes(), strict=True))
    numbers: dict[str, Parameter] = {**at_stake, "chip": values.chip, "chips": chips, "by_cards": values.by_cards}
    assert isinstance(solved_die, FunctionType)
    return _policy(written(entry.name, parameters), "hold", solved_die, numbers, ours=True)
