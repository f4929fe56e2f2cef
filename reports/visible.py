"""Signs that a terminal would obey, and those that turn text around, written so that they are only seen."""

import re
from typing import Final

_OBEYED: Final = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")
"""Control characters but tab and line end; marks that change the direction of writing; other ends of lines."""


def visible(text: str) -> str:
    r"""Return a text that no name in it can make a terminal obey: an escape sign becomes ``\x1b``."""
    return _OBEYED.sub(lambda sign: ascii(sign[0])[1:-1], text)
