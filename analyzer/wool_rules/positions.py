"""Random positions in which a policy may be asked, and what it may answer: for trying out a strategy.

A position is dealt, not played: cards, chips and bids are spread at random within the rules, so that corners are
reached which games seldom see.
"""

from collections.abc import Callable
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from analyzer.wool_rules.constants import (
    BID_26_PLUS,
    BLACK,
    BONE,
    DOG,
    HIGHEST_PLAIN_BID,
    LOWEST_BID,
    MAX_PLAYERS,
    MIN_PLAYERS,
    N_CARDS,
    N_DICE,
    SET_007,
    SET_370,
    WHITE,
)
from analyzer.wool_rules.deck import Deck, kind_counts
from analyzer.wool_rules.need_odds import need_odds
from analyzer.wool_rules.players import rounds_of
from analyzer.wool_rules.rules import Rules
from analyzer.wool_rules.state import SLOTS
from analyzer.wool_rules.views import N_DRAWS, VIEW_DTYPE

Generator = np.random.Generator
Record = Any
"""One record of VIEW_DTYPE."""

_ROLLS: Final = 12
_TRIES: Final = 2_000
"""Deals after which a slot that the rules make impossible is given up."""


def random_positions(slot: str, n: int, rules: Rules, deck: Deck, seed: int = 0) -> NDArray[np.void]:
    """Deal positions in which a slot is asked.

    Parameters
    ----------
    slot : str
        One of :data:`~analyzer.wool_rules.state.SLOTS`.
    n : int
        How many.
    rules, deck
        What is played.
    seed : int

    Returns
    -------
    array of VIEW_DTYPE, shape (n,)
        Fewer where the rules or the deck hardly ever let the slot be asked.
    """
    rng = np.random.default_rng([seed, SLOTS.index(slot)])
    views = np.zeros(n, VIEW_DTYPE)
    views["rules"], views["deck_kinds"], views["odds"] = rules.record(), kind_counts(deck), need_odds(rules)
    cards = deck.records()
    for at in range(n):
        blank = views[at].copy()
        for _ in range(_TRIES):
            views[at] = blank
            if _deal(views[at], cards, rules, rng, slot) and _COMPLETE[slot](views[at], rng):
                break
        else:
            return views[:at]
    return views


def legal_answers(view: Record, slot: str) -> list[int]:
    """Return every legal answer in a position, in ascending order; False and True are 0 and 1."""
    if slot == "bid":
        highest = HIGHEST_PLAIN_BID if view["rules"]["plain_26"] else HIGHEST_PLAIN_BID - 1
        has_chip = view["seats"][view["me"]]["chips"] > 0
        return [*range(LOWEST_BID, highest + 1), *([BID_26_PLUS] if has_chip else [])]
    if slot == "hold":
        return sorted(int(sides) for sides, held in zip(view["rules"]["dice"], view["held"], strict=True) if not held)
    if slot == "pick":
        return list(range(view["n_table"]))
    if slot == "top":
        return [at for at in range(view["n_taken"]) if view["taken"][at]["kind"] <= SET_007]
    return [0, 1]


def _deal(view: Record, cards: NDArray[np.void], rules: Rules, rng: Generator, slot: str) -> bool:
    """Deal everything but the dice action: rounds played, who owns what, the table, chips, bids and the order."""
    players = int(rng.integers(MIN_PLAYERS, MAX_PLAYERS + 1))
    rounds = rounds_of(players)
    view["players"], view["rounds"] = players, rounds
    view["round"] = rng.integers(1, rounds + 1)
    drawn = rng.permutation(N_CARDS)
    laid_before = (int(view["round"]) - 1) * (players + 1)
    on_table = drawn[laid_before : laid_before + players + 1]
    view["supply"] = N_CARDS - laid_before - len(on_table)
    view["me"] = rng.integers(players)
    shares = rng.dirichlet(np.ones(players))  # some seats take much, others little
    owner = np.searchsorted(np.cumsum(shares[:-1]), rng.random(laid_before))
    view["draws"] = rng.random(N_DRAWS)
    if slot != "bid":  # some of the table has been taken by those who went before
        gone = rng.integers(0, len(on_table))
        owner = np.append(owner, rng.integers(0, players, gone))
        on_table = on_table[gone:]
    owned = drawn[: len(owner)]
    if slot == "save" and not (cards["kind"][on_table] == BLACK).any():
        return False  # as it would turn out in the end, after much more work
    if slot == "steal":
        others = owned[owner != view["me"]]
        if not cards["bone_symbol"][on_table].any() or not (cards["kind"][others] == BONE).any():
            return False
    _deal_seats(view, cards, owned, owner, rules, rng)
    view["n_table"] = len(on_table)
    view["table"][: len(on_table)] = cards[on_table]
    _deal_chips(view, rules, rng)
    view["order"], view["turn"] = -1, -1
    if slot != "bid":
        _reveal(view, rng)
    return True


