"""What the tab key completes: commands, options, strategies with parameters, tables, files; in a real bash too."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from commands import SCRIPT, woolsim

from reports.cli.completion import joined_words
from strategies.entries import strategy_entries
from strategies.wool_rules.hold_registry import hold_entries

needs_bash = pytest.mark.skipif(shutil.which("bash") is None, reason="bash is not installed")


def completed(line: str, capfd: pytest.CaptureFixture[str], shell: str = "fish") -> list[str]:
    """Return what a shell is told at the end of a command line, as `type,value`; fish tells words as they are."""
    from reports.cli import run

    words = line.split(" ")
    with pytest.MonkeyPatch.context() as env:
        env.setenv("_WOOLSIM_COMPLETE", f"{shell}_complete")
        env.setenv("COMP_WORDS", " ".join(words[:-1]))
        env.setenv("COMP_CWORD", words[-1])
        capfd.readouterr()
        with pytest.raises(SystemExit):
            run([])
    return [entry.partition("\t")[0] for entry in capfd.readouterr().out.splitlines()]


def values(line: str, capfd: pytest.CaptureFixture[str]) -> list[str]:
    found = completed(line, capfd)
    assert all(entry.startswith("plain,") for entry in found), found
    return [entry.removeprefix("plain,") for entry in found]


def test_commands_and_options(capfd: pytest.CaptureFixture[str]) -> None:
    assert values("woolsim o", capfd) == ["odds", "odds-card", "odds-page"]
    assert values("woolsim deck ", capfd) == ["check", "new", "show"]
    assert values("woolsim --v", capfd) == ["--version"]
    assert values("woolsim simulate --hi", capfd) == ["--histogram"]
    assert values("woolsim bid-table --q", capfd) == ["--quiet"]
    assert values("woolsim bid-table --format m", capfd) == ["markdown"]


def test_names_of_tables_are_those_of_the_command(capfd: pytest.CaptureFixture[str]) -> None:
    assert values("woolsim simulate value --table ", capfd)[:2] == ["seats", "attempts"]
    assert values("woolsim meta-game x --table ", capfd) == ["mixture", "payoff", "cycles"]


@pytest.mark.parametrize(
    "line",
    [
        "simulate ",
        "simulate plain ",
        "tournament ",
        "replay ",
        "compare plain ",
        "sweep ",
        "find-best ",
        "sweep plain:level=20..22 --field ",
        "strategies show ",
        "strategies check ",
    ],
)
def test_strategies_by_name(line: str, capfd: pytest.CaptureFixture[str]) -> None:
    assert values(f"woolsim {line}", capfd) == list(strategy_entries())


@pytest.mark.parametrize("command", ["bid-table", "hold-table", "odds"])
def test_hold_rules_by_name(command: str, capfd: pytest.CaptureFixture[str]) -> None:
    assert values(f"woolsim {command} --hold ", capfd) == [entry.name for entry in hold_entries()]
    assert values(f"woolsim {command} --hold fixed-values:th", capfd) == ["fixed-values:three="]


def test_parameters_and_decisions_of_a_spec(capfd: pytest.CaptureFixture[str]) -> None:
    assert values("woolsim simulate plain:", capfd) == ["plain:level="]
    both = values("woolsim simulate value:", capfd)
    assert both == [f"value:{name}=" for name in strategy_entries()["value"].parameters]
    assert "value:reach=1,keep=" in values("woolsim simulate value:reach=1,k", capfd)
    assert "value:reach=1,reach=" not in values("woolsim simulate value:reach=1,r", capfd)
    assert values("woolsim simulate plain:level=24/h", capfd) == ["plain:level=24/hold="]
    assert "plain/hold=max-odds" in values("woolsim simulate plain/hold=max", capfd)
    assert values("woolsim simulate plain/hold=fixed-values:ch", capfd) == [
        "plain/hold=fixed-values:chip=",
        "plain/hold=fixed-values:chips=",
    ]


@pytest.mark.parametrize(
    "line",
    [
        "simulate my_",
        "simulate folder/my_",
        "bid-table --hold my_",
        "bid-table --rules ",
        "simulate --deck my",
        "bid-table --csv ",
        "bid-table --png ",
        "simulate --histogram ",
        "compare plain --deck ",
        "deck check ",
        "deck new a --from ",
        "strategies new ",
        "tournament --field ",
        "show ",
        "merge ",
        "meta-game ",
    ],
)
def test_files_where_files_are_due(line: str, capfd: pytest.CaptureFixture[str]) -> None:
    assert completed(f"woolsim {line}", capfd) == [f"file,{line.rsplit(' ', maxsplit=1)[-1]}"]


def test_folders_where_a_run_is_due(capfd: pytest.CaptureFixture[str]) -> None:
    assert completed("woolsim tournament --out my", capfd) == ["dir,my"]
    assert completed("woolsim merge a b --out ", capfd) == ["dir,"]


@pytest.mark.parametrize(
    ("words", "before", "incomplete"),
    [
        (["woolsim", "sim"], ["woolsim"], "sim"),
        (["woolsim", "simulate", ""], ["woolsim", "simulate"], ""),
        (["woolsim", "simulate", "plain", ":"], ["woolsim", "simulate"], "plain:"),
        (["woolsim", "simulate", "plain", ":", "le"], ["woolsim", "simulate"], "plain:le"),
        (["woolsim", "simulate", "plain", ":", "level", "=", "2"], ["woolsim", "simulate"], "plain:level=2"),
        (["w", "s", "plain", ":", "level", "=", "2", "ra"], ["w", "s", "plain:level=2"], "ra"),
        (["w", "s", "--field", "=", "pl"], ["w", "s"], "--field=pl"),
    ],
)
def test_words_that_bash_has_split_are_joined(words: list[str], before: list[str], incomplete: str) -> None:
    assert joined_words(words, len(words) - 1) == (before, incomplete)
    assert joined_words([*words, "more"], len(words) - 1) == (before, incomplete)


BASH = """
source /dev/stdin <<< "$(_WOOLSIM_COMPLETE=bash_source woolsim)"
try() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMPREPLY=(); _woolsim_completion woolsim; echo "${COMPREPLY[*]}"; }
complete -p woolsim
try woolsim tour
try woolsim simulate seven
try woolsim simulate plain : lev
try woolsim simulate plain : level = 2/hold = max
try woolsim simulate my_
"""


@needs_bash
def test_a_real_bash_completes(tmp_path: Path) -> None:
    env = {**os.environ, "PATH": f"{SCRIPT.parent}:{os.environ['PATH']}"}
    done = subprocess.run(
        ["bash", "--norc", "-c", BASH], env=env, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=60
    )
    registered, *replies = done.stdout.splitlines()
    assert "-F _woolsim_completion woolsim" in registered
    assert replies == ["tournament", "seven-seeker", "level=", "max-odds max-cards", ""]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_every_shell_of_the_readme_gets_its_script(shell: str) -> None:
    outcome = woolsim(env={**os.environ, "_WOOLSIM_COMPLETE": f"{shell}_source"})
    assert "_woolsim_completion" in outcome.out
    assert outcome.err == ""
    assert f"_WOOLSIM_COMPLETE={shell}_source" in (Path(__file__).parent.parent / "README.md").read_text("utf-8")
