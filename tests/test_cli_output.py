"""What the commands print and write: readable tables, unadorned CSV and JSON, and what reproduces them."""

import json
import math
import re
import shlex
import xml.etree.ElementTree as ET
from importlib.metadata import version
from io import BytesIO, StringIO, TextIOWrapper
from itertools import product
from pathlib import Path

import pandas as pd
import pytest
from commands import (
    COLUMNS,
    QUANTITIES,
    SIMULATED_COLUMNS,
    Outcome,
    files_in,
    in_process,
    mentions,
    refused,
    succeeded,
    woolsim,
)
from PIL import Image
from scipy.stats import binom

from reports.cli import main

Capture = pytest.CaptureFixture[str]

BIDS = [*map(str, range(14, 27)), "26+"]
COURSES = 960 * 480 * 120
"""Equally likely courses of a dice action: first roll, second roll, third roll."""

LUCKY = """
def lucky(v):
    other = 10 if v.held[0] else 12
    return 8 if v.draws[0] < 0.5 and not v.held[2] else other
"""
"""A rule of chance: it has no exact odds."""


def made_by(text: str) -> int:
    """Return the number of the line, from the end, at which it begins to say what reproduces the figures."""
    lines = text.splitlines()
    (at,) = (i for i, line in enumerate(lines) if re.match(r"woolsim \d+\.", line))
    return at - len(lines)


def table_lines(outcome: Outcome) -> list[str]:
    """Return the lines above those that reproduce the figures."""
    return outcome.out.splitlines()[: made_by(outcome.out)]


def provenance(text: str) -> str:
    """Return what reproduces the figures, as one line."""
    return " ".join(text.splitlines()[made_by(text) :])


def bid_rows(lines: list[str]) -> dict[str, list[str]]:
    """Return the cells of the rows that start with a bid."""
    cells = [line.split() for line in lines]
    return {row[0]: row[1:] for row in cells if row and row[0] in BIDS}


# The bid table on the screen


def test_bid_table_without_arguments_has_14_bids_in_80_columns_and_says_how_it_was_made() -> None:
    outcome = succeeded(woolsim("bid-table"))
    assert outcome.err == ""
    lines = table_lines(outcome)
    assert max(len(line) for line in outcome.out.splitlines()) <= 80
    assert list(bid_rows(lines)) == BIDS
    assert "exact" in lines[0]
    mentions(provenance(outcome.out), [f"woolsim {version('woolsim')}", "seed 1", "exact", "woolsim bid-table"])
    assert "\x1b" not in outcome.out


def test_the_printed_figures_and_bars_are_those_of_the_csv(capsys: Capture) -> None:
    printed = bid_rows(table_lines(in_process(capsys, "bid-table")))
    for row in in_process(capsys, "bid-table", "--format", "csv").rows():
        *shares, cards, bar = printed[row["bid"]]
        wanted = [float(row[f"p_{name}"]) for name in ("three", "two", "one", "success", "under_14")]
        assert shares == [f"{share * 100:.1f}" for share in wanted]
        assert cards == f"{float(row['mean_cards']):.2f}"
        full = 22
        assert len(bar) == round(full * float(row["p_success"]))
        assert abs(bar.count("█") - full * float(row["p_three"])) <= 0.5


def test_a_chance_that_is_not_certain_is_never_printed_as_100_percent(capsys: Capture) -> None:
    lines = table_lines(in_process(capsys, "bid-table", "--bid", "14", "--modifier", "9,10,11"))
    rows = [line.split() for line in lines if line.startswith("14 ")]
    exact = in_process(capsys, "bid-table", "--bid", "14", "--modifier", "9,10,11", "--format", "csv").rows()
    high, higher, certain = (float(row["p_success"]) for row in exact)
    assert 0.9999 < high < higher < certain == 1
    assert [row[4] for row in rows] == [">99.9", ">99.9", "100.0"]
    assert [row[5] for row in rows] == ["<0.1", "<0.1", "0.0"]


