"""Users' own files: what functions and classes they define."""

import contextlib
import sys
import traceback
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import FunctionType, ModuleType

from analyzer.errors import BadInputError


def load(file: str) -> dict[str, FunctionType | type]:
    """Return the functions and classes that a user's file defines, by name; an edited file is read again.

    Raises
    ------
    BadInputError
        When there is no such file, it cannot be read, or running it fails, with its line.
    """
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
def _run(file: str, _changed: int, _size: int) -> dict[str, FunctionType | type]:
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
        if (isinstance(value, FunctionType) and value.__code__.co_filename == file)
        or (isinstance(value, type) and value.__module__ == module.__name__)
    }
