"""The state of a game: what no policy gets, beside the view that every policy gets.

One record of each is set up once for a block of games and used for all of them; nothing is copied. The view is public
state with the names of the design page; this record has what is hidden (the order of the supply, secret bids), what is
only needed to score, and what a person must be told when a policy goes wrong.
"""

from typing import Any, Final

import numpy as np

from analyzer.slots import MAX_PARAMETERS
from analyzer.wool_rules.constants import MAX_PLAYERS, N_CARDS
from analyzer.wool_rules.deck import CARD_DTYPE

BID, ACCEPT, HOLD, SAVE, PICK, STEAL, TOP = range(7)
"""What a player decides, in the order of the design page."""

SLOTS: Final = ("bid", "accept", "hold", "save", "pick", "steal", "top")
N_SLOTS: Final = len(SLOTS)
TRUTH_SLOTS: Final = ("accept", "save", "steal")
"""Slots that are answered by True or False."""

WORD: Final = 64
"""Bits in a set of cards."""

NOBODY: Final = -1
NO_CARD: Final = -1

EVENT_WIDTH: Final = 16
MAX_EVENTS: Final = 1024
"""More than any game can have: 9 rounds of 7 players' events, or 20 rounds of 2."""

KIND_BITS: Final = 8
"""Counts of all kinds of cards lie side by side in one number."""

GAIN_DTYPE: Final = np.dtype(
    [
        # To a tally, in the order of its fields.
        ("kinds", "u8"),
        ("white_ranks", "u8"),
        ("white", "i8"),
        ("black", "i8"),
        # To what everybody sees of a seat, in the order of its fields.
        ("seen_white", "i8"),
        ("seen_black", "i8"),
        ("n_white", "i8"),
        ("n_370", "i8"),
        ("n_007", "i8"),
        ("dogs", "i8"),
        ("has_bone", "i8"),
        # To the taking.
        ("sheep", "u8"),
    ],
    align=True,
)
"""What taking a card adds: known beforehand, so that taking is adding, and asks nothing about the card."""

TALLY_DTYPE: Final = np.dtype(
    [
        ("kinds", "u8"),  # cards taken, KIND_BITS for each kind
        ("white_ranks", "u8"),  # white sheep owned, a bit each, the lowest worth first
        ("white", "i8"),  # points
        ("black", "i8"),
        ("top", "i8"),  # card on top of the flock, or NO_CARD
        ("spent", "i8"),  # chips spent, the cost of 26+ included
        ("skipped", "i8"),  # turns
        ("score", "i8"),  # as if the game had ended with the last round
    ],
    align=True,
)
"""What a seat has taken: the truth behind what views show, whatever is remembered."""

STATE_DTYPE: Final = np.dtype(
    [
        # Set once for a block.
        ("key", "u8"),  # of the seed's random stream
        ("step", "u8"),
        ("numbers", "u1", (N_CARDS,)),  # of the cards, in order
        ("cards", CARD_DTYPE, (N_CARDS,)),  # the deck by card number
        ("gains", GAIN_DTYPE, (N_CARDS,)),  # the same
        ("table_numbers", "i8", (MAX_PLAYERS,)),  # of the rules
        ("dealt", "i8", (MAX_PLAYERS,)),  # the same as dealt in this game
        ("ranked_points", "i8", (WORD + 1,)),  # points of the white sheep of each rank, 0 after the last
        ("points_370", "i8", (N_CARDS + 1,)),  # of so many cards
        ("points_007", "i8", (N_CARDS + 1,)),
        ("points_dogs", "i8", (N_CARDS + 1,)),  # of so many dogs by themselves
        ("points_behind", "i8", (N_CARDS + 1,)),  # of a seat with so many dogs less than the one with most
        ("parameters", "f8", (MAX_PLAYERS, N_SLOTS, MAX_PARAMETERS)),  # by place in the line-up
        ("draws", "i8", (MAX_PLAYERS, N_SLOTS)),  # 1 for a policy that reads its draws
        ("drawing", "i8"),  # 1 if there is one
        ("policies", "u8", (N_SLOTS, MAX_PLAYERS)),  # addresses, by place in the line-up
        ("stop", "i8"),  # set from outside: end after this game
        ("table", "i8"),  # of several that play by turns: which is playing
        ("logging", "i8"),  # whether events are noted
        # Of the game being played.
        ("game", "i8"),
        ("who", "i8", (MAX_PLAYERS,)),  # place in the line-up of each seat's strategy
        ("supply", "u1", (N_CARDS,)),  # the whole deck in drawing order
        ("drawn", "i8"),  # cards drawn from it
        ("bids", "i8", (MAX_PLAYERS,)),  # before the reveal
        ("turn_keys", "i8", (MAX_PLAYERS,)),  # lower for earlier turns
        ("tallies", TALLY_DTYPE, (MAX_PLAYERS,)),
        ("bone_owner", "i8"),  # or NOBODY
        ("calls", "u1", (MAX_PLAYERS, N_SLOTS)),  # of drawing policies in this round
        # Of the cards being taken.
        ("sheep", "u8"),  # a bit for each position among them
        ("bone_symbols", "i8"),
        ("words", "u8", (MAX_PLAYERS,)),  # random bits of each seat's first and second attempt in this round
        # For whoever must say what went wrong: the last policy that was asked is slot and the view's `me`.
        ("slot", "i8"),
        ("fault", "i8"),  # 1 when its answer was illegal
        ("answer", "i8"),  # which it was
        ("games", "i8"),  # finished
        # The log.
        ("n_events", "i8"),
        ("events", "i8", (MAX_EVENTS, EVENT_WIDTH)),
    ],
    align=True,
)
"""What is hidden or bulky; see :data:`~analyzer.wool_rules.views.VIEW_DTYPE` for what is not."""

State = Any
"""A record of :data:`STATE_DTYPE`."""
