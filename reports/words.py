"""Figures and situations in the words of the players."""

import textwrap
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import takewhile

from analyzer.figures import counted, number, percent, shortened
from analyzer.wool_rules.advice import HoldChart
from analyzer.wool_rules.bid_table import Z_LIMIT, SimulationCheck
from analyzer.wool_rules.bidding import bid_label
from analyzer.wool_rules.exact import TIE_TOLERANCE
from analyzer.wool_rules.plans import FAILED, SAVED, TAKE_ONE, UNDER_14
from analyzer.wool_rules.position import Advice, Position
from analyzer.wool_rules.rules import Rules
from analyzer.wool_rules.short_rules import ShortRule

__all__ = ["counted", "number", "percent", "shortened"]  # words that the analyzer has already; handed on


def describe(modifier: int, chips: int) -> str:
    """Say a modifier and a number of chips in words."""
    words = "no modifier" if modifier == 0 else f"{'bonus' if modifier > 0 else 'malus'} {abs(modifier)}"
    return f"{words}, {chips_words(chips)}"


def chips_words(chips: int) -> str:
    """Say a number of chips in words."""
    return {0: "no chips", 1: "1 chip"}.get(chips, f"{chips} chips")


def cards_words(cards: int) -> str:
    """Say a number of cards in words."""
    return "1 card" if cards == 1 else f"{cards} cards"


def under_words(rules: Rules) -> str:
    """Name the results that bring the black sheep."""
    return f"under {rules.black_sheep_below}"


def in_percent(share: object, digits: int = 1) -> str:
    """Write a share as :func:`percent` does, without the sign: for columns whose header has it."""
    return percent(share, digits).removesuffix("%")


def p_words(p: object) -> str:
    """Write a p value; missing is a dash."""
    if not isinstance(p, float):
        return "-"
    return "<0.0001" if p < 1e-4 else f"{p:.4f}"


def listed(words: Iterable[str]) -> str:
    """Return words as a list: "2, 3 and 4"."""
    *most, last = words
    return f"{', '.join(most)} and {last}" if most else last


def apart(names: Sequence[str], width: int) -> dict[str, str]:
    """Return each name in at most `width` letters, different names differently.

    Of those that :func:`shortened` would make alike, what they begin with alike gives way; else they are numbered.
    """
    short = {name: shortened(name, width) for name in dict.fromkeys(names)}
    for label in [label for label, times in Counter(short.values()).items() if times > 1]:
        alike = [name for name in short if short[name] == label]
        others = {short[name] for name in short if name not in alike}
        same = sum(1 for _ in takewhile(lambda letters: len(set(letters)) == 1, zip(*alike, strict=False)))
        begin = max(alike[0].rfind(sign, 0, same) for sign in ":/,=") + 1
        cut = [f"…{name[begin:]}" for name in alike]
        cut = [one if len(one) <= width else f"{one[: width - 1]}…" for one in cut]
        if begin == 0 or len({*cut} - others) < len(alike):
            cut = [f"({at}) {shortened(name, width - len(f'({at}) '))}" for at, name in enumerate(alike, 1)]
        short |= dict(zip(alike, cut, strict=True))
    return short


def check_sentence(check: SimulationCheck, *, unicode: bool) -> str:
    """Say how many z scores lie outside ±3 and how many to expect."""
    if not check.scores:
        return "No z scores: no exact odds to compare with, or every chance is 0 or 1."
    return (
        f"{check.outside} of {check.scores} z scores lie outside {'±' if unicode else '+-'}{Z_LIMIT:.0f}; "
        f"if all is right, {check.expected:.2f} are to be expected."
    )


def die_name(rules: Rules, die: int) -> str:
    """Return d12, d10 or d8."""
    return f"d{rules.dice[die]}"


def short_rule_sentence(short: ShortRule, rules: Rules) -> str:
    """Say a short rule in words."""
    words, said = [], ""
    for die, add in enumerate(short.add):
        if not add:
            continue
        verb, where = ("add", "to") if add > 0 else ("take", "from")
        words.append(f"{'' if verb == said else verb + ' '}{abs(add):g} {where} the {die_name(rules, die)}")
        said = verb
    compare = "set aside the highest (equal: the larger)"
    return f"{' and '.join(words)}, then {compare}" if words else compare


def wrapped(sentences: str, width: int = 80) -> str:
    """Break lines that are too long for a terminal."""
    return "\n".join(textwrap.fill(line, width) for line in sentences.split("\n"))


def accept_sentence(advice: Advice) -> str:
    """Say whether accepting help is best under the values of a rule; empty when there is nothing to say."""
    if advice.accept is None or advice.accept_value is None:
        return ""
    best = max(option.value for option in advice.options if option.value is not None)
    verdict = "accept" if advice.accept else "decline and go on"
    return f"Accepting is worth {advice.accept_value:.4f}, going on {best:.4f}: {verdict}."


def loss_words(chart: HoldChart, loss: float) -> str:
    """Say a loss in the unit of a chart's value."""
    if abs(loss) <= TIE_TOLERANCE * max(1.0, abs(chart.best)):
        return "nothing"
    return f"{100 * loss:.3f} percentage points" if _is_chance(chart) else f"{loss:.5f}"


