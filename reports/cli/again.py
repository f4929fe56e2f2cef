"""The command that makes the figures of a run again."""

import shlex
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from analyzer.runs import Part, Run


def command_line(run: "Run") -> str:
    """Return the command that makes a run's figures again."""
    games, most = run.extent, run.question["stopping"].get("max_games", run.extent)
    if games <= most:
        return shlex.join(_command(run.question, games, run.part))
    begun = [*_command(run.question, most, run.part), "--out", str(run.folder)]
    return f"{shlex.join(begun)} && {shlex.join(['woolsim', 'extend', str(run.folder), '--games', str(games)])}"


def _command(question: dict[str, Any], games: int, part: "Part") -> list[str]:
    """Return the command that plays a run's games again."""
    from strategies.tournaments import CANDIDATES, GAUNTLET, RACE, RANDOM, SETTINGS, TABLE

    given, shape = [each["given"] for each in question["strategies"]], question["shape"]
    if shape in {CANDIDATES, RACE}:
        first, beside = given[: question["candidates"]], given[question["candidates"] :]
        name = "find-best" if shape == RACE else "sweep" if len(first) != 2 else "compare"
        command = ["woolsim", name, *first]
        for each in beside:
            command += ["--field", each]
    elif shape == SETTINGS and len(question["compared_with"]) > 1:
        command = ["woolsim", "tournament", *given, "--perturb-deck", str(len(question["compared_with"]))]
    elif shape == SETTINGS:
        command = ["woolsim", "compare", given[0]]  # two would be compared themselves
        for each in given[1:]:
            command += ["--field", each]
    else:
        command = ["woolsim", "tournament", *given, "--shape", shape.replace(" ", "-")]
    if shape != TABLE:
        command += ["--players", ",".join(map(str, question["players"]))]
    if shape == GAUNTLET and question["candidates"] > 1:
        command += ["--candidates", str(question["candidates"])]
    if shape == RANDOM:
        command += ["--line-ups", str(question["line_ups"])]
    if part.of > 1:
        command += ["--part", f"{part.number}/{part.of}"]
    return [*command, *_stop(question, games), "--seed", str(question["seed"]), *question["files"]]


def _stop(question: dict[str, Any], games: int) -> list[str]:
    """Return the options with which a run ends after its games; where results decide, as a run that looks only then."""
    from strategies.tournaments import CANDIDATES, RACE, SETTINGS

    stopping = question["stopping"]
    if question["shape"] == RACE:
        return ["--max-games", str(games)]
    if not stopping:
        return ["--games", str(games)]
    words = ["--min-games", str(games), "--max-games", str(games)]
    if question["shape"] in {CANDIDATES, SETTINGS}:
        return words
    if stopping["until_decided"]:
        words = ["--until-decided", *words]
    return words if stopping["target_error"] is None else ["--target-error", str(stopping["target_error"]), *words]
