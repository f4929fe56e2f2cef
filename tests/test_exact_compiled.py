"""The compiled solution equals the NumPy one in every decision."""

import numpy as np
import pytest

from analyzer.wool_rules import exact_compiled as compiled
from analyzer.wool_rules.dice import FACES, SECOND_COURSES, THIRD_COURSES
from analyzer.wool_rules.exact import solve
from analyzer.wool_rules.terms import Terms, Values

VALUE_NAMES = ("three", "two", "one", "fail", "under14", "chip")


def _solved(terms: Terms, values: Values) -> np.ndarray:
    records = np.zeros(1, compiled.SOLUTION_DTYPE)
    for name in ("target", "modifier", "chips"):
        records[name] = getattr(terms, name)
    for name in VALUE_NAMES:
        records[name] = getattr(values, name)
    compiled.solve_record(records[0])
    return records


@pytest.mark.parametrize("whole", [True, False], ids=["whole values", "any values"])
@pytest.mark.parametrize("seed", range(20))
def test_every_decision_equals_the_numpy_solution(seed: int, whole: bool) -> None:
    chance = np.random.default_rng(seed)
    terms = Terms.one(*(int(chance.integers(low, high)) for low, high in ((14, 28), (-4, 5), (0, 4))))
    drawn = chance.integers(-3, 6, 6) if whole else chance.normal(size=6)
    values = Values(*map(float, drawn))
    solution, records = solve(terms, values), _solved(terms, values)

    assert (records["third"][0] == solution.third[:, 0]).all()
    scale = SECOND_COURSES * THIRD_COURSES
    assert records["first_value"][0] / scale == pytest.approx(solution.first_value[:, 0], rel=1e-12, abs=1e-12)
    assert records["second_value"][0] / THIRD_COURSES == pytest.approx(
        solution.second_value[:, 0], rel=1e-12, abs=1e-12
    )
    plan, record = solution.plan, records[0]
    first = [compiled.first_action(record, *faces) for faces in FACES]
    assert (np.array(first) == plan.first[:, 0]).all()
    for held in range(3):
        second = [compiled.second_action(record, held, *faces) for faces in FACES]
        assert (np.array(second) == plan.second[held, :, 0]).all()


def test_solving_leaves_the_question_as_it_was() -> None:
    values = Values(3, 2, 1, 0, -2, 0.5)
    record = _solved(Terms.one(24, -3, 1), values)[0]
    assert [record[name] for name in ("target", "modifier", "chips")] == [24, -3, 1]
    assert Values(*(float(record[name]) for name in VALUE_NAMES)) == values
