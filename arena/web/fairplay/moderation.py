"""Reports of users, and the pages on which staff closes them, bans, renames and clears."""

from collections.abc import Callable
from datetime import UTC, datetime, time
from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from arena.domain import moderation
from arena.domain.accounts import accounts, permissions
from arena.domain.errors import Refused
from arena.domain.fairplay import abuse_reports
from arena.domain.fairplay.abuse_reports import Subject
from arena.models import Bot, Tournament, User
from arena.web import lookups, paging
from arena.web.fairplay.forms import (
    AbuseReportForm,
    BanForm,
    CloseReportForm,
    InternalReasonForm,
    RenameForm,
)
from arena.web.fairplay.views import for_staff
from arena.web.forms import show_refusal, submitted
from arena.web.tournaments import page_visibility
from arena.web.viewer import SignedIn

REPORTS_SHOWN = 50
ACTIONS: dict[str, type[forms.Form]] = {
    "ban": BanForm,
    "lift": InternalReasonForm,
    "rename": RenameForm,
    "clear": InternalReasonForm,
}
DONE = {
    "ban": gettext_lazy("The user is banned."),
    "lift": gettext_lazy("The ban is lifted."),
    "rename": gettext_lazy("The name is changed."),
    "clear": gettext_lazy("The description is removed."),
}


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def report_user(request: SignedIn, username: str) -> HttpResponse:
    """Report a user to staff."""
    return _report(request, _find_user(username))


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def report_bot(request: SignedIn, owner: str, bot: str) -> HttpResponse:
    """Report a bot to staff."""
    return _report(request, lookups.find_bot(owner, bot))


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def report_tournament(request: SignedIn, slug: str) -> HttpResponse:
    """Report a tournament to staff."""
    return _report(request, page_visibility.find(slug=slug, viewer=request.user))


def _report(request: SignedIn, subject: Subject) -> HttpResponse:
    form = AbuseReportForm(request.POST if request.method == "POST" else None)
    given = form.cleaned_data if form.is_valid() else {}
    if submitted(form, lambda: abuse_reports.report(by=request.user, subject=subject, **given)):
        messages.success(request, _("Thank you. Staff will look at your report."))
        return redirect(subject)
    context = {"form": form, "subject": subject, "title": _title(subject)}
    return render(request, "fairplay/report_form.html", context, status=400 if form.errors else 200)


