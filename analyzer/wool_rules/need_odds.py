"""Odds that every view shows: the chance to reach a total with the dice alone."""

import numpy as np
from numpy.typing import NDArray

from analyzer.wool_rules.exact import outcomes, solve
from analyzer.wool_rules.plans import shares
from analyzer.wool_rules.rules import Rules
from analyzer.wool_rules.terms import Terms, Values
from analyzer.wool_rules.views import N_NEEDS, ODDS_DTYPE


def need_odds(rules: Rules) -> NDArray[np.void]:
    """Return the exact odds under max-odds by the total that the dice must reach, as views show them."""
    needs, none = np.arange(N_NEEDS), np.zeros(N_NEEDS, np.int64)
    terms = Terms(needs, none, none, needs, rules)
    plan = solve(terms, Values(1, 1, 1)).plan
    figures = shares(outcomes(terms, plan).start, terms.dice.n_actions, rules)
    odds = np.zeros(N_NEEDS, ODDS_DTYPE)
    for field, name in (("three", "p_three"), ("two", "p_two"), ("one", "p_one"), ("under", "p_under_14")):
        odds[field] = figures[name]
    return odds
