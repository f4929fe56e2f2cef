"""Names of strategies, and the specs that name them with parameters.

Slots that a strategy leaves out are filled from the game's default strategy, with its defaults.
"""

from collections.abc import Mapping
from pathlib import Path
from types import FunctionType
from typing import Final

from analyzer.errors import BadInputError
from analyzer.game import Game
from analyzer.slots import Parameter, Policy, Strategy, parameters_of
from strategies.entries import Ranges, entry_of, function_in, installed_entries, strategy_entries
from strategies.games import MAIN, house_of
from strategies.specs import Part, fill, parse_part, split_slots, unknown, written
from strategies.user_files import load

OUR_SOURCES: Final = (Path(__file__).parent,)
"""Decide about the compiled code of our own policies."""


def strategy(spec: str, game: Game = MAIN) -> Strategy:
    """Return the strategy of a game that a spec names, every slot filled.

    Raises
    ------
    BadInputError
        Unknown name, file, slot or parameter, or a value of the wrong type.
    PolicyError
        For a function that is no policy.
    """
    first, parts = split_slots(spec, game.slots)
    part = parse_part(first)
    entry = entry_of(part, game)
    parameters = fill(part, entry.parameters, "strategy")
    _check_ranges(part, parameters, entry.ranges)
    policies = {
        slot: policy_of(game, part.text, slot, function, parameters, ours=entry.ours)
        for slot, function in entry.functions.items()
    }
    full = [written(entry.name, parameters)]
    for slot, text in parts.items():
        policies[slot] = policy = _slot_policy(game, slot, parse_part(text))
        full.append(f"{slot}={policy.spec}")
    defaults = strategy_entries(game)[house_of(game).default]
    for slot, function in defaults.functions.items():
        if slot not in policies:
            policies[slot] = policy_of(game, defaults.name, slot, function, defaults.parameters, ours=True)
    return Strategy("/".join(full), {slot: policies[slot] for slot in game.slots}, spec.strip())


def _check_ranges(part: Part, values: Mapping[str, Parameter], ranges: Ranges) -> None:
    for name, value in values.items():
        low, high = ranges.get(name, (value, value))
        if not low <= value <= high:
            raise BadInputError(f"{part.text}: {name}={value}: {low:g} to {high:g} is needed")


def policy_of(
    game: Game, spec: str, slot: str, function: FunctionType, values: Mapping[str, Parameter], *, ours: bool
) -> Policy:
    """Return a function as the policy of a slot; `values` may be more than its parameters."""
    mine = {name: values[name] for name in parameters_of(function)}
    kept_for = OUR_SOURCES if ours else None
    return Policy(spec, function, mine, game.view, kept_for, truth=slot in game.truth_slots)


def _slot_policy(game: Game, slot: str, part: Part) -> Policy:
    """Return the policy that replaces one slot of a strategy; its spec has all parameters."""
    rules = house_of(game).rules_for(slot) if part.file is None else {}
    if part.name in rules:
        return rules[part.name](part)
    ranges: Ranges = {}
    if part.file is not None and isinstance(load(part.file).get(part.name), FunctionType):
        function, ours, name = function_in(part), False, f"{part.file}:{part.name}"
    else:
        known = strategy_entries(game)
        if rules and part.name not in {*known, *installed_entries(game)}:
            raise BadInputError(unknown(f"{slot} rule or strategy", part.name, [*rules, *known]))
        entry = entry_of(part, game)
        if slot not in entry.functions:
            has = ", ".join(entry.functions)
            raise BadInputError(f"/{slot}={part.text}: {entry.name} has no function for {slot}; it has {has}")
        function, ours, name, ranges = entry.functions[slot], entry.ours, entry.name, entry.ranges
    parameters = fill(part, parameters_of(function), "function")
    _check_ranges(part, parameters, ranges)
    return policy_of(game, written(name, parameters), slot, function, parameters, ours=ours)
