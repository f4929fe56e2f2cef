"""Simulations, tournaments and odds in a few lines of Python, with frames and pictures, for notebooks and scripts.

Nothing is printed while games are played, and nothing is written but the folder of a tournament's run where one is
named. A policy that never answers is not noticed here: try out strategies of your own with `woolsim strategies check`.
"""

from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from analyzer.blocks import MAX_GAMES, MAX_SEED, MAX_THREADS
from analyzer.errors import BadInputError
from analyzer.wool_rules.deck import Deck, read_deck, shipped_deck
from analyzer.wool_rules.rules import STANDARD, Rules, read_rules
from reports.results import Result, of_bid_table, of_run, of_simulation

if TYPE_CHECKING:
    from analyzer.wool_rules.setting import Setting


def simulate(
    *line_up: str,
    games: float = 100_000,
    seed: int = 1,
    rotate: bool = False,
    rules: Rules | str | Path = STANDARD,
    deck: Deck | str | Path | None = None,
    threads: int | None = None,
) -> Result:
    """Play many games of a line-up, as `woolsim simulate` does.

    Parameters
    ----------
    *line_up : str
        Who sits where, seat 0 first: two to six specs such as "value" or "plain:level=20".
    games : whole number
    seed : int
    rotate : bool
        Whether every game is played in all rotations of the seats.
    rules, deck : optional
        Or files of them; by default the standard rules and the reconstructed deck.
    threads : int, optional
        Without influence on figures; by default one for each core.

    Returns
    -------
    Result
        With the frames seats, attempts, calibration, places, bids, finish, table and histogram.

    Raises
    ------
    BadInputError
        For a wrong spec, file or number.
    PolicyError, GameFaultError
        For a policy that cannot be compiled or answers illegally.
    """
    from analyzer.simulation import simulate as played
    from analyzer.wool_rules.games import GamePlayer, Question
    from analyzer.wool_rules.summary import Summary
    from strategies.registry import strategy

    games, seed = _whole("games", games, 1, MAX_GAMES), _whole("seed", seed, 0, MAX_SEED)
    setting = _setting(rules, deck)
    question = Question(tuple(strategy(spec) for spec in _specs(line_up)), setting.rules, setting.deck, seed, rotate)
    return of_simulation(Summary(question, played(GamePlayer(question), games, threads=_threads(threads))))


def tournament(
    *field: str,
    players: int | Sequence[int] = 4,
    games: float = 1000,
    shape: str = "round-robin",
    seed: int = 1,
    rules: Rules | str | Path = STANDARD,
    deck: Deck | str | Path | None = None,
    threads: int | None = None,
    out: str | Path | None = None,
) -> Result:
    """Let all play each other in all seats on the same decks and dice, as `woolsim tournament` does.

    Parameters
    ----------
    *field : str
        Specs; "plain:level=19..22" is four of them.
    players : int or sequence of int
        Players at a table, 2 to 6.
    games : whole number
        Deals of each line-up, each played in all rotations of the seats.
    shape : str
        round-robin: all line-ups; gauntlet: the first of the field against the others; table: the one line-up given.
    seed, rules, deck, threads
        As for :func:`simulate`.
    out : path, optional
        Folder of a run, which is kept and is gone on with if it is there already; else nothing is kept. Rules and deck
        of a run that is kept are files.

    Returns
    -------
    Result
        With the frames standings, pairs, seats, rotation, luck, mixture, payoff, cycles and line-ups.

    Raises
    ------
    BadInputError, PolicyError, GameFaultError
        As for :func:`simulate`.
    """
    from analyzer.runs import Run
    from analyzer.tournament import Stopping, on_threads
    from analyzer.wool_rules.game import WOOL_RULES
    from reports.cli.contests import contest_of
    from strategies.fields import field as field_of
    from strategies.tournaments import GAUNTLET, ROUND_ROBIN, TABLE, Asked

    shapes = {each.replace(" ", "-"): each for each in (ROUND_ROBIN, GAUNTLET, TABLE)}
    if shape not in shapes:
        raise BadInputError(f"shape {shape!r}: it is one of {', '.join(shapes)}")
    extent, workers = _whole("games", games, 1, MAX_GAMES), _threads(threads)
    strategies = field_of(_specs(field), repeated=shape == TABLE)
    asked = Asked(
        WOOL_RULES,
        strategies,
        (_setting(rules, deck),),
        shapes[shape],
        (len(strategies),) if shape == TABLE else _counts(players),
        _whole("seed", seed, 0, MAX_SEED),
        Stopping(extent),
    )
    asked.check_answerable()
    asked.plan.check_extent(extent)
    question = asked.question() | {"files": _files({"rules": rules, "deck": deck}, kept=out is not None)}
    with (
        TemporaryDirectory(prefix="woolsim-") if out is None else nullcontext(out) as folder,
        Run.create(Path(folder), question, extent=extent) as run,
    ):
        engine, contest = asked.recipe.engine(), contest_of(run, asked)
        contest.play(lambda plan: on_threads(engine, plan, workers), lambda _: None)
        return of_run(run, asked, contest)


