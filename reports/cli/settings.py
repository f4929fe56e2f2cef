"""What a game is played with, as options say it: which files and values belong to which of the settings compared."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from analyzer.errors import BadInputError
from analyzer.questions import difference

if TYPE_CHECKING:
    from analyzer.game import Game, Setting
    from strategies.tournaments import Asked


def settings_of(game: "Game", given: Mapping[str, Sequence[str]], *, compared: bool) -> "tuple[Setting, ...]":
    """Return the settings that options make: one, or two that are compared.

    Parameters
    ----------
    game : Game
    given : mapping
        The values of each of the game's options: none, one or two.
    compared : bool
        Whether options of which none has two values are compared with the standard. Otherwise one value is that of all
        settings, and two are compared.

    Raises
    ------
    BadInputError
        Also when what is compared is the same.
    """
    for option, values in given.items():
        if len(values) > 2:
            what = "files" if game.options[option] is Path else "values"
            raise BadInputError(f"--{option}: {len(values)} {what}; two can be compared")
    if not _has_two(given) and not (compared and any(given.values())):
        return (game.read_setting(_of_one(given, 0, compared=False)),)
    first, second = (game.read_setting(_of_one(given, at, compared=True)) for at in range(2))
    there, here = first.as_dict(), second.as_dict()
    for option, values in given.items():
        alone = len(values) == 1 and not _has_two(given)
        if (alone or len(values) == 2) and not difference({option: there[option]}, {option: here[option]}):
            raise BadInputError(f"--{option}: {values[0]} and {'the standard' if alone else values[1]} are the same")
    return first, second


def options_of(question: Mapping[str, Any], setting: int) -> dict[str, str]:
    """Return the options with which a setting of a run is played, by name."""
    given: dict[str, list[str]] = {}
    for option, value in zip(question["files"][::2], question["files"][1::2], strict=True):
        given.setdefault(option.removeprefix("--"), []).append(value)
    compared = question["shape"] == "settings" and len(question["compared_with"]) == 1
    return _of_one(given, setting, compared=compared)


def words_of(options: Mapping[str, str]) -> list[str]:
    """Return options as words of a command."""
    return [word for option, value in options.items() for word in (f"--{option}", value)]


def _of_one(given: Mapping[str, Sequence[str]], setting: int, *, compared: bool) -> dict[str, str]:
    """Return the options of one setting; where single values are compared, the first has the standard instead."""
    single = compared and not _has_two(given)
    places = {option: ["", *values] if single and len(values) == 1 else values for option, values in given.items()}
    chosen = {option: values[min(setting, len(values) - 1)] for option, values in places.items() if values}
    return {option: value for option, value in chosen.items() if value}


def _has_two(given: Mapping[str, Sequence[str]]) -> bool:
    return any(len(values) > 1 for values in given.values())


def check_unchanged(asked: "Asked", question: Mapping[str, Any]) -> None:
    """Refuse to go on when a file of what is played with has changed since a run began; those that are gone may be.

    Raises
    ------
    BadInputError
    """
    for at, setting in enumerate(asked.settings[:1] if asked.perturbed else asked.settings):
        options = options_of(question, at)
        files = {option: value for option, value in options.items() if asked.game.options[option] is Path}
        if not all(Path(file).exists() for file in files.values()):
            continue
        there, here = setting.as_dict(), asked.game.read_setting(options).as_dict()
        for option, file in files.items():
            change = difference({option: there[option]}, {option: here[option]})
            if change:
                raise BadInputError(f"{file}: has changed since the run began: {change}; begin another run with it")
