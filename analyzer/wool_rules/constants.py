"""The numbers of Wool Rules, in the rulebook's words ("Materials and Preparation", "Sequence of a Round")."""

from typing import Final

SIDES: Final = (12, 10, 8)
"""Sides of the three dice: d12, d10, d8 (option)."""

N_DICE: Final = 3

CARDS_BY_ATTEMPT: Final = (3, 2, 1)
"""Entitlement to cards on the 1st, 2nd and 3rd attempt (option)."""

BLACK_SHEEP_BELOW: Final = 14
"""A result under 14 after the third attempt brings the black sheep (option)."""

CHIPS_TOTAL: Final = 25
"""Wool chips in the game (option: fewer): no player can ever spend more."""

# Assumption: bids are 14 to 26, and 26+ beside 26; the range is from public reviews, the rulebook implies the rest.
LOWEST_BID: Final = 14
HIGHEST_PLAIN_BID: Final = 26
BID_26_PLUS: Final = 27
"""The bid 26+ as a number; its target is 26 (ruling R2)."""

MAX_MODIFIER: Final = 20
"""Largest bonus or malus that is accepted as a question; printed cards stay far below."""

MIN_PLAYERS: Final = 2
MAX_PLAYERS: Final = 6

N_CARDS: Final = 60
MAX_TABLE: Final = MAX_PLAYERS + 1
"""Most cards laid out at once: one more than there are players."""

WHITE, BLACK, SET_370, SET_007, DOG, BONE = range(6)
"""Kinds of cards; sheep are the first four."""

KIND_NAMES: Final = ("white", "black", "3-7-0", "0-0-7", "dog", "bone")
"""Kinds as a deck file names them."""

N_KINDS: Final = len(KIND_NAMES)
TRIO: Final = 3
"""Cards of 3-7-0 or 0-0-7 in a trio."""

SCORE_PARTS: Final = ("white", "black", "three_seven_zero", "zero_zero_seven", "dogs", "most_dogs", "bone", "chips")
"""Parts of a score (ruling R16), as logs and exports name them."""

COUNTED: Final = ("n_white", "n_black", "n_370", "n_007", "n_dogs", "has_bone", "chips_spent", "skipped")
"""What else is kept of each game and seat."""
