"""Decks as plausible as a reconstruction, to see whether an answer depends on what it guesses.

Assumption: the printed cards are to a reconstruction as these decks are, a smoothed bootstrap of its cards (B. W.
Silverman, G. A. Young, "The bootstrap: to smooth or not to smooth?", Biometrika 74 (1987) 469-479). For each deck:

1. 3-7-0, 0-0-7 and black sheep become up to :data:`SET_MOVE` more or fewer, equally likely; white sheep make up for it.
2. Each sheep is one of the reconstruction's of its kind, any equally often, with its bone symbol; its points and its
   modifier each move by -1, 0 or +1, equally likely. White sheep keep at least 1 point, black ones lose at least 1.
3. The sheep numbers are dealt out anew.
4. The deck is drawn again when it departs from what is known of the printed one
   (:func:`~analyzer.wool_rules.deck.departures`) or has over :data:`SYMBOL_MOVE` bone symbols more or fewer.
"""

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from analyzer.errors import BadInputError
from analyzer.wool_rules.constants import BLACK, BONE, DOG, MAX_MODIFIER, SET_007, SET_370, WHITE
from analyzer.wool_rules.deck import Card, Deck, departures
from analyzer.wool_rules.rules import MAX_POINTS

SET_MOVE: Final = 2
"""Cards by which the sizes of 3-7-0, 0-0-7 and the black sheep move at most."""

SYMBOL_MOVE: Final = 2
"""Bone symbols by which a deck differs from the reconstruction at most."""

_TRIES: Final = 1000
"""About seven in ten decks drawn from the shipped one are kept."""

_SHEEP: Final = (WHITE, BLACK, SET_370, SET_007)
_POINTS: Final = {WHITE: (1, MAX_POINTS), BLACK: (-MAX_POINTS, -1), SET_370: (0, 0), SET_007: (0, 0)}
"""Lowest and highest points of each kind."""


def plausible_decks(deck: Deck, n: int, seed: int) -> list[Deck]:
    """Draw other decks that are as plausible as a reconstruction.

    Parameters
    ----------
    deck : Deck
        The reconstruction.
    n : int
        How many; the first ones do not depend on it.
    seed : int

    Returns
    -------
    list of Deck
        Named after the reconstruction: ``reconstructed~1``, ``reconstructed~2``, ... Cards lie in the order of kind,
        size of points and modifier.

    Raises
    ------
    BadInputError
        When the given deck departs from what is known of the printed one, so that none like it could be plausible.
    """
    faults = departures(deck)
    if faults:
        raise BadInputError(
            f"deck {deck.name}: {'; '.join(faults)}; the printed deck is known to be otherwise, so no deck drawn like "
            "this one could be it"
        )
    rng = np.random.default_rng(seed)
    return [Deck(f"{deck.name}~{number}", _plausible_cards(deck, rng)) for number in range(1, n + 1)]


def _plausible_cards(deck: Deck, rng: np.random.Generator) -> tuple[Card, ...]:
    """Return redrawn cards that are not known to be wrong."""
    symbols = sum(card.bone_symbol for card in deck.cards)
    for _ in range(_TRIES):
        cards = _redrawn(deck, rng)
        moved = abs(sum(card.bone_symbol for card in cards) - symbols)
        if moved <= SYMBOL_MOVE and not departures(Deck(deck.name, cards)):
            return cards
    raise BadInputError(f"deck {deck.name}: {_TRIES:,} decks drawn like it all depart from what is known")


def _redrawn(deck: Deck, rng: np.random.Generator) -> tuple[Card, ...]:
    """Return the cards of a deck after steps 1 to 3."""
    records = deck.records()
    sheep = records[records["kind"] <= SET_007]
    drawn = np.concatenate([_sheep(sheep[sheep["kind"] == kind], kind, size, rng) for kind, size in _sizes(deck, rng)])
    drawn["sheep_number"] = rng.permutation(sheep["sheep_number"])
    drawn = drawn[np.lexsort((drawn["bone_symbol"], -drawn["modifier"], abs(drawn["points"]), drawn["kind"]))]
    cards = [
        Card(at, int(s["kind"]), int(s["points"]), int(s["modifier"]), bool(s["bone_symbol"]), int(s["sheep_number"]))
        for at, s in enumerate(drawn)
    ]
    others = [DOG] * deck.count(DOG) + [BONE] * deck.count(BONE)
    return (*cards, *(Card(at, kind) for at, kind in enumerate(others, len(cards))))


def _sizes(deck: Deck, rng: np.random.Generator) -> list[tuple[int, int]]:
    """Return how many sheep of each kind a redrawn deck has."""
    moves = rng.integers(-SET_MOVE, SET_MOVE, size=3, endpoint=True).tolist()
    by_kind = zip(_SHEEP, [-sum(moves), *moves], strict=True)
    return [(kind, max(0, deck.count(kind) + move)) for kind, move in by_kind]


def _sheep(like: NDArray[Any], kind: int, size: int, rng: np.random.Generator) -> NDArray[Any]:
    """Return so many sheep like those of a kind."""
    drawn: NDArray[Any] = rng.choice(like, size)
    points, modifiers = rng.integers(-1, 1, size=(2, size), endpoint=True)
    drawn["points"] = np.clip(drawn["points"] + points, *_POINTS[kind])
    drawn["modifier"] = np.clip(drawn["modifier"] + modifiers, -MAX_MODIFIER, MAX_MODIFIER)
    return drawn
