"""What a shell may complete: strategies and rules with their parameters, files, folders; and how bash splits words."""

import os
import re
from typing import Final

import click
from click.shell_completion import BashComplete, CompletionItem, add_completion_class, split_arg_string

_SPLIT: Final = re.compile("[:=]+")
"""Where bash splits the words of a command line besides blanks: a part of its variable COMP_WORDBREAKS."""


def joined_words(words: list[str], at: int) -> tuple[list[str], str]:
    """Return the words before the one that is completed, and that one, as they were before bash split them.

    Parameters
    ----------
    words : list of str
        The whole command line; ``plain:level=2`` is five words of it.
    at : int
        Which of them is completed; one after the last where a new one begins.
    """
    found, open_end = list[str](), False
    for word in words[: at + 1]:
        sign = _SPLIT.fullmatch(word) is not None
        if found and (sign or open_end):
            found[-1] += word
        else:
            found.append(word)
        open_end = sign
    if at >= len(words) and not open_end:
        found.append("")
    return found[:-1], found[-1]


class _Bash(BashComplete):
    """Completion for bash, which replaces only what follows the last colon or equals sign."""

    _kept = 0

    def get_completion_args(self) -> tuple[list[str], str]:
        """Return the words before the one that is completed, and that one."""
        words = [" ".join(split_arg_string(word)) for word in os.environ["COMP_WORDS"].split("\n")]
        before, incomplete = joined_words(words, int(os.environ["COMP_CWORD"]))
        self._kept = max(incomplete.rfind(sign) for sign in ":=") + 1
        return before[1:], incomplete

    def format_completion(self, item: CompletionItem[str]) -> str:
        """Return what the script of bash reads."""
        return f"{item.type},{item.value[self._kept :]}"


add_completion_class(_Bash)


class CompletesFiles:
    """What names a file, for a shell; with another `kind` a folder."""

    kind = "file"

    def shell_complete(
        self,
        ctx: click.Context,  # noqa: ARG002 - click's
        param: click.Parameter,  # noqa: ARG002
        incomplete: str,
    ) -> list[CompletionItem[str]]:
        """Return what makes the shell complete names of files."""
        return [CompletionItem(incomplete, type=self.kind)]


class AnyFile(CompletesFiles, click.ParamType[str]):
    """A file that is read by whoever needs it."""

    name = "FILE"


class HoldSpec(CompletesFiles, click.ParamType[str]):
    """A rule for setting dice aside, ``NAME[:param=value,...]`` or ``FILE.py:NAME``, read by whoever asks it."""

    name = "RULE"

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem[str]]:
        """Return names, and parameters of a name; without any, names of files."""
        return _part_items("", incomplete, _hold_rules()) or super().shell_complete(ctx, param, incomplete)


class StrategySpec(CompletesFiles, click.ParamType[str]):
    """A strategy, ``NAME[:param=value,...][/DECISION=NAME...]`` or ``FILE.py:NAME``, read by whoever plays it."""

    name = "STRATEGY"

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem[str]]:
        """Return names, parameters of a name, and decisions to replace; without any, names of files."""
        from strategies.entries import strategies_by_name
        from strategies.games import MAIN

        known = {entry.name: (list(entry.parameters), entry.summary) for entry in strategies_by_name()}
        head, slash, part = incomplete.rpartition("/")
        slot, equals, spec = part.partition("=")
        if not slash:
            items = _part_items("", incomplete, known)
        elif head.partition(":")[0].partition("/")[0] not in known:
            items = []  # a file in a folder
        elif equals:
            rules = _hold_rules() if slot == "hold" else {}
            items = _part_items(f"{head}/{slot}=", spec, rules | known)
        else:
            items = [CompletionItem(f"{head}/{each}=") for each in MAIN.slots if each.startswith(slot)]
        return items or super().shell_complete(ctx, param, incomplete)


Known = dict[str, tuple[list[str], str]]
"""Parameters and what it is, by name."""


def _hold_rules() -> Known:
    from strategies.wool_rules.hold_registry import hold_entries

    return {entry.name: (list(entry.parameters), entry.summary) for entry in hold_entries()}


def _part_items(before: str, part: str, known: Known) -> list[CompletionItem[str]]:
    """Return how a part of a spec may go on: with a name, or with a parameter that it does not give yet."""
    name, colon, values = part.partition(":")
    if not colon:
        return [CompletionItem(before + each, help=said) for each, (_, said) in known.items() if each.startswith(name)]
    *given, last = values.split(",")
    there = {value.partition("=")[0] for value in given}
    parameters = known[name][0] if name in known and "=" not in last else []
    before += part.removesuffix(last)
    return [CompletionItem(f"{before}{each}=") for each in parameters if each not in there and each.startswith(last)]
