"""What a policy's source says: where it is, what it can call, and what compiled code would do wrong in silence.

A view is writable for compiled code, so a store into it is looked for here, through aliases, loops and helpers. What no
reading of the source can see is found when a policy is tried out (see ``wool_rules/hold_policy.py``).
"""

import ast
import builtins
import dis
import inspect
import random
import tokenize
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any, Final

import numpy as np

from analyzer.errors import PolicyError

Dtype = np.dtype[Any]

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
    for node in _definitions(code.co_filename, _version(code.co_filename)):
        if node.name == code.co_name:
            first = min([node.lineno, *(d.lineno for d in node.decorator_list)])
            if first <= code.co_firstlineno <= node.lineno:
                return node
    raise PolicyError(f"{location(function)}: a policy must be written with def, in a file")


def _version(file: str) -> tuple[int, int]:
    """Return what tells the versions of a file apart."""
    try:
        state = Path(file).stat()
    except OSError:
        return 0, 0
    return state.st_mtime_ns, state.st_size


@cache
def _definitions(file: str, _changed: tuple[int, int]) -> list[ast.FunctionDef]:
    """Return the functions that a file defines, wherever in it."""
    try:
        with tokenize.open(file) as text:  # heeds the file's declared encoding
            tree = ast.parse(text.read(), filename=file)
    except (OSError, SyntaxError):
        return []
    return [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]


@cache
def global_names(function: FunctionType) -> frozenset[str]:
    """Return the names that a function, or one inside it, looks up among the globals; local names are not."""

    def names_of(code: CodeType) -> set[str]:
        found = {step.argval for step in dis.get_instructions(code) if step.opname == "LOAD_GLOBAL"}
        for constant in code.co_consts:
            if isinstance(constant, CodeType):
                found |= names_of(constant)
        return found

    return frozenset(names_of(function.__code__))


@cache
def helpers_of(function: FunctionType) -> dict[str, FunctionType]:
    """Return the plain functions that a function calls by a global name."""
    found = ((name, function.__globals__.get(name)) for name in sorted(global_names(function)))
    return {name: target for name, target in found if isinstance(target, FunctionType)}


def reachable(function: FunctionType) -> list[FunctionType]:
    """Return a function and all plain functions it can come to call."""
    found = [function]
    for known in found:
        found += [helper for helper in helpers_of(known).values() if helper not in found]
    return found


def substance(function: FunctionType) -> list[str]:
    """Return what decides how a function answers: itself, all it can call, and the constants these take from outside.

    Free of paths, line numbers and comments, so that it is the same wherever and whenever the same source is read.
    """
    texts = []
    for known in reachable(function):
        tree = definition(known)
        texts.append(ast.unparse(tree))
        outside = [node for node in ast.walk(tree) if isinstance(node, (ast.Name, ast.Attribute))]
        found = {ast.unparse(node): _resolve(node, known) for node in outside}
        found |= inspect.getclosurevars(known).nonlocals
        found["="] = [known.__defaults__, sorted((known.__kwdefaults__ or {}).items())]
        values = {name: constant_text(value) for name, value in found.items()}
        texts += [f"{name} = {values[name]}" for name in sorted(values) if values[name]]
    return texts


def constant_text(value: Any) -> str:
    """Return a number, text, list or array in full, for anything else nothing."""
    if isinstance(value, (np.ndarray, np.generic)):
        return f"{value.dtype.str} {value.tolist()!r}"
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(map(constant_text, value))}]"
    return repr(value) if isinstance(value, (bool, int, float, str)) else ""


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
    return f"asks the view for {name!r}, which it does not show; there are {', '.join(sorted(fields))}"


@cache
def check_source(function: FunctionType, view: Dtype) -> None:
    """Refuse a policy that stores into its view, keeps state, prints, or uses chance beside the draws.

    Parameters
    ----------
    function : function
        Takes a view first.
    view : structured dtype
        That view.

    Raises
    ------
    PolicyError
        With the line.
    """
    arguments = definition(function).args
    first = (arguments.posonlyargs + arguments.args)[0].arg
    for known in reachable(function):
        _check_statements(known)
    _check_view(function, {first: view}, set())


@cache
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
            target = _resolve(node, function)
            if _is_chance(target):
                raise refuse(function, node, f"uses {ast.unparse(node)}: {_FOREIGN_CHANCE}")
            if target is builtins.print:
                raise refuse(function, node, "prints; a policy only answers")
        kept = _changed_global(node, function)
        if kept is not None:
            raise refuse(function, node, f"changes {kept}, which lives outside it; a policy keeps no state")


def _changed_global(node: ast.AST, function: FunctionType) -> str | None:
    """Return the global list or array that a node stores into, None if it does not."""
    owner: ast.AST | None = None
    if isinstance(node, ast.Subscript) and isinstance(node.ctx, (ast.Store, ast.Del)):
        owner = node.value
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _MUTATING:
        owner = node.func.value
    while isinstance(owner, ast.Subscript):
        owner = owner.value
    return owner.id if isinstance(owner, ast.Name) and owner.id in global_names(function) else None


_FOREIGN_CHANCE: Final = f"chance comes only from the view's {DRAWS_FIELD}, so that every game can be played again"


