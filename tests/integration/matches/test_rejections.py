"""A version that lost its check game: explained to all, and run again at home by its owner."""

import html
import re
import shlex

import pytest

from arena.domain.bots import bots
from arena.models import StaffAction, User, VersionStatus
from botkit.cli import main
from tests import factories
from tests.sandbox.zips import zipped

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.usefixtures("short_games_in_processes"),
]

SILENT = 'import sys\nsys.stdin.readline()\nraise ValueError("not today")\n'


@pytest.fixture
def rejected():
    version = factories.admit(source=SILENT, variants=["general"])
    assert version.status == VersionStatus.REJECTED
    return version


def command_on(page):
    found = re.findall(r'<pre class="command"[^>]*><code>(.*?)</code></pre>', page)
    return [shlex.split(html.unescape(line)) for line in found]


def test_the_owner_runs_the_game_again(rejected, client, tmp_path, monkeypatch, capfd):
    client.force_login(rejected.bot.owner)
    page = client.get(rejected.get_absolute_url()).content.decode()
    (command,) = command_on(page)
    answer = client.get(f"{rejected.get_absolute_url()}record/")
    (name,) = re.findall(r'filename="(.*)"', answer["Content-Disposition"])
    (tmp_path / name).write_bytes(answer.content)
    (tmp_path / "bot.py").write_text(SILENT)
    monkeypatch.chdir(tmp_path)

    assert command[:3] == ["drapeau", "reproduce", name]
    assert main(command[1:]) == 0

    said = capfd.readouterr().out
    assert "now, at request 1: crash: ended with exit status 1" in said
    assert "The program ended, or closed its output" in page


def test_others_read_rejection_meaning_without_record(rejected, client):
    staff = User.objects.create_user("operator", is_staff=True)
    address = f"{rejected.get_absolute_url()}record/"
    seen = {}
    for who in (None, factories.make_user("stranger"), staff):
        client.logout()
        if who:
            client.force_login(who)
        page = client.get(rejected.get_absolute_url()).content.decode()
        assert "The program ended, or closed its output" in page
        seen[who and who.username] = (len(command_on(page)), client.get(address).status_code)

    assert seen == {None: (0, 404), "stranger": (0, 404), "operator": (1, 200)}
    targets = StaffAction.objects.filter(action="look").values_list("target", flat=True)
    said = f"record of the checks of version {rejected.number}, "
    assert [each.startswith(said) for each in targets].count(True) == 1


def test_version_rejected_without_game_has_no_record(client):
    version = bots.submit_version(
        bot=factories.make_bot(),
        filename="bot.zip",
        data=zipped([("read.me", b"no program")]),
        variants=["general"],
    )
    factories.validate(version_pk=version.pk)
    version.refresh_from_db()
    assert version.status == VersionStatus.REJECTED
    ready = factories.make_ready()

    for row in (version, ready):
        client.force_login(row.bot.owner)
        assert command_on(client.get(row.get_absolute_url()).content.decode()) == []
        assert client.get(f"{row.get_absolute_url()}record/").status_code == 404