def _deal_seats(
    view: Record,
    cards: NDArray[np.void],
    owned: NDArray[np.int64],
    owner: NDArray[np.int64],
    rules: Rules,
    rng: Generator,
) -> None:
    """Fill what everybody knows of the seats."""
    seats, mine = view["seats"][: view["players"]], cards[owned]
    kind, is_sheep = mine["kind"], mine["kind"] <= SET_007
    counts = np.bincount(owner * (BONE + 1) + kind, minlength=len(seats) * (BONE + 1)).reshape(len(seats), BONE + 1)
    seats["dogs"], seats["has_bone"] = counts[:, DOG], counts[:, BONE]
    seats["sheep_number"] = rng.permutation(rules.table_numbers)[: len(seats)]
    for name in ("modifier", "sheep_number"):  # the last sheep that a seat has been dealt lies on top
        seats[name][owner[is_sheep]] = mine[name][is_sheep]
    if rules.memory == "perfect":
        for name, one in (("n_white", WHITE), ("n_370", SET_370), ("n_007", SET_007)):
            seats[name] = counts[:, one]
        for name, one in (("white", WHITE), ("black", BLACK)):
            of_kind = kind == one
            seats[name] = np.bincount(owner[of_kind], mine["points"][of_kind], len(seats))


def _deal_chips(view: Record, rules: Rules, rng: Generator) -> None:
    """Spread the chips over seats and supply, each seat having few more often than many."""
    left = rules.chips_total
    for seat in rng.permutation(int(view["players"])):
        chips = min(int(rng.geometric(0.3)) - 1, left)
        view["seats"][seat]["chips"] = chips
        left -= chips
    view["chip_supply"] = left


def _reveal(view: Record, rng: Generator) -> None:
    """Bid at random and set the turn order (R2, R3)."""
    players, me = int(view["players"]), int(view["me"])
    highest = HIGHEST_PLAIN_BID if view["rules"]["plain_26"] else HIGHEST_PLAIN_BID - 1
    bids = rng.choice([*range(LOWEST_BID, highest + 1), BID_26_PLUS], players)
    seats = view["seats"]
    seats["bid"][:players] = bids
    order = np.lexsort((seats["sheep_number"][:players], -bids))
    view["order"][:players] = order
    view["turn"] = int(np.flatnonzero(order == me)[0])


def _rolls(view: Record, attempt: int, rng: Generator) -> None:
    """Roll up to an attempt."""
    sides = np.array(view["rules"]["dice"])
    view["attempt"], view["target"] = attempt, min(int(view["seats"][view["me"]]["bid"]), HIGHEST_PLAIN_BID)
    view["dice"] = rng.integers(1, sides + 1)
    view["held"][rng.permutation(N_DICE)[: attempt - 1]] = 1
    total = int(view["dice"].sum())
    modifier = int(view["seats"][view["me"]]["modifier"])
    view["result"] = total + min(modifier, 0)
    view["help"] = max(int(view["target"]) - total - modifier, 0)


def _roll_until(view: Record, rng: Generator, attempts: list[int], fits: Callable[[], bool]) -> bool:
    """Roll, at one of some attempts, until the roll fits or is given up."""
    for _ in range(_ROLLS):
        view["held"] = 0
        _rolls(view, int(rng.choice(attempts)), rng)
        if fits():
            return True
    return False


def _may_roll(view: Record) -> bool:
    """Tell whether the seat whose turn it is rolls at all (R10, R11, R15)."""
    return bool(view["n_table"] > 0 and (view["players"] == MIN_PLAYERS or view["turn"] < view["players"] - 1))


