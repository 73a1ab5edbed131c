"""Whether owners may enter their bots by themselves, and what they can do if not."""

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from arena.domain.errors import Refused
from arena.models import EntryPolicy, Tournament, TournamentStatus
from arena.texts.times import in_utc

_CLOSED_TO = {
    EntryPolicy.INVITED: (
        "not_invited",
        gettext_lazy("Only invited bots may enter. Ask the organizers for an invitation."),
    ),
    EntryPolicy.LADDER: (
        "by_ladder",
        gettext_lazy(
            "Owners cannot enter bots: the best bots of the ladder are entered at the freeze. "
            "Let your bot play on the ladder."
        ),
    ),
    EntryPolicy.LISTED: (
        "by_list",
        gettext_lazy(
            "Owners cannot enter bots: the organizers make a list of entrants. Ask one of them."
        ),
    ),
}


def require(*, tournament: Tournament) -> None:
    """Raise Refused unless owners may enter bots now. Late entries have their own check."""
    if tournament.status == TournamentStatus.DRAFT:
        text = _("The registration is not open yet. Come back when it is.")
        raise Refused("registration_closed", text)
    if refusal := _CLOSED_TO.get(EntryPolicy(tournament.entry_policy)):
        raise Refused(refusal[0], str(refusal[1]))
    if tournament.opens_at is not None and tournament.opens_at > timezone.now():
        at = in_utc(tournament.opens_at)
        text = _("The registration opens on %(at)s. Come back then.")
        raise Refused("registration_closed", text % {"at": at})
