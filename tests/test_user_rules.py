"""Rules in users' files: what is wrong with one is said with file and line; what is right has the right odds."""

from pathlib import Path

import pytest
from commands import COLUMNS, files_in, in_process, mentions, refused, succeeded

Capture = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Run every test in an empty folder; users' files lie beside it."""
    folder = tmp_path / "here"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return folder


# Files that are not what they should be


@pytest.mark.parametrize(
    ("spec", "parts"),
    [
        ("nowhere.py:f", ["nowhere.py", "no such file"]),
        ("no/where.py:f", ["no/where.py", "no such file"]),
        ("folder.py:f", ["folder.py", "not a file"]),
        ("rules.py", ["rules.py:NAME", "first, second"]),
        ("rules.py:", ["rules.py:NAME", "first, second"]),
        ("rules.py:frist", ["rules.py", "'frist'", "did you mean first?", "second"]),
        ("rules.py:third", ["rules.py", "'third'", "first, second"]),
        ("rules.py:first:keep", ["rules.py:first:keep", "param=value"]),
        ("rules.py:first:keeq=1", ["'keeq'", "did you mean keep?"]),
        ("rules.py:first:keep=7.5", ["keep=7.5", "whole number"]),
        ("rules.py:first:keep=true", ["keep=true", "number"]),
        ("rules.py:first:keep=1e300", ["keep=1e300", "number"]),
        ("rules.py:first:above=high", ["above=high", "number"]),
        ("rules.py:first:bold=maybe", ["bold=maybe", "true or false"]),
        ("rules.py:first:bold=2", ["bold=2", "true or false"]),
        ("rules.py:second:keep=1", ["'keep'", "no parameters"]),
        ("empty.py:f", ["empty.py", "'f'", "none"]),
        ("empty.py", ["empty.py", "none"]),
        ("imported.py:sqrt", ["imported.py", "'sqrt'"]),
        ("class.py:Rule", ["class.py", "'Rule'"]),
        ("wrapped.py:f", ["wrapped.py", "'f'"]),
    ],
)
def test_file_or_name_that_is_not_there_is_refused(
    spec: str, parts: list[str], capsys: Capture, empty_folder: Path
) -> None:
    Path("folder.py").mkdir()
    Path("rules.py").write_text(
        "def first(v, keep=7, above=0.5, bold=False):\n    return 12\n\ndef second(v):\n    return 10\n"
    )
    Path("empty.py").write_text("")
    Path("imported.py").write_text("from math import sqrt\ndef f(v):\n    return 12\n")
    Path("class.py").write_text("class Rule:\n    pass\ndef f(v):\n    return 12\n")
    Path("wrapped.py").write_text("import functools\n@functools.lru_cache\ndef f(v):\n    return 12\n")
    before = files_in(empty_folder)
    mentions(refused(in_process(capsys, "bid-table", "--bid", "20", "--csv", "out.csv", "--hold", spec)), parts)
    assert files_in(empty_folder) == before


@pytest.mark.parametrize(
    ("name", "content", "line", "parts"),
    [
        ("unclosed", b"def f(v):\n    return (12\n", 2, ["'(' was never closed"]),
        ("indent", b"def f(v):\nreturn 12\n", 2, ["expected an indented block"]),
        ("tabs", b"def f(v):\n    if v:\n\treturn 12\n", 3, ["inden"]),
        ("python2", b"def f(v):\n    print 12\n", 2, ["print"]),
        ("nul", b"def f(v):\n    return 12\0\n", 1, ["null bytes"]),
        ("encoding", b"x = 'caf\xe9'\ndef f(v):\n    return 12\n", 1, ["utf-8"]),
        ("cookie", b"# coding: klingon\ndef f(v):\n    return 12\n", 1, ["klingon"]),
        ("raises", b"x = 1\ny = 1 / 0\ndef f(v):\n    return 12\n", 2, ["ZeroDivisionError"]),
        ("name", b"\ndef f(v: Veiw):\n    return 12\n", 2, ["NameError", "Veiw"]),
        ("import", b"import no_such_module_here\ndef f(v):\n    return 12\n", 1, ["no_such_module_here"]),
        ("inside", b"def g():\n    raise KeyError('k')\ng()\ndef f(v):\n    return 12\n", 2, ["KeyError"]),
        ("exit", b"import sys\nsys.exit(0)\ndef f(v):\n    return 12\n", 2, ["SystemExit"]),
    ],
)
def test_file_that_cannot_be_run_is_refused_with_its_line(
    name: str, content: bytes, line: int, parts: list[str], capsys: Capture, empty_folder: Path, tmp_path: Path
) -> None:
    file = tmp_path / f"{name}.py"
    file.write_bytes(content)
    message = refused(in_process(capsys, "bid-table", "--csv", "out.csv", "--hold", f"{file}:f"))
    mentions(message, [f"{file}:{line}: ", *parts])
    assert files_in(empty_folder) == {}


