"""Whole games for tests: questions, logs, what a log says, legal rules and decks at random."""

import csv
import json
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import oracle_game
from hypothesis import strategies as st

from analyzer.wool_rules.deck import COLUMNS, SHIPPED_FILE, Deck, read_deck, shipped_deck
from analyzer.wool_rules.games import GamePlayer, Question
from analyzer.wool_rules.log import game_log
from analyzer.wool_rules.rules import STANDARD, Rules, read_rules
from strategies.registry import strategy

Event = dict[str, Any]
Log = list[Event]
Row = dict[str, str]

LEVELS = range(14, 28)
REFERENCES = (*(f"plain:level={level}" for level in LEVELS), *["random"] * len(LEVELS))
"""The two strategies that the oracle knows too, plain at every level."""


def rows_of(text: str) -> list[Row]:
    """Return the rows of a deck file."""
    return list(csv.DictReader(text.splitlines()))


SHIPPED_ROWS = rows_of(SHIPPED_FILE.read_text(encoding="utf-8"))


def deck_text(rows: Sequence[Mapping[str, Any]]) -> str:
    """Return rows as the text of a deck file."""
    return "\n".join([",".join(COLUMNS), *(",".join(str(row[name]) for name in COLUMNS) for row in rows)]) + "\n"


def deck_of(rows: Sequence[Mapping[str, Any]], rules: Rules = STANDARD) -> Deck:
    """Return rows as a deck, read and checked as a user's deck file is."""
    with TemporaryDirectory() as folder:
        file = Path(folder, "test.csv")
        file.write_text(deck_text(rows), encoding="utf-8")
        return read_deck(file, rules)


def oracle_deck(rows: Sequence[Mapping[str, Any]]) -> list[oracle_game.Card]:
    """Return rows as the cards of the oracle."""
    with TemporaryDirectory() as folder:
        file = Path(folder, "test.csv")
        file.write_text(deck_text(rows), encoding="utf-8")
        return oracle_game.read_deck(file)


def sheep(card: int, kind: str = "white", points: int | str = 1, **fields: int) -> dict[str, Any]:
    """Return a sheep's row: without modifier and bone symbol, its sheep number one more than its card number."""
    standard = {"modifier": 0, "bone_symbol": 0, "sheep_number": card + 1}
    if kind in {"3-7-0", "0-0-7"}:
        points = ""
    return {"card": card, "kind": kind, "points": points, **standard, **fields}


def other(card: int, kind: str) -> dict[str, Any]:
    """Return a dog's or the bone's row."""
    return {"card": card, "kind": kind, "points": "", "modifier": "", "bone_symbol": "", "sheep_number": ""}


def rules_of(**changes: Any) -> Rules:
    """Return rules, read and checked as a user's rules file is."""
    with TemporaryDirectory() as folder:
        file = Path(folder, "test.toml")
        file.write_text("".join(f"{key} = {json.dumps(value)}\n" for key, value in changes.items()), encoding="utf-8")
        return read_rules(file)


kept = cache(strategy)
"""The strategy of a spec, read once: that takes as long as playing some games. Files must not change meanwhile."""


def question(
    *specs: str, rules: Rules = STANDARD, deck: Deck | None = None, seed: int = 1, rotate: bool = False
) -> Question:
    """Return a question about a line-up."""
    return Question(tuple(map(kept, specs)), rules, deck or shipped_deck(), seed, rotate)


def logs(asked: Question, games: int, start: int = 0) -> Iterator[Log]:
    """Yield the logs of games one after the other."""
    player = GamePlayer(asked)
    for game in range(start, start + games):
        yield game_log(asked, game, player=player)


def events(log: Log, name: str) -> list[Event]:
    """Return the events of a name."""
    return [event for event in log if event["event"] == name]


def turns(log: Log) -> Iterator[Log]:
    """Yield what happens in each turn after the bids: the events of one seat side by side, a leftover by itself."""
    turn: Log = []
    for event in log:
        is_turn = event["event"] not in {"setup", "layout", "bid", "order", "score", "end"}
        is_new = not is_turn or event.get("reason") == "leftover" or (turn and turn[0]["seat"] != event["seat"])
        if turn and is_new:
            yield turn
            turn = []
        if is_turn:
            turn.append(event)


def actions(log: Log) -> Iterator[Log]:
    """Yield the turns in which somebody rolled."""
    yield from (turn for turn in turns(log) if turn[0]["event"] == "roll")


