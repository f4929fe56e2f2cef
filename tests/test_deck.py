"""Deck files: what they say is what is read, every fault is said with its line, and nothing else ever comes out."""

import re
from collections.abc import Callable
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analyzer.errors import BadInputError
from analyzer.wool_rules.constants import BLACK, BONE, DOG, KIND_NAMES, N_CARDS, SET_007, SET_370, WHITE
from analyzer.wool_rules.deck import (
    CARD_DTYPE,
    COLUMNS,
    MAX_ROWS,
    SHIPPED_FILE,
    Card,
    Deck,
    departures,
    examine,
    kind_counts,
    read_deck,
    shipped_deck,
    subset_sums,
    to_csv,
)
from analyzer.wool_rules.rules import STANDARD

TEXT = SHIPPED_FILE.read_text(encoding="utf-8")
LINES = TEXT.splitlines()
HEADER = LINES[0]


def with_line(number: int, line: str) -> str:
    """Return the shipped deck file with another line, counted from 1."""
    return "\n".join([*LINES[: number - 1], line, *LINES[number:]]) + "\n"


def faults_of(folder: Path, content: str | bytes) -> list[str]:
    """Return the faults of a file as line and message, `3: ...`; every one has to begin with the file."""
    path = folder / "my.csv"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    deck, faults = examine(path)
    assert (deck is None) == bool(faults)
    assert all(fault.startswith(f"{path}:") for fault in faults)
    return [fault.removeprefix(f"{path}:") for fault in faults]


# What is read


def test_the_file_is_read_as_it_is_written() -> None:
    cards = shipped_deck().cards
    assert len(cards) == len(LINES) - 1 == N_CARDS
    assert cards[0] == Card(0, WHITE, 1, 3, False, 37)
    assert cards[7] == Card(7, WHITE, 2, 0, True, 14)
    assert cards[38] == Card(38, BLACK, -6, 3, False, 4)
    assert cards[41] == Card(41, SET_370, 0, -2, False, 36)
    assert cards[50] == Card(50, SET_007, 0, 0, False, 13)
    assert cards[51] == Card(51, DOG)
    assert cards[59] == Card(59, BONE)
    for card, line in zip(cards, LINES[1:], strict=True):
        assert ",".join(map(str, card.row())) == line


def test_the_shipped_deck_is_the_one_of_the_design_page() -> None:
    deck = shipped_deck()
    assert deck.name == "reconstructed"
    assert deck.is_shipped
    assert kind_counts(deck).tolist() == [32, 7, 6, 6, 8, 1]
    assert deck.digest == "6c809c6dd18c"  # changes with the cards only: outputs of older versions name it


def test_records_have_every_card_in_its_place() -> None:
    records = shipped_deck().records()
    assert records.dtype == CARD_DTYPE
    assert records.shape == (N_CARDS,)
    for card, record in zip(shipped_deck().cards, records, strict=True):
        assert record.tolist() == (
            card.card,
            card.kind,
            card.points,
            card.modifier,
            int(card.bone_symbol),
            card.sheep_number,
        )


def test_a_deck_written_and_read_is_the_same_deck(tmp_path: Path) -> None:
    assert to_csv(shipped_deck()) == TEXT
    path = tmp_path / "mine.csv"
    path.write_text(to_csv(shipped_deck()), encoding="utf-8")
    mine = read_deck(path)
    assert mine.name == "mine"
    assert mine.cards == shipped_deck().cards
    assert mine.digest == shipped_deck().digest
    assert mine.is_shipped


