"""One game as a log: the events the engine has noted, as objects with the names of the design page."""

from collections.abc import Callable, Sequence
from typing import Final

import numpy as np

from analyzer.errors import Sitting
from analyzer.game import Event
from analyzer.results import SCORE, WHOLE_WIN, WIN
from analyzer.wool_rules.bidding import bid_label
from analyzer.wool_rules.constants import SCORE_PARTS, WHITE
from analyzer.wool_rules.engine import Engine
from analyzer.wool_rules.events import (
    ACCEPTED,
    BID_MADE,
    CHIP,
    DECLINED,
    HELD,
    LAYOUT,
    ORDER,
    REASONS,
    ROLL,
    SAVED_14,
    SKIP,
    TAKE,
)
from analyzer.wool_rules.games import GamePlayer, Question, Recording, record
from analyzer.wool_rules.setting import Setting
from analyzer.wool_rules.state import NO_CARD
from analyzer.wool_rules.tallies import FIRST_PART


def log(engine: Engine, sitting: Sitting) -> list[Event]:
    """Play one game and return its events.

    Parameters
    ----------
    engine : Engine
    sitting : Sitting
        Which game, who sits where, and in which of the engine's settings.

    Returns
    -------
    list of dict
        setup, then what happened in order, then the score of each seat and the end.

    Raises
    ------
    GameFaultError
        When a policy raises or answers illegally; it has the events up to there.
    """
    played = record(engine, sitting)
    events = _so_far(engine, sitting, played.state)
    if played.fault is not None:
        if events[-1]["event"] == "hold":
            events.pop()  # the illegal answer itself: after a legal one the other dice are rolled
        played.fault.events = events
        raise played.fault
    setting, results = engine.settings[sitting.setting], played.results
    events += [_score(setting, played, seat) for seat in range(len(results))]
    winners = np.flatnonzero(results[:, WIN]).tolist()
    return [*events, {"event": "end", "winners": winners, "win_share": int(results[winners[0], WIN]) / WHOLE_WIN}]


def unfinished_log(engine: Engine, sitting: Sitting) -> list[Event]:
    """Return the events up to now of a game that :func:`log` is playing in another thread."""
    state = engine.unfinished()
    return [] if state is None else _so_far(engine, sitting, state)


def game_log(question: Question, game: int, rotation: int = 0, player: GamePlayer | None = None) -> list[Event]:
    """Play one game of a question as :func:`log` does, in a rotation of its line-up; a `player` of it saves time."""
    player = player or GamePlayer(question)
    return log(player.engine, player.sitting(game, rotation))


def _so_far(engine: Engine, sitting: Sitting, state: np.void) -> list[Event]:
    events = [_event(row.tolist()) for row in state["events"][: state["n_events"]]]
    return [_setup(engine, sitting, state), *events]


def _setup(engine: Engine, sitting: Sitting, state: np.void) -> Event:
    players, rules = len(sitting.seats), engine.settings[sitting.setting].rules
    return {
        "event": "setup",
        "players": players,
        "strategies": [engine.strategies[who].spec for who in sitting.seats],
        "seed": engine.seed,
        "game": sitting.game,
        "deck": state["supply"].tolist(),
        "table_numbers": state["dealt"][:players].tolist(),
        "chips": [rules.chips_start] * players,
        "rules": rules.changes,
    }


def _score(setting: Setting, played: Recording, seat: int) -> Event:
    view, state, result = played.view, played.state, played.results[seat]
    parts = dict(zip(SCORE_PARTS, result[FIRST_PART : FIRST_PART + len(SCORE_PARTS)].tolist(), strict=True))
    discarded = [] if view["seats"][seat]["dogs"] else _discarded(setting, int(state["tallies"][seat]["white_ranks"]))
    return {"event": "score", "seat": seat, **parts, "discarded": discarded, "total": int(result[SCORE])}


def _discarded(setting: Setting, white_ranks: int) -> list[int]:
    """Return the white sheep that leave a flock without a dog (R19), the lowest first."""
    white = sorted((card.points, card.card) for card in setting.deck.cards if card.kind == WHITE)
    owned = [card for rank, (_, card) in enumerate(white) if white_ranks >> rank & 1]
    return owned[: setting.rules.dogless_discard]


def _event(row: Sequence[int]) -> Event:
    """Return one event of the engine as an object."""
    kind, round_number, seat, *fields = row
    name, read = _EVENTS[kind]
    head = {"event": name, "round": round_number}
    return head | ({} if kind in {LAYOUT, ORDER} else {"seat": seat}) | read(fields)


def _named(*names: str) -> Callable[[list[int]], Event]:
    return lambda fields: dict(zip(names, fields, strict=False))


def _roll(f: list[int]) -> Event:
    return {"attempt": f[0], "dice": f[1:4], "total": f[4], "modifier": f[5], "result": f[6]}


def _accept(f: list[int]) -> Event:
    return {"attempt": f[0], "bonus_used": f[1], "chips_spent": f[2], "forced": bool(f[3])}


def _take(f: list[int]) -> Event:
    reason, top, bone_from, n = f[:4]
    return {
        "cards": f[4 : 4 + n],
        "reason": REASONS[reason],
        "top": None if top == NO_CARD else top,
        "bone_from": None if bone_from < 0 else bone_from,
    }


_EVENTS: Final[dict[int, tuple[str, Callable[[list[int]], Event]]]] = {
    LAYOUT: ("layout", lambda f: {"cards": f[1 : 1 + f[0]]}),
    BID_MADE: ("bid", lambda f: {"bid": bid_label(f[0]), "chips": f[1]}),
    ORDER: ("order", lambda f: {"seats": f[1 : 1 + f[0]]}),
    ROLL: ("roll", _roll),
    HELD: ("hold", _named("attempt", "die")),
    ACCEPTED: ("accept", _accept),
    DECLINED: ("decline", _named("attempt")),
    SAVED_14: ("save", _named("bonus_used", "chips_spent")),
    TAKE: ("take", _take),
    CHIP: ("chip", _named("chips")),
    SKIP: ("skip", _named()),
}
