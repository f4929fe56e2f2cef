"""A person's own results: what is read, how sure it is taken to be, and what is said about faults."""

from pathlib import Path

import numpy as np
import pytest

from analyzer.errors import BadInputError
from analyzer.metagame import Field, analyse
from analyzer.win_share_file import read_results

HEADER = "line_up,strategy,games,win_share\n"
CIRCLE = HEADER + "1,rock,100,0\n1,paper,100,1\n2,paper,90,0\n2,scissors,90,1\n3,rock,80,1\n3,scissors,80,0\n"


@pytest.fixture
def read(tmp_path: Path):
    """Return a function that writes a file and reads it."""

    def written(content: str | bytes) -> Field:
        path = tmp_path / "own.csv"
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        (results,) = read_results(path)
        return results.field

    return written


def test_strategies_come_in_the_order_of_the_file(read) -> None:
    field = read(CIRCLE)
    assert field.names == ["rock", "paper", "scissors"]
    assert field.line_ups.tolist() == [[0, 1], [1, 2], [0, 2]]
    assert field.shares.tolist() == [[0, 1], [0, 1], [1, 0]]
    assert [share.value for share in analyse(field).shares] == pytest.approx([1 / 3] * 3)


def test_columns_may_stand_in_any_order_beside_others_and_names_may_have_commas(read) -> None:
    field = read('\ufeffstrategy,note,win_share,line_up,games\n"a, b",,0.3,x,10\nc,?,0.7,x,10\n\n,,,,\n')
    assert field.names == ["a, b", "c"]
    assert field.shares.tolist() == [[0.3, 0.7]]


def test_a_strategy_may_sit_several_times_and_rounded_shares_are_made_to_add_up(read) -> None:
    rows = "aab,a,9,0.333\naab,b,9,0.334\naab,a,9,0.332\nabb,b,9,0.3\nabb,a,9,0.4\nabb,b,9,0.3\n"
    field = read(HEADER + rows)
    assert field.line_ups.tolist() == [[0, 0, 1], [0, 1, 1]]
    assert field.shares.sum(axis=1) == pytest.approx(1, abs=1e-15)


def spread(field: Field) -> np.ndarray:
    """Return the standard deviation of resampled shares, which still add up to 1."""
    assert field.resampled is not None
    drawn = field.resampled(20_000, np.random.default_rng(1))
    assert drawn.sum(axis=-1) == pytest.approx(1)
    return drawn.std(axis=0)


def test_shares_vary_as_the_given_errors_say(read) -> None:
    with_error = read(HEADER.replace("\n", ",win_share_se\n") + "x,a,10,0.3,0.02\nx,b,10,0.7,0.02\n")
    assert spread(with_error) == pytest.approx(0.02, rel=0.03)
    ends = read(HEADER.replace("\n", ",win_share_low,win_share_high\n") + "x,a,10,0.3,0.2,0.4\nx,b,10,0.7,0.6,0.8\n")
    assert spread(ends) == pytest.approx(0.1 / 1.96, rel=0.03)


def test_without_errors_shares_vary_as_in_independent_games(read) -> None:
    assert spread(read(HEADER + "x,a,400,0.2\nx,b,400,0.8\n")) == pytest.approx(0.02, rel=0.03)
    assert spread(read(HEADER + "x,a,4,0\nx,b,4,1\n")).min() > 0.1  # never winning in four games is no certainty


