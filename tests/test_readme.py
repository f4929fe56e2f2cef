"""The README is true: its commands run, print what it shows, and its pictures are there."""

import importlib.util
import os
import re
import shlex
from pathlib import Path

import click
import pytest
from commands import alone, succeeded

from reports.cli import cli

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")

_spec = importlib.util.spec_from_file_location("make", ROOT / "reports" / "images" / "make.py")
assert _spec is not None
assert _spec.loader is not None
make = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(make)

EXAMPLES = [line for block in make.blocks(README, "sh") for line in block.splitlines() if line.startswith("woolsim")]


@pytest.fixture
def in_this_process(few_positions: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run the commands here: starting processes would take most of the time."""

    run_as_it_is = make.woolsim

    def woolsim(command: str, folder: Path) -> str:
        program, *arguments = shlex.split(command)
        if program == "python":  # what our users run themselves
            printed = run_as_it_is(command, folder)
            (picture,) = re.findall(r'savefig\("(.+)"\)', (folder / arguments[0]).read_text(encoding="utf-8"))
            assert (folder / picture).stat().st_size > 10_000
            return printed
        assert program == "woolsim"
        for file in folder.glob("*.py"):  # one and the same file in every folder: compiled but once
            os.utime(file, ns=(2, 2))
        with monkeypatch.context() as there:
            there.chdir(folder)
            return succeeded(alone(*arguments)).out

    monkeypatch.setattr(make, "woolsim", woolsim)


def test_the_script_prints_what_is_printed_here(tmp_path: Path, request: pytest.FixtureRequest) -> None:
    make.write_files(README, tmp_path)
    command = "woolsim simulate my_strategy.py:Bold plain --games 20"
    printed = make.woolsim(command, tmp_path)
    request.getfixturevalue("in_this_process")
    assert printed == make.woolsim(command, tmp_path)


@pytest.mark.usefixtures("in_this_process")
def test_every_command_prints_what_the_readme_shows() -> None:
    """Mend a difference with `python reports/images/make.py`."""
    assert README.count("```console\n$ woolsim ") >= 5
    assert make.filled(README).splitlines() == README.splitlines()


@pytest.mark.usefixtures("in_this_process")
@pytest.mark.parametrize("command", EXAMPLES)
def test_every_further_example_runs(command: str, tmp_path: Path) -> None:
    make.write_files(README, tmp_path)
    assert make.woolsim(command, tmp_path).strip()
    written = re.findall(r"--(?:png|csv) (\S+)", command)
    assert all((tmp_path / name).stat().st_size > 0 for name in written)


def test_every_woolsim_line_of_the_readme_is_among_those_run() -> None:
    commands = "|".join(cli.list_commands(click.Context(cli)))
    shown = set(re.findall(rf"^(?:\$ )?(woolsim (?:{commands})\b.*)$", README, re.MULTILINE))
    assert len(shown) > 10
    run = set(EXAMPLES) | set(re.findall(r"^```console\n\$ (.*)$", README, re.MULTILINE))
    run |= set("".join(make.blocks(README, "bash")).splitlines())  # by test_cluster.py, on a cluster
    assert shown <= run
    assert len(EXAMPLES) >= 5


@pytest.mark.usefixtures("in_this_process")
@pytest.mark.slow
def test_every_picture_of_the_readme_is_made_by_the_script(tmp_path: Path) -> None:
    shown = re.findall(r"!\[.+?\]\(reports/images/(.+?)\)", README)
    assert set(shown) == set(make.PICTURES)
    make.draw(tmp_path)
    for name in shown:
        assert (tmp_path / name).stat().st_size > 10_000
        assert (ROOT / "reports" / "images" / name).stat().st_size > 10_000


def test_nothing_was_left_to_be_filled_in_and_every_script_named_is_there() -> None:
    assert not re.search(r"@@|PLACEHOLDER|TODO|TBD", README)
    scripts = re.findall(r"`(\w+\.py)` \|$", README, re.MULTILINE)
    assert len(scripts) >= 8
    assert all((ROOT / "benchmarks" / name).is_file() for name in scripts)


def test_the_two_set_up_lines_do_everything() -> None:
    """`.ci/run` runs them in a clean place; here it is seen that it takes them from the README."""
    lines = re.findall(r"^python3 -m venv .*$", README, re.MULTILINE)
    assert len(lines) == 2
    assert lines[0].endswith("woolsim bid-table")
    assert lines[1].endswith("-m pytest")
    assert all(shlex.split(line) for line in lines)
    assert "README.md" in (ROOT / ".ci" / "run").read_text(encoding="utf-8")
