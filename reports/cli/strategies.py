"""`woolsim strategies`: what strategies and rules there are, and help with one's own."""

import re
from itertools import groupby
from pathlib import Path
from shlex import quote
from typing import Final

import click

from analyzer.errors import BadInputError, Sitting
from analyzer.wool_rules.deck import Deck
from analyzer.wool_rules.rules import Rules
from reports.cli.completion import AnyFile, StrategySpec
from reports.cli.help import HelpedGroup
from reports.cli.options import OnceCommand, deck_option, force_option, rules_option, stall_option, table_format
from reports.cli.say import say
from reports.cli.show import FULL_WIDTH, announcing_compilation, end_stalled, show_rows
from reports.export import check_output, replacing

_HELP: Final = {"help_option_names": ["-h", "--help"]}


@click.group("strategies", context_settings=_HELP, cls=HelpedGroup)
def strategies_group() -> None:
    """List, show and check strategies, and start one of your own.

    \b
    woolsim strategies list
    woolsim strategies new my_strategy.py
    """  # noqa: D301


@strategies_group.command("list", context_settings=_HELP, cls=OnceCommand)
@click.option("--slot", type=click.Choice(["hold"]), help="Instead: the rules for one decision, setting a die aside.")
@table_format
def list_command(slot: str | None, style: str) -> None:
    """Name the strategies with one line each.

    \b
    woolsim strategies list
    woolsim strategies list --slot hold
    """  # noqa: D301
    rows = _strategy_rows() if slot is None else _hold_rows()
    if style != "table":
        show_rows(rows, tuple(rows[0]), style)
        return
    width = max(len(row["name"]) for row in rows)
    for row in rows:
        say(_entry(row["name"], width, row["summary"], " "))
    say("\nParameters and their defaults:")
    for row in rows:
        if row["parameters"]:
            say(_entry(row["name"], width, row["parameters"], ","))
    if slot is None:
        say("\nMore about one: woolsim strategies show NAME")
        say("Your own: woolsim strategies new my_strategy.py")
    else:
        say("\nA rule of your own: --hold FILE.py:NAME[:param=value,...]")


def _give_up(who: str, _sitting: Sitting, seconds: float) -> None:
    """End the process: nothing else ends compiled code that does not come back."""
    end_stalled(f"{who} has not answered for {seconds:g} seconds: it has an endless loop, or needs a longer --stall")


def _entry(name: str, width: int, text: str, joint: str) -> str:
    """Return a name and a text beside it, broken after `joint` to fit into the width of a page."""
    lines = [""]
    for piece in re.findall(f"[^{joint}]+{joint}?", text):
        if lines[-1] and len((lines[-1] + piece).rstrip()) > FULL_WIDTH - width - 2:
            lines.append("")
        lines[-1] += piece
    return "\n".join(f"{name if at == 0 else '':<{width}}  {line.rstrip()}" for at, line in enumerate(lines))


def _strategy_rows() -> list[dict[str, str]]:
    from strategies.entries import strategies_by_name
    from strategies.specs import written

    return [
        {
            "name": entry.name,
            "from": entry.where,
            "slots": ",".join(entry.functions),
            "parameters": written("", entry.parameters).removeprefix(":"),
            "summary": entry.summary,
        }
        for entry in strategies_by_name()
    ]


def _hold_rows() -> list[dict[str, str]]:
    from strategies.wool_rules.hold_registry import hold_entries

    return [
        {
            "name": entry.name,
            "slot": "hold",
            "parameters": ",".join(f"{name}={default:g}" for name, default in entry.parameters.items()),
            "summary": entry.summary,
        }
        for entry in hold_entries()
    ]


