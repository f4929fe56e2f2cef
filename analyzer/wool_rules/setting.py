"""What is played with: rules and deck, and all that follows from them for every game."""

from collections.abc import Mapping
from dataclasses import astuple, dataclass
from functools import cached_property
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from analyzer.errors import BadInputError
from analyzer.wool_rules.constants import BLACK, BONE, DOG, N_CARDS, SET_007, SET_370, WHITE
from analyzer.wool_rules.deck import Card, Deck, kind_counts
from analyzer.wool_rules.need_odds import need_odds
from analyzer.wool_rules.players import rounds_of
from analyzer.wool_rules.rules import MEMORIES, Rules
from analyzer.wool_rules.scoring import trio_points
from analyzer.wool_rules.state import GAIN_DTYPE, KIND_BITS


@dataclass(frozen=True)
class Setting:
    """Rules and a deck that go together.

    Parameters
    ----------
    rules : Rules
    deck : Deck

    Raises
    ------
    BadInputError
        When a sheep number of the deck is one of the rules' table numbers.
    """

    rules: Rules
    deck: Deck

    def __post_init__(self) -> None:
        for card in self.deck.cards:
            if card.sheep_number in self.rules.table_numbers:
                raise BadInputError(
                    f"deck {self.deck.name}: sheep number {card.sheep_number} of card {card.card} is one of the rules' "
                    f"table numbers {list(self.rules.table_numbers)}; they must differ"
                )

    @cached_property
    def score_range(self) -> tuple[int, int]:
        """Bounds that no score can leave: every card and chip at its worst and its best."""
        rules, deck = self.rules, self.deck
        trios = [
            [trio_points(points, n) for n in range(deck.count(kind) + 1)]
            for kind, points in ((SET_370, rules.three_seven_zero), (SET_007, rules.zero_zero_seven))
        ]
        dogs = [rules.dog_single, rules.dog_most, rules.bone_per_dog * deck.count(DOG)]
        signed = [card.points for card in deck.cards]
        low = sum(min(points, 0) for points in signed + dogs) + sum(map(min, trios))
        high = sum(max(points, 0) for points in signed + dogs) + sum(map(max, trios)) + rules.chips_total
        return low, high

    @property
    def words(self) -> str:
        """Names and hashes of deck and rules."""
        deck, rules = self.deck, self.rules
        assumed = ", an assumption" if deck.is_shipped else ""
        return f"deck {deck.name} ({deck.digest}{assumed}), rules {rules.name} ({rules.digest})"

    def as_dict(self) -> dict[str, Any]:
        """Return rules and deck as data for JSON."""
        rules = {"name": self.rules.name, "hash": self.rules.digest, "changes": self.rules.changes}
        cards = [list(astuple(card)) for card in self.deck.cards]
        return {"rules": rules, "deck": {"name": self.deck.name, "hash": self.deck.digest, "cards": cards}}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Return the rules and the deck of :meth:`as_dict`."""
        changes: dict[str, Any] = {
            key: tuple(value) if isinstance(value, list) else value for key, value in data["rules"]["changes"].items()
        }
        deck = Deck(data["deck"]["name"], tuple(Card(*row) for row in data["deck"]["cards"]))
        return cls(Rules(**changes), deck)

    def set_up(self, view: NDArray[np.void], state: NDArray[np.void], players: int) -> None:
        """Fill arrays of one view and one state, changed in place, with what is the same in all games."""
        rules, deck = self.rules, self.deck
        view["players"], view["rounds"] = players, rounds_of(players)
        view["rules"], view["deck_kinds"], view["odds"] = rules.record(), kind_counts(deck), need_odds(rules)
        state["cards"], state["table_numbers"] = deck.records(), rules.table_numbers
        state["numbers"] = np.arange(N_CARDS)
        state["gains"] = card_gains(deck, rules)
        white = sorted(card.points for card in deck.cards if card.kind == WHITE)
        state["ranked_points"][0, : len(white)] = white
        for name, trio in (("points_370", rules.three_seven_zero), ("points_007", rules.zero_zero_seven)):
            state[name] = [trio_points(trio, n) for n in range(N_CARDS + 1)]
        state["points_dogs"][0, 1], state["points_behind"][0, 0] = rules.dog_single, rules.dog_most


def card_gains(deck: Deck, rules: Rules) -> NDArray[np.void]:
    """Return what taking each card adds, shape (60,); with memory = "table", what only memory tells shows nothing."""
    cards, gains = deck.records(), np.zeros(N_CARDS, GAIN_DTYPE)
    kind = cards["kind"]
    gains["kinds"] = np.uint64(1) << (KIND_BITS * kind).astype(np.uint64)
    white = sorted((card.points, card.card) for card in deck.cards if card.kind == WHITE)
    for rank, (_, card) in enumerate(white):
        gains["white_ranks"][card] = 1 << rank
    gains["white"], gains["black"] = cards["points"] * (kind == WHITE), cards["points"] * (kind == BLACK)
    gains["dogs"], gains["has_bone"], gains["sheep"] = kind == DOG, kind == BONE, kind <= SET_007
    if rules.memory == MEMORIES[0]:
        gains["seen_white"], gains["seen_black"] = gains["white"], gains["black"]
        gains["n_white"], gains["n_370"], gains["n_007"] = kind == WHITE, kind == SET_370, kind == SET_007
    return gains
