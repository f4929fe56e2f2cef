"""The story of one game, told from its log so that it can be followed with the rulebook."""

import textwrap
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from rich.cells import cell_len, chop_cells

from analyzer.wool_rules.bidding import parse_bid
from analyzer.wool_rules.constants import DOG, HIGHEST_PLAIN_BID, SCORE_PARTS
from analyzer.wool_rules.deck import Deck
from analyzer.wool_rules.rules import Rules
from reports.export import RECONSTRUCTED
from reports.standing import Standing, card_name, card_words, is_sheep, modifier_words
from reports.words import cards_words, chips_words

WIDTH: Final = 80

Event = dict[str, Any]

_ATTEMPTS: Final = {1: "1st attempt", 2: "2nd attempt", 3: "3rd attempt"}
_LAST_ATTEMPT: Final = 3

_PARTS: Final = dict(
    zip(
        SCORE_PARTS,
        ("white sheep", "black sheep", "3-7-0", "0-0-7", "single dog", "most dogs", "bone", "chips"),
        strict=True,
    )
)

_CHANGES: Final[dict[str, Callable[[Any], str]]] = {
    "plain_26": lambda _: "26 can only be bid as 26+",
    "chips_total": lambda n: f"{chips_words(n)} in all",
    "chips_start": lambda n: f"{chips_words(n)} for each player at the start",
    "dice": lambda sides: f"dice with {_and([str(n) for n in sides])} sides",
    "table_numbers": lambda numbers: f"numbers on the bidding tables {_and([str(n) for n in numbers])}",
    "cards_per_attempt": lambda n: f"{n[0]}, {n[1]} and {n[2]} cards on the 1st, 2nd and 3rd attempt",
    "black_sheep_below": lambda n: f"black sheep for a result under {n}",
    "dog_single": lambda n: f"{n} points for a single dog",
    "dog_most": lambda n: f"{n} points for the most dogs",
    "bone_per_dog": lambda n: f"{n} points of the bone for each dog",
    "three_seven_zero": lambda n: f"{n[0]}, {n[1]} and {n[2]} points for one, two and three 3-7-0",
    "zero_zero_seven": lambda n: f"{n[0]}, {n[1]} and {n[2]} points for one, two and three 0-0-7",
    "dogless_discard": lambda n: f"a flock without a dog loses {n} white sheep",
    "memory": lambda _: "players do not remember the cards taken",
}
"""What a change of the rules means, by its name in a rules file."""


def story(events: list[Event], deck: Deck, rules: Rules, *, unicode: bool = True) -> str:
    """Tell a game.

    Parameters
    ----------
    events : list of dict
        As :func:`analyzer.wool_rules.log.game_log` returns them, or their beginning where a game was broken off.
    deck : Deck
    rules : Rules
        The cards and rules it was played with.
    unicode : bool
        Whether signs beyond ASCII can be shown; otherwise they are written as escapes.

    Returns
    -------
    str
        Lines of at most 80 columns, the last one ended too.
    """
    if not events:
        return "The log is empty.\n"
    teller = _Teller(Standing(events[0], deck, rules), events[0], unicode)
    teller.tell_setup(events[0])
    for event in events[1:]:
        teller.tell(event)
    if events[-1]["event"] != "end":
        teller.break_off()
    return "\n".join(teller.lines) + "\n"


@dataclass
class _Turn:
    """The dice action that is being told."""

    seat: int
    target: int
    attempt: int = 0
    result: int = 0
    dice: list[int] = field(default_factory=list)
    aside: list[int] = field(default_factory=list)  # sides of the dice set aside
    is_under_settled: bool = False  # black sheep taken, or avoided by help
    is_over: bool = False


