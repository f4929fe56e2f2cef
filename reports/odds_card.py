"""What the odds card says: the odds of every bid, what help changes, and a rule for setting dice aside."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import numpy as np

from analyzer.wool_rules.bid_table import Row, bid_table
from analyzer.wool_rules.bidding import bids_of
from analyzer.wool_rules.constants import HIGHEST_PLAIN_BID, LOWEST_BID
from analyzer.wool_rules.hold_rules import SolvedRule
from analyzer.wool_rules.players import PlayersFacts, players_facts
from analyzer.wool_rules.rules import Rules
from analyzer.wool_rules.short_rules import ShortRule, short_rules
from analyzer.wool_rules.terms import Terms

CHIPS: Final = 2
"""Chips on the card: what everybody starts with under the standard rules."""

MODIFIERS: Final = range(-3, 4)
"""Bonus and malus on the card: no larger ones are known."""


@dataclass(frozen=True)
class NeedRule:
    """The best short rule where the dice must show one of several totals.

    Parameters
    ----------
    low, high : int
        The least and the most that the dice must show: bid and malus less bonus and chips.
    short : ShortRule
        Its loss is the largest among them.
    """

    low: int
    high: int
    short: ShortRule


@dataclass(frozen=True)
class OddsCard:
    """Everything that stands on the card.

    Parameters
    ----------
    rules : Rules
        The rules in force.
    hold : SolvedRule
        What the odds are the best of.
    bids : list of dict
        Rows of the bid table without any help.
    helps : range
        Help: bonus or malus, and chips.
    made : list of tuple of float
        For each bid: the chance to make it with each help.
    under : dict
        By modifier: the chance to fail under 14 without chips, of the bid for which it is largest.
    short : ShortRule
        The one that loses least for all bids and all help; its loss is what it loses at most.
    by_need : tuple of NeedRule
        The best one for every total that the dice must show.
    players : tuple of PlayersFacts
        The numbers of players that the card is for.
    """

    rules: Rules
    hold: SolvedRule
    bids: list[Row]
    helps: range
    made: list[tuple[float, ...]]
    under: dict[int, float]
    short: ShortRule
    by_need: tuple[NeedRule, ...]
    players: tuple[PlayersFacts, ...]


def odds_card(hold: SolvedRule, rules: Rules, players: Sequence[int]) -> OddsCard:
    """Work out the card.

    Parameters
    ----------
    hold : SolvedRule
        One to which only making the bid counts, so that its odds depend on what the dice must show and on nothing else:
        a bonus of 1, a chip and a bid lower by 1 are the same.
    rules : Rules
        The rules in force.
    players : sequence of int
        For how many players.

    Returns
    -------
    OddsCard
    """
    bids = bids_of(rules)
    helps = range(MODIFIERS[0], MODIFIERS[-1] + min(CHIPS, rules.chips_total) + 1)
    rows = bid_table([hold], bids, helps, game_rules=rules).rows
    by_help = [rows[at : at + len(bids)] for at in range(0, len(rows), len(bids))]
    needs = np.arange(LOWEST_BID - helps[-1], HIGHEST_PLAIN_BID - helps[0] + 1)
    none = np.zeros_like(needs)
    terms = Terms(needs, none, none, needs, rules)
    shorts = short_rules(hold, terms, hold.solve(terms))
    return OddsCard(
        rules,
        hold,
        by_help[helps.index(0)],
        helps,
        [tuple(_figure(row, "p_success") for row in of_bid) for of_bid in zip(*by_help, strict=True)],
        {modifier: max(_figure(row, "p_under_14") for row in by_help[helps.index(modifier)]) for modifier in MODIFIERS},
        shorts.common,
        _by_need(needs.tolist(), shorts.each),
        tuple(players_facts(number, rules) for number in players),
    )


def _figure(row: Row, name: str) -> float:
    figure = row[name]
    assert isinstance(figure, float)
    return figure


def _by_need(needs: Sequence[int], shorts: Sequence[ShortRule]) -> tuple[NeedRule, ...]:
    """Take neighbours together that have the same short rule."""
    begins = [at for at, short in enumerate(shorts) if at == 0 or short.add != shorts[at - 1].add]
    return tuple(
        NeedRule(needs[low], needs[high - 1], ShortRule(shorts[low].add, max(short.loss for short in shorts[low:high])))
        for low, high in pairwise([*begins, len(shorts)])
    )
