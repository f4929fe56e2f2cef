"""The story of a game says what its log says: every event, every number, whatever the rules and wherever it stops."""

import json
import re
from collections import Counter
from typing import Any

import pytest
from rich.cells import cell_len

from analyzer.wool_rules.constants import BONE, DOG, KIND_NAMES
from analyzer.wool_rules.deck import Card, shipped_deck
from analyzer.wool_rules.games import GamePlayer, Question
from analyzer.wool_rules.log import game_log
from analyzer.wool_rules.rules import STANDARD, Rules
from reports.standing import card_name, card_words
from reports.story import story
from strategies.registry import strategy

Event = dict[str, Any]
Log = tuple[list[Event], Rules]

DECK = shipped_deck()
FEW_CHIPS = Rules(chips_total=8, chips_start=1)
OTHER = Rules(dice=(20, 12, 6), cards_per_attempt=(2, 1, 0), black_sheep_below=24, dogless_discard=0, plain_26=False)


def told(log: Log) -> str:
    return story(log[0], DECK, log[1])


def words(text: str) -> str:
    """Return a text with every run of white space made one space."""
    return " ".join(text.split())


def of(events: list[Event], kind: str, **fields: object) -> list[Event]:
    return [e for e in events if e["event"] == kind and all(e[name] == value for name, value in fields.items())]


@pytest.fixture(scope="module")
def logs() -> list[Log]:
    """Return games of two to six players under several rules in which everything happens."""
    found = []
    for players, rules, games in ((2, STANDARD, 2), (3, FEW_CHIPS, 3), (4, OTHER, 2), (6, STANDARD, 4)):
        others = ("plain:level=22", "plain:level=27", "random", "plain", "random")
        specs = ("random", *others[: players - 1])
        question = Question(tuple(strategy(spec) for spec in specs), rules, DECK, 5)
        player = GamePlayer(question)
        found += [(game_log(question, game, player=player), rules) for game in range(games)]
    return found


KINDS = ("setup", "layout", "bid", "order", "roll", "hold", "accept", "decline", "save", "take", "chip", "skip")


def test_the_games_have_every_kind_of_event(logs: list[Log]) -> None:
    kinds = Counter(event["event"] for events, _ in logs for event in events)
    assert set(kinds) == {*KINDS, "score", "end"}
    takes = [take for events, _ in logs for take in of(events, "take")]
    assert {take["reason"] for take in takes} == {"success", "black sheep", "rest", "leftover"}
    assert any(take["bone_from"] is not None for take in takes)
    assert any(accept["bonus_used"] for events, _ in logs for accept in of(events, "accept"))


# Numbers


def test_every_roll_is_told_attempt_by_attempt(logs: list[Log]) -> None:
    for log in logs:
        rolls = of(log[0], "roll")
        lines = re.findall(r"(\d)(?:st|nd|rd) attempt: ([\d\[\] +]+) = (\d+)([^.]*)\.", words(told(log)))
        assert len(lines) == len(rolls)
        bids = {}
        held: dict[tuple[int, int], list[int]] = {}
        for event in log[0]:
            if event["event"] == "bid":
                bids[event["round"], event["seat"]] = min(int(event["bid"].rstrip("+")), 26)
            elif event["event"] == "hold":
                held.setdefault((event["round"], event["seat"]), []).append(log[1].dice.index(event["die"]))
        for (attempt, dice, total, rest), roll in zip(lines, rolls, strict=True):
            assert int(attempt) == roll["attempt"]
            assert [int(face.strip("[]")) for face in dice.split(" + ")] == roll["dice"]
            aside = held.get((roll["round"], roll["seat"]), [])[: roll["attempt"] - 1]
            assert [at for at, face in enumerate(dice.split(" + ")) if face.startswith("[")] == sorted(aside)
            assert int(total) == roll["total"]
            malus, target = min(roll["modifier"], 0), bids[roll["round"], roll["seat"]]
            assert (f"{total} - {-malus} (malus) = {roll['result']}" in rest) == (malus < 0)
            missing = target - roll["result"]
            assert (f"{missing} short of {target}" in rest) == (missing > 0) == ("short of" in rest)
            left = missing - roll["modifier"]
            helped = missing > 0 and roll["modifier"] > 0
            assert (f"({left} short with the bonus)" in rest) == (helped and left > 0)
            assert ("(the bonus makes it)" in rest) == (helped and left <= 0)


