"""How a plain Python function becomes a compiled policy, and what is checked on the way.

A policy is a function of a view and of its own parameters, given as keyword defaults: ``def bid(v, level=20): ...``.
Its user never imports numba. What a policy must not do is found in its source, or by the compiler, and said with file
and line: store into its view, use chance other than the view's draws, return anything but a whole number.
"""

import ast
import inspect
import math
import re
import threading
import warnings
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from types import FunctionType
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from analyzer.errors import BadInputError, PolicyError
from analyzer.policy_source import (
    check_source,
    definition,
    global_names,
    helpers_of,
    location,
    no_field,
    reachable,
    refuse,
    uses_draws,
)

if TYPE_CHECKING:
    from analyzer.jit import EntryPoint

Parameter = bool | int | float

MAX_PARAMETERS: Final = 48
"""Of one function of a strategy."""

_COMPILING: Final = threading.Lock()
"""Blocks run in threads; one of them compiles a policy, the others find it done."""

_LARGEST: Final = 1e100
"""Sums over all courses of the dice of anything larger could overflow."""

_LARGEST_WHOLE: Final = 2**53
"""Parameters travel as float64, which holds every whole number up to this."""


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
    if taken[0].name == "self":
        raise PolicyError(f"{where}: {function.__name__} takes self; a strategy's functions take the view first")
    found: dict[str, Parameter] = {}
    for parameter in taken[1:]:
        if parameter.kind in {kinds.VAR_POSITIONAL, kinds.VAR_KEYWORD}:
            raise PolicyError(f"{where}: {function.__name__} cannot take *{parameter.name}: name each parameter")
        if type(parameter.default) not in {bool, int, float}:
            raise PolicyError(
                f"{where}: parameter {parameter.name!r} of {function.__name__} needs a default that is a whole number, "
                "a number or a truth value"
            )
        if abs(parameter.default) > (_LARGEST_WHOLE if isinstance(parameter.default, int) else _LARGEST):
            raise PolicyError(
                f"{where}: the default of parameter {parameter.name!r} of {function.__name__} is too large"
            )
        found[parameter.name] = parameter.default
    if len(found) > MAX_PARAMETERS:
        raise PolicyError(f"{where}: {function.__name__} has {len(found)} parameters; {MAX_PARAMETERS} are possible")
    return found


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
        number = float(text) if text.isascii() else math.nan
    except ValueError:
        number = math.nan
    kind = "whole number" if isinstance(default, int) else "number"
    if not math.isfinite(number):
        raise BadInputError(f"parameter {name}={text}: a {kind} is needed")
    if not isinstance(default, int):
        if abs(number) > _LARGEST:
            raise BadInputError(f"parameter {name}={text}: at most {_LARGEST:g} in size is possible")
        return number
    if number != int(number) or abs(number) > _LARGEST_WHOLE:
        raise BadInputError(f"parameter {name}={text}: a whole number up to {_LARGEST_WHOLE} in size is needed")
    return int(number)


@dataclass(frozen=True)
class CompiledPolicy:
    """A policy ready for the kernels.

    Parameters
    ----------
    entry : EntryPoint
    parameters : float64 array
        Its parameters in order; changing one compiles nothing.
    """

    entry: "EntryPoint"
    parameters: NDArray[np.float64]

    @property
    def call(self) -> Callable[..., int]:
        """The compiled function (view, float64[::1]) -> int64."""
        return self.entry.call

    @property
    def address(self) -> int:
        """Where the form of it lies that games call, as long as this object lives."""
        with _COMPILING:
            return self.entry.address


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
    view : structured dtype
        Of its view.
    kept_for : tuple of paths, optional
        For policies of ours: folders whose sources decide about the compiled code, which is then kept between runs.
    truth : bool
        Whether it answers True or False; otherwise a whole number.
    """

    spec: str
    function: FunctionType
    parameters: Mapping[str, Parameter]
    view: np.dtype[Any]
    kept_for: tuple[Path, ...] | None = None
    truth: bool = False

    def __post_init__(self) -> None:
        if self.kept_for is None:  # ours are checked by a test
            check_source(self.function, self.view)

    @cached_property
    def uses_draws(self) -> bool:
        """Whether the function, or one it calls, reads the view's draws."""
        return uses_draws(self.function)

    @property
    def where(self) -> str:
        """``file:line`` of the function."""
        return location(self.function)

    def compile(self, view: Any, *, checked: bool = True) -> CompiledPolicy:
        """Compile for a view.

        Parameters
        ----------
        view : numba record type
        checked : bool
            Whether a user's policy is checked for reading outside an array; ours are tested for that.

        Raises
        ------
        PolicyError
            When the function cannot be compiled or may return something other than a whole number.
        """
        with _COMPILING:
            kinds = tuple(type(value) for value in self.parameters.values())
            compiled = _compile(self.function, view, kinds, self.kept_for, checked=checked, truth=self.truth)
        return CompiledPolicy(compiled, np.array([float(v) for v in self.parameters.values()]))


