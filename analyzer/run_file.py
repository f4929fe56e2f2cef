"""The file of a run: an SQLite database that is told from others, checked when it is opened, and put right.

Every commit is one transaction with a rollback journal and ``synchronous = EXTRA``: when it returns, file, journal and
folder have reached the disk, and neither ``kill -9`` nor a power failure undoes it. A write-ahead log would be faster
(0.3 instead of 1.1 ms for 30 KB) but keeps commits in a second file, which a copy of `run.sqlite` alone would lack,
which a folder that cannot be written cannot be read with, and which network file systems do not support. Between
commits there is only the one file.
"""

import os
import sqlite3
import zlib
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, Final

from analyzer.errors import BadInputError, WoolsimError
from analyzer.questions import text_digest
from analyzer.salvage import PAGE_SIZE, blobs_in

FILE_NAME: Final = "run.sqlite"

APPLICATION: Final = int.from_bytes(b"WOOL", "big")
"""SQLite's application id of our files."""

FORMAT: Final = 1
"""Kept as the database's user version; a later format has a higher one."""

BUSY_SECONDS: Final = 60
"""How long to wait for another process, which needs the file for milliseconds at a time."""

_SCHEMA: Final = (
    "CREATE TABLE run (question TEXT, digest TEXT, extent INTEGER, part INTEGER, parts INTEGER)",
    "CREATE TABLE blocks (number INTEGER PRIMARY KEY, data BLOB)",
    f"PRAGMA application_id = {APPLICATION}",
    f"PRAGMA user_version = {FORMAT}",
)

_SEAL: Final = 4
"""Bytes of the checksum (CRC-32) before a block's data."""

_FAULTS: Final[dict[int, tuple[type[WoolsimError], str]]] = {
    sqlite3.SQLITE_FULL: (WoolsimError, "the disk is full; every finished block is kept: make room, then resume"),
    sqlite3.SQLITE_IOERR: (WoolsimError, "reading or writing failed; every finished block is kept: see to the disk"),
    sqlite3.SQLITE_READONLY: (WoolsimError, "cannot be written: the file or its folder is read-only"),
    sqlite3.SQLITE_CANTOPEN: (WoolsimError, "cannot be opened or written: see to the permissions of file and folder"),
    sqlite3.SQLITE_BUSY: (WoolsimError, f"another process has been writing for {BUSY_SECONDS} s; try again later"),
    sqlite3.SQLITE_CORRUPT: (BadInputError, "is damaged and cannot be put right; use a copy, or begin again"),
    sqlite3.SQLITE_NOTADB: (BadInputError, "is not a run of woolsim"),
    sqlite3.SQLITE_ERROR: (BadInputError, "holds no run, or too little of one; begin again, or use a copy"),
}

_FAULTS_IN_DETAIL: Final = {
    sqlite3.SQLITE_READONLY_DBMOVED: "was replaced or removed while this process used it; resume to go on",
    sqlite3.SQLITE_READONLY_ROLLBACK: "was interrupted while it was written, and its folder is read-only; copy the "
    "whole folder and use the copy",
}


@contextmanager
def clear_errors(path: Path) -> Iterator[None]:
    """Turn what SQLite and the system complain of into one clear message that names the file."""
    try:
        yield
    except sqlite3.Error as error:
        code = getattr(error, "sqlite_errorcode", None)
        if code is None:  # a mistake in using the module
            raise
        kind, text = _FAULTS.get(code & 0xFF, (WoolsimError, str(error)))
        raise kind(f"{path}: {_FAULTS_IN_DETAIL.get(code, text)}") from error
    except (OSError, ValueError) as error:
        raise WoolsimError(f"{path}: {getattr(error, 'strerror', None) or error}") from error


def begin_file(path: Path, question: str, extent: int, part: tuple[int, int]) -> None:
    """Write a run without blocks, unless another process or an earlier one has done it."""
    with closing(_connect(path, "rwc")) as db:
        db.execute(f"PRAGMA page_size = {PAGE_SIZE}")
        with transaction(db):
            if db.execute("SELECT * FROM sqlite_master").fetchone() is None:
                _begin(db, question, extent, part)


def open_file(path: Path, *, write: bool) -> tuple[sqlite3.Connection, bool]:
    """Open the file of a run, and put it right where it is damaged.

    Parameters
    ----------
    path : Path
    write : bool
        Whether blocks may be committed. A damaged file is then replaced; otherwise it is left as it is.

    Returns
    -------
    connection, bool
        Whether the file was damaged: the connection then shows what of it is whole.

    Raises
    ------
    BadInputError
        When it is not a run that this version can read.
    """
    if not path.is_file():
        raise BadInputError(f"{path}: is not a file")
    opened, repaired = path.stat(), None
    # For reading too: only who may write can take back a commit that was interrupted.
    with closing(_connect(path, "rw")) as db:
        _recognise(path, db)
        damaged = not _is_whole(db)
        if damaged:
            repaired = _repaired(path, db, opened, write=write)
    db = repaired or _connect(path, "rw")
    db.execute("PRAGMA synchronous = EXTRA" if write else "PRAGMA query_only = ON")
    return db, damaged


