"""Make what the README shows: its pictures, and the output below each `$ woolsim ...` line.

Run it where woolsim is installed: `python reports/images/make.py`.
"""

import os
import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).parent
README = HERE.parent.parent / "README.md"

PICTURES = {
    "bid-table.png": "woolsim bid-table",
    "loss.png": "woolsim bid-table --hold keep-highest --hold keep-above-mean --hold random",
}
"""File and the command whose chart it is."""


def woolsim(command: str, folder: Path) -> str:
    """Run a woolsim command in a folder as a user without a terminal would, and return what it prints."""
    program, *arguments = shlex.split(command)
    environment = {**os.environ, "COLUMNS": "80", "PYTHONIOENCODING": "utf-8"}
    done = subprocess.run(  # noqa: S603 - the commands are ours
        [Path(sys.executable).with_name(program), *arguments],
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        check=True,
    )
    return done.stdout


def blocks(readme: str, language: str) -> list[str]:
    """Return the contents of the README's blocks of a language."""
    return re.findall(rf"^```{language}\n(.*?)^```$", readme, re.MULTILINE | re.DOTALL)


def write_rules(readme: str, folder: Path) -> None:
    """Put the README's example of a user's rule where its commands look for it."""
    (rules,) = blocks(readme, "python")
    (folder / "my_rules.py").write_text(rules, encoding="utf-8")


def filled(readme: str) -> str:
    """Return the README with the true output below each command."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_rules(readme, folder)

        def run(block: re.Match[str]) -> str:
            output = "\n".join(line.rstrip() for line in woolsim(block[1], folder).splitlines())
            return f"```console\n$ {block[1]}\n{output}\n```"

        return re.sub(r"^```console\n\$ (.*?)\n.*?^```$", run, readme, flags=re.MULTILINE | re.DOTALL)


def draw(folder: Path) -> None:
    """Write every picture into a folder."""
    for name, command in PICTURES.items():
        woolsim(f"{command} --png {shlex.quote(str(folder / name))}", folder)


if __name__ == "__main__":
    draw(HERE)
    README.write_text(filled(README.read_text(encoding="utf-8")), encoding="utf-8")