@pytest.mark.parametrize(
    "arguments",
    [
        "bid-table --bid 14",
        "bid-table --bid 14 --simulate 100",
        "hold-table --bid 22",
        "odds --bid 24 --dice 12,10,3 --modifier -3 --chips 1",
        "strategies list",
    ],
)
@pytest.mark.parametrize("encoding", ["ascii", "cp1252", "cp437"])
def test_a_terminal_without_our_signs_gets_the_same_figures(
    arguments: str, encoding: str, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    wanted = in_process(capsys, *arguments.split()).out
    screen = BytesIO()
    monkeypatch.setattr("sys.stdout", TextIOWrapper(screen, encoding=encoding, write_through=True))
    with pytest.raises(SystemExit) as end:
        main(arguments.split())
    assert end.value.code == 0
    shown = screen.getvalue().decode(encoding, errors="replace")
    assert re.findall(r"[\d.]+", shown) == re.findall(r"[\d.]+", wanted)


@pytest.mark.parametrize("columns", ["40", "60"])
def test_a_narrow_terminal_costs_no_figures(columns: str, monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    wide = bid_rows(table_lines(in_process(capsys, "bid-table")))
    monkeypatch.setenv("COLUMNS", columns)
    narrow = in_process(capsys, "bid-table")
    assert "…" not in narrow.out
    assert {bid: cells[:6] for bid, cells in bid_rows(narrow.out.splitlines()).items()} == {
        bid: cells[:6] for bid, cells in wide.items()
    }


def test_rules_of_chance_are_marked_as_simulated_only(capsys: Capture, tmp_path: Path) -> None:
    file = tmp_path / "lucky.py"
    file.write_text(LUCKY)
    outcome = succeeded(in_process(capsys, "bid-table", "--bid", "20", "--hold", f"{file}:lucky", "--simulate", "1000"))
    assert "(simulated only)" in outcome.words()
    assert "No z scores" in outcome.words()


def test_the_hint_at_chips_to_count_on_names_a_rule_that_is_better(capsys: Capture) -> None:
    bids = ("--bid", "14..26", "--chips", "2", "--format", "csv")
    printed = in_process(capsys, "bid-table", "--chips", "2").words()
    found = re.search(r"counting on no chips.* (max-odds:chips=2)\b", printed)
    assert found
    plain, better = (
        [float(row["p_success"]) for row in succeeded(in_process(capsys, "bid-table", *bids, "--hold", rule)).rows()]
        for rule in ("max-odds", found[1])
    )
    assert all(b >= p for b, p in zip(better, plain, strict=True))
    assert any(b > p for b, p in zip(better, plain, strict=True))
    assert "counting on no chips" not in in_process(capsys, "bid-table", "--chips", "2", "--hold", found[1]).words()


# CSV, JSON, Markdown on standard output


def test_csv_has_exactly_the_documented_columns_and_nothing_around_them(capsys: Capture) -> None:
    outcome = succeeded(in_process(capsys, "bid-table", "--format", "csv"))
    assert outcome.out.splitlines()[0].split(",") == COLUMNS
    assert [row["bid"] for row in outcome.rows()] == BIDS
    assert [row["target"] for row in outcome.rows()] == [bid.rstrip("+") for bid in BIDS]


@pytest.mark.parametrize("style", ["csv", "json", "markdown"])
def test_what_reproduces_the_output_goes_to_standard_error(style: str, capsys: Capture) -> None:
    outcome = succeeded(in_process(capsys, "bid-table", "--bid", "20", "--format", style))
    mentions(
        provenance(outcome.err),
        [version("woolsim"), "seed 1", "exact", f"woolsim bid-table --bid 20 --format {style}", "no deck"],
    )
    assert "made by" not in outcome.out
    assert outcome.err.startswith("woolsim ")


def test_every_probability_is_a_whole_number_of_courses_so_no_digit_is_lost(capsys: Capture) -> None:
    for row in in_process(capsys, "bid-table", "--format", "csv", "--chips", "0,2").rows():
        for name in COLUMNS:
            if name.startswith("p_"):
                assert float(row[name]) * COURSES == pytest.approx(round(float(row[name]) * COURSES), abs=1e-6)
        parts = [float(row[name]) for name in ("p_three", "p_two", "p_one", "p_fail")]
        assert math.fsum(parts) == pytest.approx(1, abs=1e-12)


@pytest.mark.parametrize("arguments", ["", "--simulate 1000", "--bid 14,26+ --chips 0,25 --simulate 1000"])
def test_json_is_one_array_with_the_keys_and_figures_of_the_csv(arguments: str, capsys: Capture) -> None:
    table = in_process(capsys, "bid-table", *arguments.split(), "--format", "csv").rows()
    objects = in_process(capsys, "bid-table", *arguments.split(), "--format", "json").objects()
    assert [list(o) for o in objects] == [list(row) for row in table]
    for o, row in zip(objects, table, strict=True):
        assert {name: "" if cell is None else str(cell) for name, cell in o.items()} == row


def test_missing_is_empty_in_csv_and_null_in_json(capsys: Capture, tmp_path: Path) -> None:
    file = tmp_path / "lucky.py"
    file.write_text(LUCKY)
    chance = ("bid-table", "--bid", "20", "--hold", f"{file}:lucky", "--simulate", "1000")
    (row,) = in_process(capsys, *chance, "--format", "csv").rows()
    (found,) = in_process(capsys, *chance, "--format", "json").objects()
    missing = {name for name in found if found[name] is None}
    assert missing == {*COLUMNS[5:], *(f"sim_p_{name}_z" for name in QUANTITIES)}
    assert missing == {name for name, cell in row.items() if cell == ""}
    # z has no meaning where the exact chance is 0 or 1.
    certain = ("bid-table", "--bid", "14", "--chips", "25", "--simulate", "1000", "--format", "json")
    (found,) = in_process(capsys, *certain).objects()
    assert all(found[f"sim_p_{name}_z"] is None for name in QUANTITIES)
    assert found["p_success"] == found["sim_p_success"] == 1


@pytest.mark.parametrize("arguments", ["", "--modifier=-3..3", "--bid 20..26+ --chips 0,2 --simulate 2000"])
def test_csv_read_by_pandas_equals_the_json(arguments: str, capsys: Capture) -> None:
    text = in_process(capsys, "bid-table", *arguments.split(), "--format", "csv").out
    objects = in_process(capsys, "bid-table", *arguments.split(), "--format", "json").objects()
    pd.testing.assert_frame_equal(
        pd.read_csv(StringIO(text)), pd.DataFrame(objects), check_dtype=False, rtol=1e-14, atol=1e-16
    )


def test_markdown_is_a_table_of_as_many_columns_in_every_line(capsys: Capture) -> None:
    lines = in_process(capsys, "bid-table", "--format", "markdown", "--simulate", "1000").out.splitlines()
    header, rule, *body = (line.strip("|").split("|") for line in lines)
    assert [row[0].strip() for row in body] == BIDS
    assert {len(row) for row in body} == {len(header)} == {len(rule)}
    assert all(set(cell.strip()) <= {"-", ":"} for cell in rule)


def test_a_spec_with_commas_stays_one_cell_of_the_csv(capsys: Capture) -> None:
    spec = "fixed-values:three=1,two=3,chip=0.5"
    rows = in_process(capsys, "bid-table", "--bid", "20", "--hold", spec, "--format", "csv").rows()
    assert [row["hold"] for row in rows] == [spec]


# Which rows


def test_ranges_and_lists_give_a_row_for_each_combination(capsys: Capture) -> None:
    arguments = ("--bid", "20..26+", "--modifier=-3..3", "--chips", "0,2", "--format", "csv")
    rows = in_process(capsys, "bid-table", *arguments).rows()
    found = [(int(row["modifier"]), int(row["chips"]), row["bid"]) for row in rows]
    assert found == list(product(range(-3, 4), (0, 2), ["20", "21", "22", "23", "24", "25", "26", "26+"]))


@pytest.mark.parametrize(
    ("given", "bids"),
    [
        ("22", ["22"]),
        ("26+,14", ["26+", "14"]),
        ("14,14..16,15", ["14", "15", "16"]),
        ("26..26+", ["26", "26+"]),
        (" 14 , 20..21 ", ["14", "20", "21"]),
    ],
)
def test_values_come_in_the_order_given_each_once(given: str, bids: list[str], capsys: Capture) -> None:
    assert [row["bid"] for row in in_process(capsys, "bid-table", "--bid", given, "--format", "csv").rows()] == bids


def test_26_plus_has_the_odds_of_26(capsys: Capture) -> None:
    plain, plus = in_process(capsys, "bid-table", "--bid", "26,26+", "--chips", "1", "--format", "csv").rows()
    assert {name for name in COLUMNS if plain[name] != plus[name]} == {"bid"}


def test_hold_is_repeatable_and_a_rule_named_twice_counts_once(capsys: Capture) -> None:
    rules = ["keep-highest", "max-odds", "random"]
    given = [word for rule in [*rules, "max-odds"] for word in ("--hold", rule)]
    rows = in_process(capsys, "bid-table", "--bid", "20,21", *given, "--format", "csv").rows()
    assert [(row["hold"], row["bid"]) for row in rows] == list(product(rules, ["20", "21"]))
    assert all(row["p_success"] for row in rows)
    printed = in_process(capsys, "bid-table", "--bid", "20,21", *given).out
    assert [printed.count(f"hold rule {rule} (exact)") for rule in rules] == [1, 1, 1]


# Simulation beside the exact odds


def test_simulated_columns_stand_behind_the_exact_ones(capsys: Capture) -> None:
    outcome = succeeded(in_process(capsys, "bid-table", "--simulate", "1e4", "--format", "csv"))
    assert outcome.out.splitlines()[0].split(",") == COLUMNS + SIMULATED_COLUMNS
    assert {row["sim_n"] for row in outcome.rows()} == {"10000"}
    exact = in_process(capsys, "bid-table", "--format", "csv").rows()
    assert [{name: row[name] for name in COLUMNS} for row in outcome.rows()] == exact


def test_intervals_are_wilsons_and_z_has_the_exact_standard_error(capsys: Capture) -> None:
    n, z95 = 10_000, 1.959963984540054
    for row in in_process(capsys, "bid-table", "--simulate", str(n), "--format", "json").objects():
        for name in QUANTITIES:
            p, seen, low, high, z = (row[f"{at}p_{name}{end}"] for at, end in _PARTS)
            assert seen * n == pytest.approx(round(seen * n), abs=1e-6)
            assert z == pytest.approx((seen - p) / math.sqrt(p * (1 - p) / n), rel=1e-6, abs=1e-9)
            # The ends of a Wilson interval are the shares whose own standard error puts them 1.96 from what was seen.
            for end in (low, high):
                assert abs(seen - end) == pytest.approx(z95 * math.sqrt(end * (1 - end) / n), rel=1e-6)
            assert low < seen < high


_PARTS = (("", ""), ("sim_", ""), ("sim_", "_low"), ("sim_", "_high"), ("sim_", "_z"))


def test_the_sentence_counts_the_z_scores_and_says_how_many_to_expect(capsys: Capture) -> None:
    arguments = ("bid-table", "--modifier=-3,0,3", "--chips", "0,25", "--simulate", "2000")
    printed = in_process(capsys, *arguments).words()
    found = re.search(r"(\d+) of (\d+) z scores lie outside .*?3; .*?([\d.]+) are to be expected", printed)
    assert found
    rows = in_process(capsys, *arguments, "--format", "json").objects()
    scores = [(row[f"p_{name}"], row[f"sim_p_{name}_z"]) for row in rows for name in QUANTITIES]
    scores = [(p, z) for p, z in scores if z is not None]
    assert int(found[1]) == sum(abs(z) > 3 for _, z in scores)
    assert int(found[2]) == len(scores)
    expected = sum(
        binom.cdf(math.ceil(2000 * p - 3 * d) - 1, 2000, p) + binom.sf(math.floor(2000 * p + 3 * d), 2000, p)
        for p, d in ((p, math.sqrt(2000 * p * (1 - p))) for p, _ in scores)
    )
    assert found[3] == f"{expected:.2f}"


def test_the_same_seed_gives_the_same_figures_for_any_number_of_threads(capsys: Capture, tmp_path: Path) -> None:
    file = tmp_path / "lucky.py"
    file.write_text(LUCKY)
    both = ("--hold", "keep-highest", "--hold", f"{file}:lucky")
    arguments = ("bid-table", "--bid", "18,24", *both, "--simulate", "2500000", "--format", "csv")
    outputs = {in_process(capsys, *arguments, "--threads", threads).out for threads in "123"}
    outputs.add(in_process(capsys, *arguments).out)
    assert len(outputs) == 1
    first, other = (in_process(capsys, *arguments, "--seed", seed).rows() for seed in ("1", "2"))
    assert {row["sim_p_success"] for row in first}.isdisjoint(row["sim_p_success"] for row in other)


def test_the_command_in_the_footer_gives_the_same_output(capsys: Capture) -> None:
    arguments = ("bid-table", "--bid", "20..22", "--hold", "fixed-values:three=1, two=2", "--simulate", "500")
    outcome = succeeded(in_process(capsys, *arguments))
    made_by = outcome.out.splitlines()[-1].partition("made by: ")[2]
    program, *again = shlex.split(made_by)
    assert program == "woolsim"
    assert again[-2:] == ["--seed", "1"]
    assert in_process(capsys, *again).out == outcome.out


@pytest.mark.parametrize("given", [("--seed", "7"), ("--seed=7",)])
def test_a_given_seed_is_shown_once(given: tuple[str, ...], capsys: Capture) -> None:
    line = provenance(in_process(capsys, "bid-table", "--bid", "20", *given).out)
    assert "seed 7;" in line
    assert line.count("--seed") == 1


# Files


def test_csv_file_equals_standard_output_and_its_sidecar_reproduces_it(
    capsys: Capture, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    arguments = ("bid-table", "--bid", "20,26+", "--simulate", "1000", "--seed", "5")
    outcome = succeeded(in_process(capsys, *arguments, "--csv", "odds.csv"))
    mentions(outcome.err, ["wrote", "odds.csv", "odds.csv.meta.json"])
    files = files_in(tmp_path)
    assert set(files) == {"odds.csv", "odds.csv.meta.json"}
    assert files["odds.csv"].decode() == in_process(capsys, *arguments, "--format", "csv").out
    meta = json.loads(files["odds.csv.meta.json"])
    assert meta["command"] == f"woolsim {' '.join(arguments)} --csv odds.csv"
    assert (meta["program"], meta["version"], meta["seed"]) == ("woolsim", version("woolsim"), 5)
    assert meta["deck"] is None
    mentions(meta["figures"], ["exact", "simulated", "1,000"])
    (tmp_path / "odds.csv").unlink()
    in_process(capsys, *shlex.split(meta["command"])[1:])
    assert files_in(tmp_path) == files


def test_a_link_is_written_through_and_stays_a_link(capsys: Capture, tmp_path: Path) -> None:
    target, link = tmp_path / "real.csv", tmp_path / "link.csv"
    target.write_text("old")
    link.symlink_to(target)
    succeeded(in_process(capsys, "bid-table", "--bid", "20", "--csv", str(link)))
    assert link.is_symlink()
    assert target.read_text().startswith("bid,target,")


@pytest.mark.parametrize("command", ["hold-table --bid 22", "odds --bid 24 --dice 12,10,2 --chips 1"])
def test_the_other_commands_write_csv_and_sidecar_too(command: str, capsys: Capture, tmp_path: Path) -> None:
    file = tmp_path / "out.csv"
    succeeded(in_process(capsys, *command.split(), "--csv", str(file)))
    assert file.read_text() == in_process(capsys, *command.split(), "--format", "csv").out
    meta = json.loads((tmp_path / "out.csv.meta.json").read_text())
    assert meta["command"] == f"woolsim {command} --csv {file}"
    assert meta["seed"] is None


def described(picture: Path) -> str:
    """Return what the metadata of a picture says."""
    if picture.suffix == ".png":
        with Image.open(picture) as image:
            image.load()
            return str(image.info["Description"])
    if picture.suffix == ".svg":
        found = ET.parse(picture).findtext(".//{http://purl.org/dc/elements/1.1/}description")
        return found or ""
    subject = re.search(rb"/Subject \((.*?)\)\s*[/>]", picture.read_bytes(), re.DOTALL)
    assert subject
    return subject[1].decode("latin-1").replace("\\(", "(").replace("\\)", ")").replace("\\\n", "")


PICTURES = {
    "success": "bid-table --bid 20..26+",
    "heat-map": "bid-table --modifier=-3..3",
    "loss": "bid-table --hold max-odds --hold keep-highest",
    "check": "bid-table --simulate 1000 --seed 9",
    "hold-chart": "hold-table --bid 22",
}


@pytest.mark.parametrize(
    ("kind", "suffix"), [*((kind, "png") for kind in PICTURES), *product(["success"], ["svg", "pdf"])]
)
def test_pictures_carry_what_reproduces_them_and_come_out_the_same_again(
    kind: str, suffix: str, capsys: Capture, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    command = f"{PICTURES[kind]} --png chart.{suffix}"
    outcome = succeeded(in_process(capsys, *command.split()))
    assert outcome.err.splitlines()[-1] == f"wrote chart.{suffix}"
    first = files_in(tmp_path)
    assert list(first) == [f"chart.{suffix}"]
    note = described(Path(f"chart.{suffix}"))
    mentions(note, [f"woolsim {version('woolsim')}", f"woolsim {command}", "exact"])
    if kind != "hold-chart":
        assert f"seed {'9' if kind == 'check' else '1'};" in note
    succeeded(in_process(capsys, *command.split()))
    assert files_in(tmp_path) == first


def test_a_picture_is_the_same_from_another_process(
    capsys: Capture, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    command = ("bid-table", "--hold", "max-odds", "--hold", "random", "--png", "chart.svg", "--csv", "t.csv")
    succeeded(woolsim(*command, cwd=tmp_path / "a"))
    monkeypatch.chdir(tmp_path / "b")
    succeeded(in_process(capsys, *command))
    assert files_in(tmp_path / "a") == files_in(tmp_path / "b")


def test_a_suffix_in_capitals_is_a_picture_too(capsys: Capture, tmp_path: Path) -> None:
    succeeded(in_process(capsys, "bid-table", "--bid", "20", "--png", str(tmp_path / "CHART.PNG")))
    assert files_in(tmp_path)["CHART.PNG"].startswith(b"\x89PNG")


# Which die to set aside


def test_hold_table_fits_80_columns_and_loses_nothing(capsys: Capture) -> None:
    outcome = succeeded(in_process(capsys, "hold-table", "--bid", "22"))
    assert max(map(len, table_lines(outcome))) <= 80
    mentions(outcome.words(), ["bid 22", "max-odds", "loses nothing", "set aside", "exact"])
    chance = re.search(r"Chance to make the bid with the best decisions: ([\d.]+%)", outcome.words())
    assert chance
    (row,) = in_process(capsys, "bid-table", "--bid", "22", "--format", "csv").rows()
    assert chance[1] == f"{float(row['p_success']):.3%}"


def test_the_printed_chart_has_the_ranks_of_the_csv(capsys: Capture) -> None:
    lines = in_process(capsys, "hold-table", "--bid", "24", "--modifier", "2").out.splitlines()
    printed = {line.split()[0]: line.split()[1:] for line in lines if re.match(r"d(12|10|8) +\d", line)}
    rows = in_process(capsys, "hold-table", "--bid", "24", "--modifier", "2", "--format", "csv").rows()
    first = {(row["die"], row["number"]): row["rank"] for row in rows if row["attempt"] == "1"}
    assert first == {
        (die.removeprefix("d"), str(face)): rank
        for die, ranks in printed.items()
        for face, rank in enumerate(ranks, start=1)
    }
    assert sorted(int(rank) for rank in first.values()) == list(range(1, 31))


@pytest.mark.parametrize(
    ("dice", "attempt"), [("12,10,1", 1), ("3,9,7", 1), ("11,1,8", 1), ("2,2,2", 1), ("6,7,5", 2), ("1,10,8", 2)]
)
def test_the_smallest_rank_of_the_hold_table_is_what_odds_calls_best(dice: str, attempt: int, capsys: Capture) -> None:
    question = ("--bid", "24", "--format", "json")
    ranks = {
        (row["attempt"], row["die"], row["number"]): row["rank"]
        for row in in_process(capsys, "hold-table", *question).objects()
    }
    faces = dict(zip((12, 10, 8), map(int, dice.split(",")), strict=True))
    for held in faces if attempt == 2 else [None]:
        second = () if held is None else ("--attempt", "2", "--held", str(held))
        odds = in_process(capsys, "odds", *question, "--dice", dice, *second).objects()
        (best,) = (row["die"] for row in odds if row["hold"] == "max-odds" and row["best"])
        if held is None:
            assert best == min(faces, key=lambda die: ranks[1, die, faces[die]])
        else:
            others = [die for die in faces if die != held]
            free = min(others, key=lambda die: ranks[2, die, sum(faces.values()) - faces[die]])
            assert [best] == [die for die in others if die != free]


def test_a_chart_with_nothing_to_decide_says_so(capsys: Capture) -> None:
    message = refused(in_process(capsys, "hold-table", "--bid", "14", "--chips", "25"))
    mentions(message, ["bid 14", "25 chips", "every first roll", "no die is set aside"])


# The odds in the middle of a dice action


def odds(capsys: Capture, *arguments: str) -> dict[tuple[str, int], dict[str, object]]:
    """Return the rows of `woolsim odds` by rule and die."""
    rows = succeeded(in_process(capsys, "odds", *arguments, "--format", "json")).objects()
    return {(row["hold"], row["die"]): row for row in rows}


CONNI = ("--bid", "24", "--modifier", "-3", "--chips", "1")


def test_conni_keeps_the_twelve_after_her_first_roll(capsys: Capture) -> None:
    rows = odds(capsys, *CONNI, "--dice", "12,10,3")
    assert list(rows) == list(product(["max-odds", "max-cards"], [12, 10, 8]))
    twelve = rows["max-odds", 12]
    # Her dice must show 26. With the 12 kept, 15 of the 80 rolls of d10 and d8 have 14 and more.
    assert twelve["p_two"] == 15 / 80
    assert (twelve["result"], twelve["help"], twelve["held"], twelve["accept"]) == (22, 2, None, None)
    assert [die for (rule, die), row in rows.items() if row["best"] and rule == "max-odds"] == [12]
    printed = in_process(capsys, "odds", *CONNI, "--dice", "12,10,3").words()
    mentions(printed, ["help cannot make it now", "2 chips", "18.75", "max-odds: set aside the d12"])


def test_conni_needs_a_seven_or_eight_on_her_third_attempt(capsys: Capture) -> None:
    rows = odds(capsys, *CONNI, "--dice", "12,7,3", "--attempt", "2", "--held", "12")
    assert list(rows) == list(product(["max-odds", "max-cards"], [10, 8]))
    assert rows["max-odds", 10]["p_success"] == rows["max-odds", 10]["p_one"] == 2 / 8
    assert rows["max-odds", 8]["p_success"] == 0
    assert [die for (rule, die), row in rows.items() if row["best"]] == [10, 10]
    assert {row["held"] for row in rows.values()} == {12}
    printed = in_process(capsys, "odds", *CONNI, "--dice", "12,7,3", "--attempt", "2", "--held", "d12").words()
    mentions(printed, ["attempt 2", "d12 shows 12 (set aside)", "max-odds: set aside the d10"])


def test_odds_fits_80_columns(capsys: Capture) -> None:
    for attempt in ((), ("--attempt", "2", "--held", "12")):
        outcome = in_process(capsys, "odds", *CONNI, "--dice", "12,7,3", *attempt)
        assert max(map(len, table_lines(outcome))) <= 80


KATHRIN = ("--bid", "24", "--modifier", "1", "--chips", "2", "--hold", "fixed-values:three=1,two=3,one=2")


@pytest.mark.parametrize(
    ("attempt", "accept", "verdict"),
    [((), False, "decline and go on"), (("--attempt", "2", "--held", "12"), True, "accept")],
)
def test_kathrin_declines_three_cards_and_accepts_two(
    attempt: tuple[str, ...], accept: bool, verdict: str, capsys: Capture
) -> None:
    rows = odds(capsys, *KATHRIN, "--dice", "8,7,6", *attempt)
    hers = [row for (rule, _), row in rows.items() if rule.startswith("fixed-values")]
    assert [row["accept"] for row in hers] == [accept] * len(hers)
    assert [row["help"] for row in hers] == [2] * len(hers)
    assert all(row["accept"] for (rule, _), row in rows.items() if rule == "max-odds")
    printed = in_process(capsys, "odds", *KATHRIN, "--dice", "8,7,6", *attempt).words()
    mentions(printed, ["the bonus and 2 chips would make the bid now"])
    assert printed.count(f": {verdict}.") >= 1
    assert hers[0]["accept_value"] == (1 if not attempt else 3)
    best = max(float(str(row["value"])) for row in hers)
    assert (float(str(hers[0]["accept_value"])) >= best) == accept


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ("--bid 24 --dice 12,10,3", ["the bid is made without help", "3 cards must be taken"]),
        ("--bid 24 --dice 12,10,3 --attempt 2 --held 8", ["the bid is made without help", "2 cards must be taken"]),
        ("--bid 24 --dice 12,10,1 --chips 1", ["1 chip would make the bid now", "3 cards", "accept"]),
        ("--bid 24 --dice 12,10,1 --modifier 3", ["the bonus makes the bid", "3 cards", "accept"]),
        ("--bid 24 --dice 12,10,1", ["help cannot make it now", "1 chip"]),
        ("--bid 26+ --dice 12,8,1", ["Bid 26+", "5 short of 26"]),
    ],
)
def test_odds_says_whether_the_bid_is_made_or_help_could_make_it(
    arguments: str, words: list[str], capsys: Capture
) -> None:
    mentions(succeeded(in_process(capsys, "odds", *arguments.split())).words(), words)


def test_a_bid_that_is_made_leaves_nothing_to_set_aside(capsys: Capture) -> None:
    made = ("odds", "--bid", "24", "--dice", "12,10,3")
    assert "set aside the" not in in_process(capsys, *made).out
    (row,) = in_process(capsys, *made, "--format", "json").objects()
    assert (row["result"], row["die"], row["p_success"]) == (25, None, None)
    assert len(in_process(capsys, *made, "--format", "csv").rows()) == 1


def test_odds_shows_the_choice_of_a_rule_that_is_not_solved(capsys: Capture) -> None:
    dice = ("--bid", "24", "--dice", "7,8,4")
    rows = odds(capsys, *dice, "--hold", "keep-highest", "--hold", "random")
    assert [rows["keep-highest", die]["best"] for die in (12, 10, 8)] == [False, True, False]
    assert [rows["random", die]["best"] for die in (12, 10, 8)] == [None, None, None]
    assert all(rows["keep-highest", die]["value"] is None for die in (12, 10, 8))
    best = max(float(str(rows["max-odds", die]["p_success"])) for die in (12, 10, 8))
    assert all(float(str(row["p_success"])) <= best for row in rows.values())


# strategies list, version, help


def test_strategies_list_names_the_rules_with_one_line_each(capsys: Capture) -> None:
    names = ["max-odds", "max-cards", "fixed-values", "keep-highest", "keep-above-mean", "random"]
    rows = in_process(capsys, "strategies", "list", "--slot", "hold", "--format", "csv").rows()
    assert next(iter(rows[0])) == "name"
    assert [row["name"] for row in rows] == names
    assert all(row["summary"].endswith(".") for row in rows)
    printed = in_process(capsys, "strategies", "list", "--slot", "hold")
    firsts = [line.split(" ")[0] for line in printed.out.splitlines()]
    assert [word for word in firsts if word in names][: len(names)] == names
    assert max(map(len, printed.out.splitlines())) <= 80
    for row in rows:
        assert f"{row['name']} {row['summary']}" in printed.words()
    assert in_process(capsys, "strategies", "list", "--slot", "hold", "--format", "json").objects() == rows


def test_every_listed_rule_can_be_played_with_its_listed_parameters(capsys: Capture) -> None:
    for row in in_process(capsys, "strategies", "list", "--slot", "hold", "--format", "csv").rows():
        spec = f"{row['name']}:{row['parameters']}" if row["parameters"] else row["name"]
        plain, spelled = (
            in_process(capsys, "bid-table", "--bid", "21", "--hold", rule, "--format", "json").objects()
            for rule in (row["name"], spec)
        )
        assert [plain[0][name] for name in COLUMNS[5:]] == [spelled[0][name] for name in COLUMNS[5:]]


def test_version_is_the_installed_one(capsys: Capture) -> None:
    assert succeeded(in_process(capsys, "--version")).out == f"woolsim {version('woolsim')}\n"


def test_values_of_an_option_given_twice_are_joined(capsys: Capture) -> None:
    rows = in_process(capsys, "bid-table", "--bid", "14", "--bid", "26+,14", "--format", "csv").rows()
    assert [row["bid"] for row in rows] == ["14", "26+"]
