"""Charts as vector images inside a page: small, in the page's colours, and with names of their own."""

import io
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Final
from xml.etree import ElementTree as ET

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from matplotlib.transforms import BboxBase

_SVG: Final = "http://www.w3.org/2000/svg"
_LINK: Final = "{http://www.w3.org/1999/xlink}href"
_SPACE: Final = "{http://www.w3.org/XML/1998/namespace}space"
_COLOUR: Final = re.compile(r"#[0-9a-fA-F]{6}\b")
_LONG: Final = re.compile(r"-?\d+\.\d{3,}")
_NAMED: Final = re.compile(r"url\(#([^)]+)\)")
_DARKEST_SOFT, _DARKEST_HAIR, _LIGHTEST_HAIR = 0x48, 0xB0, 0xF0
"""Greys between are drawn in the page's colour for what is secondary, or for hairlines; others mean something."""

DEFAULT: Final[Mapping[str, str]] = {"#000000": "var(--ink)", "#ffffff": "var(--card)"}


def inline_svg(figure: "Figure", name: str, title: str, alt: str, box: "BboxBase") -> str:
    """Return a chart as an SVG element for a page.

    Parameters
    ----------
    figure : Figure
    name : str
        Unique on the page: all names inside begin with it.
    title, alt : str
        What it is, and what it shows, for who cannot see it.
    box : BboxBase
        The part of the figure that is wanted, in inches.

    Returns
    -------
    str
        Black, white and greys are the page's colours (the variables --ink, --card, --soft and --hair), so that it is
        readable on dark pages; other colours stay. Texts are texts.
    """
    import matplotlib as mpl

    out = io.StringIO()
    with mpl.rc_context({"svg.hashsalt": "woolsim", "svg.fonttype": "none"}):
        figure.savefig(out, format="svg", metadata={"Date": None, "Creator": None}, bbox_inches=box, facecolor="none")
    # What is read is what matplotlib has just written: no foreign document comes here.
    root = ET.fromstring(out.getvalue().encode("utf-8"))  # noqa: S314
    for parent in [root, *root.iter(f"{{{_SVG}}}defs")]:
        for child in [*parent.findall(f"{{{_SVG}}}metadata"), *parent.findall(f"{{{_SVG}}}style")]:
            parent.remove(child)
    for element in root.iter():
        _adapt(element, name)
    for key in ("width", "height", "version"):
        root.attrib.pop(key, None)
    root.set("role", "img")
    root.set("aria-labelledby", f"{name}-title {name}-desc")
    for at, (tag, text) in enumerate((("title", title), ("desc", alt))):
        child = ET.Element(f"{{{_SVG}}}{tag}", {"id": f"{name}-{tag}"})
        child.text = text
        root.insert(at, child)
    _drop_names(root, name)
    ET.register_namespace("", _SVG)
    return ET.tostring(root, encoding="unicode")


def _adapt(element: ET.Element, name: str) -> None:
    """Give an element the page's colours, names of its own and no more digits than can be seen."""
    for key, value in list(element.attrib.items()):
        if key == "id":
            element.set("id", f"{name}-{value}")
        elif key == _LINK:
            element.attrib.pop(key)
            element.set("href", f"#{name}-{value.removeprefix('#')}")
        elif key == _SPACE:
            element.attrib.pop(key)
        else:
            element.set(key, _adapted(key, value, name))


def _adapted(key: str, value: str, name: str) -> str:
    adapted = _NAMED.sub(rf"url(#{name}-\1)", value)
    if key in {"d", "points", "transform", "x", "y", "width", "height", "style"}:
        adapted = _LONG.sub(lambda found: f"{float(found[0]):.2f}".rstrip("0").rstrip("."), adapted)
    if key in {"style", "fill", "stroke"}:
        adapted = _COLOUR.sub(lambda found: _page_colour(found[0]), adapted)
    return " ".join(adapted.split()) if key == "d" else adapted


def _page_colour(colour: str) -> str:
    """Return the page's colour for black, white and greys; other colours as they are."""
    colour = colour.lower()
    if colour in DEFAULT:
        return DEFAULT[colour]
    parts = {colour[1:3], colour[3:5], colour[5:7]}
    if len(parts) > 1:
        return colour
    grey = int(colour[1:3], 16)
    if _DARKEST_SOFT <= grey < _DARKEST_HAIR:
        return "var(--soft)"
    return "var(--hair)" if _DARKEST_HAIR <= grey <= _LIGHTEST_HAIR else colour


def _drop_names(root: ET.Element, name: str) -> None:
    """Drop the names of elements that nothing refers to."""
    text = ET.tostring(root, encoding="unicode")
    used = set(re.findall(rf"#({re.escape(name)}-[^\")]+)", text)) | {f"{name}-title", f"{name}-desc"}
    for element in root.iter():
        if element.get("id") not in used:
            element.attrib.pop("id", None)
