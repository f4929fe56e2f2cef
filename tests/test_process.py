"""What only a process can show: pipes, signals, full disks, folders that cannot be written, other people's folders."""

import os
import resource
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from commands import SCRIPT, Outcome, alone, files_in, in_process, mentions, refused, started, succeeded, woolsim

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals, pipes and folders of Unix")

FULL = Path("/dev/full")
needs_full = pytest.mark.skipif(not FULL.exists(), reason="this system has no /dev/full")

LONG = ("bid-table", "--simulate", "1e12")
"""Hours of work, if it is begun."""


@pytest.fixture(scope="module", autouse=True)
def compiled() -> None:
    """Compile once, so that no test waits for it."""
    succeeded(alone("bid-table", "--bid", "20", "--simulate", "100"))


def at_once(*runs: Callable[[], Outcome]) -> list[Outcome]:
    """Run several processes at the same time."""
    outcomes: dict[int, Outcome] = {}

    def keep(at: int, run: Callable[[], Outcome]) -> None:
        outcomes[at] = run()

    threads = [threading.Thread(target=keep, args=pair) for pair in enumerate(runs)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return [outcomes[at] for at in range(len(runs))]


# Closed pipes


@pytest.mark.parametrize(
    "arguments",
    [
        "bid-table",
        "bid-table --simulate 1000 --format csv",
        "odds --bid 24 --dice 12,9,3 --format json",
        "--help",
    ],
)
def test_a_pipe_that_nobody_reads_is_silent(arguments: str) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    try:
        outcome = woolsim(*arguments.split(), stdout=writing)
    finally:
        os.close(writing)
    assert outcome.err == ""
    assert outcome.status == 0


@pytest.mark.parametrize("more", ["--chips 0..3", "--chips 0 --format csv --simulate 10"])
def test_head_takes_one_line_of_many_in_silence(more: str) -> None:
    table = f"bid-table --modifier=-9..9 {more}"  # more than a pipe holds
    script = f"'{SCRIPT}' {table} | head -1; exit ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, timeout=60, check=False)
    assert done.stdout.startswith("bid," if "csv" in more else "Odds of a bid")
    assert "Error" not in done.stderr
    assert "Traceback" not in done.stderr
    assert "Exception" not in done.stderr
    assert done.returncode == 0


def test_files_are_written_even_if_nobody_reads_the_table(tmp_path: Path) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    try:
        outcome = woolsim("bid-table", "--csv", "t.csv", "--png", "t.svg", stdout=writing, cwd=tmp_path)
    finally:
        os.close(writing)
    assert outcome.status == 0
    assert set(files_in(tmp_path)) == {"t.csv", "t.csv.meta.json", "t.svg"}


@pytest.mark.parametrize("arguments", ["bid-table", "bid-table --format csv", "--version"])
def test_a_closed_standard_output_makes_no_traceback(arguments: str) -> None:
    script = f"'{SCRIPT}' {arguments} >&-"
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, timeout=60, check=False)
    assert "Traceback" not in done.stderr
    assert done.returncode in {0, 1}


# Full disks


@needs_full
@pytest.mark.parametrize("arguments", ["bid-table", "bid-table --format csv", "--help"])
def test_output_to_a_full_disk_fails_with_one_message(arguments: str) -> None:
    with FULL.open("w") as full:
        outcome = woolsim(*arguments.split(), stdout=full)
    assert outcome.status == 1
    (line,) = [line for line in outcome.err.splitlines() if not line.startswith(("woolsim ", "made by:"))]
    mentions(line, ["Error: ", "No space left"])


@needs_full
@pytest.mark.parametrize(
    ("value", "nowhere"), [("--bid 13", "2>/dev/full"), ("--hold nonsense", "2>/dev/full"), ("--hold nonsense", "2>&-")]
)
def test_bad_input_stays_bad_input_if_the_message_cannot_be_written(value: str, nowhere: str) -> None:
    command = ["bash", "-c", f"'{SCRIPT}' bid-table {value} {nowhere}"]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, timeout=60, check=False)
    assert (done.returncode, done.stdout) == (2, "")


