"""Why a bot that is on a ladder has no match there to wait for."""

from datetime import timedelta

import pytest
from django.utils import timezone

from arena.domain.bots import bots
from arena.domain.ladders import idle_reasons
from arena.domain.ladders.idle_reasons import Why
from arena.domain.ratings import elo
from arena.models import Bot, Entrant, Ladder, Version
from tests import factories

pytestmark = pytest.mark.django_db


def of(version, slug="classic"):
    found = idle_reasons.of_bot(bot=version.bot, viewer=version.bot.owner)
    return found.get(factories.get_ladder(slug).pk)


def why(version, slug="classic"):
    return of(version, slug).why


@pytest.fixture
def mine():
    return factories.make_ready()


@pytest.fixture
def other():
    return factories.make_ready()


def settle(version, *, ago_s):
    Entrant.objects.filter(version=version).update(
        games=elo.SETTLED_GAMES,
        wins=elo.SETTLED_GAMES,
        waits_since=timezone.now() - timedelta(seconds=ago_s),
    )


def test_bot_with_waiting_match_is_idle_only_elsewhere(mine, other):
    factories.make_match(mine, other)

    assert of(mine) is None
    assert why(mine, "general") == Why.NEXT


def test_bot_alone_or_among_owner_bots_lacks_opponent(mine):
    factories.make_ready(factories.make_bot(mine.bot.owner))

    assert why(mine) == Why.NO_OPPONENT


@pytest.mark.parametrize(
    "out",
    [
        lambda version: bots.pause(bot=version.bot),
        lambda version: Version.objects.filter(pk=version.pk).update(paused_at=timezone.now()),
        lambda version: Version.objects.filter(pk=version.pk).update(status="retired"),
        lambda version: Entrant.objects.filter(version=version).update(active=False),
    ],
    ids=["paused", "version paused", "retired", "inactive"],
)
def test_who_cannot_play_is_no_opponent(mine, other, out):
    assert why(mine) == Why.NEXT

    out(other)

    assert why(mine) == Why.NO_OPPONENT


def test_three_entrants_need_two_other_owners():
    three = [factories.make_ready(variants=["siege"]) for _ in range(2)]
    slug = Ladder.objects.get(entrants_per_match=3).slug
    assert why(three[0], slug) == Why.NO_OPPONENT

    factories.make_ready(variants=["siege"])

    assert why(three[0], slug) == Why.NEXT


def test_a_paused_bot_says_so(mine, other):
    Bot.objects.filter(pk=mine.bot.pk).update(is_paused=True)
    mine.bot.refresh_from_db()

    assert of(mine).reason == "Its owner has paused it."


def test_paused_version_says_why_and_when_tried_again(mine, other):
    at = timezone.now() + timedelta(minutes=5)
    Version.objects.filter(pk=mine.pk).update(
        paused_at=timezone.now(), pause_reason="It crashed five times.", next_probe_at=at
    )

    assert of(mine) == idle_reasons.Idle(Why.VERSION_PAUSED, "It crashed five times.", at)


def test_a_closed_ladder_says_so(mine, other):
    Ladder.objects.filter(slug="classic").update(is_open=False)

    assert why(mine) == Why.LADDER_CLOSED


def test_bot_with_all_matches_playing_has_its_share(mine, other, settings):
    for _ in range(settings.OPEN_MATCHES_PER_BOT):
        factories.claim(factories.make_match(mine, other))

    assert why(mine) == Why.FULL


def test_bot_waits_when_all_opponents_are_taken(mine, other, settings):
    third = factories.make_ready()
    for _ in range(settings.OPEN_MATCHES_PER_BOT):
        factories.make_match(other, third)
    assert why(mine) == Why.OPPONENTS_FULL

    factories.make_ready()

    assert why(mine) == Why.NEXT


def test_a_settled_bot_rests_until_an_instant(clock, mine, other, settings):
    settings.SETTLED_PAUSE_S = 60
    settle(mine, ago_s=20)

    found = of(mine)

    assert found.why == Why.RESTING
    assert found.until == clock.after(40)
    settle(mine, ago_s=61)
    assert why(mine) == Why.NEXT


def test_settled_playing_bot_rests_until_match_is_over(mine, other, settings):
    settings.OPEN_MATCHES_PER_BOT = 2
    settle(mine, ago_s=600)
    factories.claim(factories.make_match(mine, other))

    assert of(mine).until is None
    assert why(mine) == Why.RESTING


def test_a_large_ladder_is_not_read_for_it(mine, other, django_assert_max_num_queries):
    for _ in range(5):
        factories.make_ready()

    with django_assert_max_num_queries(8):  # two ladders: who can play, who has room
        idle_reasons.of_bot(bot=mine.bot, viewer=mine.bot.owner)