# Functions that are no rules. The message must name a line marked `# here`. A rule that would be legal but
# for what is wrong with it ends in LEGAL, so that nothing else can be found wrong.

LEGAL = "return 10 if v.held[0] else 12"

FUNCTIONS = {
    # signatures
    "takes no view": ("def f():  # here\n    return 12", ["view", "first argument"]),
    "takes only keywords": ("def f(*, v=1):  # here\n    return 12", ["view", "first argument"]),
    "takes *args": (f"def f(v, *args):  # here\n    {LEGAL}", ["*args"]),
    "takes **options": (f"def f(v, **options):  # here\n    {LEGAL}", ["options"]),
    "parameter without default": (f"def f(v, keep):  # here\n    {LEGAL}", ["'keep'", "default"]),
    "keyword without default": (f"def f(v, *, keep):  # here\n    {LEGAL}", ["'keep'", "default"]),
    "string default": (f"def f(v, keep='x'):  # here\n    {LEGAL}", ["'keep'", "default"]),
    "None default": (f"def f(v, keep=None):  # here\n    {LEGAL}", ["'keep'", "default"]),
    "tuple default": (f"def f(v, keep=(1, 2)):  # here\n    {LEGAL}", ["'keep'", "default"]),
    "huge default": (f"def f(v, keep=10**30):  # here\n    {LEGAL}", ["'keep'", "default"]),
    "lambda": ("f = lambda v: 12  # here", ["def"]),
    "coroutine": ("async def f(v):  # here\n    return 12", ["def"]),
    "generator": ("def f(v):  # here\n    yield 12  # here", ["yield"]),
    # answers
    "returns a float": ("def f(v):\n    return 12.0  # here", ["float"]),
    "sometimes returns a float": (
        "def f(v):  # here\n    if v.held[0]:\n        return 10.0  # here\n    return 12",
        ["float", "every path"],
    ),
    "returns a quotient": ("def f(v):\n    return 24 / 2  # here", ["float"]),
    "returns nothing": ("def f(v):  # here\n    v.dice[0] + 1", ["None"]),
    "returns None": ("def f(v):\n    return None  # here", ["None"]),
    "sometimes returns nothing": (
        "def f(v):  # here\n    if v.dice[0] > 3:\n        return 12",
        ["sometimes", "None"],
    ),
    "sometimes returns None": (
        f"def f(v):\n    if v.dice[0] == 3:\n        return None  # here\n    {LEGAL}",
        ["sometimes", "None"],
    ),
    "bare return": (f"def f(v):\n    if v.dice[0] == 3:\n        return  # here\n    {LEGAL}", ["sometimes", "None"]),
    "returns a truth value": ("def f(v):\n    return v.dice[0] > 3  # here", ["truth value"]),
    "returns True": ("def f(v):\n    return True  # here", ["truth value"]),
    "returns a string": ("def f(v):\n    return 'd12'  # here", []),
    "returns a tuple": ("def f(v):\n    return 12, 10  # here", []),
    "returns the view": ("def f(v):\n    return v  # here", ["view"]),
    "returns the dice": ("def f(v):\n    return v.dice  # here", []),
    "returns 7": ("def f(v):  # here\n    return 7", ["answered 7", "attempt 1", "12 or 10 or 8"]),
    "returns the index of a die": ("def f(v):  # here\n    return 0", ["answered 0", "12 or 10 or 8"]),
    "returns -12": ("def f(v):  # here\n    return -12", ["answered -12"]),
    "returns a huge number": ("def f(v):  # here\n    return 2**62", ["answered 4611686018427387904"]),
    "names a die that is not free": (
        "def f(v):  # here\n    return 12",
        ["answered 12", "attempt 2", "d12 set aside", "10 or 8"],
    ),
    "names a wrong die once": (
        f"def f(v):  # here\n    if v.dice[0] == 3 and v.dice[1] == v.dice[2] == 4:\n        return 9\n    {LEGAL}",
        ["answered 9", "dice 3,4,4", "attempt 1"],
    ),
    # errors while it runs
    "divides by zero": (
        f"def f(v):  # here\n    x = 100 // (v.dice[0] - 5)\n    if x == 1000:\n        return 8\n    {LEGAL}",
        ["ZeroDivisionError", "dice 5,1,1"],
    ),
    "raises": (
        f"def f(v):  # here\n    if v.dice[0] == 5:\n        raise ValueError('five')\n    {LEGAL}",
        ["ValueError", "five", "dice 5,1,1"],
    ),
    "asserts": (f"def f(v):  # here\n    assert v.dice[0] != 7\n    {LEGAL}", ["AssertionError", "dice 7,1,1"]),
    "looks beyond the dice": (
        f"def f(v):  # here\n    if v.dice[v.attempt + 2] > 100:\n        return 8\n    {LEGAL}",
        ["IndexError"],
    ),
    "looks beyond a table": (
        f"def f(v):  # here\n    if (1, 2, 3)[v.dice[0]] > 100:\n        return 8\n    {LEGAL}",
        ["IndexError"],
    ),
    # storing into the view
    "stores a field": (f"def f(v):\n    v.attempt = 3  # here\n    {LEGAL}", ["stores"]),
    "stores a face": (f"def f(v):\n    v.dice[0] = 3  # here\n    {LEGAL}", ["stores"]),
    "stores a slice": (f"def f(v):\n    v.dice[:] = 1  # here\n    {LEGAL}", ["stores"]),
    "stores a nested field": (f"def f(v):\n    v.seats[0].chips = 3  # here\n    {LEGAL}", ["stores"]),
    "stores several": (f"def f(v):\n    v.dice[0], x = 3, 4  # here\n    {LEGAL}", ["stores"]),
    "adds to a field": (f"def f(v):\n    v.attempt += 1  # here\n    {LEGAL}", ["stores"]),
    "adds to a face": (f"def f(v):\n    v.dice[1] += 3  # here\n    {LEGAL}", ["stores"]),
    "deletes a field": (f"def f(v):\n    del v.attempt  # here\n    {LEGAL}", ["stores"]),
    "stores through an alias": (f"def f(v):\n    w = v\n    w.attempt = 3  # here\n    {LEGAL}", ["stores"]),
    "stores through an alias of an alias": (
        f"def f(v):\n    w = v\n    x = w\n    y = x.dice\n    y[0] = 3  # here\n    {LEGAL}",
        ["stores"],
    ),
    "stores through a piece": (f"def f(v):\n    d = v.dice\n    d[0] = 3  # here\n    {LEGAL}", ["stores"]),
    "adds through a piece": (f"def f(v):\n    d = v.dice\n    d[0] += 3  # here\n    {LEGAL}", ["stores"]),
    "stores through a seat": (f"def f(v):\n    s = v.seats[0]\n    s.chips = 3  # here\n    {LEGAL}", ["stores"]),
    "stores through a pair": (f"def f(v):\n    a, b = v.dice, v.held\n    a[0] = 3  # here\n    {LEGAL}", ["stores"]),
    "stores through an annotated name": (
        f"def f(v):\n    d: object = v.dice\n    d[0] = 3  # here\n    {LEGAL}",
        ["stores"],
    ),
    "stores through a choice": (
        f"def f(v):\n    d = v.dice if v.attempt == 1 else v.held\n    d[0] = 1  # here\n    {LEGAL}",
        ["stores"],
    ),
    "stores through the name of a slice": (
        f"def f(v):\n    d = v.dice[1:]\n    d[0] = 1  # here\n    {LEGAL}",
        ["stores"],
    ),
    "stores in a loop over seats": (
        f"def f(v):\n    for s in v.seats:\n        s.chips = 1  # here\n    {LEGAL}",
        ["stores"],
    ),
    "stores as the target of a loop": (
        f"def f(v):\n    for v.dice[0] in range(3):  # here\n        pass\n    {LEGAL}",
        ["stores"],
    ),
    "sorts the dice": (f"def f(v):\n    v.dice.sort()  # here\n    {LEGAL}", ["stores"]),
    "fills the dice": (f"def f(v):\n    v.dice.fill(3)  # here\n    {LEGAL}", ["stores"]),
    "a helper stores a field": (
        f"def g(w):\n    w.attempt = 2  # here\n    return 1\n\ndef f(v):\n    g(v)\n    {LEGAL}",
        ["stores"],
    ),
    "a helper stores a face": (
        f"def g(w):\n    w.dice[0] = 2  # here\n    return 1\n\ndef f(v):\n    g(v)\n    {LEGAL}",
        ["stores"],
    ),
    "a helper stores into the dice": (
        f"def g(d):\n    d[0] = 2  # here\n    return 1\n\ndef f(v):\n    g(v.dice)\n    {LEGAL}",
        ["stores"],
    ),
    "a function inside stores": (
        f"def f(v):  # here\n    def g(d):\n        d[0] = 2  # here\n    g(v.dice)\n    {LEGAL}",
        ["stores"],
    ),
    # chance that is not the view's
    "import random": ("import random\ndef f(v):\n    return random.choice((12, 10, 8))  # here", ["random", "draws"]),
    "from random": (
        f"from random import random\ndef f(v):\n    if random() > 2:  # here\n        return 8\n    {LEGAL}",
        ["random", "draws"],
    ),
    "from random under another name": (
        f"from random import randint as roll\ndef f(v):\n    if roll(1, 6) > 6:  # here\n        return 8\n    {LEGAL}",
        ["roll", "draws"],
    ),
    "np.random": (
        f"import numpy as np\ndef f(v):\n    if np.random.rand() > 2:  # here\n        return 8\n    {LEGAL}",
        ["np.random", "draws"],
    ),
    "numpy.random under another name": (
        f"import numpy.random as chance\ndef f(v):\n    if chance.rand() > 2:  # here\n        return 8\n    {LEGAL}",
        ["chance.rand", "draws"],
    ),
    "from numpy.random": (
        f"from numpy.random import rand\ndef f(v):\n    if rand() > 2:  # here\n        return 8\n    {LEGAL}",
        ["rand", "draws"],
    ),
    "a generator": (
        "import numpy as np\nchance = np.random.default_rng(1)\n\ndef f(v):\n"
        f"    if chance.random() > 2:  # here\n        return 8\n    {LEGAL}",
        ["chance", "draws"],
    ),
    "a bound function": (
        f"import random\ntoss = random.random\n\ndef f(v):\n    if toss() > 2:  # here\n        return 8\n    {LEGAL}",
        ["toss", "draws"],
    ),
    "the chance of a helper": (
        "import random\ndef g():\n    return random.random()  # here\n\n"
        f"def f(v):\n    if g() > 2:\n        return 8\n    {LEGAL}",
        ["random.random", "draws"],
    ),
    "import random inside": (
        f"def f(v):\n    import random  # here\n    if random.random() > 2:\n        return 8\n    {LEGAL}",
        ["import"],
    ),
    # fields
    "unknown field": ("def f(v):\n    return v.faces[0]  # here", ["'faces'", "attempt, dice, draws, held"]),
    "unknown field of an alias": ("def f(v):\n    w = v\n    return w.faces[0]  # here", ["'faces'"]),
    "unknown field in a helper": (
        "def g(w):\n    return w.faces[0]  # here\n\ndef f(v):\n    return g(v)",
        ["'faces'"],
    ),
    "unknown field of a seat": ("def f(v):\n    return v.seats[0].cards  # here", ["'cards'"]),
    # what cannot be compiled
    "unknown name": ("def f(v):  # here\n    return nothing_of_the_kind  # here", ["nothing_of_the_kind"]),
    "unknown name in a helper": (
        "def g():  # here\n    return nothing_of_the_kind  # here\n\ndef f(v):\n    return g()",
        ["nothing_of_the_kind"],
    ),
    "file access": ("def f(v):  # here\n    with open('x') as file:  # here\n        return 12", ["with"]),
    "mixed dictionary": ("def f(v):  # here\n    x = {}\n    x['a'] = 1\n    x[1] = 'b'  # here\n    return 12", []),
    "mixed types": ("def f(v):\n    x = 'a' + v.attempt  # here\n    return 12", []),
    "eval": ("def f(v):\n    return eval('12')  # here", ["eval"]),
    "global counter": (f"n = 0\ndef f(v):\n    global n  # here\n    n += 1  # here\n    {LEGAL}", []),
    "recursion": ("def f(v):  # here\n    return f(v)", ["itself"]),
    "recursion in turns": ("def g(v):  # here\n    return f(v)\n\ndef f(v):\n    return g(v)", ["itself"]),
}