def _check_view(function: FunctionType, views: dict[str, Dtype], seen: set[object]) -> None:
    """Refuse stores into the view and fields it does not have; `views` are the arguments that are part of a view."""
    key = (function, tuple(sorted((name, str(kind)) for name, kind in views.items())))
    if key in seen:
        return
    seen.add(key)
    nodes = list(ast.walk(definition(function)))
    parts = _parts(nodes, views)
    for node in nodes:
        if isinstance(node, ast.Attribute):
            owner = _part(node.value, parts)
            if owner is not None and owner.names and node.attr not in owner.names:
                raise refuse(function, node, no_field(node.attr, owner.names))
        if _stores(node, parts):
            raise refuse(function, node, "stores into its view; policies only read")
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            helper = helpers_of(function).get(node.func.id)
            if helper is not None:
                _check_view(helper, _arguments_that_are_parts(helper, node, parts), seen)


def _parts(nodes: list[ast.AST], views: dict[str, Dtype]) -> dict[str, Dtype]:
    """Return the names that stand for the view, a record or an array in it.

    A name that stands for something else elsewhere in the function is left out: what is stored through it is found when
    the policy is tried out.
    """
    parts = dict(views)
    while True:  # aliases of aliases, until there are no more
        bound = [pair for node in nodes for pair in _bindings(node, parts)]
        more = {name: part for name, part in bound if part is not None and name not in parts}
        if not more:
            return {name: part for name, part in parts.items() if (name, None) not in bound}
        parts |= more


def _bindings(node: ast.AST, parts: dict[str, Dtype]) -> Iterable[tuple[str, Dtype | None]]:
    """Yield the names that a statement binds, each with the part of the view that it then is."""
    if isinstance(node, ast.Assign):
        for target in node.targets:
            yield from _bound(target, node.value, parts)
    elif isinstance(node, (ast.AnnAssign, ast.NamedExpr)) and node.value is not None:
        yield from _bound(node.target, node.value, parts)
    elif isinstance(node, (ast.For, ast.comprehension)):
        if isinstance(node.iter, (ast.Tuple, ast.List)):
            for item in node.iter.elts:
                yield from _bound(node.target, item, parts)
        elif isinstance(node.target, ast.Name):
            yield node.target.id, _element(_part(node.iter, parts))


def _bound(target: ast.AST, value: ast.AST, parts: dict[str, Dtype]) -> Iterable[tuple[str, Dtype | None]]:
    if isinstance(target, ast.Name):
        yield target.id, _part(value, parts)
    elif isinstance(target, (ast.Tuple, ast.List)):
        if isinstance(value, (ast.Tuple, ast.List)):
            for one, its in zip(target.elts, value.elts, strict=False):
                yield from _bound(one, its, parts)
        else:
            element = _element(_part(value, parts))
            yield from ((one.id, element) for one in target.elts if isinstance(one, ast.Name))


def _arguments_that_are_parts(helper: FunctionType, call: ast.Call, parts: dict[str, Dtype]) -> dict[str, Dtype]:
    """Return the helper's arguments that a call gives the view or a part of it."""
    arguments = definition(helper).args
    taken = [a.arg for a in arguments.posonlyargs + arguments.args]
    given = list(zip(taken, call.args, strict=False)) + [(k.arg, k.value) for k in call.keywords if k.arg]
    found = {name: _part(value, parts) for name, value in given}
    return {name: part for name, part in found.items() if part is not None}


def _element(part: Dtype | None) -> Dtype | None:
    """Return what an element of an array is: a record, or None for a number."""
    if part is None or part.subdtype is None:
        return None
    element = part.subdtype[0]
    return element if element.names else None


def _part(node: ast.AST, parts: dict[str, Dtype]) -> Dtype | None:
    """Return the dtype of the record or array of a view that an expression is; None for anything else."""
    if isinstance(node, ast.Name):
        return parts.get(node.id)
    if isinstance(node, ast.Attribute):
        owner = _part(node.value, parts)
        field = owner.fields[node.attr][0] if owner is not None and owner.fields and node.attr in owner.fields else None
        return field if field is not None and (field.subdtype or field.names) else None
    if isinstance(node, ast.Subscript):
        array = _part(node.value, parts)
        return array if isinstance(node.slice, ast.Slice) else _element(array)
    if isinstance(node, ast.IfExp):
        return _part(node.body, parts) or _part(node.orelse, parts)
    return _part(node.value, parts) if isinstance(node, ast.NamedExpr) else None


def _stores(node: ast.AST, parts: dict[str, Dtype]) -> bool:
    """Whether a node stores into the view: no other thing in compiled code has attributes to store to."""
    if isinstance(node, ast.Attribute) and isinstance(node.ctx, (ast.Store, ast.Del)):
        return True
    if isinstance(node, ast.Subscript) and isinstance(node.ctx, (ast.Store, ast.Del)):
        return _part(node.value, parts) is not None
    if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
        return node.target.id in parts
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _MUTATING:
        return _part(node.func.value, parts) is not None
    return False


def _resolve(node: ast.AST, function: FunctionType) -> Any:
    """Return the object a global name or a chain of attributes of modules stands for, None if it is none."""
    if isinstance(node, ast.Name):
        known = function.__globals__.get(node.id, getattr(builtins, node.id, None))
        return known if node.id in global_names(function) else None
    if isinstance(node, ast.Attribute):
        owner = _resolve(node.value, function)
        return getattr(owner, node.attr, None) if isinstance(owner, ModuleType) else None
    return None


def _is_chance(target: Any) -> bool:
    """Whether an object is a module of chance, a generator, or a function of one."""
    generators = (random.Random, np.random.RandomState, np.random.Generator)
    owner = getattr(target, "__self__", None)
    return target is random or target is np.random or isinstance(target, generators) or isinstance(owner, generators)
