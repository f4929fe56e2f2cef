"""Equilibria of games with known solutions, pay-offs by going through all tables, and the error of mixtures."""

from dataclasses import dataclass, replace
from itertools import combinations_with_replacement, product

import numpy as np
import pytest
from scipy.optimize import linprog

from analyzer.cycles import cycle_rows, three_cycles
from analyzer.errors import BadInputError
from analyzer.means import LineUpMeans
from analyzer.metagame import Field, Game, analyse
from analyzer.payoffs import payoff_rows
from analyzer.rows import Row

NAMES = "abcdefgh"


def field_of(shares: dict[str, list[float]]) -> Field:
    """Return a field of win shares given by line-up: "aab" of strategies a, a and b."""
    line_ups = np.array([[NAMES.index(name) for name in line_up] for line_up in shares])
    return Field(NAMES[: line_ups.max() + 1], line_ups, np.array(list(shares.values())), None)


def mixture_of(field: Field) -> list[float]:
    """Return the equilibrium of a field."""
    return analyse(field).mixture.tolist()


def random_field(strategies: int, k: int, rng: np.random.Generator) -> Field:
    """Return a field in which every line-up has shares of its own."""
    line_ups = np.array(list(combinations_with_replacement(range(strategies), k)))
    shares = rng.dirichlet(np.ones(strategies), len(line_ups))
    taken = np.take_along_axis(shares, line_ups, axis=1)
    return Field(NAMES[:strategies], line_ups, taken / taken.sum(axis=1, keepdims=True), None)


@dataclass(frozen=True)
class Sums:
    """What a field needs of a tournament's sums."""

    line_ups: np.ndarray
    blocks: np.ndarray
    wins: np.ndarray


def played(field: Field, batches: int, blocks: int, rng: np.random.Generator) -> Sums:
    """Return games of a field: in every seating of a block the winner is drawn anew."""
    k = field.line_ups.shape[1]
    winners = rng.multinomial(blocks * k, field.shares, size=(batches, len(field.shares)))
    return Sums(field.line_ups, np.full(winners.shape[:2], blocks), 60 * winners)


def test_rock_paper_scissors_is_mixed_in_equal_parts() -> None:
    assert mixture_of(field_of({"ab": [0, 1], "bc": [0, 1], "ac": [1, 0]})) == pytest.approx([1 / 3] * 3, abs=1e-9)


def test_each_of_a_biased_circle_is_played_as_the_other_two_differ() -> None:
    """A beats B by 0.1, B beats C by 0.2, C beats A by 0.3: against the shares 2 : 3 : 1 all get nothing.

    A gets 0.1 * 3 - 0.3 * 1 = 0, B gets 0.2 * 1 - 0.1 * 2 = 0, C gets 0.3 * 2 - 0.2 * 3 = 0.
    """
    biased = field_of({"ab": [0.55, 0.45], "bc": [0.6, 0.4], "ac": [0.35, 0.65]})
    assert mixture_of(biased) == pytest.approx([2 / 6, 3 / 6, 1 / 6], abs=1e-9)


def test_a_dominated_strategy_is_not_played() -> None:
    shares = {
        "ab": [0.0, 1.0],
        "bc": [0.0, 1.0],
        "ac": [1.0, 0.0],
        "ad": [0.6, 0.4],
        "bd": [0.9, 0.1],
        "cd": [0.7, 0.3],
    }
    mixture = mixture_of(field_of(shares))
    assert mixture == pytest.approx([1 / 3, 1 / 3, 1 / 3, 0], abs=1e-9)
    assert mixture[3] == 0


def test_the_best_against_all_is_played_alone() -> None:
    field = field_of({"ab": [0.6, 0.4], "ac": [0.7, 0.3], "bc": [0.2, 0.8]})
    assert mixture_of(field) == [1, 0, 0]
    assert analyse(field).regret.value == 0


