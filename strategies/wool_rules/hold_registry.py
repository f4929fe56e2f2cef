"""Hold rules that have a name: registered by decorators, found by specs, and made policies of games."""

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from types import FunctionType
from typing import Final, TypeVar

from analyzer.errors import BadInputError
from analyzer.slots import Parameter, Policy, parameters_of
from analyzer.wool_rules.constants import CHIPS_TOTAL
from analyzer.wool_rules.game import WOOL_RULES
from analyzer.wool_rules.hold_rules import HoldRule, HoldTables, PolicyRule, SolvedRule
from analyzer.wool_rules.terms import Values
from analyzer.wool_rules.views import ACTION_VIEW_DTYPE
from strategies.entries import function_in
from strategies.games import SlotRules
from strategies.registry import OUR_SOURCES, policy_of
from strategies.specs import Part, fill, parse_part, unknown, written

F = TypeVar("F", bound=Callable[..., object])


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
        function = function_in(part)
        parameters = fill(part, parameters_of(function), "rule")
        return PolicyRule(Policy(part.text, function, parameters, ACTION_VIEW_DTYPE))
    entries = {entry.name: entry for entry in hold_entries()}
    if part.name not in entries:
        raise BadInputError(unknown("hold rule", part.name, entries) + "; a rule of your own is given as FILE.py:NAME")
    entry = entries[part.name]
    if entry.solved:
        values, chips, _ = _solved(part, entry)
        return SolvedRule(part.text, values, chips, "chips" in part.given)
    policy = Policy(part.text, entry.function, fill(part, entry.parameters, "rule"), ACTION_VIEW_DTYPE, OUR_SOURCES)
    return PolicyRule(policy, entry.mixture() if entry.mixture else None)


def _solved(part: Part, entry: HoldEntry) -> tuple[Values, int, dict[str, Parameter]]:
    """Return the values, the chips counted on and all parameters of a solved hold rule."""
    parameters = fill(part, entry.parameters, "rule")
    values, chips = entry.function(**parameters), int(parameters["chips"])
    assert isinstance(values, Values)
    if not 0 <= chips <= CHIPS_TOTAL:
        raise BadInputError(f"{part.text}: chips={chips}: 0 to {CHIPS_TOTAL} is needed")
    return values, chips, parameters


def hold_policies() -> SlotRules:
    """Return what makes policies for games of the built-in hold rules, by name."""
    return {entry.name: partial(_game_hold, entry=entry) for entry in hold_entries()}


def _game_hold(part: Part, entry: HoldEntry) -> Policy:
    """Return a built-in hold rule as a policy for games; a solved one counts on no more chips than its seat has."""
    from strategies.wool_rules.holds import solved_die

    if not entry.solved:
        parameters = fill(part, entry.parameters, "rule")
        return policy_of(WOOL_RULES, written(entry.name, parameters), "hold", entry.function, parameters, ours=True)
    values, chips, parameters = _solved(part, entry)
    at_stake = dict(zip(("three", "two", "one", "fail", "under14"), values.outcomes(), strict=True))
    numbers: dict[str, Parameter] = {**at_stake, "chip": values.chip, "chips": chips, "by_cards": values.by_cards}
    assert isinstance(solved_die, FunctionType)
    return policy_of(WOOL_RULES, written(entry.name, parameters), "hold", solved_die, numbers, ours=True)
