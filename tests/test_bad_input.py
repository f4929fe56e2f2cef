"""Bad input: one clear message that says what and where, exit status 2, no traceback, and nothing written."""

from pathlib import Path

import pytest
from commands import files_in, in_process, mentions, refused, woolsim

Capture = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Run every test in an empty folder."""
    folder = tmp_path / "here"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return folder


# Values of options. Each: the arguments, and what the message must mention.

BID_TABLE = [
    # bids
    (["--bid", "13"], ["--bid", "'13'", "14 to 26, and 26+"]),
    (["--bid", "27"], ["--bid", "'27'", "26+"]),
    (["--bid", "25+"], ["--bid", "'25+'"]),
    (["--bid", "20.0"], ["--bid", "'20.0'"]),
    (["--bid", "-14"], ["--bid", "'-14'"]),
    (["--bid", "2e1"], ["--bid", "'2e1'"]),
    (["--bid", "nan"], ["--bid", "'nan'"]),
    (["--bid", "١٤"], ["--bid", "'١٤'"]),
    (["--bid", "9" * 500], ["--bid"]),
    # ranges and lists
    (["--bid", ""], ["--bid", "''"]),
    (["--bid", ".."], ["--bid", "'..'"]),
    (["--bid", "14.."], ["--bid", "'14..'"]),
    (["--bid", "..20"], ["--bid", "'..20'"]),
    (["--bid", "14..16..18"], ["--bid", "16..18"]),
    (["--bid", "14...16"], ["--bid", ".16"]),
    (["--bid", "20..15"], ["--bid", "20..15", "backwards"]),
    (["--bid", "26+..14"], ["--bid", "26+..14", "backwards"]),
    (["--bid", "20-22"], ["--bid", "'20-22'"]),
    (["--bid", "14,,16"], ["--bid", "''"]),
    (["--bid", "14,"], ["--bid", "''"]),
    (["--bid", "14;15"], ["--bid", "'14;15'"]),
    # modifiers
    (["--modifier", "x"], ["--modifier", "'x'", "whole number from -20 to 20"]),
    (["--modifier=-21"], ["--modifier", "'-21'"]),
    (["--modifier=21"], ["--modifier", "'21'"]),
    (["--modifier=0.5"], ["--modifier", "'0.5'"]),
    (["--modifier=3..-3"], ["--modifier", "3..-3", "backwards"]),
    (["--modifier=-3..x"], ["--modifier", "x"]),
    (["--modifier=1e400"], ["--modifier", "'1e400'"]),
    (["--modifier", ""], ["--modifier", "''"]),
    (["--modifier=+-1"], ["--modifier", "'+-1'"]),
    # chips
    (["--chips", "-1"], ["--chips", "'-1'", "from 0 to 25"]),
    (["--chips", "26"], ["--chips", "'26'", "from 0 to 25"]),
    (["--chips", "0..26"], ["--chips", "26", "from 0 to 25"]),
    (["--chips", "٣"], ["--chips", "'٣'"]),
    (["--chips", "²"], ["--chips", "'²'"]),
    (["--chips", "0x3"], ["--chips", "'0x3'"]),
    (["--chips", "one"], ["--chips", "'one'"]),
    (["--chips", "0\x00"], ["--chips"]),
    # how many to simulate
    (["--simulate", "-1"], ["--simulate", "'-1'", "from 1 to 1,000,000,000,000"]),
    (["--simulate", "0"], ["--simulate", "'0'"]),
    (["--simulate", "1e30"], ["--simulate", "'1e30'"]),
    (["--simulate", "1e400"], ["--simulate", "'1e400'"]),
    (["--simulate", "nan"], ["--simulate", "'nan'"]),
    (["--simulate", "inf"], ["--simulate", "'inf'"]),
    (["--simulate", "-inf"], ["--simulate", "'-inf'"]),
    (["--simulate", "1e-3"], ["--simulate", "'1e-3'"]),
    (["--simulate", "1000001/2"], ["--simulate", "'1000001/2'"]),
    (["--simulate", "3/1"], ["--simulate", "'3/1'"]),
    (["--simulate", "1/0"], ["--simulate", "'1/0'"]),
    (["--simulate", ""], ["--simulate", "''"]),
    (["--simulate", "1,000"], ["--simulate", "'1,000'"]),
    (["--simulate", "1 000"], ["--simulate", "'1 000'"]),
    (["--simulate", "many"], ["--simulate", "'many'"]),
    (["--simulate", "1" + "0" * 5000], ["--simulate"]),
    # seed and threads
    (["--seed", "-1"], ["--seed", "'-1'"]),
    (["--seed", str(2**64)], ["--seed", str(2**64)]),
    (["--seed", "1.5"], ["--seed", "'1.5'"]),
    (["--seed", "abc"], ["--seed", "'abc'"]),
    (["--threads", "0"], ["--threads", "'0'", "from 1 to 256"]),
    (["--threads", "257"], ["--threads", "'257'"]),
    (["--threads", "-1"], ["--threads", "'-1'"]),
    (["--threads", "two"], ["--threads", "'two'"]),
    # formats, charts, files
    (["--format", "xml"], ["--format", "'xml'", "csv"]),
    (["--format", ""], ["--format"]),
    (["--chart", "pie", "--png", "a.png"], ["--chart", "'pie'", "heat-map"]),
    (["--chart", "check", "--png", "a.png"], ["--chart check", "--simulate"]),
    (["--chart", "check"], ["--chart", "--png"]),
    (["--chips", "0..25", "--png", "a.png"], ["26 panels", "fewer"]),
    (["--png", "a.jpg"], ["--png", "a.jpg", "*.png", "*.svg", "*.pdf"]),
    (["--png", "a"], ["--png", "'a'", "*.png"]),
    (["--png", ".png"], ["--png", ".png"]),
    (["--png", ""], ["--png"]),
    (["--csv", ""], ["--csv"]),
    (["--csv", "."], ["--csv", "folder"]),
    (["--csv", "no/such/a.csv"], ["--csv", "no/such", "does not exist"]),
    (["--csv", "a\x00b"], ["--csv"]),
    (["--csv", "a" * 300], ["--csv"]),
    (["--csv", "a.png", "--png", "a.png"], ["--csv", "--png", "a.png"]),
    # what is not an option, or is missing its value
    (["--csv"], ["--csv", "argument"]),
    (["--frobnicate"], ["--frobnicate"]),
    (["--bids", "14"], ["--bids", "--bid"]),
    (["extra"], ["extra"]),
    (["--", "--bid"], ["--bid"]),
    # an option that takes one value, given twice: neither is dropped in silence
    (["--simulate", "10", "--simulate", "20"], ["--simulate"]),
    (["--seed=1", "--seed", "2"], ["--seed"]),
    (["--csv", "a.csv", "--csv", "b.csv"], ["--csv"]),
    (["--png", "a.png", "--png", "b.svg"], ["--png"]),
    (["--format", "csv", "--format", "json"], ["--format"]),
]

ODDS = [
    (["--dice", "13,1,1"], ["--dice", "'13'", "d12", "1 to 12"]),
    (["--dice", "1,11,1"], ["--dice", "'11'", "d10", "1 to 10"]),
    (["--dice", "1,1,9"], ["--dice", "'9'", "d8", "1 to 8"]),
    (["--dice", "0,1,1"], ["--dice", "'0'"]),
    (["--dice", "-1,1,1"], ["--dice", "'-1'"]),
    (["--dice", "5,5"], ["--dice", "'5,5'", "all three"]),
    (["--dice", "1,1,1,1"], ["--dice", "'1,1,1,1'", "all three"]),
    (["--dice", ""], ["--dice", "all three"]),
    (["--dice", ",,"], ["--dice", "''"]),
    (["--dice", "a,b,c"], ["--dice", "'a'"]),
    (["--dice", "1.5,1,1"], ["--dice", "'1.5'"]),
    (["--dice", "٣,1,1"], ["--dice", "'٣'"]),
    (["--dice", "12 10 3"], ["--dice", "all three"]),
    (["--dice", "12,9,3", "--bid", "13"], ["--bid", "'13'"]),
    (["--dice", "12,9,3", "--bid", "20..22"], ["--bid", "'20..22'"]),
    (["--dice", "12,9,3", "--modifier", "1,2"], ["--modifier", "'1,2'"]),
    (["--dice", "12,9,3", "--chips", "99"], ["--chips", "'99'"]),
    (["--dice", "12,9,3", "--attempt", "3"], ["--attempt", "3"]),
    (["--dice", "12,9,3", "--attempt", "0"], ["--attempt", "0"]),
    (["--dice", "12,9,3", "--attempt", "x"], ["--attempt", "'x'", "1", "2"]),
    (["--dice", "12,9,3", "--attempt", "2"], ["--attempt 2", "--held"]),
    (["--dice", "12,9,3", "--held", "12"], ["--held", "--attempt 2"]),
    (["--dice", "12,9,3", "--attempt", "1", "--held", "8"], ["--held", "--attempt 2"]),
    (["--dice", "12,9,3", "--attempt", "2", "--held", "7"], ["--held", "'7'", "12, 10 and 8"]),
    (["--dice", "12,9,3", "--attempt", "2", "--held", ""], ["--held", "''"]),
    (["--dice", "12,9,3", "--attempt", "2", "--held", "12,10"], ["--held", "'12,10'"]),
    (["--dice", "12,9,3", "--hold", "max-od"], ["max-od", "did you mean max-odds?"]),
    (["--dice", "1,1,1", "--dice", "2,2,2"], ["--dice"]),
    (["--dice", "12,9,3", "--png", "a.png"], ["--png"]),
    ([], ["--dice"]),
]

HOLD_TABLE = [
    (["--bid", "13"], ["--bid", "'13'"]),
    (["--bid", "22..23"], ["--bid", "'22..23'"]),
    ([], ["--bid"]),
    (["--bid", "22", "--modifier", "x"], ["--modifier", "'x'"]),
    (["--bid", "22", "--hold", "keep-highest"], ["--hold", "keep-highest", "max-odds"]),
    (["--bid", "22", "--hold", "random"], ["--hold", "random"]),
    (["--bid", "22", "--hold", "max-odds", "--hold", "max-cards"], ["--hold"]),
    (["--bid", "22", "--hold", "nonsense"], ["nonsense", "max-odds"]),
    (["--bid", "22", "--png", "a.gif"], ["--png", "a.gif"]),
]

OTHERS = [
    (["bid-tabel"], ["bid-tabel"]),
    (["frobnicate"], ["frobnicate"]),
    (["--frobnicate"], ["--frobnicate"]),
    (["strategies", "lsit"], ["lsit"]),
    (["strategies", "list", "--slot", "bidd"], ["--slot", "bidd"]),
    (["strategies", "list", "--format", "yaml"], ["--format", "yaml"]),
    (["strategies", "list", "more"], ["more"]),
]


def named(command: str, cases: list[tuple[list[str], list[str]]]) -> list[object]:
    """Return the cases of a command as parameters with short names."""
    return [
        pytest.param([*command.split(), *arguments], parts, id=f"{command} {ascii(' '.join(arguments))[1:60]}")
        for arguments, parts in cases
    ]


@pytest.mark.parametrize(
    ("arguments", "parts"),
    [
        *named("bid-table", BID_TABLE),
        *named("odds --bid 24", [case for case in ODDS if "--bid" not in case[0]]),
        *named("odds", [case for case in ODDS if "--bid" in case[0]]),
        *named("hold-table", HOLD_TABLE),
        *named("", OTHERS),
    ],
)
def test_bad_value_is_refused_by_name(
    arguments: list[str], parts: list[str], capsys: Capture, empty_folder: Path
) -> None:
    mentions(refused(in_process(capsys, *arguments)), parts)
    assert files_in(empty_folder) == {}


@pytest.mark.parametrize(
    ("arguments", "value"),
    [
        ("bid-table --simulate 1e999999999", "1e999999999"),
        ("bid-table --chips 1e-999999999", "1e-999999999"),
        ("odds --bid 24 --dice 1e999999999,1,1", "1e999999999"),
    ],
)
def test_a_number_too_large_to_write_out_is_refused_at_once(arguments: str, value: str) -> None:
    mentions(refused(woolsim(*arguments.split(), timeout=5)), [repr(value)])


# Specs of hold rules

KNOWN = ["max-odds", "max-cards", "fixed-values", "keep-highest", "keep-above-mean", "random"]


@pytest.mark.parametrize(
    ("spec", "near"),
    [
        ("max-od", "max-odds"),
        ("maxcards", "max-cards"),
        ("MAX-ODDS", "max-odds"),
        ("max_odds", "max-odds"),
        ("keep-hihgest", "keep-highest"),
        ("fixed-value:three=1", "fixed-values"),
    ],
)
def test_unknown_hold_rule_names_the_near_one_and_lists_the_known(spec: str, near: str, capsys: Capture) -> None:
    message = refused(in_process(capsys, "bid-table", "--hold", spec))
    mentions(message, [repr(spec.partition(":")[0]), f"did you mean {near}?", *KNOWN, "FILE.py:NAME"])


@pytest.mark.parametrize("spec", ["", "xyzzy", "my_rules", "rules.txt:f=1", "-"])
def test_unknown_hold_rule_without_a_near_one_lists_the_known(spec: str, capsys: Capture) -> None:
    message = refused(in_process(capsys, "bid-table", "--hold", spec))
    assert "did you mean" not in message
    mentions(message, KNOWN)


@pytest.mark.parametrize(
    ("spec", "parts"),
    [
        ("max-odds:chips=2.5", ["chips=2.5", "whole number"]),
        ("max-odds:chips=x", ["chips=x", "number"]),
        ("max-odds:chips=", ["chips="]),
        ("max-odds:chips", ["chips", "param=value"]),
        ("max-odds:=2", ["=2", "param=value"]),
        ("max-odds:", ["max-odds:", "param=value"]),
        ("max-odds:chips=1,", ["param=value"]),
        ("max-odds:chips=1,,chips=2", ["param=value"]),
        ("max-odds:chips=1,chips=2", ["chips", "twice"]),
        ("max-odds:chips=1=2", ["chips=1=2"]),
        ("max-odds:chips=26", ["chips=26", "25"]),
        ("max-odds:chips=-1", ["chips=-1", "0"]),
        ("max-odds:chips=٣", ["chips=٣"]),
        ("max-odds:chips=1e400", ["chips=1e400"]),
        ("max-odds:chip=2", ["'chip'", "chips"]),
        ("keep-highest:x=1", ["'x'", "no parameters"]),
        ("fixed-values:tree=3", ["'tree'", "did you mean three?", "under14"]),
        ("fixed-values:three=nan", ["three=nan", "number"]),
        ("fixed-values:three=inf", ["three=inf", "number"]),
        ("fixed-values:three=1e400", ["three=1e400", "number"]),
        ("fixed-values:three=a lot", ["three=a lot", "number"]),
        ("fixed-values:three=1e308,two=-1e308", ["three=1e308"]),
    ],
)
@pytest.mark.parametrize("command", ["bid-table --bid 20", "hold-table --bid 20", "odds --bid 20 --dice 1,2,3"])
def test_bad_parameter_is_refused_with_its_spec(command: str, spec: str, parts: list[str], capsys: Capture) -> None:
    mentions(refused(in_process(capsys, *command.split(), "--hold", spec)), [spec.partition(",")[0], *parts])
