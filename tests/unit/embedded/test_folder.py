"""A folder that a site cannot use is refused in one sentence and left as it is."""

import re
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from arena import release
from arena.embedded import folder, site
from arena.embedded.refusal import StartFailed
from sandbox import limits

KNOWN = "0001_initial"
MAY_WRITE = "Choose a folder in which you may write with --data."
RESTORE = "Restore a backup with `drapeau-server restore --replace`, or choose another folder."


def refusal_of(data_dir):
    """Start a site in the folder; return the sentence, and which names the folder gained by it."""
    before = names(data_dir)
    options = site.SiteOptions(data_dir, port=0, isolation="process")
    with pytest.raises(StartFailed) as refused, site.running(options, pytest.fail):
        pytest.fail("the site runs")
    return str(refused.value), names(data_dir) - before


def names(data_dir):
    return {entry.name for entry in data_dir.iterdir()} if data_dir.is_dir() else set()


def filled(path, *statements):
    with closing(sqlite3.connect(path)) as database, database:
        for statement in statements:
            database.execute(statement)


def of_release(path, *migrations):
    filled(
        path,
        "CREATE TABLE django_migrations (app text, name text)",
        "INSERT INTO django_migrations VALUES ('auth', '0001_initial')",
        *(f"INSERT INTO django_migrations VALUES ('arena', '{name}')" for name in migrations),
    )


def cut_short(data_dir):
    of_release(data_dir / folder.DATABASE, *(f"{number:04}" for number in range(2000)))
    with (data_dir / folder.DATABASE).open("r+b") as database:
        database.truncate(5000)


# The kernel's own folders take no files, not even from root.
@pytest.mark.parametrize(
    ("data_dir", "why"),
    [
        ("/sys/drapeau", ".+"),
        ("/etc/passwd", "File exists"),
        ("/etc/passwd/site", "Not a directory"),
    ],
)
def test_a_folder_that_cannot_be_made_is_refused(data_dir, why):
    said, _gained = refusal_of(Path(data_dir))

    assert re.fullmatch(rf"the folder {data_dir} cannot be used: {why}\. {MAY_WRITE}", said)


@pytest.mark.parametrize(
    ("prepare", "said"),
    [
        (
            lambda data_dir: (data_dir / "thesis.txt").touch(),
            (
                "{data_dir} holds other things, such as thesis.txt, and no site. Choose another "
                "folder with --data: an empty one, or one that is not there yet."
            ),
        ),
        (
            lambda data_dir: [(data_dir / name).touch() for name in ("manifest.json", "a")],
            (
                "{data_dir} is a backup, which a site would change. Choose another folder with "
                "--data, and put the backup there with `drapeau-server restore`."
            ),
        ),
        (
            lambda data_dir: (data_dir / "site.lock").mkdir(),
            "the folder {data_dir} cannot be used: Is a directory ({data_dir}/site.lock). "
            + MAY_WRITE,
        ),
    ],
)
def test_a_folder_of_something_else_is_left_alone(prepare, said, tmp_path):
    prepare(tmp_path)

    assert refusal_of(tmp_path) == (said.format(data_dir=tmp_path), set())


@pytest.mark.parametrize(
    ("prepare", "said"),
    [
        (
            lambda path: path.write_bytes(b"no database, but a text. " * 100),
            "the database {path} is damaged: file is not a database. " + RESTORE,
        ),
        (
            lambda path: cut_short(path.parent),
            "the database {path} is damaged: database disk image is malformed. " + RESTORE,
        ),
        (
            lambda path: (path.touch(), (path.parent / "record_key").touch()),
            "the database of the site, {path}, is gone or empty. " + RESTORE,
        ),
        (
            lambda path: path.mkdir(),
            (
                "the database {path} cannot be written: unable to open database file. Make sure "
                "that you may write it and that no other program uses it."
            ),
        ),
        (
            lambda path: filled(path, "CREATE TABLE recipes (name text)"),
            "the database {path} is not one of a site. Choose another folder with --data.",
        ),
        (
            lambda path: of_release(path, KNOWN, "9998_more", "9999_most"),
            (
                "the database {path} is of a later release, which changed it with 9998_more; this "
                f"is {release.version()}. Install that release, or choose another folder with "
                "--data."
            ),
        ),
    ],
)
def test_unusable_database_is_left_as_it_is(prepare, said, tmp_path):
    path = tmp_path / folder.DATABASE
    prepare(path)
    before = path.read_bytes() if path.is_file() else None

    assert refusal_of(tmp_path) == (said.format(path=path), {folder.LOCK})
    assert before == (path.read_bytes() if path.is_file() else None)


def test_full_disk_is_refused_before_anything_begins(monkeypatch, tmp_path):
    monkeypatch.setattr(limits, "DISK_LEAST_BYTES", 1 << 62)

    said, gained = refusal_of(tmp_path)

    assert said.startswith(f"the disk of {tmp_path} has ")
    assert said.endswith(" make room there, or choose a folder on another disk with --data.")
    assert gained == {folder.LOCK}


@pytest.mark.parametrize(
    "prepare",
    [
        lambda data_dir: None,
        lambda data_dir: (data_dir / "lost+found").mkdir(),
        lambda data_dir: (data_dir / folder.DATABASE).touch(),  # a first start that was killed
        lambda data_dir: of_release(data_dir / folder.DATABASE, KNOWN),
    ],
)
def test_empty_folder_and_site_folder_are_taken(prepare, tmp_path):
    prepare(tmp_path)

    with folder.hold(tmp_path):
        folder.check_database(tmp_path)
