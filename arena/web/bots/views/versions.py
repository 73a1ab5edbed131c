from typing import Any

from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from arena.domain import addresses
from arena.domain.accounts import permissions, staff_log
from arena.domain.bots import activation, crash_streaks, trials
from arena.domain.ladders import leaderboards
from arena.domain.matches import forensics, listings, record_compression, remarks
from arena.models import CheckState, Version, VersionTrial, Viewer
from arena.web import lookups
from arena.web.bots import trial_cards
from arena.web.breadcrumbs import version_trail
from arena.web.forms import attempt
from arena.web.matches import termination_help
from arena.web.viewer import SignedIn
from engine.outcome import Termination
from engine.record import Record

SETTLED = ("ready", "rejected", "retired")
MATCHES_SHOWN = 10


@require_safe
def version(request: HttpRequest, owner: str, bot: str, number: int) -> HttpResponse:
    """Show a version: its checklist, its facts, its results, its trials and its matches."""
    row = lookups.find_version(owner, bot, number)
    sees_logs = permissions.may_see_logs(request.user, row.bot)
    context = {
        "bot": row.bot,
        "trail": version_trail(row),
        "records": leaderboards.versions_record(version=row),
        "beliefs": remarks.scores(version=row, viewer=request.user) if sees_logs else [],
        "matches": listings.latest_matches(
            versions=[row.pk], limit=MATCHES_SHOWN, viewer=request.user
        ),
        **trial_cards.shown(row),
        **_checklist(request, row),
    }
    return render(request, "bots/version.html", context)


@never_cache
@require_safe
def checklist(request: HttpRequest, owner: str, bot: str, number: int) -> HttpResponse:
    """Return only the checklist; the page polls this until the version is settled."""
    return render(
        request,
        "bots/_checklist.html",
        _checklist(request, lookups.find_version(owner, bot, number)),
    )


@require_safe
def record(request: HttpRequest, owner: str, bot: str, number: int) -> HttpResponse:
    """Return the record of the check game that caused the rejection, to the owner and staff."""
    row = lookups.find_version(owner, bot, number)
    text = _record(row) if permissions.may_see_logs(request.user, row.bot) else None
    if text is None:
        raise Http404
    staff_log.note_look(
        by=request.user,
        bots=[row.bot],
        what=f"record of the checks of version {row.number}",
        url=row.get_absolute_url(),
    )
    named = {"Content-Disposition": f'attachment; filename="{_file_name(row)}"'}
    return HttpResponse(text, content_type="application/json", headers=named)


@login_required
@require_POST
def activate(request: SignedIn, owner: str, bot: str, number: int) -> HttpResponse:
    """Make the version the active one; only the bot's owner may."""
    row = _find_own(request, owner, bot, number)
    done = _("Version %(number)d plays now.") % {"number": number}
    attempt(request, done, lambda: activation.activate(version=row))
    return redirect(row)


@login_required
@require_POST
def retire(request: SignedIn, owner: str, bot: str, number: int) -> HttpResponse:
    """Retire the version permanently; only the bot's owner may."""
    row = _find_own(request, owner, bot, number)
    done = _("Version %(number)d is retired.") % {"number": number}
    attempt(request, done, lambda: activation.retire(version=row))
    return redirect(row)


@login_required
@require_POST
def resume(request: SignedIn, owner: str, bot: str, number: int) -> HttpResponse:
    """Resume a version that was paused for its forfeits. Only the owner of the bot may."""
    row = _find_own(request, owner, bot, number)
    done = _("Version %(number)d plays again.") % {"number": number}
    attempt(request, done, lambda: crash_streaks.resume(version=row))
    return redirect(row)


@never_cache
@require_safe
def trial_list(request: HttpRequest, owner: str, bot: str, number: int) -> HttpResponse:
    """Return only the trials of a version; its page polls this while a trial runs."""
    row = lookups.find_version(owner, bot, number)
    context = {
        "version": row,
        "is_owner": permissions.may_edit_bot(request.user, row.bot),
        **trial_cards.shown(row),
    }
    return render(request, "bots/_trials.html", context)


@login_required
@require_POST
def start_trial(request: SignedIn, owner: str, bot: str, number: int) -> HttpResponse:
    """Start a trial of the version against another of its bot; only the owner may."""
    row = _find_own(request, owner, bot, number)
    other = request.POST.get("against", "")
    activates = request.POST.get("activates") == "yes"

    def start() -> None:
        against = addresses.find_version(row.bot, other, field="against") if other else None
        trials.start(version=row, against=against, by=request.user, activates=activates)

    attempt(request, _("The trial has begun."), start)
    return redirect(row)


@login_required
@require_POST
def cancel_trial(request: SignedIn, public_id: str) -> HttpResponse:
    """End a trial without a verdict; only the bot's owner may."""
    trial = get_object_or_404(
        VersionTrial.objects.select_related("version__bot__owner"), public_id=public_id
    )
    version = trial.version
    if not permissions.may_edit_bot(request.user, version.bot):
        raise PermissionDenied
    attempt(request, _("The trial is cancelled."), lambda: trials.cancel(trial=trial))
    return redirect(version)


def _find_own(request: HttpRequest, owner: str, bot: str, number: int) -> Version:
    row = lookups.find_version(owner, bot, number)
    if not permissions.may_edit_bot(request.user, row.bot):
        raise PermissionDenied
    return row


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
        "fault": _fault(row, viewer=request.user),
        "is_active": row.bot.active_version_id == row.pk,
        "checks": row.checks.order_by("position"),
        "polling": row.status not in SETTLED,
        "sees_log": permissions.may_see_logs(request.user, row.bot),
        "is_owner": permissions.may_edit_bot(request.user, row.bot),
    }


def _fault(version: Version, *, viewer: Viewer) -> dict[str, Any] | None:
    """Return why a check game was lost, and the command that replays it; None if no game was lost.

    The command is for the owner and staff only.
    """
    text = _record(version)
    if text is None:
        return None
    result = Record.from_json(text).result
    if result.fault is None:  # it resigned, as the check says
        return None
    bot = forensics.program_of(version=version)
    line = f"drapeau reproduce {_file_name(version)} --seat {result.fault} {bot}"
    may_read = permissions.may_see_logs(viewer, version.bot)
    return {
        "meaning": termination_help.of(Termination(result.termination)),
        "again": line if may_read else "",
    }


def _record(version: Version) -> str | None:
    """Return the record of the lost check game as JSON."""
    failed = version.checks.filter(state=CheckState.FAILED).exclude(record=None)
    blob = failed.values_list("record", flat=True).first()
    return record_compression.unpacked(blob=bytes(blob)) if blob is not None else None


def _file_name(version: Version) -> str:
    """Return the file name under which the record is downloaded."""
    return f"{version.bot.slug}-v{version.number}.json"
