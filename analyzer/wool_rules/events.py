"""Events of a game as the engine notes them, for the log of a replay (design page, "Replay: one game as a log").

The engine that plays millions of games notes them too when it is asked to: there is no second implementation.
"""

from typing import Final

from analyzer.jit import inlined, unlikely
from analyzer.wool_rules.state import EVENT_WIDTH, State

(LAYOUT, BID_MADE, ORDER, ROLL, HELD, ACCEPTED, DECLINED, SAVED_14, TAKE, CHIP, SKIP) = range(11)
"""Kinds of events; setup, score and end are known without noting them."""

SUCCESS, BLACK_SHEEP, REST, LEFTOVER = range(4)
"""Reasons of a taking."""

REASONS: Final = ("success", "black sheep", "rest", "leftover")

FIRST_FIELD: Final = 3
"""Fields of an event after its kind, round and seat."""

MAX_FIELDS: Final = EVENT_WIDTH - FIRST_FIELD


@inlined
def note(s: State, kind: int, round_number: int, seat: int, fields: tuple[int, ...]) -> None:
    """Note an event if a log is kept: kind, round, seat, and up to :data:`MAX_FIELDS` numbers."""
    if unlikely(s.logging != 0):
        row = s.n_events
        s.events[row, 0] = kind
        s.events[row, 1] = round_number
        s.events[row, 2] = seat
        for i in range(len(fields)):
            s.events[row, FIRST_FIELD + i] = fields[i]
        s.n_events = row + 1
