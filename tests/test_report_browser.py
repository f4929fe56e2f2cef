"""The page of a report in a real browser: nothing is loaded, everybody can use it, and tables do what they say."""

import csv
import io
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from browsers import opened
from commands import alone, succeeded
from tournament_commands import MINE

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = [pytest.mark.browser, pytest.mark.slow]

NAME = "=mine <b>ü羊🐑.py"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run with a report."""
    here = tmp_path_factory.mktemp("report")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(here)
        Path(NAME).write_text(MINE)
        field = ("plain:level=21", "random", f"{NAME}:Steady")
        run = ("tournament", *field, "--players", "2,3", "--games", "40", "--seed", "5", "--out", "run")
        succeeded(alone(*run, "--report"))
    return here / "run"


@pytest.fixture(scope="module")
def page_file(folder: Path) -> Path:
    return folder / "report.html"


def column(page: "Page", table: str, name: str) -> list[str]:
    """Return the values of a column of a table as they are."""
    at = f"[...t.tHead.rows[0].cells].findIndex(c => c.dataset.column === '{name}')"
    cells = "[...t.tBodies[0].rows].map(row => row.cells[at].dataset.v)"
    found = page.evaluate(
        f"() => {{ const t = [...document.querySelectorAll('table')].find(t => t.caption.innerText === '{table}');"
        f" const at = {at}; return {cells}; }}"
    )
    assert isinstance(found, list)
    return found


def table_of(page: "Page", title: str) -> Any:
    return page.locator("table", has=page.locator("caption", has_text=title)).first


def test_charts_are_seen_and_have_words_for_who_cannot_see_them(browser: "Browser", page_file: Path) -> None:
    with opened(browser, page_file, viewport={"width": 1100, "height": 900}) as page:
        charts = page.locator("figure svg")
        assert charts.count() == len(list((page_file.parent / "png").iterdir()))
        for at in range(charts.count()):
            chart = charts.nth(at)
            box = chart.bounding_box()
            assert box is not None
            assert box["width"] > 400
            assert box["height"] > 60
            assert chart.locator("text").count() > 3
            title, words = (chart.locator(tag).first.text_content() or "" for tag in ("title", "desc"))
            assert title
            assert "All its figures are in csv/" in words
        assert any(text.startswith(NAME[:8]) for text in page.locator("figure svg text").all_text_contents())


def test_a_click_on_a_header_sorts_and_another_turns_the_order(browser: "Browser", page_file: Path) -> None:
    with opened(browser, page_file, viewport={"width": 1100, "height": 900}) as page:
        table = table_of(page, "Win share and score by seat")
        for name, words in (("win_share", "win share"), ("score", "score"), ("seat", "seat")):
            head = table.locator(f"th[data-column={name}]")
            assert words in head.inner_text()
            head.get_by_role("button").click()
            assert head.get_attribute("aria-sort") == "descending"
            values = [float(v) for v in column(page, "Win share and score by seat", name) if v]
            assert values == sorted(values, reverse=True)
            head.get_by_role("button").press("Enter")
            assert head.get_attribute("aria-sort") == "ascending"
            everything = column(page, "Win share and score by seat", name)
            known = [float(v) for v in everything if v]
            assert known == sorted(known)
            assert everything[len(known) :] == [""] * (len(everything) - len(known)), "what is missing stays last"
            assert table.locator("[aria-sort]").count() == 1
        table.locator("th[data-column=strategy] button").click()
        names = column(page, "Win share and score by seat", "strategy")
        assert names == sorted(names)


def test_a_table_is_downloaded_and_copied_with_all_digits(browser: "Browser", page_file: Path) -> None:
    with opened(browser, page_file, viewport={"width": 1100, "height": 900}) as page:
        with page.expect_download() as waiting:
            page.get_by_role("button", name="Download as CSV: Standings").click()
        assert waiting.value.suggested_filename == "standings.csv"
        text = Path(waiting.value.path()).read_text(encoding="utf-8")
        rows = list(csv.DictReader(io.StringIO(text)))
        with (page_file.parent / "csv" / "standings.csv").open(encoding="utf-8", newline="") as lines:
            expected = [{name: row[name] for name in rows[0]} for row in csv.DictReader(lines)]
        assert [row | {"strategy": row["strategy"].removeprefix("'")} for row in rows] == [
            row | {"strategy": row["strategy"].removeprefix("'")} for row in expected
        ]
        assert f"'{NAME}:Steady" in {row["strategy"] for row in rows}, "harmless for spreadsheets"
        clipboard = "{value: {writeText: async (text) => { window.got = text; }}}"
        page.evaluate(f"() => {{ Object.defineProperty(navigator, 'clipboard', {clipboard}); }}")
        page.get_by_role("button", name="Copy the table: Standings").click()
        page.wait_for_function("window.got !== undefined")
        copied = [line.split("\t") for line in page.evaluate("window.got").split("\n")]
        assert [dict(zip(copied[0], line, strict=True)) for line in copied[1:]] == rows
        assert page.inner_text("#said").startswith("Copied")


REACHED = """
() => {
  const e = document.activeElement;
  return e === document.body ? null : [e.tagName, e.innerText.slice(0, 40), getComputedStyle(e).outlineStyle];
}
"""


def test_keyboard_reaches_everything_and_the_focus_is_seen(browser: "Browser", page_file: Path) -> None:
    with opened(browser, page_file, viewport={"width": 1100, "height": 900}) as page:
        wanted = page.locator("a:visible, button:visible, summary:visible, .scrolled:visible").count()
        stops = []
        for _ in range(2 * wanted):
            page.keyboard.press("Tab")
            stop = page.evaluate(REACHED)
            if stop is None:
                break
            stops.append(stop)
            assert stop[2] in {"solid", "auto"}, stop
        assert len(stops) >= wanted
        assert stops[0][1] == "Skip to the results"
        story = page.locator("summary").first
        story.focus()
        page.keyboard.press("Enter")
        assert page.locator("details[open] pre").first.is_visible()
        assert "round 1" in page.locator("details[open] pre").first.inner_text().lower()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_no_fault(browser: "Browser", page_file: Path, scheme: Any) -> None:
    from axe_playwright_python.sync_playwright import Axe

    with opened(browser, page_file, color_scheme=scheme, viewport={"width": 1100, "height": 900}) as page:
        page.locator("summary").first.click()
        found = Axe().run(page).response
        faults = [(fault["id"], [node["html"][:120] for node in fault["nodes"]][:3]) for fault in found["violations"]]
        assert not faults
        assert len(found["passes"]) > 20


@pytest.mark.parametrize("width", [320, 390, 1280])
def test_nothing_lies_beyond_the_side_of_a_screen(browser: "Browser", page_file: Path, width: int) -> None:
    with opened(browser, page_file, viewport={"width": width, "height": 740}) as page:
        for story in page.locator("summary").all():
            story.click()
        assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_charts_and_words_are_light_on_dark(browser: "Browser", page_file: Path) -> None:
    ink = "getComputedStyle(document.querySelector('figure svg text')).fill"
    with opened(browser, page_file, color_scheme="dark") as page:
        assert page.evaluate(ink) == "rgb(233, 237, 233)"
        assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(17, 21, 19)"
        page.emulate_media(media="print")
        assert page.evaluate(ink) == "rgb(0, 0, 0)"
        assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
        assert page.locator(".tools").first.is_hidden()
        assert page.locator("nav").is_hidden()
        assert page.locator("figure svg").first.is_visible()
