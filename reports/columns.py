"""What every column of every table means, its unit and its type: said once, for files, frames and people.

A table is called as the command and its own name, `tournament/seats`; where a column means something else in one table
than elsewhere, that is said under `tournament/seats` or, for all tables of that name, under `seats`.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, Literal, NamedTuple

Kind = Literal["text", "whole number", "number", "truth"]


class Column(NamedTuple):
    """A column of a table.

    Parameters
    ----------
    name : str
    meaning : str
        One sentence.
    unit : str
        As points or games; empty where there is none.
    kind : str
        text, whole number, number or truth.
    """

    name: str
    meaning: str
    unit: str
    kind: Kind


_Said = tuple[str, str, Kind]
"""Meaning, unit, kind."""


def _text(meaning: str) -> _Said:
    return meaning, "", "text"


def _count(meaning: str, unit: str = "") -> _Said:
    return meaning, unit, "whole number"


def _figure(meaning: str, unit: str) -> _Said:
    return meaning, unit, "number"


SHARE: Final = "share"
"""Unit of parts of a whole, from 0 to 1."""

_PROBABILITY, _FACTOR, _VALUE = "probability", "factor", "value"

_DICE: Final[Mapping[str, _Said]] = {
    "bid": _text("Bid, 14 to 26 or 26+."),
    "target": _count("Sum that makes the bid.", "pips"),
    "modifier": _count("Bonus (above 0) or malus (below 0) on the top card of the flock.", "pips"),
    "hold": _text("Rule by which a die is set aside, with its parameters."),
    "p_three": _figure("Success at the first attempt, of all dice actions.", SHARE),
    "p_two": _figure("Success at the second attempt, of all dice actions.", SHARE),
    "p_one": _figure("Success at the third attempt, of all dice actions.", SHARE),
    "p_success": _figure("Success at any attempt, of all dice actions.", SHARE),
    "p_fail": _figure("Failure, that with too low a result included, of all dice actions.", SHARE),
    "p_under_14": _figure("Failure with a result that brings the black sheep, of all dice actions.", SHARE),
    "mean_cards": _figure("Mean number of cards that one is entitled to.", "cards"),
    "mean_chips_spent": _figure("Mean number of chips spent in a dice action.", "chips"),
    "sim_n": _count("Dice actions simulated for the row.", "dice actions"),
    "exact_p_success": _figure("Exact chance of success by the hold rule max-odds without chips.", SHARE),
    "attempt": _count("Attempt after which one decides, 1 or 2."),
    "die": _count("Die set aside, by its number of sides."),
    "number": _count("What the die shows (attempt 1), or the sum of the two others (attempt 2).", "pips"),
    "rank": _count("Rank of the possibility among those after this attempt; 1 is best."),
    "value": _figure("Expected value of going on by the rule, as the rule values cards, chips and failures.", _VALUE),
    "held": _count("Die set aside before, by its number of sides; empty after attempt 1."),
    "result": _count("Sum of the dice with the malus.", "pips"),
    "help": _count("Chips needed on top of the bonus to make the bid now.", "chips"),
    "best": ("Whether the rule sets aside this die; empty where it rolls for that.", "", "truth"),
    "accept_value": _figure("What taking the cards now is worth to the rule; empty where they cannot be had.", _VALUE),
    "accept": ("Whether the rule takes the cards now; empty where they cannot be had.", "", "truth"),
}

_GAMES: Final[Mapping[str, _Said]] = {
    "strategy": _text("Strategy, with its parameters."),
    "opponent": _text("Strategy that it is compared with."),
    "opponents": _text("The others at the table, with + between them."),
    "setting": _text("Deck and rules that are played with."),
    "deck": _text("Deck that is played with."),
    "games": _count("Deals played, each in all seatings and counted once.", "deals"),
    "seatings": _count("Seatings in which each deal is played.", "seatings"),
    "seat": _count("Place in the line-up, from 0; where seats are not rotated, the seat at the table."),
    "players": _count("Players at a table.", "players"),
    "line_up": _count("Number of the line-up among those of so many players, from 0."),
    "mean_score": _figure("Mean score of a game.", "points"),
    "sd_score": _figure("Standard deviation of single scores.", "points"),
    "score_median": _figure("Score that half of all games do not exceed.", "points"),
    **{
        f"score_q{part:02}": _figure(f"Score that {part} % of all games do not exceed.", "points")
        for part in (5, 25, 75, 95)
    },
    "win_share": _figure("Games won, of all games; a victory shared by k counts 1/k.", SHARE),
    "white": _figure("Mean points from white sheep in a game, less what is discarded without a dog.", "points"),
    "black": _figure("Mean points from black sheep in a game.", "points"),
    "three_seven_zero": _figure("Mean points from cards 3-7-0 in a game.", "points"),
    "zero_zero_seven": _figure("Mean points from cards 0-0-7 in a game.", "points"),
    "dogs": _figure("Mean points for a dog that is alone in its flock in a game.", "points"),
    "most_dogs": _figure("Mean points for the most dogs in a game.", "points"),
    "bone": _figure("Mean points of the bone for the dogs beside it in a game.", "points"),
    "chips": _figure("Mean points from chips left in a game.", "points"),
    "n_white": _figure("Mean number of white sheep taken in a game.", "cards"),
    "n_black": _figure("Mean number of black sheep taken in a game.", "cards"),
    "n_370": _figure("Mean number of cards 3-7-0 taken in a game.", "cards"),
    "n_007": _figure("Mean number of cards 0-0-7 taken in a game.", "cards"),
    "n_dogs": _figure("Mean number of dogs taken in a game.", "cards"),
    "has_bone": _figure("Games in which the bone is taken, of all games.", SHARE),
    "skipped": _figure("Turns skipped, because nothing was left on the table.", "turns a game"),
    "chips_spent": _figure("Mean number of chips spent in a game.", "chips"),
    "rounds": _count("Rounds that the row counts.", "rounds"),
    "p_skipped": _figure("Rounds in which nothing was left to roll for, of all rounds.", SHARE),
    "actions": _count("Dice actions that the row counts.", "dice actions"),
    "place": _count("Place in the turn order of a round, from 1."),
    "points": _figure("Mean change of the score in a round, as if the game ended before and after it.", "points"),
    "winners": _count("Players who share the victory.", "players"),
    "share": _figure("Games with so many winners, of all games.", SHARE),
    "score": _figure("Mean score of a game.", "points"),
}

_CONTESTS: Final[Mapping[str, _Said]] = {
    "margin": _figure("Mean score less the mean score of the others at the table.", "points"),
    "rating": _figure(
        "Plackett-Luce rating by finishing orders: the field's mean is 1500, 400 more is ahead ten times out of 11.",
        "rating points",
    ),
    "group": _count("Tie group: 1 for the best and all that cannot be told from it, and so on with the rest."),
    "p": _figure("Two-sided p value of the difference of win shares.", _PROBABILITY),
    "p_holm": _figure("The p value, adjusted by Holm's procedure for all pairs together.", _PROBABILITY),
    "pairing": _figure("How many times smaller the variance of the difference is, as both played the same.", _FACTOR),
    "source": _text("What makes single scores differ: strategy, opponents, seat, or deck and dice."),
    "support": _figure("Resampled results with the strategy in the mixture, of all that were drawn.", SHARE),
    "payoff": _figure("Games that the strategy would win if all others drew theirs from the mixture.", SHARE),
    "cycle": _count("Number of the circle, the clearest first, from 1."),
    "clear": _text("yes where all three differences of the circle are beyond chance, else no."),
    "won": _text("How the strategy is ahead: clearly, or perhaps by chance."),
    "win_share_ahead": _figure("Win share less that of the first candidate.", SHARE),
    "score_ahead": _figure("Mean score less that of the first candidate.", "points"),
    "win_share_then": _figure("Games won in the second setting, of all games.", SHARE),
    "win_share_change": _figure("Win share in the second setting less that in the first.", SHARE),
    "win_share_p": _figure("Two-sided p value of the change of the win share.", _PROBABILITY),
    "win_share_pairing": _figure("The same as pairing, for the change of the win share.", _FACTOR),
    "score_then": _figure("Mean score in the second setting.", "points"),
    "score_change": _figure("Mean score in the second setting less that in the first.", "points"),
    "score_p": _figure("Two-sided p value of the change of the score.", _PROBABILITY),
    "score_pairing": _figure("The same as pairing, for the change of the score.", _FACTOR),
    "settings": _count("Other settings that are compared with the first.", "settings"),
    "best_place": _count("Best place in the other settings."),
    "worst_place": _count("Worst place in the other settings."),
    "same_place": _figure("Other settings in which the place is the same, of all of them.", SHARE),
    "lowest_win_share": _figure("Win share in that other setting where it is lowest.", SHARE),
    "highest_win_share": _figure("Win share in that other setting where it is highest.", SHARE),
    "verdict": _text("survives or changes where that is beyond chance, else not known."),
    "dropped": _count("Stage after which the candidate dropped out; empty for those who did not.", "stages"),
    "behind": _figure("How much less the win share is than that of the best of the stage; 0 for the best.", SHARE),
}

_LISTS: Final[Mapping[str, _Said]] = {
    "card": _count("Number of the card, 0 to 59."),
    "kind": _text("Kind of the card: white, black, 3-7-0, 0-0-7, dog or bone."),
    "bone_symbol": _count("1 where the sheep has a bone symbol, else 0; empty for other cards."),
    "sheep_number": _count(
        "Number on the sheep, of which the lower one goes first among tied bids; empty for other cards."
    ),
    "name": _text("Name, as specs write it."),
    "from": _text("Where it comes from."),
    "slots": _text("Decisions for which it has functions, with commas between them."),
    "slot": _text("Decision that it makes."),
    "parameters": _text("Parameters with their defaults."),
    "summary": _text("What it does."),
}

_COLUMNS: Final[Mapping[str, _Said]] = {**_DICE, **_GAMES, **_CONTESTS, **_LISTS}

_CHIPS_ASKED: Final = _count("Wool chips that one spends on making the bid, if it needs them.", "chips")
_ROTATED: Final = _count("Deals played, each in all rotations of the seats and counted once.", "deals")

SPECIAL: Final[Mapping[tuple[str, str], _Said]] = {
    ("bid-table", "chips"): _CHIPS_ASKED,
    ("hold-chart", "chips"): _CHIPS_ASKED,
    ("position", "chips"): _CHIPS_ASKED,
    ("hold-chart", "die"): _count("Die set aside (attempt 1) or that stays free (attempt 2), by its number of sides."),
    ("hold-chart", "p_success"): _figure("Chance to make the bid from there.", SHARE),
    ("position", "die"): _count("Die that may be set aside now, by its number of sides."),
    ("position", "p_two"): _figure("Chance of success at the second attempt; empty after that.", SHARE),
    ("position", "p_one"): _figure("Chance of success at the third attempt.", SHARE),
    ("position", "p_success"): _figure("Chance of success at any attempt from here on.", SHARE),
    ("position", "p_fail"): _figure("Chance of failure, that with too low a result included.", SHARE),
    ("position", "p_under_14"): _figure("Chance of failure with a result that brings the black sheep.", SHARE),
    ("histogram", "score"): _count("Score.", "points"),
    ("histogram", "games"): _count("Games with this score, every seating one.", "games"),
    ("finish", "place"): _count("Place at the end of the game, from 1."),
    ("finish", "games"): _count("Games played, every seating one.", "games"),
    ("finish", "mean_score"): _figure("Mean score of who finishes on this place.", "points"),
    ("simulate/seats", "rounds"): _count("Rounds of a game.", "rounds"),
    ("simulate/table", "rounds"): _count("Rounds of a game.", "rounds"),
    ("scores", "games"): _count("Deals in which it sat, each counted for every place that it had.", "appearances"),
    ("victories", "games"): _count("Games played, every seating one.", "games"),
    ("standings", "games"): _ROTATED,
    ("pairs", "games"): _count(
        "Deals in which both sit, each in all rotations of the seats and counted once.", "deals"
    ),
    ("pairs", "win_share"): _figure("Win share less that of the opponent, at the tables where both sit.", SHARE),
    ("pairs", "score"): _figure("Mean score less that of the opponent, at the tables where both sit.", "points"),
    ("tournament/seats", "games"): _ROTATED,
    ("tournament/seats", "seat"): _count("Seat at the table, from 0; empty for all of them together."),
    ("rotation", "strategy"): _text("Strategy; empty for all of them together."),
    ("rotation", "win_share"): _figure("How many times smaller rotating makes the variance of win shares.", _FACTOR),
    ("rotation", "score"): _figure("How many times smaller rotating makes the variance of mean scores.", _FACTOR),
    ("luck", "share"): _figure("Part of the variance of single scores that comes from the source.", SHARE),
    ("mixture", "share"): _figure("Part of the strategy in the mixture that nobody gains by leaving.", SHARE),
    ("payoff", "win_share"): _figure("Games won of all games, of several copies of a strategy the mean.", SHARE),
    ("cycles", "games"): _count("Deals in which both sit, each in all rotations of the seats.", "deals"),
    ("cycles", "win_share"): _figure("Win share less that of the opponent, at the tables where both sit.", SHARE),
    ("compare/candidates", "p"): _figure("Two-sided p value of being ahead of the first candidate.", _PROBABILITY),
    ("compare/settings", "win_share"): _figure("Games won in the first setting, of all games.", SHARE),
    ("compare/settings", "score"): _figure("Mean score in the first setting.", "points"),
    ("compare/places", "place"): _count("Place by win share in the first setting, from 1."),
    ("compare/places", "win_share"): _figure("Games won in the first setting, of all games.", SHARE),
    ("deck", "points"): _count("Points of a white or black sheep; empty for other cards.", "points"),
    ("deck", "modifier"): _count("Bonus (above 0) or malus (below 0) of a sheep; empty for other cards.", "pips"),
}
"""What columns mean in some tables only: by the table's full name, or by its own for all tables called so."""

