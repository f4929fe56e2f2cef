"""Whole games equal the oracle in every event; the fast run gives the same sums as its games one by one."""

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import oracle_game
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tape import EngineTape
from whole_games import (
    REFERENCES,
    SHIPPED_ROWS,
    Log,
    Reader,
    deck_of,
    deck_rows,
    events,
    logs,
    oracle_deck,
    other,
    question,
    rule_changes,
    rules_of,
    sheep,
)

from analyzer.blocks import run_blocks
from analyzer.results import Sums
from analyzer.wool_rules.constants import SCORE_PARTS
from analyzer.wool_rules.games import GamePlayer, Question
from analyzer.wool_rules.log import game_log
from analyzer.wool_rules.rules import Rules
from analyzer.wool_rules.tallies import BOOK_DTYPE, RESULT_FIELDS

SHIPPED_CARDS = oracle_deck(SHIPPED_ROWS)


def oracle_log(asked: Question, cards: list[oracle_game.Card], game: int, rotation: int = 0) -> Log:
    """Return the game as the oracle plays it, all chance read from the published generator."""
    specs = [asked.strategies[who].spec for who in asked.seating[rotation]]
    rules = oracle_game.STANDARD_RULES | asked.rules.changes
    tape = EngineTape(asked.seed, game, asked.players, rules)
    return oracle_game.play(cards, asked.rules.changes, specs, tape, seed=asked.seed, game=game)


def assert_equal(asked: Question, cards: list[oracle_game.Card], games: Sequence[int], rotation: int = 0) -> None:
    player = GamePlayer(asked)
    for game in games:
        ours, theirs = game_log(asked, game, rotation, player), oracle_log(asked, cards, game, rotation)
        first = next((pair for pair in zip(ours, theirs, strict=False) if pair[0] != pair[1]), None)
        assert first is None, f"seed {asked.seed}, game {game}, {[s.spec for s in asked.strategies]}: {first}"
        assert len(ours) == len(theirs)


def line_ups(seed: int, number: int, players: int | None = None) -> list[tuple[str, ...]]:
    """Draw line-ups of plain at every level and random in every mix, for 2 to 6 players in turn if not told."""
    chance = random.Random(seed)
    return [tuple(chance.choices(REFERENCES, k=players or 2 + i % 5)) for i in range(number)]


# The same game as the oracle's


@pytest.mark.parametrize("players", range(2, 7))
def test_whole_games_equal_the_oracle(players: int) -> None:
    """Eighty games each for 2 to 6 players, from all over the range of seeds and game numbers."""
    chance = random.Random(players)
    for specs in line_ups(players, 20, players):
        asked = question(*specs, seed=chance.randrange(2**64))
        assert_equal(asked, SHIPPED_CARDS, [chance.randrange(2**40) for _ in range(4)])


@pytest.mark.parametrize("level", range(14, 28))
def test_plain_at_every_level_equals_the_oracle_against_itself_and_against_random(level: int) -> None:
    plain = f"plain:level={level}"
    assert_equal(question(plain, plain, plain, seed=level), SHIPPED_CARDS, range(2))
    assert_equal(question("random", plain, seed=level), SHIPPED_CARDS, range(2))


@pytest.mark.parametrize("slot", oracle_game.SLOTS)
def test_a_strategy_with_one_slot_of_another_equals_the_oracle(slot: str) -> None:
    specs = f"random/{slot}=plain:level=23" if slot == "bid" else f"random/{slot}=plain", f"plain/{slot}=random"
    asked = question(*specs, *specs, seed=3)
    cards = SHIPPED_CARDS
    player = GamePlayer(asked)
    for game in range(4):
        theirs = oracle_log(asked, cards, game)
        ours = game_log(asked, game, player=player)
        assert ours == theirs


@pytest.mark.slow
@pytest.mark.parametrize("players", range(2, 7))
def test_thousands_of_whole_games_equal_the_oracle(players: int) -> None:
    chance = random.Random(100 + players)
    for specs in line_ups(100 + players, 200, players):
        asked = question(*specs, seed=chance.randrange(2**64))
        assert_equal(asked, SHIPPED_CARDS, [chance.randrange(2**40) for _ in range(10)])


# Rules files and other decks

