"""Settings that cannot be read stop the start with a sentence that names them."""

import os
import runpy
import subprocess
import sys

import pytest

from tests.tree import ROOT

SETTINGS = str(ROOT / "arena" / "settings.py")
GITHUB = {"DRAPEAU_GITHUB_CLIENT_ID": "arena"}
OIDC = {
    "DRAPEAU_OIDC_ISSUER": "https://id.example/realms/a/",
    "DRAPEAU_OIDC_NAME": "Example ID",
    "DRAPEAU_OIDC_CLIENT_ID": "arena",
    "DRAPEAU_OIDC_SECRET": "$secret",
}
OF_PROVIDERS = {"DRAPEAU_GITHUB_SECRET_FILE": GITHUB, "DRAPEAU_OIDC_ISSUER": OIDC}
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
        ("DRAPEAU_UPLOADS_PER_DAY", "9" * 5000, WHOLE),
        ("DRAPEAU_CONNECTIONS", "0", "a whole number, 1 or more"),
        ("DRAPEAU_STAFF_MFA", "maybe", ON_OR_OFF),
        ("DRAPEAU_PROBE_EVERY_DAYS", "7 days", "a mean number of days"),
        ("DRAPEAU_PROBE_EVERY_DAYS", "inf", "a mean number of days"),
        ("DRAPEAU_TRIAL_MARGIN", "nan", "a number of normalized Elo above 0"),
        ("DRAPEAU_TRIAL_MARGIN", "0", "a number of normalized Elo above 0"),
        ("DRAPEAU_LOG_FORMAT", "xml", "console or json"),
        ("DRAPEAU_EMAIL_FROM", "the arena", "an address: arena@example.org"),
        ("DRAPEAU_EMAIL_FROM", "a@example.org, b@example.org", "an address: arena@example.org"),
        ("DRAPEAU_SITE_URL", "arena.example", "the address of the site: https://"),
        ("DRAPEAU_SITE_URL", "https://arena.example/x", "the address of the site: https://"),
        ("DRAPEAU_SITE_URL", "https://arena.example:port", "the address of the site: https://"),
        ("DRAPEAU_GITHUB_SECRET_FILE", "/nowhere/secret", "a file that can be read"),
        ("DRAPEAU_OIDC_ISSUER", "http://id.example", "the https URL of the provider"),
        ("DRAPEAU_OIDC_ISSUER", "https://id.example/?x", "the https URL of the provider"),
        ("DRAPEAU_ISOLATION", "vm", "auto or docker or bubblewrap or process"),
    ],
)
def test_unreadable_setting_stops_start(monkeypatch, tmp_path, name, value, allowed):
    with pytest.raises(SystemExit) as stopped:
        settings(monkeypatch, tmp_path, **{**OF_PROVIDERS.get(name, {}), name: value})

    said = str(stopped.value)
    assert said.startswith(f"The setting {name} is {value!r:.60}: set it to {allowed}")
    assert said.endswith(", or leave it out.")


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
def test_value_that_may_hold_password_not_repeated(monkeypatch, tmp_path, name, value, allowed):
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
        DRAPEAU_SITE_URL="https://arena.example:8443/",
        DRAPEAU_TRIAL_MARGIN="12.5",
        DRAPEAU_RECORD_KEY="ab" * 32,
        DRAPEAU_ALLOWED_HOSTS="arena.example, www.arena.example",
        DATABASE_URL="postgres://u:p@h:5433/n",
        DRAPEAU_BROKER_URL="rediss://h/0",
        DRAPEAU_METRICS_TOKEN="$token",
    )

    assert (read["SIGN_IN_PROVIDERS"], read["METRICS_TOKEN"]) == ([], "$token")
    assert (read["STAFF_MFA"], read["HTTPS"], read["PROXIES"]) == (True, False, 2)
    assert (read["SITE_URL"], read["HAS_MAIL_SERVER"]) == ("https://arena.example:8443", False)
    assert (read["LEASE_S"], read["TRIAL_MARGIN"]) == (60, 12.5)
    assert read["RECORD_KEY"] == "ab" * 32
    assert read["ALLOWED_HOSTS"][:2] == ["arena.example", "www.arena.example"]
    assert read["DATABASES"]["default"]["PORT"] == 5433
    assert read["CELERY_BROKER_URL"] == "rediss://h/0?ssl_cert_reqs=required"


@pytest.mark.parametrize(
    ("url", "read_as"),
    [
        ("redis://h/0", "redis://h/0"),
        ("rediss://h/0?ssl_ca_certs=/a", "rediss://h/0?ssl_ca_certs=/a&ssl_cert_reqs=required"),
        ("rediss://h/0?ssl_cert_reqs=none", "rediss://h/0?ssl_cert_reqs=none"),
    ],
)
def test_tls_broker_proves_itself_unless_url_says_otherwise(monkeypatch, tmp_path, url, read_as):
    read = settings(monkeypatch, tmp_path, DRAPEAU_BROKER_URL=url)

    assert read["CELERY_BROKER_URL"] == read_as


@pytest.mark.parametrize(
    "command",
    [
        ["-m", "arena.server"],
        ["-m", "celery", "-A", "arena.celery_app", "worker"],
    ],
)
def test_every_process_ends_with_sentence_no_traceback(command, tmp_path):
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


def test_sign_in_secrets_come_from_variables_or_files(monkeypatch, tmp_path):
    file = tmp_path / "secret"
    file.write_text("of the file\n")

    read = settings(monkeypatch, tmp_path, **GITHUB, **OIDC, DRAPEAU_GITHUB_SECRET_FILE=str(file))

    github, oidc = read["SIGN_IN_PROVIDERS"]
    assert (github["client_id"], github["secret"]) == ("arena", "of the file")
    assert (oidc["name"], oidc["secret"]) == ("Example ID", "$secret")
    assert oidc["settings"]["server_url"] == "https://id.example/realms/a"


@pytest.mark.parametrize("missing", OIDC)
def test_a_provider_takes_all_of_its_settings(monkeypatch, tmp_path, missing):
    with pytest.raises(
        SystemExit, match=f"is of no use without {missing}: set all of DRAPEAU_OIDC"
    ):
        settings(monkeypatch, tmp_path, **{k: v for k, v in OIDC.items() if k != missing})


def test_empty_secret_file_stops_start(monkeypatch, tmp_path):
    (tmp_path / "secret").touch()
    file = {"DRAPEAU_GITHUB_SECRET_FILE": str(tmp_path / "secret")}

    with pytest.raises(SystemExit, match="a file that can be read and has the secret in it"):
        settings(monkeypatch, tmp_path, **GITHUB, **file)
