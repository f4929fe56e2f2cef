"""Ratings against published fits, a plain maximisation game by game, and known strengths."""

from dataclasses import replace
from itertools import combinations_with_replacement

import numpy as np
import pytest
from finishing_orders import Game, Orders, simulated, strict_orders, table
from scipy.optimize import minimize

from analyzer.ratings import MEAN_RATING, POINTS, PRIOR, fit, rate

# Orders of four films by 588 viewers (PrefLib 00004-00000138, from J. Bennett, S. Lanning, "The Netflix Prize", 2007):
# how many put film 2 first, then 1, 4 and 3, and so on. Fitted with a prior of 0.5 in the documentation of H. Turner's
# R package PlackettLuce (README, "Usage").
FILMS = {
    "2143": 68, "1243": 53, "2134": 49, "1234": 44, "2413": 39, "3214": 37, "2314": 37, "2341": 36, "3241": 31,
    "2431": 29, "1324": 22, "3124": 19, "3421": 17, "4231": 17, "4213": 16, "1423": 14, "1342": 10, "4123": 10,
    "4312": 9, "3412": 8, "1432": 8, "3142": 7, "4321": 7, "4132": 1,
}  # fmt: skip
FILMS_WORTH = [0.2306285, 0.4510655, 0.1684719, 0.1498342]
FILMS_ERRORS = [0.07472, 0.07593, 0.07489]  # of the differences to film 1
FILMS_DEVIANCE = 3493.5

# "Disconnected networks" in Turner et al., Comput. Stat. 35 (2020), and in the vignette: A beats B, C beats A,
# A beats D, B beats A, B beats C. D only loses. Log-strengths over A's: without D and without prior, and with a prior
# of 0.5.
PAIRS = [(0, 1), (2, 0), (0, 3), (1, 0), (1, 2)]
PAIRS_WITHOUT_D = [0, 0.8392, 0.4196]
PAIRS_WITH_PRIOR = [0, 0.5184180, 0.1354701, -1.1537567]


def of_pairs(pairs: list[tuple[int, int]]) -> Orders:
    """Return games of two, given as (winner, loser)."""
    games: dict[tuple[int, ...], list[Game]] = {}
    for winner, loser in pairs:
        line_up = (min(winner, loser), max(winner, loser))
        games.setdefault(line_up, []).append([[line_up.index(winner)], [line_up.index(loser)]])
    return table(games)


def mixed_games() -> dict[tuple[int, ...], list[Game]]:
    """Return games of three with ties and copies."""
    return {
        (0, 1, 2): [[[0], [1], [2]], [[2], [0, 1]], [[0, 1, 2]], [[1], [2], [0]]],
        (0, 0, 3): [[[0], [2], [1]], [[2], [0], [1]], [[0, 2], [1]]],
        (1, 3, 3): [[[1], [0], [2]], [[0], [2], [1]]],
    }


def test_films_have_the_published_strengths() -> None:
    games = [[[int(film) - 1] for film in order] for order, viewers in FILMS.items() for _ in range(viewers)]
    films = fit([table({(0, 1, 2, 3): games})], 4, prior=0.5)
    worth = np.exp(films.log_strengths)
    assert worth / worth.sum() == pytest.approx(FILMS_WORTH, abs=1e-6)
    assert -2 * films.log_likelihood == pytest.approx(FILMS_DEVIANCE, abs=0.05)
    covariance = np.linalg.inv(films.information)
    errors = np.sqrt(covariance.diagonal()[1:] + covariance[0, 0] - 2 * covariance[0, 1:])
    assert errors == pytest.approx(FILMS_ERRORS, rel=1e-3)  # theirs leave out the prior's half game


def test_who_only_loses_has_the_published_finite_strength() -> None:
    log_strengths = fit([of_pairs(PAIRS)], 4, prior=0.5).log_strengths
    assert log_strengths - log_strengths[0] == pytest.approx(PAIRS_WITH_PRIOR, abs=1e-6)


def test_without_a_prior_pairs_have_the_published_strengths() -> None:
    log_strengths = fit([of_pairs([pair for pair in PAIRS if 3 not in pair])], 3, prior=1e-7).log_strengths
    assert log_strengths - log_strengths[0] == pytest.approx(PAIRS_WITHOUT_D, abs=1e-4)


