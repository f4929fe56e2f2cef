"""Reading small text files that a person wrote."""

from pathlib import Path
from typing import Final

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
