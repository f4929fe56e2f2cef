"""Wool Rules as the machinery sees it. The compiler is imported by whoever plays, not by whoever asks for names."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from analyzer.errors import Sitting
from analyzer.game import Event, Game
from analyzer.slots import Strategy
from analyzer.wool_rules.constants import COUNTED, MAX_PLAYERS, MIN_PLAYERS, SCORE_PARTS
from analyzer.wool_rules.deck import read_deck, shipped_deck
from analyzer.wool_rules.rules import STANDARD, read_rules
from analyzer.wool_rules.state import SLOTS, TRUTH_SLOTS
from analyzer.wool_rules.views import VIEW_DTYPE

if TYPE_CHECKING:
    from analyzer.counted import Counted, Table
    from analyzer.wool_rules.engine import Engine
    from analyzer.wool_rules.setting import Setting


def _engine(strategies: Sequence[Strategy], settings: "Sequence[Setting]", seed: int) -> "Engine":
    from analyzer.wool_rules.engine import Engine

    return Engine(strategies, settings, seed)


def _read_setting(given: Mapping[str, str]) -> "Setting":
    from analyzer.wool_rules.setting import Setting

    rules = read_rules(Path(given["rules"])) if "rules" in given else STANDARD
    return Setting(rules, read_deck(Path(given["deck"]), rules) if "deck" in given else shipped_deck())


def _setting(data: Mapping[str, Any]) -> "Setting":
    from analyzer.wool_rules.setting import Setting

    return Setting.from_dict(data)


def _log(engine: "Engine", sitting: Sitting) -> list[Event]:
    from analyzer.wool_rules.log import log

    return log(engine, sitting)


def _unfinished_log(engine: "Engine", sitting: Sitting) -> list[Event]:
    from analyzer.wool_rules.log import unfinished_log

    return unfinished_log(engine, sitting)


def _table(name: str) -> "Callable[[Counted, Setting], Table]":
    """Return what makes a table of what is counted."""

    def made(counted: "Counted", setting: "Setting") -> "Table":
        from analyzer.wool_rules.counted_tables import TABLES

        return TABLES[name](counted, setting)

    return made


WOOL_RULES: Final = Game(
    "wool-rules",
    MIN_PLAYERS,
    MAX_PLAYERS,
    SLOTS,
    TRUTH_SLOTS,
    VIEW_DTYPE,
    SCORE_PARTS,
    COUNTED,
    options={"rules": Path, "deck": Path},
    sources=Path(__file__).parent,
    engine=_engine,
    read_setting=_read_setting,
    setting=_setting,
    log=_log,
    unfinished_log=_unfinished_log,
    tables={name: _table(name) for name in ("attempts", "calibration", "turns", "bids")},
)
