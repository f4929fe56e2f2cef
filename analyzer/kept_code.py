"""Where compiled code is kept between runs, and how it is removed; numba is not needed for either."""

import os
import re
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from analyzer.errors import WoolsimError

CACHE_VARIABLE: Final = "WOOLSIM_CACHE_DIR"
"""Environment variable that moves the folder of compiled code; set but empty, nothing is kept."""

NAME_LENGTH: Final = 20
"""Hexadecimal digits in the name of a folder, which stand for the sources that its code was compiled from."""

_FOLDER: Final = re.compile(rf"[0-9a-f]{{{NAME_LENGTH}}}")
_CODE: Final = re.compile(r".+\.(nbi|nbc)(\.tmp\..+)?")
"""What numba calls its files, and those that it was writing when it was killed."""
_ENTRY: Final = re.compile(r"entry_[0-9a-f]{20}\.py")
"""Entry points of policies, beside the folders of their compiled code (:func:`analyzer.jit.entry_point`)."""


class RemovalError(WoolsimError):
    """Compiled code could not be removed."""


def cache_root() -> Path | None:
    """Return the folder under which compiled code is kept, None for nowhere."""
    chosen = os.environ.get(CACHE_VARIABLE)
    if chosen is not None:
        return Path(chosen).absolute() if chosen else None
    from platformdirs import user_cache_path

    return Path(user_cache_path("woolsim", appauthor=False))


@dataclass(frozen=True)
class Removed:
    """What was removed.

    Parameters
    ----------
    files : int
    size : int
        In bytes.
    """

    files: int
    size: int


def remove_kept_code(root: Path) -> Removed:
    """Remove the compiled code under a folder: what woolsim put there, of whatever version, and nothing else.

    Links are not followed. Folders that are empty then go, `root` itself stays.

    Parameters
    ----------
    root : Path
        It need not exist.

    Raises
    ------
    RemovalError
        At the first file or folder that cannot be read or removed; what was removed before stays removed.
    """
    files = size = 0
    path = root
    try:
        for path in _kept_files(root):
            size += path.stat().st_size
            path.unlink()
            files += 1
        folders = _code_folders(root)
    except OSError as error:
        before = f"; {files:,} files were removed before" if files else ""
        raise RemovalError(f"{path}: could not be removed: {error.strerror or error}{before}") from None
    for folder in reversed(folders):  # what lies inside comes first
        with suppress(OSError):  # something else is in it, perhaps of a woolsim that is running
            folder.rmdir()
    return Removed(files, size)


def _code_folders(root: Path) -> list[Path]:
    """Return the folders of ours under a folder, each before those inside it."""
    if not root.is_dir():
        return []
    ours = [path for path in sorted(root.iterdir()) if _FOLDER.fullmatch(path.name) and _is_folder(path)]
    return [path for folder in ours for path in (folder, *sorted(filter(_is_folder, folder.iterdir())))]


def _is_folder(path: Path) -> bool:
    return path.is_dir() and not path.is_symlink()


def _kept_files(root: Path) -> list[Path]:
    """Return the files of compiled code under a folder."""
    files = [path for folder in _code_folders(root) for path in sorted(folder.iterdir()) if not path.is_symlink()]
    return [path for path in files if path.is_file() and (_CODE.fullmatch(path.name) or _ENTRY.fullmatch(path.name))]
