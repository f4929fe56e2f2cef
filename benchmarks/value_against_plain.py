"""One `value` among `plain` of one level: its win share against 1/n, for every level and every number of players.

Every game is played in all seatings; the bounds hold for all 70 cases together (Holm).
"""

import argparse
import sys
import time

from timing import print_table

from analyzer.results import WHOLE_WIN, WIN
from analyzer.simulation import simulate
from analyzer.stats import Estimate, holm_lower_bounds, independent_trials, mean_share
from analyzer.wool_rules.constants import BID_26_PLUS, LOWEST_BID, MAX_PLAYERS, MIN_PLAYERS
from analyzer.wool_rules.deck import shipped_deck
from analyzer.wool_rules.games import GamePlayer, Question
from analyzer.wool_rules.rules import STANDARD
from strategies.registry import strategy

SUBJECT = "value"
LEVEL = 0.95


def observe(subject: str, players: int, level: int, games: int, seed: int) -> tuple[Estimate, float]:
    """Return the win share of a strategy among `plain` of a level, and how many independent trials that is worth."""
    others = (strategy(f"plain:level={level}"),) * (players - 1)
    question = Question((strategy(subject), *others), STANDARD, shipped_deck(), seed, rotate=True)
    sums = simulate(GamePlayer(question), games)
    result = int(sums.total[0, WIN]), int(sums.squares[0, WIN]), sums.games, players * WHOLE_WIN
    return mean_share(*result, LEVEL), independent_trials(*result)


def main() -> int:
    """Play; return 1 if a case fails in a full run."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--games", type=int, default=2_000, help="deals in each case, played in all seatings")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--strategy", default=SUBJECT, help="spec of the strategy to judge")
    parser.add_argument("--quick", action="store_true", help="few games: shows that it runs; judges nothing")
    asked = parser.parse_args()
    games = 20 if asked.quick else asked.games
    begun = time.perf_counter()
    cases = [
        (players, level)
        for players in range(MIN_PLAYERS, MAX_PLAYERS + 1)
        for level in range(LOWEST_BID, BID_26_PLUS + 1)
    ]
    seen = [observe(asked.strategy, players, level, games, asked.seed) for players, level in cases]
    bounds = holm_lower_bounds(
        [(share.value, trials, 1 / players) for (players, _), (share, trials) in zip(cases, seen, strict=True)], LEVEL
    )
    rows, failed = [], 0
    for (players, level), (share, _), bound in zip(cases, seen, bounds, strict=True):
        holds = bound > 1 / players
        failed += not holds
        rows.append(
            (
                f"{players} players, level {'26+' if level == BID_26_PLUS else level}",
                f"{share.value:.3f}",
                f"{share.low:.3f} to {share.high:.3f}",
                f"{bound:.3f}",
                f"{1 / players:.3f}",
                "holds" if holds else "fails",
            )
        )
    print_table(
        f"{asked.strategy} against plain of one level: {games:,} deals a case, seed {asked.seed}",
        ("case", "win share", "95 % interval", "lower bound (Holm)", "1/n", ""),
        rows,
    )
    print(f"\n  {len(cases) - failed} of {len(cases)} cases hold; {time.perf_counter() - begun:.0f} s")
    return 1 if failed and not asked.quick else 0


if __name__ == "__main__":
    sys.exit(main())