@pytest.mark.parametrize(
    "change",
    [
        pytest.param(lambda text: "\ufeff" + text, id="byte order mark"),
        pytest.param(lambda text: text.replace("\n", "\r\n"), id="line ends of Windows"),
        pytest.param(lambda text: text.replace("\n", "\r"), id="line ends of old Macs"),
        pytest.param(lambda text: text.rstrip("\n"), id="no last line end"),
        pytest.param(lambda text: text + "\n\n , ,\n,,,,,\n", id="empty lines at the end"),
        pytest.param(lambda text: "\n" + text.replace("\n", "\n\n"), id="empty lines between"),
        pytest.param(lambda text: text.replace(",", " ,\t"), id="spaces"),
        pytest.param(lambda text: re.sub(r"[^,\n]+", r'"\g<0>"', text), id="quotes"),
        pytest.param(lambda text: "\n".join([HEADER, *sorted(LINES[1:])]), id="another order of lines"),
        pytest.param(lambda text: text.replace(",3,0,37", ",+3,00,037"), id="signs and zeros"),
    ],
)
def test_the_form_of_the_file_makes_no_difference(change: Callable[[str], str], tmp_path: Path) -> None:
    path = tmp_path / "mine.csv"
    path.write_bytes(change(TEXT).encode())
    assert read_deck(path).cards == shipped_deck().cards


def test_another_card_is_another_deck() -> None:
    first, *others = shipped_deck().cards
    for changed in (
        replace(first, points=2),
        replace(first, modifier=2),
        replace(first, bone_symbol=True),
        replace(first, sheep_number=60),
        replace(first, kind=SET_007, points=0),
    ):
        deck = Deck("reconstructed", (changed, *others))
        assert deck.digest != shipped_deck().digest
        assert not deck.is_shipped


# What is refused: the content, and each fault with its line

