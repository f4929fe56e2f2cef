"""What strategies ask inside games equals the exact solution in every situation, plain and compiled."""

from collections.abc import Callable
from types import SimpleNamespace

import numpy as np
import pytest
from plain_view import plain_view

from analyzer.slots import Policy, parameters_of
from analyzer.wool_rules.decisions import best_die, expected_value, worth_accepting, worth_saving
from analyzer.wool_rules.dice import dice_of
from analyzer.wool_rules.exact import solve
from analyzer.wool_rules.hold_policy import VIEW_TYPE
from analyzer.wool_rules.plans import SAVED, TAKE_ONE
from analyzer.wool_rules.rules import STANDARD, Rules
from analyzer.wool_rules.terms import Terms, Values
from analyzer.wool_rules.views import ACTION_VIEW_DTYPE

OTHER_RULES = [
    Rules(dice=(6, 4, 9)),  # not descending
    Rules(dice=(3, 20, 2), black_sheep_below=9),
    Rules(black_sheep_below=20),
]

QUESTIONS = [
    # target, modifier, chips, values
    (22, 0, 0, Values(1, 1, 1)),
    (18, 2, 1, Values(3, 2, 1)),
    (24, -3, 2, Values(3, 2, 1, 0, -2, 0.5)),
    (19, -2, 0, Values(-3, -1, 2, 1, -2.5)),
    (20, 1, 3, Values()),
    (20, 1, 3, Values(0, 0, 0)),
    (14, 1, 2, Values(3, 1, 2, 0, -4, 1)),  # a bid of 14 cannot be saved
    (16, -1, 3, Values(0, 0, 0, 1, -1, 0.1)),  # failing is the aim
    (17, -2, 2, Values(0.3, 0.2, 0.1, 0, -0.1, 0.1)),  # ties that are none for floating-point numbers
]


def drawn_questions(n: int) -> list[tuple[int, int, int, Values]]:
    """Return questions by chance, every other one with whole values."""
    chance = np.random.default_rng(11)
    questions = []
    for at in range(n):
        target, modifier, chips = (int(chance.integers(*bounds)) for bounds in ((10, 27), (-4, 5), (0, 4)))
        values = chance.integers(-3, 6, 6) if at % 2 else chance.normal(size=6)
        questions.append((target, modifier, chips, Values(*map(float, values))))
    return questions


def ask_die(
    v: object,
    three: float = 0.0,
    two: float = 0.0,
    one: float = 0.0,
    fail: float = 0.0,
    under14: float = 0.0,
    chip: float = 0.0,
    chips: int = 0,
) -> int:
    return best_die(v, three, two, one, fail, under14, chip, chips)


def ask_accept(
    v: object,
    three: float = 0.0,
    two: float = 0.0,
    one: float = 0.0,
    fail: float = 0.0,
    under14: float = 0.0,
    chip: float = 0.0,
    chips: int = 0,
) -> int:
    return 1 if worth_accepting(v, three, two, one, fail, under14, chip, chips) else 0


def ask_save(v: object, fail: float = 0.0, under14: float = 0.0, chip: float = 0.0) -> int:
    return 1 if worth_saving(v, fail, under14, chip) else 0


def compiled(function: Callable[..., int]) -> Callable[..., int]:
    """Return a function of a record and values, compiled as policies are."""
    parameters = parameters_of(function)
    call = Policy(function.__name__, function, parameters, ACTION_VIEW_DTYPE).compile(VIEW_TYPE).call  # type: ignore[arg-type]
    return lambda view, *values: call(view, np.array(values, dtype=float))


