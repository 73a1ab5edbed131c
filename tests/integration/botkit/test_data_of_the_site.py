"""Records from a site to a folder: played by a runner, filed, downloaded, read and verified."""

import gzip
import json
from datetime import timedelta
from pathlib import Path
from types import SimpleNamespace

import pytest
from django.utils import timezone

from arena.domain.matches import record_files
from arena.models import Match
from botkit.data import records
from tests import factories
from tests.unit.botkit.homes import drapeau

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.usefixtures("short_games_in_processes"),
]


@pytest.fixture
def days(live_server, monkeypatch, tmp_path):
    """Return the addresses of the matches that were played on two days, on a site that is chosen.

    The files of the first of the two days are made.
    """
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("DRAPEAU_SITE", live_server.url)
    monkeypatch.delenv("DRAPEAU_TOKEN", raising=False)
    noon = timezone.now().replace(hour=12)
    yesterday = noon - timedelta(days=1)
    ended = []
    for at in (yesterday, yesterday, noon):
        versions = [factories.make_ready_with(variants=["general"]) for _ in range(2)]
        match = factories.make_match(*versions, ladder=factories.get_ladder("general"))
        assert factories.play_match(match_pk=match.pk)
        Match.objects.filter(pk=match.pk).update(finished_at=at)
        ended.append(match.public_id)
    monkeypatch.setattr(record_files, "timezone", SimpleNamespace(now=lambda: noon))
    record_files.make_due()
    return yesterday.date(), ended


def test_day_of_games_is_downloaded_read_and_verified(days, live_server, tmp_path, capfd):
    day, played = days
    words = ("data", "general", "--since", day, "--json")
    (file,) = json.loads(drapeau(capfd, *words))["files"]

    found = list(records("records"))

    assert (file["games"], file["is_new"]) == (4, True)
    assert [record.chance and record.chance.match for record in found] == [
        match for match in played[:2] for _game in range(2)
    ]
    lines = gzip.decompress(Path(file["path"]).read_bytes()).splitlines()
    for number, line in enumerate(lines):
        one = tmp_path / f"{number}.json"
        one.write_bytes(line)
        said = drapeau(capfd, "verify", one, "--site", live_server.url)
        verdicts = {row.split(": ")[0].strip(): row.split(": ")[1] for row in said.splitlines()[1:]}
        assert verdicts == dict.fromkeys(verdicts, "holds")
        assert {"seal", "signature", "replay"} <= verdicts.keys()
    assert json.loads(drapeau(capfd, *words))["files"][0]["is_new"] is False
