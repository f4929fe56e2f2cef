"""`woolsim cache clear` removes compiled code and nothing else."""

import os
import re
from pathlib import Path

import pytest
from commands import files_in, in_process, mentions, refused, succeeded, woolsim

Capture = pytest.CaptureFixture[str]

OURS = {
    "0c488e057f6073f3af75/wool_rules_a2ae/holds.keep_above_mean-55.py311.nbi": 10,
    "0c488e057f6073f3af75/wool_rules_a2ae/holds.keep_above_mean-55.py311.1.nbc": 2000,
    "0c488e057f6073f3af75/wool_rules_a2ae/holds.keep_above_mean-55.py311.2.nbc.tmp.8f": 30,
    "0c488e057f6073f3af75/entry_01c2a69652a7e785dff0.py": 400,
    "9519c33a9b4338129c12/analyzer_6a97/rng.draw-1.py311.nbi": 5,
}
"""Files as woolsim keeps them, of two versions, and their sizes."""

OTHERS = (
    "notes.txt",
    "rng.draw-1.py311.nbi",
    "0c488e057f6073f3af75/wool_rules_a2ae/notes.txt",
    "0c488e057f6073f3af75/entry.py",
    "numba/rng_12/rng.draw-1.py311.nbi",
)
"""Files that woolsim did not put there."""


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder of compiled code, not made yet."""
    folder = tmp_path / "cache"
    monkeypatch.setenv("WOOLSIM_CACHE_DIR", str(folder))
    return folder


def put(folder: Path, name: str, size: int = 7) -> None:
    (folder / name).parent.mkdir(parents=True, exist_ok=True)
    (folder / name).write_bytes(bytes(size))


def test_compiled_code_of_all_versions_goes_and_what_it_was_is_said(cache: Path, capsys: Capture) -> None:
    for name, size in OURS.items():
        put(cache, name, size)
    said = succeeded(in_process(capsys, "cache", "clear"))
    assert said.out == f"Removed 5 files of compiled code, 2,445 bytes, from {cache}\n"
    assert list(cache.iterdir()) == []
    assert succeeded(in_process(capsys, "cache", "clear")).out.startswith("Nothing to remove")


def test_what_somebody_else_put_there_stays_and_no_link_is_followed(
    cache: Path, tmp_path: Path, capsys: Capture
) -> None:
    for name in (*OURS, *OTHERS):
        put(cache, name)
    put(tmp_path, "elsewhere/a_1/rng.draw-1.py311.nbi")
    (cache / ("a" * 20)).symlink_to(tmp_path / "elsewhere")
    (cache / "0c488e057f6073f3af75" / "b_1").symlink_to(tmp_path / "elsewhere" / "a_1")
    succeeded(in_process(capsys, "cache", "clear"))
    assert set(files_in(tmp_path / "elsewhere")) == {"a_1/rng.draw-1.py311.nbi"}
    assert set(OTHERS) <= set(files_in(cache))
    assert not set(OURS) & set(files_in(cache))


@pytest.mark.parametrize("made", [False, True])
def test_without_compiled_code_there_is_nothing_to_do(made: bool, cache: Path, capsys: Capture) -> None:
    if made:
        cache.mkdir()
    assert in_process(capsys, "cache", "clear").out == f"Nothing to remove: no compiled code in {cache}\n"
    assert cache.exists() == made


def test_where_nothing_is_kept_nothing_is_removed(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    monkeypatch.setenv("WOOLSIM_CACHE_DIR", "")
    mentions(succeeded(in_process(capsys, "cache", "clear")).out, ["Nothing to remove", "WOOLSIM_CACHE_DIR", "empty"])


def test_what_cannot_be_removed_is_said_with_what_was_removed_before(
    cache: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    for name in OURS:
        put(cache, name)
    remove, refusing = Path.unlink, "rng.draw-1.py311.nbi"

    def unlink(path: Path, missing_ok: bool = False) -> None:
        if path.name == refusing:
            raise PermissionError(13, "Permission denied")
        remove(path, missing_ok)

    monkeypatch.setattr(Path, "unlink", unlink)
    message = refused(in_process(capsys, "cache", "clear"), status=1)
    mentions(message, [refusing, "could not be removed", "Permission denied", "4 files were removed before"])


@pytest.mark.slow
def test_code_that_was_really_kept_is_found_and_compiled_again_afterwards(tmp_path: Path) -> None:
    environment = {**os.environ, "WOOLSIM_CACHE_DIR": str(tmp_path)}
    command = ("bid-table", "--bid", "20", "--hold", "keep-above-mean", "--format", "csv")
    before = succeeded(woolsim(*command, env=environment))
    kept = files_in(tmp_path)
    assert kept
    said = succeeded(woolsim("cache", "clear", env=environment)).out
    assert re.match(rf"Removed {len(kept)} files of compiled code, {sum(map(len, kept.values())):,} bytes", said)
    assert list(tmp_path.iterdir()) == []
    after = succeeded(woolsim(*command, env=environment))
    assert after.out == before.out
    assert files_in(tmp_path).keys() == kept.keys()
