"""Acts in the console of organizers: seen first, done with one confirmation."""

import pytest
from django.urls import reverse

from arena.domain.tournaments import stages
from arena.models import Pairing
from arena.web.organizerforms import FORMS
from tests import factories
from tests.arena.tournaments import making, playing
from tests.web.consoling import act_url, hidden, text, url

pytestmark = pytest.mark.django_db


@pytest.fixture
def cup():
    return playing.begin()


@pytest.fixture
def console(client, cup):
    """A client whose user organizes the cup."""
    client.force_login(making.organizer(cup))
    return client


def award(cup, number=0):
    pairing = playing.pairings_of(cup)[number]
    to = pairing.entrants.get(position=0).entrant
    return pairing, to, act_url(cup, "award", pairing=pairing.public_id, to=to.pk)


def test_an_act_is_seen_first_and_done_with_one_confirmation(console, cup):
    pairing, to, address = award(cup)

    page = console.get(address)

    assert page.status_code == 200
    assert "4 entrants change their rank" in text(page) or "change" in text(page)
    assert "1 match that is not over is ended." in text(page)
    assert Pairing.objects.get(pk=pairing.pk).decision == ""
    confirmed = {
        "revision": hidden(page, "revision"), "seen": hidden(page, "seen"), "reason": "no show",
    }  # fmt: skip
    assert console.post(address, confirmed).url == url(cup)
    assert Pairing.objects.get(pk=pairing.pk).decision == "award"
    said = text(console.get(reverse("tournament-log", args=[cup.slug])))
    assert f"Pairing 1.1 was awarded to {to.bot.name}." in said
    assert "no show" in said


def test_what_somebody_else_changed_meanwhile_is_shown_before_anything_is_done(console, cup):
    pairing, _to, address = award(cup)
    page = console.get(address)
    confirmed = {
        "revision": hidden(page, "revision"), "seen": hidden(page, "seen"), "reason": "no show",
    }  # fmt: skip
    stages.pause(tournament=cup, by=making.organizer(cup), reason="other things")

    answer = console.post(address, confirmed)

    assert answer.status_code == 400
    assert "was changed meanwhile" in text(answer)
    assert "no show" in text(answer)  # what was typed is kept
    assert Pairing.objects.get(pk=pairing.pk).decision == ""
    confirmed["revision"] = hidden(answer, "revision")
    assert console.post(address, confirmed).status_code == 302


def test_without_a_reason_nothing_is_done(console, cup):
    pairing, _to, address = award(cup)
    page = console.get(address)

    answer = console.post(address, {"revision": hidden(page, "revision"), "seen": ""})

    assert answer.status_code == 400
    assert 'role="alert"' in answer.content.decode()
    assert Pairing.objects.get(pk=pairing.pk).decision == ""


def test_a_refusal_says_what_to_do_instead(console, cup):
    match = playing.finish(playing.matches_of(cup)[0])

    answer = console.get(act_url(cup, "void", match=match.public_id))

    assert answer.status_code == 400
    assert "Play it again instead" in text(answer)


@pytest.mark.parametrize("value", ["", "x", "-1", "%00", "9" * 30, "m_1"])
def test_nonsense_is_answered_in_words(console, cup, value):
    names = ("match", "pairing", "to", "entrant", "version", "rounds", "count", "starts_at")

    for act in FORMS:
        address = act_url(cup, act, **dict.fromkeys(names, value))
        answers = [console.get(address), console.post(address, {"revision": value})]
        assert {answer.status_code for answer in answers} <= {200, 400}, act

    assert making.fresh(cup).revision == cup.revision


@pytest.mark.parametrize("act", ["award", "add_matches"])
def test_an_act_on_no_pairing_leads_to_the_console(console, cup, act):
    page = console.get(url(cup, "act", act.replace("_", "-")))

    assert "Choose the pairing in the console" in text(page)
    assert "Show what it does" not in text(page)
    assert f'<a href="{url(cup)}">' in page.content.decode()


def test_matches_are_added_and_one_too_many_is_said_at_the_field(console, cup):
    pairing = playing.pairings_of(cup)[0]

    page = console.get(act_url(cup, "add_matches", pairing=pairing.public_id, count=2))
    wrong = console.get(act_url(cup, "add_matches", pairing=pairing.public_id, count=100))

    assert "What it does to the standings" in text(page)
    assert 'name="matches"' not in page.content.decode()
    assert wrong.status_code == 400
    assert "a pairing has at most 100" in " ".join(wrong.context["choice"].errors["count"])


def test_there_are_no_other_acts(console, cup):
    assert console.get(url(cup, "act", "delete")).status_code == 404


@pytest.mark.parametrize(
    ("typed", "code"),
    [("v2", 200), ("2", 200), ("v1", 400), ("v9", 400), ("nobody/none v2", 400), ("?", 400)],
)
def test_a_version_is_named_as_people_name_it(console, cup, typed, code):
    entrant = cup.entrants.select_related("bot__owner").first()
    factories.make_ready(entrant.bot)

    answer = console.get(url(cup, "act", "substitute"), {"entrant": entrant.pk, "version": typed})

    assert answer.status_code == code
    assert ("What it does to the standings" in text(answer)) == (code == 200)
