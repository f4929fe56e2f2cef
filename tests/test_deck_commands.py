"""`woolsim deck`: checking a deck of one's own, showing it, starting one."""

import os
import shlex
from pathlib import Path

import pytest
from commands import Outcome, files_in, in_process, mentions, refused, succeeded, woolsim

from analyzer import __version__
from analyzer.wool_rules.deck import COLUMNS, SHIPPED_FILE, shipped_deck
from reports.export import OutputError

Capture = pytest.CaptureFixture[str]

TEXT = SHIPPED_FILE.read_text(encoding="utf-8")
HASH = shipped_deck().digest
RECONSTRUCTION = "a reconstruction (assumption): no public source prints the card list"


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Run every test in an empty folder."""
    folder = tmp_path / "here"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return folder


def mine(*changes: tuple[str, str], name: str = "mine.csv") -> str:
    """Write a deck file, the shipped one with texts replaced, and return its name."""
    text = TEXT
    for old, new in changes:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    Path(name).write_text(text, encoding="utf-8")
    return name


OTHER = (("\n31,white,8,-3,0,18\n", "\n31,white,9,-3,0,18\n"), ("\n59,bone,", "\n59,dog,"))
"""Changes that make another deck, without faults."""


def fits(outcome: Outcome) -> Outcome:
    """Return an outcome that has to be a success and to fit into a terminal."""
    assert max(map(len, succeeded(outcome).out.splitlines())) <= 80
    return outcome


# deck check


def test_check_says_that_a_deck_is_fine_and_what_it_adds_up_to(capsys: Capture) -> None:
    outcome = fits(in_process(capsys, "deck", "check", mine(*OTHER)))
    assert outcome.err == ""
    first, *_ = lines = outcome.out.splitlines()
    assert first == "mine.csv: no faults"
    table = [line.split() for line in lines]
    assert ["white", "32", "1", "to", "9", "145", "-3", "to", "+3", "4"] in table
    assert ["black", "7", "-2", "to", "-6", "-28", "-1", "to", "+3", "1"] in table
    assert ["3-7-0", "6", "-2", "to", "+1", "1"] in table
    assert ["0-0-7", "6", "-3", "to", "+1", "0"] in table
    assert ["dog", "9"] in table
    assert ["bone", "0"] in table
    assert ["all", "60", "117", "6"] in table
    mentions(
        outcome.words(),
        [
            "Modifiers of the 51 sheep: -3 on 4, -2 on 7, -1 on 8, 0 on 16, +1 on 9, +2 on 4, +3 on 3.",
            "Not faults, but the printed cards are known to differ: - 51 sheep, 9 dogs, no bone instead of",
            f"woolsim {__version__}; deck mine, hash ",
            "made by: woolsim deck check mine.csv",
        ],
    )
    assert HASH not in outcome.out
    assert "reconstruct" not in outcome.out


def test_check_counts_what_is_in_the_shipped_deck(capsys: Capture) -> None:
    outcome = fits(in_process(capsys, "deck", "check"))
    cards = shipped_deck().cards
    assert outcome.out.startswith("The shipped deck: no faults\n")
    symbols, points = sum(card.bone_symbol for card in cards), sum(card.points for card in cards)
    assert ["all", "60", str(points), str(symbols)] in [line.split() for line in outcome.out.splitlines()]
    mentions(outcome.words(), ["Meets all that is known", f"deck reconstructed, hash {HASH}", RECONSTRUCTION])


def test_check_names_every_fault_with_its_line(capsys: Capture) -> None:
    name = mine(("\n3,white,1,0,0,25", "\n3,whit,1,0,0,25"), ("\n4,white,2,3,0,42", "\n4,white,x,3,0,57"))
    outcome = in_process(capsys, "deck", "check", name)
    assert outcome.status == 2
    assert outcome.out == ""
    assert outcome.err.splitlines() == [
        "Error: mine.csv:5: unknown kind 'whit'; known: white, black, 3-7-0, 0-0-7, dog, bone; did you mean white?",
        "Error: mine.csv:6: points 'x': a whole number from 0 to 100 is needed",
        "Error: mine.csv:6: sheep_number 57 is a table number; those are 52, 53, 54, 55, 56, 57",
    ]


def test_check_reads_table_numbers_from_a_rules_file(capsys: Capture) -> None:
    name = mine(("0,25\n", "0,57\n"))
    mentions(refused(in_process(capsys, "deck", "check", name)), ["mine.csv:5", "57 is a table number"])
    Path("rules.toml").write_text("table_numbers = [70, 71, 72, 73, 74, 18]\n", encoding="utf-8")
    message = refused(in_process(capsys, "deck", "check", name, "--rules", "rules.toml"))
    mentions(message, ["mine.csv:33", "18 is a table number; those are 70, 71, 72, 73, 74, 18"])
    mentions(refused(in_process(capsys, "deck", "check", "--rules", "rules.toml")), [f"{SHIPPED_FILE}:33"])
    Path("rules.toml").write_text("table_numbers = [70, 71, 72, 73, 74, 75]\n", encoding="utf-8")
    succeeded(in_process(capsys, "deck", "check", name, "--rules", "rules.toml"))
    Path("rules.toml").write_text("table_numbers = [70]\n", encoding="utf-8")
    mentions(refused(in_process(capsys, "deck", "check", name, "--rules", "rules.toml")), ["rules.toml:1"])


def test_check_notes_a_file_that_goes_by_the_name_of_the_shipped_deck(capsys: Capture) -> None:
    outcome = fits(in_process(capsys, "deck", "check", mine(*OTHER, name="reconstructed.csv")))
    mentions(outcome.words(), ["these are not the cards of the shipped deck reconstructed: rename the file"])


@pytest.mark.parametrize("command", ["check", "show", "new copy.csv --from"])
@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("nothing.csv", "nothing.csv: there is no such file"),
        ("no/such/folder.csv", "no/such/folder.csv: there is no such file"),
        ("folder", "folder: is not a file"),
        ("/dev/null", "/dev/null: is not a file"),
        ("pipe", "pipe: is not a file"),
        ("large", "large: is larger than 1,048,576 bytes; is it the right file?"),
        ("noise", "noise:2: is not UTF-8 text"),
        ("empty", "empty:1: there are no cards"),
        ("a" * 300, "cannot be read: File name too long"),
    ],
)
def test_what_is_no_deck_file_is_refused(command: str, name: str, said: str, here: Path, capsys: Capture) -> None:
    (here / "folder").mkdir()
    os.mkfifo("pipe")
    (here / "large").write_bytes(b"x" * (1 << 20) + b"x")
    (here / "noise").write_bytes(b"card\n\xff\xfe\x00")
    (here / "empty").touch()
    assert said in refused(in_process(capsys, "deck", *command.split(), name))
    assert not (here / "copy.csv").exists()


# deck show


@pytest.mark.parametrize("file", [None, "mine.csv"])
def test_show_as_csv_is_a_deck_file_again(file: str | None, capsys: Capture) -> None:
    mine(*OTHER)
    outcome = succeeded(in_process(capsys, "deck", "show", *([file] if file else []), "--format", "csv"))
    assert outcome.out == (Path(file).read_text(encoding="utf-8") if file else TEXT)
    Path("again.csv").write_text(outcome.out, encoding="utf-8")
    again = succeeded(in_process(capsys, "deck", "show", "again.csv", "--format", "csv"))
    assert again.out == outcome.out


def test_show_as_json_has_null_where_a_card_has_nothing(capsys: Capture) -> None:
    cards = succeeded(in_process(capsys, "deck", "show", "--format", "json")).objects()
    assert [list(card) for card in cards] == [list(COLUMNS)] * 60
    assert cards[0] == dict(zip(COLUMNS, (0, "white", 1, 3, 0, 37), strict=True))
    assert cards[39] == dict(zip(COLUMNS, (39, "3-7-0", None, -1, 0, 48), strict=True))
    assert cards[59] == dict(zip(COLUMNS, (59, "bone", None, None, None, None), strict=True))


def test_show_as_markdown_is_a_table_of_60_cards(capsys: Capture) -> None:
    lines = succeeded(in_process(capsys, "deck", "show", "--format", "markdown")).out.splitlines()
    assert lines[0] == "| card | kind | points | modifier | bone symbol | sheep number |"
    assert lines[2] == "| 0 | white | 1 | +3 | 0 | 37 |"
    assert len(lines) == 62


def test_show_as_table_has_every_card_by_kind(capsys: Capture) -> None:
    outcome = fits(in_process(capsys, "deck", "show"))
    header, _, *body = [line.split() for line in outcome.out.splitlines()]
    assert " ".join(header) == "kind card points modifier bone symbol sheep number"
    cards = body[: body.index(["kind", "cards", "points", "sum", "modifiers", "bone", "symbols"])]
    assert cards[0] == ["white", "0", "1", "+3", "37"]
    assert ["white", "7", "2", "0", "yes", "14"] in cards
    assert ["3-7-0", "42", "0", "11"] in cards
    assert ["dog", "51-58"] in cards
    assert ["bone", "59"] in cards
    assert list(dict.fromkeys(line[0] for line in cards if line)) == ["white", "black", "3-7-0", "0-0-7", "dog", "bone"]
    assert sum(len(line) > 2 for line in cards) == 51
    points = [[int(line[2]) for line in cards if line[:1] == [kind]] for kind in ("white", "black")]
    assert points == [sorted(points[0]), sorted(points[1], reverse=True)]


def test_show_lists_apart_cards_that_do_not_follow_each_other(capsys: Capture) -> None:
    name = mine(("\n51,dog,", "\n58,dog,"), ("\n58,dog,,,,\n59,", "\n0,dog,,,,\n59,"), ("\n0,white,", "\n51,white,"))
    assert ["dog", "0,52-58"] in [
        line.split() for line in fits(in_process(capsys, "deck", "show", name)).out.splitlines()
    ]


@pytest.mark.parametrize("style", ["table", "csv", "json", "markdown"])
def test_show_says_which_deck_it_is_and_where_its_cards_come_from(style: str, capsys: Capture) -> None:
    outcome = succeeded(in_process(capsys, "deck", "show", "--format", style))
    said = outcome.out if style == "table" else outcome.err
    mentions(said, [f"deck reconstructed, hash {HASH}", RECONSTRUCTION, f"made by: woolsim deck show --format {style}"])
    assert max(map(len, said.splitlines())) <= 80
    assert style == "table" or HASH not in outcome.out

    copy = succeeded(in_process(capsys, "deck", "show", mine(), "--format", style))
    mentions(copy.out + copy.err, ["deck mine (the cards of the deck reconstructed)", HASH, RECONSTRUCTION])

    other = succeeded(in_process(capsys, "deck", "show", mine(*OTHER), "--format", style))
    mentions(other.out + other.err, ["deck mine, hash "])
    assert "reconstruct" not in other.out + other.err


# deck new


def test_new_writes_the_shipped_cards_and_says_what_to_do_next(here: Path, capsys: Capture) -> None:
    outcome = fits(in_process(capsys, "deck", "new", "my deck.csv"))
    assert files_in(here) == {"my deck.csv": TEXT.encode()}
    mentions(outcome.out, ["Wrote my deck.csv: the 60 cards of deck reconstructed", HASH, RECONSTRUCTION])
    further = [shlex.split(line) for line in outcome.out.splitlines() if line.startswith("woolsim ")]
    assert further[0] == ["woolsim", "deck", "check", "my deck.csv"]
    assert further[1][-2:] == ["--deck", "my deck.csv"]
    assert succeeded(in_process(capsys, *further[0][1:])).out.startswith("my deck.csv: no faults\n")


def test_new_starts_from_another_deck(here: Path, capsys: Capture) -> None:
    source = mine(*OTHER)
    outcome = succeeded(in_process(capsys, "deck", "new", "copy.csv", "--from", source))
    assert (here / "copy.csv").read_bytes() == (here / source).read_bytes()
    mentions(outcome.out, ["Wrote copy.csv: the 60 cards of deck mine, hash "])
    assert "reconstruct" not in outcome.out


def test_new_does_not_overwrite_unless_forced(here: Path, capsys: Capture) -> None:
    source = mine(*OTHER)
    before = files_in(here)
    for arguments in ([source], [source, "--from", source]):
        mentions(refused(in_process(capsys, "deck", "new", *arguments)), [source, "is there already", "--force"])
    assert files_in(here) == before
    succeeded(in_process(capsys, "deck", "new", source, "--from", source, "--force"))
    assert files_in(here) == before
    succeeded(in_process(capsys, "deck", "new", source, "--force"))
    assert files_in(here) == {source: TEXT.encode()}


def test_new_from_a_deck_with_faults_writes_nothing(here: Path, capsys: Capture) -> None:
    source = mine(("\n59,bone,,,,", ""))
    before = files_in(here)
    message = refused(in_process(capsys, "deck", "new", "copy.csv", "--from", source))
    mentions(message, ["mine.csv:60: a deck has 60 cards; found 59; missing: card 59"])
    refused(in_process(capsys, "deck", "new", source, "--from", source, "--force"))
    assert files_in(here) == before


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("folder", "folder: is a folder; name a file"),
        ("no/such.csv", "does not exist; make it first"),
        ("file/deck.csv", "is a file, not a folder"),
        ("/dev/null", "/dev/null: is not an ordinary file; to print a deck: woolsim deck show --format csv"),
        ("pipe", "pipe: is not an ordinary file"),
        ("circle", "circle"),
        ("a" * 300, "File name too long"),
        ("", "is a folder"),
    ],
)
@pytest.mark.parametrize("force", [[], ["--force"]])
def test_new_where_no_file_can_be_is_refused(
    name: str, said: str, force: list[str], here: Path, capsys: Capture
) -> None:
    (here / "folder").mkdir()
    (here / "file").touch()
    (here / "circle").symlink_to("circle")
    os.mkfifo("pipe")
    assert said in refused(in_process(capsys, "deck", "new", name, *force))
    assert files_in(here) == {"file": b""}


def test_new_keeps_the_old_file_when_writing_fails(
    here: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = mine(*OTHER)
    before = files_in(here)

    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_text", full)
    mentions(
        refused(in_process(capsys, "deck", "new", source, "--force"), OutputError.exit_status), [source, "No space"]
    )
    assert files_in(here) == before


# The group


@pytest.mark.parametrize(
    ("arguments", "parts"),
    [
        (["deck", "chek"], ["chek", "check"]),
        (["deck", "new"], ["FILE"]),
        (["deck", "check", "a", "b"], ["b"]),
        (["deck", "check", "--rules"], ["--rules"]),
        (["deck", "show", "--format", "xml"], ["--format", "xml"]),
        (["deck", "new", "a", "--from", "b", "--from", "c"], ["--from", "2 times"]),
    ],
)
def test_bad_arguments_are_refused_by_name(arguments: list[str], parts: list[str], here: Path, capsys: Capture) -> None:
    mentions(refused(in_process(capsys, *arguments)), parts)
    assert files_in(here) == {}


def test_the_installed_script_checks_and_ends_with_2() -> None:
    assert succeeded(woolsim("deck", "check")).out.startswith("The shipped deck: no faults\n")
    mentions(refused(woolsim("deck", "check", mine(("\n59,bone,,,,", "")))), ["mine.csv:60"])