_DIE: Final = re.compile(r"d([0-9]+)")
_END: Final = re.compile(r"(.+)_(low|high)")
_SIMULATED: Final = re.compile(r"sim_(p_.+?)(_z)?")


def describe(table: str, column: str) -> Column:
    """Say what a column is.

    Parameters
    ----------
    table : str
        As `tournament/seats`: the command, and the table of it. Where it has but one table, its name alone.
    column : str

    Returns
    -------
    Column

    Raises
    ------
    KeyError
        For a column that is not described.
    """
    for place in ((table, column), (table.rpartition("/")[2], column)):
        if place in SPECIAL:
            return Column(column, *SPECIAL[place])
    if column in _COLUMNS:
        return Column(column, *_COLUMNS[column])
    if end := _END.fullmatch(column):
        of = describe(table, end[1])
        side = "Lower" if end[2] == "low" else "Upper"
        return Column(column, f"{side} end of the 95 % interval of {end[1]}.", of.unit, "number")
    if simulated := _SIMULATED.fullmatch(column):
        of = describe(table, simulated[1])
        if simulated[2]:
            errors = f"How far the simulated share lies from {of.name}."
            return Column(column, errors, "standard errors", "number")
        return Column(column, f"The same as {of.name}, simulated.", of.unit, "number")
    if die := _DIE.fullmatch(column):
        return Column(column, f"What the die with {die[1]} sides shows.", "pips", "whole number")
    raise KeyError(f"{column!r} of the table {table!r} is not described in reports/columns.py")


