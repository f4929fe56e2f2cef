"""The table of the 14 bids with the packages `icepool` and `dyce`, each in its own idiom, by exact fractions.

Both follow the rules of the game: roll, set aside the die that promises the most successes, roll the rest. Ties go to
fewer ends under 14, then to the die with fewer sides, as in the exact solution of ours. An end is the number of cards,
or -1 for a failure under 14. Each state is worked out once for each bid (`cache`), as an experienced user would do.
"""

import warnings
from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from typing import Any

from analyzer.wool_rules.constants import BLACK_SHEEP_BELOW, SIDES
from analyzer.wool_rules.dice import OTHERS

FAILED, UNDER_14 = 0, -1

Shares = tuple[Fraction, Fraction, Fraction]
"""Success on the first, second, third attempt."""


def third_end(total: int, target: int) -> int:
    """Return how the third attempt ends."""
    if total >= target:
        return 1
    return UNDER_14 if total < BLACK_SHEEP_BELOW else FAILED


def icepool_table(targets: Sequence[int]) -> list[Shares]:
    """Return the success by attempt for each target, worked out with icepool."""
    return [_icepool_row(target) for target in targets]


def _icepool_row(target: int) -> Shares:
    import icepool

    def merit(ends: "icepool.Die[int]", die: int) -> tuple[Fraction, Fraction, int]:
        return ends.probability(">", FAILED), -ends.probability("==", UNDER_14), -SIDES[die]

    @cache
    def third(free: int, held: int) -> "icepool.Die[int]":
        return (icepool.d(SIDES[free]) + held).map(lambda total: third_end(total, target))

    @cache
    def third_merit(free: int, held: int, aside: int) -> tuple[Fraction, Fraction, int]:
        return merit(third(free, held), aside)

    @cache
    def second(die: int, face: int) -> "icepool.Die[int]":
        a, b = OTHERS[die]

        def go_on(face_a: int, face_b: int) -> "int | icepool.Die[int]":
            if face + face_a + face_b >= target:
                return 2
            keep_a, keep_b = (b, face + face_a), (a, face + face_b)
            return third(*(keep_a if third_merit(*keep_a, a) > third_merit(*keep_b, b) else keep_b))

        return icepool.map(go_on, icepool.d(SIDES[a]), icepool.d(SIDES[b]))

    @cache
    def second_merit(die: int, face: int) -> tuple[Fraction, Fraction, int]:
        return merit(second(die, face), die)

    def first(*faces: int) -> "int | icepool.Die[int]":
        if sum(faces) >= target:
            return 3
        return second(*max(enumerate(faces), key=lambda state: second_merit(*state)))

    ends = icepool.map(first, *(icepool.d(sides) for sides in SIDES))
    return ends.probability(3), ends.probability(2), ends.probability(1)


def dyce_table(targets: Sequence[int]) -> list[Shares]:
    """Return the success by attempt for each target, worked out with dyce."""
    from dyce.lifecycle import ExperimentalWarning

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ExperimentalWarning)
        return [_dyce_row(target) for target in targets]


def _dyce_row(target: int) -> Shares:
    from dyce import H, HResult, expand

    def merit(ends: "H[int]", die: int) -> tuple[Fraction, Fraction, int]:
        under = Fraction(ends.get(UNDER_14, 0), ends.total)
        failed = Fraction(ends.get(FAILED, 0), ends.total)
        return 1 - failed - under, -under, -SIDES[die]

    @cache
    def third(free: int, held: int) -> "H[int]":
        return (H(SIDES[free]) + held).apply(third_end, target)

    @cache
    def third_merit(free: int, held: int, aside: int) -> tuple[Fraction, Fraction, int]:
        return merit(third(free, held), aside)

    def go_on(a: "HResult[int]", b: "HResult[int]", *, die: int, face: int) -> "int | H[int]":
        if face + a.outcome + b.outcome >= target:
            return 2
        die_a, die_b = OTHERS[die]
        keep_a, keep_b = (die_b, face + a.outcome), (die_a, face + b.outcome)
        return third(*(keep_a if third_merit(*keep_a, die_a) > third_merit(*keep_b, die_b) else keep_b))

    @cache
    def second(die: int, face: int) -> "H[int]":
        # What is kept must not depend on the path that led here first.
        return expand(go_on, *(H(SIDES[d]) for d in OTHERS[die]), reset_path_probability=True, die=die, face=face)

    @cache
    def second_merit(die: int, face: int) -> tuple[Fraction, Fraction, int]:
        return merit(second(die, face), die)

    def first(*results: "HResult[int]") -> "int | H[int]":
        faces: list[Any] = [result.outcome for result in results]
        if sum(faces) >= target:
            return 3
        return second(*max(enumerate(faces), key=lambda state: second_merit(*state)))

    shares = dict(expand(first, *(H(sides) for sides in SIDES)).probability_items())
    return tuple(shares.get(cards, Fraction(0)) for cards in (3, 2, 1))
