"""`woolsim compare`, `sweep`, `find-best` and `meta-game` as their users run them."""

import csv
from pathlib import Path

import pandas as pd
import pytest
from commands import Outcome, alone, files_in, in_process, mentions, refused, succeeded
from scipy.stats import norm, t
from tournament_commands import FIELD, RACE, csv_of, made_by

from reports.tournament_plots import swept_parameter, win_share_figure

Capture = pytest.CaptureFixture[str]

pytestmark = pytest.mark.usefixtures("here")


# Compare


def test_a_strategy_against_itself_is_refused_however_it_is_written(capsys: Capture) -> None:
    for other in ("plain", "plain:level=20", "plain:level=020"):
        message = refused(in_process(capsys, "compare", "plain:level=20", other, "--out", "run"))
        mentions(message, ["plain:level=20"])
    assert not Path("run").exists()


def test_what_is_clear_is_decided_quickly(capsys: Capture) -> None:
    command = ("compare", "plain:level=21", "plain:level=20", "--field", "plain:level=20", "--players", "3")
    outcome = succeeded(in_process(capsys, *command, "--format", "json"))
    first, second = outcome.objects()
    mentions(outcome.err, ["decided after "])
    assert (first["win_share_ahead"], first["p"]) == (None, None)
    assert second["win_share_ahead_high"] < 0
    assert second["p"] < 1e-4
    assert second["games"] < 5000
    assert second["win_share_ahead"] == pytest.approx(second["win_share"] - first["win_share"])
    again = succeeded(in_process(capsys, *command))
    better = "plain:level=20 wins "
    assert better in outcome.err
    assert better in again.words()
    mentions(again.words(), [" less than plain:level=21."])
    readable = again.out.partition("made by:")[0]
    assert max(map(len, readable.splitlines())) <= 80


@pytest.mark.parametrize("players", [2, 3])
def test_compare_plays_the_games_that_simulate_plays(players: int, capsys: Capture) -> None:
    beside, more = ["random"] * (players - 1), ["--seed", "6", "--games", "40", "--format", "json"]
    command = ("compare", "plain:level=21", "plain", "--field", "random", "--players", str(players))
    rows = succeeded(in_process(capsys, *command, *more)).objects()
    for row in rows:
        simulated = succeeded(in_process(capsys, "simulate", row["strategy"], *beside, "--rotate", *more)).objects()[0]
        assert row["games"] == simulated["games"] == 40
        assert row["win_share"] == pytest.approx(simulated["win_share"], abs=1e-12)
        assert row["score"] == pytest.approx(simulated["mean_score"], abs=1e-9)
        # Student's interval here, that of the normal distribution there.
        wider = t.ppf(0.975, 39) / norm.ppf(0.975)
        halves = row["score_high"] - row["score"], simulated["mean_score_high"] - simulated["mean_score"]
        assert halves[0] == pytest.approx(wider * halves[1], abs=1e-9)


def test_another_deck_changes_scores_as_its_own_tournament_says(files: None, capsys: Capture) -> None:
    """The first setting of a comparison plays the games of a tournament with that deck, the second those of its own."""
    more = ["plain", "random", "--players", "2", "--seed", "6", "--games", "40", "--format", "json"]
    rows = succeeded(in_process(capsys, "compare", "--deck", "other.csv", "--deck", "third.csv", *more)).objects()
    for deck, name in (("other.csv", "win_share"), ("third.csv", "win_share_then")):
        standings = succeeded(in_process(capsys, "tournament", "--deck", deck, *more)).objects()
        shares = {row["strategy"]: row["win_share"] for row in standings}
        for row in rows:
            assert row[name] == pytest.approx(shares[row["strategy"]], abs=1e-12)
    for row in rows:
        assert row["score_change"] == pytest.approx(row["score_then"] - row["score"], abs=1e-9)


