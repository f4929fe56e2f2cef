"""What an engine is made of: here, or as data and sources from which another machine makes the same one.

A user's file is sent as its text, with the files beside it that it imports, and loaded elsewhere by the ordinary loader
from a folder that is gone afterwards; messages go on naming the file as its user does.
"""

import ast
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from analyzer.errors import BadInputError, GameFaultError, Sitting, WoolsimError
from analyzer.field_results import FieldSums
from analyzer.game import Engine, Game, Setting, Tables
from analyzer.questions import difference
from analyzer.remote import Order
from analyzer.slots import Strategy
from strategies.fields import files_of, source_digest, with_files
from strategies.games import HOUSES
from strategies.registry import strategy

_OUR_PACKAGES: Final = ("analyzer", "strategies", "reports")


@dataclass(frozen=True)
class Recipe:
    """What plays.

    Parameters
    ----------
    game : Game
    strategies : sequence of Strategy
    settings : sequence of Setting
    seed : int
    """

    game: Game
    strategies: Sequence[Strategy]
    settings: Sequence[Setting]
    seed: int

    def engine(self) -> Engine:
        """Return what plays here; compiles.

        Raises
        ------
        PolicyError
            When a policy cannot be compiled.
        """
        return self.game.engine(self.strategies, self.settings, self.seed)

    def order(self) -> Order:
        """Return how to make the same engine elsewhere.

        Raises
        ------
        BadInputError
            When a user's file can no longer be read.
        """
        sources: dict[str, bytes] = {}
        files = []
        for name in dict.fromkeys(file for each in self.strategies for file in files_of(each.given, self.game)):
            beside = [_Sent(name, Path(name).name, _read(Path(name))), *_neighbours(Path(name))]
            sources |= {sent.digest: sent.source for sent in beside}
            files.append({"name": name, "parts": [[sent.shown, sent.place, sent.digest] for sent in beside]})
        recipe = {
            "game": self.game.name,
            "engine": {"name": "engine sources", "hash": self.game.engine_digest},
            "strategies": [{"given": each.given, **_named(each)} for each in self.strategies],
            "settings": [setting.as_dict() for setting in self.settings],
            "seed": self.seed,
            "files": files,
        }
        return Order(engine_of, recipe, sources)


def engine_of(recipe: Mapping[str, Any], sources: Mapping[str, bytes]) -> Engine:
    """Return the engine of a recipe that was ordered, perhaps by another machine.

    Raises
    ------
    BadInputError
        When a strategy is not there, or is another one here.
    PolicyError
        When a policy cannot be compiled.
    """
    house = HOUSES.get(recipe["game"])
    if house is None:
        raise BadInputError(f"there is no game {recipe['game']!r} there; install the same at both places")
    game = house.game
    here = {"name": "engine sources", "hash": game.engine_digest}
    _expect({"engine": here}, {"engine": recipe["engine"]})
    with TemporaryDirectory(prefix="woolsim-") as folder:
        files, shown = _written(recipe["files"], sources, Path(folder))
        with _named_as(shown):
            specs = [with_files(each["given"], files.__getitem__, game) for each in recipe["strategies"]]
            strategies = [strategy(spec, game) for spec in specs]
            _forget_modules_in(Path(folder))
            for one, each in zip(strategies, recipe["strategies"], strict=True):
                there = {"strategy": {"name": each["name"], "hash": each["hash"]}}
                _expect({"strategy": {"name": each["name"], "hash": source_digest(one)}}, there)
            settings = [game.setting(each) for each in recipe["settings"]]
            engine = game.engine(strategies, settings, recipe["seed"])
    return _Relocated(engine, shown) if shown else engine


class _Relocated:
    """An engine whose faults name users' files as their users do."""

    def __init__(self, engine: Engine, shown: Mapping[str, str]) -> None:
        self._engine, self._shown = engine, shown

    @property
    def strategies(self) -> tuple[Strategy, ...]:
        """Who plays."""
        return self._engine.strategies

    def play(self, tables: Tables, *, compared: bool) -> FieldSums:
        """Play units of games."""
        with _named_as(self._shown):
            return self._engine.play(tables, compared=compared)

    def progress(self) -> list[tuple[int, int]]:
        """Return what is in flight."""
        return self._engine.progress()

    def last_asked(self, block: int) -> tuple[str, Sitting] | None:
        """Return who was asked last."""
        asked = self._engine.last_asked(block)
        return asked and (_renamed(asked[0], self._shown), asked[1])

    def stop(self) -> None:
        """Let the blocks in flight end."""
        self._engine.stop()


