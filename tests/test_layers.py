"""The layout is the architecture: arrows never point back, and only the rooms that may know a library import it."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PACKAGES = ("analyzer", "strategies", "reports")
MAY_IMPORT = {"analyzer": {"analyzer"}, "strategies": {"analyzer", "strategies"}, "reports": set(PACKAGES)}
SHOWN_ONLY = {"pandas", "matplotlib", "click", "rich", "jinja2"}
GAMES = {"wool_rules", "wool_gang", "wollmilchsau"}
NAMES_GAMES = {"strategies.games", "strategies.trial"}
"""The list of games, and the trial, which knows only the positions of one."""

MODULES = [path for package in PACKAGES for path in sorted((ROOT / package).rglob("*.py"))]


def _imports(path: Path) -> set[str]:
    """Return every module a file imports, inside functions too."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative imports hide the layers"
            found |= {node.module or ""} | {f"{node.module}.{alias.name}" for alias in node.names}
        elif isinstance(node, ast.Call) and ast.unparse(node.func).endswith("import_module"):
            found |= {a.value for a in node.args if isinstance(a, ast.Constant) and isinstance(a.value, str)}
    return found


def _name(path: Path) -> str:
    return path.relative_to(ROOT).with_suffix("").as_posix().replace("/", ".")


@pytest.mark.parametrize("path", MODULES, ids=_name)
def test_a_module_imports_only_what_its_layer_may(path: Path) -> None:
    layer = path.relative_to(ROOT).parts[0]
    ours = {name.split(".")[0] for name in _imports(path)} & set(PACKAGES)
    assert ours <= MAY_IMPORT[layer]
    if layer != "reports":
        assert not {name.split(".")[0] for name in _imports(path)} & SHOWN_ONLY


@pytest.mark.parametrize("path", MODULES, ids=_name)
def test_no_game_imports_another_and_the_machinery_knows_no_game(path: Path) -> None:
    parts = path.relative_to(ROOT).parts
    games = {part for name in _imports(path) for part in name.split(".")} & GAMES
    if parts[0] != "reports" and _name(path) not in NAMES_GAMES:
        assert games <= ({parts[1]} if parts[1] in GAMES else set())


def test_only_the_analyzer_and_only_one_module_of_it_chooses_numba_options() -> None:
    assert {_name(path) for path in MODULES if "numba" in {name.split(".")[0] for name in _imports(path)}} == {
        "analyzer.jit",
        "analyzer.policy_calls",  # what its calls of policies are made of; it chooses nothing
        "analyzer.slots",  # the compiler's errors and types, to say what is wrong with a policy
    }


def test_the_walk_sees_imports_inside_functions() -> None:
    """The layers are kept by imports at the top and by those that wait until they are needed."""
    assert "analyzer.wool_rules.simulate" in _imports(ROOT / "analyzer" / "wool_rules" / "bid_table.py")
    assert "strategies.wool_rules.hold_registry" in _imports(ROOT / "strategies" / "games.py")


def test_every_package_is_listed_for_installation() -> None:
    import tomllib

    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    listed = set(settings["tool"]["setuptools"]["packages"])
    there = {_name(path.parent / "x").removesuffix(".x") for path in MODULES if path.name == "__init__.py"}
    assert listed == there
