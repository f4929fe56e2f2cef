"""Runs: what was asked, and the sums of every block of games that is finished, in a folder that outlives the process.

A run says nothing of what is played. Its question is data, a block is a number and some arrays of integers. Blocks are
committed in any order, by one process or several, on one machine or, in parts, on many whose runs are merged: what is
read back is the same.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from operator import index
from pathlib import Path
from types import TracebackType
from typing import Any, Final, NamedTuple, Self

from analyzer.errors import BadInputError, WoolsimError
from analyzer.packing import IntegerArray, compress, decompress, pack, unpack
from analyzer.questions import Question, canonical, difference, text_digest
from analyzer.run_file import (
    FILE_NAME,
    begin_anew,
    begin_file,
    clear_errors,
    insert_block,
    open_file,
    read_block,
    transaction,
)


class Part(NamedTuple):
    """Part `number` of `of` that a run is divided into between machines; all parts number their blocks alike."""

    number: int
    of: int

    def has(self, at: int) -> bool:
        """Return whether this part is to play what has number `at`, counted from 0."""
        return at % self.of == self.number - 1

    def count_of(self, n: int) -> int:
        """Return how many of n numbers from 0 on this part is to play."""
        return len(range(self.number - 1, n, self.of))


WHOLE: Final = Part(1, 1)


class Run:
    """An open run; made by :meth:`create` and :meth:`open`, and a context manager that closes it.

    Several processes may have one run open and commit to it; each should leave out what is :meth:`done` when it begins.
    A run is used by the thread that opened it.

    Attributes
    ----------
    folder : Path
    question : dict
        What was asked, as it was given to :meth:`create`.
    damage : str or None
        What to tell the user where the file was damaged: how many blocks are whole; the others are not `done`.
    """

    def __init__(self, folder: Path, *, write: bool) -> None:
        """Open a run; :meth:`open` says more."""
        self.folder = folder
        self._path = folder / FILE_NAME
        with clear_errors(self._path):
            _check_folder(folder)
            if not self._path.exists():
                raise BadInputError(f"{folder}: there is no run in this folder ({FILE_NAME} is missing)")
            self._db, damaged = open_file(self._path, write=write)
        text, self._digest, *_ = self._row()
        self.question: dict[str, Any] = json.loads(text)
        there = len(self.done())
        whole = f"{there:,} whole block{'' if there == 1 else 's'} recovered, the others have to be played again"
        self.damage = f"{self._path}: was damaged; {whole}" if damaged else None

    @classmethod
    def open(cls, folder: Path, *, write: bool) -> Self:
        """Open the run in a folder.

        Parameters
        ----------
        folder : Path
        write : bool
            Whether blocks are to be committed, which is tried at once; of a damaged file only what is whole is
            then left. Without it nothing is changed, and a read-only folder will do.

        Raises
        ------
        BadInputError
            When there is none, or none that this version can read; it says what is there.
        WoolsimError
            When the system does not let us.
        """
        return cls(folder, write=write)

    @classmethod
    def create(cls, folder: Path, question: Question, *, extent: int = 0, part: Part | None = None) -> Self:
        """Begin a run, or open the one that is there to go on with it if it answers the same question.

        Parameters
        ----------
        folder : Path
            Made if it is not there.
        question : mapping
            Whatever the sums depend on, and what is needed to go on; can be written as JSON.
        extent, part : int, Part, optional
            As in :meth:`extend` and :meth:`take`. Default: as it was, or nothing and the whole.

        Raises
        ------
        BadInputError
            When the run there has blocks of another question (it says in what they differ) or of another part, or
            cannot be read.
        WoolsimError
            When the system does not let us.
        """
        path, text = folder / FILE_NAME, canonical(question)
        with clear_errors(path), _nothing_left_of(path):
            if not folder.exists():
                for above in folder.parents:
                    if above.exists() and not above.is_dir():
                        raise BadInputError(f"{folder}: {above} is not a folder, so no run can lie in it")
                folder.mkdir(parents=True, exist_ok=True)  # another process may just have made it
            _check_folder(folder)
            begin_file(path, text, extent, part or WHOLE)
        run = cls.open(folder, write=True)
        try:
            run.ask(question, 0)
            run.extend(extent)
            if part is not None:
                run._check_part(part)
                run.take(part)
        except BaseException:
            run.close()
            raise
        return run

    def ask(self, question: Question, extent: int) -> None:
        """Go on with the question that is answered, or begin anew with another one while there are no blocks.

        Parameters
        ----------
        question : mapping
        extent : int
            How much is asked for if the run begins anew.

        Raises
        ------
        BadInputError
            When the run has blocks of another question.
        """
        if difference(self.question, question) is None:
            return
        text = canonical(question)
        with clear_errors(self._path):
            anew = begin_anew(self._db, text, extent)
        if anew:
            self.question, self._digest = json.loads(text), text_digest(text)
        self.expect(question)

    def expect(self, question: Question, asked: str = "now") -> None:
        """Refuse to go on, with a BadInputError that says why, if another question is asked (now, or elsewhere)."""
        found = difference(self.question, question)
        if found:
            begun_anew = "; begin another run with --out, or play more games of this one with woolsim extend"
            found += begun_anew if asked == "now" else ""
            raise BadInputError(f"{self.folder}: answers another question than is asked {asked}: {found}")

    @property
    def extent(self) -> int:
        """How much is asked for so far, in whatever the question counts (batches of games, say)."""
        return int(self._row()[2])

    @property
    def part(self) -> Part:
        """Which part of the run this folder was last played for."""
        return Part(*self._row()[3:])

    def extend(self, extent: int) -> None:
        """Ask for more; a run never asks for less than before."""
        with clear_errors(self._path):
            self._db.execute("UPDATE run SET extent = ? WHERE extent < ?", (extent, extent))

    def take(self, part: Part) -> None:
        """Note which part of the run is played in this folder from now on."""
        with clear_errors(self._path):
            self._db.execute("UPDATE run SET part = ?, parts = ? WHERE (part, parts) != (?, ?)", (*part, *part))

    def done(self) -> set[int]:
        """Return the numbers of the blocks that are finished."""
        with clear_errors(self._path):
            return {number for (number,) in self._db.execute("SELECT number FROM blocks")}

    def commit(self, number: int, arrays: Mapping[str, IntegerArray]) -> None:
        """Keep the sums of a finished block; when this returns, they are on the disk.

        Parameters
        ----------
        number : int
            From 0 on. A block that is there already is left alone.
        arrays : mapping of names to integer arrays

        Raises
        ------
        WoolsimError
            When the block is there with other sums, the disk is full or the folder cannot be written. All that was
            committed before is kept.
        """
        if number < 0:
            raise ValueError(f"blocks are counted from 0, not {number}")
        self._keep(index(number), compress(pack(arrays)), "those just played")

    def blocks(self) -> Iterator[tuple[int, dict[str, IntegerArray]]]:
        """Yield number and sums of every finished block in the order of their numbers.

        Each is read by itself: whoever takes long over them keeps no other process from committing.
        """
        for number in sorted(self.done()):
            yield number, self.sums(number)

    def sums(self, number: int) -> dict[str, IntegerArray]:
        """Return the sums of a finished block."""
        return unpack(decompress(self._data(number)))

    def adopt(self, others: Sequence["Run"]) -> None:
        """Add the blocks of other runs with the same question: all of them, or none where something is wrong."""
        with clear_errors(self._path), transaction(self._db):
            for other in others:
                self.expect(other.question, f"in {other.folder}")
            apart = [other for other in others if not other._path.samefile(self._path)]
            # In order of their numbers, so that whatever the parts were, the blocks lie in the file as in one run.
            for number, at in sorted((number, at) for at, other in enumerate(apart) for number in other.done()):
                self._keep(number, apart[at]._data(number), f"in {apart[at]._path}")

    def close(self) -> None:
        """Close the file; closing twice does no harm."""
        self._db.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def _row(self) -> tuple[Any, ...]:
        with clear_errors(self._path):
            row: tuple[Any, ...] = self._db.execute("SELECT question, digest, extent, part, parts FROM run").fetchone()
        return row

    def _check_part(self, part: Part) -> None:
        """Refuse a part where blocks of another one are; the whole may follow on a part."""
        there = self.part
        if part not in {there, WHOLE} and self.done():
            what = "the whole run" if there == WHOLE else f"part {there.number} of {there.of}"
            raise BadInputError(
                f"{self.folder}: has blocks of {what}, and part {part.number} of {part.of} is asked for now; every "
                "part needs a folder of its own"
            )

    def _data(self, number: int) -> bytes:
        with clear_errors(self._path):
            return read_block(self._db, number)

    def _keep(self, number: int, data: bytes, source: str) -> None:
        """Add a block, or check that the one that is there is the same; compressed it may look different."""
        with clear_errors(self._path):
            added = insert_block(self._db, number, data, self._digest)
        if added:
            return
        if self._row()[1] != self._digest:
            raise WoolsimError(f"{self._path}: another process began it anew with another question; use another folder")
        kept = self._data(number)
        if kept != data and decompress(kept) != decompress(data):
            raise WoolsimError(
                f"{self._path}: block {number} has other sums than {source}; one question cannot have two answers, so "
                "a file or an engine is at fault: begin again in another folder"
            )


def merge(folder: Path, sources: Sequence[Run]) -> Run:
    """Join parts of a run in one folder, and return the run there, open for writing.

    Parameters
    ----------
    folder : Path
        Where to; a run that is there already is joined too, if it answers the same question.
    sources : sequence of Run
        At least one, all answering the same question. A block may be in several of them if it is the same.

    Raises
    ------
    BadInputError, WoolsimError
        When they answer different questions or have different sums for one block, or the folder cannot be written;
        everything is then as it was before.
    """
    for other in sources[1:]:
        sources[0].expect(other.question, f"in {other.folder}")
    extent = max(run.extent for run in sources)
    with _nothing_left_of(folder / FILE_NAME):
        target = Run.create(folder, sources[0].question, extent=extent, part=WHOLE)
        try:
            target.adopt(sources)
        except BaseException:
            target.close()
            raise
    return target


@contextmanager
def _nothing_left_of(path: Path) -> Iterator[None]:
    """Remove a file and its folder if what was begun fails and they were not there before."""
    fresh, fresh_folder = not path.exists(), not path.parent.exists()
    try:
        yield
    except BaseException:
        with suppress(OSError):
            if fresh:
                path.unlink(missing_ok=True)
            if fresh_folder:
                path.parent.rmdir()
        raise


def _check_folder(folder: Path) -> None:
    if not folder.exists():
        raise BadInputError(f"{folder}: there is no such run")
    if not folder.is_dir():
        raise BadInputError(f"{folder}: is not a folder; a run is a folder with a file {FILE_NAME}")
