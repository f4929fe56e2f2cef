"""Names of strategies and hold rules, and the specs that name them with parameters.

Slots that a strategy leaves out are filled from `plain`, with its defaults.
"""

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import FunctionType
from typing import Final, TypeVar

from analyzer.errors import BadInputError
from analyzer.slots import Parameter, Policy, Strategy, parameters_of
from analyzer.wool_rules.constants import CHIPS_TOTAL
from analyzer.wool_rules.hold_rules import HoldRule, HoldTables, PolicyRule, SolvedRule
from analyzer.wool_rules.state import SLOTS, TRUTH_SLOTS
from analyzer.wool_rules.terms import Values
from analyzer.wool_rules.views import ACTION_VIEW_DTYPE, VIEW_DTYPE
from strategies.entries import DEFAULTS, Ranges, entry_of, installed_entries, strategy_entries
from strategies.specs import Part, fill, parse_part, split_slots, unknown, written
from strategies.user_files import load

F = TypeVar("F", bound=Callable[..., object])

_OUR_SOURCES: Final = (Path(__file__).parent,)


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
    _check_ranges(part, parameters, entry.ranges)
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
    return Strategy("/".join(full), {slot: policies[slot] for slot in SLOTS}, spec.strip())


def _check_ranges(part: Part, values: Mapping[str, Parameter], ranges: Ranges) -> None:
    for name, value in values.items():
        low, high = ranges.get(name, (value, value))
        if not low <= value <= high:
            raise BadInputError(f"{part.text}: {name}={value}: {low:g} to {high:g} is needed")


def _policy(spec: str, slot: str, function: FunctionType, values: Mapping[str, Parameter], *, ours: bool) -> Policy:
    mine = {name: values[name] for name in parameters_of(function)}
    kept_for = _OUR_SOURCES if ours else None
    return Policy(spec, function, mine, VIEW_DTYPE, kept_for, truth=slot in TRUTH_SLOTS)


def _slot_policy(slot: str, part: Part) -> Policy:
    """Return the policy that replaces one slot of a strategy; its spec has all parameters."""
    holds = {entry.name: entry for entry in hold_entries()} if slot == "hold" and part.file is None else {}
    if part.name in holds:
        return _game_hold(part, holds[part.name])
    ranges: Ranges = {}
    if part.file is not None and isinstance(load(part.file).get(part.name), FunctionType):
        function, ours, name = _function_in(part), False, f"{part.file}:{part.name}"
    else:
        if part.file is None and slot == "hold" and part.name not in {*strategy_entries(), *installed_entries()}:
            raise BadInputError(unknown("hold rule or strategy", part.name, [*holds, *strategy_entries()]))
        entry = entry_of(part)
        if slot not in entry.functions:
            has = ", ".join(entry.functions)
            raise BadInputError(f"/{slot}={part.text}: {entry.name} has no function for {slot}; it has {has}")
        function, ours, name, ranges = entry.functions[slot], entry.ours, entry.name, entry.ranges
    parameters = fill(part, parameters_of(function), "function")
    _check_ranges(part, parameters, ranges)
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
