"""The only place where numba's options are chosen, and where compiled code is kept between runs.

numba does not notice that a *callee* in another module changed, nor an imported constant: with its plain cache it would
go on returning old results. So compiled code is only ever kept in a folder named after a hash of our sources and the
versions of numba and Python. Change a source file, and nothing old is found.
"""

import functools
import hashlib
import platform
import tempfile
import threading
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Final, TypeVar, cast

import numba
import numpy as np
from llvmlite import ir
from numba import types
from numba.core import event
from numba.core.errors import NumbaExperimentalFeatureWarning
from numba.extending import intrinsic
from numpy.typing import NDArray

from analyzer.kept_code import NAME_LENGTH, cache_root
from analyzer.policy_calls import lean_address

F = TypeVar("F", bound=Callable[..., Any])

# numba says at the first call that first-class functions are experimental; its minor version is pinned for that.
warnings.filterwarnings("ignore", "First-class function type feature is experimental", NumbaExperimentalFeatureWarning)


@functools.cache
def _cache_folder(sources: tuple[Path, ...]) -> Path | None:
    """Return the writable folder for code compiled from `sources`, None where nothing can be kept."""
    root = cache_root()
    if root is None:
        return None
    digest = hashlib.sha256(f"{numba.__version__} {platform.python_version()}".encode())
    for source in sources:
        for file in sorted(source.rglob("*.py")):
            digest.update(file.relative_to(source).as_posix().encode() + b"\0" + file.read_bytes())
    folder = root / digest.hexdigest()[:NAME_LENGTH]
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder) as probe:
            probe.write(bytes(_ROOM_NEEDED))
    except OSError:
        return None  # a read-only home or a full disk: compile again rather than fail
    return folder


@contextmanager
def _numba_cache_in(folder: Path) -> Iterator[None]:
    """Let numba keep what is decorated inside this block in `folder`; a user's own functions are not touched."""
    settings: Any = numba.config
    before = settings.CACHE_DIR
    settings.CACHE_DIR = str(folder)
    try:
        yield
    finally:
        settings.CACHE_DIR = before


INT: Final = types.int64
UINT: Final = types.uint64
BOOL: Final = types.boolean
INT_ARRAY: Final = types.int64[::1]
FLOAT_ARRAY: Final = types.float64[::1]
FLOAT_BLOCKS: Final = types.float64[:, :, ::1]
INT_TABLE: Final = types.int64[:, ::1]
ADDRESS_TABLE: Final = types.uint64[:, ::1]
INT_BLOCKS: Final = types.int64[:, :, ::1]
INT_GRIDS: Final = types.int64[:, :, :, ::1]
RESULT_ARRAY: Final = types.int32[:, :, :, ::1]
RESULT_ARRAYS: Final = types.int32[:, :, :, :, ::1]
CODE_ARRAY: Final = types.int8[::1]

_ROOM_NEEDED: Final = 1 << 20
"""Bytes that must fit into the folder of compiled code."""

ENGINE_SOURCES: Final = (Path(__file__).parent,)


def kernel(function: F) -> F:
    """Compile a kernel: runs without the GIL, kept between runs, division by zero is not checked.

    The compiled function is called like the plain one; the plain one stays reachable as ``function.py_func``.
    """
    return _compiled(function, ENGINE_SOURCES, nogil=True, error_model="numpy")


def inlined(function: F) -> F:
    """Compile a helper that is inlined into the kernels that call it.

    Python cannot call it but as ``function.py_func``: forms for Python would take a fifth of the time of compiling.
    """
    njit: Any = numba.njit
    only_for_kernels = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
    return cast("F", njit(forceinline=True, error_model="numpy", **only_for_kernels)(function))


def _trailing_zeros(typing_context: Any, bits: Any) -> Any:  # noqa: ARG001 - numba's
    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 0))

    return types.int64(types.uint64), generate


trailing_zeros: Final = cast("Callable[[Any], int]", intrinsic(_trailing_zeros))
"""Return how many zeros follow the last one of 64 bits, 64 if all are; one machine instruction. For kernels only."""


