"""Entry to a tournament: owners enter and withdraw bots, organizers invite or enter some."""

from collections.abc import Callable

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from arena.domain.accounts import permissions
from arena.domain.tournaments import visibility
from arena.domain.tournaments.entry import entries
from arena.models import Tournament, TournamentEntrant, TournamentEntrantStatus
from arena.texts.names import isolated
from arena.web import numbers
from arena.web.forms import attempt, submitted
from arena.web.tournaments import entry_forms, page_visibility
from arena.web.tournaments.entry_forms import (
    EnterForm,
    EntryVersionForm,
    InviteForm,
    ListForm,
    TopForm,
)
from arena.web.tournaments.views import results
from arena.web.tournaments.views.console import for_organizers
from arena.web.viewer import SignedIn


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def enter(request: SignedIn, slug: str) -> HttpResponse:
    """Enter a bot."""
    row = page_visibility.find(slug=slug, viewer=request.user)
    posted = request.POST if request.method == "POST" else None
    organizes = permissions.may_organize(request.user, row)
    why_not = _closed(request, row)
    form = EnterForm(posted, tournament=row, user=request.user, why_not=why_not)
    entrant = submitted(
        form, lambda: entries.enter(tournament=row, by=request.user, **form.chosen())
    )
    if entrant:
        messages.success(request, _("%(bot)s is entered.") % {"bot": isolated(entrant.bot.name)})
        return redirect(row)
    context = {
        **page_visibility.frame(row, here="enter", organizes=organizes),
        "form": form,
        "why_not": why_not,
    }
    status = 400 if form.errors else 200
    return render(request, "tournaments/enter.html", context, status=status)


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def leave(request: SignedIn, slug: str) -> HttpResponse:
    """Withdraw a bot after a confirmation; its owner and organizers may."""
    row, entrant, organizes = _changeable(request, slug)
    if request.method != "POST":
        context = {
            **page_visibility.frame(row, here="enter", organizes=organizes),
            "entrant": entrant,
            "is_final": not row.is_before_freeze,
            "can_return": not _closed(request, row),
        }
        return render(request, "tournaments/leave.html", context)
    attempt(
        request,
        _("%(bot)s is no longer entered.") % {"bot": isolated(entrant.bot.name)},
        lambda: entries.leave(tournament=row, bot=entrant.bot, by=request.user),
    )
    if request.POST.get("from") == "entrants":  # the page that the button was on
        return redirect("tournament-entrants", row.slug)
    return redirect(row)


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def version(request: SignedIn, slug: str) -> HttpResponse:
    """Choose the version that an entrant plays."""
    row, entrant, organizes = _changeable(request, slug)
    chosen = entrant.version.number if entrant.version else None
    posted = request.POST if request.method == "POST" else None
    form = EntryVersionForm(posted, bot=entrant.bot, chosen=chosen)
    if submitted(
        form,
        lambda: entries.choose_version(
            tournament=row,
            bot=entrant.bot,
            by=request.user,
            version=entry_forms.version_of(entrant.bot, form.cleaned_data["version"]),
        ),
    ):
        messages.success(request, _("The version is chosen."))
        return redirect(row)
    context = {
        **page_visibility.frame(row, here="enter", organizes=organizes),
        "form": form,
        "entrant": entrant,
    }
    status = 400 if form.errors else 200
    return render(request, "tournaments/version.html", context, status=status)


@login_required
@require_POST
def answer(request: SignedIn, slug: str) -> HttpResponse:
    """Accept an invitation, or decline it."""
    row = page_visibility.find(slug=slug, viewer=request.user)
    bot = _entrant(row, request.POST.get("entrant", "")).bot
    accepts = request.POST.get("answer") == "accept"
    words = _("%(bot)s is entered.") if accepts else _("The invitation of %(bot)s is declined.")
    attempt(
        request,
        words % {"bot": bot.name},
        lambda: entries.answer(tournament=row, bot=bot, by=request.user, accept=accepts),
    )
    return redirect(row)


