"""What the number of players changes ("1) Lay out cards", "Wool Rules for 2 Players")."""

from dataclasses import dataclass

from analyzer.wool_rules.constants import MIN_PLAYERS, N_CARDS
from analyzer.wool_rules.rules import Rules


def rounds_of(players: int) -> int:
    """Return the rounds of a game: each lays out one card more than there are players (R14)."""
    return -(-N_CARDS // (players + 1))


@dataclass(frozen=True)
class PlayersFacts:
    """What so many players have before them; the odds of dice are the same for all.

    Parameters
    ----------
    players : int
    cards : int
        Laid out in every round but the last.
    last_cards : int
        Laid out in the last round.
    rounds : int
    rolling : int
        Players who may roll in a round: all but the last, of two both (R11, R15).
    left : int
        Cards that are still there after the first player had success on the first attempt.
    supply : int
        Chips in the supply when everybody has got theirs.
    """

    players: int
    cards: int
    last_cards: int
    rounds: int
    rolling: int
    left: int
    supply: int


def players_facts(players: int, rules: Rules) -> PlayersFacts:
    """Return what a number of players, 2 to 6, means under some rules."""
    cards, rounds = players + 1, rounds_of(players)
    return PlayersFacts(
        players,
        cards,
        N_CARDS - (rounds - 1) * cards,
        rounds,
        players if players == MIN_PLAYERS else players - 1,
        max(cards - rules.cards_per_attempt[0], 0),
        rules.chips_total - players * rules.chips_start,
    )
