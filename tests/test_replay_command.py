"""`woolsim replay`: one game of a run, the same scores, a log that the referee accepts, and clear refusals."""

import json
from pathlib import Path
from typing import Any

import pytest
from commands import Outcome, files_in, in_process, mentions, refused, succeeded
from log_oracle import SHIPPED, read_cards, shipped_cards
from referee import referee

from analyzer.wool_rules.deck import read_deck, shipped_deck
from analyzer.wool_rules.games import GamePlayer, Question
from analyzer.wool_rules.log import game_log
from analyzer.wool_rules.rules import STANDARD, read_rules
from strategies.registry import strategy

Capture = pytest.CaptureFixture[str]
Log = list[dict[str, Any]]

LINE_UPS = [
    ("plain", "random"),
    ("plain:level=26", "random", "value"),
    ("random", "random", "plain:level=27", "value", "random/hold=max-odds"),
    ("random", "plain:level=14", "value", "random", "plain", "plain:level=27/bid=random"),
]


@pytest.fixture(autouse=True)
def empty(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "here"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return folder


def events(outcome: Outcome) -> Log:
    """Return the objects of a log, one a line."""
    return [json.loads(line) for line in outcome.out.splitlines()]


@pytest.mark.parametrize("line_up", LINE_UPS, ids=lambda specs: f"{len(specs)} players")
@pytest.mark.parametrize("game", [0, 17, 10**9])
def test_json_is_the_log_of_the_library_one_object_a_line(line_up: tuple[str, ...], game: int, capsys: Capture) -> None:
    outcome = succeeded(in_process(capsys, "replay", *line_up, "--seed", "5", "--game", str(game), "--json"))
    question = Question(tuple(map(strategy, line_up)), STANDARD, shipped_deck(), 5)
    assert events(outcome) == game_log(question, game)
    assert all(line == json.dumps(json.loads(line)) for line in outcome.out.splitlines())
    mentions(outcome.err, ["seed 5", f"game {game}", "deck reconstructed", "--json"])


@pytest.mark.parametrize("line_up", LINE_UPS, ids=lambda specs: f"{len(specs)} players")
def test_the_referee_accepts_it_and_it_names_seed_game_and_full_specs(
    line_up: tuple[str, ...], capsys: Capture
) -> None:
    cards = list(shipped_cards().values())
    for game in range(5):
        log = events(succeeded(in_process(capsys, "replay", *line_up, "--game", str(game), "--json")))
        assert referee(log, cards).players == len(line_up)
        assert (log[0]["seed"], log[0]["game"], log[0]["rules"]) == (1, game, {})
        assert log[0]["strategies"] == [strategy(spec).spec for spec in line_up]
        assert log[0]["strategies"][0].partition("/")[0] in {"plain:level=20", "plain:level=26", "random"}


def test_game_g_of_a_run_replays_to_the_same_scores(capsys: Capture) -> None:
    line_up = LINE_UPS[1]
    player = GamePlayer(Question(tuple(map(strategy, line_up)), STANDARD, shipped_deck(), 8))
    low, _ = player.question.score_range
    for game in (0, 1, 2, 999, 123_456):
        asked = ("replay", *line_up, "--seed", "8", "--game", str(game), "--json")
        log = events(succeeded(in_process(capsys, *asked)))
        scores = [event["total"] for event in log if event["event"] == "score"]
        alone_in_a_block = player(game, 1).scores
        among_others = player(max(game - 3, 0), 7).scores
        assert [(int(seat.argmax()) + low) for seat in alone_in_a_block] == scores
        assert all(seat[score - low] for seat, score in zip(among_others, scores, strict=True))


def test_json_and_the_story_tell_the_same_scores(capsys: Capture) -> None:
    asked = ("replay", *LINE_UPS[1], "--game", "3")
    log = events(succeeded(in_process(capsys, *asked, "--json")))
    story = succeeded(in_process(capsys, *asked))
    mentions(story.out, [str(event["total"]) for event in log if event["event"] == "score"])
    mentions(story.words(), ["deck reconstructed", "made by: woolsim replay plain:level=26 random value --game 3"])
    assert story.err == ""


def test_rules_and_deck_files_are_played_and_said(capsys: Capture) -> None:
    Path("my rules.toml").write_text("dice = [12, 10, 6]\nbone_per_dog = 7\n")
    (file,) = SHIPPED.glob("*.csv")
    rows = [line.split(",") for line in file.read_text().splitlines()]
    white = [row for row in rows if row[1] == "white"]
    white[0][2], white[-1][2] = white[-1][2], white[0][2]
    Path("d.csv").write_text("".join(",".join(row) + "\n" for row in rows))
    asked = ("replay", *LINE_UPS[1], "--game", "2", "--json", "--rules", "my rules.toml", "--deck", "d.csv")
    outcome = succeeded(in_process(capsys, *asked))
    log = events(outcome)
    assert log[0]["rules"] == {"dice": [12, 10, 6], "bone_per_dog": 7}
    referee(log, list(read_cards(Path("d.csv")).values()))
    rules = read_rules(Path("my rules.toml"))
    question = Question(tuple(map(strategy, LINE_UPS[1])), rules, read_deck(Path("d.csv"), rules), 1)
    assert log == game_log(question, 2)
    mentions(outcome.err, ["deck d", "rules changed", "--rules 'my rules.toml' --deck d.csv"])


def test_the_same_command_prints_the_same_bytes(capsys: Capture) -> None:
    for more in ((), ("--json",)):
        first, second = (in_process(capsys, "replay", *LINE_UPS[2], "--game", "4", *more) for _ in range(2))
        assert first == second


# What goes wrong


BAD = [
    (["plain"], ["2 to 6 players", "names 1"]),
    (["plian", "random"], ["'plian'", "did you mean plain?"]),
    (["plain:level=99", "random"], ["level=99", "14 to 27"]),
    (["plain/hodl=random", "random"], ["'hodl'", "did you mean hold?"]),
    (["plain", "random", "--game", "-1"], ["--game", "'-1'", "from 0 to"]),
    (["plain", "random", "--game", "1e12"], ["--game", "'1e12'"]),
    (["plain", "random", "--game", "1.5"], ["--game", "'1.5'"]),
    (["plain", "random", "--game", "1", "--game", "2"], ["--game", "2 times"]),
    (["plain", "random", "--seed", "x"], ["--seed", "'x'"]),
    (["plain", "random", "--stall", "0"], ["--stall", "'0'"]),
    (["plain", "random", "--games", "3"], ["--game"]),
    (["plain", "random", "--csv", "a.csv"], ["--csv"]),
    (["plain", "random", "--rules", "no.toml"], ["--rules", "no.toml"]),
    (["plain", "random", "--deck", "no.csv"], ["--deck", "no.csv"]),
]


@pytest.mark.parametrize(("arguments", "parts"), BAD, ids=[" ".join(case[0]) for case in BAD])
def test_bad_input_is_refused_with_one_message(
    arguments: list[str], parts: list[str], empty: Path, capsys: Capture
) -> None:
    mentions(refused(in_process(capsys, "replay", *arguments)), parts)
    assert files_in(empty) == {}


FAULTY = """
class Late:
    def bid(v):
        return 40 if v.round == 7 else 20

class Nerves:
    def hold(v):
        if v.round == 4:
            raise ValueError("no nerves")
        return 8 if not v.held[2] else 10
"""


@pytest.mark.parametrize(
    ("name", "round_", "parts"),
    [
        ("Late", 7, ["bid of bad.py:Late", "answered 40", "14 to 27"]),
        ("Nerves", 4, ["hold of bad.py:Nerves", "failed with ValueError: no nerves"]),
    ],
)
@pytest.mark.parametrize("style", ["story", "json"])
def test_a_faulty_strategy_is_shown_up_to_its_fault(
    name: str, round_: int, parts: list[str], style: str, capsys: Capture
) -> None:
    Path("bad.py").write_text(FAULTY)
    more = ["--json"] if style == "json" else []
    outcome = in_process(capsys, "replay", "plain", f"bad.py:{name}", "--game", "3", *more)
    assert outcome.status == 2
    errors = [line for line in outcome.err.splitlines() if line.startswith("Error")]
    assert len(errors) == 1
    mentions(errors[0], ["bad.py:", "seat 1", "game 3", f"round {round_}", *parts])
    if style == "json":
        log = events(outcome)
        assert [event["round"] for event in log if event["event"] == "layout"] == list(range(1, round_ + 1))
        assert log[0]["event"] == "setup"
        assert "end" not in {event["event"] for event in log}
    else:
        assert "The log ends here" in outcome.out


def test_the_command_that_a_fault_names_shows_the_same_fault(capsys: Capture) -> None:
    import shlex

    Path("bad.py").write_text(FAULTY)
    asked = ("simulate", "plain", "bad.py:Nerves", "random", "--rotate", "--games", "50", "--seed", "3")
    message = refused(in_process(capsys, *asked))
    fault, _, command = message.partition("; to see that game: ")
    _, *arguments = shlex.split(command)
    outcome = in_process(capsys, *arguments)
    assert outcome.status == 2
    assert fault in outcome.err