CHANGES: list[dict[str, Any]] = [
    {"plain_26": False},
    {"chips_total": 12},
    {"chips_total": 12, "chips_start": 0},
    {"chips_total": 0, "chips_start": 0},
    {"chips_start": 4},
    {"dice": [20, 6, 4]},
    {"dice": [8, 10, 12]},
    {"dice": [30, 29, 28]},
    {"table_numbers": [101, 103, 102, 60, 59, 58]},
    {"cards_per_attempt": [1, 2, 3]},
    {"cards_per_attempt": [7, 5, 0]},
    {"cards_per_attempt": [0, 0, 0]},
    {"black_sheep_below": 20},
    {"black_sheep_below": 0},
    {"black_sheep_below": 99},
    {"dog_single": -4, "dog_most": 8, "bone_per_dog": -1},
    {"three_seven_zero": [1, -2, 30], "zero_zero_seven": [5, 4, -3]},
    {"dogless_discard": 0},
    {"dogless_discard": 10},
    {"memory": "table"},
]


def test_every_key_of_a_rules_file_is_changed_at_least_once() -> None:
    assert set().union(*CHANGES) == set(oracle_game.STANDARD_RULES)


@pytest.mark.parametrize("changes", CHANGES, ids=str)
def test_games_under_changed_rules_equal_the_oracle(changes: dict[str, Any]) -> None:
    rules = rules_of(**changes)
    chance = random.Random(str(changes))
    for specs in line_ups(len(str(changes)), 5):
        asked = question(*specs, rules=rules, seed=chance.randrange(2**64))
        assert asked.rules.changes == changes
        assert_equal(asked, SHIPPED_CARDS, [chance.randrange(2**40) for _ in range(3)])


DECKS: dict[str, list[dict[str, Any]]] = {
    "only white": [sheep(card, points=card % 9) for card in range(60)],
    "only dogs": [other(card, "dog") for card in range(60)],
    "black, modifiers and symbols": [
        *(sheep(card, "black", -1 - card % 5, modifier=card % 41 - 20, bone_symbol=1) for card in range(59)),
        other(59, "bone"),
    ],
    "specials": [
        *(sheep(card, ("3-7-0", "0-0-7")[card % 2], sheep_number=999 - card) for card in range(50)),
        *(other(card, "dog") for card in range(50, 59)),
        other(59, "bone"),
    ],
}


@pytest.mark.parametrize("name", DECKS)
def test_games_with_other_decks_equal_the_oracle(name: str) -> None:
    rules = rules_of(table_numbers=[61, 62, 63, 64, 65, 66])
    deck, cards = deck_of(DECKS[name], rules), oracle_deck(DECKS[name])
    for at, specs in enumerate(line_ups(17, 10)):
        assert_equal(question(*specs, deck=deck, rules=rules, seed=at), cards, [at, 2**40 - 1 - at])


@settings(max_examples=25, deadline=None)
@given(rule_changes(), deck_rows(), st.integers(0, 2**64 - 1), st.integers(0, 999))
def test_games_of_any_rules_and_any_deck_equal_the_oracle(
    changes: dict[str, Any], rows: list[dict[str, Any]], seed: int, at: int
) -> None:
    rules = rules_of(**changes)
    asked = question(*line_ups(at, 5)[at % 5], rules=rules, deck=deck_of(rows, rules), seed=seed)
    assert_equal(asked, oracle_deck(rows), range(3))


@pytest.mark.slow
@settings(max_examples=1000, deadline=None)
@given(rule_changes(), deck_rows(), st.integers(0, 2**64 - 1), st.integers(0, 999))
def test_a_thousand_rules_and_decks_equal_the_oracle(
    changes: dict[str, Any], rows: list[dict[str, Any]], seed: int, at: int
) -> None:
    rules = rules_of(**changes)
    asked = question(*line_ups(at, 5)[at % 5], rules=rules, deck=deck_of(rows, rules), seed=seed)
    assert_equal(asked, oracle_deck(rows), range(5))


# Rotation


def test_every_rotation_is_the_oracles_game_on_the_same_deck_and_table_numbers() -> None:
    line_up = ("plain:level=18", "random", "plain:level=27", "random/bid=plain:level=22")
    asked = question(*line_up, seed=9, rotate=True)
    assert sorted(map(tuple, asked.seating.tolist())) == sorted(
        tuple((seat + turn) % 4 for seat in range(4)) for turn in range(4)
    )
    for rotation in range(4):
        assert_equal(asked, SHIPPED_CARDS, range(5), rotation)
    setups = [game_log(asked, 7, rotation)[0] for rotation in range(4)]
    assert len({str(setup.pop("strategies")) for setup in setups}) == 4
    assert all(setup == setups[0] for setup in setups)


