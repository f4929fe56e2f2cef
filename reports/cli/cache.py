"""`woolsim cache`: the compiled code that is kept between runs."""

from typing import Final

import click

from reports.cli.help import HelpedGroup
from reports.cli.options import OnceCommand
from reports.cli.say import say

_HELP: Final = {"help_option_names": ["-h", "--help"]}


@click.group("cache", context_settings=_HELP, cls=HelpedGroup)
def cache_group() -> None:
    """Remove compiled code that is kept.

    What woolsim has compiled is kept for later runs, for every version anew. It can always be removed: the next run
    compiles again.

    \b
    woolsim cache clear
    woolsim cache clear --help
    """  # noqa: D301


@cache_group.command("clear", context_settings=_HELP, cls=OnceCommand)
def clear_command() -> None:
    """Remove the compiled code of all versions, and say how much it was.

    Only files that woolsim put there go. The environment variable WOOLSIM_CACHE_DIR says where they are, if not at the
    usual place for caches.

    \b
    woolsim cache clear
    woolsim cache clear --quiet
    """  # noqa: D301
    from analyzer.kept_code import CACHE_VARIABLE, cache_root, remove_kept_code

    root = cache_root()
    if root is None:
        say(f"Nothing to remove: {CACHE_VARIABLE} is set but empty, so no compiled code is kept.")
        return
    removed = remove_kept_code(root)
    if removed.files:
        many = "1 file" if removed.files == 1 else f"{removed.files:,} files"
        say(f"Removed {many} of compiled code, {removed.size:,} bytes, from {root}")
    else:
        say(f"Nothing to remove: no compiled code in {root}")
