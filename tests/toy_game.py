# ruff: noqa: N805 - functions of strategies take the view first
"""A game as small as can be, in plain Python: call a number, roll a die, perhaps again; a call it reaches counts."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from random import Random as Stream
from types import SimpleNamespace
from typing import Any

import numpy as np

from analyzer.errors import BadInputError, GameFaultError, Sitting
from analyzer.field_results import FieldSums, reduce_field
from analyzer.game import Event, Game, Tables
from analyzer.results import WHOLE_WIN, reduce_results
from strategies.games import House

VIEW = np.dtype([(name, "i8") for name in ("me", "players", "sides", "die", "call")] + [("draws", "f8", (1,))])
MOST_SIDES = 20
_NUMBERS = count()


@dataclass(frozen=True)
class Setting:
    sides: int = 6
    score_range = (0, 2 * MOST_SIDES)

    def as_dict(self) -> dict[str, Any]:
        return {"sides": {"name": str(self.sides), "number": self.sides}}


def read_setting(given: dict[str, str]) -> Setting:
    if not ((sides := given.get("sides", "6")).isdecimal() and 2 <= int(sides) <= MOST_SIDES):
        raise BadInputError(f"--sides {sides}: a whole number from 2 to {MOST_SIDES} is needed")
    return Setting(int(sides))


class Engine:
    def __init__(self, strategies: Any, settings: Any, seed: int) -> None:
        self.strategies, self.settings, self.seed, self.busy = tuple(strategies), tuple(settings), seed, list[Any]()

    def play(self, tables: Tables, *, compared: bool) -> FieldSums:
        shape, rows = tables.line_ups.shape, len(self.strategies) * len(self.settings)
        sums = FieldSums.nothing(shape, 2 + len(TOY.score_parts), rows, 2 * MOST_SIDES + 1, {}, compared=compared)
        with self.block() as block:
            for unit, (first, n) in enumerate(tables.units.tolist()):
                for game in range(first, first + n):
                    if block.stopped:
                        return sums
                    self.add(tables, unit, game, sums, block)
                    sums.games = block.games = block.games + 1
        return sums

    def add(self, tables: Tables, unit: int, game: int, sums: FieldSums, block: SimpleNamespace) -> None:
        sittings = [
            [Sitting(game, tuple(line_up[seated].tolist()), at) for seated in tables.seating]
            for line_up, at in zip(tables.line_ups[unit], tables.settings, strict=True)
        ]
        results = np.array([[[self.game(each, block) for each in table]] for table in sittings], np.int32)
        for table, at in enumerate(tables.settings):
            rows = tables.line_ups[unit, table] + at * len(self.strategies)
            reduce_results(results[table], game, table, tables.seating, 0, rows, *sums.arrays()[3:])
        if len(sums.products):
            reduce_field(results, 1, tables.seating, *(array[unit] for array in sums.arrays()[:3]))

    def game(self, sitting: Sitting, block: SimpleNamespace) -> list[list[int]]:
        sides, specs = self.settings[sitting.setting].sides, [self.strategies[who].spec for who in sitting.seats]
        block.events, turns = [{"event": "setup", "strategies": specs, "seed": self.seed, "game": sitting.game}], []
        for seat in range(len(specs)):
            dice = Stream(f"dice {self.seed} {sitting.game} {seat}")  # nobody else's decisions change them
            view = SimpleNamespace(me=seat, players=len(specs), sides=sides, die=0, call=0)
            view.call = self.ask("call", view, sitting, block)
            view.die = dice.randint(1, sides)
            if self.ask("again", view, sitting, block):
                view.die = dice.randint(1, sides)
            turns.append((view.die, view.call if view.die >= view.call else 0))
            block.events.append({"event": "turn", "seat": seat, "call": view.call, "die": view.die})
        scores = [sum(turn) for turn in turns]
        winners = [seat for seat, score in enumerate(scores) if score == max(scores)]
        block.events.append({"event": "end", "scores": scores, "winners": winners, "win_share": 1 / len(winners)})
        share = WHOLE_WIN // len(winners)
        return [[scores[seat], share * (seat in winners), *turn] for seat, turn in enumerate(turns)]

    def ask(self, slot: str, view: SimpleNamespace, sitting: Sitting, block: SimpleNamespace) -> int:
        strategy = self.strategies[sitting.seats[view.me]]
        block.asked = who, _ = f"{slot} of {strategy.spec} (seat {view.me}, game {sitting.game})", sitting
        view.draws = [Stream(f"draws {self.seed} {sitting.game} {view.me} {slot}").random()]
        try:
            answer = int(strategy.policies[slot].function(view, **strategy.policies[slot].parameters))
        except Exception as error:
            raise GameFaultError(f"{who} failed with {type(error).__name__}: {error}", sitting) from error
        if not 0 <= answer <= view.sides:
            raise GameFaultError(f"{who} answered {answer}; 0 to {view.sides} is possible", sitting)
        return answer

    @contextmanager
    def block(self) -> Iterator[SimpleNamespace]:
        self.busy.append(
            block := SimpleNamespace(number=next(_NUMBERS), games=0, stopped=False, asked=("", Sitting(0, ())))
        )
        try:
            yield block
        except GameFaultError as error:
            error.events = block.events
            raise
        finally:
            self.busy.remove(block)

    def log(self, sitting: Sitting) -> list[Event]:
        with self.block() as block:
            self.game(sitting, block)
            return block.events

    def progress(self) -> list[tuple[int, int]]:
        return [(block.number, block.games) for block in self.busy]

    def last_asked(self, number: int) -> tuple[str, Sitting] | None:
        return next((block.asked for block in self.busy if block.number == number), None)

    def stop(self) -> None:
        for block in self.busy:
            block.stopped = True


class Steady:
    """Calls a number and rolls again below it."""

    def call(v, level=4):
        return min(level, v.sides)

    def again(v):
        return v.die < v.call


class Random:
    """Calls any number, and rolls again as another would."""

    def call(v):
        return int(v.draws[0] * (v.sides + 1))


TOY = Game(
    *("highest-die", 2, 4, ("call", "again"), ("again",), VIEW, ("die", "called"), (), {"sides": int}),
    *(Path(__file__).parent, Engine, read_setting, lambda data: Setting(data["sides"]["number"])),
    *(Engine.log, lambda engine, _sitting: engine.busy[0].events if engine.busy else []),
)
TOY_HOUSE = House(TOY, lambda: {"steady": Steady, "random": Random}, ("steady",))
