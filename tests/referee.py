"""Referee for the log of one game of Wool Rules: replays the game from the log alone and stops at the first foul.

Nothing of the program under test is imported. The referee knows the rules (rulings R1 to R21 of the design page
``wool_rules.md``) and the log format of the same page, and it owns no dice and no deck order: whatever chance or a
player decided is read from the log and only judged for legality; whatever follows from the rules is worked out here
and must stand in the log exactly so, event by event, field by field.

What it cannot know, and so lets pass: the order of the deck, the deal of table numbers and the faces of free dice
(any legal ones), which of several legal decisions a strategy makes, and whether strategies, seed and game number are
those that produced the log.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NoReturn

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

Event = dict[str, Any]

STANDARD: dict[str, Any] = {
    "plain_26": True,
    "chips_total": 25,
    "chips_start": 2,
    "dice": [12, 10, 8],
    "table_numbers": [52, 53, 54, 55, 56, 57],
    "cards_per_attempt": [3, 2, 1],
    "black_sheep_below": 14,
    "dog_single": 9,
    "dog_most": -5,
    "bone_per_dog": 4,
    "three_seven_zero": [3, 14, 0],
    "zero_zero_seven": [0, 0, 21],
    "dogless_discard": 2,
    "memory": "perfect",
}
NOT_NEGATIVE = ("chips_total", "chips_start", "dogless_discard")
MEMORIES = ("perfect", "table")
SHEEP = ("white", "black", "3-7-0", "0-0-7")
OTHER_CARDS = ("dog", "bone")
LOWEST_BID, HIGHEST_BID, HIGHEST_BID_PLUS = 14, 26, "26+"
ATTEMPTS = (1, 2, 3)
TRIO = 3
FORMAT = "log format"

# --- The log format -------------------------------------------------------------------------------------------------

INT, BOOL, NUMBER, TEXT = "a whole number", "true or false", "a number", "a text"
INTS, TEXTS, INT_OR_NULL, OBJECT = "a list of whole numbers", "a list of texts", "a whole number or null", "an object"

TURN = {"round": INT, "seat": INT}
FIELDS: dict[str, dict[str, str]] = {
    "setup": {"players": INT, "strategies": TEXTS, "seed": INT, "game": INT, "deck": INTS, "table_numbers": INTS}
    | {"chips": INTS, "rules": OBJECT},
    "layout": {"round": INT, "cards": INTS},
    "bid": TURN | {"bid": TEXT, "chips": INT},
    "order": {"round": INT, "seats": INTS},
    "roll": TURN | {"attempt": INT, "dice": INTS, "total": INT, "modifier": INT, "result": INT},
    "hold": TURN | {"attempt": INT, "die": INT},
    "accept": TURN | {"attempt": INT, "bonus_used": INT, "chips_spent": INT, "forced": BOOL},
    "decline": TURN | {"attempt": INT},
    "save": TURN | {"bonus_used": INT, "chips_spent": INT},
    "take": TURN | {"cards": INTS, "reason": TEXT, "top": INT_OR_NULL, "bone_from": INT_OR_NULL},
    "chip": TURN | {"chips": INT},
    "skip": TURN,
    "score": {"seat": INT, "white": INT, "black": INT, "three_seven_zero": INT, "zero_zero_seven": INT, "dogs": INT}
    | {"most_dogs": INT, "bone": INT, "chips": INT, "discarded": INTS, "total": INT},
    "end": {"winners": INTS, "win_share": NUMBER},
}
"""Every event with exactly its fields and their types."""


def is_int(value: object) -> bool:
    """Whether the value is a whole number, and not a truth value."""
    return type(value) is int


IS: dict[str, Callable[[Any], bool]] = {
    INT: is_int,
    BOOL: lambda value: type(value) is bool,
    NUMBER: lambda value: type(value) in (int, float),
    TEXT: lambda value: type(value) is str,
    INTS: lambda value: type(value) is list and all(map(is_int, value)),
    TEXTS: lambda value: type(value) is list and all(type(item) is str for item in value),
    INT_OR_NULL: lambda value: value is None or is_int(value),
    OBJECT: lambda value: type(value) is dict,
}


class Foul(AssertionError):  # noqa: N818 - the word of the game
    """An event that breaks a ruling: the message says which event, which ruling and why."""


@dataclass
class Verdict:
    """What happened in a game without a foul."""

    players: int
    rounds: int
    scores: list[int] = field(default_factory=list)
    winners: list[int] = field(default_factory=list)
    rolls: int = 0
    failures: int = 0
    black_sheep_takings: int = 0
    steals: int = 0
    saves: int = 0
    skips: int = 0


@dataclass(frozen=True)
class Card:
    """One row of the deck file; numbers that a card does not have are 0."""

    card: int
    kind: str
    points: int
    modifier: int
    bone_symbol: bool
    sheep_number: int

    @property
    def is_sheep(self) -> bool:
        """Whether the card joins the flock."""
        return self.kind in SHEEP


@dataclass
class Seat:
    """What lies in front of one player; `top` is the top card of the flock, None without a flock."""

    chips: int
    table_number: int
    cards: list[int] = field(default_factory=list)
    top: Card | None = None

    @property
    def modifier(self) -> int:
        """R12: only the top card matters."""
        return self.top.modifier if self.top else 0

    @property
    def sheep_number(self) -> int:
        """R3: the top card's number, the bidding table's until there is a flock."""
        return self.top.sheep_number if self.top else self.table_number


@dataclass
class Turn:
    """One dice action; `held` are the positions of the dice set aside, `result` includes the malus."""

    round: int
    seat: int
    target: int
    attempt: int = 0
    dice: list[int] = field(default_factory=list)
    held: set[int] = field(default_factory=set)
    result: int = 0


@dataclass
class Game:
    """The log with the place where the referee is, and the state of the game after the events read so far."""

    log: Sequence[Event]
    deck: dict[int, Card]
    verdict: Verdict
    rules: dict[str, Any] = field(default_factory=lambda: dict(STANDARD))
    index: int = -1
    seats: list[Seat] = field(default_factory=list)
    face_down: list[int] = field(default_factory=list)
    table: list[int] = field(default_factory=list)
    chip_supply: int = 0

    @property
    def players(self) -> int:
        """How many play."""
        return len(self.seats)

    def foul(self, ruling: str, why: str, ahead: int = 0) -> NoReturn:
        """Stop at the event being judged, or at the one `ahead` of it."""
        index = self.index + ahead
        content = repr(self.log[index]) if index < len(self.log) else "(the log has ended)"
        raise Foul(f"event {index} {content} breaks {ruling}: {why}")

    def next_kind(self) -> object:
        """Name of the next event, None at the end of the log."""
        ahead = self.index + 1
        event = self.log[ahead] if ahead < len(self.log) else None
        return event.get("event") if isinstance(event, dict) else None

    def forbid(self, kinds: tuple[str, ...], ruling: str, why: str) -> None:
        """The next event must be none of these."""
        if self.next_kind() in kinds:
            self.foul(ruling, why, ahead=1)

    def expect(self, kind: str, ruling: str, **fields: object) -> Event:
        """Read the next event, which must be of this kind, in the right format and with these values."""
        conserve(self)
        if self.next_kind() != kind:
            self.foul(ruling, f"the event here must be: {kind}", ahead=1)
        self.index += 1
        check_format(self, kind)
        self.must(ruling, **fields)
        return self.log[self.index]

    def must(self, ruling: str, **fields: object) -> None:
        """The event being judged must have these values."""
        event = self.log[self.index]
        for name, value in fields.items():
            if event[name] != value:
                self.foul(ruling, f"{name} is {event[name]!r} but must be {value!r}")

    def check(self, ruling: str, fact: bool, why: str) -> None:
        """The event being judged must satisfy this."""
        if not fact:
            self.foul(ruling, why)


def check_format(game: Game, kind: str) -> None:
    """Log format: exactly the fields of the page, with their types."""
    event, fields = game.log[game.index], FIELDS[kind]
    missing = [name for name in fields if name not in event]
    extra = [name for name in event if name not in fields and name != "event"]
    game.check(FORMAT, not missing, f"{kind} lacks {missing}")
    game.check(FORMAT, not extra, f"{kind} has no field {extra}")
    for name, type_ in fields.items():
        game.check(FORMAT, IS[type_](event[name]), f"{name} is {event[name]!r}, not {type_}")


def conserve(game: Game) -> None:
    """Components: every card is in exactly one place and every chip is somewhere, after every event."""
    if not game.seats:
        return
    places = [game.face_down, game.table, *(seat.cards for seat in game.seats)]
    cards = sorted(card for place in places for card in place)
    game.check("conservation", cards == sorted(game.deck), f"the cards in the game are now {cards}")
    chips = [game.chip_supply, *(seat.chips for seat in game.seats)]
    game.check("conservation", min(chips) >= 0, f"supply and seats now have {chips} chips")
    game.check("conservation", sum(chips) == game.rules["chips_total"], f"there are now {sum(chips)} chips")


# --- Materials and preparation --------------------------------------------------------------------------------------


def read_deck(rows: Sequence[Mapping[str, str]]) -> dict[int, Card]:
    """Cards of the deck file by card number."""

    def number(row: Mapping[str, str], column: str) -> int:
        return int(row[column] or 0)

    deck = {}
    for row in rows:
        numbers = [number(row, name) for name in ("points", "modifier", "bone_symbol", "sheep_number")]
        card = Card(int(row["card"]), row["kind"], numbers[0], numbers[1], bool(numbers[2]), numbers[3])
        if card.kind not in SHEEP + OTHER_CARDS or card.card in deck:
            raise ValueError(f"the deck has an unknown kind or a repeated card: {row}")
        deck[card.card] = card
    if sum(card.kind == "bone" for card in deck.values()) > 1:
        raise ValueError("the deck has more than one bone")
    return deck


def preparation(game: Game) -> None:
    """Components: players, cards, chips and bidding tables of the setup event."""
    setup = game.expect("setup", "components")
    players = setup["players"]
    game.check("components", players in range(2, 7), f"{players} players")
    game.check(FORMAT, len(setup["strategies"]) == players, "strategies needs one spec a seat")
    game.check(FORMAT, all(spec.strip() for spec in setup["strategies"]), "a strategy has no name")
    game.check(FORMAT, setup["game"] >= 0, "games count from 0")
    game.rules |= changed_rules(game, setup["rules"], players)
    rules = game.rules
    game.check("components", sorted(setup["deck"]) == sorted(game.deck), "deck must have every card once")
    numbers = setup["table_numbers"]
    game.check("components", len(set(numbers)) == len(numbers) == players, "one table number a seat, no two alike")
    game.check("components", set(numbers) <= set(rules["table_numbers"]), f"tables are {rules['table_numbers']}")
    game.must("components", chips=[rules["chips_start"]] * players)
    game.seats = [Seat(rules["chips_start"], number) for number in numbers]
    game.face_down = list(setup["deck"])
    game.chip_supply = rules["chips_total"] - rules["chips_start"] * players


def changed_rules(game: Game, changed: Event, players: int) -> Event:
    """Rules file: known keys, values of the standard's type that differ from it and are possible."""
    for name, value in changed.items():
        game.check("rules", name in STANDARD, f"no rule is called {name!r}")
        standard = STANDARD[name]
        game.check("rules", type(value) is type(standard), f"{name} is {value!r}")
        game.check("rules", value != standard, f"{name} is standard and so does not belong in the log")
        if isinstance(standard, list):
            enough = len(value) >= players if name == "table_numbers" else len(value) == len(standard)
            game.check("rules", IS[INTS](value) and enough, f"{name} is {value!r}")
    rules = STANDARD | changed
    game.check("rules", all(rules[name] >= 0 for name in NOT_NEGATIVE), f"one of {NOT_NEGATIVE} is negative")
    game.check("rules", rules["chips_total"] >= rules["chips_start"] * players, "not enough chips to start with")
    game.check("rules", min(rules["dice"]) >= 1 and len(set(rules["dice"])) == 3, f"dice are {rules['dice']}")
    game.check("rules", min(rules["cards_per_attempt"]) >= 0, "cards_per_attempt has a negative number")
    game.check("rules", rules["memory"] in MEMORIES, f"memory is one of {MEMORIES}")
    numbers, sheep = rules["table_numbers"], {card.sheep_number for card in game.deck.values() if card.is_sheep}
    game.check("rules", len(set(numbers)) == len(numbers), "two bidding tables have the same number")
    game.check("rules", not sheep & set(numbers), "a bidding table has the number of a sheep")
    return changed


