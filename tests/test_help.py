"""The help of every command: its purpose, two examples that run, options under headings; one name, one meaning."""

import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable
from contextlib import chdir
from functools import cache
from pathlib import Path

import click
import pytest
from commands import alone, in_process, mentions, succeeded, woolsim

from reports.cli import cli
from reports.cli.first_questions import ON_FROM_HERE, QUESTIONS
from reports.cli.help import ELSEWHERE, HEADINGS, examples_of, heading_of, purpose_of

Capture = pytest.CaptureFixture[str]

README = (Path(__file__).parent.parent / "README.md").read_text(encoding="utf-8")


def commands(command: click.Command = cli, path: str = "woolsim") -> dict[str, click.Command]:
    """Return a command and those below it by their full names."""
    found = {path: command}
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            inner = command.get_command(context, name)
            assert inner is not None
            found |= commands(inner, f"{path} {name}")
    return found


COMMANDS = commands()
PLAIN = {path: command for path, command in COMMANDS.items() if not isinstance(command, click.Group)}
EXAMPLES = list(dict.fromkeys(line for command in COMMANDS.values() for line in examples_of(command)))


def options(path: str) -> list[click.Option]:
    command = COMMANDS[path]
    return [one for one in command.get_params(click.Context(command, info_name=path)) if isinstance(one, click.Option)]


def name_of(option: click.Option) -> str:
    return max(option.opts, key=len)


# What a help says


@pytest.mark.parametrize("path", list(COMMANDS))
def test_help_of_every_command_says_what_it_and_its_options_do(path: str, capsys: Capture) -> None:
    command = COMMANDS[path]
    for flag in ("--help", "-h"):
        outcome = succeeded(in_process(capsys, *path.split()[1:], flag))
        assert outcome.out.startswith(f"Usage: {path} ")
        assert max(map(len, outcome.out.splitlines())) <= 80
    purpose = purpose_of(command)
    assert re.fullmatch(r"[A-Z].{10,76}\.", purpose)
    assert outcome.out.splitlines()[2] == f"  {purpose}"
    assert all(option.help for option in options(path))
    assert all(name_of(option) in outcome.out for option in options(path))


@pytest.mark.parametrize("path", list(COMMANDS))
def test_help_has_two_examples_of_this_command(path: str, capsys: Capture) -> None:
    out = succeeded(in_process(capsys, *path.split()[1:], "--help")).out
    shown = re.search(r"^Examples:\n((?:  woolsim .*\n)+)\n", out, re.MULTILINE)
    assert shown
    lines = [line.strip() for line in shown[1].splitlines()]
    assert lines == examples_of(COMMANDS[path])
    assert len(lines) == 2
    assert all(line.startswith(path) or "strategies new" in lines[0] for line in lines)


@pytest.mark.parametrize("path", list(PLAIN))
def test_every_option_stands_under_its_heading(path: str, capsys: Capture) -> None:
    out = succeeded(in_process(capsys, *path.split()[1:], "--help")).out
    under: dict[str, str] = {}
    heading = ""
    for line in out.splitlines():
        heading = line.removesuffix(":") if re.fullmatch(r"\S.*:", line) else heading
        if found := re.match(r"  (?:-\w, )?(--[\w-]+)", line):
            under[found[1]] = heading
    assert under == {name_of(option): heading_of(option) for option in options(path)}
    assert ELSEWHERE not in under.values()
    headings = list(dict.fromkeys(under.values()))
    assert sorted(headings, key=list(HEADINGS).index) == headings


def test_headings_name_no_option_that_is_not_there() -> None:
    named = [option for names in HEADINGS.values() for option in names]
    assert len(set(named)) == len(named)
    assert set(named) == {name_of(option) for path in PLAIN for option in options(path)}


