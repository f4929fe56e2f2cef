"""Hold charts and positions as rows with documented columns, for CSV and JSON."""

from typing import Final

from analyzer.wool_rules.advice import HoldChart
from analyzer.wool_rules.bidding import bid_label
from analyzer.wool_rules.constants import SIDES
from analyzer.wool_rules.plans import SHARES
from analyzer.wool_rules.position import Position
from analyzer.wool_rules.terms import Terms
from reports.export import Cell

_QUESTION: Final = ("bid", "target", "modifier", "chips")

HOLD_COLUMNS: Final = (*_QUESTION, "hold", "attempt", "die", "number", "rank", "value", "p_success")
"""After attempt 1 `die` is the die set aside and `number` its face; after attempt 2 `die` is the die that stays free
and `number` the sum of the others. The smallest rank is best; `value` is the expected value of going on by the rule."""

POSITION_COLUMNS: Final = (
    *_QUESTION,
    "attempt",
    "d12",
    "d10",
    "d8",
    "held",
    "result",
    "help",
    "hold",
    "die",
    *SHARES[1:],
    "value",
    "best",
    "accept_value",
    "accept",
)
"""A row for each rule and die that may be set aside. `result` is with malus, `help` the chips needed on top of the
bonus, `best` whether the rule sets aside this die, `accept` whether it takes the cards now (empty where it cannot).
A bid that is made without help has one row, without a die."""

Row = dict[str, Cell]


def _question(terms: Terms) -> Row:
    return {
        "bid": bid_label(int(terms.bid[0])),
        "target": int(terms.target[0]),
        "modifier": int(terms.modifier[0]),
        "chips": int(terms.chips[0]),
    }


def hold_rows(chart: HoldChart) -> list[Row]:
    """Return a hold chart, one row for each possibility, in :data:`HOLD_COLUMNS`."""
    parts = (
        (1, chart.first, chart.first_value, chart.first_success),
        (2, chart.second, chart.second_value, chart.second_success),
    )
    return [
        _question(chart.terms)
        | {
            "hold": chart.rule.spec,
            "attempt": attempt,
            "die": SIDES[die],
            "number": number,
            "rank": rank,
            "value": value[die, number],
            "p_success": success[die, number],
        }
        for attempt, ranks, value, success in parts
        for (die, number), rank in ranks.items()
    ]


def position_rows(position: Position) -> list[Row]:
    """Return a position, one row for each rule and die, in :data:`POSITION_COLUMNS`."""
    question = _question(position.terms) | {
        "attempt": position.attempt,
        "d12": position.dice[0],
        "d10": position.dice[1],
        "d8": position.dice[2],
        "held": None if position.held is None else SIDES[position.held],
        "result": position.result,
        "help": position.help,
    }
    if position.made:
        return [dict.fromkeys(POSITION_COLUMNS) | question]
    return [
        question
        | {"hold": advice.rule.spec, "die": SIDES[option.die], **option.shares}
        | {
            "value": option.value,
            "best": option.chosen,
            "accept_value": advice.accept_value,
            "accept": advice.accept,
        }
        for advice in position.advice
        for option in advice.options
    ]
