"""What a strategy did wrong in a game, or that it does not come back: said with the command that replays that game."""

import shlex
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from analyzer.errors import BadInputError, GameFaultError, Sitting
from reports.cli.show import end_stalled

Replaying = Callable[[Sitting], str]
"""Returns the command line that replays a game."""


def replaying_command(specs: Sequence[str], seed: int, sitting: Sitting, files: Sequence[str]) -> str:
    """Return the command line that replays a game, its line-up in the order of the seats.

    Parameters
    ----------
    specs : sequence of str
        Of those that `sitting` names by index.
    seed : int
    sitting : Sitting
    files : sequence of str
        Rules and deck, as options.
    """
    seated = [specs[who] for who in sitting.seats]
    return shlex.join(["woolsim", "replay", *seated, "--seed", str(seed), "--game", str(sitting.game), *files])


@contextmanager
def faults_named(replaying: Replaying) -> Iterator[Callable[[str, Sitting, float], None]]:
    """Say with a fault inside this block how to see its game; yields an alarm for a watchdog that ends the process."""

    def alarm(who: str, sitting: Sitting, seconds: float) -> None:
        end_stalled(f"{who} has not answered for {seconds:g} seconds; to see that game: {replaying(sitting)}")

    try:
        yield alarm
    except GameFaultError as error:
        raise BadInputError(f"{error}; to see that game: {replaying(error.sitting)}") from error
