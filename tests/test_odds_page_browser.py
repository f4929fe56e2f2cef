"""The odds page in a real browser: every figure it shows is the solver's, and everybody can use it."""

import random
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from browsers import opened
from commands import alone, succeeded

from analyzer.wool_rules.bid_table import bid_table
from analyzer.wool_rules.bidding import bid_label, bids_of
from analyzer.wool_rules.exact import outcomes
from analyzer.wool_rules.hold_rules import SolvedRule
from analyzer.wool_rules.plans import shares
from analyzer.wool_rules.position import Position, position
from analyzer.wool_rules.rules import STANDARD, Rules, read_rules
from analyzer.wool_rules.terms import Terms
from reports.words import cards_words, describe, number, percent, under_words
from strategies.wool_rules.hold_registry import hold_rule

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = [pytest.mark.browser, pytest.mark.slow]

GOALS = ("max-odds", "max-cards")

SHOW = """
([goal, bid, modifier, chips, attempt, held, faces]) => {
  const tap = (name, value) => document.querySelector(`input[name="${name}"][value="${value}"]`).click();
  const pick = (id, value) => {
    const list = document.getElementById(id);
    list.value = value;
    list.dispatchEvent(new Event("change", {bubbles: true}));
  };
  if (document.querySelector("input[name=goal]")) tap("goal", goal);
  tap("bid", bid);
  pick("modifier", modifier);
  pick("chips", chips);
  tap("attempt", attempt === 1 ? "first" : "second");
  if (held !== null) tap("held", held);
  faces.forEach((face, die) => tap(`face-${die}`, face));
  const cells = (selector) => [...document.querySelectorAll(selector)].map((cell) => cell.innerText.trim());
  return {
    success: document.getElementById("success").innerText,
    start: Object.fromEntries(
      [...document.querySelectorAll("[data-start]")].map((cell) => [cell.dataset.start, cell.innerText])),
    bars: [0, 1, 2].map((way) => document.getElementById(`bar-${way}`).style.width),
    caption: cells("#all-caption")[0],
    all: [...document.querySelectorAll("#all-body tr")].map((row) => [...row.children].map((c) => c.innerText)),
    chosen: cells("#all-body tr.chosen th"),
    verdict: cells("#verdict")[0],
    standing: cells("#standing")[0],
    shown: document.getElementById("options").checkVisibility(),
    dice: cells("#options-dice th b"),
    best: cells("#options-dice th.best b"),
    lines: cells("#options-body tr:not(.act) th"),
    options: [...document.querySelectorAll("#options-body td[data-figure]")].map(
      (c) => [c.dataset.figure, Number(c.dataset.die), c.innerText]),
  };
}
"""
"""Taps what it is given and returns all that is then written on the page."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("pages")


@pytest.fixture(scope="module")
def page_file(folder: Path) -> Path:
    file = folder / "odds.html"
    succeeded(alone("odds-page", "--out", str(file)))
    return file


def drawn(rules: Rules, n: int, seed: int) -> Iterator[tuple[Any, ...]]:
    """Draw positions, more of those that are likely at a table: bid, modifier, chips, attempt, held, faces."""
    rng = random.Random(seed)
    for at in range(n):
        wide = at % 3 == 0
        modifier = rng.randint(-20, 20) if wide else rng.randint(-4, 4)
        chips = rng.randint(0, rules.chips_total if wide else min(4, rules.chips_total))
        held = rng.choice((None, 0, 1, 2))
        faces = tuple(rng.randint(1, sides) for sides in rules.dice)
        yield rng.choice(bids_of(rules)), modifier, chips, 1 if held is None else 2, held, faces


def rows_before_rolling(goal: int, modifier: int, chips: int, rules: Rules) -> list[dict[str, Any]]:
    """Return the bid table; for most cards, which may decline help as a bid table never does, the solved odds."""
    bids, hold = bids_of(rules), hold_rule(f"{GOALS[goal]}:chips={chips}")
    if goal == 0:
        return [dict(row) for row in bid_table([hold], bids, (modifier,), (chips,), game_rules=rules).rows]
    assert isinstance(hold, SolvedRule)
    terms = Terms.of_bids(np.array(bids), np.full(len(bids), modifier), np.full(len(bids), chips), rules)
    figures = shares(outcomes(terms, hold.solve(terms).plan).start, terms.dice.n_actions, rules)
    return [
        {"bid": bid_label(bid)} | {name: float(figure[at]) for name, figure in figures.items()}
        for at, bid in enumerate(bids)
    ]


def table_is_right(shown: dict[str, Any], goal: int, bid: int, modifier: int, chips: int, rules: Rules) -> None:
    """Compare the figures before the first roll with the bid table."""
    rows = rows_before_rolling(goal, modifier, chips, rules)
    names = ("p_three", "p_two", "p_one", "p_success", "p_under_14")
    cells = [
        [row["bid"], *(percent(row[name]).replace("%", "") for name in names), number(row["mean_cards"])]
        for row in rows
    ]
    assert shown["all"] == cells
    assert shown["chosen"] == [bid_label(bid)]
    assert shown["caption"].startswith(describe(modifier, chips) + ";")
    mine = rows[bids_of(rules).index(bid)]
    assert shown["success"] == percent(mine["p_success"])
    assert shown["start"] == {
        name: (percent if name.startswith("p_") else number)(mine[name]) for name in shown["start"]
    }
    assert set(shown["start"]) == {*names, "p_fail", "mean_cards", "mean_chips_spent"} - {"p_success"}
    for width, name in zip(shown["bars"], names, strict=False):
        assert float(width.removesuffix("%")) == pytest.approx(100 * float(str(mine[name])), abs=1e-3)


def position_is_right(shown: dict[str, Any], found: Position, goal: int) -> None:
    """Compare what is said and shown of a position with what `woolsim odds` computes."""
    rules, target = found.terms.rules, int(found.terms.target[0])
    cards = cards_words(rules.cards_per_attempt[found.attempt - 1])
    assert shown["standing"].startswith(f"Result {found.result}".replace("-", "−"))
    assert shown["shown"] == (not found.made)
    if found.made:
        assert shown["verdict"] == f"The bid is made: take {cards}."
        return
    assert f", {target - found.result} short of {target}; " in shown["standing"]
    advice = found.advice[goal]
    best = next(option.die for option in advice.options if option.chosen)
    aside = f"aside the d{rules.dice[best]}."
    if found.can_accept:
        declined = f"Decline help and set {aside}"
        assert shown["verdict"] == (f"Accept help: take {cards}." if advice.accept else declined)
        assert shown["standing"].endswith(f"accepting brings {cards} now.")
    else:
        assert shown["verdict"] == f"Set {aside}"
        assert "help cannot make it now" in shown["standing"]
    if found.help:
        assert f" {found.help} chip" in shown["standing"]
    assert shown["dice"] == [f"d{rules.dice[option.die]}" for option in advice.options]
    assert shown["best"] == [f"d{rules.dice[best]}"]
    names = [name for name in advice.options[0].shares if found.attempt == 1 or name != "p_two"]
    expected = {
        (name, option.die): percent(option.shares[name], 2) if name.startswith("p_") else number(option.shares[name], 3)
        for option in advice.options
        for name in names
    }
    assert {(name, die): text for name, die, text in shown["options"]} == expected
    assert {"success", "fail", under_words(rules), "cards", "chips spent"} <= set(shown["lines"])


def compare(page: "Page", rules: Rules, n: int, seed: int) -> None:
    """Tap many positions and compare every figure."""
    goals = GOALS if page.locator("input[name=goal]").count() else GOALS[:1]
    holds = [hold_rule(spec) for spec in GOALS]
    for at, (bid, modifier, chips, attempt, held, faces) in enumerate(drawn(rules, n, seed)):
        goal = at % len(goals)
        tapped = [goal, bids_of(rules).index(bid), str(modifier + 20), str(chips), attempt, held, list(faces)]
        shown = page.evaluate(SHOW, tapped)
        table_is_right(shown, goal, bid, modifier, chips, rules)
        position_is_right(shown, position(holds, Terms.one(bid, modifier, chips, rules), faces, attempt, held), goal)


def test_every_figure_shown_for_300_positions_is_the_solvers(browser: "Browser", page_file: Path) -> None:
    with opened(browser, page_file) as page:
        compare(page, STANDARD, 300, 1)


def test_figures_under_other_rules_are_the_solvers(browser: "Browser", folder: Path) -> None:
    rules, file = folder / "odd <b>&\"'羊🐑.toml", folder / "odd.html"
    rules.write_text("dice = [9, 3, 7]\ncards_per_attempt = [0, 3, 1]\nchips_total = 12\nblack_sheep_below = 17\n")
    succeeded(alone("odds-page", "--out", str(file), "--rules", str(rules)))
    with opened(browser, file) as page:
        compare(page, read_rules(rules), 60, 2)
        assert "odd <b>&" in page.inner_text("footer")
        assert "羊🐑.toml" in page.inner_text("footer")


def test_fingers_lead_from_the_first_roll_to_the_second(browser: "Browser", page_file: Path) -> None:
    """The README's example: bid 24, malus 3, 1 chip, 12, 10 and 3."""
    with opened(browser, page_file, has_touch=True) as page:
        assert page.inner_text("#verdict") == "Tap what the d12, d10 and d8 show."
        page.locator("#question label", has_text="24").tap()
        for _ in range(3):
            page.get_by_label("Modifier one lower").tap()
        page.get_by_label("One chip more").tap()
        for die, face in ((0, 12), (1, 10), (2, 3)):
            page.locator(f"#die-{die} label").nth(face - 1).tap()
        assert page.inner_text("#verdict") == "Set aside the d12."
        assert page.inner_text("td[data-figure=p_success][data-die='0']") == "39.00%"
        assert page.inner_text("td[data-figure=p_success][data-die='1']") == "33.59%"
        page.get_by_role("button", name="d12 aside").tap()
        assert page.inner_text("#verdict") == "Tap what the d10 and d8 show."
        page.locator("#die-1 label").nth(6).tap()
        page.locator("#die-2 label").nth(2).tap()
        assert page.locator("#options-dice th b").all_inner_texts() == ["d10", "d8"]
        page.get_by_role("button", name="New dice action").tap()
        assert page.inner_text("#verdict") == "Tap what the d12, d10 and d8 show."
        assert page.locator("#held").is_hidden()
        assert page.locator("#question input:checked + span").all_inner_texts() == ["24"]  # the bid stays


