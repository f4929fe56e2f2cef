"""One game as a log: the events the engine has noted, as objects with the names of the design page."""

from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from analyzer.results import SCORE, WHOLE_WIN, WIN
from analyzer.wool_rules.bidding import bid_label
from analyzer.wool_rules.constants import WHITE
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
from analyzer.wool_rules.games import GamePlayer, Question
from analyzer.wool_rules.scoring import SCORE_PARTS
from analyzer.wool_rules.state import NO_CARD
from analyzer.wool_rules.tallies import FIRST_PART

Event = dict[str, Any]


def game_log(question: Question, game: int, rotation: int = 0, player: GamePlayer | None = None) -> list[Event]:
    """Play one game and return its events, each a dict that JSON can hold.

    Parameters
    ----------
    question : Question
    game : int
        Number of the game in a run with this seed.
    rotation : int
        Which seating, for a question that rotates.
    player : GamePlayer, optional
        One of this question, to save setting up another.

    Returns
    -------
    list of dict
        setup, then what happened in order, then the score of each seat and the end.

    Raises
    ------
    GameFaultError
        When a policy raises or answers illegally; it has the events up to there.
    """
    played = (player or GamePlayer(question)).record(game, rotation)
    state, results = played.state, played.results
    events = _so_far(question, state, game, rotation)
    if played.fault is not None:
        if events[-1]["event"] == "hold":
            events.pop()  # the illegal answer itself: after a legal one the other dice are rolled
        played.fault.events = events
        raise played.fault
    events += [_score(question, state, played.view, seat, results[seat]) for seat in range(question.players)]
    winners = [seat for seat in range(question.players) if results[seat, WIN]]
    return [*events, {"event": "end", "winners": winners, "win_share": int(results[winners[0], WIN]) / WHOLE_WIN}]


def unfinished_log(player: GamePlayer, game: int, rotation: int = 0) -> list[Event]:
    """Return the events up to now of a game that :func:`game_log` is playing in another thread."""
    state = player.unfinished()
    return [] if state is None else _so_far(player.question, state, game, rotation)


def _so_far(question: Question, state: np.void, game: int, rotation: int) -> list[Event]:
    events = [_event(row.tolist()) for row in state["events"][: state["n_events"]]]
    return [_setup(question, state, question.seating[rotation], game), *events]


def _setup(question: Question, state: np.void, seating: NDArray[np.int64], game: int) -> Event:
    return {
        "event": "setup",
        "players": question.players,
        "strategies": [question.strategies[who].spec for who in seating],
        "seed": question.seed,
        "game": game,
        "deck": state["supply"].tolist(),
        "table_numbers": state["dealt"][: question.players].tolist(),
        "chips": [question.rules.chips_start] * question.players,
        "rules": question.rules.changes,
    }


def _score(question: Question, state: np.void, view: np.void, seat: int, result: NDArray[np.int32]) -> Event:
    parts = dict(zip(SCORE_PARTS, result[FIRST_PART : FIRST_PART + len(SCORE_PARTS)].tolist(), strict=True))
    discarded = [] if view["seats"][seat]["dogs"] else _discarded(question, int(state["tallies"][seat]["white_ranks"]))
    return {"event": "score", "seat": seat, **parts, "discarded": discarded, "total": int(result[SCORE])}


def _discarded(question: Question, white_ranks: int) -> list[int]:
    """Return the white sheep that leave a flock without a dog (R19), the lowest first."""
    white = sorted((card.points, card.card) for card in question.deck.cards if card.kind == WHITE)
    owned = [card for rank, (_, card) in enumerate(white) if white_ranks >> rank & 1]
    return owned[: question.rules.dogless_discard]


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