@dataclass(frozen=True, repr=False)
class Strategy:
    """Everything a player decides.

    Parameters
    ----------
    spec : str
        Its name with all parameters, and the slots that are played by others.
    policies : mapping
        One for every slot of the game.
    given : str
        The spec as it was given: shorter, for labels.
    """

    spec: str
    policies: Mapping[str, Policy]
    given: str

    def __repr__(self) -> str:
        return f"<Strategy: {self.spec!a}>"


_HOUSE: Final = Path(__file__).parent
"""Our own helpers, which policies may call, are kept between runs for users' policies too."""

_HELPERS: Final[dict[tuple[FunctionType, tuple[Path, ...] | None, bool], Any]] = {}
"""Helpers of policies, compiled once for all that call them."""


def _compilable(
    function: FunctionType,
    kept_for: tuple[Path, ...] | None,
    in_progress: tuple[FunctionType, ...] = (),
    *,
    checked: bool,
) -> FunctionType:
    """Return the function with the plain functions it calls replaced by compiled ones and global lists by tuples.

    The function itself when there are none.
    """
    from analyzer import jit

    replaced: dict[str, Any] = {}
    for name, target in helpers_of(function).items():
        if target is function or target in in_progress:
            raise PolicyError(f"{location(function)}: {function.__name__} calls itself; use a loop instead")
        ours = _HOUSE in Path(target.__code__.co_filename).parents
        sources = () if kept_for is None and ours and not checked else kept_for
        key = target, sources, checked
        if key not in _HELPERS:
            helper = _compilable(target, sources, (*in_progress, function), checked=checked)
            _HELPERS[key] = jit.policy(helper, sources, checked=checked)
        replaced[name] = _HELPERS[key]
    for name in global_names(function):
        value = function.__globals__.get(name)
        if isinstance(value, list):
            replaced[name] = _frozen(value)  # the compiler takes globals for constants, and knows tuples as such
    if not replaced:
        return function
    copy = FunctionType(
        function.__code__,
        {**function.__globals__, **replaced},
        function.__name__,
        function.__defaults__,
        function.__closure__,
    )
    copy.__kwdefaults__ = function.__kwdefaults__
    copy.__qualname__ = function.__qualname__
    return copy


def _frozen(value: Any) -> Any:
    """Return a list, and lists in it, as tuples."""
    return tuple(map(_frozen, value)) if isinstance(value, list) else value


@cache
def _compile(
    function: FunctionType,
    view: Any,
    kinds: tuple[type[Parameter], ...],
    kept_for: tuple[Path, ...] | None,
    *,
    checked: bool,
    truth: bool,
) -> "EntryPoint":
    from numba import types
    from numba.core.errors import NumbaTypeSafetyWarning

    from analyzer import jit

    numba_types = {bool: types.boolean, int: types.int64, float: types.float64}
    compiled: Any = jit.policy(_compilable(function, kept_for, checked=checked), kept_for, checked=checked)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", NumbaTypeSafetyWarning)
            compiled.compile((view, *(numba_types[kind] for kind in kinds)))
    except Exception as error:  # numba raises its own errors, KeyError for an unknown field, and others
        raise _refusal(function, view, error) from error
    _check_answer_type(function, compiled.nopython_signatures[0].return_type, truth=truth)
    # The engine's one signature: parameters arrive as float64 and are cast to the type of their default.
    casts = {bool: "parameters[{}] != 0.0", int: "int64(parameters[{}])", float: "parameters[{}]"}
    arguments = ", ".join(["view", *(casts[kind].format(i) for i, kind in enumerate(kinds))])
    source = f"def call(view, parameters):\n    return int64(policy({arguments}))\n"
    return jit.entry_point(source, {"policy": compiled, "int64": np.int64}, view, kept_for)


