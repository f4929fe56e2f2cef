"""Text cells of CSV that a spreadsheet would take for formulas: an apostrophe before them says that they are text.

Writing and reading belong together: what :func:`harmless` writes, :func:`meant` reads back, whatever the text.
"""

import re
from typing import Final

_FORMULA: Final = re.compile(r"('*)[=+\-@\t\r\n＝＋－＠]")
"""How a cell begins that a spreadsheet may compute; the last four are the wide signs of East Asian keyboards."""

_NUMBER: Final = re.compile(r"[+-]?([0-9]+([.][0-9]*)?|[.][0-9]+)([eE][+-]?[0-9]+)?", re.ASCII)


def harmless(text: str) -> str:
    """Return a text cell as a CSV file has it: an apostrophe before what may be a formula; numbers stay as they are."""
    return f"'{text}" if _FORMULA.match(text) and not _NUMBER.fullmatch(text) else text


def meant(cell: str) -> str:
    """Return the text of a cell that :func:`harmless` has written."""
    found = _FORMULA.match(cell)
    return cell[1:] if found and found[1] else cell