def test_the_first_rolls_do_not_depend_on_who_rolls_them() -> None:
    """Dice are keyed by round and seat: the first roll of each is the same whoever sits there, whenever they roll."""
    first: dict[tuple[int, int, int], list[int]] = {}
    seen = 0
    for line_up in line_ups(5, 50):
        if len(line_up) < 4:
            continue
        for game, log in enumerate(logs(question(*line_up, seed=31), 3)):
            for roll in events(log, "roll"):
                if roll["attempt"] == 1:
                    place = game, roll["round"], roll["seat"]
                    seen += place in first
                    assert first.setdefault(place, roll["dice"]) == roll["dice"]
    assert seen > 1000


# The fast run


class Ledger:
    """What a run should have summed up, from the logs of its games; `asked.seating` says who sat where."""

    def __init__(self, asked: Question, rows: Sequence[Mapping[str, Any]], games: Sequence[int]) -> None:
        self.asked, self.rows = asked, rows
        n = asked.players
        self.sums = Sums.nothing(n, len(RESULT_FIELDS), self.bins(), {})
        self.actions: Counter[tuple[int, int, int, str]] = Counter()
        self.gains = {name: np.zeros(BOOK_DTYPE[name].shape, np.int64)[None].repeat(n, 0) for name in GAINS}
        player = GamePlayer(asked)
        for game in games:
            fields = np.zeros((n, len(RESULT_FIELDS)), np.int64)
            self.gained: dict[str, Counter[tuple[int, int]]] = {name: Counter() for name in GAINS}
            self.rounds: dict[str, Counter[tuple[int, int]]] = {name: Counter() for name in GAINS}
            for rotation, seating in enumerate(asked.seating):
                log = game_log(asked, game, rotation, player)
                self.enter(log, seating.tolist(), fields)
            for kind in GAINS:
                for at, n_rounds in self.rounds[kind].items():
                    points = self.gained[kind][at]
                    products = n_rounds**2, n_rounds * points, points**2
                    self.gains[kind][at] += [n_rounds, points, *products]
            self.sums.games += 1
            self.sums.total += fields
            self.sums.squares += fields**2

    def bins(self) -> int:
        low, high = self.asked.score_range
        return high - low + 1

    def enter(self, log: Log, seating: list[int], fields: np.ndarray) -> None:
        scores = events(log, "score")
        end = log[-1]
        for seat, score in enumerate(scores):
            self.sums.scores[seating[seat], score["total"] - self.asked.score_range[0]] += 1
        ranked = sorted((score["total"] for score in scores), reverse=True)
        self.sums.places += np.array([[total, total**2] for total in ranked])
        self.sums.shared[len(end["winners"])] += 1
        reader = Reader(log, self.rows)
        spent, skipped = [0] * reader.players, [0] * reader.players
        before = [reader.rules["chips_start"]] * reader.players
        for event in reader:
            name, seat = event["event"], event.get("seat", 0)
            spent[seat] += event.get("chips_spent", 0) + (name == "bid" and event["bid"] == "26+")
            skipped[seat] += name == "skip"
            if (name == "layout" and event["round"] > 1) or (name == "score" and seat == 0):
                for place, who in enumerate(reader.order):
                    at = {"place_gains": place, "bid_gains": bid_number(reader.bids[who]) - 14}
                    for kind, index in at.items():
                        self.gained[kind][seating[who], index] += reader.score(who) - before[who]
                        self.rounds[kind][seating[who], index] += 1
                    before[who] = reader.score(who)
        for seat, score in enumerate(scores):
            kinds = [reader.count(seat, kind) for kind in ("white", "black", "3-7-0", "0-0-7", "dog")]
            win = 60 // len(end["winners"]) if seat in end["winners"] else 0
            parts = [score[part] for part in SCORE_PARTS]
            has_bone = int(reader.bone == seat)
            fields[seating[seat]] += [score["total"], win, *parts, *kinds, has_bone, spent[seat], skipped[seat]]
        self.count_actions(log, seating)

    def count_actions(self, log: Log, seating: list[int]) -> None:
        bids: dict[int, str] = {}
        below = self.asked.rules.black_sheep_below
        for at, event in enumerate(log):
            if event["event"] == "bid":
                bids[event["seat"]] = event["bid"]
            if event["event"] != "roll":
                continue
            after = log[at + 1] if log[at + 1].get("seat") == event["seat"] else {"event": ""}
            if after["event"] == "accept":
                end = event["attempt"] - 1
            elif event["attempt"] < 3:
                continue
            else:
                later = log[at + 2] if after["event"] == "decline" else after
                is_under = event["result"] + max(event["modifier"], 0) < below and later["event"] != "save"
                end = 4 if is_under else 3
            who = seating[event["seat"]]
            self.actions[who, bid_number(bids[event["seat"]]) - 14, event["modifier"] + 20, end] += 1


