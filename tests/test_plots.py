"""Charts by what they contain: heights, positions, labels, legends, intervals. Never by pixels."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from commands import in_process, refused, succeeded, woolsim
from matplotlib.axes import Axes
from matplotlib.colors import to_rgb
from matplotlib.container import BarContainer, ErrorbarContainer
from matplotlib.figure import Figure

from analyzer.errors import BadInputError
from analyzer.wool_rules.advice import HoldChart, hold_chart
from analyzer.wool_rules.bid_table import BidTable, bid_table
from analyzer.wool_rules.bidding import ALL_BIDS, bid_label
from analyzer.wool_rules.hold_rules import SolvedRule
from analyzer.wool_rules.terms import Terms
from reports import plots
from reports.charts import bid_table_figure, chart_kind, hold_chart_figure
from reports.frames import frame as frame_of
from strategies.wool_rules.hold_registry import hold_rule

BIDS = [bid_label(bid) for bid in ALL_BIDS]
CHANCE = (
    "def f(v):\n    other = 10 if v.held[0] else 12\n    return 8 if v.draws[0] < 0.5 and not v.held[2] else other\n"
)


def table(
    *specs: str,
    bids: tuple[int, ...] = ALL_BIDS,
    modifiers: tuple[int, ...] = (0,),
    chips: tuple[int, ...] = (0,),
    simulate: int | None = None,
) -> BidTable:
    return bid_table([hold_rule(spec) for spec in specs], bids, modifiers, chips, simulate=simulate)


def drawn(draw: Callable[[pd.DataFrame, Axes], Figure], given: BidTable) -> tuple[Axes, pd.DataFrame]:
    """Draw one chart and return its axes and the frame it was made of."""
    frame = frame_of("bid-table", given.rows, given.columns)
    return axes_of(draw, frame), frame


def axes_of(draw: Callable[[pd.DataFrame, Axes], Figure], frame: pd.DataFrame) -> Axes:
    """Draw a frame; the frame stays as it was, and the figure is returned."""
    figure = Figure(layout="constrained")
    axes = figure.subplots()
    before = frame.copy()
    assert draw(frame, axes) is figure
    pd.testing.assert_frame_equal(frame, before)
    figure.draw_without_rendering()
    return axes


def ticks(axes: Axes, which: str) -> list[str]:
    axis = axes.xaxis if which == "x" else axes.yaxis
    return [label.get_text() for label in axis.get_ticklabels()]


def legend(axes: Axes) -> list[str]:
    found = axes.get_legend()
    assert found is not None
    return [text.get_text() for text in found.get_texts()]


def line(axes: Axes, label: str) -> np.ndarray:
    """Return the y values of the line with a label."""
    (found,) = (line for line in axes.get_lines() if str(line.get_label()).startswith(label))
    return np.asarray(found.get_ydata(), dtype=float)


# Success by attempt


def test_bars_stack_the_chances_of_the_three_attempts() -> None:
    axes, frame = drawn(plots.success_by_attempt, table("max-odds"))
    bars = [container for container in axes.containers if isinstance(container, BarContainer)]
    bottom = np.zeros(len(frame))
    for container, column in zip(bars, ("p_three", "p_two", "p_one"), strict=True):
        assert [bar.get_height() for bar in container] == pytest.approx(frame[column].tolist(), abs=1e-15)
        assert [bar.get_y() for bar in container] == pytest.approx(bottom.tolist(), abs=1e-15)
        bottom += frame[column].to_numpy()
    assert bottom.tolist() == pytest.approx(frame["p_success"].tolist(), abs=1e-12)
    assert line(axes, "failed under 14").tolist() == frame["p_under_14"].tolist()


def test_bars_have_bids_percentages_axes_and_a_title_that_says_what_and_how() -> None:
    axes, frame = drawn(plots.success_by_attempt, table("keep-highest", modifiers=(-2,), chips=(1,)))
    assert ticks(axes, "x") == BIDS
    assert [text.get_text() for text in axes.texts] == [f"{p:.0%}" for p in frame["p_success"]]
    assert [text.get_position()[0] for text in axes.texts] == list(range(len(BIDS)))
    assert axes.get_xlabel() == "bid"
    assert "chance" in axes.get_ylabel()
    assert all(label.endswith("%") for label in ticks(axes, "y"))
    assert axes.get_ylim()[0] == 0
    for part in ("malus", "2", "1 chip", "keep-highest", "exact"):
        assert part in axes.get_title()
    assert sorted(legend(axes)) == [
        "1st attempt: 3 cards",
        "2nd attempt: 2 cards",
        "3rd attempt: 1 card",
        "failed under 14",
    ]


def grey(colour: object) -> float:
    """Return how light a colour prints in grey, 0 to 1."""
    return float(np.dot(to_rgb(colour), (0.299, 0.587, 0.114)))  # type: ignore[arg-type]


def test_parts_of_a_bar_differ_in_grey_or_in_hatching() -> None:
    axes, _ = drawn(plots.success_by_attempt, table("max-odds", bids=(20,)))
    looks = [(grey(bar.get_facecolor()[:3]), bar.get_hatch()) for bar in axes.patches]
    for i, (shade, hatch) in enumerate(looks):
        for other, other_hatch in looks[:i]:
            assert abs(shade - other) > 0.15 or hatch != other_hatch


# Heat map


def test_heat_map_has_a_cell_for_each_bid_and_modifier() -> None:
    axes, frame = drawn(plots.success_heat_map, table("max-odds", modifiers=(0, 3, -3)))
    (image,) = axes.get_images()
    wanted = frame.pivot(index="modifier", columns="bid", values="p_success").loc[[3, 0, -3], BIDS]
    assert np.asarray(image.get_array()).tolist() == wanted.to_numpy().tolist()
    assert image.get_clim() == (0, 1)
    assert ticks(axes, "x") == BIDS
    assert ticks(axes, "y") == ["+3", "0", "-3"]
    texts = {tuple(map(round, text.get_position())): text.get_text() for text in axes.texts}
    for (y, modifier), (x, bid) in ((m, b) for m in enumerate(wanted.index) for b in enumerate(BIDS)):
        chance = float(wanted.loc[modifier, bid])
        assert texts[x, y] == (f"{chance:.0%}" if chance < 0.995 else ">99%")


def test_heat_map_says_what_its_axes_and_colours_mean() -> None:
    axes, _ = drawn(plots.success_heat_map, table("max-odds", modifiers=(0, 1), chips=(2,)))
    assert axes.get_xlabel() == "bid"
    assert "bonus or malus" in axes.get_ylabel()
    assert "points" in axes.get_ylabel()
    for part in ("2 chips", "max-odds", "exact"):
        assert part in axes.get_title()
    figure = axes.get_figure(root=True)
    assert figure is not None
    (bar,) = (other for other in figure.axes if other is not axes)
    assert "chance" in bar.get_ylabel()


def test_figures_in_the_heat_map_stand_out_from_their_cells() -> None:
    axes, _ = drawn(plots.success_heat_map, table("max-odds", modifiers=(-3, 0, 3)))
    (image,) = axes.get_images()
    chances = np.asarray(image.get_array())
    for text in axes.texts:
        x, y = map(round, text.get_position())
        behind = grey(image.cmap(image.norm(chances[y, x]))[:3])
        assert abs(grey(text.get_color()) - behind) > 0.3, (text.get_text(), behind)


# Loss against the best rule


def loss_axes(*specs: str, **more: object) -> tuple[Axes, BidTable]:
    given = table(*specs, **more)  # type: ignore[arg-type]
    (axes,) = bid_table_figure(given, "loss").axes
    return axes, given


def test_loss_is_what_a_rule_makes_less_often_than_the_best_in_percentage_points() -> None:
    axes, given = loss_axes("keep-highest", "keep-above-mean", "random")
    best = [row["p_success"] for row in table("max-odds").rows]
    for spec in ("keep-highest", "keep-above-mean", "random"):
        mine = [row["p_success"] for row in given.rows if row["hold"] == spec]
        loss = 100 * (np.array(best, dtype=float) - np.array(mine, dtype=float))
        assert line(axes, f"rule {spec}:") == pytest.approx(loss, abs=1e-9)
        assert any(label.startswith(f"rule {spec}: at most {loss.max():.2f}") for label in legend(axes))
    assert "percentage points" in axes.get_ylabel()
    assert axes.get_xlabel() == "bid"
    for part in ("no modifier", "no chips"):
        assert part in axes.get_title()
    assert all("exact" in axes.get_title() + label for label in legend(axes))


def test_best_rule_loses_nothing_whatever_chips_it_counts_on() -> None:
    axes, _ = loss_axes("max-odds:chips=2", "max-odds", chips=(2,))
    assert line(axes, "rule max-odds:chips=2") == pytest.approx(np.zeros(len(BIDS)), abs=1e-9)
    assert line(axes, "rule max-odds: ").max() > 0
    assert (line(axes, "rule max-odds: ") >= -1e-9).all()


def test_lines_of_a_loss_chart_differ_in_more_than_colour() -> None:
    specs = ["max-odds", "keep-highest", "keep-above-mean", "random", "max-cards", "fixed-values:chip=1"]
    axes, _ = loss_axes(*specs)
    looks = {
        (str(shown.get_marker()), str(shown.get_linestyle()))
        for shown in axes.get_lines()
        if np.size(shown.get_xdata()) > 2
    }
    assert len(looks) >= 5
    assert len(legend(axes)) == len(specs)


# Simulation against exact


def test_intervals_of_the_check_are_those_of_the_table_around_the_difference() -> None:
    given = table("max-odds", simulate=2000)
    axes, frame = drawn(plots.simulated_against_exact, given)
    bars = [container for container in axes.containers if isinstance(container, ErrorbarContainer)]
    assert [str(bar.get_label()) for bar in bars] == ["success", "3 cards", "2 cards", "1 card", "under 14"]
    for bar, name in zip(bars, ("success", "three", "two", "one", "under_14"), strict=True):
        exact = frame[f"p_{name}"].to_numpy()
        data, _, (spans,) = bar.lines
        assert data is not None
        assert np.asarray(data.get_ydata()) == pytest.approx(100 * (frame[f"sim_p_{name}"].to_numpy() - exact))
        ends = np.array([segment[:, 1] for segment in spans.get_segments()])
        for end, column in zip(ends.T, ("low", "high"), strict=True):
            assert end == pytest.approx(100 * (frame[f"sim_p_{name}_{column}"].to_numpy() - exact))
        assert np.round(np.asarray(data.get_xdata())).tolist() == list(range(len(BIDS)))
    assert ticks(axes, "x") == BIDS
    assert legend(axes) == ["success", "3 cards", "2 cards", "1 card", "under 14"]
    for part in ("2,000", "95 %", "max-odds", "no modifier"):
        assert part in axes.get_title()
    assert "percentage points" in axes.get_ylabel()


@pytest.fixture
def chance_rule(tmp_path: Path) -> str:
    """Return the spec of a rule of chance, which has no exact odds."""
    file = tmp_path / "chance.py"
    file.write_text(CHANCE)
    return f"{file}:f"


def error_bars(axes: Axes) -> list[np.ndarray]:
    """Return the vertical spans of all error bars of a chart."""
    found = [container.lines[2] for container in axes.containers if isinstance(container, ErrorbarContainer)]
    return [np.array(segment) for spans in found for span in spans for segment in span.get_segments()]


def test_the_picture_of_a_rule_without_exact_odds_does_not_compare_it_with_itself(
    chance_rule: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    picture = tmp_path / "chart.svg"
    arguments = ("bid-table", "--hold", chance_rule, "--simulate", "1000", "--png", str(picture))
    succeeded(in_process(capsys, *arguments))
    shown = picture.read_text()
    assert "success" in shown or "How likely" in shown
    assert "against exact" not in shown
    assert "simulated less exact" not in shown


def test_a_check_of_a_rule_without_exact_odds_is_refused_before_any_work(chance_rule: str, tmp_path: Path) -> None:
    arguments = ("bid-table", "--hold", chance_rule, "--simulate", "1e12", "--chart", "check", "--png", "chart.svg")
    message = refused(woolsim(*arguments, cwd=tmp_path, timeout=10))
    assert "--chart check" in message
    assert "exact" in message


@pytest.mark.parametrize("kind", ["success", "loss"])
def test_what_was_simulated_is_called_so_and_has_intervals(kind: str, chance_rule: str) -> None:
    given = table(chance_rule, simulate=1000)
    (axes,) = bid_table_figure(given, kind).axes
    words = " ".join([axes.get_title(), *legend(axes)])
    assert "simulated" in words
    assert "1,000" in words
    spans = sorted(float(np.ptp(segment[:, 1])) for segment in error_bars(axes))
    unit = 100 if kind == "loss" else 1
    widths = [unit * (float(row["sim_p_success_high"]) - float(row["sim_p_success_low"])) for row in given.rows]  # type: ignore[arg-type]
    assert set(np.round(widths, 9)) <= set(np.round(spans, 9))


def test_an_exact_rule_beside_a_simulated_one_is_still_called_exact(chance_rule: str) -> None:
    (axes,) = bid_table_figure(table("keep-highest", chance_rule, simulate=1000), "loss").axes
    exact, simulated = legend(axes)
    assert "simulated" not in exact
    assert "simulated" in simulated


# Hold charts


@pytest.fixture(scope="module")
def chart() -> HoldChart:
    rule = hold_rule("max-odds")
    assert isinstance(rule, SolvedRule)
    return hold_chart(rule, Terms.one(24, -3, 1))


def test_hold_chart_has_rank_and_chance_in_every_cell(chart: HoldChart) -> None:
    figure = hold_chart_figure(chart)
    upper, lower = figure.axes
    parts = ((upper, chart.first, chart.first_success, "{}"), (lower, chart.second, chart.second_success, "{} free"))
    for axes, ranks, success, row in parts:
        rows, columns = ticks(axes, "y"), ticks(axes, "x")
        assert rows == [row.format(die) for die in ("d12", "d10", "d8")]
        assert len(axes.texts) == 2 * len(ranks)
        cells: dict[tuple[int, int], list[str]] = {}
        for text in axes.texts:
            x, y = map(round, text.get_position())
            cells.setdefault((y, int(columns[x])), []).append(text.get_text())
        for at, rank in ranks.items():
            chance = success[at]
            shown = f"{chance:.0%}"
            assert cells[at][0] == str(rank)
            assert cells[at][1] == (shown if chance in {0, 1} or shown not in {"0%", "100%"} else cells[at][1])
            assert (cells[at][1] == "0%") == (chance == 0)


def test_hold_chart_says_how_to_read_it(chart: HoldChart) -> None:
    figure = hold_chart_figure(chart)
    upper, lower = figure.axes
    assert "set aside the die with the smallest number" in upper.get_title(loc="left")
    assert "stays free" in lower.get_title(loc="left")
    assert upper.get_xlabel() == "what the die shows"
    assert "sum" in lower.get_xlabel()
    title = figure.get_suptitle()
    for part in ("bid 24", "malus", "1 chip", "max-odds"):
        assert part in title
    note = figure.get_supxlabel()
    for part in (f"{chart.figures['p_success']:.1%}", "exact", "loses"):
        assert part in note


# Which chart, and how many panels


@pytest.mark.parametrize(
    ("rules", "modifiers", "chips", "simulated", "kind"),
    [
        (1, 1, 1, False, "success"),
        (1, 1, 4, False, "success"),
        (1, 7, 1, False, "heat-map"),
        (3, 7, 1, False, "heat-map"),
        (3, 1, 2, False, "loss"),
        (1, 1, 1, True, "check"),
        (2, 2, 2, True, "check"),
    ],
)
def test_the_chart_fits_the_question(rules: int, modifiers: int, chips: int, simulated: bool, kind: str) -> None:
    assert chart_kind("auto", rules, modifiers, chips, simulated=simulated) == kind


@pytest.mark.parametrize("kind", ["success", "heat-map", "loss"])
def test_a_chart_that_is_asked_for_is_drawn(kind: str) -> None:
    assert chart_kind(kind, 2, 2, 2, simulated=True) == kind


def test_a_picture_of_too_many_panels_is_refused_with_their_number() -> None:
    with pytest.raises(BadInputError, match="26 panels"):
        chart_kind("success", 1, 1, 26, simulated=False)


def test_a_check_without_a_simulation_is_refused() -> None:
    with pytest.raises(BadInputError, match="--simulate"):
        chart_kind("check", 1, 1, 1, simulated=False)


@pytest.mark.parametrize(
    ("kind", "panels"), [("success", 2 * 2 * 2), ("heat-map", 2 * 2), ("loss", 2 * 2), ("check", 2 * 2 * 2)]
)
def test_a_picture_has_a_titled_panel_for_each_group(kind: str, panels: int) -> None:
    given = table("max-odds", "random", bids=(20, 22), modifiers=(0, 2), chips=(0, 1), simulate=100)
    figure = bid_table_figure(given, kind)
    titles = [axes.get_title() for axes in figure.axes if axes.get_title()]
    assert len(titles) == len(set(titles)) == panels


def test_titles_stay_inside_the_picture_even_for_long_specs() -> None:
    spec = "fixed-values:three=1.5,two=2.5,one=3.5,fail=-0.5,under14=-2.25,chip=0.75,chips=3"
    for kind in ("success", "heat-map"):
        figure = bid_table_figure(table(spec, chips=(3,), modifiers=(0,)), kind)
        figure.draw_without_rendering()
        width = figure.get_figwidth() * figure.dpi
        box = figure.axes[0].title.get_window_extent()
        assert box.x0 >= 0
        assert box.x1 <= width


@pytest.mark.parametrize("name", ["_own.py", "a$b$c.py", "a$\\b$c.py", "50%_of^it.py"])
def test_the_name_of_a_rule_is_written_as_it_is(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path(name).write_text("def f(v):\n    return 10 if v.held[0] else 12\n")
    given = table(f"{name}:f", "max-odds", bids=(20, 21))
    loss = bid_table_figure(given, "loss")
    loss.draw_without_rendering()
    success = bid_table_figure(table(f"{name}:f", bids=(20, 21)), "success")
    success.draw_without_rendering()
    named = loss.axes[0].get_legend()
    assert named is not None
    for text in (named.get_texts()[0], success.axes[0].title):
        assert f"{name}:f" in text.get_text().replace("\\$", "$")
        assert not text.get_parse_math() or "$" not in text.get_text().replace("\\$", "")
