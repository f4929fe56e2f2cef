"""The strategy `value`: it beats `plain`, answers the same compiled and uncompiled, and copes with other rules."""

from dataclasses import replace
from typing import Any

import pytest

from analyzer.results import WHOLE_WIN, WIN
from analyzer.simulation import simulate
from analyzer.stats import mean_share
from analyzer.wool_rules.asking import VIEW_TYPE
from analyzer.wool_rules.deck import shipped_deck
from analyzer.wool_rules.games import GamePlayer, Question
from analyzer.wool_rules.positions import legal_answers, random_positions
from analyzer.wool_rules.rules import STANDARD, Rules
from analyzer.wool_rules.state import SLOTS
from strategies.registry import strategy

OTHER_RULES = {
    "standard": STANDARD,
    "memory of the table only": replace(STANDARD, memory="table"),
    "no plain 26": replace(STANDARD, plain_26=False),
    "no chips": replace(STANDARD, chips_total=0, chips_start=0),
    "other dice": replace(STANDARD, dice=(6, 20, 4), black_sheep_below=10),
    "other cards": replace(STANDARD, cards_per_attempt=(0, 7, 4)),
    "points upside down": replace(
        STANDARD, three_seven_zero=(-3, -14, 5), zero_zero_seven=(7, -7, 0), dog_single=-9, dog_most=5, bone_per_dog=-4
    ),
}


def least_share(players: int, level: int, games: int) -> float:
    """Return the lower end of the 99.9 % interval of the win share of one `value` among `plain` of a level."""
    line_up = (strategy("value"), *[strategy(f"plain:level={level}")] * (players - 1))
    sums = simulate(GamePlayer(Question(line_up, STANDARD, shipped_deck(), 4711, rotate=True)), games)
    share = mean_share(int(sums.total[0, WIN]), int(sums.squares[0, WIN]), sums.games, players * WHOLE_WIN, level=0.999)
    assert share.low is not None
    return share.low


def test_value_wins_more_than_its_share_among_three_plain_players() -> None:
    assert least_share(4, 20, 200) > 1 / 4


@pytest.mark.slow
@pytest.mark.parametrize(
    ("players", "level"), [(2, 20), (2, 21), (3, 21), (4, 22), (5, 22), (6, 22), (6, 23), (2, 14), (6, 27)]
)
def test_value_wins_more_than_its_share_in_the_hardest_cases(players: int, level: int) -> None:
    assert least_share(players, level, 1_000) > 1 / players


@pytest.mark.parametrize("rules", OTHER_RULES.values(), ids=OTHER_RULES)
def test_value_plays_by_other_rules(rules: Rules) -> None:
    for players in (2, 3, 6):
        line_up = tuple(strategy(("value", "random", "plain:level=27")[seat % 3]) for seat in range(players))
        assert GamePlayer(Question(line_up, rules, shipped_deck(), 5))(0, 50).games == 50


class Shown:
    """A record, and the records in it, with fields as attributes; NumPy's own have methods such as `round`."""

    def __init__(self, record: Any) -> None:
        for name in record.dtype.names:
            part = record[name]
            if part.dtype.names:
                part = Shown(part) if part.ndim == 0 else [Shown(one) for one in part]
            setattr(self, name, part)


@pytest.mark.parametrize("slot", SLOTS)
@pytest.mark.parametrize("rules", OTHER_RULES.values(), ids=OTHER_RULES)
def test_value_answers_the_same_compiled_and_uncompiled(slot: str, rules: Rules) -> None:
    policy = strategy("value").policies[slot]
    compiled = policy.compile(VIEW_TYPE)
    positions = random_positions(slot, 40, rules, shipped_deck())
    for at in range(len(positions)):
        answer = compiled.call(positions[at], compiled.parameters)
        assert answer in legal_answers(positions[at], slot)
        assert policy.function(Shown(positions[at]), **policy.parameters) == answer


def test_value_draws_no_lots() -> None:
    assert not any(policy.uses_draws for policy in strategy("value").policies.values())
