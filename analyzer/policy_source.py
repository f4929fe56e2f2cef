"""What a policy's source says: where it is, what it can call, and what compiled code would do wrong in silence.

A view is writable for compiled code, so a store into it is looked for here, through aliases, loops and helpers. What no
reading of the source can see is found when a policy is tried out (see ``wool_rules/hold_policy.py``).
"""

import ast
import builtins
import random
import tokenize
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from types import FunctionType, ModuleType
from typing import Any, Final

import numpy as np

from analyzer.errors import PolicyError

DRAWS_FIELD: Final = "draws"
"""Field of a view that holds its uniform numbers: a policy that reads it is a policy of chance."""

_MUTATING: Final = frozenset({"fill", "sort", "put", "itemset", "partition", "resize", "setfield", "append", "extend"})
"""Methods that change what they are called on."""


def location(function: Callable[..., Any], line: int | None = None) -> str:
    """Return ``file:line`` of a function, the file as the user named it."""
    code = function.__code__
    return f"{code.co_filename}:{line or code.co_firstlineno}"


@cache
def definition(function: FunctionType) -> ast.FunctionDef:
    """Return the syntax tree of a function, from its file as it was when first asked for.

    Raises
    ------
    PolicyError
        For a function that was not written with ``def`` in a file.
    """
    code = function.__code__
    try:
        with tokenize.open(code.co_filename) as file:  # heeds the file's declared encoding
            tree = ast.parse(file.read(), filename=code.co_filename)
    except (OSError, SyntaxError):
        tree = ast.Module([], [])
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and node.name == code.co_name:
            first = min([node.lineno, *(d.lineno for d in node.decorator_list)])
            if first <= code.co_firstlineno <= node.lineno:
                return node
    raise PolicyError(f"{location(function)}: a policy must be written with def, in a file")


@cache
def helpers_of(function: FunctionType) -> dict[str, FunctionType]:
    """Return the plain functions that a function calls by a global name."""
    names = {node.id for node in ast.walk(definition(function)) if isinstance(node, ast.Name)}
    found = ((name, function.__globals__.get(name)) for name in sorted(names))
    return {name: target for name, target in found if isinstance(target, FunctionType)}


def reachable(function: FunctionType) -> list[FunctionType]:
    """Return a function and all plain functions it can come to call."""
    found = [function]
    for known in found:
        found += [helper for helper in helpers_of(known).values() if helper not in found]
    return found


def uses_draws(function: FunctionType) -> bool:
    """Return whether a function, or one it calls, reads the view's draws."""
    return any(
        (isinstance(node, ast.Attribute) and node.attr == DRAWS_FIELD)
        or (isinstance(node, ast.Constant) and node.value == DRAWS_FIELD)
        for known in reachable(function)
        for node in ast.walk(definition(known))
    )


def refuse(function: FunctionType, node: ast.AST, complaint: str) -> PolicyError:
    """Return the error that says where a function does what."""
    return PolicyError(f"{location(function, getattr(node, 'lineno', None))}: {function.__name__} {complaint}")


def no_field(name: str, fields: Iterable[str]) -> str:
    """Say that a view has no such field and which it has."""
    return f"asks the view for {name!r}, which it does not show; a dice action shows {', '.join(sorted(fields))}"


def check_source(function: FunctionType, fields: frozenset[str]) -> None:
    """Refuse a policy that stores into its view, keeps state, prints, or uses chance beside the draws.

    Parameters
    ----------
    function : function
        Takes a view first.
    fields : frozenset of str
        The fields of that view.

    Raises
    ------
    PolicyError
        With the line.
    """
    arguments = definition(function).args
    view = (arguments.posonlyargs + arguments.args)[0].arg
    for node in ast.walk(definition(function)):
        if (
            isinstance(node, ast.Attribute)
            and isinstance(node.value, ast.Name)
            and node.value.id == view
            and node.attr not in fields
        ):
            raise refuse(function, node, no_field(node.attr, fields))
    for known in reachable(function):
        _check_statements(known)
    _check_stores(function, frozenset({view}), set())


def _check_statements(function: FunctionType) -> None:
    """Refuse state, generators, late imports, printing and foreign chance."""
    for node in ast.walk(definition(function)):
        if isinstance(node, (ast.Global, ast.Nonlocal)):
            raise refuse(function, node, "changes a global name; a policy keeps no state")
        if isinstance(node, (ast.Yield, ast.YieldFrom, ast.Await)):
            raise refuse(function, node, "is a generator (yield); a policy returns one whole number")
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            raise refuse(function, node, "has an import inside; put it at the top of the file")
        if isinstance(node, (ast.Name, ast.Attribute)):
            target = _resolve(node, function.__globals__)
            if _is_chance(target):
                raise refuse(function, node, f"uses {ast.unparse(node)}: {_FOREIGN_CHANCE}")
            if target is builtins.print:
                raise refuse(function, node, "prints; a policy only answers")