@pytest.mark.parametrize("name", list(FUNCTIONS))
def test_function_that_is_no_rule_is_refused_with_its_line(
    name: str, capsys: Capture, empty_folder: Path, tmp_path: Path
) -> None:
    source, parts = FUNCTIONS[name]
    file = tmp_path / "rules.py"
    file.write_text(source + "\n")
    places = [f"{file}:{line}: " for line, text in enumerate(source.splitlines(), start=1) if "# here" in text]
    message = refused(in_process(capsys, "bid-table", "--bid", "14,20", "--csv", "out.csv", "--hold", f"{file}:f"))
    mentions(message, parts)
    assert any(place in message for place in places), message
    unfit = [word for word in ("numba", "0x", "Literal", "Record(", "types.", "candidate") if word in message]
    assert not unfit, f"not in a player's words: {message}"
    assert files_in(empty_folder) == {}


def test_rule_of_chance_that_answers_illegally_in_a_simulation_is_refused(
    capsys: Capture, empty_folder: Path, tmp_path: Path
) -> None:
    file = tmp_path / "chance.py"
    file.write_text("def f(v):\n    return (12, 10, 8)[int(v.draws[0] * 3)]\n")
    arguments = ("bid-table", "--bid", "20", "--simulate", "1000", "--csv", "out.csv", "--hold", f"{file}:f")
    message = refused(in_process(capsys, *arguments))
    mentions(message, [f"{file}:1: ", "answered", "attempt 2", "set aside", "must be a die that is free"])
    assert files_in(empty_folder) == {}


