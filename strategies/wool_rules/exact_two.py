"""Takes two cards on purpose when the third is unwanted.

Idea: help is optional, so a first attempt that makes the bid only with bonus or chips can be turned down when the three
cards include one it does not want; on the second attempt, help brings exactly the two it wants. The bid is one that
seldom is made at once.

Found in games: it has fewer unwanted cards than one who takes all it can get, but about as many points as one who just
weighs the cards against the chips.

Parameters: level, 14 to 27, the bid; wanted, -50 to 50, points from which a card is wanted; price, 0 to 25, chips it
pays at most for a card.

Source: rulebook, "Kathrin uses her bonus deliberately".
"""

from analyzer.wool_rules.decisions import best_die
from analyzer.wool_rules.views import View
from strategies.wool_rules.prices import legal_bid, my_worths
from strategies.wool_rules.prices import sensible_pick as pick
from strategies.wool_rules.prices import sensible_save as save

__all__ = ["accept", "bid", "hold", "pick", "save"]

RANGES = {"level": (14, 27), "wanted": (-50.0, 50.0), "price": (0, 25)}


def bid(v: View, level: int = 22) -> int:
    """Bid the level."""
    return legal_bid(v, level)


def wanted_cards(v: View, wanted: float) -> int:
    """Return how many cards on the table are wanted."""
    found = 0
    for worth in my_worths(v):
        found += int(worth >= wanted)
    return found


def accept(v: View, wanted: float = 2.0, price: int = 2) -> bool:
    """Accept help when every card it brings is wanted and the chips are few; on the last attempt any one card."""
    cards = min(v.rules.cards_per_attempt[v.attempt - 1], v.n_table)
    return bool(cards <= wanted_cards(v, wanted) and v.help <= price * cards)


def hold(v: View, wanted: float = 2.0, price: int = 2) -> int:
    """Set aside the die that leads to the most wanted cards, an unwanted one taken away from them."""
    found = wanted_cards(v, wanted)
    gains = [2.0 * min(cards, found) - cards for cards in v.rules.cards_per_attempt]
    return best_die(v, gains[0], gains[1], gains[2], 0.0, -1.0, 0.25, min(price, v.seats[v.me].chips))
