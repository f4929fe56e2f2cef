"""Spec strings: ``NAME[:param=value,...][/SLOT=NAME[:param=value,...]]...``, or ``file.py:NAME[:...]``."""

import difflib
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from analyzer.errors import BadInputError
from analyzer.slots import Parameter, cast_parameter

MOST_LISTED: Final = 14
"""Known names that an error lists."""


@dataclass(frozen=True)
class Part:
    """A name with values for parameters, as it stands in a spec.

    Parameters
    ----------
    text : str
        As given.
    file : str or None
        The user's file that has the name.
    name : str
        May be empty for a file.
    given : mapping
        Values as texts.
    """

    text: str
    file: str | None
    name: str
    given: Mapping[str, str]


def parse_part(text: str) -> Part:
    """Read ``NAME[:param=value,...]`` or ``file.py:NAME[:param=value,...]``.

    Raises
    ------
    BadInputError
        For a parameter without value, or given twice.
    """
    text = text.strip()
    in_file = re.match(r"(?P<file>.+?\.py)(?::(?P<rest>.*))?$", text, re.DOTALL)
    rest = (in_file["rest"] or "") if in_file else text
    if in_file and "=" in rest.partition(":")[0]:
        rest = f":{rest}"  # mine.py:nerve=0.4: the file is a strategy itself
    name, colon, values = rest.partition(":")
    given: dict[str, str] = {}
    for piece in values.split(",") if colon else ():
        key, equals, value = (word.strip() for word in piece.partition("="))
        if not (key and equals and value):
            raise BadInputError(f"{text}: {piece!r} is not param=value")
        if key in given:
            raise BadInputError(f"{text}: {key} is given twice")
        given[key] = value
    return Part(text, in_file["file"] if in_file else None, name.strip(), given)


def split_slots(spec: str, slots: Sequence[str]) -> tuple[str, dict[str, str]]:
    """Split a spec into its first part and the parts of single slots, only at a slash before a slot's name and ``=``.

    Raises
    ------
    BadInputError
        For an unknown slot, or one that is given twice.
    """
    first, *rest = re.split(rf"/(?=(?:{'|'.join(slots)})\s*=)", spec.strip())
    for piece in (first, *rest):
        other = re.search(r"/(\w+)\s*=", piece[piece.rfind(".py") + 1 :])  # a folder may be called anything
        if other:
            raise BadInputError(f"{spec}: {unknown('slot', other[1], slots)}")
    parts: dict[str, str] = {}
    for piece in rest:
        slot, _, part = (word.strip() for word in piece.partition("="))
        if slot in parts:
            raise BadInputError(f"{spec}: slot {slot} is given twice")
        if not part:
            raise BadInputError(f"{spec}: slot {slot} needs a name, as in /{slot}=NAME")
        parts[slot] = part
    return first, parts


def fill(part: Part, defaults: Mapping[str, Parameter], what: str) -> dict[str, Parameter]:
    """Return a value for every parameter.

    Raises
    ------
    BadInputError
        For an unknown parameter or a value of the wrong type.
    """
    for name in part.given:
        if name not in defaults:
            if not defaults:
                raise BadInputError(f"{part.text}: unknown parameter {name!r}; the {what} has no parameters")
            raise BadInputError(f"{part.text}: {unknown('parameter', name, defaults)}")
    try:
        return {
            name: cast_parameter(name, part.given[name], default) if name in part.given else default
            for name, default in defaults.items()
        }
    except BadInputError as error:
        raise BadInputError(f"{part.text}: {error}") from None


def unknown(what: str, name: str, known: Iterable[str]) -> str:
    """Say that a name is unknown, which one is near, and which are known."""
    known = list(dict.fromkeys(known))
    by_lower_case = {each.lower(): each for each in known}
    near = difflib.get_close_matches(name.lower(), by_lower_case, n=1, cutoff=0.5)
    hint = f"did you mean {by_lower_case[near[0]]}? " if near else ""
    listed = ", ".join(known[:MOST_LISTED]) or "none"
    more = f" and {len(known) - MOST_LISTED} more" if len(known) > MOST_LISTED else ""
    shown = name if len(name) <= 60 else f"{name[:57]}..."
    return f"unknown {what} {shown!r}; {hint}known: {listed}{more}"


def written(name: str, parameters: Mapping[str, Parameter]) -> str:
    """Return a name with all its parameters as a spec."""
    values = ",".join(f"{key}={_value(value)}" for key, value in parameters.items())
    return f"{name}:{values}" if values else name


def _value(value: Parameter) -> str:
    return str(value).lower() if isinstance(value, bool) else repr(value)