FAULTS = {
    "": ":1: there are no results",
    HEADER: ":1: there are no results",
    "line_up;strategy;games;win_share\n": ":1: missing: line_up, strategy, games, win_share; .* commas",
    "line_up,strategy,win_share\n": ":1: missing: games;",
    "line_up,strategy,games,games,win_share\n": ":1: the column 'games' is there twice",
    HEADER.replace("\n", ",win_share_low\n"): ":1: win_share_low and win_share_high go together",
    HEADER + 'x,"a,10,0.5\n': ":2: is not CSV",
    HEADER + "x,a,10\n": ":2: 4 fields are needed .*, found 3",
    HEADER + "x,a,10,0.5\n,b,10,0.5\n": ":3: line_up is empty",
    HEADER + "x,,10,0.5\n": ":2: strategy is empty",
    HEADER + "x,a,ten,0.5\n": ":2: games is 'ten'; it must be a whole number",
    HEADER + "x,a,0,0.5\n": ":2: games is '0'",
    HEADER + f"x,a,{'9' * 5000},0.5\n": ":2: games is",
    HEADER + "x,a,10,1.5\n": ":2: win_share is '1.5'; it must be a number from 0 to 1",
    HEADER + "x,a,10,nan\n": ":2: win_share is 'nan'",
    HEADER + "x,a,10,50%\n": ":2: win_share is '50%'",
    HEADER.replace("\n", ",win_share_se\n") + "x,a,10,0.5,-1\n": ":2: win_share_se is '-1'",
    HEADER.replace("\n", ",win_share_low,win_share_high\n") + "x,a,10,0.5,0.6,0.7\n": ":2: win_share_low is '0.6'",
    HEADER + "x,a,10,0.5\nx,b,11,0.5\n": ":3: games is 11, in line 2 of the line-up 10",
    HEADER + "x,a,10,0.5\nx,b,10,0.4\n": ":3: the win shares of line-up 'x' add up to 0.9",
    HEADER + "x,a,10,1\n": ":2: line-up 'x' has 1 row,",
    CIRCLE + "4,rock,9,0.5\n4,paper,9,0.3\n4,paper,9,0.2\n": ":10: line-up '4' has 3 rows, '1' 2",
    CIRCLE + "4,paper,9,0.5\n4,rock,9,0.5\n": ":8: the same strategies as in line 2",
    CIRCLE.replace("2,paper,90,0\n2,scissors,90,1\n", ""): r": the round robin .* no games of paper \+ scissors",
    HEADER + "x,a,9,0.5\nx,a,9,0.5\n": ": a field needs at least two strategies",
    HEADER.encode() + b"x,\xff,9,0.5\n": ":2: is not UTF-8 text",
}


@pytest.mark.parametrize(("content", "message"), FAULTS.items(), ids=[message[:40] for message in FAULTS.values()])
def test_a_fault_is_told_with_its_line(read, content: str | bytes, message: str) -> None:
    with pytest.raises(BadInputError, match=rf"own\.csv{message}"):
        read(content)


def test_line_ups_of_several_numbers_of_players_are_fields_of_their_own(tmp_path: Path) -> None:
    rows = "2,0,a,9,0.4\n2,0,b,9,0.6\n3,0,a,9,0.2\n3,0,a,9,0.2\n3,0,b,9,0.6\n3,1,a,9,0.2\n3,1,b,9,0.4\n3,1,b,9,0.4\n"
    (tmp_path / "own.csv").write_text("players," + HEADER + rows)
    two, three = read_results(tmp_path / "own.csv")
    assert two.field.names == three.field.names == ["a", "b"]
    assert two.field.line_ups.tolist() == [[0, 1]]
    assert three.field.line_ups.tolist() == [[0, 0, 1], [0, 1, 1]]


def test_the_errors_of_shares_are_those_with_which_they_are_drawn_anew(tmp_path: Path) -> None:
    rows = "x,a,10,0.3,0.02\nx,b,10,0.6,0.03\nx,c,10,0.1,0.01\n"
    missing = "".join(
        f"{at},{one},9,{share},0.1\n"
        for at, line_up in enumerate(("aab", "abb", "aac", "acc", "bbc", "bcc"))
        for one, share in zip(line_up, (0.3, 0.3, 0.4), strict=True)
    )
    (tmp_path / "own.csv").write_text(HEADER.replace("\n", ",win_share_se\n") + rows + missing)
    (own,) = read_results(tmp_path / "own.csv")
    assert own.field.resampled is not None
    drawn = own.field.resampled(20_000, np.random.default_rng(1))[:, 0]
    assert np.cov(drawn.T) == pytest.approx(own.means.covariance[0], abs=2e-5)
    assert own.means.covariance[0].sum() == pytest.approx(0, abs=1e-15)


def test_different_errors_of_three_players_are_those_given(tmp_path: Path) -> None:
    """Which take each other's measure: their sum does not vary."""
    given = {"a": 0.02, "b": 0.03, "c": 0.025}
    rows = "".join(f"x,{who},10,{1 / 3},{error}\n" for who, error in given.items())
    others = "".join(
        f"{at},{one},9,{1 / 3},0.1\n"
        for at, line_up in enumerate(("aab", "abb", "aac", "acc", "bbc", "bcc"))
        for one in line_up
    )
    (tmp_path / "own.csv").write_text(HEADER.replace("\n", ",win_share_se\n") + rows + others)
    (own,) = read_results(tmp_path / "own.csv")
    assert np.sqrt(np.diagonal(own.means.covariance[0])) == pytest.approx(list(given.values()))
    assert spread(own.field)[0] == pytest.approx(list(given.values()), rel=0.03)


def test_a_missing_file_is_told(tmp_path: Path) -> None:
    with pytest.raises(BadInputError, match="there is no such file"):
        read_results(tmp_path / "none.csv")
