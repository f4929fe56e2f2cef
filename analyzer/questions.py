"""What a run answers, as data: when two questions are the same, in what they differ, and a name for a folder."""

import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

Question = Mapping[str, Any]
"""What can be written as JSON. A mapping with a "name" and a "hash" is spoken of by these two, and what it is called or
was "given" as makes no difference where the hashes are equal; nor do the words under "files", whose contents have
hashes elsewhere: files may lie at other places on another machine."""

_CALLED: Final = ("name", "given")
_PLACES: Final = "files"

_SHOWN_HASH: Final = 8
_SHOWN_VALUE: Final = 60
_SHOWN_DIFFERENCES: Final = 3
_LONGEST_SLUG: Final = 40


def canonical(question: Any) -> str:
    """Return a question as JSON, the same text however its keys are ordered."""
    return json.dumps(question, sort_keys=True, separators=(",", ":"), allow_nan=False)


def digest(question: Question) -> str:
    """Return the SHA-256 of the canonical text."""
    return text_digest(canonical(question))


def text_digest(text: str) -> str:
    """Return the SHA-256 of a text."""
    return hashlib.sha256(text.encode()).hexdigest()


def difference(there: Question, here: Question) -> str | None:
    """Return in what two questions differ, in words that continue a sentence; None where they are the same.

    Parameters
    ----------
    there, here : mapping
        Questions; what stands only in one of them differs too.

    Returns
    -------
    str or None
        For example ``the deck differs: reconstructed (8d6f0a11) there, mine.csv (1f2e9c70) here``.
    """
    old, new = ({key: value for key, value in each.items() if key != _PLACES} for each in (there, here))
    found = list(_differences(json.loads(canonical(old)), json.loads(canonical(new)), ""))
    more = len(found) - _SHOWN_DIFFERENCES
    shown = found[:_SHOWN_DIFFERENCES] + ([f"and {more} more"] if more > 0 else [])
    return "; ".join(shown) or None


def default_name(command: str, question: Question) -> str:
    """Return a name for a run's folder: the words of a command, and what tells one question from every other."""
    slug = re.sub(r"[^a-z0-9]+", "-", command.lower()).strip("-")
    if len(slug) > _LONGEST_SLUG:
        slug = slug[: _LONGEST_SLUG + 1].rpartition("-")[0] or slug[:_LONGEST_SLUG]
    return f"{slug or 'run'}-{digest(question)[:_SHOWN_HASH]}"


def _differences(there: Question, here: Question, of: str) -> Iterator[str]:
    """Yield one clause for each key that differs, going into mappings until their words differ."""
    for key in sorted({*there, *here}):
        old, new = there.get(key), here.get(key)
        if _substance(old) == _substance(new) and (key in there) == (key in here):
            continue
        if isinstance(old, list) and isinstance(new, list):
            old, new = _only_in(old, new), _only_in(new, old)
        what = f"{key.replace('_', ' ')}{of}"
        words = _in_words(old), _in_words(new)
        unclear = words[0] == words[1] or not _is_named(old)
        if isinstance(old, dict) and isinstance(new, dict) and old and new and unclear:
            yield from _differences(old, new, f" of {what}")
        else:
            yield f"the {what} differ{'' if key.endswith('s') else 's'}: {words[0]} there, {words[1]} here"


def _only_in(items: list[Any], others: list[Any]) -> Any:
    """Return the items that the others lack, or the item if there is one only; all where they differ in their order."""
    here, there = ([_substance(item) for item in each] for each in (items, others))
    only = [item for item, substance in zip(items, here, strict=True) if substance not in there]
    if not only and all(substance in here for substance in there):
        return items
    return only[0] if len(only) == 1 else only


def _substance(value: Any) -> str:
    """Return the canonical text of a value without what things with a hash are called."""

    def bare(value: Any) -> Any:
        if isinstance(value, list):
            return [bare(one) for one in value]
        if not isinstance(value, dict):
            return value
        left_out = _CALLED if _is_named(value) and "hash" in value else ()
        return {key: bare(one) for key, one in value.items() if key not in left_out}

    return canonical(bare(value))


def _in_words(value: Any) -> str:
    if value is None or value in ([], {}):
        return "nothing"
    if _is_named(value):
        return f"{value['name']} ({value['hash'][:_SHOWN_HASH]})" if "hash" in value else str(value["name"])
    if isinstance(value, list) and all(map(_is_named, value)):
        return _cut(", ".join(map(_in_words, value)))
    return _cut(value if isinstance(value, str) else canonical(value))


def _is_named(value: Any) -> bool:
    return isinstance(value, dict) and "name" in value


def _cut(words: str) -> str:
    return words if len(words) <= _SHOWN_VALUE else words[: _SHOWN_VALUE - 1] + "…"
