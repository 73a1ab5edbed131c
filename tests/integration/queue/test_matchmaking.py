from collections import Counter
from datetime import timedelta
from random import Random

import pytest
from django.core.exceptions import ValidationError
from django.utils import timezone

from arena.domain.matches import lifecycle
from arena.domain.matches.purposes import Purpose
from arena.domain.queue import matchmaking, opponent_choice, pool
from arena.models import Entrant, Ladder, MatchEntrant, MatchKind, Version
from tests import factories

pytestmark = pytest.mark.django_db


def opponents(match):
    return [entrant.version.bot for entrant in match.entrants.all()]


def test_same_owner_bots_never_meet_nor_exceed_bound(settings):
    settings.QUEUED_MATCHES_PER_LADDER = 50
    owner = factories.make_user()
    for _ in range(2):
        factories.make_ready(factories.make_bot(owner))
    assert matchmaking.fill(random=Random(1)) == []
    factories.make_ready()

    made = matchmaking.fill(random=Random(1))

    rows = MatchEntrant.objects.filter(match__in=made).values_list("match__ladder", "version")
    assert made != []
    assert max(Counter(rows).values()) == settings.OPEN_MATCHES_PER_BOT
    assert all(len({bot.owner for bot in opponents(match)}) == 2 for match in made)


def test_open_matches_count_with_all_their_games(settings):
    settings.QUEUED_MATCHES_PER_LADDER = 1
    one, other, third = (factories.make_ready(variants=["classic"]) for _ in range(3))
    Entrant.objects.filter(version=third).update(games=1, wins=1)
    factories.make_match(one, other)
    Entrant.objects.filter(version=other).update(active=False)
    settings.QUEUED_MATCHES_PER_LADDER = 2

    (match,) = matchmaking.fill(random=Random(1))

    assert [entrant.version for entrant in match.entrants.order_by("position")] == [third, one]


def test_ladder_matches_have_its_number_of_entrants():
    for _ in range(4):
        factories.make_ready(variants=["siege"])

    made = {match.ladder.slug: match for match in matchmaking.fill(random=Random(1))}

    owners = {slug: len({bot.owner for bot in opponents(made[slug])}) for slug in made}
    assert owners == {"siege": 2, "siege-3": 3}
    assert {slug: match.games.count() for slug, match in made.items()} == owners


def test_paused_left_or_closed_entrant_is_not_matched():
    closed = Ladder.objects.filter(slug="classic")
    closed.update(is_open=False)
    away, _other = factories.make_ready(), factories.make_ready()
    version, entrant = Version.objects.filter(pk=away.pk), Entrant.objects.filter(bot=away.bot)

    version.update(paused_at=timezone.now())
    assert matchmaking.fill(random=Random(1)) == []
    version.update(paused_at=None)
    entrant.update(active=False)
    assert matchmaking.fill(random=Random(1)) == []
    entrant.update(active=True)

    assert {match.ladder.slug for match in matchmaking.fill(random=Random(1))} == {"general"}


def test_large_ladder_neediest_meets_a_near_one(monkeypatch, settings):
    monkeypatch.setattr(pool, "CANDIDATES", 4)
    settings.QUEUED_MATCHES_PER_LADDER = 1
    for number in range(12):
        version = factories.make_ready(variants=["classic"])
        Entrant.objects.filter(version=version).update(
            games=number, wins=number, online_elo=3000 if number in (1, 2, 3) else 1500
        )

    (match,) = matchmaking.fill(random=Random(1))

    games = sorted(Entrant.objects.get(bot=bot).games for bot in opponents(match))
    assert games[0] == 0
    assert games[1] > 3


