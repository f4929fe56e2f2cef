"""The games there are, each with its strategies: the one list of them, and the only place that names them here."""

import importlib
import pkgutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import FunctionType, ModuleType
from typing import TYPE_CHECKING, Final

from analyzer.game import Game
from analyzer.wool_rules.game import WOOL_RULES

if TYPE_CHECKING:
    from analyzer.slots import Policy
    from strategies.specs import Part

Home = ModuleType | type | FunctionType | Mapping[str, object]
"""What has the functions of a strategy, named for slots: a module, a class (functions without self) or a file."""

SlotRules = Mapping[str, "Callable[[Part], Policy]"]
"""Rules for one slot that are no strategies, by name: each makes a policy of what a spec says of it."""


@dataclass(frozen=True, eq=False)
class House:
    """A game with our strategies for it.

    Parameters
    ----------
    game : Game
    homes : callable () -> mapping of str to module or class
        By name; what has no function named for a slot is no strategy.
    first : tuple of str
        The reference strategies, listed first; functions of the very first fill the slots that another leaves out.
    rules : mapping of str to callable () -> SlotRules
        By slot.
    """

    game: Game
    homes: Callable[[], Mapping[str, ModuleType | type]]
    first: tuple[str, ...]
    rules: Mapping[str, Callable[[], SlotRules]] = field(default_factory=dict)

    def rules_for(self, slot: str) -> SlotRules:
        """Return the rules for a slot that are no strategies."""
        return self.rules[slot]() if slot in self.rules else {}

    @property
    def default(self) -> str:
        """The strategy whose functions fill the slots that another leaves out."""
        return self.first[0]


def _wool_rules_strategies() -> dict[str, ModuleType]:
    import strategies.wool_rules as package

    return _modules_of(package)


def _wool_rules_holds() -> SlotRules:
    from strategies.wool_rules.hold_registry import hold_policies

    return hold_policies()


def _modules_of(package: ModuleType) -> dict[str, ModuleType]:
    """Return the modules of a package by their names as specs write them."""
    names = [info.name for info in pkgutil.iter_modules(package.__path__)]
    return {name.replace("_", "-"): importlib.import_module(f"{package.__name__}.{name}") for name in names}


HOUSES: Final[dict[str, House]] = {
    house.game.name: house
    for house in (House(WOOL_RULES, _wool_rules_strategies, ("plain", "random", "value"), {"hold": _wool_rules_holds}),)
}
"""By the name of the game."""

MAIN: Final = WOOL_RULES
"""The game whose commands need no name of a game."""


def house_of(game: Game) -> House:
    """Return a game with its strategies."""
    return HOUSES[game.name]


def command_of(game: Game) -> str:
    """Return what a game's commands begin with."""
    return "woolsim" if game is MAIN else f"woolsim {game.name}"
