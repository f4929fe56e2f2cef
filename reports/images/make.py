"""Make what the README shows: its pictures, and the output below each `$ woolsim ...` and `$ python ...` line.

Run it where woolsim is installed: `python reports/images/make.py`.
"""

import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).parent
README = HERE.parent.parent / "README.md"

PICTURES = {
    "bid-table.png": "woolsim bid-table --png bid-table.png",
    "loss.png": "woolsim bid-table --hold keep-highest --hold keep-above-mean --hold random --png loss.png",
    "simulation.png": "woolsim simulate value plain:level=22 random --games 2e4 --png simulation.png",
    "sweep.png": "woolsim sweep plain:level=16..27 --field plain:level=20 --games 500 --png sweep.png",
    "head-to-head.png": "woolsim tournament plain:level=19..22 lone-dog random --games 110 --out field --report",
}
"""File and the command that writes it."""


def woolsim(command: str, folder: Path) -> str:
    """Run woolsim, or python, in a folder as a user without a terminal would, and return what it prints."""
    program, *arguments = shlex.split(command)
    environment = {**os.environ, "COLUMNS": "80", "PYTHONIOENCODING": "utf-8", "MPLBACKEND": "Agg"}
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


def write_files(readme: str, folder: Path) -> None:
    """Put the README's examples of users' files where its commands look for them; each begins with its name."""
    for block in blocks(readme, "python"):
        name = block.partition("\n")[0].removeprefix("# ")
        (folder / name).write_text(block, encoding="utf-8")


CUT = "[...]"
"""Last line of an output of which the README shows only the beginning."""


def filled(readme: str) -> str:
    """Return the README with the true output below each command, as many lines as before where it is cut."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_files(readme, folder)

        def run(block: re.Match[str]) -> str:
            lines = [line.rstrip() for line in woolsim(block[1], folder).splitlines()]
            before = block[2].splitlines()
            if before and before[-1] == CUT:
                lines = [*lines[: len(before) - 1], CUT]
            return "\n".join(["```console", f"$ {block[1]}", *lines, "```"])

        return re.sub(r"^```console\n\$ (.*?)\n(.*?)^```$", run, readme, flags=re.MULTILINE | re.DOTALL)


def draw(folder: Path) -> None:
    """Write every picture into a folder."""
    for name, command in PICTURES.items():
        with tempfile.TemporaryDirectory() as made:
            woolsim(command, Path(made))  # no path of this machine gets into its metadata
            (picture,) = Path(made).rglob(name)
            shutil.move(picture, folder / name)


if __name__ == "__main__":
    draw(HERE)
    README.write_text(filled(README.read_text(encoding="utf-8")), encoding="utf-8")