# --- Sequence of a round --------------------------------------------------------------------------------------------


def play_round(game: Game, round_: int) -> None:
    """Sequence of a round: lay out cards, place bids, carry out dice actions."""
    lay_out_cards(game, round_)
    bids = place_bids(game, round_)
    order = turn_order(game, bids)
    game.expect("order", "R2, R3", round=round_, seats=order)
    for seat in order:
        take_turn(game, round_, seat, target_of(bids[seat]), is_last=seat == order[-1])
    leftover(game, round_, order[0])
    game.check("R16", not game.table, "cards are still on the table at the end of a round")


def cards_a_round(players: int) -> int:
    """Lay out cards: one more than there are players."""
    return players + 1


def lay_out_cards(game: Game, round_: int) -> None:
    """Lay out cards, R14: the next cards of the supply, in the last round those that are left."""
    number = cards_a_round(game.players)
    game.expect("layout", "R14", round=round_, cards=game.face_down[:number])
    game.table, game.face_down = game.face_down[:number], game.face_down[number:]


def place_bids(game: Game, round_: int) -> list[str]:
    """R2: in seat order; 26+ needs a chip and costs it."""
    bids = []
    for seat, player in enumerate(game.seats):
        bid = game.expect("bid", FORMAT, round=round_, seat=seat)["bid"]
        legal = legal_bids(game.rules)
        game.check("R2", bid in legal, f"{bid!r} is none of the bids {legal}")
        if bid == HIGHEST_BID_PLUS:
            game.check("R2", player.chips >= 1, "26+ without a chip")
            pay(game, player, 1)
        game.must("R2", chips=player.chips)
        bids.append(bid)
    return bids


