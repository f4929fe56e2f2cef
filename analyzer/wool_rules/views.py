"""What a policy sees of a dice action: a record with the names of the design page ("What a player decides")."""

from typing import Any, Final

import numpy as np

from analyzer.wool_rules.constants import N_DICE

N_DRAWS: Final = 4
"""Uniform numbers that every call of a policy gets."""

SEAT_DTYPE: Final = np.dtype([("chips", "i8"), ("modifier", "i8"), ("bid", "i8")], align=True)
"""A seat as far as a dice action alone defines it: chips willing to spend, modifier, bid (27 = 26+)."""

VIEW_DTYPE: Final = np.dtype(
    [
        ("me", "i8"),  # own seat
        ("attempt", "i8"),  # 1 or 2 when a die is to be set aside
        ("target", "i8"),  # the bid as a number
        ("dice", "i8", (N_DICE,)),  # faces of d12, d10, d8
        ("held", "i8", (N_DICE,)),  # 1 for a die set aside, else 0
        ("result", "i8"),  # total with malus
        ("help", "i8"),  # chips needed on top of the bonus to make the bid now
        ("draws", "f8", (N_DRAWS,)),  # uniform numbers in [0, 1), fresh for every call
        ("seats", SEAT_DTYPE, (1,)),
    ],
    align=True,
)
"""The view of a dice action on its own, without a table around it."""

View = Any
"""A record of :data:`VIEW_DTYPE` (compiled) or anything with the same attributes (plain Python)."""
