"""A leaderboard is made once in some seconds for visitors, and never for whoever has a cookie."""

import pytest

from arena.models import Entrant
from tests import factories

pytestmark = pytest.mark.django_db

ADDRESS = "/ladders/classic/"


@pytest.fixture
def kept(settings):
    settings.VISITOR_PAGES_KEPT_S = 60


@pytest.fixture
def bot():
    return factories.make_ready().bot


def rename(bot):
    bot.name = "Quite another one"
    bot.save()
    return bot.name


@pytest.mark.usefixtures("kept")
def test_visitors_get_same_page_without_query(client, bot, django_assert_num_queries):
    before = client.get(ADDRESS)
    new_name = rename(bot)

    with django_assert_num_queries(0):
        after = client.get(ADDRESS)
        again = client.get(ADDRESS, headers={"If-None-Match": before["ETag"]})

    assert after.content == before.content
    assert new_name not in after.content.decode()
    assert (again.status_code, again.content, again["Cache-Control"]) == (304, b"", "no-cache")
    assert new_name in client.get(f"{ADDRESS}?page=1").content.decode()


@pytest.mark.usefixtures("kept")
def test_logged_in_user_alone_gets_new_page(client, bot):
    user = factories.make_user()
    client.get(ADDRESS)
    client.force_login(user)
    client.get(ADDRESS)
    new_name = rename(bot)

    own = client.get(ADDRESS).content.decode()
    client.logout()
    public = client.get(ADDRESS).content.decode()

    assert new_name in own
    assert f"/@{user.username}/" in own
    assert new_name not in public
    assert f"/@{user.username}/" not in public


def test_a_page_that_changed_is_sent_again(client, bot):
    tag = client.get(ADDRESS)["ETag"]
    assert client.get(ADDRESS, headers={"If-None-Match": tag}).status_code == 304
    Entrant.objects.filter(bot=bot).update(rating=1777, best_rank=1, worst_rank=1)

    again = client.get(ADDRESS, headers={"If-None-Match": tag})

    assert again.status_code == 200
    assert "1777" in again.content.decode()


@pytest.mark.parametrize("address", [ADDRESS, "/bots/", "/matches/"])
def test_pages_of_signed_in_users_are_private(client, bot, address):
    assert "private" not in client.get(address).get("Cache-Control", "")

    client.force_login(bot.owner)

    assert "private" in client.get(address)["Cache-Control"]
