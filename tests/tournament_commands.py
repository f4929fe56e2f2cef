"""Tournament commands as tests give them: a small one, files of a user's own, what is shown of a run."""

import shlex
from pathlib import Path

from commands import Outcome, alone, succeeded

from analyzer.wool_rules.deck import SHIPPED_FILE

FIELD = ("plain:level=21", "plain", "random")
SMALL = ("tournament", *FIELD, "--players", "3", "--games", "120", "--seed", "5")
RACE = ("find-best", "plain:level=18..22", "--field", "plain:level=20", "--players", "3", "--seed", "2")


def csv_of(folder: str, *more: str) -> str:
    """Return what `show` says of a run."""
    return succeeded(alone("show", folder, "--format", "csv", *more)).out


def made_by_line(outcome: Outcome) -> str:
    """Return the line with the command that reproduces figures."""
    (line,) = [line for line in (outcome.out + outcome.err).splitlines() if line.startswith("made by: ")]
    return line


def made_by(outcome: Outcome) -> list[str]:
    """Return the words of the command that reproduces figures, without its first."""
    first, *words = shlex.split(made_by_line(outcome).removeprefix("made by: "))
    assert first == "woolsim"
    return words


def whole(folder: str, *command: str) -> str:
    """Return the CSV of a run in another folder."""
    return succeeded(alone(*command, "--out", folder, "--format", "csv")).out


TOML = 'strategies = ["plain:level=20..22", "random"]\nplayers = [2, 3]\n'
GAUNTLET = 'candidate = "plain:level=21"\nstrategies = ["plain", "random"]\nplayers = [3]\n'
GAUNTLETS = GAUNTLET.replace("level=21", "level=21..22")

MINE = """
class Steady:
    def bid(v, level=24):
        return level
"""


def other_deck(value: int = 9) -> None:
    """Write a deck without faults whose card 31 differs from the shipped one."""
    text = SHIPPED_FILE.read_text(encoding="utf-8")
    assert text.count("\n31,white,8,-3,0,18\n") == 1
    Path("other.csv").write_text(text.replace("\n31,white,8,-3,0,18\n", f"\n31,white,{value},-3,0,18\n"))


def own_files() -> None:
    """Write a field, gauntlets, two decks, rules and a strategy into the folder one is in."""
    Path("field.toml").write_text(TOML)
    Path("gauntlet.toml").write_text(GAUNTLET)
    Path("gauntlets.toml").write_text(GAUNTLETS)
    Path("mine.py").write_text(MINE)
    other_deck(8 + 2)
    Path("other.csv").rename("third.csv")
    other_deck()
    Path("rules.toml").write_text("dog_single = -3\n")