def test_dice_set_aside_are_told_with_what_they_show(logs: list[Log]) -> None:
    for log in logs:
        shown: dict[int, list[int]] = {}
        wanted = []
        for event in log[0]:
            if event["event"] == "roll":
                shown[event["seat"]] = event["dice"]
            elif event["event"] == "hold":
                wanted.append((event["die"], shown[event["seat"]][log[1].dice.index(event["die"])]))
        found = re.findall(r"Sets aside the d(\d+) \((\d+)\)\.", told(log))
        assert [(int(die), int(face)) for die, face in found] == wanted


def test_bids_and_turn_order_are_told_with_the_sheep_numbers_of_ties(logs: list[Log]) -> None:
    for log in logs:
        text = words(told(log))
        found = re.findall(r"[sS]eat (\d) bids (\d+\+?)(?: \(pays 1 chip, (no|\d+) chips? left\))?", text)
        bids = of(log[0], "bid")
        assert [(int(seat), bid) for seat, bid, _ in found] == [(bid["seat"], bid["bid"]) for bid in bids]
        for (_, _, left), bid in zip(found, bids, strict=True):
            assert (left != "") == (bid["bid"] == "26+")
            if left:
                assert int(left.replace("no", "0")) == bid["chips"]
        numbers = list(log[0][0]["table_numbers"])
        orders = re.findall(r"the highest bid first: (.*?)\.(?= )", text)
        placed: dict[int, str] = {}
        rounds = iter(orders)
        for event in log[0]:
            if event["event"] == "bid":
                placed[event["seat"]] = event["bid"]
            elif event["event"] == "take" and event["top"] is not None:
                numbers[event["seat"]] = DECK.cards[event["top"]].sheep_number
            elif event["event"] == "order":
                often = Counter(placed.values())
                wanted = [
                    f"seat {s} ({placed[s]}" + (f", sheep number {numbers[s]})" if often[placed[s]] > 1 else ")")
                    for s in event["seats"]
                ]
                assert next(rounds) == ", ".join(wanted)
                tied = [numbers[s] for s in event["seats"] if placed[s] == often.most_common(1)[0][0]]
                assert tied == sorted(tied)
        assert text.count("Tied bids") > 0 or len(log[0][0]["strategies"]) < 6


def test_what_ends_a_turn_is_told_as_often_as_it_happens(logs: list[Log]) -> None:
    for log in logs:
        text, events = words(told(log)), log[0]
        assert text.count("The bid is made on the") == len(of(events, "accept"))
        assert text.count("Declines to make the bid with") == len(of(events, "decline"))
        assert text.count("so no black sheep") == len(of(events, "save"))
        assert text.count("is skipped: nothing is left on the table") == len(of(events, "skip"))
        assert text.count("takes all black sheep") == len(of(events, "take", reason="black sheep"))
        assert text.count("goes last and takes what is left without rolling") == len(of(events, "take", reason="rest"))
        assert text.count("went first and takes what remains") == len(of(events, "take", reason="leftover"))
        taken = [take["bone_from"] for take in of(events, "take") if take["bone_from"] is not None]
        assert [int(seat) for seat in re.findall(r"takes the bone from seat (\d)", text)] == taken
        chips = re.findall(r"The bid is not made: 1 chip from the supply, now (\d+)", text)
        assert [int(n) for n in chips] == [event["chips"] for event in of(events, "chip")]
        last = of(events, "roll", attempt=3)
        made = {(e["round"], e["seat"]) for e in of(events, "accept")} | {
            (e["round"], e["seat"]) for e in of(events, "chip")
        }
        empty = sum((roll["round"], roll["seat"]) not in made for roll in last)
        assert text.count("the supply has no chip to give") == empty
        assert empty > 0 or log[1] is not FEW_CHIPS