GAINS = ("place_gains", "bid_gains")


def bid_number(bid: str) -> int:
    return 27 if bid == "26+" else int(bid)


def assert_same(sums: Sums, expected: Sums) -> None:
    for name in ("games", "total", "squares", "scores", "places", "shared", "extremes"):
        assert np.array_equal(getattr(sums, name), getattr(expected, name)), name
    assert sums.extra.keys() == expected.extra.keys()
    for name, counts in sums.extra.items():
        assert np.array_equal(counts, expected.extra[name]), name


FAST_RUNS = {
    "2 players": (("random", "plain:level=24"), False, {}),
    "3 players in rotation": (("random", "plain:level=22", "random"), True, {}),
    "4 players, other rules": (
        ("random", "plain:level=17", "random", "plain:level=27"),
        False,
        {"chips_total": 8, "chips_start": 1, "cards_per_attempt": [2, 2, 2], "dice": [10, 20, 9], "memory": "table"},
    ),
    "6 players": (("random", "plain:level=26", "random", "plain", "random", "plain:level=27"), False, {}),
}


@pytest.mark.parametrize("name", FAST_RUNS)
def test_the_sums_of_a_run_are_those_of_its_games_replayed(name: str) -> None:
    line_up, rotate, changes = FAST_RUNS[name]
    asked = question(*line_up, rules=rules_of(**changes), seed=77, rotate=rotate)
    games = 40
    sums = GamePlayer(asked)(0, games)
    ledger = Ledger(asked, SHIPPED_ROWS, range(games))
    for field in ("games", "total", "squares", "scores", "places", "shared"):
        assert np.array_equal(getattr(sums, field), getattr(ledger.sums, field)), field
    counted = {tuple(at): n for at, n in np.ndenumerate(sums.extra["actions"]) if n}
    assert counted == dict(ledger.actions)
    for kind in GAINS:
        assert np.array_equal(sums.extra[kind], ledger.gains[kind]), kind


def test_neither_threads_nor_the_size_of_blocks_change_a_sum() -> None:
    asked = question("random", "plain:level=21", "random/pick=plain", seed=5, rotate=True)
    player = GamePlayer(asked)
    games = 3000
    whole = player(0, games)
    assert whole.games == games
    for threads, block_size in [(1, 3000), (1, 17), (2, 100), (2, 1), (3, 251), (3, 4000)]:
        some = games if block_size > 1 else 200
        sums = run_blocks(player, some, block_size=block_size, threads=threads)
        assert_same(sums, whole if some == games else player(0, some))
    assert_same(GamePlayer(asked)(0, games), whole)


def test_a_block_in_the_middle_is_what_is_missing_between_two_runs() -> None:
    player = GamePlayer(question("random", "random", seed=6))
    assert_same(player(0, 500) + player(500, 700), player(0, 1200))


def test_extreme_games_replay_to_their_scores() -> None:
    """Highest and lowest score and biggest margin: game, seating and player lead back to the very scores."""
    asked = question("random", "plain:level=25", "random", "plain", seed=8, rotate=True)
    player = GamePlayer(asked)
    sums = player(0, 20_000)
    (highest, *_), (lowest, *_), (margin, *_) = sums.extremes.tolist()
    bins = np.flatnonzero(sums.scores.sum(axis=0)) + asked.score_range[0]
    assert (lowest, highest) == (-bins[0], bins[-1])
    for value, game, _, rotation, who in sums.extremes.tolist():
        log = game_log(asked, game, rotation, player)
        seat = asked.seating[rotation].tolist().index(who)
        totals = [score["total"] for score in events(log, "score")]
        if value == margin:
            assert totals[seat] - sorted(totals)[-2] == value
            assert totals[seat] == max(totals)
        else:
            assert abs(totals[seat]) == abs(value)


def test_a_game_of_a_run_can_be_replayed_alone() -> None:
    asked = question("random", "plain:level=19", "random", seed=2**64 - 1)
    player = GamePlayer(asked)
    for game in (0, 1, 12_345, 2**40 - 1):
        totals = [score["total"] for score in events(game_log(asked, game), "score")]
        assert player(game, 1).total[:, 0].tolist() == totals


def test_the_longest_run_ends_at_its_last_game() -> None:
    player = GamePlayer(question("plain", "random", seed=1, rules=Rules(memory="table")))
    assert player(2**40 - 10, 10).games == 10
