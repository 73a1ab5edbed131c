"""Acts in the console of organizers: seen first, done with one confirmation."""

import re

import pytest
from django.urls import reverse

from arena.domain.tournaments import stages
from arena.domain.tournaments.interventions.base import REGISTRY
from arena.models import Pairing
from tests import factories
from tests.integration.tournaments import making, playing
from tests.integration.tournaments.pages_consoling import act_url, hidden, text, url

pytestmark = pytest.mark.django_db
DASH = "\N{EN DASH}"


def award(cup, number=0):
    pairing = playing.pairings_of(cup)[number]
    to = pairing.entrants.get(position=0).entrant
    return pairing, to, act_url(cup, "award", pairing=pairing.public_id, to=to.pk)


def test_act_is_previewed_and_done_with_one_confirmation(console, cup):
    pairing, to, address = award(cup)

    page = console.get(address)

    assert page.status_code == 200
    assert "0 → becomes 2" in text(page)
    assert "Back, change nothing" in text(page)
    assert "1 match that is not over is ended." in text(page)
    confirmed = {
        "revision": hidden(page, "revision"), "seen": hidden(page, "seen"), "reason": "no show",
    }  # fmt: skip
    unreasoned = console.post(address, {**confirmed, "reason": ""})
    assert unreasoned.status_code == 400
    assert 'role="alert"' in unreasoned.content.decode()
    assert Pairing.objects.get(pk=pairing.pk).decision == ""
    assert console.post(address, confirmed).url == url(cup)
    assert Pairing.objects.get(pk=pairing.pk).decision == "award"
    said = text(console.get(reverse("tournament-log", args=[cup.slug])))
    assert f"Pairing 1.1 was awarded to {to.bot.name}." in said
    assert "no show" in said


def test_meanwhile_change_is_shown_before_act_is_done(console, cup):
    pairing, _to, address = award(cup)
    page = console.get(address)
    confirmed = {
        "revision": hidden(page, "revision"), "seen": hidden(page, "seen"), "reason": "no show",
    }  # fmt: skip
    stages.pause(tournament=cup, by=making.organizer(cup), reason="other things")

    answer = console.post(address, confirmed)

    assert answer.status_code == 400
    assert "changed the tournament meanwhile" in text(answer)
    assert "no show" in text(answer)  # what was typed is kept
    assert Pairing.objects.get(pk=pairing.pk).decision == ""
    confirmed["revision"] = hidden(answer, "revision")
    assert console.post(address, confirmed).status_code == 302


def test_nonsense_is_answered_in_words(console, cup):
    names = ("match", "pairing", "to", "entrant", "version", "rounds", "count", "starts_at")

    for act in REGISTRY:
        for value in ("", "-1", "%00", "9" * 30):
            address = act_url(cup, act, **dict.fromkeys(names, value))
            assert console.get(address).status_code in (200, 400), address
        assert console.post(address, {"revision": value}).status_code in (200, 400), act

    assert making.fresh(cup).revision == cup.revision


def test_a_version_is_named_as_people_name_it(console, cup):
    entrant = cup.entrants.select_related("bot__owner").first()
    factories.make_ready(entrant.bot)

    for typed, code in (("v2", 200), ("2", 200), ("v1", 400), ("nobody/none v2", 400), ("?", 400)):
        sent = {"entrant": entrant.pk, "version": typed}
        answer = console.get(url(cup, "act", "substitute"), sent)
        assert answer.status_code == code, typed
        assert ("What it does to the standings" in text(answer)) == (code == 200)


def buttons(answer):
    """Return the words of the buttons that do something."""
    return re.findall(r'button-danger" type="submit">([^<]*)<', answer.content.decode())


def test_button_says_what_is_done_and_to_whom(console, cup):
    pairing, to, award_it = award(cup)
    names = f" {DASH} ".join(row.bot.name for row in playing.sides(pairing))
    match = playing.finish(playing.matches_of(cup)[0], 1.0, 0.5)
    other = playing.matches_of(cup)[1]
    factories.make_ready(to.bot)
    others = f" {DASH} ".join(row.bot.name for row in playing.sides(other.pairing))
    pages = {
        award_it: f"Award 1.1 to {to.bot}",
        act_url(
            cup, "award", pairing=pairing.public_id, to="shared"
        ): f"Let all share 1.1: {names}",
        act_url(cup, "rerun", match=match.public_id): f"Play match 1 of {names} again",
        act_url(cup, "void", match=other.public_id): f"Void match 1 of {others}",
        act_url(
            cup, "add_matches", pairing=pairing.public_id, count=2
        ): f"Add 2 matches to {names}",
        act_url(cup, "withdraw", entrant=to.pk): f"Withdraw {to.bot}",
        act_url(cup, "disqualify", entrant=to.pk): f"Disqualify {to.bot}",
        act_url(cup, "substitute", entrant=to.pk, version="v2"): f"Let v2 play for {to.bot}",
    }

    assert {address: buttons(console.get(address)) for address in pages} == {
        address: [said] for address, said in pages.items()
    }


@pytest.mark.django_db(transaction=True)
def test_match_dry_run_is_shown_outside_transaction(client):
    cup = playing.begin()
    client.force_login(making.organizer(cup))
    match = playing.matches_of(cup)[0]

    page = client.get(act_url(cup, "void", match=match.public_id))

    assert page.status_code == 200
    assert buttons(page)[0].startswith("Void match 1 of ")
