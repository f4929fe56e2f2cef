"""The story of a game, whichever it is."""

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from analyzer.game import Event, Game


def _wool_rules(events: list[Event], setting: Any) -> str:
    from reports.story import story

    return story(events, setting.deck, setting.rules)


_TELLERS: Final[Mapping[str, Callable[[list[Event], Any], str]]] = {"wool-rules": _wool_rules}


def story_of(game: Game, events: Sequence[Event], setting: Any) -> str:
    """Tell a game in words; one of which nobody has told us how to, event by event.

    Parameters
    ----------
    game : Game
    events : sequence of Event
        As :attr:`~analyzer.game.Game.log` returns them.
    setting : Setting
        What it was played with.
    """
    if game.name in _TELLERS:
        return _TELLERS[game.name](list(events), setting)
    return "\n".join(json.dumps(event) for event in events) + "\n"