def test_another_deck_changes_places_as_the_standings_of_both_say(files: None, capsys: Capture) -> None:
    field = ["plain", "random", "lone-dog", "--players", "2", "--seed", "6", "--games", "40"]
    decks = ["--deck", "other.csv", "--deck", "third.csv"]
    outcome = succeeded(in_process(capsys, "compare", *decks, *field, "--out", "run"))
    mentions(outcome.words(), ["verdict", "Place by win share, before and then", "survives"])
    places = succeeded(in_process(capsys, "show", "run", "--table", "places", "--format", "json")).objects()
    for deck, place, share in (("other.csv", "place", "win_share"), ("third.csv", "best_place", "lowest_win_share")):
        standings = succeeded(in_process(capsys, "tournament", "--deck", deck, *field, "--format", "json")).objects()
        there = {row["strategy"]: (at, row["win_share"]) for at, row in enumerate(standings, 1)}
        for row in places:
            assert (row[place], pytest.approx(row[share], abs=1e-12)) == there[row["strategy"]]


def test_one_strategy_among_its_like_shows_what_cards_change_for_scores(files: None, capsys: Capture) -> None:
    command = ("compare", "plain", "--deck", "other.csv", "--players", "3", "--games", "30")
    outcome = succeeded(in_process(capsys, *command, "--out", "run", "--png", "t.png"))
    mentions(outcome.words(), ["1 line-up of 3 players, at 2 tables", "change"])
    assert "Place" not in outcome.out
    (row,) = succeeded(in_process(capsys, "show", "run", "--format", "json")).objects()
    assert row["win_share"] == row["win_share_then"] == pytest.approx(1 / 3)
    assert row["score_change"] != 0


def test_perturbed_decks_leave_the_first_as_its_own_tournament_says(capsys: Capture) -> None:
    more = ["tournament", *FIELD, "--players", "2", "--games", "30", "--format", "json"]
    rows = succeeded(in_process(capsys, *more, "--perturb-deck", "2")).objects()
    standings = succeeded(in_process(capsys, *more)).objects()
    assert [row["strategy"] for row in rows] == [row["strategy"] for row in standings]
    for row, alone_row in zip(rows, standings, strict=True):
        assert row["win_share"] == pytest.approx(alone_row["win_share"], abs=1e-12)
        assert row["settings"] == 2


SAME = ("plain", "plain/bid=plain")


@pytest.mark.parametrize(
    "command",
    [
        ["compare", *SAME, "--field", "random"],
        ["find-best", "random", *SAME, "--field", "random"],
        ["tournament", "random", *SAME, "--until-decided"],
    ],
    ids=lambda command: command[0],
)
def test_who_plays_alike_by_the_same_functions_is_not_asked_to_be_the_better_one(
    command: list[str], capsys: Capture, here: Path
) -> None:
    message = refused(in_process(capsys, *command, "--players", "2"))
    mentions(message, ["plain and plain/bid=plain play alike", "neither is better"])
    assert not files_in(here)


def test_two_names_of_one_strategy_share_a_group_in_a_tournament(capsys: Capture) -> None:
    command = ("tournament", "random", *SAME, "--players", "2", "--games", "50", "--format", "csv")
    rows = succeeded(in_process(capsys, *command)).rows()
    assert len({row["group"] for row in rows if row["strategy"] in SAME}) == 1


def test_strategies_whose_results_never_differ_are_said_to_be_alike(capsys: Capture) -> None:
    """Both bid less than all others, so they always go last and take what is left."""
    command = ("compare", "plain:level=14", "plain:level=15", "--field", "plain:level=20", "--players", "3")
    outcome = succeeded(in_process(capsys, *command, "--format", "json"))
    _, second = outcome.objects()
    assert second["win_share_ahead"] == second["score_ahead"] == 0
    mentions(outcome.err, ["decided after", "no difference in any deal", "less than 0.1 percentage points"])
    assert second["games"] < 50_000


# Meta-games


