"""How a plain Python function becomes a compiled policy, and what is checked on the way.

A policy is a function of a view and of its own parameters, given as keyword defaults: ``def bid(v, level=20): ...``.
Its user never imports numba. What a policy must not do is found in its source, or by the compiler, and said with file
and line: store into its view, use chance other than the view's draws, return anything but a whole number.
"""

import ast
import inspect
import math
import random
import re
import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from analyzer.errors import BadInputError, PolicyError

Parameter = bool | int | float

_COMPILING: Final = threading.Lock()
"""Blocks run in threads; one of them compiles a policy, the others find it done."""

DRAWS_FIELD: Final = "draws"
"""Field of a view that holds its uniform numbers: a policy that reads it is a policy of chance."""


def parameters_of(function: Callable[..., Any]) -> dict[str, Parameter]:
    """Return a policy's parameters and their defaults.

    Raises
    ------
    PolicyError
        When the function does not take a view first, or a parameter's default is not a number or truth value.
    """
    where = location(function)
    kinds = inspect.Parameter
    taken = list(inspect.signature(function).parameters.values())
    if not taken or taken[0].kind not in {kinds.POSITIONAL_ONLY, kinds.POSITIONAL_OR_KEYWORD}:
        raise PolicyError(f"{where}: {function.__name__} must take the view as its first argument")
    found: dict[str, Parameter] = {}
    for parameter in taken[1:]:
        if parameter.kind in {kinds.VAR_POSITIONAL, kinds.VAR_KEYWORD}:
            raise PolicyError(f"{where}: {function.__name__} cannot take *{parameter.name}: name each parameter")
        if not isinstance(parameter.default, (bool, int, float)):
            raise PolicyError(
                f"{where}: parameter {parameter.name!r} of {function.__name__} needs a default that is a whole number, "
                "a number or a truth value"
            )
        found[parameter.name] = parameter.default
    return found


def location(function: Callable[..., Any], line: int | None = None) -> str:
    """Return ``file:line`` of a function, the file as the user named it."""
    code = inspect.unwrap(function).__code__
    return f"{code.co_filename}:{line or code.co_firstlineno}"


def cast_parameter(name: str, text: str, default: Parameter) -> Parameter:
    """Read a parameter's value as the type of its default.

    Raises
    ------
    BadInputError
        For a value that is not of that type; a number with a fraction is not a whole number.
    """
    if isinstance(default, bool):
        known = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}
        if text.lower() in known:
            return known[text.lower()]
        raise BadInputError(f"parameter {name}={text}: true or false is needed")
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise BadInputError(f"parameter {name}={text}: a number is needed")
    if not isinstance(default, int):
        return number
    if number != int(number) or abs(number) > 2**53:
        raise BadInputError(f"parameter {name}={text}: a whole number is needed")
    return int(number)


@dataclass(frozen=True)
class CompiledPolicy:
    """A policy ready for the kernels.

    Parameters
    ----------
    call : compiled function (view, float64[::1]) -> int64
    parameters : float64 array
        Its parameters in order; changing one compiles nothing.
    """

    call: Callable[..., int]
    parameters: NDArray[np.float64]


@dataclass(frozen=True)
class Policy:
    """A plain function with values for its parameters.

    Parameters
    ----------
    spec : str
        What its user calls it.
    function : function
        Plain Python.
    parameters : mapping
        A value for every parameter.
    fields : frozenset of str
        Names of the fields of its view.
    kept_for : tuple of paths, optional
        For policies of ours: folders whose sources decide about the compiled code, which is then kept between runs.
    """

    spec: str
    function: FunctionType
    parameters: Mapping[str, Parameter]
    fields: frozenset[str]
    kept_for: tuple[Path, ...] | None = None

    def __post_init__(self) -> None:
        for reached in _reachable(self.function):
            _check_source(reached, self.fields if reached is self.function else None)

    @cached_property
    def uses_draws(self) -> bool:
        """Whether the function, or one it calls, reads the view's draws."""
        return any(
            (isinstance(node, ast.Attribute) and node.attr == DRAWS_FIELD)
            or (isinstance(node, ast.Constant) and node.value == DRAWS_FIELD)
            for function in _reachable(self.function)
            for node in ast.walk(_definition(function))
        )

    @property
    def where(self) -> str:
        """``file:line`` of the function."""
        return location(self.function)

    def compile(self, view: Any) -> CompiledPolicy:
        """Compile for a view.

        Parameters
        ----------
        view : numba record type

        Raises
        ------
        PolicyError
            When the function cannot be compiled or may return something other than a whole number.
        """
        with _COMPILING:
            compiled = _compile(self.function, view, tuple(type(v) for v in self.parameters.values()), self.kept_for)
        return CompiledPolicy(compiled, np.array([float(v) for v in self.parameters.values()]))


