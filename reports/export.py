"""Rows as CSV, JSON and Markdown, and files that are either whole or not there."""

import csv
import io
import json
import os
import re
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from analyzer import __version__
from analyzer.csv_text import harmless
from analyzer.errors import BadInputError, WoolsimError
from analyzer.wool_rules.deck import Deck
from analyzer.wool_rules.rules import STANDARD, Rules
from reports.visible import visible

_LINE_END: Final = re.compile(r"\r\n|[\r\n\u2028\u2029]")

Cell = str | int | float | bool | None
Rows = Sequence[Mapping[str, Cell]]


RECONSTRUCTED: Final = "an assumption: no card list is published"
"""What every figure says that depends on the shipped deck."""


ANYTIME: Final = "results decide when to stop, intervals hold at all looks (anytime-valid)"
"""What every output says of such games."""


class OutputError(WoolsimError):
    """A file could not be written; nothing of it is left behind."""


@dataclass(frozen=True)
class Provenance:
    """What reproduces an output.

    Parameters
    ----------
    command : str
        The command line, seed included.
    seed : int or None
        None where nothing is drawn.
    figures : str
        How the figures were made: exact, or how many dice actions were simulated.
    rules : Rules
        The rules in force.
    deck : Deck or None
        None where no cards are drawn.
    """

    command: str
    seed: int | None
    figures: str
    rules: Rules = STANDARD
    deck: Deck | None = None

    def as_dict(self) -> dict[str, Any]:
        """Return what goes into a sidecar."""
        return {
            "program": "woolsim",
            "version": __version__,
            "command": self.command,
            "seed": self.seed,
            "figures": self.figures,
            "rules": {"name": self.rules.name, "hash": self.rules.digest},
            **self._deck_as_dict(),
        }

    def _deck_as_dict(self) -> dict[str, Any]:
        if self.deck is None:
            return {"deck": None, "deck_note": "dice odds do not depend on a deck"}
        note = RECONSTRUCTED if self.deck.is_shipped else "a deck of the user's"
        return {"deck": {"name": self.deck.name, "hash": self.deck.digest, "note": note}}

    def one_line(self) -> str:
        """Return it for the metadata of a picture."""
        return "; ".join(self.lines())

    def lines(self) -> tuple[str, str]:
        """Return it for standard error or a footer."""
        seed = "" if self.seed is None else f", seed {self.seed}"
        rules = f"rules {self.rules.name} ({self.rules.digest})"
        parts = [f"woolsim {__version__}{seed}", self.figures, self.deck_words(), rules]
        return "; ".join(parts), f"made by: {self.command}"

    def deck_words(self) -> str:
        """Say which deck the figures depend on, if any."""
        if self.deck is None:
            return "no deck used"
        return f"deck {self.deck.name} ({self.deck.digest})" + (f", {RECONSTRUCTED}" if self.deck.is_shipped else "")


@dataclass(frozen=True)
class OwnFigures:
    """What reproduces what was made of figures of the user's own, whose deck and rules are not known.

    Parameters
    ----------
    command : str
        The command line.
    file : str
        Where the figures stand.
    """

    command: str
    file: str

    def as_dict(self) -> dict[str, Any]:
        """Return what goes into a sidecar."""
        figures = self.lines()[0]
        return {"program": "woolsim", "version": __version__, "command": self.command, "figures": figures}

    def lines(self) -> tuple[str, str]:
        """Return it for standard error or a footer."""
        return f"woolsim {__version__}; the figures of {self.file} are its author's", f"made by: {self.command}"


def to_csv(rows: Rows, columns: Sequence[str]) -> str:
    """Return rows as CSV; figures have all their digits, missing is empty.

    Text that a spreadsheet would take for a formula has an apostrophe before it, which
    :func:`analyzer.csv_text.meant` takes away again.
    """
    out = io.StringIO()
    writer = csv.DictWriter(out, list(columns), lineterminator="\n")
    writer.writeheader()
    for row in rows:
        writer.writerow({name: harmless(cell) if isinstance(cell, str) else cell for name, cell in row.items()})
    return out.getvalue()


def to_json(rows: Rows, columns: Sequence[str]) -> str:
    """Return rows as one JSON array of objects; missing is null."""
    return json.dumps([{name: row[name] for name in columns} for row in rows], indent=1, allow_nan=False) + "\n"