def test_help_is_told_with_what_it_makes(logs: list[Log]) -> None:
    for log in logs:
        found = re.findall(
            r"Uses (?:the bonus \(\+(\d+)\))?(?: and )?(?:(\d+) chips? \((no|\d+) chips? left\))?: (\d+)\.",
            words(told(log)),
        )
        results: dict[int, int] = {}
        wanted = []
        for event in log[0]:
            if event["event"] == "roll":
                results[event["seat"]] = event["result"]
            elif event["event"] == "save" or (event["event"] == "accept" and not event["forced"]):
                bonus, chips = event["bonus_used"], event["chips_spent"]
                wanted.append((bonus, chips, results[event["seat"]] + bonus + chips))
        assert [(int(bonus or 0), int(chips or 0), int(made)) for bonus, chips, _, made in found] == wanted


def test_cards_are_described_when_laid_out_and_named_when_taken(logs: list[Log]) -> None:
    for log in logs:
        text = told(log)
        rounds = re.split(r"\nRound \d+ of \d+\n", text)[1:]
        layouts = of(log[0], "layout")
        assert len(rounds) == len(layouts)
        for part, layout in zip(rounds, layouts, strict=True):
            listed = re.findall(r"^    (\S.*)$", part.split("  Seat ")[0], re.MULTILINE)
            assert listed == [card_words(DECK.cards[card]) for card in layout["cards"]]
            for take in of(log[0], "take", round=layout["round"]):
                names = [card_name(DECK.cards[card]) for card in take["cards"]]
                enumeration = " and ".join([", ".join(names[:-1]), names[-1]]) if len(names) > 1 else names[0]
                assert enumeration in words(part)
                top = take["top"]
                if any(DECK.cards[card].sheep_number for card in take["cards"]):
                    assert f"Top of the flock is now {card_name(DECK.cards[top])}, " in words(part)


def test_the_standing_after_each_round_is_that_of_the_log(logs: list[Log]) -> None:
    for log in logs:
        chips = list(log[0][0]["chips"])
        cards: list[list[Card]] = [[] for _ in chips]
        bone, wanted, down = None, [], 60
        for event in log[0]:
            kind, seat = event["event"], event.get("seat", 0)
            if (kind == "layout" and event["round"] > 1) or (kind == "score" and seat == 0):
                for s, mine in enumerate(cards):
                    dogs = sum(card.kind == DOG for card in mine)
                    wanted.append((s, len(mine), dogs, "yes" if bone == s else "-", chips[s]))
            if kind in {"bid", "chip"}:
                chips[seat] = event["chips"]
            chips[seat] -= event.get("chips_spent", 0)
            if kind == "layout":
                down -= len(event["cards"])
            if kind == "take":
                cards[seat] += [DECK.cards[card] for card in event["cards"]]
                if event["bone_from"] is not None or any(DECK.cards[card].kind == BONE for card in event["cards"]):
                    bone = seat
        found = re.findall(r"^    seat (\d) +(\d+) +(\d+) +(yes|-) +(\d+) ", told(log), re.MULTILINE)
        assert [(int(a), int(b), int(c), d, int(e)) for a, b, c, d, e in found] == wanted
        assert down == 0
        assert chips == [score["chips"] for score in of(log[0], "score")]
        supply = log[1].chips_total - sum(chips)
        end = words(told(log)).rpartition("(0 cards face down, ")[2]
        assert end.startswith(f"{supply} chips in the supply" if supply else "0 chips in the supply")


PARTS = ("white", "black", "three_seven_zero", "zero_zero_seven", "dogs", "most_dogs", "bone", "chips", "total")


def test_the_scores_are_those_of_the_log(logs: list[Log]) -> None:
    for log in logs:
        table = told(log).partition("Scores (points)")[2]
        rows = [line.rsplit(maxsplit=len(log[0][0]["chips"])) for line in table.splitlines()[2 : 2 + len(PARTS)]]
        scores = of(log[0], "score")
        for row, part in zip(rows, PARTS, strict=True):
            assert [int(cell) for cell in row[1:]] == [score[part] for score in scores], part
        for score in scores:
            names = " and ".join(card_name(DECK.cards[card]) for card in score["discarded"])
            discarded = f"Seat {score['seat']} has no dog and puts {names} back into the box."
            assert (discarded in words(table)) == bool(score["discarded"])
        winners = log[0][-1]["winners"]
        assert f"eat{'s' if len(winners) > 1 else ''} {' and '.join(map(str, winners))} " in table.splitlines()[-1]
        assert f"with {max(score['total'] for score in scores)} points" in table.splitlines()[-1]