def load(folder: str | Path) -> Result:
    """Return what a run has found, finished or not: of a tournament, a comparison, a sweep or the search for the best.

    Parameters
    ----------
    folder : path
        As `--out` named it, or as `woolsim` said.

    Returns
    -------
    Result
        With a frame for each table of the run.

    Raises
    ------
    BadInputError
        Where there is no run, or nothing has been played yet.
    """
    from analyzer.runs import Run
    from reports.cli.contests import asked_of, contest_of

    with Run.open(Path(folder), write=False) as run:
        asked = asked_of(run)
        contest = contest_of(run, asked)
        lacks = contest.lacks()
        if lacks is not None:
            raise BadInputError(f"{folder}: {lacks}")
        return of_run(run, asked, contest)


def bid_table(
    *holds: str,
    bids: Sequence[int | str] | None = None,
    modifiers: Sequence[int] = (0,),
    chips: Sequence[int] = (0,),
    simulations: float | None = None,
    seed: int = 1,
    rules: Rules | str | Path = STANDARD,
) -> Result:
    """Return how likely every bid is, as `woolsim bid-table` does.

    Parameters
    ----------
    *holds : str
        Rules by which a die is set aside; by default the best one, max-odds.
    bids : sequence, optional
        14 to 26 and "26+"; by default all.
    modifiers, chips : sequence of int
    simulations : whole number, optional
        Dice actions to simulate for each row beside the exact odds.
    seed : int
    rules : optional
        Or a file of them.

    Returns
    -------
    Result
        With the frame bid-table.

    Raises
    ------
    BadInputError
        For a wrong rule or number.
    """
    from analyzer.wool_rules.bid_table import bid_table as table_of
    from analyzer.wool_rules.bidding import bids_of, parse_bid
    from strategies.wool_rules.hold_registry import hold_rule

    standard = _rules(rules)
    asked = list(bids_of(standard)) if bids is None else [parse_bid(str(bid), standard) for bid in bids]
    table = table_of(
        [hold_rule(spec) for spec in _specs(holds or ("max-odds",))],
        asked,
        modifiers,
        chips,
        game_rules=standard,
        simulate=None if simulations is None else _whole("simulations", simulations, 1, MAX_GAMES),
        seed=seed,
    )
    return of_bid_table(table)


def _specs(given: Sequence[str]) -> Sequence[str]:
    for spec in given:
        if not isinstance(spec, str):
            raise BadInputError(f"{spec!r}: write specs one after the other, as in 'value', 'plain:level=20'")
    return given


def _whole(name: str, value: float, low: int, high: int) -> int:
    """Return a number that has to be whole and within bounds; 1e5 is."""
    if isinstance(value, bool) or value != value // 1 or not low <= value <= high:
        raise BadInputError(f"{name} {value}: a whole number from {low} to {high} is needed")
    return int(value)


def _threads(threads: int | None) -> int | None:
    return None if threads is None else _whole("threads", threads, 1, MAX_THREADS)


def _counts(players: int | Sequence[int]) -> tuple[int, ...]:
    return tuple(sorted(set([players] if isinstance(players, int) else players)))


def _files(given: Mapping[str, object], *, kept: bool) -> list[str]:
    """Return the options that name the files of a run, which says with them how it is made again."""
    words: list[str] = []
    for option, value in given.items():
        if isinstance(value, (str, Path)):
            words += [f"--{option}", str(value)]
        elif kept and value is not None and value != STANDARD:
            raise BadInputError(f"{option}: a run that is kept (out) says how it is made again: give a file")
    return words


def _rules(rules: Rules | str | Path) -> Rules:
    return rules if isinstance(rules, Rules) else read_rules(Path(rules))


def _setting(rules: Rules | str | Path, deck: Deck | str | Path | None) -> "Setting":
    from analyzer.wool_rules.setting import Setting

    known = _rules(rules)
    if deck is None:
        return Setting(known, shipped_deck())
    return Setting(known, deck if isinstance(deck, Deck) else read_deck(Path(deck), known))
