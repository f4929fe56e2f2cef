"""Drawing on a sheet of paper: everything in millimetres from its upper left corner, fonts in points."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties
from matplotlib.patches import Rectangle
from matplotlib.textpath import text_to_path

MM_PER_INCH: Final = 25.4
PAGE_DPI: Final = 254
"""Ten dots a millimetre: both papers come out in whole dots, and finer than print needs."""

POINT: Final = MM_PER_INCH / 72
LEADING: Final = 1.22
"""Distance of two lines of text in heights of the font."""

_ROOM: Final = 1.02
"""Letters fitted to dots may be wider than they are drawn, by less than this factor."""

_FAMILY: Final = "DejaVu Sans"  # comes with matplotlib: the same page on every machine


@dataclass(frozen=True)
class Paper:
    """A size of paper, upright.

    Parameters
    ----------
    name : str
    width, height : float
        In millimetres.
    """

    name: str
    width: float
    height: float


PAPERS: Final = {
    "a4": Paper("A4", 210.0, 297.0),
    "letter": Paper("US Letter", 8.5 * MM_PER_INCH, 11 * MM_PER_INCH),
}


class Sheet:
    """One page to draw on.

    Parameters
    ----------
    paper : Paper
    """

    def __init__(self, paper: Paper) -> None:
        self.figure = Figure(figsize=(paper.width / MM_PER_INCH, paper.height / MM_PER_INCH), facecolor="white")
        self._axes = self.figure.add_axes((0, 0, 1, 1))
        self._axes.set(xlim=(0, paper.width), ylim=(paper.height, 0))
        self._axes.set_axis_off()

    def text(
        self,
        x: float,
        y: float,
        words: str,
        size: float,
        *,
        align: str = "left",
        bold: bool = False,
        grey: bool = False,
    ) -> None:
        """Write one line; `y` is the middle of a small letter's height."""
        text = self._axes.text(
            x,
            y + 0.36 * size * POINT,
            words,
            fontproperties=_font(size, bold=bold),
            ha=align,
            va="baseline",
            color="#444444" if grey else "black",
        )
        text.set_parse_math(False)

    def box(self, x: float, y: float, width: float, height: float, fill: str, edge: str | None = None) -> None:
        """Draw a rectangle."""
        line = {"edgecolor": edge, "linewidth": 0.6} if edge else {"linewidth": 0.0}
        self._axes.add_patch(Rectangle((x, y), width, height, facecolor=fill, **line))

    def rule(self, x: float, y: float, width: float, thickness: float = 0.3) -> None:
        """Draw a horizontal line, `thickness` in millimetres."""
        self.box(x, y - thickness / 2, width, thickness, "black")

    def paragraph(self, x: float, y: float, width: float, words: str, size: float, *, grey: bool = False) -> float:
        """Write words in lines of at most `width` below `y`, and return where they end."""
        step = LEADING * size * POINT
        for line in lines_of(words, width, size):
            self.text(x, y + step / 2, line, size, grey=grey)
            y += step
        return y


@cache
def _font(size: float, *, bold: bool = False) -> FontProperties:
    return FontProperties(family=_FAMILY, size=size, weight="bold" if bold else "normal")


def width_of(words: str, size: float, *, bold: bool = False) -> float:
    """Return how wide a line of text is, in millimetres."""
    return (
        float(text_to_path.get_text_width_height_descent(words, _font(size, bold=bold), ismath=False)[0])
        * POINT
        * _ROOM
    )


def lines_of(words: str, width: float, size: float) -> Sequence[str]:
    """Break words into lines of at most `width` millimetres; what they break into themselves stays apart."""
    lines: list[str] = []
    for part in words.split("\n"):
        line = ""
        for word in part.split():
            longer = f"{line} {word}".lstrip()
            if line and width_of(longer, size) > width:
                lines.append(line)
                longer = word
            line = longer
        lines.append(line)
    return lines
