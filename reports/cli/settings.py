"""What a game is played with, as options say it: which files and values belong to which of the settings compared."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from analyzer.errors import BadInputError
from analyzer.questions import difference

if TYPE_CHECKING:
    from analyzer.game import Game, Setting
    from strategies.tournaments import Asked


def settings_of(game: "Game", given: Mapping[str, Sequence[str]]) -> "tuple[tuple[Setting, ...], list[str]]":
    """Return the settings that options make, one or two that are compared, and the words that give them again.

    Parameters
    ----------
    game : Game
    given : mapping
        The values of each of the game's options: none, one that is compared with the standard, or two.

    Raises
    ------
    BadInputError
    """
    for option, values in given.items():
        if len(values) > 2:
            what = "files" if game.options[option] is Path else "values"
            raise BadInputError(f"--{option}: {len(values)} {what}; two can be compared")
    settings = tuple(dict.fromkeys(game.read_setting(_of_one(given, at, compared=True)) for at in range(2)))
    return settings, [word for option, values in given.items() for value in values for word in (f"--{option}", value)]


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
    """Return the options of one setting; where one value is compared, the first setting has the standard instead."""
    places = {option: ["", *values] if compared and len(values) == 1 else values for option, values in given.items()}
    chosen = {option: values[min(setting, len(values) - 1)] for option, values in places.items() if values}
    return {option: value for option, value in chosen.items() if value}


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
