"""The referee judges games of every strategy, under any rules, with any deck; and it sees fouls."""

import copy
import random
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from referee import Foul, referee
from whole_games import (
    SHIPPED_ROWS,
    Event,
    Log,
    deck_of,
    deck_rows,
    events,
    found,
    logs,
    question,
    rule_changes,
    rules_of,
)

from analyzer.errors import GameFaultError
from analyzer.wool_rules.games import GamePlayer
from analyzer.wool_rules.rules import STANDARD
from strategies.entries import strategy_entries
from strategies.wool_rules.hold_registry import hold_entries

STRATEGIES = list(strategy_entries())
HOLDS = [entry.name for entry in hold_entries()]


def judge(specs: list[str], games: int, start: int = 0, **asked: Any) -> Counter[str]:
    """Let the referee see some games; return what happened in them."""
    seen: Counter[str] = Counter()
    for log in logs(question(*specs, **asked), games, start):
        verdict = referee(log, SHIPPED_ROWS)
        assert verdict.players == len(specs)
        assert verdict.scores == [score["total"] for score in events(log, "score")]
        assert verdict.winners == log[-1]["winners"]
        seen.update(
            {name: getattr(verdict, name) for name in ("rolls", "failures", "black_sheep_takings", "steals", "saves")}
        )
        seen["skips"] += verdict.skips
    return seen


@pytest.mark.parametrize("name", STRATEGIES)
def test_every_built_in_strategy_plays_by_the_rules(name: str) -> None:
    """Alone, against itself and among all others, for 2 to 6 players."""
    chance = random.Random(name)
    for players in range(2, 7):
        mixed = [name, *chance.choices(STRATEGIES, k=players - 1)]
        chance.shuffle(mixed)
        assert judge(mixed, 3, seed=players)["rolls"] > 0
        assert judge([name] * players, 2, seed=players)["rolls"] > 0


@pytest.mark.parametrize("name", HOLDS)
def test_every_hold_rule_plays_by_the_rules(name: str) -> None:
    assert judge(["random", f"plain/hold={name}", f"random/hold={name}"], 5, seed=1)["failures"] > 0


@pytest.mark.parametrize("name", STRATEGIES)
@pytest.mark.parametrize(
    "changes",
    [
        {"dice": [20, 6, 4], "black_sheep_below": 18, "chips_total": 12, "cards_per_attempt": [1, 2, 5]},
        {"plain_26": False, "memory": "table", "dogless_discard": 0, "chips_total": 6, "chips_start": 0},
    ],
    ids=["dice, chips and cards", "bids and memory"],
)
def test_every_built_in_strategy_plays_by_other_rules(name: str, changes: dict[str, Any]) -> None:
    for players in (2, 4, 6):
        judge([name, *["random"] * (players - 2), name], 3, rules=rules_of(**changes), seed=3)


def test_random_games_reach_every_corner_of_the_rules() -> None:
    """What the referee judges in some hundred games of random is not only the everyday."""
    seen: Counter[str] = Counter()
    for players in range(2, 7):
        seen += judge(["random"] * players, 20, seed=9)
    assert min(seen[name] for name in ("rolls", "failures", "black_sheep_takings", "steals", "saves", "skips")) > 10


@settings(max_examples=40, deadline=None)
@given(rule_changes(), deck_rows(), st.integers(2, 6), st.integers(0, 2**64 - 1))
def test_any_rules_and_any_deck_are_played_by_the_rules(
    changes: dict[str, Any], rows: list[dict[str, Any]], players: int, seed: int
) -> None:
    """Conservation of cards and chips after every event is among what the referee checks."""
    rules = rules_of(**changes)
    asked = question(*["random"] * players, rules=rules, deck=deck_of(rows, rules), seed=seed)
    for log in logs(asked, 3):
        referee(log, rows)
    low, high = asked.score_range
    sums = GamePlayer(asked)(0, 50)
    assert sums.scores.sum() == 50 * players, "every score has a bin"
    assert sums.scores.shape[1] == high - low + 1


