"""Sums of results against a slow, obvious twin; every shuffle, deal and roll of a game as likely as it should be."""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import pairwise, permutations, product
from typing import Any

import numpy as np
import oracle_game
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import chi2
from tape import DECK, LOW, SLOTS, TABLE_NUMBERS, TURN_DICE, EngineTape, fair
from whole_games import Event, Log, events, logs, question, rules_of

from analyzer import rng
from analyzer.results import HIGHEST, LOWEST, MARGIN, SCORE, WHOLE_WIN, WIN, Sums, reduce_results
from analyzer.wool_rules.bid_table import bid_table
from analyzer.wool_rules.bidding import parse_bid
from analyzer.wool_rules.constants import N_CARDS
from analyzer.wool_rules.games import GamePlayer
from analyzer.wool_rules.log import game_log
from strategies.wool_rules.hold_registry import hold_rule

FALSE_ALARM = 1e-6
"""How often a test of this file with a chi-square would fail on right frequencies, if its seed were not fixed."""


def assert_as_likely(counts: np.ndarray, expected: np.ndarray, degrees: int | None = None) -> None:
    """Compare counts with what they should be on average, by chi-square; constraints beside the sum by `degrees`."""
    assert expected.min() >= 5, "too few for a chi-square"
    statistic = float(((counts - expected) ** 2 / expected).sum())
    free = counts.size - 1 if degrees is None else degrees
    assert statistic < chi2.isf(FALSE_ALARM, free), f"chi-square {statistic:.0f} with {free} degrees of freedom"


def as_likely_as_each_other(counts: np.ndarray) -> None:
    assert_as_likely(counts, np.full(counts.shape, counts.sum() / counts.size))


# Sums

N_FIELDS = 4
LOWEST_SCORE, BINS = -12, 30


def reduced(results: np.ndarray, seating: np.ndarray, start: int = 0) -> Sums:
    sums = Sums.nothing(results.shape[2], N_FIELDS, BINS, {"extra": np.array([len(results), 1])})
    sums.games = len(results)
    arrays = (sums.total, sums.squares, sums.scores, sums.places, sums.shared, sums.extremes)
    reduce_results(results, start, 0, seating, LOWEST_SCORE, np.arange(results.shape[2]), *arrays)
    return sums


def twin(results: np.ndarray, seating: np.ndarray, start: int = 0) -> Sums:
    """What reduce_results should do, said with NumPy."""
    games, sittings, players, _ = results.shape
    sums = Sums.nothing(players, N_FIELDS, BINS, {"extra": np.array([games, 1])})
    sums.games = games
    by_who = np.zeros(results.shape, np.int64)  # the axis of seats becomes one of places in the line-up
    for sitting in range(sittings):
        by_who[:, sitting, seating[sitting]] = results[:, sitting]
    observed = by_who.sum(axis=1)
    sums.total, sums.squares = observed.sum(axis=0), (observed**2).sum(axis=0)
    for who in range(players):
        sums.scores[who] = np.bincount((by_who[:, :, who, SCORE] - LOWEST_SCORE).ravel(), minlength=BINS)
    ranked = -np.sort(-results[..., SCORE].astype(np.int64), axis=2)
    sums.places[:, 0], sums.places[:, 1] = ranked.sum(axis=(0, 1)), (ranked**2).sum(axis=(0, 1))
    sums.shared = np.bincount((results[..., WIN] > 0).sum(axis=2).ravel(), minlength=players + 1)
    candidates: dict[int, list[tuple[int, int, int, int, int]]] = {HIGHEST: [], LOWEST: [], MARGIN: []}
    for game, sitting in product(range(games), range(sittings)):
        scores = results[game, sitting, :, SCORE].tolist()
        for seat, score in enumerate(scores):
            where = start + game, 0, sitting, int(seating[sitting, seat])
            candidates[HIGHEST].append((score, *where))
            candidates[LOWEST].append((-score, *where))
        best = scores.index(max(scores))
        margin = max(scores) - max(scores[:best] + scores[best + 1 :])
        candidates[MARGIN].append((margin, start + game, 0, sitting, int(seating[sitting, best])))
    for which, found in candidates.items():
        sums.extremes[which] = max(found, key=lambda row: row[0])  # of equal ones max returns the first
    return sums