CHANCE = """
def tossed(v):
    return toss(v)

def toss(v):
    other = 10 if v.held[0] else 12
    return 8 if v.draws[0] < 0.5 and not v.held[2] else other
"""


def test_rule_of_chance_has_to_be_simulated(capsys: Capture, tmp_path: Path) -> None:
    file = tmp_path / "chance.py"
    file.write_text(CHANCE)
    for command in ("bid-table --bid 20", "odds --bid 20 --dice 1,2,3", "hold-table --bid 20"):
        mentions(refused(in_process(capsys, *command.split(), "--hold", f"{file}:tossed")), [f"{file}:tossed"])
    mentions(refused(in_process(capsys, "bid-table", "--hold", f"{file}:tossed")), ["at random", "--simulate"])
    outcome = in_process(capsys, "bid-table", "--hold", f"{file}:tossed", "--simulate", "1000", "--format", "json")
    assert all(row["p_success"] is None and 0 < row["sim_p_success"] < 1 for row in succeeded(outcome).objects())


# Rules that are right

RIGHT = '''
from math import inf

SIDES = (12, 10, 8)

def face(v, die):
    return -1 if v.held[die] else v.dice[die]

def highest(v):
    best = 0
    for die in range(1, 3):
        if face(v, die) > face(v, best):
            best = die
    return SIDES[best]

def above(v, times=2, mean=0.5, strict=False):
    best, answer = -inf, 0
    for die in range(3):
        twice = times * (v.dice[die] - SIDES[die] * mean) - 1
        if not v.held[die] and (twice > best or twice == best and not strict):
            best, answer = twice, SIDES[die]
    return answer

def put(faces, v, die):
    faces[die] = face(v, die)

def listed(v):
    """The highest face, with a list, a copy of the dice and a helper that stores into a list of ours."""
    faces, copy = [0, 0, 0], v.dice.copy()
    for die in range(3):
        put(faces, v, die)
        copy[die] += 1
    best = 0
    for die in range(1, 3):
        if faces[die] > faces[best]:
            best = die
    return SIDES[best] if copy[0] == v.dice[0] + 1 else 0

def asked(v):
    """The highest face, if all that the view shows fits together."""
    total = v.dice[0] + v.dice[1] + v.dice[2]
    seat = v.seats[v.me]
    right = v.result == total + min(seat.modifier, 0) and v.help == max(v.target - total - seat.modifier, 0)
    right = right and seat.bid - v.target == (1 if seat.bid == 27 else 0) and v.result < v.target
    right = right and v.attempt == 1 + v.held[0] + v.held[1] + v.held[2]
    if not right:
        return 0
    return highest(v)
'''