@pytest.mark.slow
@settings(max_examples=1500, deadline=None)
@given(rule_changes(), deck_rows(), st.integers(2, 6), st.integers(0, 2**64 - 1))
def test_fifteen_hundred_rules_and_decks_are_played_by_the_rules(
    changes: dict[str, Any], rows: list[dict[str, Any]], players: int, seed: int
) -> None:
    rules = rules_of(**changes)
    for log in logs(question(*["random"] * players, rules=rules, deck=deck_of(rows, rules), seed=seed), 3):
        referee(log, rows)


# Fouls

Change = Callable[[Log], bool]
"""Changes a log in place; False when there is nothing in it to change."""

FOULS: dict[str, tuple[str, Change]] = {}


def foul(ruling: str) -> Callable[[Change], Change]:
    """Register a foul and the ruling that it breaks."""

    def register(change: Change) -> Change:
        FOULS[change.__name__] = ruling, change
        return change

    return register


def one(log: Log, name: str, *, last: bool = False, **fields: object) -> Event | None:
    """Return the first (or last) event of a name with these fields."""
    wanted = [event for event in events(log, name) if all(event[key] == value for key, value in fields.items())]
    return wanted[-1 if last else 0] if wanted else None


def changed(event: Event | None, **fields: object) -> bool:
    """Change fields of an event, if there is one."""
    if event is not None:
        event.update(fields)
    return event is not None


@foul("R2")
def a_26_plus_that_costs_nothing(log: Log) -> bool:
    bid = one(log, "bid", bid="26+")
    return bid is not None and changed(bid, chips=bid["chips"] + 1)


@foul("R2, R3")
def two_seats_exchanged_in_the_order(log: Log) -> bool:
    order = one(log, "order")
    assert order is not None
    return changed(order, seats=order["seats"][::-1])


@foul("R4")
def a_malus_that_does_not_count(log: Log) -> bool:
    roll = next((roll for roll in events(log, "roll") if roll["modifier"] < 0), None)
    return roll is not None and changed(roll, result=roll["total"])


@foul("R4")
def a_bonus_that_counts_at_once(log: Log) -> bool:
    roll = next((roll for roll in events(log, "roll") if roll["modifier"] > 0), None)
    return roll is not None and changed(roll, result=roll["total"] + roll["modifier"])


@foul("R5")
def a_success_with_a_card_too_few(log: Log) -> bool:
    for take in events(log, "take"):
        if take["reason"] == "success" and len(take["cards"]) > 1:
            lost = next(card for card in take["cards"] if card != take["top"])
            return changed(take, cards=[card for card in take["cards"] if card != lost])
    return False


@foul("R5")
def a_forced_success_called_a_choice(log: Log) -> bool:
    return changed(one(log, "accept", forced=True), forced=False)


@foul("R6")
def a_chip_too_many_for_the_bid(log: Log) -> bool:
    accept = one(log, "accept", forced=False)
    return accept is not None and changed(accept, chips_spent=accept["chips_spent"] + 1)


@foul("R6")
def help_without_the_bonus(log: Log) -> bool:
    accept = next((event for event in events(log, "accept") if event["bonus_used"] > 0), None)
    return changed(accept, bonus_used=0)


@foul("R7")
def a_die_set_aside_that_is_turned(log: Log) -> bool:
    hold = one(log, "hold")
    if hold is None:
        return False
    die, roll = [12, 10, 8].index(hold["die"]), log[log.index(hold) + 1]
    before = roll["dice"][die]
    face = before - 1 if before > 1 else 2
    dice = [*roll["dice"][:die], face, *roll["dice"][die + 1 :]]
    return changed(roll, dice=dice, total=sum(dice), result=roll["result"] + face - before)


@foul("R7")
def a_die_set_aside_twice(log: Log) -> bool:
    for a, b in zip(log, log[2:], strict=False):
        if a["event"] == b["event"] == "hold":
            return changed(b, die=a["die"])
    return False


@foul("R7")
def a_fourth_attempt(log: Log) -> bool:
    roll = one(log, "roll", attempt=3)
    return changed(roll, attempt=4)


