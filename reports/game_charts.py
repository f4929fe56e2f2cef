"""The picture of a simulation: which panels it has, and what its title says."""

import textwrap
from collections.abc import Sequence

from matplotlib.figure import Figure

from analyzer.wool_rules.summary import Summary
from reports import game_plots
from reports.export import RECONSTRUCTED
from reports.frames import labelled_frames
from reports.plots import drawable, rules_note
from reports.words import shortened

TITLE_WIDTH = 130
"""Letters in a line of the title."""

_KEY_WIDTH, _KEY_HANDLE = 165, 12
"""Letters that fit side by side in the key, and those that the piece of line before a name takes."""

_SIZE = (14.0, 10.4)


def simulation_figure(summary: Summary) -> Figure:
    """Draw a simulation: distributions and parts of scores, success against the exact odds, gains by place.

    Parameters
    ----------
    summary : Summary

    Returns
    -------
    Figure
    """
    frames = labelled_frames(summary)
    seats, places = frames["seats"], frames["places"]
    figure = Figure(figsize=_SIZE, layout="constrained")
    upper, lower = figure.subplots(2, 2)
    game_plots.score_distributions(frames["histogram"], upper[0], key=False)
    game_plots.score_parts(seats, upper[1])
    game_plots.calibration(frames["calibration"], lower[0], key=False)
    game_plots.gains_by_place(places, lower[1], key=False)
    figure.suptitle(simulation_title(summary), fontsize=12).set_parse_math(False)
    handles = list(game_plots.seat_handles(seats))
    key = figure.legend(
        handles=handles,
        loc="outside lower center",
        ncols=_key_columns([str(handle.get_label()) for handle in handles]),
        frameon=False,
        handlelength=4.5,
    )
    for text in key.get_texts():
        text.set_parse_math(False)
    return figure


def _key_columns(names: Sequence[str]) -> int:
    """Return how many names fit side by side."""
    return max(1, min(len(names), _KEY_WIDTH // (max(map(len, names)) + _KEY_HANDLE)))


def simulation_title(summary: Summary) -> str:
    """Say what was simulated: games, seatings, seed, deck and what differs from the standard rules."""
    question = summary.question
    alone = summary.sums.games == 1
    games = "1 game" if alone else f"{summary.sums.games:,} games"
    seatings = f"{'' if alone else ', each'} in {summary.seatings} seatings" if summary.seatings > 1 else ""
    intervals = "one game says nothing about the error" if alone else "95 % intervals"
    deck = f"deck {shortened(drawable(question.deck.name), 60)}"
    if question.deck.is_shipped:
        deck += f" ({RECONSTRUCTED})"
    text = f"Wool Rules: {question.players} players, {games}{seatings}, seed {question.seed}; {intervals}\n{deck}"
    text += rules_note(question.rules)
    lines = [line for part in text.split("\n") for line in textwrap.wrap(part, TITLE_WIDTH, break_on_hyphens=False)]
    return "\n".join(lines)