class Reader:
    """Reads a log from the beginning and knows what lies where after each event; knows no ruling.

    `tables`, `flocks`, `chips`, `tops`, `bids`, `bone` are of now: the cards on the table, those taken by each seat,
    chips, top cards (None without a flock), bids of the round ("" before), the seat with the bone (None).
    """

    def __init__(self, log: Log, rows: Sequence[Mapping[str, Any]]) -> None:
        self.log = log
        self.setup = log[0]
        self.players: int = self.setup["players"]
        self.rules = oracle_game.STANDARD_RULES | self.setup["rules"]
        self.kind = {int(row["card"]): row["kind"] for row in rows}
        self.row = {int(row["card"]): row for row in rows}
        self.table: list[int] = []
        self.flocks: list[list[int]] = [[] for _ in range(self.players)]
        self.chips: list[int] = list(self.setup["chips"])
        self.tops: list[int | None] = [None] * self.players
        self.bids = [""] * self.players
        self.order: list[int] = []
        self.bone: int | None = None

    def __iter__(self) -> Iterator[Event]:
        """Yield every event; what lies where is as before it until the next one is asked for."""
        for event in self.log:
            yield event
            self._apply(event)

    def number(self, card: int, field: str) -> int:
        """Return a field of a card as a number."""
        return int(self.row[card][field] or 0)

    def modifier(self, seat: int) -> int:
        """Return the modifier of a seat's top card."""
        top = self.tops[seat]
        return 0 if top is None else self.number(top, "modifier")

    def sheep_number(self, seat: int) -> int:
        """Return the sheep number that counts for a seat."""
        top = self.tops[seat]
        return self.setup["table_numbers"][seat] if top is None else self.number(top, "sheep_number")

    def supply_of_chips(self) -> int:
        """Return how many chips no seat has."""
        return self.rules["chips_total"] - sum(self.chips)

    def count(self, seat: int, kind: str) -> int:
        """Return how many cards of a kind a seat has taken."""
        return sum(self.kind[card] == kind for card in self.flocks[seat])

    def points(self, seat: int, kind: str) -> int:
        """Return the points printed on a seat's cards of a kind."""
        return sum(self.number(card, "points") for card in self.flocks[seat] if self.kind[card] == kind)

    def score(self, seat: int) -> int:
        """Return what a seat's score would be if the game ended now, from the oracle's own parts."""
        rules, most = self.rules, max(self.count(other, "dog") for other in range(self.players))
        dogs = self.count(seat, "dog")
        white = sorted(self.number(card, "points") for card in self.flocks[seat] if self.kind[card] == "white")
        return (
            sum(white if dogs else white[rules["dogless_discard"] :])
            + self.points(seat, "black")
            + oracle_game.trio_points(self.count(seat, "3-7-0"), rules["three_seven_zero"])
            + oracle_game.trio_points(self.count(seat, "0-0-7"), rules["zero_zero_seven"])
            + (rules["dog_single"] if dogs == 1 else 0)
            + (rules["dog_most"] if dogs and dogs == most else 0)
            + (rules["bone_per_dog"] * dogs if self.bone == seat else 0)
            + self.chips[seat]
        )

    def _apply(self, event: Event) -> None:
        name, seat = event["event"], event.get("seat", 0)
        if name == "layout":
            self.table = list(event["cards"])
            self.bids = [""] * self.players
        elif name == "bid":
            self.bids[seat] = event["bid"]
            self.chips[seat] = event["chips"]
        elif name == "order":
            self.order = event["seats"]
        elif name in {"accept", "save"}:
            self.chips[seat] -= event["chips_spent"]
        elif name == "chip":
            self.chips[seat] += 1
        elif name == "take":
            self.table = [card for card in self.table if card not in event["cards"]]
            self.flocks[seat] += event["cards"]
            self.tops[seat] = event["top"]
            if event["bone_from"] is not None or any(self.kind[card] == "bone" for card in event["cards"]):
                self.bone = seat


def found(logs: Iterator[Log], wanted: Callable[[Log], bool]) -> Log:
    """Return the first game of which something is true."""
    for log in logs:
        if wanted(log):
            return log
    raise AssertionError("no such game among those played")


# Legal rules and decks at random


@st.composite
def rule_changes(draw: st.DrawFn) -> dict[str, Any]:
    """Draw what a rules file may change: any of the keys, possible values only."""
    points = st.integers(-30, 30)
    three = st.tuples(points, points, points).map(list)
    keys: dict[str, st.SearchStrategy[Any]] = {
        "plain_26": st.booleans(),
        "dice": st.lists(st.integers(2, 30), min_size=3, max_size=3, unique=True),
        "table_numbers": st.lists(st.integers(900, 999), min_size=6, max_size=6, unique=True),
        "cards_per_attempt": st.lists(st.integers(0, 7), min_size=3, max_size=3),
        "black_sheep_below": st.integers(0, 40),
        "dog_single": points,
        "dog_most": points,
        "bone_per_dog": points,
        "three_seven_zero": three,
        "zero_zero_seven": three,
        "dogless_discard": st.integers(0, 10),
        "memory": st.sampled_from(["perfect", "table"]),
    }
    chosen = draw(st.lists(st.sampled_from([*keys, "chips"]), unique=True))
    changes = {key: draw(keys[key]) for key in chosen if key != "chips"}
    if "chips" in chosen:
        changes["chips_total"] = draw(st.integers(0, 25))
        changes["chips_start"] = draw(st.integers(0, changes["chips_total"] // 6))
    return changes


@st.composite
def deck_rows(draw: st.DrawFn) -> list[dict[str, Any]]:
    """Draw a legal deck: any number of each kind, at most one bone, sheep numbers from 100 to 899."""
    kinds = draw(st.lists(st.sampled_from(["white", "black", "3-7-0", "0-0-7", "dog"]), min_size=59, max_size=59))
    if draw(st.booleans()):
        kinds = draw(st.permutations(["white", "black", "3-7-0", "0-0-7", "dog"])) * 11 + kinds[:4]
    last = draw(st.sampled_from(["bone", "bone", "white"]))
    chance = random.Random(draw(st.integers(0, 2**32)))
    largest = draw(st.sampled_from([0, 3, 20]))
    numbers = chance.sample(range(100, 900), 60)
    rows = []
    for card, kind in enumerate([*kinds, last]):
        if kind in {"dog", "bone"}:
            rows.append(other(card, kind))
            continue
        points = chance.randint(0, 9) if kind == "white" else chance.randint(-9, -1)
        modifier, symbol = chance.randint(-largest, largest), int(chance.random() < 0.3)
        rows.append(sheep(card, kind, points, modifier=modifier, bone_symbol=symbol, sheep_number=numbers[card]))
    return rows