@require_safe
@for_staff
def report_list(request: SignedIn) -> HttpResponse:
    """List the open reports, oldest first."""
    rows, pages = paging.listed(
        request, abuse_reports.open_reports(), order=("created_at", "id"), size=REPORTS_SHOWN
    )
    context = {"reports": rows, **pages, "newer_label": _("Previous"), "older_label": _("Next")}
    return render(request, "fairplay/abuse_reports.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@for_staff
def report(request: SignedIn, pk: int) -> HttpResponse:
    """Show a report, and close it with a decision."""
    row = get_object_or_404(abuse_reports.of_subjects(), pk=pk)
    form = CloseReportForm(request.POST if request.method == "POST" else None)
    may = permissions.may_moderate(request.user)
    if form.is_bound and not may:
        raise PermissionDenied
    if form.is_valid():
        try:
            abuse_reports.close(report=row, by=request.user, **form.cleaned_data)
        except Refused as refusal:
            show_refusal(form, refusal)
        else:
            messages.success(request, _("The report is closed, and its reporter is told."))
            return redirect("staff-reports")
    context = {
        "report": row,
        "form": form,
        "may": may,
        "title": _title(row.subject),
        "staff_url": reverse(_page_of(row.subject), args=_path_of(row.subject)),
    }
    return render(
        request, "fairplay/abuse_report.html", context, status=400 if form.errors else 200
    )


@require_safe
@for_staff
def user(request: SignedIn, username: str) -> HttpResponse:
    """Show what staff can do about a user."""
    return _subject_page(request, _find_user(username))


@require_safe
@for_staff
def bot(request: SignedIn, owner: str, bot: str) -> HttpResponse:
    """Show what staff can do about a bot."""
    return _subject_page(request, lookups.find_bot(owner, bot))


@require_safe
@for_staff
def tournament(request: SignedIn, slug: str) -> HttpResponse:
    """Show what staff can do about the name and the description of a tournament."""
    return _subject_page(request, page_visibility.find(slug=slug, viewer=request.user))


@require_POST
@for_staff
def act_on_user(request: SignedIn, username: str, action: str) -> HttpResponse:
    """Ban a user, lift the ban, or rename the user."""
    row = _find_user(username)
    acts: dict[str, Callable[..., None]] = {
        "ban": moderation.ban,
        "lift": moderation.lift,
        "rename": moderation.rename_user,
    }
    return _act(request, row, action, lambda **given: acts[action](user=row, **given))


@require_POST
@for_staff
def act_on_bot(request: SignedIn, owner: str, bot: str, action: str) -> HttpResponse:
    """Rename a bot, or clear its description."""
    row = lookups.find_bot(owner, bot)
    if action == "rename":
        return _act(request, row, action, lambda **given: moderation.rename_bot(bot=row, **given))
    return _act(request, row, action, lambda **given: _clear(row, **given))


@require_POST
@for_staff
def act_on_tournament(request: SignedIn, slug: str, action: str) -> HttpResponse:
    """Rename a tournament, or clear its description."""
    row = page_visibility.find(slug=slug, viewer=request.user)
    if action == "rename":
        return _act(
            request,
            row,
            action,
            lambda **given: moderation.rename_tournament(tournament=row, **given),
        )
    return _act(request, row, action, lambda **given: _clear(row, **given))


def _clear(row: Bot | Tournament, *, by: User, reason: str) -> None:
    moderation.clear_description(subject=row, by=by, reason=reason)


def _act(
    request: SignedIn, subject: Subject, action: str, act: Callable[..., None]
) -> HttpResponse:
    if not permissions.may_moderate(request.user):
        raise PermissionDenied
    form = ACTIONS[action](request.POST, auto_id=f"{action}_%s")
    if form.is_valid():
        given = dict(form.cleaned_data)
        if "until" in given and given["until"] is not None:
            given["until"] = datetime.combine(given["until"], time(), UTC)
        try:
            act(by=request.user, **given)
        except Refused as refusal:
            subject.refresh_from_db()
            if not refusal.field:  # the form is of no use now
                messages.error(request, refusal.message)
                return redirect(_page_of(subject), *_path_of(subject))
            show_refusal(form, refusal)
        else:
            messages.success(request, DONE[action])
            return redirect(_page_of(subject), *_path_of(subject))
    return _subject_page(request, subject, {action: form})


def _subject_page(
    request: HttpRequest, subject: Subject, sent: dict[str, forms.Form] | None = None
) -> HttpResponse:
    """Show what staff can do; `sent` has a form with errors by its action."""
    kind = _page_of(subject).removeprefix("staff-")
    context: dict[str, Any] = {
        "subject": subject,
        "title": _title(subject),
        "kind": kind,
        "reports": abuse_reports.open_reports().filter(**{kind: subject}),
        "may": permissions.may_moderate(request.user),
        "forms": {name: form(auto_id=f"{name}_%s") for name, form in ACTIONS.items()}
        | (sent or {}),
    }
    if isinstance(subject, User):
        context["ban_notice"] = accounts.ban_notice(subject)
        context["preview"] = moderation.preview_ban(user=subject)
        context["bots"] = subject.bots.select_related("owner").order_by("slug")
    return render(request, "fairplay/subject.html", context, status=400 if sent else 200)


def _find_user(username: str) -> User:
    row = User.objects.filter(username=username, closed_at=None, is_active=True).first()
    if row is None:
        raise Http404
    return row


def _title(subject: Subject) -> str:
    return f"@{subject.username}" if isinstance(subject, User) else subject.name


def _page_of(subject: Subject) -> str:
    if isinstance(subject, User):
        return "staff-user"
    return "staff-bot" if isinstance(subject, Bot) else "staff-tournament"


def _path_of(subject: Subject) -> list[str]:
    if isinstance(subject, User):
        return [subject.username]
    return [subject.owner.username, subject.slug] if isinstance(subject, Bot) else [subject.slug]
