"""Place bids: what may be bid and what it asks of the dice (rulebook, "2) Place bids")."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from analyzer.errors import BadInputError
from analyzer.wool_rules.constants import BID_26_PLUS, HIGHEST_PLAIN_BID, LOWEST_BID

ALL_BIDS: Final = tuple(range(LOWEST_BID, BID_26_PLUS + 1))
"""All 14 bids as numbers: 14 to 26, and 27 for 26+."""


def bid_label(bid: int) -> str:
    """Return a bid as players write it: ``"14"`` to ``"26"``, ``"26+"``."""
    return "26+" if bid == BID_26_PLUS else str(bid)


def bid_target(bid: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the result that each bid asks for; 26+ asks for 26 (ruling R2)."""
    return np.minimum(bid, HIGHEST_PLAIN_BID)


def parse_bid(text: str) -> int:
    """Read a bid.

    Parameters
    ----------
    text : str
        ``14`` to ``26``, or ``26+``.

    Returns
    -------
    int
        14 to 26, or 27 for 26+.

    Raises
    ------
    BadInputError
        For anything else.
    """
    labels = {bid_label(bid): bid for bid in ALL_BIDS}
    try:
        return labels[text.strip()]
    except KeyError:
        shown = text.strip() if len(text) <= 20 else text.strip()[:17] + "..."
        raise BadInputError(f"{shown!r} is not a bid: bids are 14 to 26, and 26+") from None