def test_a_file_that_grows_too_large_leaves_nothing_and_the_old_one_untouched(tmp_path: Path) -> None:
    (tmp_path / "old.csv").write_text("old")
    before = files_in(tmp_path)
    done = subprocess.run(
        [str(SCRIPT), "bid-table", "--modifier=-20..20", "--csv", "old.csv", "--format", "json"],
        cwd=tmp_path,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        timeout=60,
        check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (10_000, 10_000)),
    )
    assert done.returncode == 1
    (line,) = [line for line in done.stderr.splitlines() if line.startswith("Error")]
    mentions(line, ["old.csv", "could not be written", "File too large"])
    assert "Traceback" not in done.stderr
    assert files_in(tmp_path) == before


# Places that cannot be written: said before any work is done.


@pytest.fixture
def no_work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a test fail in which work is begun."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("analyzer.wool_rules.bid_table.bid_table", lambda *_, **__: pytest.fail("it was begun"))


def test_work_that_is_begun_would_be_noticed(no_work: None, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(pytest.fail.Exception, match="it was begun"):
        in_process(capsys, *LONG, "--csv", "new.csv")


@pytest.mark.parametrize(
    ("option", "file", "parts"),
    [
        ("--csv", "no/where/a.csv", ["no/where", "does not exist"]),
        ("--png", "no/where/a.png", ["no/where", "does not exist"]),
        ("--csv", "file/a.csv", ["file", "not a folder"]),
        ("--png", "file/a.png", ["file", "not a folder"]),
        ("--csv", "file/deeper/a.csv", ["file"]),
        ("--csv", "folder", ["folder", "name a file"]),
        ("--png", "folder.png", ["folder.png", "name a file"]),
        ("--csv", "folder/", ["folder", "name a file"]),
        ("--csv", "sidecar.csv", ["sidecar.csv.meta.json"]),
        ("--csv", "/dev/null", ["/dev/null", "ordinary file"]),
        ("--csv", "/dev/full", ["/dev/full", "ordinary file"]),
        ("--csv", "pipe.csv", ["pipe.csv", "ordinary file"]),
        ("--csv", "dangling/a.csv", ["does not exist"]),
        ("--png", "loop.png", ["loop.png"]),
    ],
)
def test_a_place_that_cannot_be_written_is_named_before_any_work(
    option: str, file: str, parts: list[str], no_work: None, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("mine")
    for folder in ("folder", "folder.png", "sidecar.csv.meta.json"):
        (tmp_path / folder).mkdir()
    os.mkfifo(tmp_path / "pipe.csv")
    (tmp_path / "dangling").symlink_to("nowhere")
    (tmp_path / "loop.png").symlink_to("loop.png")
    message = refused(in_process(capsys, *LONG, option, file))
    mentions(message, [option, *parts])
    assert files_in(tmp_path) == {"file": b"mine"}


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="this system has no /proc")
@pytest.mark.parametrize("folder", ["/proc", "/sys"])
def test_a_folder_where_even_root_cannot_write_is_named_before_any_work(
    folder: str, no_work: None, capsys: pytest.CaptureFixture[str]
) -> None:
    message = refused(in_process(capsys, *LONG, "--csv", f"{folder}/a.csv"))
    mentions(message, ["--csv", f"{folder}/a.csv"])


@contextmanager
def read_only(folder: Path) -> Iterator[None]:
    """Make a folder read-only for a while; skip the test where that is not enforced."""
    folder.chmod(0o555)
    try:
        if os.access(folder, os.W_OK):
            pytest.skip("permissions do not stop root")
        yield
    finally:
        folder.chmod(0o755)


@pytest.mark.parametrize("file", ["new.csv", "old.csv"])
def test_a_read_only_folder_is_named_before_any_work(
    file: str, no_work: None, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "old.csv").write_text("old")
    with read_only(tmp_path):
        message = refused(in_process(capsys, *LONG, "--csv", file))
    mentions(message, ["--csv", file, "cannot write"])
    assert files_in(tmp_path) == {"old.csv": b"old"}


def test_standard_output_by_its_device_name_is_refused_and_the_device_stays(tmp_path: Path) -> None:
    # A link like /dev/stdout, so that a program that replaces it breaks nothing but this test.
    (tmp_path / "stdout").symlink_to("/proc/self/fd/1")
    with (tmp_path / "captured").open("w") as captured:
        outcome = woolsim("bid-table", "--csv", "stdout", "--format", "json", stdout=captured, cwd=tmp_path)
    assert (tmp_path / "stdout").is_symlink()
    assert not (tmp_path / "stdout.meta.json").exists()
    mentions(refused(outcome), ["--csv", "--format"])


# Signals


def start(*arguments: str, cwd: Path) -> tuple["subprocess.Popen[str]", int]:
    """Start a simulation with a terminal as standard error, and return when its progress bar shows."""
    terminal, error = os.openpty()
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": "80"}
    process = started(*arguments, cwd=cwd, env=environment, stdout=subprocess.PIPE, stderr=error)
    os.close(error)
    seen, deadline = b"", time.monotonic() + 30
    while b"rolling" not in seen:
        assert time.monotonic() < deadline, seen
        seen += os.read(terminal, 4096)
    return process, terminal


def rest_of(terminal: int) -> str:
    """Return what is still shown on a terminal, and close it."""
    seen = b""
    try:
        while piece := os.read(terminal, 4096):
            seen += piece
    except OSError:
        pass  # Linux: the other side is closed
    os.close(terminal)
    return seen.decode()


CHANCE = "def f(v):\n    if v.draws[0] < 2 and v.held[0]:\n        return 10\n    return 12\n"


@pytest.mark.parametrize("rule", ["max-odds", "rules.py:f"])
def test_ctrl_c_in_a_long_simulation_ends_at_once_and_leaves_nothing(rule: str, tmp_path: Path) -> None:
    (tmp_path / "rules.py").write_text(CHANCE)
    (tmp_path / "t.csv").write_text("old")
    before = files_in(tmp_path)
    process, terminal = start(*LONG, "--hold", rule, "--csv", "t.csv", "--png", "t.png", cwd=tmp_path)
    began = time.monotonic()
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=20)
    assert time.monotonic() - began < 10
    shown = rest_of(terminal)
    assert process.returncode == 130, shown
    assert out == ""
    assert "interrupted" in shown
    assert "Traceback" not in shown
    assert "Exception" not in shown
    assert files_in(tmp_path) == before