def _complete_accept(view: Record, rng: Generator) -> bool:
    """R6: the bid can be made with bonus and chips, but not without."""
    chips = view["seats"][view["me"]]["chips"]
    return _may_roll(view) and _roll_until(
        view, rng, [1, 2, 3], lambda: bool(view["result"] < view["target"] and view["help"] <= chips)
    )


def _complete_hold(view: Record, rng: Generator) -> bool:
    """R7: a first or second attempt has not made the bid."""
    return _may_roll(view) and _roll_until(view, rng, [1, 2], lambda: bool(view["result"] < view["target"]))


def _complete_save(view: Record, rng: Generator) -> bool:
    """R9: under 14 after the third attempt, black sheep on the table, and help that reaches 14."""
    black = (view["table"]["kind"][: view["n_table"]] == BLACK).any()
    seat, below = view["seats"][view["me"]], int(view["rules"]["black_sheep_below"])
    if not black or not _may_roll(view) or min(int(seat["bid"]), HIGHEST_PLAIN_BID) <= below:
        return False
    help_there = max(int(seat["modifier"]), 0) + int(seat["chips"])
    return _roll_until(view, rng, [N_DICE], lambda: bool(view["result"] < below <= view["result"] + help_there))


def _take_some(view: Record, n: int, rng: Generator) -> None:
    """Let the seat take n cards of the table."""
    for _ in range(n):
        position, table = int(rng.integers(view["n_table"])), view["table"]
        view["taken"][view["n_taken"]] = table[position]
        _own(view, table[position])
        table[position : view["n_table"] - 1] = table[position + 1 : view["n_table"]].copy()
        view["n_taken"] += 1
        view["n_table"] -= 1


def _own(view: Record, card: Record) -> None:
    """Count a card for the seat that has just taken it."""
    seat, kind = view["seats"][view["me"]], int(card["kind"])
    if kind == DOG:
        seat["dogs"] += 1
    elif kind == BONE:
        seat["has_bone"] = 1
    elif view["rules"]["memory"] == 0:
        name = {WHITE: "white", BLACK: "black"}.get(kind)
        if name is not None:
            seat[name] += card["points"]
        count = {WHITE: "n_white", SET_370: "n_370", SET_007: "n_007"}.get(kind)
        if count is not None:
            seat[count] += 1


def _complete_pick(view: Record, rng: Generator) -> bool:
    """R5: cards are taken after a success, and there is a choice."""
    if view["n_table"] <= 1 or not _may_roll(view):
        return False
    if not _roll_until(view, rng, [1, 2, 3], lambda: bool(view["result"] >= view["target"])):
        return False
    entitled = int(view["rules"]["cards_per_attempt"][view["attempt"] - 1])
    if entitled == 0:
        return False
    _take_some(view, min(int(rng.integers(entitled)), int(view["n_table"]) - 1), rng)
    return bool(entitled - view["n_taken"] < view["n_table"])


def _complete_steal(view: Record, rng: Generator) -> bool:
    """R13: a bone symbol has been taken and an opponent has the bone."""
    _take_some(view, int(rng.integers(1, view["n_table"] + 1)), rng)
    has = view["seats"]["has_bone"][: view["players"]]
    return bool(view["taken"]["bone_symbol"][: view["n_taken"]].any() and has.any() and not has[view["me"]])


def _complete_top(view: Record, rng: Generator) -> bool:
    """R12: several sheep have been taken."""
    _take_some(view, int(rng.integers(1, view["n_table"] + 1)), rng)
    return bool((view["taken"]["kind"][: view["n_taken"]] <= SET_007).sum() > 1)


_COMPLETE: Final[dict[str, Callable[[Record, Generator], bool]]] = {
    "bid": lambda _view, _rng: True,
    "accept": _complete_accept,
    "hold": _complete_hold,
    "save": _complete_save,
    "pick": _complete_pick,
    "steal": _complete_steal,
    "top": _complete_top,
}


def plain(value: Any) -> Any:
    """Return a record as an object with the same attributes and plain numbers, as an uncompiled policy sees it."""
    from types import SimpleNamespace

    if isinstance(value, np.void):
        return SimpleNamespace(**{name: plain(value[name]) for name in value.dtype.names or ()})
    if isinstance(value, np.ndarray):
        return [plain(item) for item in value]
    return value.item()
