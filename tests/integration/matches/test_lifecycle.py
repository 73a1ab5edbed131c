import pytest
from django.db import IntegrityError, transaction

from arena.domain import finishing
from arena.domain.errors import Refused
from arena.domain.matches import lifecycle
from arena.models import Match, MatchStatus
from tests import factories

pytestmark = [pytest.mark.django_db, pytest.mark.every_store]


def test_a_pair_has_one_seed_and_exchanged_seats():
    match = factories.make_match()

    first, second = match.games.order_by("number")
    assert {first.seats["red"], first.seats["blue"]} == {0, 1}
    assert second.seats == {"red": first.seats["blue"], "blue": first.seats["red"]}


def test_public_ids_tell_nothing_of_order():
    ids = [factories.make_match().public_id for _ in range(3)]

    assert len({len(each) for each in ids}) == 1
    assert all(each.startswith("m_") for each in ids)
    assert len({each[:4] for each in ids}) > 1


@pytest.mark.parametrize("end", ["finished", "cancelled"])
def test_what_is_over_never_reopens(end):
    match = factories.make_match()
    if end == "finished":
        factories.play_out(match, [1.0, 1.0])
        with pytest.raises(Refused):
            lifecycle.void(match=match, reason="too late")
    else:
        lifecycle.cancel(match=match, reason="a test")

    assert lifecycle.claim(match_pk=match.pk) is None
    assert lifecycle.cancel(match=match, reason="again") is False
    match.refresh_from_db()
    assert match.status == end


def test_void_match_is_requeued_with_new_secret():
    match = factories.make_match()
    lease = factories.claim(match)

    again = lifecycle.void(match=match, reason="power cut")

    match.refresh_from_db()
    assert (match.status, match.failure) == (MatchStatus.CANCELLED, "power cut")
    assert (again.rerun_of, again.status) == (match, "queued")
    assert again.secret != match.secret
    assert again.public_id != match.public_id
    assert finishing.finish(lease=lease) is False


def test_the_database_itself_refuses_a_second_finish_number():
    first, second = factories.make_match(), factories.make_match()
    factories.play_out(first, [1.0, 1.0])
    factories.play_out(second, [1.0, 1.0])

    with pytest.raises(IntegrityError), transaction.atomic():
        Match.objects.filter(pk=second.pk).update(finish_number=1)


@pytest.mark.parametrize("status", ["played", "finished", "failed", "running"])
def test_the_database_refuses_states_that_make_no_sense(status):
    match = factories.make_match()

    with pytest.raises(IntegrityError), transaction.atomic():
        Match.objects.filter(pk=match.pk).update(status=status)


def test_secret_draws_lot_for_red():
    versions = [factories.make_ready(), factories.make_ready()]
    ladder = factories.get_ladder("general")

    first_red = {
        lifecycle.create_match(ladder=ladder, versions=versions).games.get(number=1).seats["red"]
        for _ in range(12)  # of secrets that are the same in each run
    }

    assert first_red == {0, 1}