def test_a_shared_victory_is_told(logs: list[Log]) -> None:
    events, rules = logs[0]
    scores = [{**score, "total": 50} for score in of(events, "score")]
    shared = [*events[:-3], *scores, {"event": "end", "winners": [0, 1], "win_share": 0.5}]
    assert story(shared, DECK, rules).endswith(
        "\nSeats 0 and 1 share the victory with 50 points each: 1/2 of a win for each.\n"
    )


# The rulebook's examples


def turn(bid: str, modifier_card: int | None, chips: int, *events: Event, table: tuple[int, ...] = ()) -> str:
    """Tell a turn of seat 0 that has a card on top of its flock."""
    setup = {
        "event": "setup",
        "players": 3,
        "strategies": ["a", "b", "c"],
        "seed": 1,
        "game": 2,
        "deck": list(range(60)),
        "table_numbers": [52, 53, 54],
        "chips": [chips, 2, 2],
        "rules": {},
    }
    top = [] if modifier_card is None else [take(modifier_card, reason="rest", top=modifier_card)]
    bids = [{"event": "bid", "round": 2, "seat": 0, "bid": bid, "chips": chips}]
    full = [
        setup,
        {"event": "layout", "round": 1, "cards": [modifier_card or 0]},
        *top,
        {"event": "layout", "round": 2, "cards": list(table)},
        *bids,
        *({"round": 2, "seat": 0} | event for event in events),
    ]
    return words(story(full, DECK, STANDARD))


def roll(attempt: int, dice: list[int], modifier: int) -> Event:
    total = sum(dice)
    return {
        "event": "roll",
        "attempt": attempt,
        "dice": dice,
        "total": total,
        "modifier": modifier,
        "result": total + min(modifier, 0),
    }


def hold(attempt: int, die: int) -> Event:
    return {"event": "hold", "attempt": attempt, "die": die}


def take(*cards: int, reason: str = "success", top: int | None = None) -> Event:
    event = {"event": "take", "round": 1, "seat": 0, "cards": list(cards), "reason": reason, "top": top}
    return event | {"bone_from": None}


def card_with(**wanted: object) -> int:
    return next(c.card for c in DECK.cards if all(getattr(c, name) == value for name, value in wanted.items()))


def accept(attempt: int, bonus: int, chips: int) -> Event:
    return {"event": "accept", "attempt": attempt, "bonus_used": bonus, "chips_spent": chips, "forced": False}


def test_conni_gets_a_card() -> None:
    text = turn(
        *("24", card_with(modifier=-3), 1),
        *(roll(1, [12, 10, 3], -3), hold(1, 12), roll(2, [12, 7, 3], -3), hold(2, 10), roll(3, [12, 7, 7], -3)),
        accept(3, 0, 1),
        table=(55, 56),
    )
    for part in (
        "Seat 0 rolls: bid 24, malus -3, 1 chip.",
        "1st attempt: 12 + 10 + 3 = 25, 25 - 3 (malus) = 22, 2 short of 24. Sets aside the d12 (12).",
        "2nd attempt: [12] + 7 + 3 = 22, 22 - 3 (malus) = 19, 5 short of 24. Sets aside the d10 (7).",
        "3rd attempt: [12] + [7] + 7 = 26, 26 - 3 (malus) = 23, 1 short of 24.",
        "Uses 1 chip (no chips left): 24. The bid is made on the 3rd attempt: 1 card.",
    ):
        assert part in text


