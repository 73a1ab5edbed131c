"""A backup is whole or it is not there, and it is restored whole or not at all."""

import json
import shutil
import sqlite3
from contextlib import closing

import pytest

from arena.embedded import backup, folder
from arena.embedded.backup import BackupFailed
from arena.embedded.refusal import StartFailed


def rows(data_dir):
    with closing(sqlite3.connect(data_dir / folder.DATABASE)) as database:
        return [row for (row,) in database.execute("SELECT word FROM words")]


def make_site(data_dir, *words):
    data_dir.mkdir(parents=True)
    with closing(sqlite3.connect(data_dir / folder.DATABASE)) as database, database:
        database.execute("PRAGMA journal_mode=WAL")
        database.execute("CREATE TABLE words (word text)")
        database.executemany("INSERT INTO words VALUES (?)", [(word,) for word in words])
    for name in folder.KEYS:
        (data_dir / name).write_text(f"{name} of {words[0]}")
    return data_dir


@pytest.fixture
def old(tmp_path):
    return make_site(tmp_path / "old", "ada", "bob")


@pytest.fixture
def made(old, tmp_path):
    backup.back_up(old, tmp_path / "made")
    return tmp_path / "made"


def names(folder):
    return sorted(file.name for file in folder.iterdir())


def test_a_destroyed_site_is_restored_from_its_backup(old, made):
    shutil.rmtree(old)

    backup.restore(made, old, replace=False)

    assert rows(old) == ["ada", "bob"]
    assert [(old / name).read_text() for name in folder.KEYS] == [
        "secret_key of ada",
        "record_key of ada",
    ]
    assert {(old / name).stat().st_mode & 0o777 for name in (folder.DATABASE, *folder.KEYS)} == {
        0o600
    }


def test_site_being_written_is_backed_up_consistently(old, tmp_path):
    with closing(sqlite3.connect(old / folder.DATABASE)) as writer:
        writer.execute("INSERT INTO words VALUES ('carol')")
        writer.commit()  # in the write-ahead log, and not in the file
        writer.execute("INSERT INTO words VALUES ('dave')")
        with folder.hold(old):
            backup.back_up(old, tmp_path / "made")

    assert rows(tmp_path / "made") == ["ada", "bob", "carol"]


def test_only_the_owner_can_read_a_backup(made):
    assert made.stat().st_mode & 0o777 == 0o700
    assert {file.stat().st_mode & 0o777 for file in made.iterdir()} == {0o600}
    assert names(made) == ["drapeau.sqlite3", "manifest.json", "record_key", "secret_key"]


def test_restore_replaces_site_only_if_operator_says_so(made, tmp_path):
    other = make_site(tmp_path / "other", "eve")
    with pytest.raises(BackupFailed, match=r"there is a site in .* already\. .* --replace"):
        backup.restore(made, other, replace=False)
    assert rows(other) == ["eve"]
    assert (other / "secret_key").read_text() == "secret_key of eve"

    backup.restore(made, other, replace=True)
    assert rows(other) == ["ada", "bob"]
    assert (other / "secret_key").read_text() == "secret_key of ada"


def test_write_ahead_log_of_lost_site_stays_lost(made, tmp_path):
    other = make_site(tmp_path / "other", "eve")
    with closing(sqlite3.connect(other / folder.DATABASE)) as killed:
        killed.execute("PRAGMA wal_autocheckpoint=0")
        killed.execute("INSERT INTO words VALUES ('mallory')")
        killed.commit()

        backup.restore(made, other, replace=True)

    assert rows(other) == ["ada", "bob"]


def test_a_running_site_is_not_replaced(old, made):
    with folder.hold(old), pytest.raises(StartFailed, match="a site is running"):
        backup.restore(made, old, replace=True)


def flip_a_byte(made):
    with (made / folder.DATABASE).open("r+b") as file:
        file.seek(200)
        byte = file.read(1)[0]
        file.seek(200)
        file.write(bytes([byte ^ 1]))


def change(made, **values):
    path = made / folder.MANIFEST
    path.write_text(json.dumps({**json.loads(path.read_text()), **values}))


@pytest.mark.parametrize(
    ("spoil", "why"),
    [
        (flip_a_byte, "drapeau.sqlite3 is missing or is not as the backup wrote it"),
        (lambda made: (made / "record_key").unlink(), "record_key is missing"),
        (lambda made: (made / "record_key").write_text("forged"), "record_key is missing or is"),
        (lambda made: (made / folder.MANIFEST).unlink(), "is no backup, because"),
        (lambda made: (made / folder.MANIFEST).write_text("[]"), "is no backup, because"),
        (lambda made: change(made, kind="compose.yaml"), "of another kind .compose.yaml, format 1"),
        (lambda made: change(made, format=2), "of another kind .one folder, format 2"),
        (lambda made: change(made, version="99.0.0"), "was made by version 99.0.0, and this is"),
    ],
)
def test_a_backup_that_is_not_whole_restores_nothing(made, tmp_path, spoil, why):
    spoil(made)

    with pytest.raises(BackupFailed, match=why):
        backup.restore(made, tmp_path / "new", replace=False)

    assert not (tmp_path / "new").exists()


def test_a_backup_that_fails_leaves_nothing_behind(tmp_path):
    nowhere = tmp_path / "nowhere"
    with pytest.raises(BackupFailed, match="there is no site in"):
        backup.back_up(nowhere, tmp_path / "made")
    broken = make_site(tmp_path / "broken", "ada")
    (broken / folder.DATABASE).write_bytes(b"no database" * 100)
    with pytest.raises(sqlite3.DatabaseError):
        backup.back_up(broken, tmp_path / "made")

    assert names(tmp_path) == ["broken"]


def test_a_restore_that_fails_leaves_no_half_database(made, tmp_path):
    (made / folder.DATABASE).write_bytes(b"no database" * 100)
    described = backup._described(made / folder.DATABASE)
    files = json.loads((made / folder.MANIFEST).read_text())["files"]
    change(made, files={**files, folder.DATABASE: described})

    with pytest.raises(sqlite3.DatabaseError):
        backup.restore(made, tmp_path / "new", replace=False)

    assert not (tmp_path / "new" / folder.DATABASE).exists()


def test_a_backup_replaces_no_other(old, made):
    before = {file.name: file.read_bytes() for file in made.iterdir()}
    with pytest.raises(BackupFailed, match="exists already"):
        backup.back_up(old, made)

    assert {file.name: file.read_bytes() for file in made.iterdir()} == before


def test_a_damaged_database_is_replaced_with_its_journal(old, made, tmp_path):
    with closing(sqlite3.connect(old / folder.DATABASE)) as killed:
        killed.executemany("INSERT INTO words VALUES (?)", [("word" * 100,)] * 200)
        killed.commit()
        killed.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        killed.execute("INSERT INTO words VALUES ('too late')")
        killed.commit()
        shutil.copyfile(old / f"{folder.DATABASE}-wal", tmp_path / "journal")
    (old / folder.DATABASE).write_bytes(b"no database" * 1000)
    shutil.copyfile(tmp_path / "journal", old / f"{folder.DATABASE}-wal")

    backup.restore(made, old, replace=True)

    assert names(old) == sorted([folder.DATABASE, *folder.KEYS, folder.LOCK])
    assert rows(old) == ["ada", "bob"]