def legal_bids(rules: Event) -> list[str]:
    """Components: 14 to 26 and 26+; whether a plain 26 exists is an option."""
    plain = range(LOWEST_BID, HIGHEST_BID + bool(rules["plain_26"]))
    return [*map(str, plain), HIGHEST_BID_PLUS]


def target_of(bid: str) -> int:
    """R2: the target of 26+ is 26."""
    return HIGHEST_BID if bid == HIGHEST_BID_PLUS else int(bid)


def turn_order(game: Game, bids: list[str]) -> list[int]:
    """R2: 26+ before all others, then the higher bid; R3: ties to the lower sheep number."""

    def place(seat: int) -> tuple[bool, int, int]:
        return bids[seat] != HIGHEST_BID_PLUS, -target_of(bids[seat]), game.seats[seat].sheep_number

    return sorted(range(game.players), key=place)


def take_turn(game: Game, round_: int, seat: int, target: int, *, is_last: bool) -> None:
    """R10: skipped when nothing is left; R11: the last of three or more takes the rest; all others roll."""
    if not game.table:
        game.expect("skip", "R10", round=round_, seat=seat)
        game.verdict.skips += 1
        return
    game.forbid(("skip",), "R10", "cards are left on the table")
    if is_last and game.players > 2:
        game.forbid(("roll",), "R11", "the last player does not roll")
        take(game, "R11", round_, seat, "rest", game.table)
    else:
        dice_action(game, Turn(round_, seat, target))


