"""Oracle for whole games of Wool Rules: plain Python, written from the rulebook and the rulings R1 to R21 alone.

Nothing of the program under test is imported. `play` plays one game and returns its log, the events of the design page
``wool_rules.md`` in order. All chance comes from a tape (deck, table numbers, dice, uniform numbers for policies), so
that another program fed with the same tape must produce the same log.

Seats count from 0, rounds and attempts from 1. Dice are the indices 0, 1, 2 for d12, d10, d8; the rules may give them
other sides. Bids are 14 to 27, where 27 means 26+. Headings named below are those of the rulebook.
"""

from __future__ import annotations

import csv
import random
import re
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

Event = dict[str, Any]
Rules = dict[str, Any]

DICE = (0, 1, 2)
LAST_ATTEMPT = 3
LOWEST_BID, PLAIN_26, BID_26_PLUS = 14, 26, 27
TRIO = 3
SLOTS = ("bid", "accept", "hold", "save", "pick", "steal", "top")

STANDARD_RULES: Rules = {
    "plain_26": True,
    "chips_total": 25,
    "chips_start": 2,
    "dice": [12, 10, 8],
    "table_numbers": [52, 53, 54, 55, 56, 57],
    "cards_per_attempt": [3, 2, 1],
    "black_sheep_below": 14,
    "dog_single": 9,
    "dog_most": -5,
    "bone_per_dog": 4,
    "three_seven_zero": [3, 14, 0],
    "zero_zero_seven": [0, 0, 21],
    "dogless_discard": 2,
    "memory": "perfect",
}


# Cards


@dataclass(frozen=True)
class Card:
    """One of the 60 cards. Dogs and the bone have no points, modifier, symbol or number."""

    card: int
    kind: str
    """white, black, 3-7-0, 0-0-7, dog or bone"""
    points: int
    modifier: int
    bone_symbol: bool
    sheep_number: int

    @property
    def is_sheep(self) -> bool:
        return self.kind not in {"dog", "bone"}


def read_deck(path: str | Path) -> list[Card]:
    """Cards of a deck file; an empty field counts as 0."""
    with Path(path).open(encoding="utf-8", newline="") as file:
        return [
            Card(
                card=int(row["card"]),
                kind=row["kind"],
                points=int(row["points"] or 0),
                modifier=int(row["modifier"] or 0),
                bone_symbol=bool(int(row["bone_symbol"] or 0)),
                sheep_number=int(row["sheep_number"] or 0),
            )
            for row in csv.DictReader(file)
        ]


# Chance


class Tape(Protocol):
    """All chance of one game."""

    @property
    def deck(self) -> Sequence[int]:
        """Card numbers in drawing order."""

    @property
    def table_numbers(self) -> Sequence[int]:
        """Number on the back of each seat's bidding table."""

    def roll(self, round: int, seat: int, attempt: int, free: tuple[int, ...]) -> Sequence[int]:  # noqa: A002
        """Faces of the free dice, in index order."""

    def draws(self, round: int, seat: int, slot: str, call: int) -> Sequence[float]:  # noqa: A002
        """Four uniform numbers in [0, 1) for a policy's call, counted from 0 within (round, seat, slot)."""


@dataclass
class ListTape:
    """Chance written down in advance; what is missing is a KeyError."""

    deck: Sequence[int]
    table_numbers: Sequence[int]
    rolls: dict[tuple[int, int, int], Sequence[int]] = field(default_factory=dict)
    """(round, seat, attempt): faces of all three dice, of which only the free ones are used."""
    uniforms: dict[tuple[int, int, str, int], Sequence[float]] = field(default_factory=dict)
    """(round, seat, slot, call): four uniform numbers."""

    def roll(self, round: int, seat: int, attempt: int, free: tuple[int, ...]) -> Sequence[int]:  # noqa: A002
        faces = self.rolls[round, seat, attempt]
        return [faces[die] for die in free]

    def draws(self, round: int, seat: int, slot: str, call: int) -> Sequence[float]:  # noqa: A002
        return self.uniforms[round, seat, slot, call]


