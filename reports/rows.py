"""Hold charts and positions as rows with documented columns, for CSV and JSON."""

from typing import Final

from analyzer.wool_rules.advice import HoldChart
from analyzer.wool_rules.bidding import bid_label
from analyzer.wool_rules.plans import SHARES
from analyzer.wool_rules.position import Position
from analyzer.wool_rules.rules import Rules
from analyzer.wool_rules.terms import Terms
from reports.export import Cell
from reports.words import die_name

_QUESTION: Final = ("bid", "target", "modifier", "chips")

HOLD_COLUMNS: Final = (*_QUESTION, "hold", "attempt", "die", "number", "rank", "value", "p_success")
"""After attempt 1 `die` is the die set aside and `number` its face; after attempt 2 `die` is the die that stays free
and `number` the sum of the others. The smallest rank is best; `value` is the expected value of going on by the rule."""

Row = dict[str, Cell]


def position_columns(rules: Rules) -> tuple[str, ...]:
    """Return the columns of a position; what the dice show is called d12, d10, d8, by their sides.

    A row for each rule and die that may be set aside. `result` is with malus, `help` the chips needed on top of the
    bonus, `best` whether the rule sets aside this die, `accept` whether it takes the cards now (empty where it cannot).
    A bid that is made without help has one row, without a die.
    """
    dice = (die_name(rules, die) for die in range(len(rules.dice)))
    asked = (*_QUESTION, "attempt", *dice, "held", "result", "help")
    return (*asked, "hold", "die", *SHARES[1:], "value", "best", "accept_value", "accept")


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
            "die": chart.terms.rules.dice[die],
            "number": number,
            "rank": rank,
            "value": value[die, number],
            "p_success": success[die, number],
        }
        for attempt, ranks, value, success in parts
        for (die, number), rank in ranks.items()
    ]


def position_rows(position: Position) -> list[Row]:
    """Return a position, one row for each rule and die, in :func:`position_columns`."""
    rules = position.terms.rules
    question = _question(position.terms) | {
        "attempt": position.attempt,
        **{die_name(rules, die): face for die, face in enumerate(position.dice)},
        "held": None if position.held is None else rules.dice[position.held],
        "result": position.result,
        "help": position.help,
    }
    if position.made:
        return [dict.fromkeys(position_columns(rules)) | question]
    return [
        question
        | {"hold": advice.rule.spec, "die": rules.dice[option.die], **option.shares}
        | {
            "value": option.value,
            "best": option.chosen,
            "accept_value": advice.accept_value,
            "accept": advice.accept,
        }
        for advice in position.advice
        for option in advice.options
    ]