@foul("R8")
def no_chip_after_a_failure(log: Log) -> bool:
    chip = one(log, "chip")
    return chip is not None and (log.remove(chip) or True)


@foul("R9")
def a_black_sheep_left_on_the_table(log: Log) -> bool:
    for take in events(log, "take"):
        if take["reason"] == "black sheep" and len(take["cards"]) > 1:
            return changed(take, cards=take["cards"][:-1], top=take["cards"][0])
    return False


@foul("R9")
def no_black_sheep_taken_at_all(log: Log) -> bool:
    take = one(log, "take", reason="black sheep")
    return take is not None and (log.remove(take) or True)


@foul("R9")
def a_chip_too_few_for_fourteen(log: Log) -> bool:
    save = next((save for save in events(log, "save") if save["chips_spent"] > 0), None)
    return save is not None and changed(save, chips_spent=save["chips_spent"] - 1)


@foul("R10")
def a_turn_skipped_in_silence(log: Log) -> bool:
    skip = one(log, "skip")
    return skip is not None and (log.remove(skip) or True)


@foul("R11")
def a_card_left_by_the_last_player(log: Log) -> bool:
    for take in events(log, "take"):
        if take["reason"] == "rest" and len(take["cards"]) > 1 and take["top"] != take["cards"][-1]:
            return changed(take, cards=take["cards"][:-1])
    return False


@foul("R12")
def a_top_card_from_somewhere_else(log: Log) -> bool:
    for a, b in zip(events(log, "take"), events(log, "take")[1:], strict=False):
        if a["top"] is not None and b["top"] in b["cards"]:
            return changed(b, top=a["top"])
    return False


@foul("R12")
def a_modifier_of_another_card(log: Log) -> bool:
    roll = one(log, "roll", last=True)
    return roll is not None and changed(roll, modifier=roll["modifier"] + 1)


@foul("R13")
def a_bone_stolen_without_a_symbol(log: Log) -> bool:
    take = next(take for take in events(log, "take") if not {*take["cards"]} & {7, 11, 15, 19, 34, 44})
    return changed(take, bone_from=(take["seat"] + 1) % log[0]["players"])


@foul("R13")
def a_bone_stolen_from_a_player_without_it(log: Log) -> bool:
    take = next((take for take in events(log, "take") if take["bone_from"] is not None), None)
    if take is None or log[0]["players"] < 3:
        return False
    other = next(seat for seat in range(3) if seat not in {take["seat"], take["bone_from"]})
    return changed(take, bone_from=other)


@foul("R14")
def a_card_from_the_bottom_of_the_supply(log: Log) -> bool:
    layout = one(log, "layout")
    assert layout is not None
    return changed(layout, cards=[*layout["cards"][:-1], log[0]["deck"][-1]])


@foul("R15")
def a_leftover_for_the_second_of_two(log: Log) -> bool:
    take = one(log, "take", reason="leftover")
    return take is not None and changed(take, seat=1 - take["seat"])


@foul("R16")
def a_point_too_many(log: Log) -> bool:
    score = one(log, "score")
    return score is not None and changed(score, total=score["total"] + 1)


def _another_part(part: str) -> Change:
    def change(log: Log) -> bool:
        score = next((score for score in events(log, "score") if score[part] != 0), None)
        return changed(score, **{part: 0})

    change.__name__ = f"no_points_for_{part}"
    return change


for _part, _ruling in (
    ("white", "R19"),
    ("black", "R16"),
    ("three_seven_zero", "R17"),
    ("zero_zero_seven", "R18"),
    ("dogs", "R19"),
    ("most_dogs", "R19"),
    ("bone", "R20"),
    ("chips", "R16"),
):
    foul(_ruling)(_another_part(_part))


@foul("R19")
def the_wrong_sheep_discarded(log: Log) -> bool:
    score = next((score for score in events(log, "score") if len(score["discarded"]) == 2), None)
    return score is not None and changed(score, discarded=score["discarded"][::-1])


@foul("R21")
def a_winner_who_has_not_won(log: Log) -> bool:
    loser = next(seat for seat in range(log[0]["players"]) if seat not in log[-1]["winners"])
    return changed(log[-1], winners=[loser])


