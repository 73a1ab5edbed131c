"""What a tournament does by itself next, or what it waits for, as its console says it."""

from datetime import UTC, datetime

from django.utils import formats, timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from arena.domain.tournaments.snapshot import TournamentSnapshot
from arena.models import Tournament
from arena.models import TournamentStatus as S

IF_NEEDED = "grand_final_reset"  # the round that is not played in every case

_STANDS = {
    S.DRAFT: gettext_lazy("Organizers alone see it. Open the registration, and bots can enter."),
    S.REGISTRATION: gettext_lazy("Bots are entered until you freeze their versions."),
    S.FROZEN: gettext_lazy("Versions are pinned, seeds are given. You start it; round 1 is drawn."),
    S.PAUSED: gettext_lazy("No match is begun and no round drawn before you resume it."),
    S.COMPLETED: gettext_lazy("All rounds are played. Look at it again, then release it."),
    S.RELEASED: gettext_lazy("It is over, and everything is public. This cannot be undone."),
    S.CANCELLED: gettext_lazy("It was cancelled for good."),
}


def next_step(tournament: Tournament, picture: TournamentSnapshot) -> str:
    """Return what the tournament will do by itself, or what it waits for."""
    match S(tournament.status):
        case S.RUNNING:
            return _running(picture)
        case S.REGISTRATION if tournament.freezes_at is not None:
            said = _("Versions are frozen by themselves: %(at)s. Until then bots are entered.")
            return said % {"at": _shown(tournament.freezes_at)}
        case S.FROZEN if tournament.starts_at is not None:
            said = _("It starts by itself: %(at)s. Then round 1 is drawn.")
            return said % {"at": _shown(tournament.starts_at)}
        case status:
            return str(_STANDS[status])


def _running(picture: TournamentSnapshot) -> str:
    left = sum(not meeting.is_over for meeting in picture.state.meetings)
    if not left:
        return _("It goes on by itself in a moment.")
    rounds = picture.format.outline(picture.setup, len(picture.state.entries))
    to_come = [each.code for each in rounds[len(picture.rounds) :]]
    if not to_come:
        said = ngettext(
            "This is the last round: it is over when the %(count)d open pairing is.",
            "This is the last round: it is over when the %(count)d open pairings are.",
            left,
        )
    elif set(to_come) == {IF_NEEDED}:
        said = _("When the open pairing is over, it is decided whether they meet once more.")
    else:
        said = ngettext(
            "The next round is drawn by itself when the %(count)d open pairing is over.",
            "The next round is drawn by itself when the %(count)d open pairings are over.",
            left,
        )
    return said % {"count": left}


def _shown(at: datetime) -> str:
    return f"{formats.date_format(timezone.localtime(at, UTC), 'j M Y, H:i')} UTC"