def described() -> Iterable[tuple[str, str]]:
    """Yield (table, column) of all that is described by itself; the table is empty where it holds for all."""
    yield from (("", column) for column in _COLUMNS)
    yield from SPECIAL


_HEAD: Final = """\
# Columns of the tables

Every table is a CSV file (UTF-8, a line of names first). An empty cell means that there is no such figure.
A share is a part of a whole, from 0 to 1. NAME_low and NAME_high are the ends of the 95 % interval of NAME.
"""


def column_text(tables: Mapping[str, Sequence[str]]) -> str:
    """Say what the columns of some tables are, as Markdown that is easily read as plain text too.

    Parameters
    ----------
    tables : mapping of str to sequence of str
        Columns by the name of the table as :func:`describe` takes it; the file is called as its last part.

    Returns
    -------
    str
        The same for the same tables. The ends of an interval stand in the row of their figure.
    """
    return "\n".join([_HEAD, *("\n".join(_section(table, columns)) for table, columns in tables.items())])


def _section(table: str, columns: Sequence[str]) -> Iterable[str]:
    yield f"## {table.rpartition('/')[2]}.csv\n"
    yield "| column | type | unit | meaning |"
    yield "| --- | --- | --- | --- |"
    for name in columns:
        end = _END.fullmatch(name)
        if end and end[1] in columns:
            continue
        ends = [f"`{each}`" for each in (name, f"{name}_low", f"{name}_high") if each in columns]
        column = describe(table, name)
        yield f"| {', '.join(ends)} | {column.kind} | {column.unit} | {column.meaning} |"
    yield ""
