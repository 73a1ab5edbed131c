"""The keys that sign records: made once, published, rotated, retired, revoked."""

import json
import stat
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta
from typing import Any, cast

import pytest
from django.core.management import CommandError, call_command
from django.db.models.functions import Now

from arena.data_dir import read_or_make_secret
from arena.domain.bots import versions
from arena.domain.matches import record_compression, record_keys, replays
from arena.models import CheckStep, RecordKey, VersionCheck
from arena.runner import preflight
from botkit.cli import main
from engine import signature
from engine.errors import BadRecord
from engine.record import PlayerId, Record, Signature, sealed
from engine.signature import check_signature, read_keys
from tests import factories
from tests.integration.web.played import random_record

pytestmark = [pytest.mark.django_db, pytest.mark.every_store]
RECORD = random_record("general", 1)


@pytest.fixture(autouse=True)
def key_file(settings, tmp_path):
    """A site of its own that has made no key yet."""
    settings.RECORD_KEY = ""
    settings.RECORD_KEY_FILE = tmp_path / "record_key"
    return settings.RECORD_KEY_FILE


@pytest.fixture
def keys(anyone):
    """Return a function that reads the keys as anybody would."""
    return lambda: read_keys(anyone.get("/record-keys").content)


def signed() -> Any:
    return record_keys.sign(record=RECORD)


def signed_by():
    return signed().signature.key


def test_the_first_signature_makes_and_publishes_the_key(key_file, anyone, keys):
    assert keys() == ()

    record = signed()

    (key,) = keys()
    assert check_signature(Record.from_json(record.to_json()), [key]) == key
    assert record.signature.key == key.id == signature.key_id(key.public_key)
    assert stat.S_IMODE(key_file.stat().st_mode) == 0o600
    assert list(key_file.parent.iterdir()) == [key_file]
    assert anyone.get("/record-keys").json() == {
        "results": [
            {
                "id": key.id,
                "algorithm": "Ed25519",
                "public_key": key.public_key,
                "valid_from": key.valid_from,
                "retired_at": None,
                "revoked_at": None,
            }
        ]
    }
    assert signed_by() == key.id


def test_processes_that_start_together_make_one_key(key_file):
    def read(_number):
        return read_or_make_secret(key_file, record_keys._new_key)

    with ThreadPoolExecutor(8) as pool:
        assert len(set(pool.map(read, range(8)))) == 1
    assert list(key_file.parent.iterdir()) == [key_file]


def test_a_rotation_keeps_what_the_old_key_signed(key_file, keys, capsys):
    before = signed()
    private_before = key_file.read_text()

    call_command("record_keys", "rotate")

    after = signed()
    old, new = keys()
    assert key_file.read_text() != private_before
    assert stat.S_IMODE(key_file.stat().st_mode) == 0o600
    assert (check_signature(before, keys()), check_signature(after, keys())) == (old, new)
    assert old.retired_at is not None
    assert new.retired_at is None
    row = RecordKey.objects.get(key_id=old.id)
    overlap = row.retired_at - RecordKey.objects.values_list(Now(), flat=True)[0]
    assert timedelta(minutes=4) < overlap <= record_keys.OVERLAP
    assert capsys.readouterr().out == (
        f"{old.id}: valid from {old.valid_from}, retired at {old.retired_at}\n"
        f"{new.id}: valid from {new.valid_from}\n"
    )


def test_runner_with_old_key_signs_until_it_retires(key_file, keys, caplog):
    old = signed_by()
    private = key_file.read_text()
    record_keys.rotate()
    key_file.write_text(private)

    assert check_signature(signed(), keys()).id == old

    RecordKey.objects.filter(key_id=old).update(retired_at=Now() - timedelta(seconds=1))
    assert signed() == RECORD
    assert [line.message for line in caplog.records] == ["record_unsigned"]
    assert (caplog.records[0].key, caplog.records[0].game) == (old, RECORD.game)