def test_large_ladder_longest_wait_ends_within_a_round(monkeypatch, settings):
    monkeypatch.setattr(pool, "CANDIDATES", 4)
    settings.QUEUED_MATCHES_PER_LADDER = 1
    patient = factories.make_ready(variants=["classic"])
    for _ in range(10):
        factories.make_ready(variants=["classic"])
    long_ago = timezone.now() - timedelta(hours=1)
    Entrant.objects.filter(version=patient).update(
        games=60, wins=60, online_elo=4000.0, waits_since=long_ago
    )
    played = set()

    for _ in range(opponent_choice.ROUND):
        (match,) = matchmaking.fill(random=Random(1))
        played |= set(opponents(match))
        lifecycle.cancel(match=match, reason="enough")

    assert patient.bot in played
    assert Entrant.objects.get(version=patient).waits_since > long_ago


def test_owners_with_many_bots_do_not_hide_others(monkeypatch):
    monkeypatch.setattr(pool, "CANDIDATES", 4)
    owner = factories.make_user()
    for _ in range(5):
        factories.make_ready(factories.make_bot(owner), variants=["classic"])
    other = factories.make_ready(variants=["classic"])
    Entrant.objects.filter(version=other).update(games=60, wins=60)

    made = matchmaking.fill(random=Random(1))

    assert made != []
    assert all(other.bot in opponents(match) for match in made)


def test_challenges_do_not_fill_ladder_or_block_bot(settings):
    one, other = (factories.make_ready(variants=["classic"]) for _ in range(2))
    ladder = factories.get_ladder()
    for _ in range(settings.QUEUED_MATCHES_PER_LADDER):
        lifecycle.create_match(
            ladder=ladder, versions=[one, other], purpose=Purpose(MatchKind.CHALLENGE)
        )

    made = matchmaking.fill(random=Random(1))

    assert len(made) == settings.OPEN_MATCHES_PER_BOT
    recent = pool._recent(ladder, 2)
    assert [bots for _at, bots in recent] == 2 * [frozenset((one.bot_id, other.bot_id))]


def test_deferred_matches_do_not_fill_ladder_or_block(settings):
    settings.QUEUED_MATCHES_PER_LADDER = 2
    slow, *others = (factories.make_ready(variants=["classic"]) for _ in range(4))
    for other in others[:2]:
        factories.make_match(slow, other)
    assert matchmaking.fill(random=Random(1)) == []

    Entrant.objects.filter(version=slow).update(deferred_until_s=1000.0)

    made = matchmaking.fill(random=Random(1))
    assert len(made) == 2
    assert all(slow.bot not in opponents(match) for match in made)


def test_settled_bots_meet_once_a_pause():
    for _ in range(2):
        factories.make_ready(variants=["classic"])

    for games, waited_s, wanted in ((100, 0, 0), (100, 61, 1), (99, 0, 2)):
        waits_since = timezone.now() - timedelta(seconds=waited_s)
        Entrant.objects.update(games=games, wins=games, waits_since=waits_since)
        made = matchmaking.fill(random=Random(1))
        assert len(made) == wanted
        assert matchmaking.fill(random=Random(1)) == []
        for match in made:
            lifecycle.cancel(match=match, reason="enough")


def test_unplayable_ladder_holds_up_no_other(caplog):
    first, second = factories.make_ready(), factories.make_ready()
    Ladder.objects.filter(slug="classic").update(options={"no_such_option": 1})

    made = matchmaking.fill(random=Random(1))

    assert {match.ladder.slug for match in made} == {"general"}
    assert {entrant.version for match in made for entrant in match.entrants.all()} == {
        first,
        second,
    }
    assert [record.message for record in caplog.records] == ["ladder_unplayable"]


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"variant": "chess@1"}, "variant"),
        ({"options": {"no_such_option": 1}}, "options"),
        ({"options": [1]}, "options"),
        ({"entrants_per_match": 3}, "entrants_per_match"),
    ],
)
def test_operators_cannot_make_unplayable_ladder(change, field):
    wanted = {"slug": "blitz", "name": "Blitz", "variant": "classic@1", "options": {}} | change

    with pytest.raises(ValidationError) as refused:
        Ladder(**wanted).full_clean()

    assert set(refused.value.message_dict) == {field}
