"""The file of a run: an SQLite database that is told from others, checked when it is opened, and put right.

Every commit is one transaction with a rollback journal and ``synchronous = EXTRA``: when it returns, file, journal and
folder have reached the disk, and neither ``kill -9`` nor a power failure undoes it. A write-ahead log would take a
quarter of the time (which is 1 ms for 30 KB on an idle disk, 20 ms on a busy one) but keeps commits in a second file:
a copy of `run.sqlite` alone would lack them, a read-only folder could not be read, and network file systems do not
support it. Between commits there is only the one file.
"""

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

_UNCHECKED: Final = "PRAGMA writable_schema = ON"
"""Otherwise SQLite reads nothing of a file that was cut off, not even what it is."""
_CHECKED: Final = "PRAGMA writable_schema = OFF"

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
    except (OSError, ValueError) as error:  # ValueError: a null character in the name
        raise WoolsimError(f"{path}: {getattr(error, 'strerror', None) or error}") from error


def begin_file(path: Path, question: str, extent: int, part: tuple[int, int]) -> None:
    """Write a run without blocks where there is no file or an empty one; another process may do so at the same time."""
    with closing(_connect(path, "rwc")) as db:
        db.execute(_UNCHECKED)
        db.execute("PRAGMA page_count")  # reading takes back what was interrupted as it began
        if path.stat().st_size == 0:
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
        Whether blocks may be committed. A damaged file is then put right; otherwise it is left as it is.

    Returns
    -------
    connection, bool
        Whether the file was damaged: the connection then shows what of it is whole.

    Raises
    ------
    BadInputError
        When it is not a run that this version can read.
    """
    recovered = None
    # For reading too: only who may write can take back a commit that was interrupted.
    with closing(_connect(path, "rw")) as db:
        _recognise(path, db)
        damaged = not _is_whole(db)
        if damaged and write:
            _put_right(path, db)
        elif damaged:
            recovered = _recovered(path, db)
    db = recovered or _connect(path, "rw")
    try:
        db.execute("PRAGMA synchronous = EXTRA" if write else "PRAGMA query_only = ON")
        if write:
            _try_to_write(db)
    except BaseException:
        db.close()
        raise
    return db, damaged


def begin_anew(db: sqlite3.Connection, question: str, extent: int) -> bool:
    """Let a run answer another question; False where it has blocks already."""
    change = "UPDATE run SET question = ?, digest = ?, extent = ? WHERE NOT EXISTS (SELECT 1 FROM blocks)"
    return db.execute(change, (question, text_digest(question), extent)).rowcount == 1


def insert_block(db: sqlite3.Connection, number: int, data: bytes, digest: str) -> bool:
    """Add a block of a run whose question has a digest, in a transaction of its own where none is under way.

    Nothing is added, and False returned, where there is a block of this number, or the run was begun anew meanwhile.
    """
    sealed = _seal(number, data) + data
    added = "INSERT OR IGNORE INTO blocks SELECT ?, ? WHERE ? IN (SELECT digest FROM run)"
    return db.execute(added, (number, sealed, digest)).rowcount == 1


def read_block(db: sqlite3.Connection, number: int) -> bytes:
    """Return the data of a block that is there."""
    (sealed,) = db.execute("SELECT data FROM blocks WHERE number = ?", (number,)).fetchone()
    return bytes(sealed[_SEAL:])


@contextmanager
def transaction(db: sqlite3.Connection) -> Iterator[None]:
    """Do everything or nothing."""
    db.execute("BEGIN IMMEDIATE")
    try:
        yield
    except BaseException:
        if db.in_transaction:  # SQLite ends it by itself where the disk is full
            db.execute("ROLLBACK")
        raise
    db.execute("COMMIT")


def _connect(path: Path, mode: str) -> sqlite3.Connection:
    if path.exists() and not path.is_file():
        raise BadInputError(f"{path}: is not a file")
    uri = f"{path.absolute().as_uri()}?mode={mode}"
    return sqlite3.connect(uri, uri=True, timeout=BUSY_SECONDS, isolation_level=None)


def _try_to_write(db: sqlite3.Connection) -> None:
    """Fail now where the file or its folder is read-only, rather than when the first block has been played."""
    db.execute("BEGIN IMMEDIATE")
    db.execute(f"PRAGMA user_version = {FORMAT}")  # makes the journal; the file itself is not written to
    db.execute("ROLLBACK")


def _begin(db: sqlite3.Connection, question: str, extent: int, part: tuple[int, int]) -> None:
    for statement in _SCHEMA:
        db.execute(statement)
    db.execute("INSERT INTO run VALUES (?, ?, ?, ?, ?)", (question, text_digest(question), extent, *part))


def _recognise(path: Path, db: sqlite3.Connection) -> None:
    """Refuse a database that is not a run that we can read; nothing of it is changed."""
    db.execute(_UNCHECKED)
    (application,) = db.execute("PRAGMA application_id").fetchone()
    (version,) = db.execute("PRAGMA user_version").fetchone()
    if application != APPLICATION:
        raise BadInputError(f"{path}: {_FAULTS[sqlite3.SQLITE_NOTADB][1]}")
    if version > FORMAT:
        raise BadInputError(f"{path}: has format {version}, and this woolsim reads up to {FORMAT}: install a newer one")


def _is_whole(db: sqlite3.Connection) -> bool:
    """Return whether everything can be read and every checksum holds."""
    try:
        db.execute(_CHECKED)
        structure = db.execute("PRAGMA quick_check(1)").fetchone()
        blocks = db.execute("SELECT number, data FROM blocks")
        return structure == ("ok",) and _question_holds(db) and all(_holds(*block) for block in blocks)
    except sqlite3.DatabaseError as error:
        # Without a code, the module itself complains of text that is not UTF-8.
        if getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT) & 0xFF != sqlite3.SQLITE_CORRUPT:
            raise
        return False


def _question_holds(db: sqlite3.Connection) -> bool:
    row = db.execute("SELECT question, digest FROM run").fetchone()
    return row is not None and text_digest(str(row[0])) == row[1]


def _seal(number: int, data: bytes) -> bytes:
    """Return the checksum of a block, of its number too."""
    return zlib.crc32(data, number & 0xFFFFFFFF).to_bytes(_SEAL, "big")


def _holds(number: int, sealed: Any) -> bool:
    return isinstance(sealed, bytes) and _seal(number, sealed[_SEAL:]) == sealed[:_SEAL]


def _recovered(path: Path, damaged: sqlite3.Connection) -> sqlite3.Connection:
    """Return a database in memory with the whole blocks of a damaged one."""
    damaged.execute(_UNCHECKED)
    if not _question_holds(damaged):
        raise BadInputError(f"{path}: {_FAULTS[sqlite3.SQLITE_CORRUPT][1]}")
    question, extent, part, parts = damaged.execute("SELECT question, extent, part, parts FROM run").fetchone()
    whole = sqlite3.connect(":memory:", isolation_level=None)
    whole.execute(f"PRAGMA page_size = {PAGE_SIZE}")
    _begin(whole, question, extent, (part, parts))
    for number, sealed in blobs_in(damaged.serialize()):
        if _holds(number, sealed):
            insert_block(whole, number, sealed[_SEAL:], text_digest(question))
    return whole


def _put_right(path: Path, damaged: sqlite3.Connection) -> None:
    """Leave in a database only what of it is whole, at once or, if that is interrupted, not at all."""
    damaged.execute(_UNCHECKED)
    damaged.execute("BEGIN EXCLUSIVE")
    damaged.execute("PRAGMA locking_mode = EXCLUSIVE")  # from here on it stays locked until the connection is closed
    damaged.execute("ROLLBACK")
    if not _is_whole(damaged):  # otherwise another process did it while this one waited
        with closing(_recovered(path, damaged)) as whole:
            whole.backup(damaged)
