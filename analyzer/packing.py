"""Integer arrays as bytes: small, lossless, and the same bytes for the same arrays on every machine."""

import json
import zlib
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

IntegerArray = NDArray[np.integer[Any]]


def pack(arrays: Mapping[str, IntegerArray]) -> bytes:
    """Return arrays as bytes.

    Parameters
    ----------
    arrays : mapping of names to integer arrays
        Of any integer type and shape; their order does not matter.

    Returns
    -------
    bytes
        A line of JSON with name, type and shape of each array, then their numbers: all lowest bytes of an array
        first, all highest ones last. The highest bytes of sums are alike, so that compression finds long runs.

    Raises
    ------
    TypeError
        For an array of other than integers.
    """
    little = {name: _little_endian(name, arrays[name]) for name in sorted(arrays)}
    header = json.dumps([[name, array.dtype.str, array.shape] for name, array in little.items()])
    planes = (array.reshape(-1, 1).view(np.uint8).T.tobytes() for array in little.values())
    return b"".join([header.encode(), b"\n", *planes])


def unpack(packed: bytes) -> dict[str, IntegerArray]:
    """Return the arrays that :func:`pack` made these bytes of; they are new ones and may be changed."""
    return dict(_arrays(packed))


def compress(packed: bytes) -> bytes:
    """Return packed arrays compressed, at the level that costs least: higher ones save a few per cent more."""
    return zlib.compress(packed, 1)


def decompress(compressed: bytes) -> bytes:
    """Return what was compressed."""
    return zlib.decompress(compressed)


def _little_endian(name: str, numbers: IntegerArray) -> IntegerArray:
    array = np.ascontiguousarray(numbers).reshape(np.shape(numbers))  # alone it would give a single number an axis
    if array.dtype.kind not in "iu":
        raise TypeError(f"{name}: sums are integers, not {array.dtype}")
    return array.astype(array.dtype.newbyteorder("<"), copy=False)


def _arrays(packed: bytes) -> Iterator[tuple[str, IntegerArray]]:
    at = packed.index(b"\n") + 1
    for name, kind, shape in json.loads(packed[:at]):
        dtype = np.dtype(kind)
        size = int(np.prod(shape, dtype=np.int64)) * dtype.itemsize
        planes = np.frombuffer(packed, np.uint8, size, at).reshape(dtype.itemsize, -1)
        numbers = planes.T.copy(order="C").view(dtype).reshape(shape)
        yield name, numbers.astype(dtype.newbyteorder("="), copy=False)
        at += size
