"""How long a report of a run takes beside showing it, and how large its page is: a large field, whole processes."""

import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from timing import at_most, interleaved, print_table, quick_asked

WOOLSIM = Path(sys.executable).with_name("woolsim")
FIELD = (
    *("plain", "random", "value", "black-dodger", "bone-hunter", "chip-hoarder", "chip-spender", "denier"),
    *("endgame-racer", "exact-two", "face-value", "gambler", "last-grazer", "late-spender", "layout-bidder"),
    *("lone-dog", "mixed-bidder", "odds-bidder", "pair-keeper", "seven-seeker"),
)
QUICK_FIELD = ("plain", "random", "value", "lone-dog", "plain:level=22")
SECONDS_FLOOR, BYTES_FLOOR = 15.0, 3e6


def process(*arguments: str) -> Callable[[], float]:
    """Return what runs a command as a process of its own and returns the seconds it took."""

    def run() -> float:
        begun = time.perf_counter()
        subprocess.run([str(WOOLSIM), *arguments], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        return time.perf_counter() - begun

    return run


def main() -> int:
    """Time both in turn."""
    quick = quick_asked(__doc__)
    field = QUICK_FIELD if quick else FIELD
    with tempfile.TemporaryDirectory() as folder:
        run = str(Path(folder, "run"))
        process("tournament", *field, "--players", "4", "--games", "4", "--out", run)()
        tasks = {"show": process("show", run), "report": process("report", run)}
        interleaved(tasks, 1)
        samples = interleaved(tasks, 2 if quick else 5)
        size = Path(run, "report.html").stat().st_size
        files = sum(path.stat().st_size for path in Path(run).rglob("*") if path.name != "run.sqlite")
    seconds, ratio = samples.median("report"), samples.ratio("report", "show")
    print_table(
        f"A run of {len(field)} strategies at tables of 4",
        ("", "", "ratio", "floor", "floor is"),
        [
            ("woolsim show", f"{samples.median('show'):.1f} s", "1", "", ""),
            ("woolsim report", f"{seconds:.1f} s", f"{ratio:.1f}", "15 s", at_most(seconds, SECONDS_FLOOR)),
            ("report.html", f"{size / 1e6:.1f} MB", "", "3 MB", at_most(size, BYTES_FLOOR)),
            ("all files", f"{files / 1e6:.1f} MB", "", "", ""),
        ],
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