NUMBER = "a whole number from"
ONE_FAULT = [
    # the form
    ("", "1: there are no cards; the first line must be " + HEADER),
    ("\n\n", "1: there are no cards"),
    (HEADER, f"1: a deck has {N_CARDS} cards; found none"),
    (TEXT.replace(HEADER + "\n", ""), f"1: the columns must be {HEADER}; missing: card, kind"),
    (TEXT.replace("points,", "", 1), f"1: the columns must be {HEADER}; missing: points"),
    (TEXT.replace("points,", "points,colour,", 1), "1: the columns must be " + HEADER + "; unknown: 'colour'"),
    (TEXT.replace("points,", "point,", 1), "1: the columns must be " + HEADER + "; missing: points; unknown: 'point'"),
    (TEXT.replace("card,kind", "kind,card", 1), "found another order"),
    (TEXT.replace("card,", "card,card,", 1), "one of them twice"),
    (TEXT.replace("card,", "card,\x1b[31m,", 1), "unknown: '\\x1b[31m'"),
    (TEXT.replace("card,", "card," + "x," * 900, 1), "unknown: 'x', 'x', 'x', ..."),
    (TEXT.replace(",", ";"), "1: the columns are separated by semicolons; save the file with commas"),
    (TEXT.replace(",", "\t"), "1: the columns are separated by tabs; save the file with commas"),
    (TEXT.replace("card", '"card', 1), "1: is not CSV: unexpected end of data; a deck file needs no quotation marks"),
    (with_line(5, '3,white,"1,0,0,25'), "5: is not CSV: unexpected end of data"),
    (with_line(5, '3,white,"1"0,0,0,25'), "5: is not CSV: "),
    (with_line(5, "3,white,1,0,0"), f"5: 6 fields are needed ({HEADER}), found 5"),
    (with_line(5, "3,white,1,0,0,25,"), f"5: 6 fields are needed ({HEADER}), found 7"),
    (with_line(5, "3"), f"5: 6 fields are needed ({HEADER}), found 1"),
    (with_line(5, "x" * 200_000), "5: is not CSV: field larger than field limit"),
    ("\n" + with_line(5, "3,white,1,0,0,x").replace("\n", "\r\n\r\n"), "10: sheep_number 'x'"),
    (with_line(5, "3,white\x0c,1,0,\u2028,25"), f"5: bone_symbol is empty: {NUMBER} 0 to 1 is needed"),
    (TEXT + "60,dog,,,,\n" * MAX_ROWS, f"{N_CARDS + MAX_ROWS + 1}: a deck has 60 cards; found 1,060 lines. Is it"),
    # the card
    (with_line(5, "x,white,1,0,0,25"), f"5: card 'x': {NUMBER} 0 to 59 is needed"),
    (with_line(5, ",white,1,0,0,25"), f"5: card is empty: {NUMBER} 0 to 59 is needed"),
    (with_line(5, "60,white,1,0,0,25"), "5: card '60'"),
    (with_line(5, "-1,white,1,0,0,25"), "5: card '-1'"),
    (
        with_line(5, "3,White,1,0,0,25"),
        "5: unknown kind 'White'; known: white, black, 3-7-0, 0-0-7, dog, bone; did you",
    ),
    (with_line(5, "3,sheep,1,0,0,25"), "5: unknown kind 'sheep'; known: "),
    (with_line(5, "3,,1,0,0,25"), "5: unknown kind ''; known: "),
    (with_line(5, "3,370,,0,0,25"), "did you mean 3-7-0?"),
    (with_line(5, "3,03.07.2000,,0,0,25"), "has a spreadsheet made a date of 3-7-0?"),
    (with_line(5, "3,3/7/2000,,0,0,25"), "has a spreadsheet made a date of 3-7-0?"),
    (with_line(5, "3,white,-1,0,0,25"), f"5: points '-1': {NUMBER} 0 to 100 is needed"),
    (with_line(5, "3,white,,0,0,25"), f"5: points is empty: {NUMBER} 0 to 100"),
    (with_line(5, "3,white,101,0,0,25"), "5: points '101'"),
    (with_line(5, "3,white,1.0,0,0,25"), "5: points '1.0'"),
    (with_line(5, "3,white,1e0,0,0,25"), "5: points '1e0'"),
    (with_line(5, "3,white,1_0,0,0,25"), "5: points '1_0'"),
    (with_line(5, "3,white,-+1,0,0,25"), "5: points '-+1'"),
    (with_line(5, "3,white,+,0,0,25"), "5: points '+'"),
    (with_line(5, "3,white,٣,0,0,25"), "5: points '\\u0663'"),
    (with_line(5, "3,white,²,0,0,25"), "5: points '\\xb2'"),
    (with_line(5, "3,white,1\x002,0,0,25"), "5: points '1\\x002'"),
    (with_line(5, "3,white,nan,0,0,25"), "5: points 'nan'"),
    (with_line(5, f"3,white,{'9' * 5000},0,0,25"), "5: points '999999999999999999999999999...': a whole"),
    (with_line(5, f"3,white,{'0' * 5000}1,0,0,25"), "5: points '000"),
    (with_line(34, "32,black,2,-1,0,46"), f"34: points '2': {NUMBER} -100 to -1 is needed"),
    (with_line(34, "32,black,0,-1,0,46"), "34: points '0'"),
    (with_line(41, "39,3-7-0,3,-1,0,48"), "41: points '3': a 3-7-0 has none of its own, leave it empty"),
    (with_line(41, "39,3-7-0,0,-1,0,48"), "41: points '0': a 3-7-0 has none"),
    (with_line(5, "3,white,1,21,0,25"), f"5: modifier '21': {NUMBER} -20 to 20 is needed"),
    (with_line(5, "3,white,1,,0,25"), "5: modifier is empty"),
    (with_line(5, "3,white,1,0,2,25"), f"5: bone_symbol '2': {NUMBER} 0 to 1 is needed"),
    (with_line(5, "3,white,1,0,yes,25"), "5: bone_symbol 'yes'"),
    (with_line(5, "3,white,1,0,0,0"), f"5: sheep_number '0': {NUMBER} 1 to 999 is needed"),
    (with_line(5, "3,white,1,0,0,1000"), "5: sheep_number '1000'"),
    (with_line(53, "51,dog,4,,,"), "53: points '4': a dog has none, leave it empty"),
    (with_line(53, "51,dog,,0,,"), "53: modifier '0': a dog has none"),
    (with_line(61, "59,bone,,,1,"), "61: bone_symbol '1': a bone has none"),
    (with_line(61, "59,bone,,,,60"), "61: sheep_number '60': a bone has none"),
    # the deck
    ("\n".join(LINES[:-1]), "60: a deck has 60 cards; found 59; missing: card 59"),
    ("\n".join(LINES[:3] + LINES[5:]), "59: a deck has 60 cards; found 58; missing: card 2, 3"),
    ("\n".join(LINES[:31]), "31: a deck has 60 cards; found 30"),
    (with_line(61, "58,bone,,,,"), "61: card 58 is on line 60 already"),
    (with_line(5, "3,white,1,0,0,26"), "5: sheep_number 26 is on line 3 already"),
    (with_line(5, "3,white,1,0,0,52"), "5: sheep_number 52 is a table number; those are 52, 53, 54, 55, 56, 57"),
    (with_line(60, "58,bone,,,,"), "61: a second bone; the first is on line 60"),
]


