"""The smaller parts of the embedded site, each by itself."""

import re
from pathlib import Path

import pytest

from arena.embedded import folder, site, tcp
from arena.embedded.refusal import StartFailed


def say_nothing(_sentence):
    pass


def start(data_dir, port=0, host=tcp.LOOPBACK):
    """Start a site and go no further than to the first thing that is wrong."""
    options = site.SiteOptions(data_dir, port, host, isolation="process")
    with site.running(options, say_nothing):
        pytest.fail("the site runs")


def test_taken_port_is_refused_with_free_one_named(tmp_path):
    with tcp.listening_socket(0) as other:
        port = other.getsockname()[1]
        assert tcp.listens(port)

        with pytest.raises(StartFailed) as refused:
            start(tmp_path, port=port)

    assert re.fullmatch(
        rf"port {port} of 127\.0\.0\.1 cannot be used: Address already in use\. "
        r"Choose another one, such as --host 127\.0\.0\.1 --port \d+",
        str(refused.value),
    )


@pytest.mark.parametrize(
    ("host", "port", "why"),
    [
        *((host, 0, ".+ Choose another") for host in ("192.0.2.1", "no such name", "a" * 80)),
        ("127.0.0.1", 70000, "ports go from 0 to 65535"),
    ],
)
def test_an_address_of_no_use_is_refused(host, port, why, tmp_path):
    with pytest.raises(StartFailed, match=f"port {port} of {host} cannot be used: {why}"):
        start(tmp_path, port=port, host=host)


def test_folder_held_by_one_site_at_a_time(tmp_path):
    with folder.hold(tmp_path), pytest.raises(StartFailed) as refused:
        start(tmp_path)

    assert f"a site is running on {tmp_path} already (process " in str(refused.value)
    with folder.hold(tmp_path) as lock:
        assert re.fullmatch(r"process \d+", Path(lock.name).read_text())


def test_foreign_settings_do_not_reach_the_site(monkeypatch, tmp_path):
    monkeypatch.setenv("DATABASE_URL", "postgres://precious")
    monkeypatch.setenv("DRAPEAU_BROKER_URL", "redis://precious")

    env = site.environment(tmp_path)

    assert "precious" not in " ".join(env.values())
    assert env["DRAPEAU_DATA_DIR"] == str(tmp_path)


@pytest.mark.parametrize(
    ("host", "allowed", "begin"),
    [
        ("127.0.0.1", "arena.example,127.0.0.1", "http://127.0.0.1:"),
        ("0.0.0.0", "arena.example,0.0.0.0", "http://127.0.0.1:"),
        ("localhost", "arena.example,localhost", "http://localhost:"),
    ],
)
def test_site_answers_under_name_it_listens_on(host, allowed, begin, monkeypatch):
    monkeypatch.setenv("DRAPEAU_ALLOWED_HOSTS", "arena.example")

    assert site.allowed_hosts(host) == allowed
    with tcp.listening_socket(0, host) as listener:
        port = listener.getsockname()[1]
        assert site.url_of(listener, host) == f"{begin}{port}"


@pytest.mark.parametrize(
    ("variables", "queues"),
    [
        ({}, {"worker": "default,mail", "runner": "matches"}),
        (
            {"DRAPEAU_EMAIL_URL": "smtp://localhost"},
            {"worker": "default", "runner": "matches", "mail": "mail"},
        ),
    ],
)
def test_hanging_mail_server_keeps_only_mail_worker(variables, queues, tmp_path):
    _web, *workers = site._programs(tmp_path, 3, variables)

    assert {each.name: each.argv[each.argv.index("-Q") + 1] for each in workers} == queues
