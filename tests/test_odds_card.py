"""The odds card: every figure on it is the exact solution's, and the page is one that a printer takes."""

import re
import zlib
from dataclasses import replace
from itertools import combinations, product
from math import ceil
from pathlib import Path

import numpy as np
import oracle_dice as oracle
import pytest
from commands import files_in, in_process, mentions, refused, succeeded
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from matplotlib.text import Text
from PIL import Image

from analyzer.wool_rules.bid_table import bid_table
from analyzer.wool_rules.bidding import bid_label, bids_of
from analyzer.wool_rules.hold_rules import SolvedRule
from analyzer.wool_rules.rules import STANDARD, Rules
from analyzer.wool_rules.terms import Terms
from reports.card_page import MARGIN, card_figure
from reports.odds_card import OddsCard, odds_card
from reports.paper import PAGE_DPI, PAPERS
from strategies.wool_rules.hold_registry import hold_rule

Capture = pytest.CaptureFixture[str]

OTHER = replace(STANDARD, dice=(6, 8, 20), plain_26=False, chips_total=18, chips_start=3, cards_per_attempt=(2, 2, 1))
CROWDED = replace(
    STANDARD,
    dice=(30, 4, 12),
    chips_total=0,
    chips_start=0,
    cards_per_attempt=(7, 0, 1),
    black_sheep_below=99,
    table_numbers=(101, 102, 103, 104, 105, 106),
    dog_single=-100,
    dog_most=-100,
    bone_per_dog=100,
    three_seven_zero=(-100, 100, 50),
    zero_zero_seven=(-100, 100, 50),
    dogless_discard=10,
    memory="table",
)
"""Everything different, so that the small print is as long as it gets."""

ALL_RULES = {"standard": STANDARD, "other": OTHER, "crowded": CROWDED}


def max_odds(chips: int = 0) -> SolvedRule:
    rule = hold_rule(f"max-odds:chips={chips}")
    assert isinstance(rule, SolvedRule)
    return rule


@pytest.fixture(
    scope="module", params=["standard", *(pytest.param(name, marks=pytest.mark.slow) for name in ("crowded", "other"))]
)
def card(request: pytest.FixtureRequest) -> OddsCard:
    return odds_card(max_odds(), ALL_RULES[request.param], range(2, 7))


@pytest.fixture(scope="module")
def figure(card: OddsCard) -> Figure:
    """Return the card as a page, drawn once for all tests that look at it."""
    return card_figure(card, PAPERS["a4"])


@pytest.fixture(scope="module")
def standard() -> OddsCard:
    return odds_card(max_odds(), STANDARD, range(2, 7))


def texts(figure: Figure) -> list[Text]:
    (axes,) = figure.axes
    return list(axes.texts)


def words(figure: Figure) -> str:
    return " ".join(text.get_text() for text in texts(figure))


def rows(figure: Figure) -> list[list[str]]:
    """Return what stands on the page line by line, from left to right."""
    lines: dict[float, list[tuple[float, str]]] = {}
    for text in texts(figure):
        x, y = text.get_position()
        lines.setdefault(round(y - 0.36 * text.get_fontsize() * 25.4 / 72, 2), []).append((x, text.get_text()))
    return [[what for _, what in sorted(line)] for _, line in sorted(lines.items())]


def shown(chance: float, digits: int) -> str:
    """Write a chance as the card does: what is not certain is never 0 or 100."""
    text = f"{100 * chance:.{digits}f}"
    if chance < 1 and float(text) == 100:
        return f">{100 - 10**-digits:.{digits}f}"
    return f"<{10**-digits:.{digits}f}" if chance > 0 and float(text) == 0 else text


# The figures


def test_every_row_of_bids_has_the_exact_odds(card: OddsCard, figure: Figure) -> None:
    page = rows(figure)
    bids = bids_of(card.rules)
    names = ("p_three", "p_two", "p_one", "p_success", "p_fail", "p_under_14")
    found = bid_table([max_odds()], bids, game_rules=card.rules).rows
    helped = {
        modifier: bid_table([max_odds()], bids, [modifier], game_rules=card.rules).rows for modifier in card.helps
    }
    for at, (bid, row) in enumerate(zip(bids, found, strict=True)):
        (line,) = (line for line in page if line[0] == bid_label(bid) and len(line) > 10)
        assert line[1:7] == [shown(float(row[name]), 1) for name in names]  # type: ignore[arg-type]
        assert line[7] == f"{row['mean_cards']:.2f}"
        assert line[8:] == [shown(float(helped[m][at]["p_success"]), 0) for m in card.helps]  # type: ignore[arg-type]
    under = next(line for line in page if "at most" in line[0])
    for modifier, figure in zip(range(-3, 4), under[1:], strict=True):
        assert figure == shown(max(float(row["p_under_14"]) for row in helped[modifier]), 1)  # type: ignore[arg-type]