class _Teller:
    """Tells events one after the other."""

    def __init__(self, standing: Standing, setup: Event, unicode: bool) -> None:
        self.now, self.rules, self.unicode = standing, standing.rules, unicode
        self.rounds = -(-len(setup["deck"]) // (setup["players"] + 1))
        self.lines: list[str] = []
        self.round = 0
        self.turn: _Turn | None = None
        self.bids: list[str] = []
        self.scores: list[Event] = []

    def tell(self, event: Event) -> None:
        """Tell any event but the first."""
        kind, seat = event["event"], event.get("seat")
        if self.turn and (kind in {"layout", "score"} or seat != self.turn.seat or event.get("reason") == "leftover"):
            self._end_turn(self.turn)
        if kind != "bid":
            self._tell_bids()
        {
            "layout": self._tell_layout,
            "bid": self._tell_bid,
            "order": self._tell_order,
            "roll": self._tell_roll,
            "hold": self._tell_hold,
            "accept": self._tell_accept,
            "decline": self._tell_decline,
            "save": self._tell_save,
            "take": self._tell_take,
            "chip": self._tell_chip,
            "skip": self._tell_skip,
            "score": self._tell_score,
            "end": self._tell_end,
        }[kind](event)

    def _say(self, text: str, indent: int = 2) -> None:
        """Add a paragraph; what goes on in the next line is indented further."""
        space = " " * indent
        for line in textwrap.wrap(
            text, WIDTH, initial_indent=space, subsequent_indent=space + "  ", break_on_hyphens=False
        ):
            self.lines += [line] if cell_len(line) <= WIDTH else chop_cells(line, WIDTH)

    def _written(self, text: str) -> str:
        """Return a user's words so that they can be shown anywhere."""
        text = "".join(sign if sign.isprintable() else sign.encode("unicode_escape").decode() for sign in text)
        return text if self.unicode else text.encode("ascii", "backslashreplace").decode()

    # Before the first round

    def tell_setup(self, setup: Event) -> None:
        """Tell who plays what."""
        self._say(f"Wool Rules, {setup['players']} players: game {setup['game']} of seed {setup['seed']}", 0)
        deck = self.now.deck
        self._say(
            f"Deck {self._written(deck.name)} ({deck.digest})" + (f", {RECONSTRUCTED}" if deck.is_shipped else ""), 0
        )
        if self.rules.changes:
            words = (_CHANGES[name](value) for name, value in self.rules.changes.items())
            self._say(f"Changed rules: {'; '.join(words)}.", 0)
        self.lines.append("")
        for seat, spec in enumerate(setup["strategies"]):
            first, *more = chop_cells(f"seat {seat} ({self._written(spec)})", WIDTH - 4)
            self.lines += [f"  {first}", *(f"    {line}" for line in more)]
        chips = sorted(set(setup["chips"]))
        each = chips_words(chips[0]) if len(chips) == 1 else _and([str(n) for n in setup["chips"]]) + " chips"
        self._say(
            f"Each player starts with {each}; {self.now.chip_supply} in the supply. Sheep numbers on the bidding "
            f"tables: {_and([f'seat {seat} has {number}' for seat, number in enumerate(setup['table_numbers'])])}."
        )
        names = _and([f"d{sides}" for sides in self.rules.dice])
        self._say(f"Dice are told in the order {names}; [5] is a die set aside that shows 5.")

    # A round up to the turns

    def _tell_layout(self, event: Event) -> None:
        if self.round:
            self._show_standing(f"After round {self.round}")
        self.round = event["round"]
        self.now.lay_out(event["cards"])
        title = f"Round {self.round} of {self.rounds}"
        self.lines += ["", title, ("─" if self.unicode else "-") * len(title)]
        self._say("On the table" + (", the last cards:" if not self.now.face_down else ":"))
        for card in self.now.table:
            self._say(card_words(card), 4)

    def _tell_bid(self, event: Event) -> None:
        mine = self.now.seats[event["seat"]]
        paid = mine.chips - event["chips"]
        mine.bid, mine.chips = event["bid"], event["chips"]
        cost = f" (pays {chips_words(paid)}, {_left(mine.chips)})" if paid else ""
        self.bids.append(f"seat {event['seat']} bids {event['bid']}{cost}")

    def _tell_bids(self) -> None:
        """Tell the bids once all are revealed."""
        if self.bids:
            words = _and(self.bids)
            self._say(f"{words[0].upper()}{words[1:]}.")
        self.bids = []

    def _tell_order(self, event: Event) -> None:
        often = Counter(mine.bid for mine in self.now.seats)
        words = []
        for seat in event["seats"]:
            mine = self.now.seats[seat]
            tie = f", sheep number {mine.number}" if often[mine.bid] > 1 else ""
            words.append(f"seat {seat} ({mine.bid}{tie})")
        tied = " Tied bids: the lower sheep number goes first." if max(often.values()) > 1 else ""
        self._say(f"Turn order, the highest bid first: {', '.join(words)}.{tied}")

    # A turn

    def _begin_turn(self, seat: int) -> _Turn:
        mine = self.now.seats[seat]
        target = min(parse_bid(mine.bid, self.rules), HIGHEST_PLAIN_BID)
        self.turn = _Turn(seat, target)
        reach = f", needs {target}" if str(target) != mine.bid else ""
        self._say(
            f"Seat {seat} rolls: bid {mine.bid}{reach}, {modifier_words(mine.modifier)}, {chips_words(mine.chips)}."
        )
        return self.turn

    def _tell_roll(self, event: Event) -> None:
        turn = self.turn or self._begin_turn(event["seat"])
        turn.attempt, turn.result, turn.dice = event["attempt"], event["result"], event["dice"]
        faces = zip(self.rules.dice, turn.dice, strict=True)
        dice = " + ".join(f"[{face}]" if sides in turn.aside else str(face) for sides, face in faces)
        words = f"{_ATTEMPTS[turn.attempt]}: {dice} = {event['total']}"
        if event["modifier"] < 0:
            words += f", {event['total']} - {-event['modifier']} (malus) = {turn.result}"
        short, bonus = turn.target - turn.result, max(event["modifier"], 0)
        if short > 0:
            words += f", {short} short of {turn.target}"
            if bonus:
                words += f" ({short - bonus} short with the bonus)" if bonus < short else " (the bonus makes it)"
        self._say(words + ".", 4)

    def _tell_hold(self, event: Event) -> None:
        assert self.turn
        self.turn.aside.append(event["die"])
        face = self.turn.dice[self.rules.dice.index(event["die"])]
        self._say(f"Sets aside the d{event['die']} ({face}).", 6)

    def _spend(self, event: Event) -> str:
        """Pay the chips of an event; say which help was used and what it made."""
        assert self.turn
        mine = self.now.seats[event["seat"]]
        mine.chips -= event["chips_spent"]
        reached = self.turn.result + event["bonus_used"] + event["chips_spent"]
        used = [f"the bonus (+{event['bonus_used']})"] if event["bonus_used"] else []
        if event["chips_spent"]:
            used.append(f"{chips_words(event['chips_spent'])} ({_left(mine.chips)})")
        return f"Uses {' and '.join(used)}: {reached}."

    def _tell_accept(self, event: Event) -> None:
        assert self.turn
        entitled = self.rules.cards_per_attempt[event["attempt"] - 1]
        there = len(self.now.table)
        cards = cards_words(entitled) if entitled else "no cards"
        only = f", but only {there} {'is' if there == 1 else 'are'} left" if there < entitled else ""
        help_words = "" if event["forced"] else self._spend(event) + " "
        self._say(f"{help_words}The bid is made on the {_ATTEMPTS[event['attempt']]}: {cards}{only}.", 6)
        self.turn.is_over = True

    def _tell_decline(self, event: Event) -> None:
        assert self.turn
        bonus = max(self.now.seats[event["seat"]].modifier, 0)
        chips = max(self.turn.target - self.turn.result - bonus, 0)
        needed = (["the bonus"] if bonus else []) + ([chips_words(chips)] if chips else [])
        self._say(f"Declines to make the bid with {' and '.join(needed)}.", 6)

    def _tell_save(self, event: Event) -> None:
        assert self.turn
        words = self._spend(event)
        self.turn.is_under_settled = True
        self._say(f"{words} Not under {self.rules.black_sheep_below}, so no black sheep.", 6)

    def _tell_chip(self, event: Event) -> None:
        assert self.turn
        self.now.seats[event["seat"]].chips = event["chips"]
        self._say(f"{self._no_sheep(self.turn)}The bid is not made: 1 chip from the supply, now {event['chips']}.", 6)
        self.turn.is_over = True

    def _end_turn(self, turn: _Turn) -> None:
        """Tell what leaves no event: a failure when the supply has no chip."""
        if not turn.is_over and turn.attempt == _LAST_ATTEMPT and self.now.chip_supply == 0:
            self._say(f"{self._no_sheep(turn)}The bid is not made, and the supply has no chip to give.", 6)
        self.turn = None

    def _no_sheep(self, turn: _Turn) -> str:
        """Say that no black sheep are there for a result that would bring them."""
        bonus = max(self.now.seats[turn.seat].modifier, 0)
        spared = turn.result + bonus < self.rules.black_sheep_below and not turn.is_under_settled
        return f"Under {self.rules.black_sheep_below}, but no black sheep are on the table. " if spared else ""

    def _tell_skip(self, event: Event) -> None:
        self._say(f"Seat {event['seat']} is skipped: nothing is left on the table.")

    def _tell_take(self, event: Event) -> None:
        seat, cards = event["seat"], self.now.cards(event["cards"])
        names = _and([card_name(card) for card in cards])
        opening = {
            "success": f"Takes {names}.",
            "black sheep": f"{self.turn.result if self.turn else 'The result'} is under "
            f"{self.rules.black_sheep_below}: takes all black sheep, {names}.",
            "rest": f"Seat {seat} goes last and takes what is left without rolling: {names}.",
            "leftover": f"Seat {seat} went first and takes what remains: {names}.",
        }[event["reason"]]
        indent = 2 if event["reason"] in {"rest", "leftover"} else 6
        self._say(opening, indent)
        words = []
        if event["bone_from"] is not None:
            words.append(f"Bone symbol: takes the bone from seat {event['bone_from']}.")
        elif self.now.may_take_bone(seat, cards):
            words.append(f"Bone symbol: leaves the bone with seat {self.now.bone_owner} all the same.")
        if event["top"] is not None and any(is_sheep(card) for card in cards):
            top = self.now.deck.cards[event["top"]]
            words.append(f"Top of the flock is now {card_name(top)}, {modifier_words(top.modifier)}.")
        if words:
            self._say(" ".join(words), max(indent, 4))
        self.now.take(event)
        if self.turn and event["reason"] == "black sheep":
            self.turn.is_under_settled = True

    # Standings and scores

    def _show_standing(self, title: str) -> None:
        """Show what everybody has."""
        body = []
        for seat, mine in enumerate(self.now.seats):
            top = f"{card_name(mine.top)}, {modifier_words(mine.top.modifier)}" if mine.top else "none"
            bone = "yes" if self.now.bone_owner == seat else "-"
            body.append([f"seat {seat}", str(len(mine.cards)), str(mine.count(DOG)), bone, str(mine.chips), top])
        self.lines.append("")
        self._say(f"{title} ({self.now.face_down} cards face down, {self.now.chip_supply} chips in the supply):")
        self._table(["", "cards", "dogs", "bone", "chips", "top of the flock"], body, left=5)

    def _tell_score(self, event: Event) -> None:
        if not self.scores:
            self._show_standing(f"After round {self.round}")
        self.scores.append(event)

    def _tell_end(self, event: Event) -> None:
        self.lines += ["", "Scores (points)"]
        body = [
            [name, *(str(score[part]) for score in self.scores)] for part, name in [*_PARTS.items(), ("total", "total")]
        ]
        self._table(["", *(f"seat {score['seat']}" for score in self.scores)], body, left=len(body[0]))
        for score in self.scores:
            self._tell_discard(score)
        self.lines.append("")
        winners = event["winners"]
        best = max(score["total"] for score in self.scores)
        if len(winners) == 1:
            self._say(f"Seat {winners[0]} wins with {best} points.", 0)
        else:
            seats = _and([str(seat) for seat in winners])
            self._say(
                f"Seats {seats} share the victory with {best} points each: 1/{len(winners)} of a win for each.", 0
            )

    def _tell_discard(self, score: Event) -> None:
        """Tell which white sheep a flock without a dog has put back into the box (R19)."""
        seat = score["seat"]
        if self.now.seats[seat].count(DOG) or not self.rules.dogless_discard:
            return
        names = _and([card_name(card) for card in self.now.cards(score["discarded"])])
        lost = f"puts {names} back into the box" if names else "has no white sheep to put back"
        self._say(f"Seat {seat} has no dog and {lost}.")

    def break_off(self) -> None:
        """Tell that a log is not complete."""
        self._tell_bids()
        if self.round and not self.scores:
            self._show_standing(f"When the game stopped, in round {self.round}")
        self.lines += ["", "The log ends here: the game was not finished."]

    def _table(self, headers: Sequence[str], body: Sequence[Sequence[str]], left: int) -> None:
        """Add a table; the first column and those from number `left` on are to the left."""
        widths = [max(len(row[at]) for row in [headers, *body]) for at in range(len(headers))]
        for row in [headers, *body]:
            cells = [
                f"  {cell}" if at == left else cell.ljust(width) if at == 0 else cell.rjust(width)
                for at, (cell, width) in enumerate(zip(row, widths, strict=True))
            ]
            self.lines.append(("    " + "  ".join(cells)).rstrip())


def _and(words: Sequence[str]) -> str:
    """Return words as an enumeration."""
    return " and ".join([", ".join(words[:-1]), words[-1]]) if len(words) > 1 else "".join(words)


def _left(chips: int) -> str:
    """Say how many chips are left."""
    return f"{chips_words(chips)} left"
