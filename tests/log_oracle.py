"""What one game comes to, computed from its log alone: an oracle for the tables of `woolsim simulate`.

Nothing of the program under test is imported. Standard rules only.
"""

import csv
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

Event = dict[str, Any]

SHIPPED = Path(__file__).parent.parent / "analyzer" / "wool_rules" / "decks"
PARTS = ("white", "black", "three_seven_zero", "zero_zero_seven", "dogs", "most_dogs", "bone", "chips")
KINDS = {
    "n_white": "white",
    "n_black": "black",
    "n_370": "3-7-0",
    "n_007": "0-0-7",
    "n_dogs": "dog",
    "has_bone": "bone",
}


def read_cards(file: Path) -> dict[int, dict[str, str]]:
    """Return the cards of a deck file by number."""
    with file.open(encoding="utf-8", newline="") as lines:
        return {int(row["card"]): row for row in csv.DictReader(lines)}


def shipped_cards() -> dict[int, dict[str, str]]:
    """Return the cards of the shipped deck."""
    (file,) = SHIPPED.glob("*.csv")
    return read_cards(file)


@dataclass
class Tally:
    """What one seat did and has in a game."""

    total: int = 0
    win: float = 0.0
    parts: dict[str, int] = field(default_factory=dict)
    kinds: Counter[str] = field(default_factory=Counter)
    spent: int = 0
    skipped: int = 0
    actions: Counter[tuple[str, int, str]] = field(default_factory=Counter)  # bid, modifier, end
    gains: list[tuple[int, str, int]] = field(default_factory=list)  # place, bid, points


def score(cards: dict[int, dict[str, str]], owned: list[set[int]], chips: list[int]) -> list[int]:
    """Return what each seat would score if the game ended now (R16 to R20)."""
    dogs = [sum(cards[card]["kind"] == "dog" for card in mine) for mine in owned]
    totals = []
    for seat, mine in enumerate(owned):
        points = {
            kind: sorted(int(cards[c]["points"] or 0) for c in mine if cards[c]["kind"] == kind)
            for kind in KINDS.values()
        }
        white = points["white"] if dogs[seat] else points["white"][2:]
        sevens, zeros = len(points["3-7-0"]), len(points["0-0-7"])
        total = sum(white) + sum(points["black"]) + (0, 3, 14)[sevens % 3] + 21 * (zeros // 3) + chips[seat]
        total += 9 if dogs[seat] == 1 else 0
        total -= 5 if dogs[seat] and dogs[seat] == max(dogs) else 0
        total += 4 * dogs[seat] if points["bone"] else 0
        totals.append(total)
    return totals


def tallies(log: list[Event], cards: dict[int, dict[str, str]]) -> list[Tally]:
    """Return what each seat did and has, from the log of a game."""
    players = log[0]["players"]
    seats = [Tally() for _ in range(players)]
    owned: list[set[int]] = [set() for _ in range(players)]
    chips = list(log[0]["chips"])
    before = score(cards, owned, chips)
    bids: dict[int, str] = {}
    order: list[int] = []
    last: dict[int, Event] = {}
    ends: dict[int, str] = {}

    def close_round() -> None:
        nonlocal before
        now = score(cards, owned, chips)
        for place, seat in enumerate(order):
            seats[seat].gains.append((place + 1, bids[seat], now[seat] - before[seat]))
            if seat in last:
                seats[seat].actions[bids[seat], last[seat]["modifier"], ends[seat]] += 1
        before = now
        last.clear()
        ends.clear()
        order.clear()

    for event in log:
        kind, seat = event["event"], event.get("seat", 0)
        me = seats[seat]
        if kind == "layout" and event["round"] > 1:
            close_round()
        elif kind == "bid":
            bids[seat], chips[seat] = event["bid"], event["chips"]
            me.spent += event["bid"] == "26+"
        elif kind == "order":
            order = list(event["seats"])
        elif kind == "roll":
            last[seat] = event
            under = event["result"] + max(event["modifier"], 0) < 14
            ends[seat] = "under" if under else "fail"
        elif kind == "accept":
            ends[seat] = ("three", "two", "one")[event["attempt"] - 1]
            chips[seat] -= event["chips_spent"]
            me.spent += event["chips_spent"]
        elif kind == "save":
            ends[seat] = "fail"
            chips[seat] -= event["chips_spent"]
            me.spent += event["chips_spent"]
        elif kind == "take":
            if event["bone_from"] is not None:
                (bone,) = (card for card, row in cards.items() if row["kind"] == "bone")
                owned[event["bone_from"]].discard(bone)
                owned[seat].add(bone)
            owned[seat] |= set(event["cards"])
        elif kind == "chip":
            chips[seat] = event["chips"]
        elif kind == "skip":
            me.skipped += 1
        elif kind == "score":
            if order:
                close_round()
                assert before == [e["total"] for e in log if e["event"] == "score"]
            me.total, me.parts = event["total"], {part: event[part] for part in PARTS}
            me.kinds = Counter(cards[card]["kind"] for card in owned[seat])
        elif kind == "end":
            for winner in event["winners"]:
                seats[winner].win = event["win_share"]
    return seats