def insert_block(db: sqlite3.Connection, number: int, data: bytes) -> bool:
    """Add a block, in a transaction of its own where none is under way; False where there is one of this number."""
    sealed = zlib.crc32(data).to_bytes(_SEAL, "big") + data
    return db.execute("INSERT OR IGNORE INTO blocks VALUES (?, ?)", (number, sealed)).rowcount == 1


def read_block(db: sqlite3.Connection, number: int) -> bytes:
    """Return the data of a block that is there."""
    (sealed,) = db.execute("SELECT data FROM blocks WHERE number = ?", (number,)).fetchone()
    return bytes(sealed[_SEAL:])


@contextmanager
def transaction(db: sqlite3.Connection, kind: str = "IMMEDIATE") -> Iterator[None]:
    """Do everything or nothing."""
    db.execute(f"BEGIN {kind}")
    try:
        yield
    except BaseException:
        if db.in_transaction:  # SQLite ends it by itself where the disk is full
            db.execute("ROLLBACK")
        raise
    db.execute("COMMIT")


def _connect(path: Path, mode: str) -> sqlite3.Connection:
    uri = f"{path.absolute().as_uri()}?mode={mode}"
    return sqlite3.connect(uri, uri=True, timeout=BUSY_SECONDS, isolation_level=None)


def _begin(db: sqlite3.Connection, question: str, extent: int, part: tuple[int, int]) -> None:
    for statement in _SCHEMA:
        db.execute(statement)
    db.execute("INSERT INTO run VALUES (?, ?, ?, ?, ?)", (question, text_digest(question), extent, *part))


def _recognise(path: Path, db: sqlite3.Connection) -> None:
    """Refuse a database that is not a run that we can read; nothing of it is changed."""
    db.execute("PRAGMA writable_schema = ON")  # otherwise a file that was cut off does not even tell what it is
    (application,) = db.execute("PRAGMA application_id").fetchone()
    (version,) = db.execute("PRAGMA user_version").fetchone()
    db.execute("PRAGMA writable_schema = OFF")
    if path.stat().st_size and application != APPLICATION:
        raise BadInputError(f"{path}: {_FAULTS[sqlite3.SQLITE_NOTADB][1]}")
    if version > FORMAT:
        raise BadInputError(f"{path}: has format {version}, and this woolsim reads up to {FORMAT}: install a newer one")


def _is_whole(db: sqlite3.Connection) -> bool:
    """Return whether everything can be read and every checksum holds."""
    try:
        return _question_holds(db) and all(_holds(sealed) for (sealed,) in db.execute("SELECT data FROM blocks"))
    except sqlite3.DatabaseError as error:
        # Without a code, the module itself complains of text that is not UTF-8.
        if getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT) & 0xFF != sqlite3.SQLITE_CORRUPT:
            raise
        return False


def _question_holds(db: sqlite3.Connection) -> bool:
    row = db.execute("SELECT question, digest FROM run").fetchone()
    return row is not None and text_digest(str(row[0])) == row[1]


def _holds(sealed: Any) -> bool:
    return isinstance(sealed, bytes) and zlib.crc32(sealed[_SEAL:]).to_bytes(_SEAL, "big") == sealed[:_SEAL]


def _recovered(path: Path, damaged: sqlite3.Connection) -> sqlite3.Connection:
    """Return a database in memory with the whole blocks of a damaged one."""
    if not _question_holds(damaged):
        raise BadInputError(f"{path}: {_FAULTS[sqlite3.SQLITE_CORRUPT][1]}")
    question, extent, part, parts = damaged.execute("SELECT question, extent, part, parts FROM run").fetchone()
    whole = sqlite3.connect(":memory:", isolation_level=None)
    whole.execute(f"PRAGMA page_size = {PAGE_SIZE}")
    _begin(whole, question, extent, (part, parts))
    for number, sealed in blobs_in(damaged.serialize()):
        if _holds(sealed):
            insert_block(whole, number, sealed[_SEAL:])
    return whole


def _repaired(
    path: Path, damaged: sqlite3.Connection, opened: os.stat_result, *, write: bool
) -> sqlite3.Connection | None:
    """Return what is whole as a database in memory; or None, when the file has been replaced by one with just that."""
    damaged.execute("PRAGMA writable_schema = ON")  # otherwise SQLite reads nothing of a file that was cut off
    damaged.execute("PRAGMA journal_mode = MEMORY")  # a journal on the disk would be taken for the new file's
    damaged.execute("BEGIN EXCLUSIVE" if write else "BEGIN")
    if not os.path.samestat(opened, path.stat()):  # another process did it while this one waited
        return None
    whole = _recovered(path, damaged)
    if not write:
        return whole
    with closing(whole):
        beside = path.with_name(f"{path.name}.new")
        beside.unlink(missing_ok=True)
        with closing(_connect(beside, "rwc")) as target:
            whole.backup(target)
        beside.replace(path)
    return None
