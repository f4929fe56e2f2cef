"""Charts of fields of strategies by what they contain: positions, intervals, figures, labels. Never by pixels."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib.axes import Axes
from matplotlib.collections import QuadMesh
from matplotlib.colors import to_rgb
from matplotlib.container import BarContainer, ErrorbarContainer
from matplotlib.figure import Figure
from matplotlib.patches import Polygon

from analyzer.luck import SOURCES
from analyzer.wool_rules.constants import SCORE_PARTS
from reports import field_bids, field_grids, field_plots, field_scores
from reports.chart_style import FIXED_BLACK, FIXED_WHITE, LINES, PARTS, ink_on, short_names
from reports.field_charts import CHARTS, pictures

HOSTILE = "/home/我/$my$ <b>\"quoted\"</b> 'it' 😀🧶 \\frac{1}$x_1^2$\n\t%s {0} _ & #" + "y" * 150 + ".py:Mine:level="
BIDS = ("14", "16", "20", "26", "26+")


def names(n: int) -> list[str]:
    return ["value", "_mine.py:A", *(f"plain:level={level}" for level in range(14, 12 + n))][:n]


def interval(name: str, value: float, half: float) -> dict[str, float]:
    return {name: value, f"{name}_low": value - half, f"{name}_high": value + half}


def frames(who: list[str], counts: tuple[int, ...] = (3,)) -> dict[str, pd.DataFrame]:
    """Return every table of a field, the first strategy the best, one percent ahead of the next."""
    n, rng = len(who), np.random.default_rng(1)
    skill = {name: 0.01 * ((n - 1) / 2 - at) for at, name in enumerate(who)}
    standings = [
        {"strategy": name, "games": 900, "group": at // 2 + 1}
        | interval("win_share", 1 / 3 + skill[name], 0.01)
        | interval("rating", 1500 + 1000 * skill[name], 15)
        for at, name in enumerate(who)
    ]
    pairs = [
        {"strategy": other, "opponent": one, "p_holm": 0.001 if skill[one] - skill[other] > 0.015 else 0.5}
        | interval("win_share", skill[other] - skill[one], 0.01)
        for at, one in enumerate(who)
        for other in who[at + 1 :]
    ]
    tables: dict[str, list[dict[str, Any]]] = {"standings": standings, "pairs": pairs}
    for players in counts:
        for name in who:
            key = {"players": players, "strategy": name}
            for seat in (pd.NA, *range(players)):
                share = 1 / players + skill[name] + (0 if seat is pd.NA else 0.02 * (seat - (players - 1) / 2))
                tables.setdefault("seats", []).append(key | {"seat": seat} | interval("win_share", share, 0.015))
            parts = dict(zip(SCORE_PARTS, rng.uniform(-5, 30, len(SCORE_PARTS)), strict=True))
            row = key | parts | interval("mean_score", sum(parts.values()), 0.7)
            tables.setdefault("scores", []).append(row)
            scores, games = np.unique(rng.integers(-20, 120, 3000), return_counts=True)
            rows = [key | {"score": int(s), "games": int(g)} for s, g in zip(scores, games, strict=True)]
            tables.setdefault("histogram", []).extend(rows)
            for at, bid in enumerate(BIDS):
                gain = key | {"bid": bid} | interval("points", 6 - 2 * at + skill[name], 0.4)
                tables.setdefault("bids", []).append(gain)
                done = key | {"bid": bid, "actions": 400} | interval("p_success", 0.8 - 0.15 * at, 0.03)
                tables.setdefault("attempts", []).append(done)
                for modifier, actions in ((-1, 100), (2, 300)):
                    odds = {"exact_p_success": 0.9 - 0.15 * at + 0.02 * modifier, "p_success": 0.8 - 0.15 * at}
                    row = key | {"bid": bid, "modifier": modifier, "actions": actions} | odds
                    tables.setdefault("calibration", []).append(row)
            turns = [key | {"place": p} | interval("points", 5 - p, 0.3) for p in range(1, players + 1)]
            tables.setdefault("turns", []).extend(turns)
            share = max(0.0, 0.6 - 0.3 * who.index(name))
            tables.setdefault("mixture", []).append(key | interval("share", share, min(share, 0.1)))
        luck = [
            {"players": players, "source": source} | interval("share", share, 0.01)
            for source, share in zip(SOURCES, (0.3, 0.2, 0.01, 0.49), strict=True)
        ]
        tables.setdefault("luck", []).extend(luck)
    tables["settings"] = [row | interval("win_share_then", 0.3, 0.02) for row in standings]
    tables["places"] = [
        row | {"lowest_win_share": 0.1, "highest_win_share": 0.5, "verdict": "survives"} for row in standings
    ]
    tables["candidates"] = [
        {"strategy": name} | interval("win_share_ahead", skill[name] - skill[who[0]] if at else np.nan, 0.01)
        for at, name in enumerate(who)
    ]
    return {name: typed(pd.DataFrame(rows)) for name, rows in tables.items()}


def typed(frame: pd.DataFrame) -> pd.DataFrame:
    for name in frame.columns:
        if name in {"strategy", "opponent", "bid", "source", "verdict"}:
            frame[name] = frame[name].astype("string")
        elif name in {"players", "seat", "group", "games", "actions", "place", "score", "modifier"}:
            frame[name] = frame[name].astype("Int64")
    return frame


def drawn(draw: Callable[..., Figure], frame: pd.DataFrame, **more: Any) -> Axes:
    """Draw a frame; it stays as it was, and the figure is returned."""
    figure = Figure(figsize=(9, 6), layout="constrained")
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


def texts(axes: Axes) -> list[str]:
    return [text.get_text() for text in axes.texts]


def error_bars(axes: Axes) -> list[ErrorbarContainer]:
    return [container for container in axes.containers if isinstance(container, ErrorbarContainer)]


def points(container: ErrorbarContainer) -> np.ndarray:
    line = container.lines[0]
    assert line is not None
    return np.stack([np.asarray(line.get_xdata(), float), np.asarray(line.get_ydata(), float)], axis=1)


def spans(container: ErrorbarContainer, axis: int) -> np.ndarray:
    return np.array([segment[:, axis] for segment in container.lines[2][0].get_segments()])


def cells(axes: Axes) -> np.ndarray:
    (mesh,) = (found for found in axes.collections if isinstance(found, QuadMesh))
    return np.ma.filled(np.ma.asarray(mesh.get_array(), float), np.nan)


# Who is better


def test_win_shares_stand_in_rows_with_their_intervals_the_best_on_top() -> None:
    frame = frames(names(5))["standings"]
    axes = drawn(field_plots.standings_chart, frame, players=3)
    (container,) = error_bars(axes)
    assert points(container)[:, 0] == pytest.approx(100 * frame["win_share"].to_numpy(float))
    assert points(container)[:, 1].tolist() == [0, 1, 2, 3, 4]
    assert spans(container, 0) == pytest.approx(100 * frame[["win_share_low", "win_share_high"]].to_numpy(float))
    assert ticks(axes, "y") == list(frame["strategy"])
    assert axes.get_ylim()[0] > axes.get_ylim()[1]
    assert "%" in axes.get_xlabel()
    assert "equal share" in texts(axes)
    assert f"{100 * frame['win_share'].iloc[0]:.1f}" in texts(axes)
    assert "equal share" not in texts(drawn(field_plots.standings_chart, frame))


@pytest.mark.parametrize(
    ("groups", "wanted"),
    [
        ([1, 1, 2, 2, 3], ["group 1", "group 2", "group 3"]),
        ([1, 2, 1, 1, 1], ["group 1", "group 2", "group 1"]),
        ([1, pd.NA, pd.NA, 1, 2], ["group 1", "group 1", "group 2"]),
        ([pd.NA] * 5, []),
    ],
)
def test_groups_are_bracketed(groups: list[Any], wanted: list[str]) -> None:
    frame = frames(names(5))["standings"].assign(group=pd.array(groups, "Int64"))
    axes = drawn(field_plots.standings_chart, frame)
    labels = [text for text in axes.texts if text.get_text().startswith("group")]
    assert [text.get_text() for text in labels] == wanted
    brackets = [line for line in axes.get_lines() if not line.get_clip_on()]
    inside = [
        {frame["group"].iloc[row] for row in range(5) if y.min() < row < y.max()}
        for y in (np.asarray(line.get_ydata(), float) for line in brackets)
    ]
    assert inside == [{int(word.split()[1])} for word in wanted]


def test_ratings_have_a_line_at_the_mean_and_nothing_where_none_is_known() -> None:
    frame = frames(names(4))["standings"]
    frame.loc[3, ["rating", "rating_low", "rating_high"]] = np.nan
    axes = drawn(field_plots.ratings_chart, frame)
    assert np.isnan(points(error_bars(axes)[0])[3]).any()
    assert texts(axes) == ["1515", "1505", "1495", "mean of the field"]
    assert any(np.asarray(line.get_xdata()).tolist() == [1500, 1500] for line in axes.get_lines())
    shown = {picture.name: picture for picture in pictures({"standings": frame})}
    assert list(shown["ratings"].frame["strategy"]) == names(3)


def test_win_shares_by_players_are_drawn_from_an_equal_share() -> None:
    frame = frames(names(4), (3, 4))["seats"]
    axes = drawn(field_plots.win_share_by_players, frame)
    together = frame[frame["seat"].isna()]
    for container, players in zip(error_bars(axes), (3, 4), strict=True):
        rows = together[together["players"] == players]
        over = 100 * rows["win_share"].to_numpy(float) - 100 / players
        assert points(container)[:, 0] == pytest.approx(over)
        assert np.round(points(container)[:, 1]).tolist() == [0, 1, 2, 3]
        assert np.diff(spans(container, 0))[:, 0] == pytest.approx(np.full(4, 3.0))
    assert legend(axes) == ["3 players", "4 players"]
    assert "players" not in {picture.name for picture in pictures({"seats": frame[frame["players"] == 3]})}


def test_the_mixture_shows_who_has_a_share_and_counts_the_others() -> None:
    frame = frames(names(6))["mixture"]
    axes = drawn(field_plots.mixture_chart, frame)
    assert ticks(axes, "y") == names(2)
    assert points(error_bars(axes)[0])[:, 0] == pytest.approx([60, 30])
    assert "4 more with no share" in axes.get_xlabel()
    assert "more" not in drawn(field_plots.mixture_chart, frame.iloc[:2]).get_xlabel()


def test_luck_is_stacked_to_a_hundred() -> None:
    frame = frames(names(2), (3, 4))["luck"]
    axes = drawn(field_plots.luck_chart, frame)
    bars = [container for container in axes.containers if isinstance(container, BarContainer)]
    assert legend(axes) == list(SOURCES)
    assert [bar.get_width() for bar in (each[0] for each in bars)] == pytest.approx([30, 20, 1, 49])
    assert bars[-1][1].get_x() + bars[-1][1].get_width() == pytest.approx(100)
    assert texts(axes).count("49.0 ±1.0") == 2
    assert not any(text.startswith("1.0") for text in texts(axes))  # no room for the seat's
    assert ticks(axes, "y") == ["3 players", "4 players"]
    frame[["share_low", "share_high"]] = np.nan
    assert "49.0" in texts(drawn(field_plots.luck_chart, frame))
    frame["share"] = np.nan
    assert texts(drawn(field_plots.luck_chart, frame)) == []


def test_candidates_are_drawn_from_the_first_and_from_the_best() -> None:
    frame = frames(names(3))["candidates"]
    axes = drawn(field_plots.ahead_chart, frame)
    assert points(error_bars(axes)[0])[:, 0] == pytest.approx([0, -1, -2])
    assert "value" in axes.get_xlabel()
    raced = frame[["strategy"]].assign(
        behind=[0.0, 0.02, 0.05], behind_low=[0, 0, 0.01], behind_high=[0.01, 0.06, 0.07]
    )
    (container,) = error_bars(drawn(field_plots.behind_chart, raced))
    assert points(container)[:, 0] == pytest.approx([0, -2, -5])
    assert spans(container, 0) == pytest.approx(np.array([[-1, 0], [-6, 0], [-7, -1]]))


def test_settings_and_places_show_both_ends() -> None:
    tables = frames(names(3))
    axes = drawn(field_plots.settings_chart, tables["settings"])
    assert [points(each)[0, 0] for each in error_bars(axes)] == pytest.approx([34.333, 30], abs=1e-3)
    assert legend(axes) == ["first setting", "second setting"]
    axes = drawn(field_plots.places_chart, tables["places"])
    bars = axes.collections[0]
    assert spans(error_bars(axes)[0], 0)[0] == pytest.approx([33.333, 35.333], abs=1)
    assert np.array([path.vertices[:, 0] for path in bars.get_paths()]) == pytest.approx(np.array([[10, 50]] * 3))
    assert texts(axes) == ["place survives"] * 3


# Head to head


def test_head_to_head_is_row_less_column_in_both_triangles() -> None:
    axes = drawn(field_grids.head_to_head, frames(names(5))["pairs"])
    shown, n = cells(axes), 5
    assert ticks(axes, "y") == ticks(axes, "x") == names(5)  # the best on top without being told
    for row in range(n):
        for column in range(n):
            wanted = np.nan if row == column else 0 if abs(row - column) == 1 else column - row
            assert shown[row, column] == pytest.approx(wanted, nan_ok=True)
    assert texts(axes).count("(+1.0)") == texts(axes).count("(−1.0)") == 4
    assert texts(axes).count("+4.0") == texts(axes).count("−4.0") == 1
    assert "parentheses" in axes.get_xlabel()
    turned = drawn(field_grids.head_to_head, frames(names(5))["pairs"], order=names(5)[::-1])
    assert ticks(turned, "y") == names(5)[::-1]
    assert cells(turned)[0, 4] == pytest.approx(-4)


@pytest.mark.parametrize(("n", "wanted"), [(12, "+11.0"), (15, "+14"), (20, "+19"), (21, None)])
def test_cells_have_figures_as_long_as_they_fit(n: int, wanted: str | None) -> None:
    axes = drawn(field_grids.head_to_head, frames(names(n))["pairs"])
    assert (wanted in texts(axes)) if wanted else texts(axes) == []
    circles = [line for line in axes.get_lines() if line.get_marker() == "o"]
    assert len(circles) == (2 * (n - 1) if n > 20 else 0)
    figure = axes.get_figure(root=True)
    assert figure is not None
    width = axes.get_window_extent().width / n
    for text in axes.texts:
        assert text.get_window_extent().width < 1.02 * width


def test_cells_get_lighter_with_their_figure_and_their_ink_is_read_on_them() -> None:
    shades = [LESS @ (0.299, 0.587, 0.114) for LESS in field_grids.LESS_OR_MORE(np.linspace(0, 1, 41))[:, :3]]
    assert (np.diff(shades) > 0).all()
    for colour in field_grids.LESS_OR_MORE(np.linspace(0, 1, 41)):
        assert contrast(colour[:3], to_rgb(ink_on(colour))) > 4.5
    axes = drawn(field_grids.head_to_head, frames(names(5))["pairs"])
    assert {text.get_color() for text in axes.texts} == {FIXED_BLACK, FIXED_WHITE}


def contrast(one: Any, other: Any) -> float:
    """Return the contrast of two colours by WCAG 2.2."""
    luminances = []
    for colour in (one, other):
        linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in colour]
        luminances.append(0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2])
    return (max(luminances) + 0.05) / (min(luminances) + 0.05)


# Seats, bids, turns


@pytest.mark.parametrize("n", [3, 6])
def test_seats_of_few_strategies_are_lines_from_their_mean(n: int) -> None:
    axes = drawn(field_grids.win_share_by_seat, frames(names(n))["seats"])
    for container in error_bars(axes):
        assert points(container)[:, 1] == pytest.approx([-2, 0, 2], abs=1e-9)
        assert np.round(points(container)[:, 0]).tolist() == [0, 1, 2]
        assert spans(container, 1)[0] == pytest.approx([-3.5, -0.5])
    looks = {(str(c.lines[0].get_color()), str(c.lines[0].get_marker())) for c in error_bars(axes) if c.lines[0]}
    assert len(looks) == n
    assert [label.strip() for label in legend(axes)] == names(n)
    assert ticks(axes, "x") == ["0", "1", "2"]


def test_seats_of_many_strategies_are_cells() -> None:
    axes = drawn(field_grids.win_share_by_seat, frames(names(7))["seats"])
    assert cells(axes) == pytest.approx(np.tile([-2.0, 0, 2], (7, 1)))
    assert texts(axes) == ["−2.0", "(0.0)", "+2.0"] * 7
    assert ticks(axes, "y") == names(7)


def test_points_by_bid_and_turn_are_lines_or_cells() -> None:
    few, many = frames(names(3)), frames(names(8))
    axes = drawn(field_grids.gains_by_bid, few["bids"].sample(frac=1, random_state=1))
    assert ticks(axes, "x") == list(BIDS)
    for container in error_bars(axes):
        assert points(container)[:, 1] == pytest.approx([6, 4, 2, 0, -2], abs=0.05)
    axes = drawn(field_grids.gains_by_bid, many["bids"])
    assert cells(axes)[0] == pytest.approx([6, 4, 2, 0, -2], abs=0.05)
    assert ticks(axes, "x") == list(BIDS)
    axes = drawn(field_grids.gains_by_turn, many["turns"])
    assert texts(axes) == ["+4.0", "+3.0", "+2.0"] * 8
    assert "turn order" in axes.get_xlabel()
    assert "parentheses" not in axes.get_xlabel()


def by_bid(n: int, rare: int | None = None) -> pd.DataFrame:
    """Return success by bid of n strategies; 26+ was bid as rarely as told."""
    made = frames(names(n))
    if rare is not None:
        made["attempts"].loc[made["attempts"]["bid"] == "26+", "actions"] = rare
    return field_bids.success_by_bid(made["attempts"], made["calibration"])


def test_success_by_bid_has_the_intervals_of_attempts_and_the_odds_of_the_same_modifiers() -> None:
    made, found = frames(names(2)), by_bid(2)
    assert list(found["bid"]) == [*BIDS, *BIDS]
    columns = ["players", "strategy", "bid", "actions", "p_success", "p_success_low", "p_success_high"]
    pd.testing.assert_frame_equal(found[columns], made["attempts"][columns])
    assert found.iloc[0]["exact_p_success"] == pytest.approx((100 * 0.88 + 300 * 0.94) / 400)


def test_few_strategies_have_points_beside_the_odds_and_rare_bids_are_left_out() -> None:
    axes = drawn(field_bids.bid_success, by_bid(3, rare=14))
    for container in error_bars(axes):
        assert points(container)[:, 1] == pytest.approx([0.8, 0.65, 0.5, 0.35])
    odds = [
        line for line in axes.get_lines() if line.get_marker() == "_" and line.get_markersize() > 8
    ]  # not an end of an interval
    for container, line in zip(error_bars(axes), odds, strict=True):
        assert np.asarray(line.get_xdata(), float) == pytest.approx(points(container)[:, 0])
        assert np.asarray(line.get_ydata(), float) == pytest.approx([0.925, 0.775, 0.625, 0.475])
        assert container.lines[0] is not None
        assert line.get_color() == container.lines[0].get_color()
    assert "fewer than 30 times" in axes.get_xlabel()
    assert "0.9%" in axes.get_xlabel()
    assert legend(axes)[-1] == "exact odds, same modifiers"


def test_many_strategies_have_cells_of_success_less_odds() -> None:
    axes = drawn(field_bids.bid_success, by_bid(9))
    assert cells(axes) == pytest.approx(np.full((9, 5), -12.5), abs=0.3)
    assert "left out" not in axes.get_xlabel()


def test_a_field_that_never_rolls_is_drawn_too() -> None:
    for n in (2, 9):
        frame = frames(names(n))["calibration"].assign(actions=pd.array([1] * 10 * n, "Int64"))
        assert "100.0% of dice actions" in drawn(field_bids.bid_success, frame).get_xlabel()


# Scores


def with_means(tables: dict[str, pd.DataFrame]) -> pd.DataFrame:
    (picture,) = (picture for picture in pictures(tables) if picture.name.startswith("scores"))
    return picture.frame


def test_each_strategy_has_a_row_with_its_distribution_and_its_mean() -> None:
    tables = frames(names(4))
    frame = with_means(tables)
    axes = drawn(field_scores.score_ridges, frame)
    ridges = [np.asarray(patch.get_xy(), float)[:-1] for patch in axes.patches if isinstance(patch, Polygon)]
    assert len(ridges) == 4
    heights = np.array([place - ridge[:, 1] for place, ridge in enumerate(ridges)])
    for name, ridge, height in zip(names(4), ridges, heights, strict=True):
        counts = frame[frame["strategy"] == name]
        first, last = (ridge[:, 0] - 0.5, ridge[:, 0] + 0.5)  # scores are counted in steps of 2
        score = counts["score"].to_numpy(float)
        wanted = ((score >= first[:, None]) & (score <= last[:, None])) @ counts["games"].to_numpy(float)
        assert height / heights.max() == pytest.approx(wanted / highest(frame))
    means = tables["scores"]
    for place, (container, row) in enumerate(zip(error_bars(axes), means.itertuples(), strict=True)):
        assert points(container)[0, 0] == pytest.approx(row.mean_score)
        assert place < points(container)[0, 1] < place + 0.5
        assert spans(container, 0)[0] == pytest.approx([row.mean_score_low, row.mean_score_high])
        assert f"{row.mean_score:.1f}" in texts(axes)
    assert axes.get_xlabel() == "score (points), counted in steps of 2"


def highest(frame: pd.DataFrame) -> float:
    """Return how many games the most frequent two scores from an even one on have, of any strategy."""
    return float(frame.groupby(["strategy", frame["score"] // 2])["games"].sum().max())


def test_quantiles_are_those_of_sorted_scores() -> None:
    frame = frames(names(1))["histogram"]
    scores = np.sort(np.repeat(frame["score"].to_numpy(int), frame["games"].to_numpy(int)))
    for share in (0.05, 0.25, 0.5, 0.75, 0.95):
        wanted = scores[int(np.ceil(share * len(scores))) - 1]
        assert field_scores.quantile_of(frame.sample(frac=1, random_state=2), share) == wanted


def test_parts_are_stacked_left_and_right_of_zero() -> None:
    frame = frames(names(4))["scores"]
    axes = drawn(field_scores.points_by_part, frame)
    bars = [container for container in axes.containers if isinstance(container, BarContainer)]
    for row in range(4):
        ends = {True: 0.0, False: 0.0}
        for container, (column, *_) in zip(bars, PARTS, strict=True):
            bar, value = container[row], float(frame[column].iloc[row])
            assert bar.get_width() == pytest.approx(value)
            assert bar.get_x() == pytest.approx(ends[value >= 0])
            ends[value >= 0] += value
        assert sum(ends.values()) == pytest.approx(frame["mean_score"].iloc[row])
    (container,) = error_bars(axes)
    assert points(container)[:, 0] == pytest.approx(frame["mean_score"].to_numpy(float))
    assert spans(container, 0) == pytest.approx(frame[["mean_score_low", "mean_score_high"]].to_numpy(float))
    assert legend(axes) == [*(words for _, words, *_ in PARTS), "score with its interval"]
    assert texts(axes) == [f"{mean:.1f}" for mean in frame["mean_score"]]


def test_other_games_have_other_parts() -> None:
    frame = frames(names(2))["scores"].assign(wool=[3.0, -4.0])
    axes = drawn(field_scores.points_by_part, frame, parts=(("wool", "wool sold", "#0072B2", "//"),))
    assert legend(axes) == ["wool sold", "score with its interval"]


# All of them


def test_every_chart_has_its_picture_and_says_what_it_shows() -> None:
    found = {picture.name: picture for picture in pictures(frames(names(3), (3, 4)))}
    once = {"candidates", "settings", "places", "standings", "head-to-head", "ratings", "players", "luck", "mixture"}
    each = {f"{name}-{players}-players" for name in CHARTS.keys() - once for players in (3, 4)}
    assert found.keys() == once | each
    assert all(chart.says.endswith(".") for chart in CHARTS.values())
    assert pictures({}) == []
    assert pictures({name: frame.iloc[:0] for name, frame in frames(names(3)).items()}) == []


@pytest.mark.parametrize(
    ("n", "counts", "hostile"), [(1, (2,), False), (2, (2,), True), (6, (3,), False), (9, (3, 4, 5, 6), True)]
)
def test_everything_is_inside_the_picture_whatever_strategies_are_called(
    n: int, counts: tuple[int, ...], hostile: bool
) -> None:
    who = [f"{HOSTILE}{at}" for at in range(n)] if hostile else names(n)
    tables = {name: frame for name, frame in frames(who, counts).items() if len(frame)}
    for picture in pictures(tables):
        if picture.name.endswith(("-4-players", "-5-players", "-6-players")):
            continue
        figure = picture.figure()
        figure.draw_without_rendering()
        (axes, *_) = figure.axes
        width, height = figure.get_size_inches() * figure.dpi
        assert axes.get_title(loc="left"), picture.name
        for text in written(figure):
            assert not (text.get_parse_math() and "$" in text.get_text()), text.get_text()
            box = text.get_window_extent()
            assert box.x0 >= -1, (picture.name, text.get_text())
            assert box.x1 <= width + 1, (picture.name, text.get_text())
            assert box.y0 >= -1, (picture.name, text.get_text())
            assert box.y1 <= height + 1, (picture.name, text.get_text())


def written(figure: Figure) -> list[Any]:
    """Return all texts that are seen."""
    found = []
    for axes in figure.axes:
        key = axes.get_legend()
        found += [axes.xaxis.label, axes.yaxis.label, axes.title, axes._left_title, *axes.texts]  # type: ignore[attr-defined]
        found += key.get_texts() if key else []
        low, high = sorted(axes.get_ylim())
        found += [text for text in axes.get_yticklabels() if low <= text.get_position()[1] <= high]
    return [text for text in found if text.get_text() and text.get_visible()]


def test_pictures_of_few_games_have_no_intervals_and_no_trouble() -> None:
    tables = frames(names(3))
    for frame in tables.values():
        for name in frame.columns:
            if name.endswith(("_low", "_high")) and name not in {"lowest_win_share", "highest_win_share"}:
                frame[name] = np.nan
    for picture in pictures(tables):
        picture.figure().draw_without_rendering()


def test_many_colours_of_lines_differ_in_more_than_colour() -> None:
    assert len({marker for _, marker, _ in LINES}) == len({str(dashes) for *_, dashes in LINES}) == len(LINES)


@settings(max_examples=100, deadline=None)
@given(st.lists(st.text("ab我😀$:=,/…", min_size=1, max_size=60), min_size=1, max_size=8))
def test_no_two_strategies_are_written_alike(given_names: list[str]) -> None:
    short = short_names(given_names, 32)
    assert len(set(short.values())) == len(set(given_names))
    assert all(len(text) <= 32 for text in short.values())