@pytest.mark.parametrize(("content", "said"), ONE_FAULT, ids=[ascii(said)[1:60] for _, said in ONE_FAULT])
def test_a_fault_is_said_once_and_with_its_line(content: str, said: str, tmp_path: Path) -> None:
    faults = faults_of(tmp_path, content)
    assert len(faults) == 1, faults
    assert said in faults[0]
    assert faults[0].isprintable()
    assert faults[0].isascii()
    assert len(faults[0]) < 250
    with pytest.raises(BadInputError) as error:
        read_deck(tmp_path / "my.csv")
    assert str(error.value) == f"{tmp_path / 'my.csv'}:{faults[0]}"


def test_every_fault_is_said_in_the_order_of_the_lines(tmp_path: Path) -> None:
    lines = LINES.copy()
    lines[2] = "1,white,x,99,0,26"
    lines[4] = "3,whit,1,0,0,25"
    lines[6] = '5,"white,2,2,0,2'
    lines[8] = "7,white,2,0,1"
    lines[10] = "8,white,3,1,0,57"
    lines[12] = "x,white,4,0,0,x"  # neither number can be compared; the kind still counts
    faults = faults_of(tmp_path, "\n".join([*lines, "59,bone,,,,"]))
    assert [fault.partition(" ")[0] for fault in faults] == [
        *("3:", "3:", "5:", "7:", "9:", "11:", "11:", "13:", "13:", "62:", "62:", "62:"),
    ]
    assert "points 'x'" in faults[0]
    assert "modifier '99'" in faults[1]
    assert "card 8 is on line 10 already" in faults[5]
    assert "57 is a table number" in faults[6]
    assert "found 61" in " ".join(faults[-3:])
    assert "second bone" in " ".join(faults[-3:])
    assert "card 59 is on line 61 already" in " ".join(faults[-3:])


def test_missing_cards_are_named_when_they_are_few_and_every_number_is_known(tmp_path: Path) -> None:
    assert faults_of(tmp_path, "\n".join(LINES[:51])) == [
        "51: a deck has 60 cards; found 50; missing: card 50, 51, 52, 53, 54, 55, 56, 57, 58, 59"
    ]
    assert faults_of(tmp_path, "\n".join(LINES[:50])) == ["50: a deck has 60 cards; found 49"]
    unread = faults_of(tmp_path, "\n".join([*LINES[:-2], "5x,dog,,,,"]))
    assert unread == ["60: card '5x': a whole number from 0 to 59 is needed", "60: a deck has 60 cards; found 59"]


def test_the_first_fault_says_how_to_see_the_others(tmp_path: Path) -> None:
    path = tmp_path / "my deck.csv"
    path.write_text("\n".join(["", HEADER, "x,white,y,0,0,37", *LINES[2:]]), encoding="utf-8")
    with pytest.raises(BadInputError, match=re.escape(f"(and 1 more: woolsim deck check '{path}')")) as error:
        read_deck(path)
    assert str(error.value).startswith(f"{path}:3: card 'x'")


def test_table_numbers_are_those_of_the_rules_in_force(tmp_path: Path) -> None:
    other = replace(STANDARD, table_numbers=(60, 61, 62, 63, 64, 65))
    deck, faults = examine(SHIPPED_FILE, replace(STANDARD, table_numbers=(1, 61, 62, 63, 64, 65)))
    assert deck is None
    assert faults == [f"{SHIPPED_FILE}:35: sheep_number 1 is a table number; those are 1, 61, 62, 63, 64, 65"]
    path = tmp_path / "a.csv"
    path.write_text(with_line(5, "3,white,1,0,0,52"), encoding="utf-8")
    assert read_deck(path, other).cards[3].sheep_number == 52


