"""Sums of results against a slow, obvious twin; every shuffle, deal and roll of a game as likely as it should be."""

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise, permutations, product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import chi2
from tape import LOW, SLOTS, TURN_DICE, EngineTape
from whole_games import logs, question, rules_of

from analyzer import rng
from analyzer.jit import kernel
from analyzer.results import HIGHEST, LOWEST, MARGIN, SCORE, WHOLE_WIN, WIN, Sums, reduce_results
from analyzer.wool_rules.bid_table import bid_table
from analyzer.wool_rules.bidding import parse_bid
from analyzer.wool_rules.constants import N_CARDS
from analyzer.wool_rules.dice_action import roll, shake_dice
from analyzer.wool_rules.games import GamePlayer
from analyzer.wool_rules.preparation import prepare_game
from analyzer.wool_rules.rules import STANDARD, Rules
from analyzer.wool_rules.state import STATE_DTYPE
from analyzer.wool_rules.views import VIEW_DTYPE
from strategies.registry import hold_rule

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
    reduce_results(results, start, seating, LOWEST_SCORE, *arrays)
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
    candidates: dict[int, list[tuple[int, int, int, int]]] = {HIGHEST: [], LOWEST: [], MARGIN: []}
    for game, sitting in product(range(games), range(sittings)):
        scores = results[game, sitting, :, SCORE].tolist()
        for seat, score in enumerate(scores):
            where = start + game, sitting, int(seating[sitting, seat])
            candidates[HIGHEST].append((score, *where))
            candidates[LOWEST].append((-score, *where))
        best = scores.index(max(scores))
        margin = max(scores) - max(scores[:best] + scores[best + 1 :])
        candidates[MARGIN].append((margin, start + game, sitting, int(seating[sitting, best])))
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
        assert sums.extremes.tolist() == [[9, 11, 0, 1], [-1, 11, 0, 0], [8, 11, 0, 1]]


def test_adding_changes_neither_of_two_sums() -> None:
    results, seating = random_results(2, 6, 3, rotate=False)
    a, b = reduced(results[:3], seating), reduced(results[3:], seating, 3)
    before = [array.copy() for sums in (a, b) for array in (sums.total, sums.scores, sums.extremes, sums.shared)]
    a + b
    after = [array for sums in (a, b) for array in (sums.total, sums.scores, sums.extremes, sums.shared)]
    assert all(np.array_equal(x, y) for x, y in zip(before, after, strict=True))


# Shuffles and deals

N_DECKS = 120_000


@kernel
def _deal(views, states, start, n, decks, tables):  # type: ignore[no-untyped-def]
    v, s = views[0], states[0]
    for i in range(n):
        prepare_game(v, s, start + i)
        for at in range(len(s.supply)):
            decks[i, at] = s.supply[at]
        for seat in range(len(s.dealt)):
            tables[i, seat] = s.dealt[seat]


def records(seed: int, rules: Rules = STANDARD) -> tuple[np.ndarray, np.ndarray]:
    views, states = np.zeros(1, VIEW_DTYPE), np.zeros(1, STATE_DTYPE)
    views["players"], views["rules"] = 6, rules.record()
    states["key"], states["step"] = rng.seed_stream(seed)
    states["table_numbers"] = rules.table_numbers
    return views, states


@pytest.fixture(scope="module")
def dealt() -> tuple[np.ndarray, np.ndarray]:
    """Decks in drawing order and table numbers by seat of many games."""
    decks, tables = np.zeros((N_DECKS, N_CARDS), np.int8), np.zeros((N_DECKS, 6), np.int64)
    _deal(*records(2024), 0, N_DECKS, decks, tables)
    return decks, tables


def test_the_kernel_deals_what_a_log_says(dealt: tuple[np.ndarray, np.ndarray]) -> None:
    decks, tables = dealt
    for game, log in enumerate(logs(question("plain", "plain", "plain", seed=2024), 20)):
        assert log[0]["deck"] == decks[game].tolist()
        assert log[0]["table_numbers"] == tables[game, :3].tolist()


def test_every_deck_has_every_card_once(dealt: tuple[np.ndarray, np.ndarray]) -> None:
    decks, tables = dealt
    assert (np.sort(decks, axis=1) == np.arange(N_CARDS)).all()
    assert (np.sort(tables, axis=1) == np.arange(52, 58)).all()


