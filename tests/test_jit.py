"""Compiled code is kept only for the sources it was compiled from."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent

FIRST_SIMULATION = """
from analyzer import jit
from analyzer.wool_rules.bid_table import bid_table
from analyzer.wool_rules.constants import SIDES
from analyzer.wool_rules.dice import dice_of
from analyzer.wool_rules.simulate import kernels_for
from strategies.wool_rules.hold_registry import hold_rule
rules = [hold_rule("max-odds")]
print([jit.needs_compiling(kernel) for kernel in kernels_for(rules, dice_of(SIDES), simulated=True)])
print(bid_table(rules, [22], simulate=1000).rows[0]["sim_p_success"])
"""


ENTRY_POINTS = """
import sys
from analyzer.wool_rules.asking import VIEW_TYPE
from strategies.registry import strategy
calls = [strategy(spec).policies["bid"].compile(VIEW_TYPE).call for spec in sys.argv[1:]]
kept = [sum(call.stats.cache_hits.values()) for call in calls]
codes = [next(iter(call.overloads.values())) for call in calls]
print(kept, len({code.library.get_pointer_to_function(code.fndesc.llvm_cfunc_wrapper_name) for code in codes}))
"""


def _run(source: Path, cache: Path | str) -> list[str]:
    """Run the first simulation of a fresh process with the packages in `source`."""
    environment = {**os.environ, "WOOLSIM_CACHE_DIR": str(cache), "PYTHONPATH": str(source)}
    done = subprocess.run(
        [sys.executable, "-c", FIRST_SIMULATION], env=environment, capture_output=True, text=True, check=True, cwd="/"
    )
    return done.stdout.split("\n")[:2]


@pytest.mark.slow
def test_compiled_code_is_kept_and_a_changed_source_is_noticed(tmp_path: Path) -> None:
    source, cache = tmp_path / "source", tmp_path / "cache"
    for package in ("analyzer", "strategies"):
        shutil.copytree(ROOT / package, source / package, ignore=shutil.ignore_patterns("__pycache__"))
    cold, figure = _run(source, cache)
    assert cold == "[True]"
    assert _run(source, cache) == ["[False]", figure]

    # A constant in a module that the kernel only imports: numba's own cache would not notice it.
    module = source / "analyzer" / "rng.py"
    text = module.read_text(encoding="utf-8")
    assert "0xBF58476D1CE4E5B9" in text
    module.write_text(text.replace("0xBF58476D1CE4E5B9", "0xBF58476D1CE4E5BB"), encoding="utf-8")
    changed, other_figure = _run(source, cache)
    assert changed == "[True]"
    assert other_figure != figure


@pytest.mark.slow
def test_policies_that_other_processes_kept_are_told_apart(tmp_path: Path) -> None:
    # Compiled as the first thing of its process each, so that numba numbers both alike.
    environment = {**os.environ, "WOOLSIM_CACHE_DIR": str(tmp_path), "PYTHONPATH": str(ROOT)}
    for specs, expected in ((["plain"], "[0] 1"), (["random"], "[0] 1"), (["plain", "random"], "[1, 1] 2")):
        command = [sys.executable, "-c", ENTRY_POINTS, *specs]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True, cwd="/")
        assert done.stdout.strip() == expected
