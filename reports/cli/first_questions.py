"""What `woolsim` alone says: the questions one has first, each with the command that answers it."""

from typing import Final

QUESTIONS: Final = {
    "How likely is a bid?": "woolsim bid-table",
    "Which die do I set aside?": "woolsim hold-table --bid 22",
    "I have rolled. What now?": "woolsim odds --bid 24 --dice 12,10,3 --modifier -3 --chips 1",
    "What is a bonus, a malus or a chip worth?": "woolsim bid-table --bid 24 --modifier=-1..1 --chips 0,2",
    "Is my own rule any good, and is that right?": "woolsim bid-table --bid 22 --hold keep-highest --simulate 1e6",
}
"""As the README has them; the rule of the last one may be a file of one's own."""

ON_FROM_HERE: Final = {
    "Which strategy wins, and why?": "woolsim simulate value plain random --games 2e4",
    "A rule or a strategy of your own:": "woolsim strategies new my_strategy.py",
    "All commands, and all about one:": "woolsim --help, woolsim odds --help",
    "Names at the press of the tab key:": 'eval "$(_WOOLSIM_COMPLETE=bash_source woolsim)"',
}


def first_questions() -> str:
    """Return the questions and commands, and where to go on."""
    asked = "".join(f"{question}\n  {command}\n" for question, command in QUESTIONS.items())
    return asked + "\n" + "\n".join(f"{what}\n  {command}" for what, command in ON_FROM_HERE.items())