@pytest.mark.parametrize("encoding", ["utf-16", "utf-32"])
def test_other_encodings_are_refused(encoding: str, tmp_path: Path) -> None:
    with pytest.raises(BadInputError, match=r"my\.csv:1: is not UTF-8 text"):
        faults_of(tmp_path, TEXT.encode(encoding))
    with pytest.raises(BadInputError, match=r"my\.csv:53: is not UTF-8 text"):
        faults_of(tmp_path, with_line(53, "51,hünd,,,,").encode("latin-1"))
    assert faults_of(tmp_path, TEXT.encode("utf-16-le"))[0].startswith("1: the columns must be")


# What is known of the printed deck


def test_the_shipped_deck_meets_all_that_is_known() -> None:
    assert departures(shipped_deck()) == []


def test_what_is_known_spelled_out() -> None:
    cards = shipped_deck().cards
    sheep = [card for card in cards if card.kind in {WHITE, BLACK, SET_370, SET_007}]
    assert {1, -2, -3} <= {card.modifier for card in sheep}
    assert len(sheep) == 51
    black = [card.points for card in cards if card.kind == BLACK]
    assert len(black) >= 2
    assert any(sum(some) == -10 for n in range(len(black)) for some in combinations(black, n))
    white = [card.points for card in cards if card.kind == WHITE]
    assert any(sum(some) == 27 for some in combinations(white, 6))
    assert min(sum(card.kind == kind for card in cards) for kind in (SET_370, SET_007)) >= 4


@pytest.mark.parametrize(
    ("change", "note"),
    [
        (lambda c: replace(c, modifier=0 if c.modifier == 1 else c.modifier), "no sheep has the modifier +1"),
        (lambda c: replace(c, modifier=0 if c.modifier == -2 else c.modifier), "no sheep has the modifier -2"),
        (lambda c: replace(c, modifier=0 if c.modifier == -3 else c.modifier), "no sheep has the modifier -3"),
        (
            lambda c: c if c.kind != BLACK else replace(c, points=-10) if c.card == 32 else replace(c, kind=SET_370),
            "fewer than 2 black sheep",
        ),
        (lambda c: replace(c, points=-7) if c.kind == BLACK else c, "no black sheep add up to -10"),
        (lambda c: replace(c, points=2) if c.kind == WHITE else c, "no white sheep add up to 27"),
        (lambda c: replace(c, kind=SET_370) if 47 <= c.card <= 50 else c, "fewer than 4 cards of 0-0-7"),
        (lambda c: replace(c, kind=SET_007) if 41 <= c.card <= 44 else c, "fewer than 4 cards of 3-7-0"),
        (
            lambda c: Card(59, DOG) if c.card == 59 else c,
            "51 sheep, 9 dogs, no bone instead of 51 sheep, 8 dogs, 1 bone",
        ),
        (
            lambda c: Card(c.card, WHITE, 1, 0, False, c.card + 9) if 52 <= c.card <= 58 else c,
            "58 sheep, 1 dog, 1 bone i",
        ),
    ],
)
def test_a_departure_is_noted_and_nothing_else(change: Callable[[Card], Card], note: str) -> None:
    notes = departures(Deck("mine", tuple(change(card) for card in shipped_deck().cards)))
    assert len(notes) == 1
    assert note in notes[0]


@given(st.lists(st.integers(-9, 9), max_size=7))
def test_subset_sums_are_those_of_all_subsets(points: list[int]) -> None:
    every = {sum(some) for n in range(len(points) + 1) for some in combinations(points, n)}
    assert subset_sums(points) == every


# Whatever the file: a deck, or BadInputError

FIELDS = st.sampled_from(
    [
        *("", "0", "1", "-1", "+3", "-+3", "3.0", "59", "60", "52", "999", "1000000", "9" * 400, "x", "nan", "٣", "\0"),
        *(
            '"',
            '""',
            '"a"b',
            " ",
            "\ufeff",
            "\r",
            "\n",
            "\x85",
            "\u2028",
            ",",
            ";",
            "\x1b[2J",
            "'",
            *KIND_NAMES,
            *COLUMNS,
        ),
    ]
)