FOCUSED = """
() => {
  const e = document.activeElement;
  return e === document.body ? "BODY" : e.name || e.id || e.dataset.of || e.innerText || e.role;
}
"""


def test_keyboard_reaches_everything_and_the_focus_is_seen(browser: "Browser", page_file: Path) -> None:
    with opened(browser, page_file) as page:
        stops = []
        for _ in range(40):
            page.keyboard.press("Tab")
            stop = page.evaluate(FOCUSED)
            if stop in ("BODY", *stops[:1]):
                break
            stops.append(stop)
            seen = "e => getComputedStyle(e.matches('input') ? e.nextElementSibling : e).outlineStyle"
            assert page.evaluate(f"() => ({seen})(document.activeElement)") == "solid", stop
            if stop.startswith("face-"):
                page.keyboard.press("Space")  # the first face; arrows go on from there
                page.keyboard.press("ArrowRight")
        faces = ["face-0", "face-1", "face-2"]
        assert [stop for stop in stops if stop in ("bid", "modifier", "chips", "attempt", *faces)][:1] == ["bid"]
        assert {"bid", "modifier", "chips", "attempt", *faces, "again"} <= set(stops)
        assert {"d12 aside", "d10 aside", "d8 aside"} <= set(stops)
        assert page.inner_text("#verdict").startswith("Set aside the d")
        assert [page.locator(f"[data-shows='{die}']").inner_text() for die in range(3)] == ["2", "2", "2"]
        page.get_by_role("button", name="d10 aside").press("Enter")
        assert page.evaluate(FOCUSED) == "face-0"  # where to go on


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_no_fault(browser: "Browser", page_file: Path, scheme: Any) -> None:
    from axe_playwright_python.sync_playwright import Axe

    with opened(browser, page_file, color_scheme=scheme) as page:
        for attempt, held in ((1, None), (2, 0)):
            page.evaluate(SHOW, [0, 8, "17", "1", attempt, held, [12, 3, 4]])
            found = Axe().run(page).response
            assert not found["violations"], [fault["id"] for fault in found["violations"]]
            assert len(found["passes"]) > 20
        assert page.get_attribute("#advice", "aria-live") == "polite"