def _natural(typing_context: Any, number: Any) -> Any:  # noqa: ARG001 - numba's
    def generate(context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        zero = context.get_constant(types.int64, 0)
        builder.assume(builder.icmp_signed(">=", arguments[0], zero))
        return arguments[0]

    return types.int64(types.int64), generate


natural: Final = cast("Callable[[Any], int]", intrinsic(_natural))
"""Return a number and promise that it is not negative: as an index it need not count from the end. For kernels only."""


def _unlikely(typing_context: Any, condition: Any) -> Any:  # noqa: ARG001 - numba's
    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        bit = ir.IntType(1)
        expect = builder.module.declare_intrinsic("llvm.expect", (bit,), ir.FunctionType(bit, (bit, bit)))
        return builder.call(expect, (arguments[0], ir.Constant(bit, 0)))

    return types.boolean(types.boolean), generate


unlikely: Final = cast("Callable[[Any], bool]", intrinsic(_unlikely))
"""Return a condition, and promise that it is hardly ever true. For kernels only.

What is done then is laid out of the way, so that what is nearly always done lies in one piece: games are 4 % faster.
"""


def policy(function: F, sources: tuple[Path, ...] | None = None, *, checked: bool = True) -> F:
    """Compile a policy with Python's own rules for errors: division by zero raises.

    Parameters
    ----------
    function : function
        Plain Python.
    sources : tuple of paths, optional
        Folders whose Python files decide about the result, for policies of ours; without it nothing is kept.
    checked : bool
        Whether a policy that is not ours is checked for reading outside an array; ours are tested for that.
    """
    if sources is None:
        return _compiled(function, None, nogil=True, boundscheck=checked)
    return _compiled(function, ENGINE_SOURCES + sources, nogil=True)


def _compiled(function: F, sources: tuple[Path, ...] | None, **options: Any) -> F:
    return cast("F", _njit(function, _cache_folder(sources) if sources else None, **options))


def _njit(function: Callable[..., Any], folder: Path | None, *signature: Any, **options: Any) -> Any:
    """Compile with the result kept in a folder, or not at all."""
    njit: Any = numba.njit
    if folder is None:
        return njit(*signature, **options)(function)
    with _numba_cache_in(folder):
        dispatcher = njit(cache=True, **options)(function)
    _tolerate_damage(dispatcher._cache)
    if signature:
        dispatcher.compile(*signature)
        dispatcher.disable_compile()
    return dispatcher


def _tolerate_damage(cache: Any) -> None:
    """Let numba compile again where kept code cannot be read: a torn file, a file from elsewhere."""
    load = cache.load_overload

    def load_or_forget(*arguments: Any) -> Any:
        try:
            return load(*arguments)
        except Exception:  # unpickling something torn may raise anything
            cache.flush()
            return None

    cache.load_overload = load_or_forget


@dataclass(frozen=True, eq=False)
class EntryPoint:
    """A policy with the one signature of all policies.

    Parameters
    ----------
    call : compiled function (view, float64[::1]) -> int64
    """

    call: Callable[..., int]
    _address: Callable[[], int]

    @cached_property
    def address(self) -> int:
        """Where what games call lies (:func:`~analyzer.policy_calls.policy_call`), as long as this object lives.

        The first use compiles it, unless it was kept.
        """
        return int(self._address())


def entry_point(source: str, names: dict[str, Any], view: Any, sources: tuple[Path, ...] | None = None) -> EntryPoint:
    """Compile a function ``call(view, parameters)`` to the one signature of all policies.

    Parameters
    ----------
    source : str
        Python that defines `call`, made by us.
    names : dict
        What `call` refers to; changed in place.
    view : numba record type
    sources : tuple of paths, optional
        As in :func:`policy`. numba keeps only functions that lie in a file, so the source is then written to one beside
        the compiled code, once, under a name made of its text and of what it refers to.
    """
    folder = _cache_folder(ENGINE_SOURCES + sources) if sources else None
    file, kept_as = "<entry point of a policy>", ""
    source += "\n\ndef address():\n    return lean_address(call)\n"
    if folder is not None:
        refers_to = sorted(f"{value.__module__}.{value.__qualname__}" for value in names.values())
        kept_as = f"entry_{hashlib.sha256(repr((source, refers_to)).encode()).hexdigest()[:20]}"
        kept = folder / f"{kept_as}.py"
        folder.mkdir(parents=True, exist_ok=True)  # `woolsim cache clear` may have removed it meanwhile
        try:
            with kept.open("x", encoding="utf-8") as out:
                out.write(source)
        except FileExistsError:
            pass
        file = str(kept)
    names |= {"__name__": __name__, "lean_address": lean_address}  # numba imports this module to fetch the functions
    exec(compile(source, file, "exec"), names)  # noqa: S102 - built from our own words only
    call, address = names["call"], names["address"]
    if kept_as:
        # Two that other processes kept may have the same symbol, and the linker would take one for the other.
        call.__qualname__, address.__qualname__ = kept_as, f"{kept_as}_address"
    names["call"] = _njit(call, folder, policy_signature(view), nogil=True)
    return EntryPoint(names["call"], _njit(address, folder))


class PluggedKernel:
    """A kernel that takes a policy as an argument and serves every policy with one compilation.

    Its signature is explicit, so that numba passes the policy as a first-class function instead of compiling the kernel
    again for each; it is compiled, or fetched from what was kept, at the first call.

    Parameters
    ----------
    function : function
        Plain Python; its first argument is the policy.
    argument_types : tuple
        numba's types of all arguments.
    """

    def __init__(self, function: Callable[..., Any], argument_types: tuple[Any, ...]) -> None:
        self._dispatcher: Any = kernel(function)
        self._argument_types = argument_types
        self._lock = threading.Lock()

    @property
    def dispatcher(self) -> Any:
        """Numba's dispatcher behind this kernel."""
        return self._dispatcher

    def prepare(self) -> None:
        """Compile the kernel, or fetch it, unless that has been done."""
        with self._lock:
            if not self._dispatcher.signatures:
                self._dispatcher.compile(self._argument_types)
                self._dispatcher.disable_compile()

    def __call__(self, *arguments: Any) -> Any:
        """Run the kernel."""
        if not self._dispatcher.signatures:
            self.prepare()
        return self._dispatcher(*arguments)


def explicit_kernel(*argument_types: Any) -> Callable[[Callable[..., Any]], PluggedKernel]:
    """Return a decorator for a kernel of exactly these argument types, policies among them."""
    return lambda function: PluggedKernel(function, argument_types)


def plugged_kernel(view: Any, *argument_types: Any) -> Callable[[Callable[..., Any]], PluggedKernel]:
    """Return a decorator for a kernel of (policy, parameters, array of one view, further arguments).

    Parameters
    ----------
    view : numba record type
        What the policy sees.
    *argument_types
        numba's types of the further arguments.
    """
    fixed = (types.FunctionType(policy_signature(view)), FLOAT_ARRAY, view[::1])
    return lambda function: PluggedKernel(function, fixed + argument_types)


@contextmanager
def noticing_compilation(begun: Callable[[], None]) -> Iterator[None]:
    """Call `begun` when something is compiled inside this block, rather than fetched from what was kept."""

    class Listener(event.Listener):
        def on_start(self, event: Any) -> None:  # noqa: ARG002 - numba's
            begun()

        def on_end(self, event: Any) -> None:
            pass

    with event.install_listener("numba:compile", Listener()):
        yield


def needs_compiling(function: Any) -> bool:
    """Return whether calling a kernel now would compile it, because neither this process nor the kept code has it."""
    dispatcher = getattr(function, "dispatcher", function)
    if dispatcher.signatures:
        return False
    kept_in = dispatcher.stats.cache_path
    code = dispatcher.py_func.__code__
    name = f"{Path(code.co_filename).stem}.{code.co_qualname}-{code.co_firstlineno}."
    return kept_in is None or not any(Path(kept_in).glob(f"{name}*.nbc"))


_PAGE: Final = 4096
"""Bytes after which addresses look alike to a processor that asks whether a load must wait for a store before it."""


def blank_records(dtype: np.dtype[Any], n: int = 1, offset: int = 0) -> NDArray[np.void]:
    """Return an array of records of zeros that begins `offset` bytes after the start of a page.

    What is much used in records that are used together should not lie at the same place of a page: by chance it did in
    some processes, which were slower by several percent.
    """
    room = np.zeros(dtype.itemsize * n + 2 * _PAGE, np.uint8)
    start = -room.ctypes.data % _PAGE + offset
    records: NDArray[np.void] = room[start : start + dtype.itemsize * n].view(dtype)
    return records


def record_type(dtype: Any) -> Any:
    """Return numba's type of a record of a structured dtype."""
    return numba.from_dtype(dtype)


def policy_signature(view: Any) -> Any:
    """Return the one signature of all policies on a view: (view, float64[::1]) -> int64."""
    return types.int64(view, FLOAT_ARRAY)
