"""What a policy sees: records with the names of the design page ("What a player decides").

Two views: of a whole game, and of a dice action on its own, without a table around it. The fields they share mean the
same in both, so a hold policy that asks for no more than a dice action serves both.
"""

from typing import Any, Final

import numpy as np

from analyzer.wool_rules.constants import MAX_PLAYERS, MAX_TABLE, N_DICE, N_KINDS
from analyzer.wool_rules.deck import CARD_DTYPE
from analyzer.wool_rules.rules import RULES_DTYPE

N_DRAWS: Final = 4
"""Uniform numbers that every call of a policy gets."""

_ACTION_FIELDS: Final[list[Any]] = [
    ("me", "i8"),  # own seat
    ("attempt", "i8"),  # 1 to 3 during a dice action, else 0
    ("target", "i8"),  # the bid as a number
    ("dice", "i8", (N_DICE,)),  # faces of d12, d10, d8
    ("held", "i8", (N_DICE,)),  # 1 for a die set aside, else 0
    ("result", "i8"),  # total with malus
    ("help", "i8"),  # chips needed on top of the bonus to make the bid now
    ("draws", "f8", (N_DRAWS,)),  # uniform numbers in [0, 1), fresh for every call
    ("rules", RULES_DTYPE),  # the rules in force, named as in a rules file
]

ACTION_SEAT_DTYPE: Final = np.dtype([("chips", "i8"), ("modifier", "i8"), ("bid", "i8")], align=True)
"""A seat as far as a dice action alone defines it: chips willing to spend, modifier, bid (27 = 26+)."""

ACTION_VIEW_DTYPE: Final = np.dtype([*_ACTION_FIELDS, ("seats", ACTION_SEAT_DTYPE, (1,))], align=True)
"""The view of a dice action on its own."""

SEAT_DTYPE: Final = np.dtype(
    [
        ("chips", "i8"),
        ("modifier", "i8"),  # of the top card; 0 without a flock
        ("sheep_number", "i8"),  # of the top card; the bidding table's without a flock
        ("bid", "i8"),  # 14 to 26, 27 for 26+; 0 before the reveal
        # Points and counts of what was taken; 0 for everybody with memory = "table".
        ("white", "i8"),
        ("black", "i8"),
        ("n_white", "i8"),
        ("n_370", "i8"),
        ("n_007", "i8"),
        # Of these everybody may remind himself at any time.
        ("dogs", "i8"),
        ("has_bone", "i8"),
    ],
    align=True,
)
"""What everybody knows of a seat."""

N_NEEDS: Final = 64
"""Totals for which `odds` has an entry: no bid with any modifier needs more."""

ODDS_DTYPE: Final = np.dtype([("three", "f8"), ("two", "f8"), ("one", "f8"), ("under", "f8")], align=True)
"""Exact chances under max-odds to get three, two, one cards, and to fail under 14, without modifier and chips."""

VIEW_DTYPE: Final = np.dtype(
    [
        *_ACTION_FIELDS,
        ("players", "i8"),
        ("round", "i8"),  # from 1
        ("rounds", "i8"),  # in all
        ("supply", "i8"),  # cards still face down
        ("table", CARD_DTYPE, (2 * MAX_TABLE,)),  # the first n_table count, and there are never more than MAX_TABLE
        ("n_table", "i8"),
        ("seats", SEAT_DTYPE, (MAX_PLAYERS,)),  # the first `players` count
        ("order", "i8", (MAX_PLAYERS,)),  # seats in turn order; -1 before the reveal
        ("turn", "i8"),  # place in the order whose turn it is; -1 before the reveal
        ("chip_supply", "i8"),
        ("n_taken", "i8"),
        ("taken", CARD_DTYPE, (MAX_TABLE,)),  # cards of this taking so far, the first n_taken count
        ("deck_kinds", "i8", (N_KINDS,)),  # how many cards of each kind the whole deck has
        ("odds", ODDS_DTYPE, (N_NEEDS,)),  # by the total that the dice must reach
    ],
    align=True,
)
"""The view of a whole game: what a seat may know, and nothing else."""

View = Any
"""A record of :data:`VIEW_DTYPE` (compiled) or anything with the same attributes (plain Python)."""
