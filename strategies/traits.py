"""What can be said about a strategy from its source."""

import ast
from typing import Final

from analyzer.policy_source import definition, reachable
from analyzer.slots import Strategy

MEMORY_FIELDS: Final = frozenset({"white", "black", "n_white", "n_370", "n_007"})
"""Fields of a seat that only memory could tell; the rule memory = "table" hides them."""


def is_stochastic(strategy: Strategy) -> bool:
    """Whether one of its functions draws."""
    return any(policy.uses_draws for policy in strategy.policies.values())


def uses_memory(strategy: Strategy) -> bool:
    """Whether one of its functions reads what seats have taken before."""
    return any(
        isinstance(node, ast.Attribute) and node.attr in MEMORY_FIELDS
        for policy in strategy.policies.values()
        for function in reachable(policy.function)
        for node in ast.walk(definition(function))
    )