def test_every_card_is_as_likely_at_every_position(dealt: tuple[np.ndarray, np.ndarray]) -> None:
    decks, _ = dealt
    counts = np.stack([np.bincount(decks[:, at], minlength=N_CARDS) for at in range(N_CARDS)])
    expected = np.full(counts.shape, N_DECKS / N_CARDS)
    # Rows and columns add up to the number of decks.
    assert_as_likely(counts, expected, (N_CARDS - 1) ** 2)


@pytest.mark.parametrize("positions", [(0, 1), (58, 59), (0, 59), (3, 4), (55, 56), (29, 47)])
def test_every_pair_of_cards_is_as_likely_at_two_positions(
    dealt: tuple[np.ndarray, np.ndarray], positions: tuple[int, int]
) -> None:
    """Neighbours drawn from the same random bits, neighbours of two batches, and positions far apart."""
    first, second = (dealt[0][:, at].astype(np.int64) for at in positions)
    counts = np.bincount(first * N_CARDS + second, minlength=N_CARDS**2).reshape(N_CARDS, N_CARDS)
    assert np.trace(counts) == 0
    as_likely_as_each_other(counts[~np.eye(N_CARDS, dtype=bool)])


def test_cards_that_lie_side_by_side_in_the_file_do_not_stay_together(dealt: tuple[np.ndarray, np.ndarray]) -> None:
    """How far apart cards k and k + 1 lie: each signed distance d in 60 - |d| of 60 x 59 ways."""
    decks, _ = dealt
    places = np.argsort(decks, axis=1)
    distances = np.arange(-59, 60)
    ways = np.where(distances == 0, 0, 60 - abs(distances))
    for card in (0, 20, 58):
        found = places[:, card + 1] - places[:, card]
        counts = np.bincount(found + 59, minlength=119)
        expected = len(decks) * ways / ways.sum()
        assert_as_likely(counts[ways > 0], expected[ways > 0])


def test_table_numbers_are_dealt_in_every_order_equally_often(dealt: tuple[np.ndarray, np.ndarray]) -> None:
    _, tables = dealt
    weights = 6 ** np.arange(6)
    _, counts = np.unique((tables - 52) @ weights, return_counts=True)
    assert len(counts) == 720
    as_likely_as_each_other(counts)


def test_deck_and_table_numbers_have_nothing_to_do_with_each_other(dealt: tuple[np.ndarray, np.ndarray]) -> None:
    decks, tables = dealt
    counts = np.bincount(decks[:, 0].astype(np.int64) * 6 + tables[:, 0] - 52, minlength=360)
    as_likely_as_each_other(counts)


def test_games_and_seeds_next_to_each_other_have_nothing_to_do_with_each_other(
    dealt: tuple[np.ndarray, np.ndarray],
) -> None:
    decks, _ = dealt
    others = np.zeros((N_DECKS, N_CARDS), np.int8)
    _deal(*records(2025), 0, N_DECKS, others, np.zeros((N_DECKS, 6), np.int64))
    top = decks[:, 0].astype(np.int64)
    as_likely_as_each_other(np.bincount(top[:-1] * 60 + decks[1:, 0], minlength=3600))
    as_likely_as_each_other(np.bincount(top * 60 + others[:, 0], minlength=3600))


# Dice in games


@kernel
def _roll(views, states, games, seat, held, faces):  # type: ignore[no-untyped-def]
    """Roll three attempts in each game, held[k] being set aside after attempt k + 1; tell if the view shows them."""
    v, s = views[0], states[0]
    sides, lowest = np.empty(3, np.uint64), np.empty(3, np.int64)
    for i in range(len(games)):
        s.game = games[i]
        for die in range(3):
            sides[die], lowest[die] = v.rules.dice[die], 1
        shake_dice(v, s)
        for attempt in range(3):
            v.attempt = attempt + 1
            rolled = roll(
                v,
                s,
                seat,
                (sides[0], sides[1], sides[2]),
                (np.int64(lowest[0]), np.int64(lowest[1]), np.int64(lowest[2])),
            )
            for die in range(3):
                faces[i, attempt, die] = v.dice[die]
            if rolled[0] != v.dice[0] or rolled[1] != v.dice[1] or rolled[2] != v.dice[2]:
                return False
            if attempt < 2:
                aside = held[attempt]
                sides[aside], lowest[aside] = 1, v.dice[aside]
    return True


def roll_all(
    seed: int, sides: tuple[int, ...], games: np.ndarray, round_number: int, seat: int, held: tuple[int, int]
) -> np.ndarray:
    """Return the faces of a dice action in each game, shape (games, attempt, die)."""
    views, states = records(seed, rules_of(dice=list(sides)))
    views["round"], views["players"] = round_number, 6
    faces = np.zeros((len(games), 3, 3), np.int64)
    assert _roll(views, states, games, seat, np.array(held), faces)
    return faces