@pytest.fixture(scope="module")
def two_counts(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return the folder of a run with two and three players."""
    folder = str(tmp_path_factory.mktemp("runs") / "two")
    succeeded(alone("tournament", *FIELD, "--players", "2,3", "--games", "30", "--out", folder))
    return folder


@pytest.mark.slow
def test_every_table_of_a_meta_game_is_that_of_its_run(two_counts: str) -> None:
    for which in ("mixture", "payoff", "cycles"):
        shown = succeeded(alone("meta-game", two_counts, "--table", which, "--csv", "t.csv", "--format", "csv"))
        assert shown.out == csv_of(two_counts, "--table", which) == Path("t.csv").read_text()
    rows = succeeded(alone("meta-game", two_counts, "--table", "payoff", "--format", "csv")).rows()
    line_ups = csv.DictReader(csv_of(two_counts, "--table", "line-ups").splitlines())
    alike = {(row["players"], row["line_up"], row["strategy"]): float(row["win_share"]) for row in line_ups}
    for row in rows:
        assert len(row["opponents"].split(" + ")) == int(row["players"]) - 1
        if row["strategy"] not in row["opponents"].split(" + "):
            assert float(row["win_share"]) == alike[row["players"], row["line_up"], row["strategy"]]


def test_circles_of_own_results_are_a_table_too(capsys: Capture) -> None:
    games = {"rock": "scissors", "paper": "rock", "scissors": "paper"}
    rows = [f"{at},{winner},100,1\n{at},{loser},100,0" for at, (winner, loser) in enumerate(games.items())]
    alike = [f"{who},{who},100,0.5\n{who},{who},100,0.5" for who in games]
    Path("own.csv").write_text("\n".join(["line_up,strategy,games,win_share", *rows, *alike, ""]))
    found = succeeded(in_process(capsys, "meta-game", "own.csv", "--table", "cycles", "--format", "csv")).rows()
    assert [(row["cycle"], row["strategy"], row["opponent"]) for row in found] == [
        ("1", "rock", "scissors"), ("1", "scissors", "paper"), ("1", "paper", "rock")
    ]  # fmt: skip
    assert {(row["won"], row["clear"], row["win_share"]) for row in found} == {("clearly", "yes", "1.0")}


def test_a_comparison_has_neither_a_meta_game_nor_standings(capsys: Capture) -> None:
    succeeded(in_process(capsys, "compare", "plain", "random", "--players", "2", "--games", "3", "--out", "run"))
    for command in (["meta-game", "run"], ["show", "run", "--table", "standings"]):
        mentions(refused(in_process(capsys, *command)), ["run"])


@pytest.mark.slow
def test_the_meta_game_of_an_exported_run_is_that_of_the_run(two_counts: str, here: Path) -> None:
    Path("own.csv").write_text(csv_of(two_counts, "--table", "line-ups"))
    for which, columns in (("payoff", ("win_share",)), ("mixture", ("share", "payoff"))):
        own = succeeded(alone("meta-game", "own.csv", "--table", which, "--format", "csv", "--csv", "t.csv")).rows()
        of_run = list(csv.DictReader(csv_of(two_counts, "--table", which).splitlines()))
        assert [row["strategy"] for row in own] == [row["strategy"] for row in of_run]
        for column in columns:
            found = [float(row[column]) for row in own]
            assert found == pytest.approx([float(row[column]) for row in of_run], abs=1e-9)
    mentions(Path("t.csv.meta.json").read_text(), ["own.csv", "author", "woolsim meta-game own.csv"])


def test_the_readable_meta_game_tells_pay_offs_circles_and_mixtures(two_counts: str, here: Path) -> None:
    outcome = succeeded(alone("meta-game", two_counts))
    tables, _, _ = outcome.out.partition("made by:")
    assert max(map(len, tables.splitlines())) <= 80
    assert "…" not in tables
    mentions(outcome.words(), ["Pay-offs, 2 players", "Pay-offs, 3 players", "There are none", "30 deals", *FIELD])
    circle = "line_up,strategy,games,win_share\n"
    for at, (one, other) in enumerate(("ab", "bc", "ca")):
        circle += f"{at},{one},9000,0.6\n{at},{other},9000,0.4\n"
    Path("circle.csv").write_text(circle)
    outcome = succeeded(alone("meta-game", "circle.csv"))
    mentions(outcome.words(), ["1. a beats b by 20.0 points (clearly, p <0.0001), which beats c", "1 circle, 1 clear"])


# Sweep and find-best


def test_a_sweep_knows_its_parameter_where_names_are_numbered_and_joins_no_different_strategies() -> None:
    numbered = swept_parameter(pd.Series(["plain:level=20 (1)", "plain:level=21"]))
    assert numbered is not None
    assert (numbered[0], numbered[1].tolist()) == ("level", [20, 21])
    for names, line in ((["plain:level=20", "plain:level=21"], "-"), (["plain", "value"], "None")):
        shares = {"win_share": [0.4, 0.6], "win_share_low": [0.3, 0.5], "win_share_high": [0.5, 0.7]}
        (axes,) = win_share_figure(pd.DataFrame({"strategy": names, **shares}), "a sweep").axes
        assert axes.lines[0].get_linestyle() == line
        assert all(tick == int(tick) for tick in axes.get_xticks())


def test_a_picture_has_the_win_shares_before_and_then_in_order_of_the_parameter() -> None:
    shares = {f"win_share{end}": [0.6, 0.4] for end in ("", "_low", "_high")}
    then = {f"win_share_then{end}": [0.5, 0.45] for end in ("", "_low", "_high")}
    frame = pd.DataFrame({"strategy": ["plain:level=21", "plain:level=20"], **shares, **then, "players": 2})
    (axes,) = win_share_figure(frame, "decks").axes
    drawn = {each.get_label(): each[0].get_xydata() for each in axes.containers}
    assert list(drawn) == ["before", "then"]
    assert drawn["before"][:, 1].tolist() == pytest.approx([40, 60])
    assert drawn["then"][:, 1].tolist() == pytest.approx([45, 50])
    for points, (first, second) in ((drawn["before"], (19.99, 20.99)), (drawn["then"], (20.01, 21.01))):
        assert points[:, 0].tolist() == pytest.approx([first, second], abs=0.02)
    assert axes.get_xlabel() == "level"
    assert [text.get_text() for text in axes.texts] == ["an equal\nshare"]


@pytest.mark.parametrize(
    "command",
    [
        ("tournament", *FIELD),
        ("tournament", *FIELD, "--perturb-deck", "2"),
        ("compare", "plain", "random", "--max-games", "30"),
        ("find-best", *FIELD, "--max-games", "30"),
    ],
    ids=" ".join,
)
def test_every_run_is_drawn_also_later(command: tuple[str, ...], capsys: Capture, here: Path) -> None:
    games = () if "--max-games" in command else ("--games", "20")
    succeeded(in_process(capsys, *command, *games, "--players", "2", "--out", "run", "--png", "at-once.png"))
    for how in (["show"], ["resume"]):
        shown = succeeded(in_process(capsys, *how, "run", "--png", "later.png"))
        mentions(shown.err, ["wrote later.png"])
        assert Path("later.png").read_bytes() == Path("at-once.png").read_bytes()
        Path("later.png").unlink()


def test_sweep_draws_a_picture_and_keeps_a_table(capsys: Capture, here: Path) -> None:
    command = ("sweep", "plain:level=19..22", "--players", "3", "--games", "30", "--csv", "t.csv", "--png", "t.png")
    outcome = succeeded(in_process(capsys, *command, "--out", "run"))
    assert {"t.csv", "t.csv.meta.json", "t.png"} <= set(files_in(here))
    assert csv_of("run") == Path("t.csv").read_text()
    assert max(map(len, outcome.out.partition("made by:")[0].splitlines())) <= 80


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> Outcome:
    folder = str(tmp_path_factory.mktemp("runs") / "found")
    return succeeded(alone(*RACE, "--format", "csv", "--threads", "1", "--out", folder))


def test_the_best_of_several_is_found(found: Outcome) -> None:
    rows = found.rows()
    assert rows[0]["strategy"] == "plain:level=21"
    assert rows[0]["dropped"] == ""
    assert {row["strategy"] for row in rows} == {f"plain:level={level}" for level in range(18, 23)}
    dropped = [int(row["dropped"]) for row in rows if row["dropped"]]
    assert dropped == sorted(dropped, reverse=True)
    games = [int(row["games"]) for row in rows]
    assert games == sorted(games, reverse=True)


def test_nobody_lies_less_than_nothing_behind_the_best(found: Outcome) -> None:
    for at, row in enumerate(found.rows()):
        low, value, high = (float(row[f"behind{end}"]) for end in ("_low", "", "_high"))
        assert 0 <= low <= value <= high
        assert (value == 0) == (at == 0)
        assert (low > 0) == bool(row["dropped"])


def test_two_threads_find_the_same(found: Outcome) -> None:
    assert succeeded(alone(*made_by(found), "--threads", "2", "--format", "csv")).out == found.out