def _reachable(function: FunctionType) -> list[FunctionType]:
    """Return a function and all plain functions it can call by a global name."""
    found = [function]
    for known in found:
        names = {node.id for node in ast.walk(_definition(known)) if isinstance(node, ast.Name)}
        for name in sorted(names):
            target = known.__globals__.get(name)
            if isinstance(target, FunctionType) and target not in found:
                found.append(target)
    return found


@cache
def _parsed(file: str) -> ast.Module:
    return ast.parse(Path(file).read_text(encoding="utf-8"), filename=file)


def _definition(function: FunctionType) -> ast.FunctionDef:
    """Return the syntax tree of a function."""
    code = function.__code__
    for node in ast.walk(_parsed(code.co_filename)):
        if isinstance(node, ast.FunctionDef) and node.name == code.co_name:
            first = min([node.lineno, *(d.lineno for d in node.decorator_list)])
            if first <= code.co_firstlineno <= node.lineno:
                return node
    raise PolicyError(f"{location(function)}: a policy must be written with def, in a file")


def _check_source(function: FunctionType, fields: frozenset[str] | None) -> None:
    """Refuse what compiled code would do in silence: storing into the view, and chance that is not in the draws."""
    definition = _definition(function)
    view = definition.args.args[0].arg if fields is not None and definition.args.args else None
    parts_of_view: set[str] = {view} if view else set()
    for node in ast.walk(definition):
        if isinstance(node, ast.Assign) and _is_part(node.value, parts_of_view):
            parts_of_view |= {target.id for target in node.targets if isinstance(target, ast.Name)}
        if (
            isinstance(node, (ast.Attribute, ast.Subscript))
            and isinstance(node.ctx, (ast.Store, ast.Del))
            and _is_part(node, parts_of_view)
        ):
            raise PolicyError(
                f"{location(function, node.lineno)}: {function.__name__} stores into its view; policies only read"
            )
        if isinstance(node, (ast.Name, ast.Attribute)) and _is_chance(_resolve(node, function.__globals__)):
            raise PolicyError(
                f"{location(function, node.lineno)}: {function.__name__} uses {ast.unparse(node)}; chance comes only "
                f"from the view's {DRAWS_FIELD}, so that every game can be played again"
            )
        if (
            fields is not None
            and isinstance(node, ast.Attribute)
            and isinstance(node.value, ast.Name)
            and node.value.id == view
            and node.attr not in fields
        ):
            raise PolicyError(
                f"{location(function, node.lineno)}: the view has no field {node.attr!r}; "
                f"a dice action shows {', '.join(sorted(fields))}"
            )


def _is_part(node: ast.AST, parts_of_view: set[str]) -> bool:
    """Whether an expression is a view or a piece of one: such a name, or fields and elements of anything.

    An attribute that is stored to belongs to a view whatever its name: nothing else in compiled code has attributes.
    """
    while isinstance(node, (ast.Attribute, ast.Subscript)):
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, (ast.Store, ast.Del)):
            return True
        node = node.value
    return isinstance(node, ast.Name) and node.id in parts_of_view


def _resolve(node: ast.AST, names: Mapping[str, Any]) -> Any:
    """Return the object a global name or a chain of attributes of modules stands for, None if it is none."""
    if isinstance(node, ast.Name):
        return names.get(node.id)
    if isinstance(node, ast.Attribute):
        owner = _resolve(node.value, names)
        return getattr(owner, node.attr, None) if isinstance(owner, ModuleType) else None
    return None


def _is_chance(target: Any) -> bool:
    if target is random or target is np.random:
        return True
    owner = getattr(target, "__self__", None)
    return isinstance(owner, (random.Random, np.random.RandomState, np.random.Generator))


