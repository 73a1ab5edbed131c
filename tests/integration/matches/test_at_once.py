"""What happens when two do the same thing, or things that touch, at the same moment."""

import itertools
import threading
from functools import partial
from random import Random

import pytest
from django.db import connection

from arena.domain import finishing
from arena.domain.bots import activation, bots, trials, versions
from arena.domain.errors import InvalidInput, Refused
from arena.domain.queue import matchmaking
from arena.domain.ratings import recomputation, refits, seasons
from arena.models import Entrant, Match, RatingEvent, SeasonStanding
from tests import factories

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.every_store]


def at_once(*jobs):
    """Start every job at the same moment; return what each returned or raised, in their order."""
    barrier = threading.Barrier(len(jobs))
    came: dict[int, object] = {}

    def run(number, job):
        try:
            barrier.wait(timeout=60)
            came[number] = job()
        except Exception as exc:  # noqa: BLE001 - the test compares it
            came[number] = exc
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=each) for each in enumerate(jobs)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=100)
    return [came[number] for number in range(len(jobs))]


def played(first, second):
    """Return the lease of a match whose games are over, and which nobody has finished yet."""
    match = factories.make_match(first, second)
    lease = factories.claim(match)
    for game in match.games.all():
        factories.store(lease, game, 1.0)
    return lease


def test_matches_finished_at_once_are_rated_in_turn():
    first, second = factories.make_ready(), factories.make_ready()
    leases = [played(*pair) for pair in [(first, second), (second, first)] * 3]

    came = at_once(*(lambda lease=lease: finishing.finish(lease=lease) for lease in leases))

    assert came == [True] * 6
    factories.number_finished(factories.get_ladder())
    numbers = Match.objects.order_by("finish_number").values_list("finish_number", flat=True)
    assert list(numbers) == [1, 2, 3, 4, 5, 6]
    assert RatingEvent.objects.count() == 12
    assert recomputation.rerate(ladder=factories.get_ladder()) == []


def test_result_from_two_runners_at_once_counts_once():
    lease = played(factories.make_ready(), factories.make_ready())

    came = at_once(*[lambda: finishing.finish(lease=lease)] * 4)

    assert sorted(came) == [False, False, False, True]
    assert RatingEvent.objects.count() == 2


def test_matches_finishing_at_season_end_have_one_season():
    versions = [factories.make_ready() for _ in range(4)]
    leases = [played(*pair) for pair in itertools.permutations(versions, 2)]
    ladder = factories.get_ladder()

    came = at_once(
        *(lambda lease=lease: finishing.finish(lease=lease) for lease in leases[:6]),
        partial(seasons.end, ladder=ladder),
        partial(refits.refresh, ladder=ladder),
        *(lambda lease=lease: finishing.finish(lease=lease) for lease in leases[6:]),
        partial(matchmaking.fill, random=Random(1)),
    )

    assert came[:6] + came[8:14] == [True] * 12
    seasons.archive_due()
    counted = [row.games for row in SeasonStanding.objects.all()]
    counted += [row.games for row in Entrant.objects.filter(ladder=ladder)]
    assert sum(counted) == 4 * 12
    refits.refresh(ladder=ladder)
    assert recomputation.rerate(ladder=ladder) == []


def test_new_versions_ready_during_finishes_keep_numbers_right():
    first, second = factories.make_ready(), factories.make_ready()
    leases = [played(first, second), played(second, first)]
    uploads = [factories.make_upload(version.bot) for version in (first, second)]
    checked = [factories.claim(upload) for upload in uploads]

    came = at_once(
        *(lambda lease=lease: finishing.finish(lease=lease) for lease in leases),
        *(lambda lease=lease: versions.accept(lease=lease) for lease in checked),
    )

    assert came == [True] * 4
    ladder = factories.get_ladder()
    assert {entrant.version for entrant in Entrant.objects.filter(ladder=ladder)} == set(uploads)
    assert recomputation.rerate(ladder=ladder) == []


def test_versions_rolled_back_during_finishes_keep_counts():
    older, second = factories.make_ready(), factories.make_ready()
    leases = [played(older, second)]
    newer = factories.make_ready(older.bot)
    leases += [played(newer, second), played(second, newer), played(second, older)]

    came = at_once(
        *(lambda lease=lease: finishing.finish(lease=lease) for lease in leases),
        lambda: len(activation.activate(version=older)),
        partial(matchmaking.fill, random=Random(1)),
    )

    assert came[:5] == [True] * 4 + [2]
    entrant = Entrant.objects.get(ladder=factories.get_ladder(), bot=older.bot)
    assert (entrant.version, entrant.games) == (older, 4)
    assert recomputation.rerate(ladder=factories.get_ladder()) == []
    Match.objects.filter(status="queued").update(status="cancelled")
    made = Match.objects.filter(pk__in=[match.pk for match in matchmaking.fill(random=Random(1))])
    assert made.exists()
    assert not made.filter(entrants__version=newer).exists()


def test_retired_version_is_not_matched_during_activation():
    first, second = factories.make_ready(), factories.make_ready()
    third = factories.make_ready(first.bot)
    leases = [played(first, second), played(third, second)]

    came = at_once(
        *(lambda lease=lease: finishing.finish(lease=lease) for lease in leases),
        lambda: activation.activate(version=first),
        lambda: activation.retire(version=first),
        lambda: activation.retire(version=third),
        partial(matchmaking.fill, random=Random(1)),
    )

    assert came[:2] == [True, True]
    assert all(isinstance(each, list | Refused | None) for each in came[2:])
    first.bot.refresh_from_db()
    assert first.bot.active_version is None
    assert not first.bot.entries.filter(active=True).exists()
    assert recomputation.rerate(ladder=factories.get_ladder()) == []
    made = Match.objects.filter(pk__in=[match.pk for match in matchmaking.fill(random=Random(1))])
    assert not made.filter(entrants__version__status="retired").exists()


def test_trial_pairs_finished_at_once_count_once_each():
    older = factories.make_ready()
    newer = factories.make_ready(older.bot)
    trial = trials.start(version=newer)
    trials.advance()
    leases = []
    for match in trial.matches.all():
        leases.append(factories.claim(match))
        for game in match.games.all():
            factories.store(leases[-1], game, 1.0)

    came = at_once(
        *(lambda lease=lease: finishing.finish(lease=lease) for lease in leases * 2), trials.advance
    )

    assert sorted(came[:4]) == [False, False, True, True]
    trial.refresh_from_db()
    assert (trial.games, trial.counts["head"]) == (4, [0, 0, 0, 0, 2])


def test_two_matchmakers_at_once_make_no_more_matches(settings):
    settings.QUEUED_MATCHES_PER_LADDER = 3
    for _ in range(8):
        factories.make_ready(variants=["general"])

    came = at_once(*(partial(matchmaking.fill, random=Random(seed)) for seed in range(4)))

    assert sorted(len(made) for made in came) == [0, 0, 0, 3]
    assert Match.objects.count() == 3


def test_bot_created_at_once_is_one_uploads_many():
    owner = factories.make_user()

    came = at_once(*[lambda: bots.create(owner=owner, name="Twin")] * 4)

    refused = [each for each in came if isinstance(each, InvalidInput)]
    assert (owner.bots.count(), len(refused)) == (1, 3)
    assert all(set(each.errors) == {"slug"} for each in refused)
    came = at_once(*[lambda: factories.make_upload(owner.bots.get())] * 3)
    assert sorted(version.number for version in came) == [1, 2, 3]
