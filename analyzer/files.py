"""Reading small text files that a person wrote."""

import re
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

from analyzer.errors import BadInputError

MAX_BYTES: Final = 1 << 20
"""No deck or rules file comes near it; a disk image given by mistake does not fill the memory."""


def read_text(path: Path) -> str:
    """Return the text of a file.

    Raises
    ------
    BadInputError
        When it is not there, not a file, cannot be read, is far too large or is not UTF-8.
    """
    try:
        if not path.exists():
            raise BadInputError(f"{path}: there is no such file")
        if not path.is_file():
            raise BadInputError(f"{path}: is not a file")
        with path.open("rb") as file:
            content = file.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:
        raise BadInputError(f"{path}: cannot be read: {getattr(error, 'strerror', None) or error}") from None
    if len(content) > MAX_BYTES:
        raise BadInputError(f"{path}: is larger than {MAX_BYTES:,} bytes; is it the right file?")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        raise BadInputError(f"{path}:{line}: is not UTF-8 text") from None


class TomlEntry(NamedTuple):
    """A value of a TOML file.

    Parameters
    ----------
    value : object
        As TOML has it.
    place : str
        ``file:line``, to begin a message with.
    """

    value: Any
    place: str


def read_toml(path: Path, known: Sequence[str]) -> dict[str, TomlEntry]:
    """Return what a TOML file gives for known keys.

    Raises
    ------
    BadInputError
        With file and line: not readable, not TOML, an unknown key.
    """
    text = read_text(path)
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        line = re.search(r"at line (\d+)", str(error))
        place = f"{path}:{line[1]}" if line else str(path)
        raise BadInputError(f"{place}: is not TOML: {error}") from None
    given = {key: TomlEntry(value, f"{path}:{_line_of(key, text)}") for key, value in table.items()}
    for key, entry in given.items():
        if key not in known:
            raise BadInputError(f"{entry.place}: unknown key {key!r}; known: {', '.join(known)}")
    return given


def _line_of(key: str, text: str) -> int:
    """Return the line on which a key stands."""
    lines = text.splitlines()
    named = (at for at, line in enumerate(lines, 1) if re.match(rf"\s*\[*\s*['\"]?{re.escape(key)}\b", line))
    return next(named, 1)