def _compilable(function: FunctionType, in_progress: tuple[FunctionType, ...] = ()) -> FunctionType:
    """Return the function with the plain functions it calls replaced by compiled ones.

    The function itself when it calls none.
    """
    from analyzer import jit

    helpers = {}
    for name, target in function.__globals__.items():
        if isinstance(target, FunctionType) and name in function.__code__.co_names:
            if target is function or target in in_progress:
                raise PolicyError(f"{location(function)}: {function.__name__} calls itself; use a loop instead")
            helpers[name] = jit.policy(_compilable(target, (*in_progress, function)))
    if not helpers:
        return function
    copy = FunctionType(
        function.__code__,
        {**function.__globals__, **helpers},
        function.__name__,
        function.__defaults__,
        function.__closure__,
    )
    copy.__kwdefaults__ = function.__kwdefaults__
    copy.__qualname__ = function.__qualname__
    return copy


@cache
def _compile(
    function: FunctionType, view: Any, kinds: tuple[type[Parameter], ...], kept_for: tuple[Path, ...] | None
) -> Callable[..., int]:
    from numba import types
    from numba.core.errors import NumbaError

    from analyzer import jit

    numba_types = {bool: types.boolean, int: types.int64, float: types.float64}
    compiled: Any = jit.policy(_compilable(function), kept_for)
    try:
        compiled.compile((view, *(numba_types[kind] for kind in kinds)))
    except NumbaError as error:
        raise PolicyError(_compiler_message(function, view, str(error))) from error
    _check_answer_type(function, compiled.nopython_signatures[0].return_type)
    # The engine's one signature: parameters arrive as float64 and are cast to the type of their default.
    casts = {bool: "parameters[{}] != 0.0", int: "int64(parameters[{}])", float: "parameters[{}]"}
    arguments = ", ".join(["view", *(casts[kind].format(i) for i, kind in enumerate(kinds))])
    source = f"def call(view, parameters):\n    return int64(policy({arguments}))\n"
    return jit.entry_point(source, {"policy": compiled, "int64": np.int64}, view, kept_for)


def _check_answer_type(function: FunctionType, answer: Any) -> None:
    """Refuse a policy whose inferred return type is not a whole number; an imposed one would turn 2.7 into 2."""
    from numba import types

    if isinstance(answer, types.Integer):
        return
    definition = _definition(function)
    returns = [node for node in ast.walk(definition) if isinstance(node, ast.Return)]
    line = function.__code__.co_firstlineno
    if isinstance(answer, (types.Optional, types.NoneType)):
        kind = "sometimes returns None" if isinstance(answer, types.Optional) else "returns None"
        nothing = [n for n in returns if n.value is None or ast.unparse(n.value) == "None"]
        line = nothing[0].lineno if nothing else line
    else:
        kind = {types.Float: "returns a number with a fraction (a float)", types.Boolean: "returns a truth value"}.get(
            type(answer), f"returns {answer}"
        )
        line = returns[0].lineno if len(returns) == 1 else line
    raise PolicyError(
        f"{location(function, line)}: {function.__name__} {kind}; its answer must be a whole number on every path"
    )


def _compiler_message(function: FunctionType, view: Any, text: str) -> str:
    """Return the compiler's complaint in one line, with the last place it names in the user's file."""
    file = function.__code__.co_filename
    line = function.__code__.co_firstlineno
    for named, number in re.findall(r'File "([^"]+)", line (\d+)', text):
        if Path(named).name == Path(file).name:
            line = int(number)
    text = text.replace(str(view), "the view")
    reason = next(iter(_reasons(text)), "no reason given")
    return f"{location(function, line)}: {function.__name__} cannot be compiled: {reason}"


_NOISE: Final = re.compile(r"Failed in|During:|File |Invalid use|>>>|- |Overload|No implementation")


def _reasons(text: str) -> Iterator[str]:
    """Yield the lines of a compiler's message that say something to a person."""
    for line in text.splitlines():
        stripped = re.sub(r"\x1b\[[0-9;]*m", "", line).strip()
        if stripped and not _NOISE.match(stripped):
            yield stripped if len(stripped) <= 200 else stripped[:197] + "..."