def test_three_players_mix_as_derived_by_hand() -> None:
    """A in a third share of its own: each of AAB gets 1/4 and B 1/2; A of ABB gets 4/9 and each B 5/18.

    Let q be the share of B. A gets (1-q)^2/3 + 2q(1-q)/4 + q^2 4/9, and in equilibrium all get 1/3, so
    0 = -q/6 + q^2 (1/3 - 1/2 + 4/9) = q (5q/18 - 1/6): q = 3/5. All A is none, as B gains 1/2 - 1/3; nor all B, as A
    gains 4/9 - 1/3. C, worse than both in each line-up, changes nothing.
    """
    two = {"aab": [1 / 4, 1 / 4, 1 / 2], "abb": [4 / 9, 5 / 18, 5 / 18]}
    assert mixture_of(field_of(two)) == pytest.approx([2 / 5, 3 / 5], abs=1e-9)
    third = {"aac": [0.45, 0.45, 0.1], "acc": [0.8, 0.1, 0.1], "bbc": [0.4, 0.4, 0.2], "bcc": [0.6, 0.2, 0.2]}
    with_third = field_of(two | third | {"abc": [0.5, 0.4, 0.1]})
    assert mixture_of(with_third) == pytest.approx([2 / 5, 3 / 5, 0], abs=1e-9)
    game = analyse(with_third).game
    assert game.regret(np.array([0.4, 0.6, 0.0])) == pytest.approx(0, abs=1e-12)
    assert game.regret(np.array([1.0, 0.0, 0.0])) == pytest.approx(1 / 2 - 1 / 3)
    assert game.regret(np.array([0.0, 1.0, 0.0])) == pytest.approx(4 / 9 - 1 / 3)


def test_where_the_majority_wins_the_path_runs_straight_through_its_fork() -> None:
    """All A, all B and half each are equilibria; the path forks where it could turn to the others."""
    assert mixture_of(field_of({"aab": [1 / 2, 1 / 2, 0], "abb": [0, 1 / 2, 1 / 2]})) == pytest.approx([1 / 2, 1 / 2])


@pytest.mark.parametrize("k", [2, 3, 4])
def test_pay_offs_equal_a_walk_through_all_tables(k: int) -> None:
    rng = np.random.default_rng(k)
    field = random_field(4, k, rng)
    found = {tuple(line_up): dict(zip(line_up, shares, strict=True)) for line_up, shares in
             zip(field.line_ups.tolist(), field.shares, strict=True)}  # fmt: skip
    mixture = rng.dirichlet(np.ones(4))
    expected = np.zeros(4)
    for who in range(4):
        for others in product(range(4), repeat=k - 1):
            expected[who] += mixture[list(others)].prod() * found[tuple(sorted((who, *others)))][who]
    game = analyse(field).game
    assert game.expected(mixture) == pytest.approx(expected)
    assert mixture @ game.expected(mixture) == pytest.approx(1 / k)
    assert game.regret(mixture) == pytest.approx(expected.max() - 1 / k)


def test_two_players_mix_as_the_linear_programme_says() -> None:
    rng = np.random.default_rng(9)
    for _ in range(50):
        field = random_field(7, 2, rng)
        margins = analyse(field).game.payoffs[:, :, 0] - 0.5
        solved = linprog(np.append(np.zeros(7), 1), np.c_[margins, -np.ones(7)], np.zeros(7),
                         [np.append(np.ones(7), 0)], [1], [(0, None)] * 7 + [(None, None)])  # fmt: skip
        assert mixture_of(field) == pytest.approx(solved.x[:7], abs=1e-6)


@pytest.mark.parametrize(("strategies", "k"), [(3, 3), (6, 3), (4, 4), (3, 5), (3, 6)])
def test_nobody_gains_by_leaving_in_any_game(strategies: int, k: int) -> None:
    rng = np.random.default_rng(strategies * k)
    assert max(analyse(random_field(strategies, k, rng)).regret.value for _ in range(20)) < 1e-9


@pytest.mark.parametrize("k", [2, 3, 4])
def test_equal_strategies_share_evenly(k: int) -> None:
    line_ups = np.array(list(combinations_with_replacement(range(4), k)))
    even = Field(NAMES[:4], line_ups, np.full(line_ups.shape, 1 / k), None)
    assert mixture_of(even) == pytest.approx([1 / 4] * 4, abs=1e-9)
    strengths = np.array([3.0, 1.0, 3.0, 2.0])[line_ups]
    two_best = replace(even, shares=strengths / strengths.sum(axis=1, keepdims=True))
    assert mixture_of(two_best) == pytest.approx([1 / 2, 0, 1 / 2, 0], abs=1e-9)


