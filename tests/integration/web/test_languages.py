"""The site in the languages that it has: chosen by the browser, or by the visitor."""

import pytest
from django.template import Context, Template
from django.test import Client
from django.utils import translation

from arena.domain.accounts import notices
from arena.domain.bots import activation, bots
from arena.domain.tournaments import organizers
from arena.models import Match, Notice
from tests import factories
from tests.integration.tournaments import making

pytestmark = [pytest.mark.django_db, pytest.mark.every_store]

GAMES = {"en": "Games", "fr": "Jeux", "nl": "Spellen", "de": "Spiele"}


@pytest.fixture
def visitor():
    return Client()


@pytest.mark.parametrize(
    ("accepted", "language"),
    [
        ("fr", "fr"),
        ("nl-BE,nl;q=0.9", "nl"),
        ("de-AT", "de"),
        ("es", "en"),
        ("", "en"),
        ("x", "en"),
    ],
)
def test_page_is_in_language_of_browser(visitor, accepted, language):
    answer = visitor.get("/variants/", headers={"accept-language": accepted}, secure=True)

    assert f'<html lang="{language}"' in answer.text
    assert f"<h1>{GAMES[language]}</h1>" in answer.text
    assert answer.headers["Content-Language"] == language
    assert "Accept-Language" in answer.headers["Vary"]


def test_language_chosen_by_visitor_precedes_browser(visitor):
    chosen = visitor.post(
        "/language/", {"language": "nl"}, headers={"referer": "/variants/"}, secure=True
    )
    assert (chosen.status_code, chosen.url) == (302, "/variants/")

    answer = visitor.get("/variants/", headers={"accept-language": "fr"}, secure=True)

    assert f"<h1>{GAMES['nl']}</h1>" in answer.text
    assert visitor.cookies["language"]["max-age"] > 300 * 86_400


@pytest.mark.parametrize(
    "sent", [{"language": "xx"}, {}, {"language": "fr", "next": "//evil.example"}]
)
def test_choosing_a_language_leads_nowhere_else(visitor, sent):
    assert visitor.post("/language/", sent, secure=True).url == "/"


def test_page_cached_for_visitors_varies_by_language(visitor, settings):
    settings.VISITOR_PAGES_KEPT_S = 60
    for language in ("fr", "de", "fr"):
        answer = visitor.get("/", headers={"accept-language": language}, secure=True)
        assert f'<html lang="{language}"' in answer.text


def test_a_number_has_a_point_in_all_languages(settings):
    for language, _name in settings.LANGUAGES:
        with translation.override(language):
            assert Template("{{ number }}").render(Context({"number": 12.5})) == "12.5"


def test_row_text_is_stored_in_site_language():
    """A row has readers of all languages, whoever caused it."""
    first = factories.make_ready_with(variants=["general"])
    second = factories.make_ready(bot=first.bot)
    match = factories.make_match(first, factories.make_ready())
    Match.objects.filter(pk=match.pk).update(kind="challenge")
    cup = making.make_draft()
    with translation.override("fr"):
        bots.pause(bot=first.bot)
        activation.retire(version=second)
        organizers.add(
            tournament=cup, by=making.organizer(cup), username=factories.make_user().username
        )

    match.refresh_from_db()
    assert match.failure == "The bot was paused."
    assert "organizer" in Notice.objects.latest("pk").text


def test_row_text_is_shown_in_reader_language(client):
    user = factories.make_user()
    notices.tell(user=user, text="The bot was paused.")
    client.force_login(user)

    answer = client.get("/notices/", headers={"accept-language": "fr"}, secure=True)

    assert "Le bot a été mis en pause." in answer.text
