"""What is assumed, as reports say it: the deck, and where the rulebook leaves something open."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from analyzer.wool_rules.rules import Rules
from reports.export import RECONSTRUCTED


def _wool_rules(rules: Rules) -> list[str]:
    """Say how what the rulebook of Wool Rules leaves open is decided, with the numbers of the rules in force."""
    low, high = min(rules.table_numbers), max(rules.table_numbers)
    lost, under = rules.dogless_discard, rules.black_sheep_below
    plain = "26+ stands beside 26" if rules.plain_26 else "26 can be bid as 26+ only"
    flock = f"its {lost} lowest white sheep, ties to the lowest card number" if lost else "nothing"
    return [
        f"Bids run from 14 to 26, and {plain}: 26+ asks for 26, costs a chip at the reveal and goes before every other "
        "bid.",
        f"The numbers on the backs of the bidding tables, {low} to {high}, are dealt at random; they break ties until "
        "a player has a flock, the sheep number of its top card afterwards.",
        "Who fails gets a chip, but none when the supply is empty.",
        f"A flock without a dog loses {flock}.",
        "The highest score wins; a tie is shared, each of k winners has 1/k of the victory.",
        "A malus always subtracts; bonus and chips are optional on every attempt, the whole bonus first, then each "
        "chip adds 1.",
        f"Under {under} after the third attempt, with black sheep on the table, the player may lift the result to "
        f"{under} with bonus and chips; it stays a failure.",
        "With nothing left a turn is skipped. The last player of three to six takes everything left without rolling; "
        "with two both roll, and what then remains goes to who went first.",
        f"Most dogs, alone or tied, are worth {rules.dog_most} points, a single dog {rules.dog_single}; two or more "
        f"dogs score nothing by themselves; the bone brings {rules.bone_per_dog} per dog, also for one.",
    ]


_RULINGS: Final[Mapping[str, Callable[[Any], list[str]]]] = {"wool-rules": lambda setting: _wool_rules(setting.rules)}
"""By the name of the game: what is said of a setting."""


def assumed(game: str, settings: Sequence[Any], *, others: int = 0) -> list[str]:
    """Say what figures of a game assume.

    Parameters
    ----------
    game : str
    settings : sequence of Setting
        It was played with.
    others : int
        How many other decks were drawn from the first one.
    """
    said = [line for setting in settings for line in _of_setting(setting)]
    if others:
        said.append(
            f"{others} other decks are drawn from that one, as plausible (assumption): its own cards, their points and "
            "modifiers moved by at most one."
        )
    if game in _RULINGS:
        said += [line for setting in settings for line in _RULINGS[game](setting)]
    return list(dict.fromkeys(said))


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