def _is_chance(chart: HoldChart) -> bool:
    """Whether the value of a chart is the chance to make the bid."""
    return chart.rule.values.outcomes() == (1.0, 1.0, 1.0, 0.0, 0.0) and chart.rule.values.chip == 0.0


def loss_sentences(chart: HoldChart) -> str:
    """Say when to accept help, and what following a chart and its short rule costs."""
    best = percent(chart.best, 3) if _is_chance(chart) else f"{chart.best:.4f}"
    return (
        f"\n{'Chance to make the bid' if _is_chance(chart) else 'Expected value'} with the best decisions: {best}.\n"
        f"{accept_sentences(chart)}"
        f"Following all this loses {loss_words(chart, chart.loss)} (every roll was played through).\n"
        f"In short, after either roll:\n{short_rule_sentence(chart.short, chart.terms.rules)}.\n"
        f"That loses {loss_words(chart, chart.short.loss)}.\n"
        "A dot marks what never comes up while one goes on."
    )


def accept_sentences(chart: HoldChart) -> str:
    """Say when help is accepted, and what to do after the third roll where that is not plain."""
    lines = []
    limits = [limit for part in chart.accept for limit in part.values()]
    makes_bid = chart.terms.makes_bid()[:, 0]
    third_is_plain = all(
        (end == TAKE_ONE) == makes_bid[total] and end != SAVED
        for low, high, end in chart.third
        for total in range(low, high + 1)
    )
    if limits and not any(limits):
        lines.append(
            ("A" if third_is_plain else "First and second roll: a") + "ccept help as soon as it makes the bid."
        )
    elif limits:
        for name, part, ranks in zip(("First", "Second"), chart.accept, (chart.first, chart.second), strict=True):
            if set(part.values()) == {0}:
                lines.append(f"{name} roll: accept help as soon as it makes the bid.")
            elif set(part.values()) == {len(ranks)}:
                lines.append(f"{name} roll: never accept help.")
            else:
                lines += [_accept_line(name, chips, limit, len(ranks)) for chips, limit in part.items()]
    if not third_is_plain or any(limits):
        rules = chart.terms.rules
        names = {
            TAKE_ONE: f"take {_last_cards(rules)}",
            FAILED: "failed",
            SAVED: f"lift to {rules.black_sheep_below}",
            UNDER_14: under_words(rules),
        }
        groups = [
            f"{low} {names[end]}" if low == high else f"{low} to {high} {names[end]}" for low, high, end in chart.third
        ]
        lines.append("Third roll, by the total of the dice: " + ", ".join(groups) + ".")
    return "".join(f"{line}\n" for line in lines)


def _last_cards(rules: Rules) -> str:
    """Say what success on the third attempt entitles to."""
    cards = rules.cards_per_attempt[-1]
    return "one card" if cards == 1 else cards_words(cards)


def _accept_line(roll: str, chips: int, limit: int, ranks: int) -> str:
    """Say when to accept with a number of chips."""
    made = f"{roll} roll made with {'the bonus' if chips == 0 else chips_words(chips)}"
    if limit in {0, ranks}:
        return f"{made}: {'always' if limit == 0 else 'never'} accept."
    return f"{made}: accept unless your smallest number is {limit} or less."


def situation_sentences(position: Position) -> str:
    """Say where a position stands and whether help could make the bid now."""
    terms = position.terms
    target, modifier, chips = int(terms.target[0]), int(terms.modifier[0]), int(terms.chips[0])
    dice = ", ".join(
        f"{die_name(terms.rules, die)} shows {face}{' (set aside)' if die == position.held else ''}"
        for die, face in enumerate(position.dice)
    )
    cards = cards_words(terms.rules.cards_per_attempt[position.attempt - 1])
    needed = ("the bonus and " if modifier > 0 else "") + chips_words(position.help)
    if position.made:
        standing = f"the bid is made without help: {cards} must be taken, the turn ends."
    elif position.can_accept and position.help == 0:
        standing = f"the bonus makes the bid: accepting it brings {cards}."
    elif position.can_accept:
        standing = f"{needed} would make the bid now: accepting brings {cards}."
    else:
        there = f"{chips_words(chips)} to spend" if chips else "none to spend"
        standing = f"help cannot make it now: it takes {needed}, and there is {there}."
    return (
        f"Bid {bid_label(int(terms.bid[0]))}, {describe(modifier, chips)}; attempt {position.attempt}: {dice}.\n"
        f"Result {position.result}, {max(target - position.result, 0)} short of {target};\n{standing}"
    )


def best_sentence(position: Position) -> str:
    """Say what each rule does: accept, or which die it sets aside."""
    lines, rules = [], position.terms.rules
    for advice in position.advice:
        die = next((die_name(rules, option.die) for option in advice.options if option.chosen), None)
        if advice.accept:
            lines.append(f"{advice.rule.spec}: accept" + (f" (if you go on: set aside the {die})" if die else ""))
        elif die:
            lines.append(f"{advice.rule.spec}: set aside the {die}")
    return "\n".join(lines)
