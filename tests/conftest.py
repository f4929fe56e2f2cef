"""What every test needs: compiled code in a fresh folder, shared with the processes that tests start; no windows."""

import atexit
import os
import shutil
import tempfile

import pytest

# At import, because numba and matplotlib read them when they are imported.
_CACHE = tempfile.mkdtemp(prefix="woolsim-test-cache-")
atexit.register(shutil.rmtree, _CACHE, ignore_errors=True)
os.environ["WOOLSIM_CACHE_DIR"] = _CACHE
os.environ["MPLBACKEND"] = "Agg"
os.environ.pop("COLUMNS", None)  # tables are as wide as without a terminal


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