def test_the_commands_are_listed_under_headings_with_what_they_are_for(capsys: Capture) -> None:
    out = succeeded(in_process(capsys, "--help")).out
    listed = re.findall(r"^  ([a-z][a-z-]+) {2,}\S.*\.$|^  ([a-z][a-z-]+) {2,}\S.*\?$", out, re.MULTILINE)
    assert ["".join(pair) for pair in listed] == cli.list_commands(click.Context(cli))


# One name, one meaning


OWN_MEANING = {
    ("--field", "woolsim tournament"): "strategies are its arguments, so --field names a file only",
    ("--games", "woolsim simulate"): "counts games, not deals: seats are rotated with --rotate only",
    ("--out", "woolsim simulate"): "a simulation has no run, only a report",
    ("--out", "woolsim odds-card"): "a page, not the folder of a run",
    ("--out", "woolsim odds-page"): "a page, not the folder of a run",
}
"""Where an option means something else than in other commands, and why."""

SEVERAL = {
    "--bid": "bid-table has many rows",
    "--modifier": "bid-table has many rows",
    "--chips": "bid-table has many rows",
    "--players": "a race and a page are for one number of players, or all",
    "--hold": "hold-table charts one rule",
    "--field": "tournament takes one file",
    "--rules": "compare takes two",
    "--deck": "compare takes two",
    "--out": "odds-card writes several formats",
}
"""Options of which some commands take several values, and why."""


def meaning(option: click.Option) -> tuple[str, str]:
    """Return type and first words of a help text: what follows a sign is about defaults and special cases."""
    return option.type.name.removesuffix("S"), re.split(r"[;:.\[]|, as ", option.help or "")[0].strip()


def test_the_same_option_means_the_same_in_every_command() -> None:
    found: dict[str, dict[tuple[str, str], list[str]]] = {}
    for path in PLAIN:
        for option in options(path):
            if (name_of(option), path) not in OWN_MEANING:
                found.setdefault(name_of(option), {}).setdefault(meaning(option), []).append(path)
    assert {name: where for name, where in found.items() if len(where) > 1} == {}


def test_only_some_options_take_one_value_here_and_several_there() -> None:
    ways: dict[str, set[bool]] = {}
    metavars: dict[str, set[str]] = {}
    for path in PLAIN:
        for option in options(path):
            ways.setdefault(name_of(option), set()).add(option.multiple)
            if (name_of(option), path) not in OWN_MEANING:
                context = click.Context(COMMANDS[path])
                metavars.setdefault(name_of(option), set()).add(option.make_metavar(context).removesuffix("S"))
    assert {name for name, seen in ways.items() if len(seen) > 1} <= set(SEVERAL)
    assert {name: seen for name, seen in metavars.items() if len(seen) > 1} == {}


def test_what_many_commands_share_they_have_all() -> None:
    shared = {"--csv": "--format", "--max-games": "--seed", "--games": "--seed", "--scheduler": "--threads"}
    for path in PLAIN:
        names = {name_of(option) for option in options(path)}
        assert {"--quiet", "--help"} <= names
        for option, beside in shared.items():
            assert option not in names or beside in names or path == "woolsim extend"


# Examples


_RUN = "tournament plain random --players 2 --games 4"
NEEDED = {
    "my_deck.csv": ["deck new my_deck.csv"],
    "my-run": [f"{_RUN} --out woolsim-out/my-run"],
    "part-1": [f"{_RUN}0000 --out part-{part} --part {part}/3" for part in (1, 2, 3)],
    "results.csv": [f"{_RUN} --out woolsim-out/my-run", "show woolsim-out/my-run --table line-ups --csv results.csv"],
}
"""What some examples of the help texts need: commands by a part of the example."""

FEWER = {
    "--games 1e5": "--games 1e3",
    "--games 2e4": "--games 1e3",
    "--field plain:level=20 --games 200": "--field plain:level=20 --games 20",
}
"""Examples are played with fewer games where they take long."""


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """Return what returns a folder with what examples of one kind need, made but once."""

    @cache
    def folder_for(needed: str) -> Path:
        folder = tmp_path_factory.mktemp("needed")
        with chdir(folder):
            for command in NEEDED[needed]:
                succeeded(alone(*command.split()))
        return folder

    return folder_for


