"""Charts of simulated games by what they contain: heights, positions, labels, intervals. Never by pixels."""

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
from matplotlib.axes import Axes
from matplotlib.collections import PathCollection
from matplotlib.colors import to_rgb
from matplotlib.container import BarContainer, ErrorbarContainer
from matplotlib.figure import Figure

from analyzer.wool_rules.constants import SCORE_PARTS
from analyzer.wool_rules.deck import shipped_deck
from analyzer.wool_rules.games import GamePlayer, Question
from analyzer.wool_rules.rules import STANDARD, Rules
from analyzer.wool_rules.summary import Summary
from reports import game_plots
from reports.frames import labelled_frames, summary_frames
from reports.game_charts import simulation_figure
from reports.plots import drawable
from reports.words import shortened
from strategies.registry import strategy

LEVELS = ("plain:level=14", "plain:level=20", "plain:level=22", "random", "plain:level=18", "plain:level=27")
HOSTILE = "/home/我/$my$ <b>\"quoted\"</b> 'it' 😀🧶 \\frac{1}$x_1^2$\n\t%s {0} _ & #" + "y" * 150 + ".py:Mine:level=3"


@cache
def played(*specs: str, games: int = 400, rotate: bool = False, rules: Rules = STANDARD) -> Summary:
    question = Question(tuple(strategy(spec) for spec in specs), rules, shipped_deck(), 7, rotate)
    return Summary(question, GamePlayer(question)(0, games))


def named(summary: Summary, *specs: str) -> Summary:
    """Return a summary whose strategies are called otherwise."""
    strategies = tuple(
        replace(old, spec=spec, given=spec) for old, spec in zip(summary.question.strategies, specs, strict=True)
    )
    return replace(summary, question=replace(summary.question, strategies=strategies))


@pytest.fixture(scope="module")
def summary() -> Summary:
    """Return enough games for scores to be counted one by one."""
    return played("plain:level=20", "random", "plain:level=14", games=3000, rotate=True)


def distribution_frame(summary: Summary) -> pd.DataFrame:
    return labelled_frames(summary)["histogram"]


def drawn(draw: Callable[..., Figure], frame: pd.DataFrame, **more: bool) -> Axes:
    """Draw a frame; it stays as it was, and the figure is returned."""
    figure = Figure(layout="constrained")
    axes = figure.subplots()
    before = frame.copy()
    assert draw(frame, axes, **more) is figure
    pd.testing.assert_frame_equal(frame, before)
    figure.draw_without_rendering()
    return axes


def ticks(axes: Axes, which: str) -> list[str]:
    axis = axes.xaxis if which == "x" else axes.yaxis
    return [text.get_text() for text in axis.get_ticklabels()]


def legend(axes: Axes) -> list[str]:
    found = axes.get_legend()
    assert found is not None
    return [text.get_text() for text in found.get_texts()]


def texts(axes: Axes) -> str:
    return "\n".join(text.get_text() for text in axes.texts)


def bars_of_error(axes: Axes) -> list[ErrorbarContainer]:
    return [container for container in axes.containers if isinstance(container, ErrorbarContainer)]


def spans(container: ErrorbarContainer, axis: int = 1) -> np.ndarray:
    """Return the ends of the bars of an errorbar plot."""
    _, _, collections = container.lines
    return np.array([segment[:, axis] for segment in collections[0].get_segments()])


def curve(axes: Axes, seat: int) -> tuple[np.ndarray, np.ndarray]:
    (line,) = (line for line in axes.get_lines() if str(line.get_label()).startswith(f"seat {seat}:"))
    return np.asarray(line.get_xdata(), float), np.asarray(line.get_ydata(), float)


# Frames


def test_frames_have_every_table_and_every_value(summary: Summary) -> None:
    frames = summary_frames(summary)
    assert frames.keys() == summary.tables().keys()
    for name, (columns, rows) in summary.tables().items():
        frame = frames[name]
        assert list(frame.columns) == list(columns)
        for column in columns:
            values = [None if pd.isna(value) else value for value in frame[column]]
            assert values == [row[column] for row in rows], (name, column)


