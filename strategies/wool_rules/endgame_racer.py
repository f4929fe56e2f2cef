"""Plays quietly, then bids by the score in the last rounds.

Idea: early on nobody knows who leads. In the last rounds one who is ahead makes sure of cards with a low bid, and one
who is behind bids high, because only the best cards help. Where it cannot remember what was taken it stays quiet.

Parameters: level, 14 to 27, the quiet bid; last, 0 to 20, rounds that count as the end; safe, 14 to 27, the bid when
ahead; bold, 14 to 27, the bid when behind; margin, 0 to 100, points of difference that count.
"""

from analyzer.wool_rules.constants import TRIO
from analyzer.wool_rules.views import View
from strategies.wool_rules.prices import legal_bid
from strategies.wool_rules.prices import sensible_accept as accept
from strategies.wool_rules.prices import sensible_hold as hold
from strategies.wool_rules.prices import sensible_pick as pick
from strategies.wool_rules.prices import sensible_save as save

__all__ = ["accept", "bid", "hold", "pick", "save"]

RANGES = {"level": (14, 27), "last": (0, 20), "safe": (14, 27), "bold": (14, 27), "margin": (0, 100)}


def score_so_far(v: View, seat: int) -> int:
    """Return what a seat has as far as one remembers, without the most dogs and the sheep lost for want of a dog."""
    s, rules = v.seats[seat], v.rules
    score = s.white + s.black + s.chips + s.dogs * s.has_bone * rules.bone_per_dog
    score += rules.three_seven_zero[TRIO - 1] * (s.n_370 // TRIO) + rules.zero_zero_seven[TRIO - 1] * (s.n_007 // TRIO)
    if s.n_370 % TRIO > 0:
        score += rules.three_seven_zero[s.n_370 % TRIO - 1]
    if s.n_007 % TRIO > 0:
        score += rules.zero_zero_seven[s.n_007 % TRIO - 1]
    return int(score + (rules.dog_single if s.dogs == 1 else 0))


def bid(v: View, level: int = 22, last: int = 3, safe: int = 21, bold: int = 24, margin: int = 5) -> int:
    """Bid the level, in the last rounds by the distance to the best opponent."""
    best = -(10**6)
    for other in range(v.players):
        if other != v.me:
            best = max(best, score_so_far(v, other))
    ahead = score_so_far(v, v.me) - best
    answer = level
    if v.rules.memory == 0 and v.rounds - v.round < last:
        if ahead >= margin:
            answer = safe
        if ahead <= -margin:
            answer = bold
    return legal_bid(v, answer)
