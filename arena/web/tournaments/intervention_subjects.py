"""What an act of organizers is about, in words: who meets, what came of it, what there is now."""

from datetime import UTC, datetime

from django.utils import formats, timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from arena.domain.formats.shapes import Meeting
from arena.domain.tournaments import snapshot
from arena.domain.tournaments.interventions import targets
from arena.domain.tournaments.snapshot import TournamentSnapshot
from arena.models import Match, Pairing, Tournament, TournamentEntrant, VersionStatus
from arena.web.tournaments import console, pairing_lines

NONE = "\N{EN DASH}"


def find_match(tournament: Tournament, public_id: str) -> Match | None:
    """Find a match of the tournament, with its pairing and the round."""
    if not public_id.isprintable():  # no id; a NUL in it would be too much for PostgreSQL
        return None
    rows = Match.objects.select_related("pairing__round")
    return rows.filter(pairing__round__tournament=tournament, public_id=public_id.strip()).first()


def of_pairing(tournament: Tournament, pairing: Pairing) -> str:
    """Name a pairing by its number and who meets in it, with the score where it is over."""
    picture = snapshot.load(tournament=tournament)
    meeting = _meeting(picture, pairing)
    score = pairing_lines.score(meeting, meeting.entrants[0]) if meeting.is_over else ""
    said = f"{targets.label(pairing)}: {pairing_lines.title(picture, meeting)}"
    return f"{said}, {score}" if score else said


def of_match(tournament: Tournament, match: Match, pairing: Pairing) -> str:
    """Name a match by who meets in it, with its score, or where it stands without one."""
    picture = snapshot.load(tournament=tournament)
    meeting = _meeting(picture, pairing)
    words = {
        "pairing": targets.label(pairing),
        "names": pairing_lines.title(picture, meeting),
        "leg": match.leg,
        "score": console.match_score(picture, meeting, match) or console.match_word(match),
    }
    return _("%(pairing)s: %(names)s, match %(leg)s, %(score)s") % words


def names(tournament: Tournament, pairing: Pairing) -> str:
    """Return who meets in a pairing."""
    picture = snapshot.load(tournament=tournament)
    return pairing_lines.title(picture, _meeting(picture, pairing))


def present_time(at: datetime | None) -> str:
    """Return when something is to be so far."""
    if at is None:
        return _("Until now: when the organizers say so.")
    shown = formats.date_format(timezone.localtime(at, UTC), "j M Y, H:i")
    return _("Until now: %(at)s UTC.") % {"at": shown}


def present_rounds(count: int) -> str:
    """Return how many rounds there are so far."""
    return ngettext("It has %(count)d round now.", "It has %(count)d rounds now.", count) % {
        "count": count
    }


def present_matches(count: int) -> str:
    """Say in how many matches a pairing is played so far."""
    said = ngettext(
        "It is played in %(count)d match now.", "It is played in %(count)d matches now.", count
    )
    return said % {"count": count}


def ready_versions(entrant: TournamentEntrant) -> str:
    """Return which versions could play for an entrant, and which one does."""
    rows = entrant.bot.versions.filter(status=VersionStatus.READY).order_by("number")
    ready = ", ".join(f"v{number}" for number in rows.values_list("number", flat=True)) or NONE
    now = f"v{entrant.version.number}" if entrant.version else NONE
    said = _("Versions of %(bot)s that are ready: %(ready)s. Now %(now)s plays.")
    return said % {"bot": entrant.bot, "ready": ready, "now": now}


def _meeting(picture: TournamentSnapshot, pairing: Pairing) -> Meeting:
    return next(
        each
        for each in picture.state.meetings
        if picture.pairings[each.round, each.number].pk == pairing.pk
    )