@pytest.mark.parametrize("bid", [14, 23])
def test_the_odds_are_those_of_the_oracle(bid: int, standard: OddsCard) -> None:
    best = oracle.follow(oracle.best_decisions(bid, 0, 0, oracle.MAX_ODDS))
    odds = oracle.hold_rule_odds(bid, 0, 0, best.first, best.second)
    row = standard.bids[bid - 14]
    for name in ("p_three", "p_two", "p_one", "p_success", "p_fail", "p_under_14", "mean_cards"):
        assert row[name] == float(odds[name])


def test_help_is_one_number_however_it_is_made_up_and_shifts_bids_on_every_roll(standard: OddsCard) -> None:
    names = ("p_three", "p_two", "p_one", "p_success")
    for chips in range(3):
        table = bid_table([max_odds(chips)], bids_of(STANDARD), range(-3, 4), [chips])
        for row in table.rows:
            bid, modifier = str(row["bid"]), row["modifier"]
            assert isinstance(modifier, int)
            at, help_given = [one["bid"] for one in standard.bids].index(bid), modifier + chips
            assert row["p_success"] == standard.made[at][standard.helps.index(help_given)]
            lower = int(row["target"]) - help_given  # type: ignore[arg-type]
            if 14 <= lower <= 26:
                assert [row[name] for name in names] == [standard.bids[lower - 14][name] for name in names]


def test_a_short_rule_never_costs_more_than_the_card_says(card: OddsCard, figure: Figure) -> None:
    """What it costs is found by setting dice aside with it, roll by roll, and counting how that ends."""
    rules, dice = card.rules, Terms.one(14, rules=card.rules).dice
    parts = [(card.short, card.by_need[0].low, card.by_need[-1].high)]
    parts += [(part.short, part.low, part.high) for part in card.by_need]
    page = words(figure)
    order = sorted(range(3), key=lambda die: -dice.sides[die])
    for short, low, high in parts:
        score = dice.faces + np.array(short.add)
        first = np.array([max(order, key=score_of.__getitem__) for score_of in score.tolist()])
        second = np.array(
            [
                [max((d for d in order if d != held), key=line.__getitem__) for line in score.tolist()]
                for held in range(3)
            ]
        )
        needs = np.arange(low, high + 1)
        loss = losses(Terms(needs, needs * 0, needs * 0, needs, rules), first, second)
        assert max(loss) == pytest.approx(short.loss, abs=1e-12)
        assert f"{max(ceil(1e4 * short.loss - 1e-6), 0) / 100:.2f}" in page
    assert [part.low for part in card.by_need[1:]] == [part.high + 1 for part in card.by_need[:-1]]


def losses(terms: Terms, first: np.ndarray, second: np.ndarray) -> list[float]:
    """Return what fixed hold decisions lose of the chance to make each bid."""
    from analyzer.wool_rules.exact import outcomes
    from analyzer.wool_rules.plans import plan_of_holds, shares

    plan = plan_of_holds(terms, first[:, None].astype(np.int8), second[:, :, None].astype(np.int8))
    found = shares(outcomes(terms, plan).start, terms.dice.n_actions, terms.rules)["p_success"]
    return list(max_odds().solve(terms).expected - found)


def test_the_rule_for_all_bids_is_that_of_the_hold_tables_in_the_middle(standard: OddsCard) -> None:
    assert standard.short.add == (0.0, 1.5, 3.0)
    assert [(part.low, part.high) for part in standard.by_need] == [(9, 14), (15, 15), (16, 22), (23, 29)]
    assert standard.short.loss < 0.0011


