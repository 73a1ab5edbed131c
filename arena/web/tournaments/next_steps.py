"""The next automatic step of a tournament, or what it waits for, as its console shows it."""

from datetime import UTC, datetime

from django.utils import formats, timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from arena.domain.tournaments.snapshot import TournamentSnapshot
from arena.models import Tournament
from arena.models import TournamentStatus as S

IF_NEEDED = "grand_final_reset"  # the round that is only played if needed

_STANDS = {
    S.DRAFT: gettext_lazy(
        "Only the organizers can see it. Open the registration to let bots enter."
    ),
    S.REGISTRATION: gettext_lazy("Bots can be entered until you freeze their versions."),
    S.FROZEN: gettext_lazy(
        "Versions are pinned and seeds are given. When you start it, round 1 is drawn."
    ),
    S.PAUSED: gettext_lazy("No match starts and no round is drawn until you resume it."),
    S.COMPLETED: gettext_lazy("All rounds have been played. Check the results, then release it."),
    S.RELEASED: gettext_lazy("It is over, and everything is public. This cannot be undone."),
    S.CANCELLED: gettext_lazy("It was cancelled. This cannot be undone."),
}


def next_step(tournament: Tournament, picture: TournamentSnapshot) -> str:
    """Return the next automatic step of the tournament, or what it waits for."""
    match S(tournament.status):
        case S.RUNNING:
            return _running(picture)
        case S.REGISTRATION if tournament.freezes_at is not None:
            said = _("Versions are frozen automatically: %(at)s. Until then bots can be entered.")
            return said % {"at": _shown(tournament.freezes_at)}
        case S.FROZEN if tournament.starts_at is not None:
            said = _("It starts automatically: %(at)s. Then round 1 is drawn.")
            return said % {"at": _shown(tournament.starts_at)}
        case status:
            return str(_STANDS[status])


def _running(picture: TournamentSnapshot) -> str:
    left = sum(not meeting.is_over for meeting in picture.state.meetings)
    if not left:
        return _("It continues automatically in a moment.")
    rounds = picture.format.outline(picture.setup, len(picture.state.entries))
    to_come = [each.code for each in rounds[len(picture.rounds) :]]
    if not to_come:
        said = ngettext(
            "This is the last round. It ends with the %(count)d open pairing.",
            "This is the last round. It ends with the %(count)d open pairings.",
            left,
        )
    elif set(to_come) == {IF_NEEDED}:
        said = _("The open pairing decides if a second final is played.")
    else:
        said = ngettext(
            "The next round is drawn automatically when the %(count)d open pairing is over.",
            "The next round is drawn automatically when the %(count)d open pairings are over.",
            left,
        )
    return said % {"count": left}


def _shown(at: datetime) -> str:
    return f"{formats.date_format(timezone.localtime(at, UTC), 'j M Y, H:i')} UTC"
