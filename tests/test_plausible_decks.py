"""Plausible decks: within everything that is known of the printed one, and different in what is not."""

from collections import Counter
from dataclasses import replace
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from analyzer.errors import BadInputError
from analyzer.wool_rules.constants import BLACK, BONE, DOG, KIND_NAMES, N_CARDS, SET_007, SET_370, WHITE
from analyzer.wool_rules.deck import Deck, examine, kind_counts, shipped_deck, to_csv
from analyzer.wool_rules.plausible_decks import plausible_decks

RECONSTRUCTED = shipped_deck()
SEEDS = st.integers(0, 2**64 - 1)


@cache
def many() -> list[Deck]:
    return plausible_decks(RECONSTRUCTED, 300, 1)


def some_add_up_to(total: int, points: list[int]) -> bool:
    sums = {0}
    for one in points:
        sums |= {one + other for other in sums}
    return total in sums


@given(SEEDS)
def test_all_that_is_known_holds(seed: int) -> None:
    (deck,) = plausible_decks(RECONSTRUCTED, 1, seed)
    sheep = [card for card in deck.cards if card.kind not in {DOG, BONE}]
    assert (len(deck.cards), len(sheep), deck.count(DOG), deck.count(BONE)) == (N_CARDS, 51, 8, 1)
    assert {1, -2, -3} <= {card.modifier for card in sheep}
    assert deck.count(BLACK) >= 2
    assert min(deck.count(SET_370), deck.count(SET_007)) >= 4
    assert some_add_up_to(-10, [card.points for card in sheep if card.kind == BLACK])
    assert some_add_up_to(27, [card.points for card in sheep if card.kind == WHITE])
    assert sorted(card.sheep_number for card in sheep) == list(range(1, 52))
    assert 4 <= sum(card.bone_symbol for card in deck.cards) <= 8


@given(SEEDS)
def test_a_plausible_deck_passes_as_a_deck_file(seed: int) -> None:
    (deck,) = plausible_decks(RECONSTRUCTED, 1, seed)
    with TemporaryDirectory() as folder:
        path = Path(folder) / f"{deck.name}.csv"
        path.write_text(to_csv(deck), encoding="utf-8")
        assert examine(path) == (deck, [])


def test_decks_have_a_name_and_a_digest_each() -> None:
    assert [deck.name for deck in many()[:3]] == ["reconstructed~1", "reconstructed~2", "reconstructed~3"]
    digests = {deck.digest for deck in many()}
    assert len(digests) == len(many())
    assert RECONSTRUCTED.digest not in digests


def test_a_seed_always_draws_the_same_decks_however_many() -> None:
    assert plausible_decks(RECONSTRUCTED, 5, 1) == many()[:5]
    assert plausible_decks(RECONSTRUCTED, 1, 2) != many()[:1]


# How far decks move. The reconstruction is the middle, and what it leaves open is covered.


def test_set_sizes_move_by_up_to_two_around_the_reconstruction() -> None:
    sizes = np.array([kind_counts(deck) for deck in many()])
    for kind in (BLACK, SET_370, SET_007):
        middle = RECONSTRUCTED.count(kind)
        assert set(sizes[:, kind]) == set(range(middle - 2, middle + 3)), KIND_NAMES[kind]
    assert set(sizes[:, WHITE]) >= set(range(28, 37))
    assert np.abs(sizes.mean(axis=0) - kind_counts(RECONSTRUCTED)).max() < 0.5


@pytest.mark.parametrize(("kind", "low", "high"), [(WHITE, 1, 9), (BLACK, -7, -1)])
def test_points_reach_a_little_further_than_the_reconstruction(kind: int, low: int, high: int) -> None:
    points = [card.points for deck in many() for card in deck.cards if card.kind == kind]
    assert (min(points), max(points)) == (low, high)
    theirs = [card.points for card in RECONSTRUCTED.cards if card.kind == kind]
    assert np.mean(points) == pytest.approx(np.mean(theirs), abs=0.3)


def test_the_mean_of_white_sheep_differs_from_deck_to_deck() -> None:
    means = [np.mean([card.points for card in deck.cards if card.kind == WHITE]) for deck in many()]
    assert 0.3 < np.std(means) < 0.6


def test_modifiers_stay_about_as_they_are_and_high_with_low_points() -> None:
    white = [card for deck in many() for card in deck.cards if card.kind == WHITE]
    modifiers = [card.modifier for card in white]
    assert set(modifiers) == set(range(-4, 5))
    assert np.mean(modifiers) == pytest.approx(
        np.mean([card.modifier for card in RECONSTRUCTED.cards if card.kind == WHITE]), abs=0.1
    )
    assert np.corrcoef(modifiers, [card.points for card in white])[0, 1] < -0.5


def test_bone_symbols_are_about_as_many() -> None:
    symbols = Counter(sum(card.bone_symbol for card in deck.cards) for deck in many())
    assert set(symbols) == {4, 5, 6, 7, 8}


def test_sheep_numbers_are_dealt_anew() -> None:
    lowest = [card.kind for deck in many() for card in deck.cards if card.sheep_number == 1]
    assert set(lowest) == {WHITE, BLACK, SET_370, SET_007}


# What cannot be redrawn


def test_a_deck_that_departs_from_what_is_known_is_refused() -> None:
    all_white = Deck("mine", tuple(replace(card, kind=WHITE, points=1) for card in RECONSTRUCTED.cards))
    with pytest.raises(BadInputError, match=r"deck mine: .*fewer than 2 black sheep; .* known to be otherwise"):
        plausible_decks(all_white, 1, 0)