def test_on_the_ruler_the_die_farthest_to_the_right_is_the_one_the_short_rule_sets_aside(
    card: OddsCard, figure: Figure
) -> None:
    places = [{int(text.get_text()): text.get_position()[0] for text in line} for line in ruler(figure, card.rules)]
    for roll in product(*(range(1, sides + 1) for sides in card.rules.dice)):
        x = [places[die][face] for die, face in enumerate(roll)]
        score = [face + more for face, more in zip(roll, card.short.add, strict=True)]
        for a, b in combinations(range(3), 2):
            assert (x[a] - x[b] > 1e-6) == (score[a] > score[b])
            assert (x[b] - x[a] > 1e-6) == (score[b] > score[a])


def ruler(figure: Figure, rules: Rules) -> list[list[Text]]:
    """Return the faces on the ruler, die by die."""
    found = []
    for sides in rules.dice:
        (name,) = (text for text in texts(figure) if text.get_text() == f"d{sides}")
        y = name.get_position()[1]
        near = [t for t in texts(figure) if abs(t.get_position()[1] - y) < 1.5 and t.get_text().isdigit()]
        found.append(near)
        assert len(near) == sides
    return found


@pytest.mark.parametrize(("players", "facts"), [(2, "3 20 2 0 21"), (4, "5 12 3 2 17"), (6, "7 9 5 4 13")])
def test_what_depends_on_the_number_of_players(players: int, facts: str, standard: OddsCard) -> None:
    page = rows(card_figure(odds_card(standard.hold, STANDARD, [players]), PAPERS["a4"]))
    labels = ("cards laid out", "rounds", "who may roll", "cards left", "chips in the supply")
    found = [next(line[1] for line in page if line[0].startswith(label)) for label in labels]
    assert found == facts.split()
    text = " ".join(" ".join(line) for line in page)
    assert ("4 in the last round of 6" in text) == (players == 6)


# The page


@pytest.mark.parametrize("paper", list(PAPERS))
def test_nothing_on_the_page_leaves_its_margins_or_covers_anything(paper: str, card: OddsCard, figure: Figure) -> None:
    figure = figure if paper == "a4" else card_figure(card, PAPERS[paper])
    figure.set_dpi(PAGE_DPI)
    renderer = FigureCanvasAgg(figure).get_renderer()
    mm = PAGE_DPI / 25.4
    boxes = [(text.get_text(), text.get_window_extent(renderer)) for text in texts(figure) if text.get_text()]
    for what, box in boxes:
        assert box.x0 >= MARGIN * mm - 1, what
        assert box.y0 >= MARGIN * mm - 1, what
        assert box.x1 <= (PAPERS[paper].width - MARGIN) * mm + 1, what
        assert box.y1 <= (PAPERS[paper].height - MARGIN) * mm + 1, what
    # Extents reach from the highest letter to the lowest tail, so lines of a paragraph may touch, but not overlap.
    for (one, a), (other, b) in combinations(boxes, 2):
        wide, high = min(a.x1, b.x1) - max(a.x0, b.x0), min(a.y1, b.y1) - max(a.y0, b.y0)
        assert wide <= 1 or high <= 3, (one, other)


def test_margins_and_fonts_are_fit_for_laminating_and_reading(figure: Figure) -> None:
    assert MARGIN >= 10
    sizes = {text.get_fontsize() for text in texts(figure)}
    assert min(sizes) >= 6.5
    small = [text.get_text() for text in texts(figure) if text.get_fontsize() < 8]
    assert not any(re.fullmatch(r"[<>]?[\d.]+", what) for what in small)
    assert "Exact" in small[0]


def test_in_grey_likelier_cells_are_darker_and_figures_stand_out(standard: OddsCard) -> None:
    (axes,) = card_figure(standard, PAPERS["a4"]).axes
    fills = {to_rgb(box.get_facecolor()) for box in axes.patches if isinstance(box, Rectangle)}
    tints = sorted(float(np.dot(fill, (0.299, 0.587, 0.114))) for fill in fills if fill[0] != fill[2])
    assert len(tints) == 4
    assert min(np.diff([*tints, 1.0])) > 0.04
    assert tints[0] > 0.6  # black on it has a contrast of over 7


def test_the_small_print_says_what_is_assumed(card: OddsCard, figure: Figure) -> None:
    page = " ".join(words(figure).split())
    below = card.rules.black_sheep_below
    mentions(page, ["Exact", "max-odds", f"Under {below}", "not counted", "fewer may be left", card.rules.digest])
    for key, value in card.rules.changes.items():
        assert f"{key} = {value}" in page


