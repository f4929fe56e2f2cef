"""Names of rules, spec strings such as ``fixed-values:three=3,chip=0.5``, and users' own files.

A spec is ``NAME[:param=value,...]``, or ``file.py:NAME[:param=value,...]`` for a function in a user's file.
"""

import contextlib
import difflib
import inspect
import re
import sys
import traceback
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Final, TypeVar

from analyzer.errors import BadInputError
from analyzer.slots import Parameter, Policy, cast_parameter, parameters_of
from analyzer.wool_rules.constants import CHIPS_TOTAL
from analyzer.wool_rules.hold_rules import HoldRule, HoldTables, PolicyRule, SolvedRule
from analyzer.wool_rules.terms import Values
from analyzer.wool_rules.views import ACTION_VIEW_DTYPE

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
        return (inspect.getdoc(self.function) or "").splitlines()[0]

    @property
    def parameters(self) -> dict[str, Parameter]:
        """Parameters and their defaults."""
        if not self.solved:
            return parameters_of(self.function)
        return {name: p.default for name, p in inspect.signature(self.function).parameters.items()}


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
    """Return the hold rule that a spec names.

    Raises
    ------
    BadInputError
        Unknown name, file, function or parameter, or a value of the wrong type.
    PolicyError
        For a function that is no policy.
    """
    spec = spec.strip()
    in_file = re.match(r"(?P<file>.+?\.py)(?::(?P<rest>.*))?$", spec, re.DOTALL)
    if in_file:
        name, given = _split(in_file["rest"] or "", spec)
        function = _function_in(in_file["file"], name)
        parameters = _fill(spec, parameters_of(function), given)
        return PolicyRule(Policy(spec, function, parameters, ACTION_VIEW_DTYPE))
    name, given = _split(spec, spec)
    entries = {entry.name: entry for entry in hold_entries()}
    if name not in entries:
        raise BadInputError(_unknown("hold rule", name, entries) + "; a rule of your own is given as FILE.py:NAME")
    entry = entries[name]
    parameters = _fill(spec, entry.parameters, given)
    if not entry.solved:
        policy = Policy(spec, entry.function, parameters, ACTION_VIEW_DTYPE, _OUR_SOURCES)
        return PolicyRule(policy, entry.mixture() if entry.mixture else None)
    values, chips = entry.function(**parameters), parameters["chips"]
    assert isinstance(values, Values)
    if not 0 <= chips <= CHIPS_TOTAL:
        raise BadInputError(f"{spec}: chips={chips}: 0 to {CHIPS_TOTAL} is needed")
    return SolvedRule(spec, values, int(chips), "chips" in given)


def _split(text: str, spec: str) -> tuple[str, dict[str, str]]:
    """Split ``NAME[:param=value,...]``."""
    name, colon, rest = text.partition(":")
    given: dict[str, str] = {}
    for part in rest.split(",") if colon else ():
        key, equals, value = (piece.strip() for piece in part.partition("="))
        if not (key and equals and value):
            raise BadInputError(f"{spec}: {part!r} is not param=value")
        if key in given:
            raise BadInputError(f"{spec}: {key} is given twice")
        given[key] = value
    return name.strip(), given


def _fill(spec: str, defaults: dict[str, Parameter], given: dict[str, str]) -> dict[str, Parameter]:
    """Return a value for every parameter."""
    for name in given:
        if name not in defaults:
            if not defaults:
                raise BadInputError(f"{spec}: unknown parameter {name!r}; the rule has no parameters")
            raise BadInputError(f"{spec}: {_unknown('parameter', name, defaults)}")
    try:
        return {
            name: cast_parameter(name, given[name], default) if name in given else default
            for name, default in defaults.items()
        }
    except BadInputError as error:
        raise BadInputError(f"{spec}: {error}") from None


def _unknown(what: str, name: str, known: Iterable[str]) -> str:
    """Say that a name is unknown, which one is near, and which are known."""
    known = list(known)
    by_lower_case = {each.lower(): each for each in known}
    near = difflib.get_close_matches(name.lower(), by_lower_case, n=1, cutoff=0.5)
    hint = f"did you mean {by_lower_case[near[0]]}? " if near else ""
    return f"unknown {what} {name!r}; {hint}known: {', '.join(known) or 'none'}"


def _function_in(file: str, name: str) -> FunctionType:
    """Return a function of a user's file."""
    functions = _load(file)
    if not name:
        listed = ", ".join(functions) or "none"
        raise BadInputError(f"{file}: name a function, as in {file}:NAME; functions in it: {listed}")
    if name not in functions:
        raise BadInputError(f"{file}: {_unknown('function', name, functions)}")
    return functions[name]


def _load(file: str) -> dict[str, FunctionType]:
    """Return the functions that a user's file defines, by name; an edited file is read again."""
    path = Path(file)
    try:
        state = path.stat()
    except FileNotFoundError:
        raise BadInputError(f"{file}: there is no such file") from None
    except (OSError, ValueError) as error:
        raise BadInputError(f"{file}: {getattr(error, 'strerror', None) or error}") from None
    if not path.is_file():
        raise BadInputError(f"{file}: is not a file")
    return _run(file, state.st_mtime_ns, state.st_size)


@contextlib.contextmanager
def _importing_from(folder: Path) -> Iterator[None]:
    """Let imports find a folder, after everything that is installed."""
    sys.path.append(str(folder))
    try:
        yield
    finally:
        sys.path.remove(str(folder))


@cache
def _run(file: str, _changed: int, _size: int) -> dict[str, FunctionType]:
    """Run a user's file; the time of its last change and its size tell its versions apart."""
    path = Path(file)
    module = ModuleType(f"woolsim_user_{path.stem}")
    module.__file__ = file
    try:
        code = compile(path.read_bytes(), file, "exec")
    except (SyntaxError, ValueError) as error:
        line = getattr(error, "lineno", None) or 1
        raise BadInputError(f"{file}:{line}: {getattr(error, 'msg', error)}") from None
    except OSError as error:
        raise BadInputError(f"{file}: cannot be read: {error.strerror}") from None
    try:
        # What the file prints must not get into a table; it may import its neighbours, as a script may.
        with contextlib.redirect_stdout(sys.stderr), _importing_from(path.absolute().parent):
            exec(code, module.__dict__)  # noqa: S102 - running the user's own file is what was asked for
    except (Exception, SystemExit) as error:
        lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == file]
        raise BadInputError(
            f"{file}:{lines[-1] if lines else 1}: running the file failed with {type(error).__name__}: {error}"
        ) from None
    return {
        name: value
        for name, value in vars(module).items()
        if isinstance(value, FunctionType) and value.__code__.co_filename == file
    }