def test_kathrin_uses_her_bonus_deliberately() -> None:
    text = turn(
        *("24", card_with(modifier=1), 2),
        *(roll(1, [10, 7, 4], 1), {"event": "decline", "attempt": 1}, hold(1, 12), roll(2, [10, 6, 5], 1)),
        accept(2, 1, 2),
        table=(55,),
    )
    for part in (
        "21, 3 short of 24 (2 short with the bonus). Declines to make the bid with the bonus and 2 chips.",
        "Uses the bonus (+1) and 2 chips (no chips left): 24.",
        "The bid is made on the 2nd attempt: 2 cards, but only 1 is left.",
    ):
        assert part in text


def test_robbi_stays_under_14() -> None:
    black = [card.card for card in DECK.cards if card.kind == KIND_NAMES.index("black")][:2]
    text = turn(
        *("20", card_with(modifier=-2), 0),
        *(roll(3, [4, 5, 6], -2), {**take(*black, reason="black sheep", top=black[0]), "round": 2}),
        {"event": "chip", "chips": 1},
        table=(*black, 55),
    )
    assert "15, 15 - 2 (malus) = 13, 7 short of 20. 13 is under 14: takes all black sheep" in text
    assert "The bid is not made: 1 chip from the supply, now 1." in text
    assert "no black sheep are on the table" not in text


def test_a_result_lifted_to_14_and_one_without_black_sheep_about() -> None:
    saved = {"event": "save", "bonus_used": 1, "chips_spent": 2}
    chip = {"event": "chip", "chips": 1}
    text = turn("20", card_with(modifier=1), 2, roll(3, [4, 5, 2], 1), saved, chip, table=(55,))
    assert "Uses the bonus (+1) and 2 chips (no chips left): 14. Not under 14, so no black sheep." in text
    assert "no black sheep are on the table" not in text
    text = turn("20", None, 0, roll(3, [4, 5, 2], 0), chip, table=(55,))
    assert "Under 14, but no black sheep are on the table. The bid is not made: 1 chip" in text


def test_a_bone_that_could_be_taken_but_is_not_is_told() -> None:
    symbol, bone = card_with(bone_symbol=True), card_with(kind=BONE)
    theirs = {**take(bone, reason="rest"), "round": 2, "seat": 1}
    mine = {**take(symbol, top=symbol), "round": 2}
    assert "Bone symbol: leaves the bone with seat 1 all the same." in turn("20", None, 0, theirs, mine)
    assert "leaves the bone" not in turn("20", None, 0, mine)
    assert "takes the bone from seat 1" in turn("20", None, 0, theirs, mine | {"bone_from": 1})


# Where and how it is shown


def test_no_line_is_longer_than_80_columns(logs: list[Log]) -> None:
    for log in logs:
        for unicode in (True, False):
            text = story(log[0], DECK, log[1], unicode=unicode)
            assert text.endswith("\n")
            assert not text.endswith("\n\n")
            assert max(map(len, text.splitlines())) <= 80
            assert unicode or text.isascii()
            assert all(line == line.rstrip() for line in text.splitlines())


HOSTILE = '/home/我们/my "strategy" <b>$x$</b> 😀🧶\n\t\x1b[31m' + "策略" * 60 + "y" * 100 + ".py:Mine:level=3"


@pytest.mark.parametrize("unicode", [True, False])
def test_long_and_strange_strategies_are_told_whole_and_break_nothing(logs: list[Log], unicode: bool) -> None:
    events, rules = logs[-1]
    setup = events[0] | {"strategies": [HOSTILE, *events[0]["strategies"][1:]]}
    text = story([setup, *events[1:]], DECK, rules, unicode=unicode)
    assert max(map(cell_len, text.splitlines())) <= 80
    assert all(sign.isprintable() or sign == "\n" for sign in text)
    assert unicode or text.isascii()
    lines = text.partition("  seat 0 (")[2].partition("\n  seat 1 (")[0].split("\n")
    joined = "".join([lines[0], *(line.removeprefix("    ") for line in lines[1:])]).removesuffix(")")
    wanted = HOSTILE.replace("\n", "\\n").replace("\t", "\\t").replace("\x1b", "\\x1b")
    assert joined == (wanted if unicode else wanted.encode("ascii", "backslashreplace").decode())
    assert text.replace("\n    ", "").count("Mine:level=3") == 1


