"""Every ruling R1 to R21 of the design page by the real engine, through the logs of its games.

Players with fixed habits, decks made for the purpose and rules files bring about what is asked for. What a test looks
for must occur, or it fails.
"""

import random
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tape import LOW, TURN_DICE, EngineTape
from whole_games import (
    LEVELS,
    SHIPPED_ROWS,
    Event,
    Log,
    Reader,
    actions,
    deck_of,
    events,
    found,
    logs,
    other,
    question,
    rules_of,
    sheep,
    turns,
)

from analyzer.errors import GameFaultError
from analyzer.wool_rules.games import GamePlayer
from analyzer.wool_rules.log import game_log
from analyzer.wool_rules.rules import STANDARD, Rules
from analyzer.wool_rules.scoring import trio_points

HABITS = '''
def as_told(v, level):
    """Bid a level, 26+ only while there is a chip for it."""
    return 26 if level == 27 and v.seats[v.me].chips == 0 else level


class Eager:
    """Takes every help, saves whenever that is possible, bids as told."""

    def bid(v, level=20):
        return as_told(v, level)

    def accept(v):
        return True

    def save(v):
        return True


class Stubborn:
    """Never takes help, never saves."""

    def bid(v, level=20):
        return as_told(v, level)

    def accept(v):
        return False

    def save(v):
        return False


class Humble:
    """Sets the lowest die aside, refuses help, but saves."""

    def bid(v, level=20):
        return as_told(v, level)

    def hold(v):
        best, answer = 99, 0
        for die in range(3):
            if not v.held[die] and v.dice[die] < best:
                best, answer = v.dice[die], v.rules.dice[die]
        return answer

    def accept(v):
        return False

    def save(v):
        return True


class Unlucky:
    """Sets the lowest die aside, refuses help and saving."""

    def bid(v, level=26, but_at=0):
        return as_told(v, level) if v.round != but_at else 14

    def hold(v):
        best, answer = 99, 0
        for die in range(3):
            if not v.held[die] and v.dice[die] < best:
                best, answer = v.dice[die], v.rules.dice[die]
        return answer

    def accept(v):
        return False

    def save(v):
        return False


class First:
    """Takes the first card, lays the last sheep on top, never takes the bone."""

    def bid(v, level=20):
        return as_told(v, level)

    def pick(v):
        return 0

    def steal(v):
        return False

    def top(v):
        last = 0
        for i in range(v.n_taken):
            if v.taken[i].kind < 4:
                last = i
        return last


class Conni:
    """Bids 14 until her round, then 24; sets aside the 12, then the 7 of the d10."""

    def bid(v, at=2):
        return 24 if v.round == at else 14

    def hold(v):
        return 12 if v.attempt == 1 else 10

    def accept(v):
        return v.help == 0 or v.attempt == 3


class Kathrin:
    """Bids 14 until her round, then 24 and wants two cards: accepts help on the second attempt only."""

    def bid(v, at=2):
        return 24 if v.round == at else 14

    def hold(v, die=12):
        if v.attempt == 1:
            return die
        return v.rules.dice[0] if v.held[1] or v.held[2] else v.rules.dice[1]

    def accept(v):
        return v.attempt == 2


class Robbi:
    """Bids 14 until his round, then 20; sets aside a 4, then a 5; pays for nothing."""

    def bid(v, at=2):
        return 20 if v.round == at else 14

    def hold(v):
        for die in range(3):
            if not v.held[die] and v.dice[die] == (4 if v.attempt == 1 else 5):
                return v.rules.dice[die]
        for die in range(3):
            if not v.held[die]:
                return v.rules.dice[die]
        return 0

    def accept(v):
        return False

    def save(v):
        return False
'''