LONG = ("woolsim report ", "woolsim merge ", "strategies check", "--until-decided")
"""What takes seconds, however few the games are."""


@pytest.mark.usefixtures("few_positions")
@pytest.mark.parametrize(
    "example",
    [pytest.param(each, marks=pytest.mark.slow) if any(part in each for part in LONG) else each for each in EXAMPLES],
)
def test_examples_in_the_help_run_and_are_quiet_if_asked(
    example: str, made: Callable[[str], Path], capsys: Capture, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if "cache" in example:
        monkeypatch.setenv("WOOLSIM_CACHE_DIR", str(here))  # the tests' own stays
    if "strategies new" not in example:
        succeeded(in_process(capsys, "strategies", "new", "my_strategy.py"))
        os.utime("my_strategy.py", ns=(1, 1))  # one and the same file for all examples: compiled but once
    Path("my_rules.toml").write_text("bone_per_dog = 5\n")
    for needed in NEEDED:
        if needed in example:
            shutil.copytree(made(needed), here, dirs_exist_ok=True)
    deck = Path("my_deck.csv")
    if deck.exists():  # one's own is another one
        deck.write_text(deck.read_text().replace("white,5,", "white,6,", 1))
    fewer = next((example.replace(*pair) for pair in FEWER.items() if pair[0] in example), example)
    asked = shlex.split(fewer)[1:]
    outcome = succeeded(in_process(capsys, *asked, *[] if asked[-1] in {"--help", "--quiet"} else ["-q"]))
    assert outcome.out
    assert outcome.err == ""
    for file in (word for word in shlex.split(example) if word.endswith((".png", ".csv"))):
        assert (here / file).stat().st_size > 0


# woolsim alone


def test_woolsim_alone_shows_the_first_five_questions_and_where_to_go_on(capsys: Capture) -> None:
    out = succeeded(in_process(capsys)).out
    assert max(map(len, out.splitlines())) <= 80
    asked = re.findall(r"^\*\*(.+?\?)\*\*", README.partition("## Whole games")[0], re.MULTILINE)
    assert list(QUESTIONS) == asked
    assert len(asked) == 5
    mentions(out, [*QUESTIONS, *QUESTIONS.values(), "--help", "_WOOLSIM_COMPLETE"])


@pytest.mark.parametrize("command", [*QUESTIONS.values(), ON_FROM_HERE["A rule or a strategy of your own:"]])
def test_what_woolsim_alone_names_runs(command: str, capsys: Capture, here: Path) -> None:
    assert succeeded(in_process(capsys, *shlex.split(command.replace("1e6", "1e4"))[1:])).out


def test_the_script_gives_help_without_importing_numba_or_pandas() -> None:
    outcome = woolsim("--help", env={**os.environ, "PYTHONVERBOSE": "1"})
    imported = {line.split("'")[1] for line in outcome.err.splitlines() if line.startswith("import '")}
    assert "click" in imported
    assert not imported & {"numba", "pandas", "matplotlib", "scipy", "numpy"}


def test_questions_and_completion_need_nothing_heavy() -> None:
    code = (
        "import sys\nfrom reports.cli import run\nassert run([]) == 0\n"
        "assert not {'numpy', 'numba', 'pandas', 'matplotlib', 'scipy', 'rich'} & set(sys.modules)\n"
        "from reports.cli.completion import StrategySpec\n"
        "assert StrategySpec().shell_complete(None, None, 'pl')[0].value == 'plain'\n"
        "assert not {'numba', 'pandas', 'matplotlib', 'scipy', 'rich'} & set(sys.modules)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 0, done.stderr
