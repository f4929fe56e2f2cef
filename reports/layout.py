"""Parts that tables of games share on a terminal."""

import re
from collections.abc import Iterable
from typing import Any, Final

from rich.box import SIMPLE_HEAD
from rich.console import RenderableType
from rich.markup import escape
from rich.table import Table
from rich.text import Text

SPEC_WIDTH: Final = 70
"""Signs of a spec in a line above the tables."""


def spec_lines(spec: str) -> list[str]:
    """Break a long spec after commas and before the slots of others, where its reader would."""
    lines = [""]
    for piece in re.findall(r"[^,/]+,?|/[^,/]*,?|,", spec):
        if lines[-1] and len(lines[-1]) + len(piece) > SPEC_WIDTH:
            lines.append("")
        lines[-1] += piece
    return lines


def part(title: str, *content: RenderableType) -> Iterable[RenderableType]:
    """Yield a title, what belongs to it, and an empty line."""
    yield Text(title, "bold")
    yield from content
    yield Text()


class _Unbroken(Table):
    """A table that breaks no figure, however narrow the terminal."""

    def add_row(self, *cells: RenderableType | None, **options: Any) -> None:
        """Add a row."""
        super().add_row(*cells, **options)
        for column, cell in zip(self.columns, cells, strict=False):
            if isinstance(cell, str) and not column.no_wrap:
                column.min_width = max([column.min_width or 0, *map(len, cell.split())])


def plain_table(*headers: str, left: int = 1) -> Table:
    """Return an empty table; the first columns are names, the others figures."""
    table = _Unbroken(box=SIMPLE_HEAD, pad_edge=False, padding=(0, 0, 0, 1), show_edge=False)
    for at, header in enumerate(headers):
        table.add_column(escape(header), justify="left" if at < left else "right", no_wrap=at < left)
    return table