def test_the_header_says_what_was_played(logs: list[Log]) -> None:
    for events, rules in logs:
        header = words(story(events[:1], DECK, rules))
        assert f"{len(events[0]['chips'])} players: game {events[0]['game']} of seed 5" in header
        assert f"Deck reconstructed ({DECK.digest}), an assumption: no card list is published" in header
        for seat, (spec, number) in enumerate(zip(events[0]["strategies"], events[0]["table_numbers"], strict=True)):
            assert f"seat {seat} ({spec})" in header
            assert f"seat {seat} has {number}" in header
        assert ("Changed rules" in header) == bool(rules.changes)
        supply = rules.chips_total - len(events[0]["chips"]) * rules.chips_start
        assert f"; {supply} in the supply" in header
        assert " and ".join([", ".join(f"d{n}" for n in rules.dice[:2]), f"d{rules.dice[2]}"]) in header


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"plain_26": False}, "26 can only be bid as 26+"),
        ({"chips_total": 20}, "20 chips in all"),
        ({"chips_start": 3}, "3 chips for each player at the start"),
        ({"dice": (20, 12, 6)}, "dice with 20, 12 and 6 sides"),
        ({"table_numbers": (101, 102, 103, 104, 105, 106)}, "101, 102, 103, 104, 105 and 106"),
        ({"cards_per_attempt": (4, 2, 1)}, "4, 2 and 1 cards"),
        ({"black_sheep_below": 15}, "under 15"),
        ({"dog_single": 7}, "7 points for a single dog"),
        ({"dog_most": -9}, "-9 points for the most dogs"),
        ({"bone_per_dog": 3}, "3 points of the bone for each dog"),
        ({"three_seven_zero": (1, 2, 4)}, "1, 2 and 4 points for one, two and three 3-7-0"),
        ({"zero_zero_seven": (1, 2, 40)}, "1, 2 and 40 points for one, two and three 0-0-7"),
        ({"dogless_discard": 3}, "loses 3 white sheep"),
        ({"memory": "table"}, "players do not remember the cards taken"),
    ],
)
def test_every_change_of_the_rules_is_told_in_words(logs: list[Log], changed: dict[str, Any], said: str) -> None:
    rules = Rules(**changed)
    assert said in words(story(logs[0][0][:1], DECK, rules))
    assert not any(f"{name} " in story(logs[0][0][:1], DECK, rules) for name in changed if "_" in name)


# Games that were not finished


def test_a_log_may_end_anywhere(logs: list[Log]) -> None:
    for events, rules in (logs[0], logs[2], logs[-1]):
        whole = story(events, DECK, rules)
        for n in range(1, len(events)):
            text = story(events[:n], DECK, rules)
            assert text.endswith("\n\nThe log ends here: the game was not finished.\n")
            assert max(map(len, text.splitlines())) <= 80
            before = re.split(r"\n  When the game stopped|\nThe log ends here", text)[0]
            if events[n - 1]["event"] != "bid":
                assert whole.startswith(before.rstrip("\n"))
        assert "not finished" not in whole


def test_a_turn_that_was_broken_off_is_not_called_a_failure(logs: list[Log]) -> None:
    events, rules = next(log for log in logs if log[1] is FEW_CHIPS)
    for n, event in enumerate(events):
        if event["event"] == "roll" and event["attempt"] == 3:
            assert "3rd attempt" in words(story(events[: n + 1], DECK, rules)).split(" Seat ")[-1]
            assert "not made" not in words(story(events[: n + 1], DECK, rules)).split(" Seat ")[-1]


def test_an_empty_log_is_told_too() -> None:
    assert story([], DECK, STANDARD) == "The log is empty.\n"


def test_a_log_that_went_through_json_tells_the_same(logs: list[Log]) -> None:
    events, rules = logs[0]
    assert story(json.loads(json.dumps(events)), DECK, rules) == story(events, DECK, rules)


def test_telling_changes_nothing_in_the_log(logs: list[Log]) -> None:
    events, rules = logs[0]
    before = json.dumps(events)
    story(events, DECK, rules)
    assert json.dumps(events) == before