def test_what_is_missing_is_not_a_number() -> None:
    frame = summary_frames(played("plain:level=14", "plain:level=20", "plain:level=22", games=1))["seats"]
    assert frame["mean_score_low"].isna().all()
    assert np.isnan(frame["p_success"].iloc[0])  # always last: never rolls
    assert frame["actions"].iloc[0] == 0


# Distributions


def test_lines_are_the_shares_of_games_by_score(summary: Summary) -> None:
    frame = distribution_frame(summary)
    axes = drawn(game_plots.score_distributions, frame)
    for seat in range(3):
        rows = frame[frame["seat"] == seat]
        wanted = dict(zip(rows["score"], rows["games"] / (3000 * 3), strict=True))
        x, y = curve(axes, seat)
        assert y == pytest.approx([float(wanted.get(int(score), 0)) for score in x])
        assert y.sum() == pytest.approx(1)
    assert axes.get_xlabel() == "score (points)"
    assert axes.get_ylabel() == "games"
    assert all(label.endswith("%") for label in ticks(axes, "y"))
    assert legend(axes) == ["seat 0: plain:level=20", "seat 1: random", "seat 2: plain:level=14"]


def test_means_stand_above_the_lines_with_their_intervals(summary: Summary) -> None:
    axes = drawn(game_plots.score_distributions, distribution_frame(summary))
    seats = summary_frames(summary)["seats"]
    top = max(curve(axes, seat)[1].max() for seat in range(3)) / axes.get_ylim()[1]
    for container, row in zip(bars_of_error(axes), seats.itertuples(), strict=True):
        point = container.lines[0]
        assert point is not None
        assert np.asarray(point.get_xdata()).tolist() == [row.mean_score]
        assert spans(container, 0)[0] == pytest.approx([row.mean_score_low, row.mean_score_high])
        assert float(np.asarray(point.get_ydata())[0]) > top
        assert f"{row.mean_score:.1f}" in texts(axes)


@pytest.mark.parametrize(("games", "step"), [(1, 10), (400, 10), (600, 5), (1300, 2), (2500, 1)])
def test_few_games_are_counted_in_larger_steps(games: int, step: int) -> None:
    frame = distribution_frame(played("random", "random", games=games))
    axes = drawn(game_plots.score_distributions, frame)
    assert (f"steps of {step} points" in axes.get_ylabel()) == (step > 1)
    for seat in range(2):
        rows = frame[frame["seat"] == seat]
        x, y = curve(axes, seat)
        assert np.diff(x) == pytest.approx(np.full(len(x) - 1, step))
        first = x - (step - 1) / 2
        assert (first % step == 0).all()
        score = rows["score"].to_numpy(float)
        inside = (score >= first[:, None]) & (score < first[:, None] + step)
        assert y == pytest.approx(inside @ rows["games"].to_numpy(float) / games)
        assert y.sum() == pytest.approx(1)


def test_a_single_score_far_above_all_others_is_cut_off_and_that_is_said() -> None:
    scores = [*range(50), 7]
    frame = pd.DataFrame(
        {
            "seat": pd.array([0] * 50 + [1], "Int64"),
            "strategy": pd.array(["flat"] * 50 + ["spike"], "string"),
            "score": pd.array(scores, "Int64"),
            "games": pd.array([100] * 50 + [5000], "Int64"),
            "mean_score": [24.5] * 50 + [7.0],
            "mean_score_low": [24.0] * 50 + [6.9],
            "mean_score_high": [25.0] * 50 + [7.1],
        }
    )
    axes = drawn(game_plots.score_distributions, frame)
    assert curve(axes, 1)[1].max() == pytest.approx(1.5 * 0.02)
    assert curve(axes, 0)[1].max() == pytest.approx(0.02)
    assert "7.0 (line cut off: 100% at 7)" in texts(axes)
    assert "24.5\n" in texts(axes)