def leftover(game: Game, round_: int, first: int) -> None:
    """R15: with two players, what is left after both turns goes to the one who went first."""
    if game.players == 2 and game.table:
        take(game, "R15", round_, first, "leftover", game.table)


# --- Carry out dice actions -----------------------------------------------------------------------------------------


def dice_action(game: Game, turn: Turn) -> None:
    """Carry out dice actions: at most three attempts, ended by the first success."""
    for attempt in ATTEMPTS:
        turn.attempt = attempt
        roll(game, turn)
        if succeeds(game, turn):
            take_entitlement(game, turn)
            return
        if attempt != ATTEMPTS[-1]:
            set_aside(game, turn)
    failure(game, turn)


def roll(game: Game, turn: Turn) -> None:
    """R7: dice set aside keep their faces; R4: the malus of the top card counts, its bonus not yet."""
    event = game.expect("roll", "R2, R3", round=turn.round, seat=turn.seat)
    game.must("R7", attempt=turn.attempt)
    dice, sides = event["dice"], game.rules["dice"]
    game.check("components", len(dice) == len(sides), f"there are {len(sides)} dice")
    in_range = all(face in range(1, most + 1) for face, most in zip(dice, sides, strict=True))
    game.check("components", in_range, f"faces are 1 to {sides}")
    for position in turn.held:
        game.check("R7", dice[position] == turn.dice[position], f"the d{sides[position]} was set aside")
    modifier, total = game.seats[turn.seat].modifier, sum(dice)
    game.must("R4", total=total)
    game.must("R12", modifier=modifier)
    game.must("R4", result=total + min(modifier, 0))
    turn.dice, turn.result = dice, total + min(modifier, 0)
    game.verdict.rolls += 1


