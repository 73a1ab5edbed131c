"""Messages to owners and organizers of a tournament, by the slugs of their texts."""

from collections.abc import Iterable, Mapping

from arena.domain.accounts import notices
from arena.models import (
    Bot,
    NoticeKind,
    Tournament,
    TournamentEntrantStatus,
    TournamentStatus,
    User,
)
from arena.texts import as_rows_keep_them, paragraph
from arena.texts.tournaments import MESSAGES

_IN = (TournamentEntrantStatus.ENTERED, TournamentEntrantStatus.INVITED)


def owners(*, tournament: Tournament) -> list[User]:
    """Return the owners of entered and invited bots, each once, ordered by name."""
    ids = tournament.entrants.filter(status__in=_IN).values_list("bot__owner", flat=True)
    return list(User.objects.filter(pk__in=ids).order_by("username"))


def tell_owners(
    *,
    tournament: Tournament,
    slugs: Iterable[str],
    kind: NoticeKind | None = None,
    **names: object,
) -> None:
    """Create a message for the owner of every bot that is entered or invited."""
    text = _text(tournament, slugs, names)
    for owner in owners(tournament=tournament):
        notices.tell(user=owner, text=text, url=tournament.get_absolute_url(), kind=kind)


def tell_owner(
    *,
    tournament: Tournament,
    bot: Bot,
    slugs: Iterable[str],
    by: User | None = None,
    **names: object,
) -> None:
    """Create a message for the owner of a bot, unless the owner did it (`by`).

    There is no message about a draft, because the owner cannot see it.
    """
    if tournament.status == TournamentStatus.DRAFT or (by and by.pk == bot.owner_id):
        return
    text = _text(tournament, slugs, {"bot": bot, "by": by, **names})
    notices.tell(user=bot.owner, text=text, url=tournament.get_absolute_url())


def tell_of_draft(*, tournament: Tournament) -> None:
    """Create messages for owners whose bots others entered in the draft, after it is published."""
    inside = tournament.entrants.entered()
    for entrant in inside.select_related("bot__owner").order_by("pk"):
        if entrant.entered_by_id != entrant.bot.owner_id:
            tell_owner(tournament=tournament, bot=entrant.bot, slugs=["entered_in_draft"])


def tell_organizers(*, tournament: Tournament, slugs: Iterable[str], **names: object) -> None:
    """Create a message for every organizer who has no unread message with the same text."""
    text, url = _text(tournament, slugs, names), tournament.get_absolute_url()
    for user in tournament.organizers.order_by("pk"):
        unread = notices.of(user=user).filter(text=text, url=url, read_at=None)
        if not unread.exists():
            notices.tell(user=user, text=text, url=url)


def _text(tournament: Tournament, slugs: Iterable[str], names: Mapping[str, object]) -> str:
    texts = (MESSAGES[slug] for slug in slugs)
    with as_rows_keep_them():
        return paragraph(texts, {"tournament": tournament.name, **names})
