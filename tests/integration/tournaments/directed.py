"""Tournaments that are directed and played by tests, and what went wrong in them."""

from arena.domain.accounts import notices
from arena.domain.matches import lifecycle
from arena.domain.tournaments.rounds import directing
from arena.models import Match, Version, VersionStatus
from tests import factories
from tests.integration.tournaments import rows

MOST_ROUNDS = 30


def play_through(cup):
    """Direct and play until nothing is left to be played."""
    for _ in range(MOST_ROUNDS):
        directing.advance_all()
        if not rows.open_matches(cup):
            break
        rows.play_by_seed(cup)
    cup.refresh_from_db()


def told(cup):
    """Return what the organizers were told."""
    return [each.text for each in notices.of(user=cup.created_by)]


def retire(entrant):
    Version.objects.filter(pk=entrant.version_id).update(status=VersionStatus.RETIRED)


def fail(match):
    """Let the platform fail it as often as it may."""
    lease = factories.claim(match)
    Match.objects.filter(pk=match.pk).update(attempt=1000)
    lifecycle.void_attempt(lease=lease, reason="the power failed")