def help_needed(player: Seat, result: int, goal: int) -> tuple[int, int]:
    """R6, R9: the whole bonus first, then the chips still needed; none of either once the goal is reached."""
    bonus = max(player.modifier, 0) if result < goal else 0
    return bonus, max(goal - result - bonus, 0)


def succeeds(game: Game, turn: Turn) -> bool:
    """R1, R5, R6: forced when reached without help, a choice when help suffices, otherwise impossible."""
    player = game.seats[turn.seat]
    bonus, chips = help_needed(player, turn.result, turn.target)
    forced = turn.result >= turn.target
    where = {"round": turn.round, "seat": turn.seat, "attempt": turn.attempt}
    if chips > player.chips:
        why = f"{turn.result} is short of {turn.target}, bonus and {player.chips} chips included"
        game.forbid(("accept", "decline"), "R6", why)
        return False
    if not forced and game.next_kind() == "decline":
        game.expect("decline", "R6", **where)
        return False
    game.expect("accept", "R5" if forced else "R6", **where)
    game.must("R6", bonus_used=bonus, chips_spent=chips)
    game.must("R5", forced=forced)
    pay(game, player, chips)
    return True


def set_aside(game: Game, turn: Turn) -> None:
    """R7: exactly one free die before each reroll."""
    event = game.expect("hold", "R7", round=turn.round, seat=turn.seat, attempt=turn.attempt)
    sides = game.rules["dice"]
    game.check("R7", event["die"] in sides, f"the dice are {sides}")
    position = sides.index(event["die"])
    game.check("R7", position not in turn.held, "this die is already set aside")
    turn.held.add(position)


def failure(game: Game, turn: Turn) -> None:
    """R9, then R8: black sheep or their price first, then one chip from the supply unless it is empty."""
    game.verdict.failures += 1
    under(game, turn)
    player = game.seats[turn.seat]
    if not game.chip_supply:
        game.forbid(("chip",), "R8", "the supply is empty")
        return
    game.expect("chip", "R8", round=turn.round, seat=turn.seat, chips=player.chips + 1)
    pay(game, player, -1)


