"""The odds page: what is embedded is what the solver says, in every position; the file is whole, safe and the same."""

import re
import shlex
from html import unescape
from pathlib import Path

import numpy as np
import pytest
from commands import alone, files_in, in_process, mentions, refused, succeeded
from page_reader import Reader, embedded

from analyzer.wool_rules.dice import OTHERS
from analyzer.wool_rules.exact import outcomes
from analyzer.wool_rules.hold_rules import SolvedRule
from analyzer.wool_rules.odds_tables import HELPED, MADE
from analyzer.wool_rules.plans import SHARES, shares
from analyzer.wool_rules.rules import STANDARD, Rules, read_rules
from analyzer.wool_rules.terms import Terms
from strategies.wool_rules.hold_registry import hold_rule

Capture = pytest.CaptureFixture[str]

ODD_RULES = "dice = [9, 3, 7]\ncards_per_attempt = [0, 3, 1]\nchips_total = 12\nblack_sheep_below = 17\n"
"""Few cards at once: here it may pay to decline, and the two goals differ."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("pages")


def made(path: Path, *arguments: str) -> Path:
    if not path.exists():
        succeeded(alone("odds-page", "--out", str(path), *arguments))
    return path


@pytest.fixture(scope="module")
def standard(folder: Path) -> Path:
    return made(folder / "standard.html")


@pytest.fixture(scope="module")
def odd(folder: Path) -> Path:
    rules = folder / "odd.toml"
    rules.write_text(ODD_RULES)
    return made(folder / "odd.html", "--rules", str(rules))


def solved(spec: str) -> SolvedRule:
    rule = hold_rule(spec)
    assert isinstance(rule, SolvedRule)
    return rule


def agrees(reader: Reader, goal: int, rules: Rules, every: int) -> int:
    """Compare every n-th question, and every position in it, with the solver; return how often help is declined."""
    declined = 0
    data, dice = reader.data, Terms.one(22, rules=rules).dice
    rule = solved(("max-odds", "max-cards")[goal])
    axes = (len(data["targets"]), 41, rules.chips_total + 1)
    places = np.stack(np.unravel_index(np.arange(goal, np.prod(axes), every), axes))
    for begin in range(0, places.shape[1], 512):
        target, modifier, chips = places[:, begin : begin + 512]
        terms = Terms(
            np.array(data["targets"])[target], modifier + data["lowest_modifier"], chips, np.zeros_like(chips), rules
        )
        solution = rule.solve(terms)
        ends = outcomes(terms, solution.plan)
        asked = (np.full_like(target, goal), target, modifier, chips)
        for stage, counts in (
            ("start", ends.start[:, None]),
            ("first", ends.after_first),
            ("second", ends.after_second),
        ):
            of_solver = shares(counts, data["courses"][stage], rules)
            for name in SHARES:
                shown = reader.figures(f"{stage}_{name}", *asked) / data["courses"][stage]
                np.testing.assert_array_equal(shown, of_solver[name], f"{stage} {name}")
        of_total = {name: reader.figures(name, *asked) for name in ("standing", "result", "missing", "help")}
        np.testing.assert_array_equal(of_total["standing"] == MADE, terms.reached())
        np.testing.assert_array_equal(of_total["standing"] == HELPED, terms.makes_bid() & ~terms.reached())
        np.testing.assert_array_equal(of_total["result"], terms.result())
        np.testing.assert_array_equal(of_total["missing"], np.maximum(terms.target - terms.result(), 0))
        np.testing.assert_array_equal(of_total["help"], terms.help())
        first, second = np.array(data["offset"]["first"]), data["offset"]["second"]
        decisions = [(-1, "first", first + dice.faces - 1, (0, 1, 2), solution.first_die, solution.first_take)]
        for held, (j, k) in enumerate(OTHERS):
            kept = [second[3 - held - die] + dice.faces[:, held] + dice.faces[:, die] - 2 for die in (j, k)]
            answers = (solution.second_die[held], solution.second_take[held])
            decisions.append((held, "second", np.stack(kept, axis=1), (j, k), *answers))
        for held, stage, states, free, die, take in decisions:
            rank = reader.figures(f"{stage}_rank", *asked)[states]  # rolls, free dice, questions
            best = rank.argmin(axis=1)
            np.testing.assert_array_equal(np.array(free)[best], die, f"{stage} {held}")
            accept = reader.figures(f"{stage}_accept", *asked)[dice.totals]
            helped = of_total["standing"][dice.totals] == HELPED
            taken = terms.reached()[dice.totals] | (helped & (rank.min(axis=1) >= accept))
            np.testing.assert_array_equal(taken, take, f"{stage} {held}")
            declined += int((helped & ~taken).sum())
    return declined


@pytest.mark.slow
def test_everything_embedded_is_what_the_solver_says(standard: Path) -> None:
    reader = Reader(embedded(standard.read_text(encoding="utf-8")))
    assert reader.data["targets"] == list(range(14, 27))
    assert agrees(reader, 0, STANDARD, 1) == agrees(reader, 1, STANDARD, 17) == 0


def test_under_other_rules_too_where_declining_may_pay(odd: Path) -> None:
    rules = read_rules(odd.with_name("odd.toml"))
    text = odd.read_text(encoding="utf-8")
    reader = Reader(embedded(text))
    assert agrees(reader, 0, rules, 3) == 0
    assert agrees(reader, 1, rules, 3) > 1000
    assert reader.data["dice"] == [9, 3, 7]
    assert 'name="goal"' in text
    assert all(f">{word}</th>" in text for word in ("0 cards", "3 cards", "1 card", "under 17"))
    assert rules.digest in text


def test_page_is_small_and_loads_nothing(standard: Path) -> None:
    text = standard.read_text(encoding="utf-8")
    assert standard.stat().st_size < 700_000
    assert "default-src 'none'" in text
    assert not re.search(
        r"""(?:src|href|action|srcset)\s*=|url\(|@import|https?:|fetch\(|XMLHttp|WebSocket|import\(""", text
    )
    assert 'name="goal"' not in text  # the two goals agree in every position, and it says so
    assert "also the best one for" in text


def test_page_says_what_is_assumed_and_how_it_was_made(standard: Path) -> None:
    words = " ".join(unescape(standard.read_text(encoding="utf-8").partition("What is assumed")[2]).split())
    mentions(
        words.partition("<script")[0],
        [
            "Rules standard (45d776225aa0)",
            "55,296,000",
            "max-odds",
            "max-cards",
            "woolsim 0.1.0",
            "made by: woolsim odds-page",
        ],
    )


def test_same_command_gives_the_same_bytes(odd: Path) -> None:
    before = odd.read_bytes()
    odd.unlink()
    assert made(odd, "--rules", str(odd.with_name("odd.toml"))).read_bytes() == before


def test_names_of_files_come_through_unharmed(tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    name = "<b>&amp;\"'羊🐑 " + "x" * 150 + ".toml"
    Path(name).write_text("dice = [3, 4, 2]\nchips_total = 0\nchips_start = 0\n")
    succeeded(in_process(capsys, "odds-page", "--rules", name))
    text = Path("odds-page.html").read_text(encoding="utf-8")
    assert '<b>&amp;"' not in text
    command = re.search(r'<p class="made">(made by: .*?)</p>', text)
    assert command
    assert shlex.split(unescape(command[1]))[-1] == name


@pytest.mark.parametrize(
    ("arguments", "parts"),
    [
        (["--out", "no/such.html"], ["--out", "does not exist"]),
        (["--out", "page.txt"], ["--out", "page.txt", "*.html"]),
        (["--out", ".html"], ["--out"]),
        (["--out", "folder.html"], ["--out", "folder"]),
        (["--out", "a.html", "--out", "b.html"], ["--out", "2 times"]),
        (["--rules", "none.toml"], ["--rules", "none.toml"]),
        (["extra"], ["extra"]),
    ],
)
def test_bad_input_is_refused_and_nothing_written(
    arguments: list[str], parts: list[str], tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("folder.html").mkdir()
    mentions(refused(in_process(capsys, "odds-page", *arguments)), parts)
    assert files_in(tmp_path) == {}


def test_default_file_is_checked_too(tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("odds-page.html").mkdir()
    mentions(refused(in_process(capsys, "odds-page")), ["--out", "odds-page.html", "folder"])
