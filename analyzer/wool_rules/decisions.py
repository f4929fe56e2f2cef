"""What a strategy asks inside a game: the best die to set aside, whether help is worth it, what a bid promises.

The same backward induction as :mod:`analyzer.wool_rules.exact` with the same rules for ties, but only as far as the
situation at hand needs it: two states after the second attempt, three after the first. The functions are plain Python
for policies to call; compiled with a policy, they take from some ten nanoseconds to some microseconds.

Each takes what three, two or one cards, failing, failing under 14 and a chip given are worth, in any unit. Dice, and
the result under which the black sheep come, are those of the view's rules.
"""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from analyzer.wool_rules.constants import N_DICE
from analyzer.wool_rules.exact import TIE_TOLERANCE
from analyzer.wool_rules.views import View

Dice = NDArray[np.int64]
Table = NDArray[np.float64]

# Rows of a table: scratch, running sums over the totals of the last attempt, and what choices are worth.
_SCRATCH, _RUNNING, _CHOICES = range(3)
_N_ROWS: Final = _CHOICES + N_DICE

_LANES: Final = 8
"""Numbers that a register of the processor holds: loops over whole registers are the fastest."""


class _Action(NamedTuple):
    """A dice action: what is asked of the dice, and what its ends are worth."""

    target: int
    modifier: int
    chips: int
    below: int
    three: float
    two: float
    one: float
    fail: float
    under14: float
    chip: float
    tolerance: float


def best_die(
    v: View, three: float, two: float, one: float, fail: float, under14: float, chip: float, chips: int
) -> int:
    """Return the sides of the die to set aside after the first or second attempt.

    Parameters
    ----------
    v : view
        `attempt` is 1 or 2.
    three, two, one : float
        Worth of success on the first, second, third attempt.
    fail, under14 : float
        Worth of failing, and of failing under 14 (or what the rules say instead).
    chip : float
        Cost of each chip spent.
    chips : int
        Chips counted on.
    """
    action = _action(v, v.target, v.seats[v.me].modifier, chips, three, two, one, fail, under14, chip)
    die = _from_first(v, action)[0] if v.attempt == 1 else _from_second(v, action)[0]
    return int(v.rules.dice[die])


def worth_accepting(
    v: View, three: float, two: float, one: float, fail: float, under14: float, chip: float, chips: int
) -> bool:
    """Return whether taking cards with help now is at least as good as going on (ruling R6).

    Parameters
    ----------
    v : view
        `attempt` is 1 to 3; on the third, going on is failing.
    three, two, one, fail, under14, chip, chips
        As for :func:`best_die`; without enough chips the answer is no.
    """
    action = _action(v, v.target, v.seats[v.me].modifier, chips, three, two, one, fail, under14, chip)
    total = v.dice[0] + v.dice[1] + v.dice[2]
    if v.attempt == 1:
        cards, going_on = action.three, _from_first(v, action)[1]
    elif v.attempt == 2:
        cards, going_on = action.two, _from_second(v, action)[1]
    else:
        cards, going_on = action.one, _failing(action, total)[0]
    return _takes(action, total, cards, going_on)


def worth_saving(v: View, fail: float, under14: float, chip: float) -> bool:
    """Return whether to lift a failed result to 14 (ruling R9).

    When the bonus alone does it, it need not be worse than not to; chips are not spent for nothing.
    """
    total = v.dice[0] + v.dice[1] + v.dice[2]
    lift = max(v.rules.black_sheep_below - total - v.seats[v.me].modifier, 0)
    return _saves(lift, fail - chip * lift, under14, TIE_TOLERANCE * max(abs(fail), abs(under14), abs(chip)))


def expected_value(
    v: View,
    target: int,
    modifier: int,
    chips: int,
    three: float,
    two: float,
    one: float,
    fail: float,
    under14: float,
    chip: float,
) -> float:
    """Return what a whole dice action is worth before rolling, when every decision is the best.

    Parameters
    ----------
    v : view
        Only its rules are looked at.
    target, modifier, chips : int
        The result to reach, bonus or malus, chips counted on.
    three, two, one, fail, under14, chip
        As for :func:`best_die`.
    """
    action = _action(v, target, modifier, chips, three, two, one, fail, under14, chip)
    dice = v.rules.dice
    table = _after_second(action, dice)
    # Three dice are rolled as two beside each face of the first; one choice is the better of the first and the second.
    choices, second = np.zeros(table.shape), np.empty(dice[1])
    for face in range(dice[1]):
        second[face] = _after_first(action, table, dice, 1, face + 1)
    for face in range(dice[2]):
        choices[_CHOICES + 1, face] = _after_first(action, table, dice, 2, face + 1)
    worth = 0.0
    for face in range(dice[0]):
        first = _after_first(action, table, dice, 0, face + 1)
        for at in range(dice[1]):
            choices[_CHOICES, at] = max(first, second[at])
        worth += _roll_two(action, action.three, face + 1, dice[1], dice[2], choices, _CHOICES, _CHOICES + 1, 0)
    return float(worth / dice[0])


