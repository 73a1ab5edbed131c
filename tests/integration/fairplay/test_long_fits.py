"""A ladder whose fit takes too long for a request is corrected by a command."""

import re

import pytest
from django.core.management import CommandError, call_command

from arena.domain.ratings import recomputation
from arena.models import Annulment, Ladder, Match, StaffAction
from tests import factories
from tests.integration.api import rows

pytestmark = pytest.mark.django_db


@pytest.fixture
def farmed():
    """Return four versions, of which the first won all matches against the second."""
    versions = [factories.make_ready() for _ in range(4)]
    for other in (versions[1], versions[1], versions[2], versions[3]):
        factories.play_out(factories.make_match(versions[0], other), [1.0, 1.0])
    return versions


def annul(*more, bot):
    return call_command("annul", "classic", str(bot), *more)


def confirmation(shown):
    ((until, digest),) = re.findall(r"--until (\d+) --digest (\w+)", shown)
    return ["--until", until, "--digest", digest, "--by", "operator", "--reason", "farmed"]


def test_page_and_api_refuse_and_name_the_command(client, operator, farmed):
    match = Match.objects.earliest("finish_number")
    client.force_login(operator)
    by_bot = f"/staff/annul/?ladder=classic&bot={farmed[0].bot}"
    addresses = [by_bot, f"/staff/annul/?match={match.public_id}"]
    bodies = [{"ladder": "classic", "bot": str(farmed[0].bot)}, {"match": match.public_id}]

    def answers():
        pages = [client.get(address).content.decode() for address in addresses]
        token = {"Authorization": f"Bearer {rows.token(operator)}"}
        asked = "/api/v1/staff/annulments?dry_run=1"
        api = [
            client.post(asked, body, content_type="application/json", headers=token)
            for body in bodies
        ]
        return ["fit_too_long" if "takes about 60 seconds" in page else "" for page in pages] + [
            answer.json().get("code", "") for answer in api
        ]

    assert answers() == [""] * 4
    Ladder.objects.update(fitted_in_s=60.0)
    assert answers() == ["fit_too_long"] * 4


def test_command_shows_what_it_does_and_does_it(operator, farmed, capsys):
    Ladder.objects.update(fitted_in_s=60.0)
    winner, loser = (version.bot for version in farmed[:2])
    ladder = factories.get_ladder()

    annul(bot=winner)
    shown = capsys.readouterr().out
    assert "4 matches" in shown
    assert re.search(rf"^{loser}: place 4 -> 1, Elo \d+\.\d -> none$", shown, re.MULTILINE)
    assert not Annulment.objects.exists()
    annul(*confirmation(shown), bot=winner)

    assert "4 matches are annulled" in capsys.readouterr().out
    assert Match.objects.filter(annulment__reason="farmed").count() == 4
    assert StaffAction.objects.get(action="annul").by == operator
    assert recomputation.rerate(ladder=ladder) == []


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        (["nowhere", "ada/one"], "There is no ladder nowhere."),
        (["classic", "nobody"], "Write owner/bot"),
        (["classic", "nobody/none"], "There is no bot nobody/none."),
    ],
)
def test_command_says_what_it_cannot_find(asked, said):
    with pytest.raises(CommandError, match=said):
        call_command("annul", *asked)


def test_command_needs_staff_user_for_log(farmed, capsys):
    annul(bot=farmed[1].bot)
    given = confirmation(capsys.readouterr().out)

    with pytest.raises(CommandError, match="Name with --by the user of staff"):
        annul(*given, bot=farmed[1].bot)