def test_ctrl_c_while_it_compiles_makes_no_traceback(tmp_path: Path) -> None:
    process = started(
        *(*LONG, "--csv", "t.csv"),
        cwd=tmp_path,
        env={**os.environ, "WOOLSIM_CACHE_DIR": ""},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stderr is not None
    assert process.stderr.readline().startswith("Compiling")
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=20)
    assert err.strip() == "Error: interrupted"
    assert process.returncode == 130
    assert out == ""
    assert files_in(tmp_path) == {}


def test_killed_in_a_simulation_it_leaves_the_old_file_and_no_part_of_a_new_one(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("old")
    process, terminal = start(*LONG, "--csv", "t.csv", "--png", "t.png", cwd=tmp_path)
    process.kill()
    process.communicate(timeout=20)
    rest_of(terminal)
    assert process.returncode == -signal.SIGKILL
    assert files_in(tmp_path) == {"t.csv": b"old"}


def test_progress_is_shown_on_a_terminal_only_and_wiped_at_the_end(tmp_path: Path) -> None:
    arguments = ("bid-table", "--bid", "20,21", "--simulate", "3e7", "--format", "csv")
    process, terminal = start(*arguments, cwd=tmp_path)
    out, _ = process.communicate(timeout=60)
    shown = rest_of(terminal)
    assert process.returncode == 0
    assert "60000000" in shown.replace(",", "")
    assert shown.splitlines()[-1].startswith("made by: woolsim bid-table --bid 20,21")
    elsewhere = succeeded(woolsim("bid-table", "--bid", "20,21", "--simulate", "1e6", "--format", "csv"))
    assert "rolling" not in elsewhere.err
    assert len(elsewhere.err.splitlines()) == 4  # the z scores, and what reproduces the figures in three lines
    assert len(out.splitlines()) == len(elsewhere.out.splitlines()) == 3


# The folder of compiled code, and the folder where it is run


def simulate(cache: str | None) -> Callable[[], Outcome]:
    """Return a short simulation with a folder for compiled code; None keeps nothing."""
    environment = {**os.environ, "WOOLSIM_CACHE_DIR": cache or ""}
    return lambda: woolsim("bid-table", "--bid", "20", "--simulate", "100", "--format", "csv", env=environment)


@pytest.mark.slow
def test_without_a_writable_folder_for_compiled_code_everything_works(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine")
    usual = succeeded(simulate(os.environ["WOOLSIM_CACHE_DIR"])())
    for outcome in at_once(simulate(str(tmp_path / "file")), simulate(None)):
        assert succeeded(outcome).out == usual.out
        assert "Error" not in outcome.err
        assert "Compiling" in outcome.err
    assert files_in(tmp_path) == {"file": b"mine"}


@pytest.mark.slow
def test_two_processes_at_once_share_a_cold_folder_of_compiled_code_and_what_is_damaged_is_compiled_again(
    tmp_path: Path,
) -> None:
    cache = tmp_path / "new" / "cache"
    cold = str(cache)
    first, second = at_once(simulate(cold), simulate(cold))
    assert succeeded(first).out == succeeded(second).out
    third = succeeded(simulate(cold)())
    assert third.out == first.out
    assert "Compiling" in first.err + second.err
    assert "Compiling" not in third.err
    for file in cache.rglob("*"):
        if file.is_file():
            file.write_bytes(b"")
    assert succeeded(simulate(cold)()).out == first.out


def test_folders_called_like_ours_where_it_is_run_change_nothing(tmp_path: Path) -> None:
    for name in ("analyzer", "strategies", "reports", "numba", "click"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text("raise SystemExit('the wrong folder')\n")
    rules = "def f(v):\n    return 10 if v.held[0] else 12\n"
    (tmp_path / "random.py").write_text(rules)
    table, own = at_once(
        lambda: woolsim("bid-table", "--simulate", "100", cwd=tmp_path),
        lambda: woolsim("bid-table", "--hold", "random.py:f", "--csv", "t.csv", cwd=tmp_path),
    )
    assert "26+" in succeeded(table).out
    assert "random.py:f" in succeeded(own).out


# What is imported, and what a terminal shows


def test_exact_answers_need_numpy_only() -> None:
    heavy = "{'numba', 'pandas', 'matplotlib', 'scipy'}"
    code = "import sys\nfrom reports.cli import run\n"
    for command in ("bid-table", "bid-table --format csv", "hold-table --bid 22", "strategies list"):
        code += f"assert run({command.split()!r}) == 0\nassert not {heavy} & set(sys.modules), set(sys.modules)\n"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 0, done.stderr


def test_help_needs_nothing_heavy_at_all() -> None:
    code = (
        "import sys\nfrom reports.cli import run\nassert run(['--help']) == 0\n"
        "assert not {'numpy', 'numba', 'pandas', 'matplotlib', 'scipy', 'rich'} & set(sys.modules)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 0, done.stderr