@dataclass(frozen=True)
class _Sent:
    """A file that is sent: its name in messages, its place beside the user's file, and what is in it."""

    shown: str
    place: str
    source: bytes

    @property
    def digest(self) -> str:
        """SHA-256 of what is in it."""
        return sha256(self.source).hexdigest()


def _named(one: Strategy) -> dict[str, str]:
    return {"name": one.spec, "hash": source_digest(one)}


def _expect(here: Mapping[str, Any], there: Mapping[str, Any]) -> None:
    """Refuse another source than the sender's."""
    found = difference(here, there)
    if found:
        raise BadInputError(f"{found}; the same sources and packages are needed at both places")


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise BadInputError(f"{path}: cannot be read: {error.strerror}") from None


def _neighbours(path: Path) -> Iterator[_Sent]:
    """Yield the files beside a user's file that it imports, or that these import."""
    folder, seen = path.absolute().parent, set[Path]()
    todo = [(path.absolute(), "")]
    for file, package in todo:
        for name in _imported(_read(file), package):
            found = _file_of(name, folder)
            if found is not None and found not in seen:
                seen.add(found)
                is_package = found.name == "__init__.py"
                todo.append((found, name if is_package else name.rpartition(".")[0]))
                yield _Sent(str(found), found.relative_to(folder).as_posix(), _read(found))


def _imported(source: bytes, package: str) -> Iterator[str]:
    """Yield the modules that a source imports, and the packages they are in."""
    for node in ast.walk(ast.parse(source)):
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            above = package.split(".")[: len(package.split(".")) - node.level + 1] if node.level else []
            base = ".".join([*above, *filter(None, [node.module])])
            names = [base, *(f"{base}.{alias.name}" for alias in node.names)]
        for name in names:
            parts = name.split(".")
            yield from (".".join(parts[:end]) for end in range(1, len(parts) + 1))


def _file_of(name: str, folder: Path) -> Path | None:
    """Return the file of a module if it was found in a folder of users' files."""
    file = getattr(sys.modules.get(name), "__file__", None)
    if file is None or name.partition(".")[0] in _OUR_PACKAGES:
        return None
    place = folder.joinpath(*name.split("."))
    return Path(file) if Path(file) in {place.with_suffix(".py"), place / "__init__.py"} else None


def _written(
    files: Sequence[Mapping[str, Any]], sources: Mapping[str, bytes], folder: Path
) -> tuple[dict[str, str], dict[str, str]]:
    """Write users' files, each with its neighbours into a folder of its own.

    Returns
    -------
    files : dict
        Where each is now, by the name that its user gave.
    shown : dict
        What messages call each, by where it is now.
    """
    places, shown = {}, {}
    for at, file in enumerate(files):
        for name, place, digest in file["parts"]:
            path = folder / str(at) / place
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(sources[digest])
            shown[str(path)] = name
        places[file["name"]] = str(folder / str(at) / Path(file["name"]).name)
    return places, shown


def _renamed(text: str, shown: Mapping[str, str]) -> str:
    for path, name in shown.items():
        text = text.replace(path, name)
    return text


@contextmanager
def _named_as(shown: Mapping[str, str]) -> Iterator[None]:
    """Let errors of ours name files as their users do."""
    try:
        yield
    except GameFaultError as error:
        raise GameFaultError(_renamed(str(error), shown), error.sitting) from None
    except WoolsimError as error:
        raise type(error)(_renamed(str(error), shown)) from None


def _forget_modules_in(folder: Path) -> None:
    """Let the next user's file import its own neighbours, though they may have the same names."""
    for name, module in list(sys.modules.items()):
        places = [getattr(module, "__file__", None), *(getattr(module, "__path__", None) or ())]
        if any(place is not None and Path(place).is_relative_to(folder) for place in places):
            del sys.modules[name]