@st.composite
def mutated_lines(draw: st.DrawFn) -> bytes:
    """Return the shipped deck file with some fields changed, lines dropped, doubled, swapped."""
    rows = [line.split(",") for line in LINES]
    for _ in range(draw(st.integers(1, 4))):
        if not rows:
            break
        at = draw(st.integers(0, len(rows) - 1))
        what = draw(st.sampled_from(["field", "field", "field", "drop", "double", "swap", "shorten", "lengthen"]))
        if what == "field" and rows[at]:
            rows[at] = rows[at].copy()
            rows[at][draw(st.integers(0, len(rows[at]) - 1))] = draw(FIELDS)
        elif what == "drop":
            del rows[at]
        elif what == "double":
            rows.insert(at, rows[at])
        elif what == "swap":
            other = draw(st.integers(0, len(rows) - 1))
            rows[at], rows[other] = rows[other], rows[at]
        elif what == "shorten":
            rows[at] = rows[at][:-1]
        else:
            rows[at] = [*rows[at], draw(FIELDS)]
    return draw(st.sampled_from(["\n", "\r\n", "\r"])).join(map(",".join, rows)).encode()


@st.composite
def mutated_bytes(draw: st.DrawFn) -> bytes:
    """Return the shipped deck file with a piece of it replaced by other bytes."""
    content = TEXT.encode()
    start = draw(st.integers(0, len(content)))
    end = draw(st.integers(start, min(len(content), start + 40)))
    return content[:start] + draw(st.binary(max_size=30)) + content[end:]


@settings(deadline=None, max_examples=300)
@given(st.one_of(mutated_lines(), mutated_bytes(), st.binary(max_size=200)))
def test_any_file_is_a_deck_or_is_refused_with_file_and_line(content: bytes) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "a.csv"
        path.write_bytes(content)
        refusal = ""
        try:
            deck = read_deck(path)
        except BadInputError as error:
            refusal = str(error)
        if refusal:
            place = re.match(re.escape(str(path)) + r":(\d+): .", refusal)
            assert place, refusal
            ends = content.replace(b"\r\n", b"\n").replace(b"\r", b"\n").count(b"\n")
            assert 1 <= int(place[1]) <= ends + 1
            assert refusal.isprintable()
            assert len(refusal) < 400
            return
        assert [card.card for card in deck.cards] == list(range(N_CARDS))
        numbers = [card.sheep_number for card in deck.cards if card.kind not in {DOG, BONE}]
        assert len(set(numbers)) == len(numbers)
        assert not set(numbers) & set(STANDARD.table_numbers)
        path.write_text(to_csv(deck), encoding="utf-8")
        assert read_deck(path) == deck
        assert np.array_equal(read_deck(path).records(), deck.records())


def card(number: int) -> st.SearchStrategy[Card]:
    """Return any card with this number; its sheep number is free for no other one."""
    modifier, symbol = st.integers(-20, 20), st.booleans()
    return st.one_of(
        st.builds(Card, st.just(number), st.just(WHITE), st.integers(0, 100), modifier, symbol, st.just(number + 100)),
        st.builds(
            Card, st.just(number), st.just(BLACK), st.integers(-100, -1), modifier, symbol, st.just(number + 100)
        ),
        st.builds(
            Card,
            st.just(number),
            st.sampled_from([SET_370, SET_007]),
            st.just(0),
            modifier,
            symbol,
            st.just(number + 100),
        ),
        st.just(Card(number, DOG)),
    )


@settings(deadline=None, max_examples=30)
@given(st.tuples(*map(card, range(N_CARDS))))
def test_any_deck_that_can_be_written_can_be_read(cards: tuple[Card, ...]) -> None:
    deck = Deck("a", cards)
    with TemporaryDirectory() as folder:
        path = Path(folder) / "a.csv"
        path.write_text(to_csv(deck), encoding="utf-8")
        assert read_deck(path) == deck
    assert isinstance(departures(deck), list)
