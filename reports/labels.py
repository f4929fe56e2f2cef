"""What strategies are called in tables of 80 columns."""

from collections.abc import Iterable, Sequence
from typing import Final

from rich.markup import escape
from rich.text import Text

from reports.layout import spec_lines
from reports.visible import visible
from reports.words import apart

LONGEST_SPEC: Final = 14

FULL_WIDTH: Final = 80


class Labels:
    """The names of the strategies of one output, short enough for tables and no two alike.

    Parameters
    ----------
    names : sequence of str
        As rows have them.
    width : int
        Letters of the longest.
    """

    def __init__(self, names: Sequence[str], width: int = LONGEST_SPEC) -> None:
        self._short = {name: visible(short) for name, short in apart(names, width).items()}

    def __call__(self, name: object) -> str:
        """Return what a strategy is called, ready for a table."""
        return escape(self.plain(name))

    def plain(self, name: object) -> str:
        """Return what a strategy is called, as plain text."""
        return self._short[str(name)]

    def legend(self, specs: Sequence[str] | None = None) -> Iterable[Text]:
        """Yield what was shortened in full, as its `specs` say it where they are given, and an empty line."""
        names = list(self._short)
        long = [(name, spec) for name, spec in zip(names, specs or names, strict=True) if self._short[name] != name]
        for name, spec in long:
            first, *more = spec_lines(visible(spec))
            label = self._short[name]
            together = len(label) + 2 + len(first) <= FULL_WIDTH
            yield Text(f"{label}  {first}" if together else label)
            yield from (Text(f"  {line}") for line in (more if together else [first, *more]))
        if long:
            yield Text()
