"""Begin a run's process again and again and kill it at a random moment: `python kill_commits.py FOLDER TIMES SEED`.

Prints a line for each kill: the blocks whose commit had returned by then, and whether one was under way.
"""

import json
import os
import random
import signal
import sys
import time
from pathlib import Path

from run_samples import begun, sums

from analyzer.runs import Run


def commit_for_ever(folder: Path, tell: int) -> None:
    """Commit the blocks that are missing and tell the number of each as soon as that returns."""
    with begun(folder) as run:
        number = 0
        done = run.done()
        while True:
            if number not in done:
                run.commit(number, sums(number))
                os.write(tell, b"%d\n" % number)
            number += 1


def killed(folder: Path, seconds: float) -> list[int]:
    """Return what a process had committed when it was killed after some time."""
    hear, tell = os.pipe()
    child = os.fork()
    if child == 0:
        commit_for_ever(folder, tell)
    os.close(tell)
    time.sleep(seconds)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    with os.fdopen(hear) as told:
        return [int(line) for line in told]


if __name__ == "__main__":
    folder, moments = Path(sys.argv[1]), random.Random(sys.argv[3])
    for _ in range(int(sys.argv[2])):
        committed = killed(folder, moments.uniform(0, 0.1))
        under_way = (folder / "run.sqlite-journal").exists()
        if committed:
            with Run.open(folder, write=False) as run:
                assert run.damage is None
                assert run.done() >= set(committed)
        print(json.dumps([committed, under_way]), flush=True)