Rolled = tuple[tuple[int, ...], tuple[int, int], np.ndarray]

DICE = {"standard": (12, 10, 8), "odd": (7, 29, 2), "in another order": (4, 6, 20)}
N_ROLLED = 100_000


@pytest.fixture(scope="module", params=[(name, held) for name in DICE for held in permutations(range(3), 2)], ids=str)
def rolled(request: pytest.FixtureRequest) -> Rolled:
    """Dice, the two that are set aside in this order, and the faces of many dice actions."""
    name, held = request.param
    return DICE[name], held, roll_all(99, DICE[name], np.arange(N_ROLLED), 7, 3, held)


def as_likely_together(faces: list[np.ndarray], sides: list[int]) -> None:
    """Compare how often every combination of faces fell."""
    counts = np.bincount(np.ravel_multi_index([f - 1 for f in faces], sides), minlength=int(np.prod(sides)))
    as_likely_as_each_other(counts)


def test_every_roll_is_as_likely_as_every_other_in_each_attempt(rolled: Rolled) -> None:
    sides, (first, second), faces = rolled
    assert (faces >= 1).all()
    assert (faces <= np.array(sides)).all()
    free = [0, 1, 2], sorted({0, 1, 2} - {first}), [3 - first - second]
    for attempt, dice in enumerate(free):
        as_likely_together([faces[:, attempt, die] for die in dice], [sides[die] for die in dice])


def test_a_die_set_aside_keeps_its_face(rolled: Rolled) -> None:
    _, (first, second), faces = rolled
    assert (faces[:, 1:, first] == faces[:, :1, first]).all()
    assert (faces[:, 2, second] == faces[:, 1, second]).all()


def test_attempts_have_nothing_to_do_with_each_other(rolled: Rolled) -> None:
    """The die rolled last beside itself in every two attempts, from the same random bits or from others."""
    sides, (first, second), faces = rolled
    last = 3 - first - second
    for a, b in [(0, 1), (0, 2), (1, 2)]:
        as_likely_together([faces[:, a, last], faces[:, b, last]], [sides[last]] * 2)
    as_likely_together([faces[:, 0, second], faces[:, 1, last]], [sides[second], sides[last]])


def test_rounds_seats_and_games_have_nothing_to_do_with_each_other() -> None:
    """First rolls of the d12 beside those of the next round, of the next seat and of the next game."""
    games = np.arange(N_ROLLED)

    def d12(round_number: int, seat: int) -> np.ndarray:
        return roll_all(5, (12, 10, 8), games, round_number, seat, (0, 1))[:, 0, 0]

    here = d12(1, 0)
    for there in (d12(2, 0), d12(1, 1)):
        as_likely_together([here, there], [12, 12])
    as_likely_together([here[:-1], here[1:]], [12, 12])


def test_rolls_that_would_favour_a_face_are_rolled_again() -> None:
    """Among many games with these dice a few have unfair random bits: there the engine does what the tape does."""
    sides, held, seed, round_number, seat = (30, 27, 24), (2, 0), 41, 3, 1
    games = np.arange(1_000_000, dtype=np.uint64)
    tape = EngineTape(seed, 0, 2, {"dice": sides, "table_numbers": range(6)})
    tape.game = games  # type: ignore[assignment]
    word = tape.word(TURN_DICE, (round_number << 3 | seat) << 5)
    halves = [word >> np.uint64(32), word & np.uint64(LOW)]
    unfair = [
        (bits * np.uint64(ways) & np.uint64(LOW)) < 2**32 % ways
        for bits, ways in zip(halves, (30 * 27 * 24, 30 * 27), strict=True)
    ]
    first, second = map(np.flatnonzero, unfair)
    assert len(first), "no such game: take more"
    assert len(second), "no such game: take more"
    some = np.concatenate([first, second])
    faces = roll_all(seed, sides, some, round_number, seat, held)
    for at, game in enumerate(some.tolist()):
        tape.game = game
        for attempt, free in enumerate([(0, 1, 2), (0, 1), (1,)]):
            expected = tape.roll(round_number, seat, attempt + 1, free)
            assert faces[at, attempt, list(free)].tolist() == expected
            if attempt == (at >= len(first)):
                rejected = halves[attempt][game] * np.uint64(sides[0]) >> np.uint64(32)
                assert expected[0] != rejected + 1, "the roll that was rejected"


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
    for log in logs(asked, 40):
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
