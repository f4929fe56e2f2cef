"""Showing results: to standard output in a format, into files, with what reproduces them."""

import os
import re
import sys
import textwrap
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Timer
from typing import TYPE_CHECKING, Any, Final, NoReturn, TextIO

import click

from analyzer.errors import BadInputError
from reports.cli.say import is_quiet, note, noting, print_data, say
from reports.export import OwnFigures, Provenance, Rows, replacing, to_csv, to_json, to_markdown, write_csv
from reports.visible import visible

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from matplotlib.transforms import BboxBase
    from rich.console import Console, ConsoleOptions, RenderableType, RenderResult

FULL_WIDTH: Final = 80
MEASURED_WIDTH: Final = 1000
_TRAILING: Final = re.compile(r" +(?=(\x1b\[0m)?$)", re.MULTILINE)
"""Blanks at the ends of lines, of styled ones too."""

PATIENCE: Final = 1.0
"""Seconds of compiling before it is said."""


def show_rows(
    rows: Rows, columns: Sequence[str], style: str, markdown: Mapping[str, Callable[[Any], str]] | None = None
) -> None:
    """Print rows as csv, json or markdown and nothing else.

    `markdown` names the columns of a Markdown table and how each is written; without it, all as they are.
    """
    if style == "csv":
        print_data(to_csv(rows, columns))
    elif style == "json":
        print_data(to_json(rows, columns))
    else:
        names: Mapping[str, Callable[[Any], str]] = markdown or dict.fromkeys(columns, str)
        body = [["" if row[name] is None else write(row[name]) for name, write in names.items()] for row in rows]
        print_data(to_markdown([_header(name, names) for name in names], body))


def _header(name: str, names: Collection[str]) -> str:
    """Return a column's header: p_ stands for a chance and is left out, except beside a column p, as in p_holm."""
    plain = name.replace("sim_p_", "simulated ")
    return (plain if "p" in names else plain.removeprefix("p_")).replace("_", " ")


def write_files(
    rows: Rows,
    columns: Sequence[str],
    provenance: Provenance | OwnFigures,
    csv_file: Path | None,
    picture: Path | None = None,
    draw: Callable[[], "Figure"] | None = None,
) -> None:
    """Write the CSV and the picture that were asked for and say so on standard error."""
    if csv_file is not None:
        write_csv(csv_file, rows, columns, provenance)
        note(f"wrote {csv_file} and {csv_file}.meta.json")
    if picture is not None and draw is not None and isinstance(provenance, Provenance):
        save_picture(draw(), picture, provenance)
        note(f"wrote {picture}")


def save_picture(figure: "Figure", path: Path, provenance: Provenance) -> None:
    """Save a figure with what reproduces it in its metadata; the same figure gives the same bytes."""
    with replacing(path) as (part,):
        draw_into(part, figure, _kind(path), provenance)


def save_page(
    figure: "Figure", paths: Sequence[Path], provenance: Provenance, dpi: int, progress: Callable[[int], None]
) -> None:
    """Save a page in several formats, all of them or none, in its own size to the dot: nothing is cut off around it.

    `progress` is told of each format that is ready.
    """
    with replacing(*paths) as parts:
        for path, part in zip(paths, parts, strict=True):
            draw_into(part, figure, _kind(path), provenance, dpi=dpi, bbox_inches=None)
            progress(1)


def draw_into(
    path: Path,
    figure: "Figure",
    kind: str,
    provenance: Provenance,
    dpi: int = 150,
    bbox_inches: "BboxBase | str | None" = "tight",
) -> None:
    """Draw a figure into a new file in a format, with what reproduces it in its metadata."""
    import matplotlib as mpl

    line = provenance.one_line()
    described: dict[str, dict[str, str | None]] = {
        "png": {"Software": "woolsim", "Description": line},
        "svg": {"Creator": "woolsim", "Description": line, "Date": None},
        "pdf": {"Creator": "woolsim", "Subject": line, "CreationDate": None, "ModDate": None},
    }
    with mpl.rc_context({"svg.hashsalt": "woolsim", "svg.fonttype": "none", "pdf.fonttype": 42}):
        figure.savefig(path, format=kind, metadata=described[kind], dpi=dpi, bbox_inches=bbox_inches)


def _kind(path: Path) -> str:
    return path.suffix.lower().removeprefix(".")


def end_stalled(message: str) -> NoReturn:
    """Say an error and end the process at once, whatever its other threads are doing; files are left alone."""
    with suppress(OSError, ValueError):
        sys.stdout.flush()
    with suppress(OSError, ValueError):
        stream = sys.__stderr__ or sys.stderr
        if stream.isatty():
            stream.write("\r\x1b[2K\x1b[?25h")  # wipe the progress bar, show the cursor again
        stream.write(f"Error: {message}\n")
        stream.flush()
    os._exit(BadInputError.exit_status)


def print_provenance(provenance: Provenance | OwnFigures, *, err: bool = False) -> None:
    """Print what reproduces the figures, below a table or beside bare rows on standard error."""
    what, made_by = provenance.lines()
    say("\n".join([*textwrap.wrap(what, FULL_WIDTH, break_on_hyphens=False), made_by]), err=err)


class _Seen:
    """Content for a terminal in which no name makes the terminal do anything."""

    def __init__(self, content: "RenderableType") -> None:
        self._content = content

    def __rich_console__(self, console: "Console", options: "ConsoleOptions") -> "RenderResult":
        for segment in console.render(self._content, options):
            yield segment._replace(text=visible(segment.text))


def print_tables(content: "RenderableType", *, err: bool = False) -> None:
    """Print tables as wide as the terminal, in 80 columns without one; on standard error unless quiet is asked."""
    from rich.console import Console, Group

    if err and is_quiet():
        return

    console = Console(highlight=False, emoji=False, stderr=err)
    # Let a narrow terminal break lines, but lose no figure.
    needed = max(FULL_WIDTH, console.measure(content, options=console.options.update(max_width=MEASURED_WIDTH)).minimum)
    if console.width < needed:
        console = Console(highlight=False, emoji=False, width=needed, stderr=err)
    for one in content.renderables if isinstance(content, Group) else [content]:  # what is long begins at once
        with console.capture() as captured:
            console.print(_Seen(one))
        # What is coloured is known already: on a terminal, or where FORCE_COLOR says so.
        click.echo(_TRAILING.sub("", captured.get()), nl=False, err=err, color=True)


def has_unicode(stream: TextIO) -> bool:
    """Whether a stream can show signs beyond ASCII."""
    return (stream.encoding or "ascii").lower().startswith("utf")


@contextmanager
def announcing_compilation() -> Iterator[None]:
    """Say on standard error that something is being compiled, if it takes long enough to be noticed."""
    from analyzer.jit import noticing_compilation

    words = "Compiling, as at every first use after installing; this takes some seconds."
    tell = noting()
    timer = Timer(PATIENCE, lambda: tell(words))
    timer.daemon = True
    begun: list[bool] = []

    def start() -> None:
        if not begun:
            begun.append(True)
            timer.start()

    try:
        with noticing_compilation(start):
            yield
    finally:
        timer.cancel()
