"""The wizard: a template, the settings with a preview, the draft; and the page that edits it."""

from http import HTTPStatus
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import NON_FIELD_ERRORS
from django.http import Http404, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from arena.domain.errors import InvalidInput, Refused
from arena.domain.formats import catalogue
from arena.domain.tournaments import changes
from arena.domain.tournaments.setup import drafts
from arena.models import Tournament, TournamentStatus
from arena.web import numbers
from arena.web.forms import show_refusal, submitted
from arena.web.tournaments import draft_form, format_words, page_visibility
from arena.web.tournaments.draft_form import DraftForm
from arena.web.tournaments.views.console import for_organizers
from arena.web.tournaments.views.tournaments import is_fragment
from arena.web.viewer import SignedIn

SIZES = frozenset(("entrants", "min_entrants", "max_entrants"))


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def new(request: SignedIn) -> HttpResponse:
    """Choose a template; with a template, fill in the settings and see a preview."""
    template = request.GET.get("template", "")
    if not template:
        cards = [
            {"template": row, "scoring": format_words.scoring_word(row.values["scoring"])}
            for row in drafts.TEMPLATES
        ]
        return render(request, "tournaments/templates.html", {"cards": cards})
    initial = draft_form.of_template(template)
    if initial is None:
        raise Http404
    form = DraftForm(_asked(request), initial=initial)
    if request.POST.get("do") == "create":
        draft = submitted(form, lambda: drafts.create(by=request.user, values=form.values()))
        if draft:
            messages.success(
                request,
                _("The draft is saved. Only you see it. Open the registration when it is right."),
            )
            return redirect("tournament-manage", draft.slug)
    return _form_page(request, form, {"template": template})


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@for_organizers
def edit(request: SignedIn, row: Tournament) -> HttpResponse:
    """Edit the settings that the tournament's status still allows to change."""
    form = DraftForm(
        _asked(request),
        initial=draft_form.of_row(row),
        only=drafts.EDITABLE[TournamentStatus(row.status)],
    )
    is_stale = False
    if request.POST.get("do") == "save" and form.is_valid():
        before = row.revision
        try:
            seen = numbers.revision(request.POST)
            drafts.edit(tournament=row, by=request.user, values=form.values(), revision=seen)
        except Refused as refusal:
            show_refusal(form, refusal)
            is_stale = isinstance(refusal, changes.Stale)
        else:
            if row.revision == before:
                messages.info(request, _("Nothing was changed: the values are the same as before."))
            else:
                messages.success(request, _("Changed, and noted in the log."))
            return redirect(row)
    frame = page_visibility.frame(row, here="edit", organizes=True)
    return _form_page(request, form, {"row": row, "is_stale": is_stale, **frame})


def _asked(request: SignedIn) -> QueryDict | None:
    """Return what was sent, with another format if the visitor takes the one that is offered."""
    if request.method != "POST":
        return None
    instead = _alternative(request.POST.get("format", ""))
    if request.POST.get("do") != "instead" or not instead:
        return request.POST
    asked = request.POST.copy()
    asked["format"] = instead
    return asked


def _alternative(slug: str) -> str:
    """Return the format that is offered in place of another one, or an empty text."""
    format_ = catalogue.FORMATS.get(slug)
    return format_.alternative if format_ else ""


def _form_page(request: SignedIn, form: DraftForm, context: dict[str, Any]) -> HttpResponse:
    shown = _preview(form, context.get("row"), request.POST.get("entrants", ""))
    if request.POST.get("do") not in ("create", "save"):
        form.errors.pop("name", None)  # a preview needs no name
    context |= {"form": form, "why_none": [], **shown}
    if is_fragment(request):
        return render(request, "tournaments/_preview.html", context)
    failed = form.is_bound and bool(form.errors)
    status = HTTPStatus.BAD_REQUEST if failed else HTTPStatus.OK
    return render(request, "tournaments/draft.html", context, status=status)


def _preview(form: DraftForm, row: Tournament | None, entrants: str) -> dict[str, Any]:
    """Return the preview, or why there is none; a frozen tournament has no preview."""
    if row is not None and not row.is_before_freeze:
        return {"preview": None}
    values = _values(form)
    if values is None:
        return {"preview": None, "asked_for": entrants, "why_none": form.complaints()}
    count, most = numbers.whole(entrants, digits=numbers.SMALL_DIGITS), values.get("max_entrants")
    if count is not None and most:  # without a count, the preview is of the most entrants
        count = min(count, most)
    shown = {"preview": None, "asked_for": count or ""}
    try:
        preview = drafts.preview(values=values, entrants=count, tournament=row)
    except InvalidInput as refusal:
        is_of_size = not SIZES.isdisjoint(refusal.errors)
        instead = _alternative(values.get("format", "")) if is_of_size else ""
        return {**shown, "why_none": form.complaints(refusal.errors), "instead": instead}
    return {**shown, "preview": preview}


def _values(form: DraftForm) -> dict[str, Any] | None:
    """Return the values of the form, or its initial values; None if a field is invalid.

    A preview needs no name, and is possible even if the form as a whole is refused.
    """
    if not form.is_bound:
        given = {name: value for name, value in form.begun_with.items() if name in drafts.FIELDS}
        return {**given, "name": given.get("name") or "?"}
    form.is_valid()
    if set(form.errors) - {"name", "slug", NON_FIELD_ERRORS}:
        return None
    for name in {"name", "slug"} & set(form.fields):
        form.cleaned_data.setdefault(name, "")
    return {**form.values(), "name": form.cleaned_data["name"] or "?"}
