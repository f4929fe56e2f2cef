"""The rulebook's examples: Conni, Kathrin and Robbi, with their dice where printed, else for every such roll."""

from itertools import permutations

import oracle_dice as oracle
import pytest

from analyzer.wool_rules.constants import SIDES
from analyzer.wool_rules.dice import dice_of
from analyzer.wool_rules.exact import outcomes, solve
from analyzer.wool_rules.plans import CHIPS, ONE, SAVED, TAKE_ONE, UNDER_14
from analyzer.wool_rules.position import position
from analyzer.wool_rules.terms import Terms, Values
from strategies.wool_rules.hold_registry import hold_rule

D12, D10, D8 = range(3)
DICE = dice_of(SIDES)
CONNI = Terms.one(24, -3, 1)


def test_conni_cannot_make_24_on_the_first_attempt_even_with_her_chip() -> None:
    found = position([hold_rule("max-odds")], CONNI, (12, 10, 3))
    assert (found.result, found.help, found.made, found.can_accept) == (22, 2, False, False)
    assert [option.die for option in found.advice[0].options if option.chosen] == [D12]


def test_conni_needs_a_third_attempt() -> None:
    found = position([hold_rule("max-odds")], CONNI, (12, 7, 3), attempt=2, held=D12)
    assert (found.result, found.made, found.can_accept) == (19, False, False)
    assert [option.die for option in found.advice[0].options] == [D10, D8]
    assert [option.die for option in found.advice[0].options if option.chosen] == [D10]


def test_conni_makes_it_on_the_third_attempt_with_her_chip() -> None:
    plan = solve(CONNI, Values(1, 1, 1)).plan
    assert int(CONNI.result()[26, 0]) == 23
    assert plan.third[26, 0] == TAKE_ONE
    assert CONNI.help()[26, 0] == 1
    assert plan.third[25, 0] != TAKE_ONE
    assert oracle.play_out(24, -3, 1, (12, 10, 3), D12, (7, 3), D10, 7) == ("one", 1)
    # The yellow d8 has to show 7 or 8: one course in four, half of them without the chip.
    ends = outcomes(CONNI, plan)
    option = position([hold_rule("max-odds")], CONNI, (12, 7, 3), attempt=2, held=D12).advice[0].options[0]
    assert option.shares["p_one"] == 0.25
    assert option.shares["mean_chips_spent"] == 0.125
    assert ends.start[[ONE, CHIPS], 0].all()


KATHRIN = Terms.one(24, 1, 2)
TWO_CARDS = "fixed-values:three=0,two=3,one=1,chip=0.25"


def test_kathrin_declines_three_cards_on_every_first_roll_of_21() -> None:
    for roll in DICE.faces[DICE.faces.sum(axis=1) == 21]:
        found = position([hold_rule(TWO_CARDS)], KATHRIN, tuple(map(int, roll)))
        assert (found.result, found.help, found.made, found.can_accept) == (21, 2, False, True)
        assert found.advice[0].accept is False, roll
        assert found.advice[0].accept_value == -0.5


def test_kathrin_accepts_two_cards_on_every_second_roll_of_21() -> None:
    for roll in DICE.faces[DICE.faces.sum(axis=1) == 21]:
        for held in range(3):
            found = position([hold_rule(TWO_CARDS)], KATHRIN, tuple(map(int, roll)), attempt=2, held=held)
            assert (found.result, found.help, found.can_accept) == (21, 2, True)
            assert found.advice[0].accept is True, (roll, held)
            assert found.advice[0].accept_value == 2.5


def test_kathrin_must_take_three_cards_when_she_reaches_24_without_help() -> None:
    found = position([hold_rule(TWO_CARDS)], KATHRIN, (12, 8, 4))
    assert found.made
    assert found.advice == []


@pytest.mark.parametrize("bid", range(14, 28))
@pytest.mark.parametrize("chips", [0, 1])
def test_robbi_stays_under_14_without_a_chip_and_is_saved_by_one(bid: int, chips: int) -> None:
    """He set aside a 4, then a 5, and his last die shows a 6: 15 - 2 = 13, whichever dice they were."""
    terms = Terms.one(bid, -2, chips)
    assert int(terms.result()[15, 0]) == 13
    dislikes_black_sheep = Values(0, 0, 1, fail=1, under14=-3, chip=1)
    plan = solve(terms, dislikes_black_sheep).plan
    saved = TAKE_ONE if bid == 14 else SAVED  # with a bid of 14 lifting to 14 is accepting (R9)
    expected = saved if chips else UNDER_14
    assert plan.third[15, 0] == expected
    for first, second, third in permutations(range(3)):
        faces = [0, 0, 0]
        faces[first], faces[second], faces[third] = 4, 5, 5
        pair = tuple(faces[d] for d in range(3) if d != first)
        ending, spent = oracle.play_out(bid, -2, 0, tuple(faces), first, pair, second, 6)
        assert (ending, spent) == ("under14", 0), faces


def test_robbi_goes_on_after_a_first_roll_that_reaches_his_bid_with_a_bonus_only() -> None:
    """He wants to avoid black sheep: with a bonus he may decline on the first attempt, without he must take."""
    avoids = hold_rule("fixed-values:three=-5,two=-2,one=1")
    with_bonus, without = (position([avoids], Terms.one(17, bonus, 0), (4, 5, 6)) for bonus in (2, 0))
    assert with_bonus.can_accept
    assert with_bonus.advice[0].accept is False
    assert not without.can_accept
    forced = position([avoids], Terms.one(15, 0, 0), (4, 5, 6))
    assert forced.made
    assert DICE.roll_index((4, 5, 6)) == 3 * 80 + 4 * 8 + 5
