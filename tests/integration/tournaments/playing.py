"""Tournaments that are played in tests, with results as a test wants them."""

import pytest

from arena.domain.errors import Refused
from arena.domain.tournaments import releases, snapshot, stages
from arena.domain.tournaments.interventions import execution
from arena.domain.tournaments.rounds import directing
from arena.models import Match, Pairing, Release
from tests import factories
from tests.integration.tournaments import making

WON, LOST, LEVEL = (1.0, 1.0), (0.0, 0.0), (1.0, 0.0)  # points of who is named first


def begin(bots=4, **changed):
    """Start a tournament and draw its first round."""
    tournament = making.make_frozen(bots, **{"min_entrants": bots, **changed})
    stages.start(tournament=tournament, by=making.organizer(tournament))
    return go_on(tournament)


def go_on(tournament):
    """Let it do by itself what it can do now."""
    directing.advance(tournament_pk=tournament.pk)
    return making.fresh(tournament)


def finish(match, *points):
    """Play a match of two; points are those of who is named first, game by game."""
    factories.play_out(match, points or (1.0, 1.0))
    match.refresh_from_db()
    return match


def play_round(tournament, *points):
    """Play every match that waits, each with the same result, and go on."""
    rows = Match.objects.filter(pairing__round__tournament=tournament, status="queued")
    for match in rows.order_by("pk"):
        finish(match, *points)
    return go_on(tournament)


def matches_of(tournament, round_number=1):
    rows = Match.objects.filter(
        pairing__round__tournament=tournament, pairing__round__number=round_number, reruns=None
    )
    return list(rows.order_by("pairing__number", "leg"))


def pairings_of(tournament, round_number=1):
    rows = Pairing.objects.filter(round__tournament=tournament, round__number=round_number)
    return list(rows.order_by("number"))


def hide(tournament, round_number):
    releases.set_release(
        tournament=tournament,
        round_number=round_number,
        release=Release.HIDDEN,
        by=making.organizer(tournament),
    )
    return making.fresh(tournament)


def points(tournament):
    """Return the points of all, by seed."""
    picture = snapshot.load(tournament=making.fresh(tournament))
    found = {row.entrant: row.points for row in picture.standings}
    return [found[pk] for pk in picture.entrants]


def statuses(*matches):
    for match in matches:
        match.refresh_from_db()
    return [match.status for match in matches]


def act(tournament, act, **changed):
    """Do an act as it was seen, by the organizer."""
    tournament.refresh_from_db()
    by = making.organizer(tournament)
    given = {"by": by, "reason": "a test", "revision": tournament.revision, **changed}
    return execution.perform(tournament=tournament, intervention=act, **given)


def refusal(tournament, act):
    """Return the code with which an act is refused, and its words."""
    with pytest.raises(Refused) as refused:
        execution.preview(tournament=making.fresh(tournament), intervention=act)
    return refused.value.code, refused.value.message


def refused(cup, act):
    """Return the code of a refusal, which has words too."""
    code, said = refusal(cup, act)
    assert said
    return code


def sides(pairing):
    """Return the entrants of a pairing by position."""
    return [row.entrant for row in pairing.entrants.select_related("entrant").order_by("position")]


def score(cup, entrant):
    return dict(zip(cup.entrants.order_by("seed"), points(cup), strict=True))[entrant]


def versions(match):
    return [row.version for row in match.entrants.select_related("version")]


def drawn(tournament, round_number):
    """Return who meets whom in a round, by row."""
    rows = pairings_of(tournament, round_number)
    return [(row.number, [each.pk for each in sides(row)]) for row in rows]