def test_ties_and_copies_and_sizes_of_tables_equal_a_plain_maximisation_over_games() -> None:
    games = mixed_games() | {(1, 2): [[[0], [1]], [[0, 1]], [[1], [0]], [[0], [1]]]}

    def loss(at: np.ndarray) -> float:
        total = -PRIOR * np.sum(at - 2 * np.log1p(np.exp(at)))
        for line_up, played in games.items():
            strength = [float(np.exp(at[who])) for who in line_up]
            for game in played:
                orders = strict_orders(game)
                for order in orders:
                    for place, player in enumerate(order):
                        left = sum(strength[other] for other in order[place:])
                        total -= np.log(strength[player] / left) / len(orders)
        return float(total)

    best = minimize(loss, np.zeros(4), tol=1e-12)
    tables = [table(mixed_games()), table({(1, 2): games[1, 2]})]
    assert fit(tables, 4).log_strengths == pytest.approx(best.x, abs=1e-5)


def test_a_tie_is_half_a_win_for_each() -> None:
    tied = fit([table({(0, 1): [[[0, 1]], [[0, 1]], [[0], [1]]]})], 2)
    apart = fit([table({(0, 1): [[[0], [1]], [[1], [0]], [[0], [1]]]})], 2)
    assert tied.log_strengths == pytest.approx(apart.log_strengths, abs=1e-9)


def test_copies_of_one_strategy_among_themselves_say_nothing() -> None:
    alone = table({(0, 1): [[[0], [1]]]})
    with_copies = table({(0, 1): [[[0], [1]]], (0, 0): [[[0], [1]], [[1], [0]]], (1, 1): [[[1], [0]]]})
    assert fit([alone], 2).log_strengths == pytest.approx(fit([with_copies], 2).log_strengths, abs=1e-9)


def test_400_points_are_ten_wins_of_eleven() -> None:
    games = [[[0], [1]]] * 10_000 + [[[1], [0]]] * 1000
    ratings = [one.value for one in rate([table({(0, 1): games})], 2).estimates]
    assert ratings[0] - ratings[1] == pytest.approx(400, abs=0.2)
    assert np.mean(ratings) == pytest.approx(MEAN_RATING)


def test_known_strengths_are_found_from_tables_of_several_sizes() -> None:
    truth = np.array([0.8, 0.3, 0.0, -0.4, -0.7])
    rng = np.random.default_rng(11)
    sizes = [np.array(list(combinations_with_replacement(range(5), k))) for k in (2, 3, 4)]
    ratings = rate([simulated(line_ups, truth, 8, 30, rng) for line_ups in sizes], 5)
    for one, true in zip(ratings.estimates, MEAN_RATING + POINTS * truth, strict=True):
        assert one.low is not None
        assert one.high is not None
        assert one.low < one.value < one.high
        assert abs(one.value - true) < 2 * (one.high - one.low)
    assert ratings.covariance is not None
    assert np.allclose(ratings.covariance.sum(axis=0), 0, atol=1e-6)  # the mean of a field is known


def test_who_always_wins_is_rated_finitely_and_not_certainly() -> None:
    line_ups = np.array([[0, 1], [0, 2], [1, 2]])
    games = simulated(line_ups, np.array([60.0, 0.0, 0.0]), 10, 1000, np.random.default_rng(1))
    assert not games.orders[:, :2, 1].any()  # player 0 never remained
    winner, *others = rate([games], 3).estimates
    assert 400 < winner.value - others[0].value < 5000
    assert winner.half is not None
    assert winner.half > 50
    assert others[0].half is not None
    assert np.isfinite([winner.half, others[0].half]).all()


def test_fields_that_never_met_are_both_average() -> None:
    apart = of_pairs([(0, 1)] * 3 + [(1, 0)] * 2 + [(2, 3)] * 3 + [(3, 2)] * 2)
    ratings = [one.value for one in rate([apart], 5).estimates]
    assert ratings[:2] == pytest.approx(ratings[2:4])
    assert ratings[4] == pytest.approx(MEAN_RATING)  # has not played at all


