"""All chance of one game, read anew from the published generator: imports nothing of ours.

SplitMix64 (Steele, Lea, Flood 2014) with a key and an odd step for each seed; a draw lies at counter
game (40 bits) | purpose (8) | index (16). Numbers below n come from 32 bits by multiplication, several from the same
bits by going on with the fraction (Brackett-Rozinsky, Lemire 2025), unless the last fraction says the bits are unfair.
"""

from collections.abc import Sequence

MASK = 2**64 - 1
LOW = 2**32 - 1
DECK, TABLE_NUMBERS, TURN_DICE, DECISIONS = 2, 3, 4, 5
SLOTS = ("bid", "accept", "hold", "save", "pick", "steal", "top")


def mix(z: int) -> int:
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & MASK
    z = (z ^ z >> 27) * 0x94D049BB133111EB & MASK
    return z ^ z >> 31


def stream(seed: int) -> tuple[int, int]:
    """Key and step of a seed, as the paper chooses its gamma."""
    z = (seed + 0x9E3779B97F4A7C15) & MASK
    z = (z ^ z >> 33) * 0xFF51AFD7ED558CCD & MASK
    z = (z ^ z >> 33) * 0xC4CEB9FE1A85EC53 & MASK
    step = (z ^ z >> 33) | 1
    if (step ^ step >> 1).bit_count() < 24:
        step ^= 0xAAAAAAAAAAAAAAAA
    return mix(seed), step


def fair(bits: int, sizes: Sequence[int]) -> list[int] | None:
    """Numbers below the sizes from 32 bits, None when these bits must be rejected."""
    numbers, ways = [], 1
    for n in sizes:
        numbers.append(bits * n >> 32)
        bits = bits * n & LOW
        ways *= n
    return numbers if bits >= 2**32 % ways else None


class EngineTape:
    """The tape of game `game` of seed `seed`."""

    def __init__(self, seed: int, game: int, players: int, rules: dict) -> None:
        self.key, self.step = stream(seed)
        self.game = game
        self.sides = rules["dice"]
        self.deck = self._shuffled(DECK, list(range(60)))
        self.table_numbers = self._shuffled(TABLE_NUMBERS, list(rules["table_numbers"]))[:players]

    def word(self, purpose: int, index: int) -> int:
        place = self.game << 24 | purpose << 16 | index
        return mix((self.key + (place + 1) * self.step) & MASK)

    def _shuffled(self, purpose: int, items: list[int]) -> list[int]:
        """Fisher and Yates' shuffle from the end, four swaps from each draw; a rejected draw goes 64 places on."""
        for batch, last in enumerate(range(len(items) - 1, 0, -4)):
            sizes = [last + 1 - i for i in range(min(4, last))]
            index, others = batch, None
            while others is None:
                others = fair(self.word(purpose, index) >> 32, sizes)
                index += 64
            for at, other in zip(range(last, 0, -1), others, strict=False):
                items[at], items[other] = items[other], items[at]
        return items

    def roll(self, round: int, seat: int, attempt: int, free: tuple[int, ...]) -> list[int]:  # noqa: A002
        """Attempts 1 and 2: upper and lower half of one word; attempt 3: upper half of the next; two on if unfair."""
        index = (round << 3 | seat) << 5 | (attempt == 3)
        faces = None
        while faces is None:
            word = self.word(TURN_DICE, index)
            faces = fair(word & LOW if attempt == 2 else word >> 32, [self.sides[die] for die in free])
            index += 2
        return [face + 1 for face in faces]

    def draws(self, round: int, seat: int, slot: str, call: int) -> list[float]:  # noqa: A002
        index = (((round << 3 | seat) << 3 | SLOTS.index(slot)) << 3 | call) << 2
        return [(self.word(DECISIONS, index + i) >> 11) * 2.0**-53 for i in range(4)]