def to_markdown(headers: Sequence[str], body: Sequence[Sequence[str]]) -> str:
    """Return a Markdown table of ready texts, columns of numbers to the right; no text ends a cell or begins a tag."""
    numeric = [
        bool(body) and all(not line[at] or line[at][0] in "+-0123456789<>" for line in body)
        for at in range(len(headers))
    ]
    lines = [headers, ["---:" if right else "---" for right in numeric], *body]
    return "".join("| " + " | ".join(map(_markdown_cell, line)) + " |\n" for line in lines)


def _markdown_cell(text: str) -> str:
    """Return a text as a cell: all on one line, no end of a cell in it, no tag of HTML."""
    return visible(re.sub(r"<(?=[A-Za-z/!?])", "&lt;", _LINE_END.sub(" ", text)).replace("|", "\\|"))


_DEVICES: Final = (("dev",), ("proc",))
"""Folders at the root whose links lead to streams, not files."""


def _links(path: Path) -> Iterator[Path]:
    """Yield where each link leads, from a path to the file it names in the end."""
    for _ in range(40):
        if not path.is_symlink():
            return
        path = Path(os.path.abspath(path.parent / path.readlink()))  # noqa: PTH100 - resolve() would follow all links
        yield path


def sidecar(path: Path) -> Path:
    """Return where what reproduces a file is written: FILE.meta.json."""
    return path.with_name(path.name + ".meta.json")


def check_output(path: Path) -> None:
    """Make sure, before any work is done, that a file can be written.

    Raises
    ------
    BadInputError
        When the folder does not exist, is none or cannot be written to, or something other than a file is in the way.
    """
    named = path
    try:
        odd = path.exists() and not (path.is_file() or path.is_dir())
        if odd or any(step.parts[1:2] in _DEVICES for step in _links(path)):
            raise BadInputError(f"{named}: is not an ordinary file; use --format to write to standard output")
        path = path.resolve()
    except (OSError, ValueError, RuntimeError) as error:  # too long a name, a null character, links in a circle
        shown = str(path) if len(str(path)) <= 80 else str(path)[:77] + "..."
        raise BadInputError(f"{shown!r}: {getattr(error, 'strerror', None) or error}") from None
    folder = path.parent
    if path.is_dir():
        raise BadInputError(f"{named}: is a folder; name a file")
    if not folder.exists():
        raise BadInputError(f"{named}: the folder {folder} does not exist; make it first")
    if not folder.is_dir():
        raise BadInputError(f"{named}: {folder} is a file, not a folder")
    probe = _beside(path)
    try:
        probe.touch(exist_ok=False)
        probe.unlink()
    except OSError as error:
        raise BadInputError(f"{named}: cannot write into {folder}: {error.strerror}") from None


def _beside(path: Path) -> Path:
    return path.with_name(f".{path.name}.{os.getpid()}.part")


@contextmanager
def replacing(*paths: Path) -> Iterator[tuple[Path, ...]]:
    """Give names beside the wanted files to write to; when all are written, they take the files' places.

    A link stays a link: the file it points to is replaced. A file that was there keeps its permissions.

    Raises
    ------
    OutputError
        When writing fails, for example on a full disk; files that were there before are there again.
    """
    files = tuple(path.resolve() for path in paths)
    parts = tuple(_beside(file) for file in files)
    before = tuple(file.with_name(f".{file.name}.{os.getpid()}.before") for file in files)
    replaced: list[tuple[Path, Path]] = []
    try:
        yield parts
        for part, file, old in zip(parts, files, before, strict=True):
            if file.exists():
                shutil.copymode(file, part)
                shutil.copy2(file, old)
            replaced.append((file, old))
            part.replace(file)
    except BaseException as error:
        for file, old in replaced:  # put back what was there, so that the files still belong together
            if old.exists():
                old.replace(file)
            elif file.is_file():
                file.unlink()
        if isinstance(error, OSError):
            raise OutputError(f"{paths[0]}: could not be written: {error.strerror or error}") from error
        raise
    finally:
        for leftover in parts + before:
            leftover.unlink(missing_ok=True)


def write_csv(path: Path, rows: Rows, columns: Sequence[str], provenance: Provenance | OwnFigures) -> None:
    """Write a CSV file and, beside it, FILE.meta.json with what reproduces it."""
    meta = sidecar(path)
    with replacing(path, meta) as (csv_part, meta_part):
        csv_part.write_text(to_csv(rows, columns), encoding="utf-8", newline="")
        meta_part.write_text(json.dumps(provenance.as_dict(), indent=1) + "\n", encoding="utf-8")