def under(game: Game, turn: Turn) -> None:
    """R9: a result too low takes all black sheep on the table unless the player lifts it."""
    below, player = game.rules["black_sheep_below"], game.seats[turn.seat]
    black = [card for card in game.table if game.deck[card].kind == "black"]
    if turn.result >= below or not black:
        game.forbid(("save",), "R9", "no black sheep threaten")
        return
    bonus, chips = help_needed(player, turn.result, below)
    if game.next_kind() == "save":
        game.expect("save", "R9", round=turn.round, seat=turn.seat)
        game.check("R9", turn.target > below, "lifting would have made the bid, which was declined")
        game.check("R9", chips <= player.chips, f"saving needs {chips} chips of {player.chips}")
        game.must("R9", bonus_used=bonus, chips_spent=chips)
        pay(game, player, chips)
        game.verdict.saves += 1
        return
    take(game, "R9", turn.round, turn.seat, "black sheep", black)
    game.verdict.black_sheep_takings += 1


def pay(game: Game, player: Seat, chips: int) -> None:
    """R4: chips spent go to the supply; a negative number comes from it."""
    player.chips -= chips
    game.chip_supply += chips


# --- What you do with the cards -------------------------------------------------------------------------------------


def take_entitlement(game: Game, turn: Turn) -> None:
    """R5: three, two or one card by attempt, or what is left; in table order when there is no choice."""
    number = game.rules["cards_per_attempt"][turn.attempt - 1]
    if number == 0:
        return
    no_choice = number >= len(game.table)
    event = take(game, "R5", turn.round, turn.seat, "success", game.table if no_choice else None)
    game.check("R5", no_choice or len(event["cards"]) == number, f"the player must take {number} cards")


def take(game: Game, ruling: str, round_: int, seat: int, reason: str, cards: list[int] | None) -> Event:
    """One taking from the table: these cards in this order, or any that lie there when `cards` is None."""
    event = game.expect("take", ruling, round=round_, seat=seat, reason=reason)
    if cards is not None:
        game.must(ruling, cards=list(cards))
    taken = event["cards"]
    game.check(ruling, len(set(taken)) == len(taken), "a card is taken twice")
    game.check(ruling, set(taken) <= set(game.table), f"on the table are only {game.table}")
    game.table = [card for card in game.table if card not in taken]
    game.seats[seat].cards += taken
    steal_bone(game, event)
    new_top(game, event)
    return event


def bone_owner(game: Game) -> int | None:
    """R20: the seat in front of which the bone lies."""
    bones = [card.card for card in game.deck.values() if card.kind == "bone"]
    return next((index for index, seat in enumerate(game.seats) if set(bones) & set(seat.cards)), None)


def steal_bone(game: Game, event: Event) -> None:
    """R13: a sheep with a bone symbol in this taking lets the player take the bone of an opponent."""
    if event["bone_from"] is None:
        return
    owner = bone_owner(game)
    symbol = any(game.deck[card].is_sheep and game.deck[card].bone_symbol for card in event["cards"])
    game.check("R13", symbol, "no sheep with a bone symbol was taken")
    game.check("R13", owner != event["seat"], "the player has the bone already")
    game.must("R13", bone_from=owner)
    loser, taker = game.seats[event["bone_from"]], game.seats[event["seat"]]
    bone = next(card for card in loser.cards if game.deck[card].kind == "bone")
    loser.cards.remove(bone)
    taker.cards.append(bone)
    game.verdict.steals += 1


def new_top(game: Game, event: Event) -> None:
    """R12: one of the sheep just taken lies on top; without sheep the flock stays as it was."""
    player = game.seats[event["seat"]]
    sheep = [card for card in event["cards"] if game.deck[card].is_sheep]
    if not sheep:
        game.must("R12", top=player.top.card if player.top else None)
        return
    game.check("R12", event["top"] in sheep, f"the sheep just taken are {sheep}")
    player.top = game.deck[event["top"]]


