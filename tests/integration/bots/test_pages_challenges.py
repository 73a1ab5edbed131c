"""Challenges on the pages, and the limits of them."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from arena.domain.bots import challenges
from arena.models import Bot, Match
from tests.factories import get_ladder, play_out
from tests.integration.bots.trial_rows import ready_bot

pytestmark = pytest.mark.django_db


@pytest.fixture
def visitor(client, own):
    client.force_login(own.owner)
    return client


def address(name, bot):
    return reverse(name, args=[bot.owner.username, bot.slug])


def ask(client, own, opponent, **changes):
    wanted = {"bot": own.slug, "ladder": "general", "version": "", **changes}
    return client.post(address("challenge", opponent), wanted)


def asked(own, opponent, ladder="general"):
    return challenges.ask(by=own.owner, own=own, opponents=[opponent], ladder=get_ladder(ladder))


def text_of(response, status=200):
    assert response.status_code == status, response.content
    return response.content.decode()


def test_what_is_refused_is_said_beside_the_field(visitor, own, opponent, settings):
    Bot.objects.filter(pk=opponent.pk).update(accepts_challenges=False)
    assert "does not accept challenges" in text_of(ask(visitor, own, opponent), 400)
    Bot.objects.filter(pk=opponent.pk).update(accepts_challenges=True)

    assert "has no version 7" in text_of(ask(visitor, own, opponent, version="7"), 400)
    assert "Select a valid choice" in text_of(ask(visitor, own, opponent, ladder="none"), 400)
    settings.OPEN_CHALLENGES_PER_USER = 0
    assert "Wait until one is over, or cancel one." in text_of(ask(visitor, own, opponent), 400)
    assert Match.objects.count() == 0


def test_three_meet_where_a_second_opponent_is_named(client):
    trio = [ready_bot(variants=["siege"]) for _ in range(3)]
    client.force_login(trio[0].owner)

    assert "Second opponent" in text_of(client.get(address("challenge", trio[1])))
    wrong = ask(client, trio[0], trio[1], ladder="siege-3", third="nobody/none")
    assert "There is no bot nobody/none." in text_of(wrong, 400)
    ask(client, trio[0], trio[1], ladder="siege-3", third=f" {trio[2]} ")

    entrants = Match.objects.get().entrants.all()
    assert [entrant.version.bot for entrant in entrants] == trio


def test_challenges_page_lists_waiting_and_done(visitor, own, opponent):
    done = asked(own, opponent)
    play_out(done, [1.0, 0.0])
    waiting, theirs = asked(own, opponent), asked(opponent, own)

    text = text_of(visitor.get(reverse("challenge-list")))

    assert "You can ask for the next one:" not in text
    assert text.index(waiting.get_absolute_url()) < text.index(done.get_absolute_url())
    assert theirs.get_absolute_url() not in text
    assert "2 of 50 asked for in the last 24 hours." in text
    assert 'hx-trigger="every 5s"' in text
    answer = visitor.post(reverse("challenge-cancel", args=[waiting.public_id]), follow=True)
    text = text_of(answer)
    assert "The challenge is cancelled." in text
    assert "hx-trigger" not in text
    again = visitor.post(reverse("challenge-cancel", args=[waiting.public_id]), follow=True)
    assert "This challenge is cancelled." in text_of(again)


def test_done_challenges_come_in_pages(visitor, own, opponent, monkeypatch):
    monkeypatch.setattr("arena.web.bots.views.challenges.SHOWN", 1)
    first, second = asked(own, opponent), asked(own, opponent)
    for match in (first, second):
        play_out(match, [1.0, 0.0])

    newest = text_of(visitor.get(reverse("challenge-list")))
    older = text_of(visitor.get(reverse("challenge-list"), {"before": second.public_id}))

    assert (first.public_id in newest, f"?before={second.public_id}" in newest) == (False, True)
    assert (first.public_id in older, second.public_id in older) == (True, False)


def test_page_says_when_quota_is_free_again(visitor, own, opponent, settings, monkeypatch):
    settings.CHALLENGES_PER_DAY = 1
    match, now = asked(own, opponent), timezone.now()
    monkeypatch.setattr(timezone, "now", lambda: now)
    Match.objects.filter(pk=match.pk).update(created_at=now - timedelta(hours=23))

    answer = ask(visitor, own, opponent)

    assert "You can ask for the next one:" in text_of(visitor.get(reverse("challenge-list")))
    text = text_of(answer, 429)
    assert answer["Retry-After"] == "3600"
    assert "You may request 1 challenge in 24 hours." in text
    assert 'data-moment="ahead"' in text