@foul("R21")
def a_share_for_two_of_one_winner(log: Log) -> bool:
    return len(log[-1]["winners"]) == 1 and changed(log[-1], win_share=0.5)


@foul("components")
def a_card_twice_in_the_deck(log: Log) -> bool:
    return changed(log[0], deck=[log[0]["deck"][1], *log[0]["deck"][1:]])


@foul("log format")
def a_field_left_out(log: Log) -> bool:
    roll = one(log, "roll")
    return roll is not None and roll.pop("total") > 0


@foul("log format")
def something_after_the_end(log: Log) -> bool:
    log.append(copy.deepcopy(log[-1]))
    return True


@pytest.fixture(scope="module")
def some_games() -> list[Log]:
    """Games of 2 to 6 players, all without a foul."""
    games = [log for players in range(2, 7) for log in logs(question(*["random"] * players, seed=6), 12)]
    for log in games:
        referee(log, SHIPPED_ROWS)
    return games


@pytest.mark.parametrize("name", FOULS)
def test_the_referee_sees(name: str, some_games: list[Log]) -> None:
    """One change in a game, and the referee names the ruling that it breaks."""
    ruling, change = FOULS[name]
    changes = 0
    for log in some_games:
        fouled = copy.deepcopy(log)
        if not change(fouled):
            continue
        with pytest.raises(Foul, match=rf"breaks ({ruling}|.*{ruling})") as caught:
            referee(fouled, SHIPPED_ROWS)
        assert ruling in str(caught.value)
        changes += 1
        if changes == 3:
            return
    assert changes


def test_the_referee_wants_the_deck_that_was_played(some_games: list[Log]) -> None:
    """One point more on a card that counts, and a score of some game is wrong."""
    rows = [dict(row) for row in SHIPPED_ROWS]
    rows[31]["points"] = "9"
    log = found(iter(some_games), lambda log: not any(31 in score["discarded"] for score in events(log, "score")))
    with pytest.raises(Foul, match="R19"):
        referee(log, rows)


@pytest.mark.parametrize(
    ("slot", "answer", "words"),
    [
        ("bid", 13, "bid"),
        ("bid", 28, "bid"),
        ("bid", -(2**62), "bid"),
        ("hold", 11, "die that is free"),
        ("hold", 0, "die that is free"),
        ("pick", -1, "position on the table"),
        ("pick", 7, "position on the table"),
        ("pick", 2**62, "position on the table"),
        ("top", -1, "position of a sheep"),
        ("top", 7, "position of a sheep"),
    ],
)
def test_an_illegal_answer_is_an_error_and_never_repaired(
    slot: str, answer: int, words: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """The message names strategy, slot, seat, game, round and answer."""
    file = tmp_path_factory.mktemp("illegal") / "illegal.py"
    file.write_text(f"def {slot}(v):\n    return {answer}\n")
    spec = f"random/{slot}={file}:{slot}"
    with pytest.raises(GameFaultError) as caught:
        GamePlayer(question("random", "random", spec, rules=STANDARD, seed=5))(7, 100)
    message = str(caught.value)
    assert message.startswith(f"{file}:1: {slot} of {spec} (seat 2, game ")
    assert ", round " in message
    assert words in message
    assert str(answer) in message


def test_the_first_game_with_a_fault_is_the_one_named(tmp_path_factory: pytest.TempPathFactory) -> None:
    file = tmp_path_factory.mktemp("illegal") / "seldom.py"
    file.write_text("def bid(v):\n    return 13 if v.round == 4 and v.draws[0] < 0.02 else 20\n")
    asked = question("plain", f"random/bid={file}:bid", seed=2)
    with pytest.raises(GameFaultError) as caught:
        GamePlayer(asked)(0, 1000)
    game = caught.value.sitting.game
    assert game > 0
    assert f"(seat 1, game {game}, round 4) answered 13" in str(caught.value)
    assert GamePlayer(asked)(0, game).games == game
    with pytest.raises(GameFaultError, match=rf"game {game}, round 4\) answered 13"):
        GamePlayer(asked)(game, 1)
