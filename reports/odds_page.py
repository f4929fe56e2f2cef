"""The odds page: one HTML file that looks up what `woolsim odds` and `bid-table` compute."""

import base64
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from analyzer.wool_rules.bidding import bid_label, bid_target, bids_of
from analyzer.wool_rules.dice import dice_of
from analyzer.wool_rules.odds_tables import OddsTable, OddsTables
from reports.export import Provenance
from reports.page import page
from reports.words import cards_words, chips_words, die_name, under_words

_TYPES: Final = ("u1", "i1", "u2", "i2", "u4", "i4", "f8")
"""Types of arrays that a browser reads, the smallest first; f8 holds whole numbers up to 2**53."""

_MOST_FACES_A_ROW: Final = 6
_FIRST_SHOWN: Final = 22
"""The bid that is chosen when the page is opened."""


def odds_page(tables: OddsTables, provenance: Provenance) -> bytes:
    """Return the page.

    Parameters
    ----------
    tables : OddsTables
        What it looks up.
    provenance : Provenance
        What it says of how its figures were made.

    Returns
    -------
    bytes
        As :func:`reports.page.page` makes it, the same for the same tables and provenance.
    """
    return page("odds-page", **_choices(tables), data=page_data(tables), made=provenance.lines())


def page_data(tables: OddsTables) -> dict[str, Any]:
    """Return what is embedded for the script: the tables, and where in them to look."""
    rules, dice = tables.rules, dice_of(tables.rules.dice)
    bids = bids_of(rules)
    targets = bid_target(np.array(bids)).tolist()
    return {
        "dice": list(rules.dice),
        "cards": list(rules.cards_per_attempt),
        "under": under_words(rules),
        "bids": [[bid_label(bid), tables.targets.index(target)] for bid, target in zip(bids, targets, strict=True)],
        "targets": list(tables.targets),
        "lowest_modifier": tables.modifiers[0],
        "courses": {"start": dice.n_actions, "first": dice.n_rest, "second": dice.third_courses},
        "offset": {"first": list(dice.first_offset), "second": list(dice.second_offset)},
        **_packed_tables(tables.tables),
    }


def _choices(tables: OddsTables) -> dict[str, Any]:
    """Return what the page lets one choose."""
    rules, bids = tables.rules, bids_of(tables.rules)
    return {
        "rules": rules,
        "goals": tables.goals,
        "goals_agree": all(table.index.shape[0] == 1 for table in tables.tables.values()),
        "bids": [(at, bid_label(bid)) for at, bid in enumerate(bids)],
        "first_bid": bids.index(_FIRST_SHOWN),
        "modifiers": [(at, _modifier_label(modifier), modifier == 0) for at, modifier in enumerate(tables.modifiers)],
        "chips": [(chips, chips_words(chips)) for chips in tables.chips],
        "dice": [(die, die_name(rules, die), sides, _columns(sides)) for die, sides in enumerate(rules.dice)],
        "cards": [cards_words(cards) for cards in rules.cards_per_attempt],
        "under": under_words(rules),
        "courses": f"{dice_of(rules.dice).n_actions:,}",
    }


def _modifier_label(modifier: int) -> str:
    """Name a modifier as one option of a list, with a true minus sign."""
    return "none" if modifier == 0 else f"bonus +{modifier}" if modifier > 0 else f"malus −{-modifier}"


def _columns(sides: int) -> int:
    """Return in how many columns the faces of a die stand: rows as even as can be."""
    return -(-sides // -(-sides // _MOST_FACES_A_ROW))


def _packed_tables(tables: dict[str, OddsTable]) -> dict[str, Any]:
    """Return tables as JSON has them; an index that several share is there once."""
    indexes: list[dict[str, Any]] = []
    found: dict[str, dict[str, Any]] = {}
    for name, table in tables.items():
        index = _packed_index(table.index)
        if index not in indexes:
            indexes.append(index)
        found[name] = {"index": indexes.index(index), "width": table.rows.shape[1], "rows": _packed(table.rows)}
    return {"indexes": indexes, "tables": found}


def _packed_index(index: NDArray[np.int64]) -> dict[str, Any]:
    """Return an index in two steps: goal, target and modifier say which list belongs to them, chips where in it.

    Few lists are different, because a modifier does what another target does.
    """
    by_chips = index.reshape(-1, index.shape[-1])
    _, first, back = np.unique(by_chips, axis=0, return_index=True, return_inverse=True)
    return {"shape": list(index.shape), "lists": _packed(by_chips[first]), "list": _packed(back.ravel())}


def _packed(numbers: NDArray[np.int64]) -> list[str]:
    """Return the type and the base64 of whole numbers, little-endian as browsers have them, in the smallest type."""
    for kind in _TYPES:
        packed = numbers.astype(f"<{kind}")
        if np.array_equal(packed.astype(np.int64), numbers):
            break
    return [kind, base64.b64encode(packed.tobytes()).decode("ascii")]
