"""Which line-ups a tournament plays: all of a field, a candidate's, one table, or a balanced random choice.

A line-up has a strategy index for each player, ascending; the same strategy may play on several seats. Line-ups come as
an int64 array of shape (line-ups, players), always in the same order.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, combinations_with_replacement
from math import comb, factorial, perm, prod
from typing import Final

import numpy as np
from numpy.typing import NDArray

from analyzer.errors import BadInputError

LineUps = NDArray[np.int64]

MAX_LINE_UPS: Final = 200_000
"""Sums of so many line-ups of six players fill about half a GiB; 20 strategies have 177,100 such line-ups."""

_TRIES: Final = 50
"""How often a line-up of a balanced choice is drawn again because it has been there."""

_GOLDEN: Final = (5**0.5 - 1) / 2


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
    """Return a random choice of all line-ups (:func:`round_robin`) that treats all strategies, and most pairs, alike.

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
        In the order drawn. Of the first m, for every m, each strategy has about as many seats as any other, and there
        are as many line-ups of each kind (all different, two alike and so on) as their part of all line-ups asks for:
        what is found is what a round robin would find, up to chance. Line-ups come again only where nearly all of a
        kind have been there.

    Raises
    ------
    BadInputError
        For too few strategies or players, or too few or too many line-ups.

    Notes
    -----
    Kinds come by a systematic sample: fractional parts of multiples of the golden ratio, from a random beginning on.
    Within a line-up greedy, chance deciding among equals: each place goes to the strategy that has played least, then
    to the one that has met those of the line-up least. The second adds the least to the sum of squares of the meetings
    of pairs, whose minimum among designs with equal numbers is (M,S)-optimality: J. A. Eccleston, A. Hedayat, "On the
    theory of connected designs: characterization and optimality", Annals of Statistics 2 (1974) 1238-1255.
    """
    _check_players(players)
    if strategies < 2:
        raise BadInputError(f"random line-ups need at least two strategies, {strategies} given; name another one")
    if n < 1:
        raise BadInputError(f"{n} random line-ups: at least 1 is needed")
    if n > MAX_LINE_UPS:
        raise BadInputError(f"{n:,} random line-ups: at most {MAX_LINE_UPS:,} are possible")
    rng = np.random.default_rng(seed)  # only its plain doubles are used: no NumPy will change what they are
    kinds = [kind for kind in _partitions(players) if len(kind) <= strategies]
    sizes = np.array([_line_ups_of(kind, strategies) for kind in kinds])
    ends, begin = np.cumsum(sizes) / sizes.sum(), rng.random()
    played, met = np.zeros(strategies), np.zeros((strategies, strategies))
    before: list[set[tuple[int, ...]]] = [set() for _ in kinds]
    drawn = []
    for at in range(n):
        which = min(int(np.searchsorted(ends, (begin + at * _GOLDEN) % 1, side="right")), len(kinds) - 1)
        if len(before[which]) == sizes[which]:
            before[which].clear()
        for _ in range(_TRIES):
            members = _draw(len(kinds[which]), played, met, rng)
            row = np.sort(np.repeat(members, kinds[which]))
            if tuple(row.tolist()) not in before[which]:
                break
        before[which].add(tuple(row.tolist()))
        drawn.append(row)
        copies = np.bincount(row, minlength=strategies)
        played += copies
        met += np.outer(copies, copies)
    return np.array(drawn, dtype=np.int64)


def _partitions(players: int, largest: int | None = None) -> Iterator[tuple[int, ...]]:
    """Yield how many copies of different strategies a line-up may have, most first."""
    if players == 0:
        yield ()
    for first in range(min(players, largest or players), 0, -1):
        for rest in _partitions(players - first, first):
            yield (first, *rest)


def _line_ups_of(kind: tuple[int, ...], strategies: int) -> int:
    """Return how many line-ups of a field have so many copies of so many strategies."""
    alike = prod(factorial(times) for times in Counter(kind).values())
    return perm(strategies, len(kind)) // alike


def _draw(
    different: int, played: NDArray[np.float64], met: NDArray[np.float64], rng: np.random.Generator
) -> NDArray[np.int64]:
    """Draw so many different strategies, the one that is to have most copies first."""
    chosen = np.zeros(len(played), bool)
    members = []
    for _ in range(different):
        meetings = met[chosen].sum(axis=0)
        members.append(int(np.lexsort((rng.random(len(played)), meetings, played, chosen))[0]))
        chosen[members[-1]] = True
    return np.array(members, np.int64)


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
