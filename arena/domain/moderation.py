"""What staff does about offences: it bans, renames and clears descriptions.

A ban is a date in the row of the user, which match-making, challenges and entries read. So lifting
a ban, or its end, brings the bots back as they were. Every act is in the log of staff.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from allauth.account.models import EmailAddress
from django.core.mail import send_mail
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from arena.domain import refused_names, slugs
from arena.domain.accounts import accounts, notices, staff_log
from arena.domain.bots import bots
from arena.domain.errors import InvalidInput, Refused
from arena.domain.tournaments import changes, log
from arena.domain.tournaments.entry import entries
from arena.domain.tournaments.interventions import execution
from arena.domain.tournaments.interventions.entrants import Withdraw
from arena.models import (
    SITE_OWNERS,
    Bot,
    Match,
    Notice,
    Tournament,
    TournamentEntrant,
    User,
    Version,
)
from arena.texts.times import in_utc

LONGEST_REASON = 1000  # characters
BATCH = 500  # messages that are changed by one statement


@dataclass(frozen=True, slots=True)
class BanPreview:
    """What a ban would do now.

    `matched` are the bots that get no more matches. `cancelled` and `played` count the matches that
    nobody has begun or finished. `taken_out` and `withdrawn` are the entries in tournaments that
    end before and after the freeze. `organized` are the tournaments that go on without the user.
    """

    matched: Sequence[Bot]
    cancelled: int
    played: int
    taken_out: Sequence[TournamentEntrant]
    withdrawn: Sequence[TournamentEntrant]
    organized: Sequence[Tournament]


def preview_ban(*, user: User) -> BanPreview:
    """Return what a ban of the user would do now."""
    own = Version.objects.filter(bot__owner=user)
    unfinished = Match.objects.open().filter(entrants__version__in=own)
    unrated = Match.objects.waiting().filter(kind__in=bots.UNRATED, entrants__version__in=own)
    cancelled = unrated.values("pk").distinct().count()
    entered = list(_entries_that_end(user))
    organized = user.organized_tournaments.filter(rehearsal_of=None)
    return BanPreview(
        matched=list(
            Bot.objects.filter(owner=user, is_paused=False, entries__active=True)
            .select_related("owner")
            .distinct()
            .order_by("slug")
        ),
        cancelled=cancelled,
        played=unfinished.values("pk").distinct().count() - cancelled,
        taken_out=[row for row in entered if row.tournament.is_before_freeze],
        withdrawn=[row for row in entered if not row.tournament.is_before_freeze],
        organized=list(organized.exclude(status__in=changes.OVER).order_by("pk")),
    )


@transaction.atomic
def ban(*, user: User, by: User, reason: str, until: datetime | None = None) -> None:
    """Ban a user until a time, or for good. The user reads the reason. Raise Refused.

    A ban that is in force is replaced. Matches that run and rated matches that were made are
    played; what waits besides is cancelled. Entries in tournaments end: before the freeze the bot
    is taken out, after it the bot is withdrawn and plays the rounds that are drawn.
    """
    row = _lock_ordinary(user)
    why = _require_reason(reason)
    now = timezone.now()
    if until is not None and until <= now:
        text = _("%(until)s has passed. Choose a later day, or none for a ban for good.")
        raise Refused("times_past", text % {"until": in_utc(until)}, field="until")
    User.objects.filter(pk=row.pk).update(banned_at=now, banned_until=until, ban_reason=why)
    _withdraw_bots(row, by)
    versions = Version.objects.filter(bot__owner=row)
    bots.cancel_unrated(of=versions, reason=gettext_noop("The owner of a bot was banned."))
    _note("ban", row, by, why, until=until.isoformat() if until else None)
    user.refresh_from_db()


@transaction.atomic
def lift(*, user: User, by: User, reason: str) -> None:
    """End a ban before its time. Raise Refused.

    What was cancelled or withdrawn does not come back.
    """
    row = User.objects.select_for_update(no_key=True).get(pk=user.pk)
    why = _require_reason(reason)
    if not row.is_banned:
        raise Refused("not_banned", _("This user is not banned, so there is nothing to lift."))
    User.objects.filter(pk=row.pk).update(banned_at=None, banned_until=None, ban_reason="")
    text = gettext_noop("Staff has lifted the ban of your account. Your bots can play again.")
    notices.tell(user=row, text=text)
    _note("lift_ban", row, by, why)
    user.refresh_from_db()


@transaction.atomic
def rename_user(*, user: User, by: User, name: str, reason: str) -> None:
    """Rename a user, and tell the user. Raise InvalidInput or Refused.

    The old name is free again. It stays in signed records and in the log of staff.
    """
    row = _lock_ordinary(user)
    why = _require_reason(reason)
    old, was = row.username, row.get_absolute_url()
    name = name.strip()
    _require_other(old, name)
    accounts.rename(user=row, username=name)
    own = Q(organizers=row) | Q(entrants__bot__owner=row)
    urls = {
        tournament.get_absolute_url() for tournament in Tournament.objects.filter(own).distinct()
    }
    _rename_in(Notice.objects.filter(Q(user=row) | Q(url__in=urls)), old, name)
    _move_urls({was: row.get_absolute_url(), f"/bots/{old}/": f"/bots/{name}/"})
    text = gettext_noop(
        "Staff has renamed your account to %(name)s. Sign in with this name from now on."
    ) % {"name": name}
    notices.tell(user=row, text=text, url=row.get_absolute_url())
    addresses = EmailAddress.objects.filter(user=row, verified=True).order_by("-primary")
    if address := addresses.values_list("email", flat=True).first():
        send_mail(gettext_noop("Your account has a new name"), text, None, [address])
    _note("rename", row, by, why, was=old)
    user.refresh_from_db()


@transaction.atomic
def rename_bot(*, bot: Bot, by: User, name: str, reason: str) -> None:
    """Rename a bot, change its address, and tell its owner. Raise InvalidInput or Refused."""
    rows = Bot.objects.select_for_update(of=("self",), no_key=True).select_related("owner")
    row = rows.get(pk=bot.pk)
    why = _require_reason(reason)
    was, old, url = str(row), row.name, row.get_absolute_url()
    _require_other(old, name.strip())
    bots.rename(bot=row, name=name)
    _rename_in(Notice.objects.all(), was, str(row))
    _rename_in(Notice.objects.filter(user=row.owner), old, row.name)
    _move_urls({url: row.get_absolute_url()})
    text = gettext_noop("Staff has renamed one of your bots to %(name)s.") % {"name": row.name}
    notices.tell(user=row.owner, text=text, url=row.get_absolute_url())
    _note("rename", row, by, why, was=[was, old])
    bot.refresh_from_db()


@transaction.atomic
def rename_tournament(*, tournament: Tournament, by: User, name: str, reason: str) -> None:
    """Rename a tournament in any status, and change its address. Raise InvalidInput or Refused."""
    row = changes.lock(pk=tournament.pk)
    why = _require_reason(reason)
    was, old, url = row.slug, row.name, row.get_absolute_url()
    row.name = name.strip()
    _require_other(old, row.name)
    row.slug = slugs.of_name(row.name, model=Tournament)
    if not row.slug or row.slug == slugs.RESERVED:
        error = _("The address is made from the name. Choose one with other letters or digits.")
    elif Tournament.objects.exclude(pk=row.pk).filter(slug=row.slug).exists():
        error = _("There is already a tournament at the address of this name. Choose another name.")
    else:
        error = refused_names.error_of(row.name)
    if error:
        raise InvalidInput({"name": [error]})
    row.revision += 1
    row.save(update_fields=["name", "slug", "revision"])
    log.write(tournament=row, action="edited", by=by, fields=["name", "slug"])
    _rename_in(Notice.objects.filter(url__startswith=url), old, row.name)
    _move_urls({url: row.get_absolute_url()})
    for organizer in row.organizers.order_by("pk"):
        text = gettext_noop("Staff has renamed a tournament of yours to %(name)s.") % {
            "name": row.name
        }
        notices.tell(user=organizer, text=text, url=row.get_absolute_url())
    _note("rename", row, by, why, was=[was, old])
    tournament.refresh_from_db()


@transaction.atomic
def clear_description(*, subject: Bot | Tournament, by: User, reason: str) -> None:
    """Empty the description of a bot or a tournament, and tell whose it is. Raise Refused."""
    why = _require_reason(reason)
    if not subject.description:
        raise Refused("no_description", _("There is no description, so there is nothing to clear."))
    if isinstance(subject, Tournament):
        row = changes.lock(pk=subject.pk)
        row.description = ""
        row.revision += 1
        row.save(update_fields=["description", "revision"])
        log.write(tournament=row, action="edited", by=by, fields=["description"])
        people = list(row.organizers.order_by("pk"))
    else:
        Bot.objects.filter(pk=subject.pk).update(description="")
        people = [subject.owner]
    text = gettext_noop("Staff has removed the description of %(name)s.") % {"name": subject.name}
    for person in people:
        notices.tell(user=person, text=text, url=subject.get_absolute_url())
    _note("clear_description", subject, by, why)
    subject.refresh_from_db()


def _lock_ordinary(user: User) -> User:
    """Return the locked row of a user who is neither staff nor gone. Raise Refused."""
    row = User.objects.select_for_update(no_key=True).get(pk=user.pk)
    if row.is_staff:
        text = _("This is an account of staff. Make it an ordinary one in the admin site first.")
        raise Refused("staff_account", text)
    if row.closed_at is not None or row.username in SITE_OWNERS:
        raise Refused("no_person", _("Nobody uses this account, so nothing has to be done."))
    return row


def _require_reason(reason: str) -> str:
    why = reason.strip()
    if not why:
        raise Refused("no_reason", _("Give a reason. The log of staff keeps it."), field="reason")
    if len(why) > LONGEST_REASON:
        text = _("The reason has more than %(most)d characters. Shorten it.")
        raise Refused("long_reason", text % {"most": LONGEST_REASON}, field="reason")
    return why


def _require_other(old: str, name: str) -> None:
    if name == old:
        text = _("This is the present name. Choose another one.")
        raise Refused("nothing_changes", text, field="name")


def _withdraw_bots(owner: User, by: User) -> None:
    """End all entries of the owner's bots, in tournaments in the order of their rows."""
    reason = gettext_noop("The owner of the bot was banned.")
    for entrant in _entries_that_end(owner):
        tournament = changes.lock(pk=entrant.tournament_id)
        if tournament.is_before_freeze:
            entries.leave(tournament=tournament, bot=entrant.bot, by=by, reason=reason)
        elif tournament.status in Withdraw.statuses:
            execution.perform(
                tournament=tournament,
                intervention=Withdraw(entrant=entrant.pk),
                by=by,
                reason=reason,
                revision=tournament.revision,
            )