# The command


def test_it_writes_a_pdf_and_a_png_of_the_exact_size_of_the_paper(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    monkeypatch.chdir(tmp_path)
    said = succeeded(in_process(capsys, "odds-card"))
    assert set(files_in(tmp_path)) == {"odds-card.pdf", "odds-card.png"}
    mentions(said.out, ["odds-card.pdf and odds-card.png", "A4", "exact", "made by: woolsim odds-card"])
    pdf = Path("odds-card.pdf").read_bytes()
    (box,) = re.findall(rb"/MediaBox \[ 0 0 ([\d.]+) ([\d.]+) \]", pdf)
    assert [float(side) / 72 * 25.4 for side in box] == pytest.approx([210, 297], abs=1e-6)
    assert b"/Subtype /Type3" not in pdf
    assert b"/FontFile2" in pdf
    drawn = b"".join(zlib.decompress(part) for part in re.findall(rb"stream\r?\n(x.*?)\r?\nendstream", pdf, re.DOTALL))
    assert drawn.count(b"Tj") + drawn.count(b"TJ") > 200
    with Image.open("odds-card.png") as picture:
        assert picture.size == (2100, 2970)
        assert picture.info["dpi"] == pytest.approx((254, 254), abs=0.01)
        mentions(picture.info["Description"], ["woolsim odds-card", STANDARD.digest])


@pytest.mark.slow
def test_letter_is_letter_and_the_same_command_gives_the_same_bytes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    monkeypatch.chdir(tmp_path)
    command = ("odds-card", "--paper", "Letter", "--players", "3", "--out", "a.png", "--out", "a.pdf")
    succeeded(in_process(capsys, *command))
    first = files_in(tmp_path)
    assert set(first) == {"a.png", "a.pdf"}
    assert b"/MediaBox [ 0 0 612 792 ]" in first["a.pdf"]
    with Image.open("a.png") as picture:
        assert picture.size == (2159, 2794)
    succeeded(in_process(capsys, *command))
    assert files_in(tmp_path) == first


def test_other_rules_are_followed_and_named(tmp_path: Path, capsys: Capture) -> None:
    rules, out = tmp_path / "mine.toml", tmp_path / "card.png"
    rules.write_text("dice = [12, 10, 6]\n")
    said = succeeded(in_process(capsys, "odds-card", "--rules", str(rules), "--out", str(out)))
    mentions(said.out, ["changed: dice", f"all {720 * 360 * 60:,} courses"])
    with Image.open(out) as picture:
        assert "changed: dice" in picture.info["Description"]


@pytest.mark.parametrize(
    ("arguments", "parts"),
    [
        (["--paper", "a5"], ["--paper", "a5", "a4", "letter"]),
        (["--players", "7"], ["--players", "7", "2", "6"]),
        (["--players", "four"], ["--players", "four"]),
        (["--out", "card.gif"], ["--out", "card.gif", "*.pdf", "*.png"]),
        (["--out", "nowhere/card.pdf"], ["--out", "nowhere", "does not exist"]),
        (["--out", "card.pdf", "--out", "folder.png"], ["--out", "folder.png", "is a folder"]),
        (["--rules", "none.toml"], ["--rules", "none.toml"]),
        (["--paper", "a4", "--paper", "letter"], ["--paper", "2 times"]),
    ],
)
def test_bad_input_gets_one_message_and_writes_nothing(
    arguments: list[str], parts: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("folder.png").mkdir()
    mentions(refused(in_process(capsys, "odds-card", *arguments)), parts)
    assert files_in(tmp_path) == {}


def test_when_one_file_cannot_be_written_the_other_is_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("odds-card.pdf").write_text("old")
    draw = Figure.savefig

    def savefig(figure: Figure, file: Path, **how: object) -> None:
        if how["format"] == "png":
            raise OSError(28, "No space left on device")
        draw(figure, file, **how)  # type: ignore[arg-type]

    monkeypatch.setattr(Figure, "savefig", savefig)
    mentions(refused(in_process(capsys, "odds-card"), status=1), ["odds-card", "No space left on device"])
    assert files_in(tmp_path) == {"odds-card.pdf": b"old"}