class RandomTape(ListTape):
    """Chance from a seed, remembered: the same question gets the same answer. Answers may also be written in first."""

    def __init__(self, seed: int, players: int, deck: Sequence[Card], rules: Rules | None = None) -> None:
        rules = STANDARD_RULES | (rules or {})
        self._random = random.Random(seed)
        self._sides = rules["dice"]
        cards = [card.card for card in deck]
        self._random.shuffle(cards)
        super().__init__(cards, self._random.sample(rules["table_numbers"], players))

    def roll(self, round: int, seat: int, attempt: int, free: tuple[int, ...]) -> Sequence[int]:  # noqa: A002
        if (round, seat, attempt) not in self.rolls:
            self.rolls[round, seat, attempt] = [1 + int(self._random.random() * sides) for sides in self._sides]
        return super().roll(round, seat, attempt, free)

    def draws(self, round: int, seat: int, slot: str, call: int) -> Sequence[float]:  # noqa: A002
        if (round, seat, slot, call) not in self.uniforms:
            self.uniforms[round, seat, slot, call] = [self._random.random() for _ in range(4)]
        return super().draws(round, seat, slot, call)


# Strategies: each answers with one of the legal answers


class Strategy(Protocol):
    """Answers a slot's question; `facts` is what the slot's question is about, `draws` gives uniform numbers."""

    def answer(self, slot: str, legal: Sequence[Any], facts: Any, draws: Callable[[], Sequence[float]]) -> Any: ...


@dataclass(frozen=True)
class Plain:
    """The strategy `plain` of the design page: one method per slot."""

    level: int = 20

    def answer(self, slot: str, legal: Sequence[Any], facts: Any, draws: Callable[[], Sequence[float]]) -> Any:
        return getattr(self, slot)(legal, facts)

    def bid(self, legal: Sequence[int], _facts: None) -> int:
        """The level, or the highest legal bid below it."""
        return max(bid for bid in legal if bid <= self.level)

    def hold(self, legal: Sequence[int], face_of: dict[int, int]) -> int:
        """The die showing the highest face; of equals, the one with more sides."""
        return max(legal, key=lambda sides: (face_of[sides], sides))

    def accept(self, _legal: Sequence[bool], chips_needed: int) -> bool:
        return chips_needed == 0

    def save(self, _legal: Sequence[bool], chips_needed: int) -> bool:
        return chips_needed == 0

    def pick(self, legal: Sequence[int], table: Sequence[Card]) -> int:
        """The card of the highest worth; of equals, the lowest card number."""
        return max(legal, key=lambda position: (self.worth(table[position]), -table[position].card))

    def steal(self, _legal: Sequence[bool], _facts: None) -> bool:
        return True

    def top(self, legal: Sequence[int], taken: Sequence[Card]) -> int:
        """The sheep with the highest modifier; of equals, the lowest card number."""
        return max(legal, key=lambda position: (taken[position].modifier, -taken[position].card))

    @staticmethod
    def worth(card: Card) -> int:
        return {"dog": 4, "3-7-0": 3, "0-0-7": 2, "bone": 1}.get(card.kind, card.points)


class Random:
    """The strategy `random`: every legal answer equally likely."""

    def answer(self, slot: str, legal: Sequence[Any], facts: Any, draws: Callable[[], Sequence[float]]) -> Any:
        return legal[int(draws()[0] * len(legal))]


def strategy_named(name: str) -> Strategy:
    """The strategy of one name with parameters, such as ``plain:level=20``."""
    if name == "random":
        return Random()
    if name == "plain":
        return Plain()
    match = re.fullmatch(r"plain:level=(\d+)", name)
    if match is None or not LOWEST_BID <= int(match[1]) <= BID_26_PLUS:
        raise ValueError(f"the oracle does not know the strategy {name!r}")
    return Plain(level=int(match[1]))


def strategies_by_slot(spec: str) -> dict[str, Strategy]:
    """The strategy of each slot by a full spec, such as ``random/bid=plain:level=20``."""
    name, *replacements = re.split(rf"/(?=(?:{'|'.join(SLOTS)})=)", spec)
    by_slot = dict.fromkeys(SLOTS, strategy_named(name))
    for replacement in replacements:
        slot, _, name = replacement.partition("=")
        by_slot[slot] = strategy_named(name)
    return by_slot


# The game


