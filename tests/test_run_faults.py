"""Runs survive kills, torn files and full disks with every committed block, and say what is wrong with a file."""

import json
import os
import random
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from commands import files_in
from run_samples import QUESTION, begun, contents, expected, sums

from analyzer import run_file
from analyzer.errors import BadInputError, WoolsimError
from analyzer.runs import Part, Run, merge
from analyzer.salvage import PAGE_SIZE

HERE = Path(__file__).parent
needs_unix = pytest.mark.skipif(sys.platform == "win32", reason="signals, limits and folders of Unix")

BLOCKS = range(60)


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a run whose blocks came as threads finish them: some before their turn."""
    folder, late = tmp_path_factory.mktemp("finished"), random.Random(1)
    begun(folder, sorted(BLOCKS, key=lambda number: number + late.uniform(0, 4))).close()
    return folder


@pytest.fixture
def folder(finished: Path, tmp_path: Path) -> Path:
    """Return a copy of the run that a test may damage."""
    return shutil.copytree(finished, tmp_path / "run")


def damage(folder: Path, change: Callable[[bytearray], None]) -> None:
    """Change the bytes of a run's file."""
    image = bytearray((folder / "run.sqlite").read_bytes())
    change(image)
    (folder / "run.sqlite").write_bytes(image)


def cut(share: float) -> Callable[[bytearray], None]:
    """Return what cuts off a file after a share of it."""

    def change(image: bytearray) -> None:
        del image[int(len(image) * share) :]

    return change


def refused(folder: Path) -> str:
    """Return the message for a run that cannot be opened, be it for reading or for writing."""
    messages = set()
    for write in (False, True):
        with pytest.raises(BadInputError) as caught:
            Run.open(folder, write=write)
        messages.add(str(caught.value))
    (message,) = messages
    assert message.startswith(str(folder))
    return message


# kill -9


