"""What every test needs: a folder of its own for compiled code, shared with the processes that tests start."""

import atexit
import os
import shutil
import signal
import tempfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import settings

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from playwright.sync_api import Browser


def pytest_configure(config: pytest.Config) -> None:
    """Before any module is collected, because numba and matplotlib read their settings when they are imported.

    Compiled code lies in pytest's own cache, so that a second run compiles nothing; `--cache-clear` starts afresh.
    """
    if config.pluginmanager.hasplugin("cacheprovider") and config.cache is not None:
        folder = config.cache.mkdir("compiled")
    else:
        folder = Path(tempfile.mkdtemp(prefix="woolsim-test-cache-"))
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
    os.environ["WOOLSIM_CACHE_DIR"] = str(folder)
    os.environ["MPLBACKEND"] = "Agg"
    settings.register_profile("untimed", deadline=None)  # how long a test takes says nothing of what it tests
    settings.load_profile("untimed")
    os.environ.pop("COLUMNS", None)  # tables are as wide as without a terminal
    if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:  # in the background of a shell; processes inherit it
        signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(autouse=True)
def _nothing_left_running() -> Iterator[None]:
    yield
    from commands import RUNNING

    while RUNNING:
        process = RUNNING.pop()
        process.kill()
        process.wait()


@pytest.fixture(scope="module")
def browser() -> "Iterator[Browser]":
    """Have Debian's Chromium."""
    from browsers import chromium

    with chromium() as started:
        yield started


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Be in an empty folder, and return it."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def files(here: Path) -> None:
    """Have files of a user's own in the folder one is in, as tests of tournament commands name them."""
    from tournament_commands import own_files

    own_files()


@cache
def _dealt(*asked: Any) -> "NDArray[Any]":
    from analyzer.wool_rules.positions import random_positions

    return random_positions(*asked)


@pytest.fixture
def few_positions(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let `strategies check` in this process deal few positions, and those but once: they take most of its time."""
    monkeypatch.setattr("strategies.trial.POSITIONS", 300)
    monkeypatch.setattr("strategies.trial.COMPARED", 60)
    monkeypatch.setattr("strategies.trial.GAMES", 20)
    monkeypatch.setattr("strategies.trial.random_positions", lambda *asked: _dealt(*asked).copy())


QUICK = {"plain", "random", "value", "lone-dog"}
"""Strategies that the default run tries out; compiling all the others takes minutes, so their tests are slow ones."""

MANY_STRATEGIES = {"test_strategies.py", "test_referee.py"}


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    from strategies.entries import strategy_entries

    others = set(strategy_entries()) - QUICK
    for item in items:
        if item.path.name not in MANY_STRATEGIES:
            continue
        params = getattr(getattr(item, "callspec", None), "params", {})
        names = {str(getattr(value, "name", value)) for value in params.values()}
        if names & others or (item.path.name == "test_strategies.py" and "entry" not in params):
            item.add_marker(pytest.mark.slow)