def _action(
    v: View,
    target: int,
    modifier: int,
    chips: int,
    three: float,
    two: float,
    one: float,
    fail: float,
    under14: float,
    chip: float,
) -> _Action:
    largest = max(abs(three), abs(two), abs(one), abs(fail), abs(under14), abs(chip))
    return _Action(
        target,
        modifier,
        chips,
        v.rules.black_sheep_below,
        float(three),
        float(two),
        float(one),
        float(fail),
        float(under14),
        float(chip),
        TIE_TOLERANCE * largest,
    )


def _help(action: _Action, total: int) -> int:
    """Return the chips needed on top of the bonus to make the bid (R4)."""
    return max(action.target - total - action.modifier, 0)


def _takes(action: _Action, total: int, cards: float, going_on: float) -> bool:
    """Return whether cards are taken: they must be (R5), or help makes the bid and going on is not better (R6)."""
    if total + min(action.modifier, 0) >= action.target:
        return True
    chips = _help(action, total)
    return chips <= action.chips and cards - action.chip * chips >= going_on - action.tolerance


def _saves(lift: int, saved: float, under14: float, tolerance: float) -> bool:
    gain = saved - under14
    return gain > tolerance if lift > 0 else gain >= -tolerance


def _failing(action: _Action, total: int) -> tuple[float, int]:
    """Return what failing with a total of the dice is worth, and whether it is under 14 (1 or 0)."""
    if total + min(action.modifier, 0) >= action.below:
        return action.fail, 0
    lift = max(action.below - total - action.modifier, 0)
    saved = action.fail - action.chip * lift
    # Where 14 is what was bid, lifting to it would be accepting (R9).
    may_save = lift <= action.chips and action.target > action.below
    if may_save and _saves(lift, saved, action.under14, action.tolerance):
        return saved, 0
    return action.under14, 1


def _last_roll(action: _Action, held: int, sides: int) -> tuple[float, int]:
    """Return what rolling the last die beside a sum held is worth, and how many of its faces end under 14."""
    worth, n_under = 0.0, 0
    for face in range(1, sides + 1):
        end, under = _end(action, held + face)
        worth += end
        n_under += under
    return worth / sides, n_under


def _end(action: _Action, total: int) -> tuple[float, int]:
    """Return what a total of the third attempt is worth, and whether it ends under 14 (1 or 0)."""
    failing, under = _failing(action, total)
    if _takes(action, total, action.one, failing):
        return action.one - action.chip * _help(action, total), 0
    return failing, under


def _is_better(worth: float, under: float, wins_ties: bool, other: float, other_under: float, tolerance: float) -> bool:
    """Is one choice better than the other? By worth, then by how often it ends under 14, then as told."""
    if abs(worth - other) > tolerance:
        return worth > other
    return under < other_under or (under == other_under and wins_ties)


def _from_second(v: View, action: _Action) -> tuple[int, float]:
    dice, faces = v.rules.dice, v.dice
    held = 0
    for die in range(N_DICE):
        if v.held[die]:
            held = die
    j, k = _others(held)
    worth_j, n_under_j = _last_roll(action, faces[held] + faces[j], dice[k])
    worth_k, n_under_k = _last_roll(action, faces[held] + faces[k], dice[j])
    under_j, under_k = n_under_j * dice[j], n_under_k * dice[k]  # of as many courses
    if _is_better(worth_j, under_j, dice[j] < dice[k], worth_k, under_k, action.tolerance):
        return j, worth_j
    return k, worth_k


