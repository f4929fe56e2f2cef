"""A report as files in a folder: a page, tables, pictures, and a manifest with the hashes of all of them."""

import hashlib
import json
import os
import platform
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from analyzer.errors import BadInputError
from reports.columns import column_text
from reports.export import OutputError, replacing, to_csv
from reports.frames import frame
from reports.page import page
from reports.report import Report, ReportTable
from reports.report_tables import page_table
from reports.svg import inline_svg
from reports.words import listed

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from matplotlib.transforms import BboxBase

MANIFEST: Final = "manifest.json"
PAGE: Final = "report.html"
IMAGE_FORMATS: Final = ("png", "svg", "pdf")
_FOLDERS: Final = ("csv", "parquet", *IMAGE_FORMATS)
_OURS: Final = re.compile(rf"{re.escape(PAGE)}|csv/README\.md|({'|'.join(_FOLDERS)})/[^/\\]+\.\1")
"""Files that a report may have written."""
_LEFT_BEHIND: Final = re.compile(r"\.(.+)\.([0-9]+)\.(part|before)")
"""Names of files beside those that are being written, with the process that writes them."""
_MARGIN: Final = 0.1
"""Around a chart, in inches."""
_MADE_WITH: Final = ("numpy", "pandas", "matplotlib", "jinja2")

Save = Callable[["Figure", Path, str, "BboxBase"], None]
"""Saves a part of a figure in a file, in a format."""


def write_report(
    folder: Path,
    report: Report,
    commands: Sequence[tuple[str, str]],
    save: Save,
    *,
    formats: Sequence[str] = ("png",),
    parquet: bool = False,
    progress: Callable[[int], None] | None = None,
) -> list[str]:
    """Write a report into a folder, all of it or nothing.

    Parameters
    ----------
    folder : Path
        Made if it is not there. What a report before has written there and this one does not is removed.
    report : Report
    commands : sequence of (str, str)
        What makes figures and report again, and what each is.
    save : callable
        Saves a chart with what reproduces it.
    formats : sequence of str
        Of pictures, of :data:`IMAGE_FORMATS`; each has a folder called so.
    parquet : bool
        Whether tables are also written as Parquet.
    progress : callable, optional
        Called with 1 for each chart drawn.

    Returns
    -------
    list of str
        The files, as paths in the folder; the page first.

    Raises
    ------
    OutputError
        When something cannot be written; what was there before is there again.
    BadInputError
        When Parquet is asked for and cannot be written here.
    """
    if parquet:
        _check_parquet()
    tables = _by_name(report.tables)
    charts = report.charts
    pictures = [f"{kind}/{chart.name}.{kind}" for chart in charts for kind in formats]
    names = [PAGE, *(f"csv/{name}.csv" for name in tables), "csv/README.md", *pictures]
    names += [f"parquet/{name}.parquet" for name in tables] if parquet else []
    _clear_up(folder)
    made = _new_folders(folder, names)
    before = _written_before(folder)
    try:
        with replacing(*(folder / name for name in [*names, MANIFEST])) as parts:
            at = dict(zip([*names, MANIFEST], parts, strict=True))
            images = {}
            for chart in charts:
                figure = chart.draw()
                box = _laid_out(figure)
                images[chart.name] = inline_svg(figure, f"chart-{chart.name}", chart.title, chart.alt, box)
                for kind in formats:
                    save(figure, at[f"{kind}/{chart.name}.{kind}"], kind, box)
                if progress is not None:
                    progress(1)
            at[PAGE].write_bytes(report_page(report, images, commands, formats))
            for name, table in tables.items():
                at[f"csv/{name}.csv"].write_bytes(to_csv(table.rows, table.columns).encode("utf-8", "replace"))
                if parquet:
                    rows = frame(f"{report.kind}/{name}", table.rows, table.columns)
                    rows.to_parquet(at[f"parquet/{name}.parquet"], index=False)
            described = {f"{report.kind}/{name}": table.columns for name, table in tables.items()}
            at["csv/README.md"].write_text(column_text(described), encoding="utf-8")
            manifest = _manifest(report, commands, {name: at[name].read_bytes() for name in names})
            text = json.dumps(manifest, indent=1, ensure_ascii=False) + "\n"
            at[MANIFEST].write_bytes(text.encode("utf-8", "backslashreplace"))  # so JSON escapes what is no text
    except BaseException:
        for new in reversed(made):
            with suppress(OSError):
                new.rmdir()
        raise
    _remove(folder, before - {*names, MANIFEST})
    return [*names, MANIFEST]