@dataclass
class Player:
    """What lies before one seat."""

    seat: int
    strategies: dict[str, Strategy]
    table_number: int
    chips: int
    cards: list[Card] = field(default_factory=list)
    """Everything taken, dogs and the bone (even if stolen since) included."""
    top: Card | None = None
    """The topmost sheep of the flock."""
    bid: int = 0

    @property
    def sheep_number(self) -> int:
        """What happens if bids are tied? (R3): the top card's number, before that the bidding table's."""
        return self.table_number if self.top is None else self.top.sheep_number

    @property
    def modifier(self) -> int:
        """What You Do With the Cards (R12): only the top card counts."""
        return 0 if self.top is None else self.top.modifier

    @property
    def bonus(self) -> int:
        return max(self.modifier, 0)

    @property
    def malus(self) -> int:
        return min(self.modifier, 0)

    @property
    def target(self) -> int:
        """What does the bid 26+ mean? (R2): 26+ is reached with 26."""
        return min(self.bid, PLAIN_26)


class Game:
    """One game in progress: the middle of the table, the players and the log so far."""

    def __init__(self, deck: Sequence[Card], rules: Rules, strategies: Sequence[str], tape: Tape) -> None:
        """Materials and Preparation."""
        card_of = {card.card: card for card in deck}
        self.rules = STANDARD_RULES | rules
        self.tape = tape
        self.supply = [card_of[number] for number in tape.deck]
        self.table: list[Card] = []
        self.players = [
            Player(seat, strategies_by_slot(spec), tape.table_numbers[seat], self.rules["chips_start"])
            for seat, spec in enumerate(strategies)
        ]
        self.chip_supply: int = self.rules["chips_total"] - len(self.players) * self.rules["chips_start"]
        self.bone_owner: Player | None = None
        self.round = 0
        self.calls: Counter[tuple[int, str]] = Counter()
        self.events: list[Event] = []

    def log(self, event: str, **fields: Any) -> None:
        self.events.append({"event": event, **fields})

    def ask(self, player: Player, slot: str, legal: Sequence[Any], facts: Any = None) -> Any:
        """Answer of a player's policy; calls count from 0 within (round, seat, slot)."""
        seat, call = player.seat, self.calls[player.seat, slot]
        self.calls[seat, slot] += 1
        answer = player.strategies[slot].answer(
            slot, legal, facts, lambda: self.tape.draws(self.round, seat, slot, call)
        )
        assert answer in legal, (slot, seat, self.round, answer)
        return answer

    # Sequence of a Round

    def play_round(self) -> None:
        """Sequence of a Round: lay out, bid, act in the order of the bids; two players as in R15."""
        self.round += 1
        self.calls.clear()
        self.lay_out_cards()
        self.place_bids()
        order = self.turn_order()
        for place, player in enumerate(order, start=1):
            if not self.table:
                self.log("skip", round=self.round, seat=player.seat)  # When do I get what? (R10)
            elif place == len(order) > 2:
                self.take(player, list(self.table), "rest")  # Carry out dice actions (R11)
            else:
                self.dice_action(player)
        if self.table:
            self.take(order[0], list(self.table), "leftover")  # Wool Rules for 2 Players (R15)

    def lay_out_cards(self) -> None:
        """Lay out cards (R14): one more than players, at the end what is left."""
        count = len(self.players) + 1
        self.table, self.supply = self.supply[:count], self.supply[count:]
        self.log("layout", round=self.round, cards=[card.card for card in self.table])

    # Place bids

    def legal_bids(self, player: Player) -> list[int]:
        """What does the bid 26+ mean? (R2): it takes a chip. A plain 26 is an option of the rules."""
        bids = list(range(LOWEST_BID, PLAIN_26))
        if self.rules["plain_26"]:
            bids.append(PLAIN_26)
        if player.chips:
            bids.append(BID_26_PLUS)
        return bids

    def place_bids(self) -> None:
        """Place bids: all choose before any is revealed; each 26+ costs a chip at the reveal (R2)."""
        for player in self.players:
            player.bid = self.ask(player, "bid", self.legal_bids(player))
        for player in self.players:
            if player.bid == BID_26_PLUS:
                self.pay(player, 1)
            shown = "26+" if player.bid == BID_26_PLUS else str(player.bid)
            self.log("bid", round=self.round, seat=player.seat, bid=shown, chips=player.chips)

    def turn_order(self) -> list[Player]:
        """What happens if bids are tied? (R3): higher bids first, then lower sheep numbers; 26+ before all."""
        order = sorted(self.players, key=lambda player: (-player.bid, player.sheep_number))
        self.log("order", round=self.round, seats=[player.seat for player in order])
        return order

    def pay(self, player: Player, chips: int) -> None:
        """Chips spent go back into the supply (R2, R4)."""
        player.chips -= chips
        self.chip_supply += chips

    # Carry out dice actions

    def dice_action(self, player: Player) -> None:
        """Carry out dice actions: up to three attempts, one die more set aside before each reroll (R7)."""
        faces = [0, 0, 0]
        free: tuple[int, ...] = DICE
        result = 0
        for attempt in range(1, LAST_ATTEMPT + 1):
            result = self.roll(player, attempt, free, faces)
            if self.makes_bid(player, attempt, result):
                self.take_choice(player, self.rules["cards_per_attempt"][attempt - 1])
                return
            if attempt < LAST_ATTEMPT:
                free = self.set_aside(player, attempt, free, faces)
        self.fail(player, result)

    def roll(self, player: Player, attempt: int, free: tuple[int, ...], faces: list[int]) -> int:
        """How You Determine Your Result (R4): all three dice, less a malus. Changes `faces` of the free dice."""
        for die, face in zip(free, self.tape.roll(self.round, player.seat, attempt, free), strict=True):
            faces[die] = face
        total = sum(faces)
        result = total + player.malus
        self.log(
            "roll",
            round=self.round,
            seat=player.seat,
            attempt=attempt,
            dice=list(faces),
            total=total,
            modifier=player.modifier,
            result=result,
        )
        return result

    def set_aside(self, player: Player, attempt: int, free: tuple[int, ...], faces: list[int]) -> tuple[int, ...]:
        """2nd attempt, 3rd attempt (R7): one die of the free ones stays. Returns the dice still free."""
        sides = self.rules["dice"]
        held = self.ask(player, "hold", [sides[die] for die in free], facts={sides[die]: faces[die] for die in free})
        self.log("hold", round=self.round, seat=player.seat, attempt=attempt, die=held)
        return tuple(die for die in free if sides[die] != held)

    def makes_bid(self, player: Player, attempt: int, result: int) -> bool:
        """When do I get what? (R1, R5, R6): reached alone it must be taken, with help it is the player's choice."""
        where = {"round": self.round, "seat": player.seat, "attempt": attempt}
        if result >= player.target:
            self.log("accept", **where, bonus_used=0, chips_spent=0, forced=True)
            return True
        chips_needed = max(player.target - result - player.bonus, 0)
        if chips_needed > player.chips:
            return False
        if not self.ask(player, "accept", (False, True), facts=chips_needed):
            self.log("decline", **where)
            return False
        self.pay(player, chips_needed)
        self.log("accept", **where, bonus_used=player.bonus, chips_spent=chips_needed, forced=False)
        return True

    def fail(self, player: Player, result: int) -> None:
        """3rd attempt (R8, R9): black sheep for a result under 14 not lifted, then a chip while there are any."""
        black = [card for card in self.table if card.kind == "black"]
        if black and result < self.rules["black_sheep_below"] and not self.saves(player, result):
            self.take(player, black, "black sheep")
        if self.chip_supply:
            self.pay(player, -1)
            self.log("chip", round=self.round, seat=player.seat, chips=player.chips)

    def saves(self, player: Player, result: int) -> bool:
        """How You Determine Your Result (R9): a failed result may be lifted to 14, if the bid was higher."""
        wanted = self.rules["black_sheep_below"]
        chips_needed = max(wanted - result - player.bonus, 0)
        if player.target <= wanted or chips_needed > player.chips:
            return False
        if not self.ask(player, "save", (False, True), facts=chips_needed):
            return False
        self.pay(player, chips_needed)
        self.log("save", round=self.round, seat=player.seat, bonus_used=player.bonus, chips_spent=chips_needed)
        return True

    # What You Do With the Cards

    def take_choice(self, player: Player, entitled: int) -> None:
        """When do I get what? (R5): the full entitlement, chosen card by card, or all that is left."""
        left = list(self.table)
        taken: list[Card] = []
        while len(taken) < entitled and left:
            has_choice = entitled - len(taken) < len(left)
            position = self.ask(player, "pick", range(len(left)), facts=left) if has_choice else 0
            taken.append(left.pop(position))
        self.take(player, taken, "success")

    def take(self, player: Player, cards: list[Card], reason: str) -> None:
        """What You Do With the Cards (R12, R13): from the table to the player, in the order given."""
        if not cards:
            return
        self.table = [card for card in self.table if card not in cards]
        player.cards += cards
        if any(card.kind == "bone" for card in cards):
            self.bone_owner = player
        bone_from = self.steal_bone(player, cards)
        self.choose_top(player, cards)
        self.log(
            "take",
            round=self.round,
            seat=player.seat,
            cards=[card.card for card in cards],
            reason=reason,
            top=None if player.top is None else player.top.card,
            bone_from=bone_from,
        )

    def steal_bone(self, player: Player, taken: Sequence[Card]) -> int | None:
        """Bone symbol (R13): once per taking, if an opponent has the bone. Returns the seat robbed, if any."""
        owner = self.bone_owner
        if owner is None or owner is player or not any(card.bone_symbol for card in taken):
            return None
        if not self.ask(player, "steal", (False, True)):
            return None
        self.bone_owner = player
        return owner.seat

    def choose_top(self, player: Player, taken: Sequence[Card]) -> None:
        """Flock (R12): of several sheep just taken the player says which lies on top."""
        sheep = [position for position, card in enumerate(taken) if card.is_sheep]
        if sheep:
            position = self.ask(player, "top", sheep, facts=taken) if len(sheep) > 1 else sheep[0]
            player.top = taken[position]

    # End of the Game and Winner

    def score(self, player: Player, most_dogs: int) -> Event:
        """End of the Game and Winner (R16): the eight parts, their sum and the sheep put back in the box."""
        rules = self.rules
        kinds = Counter(card.kind for card in player.cards)
        dogs = kinds["dog"]
        discarded = [] if dogs else dogless_discard(player.cards, rules["dogless_discard"])
        parts = {
            "white": sum(card.points for card in player.cards if card.kind == "white" and card not in discarded),
            "black": sum(card.points for card in player.cards if card.kind == "black"),
            "three_seven_zero": trio_points(kinds["3-7-0"], rules["three_seven_zero"]),
            "zero_zero_seven": trio_points(kinds["0-0-7"], rules["zero_zero_seven"]),
            "dogs": rules["dog_single"] if dogs == 1 else 0,
            "most_dogs": rules["dog_most"] if dogs and dogs == most_dogs else 0,
            "bone": dogs * rules["bone_per_dog"] if player is self.bone_owner else 0,
            "chips": player.chips,
        }
        return {**parts, "discarded": [card.card for card in discarded], "total": sum(parts.values())}

    def end(self) -> None:
        """End of the Game and Winner (R19, R21): score everybody; a tie shares the victory."""
        most_dogs = max(sum(card.kind == "dog" for card in player.cards) for player in self.players)
        totals = []
        for player in self.players:
            score = self.score(player, most_dogs)
            self.log("score", seat=player.seat, **score)
            totals.append(score["total"])
        winners = [seat for seat, total in enumerate(totals) if total == max(totals)]
        self.log("end", winners=winners, win_share=1 / len(winners))