@needs_unix
def test_every_committed_block_survives_kill_9_at_any_moment(tmp_path: Path) -> None:
    command = [sys.executable, HERE / "kill_commits.py", tmp_path / "run", "20", "wool"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    kills = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(kills) == 20
    assert any(under_way for _, under_way in kills), "no kill came in the middle of a commit"
    committed = {number for numbers, _ in kills for number in numbers}
    with Run.open(tmp_path / "run", write=False) as run:
        assert run.done() >= committed
        assert contents(run) == expected(run.done())
    last = max(committed) + 3
    with begun(tmp_path / "run", range(last)) as run, begun(tmp_path / "uninterrupted", range(last)) as whole:
        assert run.damage is None
        assert contents(run) == contents(whole)


@pytest.mark.parametrize("written_to", [False, True])
def test_a_run_killed_as_it_began_can_be_begun_again(written_to: bool, tmp_path: Path) -> None:
    """SQLite makes the file before it writes to it, and what it wrote when it was killed is taken back."""
    original, folder = tmp_path / "original", tmp_path / "run"
    original.mkdir()
    with closing(sqlite3.connect(original / "run.sqlite", isolation_level=None)) as db:
        if written_to:
            write_more_than_fits_into_memory(db, "CREATE TABLE blocks AS SELECT zeroblob(100000)")
        else:
            (original / "run.sqlite").touch()
        shutil.copytree(original, folder)
    assert (folder / "run.sqlite-journal").exists() == written_to
    with begun(folder, [0]) as run:
        assert contents(run) == expected([0])


def write_more_than_fits_into_memory(db: sqlite3.Connection, statement: str) -> None:
    """Begin a transaction that has to write to the file before it ends."""
    db.execute("PRAGMA cache_size = 1")
    db.execute("BEGIN")
    db.execute(statement)


def test_a_run_without_anything_in_it_says_so(tmp_path: Path) -> None:
    (tmp_path / "run.sqlite").touch()
    assert "is not a run of woolsim" in refused(tmp_path)


# Torn files


@pytest.mark.parametrize("share", [0.1, 0.5, 0.9, 0.999])
def test_of_a_file_that_was_cut_off_all_blocks_before_the_cut_are_kept(share: float, folder: Path) -> None:
    damage(folder, cut(share))
    torn = (folder / "run.sqlite").read_bytes()
    with Run.open(folder, write=False) as run:
        assert share * len(BLOCKS) - 3 <= len(run.done()) < len(BLOCKS)
        assert contents(run) == expected(run.done())
        assert f"{len(run.done())} whole block" in str(run.damage)
        assert run.question == QUESTION
        found = run.done()
    assert (folder / "run.sqlite").read_bytes() == torn  # who only reads changes nothing
    with Run.open(folder, write=True) as run:
        assert run.damage is not None
        assert run.done() == found
        for number in set(BLOCKS) - found:
            run.commit(number, sums(number))
    with Run.open(folder, write=False) as run:
        assert run.damage is None
        assert contents(run) == expected(BLOCKS)
    assert [path.name for path in folder.iterdir()] == ["run.sqlite"]


@pytest.mark.parametrize("seed", range(8))
def test_garbage_in_the_file_costs_the_blocks_it_hit_and_no_others(seed: int, folder: Path) -> None:
    noise = random.Random(seed)

    def change(image: bytearray) -> None:
        at = noise.randrange(2 * PAGE_SIZE, len(image) - PAGE_SIZE)  # the first two pages say what the run is
        image[at : at + PAGE_SIZE] = noise.randbytes(PAGE_SIZE)

    damage(folder, change)
    with Run.open(folder, write=True) as run:
        assert run.damage is not None
        # It hit two pages, and a page has at most four of these blocks' beginnings.
        assert len(BLOCKS) - 8 <= len(run.done()) <= len(BLOCKS)
        assert contents(run) == expected(run.done())


def test_one_wrong_bit_costs_one_block(folder: Path) -> None:
    def change(image: bytearray) -> None:
        image[-100] ^= 1

    damage(folder, change)
    with Run.open(folder, write=False) as run:
        assert len(run.done()) == len(BLOCKS) - 1
        assert contents(run) == expected(run.done())


def test_a_wrong_number_is_noticed(folder: Path) -> None:
    """A block's checksum is also one of its number."""
    with closing(sqlite3.connect(folder / "run.sqlite")) as db:
        db.execute("UPDATE blocks SET number = 99 WHERE number = 3")
        db.commit()
    with Run.open(folder, write=False) as run:
        assert contents(run) == expected(set(BLOCKS) - {3})


def test_extent_and_part_of_a_torn_run_are_kept(tmp_path: Path) -> None:
    with Run.create(tmp_path, QUESTION, extent=60, part=Part(2, 3)) as run:
        run.commit(0, sums(0))
    damage(tmp_path, cut(0.8))
    with Run.open(tmp_path, write=True) as run:
        assert (run.extent, run.part, run.done()) == (60, (2, 3), set())


def test_a_torn_run_is_joined_with_what_is_whole_of_it(folder: Path, tmp_path: Path) -> None:
    damage(folder, cut(0.5))
    with Run.open(folder, write=False) as torn, merge(tmp_path / "new", [torn]) as new:
        assert contents(new) == contents(torn) != {}


def test_putting_a_file_right_is_done_at_once_or_not_at_all(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the process is stopped the file stays torn, and all that is whole is still to be found in it."""
    damage(folder, cut(0.5))
    before = files_in(folder)
    monkeypatch.setattr(run_file, "insert_block", _stop)
    with pytest.raises(KeyboardInterrupt):
        Run.open(folder, write=True)
    assert files_in(folder) == before


def _stop(*_: object) -> None:
    raise KeyboardInterrupt


def test_a_process_whose_file_was_replaced_commits_no_more(folder: Path) -> None:
    with Run.open(folder, write=True) as run:
        image = (folder / "run.sqlite").read_bytes()
        (folder / "other").write_bytes(image)
        (folder / "other").replace(folder / "run.sqlite")
        with pytest.raises(WoolsimError, match="was replaced or removed while"):
            run.commit(99, sums(99))


def test_two_that_open_a_torn_run_at_once_put_it_right_once(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The second finds it put right when it may begin, and leaves what the first has committed since."""
    damage(folder, cut(0.5))
    is_whole = run_file._is_whole

    def late(db: sqlite3.Connection) -> bool:
        found = is_whole(db)
        monkeypatch.undo()
        with Run.open(folder, write=True) as first:
            first.commit(1000, sums(1000))
        return found

    monkeypatch.setattr(run_file, "_is_whole", late)
    with Run.open(folder, write=True) as second:
        assert 1000 in second.done()
        second.commit(1001, sums(1001))
    with Run.open(folder, write=False) as run:
        assert {1000, 1001} <= run.done()


@pytest.mark.parametrize("page", [1, 2])
def test_a_run_whose_question_is_lost_is_refused_and_left_as_it_is(page: int, folder: Path) -> None:
    def change(image: bytearray) -> None:
        image[page * PAGE_SIZE - 2000 : page * PAGE_SIZE] = bytes(2000)

    damage(folder, change)
    before = (folder / "run.sqlite").read_bytes()
    message = refused(folder)
    assert "use a copy" in message
    assert (folder / "run.sqlite").read_bytes() == before


# Full disks and folders that cannot be written


def test_a_full_disk_in_the_middle_keeps_what_was_committed_and_the_run_goes_on(tmp_path: Path) -> None:
    with begun(tmp_path) as run:
        run._db.execute("PRAGMA max_page_count = 30")
        with pytest.raises(WoolsimError, match="the disk is full; every finished block is kept") as caught:
            commit_all(run)
        assert caught.value.exit_status == 1
        assert str(tmp_path / "run.sqlite") in str(caught.value)
        done = run.done()
        assert contents(run) == expected(done) != {}
        run._db.execute("PRAGMA max_page_count = 1000000")
        commit_all(run)
        assert contents(run) == expected(BLOCKS)


def commit_all(run: Run) -> None:
    """Commit all blocks, those that are there too."""
    for number in BLOCKS:
        run.commit(number, sums(number))


def test_a_merge_onto_a_full_disk_leaves_nothing_behind(
    finished: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    connect = run_file._connect

    def small(path: Path, mode: str) -> sqlite3.Connection:
        db = connect(path, mode)
        db.execute("PRAGMA max_page_count = 30")
        return db

    with Run.open(finished, write=False) as source, begun(tmp_path / "old", [0]) as old:
        monkeypatch.setattr(run_file, "_connect", small)
        for folder in ("new", "old"):
            with pytest.raises(WoolsimError, match="the disk is full"):
                merge(tmp_path / folder, [source])
        assert contents(old) == expected([0])
    assert not (tmp_path / "new").exists()


@needs_unix
@pytest.mark.parametrize("room", [0, 5_000, 100_000])
def test_a_process_that_may_write_no_more_ends_with_one_message(room: int, tmp_path: Path) -> None:
    """A limit on the size of files stands for a quota or a failing disk."""
    script = (
        "import resource, sys; from pathlib import Path\n"
        "from run_samples import begun, sums\nfrom analyzer.errors import WoolsimError\n"
        f"resource.setrlimit(resource.RLIMIT_FSIZE, ({room}, {room}))\n"
        "try:\n"
        "    with begun(Path(sys.argv[1])) as run:\n"
        "        for number in range(60):\n"
        "            run.commit(number, sums(number)); print(number)\n"
        "except WoolsimError as error:\n"
        "    print(error, file=sys.stderr); sys.exit(error.exit_status)\n"
    )
    command = [sys.executable, "-c", script, tmp_path / "run"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False, cwd=HERE)
    assert done.returncode == 1, done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert f"{tmp_path / 'run' / 'run.sqlite'}: reading or writing failed" in done.stderr
    assert (tmp_path / "run").exists() == (room > 5_000)  # what could not begin is not there
    with begun(tmp_path / "run") as run:
        assert contents(run) == expected(map(int, done.stdout.split()))


@contextmanager
def read_only(folder: Path) -> Iterator[None]:
    """Make a folder and its files read-only for a while; skip the test where that is not enforced."""
    files = list(folder.iterdir())
    for path in files:
        path.chmod(0o444)
    folder.chmod(0o555)
    try:
        if os.access(folder, os.W_OK):
            pytest.skip("permissions do not stop root")
        yield
    finally:
        folder.chmod(0o755)
        for path in files:
            path.chmod(0o644)


@needs_unix
def test_a_run_in_a_read_only_folder_can_be_read_but_not_written(folder: Path) -> None:
    with read_only(folder):
        with Run.open(folder, write=False) as run:
            assert contents(run) == expected(BLOCKS)
        for mode in (0o444, 0o644):  # to a file that may be written, the folder still lets no journal be added
            (folder / "run.sqlite").chmod(mode)
            with pytest.raises(WoolsimError, match="cannot be written: the file or its folder is read-only"):
                Run.open(folder, write=True)
        with pytest.raises(WoolsimError, match=r"new.run\.sqlite: Permission denied"):
            Run.create(folder / "new", QUESTION)
    damage(folder, cut(0.5))
    with read_only(folder), Run.open(folder, write=False) as run:
        assert contents(run) == expected(run.done()) != {}


@needs_unix
def test_an_interrupted_run_in_a_read_only_folder_says_to_copy_it(folder: Path) -> None:
    with closing(sqlite3.connect(folder / "run.sqlite", isolation_level=None)) as db:
        write_more_than_fits_into_memory(db, "UPDATE blocks SET data = zeroblob(100)")
        copy = shutil.copytree(folder, folder.with_name("copy"))
        db.execute("ROLLBACK")
    with read_only(copy), pytest.raises(WoolsimError, match="copy the whole folder"):
        Run.open(copy, write=False)
    with Run.open(copy, write=False) as run:
        assert contents(run) == expected(BLOCKS)


# What is not a run


def test_a_place_without_a_run_is_named(tmp_path: Path) -> None:
    assert "there is no such run" in refused(tmp_path / "nowhere")
    assert "there is no run in this folder" in refused(tmp_path)
    (tmp_path / "file").touch()
    assert "is not a folder" in refused(tmp_path / "file")
    with pytest.raises(BadInputError, match="is not a folder"):
        Run.create(tmp_path / "file", QUESTION)
    with pytest.raises(BadInputError, match="file is not a folder, so no run can lie in it"):
        Run.create(tmp_path / "file" / "run", QUESTION)
    (tmp_path / "run.sqlite").mkdir()
    assert "is not a file" in refused(tmp_path)


@pytest.mark.parametrize("text", ["strategy,games,win_share\n" * 300, "x", "SQLite format 3"])
def test_a_file_that_is_no_database_is_refused_and_left_alone(text: str, tmp_path: Path) -> None:
    (tmp_path / "run.sqlite").write_text(text)
    assert "is not a run of woolsim" in refused(tmp_path)
    with pytest.raises(BadInputError, match="is not a run of woolsim"):
        Run.create(tmp_path, QUESTION)
    assert (tmp_path / "run.sqlite").read_text() == text


@pytest.mark.parametrize("journal", ["DELETE", "WAL"])
def test_another_programs_database_is_refused_and_left_alone(journal: str, tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "run.sqlite")) as db:
        db.execute(f"PRAGMA journal_mode = {journal}")
        db.execute("CREATE TABLE blocks (number INTEGER PRIMARY KEY, data BLOB)")
    before = (tmp_path / "run.sqlite").read_bytes()
    assert "not a run of woolsim" in refused(tmp_path)
    with pytest.raises(BadInputError, match="not a run of woolsim"):
        Run.create(tmp_path, QUESTION)
    assert (tmp_path / "run.sqlite").read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == ["run.sqlite"]


def test_a_run_of_a_later_version_asks_for_a_newer_woolsim(folder: Path) -> None:
    with closing(sqlite3.connect(folder / "run.sqlite")) as db:
        db.execute("PRAGMA user_version = 2")
    assert "has format 2, and this woolsim reads up to 1: install a newer one" in refused(folder)


def test_a_file_that_another_process_does_not_let_go_is_named(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run_file, "BUSY_SECONDS", 0.05)
    with Run.open(folder, write=True) as run, closing(sqlite3.connect(folder / "run.sqlite")) as other:
        other.execute("BEGIN EXCLUSIVE")
        with pytest.raises(WoolsimError, match="another process has been writing"):
            run.commit(99, sums(99))


@pytest.mark.parametrize("name", ["a ?mode=memory#", "%41", "sheep's", "Schafé"])
def test_folders_may_have_any_name(name: str, tmp_path: Path) -> None:
    with begun(tmp_path / name, [0]):
        assert (tmp_path / name / "run.sqlite").stat().st_size > 0
