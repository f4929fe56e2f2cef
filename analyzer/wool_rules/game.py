"""Wool Rules as the machinery sees it."""

from pathlib import Path
from typing import Final

from analyzer.game import Game
from analyzer.wool_rules.constants import MAX_PLAYERS, MIN_PLAYERS
from analyzer.wool_rules.engine import Engine
from analyzer.wool_rules.setting import Setting
from analyzer.wool_rules.tallies import RESULT_FIELDS

WOOL_RULES: Final = Game(
    "wool-rules", MIN_PLAYERS, MAX_PLAYERS, RESULT_FIELDS, Path(__file__).parent, Engine, Setting.from_dict
)
