"""Breaks the toy game in one way after another: a test of the contract must notice each."""

import inspect
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import test_contract as contract
from test_contract import toy  # noqa: F401 - a fixture for all tests here
from toy_game import TOY
from toy_game import Engine as ToyEngine

from analyzer.errors import GameFaultError, Sitting
from analyzer.field_results import FieldSums
from analyzer.game import Event, Tables
from analyzer.results import SCORE, WHOLE_WIN, WIN


class NoSeed(ToyEngine):
    def __init__(self, strategies: Any, settings: Any, _seed: int) -> None:
        super().__init__(strategies, settings, contract.SEED)


class LosesTheLastGame(ToyEngine):
    def play(self, tables: Tables, *, compared: bool) -> FieldSums:
        fewer = np.maximum(tables.units - [0, 1], [0, 1])
        sums = super().play(replace(tables, units=fewer), compared=compared)
        sums.games = int(tables.units[:, 1].sum())
        return sums


class RemembersGames(ToyEngine):
    played = 0

    def game(self, sitting: Sitting, block: SimpleNamespace) -> list[list[int]]:
        self.played += 1
        return super().game(sitting._replace(game=sitting.game + self.played), block)


class OneSeating(ToyEngine):
    def play(self, tables: Tables, *, compared: bool) -> FieldSums:
        return super().play(
            replace(tables, seating=np.tile(tables.seating[:1], (len(tables.seating), 1))), compared=compared
        )


class WholeWinsInTies(ToyEngine):
    def game(self, sitting: Sitting, block: SimpleNamespace) -> list[list[int]]:
        return [[row[SCORE], WHOLE_WIN * (row[WIN] > 0), *row[2:]] for row in super().game(sitting, block)]


class PartsMissing(ToyEngine):
    def game(self, sitting: Sitting, block: SimpleNamespace) -> list[list[int]]:
        return [[*row[:3], 0] for row in super().game(sitting, block)]


class OneSettingOnly(ToyEngine):
    def game(self, sitting: Sitting, block: SimpleNamespace) -> list[list[int]]:
        return super().game(sitting._replace(setting=0), block)


class LogsAnotherGame(ToyEngine):
    def log(self, sitting: Sitting) -> list[Event]:
        events = super().log(sitting._replace(game=sitting.game + 1))
        return [events[0] | {"game": sitting.game}, *events[1:]]


class WrongSeatsInFaults(ToyEngine):
    def ask(self, slot: str, view: SimpleNamespace, sitting: Sitting, block: SimpleNamespace) -> int:
        try:
            return super().ask(slot, view, sitting, block)
        except GameFaultError as error:
            raise GameFaultError(str(error), sitting._replace(seats=sitting.seats[::-1])) from error


class RepairsAnswers(ToyEngine):
    def ask(self, slot: str, view: SimpleNamespace, sitting: Sitting, block: SimpleNamespace) -> int:
        try:
            return super().ask(slot, view, sitting, block)
        except GameFaultError:
            return 0


class NeverSeen(ToyEngine):
    def progress(self) -> list[tuple[int, int]]:
        return [(block, 1) for block, games in super().progress() if games]


class StopsAtOnceAndForGood(ToyEngine):
    stopped = False

    def stop(self) -> None:
        super().stop()
        self.stopped = True

    def play(self, tables: Tables, *, compared: bool) -> FieldSums:
        if self.stopped:
            return super().play(replace(tables, units=tables.units * [1, 0]), compared=compared)
        return super().play(tables, compared=compared)


class ShortNumbers(ToyEngine):
    def game(self, sitting: Sitting, block: SimpleNamespace) -> list[list[int]]:
        return super().game(sitting._replace(game=sitting.game % 2**32), block)


BREAKS: dict[type[ToyEngine], Callable[..., None]] = {
    NoSeed: contract.test_the_same_seed_plays_the_same_games_and_another_others,
    RemembersGames: contract.test_the_same_seed_plays_the_same_games_and_another_others,
    ShortNumbers: contract.test_games_and_seeds_of_any_size_are_games_of_their_own,
    LosesTheLastGame: contract.test_blocks_and_threads_change_no_bit,
    OneSeating: contract.test_a_line_up_in_another_order_plays_the_same_games,
    WholeWinsInTies: contract.test_every_game_has_one_win_to_share_and_scores_are_the_sum_of_their_parts,
    PartsMissing: contract.test_every_game_has_one_win_to_share_and_scores_are_the_sum_of_their_parts,
    OneSettingOnly: contract.test_tables_in_several_settings_are_those_of_each_alone,
    LogsAnotherGame: contract.test_logs_of_single_games_tell_what_the_sums_say,
    WrongSeatsInFaults: contract.test_a_wrong_answer_is_a_fault_of_a_game_that_can_be_seen,
    RepairsAnswers: contract.test_a_wrong_answer_is_a_fault_of_a_game_that_can_be_seen,
    NeverSeen: contract.test_blocks_in_flight_are_seen_and_stopped_after_the_game_they_play,
    StopsAtOnceAndForGood: contract.test_blocks_in_flight_are_seen_and_stopped_after_the_game_they_play,
}


@pytest.mark.parametrize(("broken", "check"), BREAKS.items(), ids=lambda what: what.__name__)
def test_a_game_that_breaks_the_contract_is_found_out(
    broken: type[ToyEngine], check: Callable[..., None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(contract, "PATIENCE", 1.0)
    game = replace(TOY, engine=broken, log=broken.log)
    given = {
        "sample": replace(contract.SMALL, game=game),
        "other": game.read_setting({"sides": "8"}),
        "what": "illegal",
    }
    given["tmp_path"] = tmp_path
    with pytest.raises((AssertionError, pytest.fail.Exception)):
        check(**{name: given[name] for name in inspect.signature(check).parameters})
