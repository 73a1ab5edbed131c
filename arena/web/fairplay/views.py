"""The pages for staff only. The domain logs every action that they take here."""

from collections.abc import Callable, Sequence
from functools import wraps
from typing import Concatenate, ParamSpec, cast

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from arena.domain.accounts import permissions, staff_log
from arena.domain.errors import Refused
from arena.domain.fairplay import corrections, surprises
from arena.domain.fairplay.corrections import CorrectionDryRun, NotAsPreviewed
from arena.models import Ladder, Match, User
from arena.texts.names import isolated
from arena.web import paging
from arena.web.downloads import CSV, named
from arena.web.fairplay.forms import ChoiceForm, ConfirmCorrectionForm, LogForm, ReasonForm
from arena.web.forms import confirmation, show_refusal
from arena.web.viewer import SignedIn

P = ParamSpec("P")
LOG_ROWS = 50
CORRECTIONS = {"void": corrections.void, "cancel": corrections.cancel, "rerun": corrections.rerun}
DONE = {
    "void": gettext_lazy("The match is voided."),
    "cancel": gettext_lazy("The match is cancelled."),
    "rerun": gettext_lazy("The match is played again. This is the new one."),
}


def for_staff(
    view: Callable[Concatenate[SignedIn, P], HttpResponse],
) -> Callable[Concatenate[HttpRequest, P], HttpResponse]:
    """Admit only staff: ask visitors to sign in, and refuse other users."""

    @never_cache
    @login_required
    @wraps(view)
    def guarded(request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        if not permissions.may_see_staff_pages(request.user):
            raise PermissionDenied
        return view(cast("SignedIn", request), *args, **kwargs)

    return guarded


@require_safe
@for_staff
def overview(request: SignedIn) -> HttpResponse:
    """Show the actions that staff can take."""
    return render(request, "fairplay/overview.html", {"ladders": Ladder.objects.order_by("slug")})


@require_safe
@for_staff
def log(request: SignedIn) -> HttpResponse:
    """Show the log of staff actions, latest first."""
    form = LogForm(request.GET)
    wanted = form.cleaned_data if form.is_valid() else {}
    rows, pages = paging.listed(
        request, staff_log.log(**wanted), order=("-at", "-id"), size=LOG_ROWS
    )
    context = {
        "form": form,
        "actions": staff_log.actions(),
        "rows": rows,
        **pages,
        "newer_label": _("Newer"),
        "older_label": _("Older"),
    }
    return render(request, "fairplay/log.html", context)


@require_safe
@for_staff
def surprise_list(request: SignedIn) -> HttpResponse:
    """Show the pairs of bots whose results their ratings explain least."""
    made_at, pairs = surprises.latest()
    context = {
        "made_at": made_at,
        "surprises": pairs,
        "matches": surprises.MOST_MATCHES,
        "meetings": surprises.FEWEST_MEETINGS,
    }
    return render(request, "fairplay/surprises.html", context)


@require_safe
@for_staff
def surprises_csv(_request: SignedIn) -> HttpResponse:
    """Send the same as comma-separated values."""
    return named(HttpResponse(surprises.as_csv(), content_type=CSV), "surprises.csv")


@require_http_methods(["GET", "HEAD", "POST"])
@for_staff
def annul(request: SignedIn) -> HttpResponse:
    """Choose matches, show the ladder without them, and annul them after a confirmation."""
    choice = ChoiceForm(request.GET or None)
    confirm = ConfirmCorrectionForm(request.POST if request.method == "POST" else None)
    dry_run = None
    if choice.is_valid():
        try:
            chosen = _chosen(choice, confirm)
            if confirm.is_bound and confirm.is_valid():
                _require(may=permissions.may_annul(request.user))
                annulment = corrections.annul(
                    chosen=chosen,
                    by=request.user,
                    reason=confirm.cleaned_data["reason"],
                    seen=confirm.cleaned_data["digest"],
                )
                messages.success(request, _("Annulled, and noted in the log."))
                return redirect(annulment.ladder)
            dry_run = corrections.try_annulment(chosen=chosen)
        except NotAsPreviewed as refusal:
            dry_run = _again(confirm, refusal)
        except Refused as refusal:
            choice.add_error(None, refusal.message)
    context = {
        "choice": choice,
        **confirmation(dry_run, confirm),
        "may": permissions.may_annul(request.user),
    }
    return render(request, "fairplay/annul.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@for_staff
def season(request: SignedIn, slug: str) -> HttpResponse:
    """Show the effects of ending a season, and end it after a confirmation."""
    ladder = get_object_or_404(Ladder, slug=slug)
    confirm = ConfirmCorrectionForm(request.POST if request.method == "POST" else None)
    dry_run = corrections.try_end(ladder=ladder)
    if confirm.is_bound and confirm.is_valid():
        _require(may=permissions.may_end_seasons(request.user))
        try:
            ended = corrections.end_season(
                ladder=ladder,
                by=request.user,
                reason=confirm.cleaned_data["reason"],
                seen=confirm.cleaned_data["digest"],
            )
        except NotAsPreviewed as refusal:
            dry_run = _again(confirm, refusal)
        else:
            messages.success(request, _("The season is over. Its leaderboard is archived."))
            return redirect(ended)
    context = {
        "ladder": ladder,
        **confirmation(dry_run, confirm),
        "may": permissions.may_end_seasons(request.user),
    }
    return render(request, "fairplay/season.html", context)


@require_safe
@for_staff
def match(request: SignedIn, public_id: str) -> HttpResponse:
    """Show the actions that staff can take on one match."""
    return _match_page(request, _find(request.user, public_id), ReasonForm())


@require_POST
@for_staff
def act(request: SignedIn, public_id: str, action: str) -> HttpResponse:
    """Void, cancel or re-run a match."""
    _require(may=permissions.may_correct_matches(request.user))
    row, form = _find(request.user, public_id), ReasonForm(request.POST)
    if not form.is_valid():
        return _match_page(request, row, form)
    try:
        again = CORRECTIONS[action](match=row, by=request.user, reason=form.cleaned_data["reason"])
    except Refused as refusal:
        show_refusal(form, refusal)
        return _match_page(request, row, form)
    messages.success(request, DONE[action])
    return redirect(again or row)


def _match_page(request: HttpRequest, row: Match, form: ReasonForm) -> HttpResponse:
    context = {
        "match": row,
        "form": form,
        "title": " \N{EN DASH} ".join(
            isolated(entrant.version.bot.name) for entrant in row.entrants.all()
        ),
        "may": permissions.may_correct_matches(request.user),
        "annullable": row.status == Match.Status.FINISHED and row.is_rated,
        "repeatable": row.status in (Match.Status.CANCELLED, Match.Status.FAILED)
        and not row.reruns.exists(),
    }
    return render(request, "fairplay/match.html", context, status=400 if form.errors else 200)


def _find(by: User, public_id: str) -> Match:
    return get_object_or_404(Match.objects.visible_to(by).for_display(), public_id=public_id)


def _chosen(choice: ChoiceForm, confirm: ConfirmCorrectionForm) -> Sequence[Match]:
    wanted = choice.cleaned_data
    ladder = wanted["match"].ladder if wanted["match"] else wanted["ladder"]
    corrections.require_short_fit(ladder=ladder)
    if wanted["match"]:
        return [wanted["match"]]
    seen = confirm.is_bound and confirm.is_valid()
    return corrections.choose(
        ladder=ladder,
        bot=wanted["bot"],
        since=wanted["since"],
        until=confirm.cleaned_data["until"] if seen else None,
    )


def _again(confirm: ConfirmCorrectionForm, refusal: NotAsPreviewed) -> CorrectionDryRun:
    """Return the new dry run, with an error that says that the old one is out of date."""
    confirm.add_error(None, refusal.message)
    return refusal.fresh


def _require(*, may: bool) -> None:
    if not may:
        raise PermissionDenied