def trio_points(count: int, points: Sequence[int]) -> int:
    """Sheep cards 3-7-0 and 0-0-7 (R17, R18): `points` of 1, 2, 3 cards; each full trio scores by itself."""
    trios, over = divmod(count, TRIO)
    return trios * points[TRIO - 1] + (points[over - 1] if over else 0)


def dogless_discard(cards: Sequence[Card], count: int) -> list[Card]:
    """Sheep dog (R19): the lowest white sheep leave a flock without a dog, ties to the lowest card number."""
    white = [card for card in cards if card.kind == "white"]
    return sorted(white, key=lambda card: (card.points, card.card))[:count]


def play(
    deck: list[Card], rules: Rules, strategies: Sequence[str], tape: Tape, *, seed: int = 0, game: int = 0
) -> list[Event]:
    """Events of one game. `rules` needs only what differs from the standard; one spec a seat in `strategies`."""
    state = Game(deck, rules, strategies, tape)
    state.log(
        "setup",
        players=len(strategies),
        strategies=list(strategies),
        seed=seed,
        game=game,
        deck=list(tape.deck),
        table_numbers=list(tape.table_numbers),
        chips=[player.chips for player in state.players],
        rules={name: value for name, value in state.rules.items() if value != STANDARD_RULES.get(name)},
    )
    while state.supply:
        state.play_round()
    state.end()
    return state.events