def test_lines_differ_in_more_than_colour() -> None:
    axes = drawn(game_plots.score_distributions, distribution_frame(played(*LEVELS)))
    lines = [line for line in axes.get_lines() if str(line.get_label()).startswith("seat")]
    assert len({line.get_marker() for line in lines}) == len({str(line.get_color()) for line in lines}) == 6
    assert len({str(game_plots.seat_style(seat)[2]) for seat in range(6)}) == 6
    for line in lines:
        shown = np.asarray(line.get_ydata(), float)[line.get_markevery()]  # type: ignore[index]
        assert len(shown) > 0
        assert (shown > 0).all()


# Parts of scores


@pytest.mark.parametrize("rules", [STANDARD, Rules(dog_single=-7, dog_most=3, three_seven_zero=(-3, -14, 0))])
def test_parts_are_stacked_losses_below_zero(rules: Rules) -> None:
    frame = summary_frames(played("plain:level=20", "random", "plain:level=14", rules=rules))["seats"]
    axes = drawn(game_plots.score_parts, frame)
    bars = [container for container in axes.containers if isinstance(container, BarContainer)]
    for seat in range(3):
        ends = {True: 0.0, False: 0.0}
        for container, part in zip(bars, SCORE_PARTS, strict=True):
            bar, value = container[seat], float(frame[part].iloc[seat])
            assert bar.get_height() == pytest.approx(value)
            assert bar.get_y() == pytest.approx(ends[value >= 0])
            ends[value >= 0] += value
        assert sum(ends.values()) == pytest.approx(frame["mean_score"].iloc[seat])
        low, high = axes.get_ylim()
        assert low < ends[False]
        assert high > ends[True]


def test_the_score_is_marked_with_its_interval(summary: Summary) -> None:
    frame = summary_frames(summary)["seats"]
    axes = drawn(game_plots.score_parts, frame)
    (container,) = bars_of_error(axes)
    assert container.lines[0] is not None
    assert np.asarray(container.lines[0].get_ydata()).tolist() == frame["mean_score"].tolist()
    assert spans(container) == pytest.approx(frame[["mean_score_low", "mean_score_high"]].to_numpy())
    assert [text.get_text() for text in axes.texts] == [f"{mean:.1f}" for mean in frame["mean_score"]]
    assert legend(axes) == [
        *("white sheep", "black sheep", "3-7-0", "0-0-7", "single dog", "most dogs", "bone", "chips"),
        "score with its interval",
    ]
    assert ticks(axes, "x") == ["seat 0\nplain:level=20", "seat 1\nrandom", "seat 2\nplain:level=14"]
    assert "points" in axes.get_ylabel()


def test_parts_differ_in_grey_or_in_hatching(summary: Summary) -> None:
    axes = drawn(game_plots.score_parts, summary_frames(summary)["seats"])
    looks = {}
    for container in axes.containers:
        if isinstance(container, BarContainer):
            shade = float(np.dot(to_rgb(container[0].get_facecolor()), (0.299, 0.587, 0.114)))
            looks[container.get_label()] = (shade, container[0].get_hatch() or "")
    for one, (shade, hatch) in looks.items():
        assert all(
            abs(shade - other_shade) > 0.15 or hatch != other_hatch
            for other, (other_shade, other_hatch) in looks.items()
            if other != one
        )


def test_names_below_the_bars_do_not_overlap() -> None:
    specs = [f"plain:level={level}/hold=keep-above-mean/pick=random" for level in range(20, 26)]
    figure = simulation_figure(named(played(*LEVELS), *specs))
    figure.draw_without_rendering()
    axes = figure.axes[1]
    boxes = [label.get_window_extent() for label in axes.get_xticklabels()]
    assert len(boxes) == 6
    for left, right in pairwise(boxes):
        assert left.x1 < right.x0
    assert all(len(label.split("\n")) == 3 for label in ticks(axes, "x"))


# Success against the exact odds


