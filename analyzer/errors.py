"""The errors a person sees: one base class, one clear message each."""

from typing import NamedTuple


class Sitting(NamedTuple):
    """Where something happened.

    Parameters
    ----------
    game : int
        Number of the game.
    seats : tuple of int
        The strategy on each seat, as an index into those that play.
    setting : int
        Which rules and deck, where several are compared.
    """

    game: int
    seats: tuple[int, ...]
    setting: int = 0


class WoolsimError(Exception):
    """Base of all errors woolsim raises on purpose; the message says what, where and what to do.

    Attributes
    ----------
    exit_status : int
        What the command line ends with: 1 for a failure while running.
    """

    exit_status = 1


class BadInputError(WoolsimError):
    """What was asked cannot be answered: a wrong number, name, file or function (exit status 2)."""

    exit_status = 2


class PolicyError(BadInputError):
    """A policy (a user's or a built-in function) cannot be used or gave an illegal answer."""


class GameFaultError(PolicyError):
    """A policy raised or answered illegally in a game.

    Attributes
    ----------
    sitting : Sitting
        Which game, and who sat where.
    events : list
        The log of the game up to there, where one was kept.
    """

    def __init__(self, message: str, sitting: Sitting) -> None:
        super().__init__(message)
        self.sitting = sitting
        self.events: list[dict[str, object]] = []

    def __reduce__(self) -> tuple[object, ...]:
        """Return how another process makes it again: the base class would leave the sitting out."""
        return type(self), (str(self), self.sitting), {"events": self.events}
