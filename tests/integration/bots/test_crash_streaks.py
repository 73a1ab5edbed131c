"""Streaks of forfeits: paused with one message, probed, brought back."""

from datetime import timedelta
from random import Random

import pytest
from django.utils import timezone

from arena.domain import finishing
from arena.domain.bots import activation, bots, crash_streaks, probes
from arena.domain.errors import Refused
from arena.domain.matches import lifecycle, purposes
from arena.domain.queue import matchmaking
from arena.models import Ladder, MatchKind, Notice, Version
from tests import factories

pytestmark = pytest.mark.django_db

WON = ({"red": 1.0, "blue": 0.0}, "")


@pytest.fixture
def two():
    return factories.make_ready(), factories.make_ready()


def forfeit(match, game_number, position):
    """Return the result of a game that the entrant in a place forfeited."""
    seats = match.games.get(number=game_number).seats
    seat = next(seat for seat, at in seats.items() if at == position)
    return {side: float(side != seat) for side in ("red", "blue")}, seat


def finish(match, *forfeited):
    """Finish a match; `forfeited` has, for each game, the place at fault or None."""
    results = [
        WON if at is None else forfeit(match, number, at)
        for number, at in enumerate(forfeited, start=1)
    ]
    factories.finish_with(match, *results)


def crash(version, opponent, games=4):
    for _ in range(games // 2):
        finish(factories.make_match(version, opponent), 0, 0)
    version.refresh_from_db()


def be_due(version):
    Version.objects.filter(pk=version.pk).update(next_probe_at=timezone.now())


def test_forfeits_in_a_row_pause_version_with_message(two):
    version, opponent = two
    finish(factories.make_match(version, opponent), 0, 0)
    version.refresh_from_db()
    assert (version.crash_streak, version.paused_at) == (2, None)
    waiting = factories.make_match(version, opponent)

    finish(factories.make_match(version, opponent), None, 0)
    finish(factories.make_match(version, opponent), 0, 0)

    version.refresh_from_db()
    waiting.refresh_from_db()
    assert version.paused_at is not None
    assert version.pause_reason == ("It forfeited 3 games in a row, the last one with “crash”.")
    assert (waiting.status, waiting.failure) == (
        "cancelled",
        "One of its versions was paused after a streak of forfeits.",
    )
    told = Notice.objects.get(kind="version_paused")
    assert (told.user, told.url) == (version.bot.owner, version.get_absolute_url())
    assert version.pause_reason in told.text
    assert matchmaking.fill(random=Random(1)) == []


def test_only_own_forfeits_in_a_row_count(two, settings):
    version, opponent = two
    settings.MATCH_ATTEMPTS = 1

    def streaks():
        return list(Version.objects.order_by("pk").values_list("crash_streak", flat=True))

    for _ in range(4):
        lease = factories.claim(factories.make_match(*two))
        lifecycle.void_attempt(lease=lease, reason="the platform failed")
    challenge = purposes.Purpose(MatchKind.CHALLENGE)
    finish(
        lifecycle.create_match(ladder=factories.get_ladder(), versions=two, purpose=challenge), 0, 0
    )
    assert streaks() == [0, 0]
    finish(factories.make_match(version, opponent), 0, 1)
    finish(factories.make_match(version, opponent), 1, 0)
    assert streaks() == [2, 2]
    finish(factories.make_match(version, opponent), None, 0)
    assert streaks() == [1, 0]  # a game that ended by the rules
    assert not Version.objects.exclude(paused_at=None).exists()


def test_late_forfeits_after_pause_bring_no_second_message(two):
    late = [factories.make_match(*two) for _ in range(2)]
    leases = [factories.claim(match) for match in late]
    crash(*two)

    for match, lease in zip(late, leases, strict=True):
        for game in match.games.order_by("number"):
            factories.store_outcome(lease, game, *forfeit(match, game.number, 0))
        assert finishing.finish(lease=lease)

    assert Notice.objects.filter(kind="version_paused").count() == 1


def test_owner_is_told_of_forfeits_once_a_day(two, settings):
    settings.CRASH_STREAK = 99
    version, opponent = two
    match = factories.make_match(version, opponent)
    finish(match, None, 0)
    finish(factories.make_match(version, opponent), 0, 1)

    told = Notice.objects.get(kind="game_forfeited", user=version.bot.owner)
    Notice.objects.update(created_at=timezone.now() - timedelta(hours=25))
    finish(factories.make_match(version, opponent), 0, None)

    assert told.text.startswith(f"{version.bot.name} v1 forfeited a game: “crash”.")
    assert told.url == f"/matches/{match.public_id}/games/2/forensics/"
    assert Notice.objects.filter(user=version.bot.owner).count() == 2
    assert Notice.objects.get(user=opponent.bot.owner).kind == "game_forfeited"


def test_one_probe_is_sent_when_due(two):
    version, opponent = two
    crash(*two)
    assert probes.send(random=Random(1)) == []
    opponent.bot.accepts_challenges = False
    opponent.bot.save()
    be_due(version)
    assert probes.send(random=Random(1)) == []
    version.refresh_from_db()
    assert version.next_probe_at > timezone.now() + timedelta(seconds=1)
    opponent.bot.accepts_challenges = True
    opponent.bot.save()
    be_due(version)

    (probe,) = probes.send(random=Random(1))

    assert (probe.kind, probe.is_rated) == (MatchKind.PROBE, False)
    assert [entrant.version for entrant in probe.entrants.all()] == [version, opponent]
    be_due(version)
    assert probes.send(random=Random(1)) == []


def test_time_between_probes_doubles_up_to_a_day(clock, two, settings):
    settings.PROBE_DELAY_S = 20_000
    version = two[0]
    crash(*two)
    waits = [(version.next_probe_at - version.paused_at).total_seconds()]
    for _ in range(3):
        be_due(version)
        (probe,) = probes.send(random=Random(1))
        finish(probe, 0, 0)
        version.refresh_from_db()
        waits.append((version.next_probe_at - clock.now).total_seconds())

    assert waits == [20_000, 40_000, 80_000, 24 * 3600]
    assert Notice.objects.filter(kind="version_paused").count() == 1


def test_only_good_probe_brings_version_back(two):
    version, _opponent = two
    crash(*two)
    for forfeited, comes_back in (
        ((0, 0), False),
        ((None, 0), False),
        ((1, 1), False),  # it has shown nothing
        ((None, 1), True),
    ):
        be_due(version)
        (probe,) = probes.send(random=Random(1))

        finish(probe, *forfeited)

        version.refresh_from_db()
        assert (version.paused_at is None) == comes_back
    assert {
        name: getattr(version, name) for name in crash_streaks.NOT_PAUSED
    } == crash_streaks.NOT_PAUSED
    assert Notice.objects.filter(kind="version_paused").count() == 1
    crash(*two)
    assert Notice.objects.exclude(kind="game_forfeited").count() == 2


def test_no_probe_while_bot_is_paused_or_switched(two):
    version, _opponent = two
    crash(*two)
    be_due(version)
    bots.pause(bot=version.bot)
    assert probes.send(random=Random(1)) == []
    bots.resume(bot=version.bot)

    newer = factories.make_ready(version.bot)
    assert probes.send(random=Random(1)) == []

    activation.retire(version=newer)
    assert probes.send(random=Random(1)) == []


def test_the_owner_may_resume_by_hand(two):
    version, _opponent = two
    crash(*two)

    crash_streaks.resume(version=version)

    assert (version.paused_at, version.crash_streak) == (None, 0)
    with pytest.raises(Refused) as refused:
        crash_streaks.resume(version=version)
    assert refused.value.code == "not_paused"


def test_a_probe_of_three_seats_asks_two(settings):
    settings.CRASH_STREAK = 1
    ladder = factories.get_ladder("siege-3")
    three = [factories.make_ready(variants=["siege"]) for _ in range(3)]
    match = factories.make_match(*three, ladder=ladder)
    results = []
    for game in match.games.order_by("number"):
        seat = next(seat for seat, at in game.seats.items() if at == 0)
        loses = "garrison" if seat == "garrison" else "besiegers"
        results.append(({side: float(side != loses) for side in ("garrison", "besiegers")}, seat))
    factories.finish_with(match, *results)
    be_due(three[0])

    (probe,) = probes.send(random=Random(1))

    assert probe.ladder == ladder
    assert {entrant.version for entrant in probe.entrants.all()} == set(three)


def test_version_of_closed_ladder_is_probed_on_another(two):
    crash(*two)
    Ladder.objects.filter(slug="classic").update(is_open=False)
    be_due(two[0])

    [probe] = probes.send(random=Random(1))

    assert probe.ladder.slug == "general"