@pytest.mark.parametrize(
    ("name", "like"),
    [
        ("highest", "keep-highest"),
        ("above", "keep-above-mean"),
        ("above:strict=no,mean=0.5,times=2", "keep-above-mean"),
        ("asked", "keep-highest"),
        ("listed", "keep-highest"),
    ],
)
def test_a_users_rule_has_the_odds_of_the_built_in_one_it_imitates(
    name: str, like: str, capsys: Capture, tmp_path: Path
) -> None:
    folder = tmp_path / "my rules, v1.py"  # a folder that looks like a file, with a space and a comma
    folder.mkdir()
    file = folder / "Käse.py"
    file.write_text(RIGHT, encoding="utf-8")
    question = ("bid-table", "--modifier=-3..3", "--chips", "0,2", "--format", "json")
    own = succeeded(in_process(capsys, *question, "--hold", f"{file}:{name}")).objects()
    built_in = succeeded(in_process(capsys, *question, "--hold", like)).objects()
    assert [row | {"hold": ""} for row in own] == [row | {"hold": ""} for row in built_in]
    assert {row["hold"] for row in own} == {f"{file}:{name}"}


def test_a_parameter_of_a_users_rule_changes_its_odds(capsys: Capture, tmp_path: Path) -> None:
    file = tmp_path / "rules.py"
    file.write_text(RIGHT)
    specs = [f"{file}:above{given}" for given in ("", ":mean=0.9", ":strict=true", ":times=-2")]
    arguments = [word for spec in specs for word in ("--hold", spec)]
    rows = succeeded(in_process(capsys, "bid-table", "--bid", "22", "--format", "json", *arguments)).objects()
    assert [row["hold"] for row in rows] == specs
    assert len({row["p_success"] for row in rows}) == len(specs)