@pytest.mark.parametrize("k", [2, 3])
def test_the_mixture_does_not_depend_on_the_order_of_strategies_or_line_ups(k: int) -> None:
    rng = np.random.default_rng(17)
    for _ in range(20):
        field = random_field(5, k, rng)
        new, rows = rng.permutation(5), rng.permutation(len(field.line_ups))
        line_ups, shares = new[field.line_ups][rows], field.shares[rows]
        order = line_ups.argsort(axis=1, kind="stable")
        renamed = Field(
            NAMES[:5], np.take_along_axis(line_ups, order, axis=1), np.take_along_axis(shares, order, axis=1), None
        )
        assert np.array(mixture_of(renamed))[new] == pytest.approx(mixture_of(field), abs=1e-8)


def test_copies_of_a_strategy_are_paid_their_mean() -> None:
    uneven = field_of({"aab": [0.1, 0.4, 0.5], "abb": [4 / 9, 3 / 18, 7 / 18]})
    assert mixture_of(uneven) == pytest.approx([2 / 5, 3 / 5], abs=1e-9)


def test_a_missing_line_up_is_named() -> None:
    with pytest.raises(BadInputError, match=r"3 strategies with 2 players is not complete: no games of a \+ c;"):
        field_of({"ab": [0.5, 0.5], "bc": [0.5, 0.5]})
    sums = Sums(np.array([[0, 1], [0, 2], [1, 2]]), np.array([5, 5, 0]), np.full((3, 2), 300))
    with pytest.raises(BadInputError, match=r"no games of b \+ c"):
        Field.of_sums(sums, "abc")
    with pytest.raises(BadInputError, match="at least two"):
        Field(["alone"], np.array([[0, 0]]), np.array([[0.5, 0.5]]), None)


def test_a_tournament_has_the_shares_of_its_sums_and_no_interval_from_one_batch() -> None:
    sums = Sums(np.array([[0, 1]]), np.array([[10]]), np.array([[[900, 300]]]))
    field = Field.of_sums(sums, "ab")
    assert field.shares.tolist() == [[0.75, 0.25]]
    result = analyse(field)
    assert (result.shares[0].low, result.support, result.regret.high) == (None, None, None)


def test_resampled_shares_vary_as_games_do() -> None:
    truth = field_of({"ab": [0.5, 0.5], "ac": [0.8, 0.2], "bc": [0.3, 0.7]})
    field = Field.of_sums(played(truth, 200, 5, np.random.default_rng(4)), "abc")
    assert field.resampled is not None
    drawn = field.resampled(1000, np.random.default_rng(0))
    assert drawn.sum(axis=-1) == pytest.approx(1)
    assert drawn.std(axis=0) == pytest.approx(np.sqrt(truth.shares * (1 - truth.shares) / 2000), rel=0.2)


def test_a_near_tie_leaves_the_mixture_open_and_a_clear_lead_does_not() -> None:
    rng = np.random.default_rng(6)
    near = analyse(Field.of_sums(played(field_of({"ab": [0.5, 0.5]}), 10, 50, rng), "ab"))
    assert [(share.low, share.high) for share in near.shares] == [(0, 1), (0, 1)]
    assert near.support is not None
    assert 0.1 < near.support.min() < near.support.max() < 0.9
    assert near.regret.high is not None
    assert near.regret.high > 0.01
    clear = analyse(Field.of_sums(played(field_of({"ab": [0.7, 0.3]}), 10, 50, rng), "ab"))
    assert [(share.low, share.high) for share in clear.shares] == [(1, 1), (0, 0)]
    assert clear.regret.high == 0


def test_intervals_are_the_same_each_time_and_for_any_order_of_line_ups() -> None:
    truth = field_of({"ab": [0.4, 0.6], "bc": [0.4, 0.6], "ac": [0.6, 0.4]})
    sums = played(truth, 5, 20, np.random.default_rng(2))
    turned = Sums(sums.line_ups[::-1], sums.blocks[:, ::-1], sums.wins[:, ::-1])
    assert analyse(Field.of_sums(sums, "abc")).shares == analyse(Field.of_sums(turned, "abc")).shares