def _from_first(v: View, action: _Action) -> tuple[int, float]:
    dice, faces = v.rules.dice, v.dice
    table = _after_second(action, dice)
    best, best_worth = 0, _after_first(action, table, dice, 0, faces[0])
    for die in range(1, N_DICE):
        worth = _after_first(action, table, dice, die, faces[die])
        better = worth > best_worth
        if abs(worth - best_worth) <= action.tolerance:
            under, best_under = _under(action, dice, die, faces[die]), _under(action, dice, best, faces[best])
            better = _is_better(worth, under, dice[die] < dice[best], best_worth, best_under, action.tolerance)
        if better:
            best, best_worth = die, worth
    return best, best_worth


def _others(die: int) -> tuple[int, int]:
    """Return the two other dice."""
    first = 1 if die == 0 else 0
    return first, N_DICE - die - first


def _after_second(action: _Action, dice: Dice) -> Table:
    """Return a table with what rolling the last die is worth, a row for each die still free, by the sum held."""
    n_totals = dice[0] + dice[1] + dice[2] + 1
    table = np.zeros((_N_ROWS, n_totals + _LANES))
    worth = 0.0
    for total in range(N_DICE, n_totals):
        table[_RUNNING, total] = worth
        worth += _end(action, total)[0]
    table[_RUNNING, n_totals] = worth
    for free in range(N_DICE):
        for held in range(2, n_totals - dice[free]):
            worth = table[_RUNNING, held + 1 + dice[free]] - table[_RUNNING, held + 1]
            table[_CHOICES + free, held] = worth / dice[free]
    return table


def _after_first(action: _Action, table: Table, dice: Dice, die: int, face: int) -> float:
    """Return what rolling two dice is worth beside the face of the one set aside."""
    j, k = _others(die)
    # Setting aside j leaves k free, and the other way round; the least sum held is one more than the face.
    return _roll_two(action, action.two, face, dice[j], dice[k], table, _CHOICES + k, _CHOICES + j, face + 1)


def _roll_two(
    action: _Action,
    cards: float,
    held: int,
    sides_j: int,
    sides_k: int,
    table: Table,
    row_j: int,
    row_k: int,
    start: int,
) -> float:
    """Return what rolling two dice beside a sum held is worth.

    Each roll takes the cards, as it must or may, or goes on with the better of two choices. What these are worth stands
    in two rows of the table from `start` on, by the face of the first and of the second die.

    Each face of the second die has a sum of its own, so that the inner loop is done several faces at once without
    reassociating any sum; it runs past the last face to the end of a register.
    """
    padded = (sides_k + _LANES - 1) // _LANES * _LANES
    worth_k = table[row_k, start:]
    for k in range(padded):
        table[_SCRATCH, k] = 0.0
    for j in range(sides_j):
        worth_j = table[row_j, start + j]
        # Of the second die's faces: from which on they make the bid with the bonus, with chips, and without help.
        with_bonus = action.target - action.modifier - (held + j + 2)
        with_chips = with_bonus - action.chips
        alone = action.target - min(action.modifier, 0) - (held + j + 2)
        for k in range(padded):
            going_on = worth_j if worth_j > worth_k[k] else worth_k[k]
            taking = cards - action.chip * max(with_bonus - k, 0)
            better = taking if taking > going_on else going_on
            optional = better if k >= with_chips else going_on
            table[_SCRATCH, k] += taking if k >= alone else optional
    worth = 0.0
    for k in range(sides_k):
        worth += table[_SCRATCH, k]
    return worth / (sides_j * sides_k)


def _under(action: _Action, dice: Dice, die: int, face: int) -> float:
    """Return the chance to end under 14 after rolling two dice beside the face of the one set aside.

    It decides ties only and is exact rather than fast: a whole number of courses, divided once.
    """
    j, k = _others(die)
    worth_k, under_k = np.empty(dice[k]), np.empty(dice[k])
    for at in range(dice[k]):
        worth_k[at], n_under = _last_roll(action, face + at + 1, dice[j])
        under_k[at] = n_under * dice[k]
    courses = 0.0
    for face_j in range(1, dice[j] + 1):
        worth_j, n_under = _last_roll(action, face + face_j, dice[k])
        under_j = n_under * dice[j]
        for at in range(dice[k]):
            better_j = _is_better(worth_j, under_j, dice[j] < dice[k], worth_k[at], under_k[at], action.tolerance)
            going_on = worth_j if better_j else worth_k[at]
            if not _takes(action, face + face_j + at + 1, action.two, going_on):
                courses += under_j if better_j else under_k[at]
    return float(courses / (dice[j] * dice[k]) ** 2)
