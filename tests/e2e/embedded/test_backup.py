"""A site in one folder: backed up, destroyed, restored, and as it was."""

import json
import shutil
import subprocess
import sys

from arena.embedded import site
from arena.embedded.folder import DATABASE
from tests.tree import ROOT

MAKE = """
import django, json
django.setup()
from arena.domain.matches import record_keys
from tests import factories
from tests.integration.web.played import refused_record
first, second = factories.make_ready(), factories.make_ready()
for points in (1.0, 0.5, 0.0):
    factories.play_out(factories.make_match(first, second), [points, 1.0])
print(record_keys.sign(record=refused_record("classic@1", 1)).to_json())
"""
LOOK = """
import django, json, sys
django.setup()
from django.contrib.auth import authenticate
from arena.domain.matches import record_keys
from arena.models import RatingEvent, User
from engine.record import Record
from engine.signature import check_signature, public_half, key_id, PublicKey
record = Record.from_json(sys.stdin.read())
(row,) = record_keys.published()
key = PublicKey(row.key_id, row.public_key, record_keys.instant(row.valid_from))
name = User.objects.earliest("pk").username
print(json.dumps({
    "the key still verifies": check_signature(record, [key]).id == row.key_id,
    "the runner signs with it": key_id(public_half(record_keys.private_key())) == row.key_id,
    "a user can sign in": authenticate(None, username=name, password="correct horse") is not None,
    "rating events": RatingEvent.objects.count(),
}))
"""


def run(data_dir, *command, given=""):
    done = subprocess.run(
        (sys.executable, *map(str, command)),
        check=False,
        cwd=ROOT,
        env=site.environment(data_dir),
        input=given,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_a_destroyed_site_comes_back_from_its_backup(tmp_path):
    data, folder = tmp_path / "site", tmp_path / "backup"
    data.mkdir()
    run(data, "-m", "django", "migrate", "--no-input", "--skip-checks")
    record = run(data, "-c", MAKE).splitlines()[-1]
    key = (data / "secret_key").read_text()

    assert run(data, "-m", "arena", "backup", "--data", data, folder) == f"{folder}\n"
    shutil.rmtree(data)
    run(data, "-m", "arena", "restore", "--data", data, folder)

    assert json.loads(run(data, "-c", LOOK, given=record).splitlines()[-1]) == {
        "the key still verifies": True,
        "the runner signs with it": True,
        "a user can sign in": True,
        "rating events": 6,
    }
    assert (data / "secret_key").read_text() == key
    rerated = run(data, "-m", "arena", "manage", "--data", data, "rerate", "--check")
    assert "classic: 6 events, 0 differences" in rerated


def test_make_backup_takes_folder_of_site(tmp_path):
    data, folder = tmp_path / "site", tmp_path / "backup"
    data.mkdir()
    run(data, "-m", "django", "migrate", "--no-input", "--skip-checks")

    assert run(data, "-m", "tools.backup", "make", "--data", data, folder) == f"{folder}\n"
    run(data, "-m", "tools.backup", "restore", "--data", tmp_path / "new", folder)

    assert (tmp_path / "new" / DATABASE).stat().st_size > 0
