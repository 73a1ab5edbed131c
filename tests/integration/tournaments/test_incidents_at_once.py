"""Two organizers, or an organizer and a runner, at the same moment."""

import threading
import time

import pytest
from django.db import transaction

from arena.domain import finishing
from arena.domain.errors import Refused
from arena.domain.tournaments.interventions import execution
from arena.domain.tournaments.interventions.entrants import Disqualify, Substitute
from arena.domain.tournaments.interventions.execution import PreviewOutdated
from arena.domain.tournaments.interventions.matches import Award, Void
from arena.domain.tournaments.rehearsal import rehearsals
from arena.domain.tournaments.rounds import directing
from arena.models import Match, TournamentLogEntry
from tests import factories
from tests.integration.matches.test_at_once import at_once
from tests.integration.tournaments import making, playing

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True), pytest.mark.every_store]


def doing(cup, act, seen=None):
    """Return the doing of an act by the organizer, as the tournament is now."""
    by, revision, fresh = making.organizer(cup), cup.revision, making.fresh(cup)
    return lambda: execution.perform(
        tournament=fresh, intervention=act, by=by, reason="at once", revision=revision, seen=seen
    )


def kinds(came):
    return sorted(type(each).__name__ for each in came)


def test_one_of_simultaneous_acts_is_done_others_shown():
    cup = playing.begin()
    pairing = playing.pairings_of(cup)[0]
    one, other = [row.entrant_id for row in pairing.entrants.order_by("position")]
    spare = factories.make_ready(cup.entrants.get(pk=other).bot)

    came = at_once(
        doing(cup, Award(pairing.public_id, one)),
        doing(cup, Award(pairing.public_id, other)),
        doing(cup, Disqualify(one)),
        doing(cup, Substitute(other, spare.pk)),
    )

    (entry,) = (each for each in came if isinstance(each, TournamentLogEntry))
    for each in came:  # what is shown is the act on what was done; or it cannot be done any more
        assert each is entry or isinstance(each, Refused)
        if isinstance(each, PreviewOutdated):
            assert each.fresh.revision == entry.revision == cup.revision + 1
    assert making.fresh(cup).revision == cup.revision + 1
    done = making.log(cup)
    assert sum(done.count(word) for word in ("awarded", "disqualified", "substituted")) == 1


def test_match_finishing_while_awarded_or_voided_counts_once():
    cup = playing.begin()
    first, second = playing.matches_of(cup)
    leases = [factories.claim(match) for match in (first, second)]
    for lease, match in zip(leases, (first, second), strict=True):
        for game in match.games.all():
            factories.store(lease, game, 1.0)
    place = first.pairing.entrants.get(position=1).entrant_id

    came = at_once(
        *(lambda lease=lease: finishing.finish(lease=lease) for lease in leases),
        doing(cup, Award(first.pairing.public_id, place)),
    )
    cup = making.fresh(cup)
    came += at_once(
        lambda: execution.preview(tournament=cup, intervention=Void(second.public_id)),
        lambda: directing.advance(tournament_pk=cup.pk),
    )

    assert isinstance(came[2], TournamentLogEntry)
    first.refresh_from_db()
    assert first.status == ("finished" if came[0] else "cancelled")
    first.pairing.refresh_from_db()
    assert (first.pairing.decision, first.pairing.award) == ("award", 1)
    assert isinstance(came[3], Refused)  # it was over
    assert Match.objects.filter(pairing__round__number=1).count() == 2


@pytest.mark.parametrize("act", ["void", "disqualify"])
def test_result_written_while_act_looks_stands(act):
    cup = playing.begin()
    match = playing.matches_of(cup)[0]
    entrant = playing.sides(match.pairing)[0]
    acts: dict[str, Void | Disqualify] = {
        "void": Void(match.public_id),
        "disqualify": Disqualify(entrant.pk),
    }
    lease = factories.claim(match)
    for game in match.games.all():
        factories.store(lease, game, 1.0)
    seen = execution.preview(tournament=cup, intervention=acts[act]).seen
    is_written = threading.Event()

    def finish():
        with transaction.atomic():
            assert finishing.finish(lease=lease)
            is_written.set()
            time.sleep(0.5)  # the act reads meanwhile, and must not see what was before

    def do():
        assert is_written.wait(timeout=60)
        return doing(cup, acts[act], seen)()

    came = at_once(finish, do)

    assert came[0] is None
    assert isinstance(came[1], Refused if act == "void" else PreviewOutdated)
    match.refresh_from_db()
    match.pairing.refresh_from_db()
    assert (match.status, match.pairing.decision) == ("finished", "")
    assert not match.reruns.exists()


def test_dry_run_while_tournament_runs_changes_nothing():
    cup = playing.begin()
    pairing = playing.pairings_of(cup)[0]
    place = pairing.entrants.get(position=0).entrant_id
    for match in playing.matches_of(cup):
        playing.finish(match)

    came = at_once(
        *[lambda: execution.preview(tournament=cup, intervention=Award(pairing.public_id, place))]
        * 2,
        *[lambda: directing.advance(tournament_pk=cup.pk)] * 2,
    )

    assert kinds(came[:2]) == ["InterventionDryRun"] * 2
    assert cup.rounds.count() == 2
    pairing.refresh_from_db()
    assert pairing.decision == ""
    assert Match.objects.filter(pairing__round__number=2).count() == 2


def test_one_of_simultaneous_rehearsals_is_started():
    cup = making.make_open()
    by = making.organizer(cup)

    came = at_once(
        *[lambda: rehearsals.start(tournament=making.fresh(cup), by=by)] * 3,
    )

    assert kinds(came) == ["Refused", "Refused", "Tournament"]
    assert cup.rehearsals.count() == 1
    assert cup.rehearsals.get().entrants.count() == 5


def test_result_arriving_meanwhile_is_not_logged_as_act(monkeypatch):
    cup = playing.begin()
    voided, other = playing.matches_of(cup)
    lease = factories.claim(other)
    for game in other.games.all():
        factories.store(lease, game, 1.0)
    has_looked = threading.Event()
    apply = Void.apply

    def apply_slowly(self, tournament, reason):
        has_looked.set()
        time.sleep(0.5)  # the other result would be written now
        return apply(self, tournament, reason)

    monkeypatch.setattr(Void, "apply", apply_slowly)

    def finish():
        assert has_looked.wait(timeout=60)
        return finishing.finish(lease=lease)

    entry, finished = at_once(doing(cup, Void(voided.public_id)), finish)

    assert (finished, playing.statuses(other)) == (True, ["finished"])
    assert entry.details["changes"] == []
