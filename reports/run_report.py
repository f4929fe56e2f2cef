"""The report of a run: its question in words, what came out section by section, and what is assumed."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Final

from analyzer.counted import Table
from analyzer.figures import figure_between, share_between
from reports.assumptions import assumed
from reports.export import Provenance
from reports.report import Report, ReportTable, Section, Story
from reports.report_charts import FieldCharts
from reports.tournament_tables import ahead_words
from reports.words import listed, number, p_words
from strategies.tournaments import CANDIDATES, GAUNTLET, RACE, RANDOM, SETTINGS, TABLE

if TYPE_CHECKING:
    from analyzer.rows import Row
    from strategies.tournaments import Asked

MAIN_TABLES: Final = ("standings", "candidates", "settings", "places")
"""Tables that say who is better, one of which every run has."""

MOST_NAMED: Final = 4
"""Strategies that are named one by one in a sentence."""


@dataclass(frozen=True)
class Facts:
    """What a run has to report.

    Parameters
    ----------
    asked : Asked
    kind : str
        As the descriptions of columns call its command.
    heading, verdict, unfinished : str
        What was played, what it decides, and what is missing yet; empty where there is nothing to be said.
    words : sequence of str
        How its win shares are to be read.
    tables : mapping of str to Table
        By name, the main one first.
    stories : sequence of Story
    provenance : Provenance
    about : mapping
        What else the manifest says.
    """

    asked: "Asked"
    kind: str
    heading: str
    verdict: str
    unfinished: str
    words: Sequence[str]
    tables: Mapping[str, Table]
    stories: Sequence[Story]
    provenance: Provenance
    about: dict[str, object]


def run_report(facts: Facts) -> Report:
    """Return the report of a run."""
    made = _Sections(facts)
    sections = [
        section for section in made.all() if section.charts or section.tables or section.stories or section.points
    ]
    return Report(
        title=_title(facts.asked),
        question=question_words(facts.asked),
        heading=facts.heading,
        answers=list(_answers(facts)),
        unfinished=facts.unfinished,
        sections=sections,
        provenance=facts.provenance,
        kind=facts.kind,
        about=facts.about,
    )


def _title(asked: "Asked") -> str:
    n, first = len(asked.strategies), [each.given for each in asked.strategies[: asked.candidates]]
    if asked.shape == CANDIDATES and len(first) == 2:
        return f"{first[0]} or {first[1]}?"
    return {
        CANDIDATES: f"{len(first)} candidates compared",
        GAUNTLET: f"A gauntlet for {listed(first) if len(first) < 4 else f'{len(first)} candidates'}",
        RACE: f"The best of {len(first)} candidates",
        RANDOM: f"A tournament of {n} strategies, line-ups drawn at random",
        SETTINGS: "Other decks as plausible" if asked.perturbed else "What other cards or rules change",
        TABLE: f"One table of {n}",
    }.get(asked.shape, f"A tournament of {n} strategies")


def question_words(asked: "Asked") -> str:
    """Say what a run asks."""
    players = f"{listed(map(str, asked.players))} players"
    given = [each.given for each in asked.strategies]
    first, beside = given[: asked.candidates], given[asked.candidates :]
    others = f"beside {listed(beside)}" if beside else "beside one another"
    if asked.shape in {CANDIDATES, RACE}:
        who = "Which of two" if len(first) == 2 else f"Which of {len(first)} candidates"
        return f"{who} wins more often, {others}, at tables of {players}, all on the same decks and dice?"
    if asked.shape == GAUNTLET:
        field = listed(beside) if len(beside) <= MOST_NAMED else f"a field of {len(beside)}"
        fare = f"How does {first[0]}" if len(first) == 1 else f"How do {listed(first)}"
        return f"{fare} fare against {field}, at tables of {players}, in all seats?"
    if asked.perturbed:
        decks = len(asked.settings) - 1
        return f"Which places of {len(given)} strategies survive {decks} other decks that are as plausible?"
    if asked.shape == SETTINGS:
        return f"What changes for {listed(given)} with other cards or rules, at tables of {players}, on the same deals?"
    if asked.shape == TABLE:
        return f"Who wins at a table of {listed(given)}, whoever sits where?"
    drawn = f", when {asked.line_ups:,} line-ups are drawn at random" if asked.shape == RANDOM else ""
    return (
        f"Which of {len(given)} strategies wins most when all play all, at tables of {players}, in all seats, on the "
        f"same decks and dice{drawn}?"
    )


def _answers(facts: Facts) -> Iterator[str]:
    """Yield the most important figures, a sentence each."""
    if facts.verdict:
        yield f"{facts.verdict[0].upper()}{facts.verdict[1:]}."
    name, (_, rows) = next(iter(facts.tables.items()))
    tell = {"standings": _standing, "candidates": _ahead, "settings": _changed, "places": _survived}[name]
    yield from tell(facts, rows)
    for row in facts.tables.get("luck", ((), []))[1]:
        if row["source"] == "deck and dice" and row["share"] is not None:
            with_players = f"With {row['players']} players, " if len(facts.asked.players) > 1 else ""
            share = share_between(row, "share")
            yield f"{with_players}{share} of what makes scores differ is deck and dice."


def _standing(facts: Facts, rows: "Sequence[Row]") -> Iterator[str]:
    """Yield who is better as far as win shares say it."""
    best, asked = rows[0], facts.asked
    if asked.shape == GAUNTLET:
        first = {each.given for each in asked.strategies[: asked.candidates]}
        for row in (row for row in rows if row["strategy"] in first):
            yield f"{row['strategy']} wins {share_between(row, 'win_share')} of its {_deals(row)} against this field."
    group = [str(row["strategy"]) for row in rows if row["group"] == 1]
    won = f"{best['strategy']} wins {share_between(best, 'win_share')} of its {_deals(best)}"
    if asked.shape == GAUNTLET and asked.candidates == 1:
        return
    if not group:
        yield f"{won}, the most so far; that does not say yet who is better."
    elif len(group) == len(rows):
        yield f"{won}, the most; nobody can be told from the best."
    elif len(group) == 1:
        yield f"{won} and is better than all the others{' that are candidates' if asked.shape == GAUNTLET else ''}."
    else:
        yield f"{won}, the most; {listed(group[1:])} cannot be told from it."


def _ahead(facts: Facts, rows: "Sequence[Row]") -> Iterator[str]:
    """Yield how candidates differ: from the first one, or in a race who is left."""
    if "behind" in rows[0]:
        left = [str(row["strategy"]) for row in rows if row["dropped"] is None]
        if not facts.verdict:
            yield f"Left in the race: {listed(left)}."
        yield f"{rows[0]['strategy']} wins {share_between(rows[0], 'win_share')} of its {_deals(rows[0])}."
        return
    first = rows[0]
    yield f"{first['strategy']} wins {share_between(first, 'win_share')} of its {_deals(first)}."
    others = sorted(rows[1:], key=lambda row: -float(str(row["win_share_ahead"] or 0)))
    for row in others[:MOST_NAMED]:
        if words := ahead_words(row, str(first["strategy"])):
            yield f"{words}; p {p_words(row['p'])}."


def _changed(_facts: Facts, rows: "Sequence[Row]") -> Iterator[str]:
    """Yield what changes from one setting to the other."""
    for row in rows[:MOST_NAMED]:
        change, p = figure_between(row, "score_change"), p_words(row["score_p"])
        yield (
            f"{row['strategy']} scores {number(row['score'], 1)}, then {number(row['score_then'], 1)}: a change of "
            f"{change} points (p {p}); its win share changes by {share_between(row, 'win_share_change')}."
        )


def _survived(facts: Facts, rows: "Sequence[Row]") -> Iterator[str]:
    """Yield how many places are the same with other decks."""
    verdicts = Counter(str(row["verdict"]) for row in rows)
    told = listed(f"{n} {verdict}" for verdict, n in verdicts.most_common())
    yield f"Of {len(rows)} places with {len(facts.asked.settings) - 1} other decks: {told}."
    yield f"With the first deck {rows[0]['strategy']} has the highest win share, {share_between(rows[0], 'win_share')}."


def _deals(row: "Row") -> str:
    return "1 deal" if row["games"] == 1 else f"{row['games']:,} deals"


@dataclass(frozen=True)
class _Sections:
    """The sections of a report."""

    facts: Facts

    def all(self) -> Iterator[Section]:
        """Yield them; some may be empty."""
        asked = self.facts.asked
        yield self._better()
        yield self._head_to_head()
        yield self._scores()
        yield self._parts()
        yield self._bids()
        yield self._turns()
        yield self._seats()
        yield self._ratings()
        yield self._luck()
        yield self._field()
        yield self._extremes()
        yield Section(
            "assumed",
            "What is assumed",
            points=assumed(
                asked.game.name,
                asked.settings[:1] if asked.perturbed else asked.settings,
                others=len(asked.settings) - 1 if asked.perturbed else 0,
            ),
        )

    def _table(self, name: str, title: str, *shown: str, note: str = "") -> list[ReportTable]:
        """Return a table if the run has it, and with rows."""
        columns, rows = self.facts.tables.get(name, ((), []))
        left_out = set() if len(self.facts.asked.players) > 1 else {"players"}
        there = tuple(each for each in shown if each.removesuffix("+") in set(columns) - left_out)
        return [ReportTable(name, title, columns, rows, there, note, self._place)] if rows else []

    @cached_property
    def _place(self) -> dict[str, int]:
        """The place of each strategy in the main table."""
        return {str(row["strategy"]): at for at, row in enumerate(next(iter(self.facts.tables.values()))[1])}

    @cached_property
    def _charts(self) -> FieldCharts:
        return FieldCharts(self.facts.kind, self.facts.tables)

    def _better(self) -> Section:
        found: list[ReportTable] = []
        perturbed = self.facts.asked.perturbed
        for name, title, *shown in (
            ("standings", "Standings", "strategy", "win_share+", "group", "margin+", "games"),
            ("candidates", "Candidates", "strategy", "win_share+", "score+", "win_share_ahead+", "p", "behind+",
             "dropped", "games"),
            ("settings", "Before and then", "strategy", "score+", "score_then+", "score_change+", "score_p",
             "win_share+", "win_share_then+", "win_share_change+", "win_share_p", "games"),
            ("places", "Places with the first deck and with the others" if perturbed else "Places before and then",
             "strategy", "place", "best_place", "worst_place", "same_place",
             "win_share+", "lowest_win_share+", "highest_win_share+", "verdict", "games"),
        ):  # fmt: skip
            found += self._table(name, title, *shown)
        answer = next(_answers(self.facts), "")
        charts = [
            replace(chart, alt=f"{chart.alt} {answer}") for name in MAIN_TABLES for chart in self._charts.of(name)
        ]
        return Section("better", "Who is better", self.facts.words, charts, found)

    def _head_to_head(self) -> Section:
        words = ["How much more the first wins and scores than the second, at the tables where both sit."]
        charts = self._charts.of("head-to-head")
        shown = ("strategy", "opponent", "win_share+", "score+", "p_holm", "games")
        return Section("head-to-head", "Head to head", words, charts, self._table("pairs", "All pairs", *shown))

    def _scores(self) -> Section:
        asked = self.facts.asked
        words = [
            "How the scores of single games spread, and their means. Figures of games (scores and their parts, bids, "
            "turn order) are means of all games played; their intervals are ordinary ones, for the line-ups that played"
            + (", a little too narrow after stopping by the results." if asked.stopping.looks else ".")
        ]
        if asked.shape in {CANDIDATES, RACE}:
            words.append("Candidates that also sat beside others count here in those places too.")
        shown = ("strategy", "setting", "players", "mean_score+", "sd_score", "score_q05", "score_q25", "score_median",
                 "score_q75", "score_q95", "games")  # fmt: skip
        tables = self._table("scores", "Scores of single games, in points", *shown)
        tables += self._table("histogram", "How often each score was made")
        tables += self._table("victories", "How many shared the victory", "players", "winners", "share+", "games")
        return Section("scores", "Scores", words, self._charts.of("scores"), tables)

    def _parts(self) -> Section:
        game = self.facts.asked.game
        charts = self._charts.of("points")
        who = ("strategy", "setting", "players")
        parts = self._table("scores", "Mean points a game by part of the score", *who, "mean_score", *game.score_parts)
        counts = self._table("scores", "Mean number a game", *who, *game.counted) if game.counted else []
        return Section("points", "Where the points come from", (), charts, [*parts, *counts])

    def _bids(self) -> Section:
        words = [
            "The exact odds are those of the best play for success without chips, at the modifiers that came up; chips "
            "that were spent and other aims make the difference."
        ]
        charts = [*self._charts.of("bids"), *self._charts.of("gains-by-bid")]
        who = ("strategy", "setting", "players", "bid")
        tables = self._table("attempts", "How dice actions ended, by bid", *who, "actions", "p_success+", "p_three",
                             "p_two", "p_one", "p_under_14")  # fmt: skip
        tables += self._table("calibration", "Success by bid and modifier")
        tables += self._table("bids", "Points gained in a round, by bid", *who, "points+", "rounds")
        return Section("bids", "Bids", words, charts, tables)

    def _turns(self) -> Section:
        words = ["Points gained in a round, chips included, by place in the turn order; 1 goes first."]
        shown = ("strategy", "setting", "players", "place", "points+", "rounds")
        charts = self._charts.of("gains-by-turn")
        return Section(
            "turns",
            "Going early or late",
            words,
            charts,
            self._table("turns", "Points gained in a round, by place in the turn order", *shown),
        )

    def _seats(self) -> Section:
        charts = [*self._charts.of("players"), *self._charts.of("seats")]
        shown = ("strategy", "players", "seat", "win_share+", "score+", "games")
        note = "Seats are counted from 0, as everywhere; without a number: all seats together."
        tables = self._table("seats", "Win share and score by seat", *shown, note=note)
        return Section("seats", "Seats and numbers of players", (), charts, tables)

    def _ratings(self) -> Section:
        words = [
            "Plackett-Luce ratings on finishing orders: with 400 points more one is ahead ten times out of eleven; the "
            "field's mean is 1500."
        ]
        charts = self._charts.of("ratings")
        tables = self._table("standings", "Ratings", "strategy", "rating+", "games") if charts else []
        return Section("ratings", "Ratings", words, charts, tables)

    def _luck(self) -> Section:
        words = ["What makes the scores of single games differ: how much of their variance comes from where."]
        tables = self._table("luck", "Share of the variance of single scores", "players", "source", "share+")
        note = "By how much playing all rotations of the seats on one deck and dice made the variance smaller."
        tables += self._table("rotation", "What rotating brings", "strategy", "win_share", "score", note=note)
        return Section("luck", "Luck and skill", words, self._charts.of("luck"), tables)

    def _field(self) -> Section:
        words = ["If everybody draws a strategy from this mixture, nobody gains by another of the field."]
        charts = self._charts.of("mixture")
        tables = self._table("mixture", "Mixture", "strategy", "players", "share+", "payoff")
        shown = ("cycle", "strategy", "opponent", "win_share+", "p_holm", "won", "clear")
        tables += self._table("cycles", "Who beats whom in circles", *shown)
        tables += self._table("payoff", "What each wins against each mixture of others")
        tables += self._table("line-ups", "Win shares by line-up")
        return Section("field", "What to play against this field", words, charts, tables)

    def _extremes(self) -> Section:
        words = ["They were played once more for this report, to be followed with the rulebook."]
        return Section("extremes", "The most extreme games", words, stories=self.facts.stories)
