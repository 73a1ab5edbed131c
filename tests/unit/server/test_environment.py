"""Settings that cannot be read stop the start with a sentence that names them."""

import os
import runpy
import subprocess
import sys

import pytest

from tests.tree import ROOT

SETTINGS = str(ROOT / "arena" / "settings.py")
WHOLE, ON_OR_OFF = "a whole number, 0 or more", "on or off"


def settings(monkeypatch, tmp_path, **variables):
    monkeypatch.setenv("DRAPEAU_DATA_DIR", str(tmp_path))
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    return runpy.run_path(SETTINGS)


@pytest.mark.parametrize(
    ("name", "value", "allowed"),
    [
        ("DRAPEAU_PROXIES", "abc", WHOLE),
        ("DRAPEAU_PROXIES", "-1", WHOLE),
        ("DRAPEAU_PROXIES", "1.5", WHOLE),
        ("DRAPEAU_UPLOADS_PER_DAY", "9" * 5000, WHOLE),
        ("DRAPEAU_CONNECTIONS", "x", "a whole number, 1 or more"),
        ("DRAPEAU_CONNECTIONS", "0", "a whole number, 1 or more"),
        ("DRAPEAU_STAFF_MFA", "maybe", ON_OR_OFF),
        ("DRAPEAU_HTTPS", "2", ON_OR_OFF),
        ("DRAPEAU_PROBE_EVERY_DAYS", "7 days", "a mean number of days"),
        ("DRAPEAU_PROBE_EVERY_DAYS", "inf", "a mean number of days"),
        ("DRAPEAU_TRIAL_MARGIN", "nan", "a number of normalized Elo above 0"),
        ("DRAPEAU_TRIAL_MARGIN", "0", "a number of normalized Elo above 0"),
        ("DRAPEAU_LOG_FORMAT", "xml", "console or json"),
        ("DRAPEAU_ISOLATION", "vm", "auto or docker or bubblewrap or process"),
    ],
)
def test_a_setting_that_cannot_be_read_stops_the_start(monkeypatch, tmp_path, name, value, allowed):
    with pytest.raises(SystemExit) as stopped:
        settings(monkeypatch, tmp_path, **{name: value})

    said = str(stopped.value)
    assert said.startswith(f"The setting {name} is {value!r:.60}: set it to {allowed}")
    assert said.endswith(", or leave it out.")


def test_a_value_that_begins_with_a_dollar_sign_is_taken_as_it_is(monkeypatch, tmp_path):
    read = settings(monkeypatch, tmp_path, DRAPEAU_METRICS_TOKEN="$token")

    assert read["METRICS_TOKEN"] == "$token"


@pytest.mark.parametrize(
    ("name", "value", "allowed"),
    [
        ("DRAPEAU_RECORD_KEY", "secret", "64 hexadecimal digits in lower case"),
        ("DRAPEAU_RECORD_KEY", "A" * 64, "64 hexadecimal digits in lower case"),
        ("DATABASE_URL", "secret", "a URL such as postgres://user:password@host/name"),
        ("DATABASE_URL", "oracle://secret", "a URL such as postgres://user:password@host/name"),
        ("DATABASE_URL", "postgres://u:p@h:secret/n", "a URL such as postgres://"),
        ("DRAPEAU_CACHE_URL", "secret://host", "a URL such as redis://host:6379/1"),
        ("DRAPEAU_EMAIL_URL", "secret", "a URL such as smtp+tls://"),
        ("DRAPEAU_BROKER_URL", "secret", "a URL such as filesystem://localhost"),
    ],
)
def test_a_value_that_may_hold_a_password_is_not_repeated(
    monkeypatch, tmp_path, name, value, allowed
):
    with pytest.raises(SystemExit) as stopped:
        settings(monkeypatch, tmp_path, **{name: value})

    said = str(stopped.value)
    assert said.startswith(f"The setting {name} is not readable: set it to {allowed}")
    assert "secret" not in said


def test_settings_that_can_be_read_are(monkeypatch, tmp_path):
    read = settings(
        monkeypatch,
        tmp_path,
        DRAPEAU_STAFF_MFA="Yes",
        DRAPEAU_HTTPS="0",
        DRAPEAU_PROXIES="2",
        DRAPEAU_LEASE_S="",
        DRAPEAU_TRIAL_MARGIN="12.5",
        DRAPEAU_RECORD_KEY="ab" * 32,
        DRAPEAU_ALLOWED_HOSTS="arena.example, www.arena.example",
        DATABASE_URL="postgres://u:p@h:5433/n",
        DRAPEAU_BROKER_URL="rediss://h/0",
    )

    assert (read["STAFF_MFA"], read["HTTPS"], read["PROXIES"]) == (True, False, 2)
    assert (read["LEASE_S"], read["TRIAL_MARGIN"]) == (60, 12.5)
    assert read["RECORD_KEY"] == "ab" * 32
    assert read["ALLOWED_HOSTS"][:2] == ["arena.example", "www.arena.example"]
    assert read["DATABASES"]["default"]["PORT"] == 5433
    assert read["CELERY_BROKER_URL"] == "rediss://h/0"


@pytest.mark.parametrize(
    "command",
    [
        ["manage.py", "check"],
        ["-m", "arena.server"],
        ["-m", "celery", "-A", "arena.celery_app", "worker"],
    ],
)
def test_every_process_ends_with_one_sentence_and_no_traceback(command, tmp_path):
    done = subprocess.run(
        [sys.executable, *command],
        cwd=ROOT,
        env={**os.environ, "DRAPEAU_DATA_DIR": str(tmp_path), "DRAPEAU_PROXIES": "abc"},
        capture_output=True,
        text=True,
        check=False,
    )

    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == (
        "The setting DRAPEAU_PROXIES is 'abc': set it to a whole number, 0 or more,"
        " or leave it out.\n"
    )