def test_the_order_of_games_line_ups_and_sizes_changes_no_digit() -> None:
    rng = np.random.default_rng(5)
    truth = np.array([0.5, 0.0, -0.2, -0.3])
    tables = [simulated(np.array(list(combinations_with_replacement(range(4), k))), truth, 4, 9, rng) for k in (2, 3)]
    shuffled = []
    for one in reversed(tables):
        order = rng.permutation(len(one.line_ups))
        shuffled.append(Orders(one.line_ups[order], one.orders[:, order]))
    assert rate(tables, 4).estimates == rate(shuffled, 4).estimates
    batches = [replace(one, orders=one.orders[::-1]) for one in tables]
    assert [one.value for one in rate(tables, 4).estimates] == [one.value for one in rate(batches, 4).estimates]


def test_names_do_not_matter() -> None:
    games = mixed_games()
    new = np.array([2, 0, 3, 1])
    renamed: dict[tuple[int, ...], list[Game]] = {}
    for line_up, played in games.items():
        order = sorted(range(3), key=lambda player: new[line_up[player]])
        moved = [[[order.index(player) for player in place] for place in game] for game in played]
        renamed[tuple(int(new[line_up[player]]) for player in order)] = moved
    before, after = (fit([table(one)], 4).log_strengths for one in (games, renamed))
    assert before == pytest.approx(after[new], abs=1e-9)


def test_line_ups_without_games_are_left_out() -> None:
    line_ups = np.array([[0, 1], [0, 2], [1, 2]])
    games = simulated(line_ups, np.zeros(3), 5, 20, np.random.default_rng(2))
    without = Orders(line_ups[:2], games.orders[:, :2])
    emptied = replace(games, orders=games.orders * np.array([1, 1, 0])[:, None])
    assert rate([emptied], 3).estimates == rate([without], 3).estimates


def test_sizes_of_tables_without_games_are_left_out() -> None:
    """As when a tournament of two player counts is interrupted in its first block."""
    games = simulated(np.array([[0, 1], [0, 2], [1, 2]]), np.zeros(3), 5, 20, np.random.default_rng(2))
    line_ups = np.array([[0, 0, 1], [0, 1, 2]])
    for batches in (0, 1, 5):
        none = Orders(line_ups, np.zeros((batches, 2, 8), np.int64))
        assert rate([none, games], 3).estimates == rate([games], 3).estimates


def test_one_batch_has_no_interval() -> None:
    ratings = rate([table(mixed_games())], 4)
    assert ratings.covariance is None
    assert all(one.low is None and one.high is None for one in ratings.estimates)


def test_intervals_are_those_of_the_model_when_games_are_independent() -> None:
    """With many batches the bootstrap's errors and those from the curvature agree within their own noise."""
    line_ups = np.array(list(combinations_with_replacement(range(4), 3)))
    games = simulated(line_ups, np.array([0.6, 0.1, -0.2, -0.5]), 40, 10, np.random.default_rng(8))
    centred = np.eye(4) - 0.25
    expected = POINTS**2 * centred @ np.linalg.inv(fit([games], 4).information) @ centred
    covariance = rate([games], 4).covariance
    assert covariance is not None
    assert np.sqrt(covariance.diagonal()) == pytest.approx(np.sqrt(expected.diagonal()), rel=0.15)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("strategies", "sizes", "batches"), [(4, (2, 3), 10), (4, (2, 3), 3), (3, (2,), 4), (2, (2,), 8)]
)
def test_intervals_cover_what_they_promise(strategies: int, sizes: tuple[int, ...], batches: int) -> None:
    """1000 tournaments; a game counts once for each seating with the same result, which must not narrow intervals.

    The intervals of one tournament are not independent: the noise allowed for is that of the tournaments alone. They
    may cover a little more.
    """
    truth = np.linspace(0.6, -0.6, strategies)
    line_ups = [np.array(list(combinations_with_replacement(range(strategies), k))) for k in sizes]
    rng, runs, covered = np.random.default_rng(2024), 1000, 0
    for _ in range(runs):
        tables = [simulated(one, truth, batches, 12, rng) for one in line_ups]
        repeated = [replace(one, orders=one.orders * one.line_ups.shape[1]) for one in tables]
        for one, true in zip(rate(repeated, strategies).estimates, MEAN_RATING + POINTS * truth, strict=True):
            assert one.low is not None
            assert one.high is not None
            covered += one.low < true < one.high
    share, noise = covered / (strategies * runs), 3 * np.sqrt(0.95 * 0.05 / runs)
    assert 0.95 - noise < share < 0.95 + noise + 0.01
