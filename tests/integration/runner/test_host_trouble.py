"""A host with too little CPU time or disk: jobs lose no attempt, and the host rests."""

import errno
import os
import time
from types import SimpleNamespace

import pytest

from arena.models import Match, MatchStatus, Version, VersionStatus
from arena.runner import host_trouble, preflight, programs
from arena.runner.host_trouble import HostRests
from sandbox import limits
from sandbox.wire.starvation import HostStarved
from tests import factories

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.every_store]

WHY = "this host is short of CPU time"


TROUBLES = {
    "short of CPU time": HostStarved(WHY),
    "full disk": OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)),
}


@pytest.fixture(params=[*TROUBLES, "no engine"])
def trouble(request, monkeypatch):
    """Have a host that can play no game to its end; return what its jobs say of it."""
    if request.param == "no engine":
        request.getfixturevalue("no_engine")
        return "docker"
    request.getfixturevalue("short_games_in_processes")

    def seated(**_):
        raise TROUBLES[request.param]

    monkeypatch.setattr(programs, "seated", seated)
    return {"short of CPU time": WHY, "full disk": "internal error: OSError"}[request.param]


def test_job_on_host_in_trouble_loses_no_attempt(settings, trouble):
    match = factories.make_match(factories.make_ready_with(), factories.make_ready_with())
    version = factories.make_upload()

    for _ in range(max(settings.MATCH_ATTEMPTS, settings.CHECK_ATTEMPTS) + 1):
        Match.objects.update(not_before=None)
        Version.objects.update(not_before=None)
        assert factories.play_match(match_pk=match.pk) is False
        assert factories.validate(version_pk=version.pk) is False

    match.refresh_from_db()
    version.refresh_from_db()
    assert (match.status, match.attempt) == (MatchStatus.RETRYING, 0)
    assert (version.status, version.attempt) == (VersionStatus.UPLOADED, 0)
    assert trouble in match.waiting_reason


@pytest.mark.parametrize("limit", ["DISK_LEAST_BYTES", "DISK_LEAST_FILES"])
def test_runner_takes_no_job_with_nearly_full_disk(monkeypatch, limit):
    host_trouble.check()
    monkeypatch.setattr(limits, limit, 1 << 80)

    with pytest.raises(HostRests, match=r"the disk of /.* has .* left, .* make room there"):
        host_trouble.check()


def test_what_cannot_be_explained_counts():
    assert not host_trouble.explains(trouble=OSError(errno.EIO, "a broken disk"))


def test_runner_takes_no_job_while_host_rests(monkeypatch):
    monkeypatch.setattr(host_trouble, "time", SimpleNamespace(monotonic=lambda: 1000.0))
    monkeypatch.setattr(preflight, "wait_until_passed", lambda: None)
    monkeypatch.setattr(preflight, "_report_level", lambda: None)
    assert host_trouble.explains(trouble=HostStarved(WHY))
    with pytest.raises(HostRests, match="takes no jobs for 60 s"):
        host_trouble.check()
    waits = []

    def wait(pause_s):
        waits.append(pause_s)
        monkeypatch.setattr(host_trouble.Rest, "until_s", 1000.0)

    monkeypatch.setattr(time, "sleep", wait)
    preflight.wait_for_a_job()

    assert waits == [preflight.RETRY_EVERY_S]
