"""The errors a person sees: one base class, one clear message each."""


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
    game, rotation : int
        Which game, and which seating of the line-up.
    events : list
        The log of the game up to there, where one was kept.
    """

    def __init__(self, message: str, game: int, rotation: int) -> None:
        super().__init__(message)
        self.game = game
        self.rotation = rotation
        self.events: list[dict[str, object]] = []
