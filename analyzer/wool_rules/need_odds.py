"""Exact odds that games need: those every view shows, and those that success in games is compared with."""

import numpy as np
from numpy.typing import NDArray

from analyzer.wool_rules.bidding import ALL_BIDS
from analyzer.wool_rules.constants import MAX_MODIFIER
from analyzer.wool_rules.exact import outcomes, solve
from analyzer.wool_rules.plans import shares
from analyzer.wool_rules.rules import Rules
from analyzer.wool_rules.terms import Terms, Values
from analyzer.wool_rules.views import N_NEEDS, ODDS_DTYPE


def need_odds(rules: Rules) -> NDArray[np.void]:
    """Return the exact odds under max-odds by the total that the dice must reach, as views show them."""
    needs, none = np.arange(N_NEEDS), np.zeros(N_NEEDS, np.int64)
    figures = _figures(Terms(needs, none, none, needs, rules))
    odds = np.zeros(N_NEEDS, ODDS_DTYPE)
    for field, name in (("three", "p_three"), ("two", "p_two"), ("one", "p_one"), ("under", "p_under_14")):
        odds[field] = figures[name]
    return odds


def bid_odds(rules: Rules) -> NDArray[np.float64]:
    """Return the exact chance to make each bid with each modifier and no chips, shape (14, 41), under max-odds."""
    bids, modifiers = np.array(ALL_BIDS), np.arange(-MAX_MODIFIER, MAX_MODIFIER + 1)
    bid, modifier = (grid.ravel() for grid in np.meshgrid(bids, modifiers, indexing="ij"))
    success = _figures(Terms.of_bids(bid, modifier, np.zeros_like(bid), rules))["p_success"]
    return success.reshape(len(bids), len(modifiers))


def _figures(terms: Terms) -> dict[str, NDArray[np.float64]]:
    """Return the shares of dice actions under max-odds."""
    plan = solve(terms, Values(1, 1, 1)).plan
    return shares(outcomes(terms, plan).start, terms.dice.n_actions, terms.rules)