@pytest.mark.slow
def test_intervals_of_shares_cover_what_they_promise(monkeypatch: pytest.MonkeyPatch) -> None:
    """Inside the simplex, where shares are smooth functions of pay-offs; 200 tournaments, 100 resamples of each."""
    monkeypatch.setattr("analyzer.bootstrap.RESAMPLES", 100)
    truth = field_of({"ab": [0.4, 0.6], "bc": [0.35, 0.65], "ac": [0.7, 0.3]})
    exact, rng, runs, covered = mixture_of(truth), np.random.default_rng(31), 200, 0
    for _ in range(runs):
        shares = analyse(Field.of_sums(played(truth, 20, 100, rng), "abc")).shares
        for share, true in zip(shares, exact, strict=True):
            assert share.low is not None
            assert share.high is not None
            covered += share.low < true < share.high
    assert covered / (3 * runs) == pytest.approx(0.95, abs=3 * np.sqrt(0.95 * 0.05 / runs))


def beats(*pairs: str) -> np.ndarray:
    """Return who clearly beats whom, among the strategies named."""
    found = np.zeros((6, 6), bool)
    for winner, loser in pairs:
        found[NAMES.index(winner), NAMES.index(loser)] = True
    return found


def test_each_circle_of_three_is_listed_once() -> None:
    assert three_cycles(beats("ab", "bc", "ca", "cd", "da")) == [(0, 1, 2)]
    assert three_cycles(beats("ac", "cb", "ba", "be", "eb")) == [(0, 2, 1)]
    assert three_cycles(beats("ab", "bc", "ac")) == []


def met(one: str, other: str, ahead: float, p: float) -> Row:
    """Return a comparison of two strategies, known up to 0.1."""
    share = {"win_share": ahead, "win_share_low": ahead - 0.1, "win_share_high": ahead + 0.1}
    return {"strategy": one, "opponent": other, "games": 50, **share, "p": p, "p_holm": p}


def test_circles_are_told_link_by_link_the_clearest_first() -> None:
    """a > b > c > a, each clearly; and a > b > d > a, of which the last may be chance."""
    pairs = [
        *(met("a", "b", 0.2, 0.001), met("a", "c", -0.3, 0.002), met("b", "c", 0.4, 0.003)),
        *(met("a", "d", -0.05, 0.6), met("b", "d", 0.5, 0.004), met("c", "d", 0.5, 0.004)),
    ]
    rows = cycle_rows(pairs)
    links = [(row["cycle"], row["clear"], row["strategy"], row["opponent"], row["won"]) for row in rows]
    assert links == [
        *((1, "yes", "a", "b", "clearly"), (1, "yes", "b", "c", "clearly"), (1, "yes", "c", "a", "clearly")),
        *((2, "no", "a", "b", "clearly"), (2, "no", "b", "d", "clearly"), (2, "no", "d", "a", "perhaps by chance")),
    ]
    assert [rows[2][f"win_share{end}"] for end in ("", "_low", "_high")] == pytest.approx([0.3, 0.2, 0.4])
    assert cycle_rows(pairs[:2]) == []


def test_the_pay_off_of_copies_is_their_mean_and_names_who_sits_beside() -> None:
    covariance = np.array([[4, 1, -5], [1, 4, -5], [-5, -5, 10]]) * 1e-4
    part = LineUpMeans(np.array([[0, 0, 1]]), np.array([100]), np.array([[0.2, 0.3, 0.5]]), covariance[None])
    copies, single = payoff_rows([part], "ab")
    assert (copies["strategy"], copies["opponents"]) == ("a", "a + b")
    assert (single["strategy"], single["opponents"]) == ("b", "a + a")
    for row, value, variance in ((copies, 0.25, 2.5e-4), (single, 0.5, 10e-4)):
        assert row["win_share"] == value
        assert row["win_share_low"] == pytest.approx(value - 1.96 * variance**0.5, abs=4e-3)
        assert row["win_share_high"] == pytest.approx(value + 1.96 * variance**0.5, abs=4e-3)


def test_a_game_says_its_players() -> None:
    assert Game(np.zeros((2, 2, 3)), np.array([[0, 0], [0, 1], [1, 1]])).players == 4