def points(axes: Axes) -> dict[str, PathCollection]:
    return {
        str(found.get_label()): found
        for found in axes.collections
        if isinstance(found, PathCollection) and str(found.get_label()).startswith("seat")
    }


def test_points_are_what_was_observed_at_the_exact_odds(summary: Summary) -> None:
    frame = summary_frames(summary)["calibration"]
    axes = drawn(game_plots.calibration, frame)
    often = frame[frame["actions"] >= 30]
    found = points(axes)
    assert len(found) == often["seat"].nunique()
    for container, (seat, rows) in zip(bars_of_error(axes), often.groupby("seat"), strict=True):
        scattered = found[f"seat {seat}: {rows['strategy'].iloc[0]}"]
        assert np.asarray(scattered.get_offsets()) == pytest.approx(rows[["exact_p_success", "p_success"]].to_numpy())
        assert spans(container) == pytest.approx(rows[["p_success_low", "p_success_high"]].to_numpy())
        order = np.argsort(rows["actions"].to_numpy(int), kind="stable")
        assert (np.diff(scattered.get_sizes()[order]) >= 0).all()
    (diagonal,) = (line for line in axes.get_lines() if line.get_label() == "as the exact odds")
    assert np.asarray(diagonal.get_xdata()).tolist() == np.asarray(diagonal.get_ydata()).tolist() == [0, 1]
    assert "exact odds" in axes.get_xlabel()
    assert "observed" in axes.get_ylabel()
    assert all(label.endswith("%") for label in ticks(axes, "x") + ticks(axes, "y"))


def test_rare_points_are_left_out_and_that_is_said(summary: Summary) -> None:
    frame = summary_frames(summary)["calibration"]
    frame["actions"] = pd.array([29] * 5 + [30] * (len(frame) - 5), "Int64")
    axes = drawn(game_plots.calibration, frame)
    assert sum(len(found.get_sizes()) for found in points(axes).values()) == len(frame) - 5
    assert f"left out: 5 of {len(frame)} points" in texts(axes)
    assert f"{145 / (145 + 30 * (len(frame) - 5)):.1%}" in texts(axes)
    frame["actions"] = pd.array([30] * len(frame), "Int64")
    assert "no point left out" in texts(drawn(game_plots.calibration, frame))


def test_nothing_but_rare_points_or_no_dice_actions_at_all_is_drawn_too(summary: Summary) -> None:
    frame = summary_frames(summary)["calibration"]
    frame["actions"] = pd.array([1] * len(frame), "Int64")
    assert f"left out: {len(frame)} of {len(frame)}" in texts(drawn(game_plots.calibration, frame))
    assert "no dice actions" in texts(drawn(game_plots.calibration, frame.iloc[:0]))


def test_the_sizes_of_points_are_explained(summary: Summary) -> None:
    axes = drawn(game_plots.calibration, summary_frames(summary)["calibration"], key=False)
    found = axes.get_legend()
    assert found is not None
    assert found.get_title().get_text() == "dice actions"
    numbers = [int(label.replace(",", "")) for label in legend(axes)]
    assert numbers[0] == 30
    assert numbers == sorted(numbers)


# Gains by place


def test_gains_stand_at_their_places_with_intervals(summary: Summary) -> None:
    frame = summary_frames(summary)["places"]
    axes = drawn(game_plots.gains_by_place, frame)
    for container, (seat, rows) in zip(bars_of_error(axes), frame.groupby("seat"), strict=True):
        line = container.lines[0]
        assert line is not None
        assert np.asarray(line.get_ydata()).tolist() == rows["points"].tolist()
        assert np.round(np.asarray(line.get_xdata(), float)).tolist() == rows["place"].tolist()
        assert spans(container) == pytest.approx(rows[["points_low", "points_high"]].to_numpy())
        assert str(container.get_label()).startswith(f"seat {seat}:")
    assert ticks(axes, "x") == ["1", "2", "3"]
    assert "turn order" in axes.get_xlabel()
    assert "points" in axes.get_ylabel()


