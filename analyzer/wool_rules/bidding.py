"""Place bids: what may be bid and what it asks of the dice (rulebook, "2) Place bids")."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from analyzer.errors import BadInputError
from analyzer.wool_rules.constants import BID_26_PLUS, HIGHEST_PLAIN_BID, LOWEST_BID
from analyzer.wool_rules.rules import STANDARD, Rules

ALL_BIDS: Final = tuple(range(LOWEST_BID, BID_26_PLUS + 1))
"""All 14 bids as numbers: 14 to 26, and 27 for 26+."""


def bids_of(rules: Rules) -> tuple[int, ...]:
    """Return the bids that may be placed, as numbers: without a plain 26 if the rules say so."""
    return tuple(bid for bid in ALL_BIDS if rules.plain_26 or bid != HIGHEST_PLAIN_BID)


def bid_label(bid: int) -> str:
    """Return a bid as players write it: ``"14"`` to ``"26"``, ``"26+"``."""
    return "26+" if bid == BID_26_PLUS else str(bid)


def bid_target(bid: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the result that each bid asks for; 26+ asks for 26 (ruling R2)."""
    return np.minimum(bid, HIGHEST_PLAIN_BID)


def bids_text(rules: Rules) -> str:
    """Return which bids there are."""
    *plain, plus = map(bid_label, bids_of(rules))
    return f"{plain[0]} to {plain[-1]}, and {plus}"


def parse_bid(text: str, rules: Rules = STANDARD) -> int:
    """Read a bid.

    Parameters
    ----------
    text : str
        ``14`` to ``26``, or ``26+``.
    rules : Rules
        They may have no plain 26.

    Returns
    -------
    int
        14 to 26, or 27 for 26+.

    Raises
    ------
    BadInputError
        For anything else.
    """
    labels = {bid_label(bid): bid for bid in bids_of(rules)}
    try:
        return labels[text.strip()]
    except KeyError:
        shown = text.strip() if len(text) <= 20 else text.strip()[:17] + "..."
        raise BadInputError(f"{shown!r} is not a bid: bids are {bids_text(rules)}") from None
