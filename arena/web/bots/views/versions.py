from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from arena.domain.accounts import permissions, staff_log
from arena.domain.bots import activation, crash_streaks
from arena.domain.errors import Refused
from arena.domain.ladders import leaderboards
from arena.models import Version
from arena.web import read_models
from arena.web.bots import rejections, trial_cards
from arena.web.breadcrumbs import version_trail
from arena.web.viewer import SignedIn

SETTLED = ("ready", "rejected", "retired")
MATCHES_SHOWN = 10


@require_safe
def version(request: HttpRequest, owner: str, bot: str, number: int) -> HttpResponse:
    """Show a version: its checklist, its facts, its results, its trials and its matches."""
    row = find(owner, bot, number)
    context = {
        "bot": row.bot,
        "trail": version_trail(row),
        "records": leaderboards.versions_record(version=row),
        "matches": list(read_models.matches_of(version=row, viewer=request.user)[:MATCHES_SHOWN]),
        **trial_cards.shown(row),
        **_checklist(request, row),
    }
    return render(request, "bots/version.html", context)


@never_cache
@require_safe
def checklist(request: HttpRequest, owner: str, bot: str, number: int) -> HttpResponse:
    """Return only the checklist; the page polls this until the version is settled."""
    return render(request, "bots/_checklist.html", _checklist(request, find(owner, bot, number)))


@require_safe
def record(request: HttpRequest, owner: str, bot: str, number: int) -> HttpResponse:
    """Return the record of the check game that caused the rejection, to the owner and staff."""
    row = find(owner, bot, number)
    text = rejections.record_of(row) if permissions.may_see_logs(request.user, row.bot) else None
    if text is None:
        raise Http404
    staff_log.note_look(
        by=request.user,
        bots=[row.bot],
        what=f"record of the checks of version {row.number}",
        url=row.get_absolute_url(),
    )
    named = {"Content-Disposition": f'attachment; filename="{rejections.file_of(row)}"'}
    return HttpResponse(text, content_type="application/json", headers=named)


@login_required
@require_POST
def activate(request: SignedIn, owner: str, bot: str, number: int) -> HttpResponse:
    """Make the version the active one; only the bot's owner may."""
    row = find_own(request, owner, bot, number)
    said = _("Version %(number)d plays now.") % {"number": number}
    return do(request, row, said, lambda: activation.activate(version=row))


@login_required
@require_POST
def retire(request: SignedIn, owner: str, bot: str, number: int) -> HttpResponse:
    """Retire the version permanently; only the bot's owner may."""
    row = find_own(request, owner, bot, number)
    said = _("Version %(number)d is retired.") % {"number": number}
    return do(request, row, said, lambda: activation.retire(version=row))


@login_required
@require_POST
def resume(request: SignedIn, owner: str, bot: str, number: int) -> HttpResponse:
    """Resume a version that was paused for its forfeits. Only the owner of the bot may."""
    row = find_own(request, owner, bot, number)
    said = _("Version %(number)d plays again.") % {"number": number}
    return do(request, row, said, lambda: crash_streaks.resume(version=row))


def find(owner: str, bot: str, number: int) -> Version:
    """Return a version with its bot and owner. Raise Http404."""
    rows = Version.objects.select_related("bot__owner")
    return get_object_or_404(rows, bot__owner__username=owner, bot__slug=bot, number=number)


def find_own(request: HttpRequest, owner: str, bot: str, number: int) -> Version:
    """Return a version that the visitor owns. Raise Http404 or PermissionDenied."""
    row = find(owner, bot, number)
    if not permissions.may_edit_bot(request.user, row.bot):
        raise PermissionDenied
    return row


def do(request: HttpRequest, row: Version, said: str, act: Callable[[], object]) -> HttpResponse:
    """Run an action on a version, show a message about its result, and redirect to the version."""
    try:
        act()
    except Refused as refusal:
        messages.error(request, refusal.message)
    else:
        messages.success(request, said)
    return redirect(row)


def _checklist(request: HttpRequest, row: Version) -> dict[str, Any]:
    if permissions.may_see_logs(request.user, row.bot) and row.checks.exclude(log="").exists():
        staff_log.note_look(
            by=request.user,
            bots=[row.bot],
            what=f"log of the checks of version {row.number}",
            url=row.get_absolute_url(),
        )
    return {
        "version": row,
        "fault": rejections.fault_of(row, viewer=request.user),
        "is_active": row.bot.active_version_id == row.pk,
        "checks": row.checks.order_by("position"),
        "polling": row.status not in SETTLED,
        "sees_log": permissions.may_see_logs(request.user, row.bot),
        "is_owner": permissions.may_edit_bot(request.user, row.bot),
    }