@pytest.mark.parametrize(
    "content",
    [
        b"\xef\xbb\xbfdef f(v):\n    return 10 if v.held[0] else 12\n",
        b"# coding: latin-1\n# caf\xe9\ndef f(v):\n    return 10 if v.held[0] else 12\n",
        b"def f(v):\r\n    return 10 if v.held[0] else 12\r\n",
        b"def f(v):\n    return 10 if v.held[0] else 12  # K\xc3\xa4se",
        b"x = 1\n\n\ndef f(\n    v,\n):\n    return (\n        10\n        if v.held[0]\n        else 12\n    )\n",
    ],
    ids=["byte order mark", "latin-1", "Windows line ends", "no last line end", "many lines"],
)
def test_a_users_file_may_be_written_as_python_allows(content: bytes, capsys: Capture, tmp_path: Path) -> None:
    file = tmp_path / "rules.py"
    file.write_bytes(content)
    outcome = succeeded(in_process(capsys, "bid-table", "--bid", "20", "--hold", f"{file}:f", "--format", "json"))
    (row,) = outcome.objects()
    assert 0 < row["p_success"] < 1


def test_what_a_users_file_prints_stays_out_of_the_csv(capsys: Capture, tmp_path: Path) -> None:
    file = tmp_path / "rules.py"
    file.write_text(f"print('hello')\ndef f(v):\n    {LEGAL}\n")
    outcome = succeeded(in_process(capsys, "bid-table", "--bid", "20", "--hold", f"{file}:f", "--format", "csv"))
    assert outcome.out.splitlines()[0].split(",") == COLUMNS
    assert "hello" in outcome.err


def test_an_edited_file_is_read_again(capsys: Capture, tmp_path: Path) -> None:
    file = tmp_path / "rules.py"
    question = ("bid-table", "--bid", "20", "--hold", f"{file}:f", "--format", "csv")
    outputs = set()
    for first in (12, 8):
        file.write_text(f"def f(v):\n    return 10 if v.held[0] or v.held[2] else {first}\n")
        outputs.add(succeeded(in_process(capsys, *question)).out)
    assert len(outputs) == 2


def test_nothing_is_left_beside_a_users_file(capsys: Capture, tmp_path: Path) -> None:
    file = tmp_path / "own" / "rules.py"
    file.parent.mkdir()
    file.write_text(RIGHT)
    succeeded(in_process(capsys, "bid-table", "--bid", "20", "--hold", f"{file}:highest", "--simulate", "1000"))
    assert [path.name for path in file.parent.rglob("*")] == ["rules.py"]