def _check_answer_type(function: FunctionType, answer: Any, *, truth: bool) -> None:
    """Refuse a policy whose inferred return type is not what is due; an imposed one would turn 2.7 into 2."""
    from numba import types

    unliteral: Any = types.unliteral
    answer = unliteral(answer)
    if isinstance(answer, types.Boolean if truth else types.Integer):
        return
    returns = [node for node in ast.walk(definition(function)) if isinstance(node, ast.Return)]
    line = returns[0].lineno if len(returns) == 1 else function.__code__.co_firstlineno
    if isinstance(answer, (types.Optional, types.NoneType)):
        kind = "sometimes returns None" if isinstance(answer, types.Optional) else "returns None"
        nothing = [n for n in returns if n.value is None or ast.unparse(n.value) == "None"]
        line = nothing[0].lineno if nothing else function.__code__.co_firstlineno
    else:
        kinds = {
            types.Float: "returns a number with a fraction (a float)",
            types.Boolean: "returns a truth value",
            types.Integer: "returns a whole number",
            types.UnicodeType: "returns a text",
            types.BaseTuple: "returns several values",
            types.Record: "returns the view",
        }
        kind = next((words for of, words in kinds.items() if isinstance(answer, of)), "returns something else")
    raise PolicyError(
        f"{location(function, line)}: {function.__name__} {kind}; its answer must be "
        f"{'True or False' if truth else 'a whole number'} on every path"
    )


def _refusal(function: FunctionType, view: Any, error: Exception) -> PolicyError:
    """Return the compiler's complaint in one line, with the last place it names in the user's file."""
    text = str(error).replace(str(view), "the view")
    unknown = [str(error.args[0])] if isinstance(error, KeyError) else re.findall(r"Unknown attribute '(\w+)' of", text)
    for name in unknown:  # a field that the view, or a part of it, does not have
        place = _mention(function, "attr", name)
        if place:
            return refuse(*place, no_field(name, view.fields))
    for name in re.findall(r"name '(\w+)' is not defined", text):
        place = _mention(function, "id", name)
        if place:
            return refuse(*place, f"uses {name!r}, which is not defined")
    line = function.__code__.co_firstlineno
    for named, number in re.findall(r'File "([^"]+)", line (\d+)', text):
        if Path(named).name == Path(function.__code__.co_filename).name:
            line = int(number)
    reason = next((words for sign, words in _IN_WORDS.items() if re.search(sign, text)), None)
    reason = reason or next(iter(_reasons(text)), "the compiler knows no such operation on such values")
    return PolicyError(f"{location(function, line)}: {function.__name__} cannot be compiled: {reason}")


def _mention(function: FunctionType, field: str, name: str) -> tuple[FunctionType, ast.AST] | None:
    """Return where a function, or one it calls, first has `name` as an attribute ("attr") or a name ("id")."""
    for known in reachable(function):
        for node in ast.walk(definition(known)):
            if getattr(node, field, None) == name:
                return known, node
    return None


_IN_WORDS: Final = {
    r">>> array\(nestedarray": "np.array cannot take a part of the view; write v.dice.copy()",
    r"OptionalType": "something may be None here; start with a number, such as -1",
    r"yield in a closure": "it has a generator expression; write a list, [...], instead",
    r"class 'dict'": "it uses a dictionary of the file; write a tuple or ifs",
}
"""What some complaints of the compiler mean."""

_NOISE: Final = re.compile(
    r"Failed in|During:|File |Invalid use|>>>|- |Overload|No implementation|<|Raised from|There are \d+ candidate"
)


def _reasons(text: str) -> Iterator[str]:
    """Yield the lines of a compiler's message that say something to a person."""
    for line in text.splitlines():
        stripped = re.sub(r"\x1b\[[0-9;]*m", "", line).strip()
        if stripped and not _NOISE.match(stripped):
            yield stripped if len(stripped) <= 200 else stripped[:197] + "..."
