"""What a tournament does when matches, versions or its own steps fail."""

import pytest

from arena.domain import finishing
from arena.domain.matches import leases, lifecycle
from arena.domain.tournaments import log, snapshot, stages
from arena.domain.tournaments.rounds import directing, pairings
from arena.models import (
    Match,
    MatchStatus,
    TournamentStatus,
)
from engine import chance
from tests import factories
from tests.integration.tournaments import making, rows
from tests.integration.tournaments.directed import fail, play_through, retire, told

pytestmark = pytest.mark.django_db


def test_failed_match_is_played_again_by_new_chance():
    cup = rows.make_tournament(2)
    directing.advance_all()
    (match,) = rows.open_matches(cup)
    fail(match)

    directing.advance_all()

    (again,) = rows.open_matches(cup)
    assert (again.rerun_of, again.leg) == (match, match.leg)
    assert again.secret == chance.match_secret(cup.secret, place=again.place) != match.secret
    assert making.log(cup)[-1] == "played_again"


def test_failing_again_pauses_tournament_until_resumed():
    cup = rows.make_tournament(2)
    for _ in range(pairings.ATTEMPTS):
        directing.advance_all()
        fail(rows.open_matches(cup)[0])
    directing.advance_all()

    cup.refresh_from_db()
    assert cup.status == TournamentStatus.PAUSED
    assert making.log(cup)[-2:] == ["given_up", "paused"]
    assert len(told(cup)) == 1
    assert "the power failed" in told(cup)[0]

    stages.resume(tournament=cup, by=cup.created_by)
    play_through(cup)

    assert cup.status == TournamentStatus.COMPLETED


def test_while_it_is_paused_no_round_is_drawn():
    cup = rows.make_tournament(4)
    directing.advance_all()
    begun = [(match, factories.claim(match)) for match in rows.open_matches(cup)]
    stages.pause(tournament=cup, by=cup.created_by, reason="the power fails")
    for match, lease in begun:  # what is being played is played to its end
        for game in match.games.all():
            factories.store(lease, game, 1.0)
        assert finishing.finish(lease=lease)

    directing.advance_all()
    assert cup.rounds.count() == 1

    stages.resume(tournament=cup, by=cup.created_by)
    directing.advance_all()
    assert cup.rounds.count() == 2


def test_retired_version_loses_pairing_without_game():
    cup = rows.make_tournament(2)
    directing.advance_all()
    (match,) = rows.open_matches(cup)
    retire(cup.entrants.get(seed=1))
    assert lifecycle.claim(match_pk=match.pk) is None

    directing.advance_all()

    cup.refresh_from_db()
    (meeting,) = snapshot.load(tournament=cup).state.meetings
    winner = meeting.entrants[[score.wins for score in meeting.scores].index(2)]
    assert (meeting.decision, cup.entrants.get(pk=winner).seed) == ("walkover", 2)
    assert Match.objects.get(pk=match.pk).status == MatchStatus.CANCELLED
    assert "cannot_play" in making.log(cup)
    assert any("can no longer play" in text for text in told(cup))


def test_where_nobody_can_play_a_pairing_is_void():
    cup = rows.make_tournament(2)
    for entrant in cup.entrants.all():
        retire(entrant)

    directing.advance_all()

    assert [each.decision for each in snapshot.load(tournament=cup).state.meetings] == ["void"]


def test_failing_tournament_does_not_hold_up_others(monkeypatch, caplog):
    broken = rows.make_tournament(4, slug="broken")
    sound = rows.make_tournament(4, slug="sound")
    step = directing._step
    monkeypatch.setattr(directing, "_step", lambda pk: 1 // 0 if pk == broken.pk else step(pk))

    directing.advance_all()

    assert sound.rounds.count() == 1
    assert "tournament_stuck" in caplog.text
    assert any("the site has a defect" in text for text in told(broken))


def test_a_step_that_dies_leaves_nothing_of_itself(monkeypatch):
    cup = rows.make_tournament(4)
    monkeypatch.setattr(log, "write", lambda **_: 1 // 0)
    with pytest.raises(ZeroDivisionError):
        directing.advance(tournament_pk=cup.pk)
    assert cup.rounds.count() == 0
    monkeypatch.undo()

    directing.advance_all()

    assert cup.rounds.count() == 1


def test_lost_lease_is_no_reason_for_another_match():
    cup = rows.make_tournament(2)
    directing.advance_all()
    (match,) = rows.open_matches(cup)
    lease = factories.claim(match)
    lifecycle.void_attempt(lease=lease, reason="the runner was lost")

    directing.advance_all()

    assert [each.pk for each in rows.open_matches(cup)] == [match.pk]
    with pytest.raises(leases.LeaseLost):
        leases.renew(lease=lease)