def same(a: Sums, b: Sums) -> None:
    assert a.games == b.games
    for name in ("total", "squares", "scores", "places", "shared", "extremes"):
        assert np.array_equal(getattr(a, name), getattr(b, name)), name
    assert np.array_equal(a.extra["extra"], b.extra["extra"])


def random_results(seed: int, games: int, players: int, *, rotate: bool) -> tuple[np.ndarray, np.ndarray]:
    """Scores from few values, so that there are ties everywhere, with win shares to match."""
    chance = np.random.default_rng(seed)
    sittings = players if rotate else 1
    results = chance.integers(-10, 10, (games, sittings, players, N_FIELDS)).astype(np.int32)
    best = results[..., SCORE] == results[..., SCORE].max(axis=2, keepdims=True)
    results[..., WIN] = best * (WHOLE_WIN // best.sum(axis=2, keepdims=True))
    seating = np.stack([np.roll(np.arange(players), turn) for turn in range(sittings)])
    return results, seating


@settings(deadline=None)
@given(st.integers(0, 2**32), st.integers(1, 30), st.integers(2, 6), st.booleans(), st.integers(0, 2**40))
def test_results_are_reduced_as_numpy_would(seed: int, games: int, players: int, rotate: bool, start: int) -> None:
    results, seating = random_results(seed, games, players, rotate=rotate)
    same(reduced(results, seating, start), twin(results, seating, start))


@settings(deadline=None)
@given(st.integers(0, 2**32), st.lists(st.integers(0, 7), min_size=3, max_size=3), st.integers(2, 6), st.booleans())
def test_sums_are_added_in_any_order_and_grouping(seed: int, sizes: list[int], players: int, rotate: bool) -> None:
    """Three blocks, some of them empty, with equal extremes again and again: always the sums of the whole."""
    results, seating = random_results(seed, sum(sizes), players, rotate=rotate)
    edges = np.cumsum([0, *sizes])
    blocks = [reduced(results[a:b], seating, int(a)) for a, b in pairwise(edges)]
    whole = reduced(results, seating)
    whole.extra = {"extra": np.array([sum(sizes), 3])}
    for a, b, c in permutations(blocks):
        same(a + b + c, whole)
        same(a + (b + c), whole)


def test_no_games_change_no_sum() -> None:
    results, seating = random_results(1, 5, 4, rotate=True)
    some = reduced(results, seating, 100)
    none = Sums.nothing(4, N_FIELDS, BINS, {"extra": np.zeros(2, np.int64)})
    for sums in (some + none, none + some, none + none + some):
        same(sums, some)


def test_of_equal_extremes_the_earliest_is_kept() -> None:
    results = np.zeros((4, 1, 2, N_FIELDS), np.int32)
    results[:, 0, :, SCORE] = [[5, 5], [9, 1], [1, 9], [9, 1]]
    seating = np.array([[1, 0]])
    blocks = [reduced(results[at : at + 1], seating, 10 + at) for at in range(4)]
    for order in permutations(blocks):
        sums = order[0] + order[1] + order[2] + order[3]
        assert sums.extremes.tolist() == [[9, 11, 0, 0, 1], [-1, 11, 0, 0, 0], [8, 11, 0, 0, 1]]


def test_adding_changes_neither_of_two_sums() -> None:
    results, seating = random_results(2, 6, 3, rotate=False)
    a, b = reduced(results[:3], seating), reduced(results[3:], seating, 3)
    before = [array.copy() for sums in (a, b) for array in (sums.total, sums.scores, sums.extremes, sums.shared)]
    a + b
    after = [array for sums in (a, b) for array in (sums.total, sums.scores, sums.extremes, sums.shared)]
    assert all(np.array_equal(x, y) for x, y in zip(before, after, strict=True))


# Shuffles and deals

N_DECKS = 120_000
SEED = 2024
LOW_BITS, HALF = np.uint64(LOW), np.uint64(32)
GAMES = np.arange(N_DECKS, dtype=np.uint64)


def tape_of(seed: int, games: np.ndarray | int, dice: Sequence[int] = (12, 10, 8)) -> EngineTape:
    """Return the tape of a game, or of many at once: the engine plays by it, as the tests below and the oracle show."""
    tape = EngineTape(seed, 0, 6, {"dice": dice, "table_numbers": range(52, 58)})
    tape.game = games  # type: ignore[assignment]
    return tape


def shuffled(tape: EngineTape, purpose: int, items: range) -> np.ndarray:
    """Return items as they lie in many games, shape (games, items), games with rejected random bits left out."""
    rows = np.arange(len(GAMES))
    found = np.tile(np.array(items, dtype=np.int64), (len(rows), 1))
    usable = np.ones(len(rows), bool)
    for batch, last in enumerate(range(len(items) - 1, 0, -4)):
        rest, ways = tape.word(purpose, batch) >> HALF, 1
        for at in range(last, max(last - 4, 0), -1):
            product_ = rest * np.uint64(at + 1)
            other, rest = (product_ >> HALF).astype(np.int64), product_ & LOW_BITS
            found[rows, at], found[rows, other] = found[rows, other], found[rows, at]
            ways *= at + 1
        usable &= rest >= 2**32 % ways
    assert usable.mean() > 0.95
    found[~usable] = -1
    return found


Dealt = tuple[np.ndarray, np.ndarray]


@pytest.fixture(scope="module")
def dealt() -> Dealt:
    """Decks in drawing order and table numbers by seat of many games; -1 where random bits were rejected."""
    tape = tape_of(SEED, GAMES)
    return shuffled(tape, DECK, range(60)), shuffled(tape, TABLE_NUMBERS, range(52, 58))


def test_what_is_dealt_here_is_what_the_engine_deals(dealt: Dealt) -> None:
    """Games one after the other, and those with rejected bits, which are drawn anew as the tape says."""
    decks, tables = dealt
    asked = question(*["plain"] * 6, seed=SEED)
    player = GamePlayer(asked)
    rejected = np.flatnonzero(decks[:, 0] < 0)[:20].tolist()
    assert len(rejected) == 20
    for game in [*range(40), *rejected]:
        setup, tape = game_log(asked, game, player=player)[0], EngineTape(SEED, game, 6, oracle_game.STANDARD_RULES)
        assert setup["deck"] == tape.deck
        assert setup["table_numbers"] == tape.table_numbers
        if game not in rejected:
            assert setup["deck"] == decks[game].tolist()
            assert setup["table_numbers"] == tables[game].tolist()


def usable(dealt: np.ndarray) -> np.ndarray:
    return dealt[dealt[:, 0] >= 0]


def test_every_deck_has_every_card_once(dealt: Dealt) -> None:
    decks, tables = map(usable, dealt)
    assert (np.sort(decks, axis=1) == np.arange(N_CARDS)).all()
    assert (np.sort(tables, axis=1) == np.arange(52, 58)).all()


def test_every_card_is_as_likely_at_every_position(dealt: Dealt) -> None:
    decks = usable(dealt[0])
    counts = np.stack([np.bincount(decks[:, at], minlength=N_CARDS) for at in range(N_CARDS)])
    # Rows and columns add up to the number of decks.
    assert_as_likely(counts, np.full(counts.shape, len(decks) / N_CARDS), (N_CARDS - 1) ** 2)


@pytest.mark.parametrize("positions", [(0, 1), (58, 59), (0, 59), (3, 4), (55, 56), (29, 47)])
def test_every_pair_of_cards_is_as_likely_at_two_positions(dealt: Dealt, positions: tuple[int, int]) -> None:
    """Neighbours drawn from the same random bits, neighbours of two batches, and positions far apart."""
    first, second = (usable(dealt[0])[:, at] for at in positions)
    counts = np.bincount(first * N_CARDS + second, minlength=N_CARDS**2).reshape(N_CARDS, N_CARDS)
    assert np.trace(counts) == 0
    as_likely_as_each_other(counts[~np.eye(N_CARDS, dtype=bool)])


def test_cards_that_lie_side_by_side_in_the_file_do_not_stay_together(dealt: Dealt) -> None:
    """How far apart cards k and k + 1 lie: each signed distance d in 60 - |d| of 60 x 59 ways."""
    places = np.argsort(usable(dealt[0]), axis=1)
    distances = np.arange(-59, 60)
    ways = np.where(distances == 0, 0, 60 - abs(distances))
    for card in (0, 20, 58):
        found = places[:, card + 1] - places[:, card]
        counts = np.bincount(found + 59, minlength=119)
        expected = len(places) * ways / ways.sum()
        assert_as_likely(counts[ways > 0], expected[ways > 0])


def test_table_numbers_are_dealt_in_every_order_equally_often(dealt: Dealt) -> None:
    tables = usable(dealt[1])
    _, counts = np.unique((tables - 52) @ 6 ** np.arange(6), return_counts=True)
    assert len(counts) == 720
    as_likely_as_each_other(counts)


def test_deck_and_table_numbers_have_nothing_to_do_with_each_other(dealt: Dealt) -> None:
    decks, tables = dealt
    both = (decks[:, 0] >= 0) & (tables[:, 0] >= 0)
    as_likely_as_each_other(np.bincount(decks[both, 0] * 6 + tables[both, 0] - 52, minlength=360))


def test_games_and_seeds_next_to_each_other_have_nothing_to_do_with_each_other(dealt: Dealt) -> None:
    top, other_seed = dealt[0][:, 0], shuffled(tape_of(SEED + 1, GAMES), DECK, range(60))[:, 0]
    for one, another in ((top[:-1], top[1:]), (top, other_seed)):
        both = (one >= 0) & (another >= 0)
        as_likely_as_each_other(np.bincount(one[both] * 60 + another[both], minlength=3600))


# Dice in games

DICE = {"standard": (12, 10, 8), "odd": (7, 5, 2), "in another order": (4, 6, 9)}


def rolls_of(log: Log) -> Iterator[tuple[Event, tuple[int, ...], tuple[int, ...]]]:
    """Yield each roll, the dice that were rolled and those that lay there, as indices."""
    sides = oracle_game.STANDARD_RULES["dice"] if "dice" not in log[0]["rules"] else log[0]["rules"]["dice"]
    held: list[int] = []
    for event in log:
        if event["event"] == "roll":
            held = held if event["attempt"] > 1 else []
            yield event, tuple(die for die in range(3) if die not in held), tuple(held)
        if event["event"] == "hold":
            held = [*held, sides.index(event["die"])]


@cache
def rolled(name: str) -> dict[Any, np.ndarray]:
    """Return the faces in many games' logs by the dice rolled: in an attempt, and in one after those of the one before.

    Everybody bids 26, and nobody gets a card for it, so that nearly every dice action goes over three attempts.
    """
    rules = rules_of(dice=list(DICE[name]), cards_per_attempt=[0, 0, 0])
    asked = question(*["random/bid=plain:level=26/accept=plain"] * 6, rules=rules, seed=7)
    faces: dict[Any, list[list[int]]] = {}
    for log in logs(asked, 200):
        before: list[int] = []
        for roll, free, held in rolls_of(log):
            faces.setdefault((roll["attempt"], free), []).append(roll["dice"])
            if held:
                assert [roll["dice"][die] for die in held] == [before[die] for die in held], "a die set aside"
                faces.setdefault(("after another", roll["attempt"], free), []).append(before + roll["dice"])
            before = roll["dice"]
    return {key: np.array(found) for key, found in faces.items()}


def as_likely_together(faces: Sequence[np.ndarray], sides: Sequence[int]) -> None:
    """Compare how often every combination of faces fell."""
    counts = np.bincount(np.ravel_multi_index([f - 1 for f in faces], sides), minlength=int(np.prod(sides)))
    as_likely_as_each_other(counts)


@pytest.mark.parametrize("name", DICE)
def test_every_roll_is_as_likely_as_every_other_in_each_attempt(name: str) -> None:
    """All three dice, every two and every single one: whichever were set aside, their free faces together."""
    sides, found = DICE[name], rolled(name)
    seen = [key for key in found if key[0] != "after another"]
    assert len(seen) == 7
    for attempt, free in seen:
        faces = found[attempt, free]
        assert faces.min() >= 1
        as_likely_together([faces[:, die] for die in free], [sides[die] for die in free])


@pytest.mark.parametrize("name", [name for name, sides in DICE.items() if sum(sides) < 26])
def test_attempts_have_nothing_to_do_with_each_other(name: str) -> None:
    """A die rolled twice in a row, beside itself; with these dice nobody makes the bid, so that none is left out."""
    sides, checked = DICE[name], 0
    for key, faces in rolled(name).items():
        if key[0] == "after another":
            for die in key[2]:
                as_likely_together([faces[:, die], faces[:, 3 + die]], [sides[die]] * 2)
                checked += 1
    assert checked == 9


def test_rounds_seats_and_games_have_nothing_to_do_with_each_other() -> None:
    """First rolls of the d12 beside those of the next round, of the next seat and of the next game, by the tape."""
    tape = tape_of(5, GAMES)

    def d12(round_number: int, seat: int) -> np.ndarray:
        bits = tape.word(TURN_DICE, (round_number << 3 | seat) << 5) >> HALF
        return (bits * np.uint64(12) >> HALF).astype(np.int64) + 1

    here = d12(1, 0)
    for there in (d12(2, 0), d12(1, 1)):
        as_likely_together([here, there], [12, 12])
    as_likely_together([here[:-1], here[1:]], [12, 12])


@pytest.mark.parametrize(
    ("attempt", "dice", "seed", "game", "seat", "free"),
    [
        (1, [29, 27, 26], 0, 676_981, 0, (0, 1, 2)),
        (2, [27, 24, 2], 11, 951_848, 5, (0, 1)),
        (3, [25, 3, 2], 3, 591_229_462_959, 5, (0,)),
    ],
)
def test_random_bits_that_would_favour_a_face_are_rejected(
    attempt: int, dice: list[int], seed: int, game: int, seat: int, free: tuple[int, ...]
) -> None:
    """One roll in millions, found by search: the engine rolls again where the tape does, and not what was rejected."""
    tape = tape_of(seed, game, dice)
    word = tape.word(TURN_DICE, (1 << 3 | seat) << 5 | (attempt == 3))
    bits = word & LOW if attempt == 2 else word >> 32
    assert fair(bits, [dice[die] for die in free]) is None
    rules = rules_of(dice=dice, cards_per_attempt=[0, 0, 0])
    log = game_log(question(*["random/bid=plain:level=26"] * 6, rules=rules, seed=seed), game)
    where = {"round": 1, "seat": seat, "attempt": attempt}
    (roll,) = (event for event in events(log, "roll") if event.items() >= where.items())
    found = [roll["dice"][die] for die in free]
    assert found == tape.roll(1, seat, attempt, free)
    assert found[0] != 1 + (bits * dice[free[0]] >> 32)


def pooled(counts: np.ndarray, expected: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Put ends that are too rare for a chi-square together with the next rarer ones."""
    order = np.argsort(expected)
    counts, expected = counts[order], expected[order]
    while expected[0] < 5:
        counts = np.append(counts[0] + counts[1], counts[2:])
        expected = np.append(expected[0] + expected[1], expected[2:])
    return counts, expected


@pytest.mark.parametrize(
    ("changes", "bids"),
    [({}, range(14, 28)), ({"dice": [20, 6, 9], "black_sheep_below": 17}, (15, 19, 25))],
    ids=["standard", "other dice"],
)
def test_dice_actions_in_games_end_as_often_as_the_exact_odds_say(changes: dict[str, Any], bids: Sequence[int]) -> None:
    """Plain sets aside the highest die and spends no chip: its ends by bid and modifier, by chi-square."""
    rules = rules_of(**changes)
    ends = np.zeros((14, 41, 5), np.int64)
    for at, bid in enumerate(bids):
        asked = question("random", f"plain:level={bid}", "random", rules=rules, seed=12 + at)
        ends += GamePlayer(asked)(0, 10_000).extra["actions"][1]
    modifiers = range(-3, 4)
    table = bid_table([hold_rule("keep-highest")], bids, modifiers, game_rules=rules)
    odds = {(parse_bid(row["bid"]), row["modifier"]): row for row in table.rows}
    tested = 0
    for at, by_modifier in enumerate(ends):
        for modifier in modifiers:
            counts, bid = by_modifier[modifier + 20], 14 + at
            if counts.sum() < 1000:
                continue
            row = odds[bid, modifier]
            chances = np.array([row[f"p_{name}"] for name in ("three", "two", "one", "fail", "under_14")], float)
            chances[3] -= chances[4]
            assert (counts[chances == 0] == 0).all()
            assert_as_likely(*pooled(counts[chances > 0], counts.sum() * chances[chances > 0]))
            tested += 1
    assert tested >= 5 * len(bids)


# Where draws lie


def test_no_two_draws_of_a_game_share_a_place() -> None:
    """Decks, tables, rolls and what policies draw, each in its place; the first two attempts share a word by halves."""

    class Noted(EngineTape):
        def word(self, purpose: int, index: int) -> int:
            assert 0 <= index < 2**rng.INDEX_BITS
            places.append((purpose, index))
            return super().word(purpose, index)

    places: list[tuple[int, int]] = []
    tape = Noted(3, 5, 6, {"dice": (12, 10, 8), "table_numbers": range(52, 58)})
    for round_number, seat in product(range(1, 21), range(6)):
        tape.roll(round_number, seat, 1, (0, 1, 2))
        tape.roll(round_number, seat, 3, (0,))
        for slot, call in product(SLOTS, range(8)):
            tape.draws(round_number, seat, slot, call)
    assert len(places) >= 15 + 2 + 20 * 6 * (2 + 7 * 8 * 4)
    assert len(set(places)) == len(places)


def test_rejected_bits_never_lead_into_the_place_of_another_roll_or_deal() -> None:
    """Even if ten draws in a row had to be rejected."""

    class Unlucky(EngineTape):
        def word(self, purpose: int, index: int) -> int:
            assert seen.setdefault(index, self.who) == self.who, index
            self.tries += 1
            return 0 if self.tries % 11 else 2**64 - 1

        tries = 0
        who: object = None

    seen: dict[int, object] = {}
    tape = Unlucky.__new__(Unlucky)
    tape.sides = (29, 30, 23)
    for round_number, seat in product(range(1, 21), range(6)):
        for attempt in (1, 2, 3):
            tape.who = round_number, seat, attempt == 3
            tape.roll(round_number, seat, attempt, (0, 1, 2))
    assert tape.tries == 20 * 6 * 3 * 11


@pytest.mark.parametrize("cards", [[7, 7, 7], [6, 6, 6], [3, 2, 1]])
@pytest.mark.parametrize("players", [2, 3, 6])
def test_no_slot_is_asked_more_often_in_a_round_than_there_are_places(cards: list[int], players: int) -> None:
    """Eight calls of a slot by one seat in one round have places of their own."""
    asked = question(*["random"] * players, rules=rules_of(cards_per_attempt=cards), seed=11)
    most: Counter[str] = Counter()
    for log in logs(asked, 20):
        calls: Counter[tuple[int, int, str]] = Counter()
        for event in log:
            name, where = event["event"], (event.get("round", 0), event.get("seat", 0))
            calls[*where, "hold"] += name == "hold"
            calls[*where, "accept"] += name in {"accept", "decline"}
            calls[*where, "bid"] += name == "bid"
            if name == "take":
                calls[*where, "pick"] += len(event["cards"]) if event["reason"] == "success" else 0
                calls[*where, "top"] += 1
        for (*_, slot), n in calls.items():
            most[slot] = max(most[slot], n)
    assert most["pick"] == min(cards[0], players + 1)
    assert max(most.values()) <= 8