def test_nothing_that_a_revoked_key_signed_holds(keys):
    record = signed()

    call_command("record_keys", "revoke", record.signature.key)

    with pytest.raises(BadRecord, match="the site revoked the key"):
        check_signature(record, keys())
    assert signed() == RECORD


@pytest.mark.parametrize("doing", ["retire", "revoke"])
def test_a_key_ends_once_and_must_exist(doing):
    key = signed_by()
    call_command("record_keys", doing, key)

    for name, said in ((key, f"The key {key} (has|is) re"), ("feed", "There is no key feed")):
        with pytest.raises(CommandError, match=said):
            call_command("record_keys", doing, name)


def test_key_from_setting_wins_and_is_not_rotated(settings, key_file, keys):
    settings.RECORD_KEY = "7" * 64

    assert signed_by() == signature.key_id(signature.public_half("7" * 64))
    assert not key_file.exists()
    with pytest.raises(CommandError, match="Set another one, restart every runner"):
        call_command("record_keys", "rotate")

    settings.RECORD_KEY = "8" * 64
    assert signed_by() != keys()[0].id
    call_command("record_keys", "retire", keys()[0].id)
    assert [key.retired_at is None for key in keys()] == [False, True]


@pytest.mark.parametrize("bad", ["correct horse battery staple", "A" * 64, "1" * 63])
def test_runner_with_bad_key_stops_without_printing_it(settings, bad):
    settings.RECORD_KEY = bad
    preflight.wait_until_passed.cache_clear()

    with pytest.raises(preflight.PreflightFailed) as refused:
        preflight.wait_until_passed()

    assert "cannot sign records: a private key is 64 hexadecimal digits" in str(refused.value)
    assert bad not in str(refused.value)


def test_private_key_is_not_in_database_or_log(key_file, tmp_path, caplog):
    caplog.set_level("DEBUG")
    record_keys.rotate()
    private = key_file.read_text()
    signed()
    record_keys.revoke(key_id=signed_by())
    signed()

    dump = tmp_path / "dump.json"
    call_command("dumpdata", "arena", output=str(dump))

    assert signature.public_half(private) in dump.read_text()
    assert private not in dump.read_text()
    assert [line.__dict__ for line in caplog.records if private in str(line.__dict__)] == []


def test_the_failed_game_of_a_check_is_signed(keys):
    lease = factories.claim(factories.make_upload())
    step = CheckStep.SMOKE

    assert versions.reject(lease=lease, step=step, reason="lost", log="", took_ms=1, record=RECORD)

    blob: Any = VersionCheck.objects.get(version=lease.pk, step=step).record
    check_signature(Record.from_json(record_compression.unpacked(blob=bytes(blob))), keys())


@pytest.mark.usefixtures("short_games_in_processes")
def test_the_command_asks_the_site_for_its_keys(live_server, tmp_path, capsys):
    bots = [factories.make_ready_with(variants=["general"]) for _ in range(2)]
    match = factories.make_match(*bots, ladder=factories.get_ladder("general"))
    assert factories.play_match(match_pk=match.pk)
    address = f"{live_server.url}/api/v1/games/{match.public_id}/1/record"
    site = ["--site", f"{live_server.url}/"]

    assert main(["verify", address, *site]) == 0
    assert capsys.readouterr().out.count(": holds") == 5

    match.refresh_from_db()
    record = Record.from_json(json.dumps(replays.record(game=match.games.get(number=1))))
    players = {**record.players, "red": PlayerId("somebody/else", "ab" * 32)}
    forged = tmp_path / "forged.json"
    forged.write_text(sealed(replace(record, players=players)).to_json())
    assert main(["verify", str(forged), *site]) == 1
    assert "  signature: does not hold: " in capsys.readouterr().out

    record_keys.revoke(key_id=cast("Signature", record.signature).key)
    assert main(["verify", address, *site]) == 1
    assert "the site revoked the key" in capsys.readouterr().out

    assert main(["verify", address, "--site", f"{live_server.url}/nowhere"]) == 4
    assert "/nowhere/api/v1/record-keys: cannot be read: " in capsys.readouterr().err