def ask_everywhere(
    terms: Terms, values: Values, view: SimpleNamespace | np.void, die: Callable[..., int], accept: Callable[..., int]
) -> None:
    """Compare both answers with the exact solution after every first and every second roll."""
    solution, sides, dice = solve(terms, values), terms.rules.dice, dice_of(terms.rules.dice)
    reached, chips = terms.reached()[:, 0], int(terms.chips[0])
    question = (*values.outcomes(), values.chip, chips)
    for held in (None, 0, 1, 2):
        dies, takes = (
            (solution.first_die, solution.first_take)
            if held is None
            else (solution.second_die[held], solution.second_take[held])
        )
        set_in(view, attempt=1 if held is None else 2, held=[int(d == held) for d in range(3)])
        for roll, faces in enumerate(dice.faces.tolist()):
            set_in(view, dice=faces)
            assert die(view, *question) == sides[dies[roll, 0]], (held, faces)
            if not reached[sum(faces)]:
                assert accept(view, *question) == takes[roll, 0], (held, faces)


def ask_last(
    terms: Terms, values: Values, view: SimpleNamespace | np.void, accept: Callable[..., int], save: Callable[..., int]
) -> None:
    """Compare accepting and saving with the exact solution after every third roll."""
    solution, chips, below = solve(terms, values), int(terms.chips[0]), terms.rules.black_sheep_below
    set_in(view, attempt=3, held=[1, 1, 0])
    for faces in dice_of(terms.rules.dice).faces.tolist():
        total, end = sum(faces), int(solution.third[sum(faces), 0])
        set_in(view, dice=faces)
        if not terms.reached()[total, 0]:
            assert accept(view, *values.outcomes(), values.chip, chips) == (end == TAKE_ONE), faces
        can_save = terms.result()[total, 0] < below < terms.target[0] and terms.lift()[total, 0] <= chips
        if can_save and end != TAKE_ONE:
            assert save(view, values.fail, values.under14, values.chip) == (end == SAVED), faces


def set_in(view: SimpleNamespace | np.void, **fields: object) -> None:
    """Set fields of a plain view or a record."""
    for name, value in fields.items():
        if isinstance(view, SimpleNamespace):
            setattr(view, name, value)
        else:
            view[name] = value


def record_of(terms: Terms) -> np.void:
    """Return the compiled functions' view of a dice action."""
    view = np.zeros(1, ACTION_VIEW_DTYPE)
    view["rules"], view["target"] = terms.rules.record(), terms.target
    view["seats"]["modifier"][0], view["seats"]["chips"][0] = terms.modifier, terms.chips
    return view[0]


@pytest.mark.parametrize("rules", [STANDARD, *OTHER_RULES], ids=lambda rules: rules.name)
def test_compiled_decisions_equal_the_exact_solution(rules: Rules) -> None:
    die, accept, save = compiled(ask_die), compiled(ask_accept), compiled(ask_save)
    for target, modifier, chips, values in [*QUESTIONS, *drawn_questions(3)]:
        terms = Terms.one(target, modifier, chips, rules)
        view = record_of(terms)
        ask_everywhere(terms, values, view, die, accept)
        ask_last(terms, values, view, accept, save)


@pytest.mark.parametrize(("target", "modifier", "chips", "values"), drawn_questions(2))
def test_plain_decisions_equal_the_exact_solution(target: int, modifier: int, chips: int, values: Values) -> None:
    terms = Terms.one(target, modifier, chips, Rules(dice=(5, 7, 4), black_sheep_below=8))
    view = plain_view(terms, 0, np.array([1, 1, 1]), None, ())
    ask_everywhere(terms, values, view, best_die, worth_accepting)
    ask_last(terms, values, view, worth_accepting, worth_saving)


@pytest.mark.parametrize("rules", [STANDARD, *OTHER_RULES], ids=lambda rules: rules.name)
def test_expected_value_equals_the_exact_solution(rules: Rules) -> None:
    for target, modifier, chips, values in [*QUESTIONS, *drawn_questions(8)]:
        terms = Terms.one(target, modifier, chips, rules)
        view = plain_view(terms, 0, np.array([1, 1, 1]), None, ())
        found = expected_value(view, target, modifier, chips, *values.outcomes(), values.chip)
        assert found == pytest.approx(solve(terms, values).expected[0], rel=1e-12, abs=1e-12)
