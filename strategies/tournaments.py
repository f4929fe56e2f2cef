"""What a tournament asks: as its user says it, as a run file keeps it, and as it is played."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any, Final, Self

import numpy as np

from analyzer import __version__
from analyzer.blocks import MAX_GAMES
from analyzer.bounds import Bounds
from analyzer.design import Design
from analyzer.errors import BadInputError
from analyzer.game import Game, Setting
from analyzer.line_ups import balanced, fixed, gauntlet, round_robin
from analyzer.means import mean_win_shares
from analyzer.paired import (
    SCORES,
    WINS,
    Chosen,
    all_opponents,
    candidate_tables,
    compared_means,
    difference,
    first_places,
    in_each_setting,
    never_differ,
)
from analyzer.plan import Plan
from analyzer.results import IntArray
from analyzer.sequential import Verdict, target_error, until_decided, until_known, until_surely_alike
from analyzer.slots import Strategy
from analyzer.tally import Tally
from analyzer.tournament import Stopping
from strategies.fields import check_distinct, check_plays_differ, source_digest
from strategies.games import HOUSES
from strategies.recipes import Recipe
from strategies.registry import strategy

ROUND_ROBIN, GAUNTLET, TABLE, RANDOM = "round robin", "gauntlet", "table", "random"
CANDIDATES, SETTINGS, RACE = "candidates", "settings", "find-best"
SHAPES: Final = (ROUND_ROBIN, GAUNTLET, TABLE, RANDOM, CANDIDATES, SETTINGS, RACE)
"""What plays whom. The last three compare what happens at tables with the same games: candidates among the same
opponents, the same line-ups in two settings, and candidates again, of whom those that are beaten drop out."""
HAVE_CANDIDATES: Final = (GAUNTLET, CANDIDATES, RACE)

RACING: Final = Stopping(until_decided=True, min_games=1, max_games=MAX_GAMES)
"""When a race ends; of how many deals there are at most, the extent of its run alone says."""


@dataclass(frozen=True)
class Asked:
    """A tournament.

    Parameters
    ----------
    game : Game
    strategies : tuple of Strategy
        The field; where there are candidates, they come first.
    settings : tuple of Setting
        One, or several that are compared.
    shape : str
        One of :data:`SHAPES`.
    players : tuple of int
        Player counts; of a table, how many strategies there are.
    seed : int
    stopping : Stopping
    candidates : int
        How many candidates there are.
    line_ups : int
        Of a random design, for each player count; in a race, how many groups of opponents are drawn from the
        candidates, if they are.
    """

    game: Game
    strategies: tuple[Strategy, ...]
    settings: tuple[Setting, ...]
    shape: str
    players: tuple[int, ...]
    seed: int
    stopping: Stopping
    candidates: int = 1
    line_ups: int = 0

    def __post_init__(self) -> None:
        for players in self.players:
            if not self.game.min_players <= players <= self.game.max_players:
                raise BadInputError(
                    f"{players} players: a game has {self.game.min_players} to {self.game.max_players} players"
                )
        if len(self.strategies) < 2 and self.shape not in {TABLE, SETTINGS}:
            raise BadInputError("a tournament needs two strategies or more to compare")
        if self.shape == RANDOM and self.stopping.looks:
            raise BadInputError(
                "--until-decided and --target-error: more games do not decide what depends on which line-ups were "
                "drawn; with --shape random give --games and more --line-ups, or let all play all (--shape round-robin)"
            )
        if self.shape == GAUNTLET and self.candidates == 1 and self.stopping.until_decided:
            raise BadInputError(
                "--until-decided: the candidate of a gauntlet has other opponents than the field, so win shares do not "
                "say who is better; name several --candidates, or use woolsim compare"
            )
        if self.shape != TABLE:
            together = self.strategies if self.shape == GAUNTLET else self._compared
            check_distinct(together, self.game)
            check_distinct(self.strategies[len(together) :], self.game)

    @property
    def _compared(self) -> tuple[Strategy, ...]:
        """Candidates, or all where there are none."""
        return self.strategies[: self.candidates if self.shape in HAVE_CANDIDATES else None]

    @property
    def exact(self) -> tuple[int, ...]:
        """Candidates beside whom only copies of their own sit, so that each wins an equal share of the deals."""
        beside = {each.spec for each in self.strategies[self.candidates :]}
        return tuple(at for at, each in enumerate(self.strategies[: self.candidates]) if beside == {each.spec})

    def check_answerable(self) -> None:
        """Refuse to look for the better one of strategies that play alike by their sources.

        Raises
        ------
        BadInputError
        """
        two = self.shape == CANDIDATES and self.candidates == 2
        if two or (self.stopping.until_decided and self.shape != SETTINGS):
            check_plays_differ(self._compared)

    @property
    def perturbed(self) -> bool:
        """Whether the other settings are decks as plausible as the first, of which there are no files."""
        return self.shape == SETTINGS and len(self.settings) > 2

    @cached_property
    def plan(self) -> Plan:
        """Which line-ups play which games."""
        tables = self.candidates if self.shape in {CANDIDATES, RACE} else len(self.settings)
        settings = tuple(range(tables)) if self.shape == SETTINGS else (0,) * tables
        return Plan(tuple(self._line_ups(players) for players in self.players), settings)

    def _line_ups(self, players: int) -> IntArray:
        field = len(self.strategies)
        if self.shape == GAUNTLET:
            return gauntlet(range(self.candidates), range(self.candidates, field), players)
        if self.shape == RANDOM:
            return balanced(field, players, self.line_ups, self.seed)
        if self.shape == TABLE:
            return fixed(range(field))
        if self.shape in {CANDIDATES, RACE}:
            return candidate_tables(range(self.candidates), self._beside(players))
        line_ups = round_robin(field, players)
        return np.repeat(line_ups[:, None], len(self.settings), axis=1) if self.shape == SETTINGS else line_ups

    def _beside(self, players: int) -> IntArray:
        """Return who sits beside candidates: the others, or where there are none, they themselves."""
        field = len(self.strategies)
        if self.shape == RACE and self.line_ups:
            return balanced(field, players - 1, self.line_ups, self.seed)
        return all_opponents(range(self.candidates % field, field), players)

    @cached_property
    def bounds(self) -> Bounds:
        """How intervals are made, while games are played and whenever the run is shown."""
        return _bounds(self.stopping, self.plan)

    @property
    def design(self) -> Design:
        """How the line-ups were chosen."""
        return Design(self.shape == RANDOM, self.candidates if self.shape == GAUNTLET else None)

    def look(self, tally: Tally) -> Verdict:
        """Say whether the results so far decide what is asked; a race is looked at by its stages instead."""
        each_setting = [in_each_setting(at) for at in range(len(self.strategies))]
        compared: dict[str, list[Chosen]] = {CANDIDATES: [first_places], SETTINGS: each_setting}
        if self.shape in compared and never_differ(tally):
            shares = [compared_means(tally, WINS, chosen) for chosen in compared[self.shape]]
            return until_surely_alike(shares, self.bounds)
        if self.shape == SETTINGS:
            scores = [compared_means(tally, SCORES, chosen) for chosen in compared[self.shape]]
            return until_known([difference(means, 1, 0, self.bounds).p for means in scores], self.bounds)
        if self.shape == CANDIDATES:
            means = compared_means(tally, WINS, first_places)
        else:
            means = mean_win_shares(tally.line_up_sums(), len(self.strategies))
        if self.stopping.target_error is not None:
            verdict = target_error(means, self.stopping.target_error, self.bounds)
            if not (verdict.stop and self.stopping.until_decided):
                return verdict
        return until_decided(means, self.bounds, self.design.candidates)

    @property
    def recipe(self) -> Recipe:
        """What plays."""
        return Recipe(self.game, self.strategies, self.settings, self.seed)

    def question(self) -> dict[str, Any]:
        """Return all that figures depend on, as data for a run file."""
        return {
            "version": __version__,
            "game": self.game.name,
            "engine": {"name": "engine sources", "hash": self.game.engine_digest},
            "strategies": [
                {"name": each.spec, "given": each.given, "hash": source_digest(each)} for each in self.strategies
            ],
            **self.settings[0].as_dict(),
            "compared_with": {str(at): each.as_dict() for at, each in enumerate(self.settings) if at},
            "shape": self.shape,
            "players": list(self.players),
            "candidates": self.candidates,
            "line_ups": self.line_ups,
            "seed": self.seed,
            "stopping": asdict(self.stopping) if self.stopping.looks else {},
        }

    @classmethod
    def of_question(cls, question: Mapping[str, Any], *, to_play: bool = True) -> Self:
        """Return what a run asks, its strategies read anew if it is to be played; else they are names only.

        Raises
        ------
        BadInputError
            When a strategy is no longer there; that it has changed shows in :meth:`question`.
        """
        game, compared = HOUSES[question["game"]].game, question["compared_with"]
        return cls(
            game,
            tuple(
                strategy(each["given"], game) if to_play else Strategy(each["name"], {}, each["given"])
                for each in question["strategies"]
            ),
            tuple(game.setting(each) for each in (question, *(compared[at] for at in sorted(compared, key=int)))),
            question["shape"],
            tuple(question["players"]),
            question["seed"],
            Stopping(**question["stopping"]),
            question["candidates"],
            question["line_ups"],
        )


def bounds_of(question: Mapping[str, Any], plan: Plan) -> Bounds:
    """Return how the intervals of a run are made, extended or not (:attr:`Asked.bounds`)."""
    return _bounds(Stopping(**question["stopping"]), plan)


def _bounds(stopping: Stopping, plan: Plan) -> Bounds:
    """Return how intervals are made.

    Where the results decide they are tightest after the first round: later looks lose little by that, and what is clear
    is decided soon. Which look is the last one makes no difference, so a run may be extended after it was decided.
    """
    return Bounds(stopping.level, min(plan.span, stopping.max_games) if stopping.looks else None)


def labels(question: Mapping[str, Any], *, candidates: bool = False) -> list[str]:
    """Return the names of a run's strategies, or of its candidates alone.

    They are as they were given; in full or numbered where two would look the same.
    """
    asked = question["strategies"][: question["candidates"] if candidates else None]
    given: Sequence[str] = [each["given"] for each in asked]
    if len(set(given)) == len(given):
        return list(given)
    names = [each["name"] for each in asked]
    if len(set(names)) == len(names):
        return names
    return [one if given.count(one) == 1 else f"{one} ({given[: at + 1].count(one)})" for at, one in enumerate(given)]