@login_required
@require_POST
@for_organizers
def take_top(request: SignedIn, row: Tournament) -> HttpResponse:
    """Enter the best bots of the ladder."""
    form = TopForm(request.POST, auto_id="top_%s")

    def take() -> str:
        entrants = entries.take_top(tournament=row, by=request.user, n=form.cleaned_data["top_n"])
        return _entered(len(entrants))

    return _import(request, row, "top", form, take)


@login_required
@require_POST
@for_organizers
def take_list(request: SignedIn, row: Tournament) -> HttpResponse:
    """Enter all bots of a list, or none."""
    form = ListForm(request.POST, request.FILES, auto_id="list_%s")
    entered = row.entrants.filter(status=TournamentEntrantStatus.ENTERED)
    inside, before = set(entered.values_list("pk", flat=True)), row.revision

    def take() -> str:
        seen = form.cleaned_data["revision"]
        entrants = entries.take_csv(
            tournament=row, by=request.user, text=form.given(), revision=seen
        )
        if row.revision == before:
            return _("Nothing was changed: all of them were already entered as in the list.")
        new = sum(entrant.pk not in inside for entrant in entrants)
        texts = [_entered(new)] if new else []
        if updated := len(entrants) - new:
            text = ngettext(
                "%(count)d bot was already entered; its entry now is as in the list.",
                "%(count)d bots were already entered; their entries now are as in the list.",
                updated,
            )
            texts.append(text % {"count": updated})
        return " ".join(texts)

    return _import(request, row, "list", form, take)


@login_required
@require_POST
@for_organizers
def take_one(request: SignedIn, row: Tournament) -> HttpResponse:
    """Invite or enter one bot."""
    form = InviteForm(request.POST, auto_id="one_%s")

    def take() -> str:
        bot = form.found()
        if request.POST.get("do") == "invite":
            entries.invite(tournament=row, bot=bot, by=request.user)
            return _("%(bot)s is invited.") % {"bot": bot}
        entries.enter(tournament=row, bot=bot, by=request.user)
        return _("%(bot)s is entered.") % {"bot": bot}

    return _import(request, row, "one", form, take)


def _import(
    request: SignedIn, row: Tournament, name: str, form: forms.Form, take: Callable[[], str]
) -> HttpResponse:
    """Run the import and redirect to the entrants, or show the entrants with the errors."""
    if (text := submitted(form, take)) is not None:
        messages.success(request, text)
        return redirect("tournament-entrants", row.slug)
    row.refresh_from_db()
    return results.entrants_page(request, row, refused={name: form})


def _changeable(request: SignedIn, slug: str) -> tuple[Tournament, TournamentEntrant, bool]:
    """Return a tournament, the entrant that the request names, and whether the user organizes it.

    Raise PermissionDenied unless the user organizes the tournament or owns the entrant.
    """
    row = page_visibility.find(slug=slug, viewer=request.user)
    given = request.POST if request.method == "POST" else request.GET
    entrant = _entrant(row, given.get("entrant", ""))
    organizes = permissions.may_organize(request.user, row)
    if not organizes and not permissions.may_edit_bot(request.user, entrant.bot):
        raise PermissionDenied
    return row, entrant, organizes


def _entrant(row: Tournament, pk: str) -> TournamentEntrant:
    """Return an entrant by the number in a form. Raise Http404."""
    rows = row.entrants.select_related("bot__owner", "bot__active_version", "version")
    number = numbers.whole(pk, digits=numbers.KEY_DIGITS)
    entrant = None if number is None else rows.filter(pk=number).first()
    if entrant is None:
        raise Http404
    return entrant


def _closed(request: SignedIn, row: Tournament) -> str:
    """Return why the user cannot enter a bot now; empty if entry is possible."""
    organizes = permissions.may_organize(request.user, row)
    seen = visibility.rounds_seen(tournament=row, viewer=request.user)
    return entry_forms.closed(row, seen=seen, organizes=organizes)


def _entered(count: int) -> str:
    text = ngettext("%(count)d bot is entered.", "%(count)d bots are entered.", count)
    return text % {"count": count}