@pytest.fixture(scope="module")
def habit(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("habits") / "habits.py"
    file.write_text(HABITS)
    return file


@pytest.fixture(scope="module")
def all_sorts(habit: Path) -> list[Log]:
    """Games of players with all kinds of habits, 2 to 6 at a table."""
    chance = random.Random(0)
    kinds = ["random", "random", *(f"{habit}:{name}" for name in ("Eager", "Stubborn", "Humble", "Unlucky", "First"))]
    found = []
    for seed in range(40):
        line_up = [
            kind if kind == "random" else f"{kind}:level={chance.choice(LEVELS)}"
            for kind in chance.choices(kinds, k=2 + seed % 5)
        ]
        found += logs(question(*line_up, seed=seed), 5)
    return found


def flat(modifier: int = 0, black: int = 0, number: int = 60, dogs: int = 0, symbols: int = 0) -> list[dict[str, Any]]:
    """Return a deck of white sheep of one point, all with the same modifier, and so many black sheep and dogs."""
    rows = []
    for card in range(60):
        if card < black:
            rows.append(sheep(card, "black", -1, modifier=modifier))
        elif card < black + dogs:
            rows.append(other(card, "dog"))
        else:
            symbol = int(card >= 60 - symbols)
            rows.append(sheep(card, "white", 1, modifier=modifier, bone_symbol=symbol))
    return rows


FREE_NUMBERS = [101, 102, 103, 104, 105, 106]
"""Table numbers beside the sheep numbers of decks of one's own."""


def free_rules(**changes: Any) -> Rules:
    return rules_of(**{"table_numbers": FREE_NUMBERS} | changes)


def target(bid: str) -> int:
    return 26 if bid == "26+" else int(bid)


def decided_rolls(log: Log, rows: Any = SHIPPED_ROWS) -> Iterator[tuple[Reader, Event, Event | None]]:
    """Yield each roll with the event of the same seat after it and a reader of what lay where at the roll."""
    reader = Reader(log, rows)
    for at, event in enumerate(reader):
        if event["event"] == "roll":
            after = log[at + 1]
            yield reader, event, after if after.get("seat") == event["seat"] else None


# R1, R2, R3: bids


def test_r1_a_result_of_at_least_the_bid_succeeds(all_sorts: list[Log]) -> None:
    """Exactly the bid and anything above it succeed without help; one below does not."""
    short = {-1: 0, 0: 0, 1: 0}
    for log in all_sorts:
        for reader, roll, after in decided_rolls(log):
            over = roll["result"] - target(reader.bids[roll["seat"]])
            made = after is not None and after["event"] == "accept" and after["forced"]
            assert made == (over >= 0)
            if over in short:
                short[over] += 1
    assert min(short.values()) > 20


def test_r2_26_plus_asks_for_26(all_sorts: list[Log]) -> None:
    results = set()
    for log in all_sorts:
        for reader, roll, after in decided_rolls(log):
            if reader.bids[roll["seat"]] == "26+" and after and after["event"] == "accept" and after["forced"]:
                results.add(roll["result"])
    assert min(results) == 26


def test_r2_every_26_plus_costs_a_chip_before_any_turn(habit: Path) -> None:
    """Six players with all the chips there are: what they pay is in the supply when the first of them fails."""
    rules = rules_of(chips_total=12)
    paid = 0
    for log in logs(question(*[f"{habit}:Unlucky:level=27"] * 6, rules=rules, seed=3), 20):
        first = log[: next(at for at, event in enumerate(log) if event["event"] == "roll")]
        assert [event["chips"] for event in events(first, "bid")] == [1] * 6
        turn = next(turn for turn in turns(log))
        paid += turn[-1] == {"event": "chip", "round": 1, "seat": turn[0]["seat"], "chips": 2}
    assert paid > 10


def test_r2_26_plus_goes_before_every_other_bid_several_by_sheep_number(all_sorts: list[Log]) -> None:
    before_26, several = 0, 0
    for log in all_sorts:
        reader = Reader(log, SHIPPED_ROWS)
        for event in reader:
            if event["event"] == "order":
                plus = [seat for seat in event["seats"] if reader.bids[seat] == "26+"]
                assert event["seats"][: len(plus)] == sorted(plus, key=reader.sheep_number)
                several += len(plus) > 1
                for seat in range(reader.players):
                    if reader.bids[seat] == "26" and plus:
                        before_26 += reader.sheep_number(seat) < reader.sheep_number(plus[0])
    assert several > 20
    assert before_26 > 5, "a 26 with the lower sheep number, which still comes later"


def test_r2_26_plus_without_a_chip_is_not_a_legal_bid(tmp_path: Path) -> None:
    file = tmp_path / "always.py"
    file.write_text("def bid(v, until=99):\n    return 27 if v.round < until else 20\n")
    rules = rules_of(chips_total=6, chips_start=1)
    log = next(logs(question("plain", f"random/bid={file}:bid:until=2", seed=1), 1))
    assert events(log, "bid")[1] == {"event": "bid", "round": 1, "seat": 1, "bid": "26+", "chips": 1}
    with pytest.raises(GameFaultError, match=r"seat 1, game \d+, round \d+\) answered 27.*26\+.*chip") as caught:
        list(logs(question("plain", f"plain/bid={file}:bid", rules=rules, seed=1), 100))
    reader = Reader(caught.value.events, SHIPPED_ROWS)
    assert min(reader.chips[1] for _ in reader) == 0
    assert reader.chips[1] == 0, "it is the first bid without a chip that is refused"


def test_r2_a_rules_file_may_drop_the_plain_26(habit: Path) -> None:
    rules = rules_of(plain_26=False)
    with pytest.raises(GameFaultError, match="answered 26"):
        list(logs(question("plain", f"{habit}:Unlucky:level=26", rules=rules), 1))
    for log in logs(question(*["random"] * 3, rules=rules), 50):
        assert {event["bid"] for event in events(log, "bid")} <= {*map(str, range(14, 26)), "26+"}


def test_r3_tied_bids_go_by_the_bidding_table_then_by_the_top_card() -> None:
    """Four players who always bid 20: the whole order is made by sheep numbers, whether of tables or of cards."""
    rules = rules_of(table_numbers=[800, 700, 600, 500, 400, 300])
    rows = [
        row | {"sheep_number": int(row["sheep_number"]) * 19} if row["sheep_number"] else row for row in SHIPPED_ROWS
    ]
    rows = [
        row | {"sheep_number": row["sheep_number"] + 1} if row["sheep_number"] in rules.table_numbers else row
        for row in rows
    ]
    mixed = 0
    for log in logs(question(*["plain:level=20"] * 4, rules=rules, deck=deck_of(rows, rules), seed=2), 30):
        reader = Reader(log, rows)
        for event in reader:
            if event["event"] != "order":
                continue
            assert event["seats"] == sorted(range(4), key=reader.sheep_number)
            if event["round"] == 1:
                assert event["seats"] == sorted(range(4), key=lambda seat: log[0]["table_numbers"][seat])
            with_flock = [top is not None for top in reader.tops]
            ranked = [with_flock[seat] for seat in event["seats"]]
            mixed += any(with_flock) and not all(with_flock) and ranked != sorted(ranked, reverse=True)
    assert mixed > 5, "a bidding table with a lower number than somebody's top card"


def test_r3_dogs_and_the_bone_make_no_flock() -> None:
    """With nothing but dogs and a bone everybody keeps the bidding table's number to the end."""
    rows = [other(card, "dog") for card in range(59)] + [other(59, "bone")]
    for log in logs(question("plain", "plain", "plain", deck=deck_of(rows), seed=3), 5):
        order = sorted(range(3), key=lambda seat: log[0]["table_numbers"][seat])
        assert [event["seats"] for event in events(log, "order")] == [order] * 15
        assert {take["top"] for take in events(log, "take")} == {None}
        assert {roll["modifier"] for roll in events(log, "roll")} == {0}


# R4 to R9: the dice action


def test_r4_a_malus_always_counts_and_a_bonus_only_where_it_is_used(all_sorts: list[Log]) -> None:
    seen = {"malus": 0, "bonus used": 0, "bonus refused": 0, "bonus not needed": 0}
    for log in all_sorts:
        for _, roll, after in decided_rolls(log):
            modifier = roll["modifier"]
            assert roll["result"] == sum(roll["dice"]) + min(modifier, 0)
            seen["malus"] += modifier < 0
            if modifier > 0 and after is not None:
                seen["bonus refused"] += after["event"] == "decline"
                if after["event"] == "accept":
                    seen["bonus used" if after["bonus_used"] else "bonus not needed"] += 1
                    assert after["bonus_used"] == (0 if after["forced"] else modifier)
    assert min(seen.values()) > 20, seen


def test_r4_each_chip_adds_one_and_goes_to_the_supply(habit: Path) -> None:
    """No chip is in the supply at the start: nobody gets one for failing before somebody has spent one."""
    rules = rules_of(chips_total=12)
    spent_then_taken = 0
    for log in logs(question(*[f"{habit}:Eager:level=21"] * 6, rules=rules, seed=4), 40):
        reader = Reader(log, SHIPPED_ROWS)
        for event in reader:
            assert sum(reader.chips) <= 12
            if event["event"] == "accept" and event["chips_spent"]:
                roll = log[log.index(event) - 1]
                help_ = event["bonus_used"] + event["chips_spent"]
                assert roll["result"] + help_ == target(reader.bids[event["seat"]])
            if event["event"] == "chip":
                assert reader.supply_of_chips() > 0
                spent_then_taken += 1
    assert spent_then_taken > 20


@pytest.mark.parametrize("cards", [[3, 2, 1], [1, 2, 3], [4, 0, 5]])
def test_r5_success_without_help_brings_the_full_entitlement_or_what_is_left(habit: Path, cards: list[int]) -> None:
    """Players who would refuse: nobody asks them. Unwanted cards are among those taken."""
    whole, rest = set(), 0
    rules = rules_of(cards_per_attempt=cards)
    for log in logs(question(*[f"{habit}:Stubborn:level=17"] * 3, "random", rules=rules, seed=5), 60):
        reader = Reader(log, SHIPPED_ROWS)
        for at, event in enumerate(reader):
            if event["event"] != "accept" or not event["forced"]:
                continue
            assert (event["bonus_used"], event["chips_spent"]) == (0, 0)
            entitled, left = cards[event["attempt"] - 1], len(reader.table)
            after = log[at + 1]
            taken = after["cards"] if after["event"] == "take" and after["reason"] == "success" else []
            assert len(taken) == min(entitled, left)
            whole.add(len(taken)) if entitled <= left else None
            rest += len(taken) < entitled
    assert whole == set(cards)
    assert rest > 5


def test_r6_with_help_the_player_chooses(habit: Path) -> None:
    """The same rolls: one who is eager accepts with the whole bonus and exactly the chips needed, one declines."""
    bonus_alone, chips_too, on_attempt = 0, 0, {1: 0, 2: 0, 3: 0}
    for log in logs(question(*[f"{habit}:Eager:level=22"] * 3, seed=6), 60):
        for reader, roll, after in decided_rolls(log):
            seat, modifier = roll["seat"], max(roll["modifier"], 0)
            short = target(reader.bids[seat]) - roll["result"]
            reachable = 0 < short <= modifier + reader.chips[seat]
            assert reachable == (after is not None and after["event"] == "accept" and not after["forced"])
            if reachable:
                assert after is not None
                assert (after["bonus_used"], after["chips_spent"]) == (modifier, max(short - modifier, 0))
                bonus_alone += after["chips_spent"] == 0
                chips_too += 0 < after["chips_spent"] < short
                on_attempt[after["attempt"]] += 1
    assert bonus_alone > 10
    assert chips_too > 10
    assert min(on_attempt.values()) > 10


def test_r6_help_brings_the_full_entitlement(habit: Path) -> None:
    seen = set()
    for log in logs(question(*[f"{habit}:Eager:level=23"] * 3, seed=7), 60):
        reader = Reader(log, SHIPPED_ROWS)
        for at, event in enumerate(reader):
            if event["event"] == "accept" and not event["forced"]:
                entitled = 4 - event["attempt"]
                assert len(log[at + 1]["cards"]) == min(entitled, len(reader.table))
                seen.add(len(log[at + 1]["cards"]))
    assert seen == {1, 2, 3}


def test_r6_declining_goes_on_to_the_next_attempt_and_on_the_third_is_failing(habit: Path) -> None:
    after_decline: dict[tuple[int, str], int] = {}
    for log in logs(question(*[f"{habit}:Stubborn:level=20"] * 4, seed=8), 60):
        assert not [event for event in events(log, "accept") if not event["forced"]]
        for turn in actions(log):
            for at, event in enumerate(turn):
                if event["event"] == "decline":
                    following = turn[at + 1]["event"] if at + 1 < len(turn) else "no chip left"
                    assert (following == "hold") == (event["attempt"] < 3)
                    assert following in {"hold", "chip", "take", "no chip left"}
                    if following == "take":
                        assert turn[at + 1]["reason"] == "black sheep"
                    place = event["attempt"], following
                    after_decline[place] = after_decline.get(place, 0) + 1
    assert after_decline[1, "hold"] > 10
    assert after_decline[2, "hold"] > 10
    assert after_decline[3, "chip"] > 10


def test_r7_exactly_one_die_is_set_aside_before_each_reroll_and_never_taken_back(all_sorts: list[Log]) -> None:
    lengths = {1: 0, 2: 0, 3: 0}
    for log in all_sorts:
        for turn in actions(log):
            rolls, holds = events(turn, "roll"), events(turn, "hold")
            assert [roll["attempt"] for roll in rolls] == list(range(1, len(rolls) + 1))
            assert [hold["attempt"] for hold in holds] == list(range(1, len(rolls)))
            assert len({hold["die"] for hold in holds}) == len(holds)
            kept = set()
            for hold, before, after in zip(holds, rolls, rolls[1:], strict=False):
                kept.add((12, 10, 8).index(hold["die"]))
                assert all(before["dice"][die] == after["dice"][die] for die in kept)
            lengths[len(rolls)] += 1
    assert min(lengths.values()) > 50


@pytest.mark.parametrize("answer", ["12", "7", "0", "-1"])
def test_r7_a_die_that_is_not_free_cannot_be_set_aside(tmp_path: Path, answer: str) -> None:
    """The d12 a second time, or a die that does not exist."""
    file = tmp_path / "hold.py"
    file.write_text(f"def hold(v):\n    return 12 if v.attempt == 1 else {answer}\n")
    with pytest.raises(GameFaultError, match=rf"answered {answer}\b.*a die that is free"):
        list(logs(question("plain", f"plain:level=26/hold={file}:hold"), 20))


def test_r8_a_failure_brings_one_chip_while_there_are_any(habit: Path) -> None:
    """Chips run out: from then on a failure brings nothing. A success, the rest and a skip never bring one."""
    rules = rules_of(chips_total=9, chips_start=1)
    given, none_left = 0, 0
    for log in logs(question(*[f"{habit}:Unlucky:level=25"] * 3, "random", rules=rules, seed=9), 40):
        chips = []
        for reader, (roll, *after) in failures(log):
            spent = sum(save["chips_spent"] for save in events(after, "save"))
            if reader.supply_of_chips() + spent:
                chips.append(reader.chips[roll["seat"]] - spent + 1)
                assert after[-1] == {"event": "chip", "round": roll["round"], "seat": roll["seat"], "chips": chips[-1]}
            else:
                assert not events(after, "chip")
                none_left += 1
        assert [chip["chips"] for chip in events(log, "chip")] == chips, "none for anything else"
        given += len(chips)
    assert given > 20
    assert none_left > 20


def failures(log: Log, rows: Any = SHIPPED_ROWS) -> Iterator[tuple[Reader, Log]]:
    """Yield each failed dice action, from its third roll on, with a reader of what lay where at that roll."""
    reader = Reader(log, rows)
    for at, event in enumerate(reader):
        if event["event"] == "roll" and event["attempt"] == 3:
            turn = [event]
            for later in log[at + 1 :]:
                if later.get("seat") != event["seat"] or later["event"] in {"roll", "bid", "score"}:
                    break
                if later.get("reason") == "leftover":
                    break
                turn.append(later)
            if not events(turn, "accept"):
                yield reader, turn


def undeclined(events: Log) -> Log:
    return [event for event in events if event["event"] != "decline"]


def black_on(reader: Reader) -> list[int]:
    return [card for card in reader.table if reader.kind[card] == "black"]


def test_r9_under_14_all_black_sheep_come_and_the_chip_afterwards(habit: Path) -> None:
    """By the malus alone too: a total of 14 or more with a result under it."""
    several, by_malus, at_14, none = 0, 0, 0, 0
    for log in logs(question(*[f"{habit}:Unlucky:level=20"] * 3, "random", seed=10), 80):
        for reader, (roll, *all_after) in failures(log):
            if reader.bids[roll["seat"]] != "20" or events(all_after, "save"):
                continue
            after = undeclined(all_after)
            black = black_on(reader)
            if roll["result"] >= 14:
                assert [event["event"] for event in after] in (["chip"], [])
                at_14 += roll["result"] == 14 and bool(black)
                continue
            if not black:
                assert not events(after, "take")
                none += 1
                continue
            take = after[0]
            assert take["event"] == "take"
            assert take["reason"] == "black sheep"
            assert sorted(take["cards"]) == sorted(black)
            assert [event["event"] for event in after[1:]] in (["chip"], [])
            several += len(black) > 1
            by_malus += roll["total"] >= 14
    assert several > 10
    assert by_malus > 5
    assert at_14 > 2
    assert none > 10


def test_r9_the_player_may_lift_the_result_to_14(habit: Path) -> None:
    """The whole bonus first, then exactly the chips still needed; it stays a failure, with its chip, without cards."""
    chips_only, bonus_only, both, impossible = 0, 0, 0, 0
    for log in logs(question(*[f"{habit}:Humble:level=22"] * 3, "random", seed=11), 120):
        for reader, (roll, *all_after) in failures(log):
            seat = roll["seat"]
            if reader.bids[seat] != "22" or seat == 3 or roll["result"] >= 14 or not black_on(reader):
                continue
            after = undeclined(all_after)
            bonus = max(roll["modifier"], 0)
            chips = max(14 - roll["result"] - bonus, 0)
            if chips > reader.chips[seat]:
                assert after[0]["reason"] == "black sheep"
                impossible += 1
                continue
            assert after[0] == {
                "event": "save",
                "round": roll["round"],
                "seat": seat,
                "bonus_used": bonus,
                "chips_spent": chips,
            }
            assert [event["event"] for event in after[1:]] in (["chip"], [])
            chips_only += chips > 0 and not bonus
            bonus_only += bonus > 0 and not chips
            both += bonus > 0 and chips > 0
    assert min(chips_only, bonus_only, both, impossible) > 3


def test_r9_without_black_sheep_there_is_nothing_to_decide(tmp_path: Path) -> None:
    """A player whose `save` would stop the game is never asked, deep under 14 as the results are."""
    file = tmp_path / "save.py"
    file.write_text("def save(v):\n    assert v.round < 0\n    return True\n")
    rules = free_rules(dice=[4, 3, 2])
    under = 0
    specs = [f"plain:level=25/save={file}:save"] * 3
    for log in logs(question(*specs, rules=rules, deck=deck_of(flat(black=0), rules)), 20):
        assert not events(log, "save")
        under += sum(roll["result"] < 14 for roll in events(log, "roll"))
    assert under > 100
    with pytest.raises(GameFaultError, match="save of"):
        list(logs(question(*specs, rules=free_rules(dice=[4, 3, 8]), deck=deck_of(flat(black=30), rules)), 20))


def test_r9_with_a_bid_of_14_there_is_no_saving_after_declining(habit: Path) -> None:
    """Lifting to 14 would be accepting; the black sheep come although the bonus or the chips would do."""
    declined = 0
    for log in logs(question(*[f"{habit}:Humble:level=14"] * 3, seed=12), 150):
        for reader, (roll, *after) in failures(log):
            if roll["result"] >= 14:
                continue
            assert not events(after, "save")
            if after[0]["event"] == "decline" and black_on(reader):
                assert after[1]["reason"] == "black sheep"
                declined += 1
    assert declined >= 3


def test_r9_a_rules_file_moves_the_14(habit: Path) -> None:
    rules = rules_of(black_sheep_below=18)
    between, saved_to = 0, set()
    for log in logs(question(*[f"{habit}:Humble:level=23"] * 3, "random", rules=rules, seed=13), 60):
        for reader, (roll, *after) in failures(log):
            if 14 <= roll["result"] < 18 and black_on(reader):
                between += any(event.get("reason") == "black sheep" for event in after)
            for save in events(after, "save"):
                if save["chips_spent"]:
                    saved_to.add(roll["result"] + save["bonus_used"] + save["chips_spent"])
    assert between > 5
    assert saved_to == {18}


# R10, R11, R14, R15, R16: turns, rounds and the end


def test_r10_with_nothing_left_the_turn_is_skipped_the_last_players_too(all_sorts: list[Log]) -> None:
    by_last, by_other = 0, 0
    for log in all_sorts:
        reader = Reader(log, SHIPPED_ROWS)
        for event in reader:
            if event["event"] in {"roll", "skip"} or event.get("reason") == "rest":
                assert (event["event"] == "skip") == (not reader.table)
            if event["event"] == "skip":
                by_last += event["seat"] == reader.order[-1]
                by_other += event["seat"] != reader.order[-1]
        for turn in turns(log):
            if events(turn, "skip"):
                assert len(turn) == 1, "no roll, no cards, no chip"
    assert by_last > 10
    assert by_other > 2


@pytest.mark.parametrize("players", range(3, 7))
def test_r11_the_last_player_takes_the_rest_without_rolling(players: int) -> None:
    """Black sheep included; no roll, no chip."""
    black = 0
    for log in logs(question(*["random"] * players, seed=14), 30):
        reader = Reader(log, SHIPPED_ROWS)
        for event in reader:
            if event["event"] == "roll":
                assert event["seat"] != reader.order[-1]
            if event.get("reason") == "rest":
                assert event["seat"] == reader.order[-1]
                assert event["cards"] == reader.table
                black += bool(black_on(reader))
        for turn in turns(log):
            assert turn[0].get("reason") != "rest" or len(turn) == 1
    assert black > 5


@pytest.mark.parametrize(
    ("players", "sizes"),
    [(2, [3] * 20), (3, [4] * 15), (4, [5] * 12), (5, [6] * 10), (6, [7] * 8 + [4])],
)
def test_r14_one_card_more_than_players_and_four_in_the_last_round_of_six(players: int, sizes: list[int]) -> None:
    for log in logs(question(*["random"] * players, seed=15), 5):
        assert [len(event["cards"]) for event in events(log, "layout")] == sizes
        assert [card for event in events(log, "layout") for card in event["cards"]] == log[0]["deck"]


def test_r15_both_of_two_players_roll_and_the_first_gets_what_is_left() -> None:
    """Without rolling, even after failing; nothing is left over for anybody when all is taken."""
    after_failure, after_success, nothing = 0, 0, 0
    for log in logs(question("random", "random", seed=16), 40):
        reader = Reader(log, SHIPPED_ROWS)
        by_round: dict[int, Log] = {}
        for event in log:
            by_round.setdefault(event.get("round", 0), []).append(event)
        for event in reader:
            if event.get("reason") == "leftover":
                assert event["seat"] == reader.order[0]
                assert event["cards"] == reader.table
        for round_number in range(1, 21):
            this = by_round[round_number]
            first, second = events(this, "order")[0]["seats"]
            assert any(event["seat"] == first for event in events(this, "roll"))
            skipped = bool(events(this, "skip"))
            assert skipped != any(event["seat"] == second for event in events(this, "roll"))
            left = [event for event in this if event.get("reason") == "leftover"]
            took = sum(len(event["cards"]) for event in events(this, "take"))
            assert took == 3
            assert not events(this, "take") or not [e for e in events(this, "take") if e["reason"] == "rest"]
            failed = any(event["seat"] == first for event in events(this, "chip"))
            after_failure += bool(left) and failed
            after_success += bool(left) and not failed
            nothing += not left
    assert min(after_failure, after_success, nothing) > 10


def test_r16_the_game_ends_when_all_cards_are_taken_and_scores_are_sums(all_sorts: list[Log]) -> None:
    for log in all_sorts:
        taken = [card for take in events(log, "take") for card in take["cards"]]
        assert sorted(taken) == list(range(60))
        assert [event["event"] for event in log[-log[0]["players"] - 1 :]] == ["score"] * log[0]["players"] + ["end"]
        reader = Reader(log, SHIPPED_ROWS)
        for event in reader:
            if event["event"] == "score":
                parts = {
                    key: value for key, value in event.items() if key not in {"event", "seat", "discarded", "total"}
                }
                assert event["total"] == sum(parts.values()) == reader.score(event["seat"])
                assert event["black"] == reader.points(event["seat"], "black")
                assert event["chips"] == reader.chips[event["seat"]]


# R12, R13: the flock and the bone


def test_r12_only_the_top_card_matters_and_the_player_chooses_it(all_sorts: list[Log]) -> None:
    """One of the sheep just taken; after a taking of dogs or the bone alone the top stays."""
    chosen, kept, covered = 0, 0, 0
    for log in all_sorts:
        reader = Reader(log, SHIPPED_ROWS)
        for event in reader:
            if event["event"] == "roll":
                assert event["modifier"] == reader.modifier(event["seat"])
                others = [reader.number(card, "modifier") for card in reader.flocks[event["seat"]]]
                covered += len(set(others)) > 1
            if event["event"] == "take":
                sheep_taken = [card for card in event["cards"] if reader.kind[card] not in {"dog", "bone"}]
                assert event["top"] in sheep_taken if sheep_taken else event["top"] == reader.tops[event["seat"]]
                chosen += len(sheep_taken) > 1 and event["top"] != sheep_taken[-1]
                kept += not sheep_taken and event["top"] is not None
    assert min(chosen, kept, covered) > 20


def test_r12_habits_show_in_the_top_card(habit: Path) -> None:
    """The same games, the last sheep on top or the one with the highest modifier, as the player likes."""
    for name, position in ((f"{habit}:First:level=18", -1), ("plain:level=18", None)):
        for log in logs(question(*[name] * 3, seed=18), 10):
            reader = Reader(log, SHIPPED_ROWS)
            for take in events(log, "take"):
                flock = [card for card in take["cards"] if reader.kind[card] not in {"dog", "bone"}]
                if flock:
                    best = min(flock, key=lambda card: (-reader.number(card, "modifier"), card))
                    assert take["top"] == (flock[position] if position else best)


def test_r12_a_dog_cannot_lie_on_top(tmp_path: Path) -> None:
    file = tmp_path / "top.py"
    file.write_text(
        "def top(v):\n    for i in range(v.n_taken):\n        if v.taken[i].kind == 4:\n            return i\n"
        "    for i in range(v.n_taken):\n        if v.taken[i].kind < 4:\n            return i\n    return 0\n"
    )
    with pytest.raises(GameFaultError, match="position of a sheep"):
        list(logs(question("plain", "plain", f"plain/top={file}:top"), 50))


def bone_chances(log: Log, rows: Any = SHIPPED_ROWS) -> Iterator[tuple[Event, int | None, bool, bool]]:
    """Yield each taking with the bone's owner before it, whether a symbol and whether the bone is among the cards."""
    reader = Reader(log, rows)
    for event in reader:
        if event["event"] == "take":
            symbols = sum(bool(reader.number(card, "bone_symbol")) for card in event["cards"])
            yield event, reader.bone, symbols > 0, any(reader.kind[card] == "bone" for card in event["cards"])


@pytest.mark.parametrize("reason", ["success", "black sheep", "rest", "leftover"])
def test_r13_a_bone_symbol_takes_the_bone_by_any_way_of_taking(reason: str) -> None:
    """Plain always takes it when an opponent has it, never otherwise."""
    taken, no_symbol, own, in_supply, together = 0, 0, 0, 0, 0
    players = 2 if reason == "leftover" else 3
    for log in logs(question(*["plain:level=21"] * players, seed=19), 250 if reason == "black sheep" else 90):
        for event, owner, symbol, bone in bone_chances(log):
            if event["reason"] != reason:
                continue
            robs = symbol and not bone and owner is not None and owner != event["seat"]
            assert event["bone_from"] == (owner if robs else None)
            taken += robs
            no_symbol += not symbol and owner is not None and owner != event["seat"]
            own += symbol and owner == event["seat"]
            in_supply += symbol and owner is None and not bone
            together += symbol and bone
    assert min(taken, no_symbol) > 2
    if reason == "success":
        assert min(own, in_supply, together) > 0


def test_r13_the_player_may_leave_the_bone_where_it_is(habit: Path) -> None:
    left = 0
    for log in logs(question(*[f"{habit}:First:level=18"] * 3, seed=20), 60):
        for event, owner, symbol, bone in bone_chances(log):
            assert event["bone_from"] is None
            left += symbol and not bone and owner not in {None, event["seat"]}
    assert left > 20


def test_r13_once_per_taking_and_the_bone_itself_is_simply_taken(tmp_path: Path) -> None:
    """Every sheep has a symbol. Three in one taking ask once; the bone among them asks nothing."""
    rows = [sheep(card, bone_symbol=1) for card in range(59)] + [other(59, "bone")]
    file = tmp_path / "steal.py"
    file.write_text(
        "def steal(v):\n    mine = False\n    for i in range(v.n_taken):\n        mine = mine or v.taken[i].kind == 5\n"
        "    assert not mine and not v.seats[v.me].has_bone\n    return True\n"
    )
    rules, moved, own = free_rules(), 0, 0
    for log in logs(question(*[f"plain:level=16/steal={file}:steal"] * 4, rules=rules, deck=deck_of(rows, rules)), 40):
        for event, owner, _, bone in bone_chances(log, rows):
            robs = not bone and owner is not None and owner != event["seat"]
            assert event["bone_from"] == (owner if robs else None)
            moved += robs and len(event["cards"]) == 3
            own += bone
    assert moved > 100
    assert own == 40


def test_r13_a_stolen_bone_scores_for_the_thief(all_sorts: list[Log]) -> None:
    seen = 0
    for log in all_sorts:
        reader = Reader(log, SHIPPED_ROWS)
        taker = next(take["seat"] for take in events(log, "take") if 59 in take["cards"])
        for event in reader:
            if event["event"] == "score":
                dogs = reader.count(event["seat"], "dog")
                assert event["bone"] == (4 * dogs if event["seat"] == reader.bone else 0)
                seen += event["seat"] == reader.bone != taker and dogs > 0
    assert seen > 10


# R17 to R21: what everything is worth


@given(st.integers(0, 60))
def test_r17_3_7_0_full_trios_are_nothing_one_over_three_two_over_fourteen(n: int) -> None:
    assert trio_points(STANDARD.three_seven_zero, n) == [0, 3, 14][n % 3]


@given(st.integers(0, 60))
def test_r18_0_0_7_full_trios_are_21_others_nothing(n: int) -> None:
    assert trio_points(STANDARD.zero_zero_seven, n) == 21 * (n // 3)


@pytest.mark.parametrize(
    ("kind", "part", "points"),
    [
        ("3-7-0", "three_seven_zero", [0, 3, 14, 0, 3, 14, 0, 3, 14]),
        ("0-0-7", "zero_zero_seven", [0, 0, 0, 21, 21, 21, 42, 42, 42]),
    ],
)
def test_r17_r18_trios_in_games(kind: str, part: str, points: list[int]) -> None:
    """A deck with thirty of them: every number from none to eight is scored as the rulebook says."""
    rows = [sheep(card, kind if card < 30 else "white") for card in range(60)]
    rules, seen = free_rules(), set()
    for log in logs(question(*["random"] * 6, rules=rules, deck=deck_of(rows, rules), seed=21), 100):
        reader = Reader(log, rows)
        for event in reader:
            if event["event"] == "score" and reader.count(event["seat"], kind) < 9:
                assert event[part] == points[reader.count(event["seat"], kind)]
                seen.add(reader.count(event["seat"], kind))
    assert seen == set(range(9))


def dogs_and_scores(log: Log) -> Iterator[tuple[Reader, Event, int, int]]:
    """Yield each score with its seat's dogs and the most dogs of all."""
    reader = Reader(log, SHIPPED_ROWS)
    for event in reader:
        if event["event"] == "score":
            dogs = [reader.count(seat, "dog") for seat in range(reader.players)]
            yield reader, event, dogs[event["seat"]], max(dogs)


def test_r19_one_dog_nine_two_or_more_nothing_by_themselves(all_sorts: list[Log]) -> None:
    seen = set()
    for log in all_sorts:
        for _, score, dogs, _ in dogs_and_scores(log):
            assert score["dogs"] == (9 if dogs == 1 else 0)
            seen.add(dogs)
    assert {0, 1, 2, 3, 4} <= seen


def test_r19_most_dogs_alone_or_tied_cost_five(all_sorts: list[Log]) -> None:
    alone, tied, less = 0, 0, 0
    for log in all_sorts:
        scores = list(dogs_and_scores(log))
        leaders = sum(dogs == most for _, _, dogs, most in scores)
        for _, score, dogs, most in scores:
            assert score["most_dogs"] == (-5 if dogs == most else 0)
            alone += dogs == most and leaders == 1
            tied += dogs == most and leaders > 1
            less += 0 < dogs < most
    assert min(alone, tied, less) > 20


def test_r19_without_any_dog_nobody_has_the_most() -> None:
    rules = free_rules(dog_most=-50)
    for log in logs(question("plain", "plain", "random", rules=rules, deck=deck_of(flat(), rules)), 3):
        assert [score["most_dogs"] for score in events(log, "score")] == [0, 0, 0]


def test_r19_a_flock_without_a_dog_loses_its_two_lowest_white_sheep(all_sorts: list[Log]) -> None:
    """Ties to the lowest card number; black sheep, 3-7-0 and 0-0-7 stay. With a dog nothing is lost."""
    lost, tied = 0, 0
    for log in all_sorts:
        for reader, score, dogs, _ in dogs_and_scores(log):
            white = [(reader.number(c, "points"), c) for c in reader.flocks[score["seat"]] if reader.kind[c] == "white"]
            expected = [card for _, card in sorted(white)[:2]] if not dogs else []
            assert score["discarded"] == expected
            assert score["white"] == sum(points for points, card in white if card not in expected)
            lost += len(expected) == 2
            points = sorted(points for points, _ in white)
            tied += not dogs and len(points) > 2 and points[1] == points[2]
    assert lost > 20
    assert tied > 5


def test_r19_fewer_white_sheep_than_two_are_all_that_is_lost() -> None:
    """A deck with three white sheep and no dog."""
    rows = [sheep(card, "white" if card < 3 else "0-0-7", 5) for card in range(60)]
    rules, seen = free_rules(), set()
    for log in logs(question(*["random"] * 3, rules=rules, deck=deck_of(rows, rules), seed=22), 40):
        reader = Reader(log, rows)
        for event in reader:
            if event["event"] == "score":
                white = reader.count(event["seat"], "white")
                assert len(event["discarded"]) == min(white, 2)
                assert event["white"] == 5 * max(white - 2, 0)
                seen.add(white)
    assert seen == {0, 1, 2, 3}


def test_r19_with_8_dogs_and_at_most_6_players_a_lone_dog_never_pays_for_the_most_dogs() -> None:
    """Somebody has at least two, in games for each number of players, and in every way of dealing them."""
    for players in range(2, 7):
        lone = 0
        for log in logs(question(*["random"] * players, seed=23), 40):
            scores = events(log, "score")
            assert sum(score["dogs"] == 9 and score["most_dogs"] < 0 for score in scores) == 0
            lone += sum(score["dogs"] == 9 for score in scores)
        assert lone > 0
    for dealing in np.ndindex(*[9] * 5):
        if sum(dealing) <= 8:
            assert max(*dealing, 8 - sum(dealing)) >= 2


def test_r19_that_takes_eight_dogs() -> None:
    """With six dogs in a deck everybody may have one, and then everybody pays."""
    rows = [other(card, "dog") if card < 6 else sheep(card) for card in range(60)]
    rules = free_rules()
    log = found(
        logs(question(*["random"] * 6, rules=rules, deck=deck_of(rows, rules), seed=24), 1000),
        lambda log: all(score["dogs"] == 9 for score in events(log, "score")),
    )
    assert [score["most_dogs"] for score in events(log, "score")] == [-5] * 6


def test_r20_the_bone_is_worth_four_for_every_dog_of_its_owner_a_single_one_too(all_sorts: list[Log]) -> None:
    seen = set()
    for log in all_sorts:
        for reader, score, dogs, most in dogs_and_scores(log):
            owns = reader.bone == score["seat"]
            assert score["bone"] == (4 * dogs if owns else 0)
            if owns:
                seen.add(dogs)
                if dogs == 1:
                    assert score["dogs"] + score["bone"] == 9 + 4
                if dogs == most:
                    assert score["most_dogs"] == -5, "the bone does not prevent that"
    assert {0, 1, 2, 3} <= seen


def test_r21_the_highest_score_wins_and_a_tie_is_shared(all_sorts: list[Log]) -> None:
    for log in all_sorts:
        totals = [score["total"] for score in events(log, "score")]
        assert log[-1]["winners"] == [seat for seat, total in enumerate(totals) if total == max(totals)]
        assert log[-1]["win_share"] == 1 / len(log[-1]["winners"])


@pytest.mark.parametrize("winners", range(1, 7))
def test_r21_ties_of_any_number_are_shared_in_the_log_and_in_the_sums(winners: int) -> None:
    """Cards without any value but as many black sheep as players shall lose. Each of k winners has a share of 1/k."""
    rows = [sheep(card, "black" if card < 6 - winners else "0-0-7", -1) for card in range(60)]
    rules = free_rules(zero_zero_seven=[0, 0, 0], chips_total=0, chips_start=0)
    asked = question(*["random"] * 6, rules=rules, deck=deck_of(rows, rules), seed=25)
    log = found(logs(asked, 1000), lambda log: len(log[-1]["winners"]) == winners)
    assert log[-1]["win_share"] == 1 / winners
    sums = GamePlayer(asked)(log[0]["game"], 1)
    share = sums.total[:, 1]
    assert share.tolist() == [60 // winners if seat in log[-1]["winners"] else 0 for seat in range(6)]
    assert share.sum() == 60
    assert sums.shared.tolist() == [int(k == winners) for k in range(7)]


# The rulebook's examples


def test_the_scoring_example_gives_42() -> None:
    """27 + 0 + 14 - 10 - 5 + 16, read as one player's: a game in which one player takes every card.

    White sheep of 27 points, a single 0-0-7, two 3-7-0, black sheep of -10, four dogs (the most) with the bone; the
    other cards are white sheep worth nothing, and there are no chips.
    """
    rows = [sheep(card, "white", 0) for card in range(60)]
    for card, points in enumerate((8, 7, 7, 5)):
        rows[card] = sheep(card, "white", points)
    rows[4], rows[5], rows[6] = sheep(4, "0-0-7"), sheep(5, "3-7-0"), sheep(6, "3-7-0")
    rows[7], rows[8] = sheep(7, "black", -4), sheep(8, "black", -6)
    rows[9:13] = [other(card, "dog") for card in range(9, 13)]
    rows[13] = other(13, "bone")
    rules = free_rules(
        chips_total=0, chips_start=0, cards_per_attempt=[7, 7, 7], black_sheep_below=0, dice=[12, 10, 20]
    )
    deck = deck_of(rows, rules)
    asked = question("plain:level=14", "plain:level=26", rules=rules, deck=deck, seed=26)
    log = found(logs(asked, 20_000), lambda log: len({take["seat"] for take in events(log, "take")}) == 1)
    scores = events(log, "score")
    score = scores[events(log, "take")[0]["seat"]]
    parts = ("white", "zero_zero_seven", "three_seven_zero", "black", "most_dogs", "bone", "dogs", "chips")
    assert [score[part] for part in parts] == [27, 0, 14, -10, -5, 16, 0, 0]
    assert score["total"] == 42
    assert log[-1]["winners"] == [score["seat"]]


MANY = 2_000_000


def faces_in_round_2(seed: int, seat: int, held: tuple[int, int], games: int) -> np.ndarray:
    """Return what falls in many games, shape (attempt, die, game); `held` are the dice set aside, in this order.

    Read from the published generator, as tests/tape.py does, all games at once.
    """
    tape = EngineTape(seed, 0, 2, {"dice": (12, 10, 8), "table_numbers": range(6)})
    tape.game = np.arange(games, dtype=np.uint64)  # type: ignore[assignment]
    index = (2 << 3 | seat) << 5
    first, third = tape.word(TURN_DICE, index), tape.word(TURN_DICE, index + 1)
    faces = np.zeros((3, 3, games), np.int64)
    for attempt, bits in enumerate((first >> np.uint64(32), first & np.uint64(LOW), third >> np.uint64(32))):
        rest = bits
        for die, sides in enumerate((12, 10, 8)):
            if die in held[:attempt]:
                faces[attempt, die] = faces[attempt - 1, die]
            else:
                product = rest * np.uint64(sides)
                faces[attempt, die] = (product >> np.uint64(32)) + np.uint64(1)
                rest = product & np.uint64(LOW)
    return faces


def turn_in_round_2(log: Log, seat: int = 0) -> Log:
    """Return what a seat does in the second round when it rolls."""
    return next(turn for turn in actions(log) if turn[0]["round"] == 2 and turn[0]["seat"] == seat)


def test_conni_gets_a_card_on_her_third_attempt_with_her_last_chip(habit: Path) -> None:
    """12, 10, 3, then 7 and 3 beside the 12, then a 7 on the yellow die; bid 24, malus -3, one chip: one card."""
    rules = free_rules(chips_total=6, chips_start=1)
    wanted = np.array([[12, 10, 3], [12, 7, 3], [12, 7, 7]])
    games = np.flatnonzero((faces_in_round_2(27, 0, (0, 1), MANY) == wanted[:, :, None]).all(axis=(0, 1)))
    asked = question(
        f"{habit}:Conni", *[f"{habit}:Stubborn:level=20"] * 5, rules=rules, deck=deck_of(flat(-3), rules), seed=27
    )
    told = 0
    for game in games.tolist():
        turn = turn_in_round_2(next(logs(asked, 1, game)))
        if turn[0]["modifier"] != -3:
            continue  # nothing was left for her in the first round
        where = {"round": 2, "seat": 0}
        rolls = [([12, 10, 3], 25, 22), ([12, 7, 3], 22, 19), ([12, 7, 7], 26, 23)]
        first, second, third = (
            {"event": "roll", **where, "attempt": at, "dice": dice, "total": total, "modifier": -3, "result": result}
            for at, (dice, total, result) in enumerate(rolls, 1)
        )
        hold = {"event": "hold", **where}
        assert turn[:-1] == [
            first,
            hold | {"attempt": 1, "die": 12},
            second,
            hold | {"attempt": 2, "die": 10},
            third,
            {"event": "accept", **where, "attempt": 3, "bonus_used": 0, "chips_spent": 1, "forced": False},
        ]
        assert turn[-1]["event"] == "take"
        assert turn[-1]["reason"] == "success"
        assert len(turn[-1]["cards"]) == 1
        told += 1
    assert told


@pytest.mark.parametrize("held", range(3), ids=["d12", "d10", "d8"])
def test_kathrin_declines_three_cards_and_takes_two(habit: Path, held: int) -> None:
    """Bid 24, bonus 1, two chips: a total of 21, declined, then 21 again, accepted with the bonus and two chips.

    Every first roll with that total, whichever die she sets aside, as long as 21 can follow.
    """
    rules = free_rules()
    spec = f"{habit}:Kathrin:die={(12, 10, 8)[held]}"
    asked = question(spec, *["plain:level=20"] * 4, rules=rules, deck=deck_of(flat(1), rules), seed=28)
    first, second, _ = faces_in_round_2(28, 0, (held, (held + 1) % 3), MANY // 4)
    games = np.flatnonzero((first.sum(axis=0) == 21) & (second.sum(axis=0) == 21))
    player, told = GamePlayer(asked), set()
    for game in games.tolist():
        dice = first[:, game].tolist()
        if tuple(dice) in told:
            continue
        turn = turn_in_round_2(game_log(asked, game, player=player))
        if turn[0]["modifier"] != 1:
            continue  # nothing was left for her in the first round
        where = {"round": 2, "seat": 0}
        roll = {"event": "roll", **where, "total": 21, "modifier": 1, "result": 21}
        assert turn[:-1] == [
            roll | {"attempt": 1, "dice": dice},
            {"event": "decline", **where, "attempt": 1},
            {"event": "hold", **where, "attempt": 1, "die": (12, 10, 8)[held]},
            roll | {"attempt": 2, "dice": second[:, game].tolist()},
            {"event": "accept", **where, "attempt": 2, "bonus_used": 1, "chips_spent": 2, "forced": False},
        ]
        assert (turn[-1]["event"], turn[-1]["reason"], len(turn[-1]["cards"])) == ("take", "success", 2)
        told.add(tuple(dice))
    others = sum(n for die, n in enumerate((12, 10, 8)) if die != held)
    assert told == {
        faces
        for faces in product(range(1, 13), range(1, 11), range(1, 9))
        if sum(faces) == 21 and 2 <= 21 - faces[held] <= others
    }


@pytest.mark.parametrize("die", range(3), ids=["d12", "d10", "d8"])
def test_robbi_stays_under_14_and_takes_both_black_sheep(habit: Path, die: int) -> None:
    """He sets aside a 4, then one of two 5s, and rolls a 6: 15 with a malus of -2 is 13; no chips. Then he gets one.

    The 4 on each of the three dice in turn, the rest of his first roll whatever it was.
    """
    rules, rows = free_rules(chips_start=0), flat(-2, black=12)
    held, rolled = sorted({0, 1, 2} - {die})
    first, second, third = faces_in_round_2(29, 0, (die, held), MANY // 4)
    a_4, both_5 = first[die] == 4, (second[held] == 5) & (second[rolled] == 5)
    one_4 = (first == 4).sum(axis=0) == 1
    games = np.flatnonzero(a_4 & one_4 & both_5 & (third[rolled] == 6))
    asked = question(
        f"{habit}:Robbi", *[f"{habit}:Unlucky:but_at=2"] * 4, rules=rules, deck=deck_of(rows, rules), seed=29
    )
    player, told = GamePlayer(asked), 0
    for game in games.tolist():
        log = game_log(asked, game, player=player)
        black = [card for card in events(log, "layout")[1]["cards"] if card < 12]
        turn = turn_in_round_2(log)
        if len(black) != 2 or turn[0]["modifier"] != -2 or turn[0]["result"] >= 20:
            continue
        where = {"round": 2, "seat": 0}
        assert [event["event"] for event in turn] == ["roll", "hold", "roll", "hold", "roll", "take", "chip"]
        assert [roll["dice"] for roll in events(turn, "roll")] == [
            rolls[:, game].tolist() for rolls in (first, second, third)
        ]
        assert sorted(turn[2]["dice"]) == [4, 5, 5]
        assert (turn[4]["total"], turn[4]["result"]) == (15, 13)
        assert turn[5]["reason"] == "black sheep"
        assert sorted(turn[5]["cards"]) == sorted(black)
        assert turn[6] == {"event": "chip", **where, "chips": 1}
        told += 1
    assert told >= 5


def test_every_ruling_has_a_test_of_its_own() -> None:
    names = [name for name in globals() if name.startswith("test_r")]
    for ruling in range(1, 22):
        assert any(f"r{ruling}" in name.split("_") for name in names), f"R{ruling}"
