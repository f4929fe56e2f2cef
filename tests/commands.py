"""Running `woolsim` in tests: as a process of its own, or in this one, which is faster."""

import csv
import json
import subprocess
import sys
from collections.abc import Iterable
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from io import BytesIO, TextIOWrapper
from pathlib import Path
from typing import Any

import pytest

SCRIPT = Path(sys.executable).with_name("woolsim")

COLUMNS = [
    *("bid", "target", "modifier", "chips", "hold"),
    *("p_three", "p_two", "p_one", "p_success", "p_fail", "p_under_14", "mean_cards", "mean_chips_spent"),
]
"""The columns of the bid table on the design page "Wool Rules"."""

QUANTITIES = ("success", "three", "two", "one", "under_14")

SIMULATED_COLUMNS = ["sim_n", *(f"sim_p_{name}{end}" for name in QUANTITIES for end in ("", "_low", "_high", "_z"))]
"""What stands beside them with --simulate."""

THIRD = """class Third:
    def bid(v):
        i = 0
        while v.round == 3:
            i = (i + 1) % 7
        return 20 + i
"""
"""A strategy that has an endless loop in the third round."""


@dataclass(frozen=True)
class Outcome:
    """What a command did."""

    status: int
    out: str
    err: str

    def rows(self) -> list[dict[str, str]]:
        """Return standard output read as CSV; anything around the table makes this fail."""
        header, *body = list(csv.reader(self.out.splitlines()))
        assert all(len(row) == len(header) for row in body)
        return [dict(zip(header, row, strict=True)) for row in body]

    def objects(self) -> list[dict[str, Any]]:
        """Return standard output read as one JSON array of objects."""
        found = json.loads(self.out)
        assert isinstance(found, list)
        return found

    def words(self) -> str:
        """Return standard output with every run of white space made one space, so that line breaks do not matter."""
        return " ".join(self.out.split())


def woolsim(
    *arguments: str,
    cwd: Path | None = None,
    env: dict[str, str] | None = None,
    timeout: float = 60,
    stdout: Any = subprocess.PIPE,
) -> Outcome:
    """Run the installed script as a process."""
    done = subprocess.run(
        [str(SCRIPT), *arguments],
        cwd=cwd,
        env=env,
        timeout=timeout,
        stdin=subprocess.DEVNULL,
        stdout=stdout,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        check=False,
    )
    return Outcome(done.returncode, done.stdout or "", done.stderr)


RUNNING: "list[subprocess.Popen[str]]" = []
"""Processes that tests have started; those that a failing test leaves behind are killed."""


def started(*arguments: str, **options: Any) -> "subprocess.Popen[str]":
    """Start the installed script as a process that the test deals with while it runs."""
    process = subprocess.Popen([str(SCRIPT), *arguments], text=True, **options)
    RUNNING.append(process)
    return process


def in_process(capsys: pytest.CaptureFixture[str], *arguments: str) -> Outcome:
    """Run a command in this process."""
    from reports.cli import run

    capsys.readouterr()
    status = run(list(arguments))
    captured = capsys.readouterr()
    return Outcome(status, captured.out, captured.err)


def alone(*arguments: str) -> Outcome:
    """Run a command in this process where no test's capture is at hand, as in a fixture of a module."""
    from reports.cli import run

    out, err = (TextIOWrapper(BytesIO(), "utf-8", "replace", newline="", write_through=True) for _ in range(2))
    with redirect_stdout(out), redirect_stderr(err):
        status = run(list(arguments))
    return Outcome(status, *(stream.buffer.getvalue().decode() for stream in (out, err)))


def succeeded(outcome: Outcome) -> Outcome:
    """Return an outcome that has to be a success."""
    assert outcome.status == 0, outcome.err
    assert "Traceback" not in outcome.err
    assert "Warning" not in outcome.err
    return outcome


def refused(outcome: Outcome, status: int = 2) -> str:
    """Return the one message of a command that has to be refused, with nothing on standard output."""
    assert outcome.status == status, f"status {outcome.status}: {(outcome.err + outcome.out)[:300]}"
    assert outcome.out == ""
    lines = [line for line in outcome.err.splitlines() if line and not line.startswith(_AROUND_ERRORS)]
    assert len(lines) == 1, outcome.err
    assert lines[0].startswith("Error: "), outcome.err
    assert len(lines[0]) < 400, f"not a clear message: {lines[0][:200]}..."
    return lines[0]


_AROUND_ERRORS = ("Usage: woolsim", "Try 'woolsim", "Compiling")
"""What may stand before the message: click's hint at --help, the notice of a first compilation."""


def mentions(message: str, parts: Iterable[str]) -> None:
    """Check that a message has all the given parts."""
    missing = [part for part in parts if part not in message]
    assert not missing, f"{message!r} does not mention {missing}"


def files_in(folder: Path) -> dict[str, bytes]:
    """Return the files of a folder, hidden ones included, with what is in them."""
    return {str(p.relative_to(folder)): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}