# The whole picture


def test_the_picture_has_four_panels_and_a_key_of_all_seats(summary: Summary) -> None:
    figure = simulation_figure(summary)
    figure.draw_without_rendering()
    titles = [axes.get_title(loc="left") for axes in figure.axes]
    assert len(titles) == len(set(titles)) == 4
    (key,) = figure.legends
    assert [text.get_text() for text in key.get_texts()] == [
        "seat 0: plain:level=20",
        "seat 1: random",
        "seat 2: plain:level=14",
    ]
    title = figure.get_suptitle()
    for part in ("3 players", "3,000 games, each in 3 seatings", "seed 7", "95 %", "deck reconstructed", "assumption"):
        assert part in title
    assert "rules" not in title


def test_the_title_says_which_rules_are_changed_and_whose_deck_it_is() -> None:
    mine = played("random", "random", rules=Rules(dog_most=-9, chips_start=1))
    title = simulation_figure(mine).get_suptitle()
    assert "rules changed: chips_start, dog_most" in title
    assert "400 games, seed" in title
    cards = list(shipped_deck().cards)
    cards[0] = replace(cards[0], points=2)
    other = replace(mine.question.deck, name="a$b$" + "c" * 300, cards=tuple(cards))
    figure = simulation_figure(replace(mine, question=replace(mine.question, deck=other)))
    figure.draw_without_rendering()
    assert "deck a$b$c" in figure.get_suptitle()
    assert "assumption" not in figure.get_suptitle()


@pytest.mark.parametrize("players", [2, 3, 6])
@pytest.mark.parametrize("games", [1, 400])
def test_pictures_of_any_number_of_players_and_of_a_single_game(players: int, games: int) -> None:
    summary = played(*LEVELS[:players], games=games)
    figure = simulation_figure(summary)
    figure.draw_without_rendering()
    (key,) = figure.legends
    assert len(key.get_texts()) == players
    assert ("one game says nothing about the error" in figure.get_suptitle()) == (games == 1)
    if games == 1:
        for axes in (figure.axes[0], figure.axes[1], figure.axes[3]):
            bars = [bars for container in bars_of_error(axes) for bars in container.lines[2]]
            assert bars
            assert all(np.isnan(segment).any() or segment.size == 0 for each in bars for segment in each.get_segments())
    if players == 3:  # bids 14 against 20 and 22: always last, never rolls
        assert "seat 0: plain:level=14" not in points(figure.axes[2])


@pytest.mark.parametrize("players", [2, 6])
def test_any_name_of_a_strategy_is_drawn_as_it_is_and_stays_inside_the_picture(players: int) -> None:
    summary = named(played(*LEVELS[:players]), *[HOSTILE] * players)
    figure = simulation_figure(summary)
    figure.draw_without_rendering()
    (key,) = figure.legends
    width = figure.get_figwidth() * figure.dpi
    for text in (*key.get_texts(), *figure.axes[1].get_xticklabels()):
        assert not text.get_parse_math()
        assert "…" in text.get_text()
        box = text.get_window_extent()
        assert box.x0 >= 0
        assert box.x1 <= width
    assert key.get_texts()[0].get_text().startswith('seat 0: /home/?/$my$ <b>"quoted"')
    assert key.get_texts()[0].get_text().endswith(".py:Mine:level=3")


def test_signs_that_the_font_does_not_have_become_question_marks() -> None:
    assert drawable("plain:level=20/ß→Ω") == "plain:level=20/ß→Ω"
    assert drawable("a我b\nc\0\U000e0001") == "a?b?c??"


def test_the_middle_of_a_long_name_gives_way() -> None:
    assert shortened("abcdefgh", 8) == "abcdefgh"
    assert shortened("abcdefghi", 8) == "abcd…ghi"
    assert shortened("abcdefghi", 7) == "abc…ghi"
    for width in range(1, 12):
        assert len(shortened("x" * 100, width)) == width