@strategies_group.command("show", context_settings=_HELP, cls=OnceCommand)
@click.argument("spec", type=StrategySpec(), metavar="STRATEGY")
@stall_option
def show_command(spec: str, stall: int) -> None:
    """Say what a strategy does: its idea, parameters, slots and traits.

    \b
    woolsim strategies show value
    woolsim strategies show my_strategy.py:MyStrategy
    """  # noqa: D301
    from analyzer.watchdog import guarded
    from analyzer.wool_rules.deck import shipped_deck
    from analyzer.wool_rules.rules import STANDARD
    from analyzer.wool_rules.state import SLOTS
    from strategies.entries import entry_of
    from strategies.games import MAIN, house_of
    from strategies.registry import strategy
    from strategies.specs import parse_part, split_slots, written
    from strategies.traits import is_stochastic, uses_memory
    from strategies.trial import Trial, games_a_second

    chosen = strategy(spec)
    first, overridden = split_slots(spec, SLOTS)
    entry = entry_of(parse_part(first), MAIN)
    say(f"{chosen.spec}\n\n{entry.doc or 'No description.'}\n")
    say(f"from        {entry.where}")
    say(f"parameters  {written('', entry.parameters).removeprefix(':') or 'none'}")
    say(f"slots       {', '.join(entry.functions)}")
    if overridden:
        say(f"replaced    {', '.join(f'{slot} by {name}' for slot, name in overridden.items())}")
    filled = [slot for slot in SLOTS if slot not in entry.functions and slot not in overridden]
    if filled:
        say(f"by {house_of(MAIN).default:<9}{', '.join(filled)} (with its defaults)")
    say(f"stochastic  {'yes: it draws at random' if is_stochastic(chosen) else 'no'}")
    memory = 'yes: what seats have taken (hidden by memory = "table")' if uses_memory(chosen) else "no"
    say(f"uses memory {memory}")
    with announcing_compilation():
        trial = Trial()
        speed = guarded(lambda: games_a_second(chosen, STANDARD, shipped_deck(), trial), trial, stall, _give_up)
    say(f"cost        four of it play {speed:,.0f} games a second on one core (measured just now)")


@strategies_group.command("new", context_settings=_HELP, cls=OnceCommand)
@click.argument("file", type=AnyFile(), metavar="FILE")
@force_option
def new_command(file: str, force: bool) -> None:
    """Write a commented strategy to start from; it works at once.

    \b
    woolsim strategies new my_strategy.py
    woolsim simulate my_strategy.py:MyStrategy plain plain plain
    """  # noqa: D301
    path = Path(file)
    if path.suffix != ".py":
        raise BadInputError(f"{file}: name it *.py")
    check_output(path)
    if path.exists() and not force:
        raise BadInputError(f"{file}: is there already; choose another name, or --force to overwrite it")
    name = "".join(word.capitalize() for word in re.findall(r"[A-Za-z0-9]+", path.stem)) or "Mine"
    name = name if name[0].isalpha() else f"S{name}"
    template = (Path(__file__).parents[1] / "templates" / "strategy.py.txt").read_text(encoding="utf-8")
    with replacing(path) as (part,):
        part.write_text(template.replace("CLASS_NAME", name).replace("FILE_NAME", path.name), encoding="utf-8")
    say(f"wrote {file}. Next:")
    spec = quote(f"{file}:{name}")
    say(f"  woolsim strategies check {spec}")
    say(f"  woolsim simulate {spec} plain plain plain")


@strategies_group.command("check", context_settings=_HELP, cls=OnceCommand)
@click.argument("spec", type=StrategySpec(), metavar="STRATEGY")
@stall_option
@rules_option
@deck_option
def check_command(spec: str, stall: int, rules: Rules, deck: Deck) -> None:
    """Try out a strategy on thousands of random positions, and in whole games.

    It is compiled with bounds checking, which normal runs do not have: run this after every change of yours.

    \b
    woolsim strategies check my_strategy.py:MyStrategy
    woolsim strategies check value --rules my_rules.toml
    """  # noqa: D301
    from analyzer.watchdog import guarded
    from analyzer.wool_rules.state import SLOTS
    from strategies.registry import strategy
    from strategies.trial import Trial, check_strategy

    chosen = strategy(spec)
    say(f"Checking {chosen.spec} on deck {deck.name}, rules {rules.name}.")
    findings = []
    with announcing_compilation():
        trial = Trial()
        steps = check_strategy(chosen, rules, deck, trial)
        tried = iter(lambda: guarded(lambda: next(steps, None), trial, stall, _give_up), None)
        for part, group in groupby(tried, key=lambda finding: finding.part):
            found = list(group)
            fine = ", ".join(finding.what for finding in found if finding.wrong is None)
            say(_entry(part, max(map(len, (*SLOTS, "games"))), fine, " ") if fine else part)
            for finding in found:
                if finding.wrong is not None:
                    say(f"  WRONG {finding.what}: {finding.wrong}")
            findings += found
    wrong = sum(finding.wrong is not None for finding in findings)
    if wrong:
        raise BadInputError(f"{spec}: {wrong} thing{'s are' if wrong > 1 else ' is'} wrong, as said above")
    say("Nothing wrong. Normal runs do not check whether a function reads outside an\narray; this check did.")
