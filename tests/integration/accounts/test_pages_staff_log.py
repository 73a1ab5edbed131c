import pytest

from arena.domain.accounts import staff_log
from arena.models import StaffAction
from tests.integration.web.played import finished_match, players_of

pytestmark = pytest.mark.django_db


def signed_in(client, user):
    client.force_login(user)
    return client


def test_log_shows_and_filters_who_what_and_why(client, operator):
    staff_log.note(
        by=operator, action="void", target="match m_1", url="/matches/m_1/", reason="<b>late"
    )
    staff_log.note(by=operator, action="cancel", target="match m_2", details={"rerun": "m_3"})
    signed_in(client, operator)

    text = client.get("/staff/log/").content.decode()
    assert ("&lt;b&gt;late" in text, "<b>late" in text) == (True, False)
    assert text.index("match m_2") < text.index("match m_1")
    assert "m_3" in text
    voided = client.get("/staff/log/?action=void").content.decode()
    assert ("match m_1" in voided, "match m_2" in voided) == (True, False)
    assert "There are no such entries" in client.get("/staff/log/?by=nobody").content.decode()


def test_looking_into_logs_of_others_is_noted(client, operator):
    match = finished_match()
    game = match.games.order_by("number").first()
    owner = players_of(match)[0].bot.owner

    signed_in(client, owner).get(game.get_absolute_url())
    assert not StaffAction.objects.exists()
    signed_in(client, operator).get(game.get_absolute_url())
    client.get(game.get_absolute_url())

    row = StaffAction.objects.get()
    assert (row.by, row.action, row.url) == (operator, "look", game.get_absolute_url())
    assert row.target.startswith(f"log of {game}")
    assert all(str(version.bot) in row.target for version in players_of(match))


def test_log_pages_keep_the_filter(client, operator):
    for number in range(101):
        staff_log.note(by=operator, action="void", target=f"match {number}")
        staff_log.note(by=operator, action="cancel", target="another")
    signed_in(client, operator)

    second = client.get("/staff/log/?action=void&page=2")

    assert "another" not in second.content.decode()
    third = client.get(f"/staff/log/{second.context['older']}")
    assert [row.target for row in third.context["rows"]] == ["match 0"]
    back = client.get(f"/staff/log/{third.context['newer']}")
    assert list(back.context["rows"]) == list(second.context["rows"])
    assert all(
        page.context[way].startswith("?action=void&")
        for page, way in ((second, "newer"), (second, "older"), (third, "newer"))
    )
