"""Which line-ups a tournament plays: all of a field, a candidate's, one table, or a balanced random choice.

A line-up has a strategy index for each player, ascending; the same strategy may play on several seats. Line-ups come as
an int64 array of shape (line-ups, players), always in the same order.
"""

from collections.abc import Iterable, Sequence
from itertools import chain, combinations_with_replacement
from math import comb, gcd
from typing import Final

import numpy as np
from numpy.typing import NDArray

from analyzer.errors import BadInputError

LineUps = NDArray[np.int64]

MAX_LINE_UPS: Final = 200_000
"""Sums of so many line-ups of six players fill about half a GiB; 20 strategies have 177,100 such line-ups."""

_TRIES: Final = 50
"""How often a round of a balanced choice is drawn again because a line-up of it has been there."""


def round_robin(strategies: int, players: int) -> LineUps:
    """Return all line-ups of a field.

    Parameters
    ----------
    strategies : int
        How many the field has, at least one.
    players : int

    Returns
    -------
    int64 array, shape (line-ups, players)
        All multisets in lexicographic order.

    Raises
    ------
    BadInputError
        For too few players, or too many line-ups.
    """
    _check_players(players)
    _check_number(
        comb(strategies + players - 1, players), f"a round robin of {strategies} strategies with {players} players"
    )
    return _rows(combinations_with_replacement(range(strategies), players), players)


def gauntlet(candidates: Sequence[int], field: Sequence[int], players: int) -> LineUps:
    """Return the line-ups of each candidate with opponents from a field.

    Parameters
    ----------
    candidates, field : sequence of int
        Strategy indices; a candidate may be in the field too.
    players : int

    Returns
    -------
    int64 array, shape (line-ups, players)
        Candidate after candidate as given, each with all multisets of the field in lexicographic order. A line-up that
        several candidates have comes once, with the first of them.

    Raises
    ------
    BadInputError
        For no candidate, no opponent, too few players, or too many line-ups.
    """
    _check_players(players)
    if not candidates or not field:
        missing = "a candidate" if not candidates else "opponents"
        raise BadInputError(f"a gauntlet needs {missing}: at least one strategy; none given")
    candidates, field = list(dict.fromkeys(candidates)), sorted(set(field))
    number = len(candidates) * comb(len(field) + players - 2, players - 1)
    _check_number(number, f"a gauntlet of {len(candidates)} and {len(field)} strategies with {players} players")
    met = combinations_with_replacement(field, players - 1)
    opponents = _rows(met, players - 1)
    rows = np.concatenate([np.insert(opponents, 0, candidate, axis=1) for candidate in candidates])
    rows.sort(axis=1)
    _, first = np.unique(rows, axis=0, return_index=True)
    return rows[np.sort(first)]


def fixed(line_up: Sequence[int]) -> LineUps:
    """Return one table as it is given, shape (1, players), sorted.

    Raises
    ------
    BadInputError
        For fewer than two players.
    """
    _check_players(len(line_up))
    return np.array([sorted(line_up)], dtype=np.int64)


def balanced(strategies: int, players: int, n: int, seed: int) -> LineUps:
    """Return a random choice of line-ups that treats all strategies, and nearly all pairs, alike.

    Where there are enough strategies, none is twice in a line-up; otherwise all are in it equally often, but for one.

    Parameters
    ----------
    strategies : int
        How many the field has, at least two.
    players : int
    n : int
        How many line-ups.
    seed : int
        The same seed and a larger `n` continue the same sequence.

    Returns
    -------
    int64 array, shape (n, players)
        In the order drawn. Of the first m, for every m, each strategy has as many seats as any other, give or take one.
        A line-up comes again only when all have been there; past about half of all, at times before.

    Raises
    ------
    BadInputError
        For too few strategies or players, or too few or too many line-ups.

    Notes
    -----
    Greedy, chance deciding among equals: each seat goes to the strategy that has played least, then to the one that has
    met those of the line-up least. The second adds the least to the sum of squares of the meetings of pairs, whose
    minimum among designs with equal numbers is (M,S)-optimality: J. A. Eccleston, A. Hedayat, "On the theory of
    connected designs: characterization and optimality", Annals of Statistics 2 (1974) 1238-1255.
    """
    _check_players(players)
    if strategies < 2:
        raise BadInputError(f"random line-ups need at least two strategies, {strategies} given; name another one")
    if n < 1:
        raise BadInputError(f"{n} random line-ups: at least 1 is needed")
    if n > MAX_LINE_UPS:
        raise BadInputError(f"{n:,} random line-ups: at most {MAX_LINE_UPS:,} are possible")
    everyone, free = divmod(players, strategies)
    sets = np.array(_level_sets(strategies, free, n, seed), dtype=np.int64).reshape(n, free)
    rows = np.concatenate([np.tile(np.arange(strategies), (n, everyone)), sets], axis=1)
    rows.sort(axis=1)
    return rows


def _level_sets(strategies: int, size: int, n: int, seed: int) -> list[tuple[int, ...]]:
    """Draw sets of strategies for :func:`balanced`, by rounds after which all have played equally often."""
    rng = np.random.default_rng(seed)  # only its plain doubles are used: no NumPy will change what they are
    met = np.zeros((strategies, strategies))
    drawn: list[tuple[int, ...]] = []
    before: set[tuple[int, ...]] = set()
    while len(drawn) < n:
        if len(before) == comb(strategies, size):  # whole rounds, whatever the numbers
            before.clear()
        for _ in range(_TRIES):
            now_met = met.copy()
            sets = _round(size, now_met, rng)
            if len(before.union(sets)) == len(before) + len(sets):
                break
        met = now_met
        drawn += sets
        before.update(sets)
    return drawn[:n]


def _round(size: int, met: NDArray[np.float64], rng: np.random.Generator) -> list[tuple[int, ...]]:
    """Draw the fewest sets in which all play equally often; `met` counts the meetings of pairs and is kept up."""
    played = np.zeros(len(met))
    sets = []
    for _ in range(len(met) // gcd(len(met), size)):
        chosen = np.zeros(len(met), bool)
        for _ in range(size):
            meetings = met[chosen].sum(axis=0)
            chosen[np.lexsort((rng.random(len(met)), meetings, played, chosen))[0]] = True
        members = np.flatnonzero(chosen)
        played[members] += 1
        met[np.ix_(members, members)] += 1
        sets.append(tuple(members.tolist()))
    return sets


def _rows(line_ups: Iterable[tuple[int, ...]], players: int) -> LineUps:
    return np.fromiter(chain.from_iterable(line_ups), dtype=np.int64).reshape(-1, players)


def _check_players(players: int) -> None:
    if players < 2:
        raise BadInputError(f"a line-up needs at least 2 players, {players} given")


def _check_number(number: int, what: str) -> None:
    if number > MAX_LINE_UPS:
        raise BadInputError(
            f"{what} has {number:,} line-ups, more than the {MAX_LINE_UPS:,} that are possible; "
            "play a random choice of them, or a smaller field"
        )