def _entries_that_end(owner: User) -> QuerySet[TournamentEntrant]:
    """Return the entries of the owner's bots in tournaments that are not over."""
    entered = TournamentEntrant.objects.entered().filter(
        bot__owner=owner, tournament__rehearsal_of=None
    )
    going_on = entered.exclude(tournament__status__in=changes.OVER)
    return going_on.select_related("bot__owner", "tournament").order_by("tournament", "pk")


def _rename_in(rows: QuerySet[Notice], old: str, new: str) -> None:
    """Replace a name in messages that were sent before."""
    whole = re.compile(rf"(?<![\w-]){re.escape(old)}(?![\w-])")
    changed = []
    for notice in rows.filter(text__contains=old).iterator():
        notice.text = whole.sub(lambda _match: new, notice.text)
        changed.append(notice)
    Notice.objects.bulk_update(changed, ["text"], batch_size=BATCH)


def _move_urls(moved: dict[str, str]) -> None:
    """Replace the beginnings of addresses in messages, so that they lead to the pages of now."""
    for old, new in moved.items():
        rows = list(Notice.objects.filter(url__startswith=old))
        for notice in rows:
            notice.url = (new + notice.url.removeprefix(old))[:200]
        Notice.objects.bulk_update(rows, ["url"], batch_size=BATCH)


def _note(
    action: str, subject: User | Bot | Tournament, by: User, why: str, **details: object
) -> None:
    staff_log.note(
        by=by,
        action=action,
        target=f"{subject._meta.model_name} {subject}",  # noqa: SLF001 - Django's public way to a model
        url=subject.get_absolute_url(),
        reason=why,
        details=details,
    )
