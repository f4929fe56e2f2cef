"""What is left of a damaged SQLite database: the rows of a table, read from its pages one by one.

SQLite finds a row by way of pages that lie anywhere in the file, so that a file cut off in the middle may show none at
all. But a page with rows says so itself, and a row says where it goes on. Layout of pages, cells and numbers: "Database
File Format", sections 1.5, 1.6 and 2.1 (https://www.sqlite.org/fileformat2.html).
"""

import struct
from collections.abc import Iterator
from typing import Final

PAGE_SIZE: Final = 4096
"""Bytes of a page in all our files: what is known beforehand cannot be damaged."""

_TABLE_LEAF: Final = 13
_PAGE_HEADER: Final = 8
_MOST_IN_CELL: Final = PAGE_SIZE - 35
_LEAST_IN_CELL: Final = (PAGE_SIZE - 12) * 32 // 255 - 23
_IN_OVERFLOW: Final = PAGE_SIZE - 4


def blobs_in(image: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield the rows of tables (key INTEGER PRIMARY KEY, blob BLOB) that can be found in a database.

    Parameters
    ----------
    image : bytes
        The database, page by page; damaged, missing and foreign ones may be among them.

    Yields
    ------
    int, bytes
        Key and blob. Nothing vouches for either: the caller has a checksum, and a row may come twice.
    """
    for start in range(0, len(image) - PAGE_SIZE + 1, PAGE_SIZE):
        page = image[start : start + PAGE_SIZE]
        if page[0] != _TABLE_LEAF:
            continue
        (cells,) = struct.unpack_from(">H", page, 3)
        for (at,) in struct.iter_unpack(">H", page[_PAGE_HEADER : _PAGE_HEADER + 2 * cells]):
            try:
                yield _row(image, page, at)
            except (IndexError, struct.error):  # it points out of the page or the file
                continue


def _row(image: bytes, page: bytes, at: int) -> tuple[int, bytes]:
    """Return key and blob of the row whose cell begins at a place of its page."""
    length, at = _number(page, at)
    key, at = _number(page, at)
    record = page[at : at + _length_in_cell(length)]
    if len(record) < length <= len(image):
        (following,) = struct.unpack_from(">I", page, at + len(record))
        record += _overflow(image, following, length - len(record))
    # The key stands in the cell and takes no room in the record, so all that follows the record's header is the blob.
    header_length, _ = _number(record, 0)
    return key, record[header_length:]


def _length_in_cell(length: int) -> int:
    """Return how much of a record of some length stands in the cell itself."""
    if length <= _MOST_IN_CELL:
        return length
    filling = _LEAST_IN_CELL + (length - _LEAST_IN_CELL) % _IN_OVERFLOW  # the last overflow page is then full
    return filling if filling <= _MOST_IN_CELL else _LEAST_IN_CELL


def _overflow(image: bytes, page: int, length: int) -> bytes:
    """Return the rest of a record from its chain of overflow pages, which are counted from 1."""
    pieces = []
    while length > 0:
        start = (page - 1) * PAGE_SIZE
        (page,) = struct.unpack_from(">I", image, start)
        pieces.append(image[start + 4 : start + 4 + min(length, _IN_OVERFLOW)])
        length -= _IN_OVERFLOW
    return b"".join(pieces)


def _number(data: bytes, at: int) -> tuple[int, int]:
    """Return a number of variable length, seven bits a byte, and where it ends; ours are below 2**56."""
    number = 0
    while True:
        number = number << 7 | data[at] & 0x7F
        at += 1
        if data[at - 1] < 0x80:
            return number, at
