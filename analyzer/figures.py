"""Figures as people read them: shares as percentages, with their intervals, never more certain than they are."""

from collections.abc import Mapping


def percent(share: object, digits: int = 1) -> str:
    """Write a share as a percentage; missing is a dash. What is not certain is never written as 0 % or 100 %."""
    if not isinstance(share, float) or share != share:  # noqa: PLR0124 - not a number
        return "-"
    text = f"{share:.{digits}%}"
    if share < 1 and text == f"{1:.{digits}%}":
        return f">{1 - 10**-digits / 100:.{digits}%}"
    if share > 0 and text == f"{0:.{digits}%}":
        return f"<{10**-digits / 100:.{digits}%}"
    return text


def number(value: object, digits: int = 2) -> str:
    """Write a figure; missing is a dash."""
    return "-" if not isinstance(value, float) else f"{value:.{digits}f}"


def counted(games: int) -> str:
    """Return a number of games in words."""
    return f"{games:,} game{'' if games == 1 else 's'}"


def shortened(text: str, width: int) -> str:
    """Return a text of at most `width` letters: the middle of a longer one gives way to an ellipsis."""
    if len(text) <= width:
        return text
    end = (width - 1) // 2
    return f"{text[: width - 1 - end]}…{text[len(text) - end :]}"


def share_between(row: Mapping[str, object], name: str) -> str:
    """Write a share of a row with its interval, if it has one: 88.2% (87.8% to 88.7%)."""
    return _between(*(percent(row.get(name + end)) for end in ("", "_low", "_high")))


def figure_between(row: Mapping[str, object], name: str) -> str:
    """Write a figure of a row with its interval, if it has one: 55.94 (55.66 to 56.22)."""
    return _between(*(number(row.get(name + end)) for end in ("", "_low", "_high")))


def _between(figure: str, low: str, high: str) -> str:
    return figure if low == high == "-" else f"{figure} ({low} to {high})"