_FOREIGN_CHANCE: Final = f"chance comes only from the view's {DRAWS_FIELD}, so that every game can be played again"


def _check_stores(
    function: FunctionType, views: frozenset[str], seen: set[tuple[FunctionType, frozenset[str]]]
) -> None:
    """Refuse stores into the view or a part of it; `views` are the arguments that are such."""
    if (function, views) in seen:
        return
    seen.add((function, views))
    nodes = list(ast.walk(definition(function)))
    names = set(views)
    while True:  # aliases of aliases, until there are no more
        more = {name for node in nodes for name in _aliases(node, names)} - names
        if not more:
            break
        names |= more
    for node in nodes:
        if _stores(node, names):
            raise refuse(function, node, "stores into its view; policies only read")
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            helper = helpers_of(function).get(node.func.id)
            if helper is not None:
                _check_stores(helper, _arguments_that_are_parts(helper, node, names), seen)


def _arguments_that_are_parts(helper: FunctionType, call: ast.Call, names: set[str]) -> frozenset[str]:
    """Return the helper's arguments that a call gives the view or a part of it."""
    arguments = definition(helper).args
    taken = [a.arg for a in arguments.posonlyargs + arguments.args]
    by_place = {name for name, value in zip(taken, call.args, strict=False) if _is_part(value, names)}
    return frozenset(by_place | {k.arg for k in call.keywords if k.arg and _is_part(k.value, names)})


def _aliases(node: ast.AST, names: set[str]) -> Iterable[str]:
    """Yield the names that a statement binds to the view or a part of it."""
    if isinstance(node, ast.Assign):
        for target in node.targets:
            yield from _bound(target, node.value, names)
    elif isinstance(node, (ast.AnnAssign, ast.NamedExpr)) and node.value is not None:
        yield from _bound(node.target, node.value, names)
    elif isinstance(node, (ast.For, ast.comprehension)):
        items = node.iter.elts if isinstance(node.iter, (ast.Tuple, ast.List)) else [node.iter]
        for item in items:
            if _is_part(item, names) and not _is_array(node.iter):
                yield from _bound(node.target, item, names)


def _bound(target: ast.AST, value: ast.AST, names: set[str]) -> Iterable[str]:
    if isinstance(target, (ast.Tuple, ast.List)):
        values = value.elts if isinstance(value, (ast.Tuple, ast.List)) else [value] * len(target.elts)
        for one, its in zip(target.elts, values, strict=False):
            yield from _bound(one, its, names)
    elif isinstance(target, ast.Name) and _is_part(value, names):
        yield target.id


def _is_array(node: ast.AST) -> bool:
    """Whether an expression is a field such as ``v.dice``, whose elements are numbers; seats are records."""
    return isinstance(node, ast.Attribute) and node.attr != "seats"


def _is_part(node: ast.AST, names: set[str]) -> bool:
    """Whether an expression is the view, a record or an array in it; a number read from it is not."""
    if isinstance(node, ast.Name):
        return node.id in names
    if isinstance(node, ast.Attribute):
        return _is_part(node.value, names)
    if isinstance(node, ast.Subscript):
        return _is_part(node.value, names) and (isinstance(node.slice, ast.Slice) or not _is_array(node.value))
    inside: list[ast.expr] = []
    if isinstance(node, ast.IfExp):
        inside = [node.body, node.orelse]
    elif isinstance(node, (ast.Tuple, ast.List)):
        inside = node.elts
    elif isinstance(node, ast.NamedExpr):
        inside = [node.value]
    return any(_is_part(part, names) for part in inside)


def _stores(node: ast.AST, names: set[str]) -> bool:
    """Whether a node stores into the view: no other thing in compiled code has attributes to store to."""
    if isinstance(node, ast.Attribute) and isinstance(node.ctx, (ast.Store, ast.Del)):
        return True
    if isinstance(node, ast.Subscript) and isinstance(node.ctx, (ast.Store, ast.Del)):
        return _is_part(node.value, names)
    if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
        return node.target.id in names
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _MUTATING:
        return _is_part(node.func.value, names)
    return False


def _resolve(node: ast.AST, names: Mapping[str, Any]) -> Any:
    """Return the object a global name or a chain of attributes of modules stands for, None if it is none."""
    if isinstance(node, ast.Name):
        return names.get(node.id, getattr(builtins, node.id, None))
    if isinstance(node, ast.Attribute):
        owner = _resolve(node.value, names)
        return getattr(owner, node.attr, None) if isinstance(owner, ModuleType) else None
    return None


def _is_chance(target: Any) -> bool:
    if target is random or target is np.random:
        return True
    if isinstance(target, (random.Random, np.random.RandomState, np.random.Generator)):
        return True
    owner = getattr(target, "__self__", None)
    return isinstance(owner, (random.Random, np.random.RandomState, np.random.Generator))
