"""How a result looks where Python shows it: a sentence and its leading figures, and in a notebook a small table."""

from collections.abc import Mapping, Sequence
from html import escape
from itertools import islice
from typing import Final
from unicodedata import category

from analyzer.figures import shortened

Line = Mapping[str, str]
"""A row of a small table, ready texts by header. The first names what the row is of, the second is what matters most;
other columns may be left out where there is nothing to say."""

LEADING: Final = 3
"""Lines whose second text is shown without a notebook."""

MOST_LINES: Final = 40
"""Lines that a notebook shows."""

NAME_WIDTH: Final = 40
"""Signs of a name without a notebook."""

_FIGURES: Final = ' style="text-align: right; white-space: nowrap"'
_NAMES: Final = ' style="text-align: left; overflow-wrap: anywhere"'


class Shown:
    """What says of itself what it is: :meth:`headline` and :meth:`lines` are what `repr` and notebooks show.

    A dataclass that is one has `repr=False`.
    """

    def headline(self) -> str:
        """Say in a sentence what this is, and what makes it again."""
        raise NotImplementedError

    def lines(self) -> Sequence[Line]:
        """Return what is in it: all columns are those of the first line, or of whichever comes later."""
        return ()

    def __repr__(self) -> str:
        lines = self.lines()
        text = f"<{type(self).__name__}: {_plain(self.headline())}"
        if not lines:
            return f"{text}>"
        what = list(lines[0])[1]
        leading = "; ".join(_leading(line) for line in lines[:LEADING])
        more = f"; and {len(lines) - LEADING} more" if len(lines) > LEADING else ""
        return f"{text}\n {_plain(what)}: {leading}{more}>"

    def _repr_html_(self) -> str:
        lines = self.lines()
        headline = f"<p>{_html(self.headline())}</p>"
        if not lines:
            return headline
        headers = list(dict.fromkeys(header for line in lines for header in line))
        head = "".join(f'<th scope="col"{_side(at)}>{_html(header)}</th>' for at, header in enumerate(headers))
        body = "".join(_row(line, headers) for line in islice(lines, MOST_LINES))
        more = f"<p>and {len(lines) - MOST_LINES:,} more rows</p>" if len(lines) > MOST_LINES else ""
        return f"{headline}<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{more}"


def _leading(line: Line) -> str:
    name, value = islice(line.values(), 2)
    return f"{shortened(_plain(name), NAME_WIDTH)} {_plain(value)}"


def _row(line: Line, headers: Sequence[str]) -> str:
    first, *others = headers
    cells = "".join(f"<td{_side(1)}>{_html(line.get(header, ''))}</td>" for header in others)
    return f'<tr><th scope="row"{_side(0)}>{_html(line[first])}</th>{cells}</tr>'


def _side(at: int) -> str:
    return _FIGURES if at else _NAMES


def _html(text: str) -> str:
    return escape(_plain(text))


def _plain(text: str) -> str:
    """Return a text in one line: line breaks and control characters as Python writes them, all other signs as is."""
    return "".join(ascii(sign)[1:-1] if category(sign) in {"Cc", "Zl", "Zp", "Cs"} else sign for sign in text)
