"""Where a game stands while its log is read: what lies on the table and what each seat has."""

from dataclasses import dataclass, field
from typing import Any, Final

from analyzer.wool_rules.constants import BLACK, BONE, DOG, SET_007, SET_370, WHITE
from analyzer.wool_rules.deck import Card, Deck
from analyzer.wool_rules.rules import Rules

_KINDS: Final = {WHITE: "white", BLACK: "black", SET_370: "3-7-0", SET_007: "0-0-7", DOG: "dog", BONE: "bone"}


def is_sheep(card: Card) -> bool:
    """Tell sheep from dogs and the bone."""
    return card.kind not in {DOG, BONE}


def kind_and_points(card: Card) -> str:
    """Say what a card is: white 5, 3-7-0, dog."""
    return f"{_KINDS[card.kind]} {card.points}" if card.kind in {WHITE, BLACK} else _KINDS[card.kind]


def card_words(card: Card) -> str:
    """Describe a card by all that is printed on it: white 5, bonus +2, bone symbol, sheep number 28."""
    parts = [kind_and_points(card)]
    if card.modifier:
        parts.append(modifier_words(card.modifier))
    if card.bone_symbol:
        parts.append("bone symbol")
    if is_sheep(card):
        parts.append(f"sheep number {card.sheep_number}")
    return ", ".join(parts)


def card_name(card: Card) -> str:
    """Name a card that has been described before: white 5 (no. 28)."""
    return f"{kind_and_points(card)} (no. {card.sheep_number})" if is_sheep(card) else kind_and_points(card)


def modifier_words(modifier: int) -> str:
    """Say a bonus or malus with its sign."""
    return f"bonus +{modifier}" if modifier > 0 else f"malus {modifier}" if modifier else "no modifier"


@dataclass
class SeatStanding:
    """What a seat has.

    Parameters
    ----------
    chips : int
    number : int
        Sheep number that decides tied bids: of the top card, or of the bidding table before there is a flock.
    top : Card or None
    cards : list of Card
    bid : str
    """

    chips: int
    number: int
    top: Card | None = None
    cards: list[Card] = field(default_factory=list)
    bid: str = ""

    @property
    def modifier(self) -> int:
        """Bonus or malus on the top card of the flock."""
        return self.top.modifier if self.top else 0

    def count(self, kind: int) -> int:
        """Return how many cards of a kind the seat has."""
        return sum(card.kind == kind for card in self.cards)


class Standing:
    """A game between two events.

    Parameters
    ----------
    setup : dict
        The first event of a log.
    deck : Deck
    rules : Rules
    """

    def __init__(self, setup: dict[str, Any], deck: Deck, rules: Rules) -> None:
        self.deck, self.rules = deck, rules
        pairs = zip(setup["chips"], setup["table_numbers"], strict=True)
        self.seats = [SeatStanding(chips, number) for chips, number in pairs]
        self.table: list[Card] = []
        self.face_down = len(setup["deck"])
        self.bone_owner: int | None = None

    @property
    def chip_supply(self) -> int:
        """Chips that no player has."""
        return self.rules.chips_total - sum(seat.chips for seat in self.seats)

    def cards(self, numbers: list[int]) -> list[Card]:
        """Return cards by their numbers."""
        return [self.deck.cards[number] for number in numbers]

    def lay_out(self, numbers: list[int]) -> None:
        """Put cards on the table."""
        self.table = self.cards(numbers)
        self.face_down -= len(numbers)

    def may_take_bone(self, seat: int, taken: list[Card]) -> bool:
        """Whether a bone symbol among cards just taken lets a seat take the bone from an opponent (R13)."""
        symbol = any(card.bone_symbol for card in taken)
        return symbol and self.bone_owner not in {None, seat} and all(card.kind != BONE for card in taken)

    def take(self, event: dict[str, Any]) -> None:
        """Give a seat the cards of a taking."""
        seat, taken = event["seat"], self.cards(event["cards"])
        mine = self.seats[seat]
        self.table = [card for card in self.table if card not in taken]
        mine.cards += taken
        if event["top"] is not None:
            mine.top = self.deck.cards[event["top"]]
            mine.number = mine.top.sheep_number
        if event["bone_from"] is not None or any(card.kind == BONE for card in taken):
            self.bone_owner = seat