# --- End of the game and winner -------------------------------------------------------------------------------------


def count_sheep(game: Game) -> None:
    """R16: the score events, in seat order."""
    for seat in range(game.players):
        game.expect("score", "R16", seat=seat)
        rulings = score(game, seat)
        for ruling, fields in rulings:
            game.must(ruling, **fields)
        total = sum(value for _, fields in rulings for name, value in fields.items() if name != "discarded")
        game.must("R16", total=total)
        game.verdict.scores.append(total)


def score(game: Game, seat: int) -> list[tuple[str, Event]]:
    """R16: the parts of one seat's score, each with its ruling."""
    rules = game.rules
    dogs, lost = dogs_of(game, seat), discarded(game, seat)
    white = sum(card.points for card in own(game, seat, "white") if card.card not in lost)
    black = sum(card.points for card in own(game, seat, "black"))
    most = max(dogs_of(game, other) for other in range(game.players))
    return [
        ("R19", {"discarded": lost, "white": white}),
        ("R16", {"black": black}),
        ("R17", {"three_seven_zero": trios(len(own(game, seat, "3-7-0")), rules["three_seven_zero"])}),
        ("R18", {"zero_zero_seven": trios(len(own(game, seat, "0-0-7")), rules["zero_zero_seven"])}),
        ("R19", {"dogs": rules["dog_single"] if dogs == 1 else 0}),
        ("R19", {"most_dogs": rules["dog_most"] if dogs and dogs == most else 0}),
        ("R20", {"bone": rules["bone_per_dog"] * dogs if bone_owner(game) == seat else 0}),
        ("R16", {"chips": game.seats[seat].chips}),
    ]


def own(game: Game, seat: int, kind: str) -> list[Card]:
    """R16: the cards of a kind in front of a seat."""
    cards = (game.deck[card] for card in game.seats[seat].cards)
    return [card for card in cards if card.kind == kind]


def dogs_of(game: Game, seat: int) -> int:
    """R19: how many dogs a seat has."""
    return len(own(game, seat, "dog"))


def discarded(game: Game, seat: int) -> list[int]:
    """R19: without a dog the lowest white sheep leave the flock, ties to the lowest card number."""
    if dogs_of(game, seat):
        return []
    white = sorted(own(game, seat, "white"), key=lambda card: (card.points, card.card))
    return [card.card for card in white[: game.rules["dogless_discard"]]]


def trios(number: int, points: list[int]) -> int:
    """R17, R18: full trios, then the points of the one or two cards over."""
    full, over = divmod(number, TRIO)
    return full * points[TRIO - 1] + (points[over - 1] if over else 0)


def victory(game: Game) -> None:
    """R21: the highest score wins, k winners share; nothing comes after the end."""
    scores = game.verdict.scores
    winners = [seat for seat, total in enumerate(scores) if total == max(scores)]
    game.expect("end", "R21", winners=winners, win_share=1 / len(winners))
    game.verdict.winners = winners
    if game.index + 1 < len(game.log):
        game.foul(FORMAT, "the game is over", ahead=1)


def referee(log: Sequence[Event], deck: Sequence[Mapping[str, str]]) -> Verdict:
    """Judge the log of one game.

    Parameters
    ----------
    log
        The event objects of the game, as on the design page.
    deck
        The rows of the deck file: card, kind, points, modifier, bone_symbol, sheep_number, all texts.

    Raises
    ------
    Foul
        At the first event that breaks a ruling or the log format.
    ValueError
        If the deck itself is unusable.
    """
    game = Game(log, read_deck(deck), Verdict(players=0, rounds=0))
    preparation(game)
    rounds = -(-len(game.deck) // cards_a_round(game.players))
    for round_ in range(1, rounds + 1):
        play_round(game, round_)
    game.verdict.players, game.verdict.rounds = game.players, rounds
    count_sheep(game)
    victory(game)
    return game.verdict
