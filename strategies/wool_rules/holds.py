"""Hold rules: which die to set aside after a first or second attempt that did not make the bid.

A rule is either *solved*, a function that returns the values of the outcomes for which the exact solution is played, or
a *policy*, a function of the view that answers with the sides of a die, 12, 10 or 8. Parameters are keyword defaults in
both.
"""

from analyzer.wool_rules.decisions import best_die
from analyzer.wool_rules.hold_rules import uniform_mixture
from analyzer.wool_rules.terms import Values
from analyzer.wool_rules.views import View
from strategies.wool_rules.hold_registry import policy_hold, solved_hold


@solved_hold("max-odds")
def max_odds(chips: int = 0) -> Values:  # noqa: ARG001 - read by the registry
    """Most likely to make the bid at all."""
    return Values(three=1, two=1, one=1)


@solved_hold("max-cards")
def max_cards(chips: int = 0) -> Values:  # noqa: ARG001 - read by the registry
    """Most cards on average: 3, 2 or 1 by attempt."""
    return Values(by_cards=True)


@solved_hold("fixed-values")
def fixed_values(
    three: float = 3.0,
    two: float = 2.0,
    one: float = 1.0,
    fail: float = 0.0,
    under14: float = 0.0,
    chip: float = 0.0,
    chips: int = 0,  # noqa: ARG001 - read by the registry
) -> Values:
    """Best for your own values of the outcomes and of a chip.

    `chip` is the cost of one chip spent, `chips` how many the rule counts on.
    """
    return Values(three, two, one, fail, under14, chip)


@policy_hold("keep-highest")
def keep_highest(v: View) -> int:
    """Keep the free die showing the highest face; ties to more sides."""
    best, chosen = 0, 0
    for die in range(3):
        score = 100 * v.dice[die] + v.rules.dice[die]
        if not v.held[die] and score > best:
            best, chosen = score, die
    return int(v.rules.dice[chosen])


@policy_hold("keep-above-mean")
def keep_above_mean(v: View) -> int:
    """Keep the free die furthest above its mean; ties to fewer sides.

    The means are 6.5, 5.5 and 4.5 of d12, d10 and d8.
    """
    best, chosen = -10_000, 0
    for die in range(3):
        twice_above = 2 * v.dice[die] - (v.rules.dice[die] + 1)
        score = 100 * twice_above - v.rules.dice[die]
        if not v.held[die] and score > best:
            best, chosen = score, die
    return int(v.rules.dice[chosen])


@policy_hold("random", mixture=uniform_mixture)
def random(v: View) -> int:
    """Any free die, each with the same chance."""
    free = 3 - v.held[0] - v.held[1] - v.held[2]
    skip = int(v.draws[0] * free)
    chosen = 0
    for die in range(3):
        if not v.held[die]:
            if skip == 0:
                chosen = die
            skip -= 1
    return int(v.rules.dice[chosen])


def solved_die(
    v: View,
    three: float = 3.0,
    two: float = 2.0,
    one: float = 1.0,
    fail: float = 0.0,
    under14: float = 0.0,
    chip: float = 0.0,
    chips: int = 0,
    by_cards: bool = False,
) -> int:
    """Set aside the best die for these values: what a solved rule does in a game."""
    if by_cards:
        cards = v.rules.cards_per_attempt
        three, two, one = float(cards[0]), float(cards[1]), float(cards[2])
    return best_die(v, three, two, one, fail, under14, chip, min(chips, v.seats[v.me].chips))
