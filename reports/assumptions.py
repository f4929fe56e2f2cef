"""What is assumed, as reports say it: the deck, and where the rulebook leaves something open."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from reports.export import RECONSTRUCTED

WOOL_RULES: Final[Sequence[str]] = (
    "Bids run from 14 to 26, and 26+ stands beside 26: it asks for 26, costs a chip at the reveal and goes before "
    "every other bid.",
    "The numbers on the backs of the bidding tables are 52 to 57, dealt at random; they break ties until a player has "
    "a flock, the sheep number of its top card afterwards.",
    "Who fails gets a chip, but none when the supply is empty.",
    "A flock without a dog loses its two lowest white sheep, ties to the lowest card number.",
    "The highest score wins; a tie is shared, each of k winners has 1/k of the victory.",
    "A malus always subtracts; bonus and chips are optional on every attempt, the whole bonus first, then each chip "
    "adds 1.",
    "Under 14 after the third attempt, with black sheep on the table, the player may lift the result to 14 with bonus "
    "and chips; it stays a failure.",
    "With nothing left a turn is skipped. The last player of three to six takes everything left without rolling; with "
    "two both roll, and what then remains goes to who went first.",
    "Most dogs, alone or tied, cost 5; two or more dogs score nothing by themselves; the bone brings 4 per dog, also "
    "for one.",
)

RULINGS: Final[Mapping[str, Sequence[str]]] = {"wool-rules": WOOL_RULES}
"""Where a rulebook leaves something open, by the name of the game; a rules file can change some of it."""


def assumed(game: str, settings: Sequence[Any]) -> list[str]:
    """Say what figures of a game assume that was played with these settings."""
    said = [line for setting in settings for line in _of_setting(setting)]
    return [*dict.fromkeys(said), *RULINGS.get(game, ())]


def _of_setting(setting: Any) -> list[str]:
    data = setting.as_dict()
    said = []
    if "deck" in data:
        shipped = f"{RECONSTRUCTED}; every figure of games depends on it"
        note = shipped if setting.deck.is_shipped else "the user's own"
        said.append(f"Deck {data['deck']['name']} ({data['deck']['hash']}) is {note}.")
    if "rules" in data:
        changes = data["rules"]["changes"]
        other = ": " + ", ".join(f"{key} = {value}" for key, value in changes.items()) if changes else ""
        said.append(f"Rules {data['rules']['name']} ({data['rules']['hash']}){other}.")
    return said