def report_page(
    report: Report, images: Mapping[str, str], commands: Sequence[tuple[str, str]], formats: Sequence[str] = ("png",)
) -> bytes:
    """Return the page of a report, with its charts as SVG elements by their names."""
    from markupsafe import Markup

    shown = [table for table in report.tables if table.shown]
    return page(
        "report",
        report=report,
        images={name: Markup(image) for name, image in images.items()},  # noqa: S704 - escaped by what wrote them
        tables={(table.name, table.title): page_table(table, report.kind) for table in shown},
        commands=commands,
        formats=listed(f"{kind}/" for kind in formats),
        made=report.provenance.lines()[0],
    )


def _laid_out(figure: "Figure") -> "BboxBase":
    """Lay a figure out once for all formats, which takes longer than drawing it; return what there is to be seen."""
    for axes in figure.axes:
        axes.patch.set_visible(False)  # what is behind a chart on a page is seen through it
    engine = figure.get_layout_engine()
    if engine is not None:
        engine.execute(figure)
    figure.set_layout_engine("none")
    return figure.get_tightbbox().padded(_MARGIN)


def _by_name(tables: Sequence[ReportTable]) -> dict[str, ReportTable]:
    """Return each table once, though the page shows parts of it in several places."""
    return {table.name: table for table in tables}


def _check_parquet() -> None:
    if find_spec("pyarrow") is None:
        raise BadInputError("--parquet needs pyarrow: pip install 'woolsim[parquet]'")


def _new_folders(folder: Path, names: Sequence[str]) -> list[Path]:
    """Make the folders of files that are not there yet and return them, outer ones first."""
    made = []
    inside = dict.fromkeys(folder / name.partition("/")[0] for name in names if "/" in name)
    for new in (*reversed(folder.parents), folder, *inside):
        try:
            if not new.is_dir():
                new.mkdir()
                made.append(new)
        except OSError as error:
            raise OutputError(f"{new}: could not be made: {error.strerror or error}") from error
    return made


def _written_before(folder: Path) -> set[str]:
    """Return which files a report before has written here and nobody has changed since."""
    with suppress(OSError, ValueError, KeyError, TypeError, AttributeError):
        files = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))["files"]
        return {name for name, about in files.items() if _is_ours(folder, name, about["sha256"])}
    return set()


def _is_ours(folder: Path, name: str, digest: str) -> bool:
    file = folder / name
    return bool(_OURS.fullmatch(name)) and file.is_file() and hashlib.sha256(file.read_bytes()).hexdigest() == digest


def _clear_up(folder: Path) -> None:
    """Remove what a report that was killed has left behind."""
    for place in (folder, *(folder / name for name in _FOLDERS)):
        for file in place.glob(".*.*") if place.is_dir() else ():
            found = _LEFT_BEHIND.fullmatch(file.name)
            inside = place != folder or (found and found[1] in {PAGE, MANIFEST})
            if found and inside and not _is_running(int(found[2])):
                with suppress(OSError):
                    file.unlink()


def _is_running(process: int) -> bool:
    """Return whether a process may be running; where signal 0 is not only a question, always."""
    if os.name != "posix":
        return True
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True


def _remove(folder: Path, names: set[str]) -> None:
    for name in sorted(names):
        with suppress(OSError):
            (folder / name).unlink()
    for parent in sorted({name.partition("/")[0] for name in names if "/" in name}):
        with suppress(OSError):
            (folder / parent).rmdir()  # only if it is empty


def _manifest(report: Report, commands: Sequence[tuple[str, str]], written: Mapping[str, bytes]) -> dict[str, Any]:
    return {
        **report.provenance.as_dict(),
        "title": report.title,
        "question": report.question,
        "finished": not report.unfinished,
        "commands": dict(commands),
        **report.about,
        "made_with": {"python": platform.python_version(), **{name: version(name) for name in _MADE_WITH}},
        "files": {
            name: {"sha256": hashlib.sha256(content).hexdigest(), "bytes": len(content)}
            for name, content in written.items()
        },
    }


def files_in_words(files: Sequence[str]) -> Iterator[str]:
    """Yield what was written, a folder each."""
    folders: dict[str, int] = {}
    for name in files:
        place, slash, _ = name.partition("/")
        folders[place + slash] = folders.get(place + slash, 0) + 1
    for place, n in folders.items():
        yield f"{place} ({n} files)" if place.endswith("/") else place
