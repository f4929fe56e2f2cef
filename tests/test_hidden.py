"""A view shows what a seat may know and nothing else: hidden things change, and nothing that anybody does changes."""

import random
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from fingerprints import write_fingerprints
from whole_games import (
    SHIPPED_ROWS,
    Log,
    Reader,
    deck_of,
    events,
    logs,
    question,
    rules_of,
)

from analyzer.errors import GameFaultError
from analyzer.slots import Policy
from analyzer.wool_rules.asking import VIEW_TYPE
from analyzer.wool_rules.bid_table import bid_table
from analyzer.wool_rules.constants import KIND_NAMES
from analyzer.wool_rules.games import GamePlayer
from analyzer.wool_rules.log import game_log
from analyzer.wool_rules.rules import Rules
from analyzer.wool_rules.views import VIEW_DTYPE
from strategies.user_files import load
from strategies.wool_rules.hold_registry import hold_rule

TABLE_MEMORY = Rules(memory="table")
HIDDEN_BY_MEMORY = ("white", "black", "n_white", "n_370", "n_007")


@pytest.fixture(scope="module")
def prints(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_fingerprints(tmp_path_factory.mktemp("prints"))


def first_difference(a: Log, b: Log) -> tuple[int, Any, Any]:
    """Return where two logs part: index and both events; their setups may differ."""
    for at, pair in enumerate(zip(a[1:], b[1:], strict=False), 1):
        if pair[0] != pair[1]:
            return at, *pair
    return len(a), None, None


def round_of(log: Log, at: int) -> int:
    """Return the round of an event."""
    return next((event["round"] for event in reversed(log[: at + 1]) if "round" in event), 0)


# The instrument


def numbers_in(view: np.void) -> Iterator[tuple[Any, Any]]:
    """Yield (array, index) of every number in a record."""
    for name in view.dtype.names:
        part = view[name]
        if part.dtype.names:
            for element in np.atleast_1d(part).ravel() if part.ndim else [part]:
                yield from numbers_in(element)
        elif isinstance(part, np.ndarray):
            yield from ((part, index) for index in np.ndindex(part.shape))
        else:
            yield view, name


def test_fingerprints_see_every_number_of_a_view(prints: Path) -> None:
    """Each single number of a view changes the checksum."""
    function = load(str(prints))["whole"]
    compiled = Policy("whole", function, {}, VIEW_DTYPE).compile(VIEW_TYPE)  # type: ignore[arg-type]
    views = np.zeros(1, VIEW_DTYPE)
    places = list(numbers_in(views[0]))
    sums = [compiled.call(views[0], compiled.parameters)]
    for array, index in places:
        array[index] = 0.5 if "f" in str(array[index].dtype) else 3
        sums.append(compiled.call(views[0], compiled.parameters))
        array[index] = 0
    assert len(set(sums)) == len(places) + 1


# Hidden: the order of the supply, secret bids, tables in the box


def with_faces_exchanged(cards: list[int], chance: random.Random) -> list[dict[str, str]]:
    """Return the deck with these cards' faces permuted: the same as their places in the supply."""
    others = chance.sample(cards, len(cards))
    rows = list(SHIPPED_ROWS)
    for card, other in zip(cards, others, strict=True):
        rows[card] = SHIPPED_ROWS[other] | {"card": str(card)}
    return rows


@pytest.mark.parametrize("memory", ["perfect", "table"])
@pytest.mark.parametrize("players", range(2, 7))
def test_the_order_of_the_supply_changes_nothing_before_it_is_laid_out(prints: Path, players: int, memory: str) -> None:
    """What lies undrawn is exchanged; nobody does anything else until it is laid out, and then they do."""
    rules, chance = Rules(memory=memory), random.Random(players)
    specs = [f"{prints}:salt={seat}" for seat in range(players)]
    asked = question(*specs, rules=rules, seed=players)
    rounds, at_once = asked.rounds, []
    for game in range(2):
        before = game_log(asked, game)
        for last in (0, rounds // 2, rounds - 2):
            undrawn = before[0]["deck"][last * (players + 1) :]
            deck = deck_of(with_faces_exchanged(undrawn, chance), rules)
            after = game_log(question(*specs, rules=rules, deck=deck, seed=players), game)
            assert after[0] == before[0]
            at, *_ = first_difference(before, after)
            assert round_of(before, at) > last
            if last < rounds - 2:
                assert round_of(before, at) == last + 1
                at_once.append(before[at]["event"] == "bid")
    assert np.mean(at_once) > 0.5


@pytest.mark.parametrize("who", range(4))
def test_a_bid_is_secret_until_the_reveal(prints: Path, who: int) -> None:
    """One seat bids otherwise in one round: the others' bids of that round stay, and after the reveal they react."""
    specs = [f"{prints}:salt={seat}" for seat in range(4)]
    for at, game in ((1, 0), (2, 1), (5, 2), (11, 3)):
        made = {}
        for instead in (14, 19, 25):
            line_up = list(specs)
            line_up[who] += f"/bid={prints}:once:salt={who},at={at},instead={instead}"
            made[instead] = game_log(question(*line_up, seed=41), game)
        for a, b in pairwise(made.values()):
            begun = next(i for i, event in enumerate(a) if event["event"] == "bid" and event["round"] == at)
            assert a[1:begun] == b[1:begun]
            for ours, theirs in zip(a[begun : begun + 4], b[begun : begun + 4], strict=True):
                assert (ours == theirs) == (ours["seat"] != who)
            assert a[begun + 4 :] != b[begun + 4 :]


@pytest.mark.parametrize("players", [2, 4])
def test_bidding_tables_left_in_the_box_show_nowhere(prints: Path, players: int) -> None:
    specs = [f"{prints}:salt={seat}" for seat in range(players)]
    for game in range(5):
        one = game_log(question(*specs, seed=5), game)
        dealt = one[0]["table_numbers"]
        numbers = [n if n in dealt else n + 300 for n in range(52, 58)]
        two = game_log(question(*specs, seed=5, rules=rules_of(table_numbers=numbers)), game)
        assert two[0]["rules"] == {"table_numbers": numbers}
        assert one[1:] == two[1:]
        swapped = [dealt[::-1][dealt.index(n)] if n in dealt else n for n in range(52, 58)]
        three = game_log(question(*specs, seed=5, rules=rules_of(table_numbers=swapped)), game)
        assert one[1:] != three[1:], "those that were dealt do show"


# Hidden with memory = "table": what lies in the flocks


def test_only_memory_could_tell_what_lies_in_a_flock(prints: Path) -> None:
    """Players who look from round `start` on: points and kinds of sheep taken before are exchanged under the tops.

    Up to then they play without looking. With memory = "table" nothing changes but the score, the remains of earlier
    takings beyond the counts included; with perfect memory they do something else.
    """
    chance = random.Random(2)
    noticed = 0
    for players in (2, 3, 5):
        for start, game in ((2, 0), (3, 1), (5, 2), (7, 3)):
            specs = [f"{prints}:salt={seat},start={start}" for seat in range(players)]
            before = game_log(question(*specs, rules=TABLE_MEMORY, seed=8), game)
            reader = Reader(before, SHIPPED_ROWS)
            for event in reader:
                if event["event"] == "layout" and event["round"] == start:
                    break
            taken = [card for flock in reader.flocks for card in flock if card not in reader.tops]
            plain = [card for card in taken if reader.kind[card] in {"white", "3-7-0", "0-0-7"}]
            rows = list(SHIPPED_ROWS)
            for card, other in zip(plain, chance.sample(plain, len(plain)), strict=True):
                rows[card] = SHIPPED_ROWS[card] | {key: SHIPPED_ROWS[other][key] for key in ("kind", "points")}
            if rows == SHIPPED_ROWS:
                continue
            after = game_log(question(*specs, rules=TABLE_MEMORY, deck=deck_of(rows), seed=8), game)
            at, *_ = first_difference(before, after)
            assert at == len(before) or before[at]["event"] == "score", before[at]
            assert after[0]["rules"] == {"memory": "table"}
            remembered = [game_log(question(*specs, deck=deck, seed=8), game) for deck in (None, deck_of(rows))]
            at, *_ = first_difference(*remembered)
            noticed += at < len(remembered[0]) and remembered[0][at]["event"] != "score"
    assert noticed >= 10, "with perfect memory they notice"


# What a view shows is so

PROBES = {
    "players": "v.players",
    "round": "v.round",
    "rounds": "v.rounds",
    "me": "v.me",
    "supply": "v.supply",
    "n_table": "v.n_table",
    "chip_supply": "v.chip_supply",
    "deck_kinds": "v.deck_kinds[i]",
    **{f"table.{name}": f"v.table[i].{name}" for name in ("card", "kind", "points", "modifier", "bone_symbol")},
    "table.sheep_number": "v.table[i].sheep_number",
    **{f"seats.{name}": f"v.seats[i].{name}" for name in ("chips", "dogs", "has_bone", "modifier", "sheep_number")},
    **{f"seats.{name}": f"v.seats[i].{name}" for name in HIDDEN_BY_MEMORY},
}
"""What a bid can tell of what its maker saw."""

SHIFT, DIGIT = 60, 12
"""A bid of 14 + d tells one digit d, to the base 12, of a number of a view, which is above -60."""


@pytest.fixture(scope="module")
def probes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    lines = ["def bid(v, what=0, i=0, digit=0):", f"    x = {SHIFT}"]
    lines += [f"    if what == {at}:\n        x += {expression}" for at, expression in enumerate(PROBES.values())]
    lines += ["    for _ in range(digit):", f"        x //= {DIGIT}", f"    return 14 + x % {DIGIT}", ""]
    file = tmp_path_factory.mktemp("probes") / "probes.py"
    file.write_text("\n".join(lines))
    return file


def truth(reader: Reader, name: str, i: int, seat: int) -> int:
    """Return what a seat has to see at the bids of a round, from the log."""
    group, _, field = name.rpartition(".")
    layout = next(event for event in reversed(reader.log[: reader.log.index(reader.at)]) if event["event"] == "layout")
    if group == "table":
        card = reader.table[i]
        if field == "kind":
            return KIND_NAMES.index(reader.kind[card])
        return card if field == "card" else reader.number(card, field)
    if group == "seats":
        kinds = {"n_white": "white", "n_370": "3-7-0", "n_007": "0-0-7", "dogs": "dog"}
        if field in kinds:
            return reader.count(i, kinds[field])
        if field in {"white", "black"}:
            return reader.points(i, field)
        known = {
            "chips": reader.chips[i],
            "has_bone": int(reader.bone == i),
            "modifier": reader.modifier(i),
            "sheep_number": reader.sheep_number(i),
        }
        return known[field]
    per_round = reader.players + 1
    known = {
        "players": reader.players,
        "round": layout["round"],
        "rounds": -(-60 // per_round),
        "me": seat,
        "supply": max(60 - layout["round"] * per_round, 0),
        "n_table": len(reader.table),
        "chip_supply": reader.supply_of_chips(),
        "deck_kinds": sum(row["kind"] == KIND_NAMES[i] for row in SHIPPED_ROWS),
    }
    return known[field]


@pytest.mark.parametrize("memory", ["perfect", "table"])
@pytest.mark.parametrize("players", [2, 3, 6])
def test_what_is_seen_when_bidding_is_what_the_log_says(probes: Path, players: int, memory: str) -> None:
    """Every number of a view, digit by digit: the bids of otherwise random players tell it."""
    sizes = {"table": players + 1, "seats": players, "deck_kinds": 6}
    asked_for = [
        (name, i, digit) for name in PROBES for i in range(sizes.get(name.partition(".")[0], 1)) for digit in range(2)
    ]
    random.Random(1).shuffle(asked_for)
    asked_for = asked_for[: 25 * players]
    seen: dict[str, set[int]] = {name: set() for name in PROBES}
    names = list(PROBES)
    for game, at in enumerate(range(0, len(asked_for), players)):
        some = (asked_for[at:] + asked_for)[:players]
        specs = [f"random/bid={probes}:bid:what={names.index(n)},i={i},digit={d}" for n, i, d in some]
        log = game_log(question(*specs, rules=Rules(memory=memory), seed=3), game)
        reader = Reader(log, SHIPPED_ROWS)
        for event in reader:
            if event["event"] != "bid":
                continue
            reader.at = event
            name, i, digit = some[event["seat"]]
            if name.startswith("table.") and i >= len(reader.table):
                continue  # beyond the cards that count
            expected = truth(reader, name, i, event["seat"])
            if memory == "table" and name.rpartition(".")[2] in HIDDEN_BY_MEMORY:
                expected = 0
            seen[name].add(expected)
            told = int(event["bid"]) - 14
            assert told == (expected + SHIFT) // DIGIT**digit % DIGIT, (name, i, digit, event, expected)
    for name, values in seen.items():
        hidden = memory == "table" and name.rpartition(".")[2] in HIDDEN_BY_MEMORY
        if not hidden and name not in {"players", "rounds", "me", "deck_kinds", "n_table"} and values:
            assert len(values) > 1, f"{name} never changed"
        if hidden:
            assert values <= {0}


@pytest.mark.parametrize("changes", [{}, {"dice": [20, 9, 4], "black_sheep_below": 17}], ids=["standard", "other dice"])
def test_the_odds_that_a_view_shows_are_exact_for_the_rules_in_force(changes: dict[str, Any]) -> None:
    """By the total that the dice must reach: as in the bid table for max-odds; certain below, hopeless above."""
    rules = rules_of(**changes)
    odds = GamePlayer(question("plain", "plain", rules=rules)).record(0).view["odds"]
    for row in bid_table([hold_rule("max-odds")], range(14, 27), game_rules=rules).rows:
        shown = odds[row["target"]]
        for field, name in (("three", "p_three"), ("two", "p_two"), ("one", "p_one"), ("under", "p_under_14")):
            assert shown[field] == pytest.approx(row[name], abs=1e-12), (row["bid"], name)
    assert odds["three"][3] == 1
    assert odds["three"][4] < 1
    most = sum(rules.dice)
    assert odds[most]["three"] == pytest.approx(1 / np.prod(rules.dice))
    for field in ("three", "two", "one"):
        assert (odds[field][most + 1 :] == 0).all()


CHECKS = '''
def everywhere(v):
    """What holds whenever anybody is asked."""
    assert 2 <= v.players <= 6 and 0 <= v.me < v.players and 1 <= v.round <= v.rounds
    chips, bones = v.chip_supply, 0
    for s in range(v.players):
        chips += v.seats[s].chips
        bones += v.seats[s].has_bone
    assert chips == v.rules.chips_total and bones <= 1
    for i in range(4):
        assert 0.0 <= v.draws[i] < 1.0
    for s in range(v.players, 6):
        assert v.seats[s].sheep_number == 0 and v.seats[s].chips == 0


def in_a_turn(v):
    everywhere(v)
    assert 0 <= v.turn < v.players and v.order[v.turn] == v.me
    for k in range(v.players - 1):
        a, b = v.seats[v.order[k]], v.seats[v.order[k + 1]]
        assert a.bid >= b.bid >= 14


def while_rolling(v):
    in_a_turn(v)
    seat = v.seats[v.me]
    total = 0
    held = 0
    for d in range(3):
        assert 1 <= v.dice[d] <= v.rules.dice[d] and 0 <= v.held[d] <= 1
        total += v.dice[d]
        held += v.held[d]
    assert 1 <= v.attempt <= 3 and held == v.attempt - 1
    assert v.target == min(seat.bid, 26) and v.n_taken == 0
    assert v.result == total + min(seat.modifier, 0)
    assert v.help == max(v.target - total - seat.modifier, 0)


def bid(v):
    everywhere(v)
    assert v.attempt == 0 and v.target == 0 and v.result == 0 and v.help == 0 and v.n_taken == 0 and v.turn == -1
    for d in range(3):
        assert v.dice[d] == 0 and v.held[d] == 0
    for s in range(v.players):
        assert v.order[s] == -1 and v.seats[s].bid == 0
    return 14 + int(v.draws[0] * 12)


def accept(v):
    while_rolling(v)
    assert v.result < v.target and v.help <= v.seats[v.me].chips
    return v.draws[0] < 0.5


def hold(v):
    while_rolling(v)
    assert v.attempt < 3 and v.result < v.target
    for d in range(3):
        if not v.held[d]:
            return v.rules.dice[d]
    return 0


def save(v):
    while_rolling(v)
    seat = v.seats[v.me]
    assert v.attempt == 3 and v.result < v.rules.black_sheep_below < v.target
    assert v.result + max(seat.modifier, 0) + seat.chips >= v.rules.black_sheep_below
    black = 0
    for i in range(v.n_table):
        black += v.table[i].kind == 1
    assert black > 0
    return v.draws[0] < 0.5


def taking(v):
    in_a_turn(v)
    assert 0 <= v.n_taken and v.n_table + v.n_taken <= v.players + 1
    for i in range(v.n_taken):
        for j in range(i):
            assert v.taken[i].card != v.taken[j].card
        for j in range(v.n_table):
            assert v.taken[i].card != v.table[j].card


def pick(v):
    taking(v)
    left = v.rules.cards_per_attempt[v.attempt - 1] - v.n_taken
    assert 0 < left < v.n_table
    return int(v.draws[0] * v.n_table)


def steal(v):
    taking(v)
    symbols = 0
    for i in range(v.n_taken):
        symbols += v.taken[i].bone_symbol
    robbed = 0
    for s in range(v.players):
        robbed += v.seats[s].has_bone and s != v.me
    assert symbols > 0 and robbed == 1
    return v.draws[0] < 0.5


def top(v):
    taking(v)
    sheep, last = 0, 0
    for i in range(v.n_taken):
        if v.taken[i].kind < 4:
            sheep += 1
            last = i
    assert sheep > 1
    return last
'''


@pytest.fixture(scope="module")
def checks(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("checks") / "checks.py"
    file.write_text(CHECKS)
    return file


@pytest.mark.parametrize("players", range(2, 7))
def test_everybody_is_asked_only_what_there_is_to_decide_and_sees_a_view_that_fits(checks: Path, players: int) -> None:
    """Policies that check what they see, in 500 games; each slot is asked only when the design page says so."""
    for rules in (Rules(), rules_of(cards_per_attempt=[4, 2, 2], black_sheep_below=19, dice=[9, 20, 7], chips_start=3)):
        assert GamePlayer(question(*[str(checks)] * players, rules=rules, seed=1))(0, 250).games == 250


@pytest.mark.parametrize("slot", ["bid", "accept", "hold", "save", "pick", "steal", "top"])
def test_a_check_that_fails_stops_the_game(tmp_path: Path, slot: str) -> None:
    """Every slot is asked, and a view that did not fit would be found."""
    file = tmp_path / "never.py"
    file.write_text(
        f"def {slot}(v):\n    assert v.round < 0\n    return v.attempt\n".replace(
            "return v.attempt", "return True" if slot in {"accept", "save", "steal"} else "return v.attempt"
        )
    )
    with pytest.raises(GameFaultError, match=rf"{slot} of .* failed with AssertionError"):
        GamePlayer(question(*[f"random/{slot}={file}:{slot}"] * 3))(0, 1000)


# What was before


@pytest.mark.parametrize("players", range(2, 7))
def test_a_game_does_not_depend_on_the_games_before_it(prints: Path, players: int) -> None:
    """Played first or after others, on used records: a policy may look beyond the cards that count, and see nothing."""
    asked = question(*[f"{prints}:salt={seat}" for seat in range(players)], seed=12)
    fresh, used = [game_log(asked, game) for game in range(6)], GamePlayer(asked)
    used(1000, 50)
    assert fresh == [game_log(asked, game, player=used) for game in range(6)]
    forwards = used(0, 60)
    backwards = used(30, 30) + used(0, 30)
    assert np.array_equal(forwards.total, backwards.total)
    assert np.array_equal(forwards.extra["actions"], backwards.extra["actions"])


def test_a_game_does_not_depend_on_a_game_that_was_given_up(prints: Path, tmp_path: Path) -> None:
    """A policy fails in the middle of a turn; the next game on these records begins like any other."""
    file = tmp_path / "fails.py"
    file.write_text(
        "def hold(v):\n    return 0 if v.draws[0] < 0.01 else v.rules.dice[v.held[0] + v.held[0] * v.held[1]]\n"
    )
    asked = question(f"{prints}/hold={file}:hold", str(prints), str(prints), seed=4)
    player, given_up, equal = GamePlayer(asked), 0, 0
    for game in range(100):
        try:
            log = game_log(asked, game, player=player)
        except GameFaultError:
            given_up += 1
            continue
        assert log == game_log(asked, game)
        equal += 1
    assert given_up >= 2
    assert equal >= 5


def test_events_are_those_of_the_game_alone() -> None:
    """Seven hundred games on the same records leave no event of one in the log of another."""
    for log in logs(question("random", "random", seed=2), 50):
        assert [event["round"] for event in events(log, "layout")] == list(range(1, 21))