@pytest.mark.parametrize("width", [320, 360, 390, 1280])
def test_nothing_lies_beyond_the_side_of_a_screen(browser: "Browser", page_file: Path, width: int) -> None:
    with opened(browser, page_file, viewport={"width": width, "height": 740}) as page:
        page.evaluate(SHOW, [0, 8, "0", "1", 1, None, [12, 3, 4]])
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        if width >= 360:
            wide = "[...document.querySelectorAll('table, .scrolled')].filter(e => e.scrollWidth > e.clientWidth + 1)"
            assert page.evaluate(f"{wide}.map(e => e.id || e.className)") == []
        small = "[...document.querySelectorAll('#question label.tile, #roll button')].filter(e => e.checkVisibility())"
        assert page.evaluate(f"Math.min(...{small}.map(e => e.getBoundingClientRect().height))") >= 40


def test_print_leaves_out_what_only_fingers_need(browser: "Browser", page_file: Path) -> None:
    with opened(browser, page_file, color_scheme="dark") as page:
        page.evaluate(SHOW, [0, 8, "20", "1", 1, None, [12, 3, 4]])
        page.emulate_media(media="print")
        assert page.locator("#again").is_hidden()
        assert page.locator("#options td.best").first.is_visible()
        assert page.locator("#all").is_visible()
        assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
