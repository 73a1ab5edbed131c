"""The console of organizers: stages, incidents, and interventions with their previews."""

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec, cast

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

from arena.domain.accounts import permissions
from arena.domain.errors import Refused
from arena.domain.tournaments import changes, log, organizers, releases, snapshot, stages
from arena.domain.tournaments.entry import freezing
from arena.domain.tournaments.interventions import execution
from arena.domain.tournaments.interventions.base import REGISTRY
from arena.domain.tournaments.interventions.execution import PreviewOutdated
from arena.domain.tournaments.rehearsal import rehearsals
from arena.models import Release, Tournament
from arena.web import numbers
from arena.web.forms import attempt, confirmation, show_refusal, submitted
from arena.web.tournaments import (
    console,
    page_visibility,
    rehearsal_cards,
)
from arena.web.tournaments.console_forms import (
    ConfirmInterventionForm,
    InterventionForm,
    ReleaseForm,
    StageForm,
)
from arena.web.tournaments.views.tournaments import is_fragment
from arena.web.viewer import SignedIn

P = ParamSpec("P")
DONE = {
    "open": gettext_lazy("The registration is open. Everybody can see the tournament."),
    "freeze": gettext_lazy("The versions are frozen, and the seeds are given."),
    "freeze-and-start": gettext_lazy("The tournament has started. Round 1 is drawn in a moment."),
    "start": gettext_lazy("The tournament has started. Round 1 is drawn in a moment."),
    "pause": gettext_lazy("The tournament is paused. Matches that run are played to the end."),
    "resume": gettext_lazy("The tournament goes on."),
    "release": gettext_lazy("The tournament is released. Everything is public."),
    "cancel": gettext_lazy("The tournament is cancelled."),
}
STAGES: dict[str, Callable[..., Tournament]] = {
    "open": stages.open_registration,
    "freeze": stages.freeze,
    "freeze-and-start": stages.freeze_and_start,
    "start": stages.start,
    "pause": stages.pause,
    "resume": stages.resume,
    "release": stages.release,
    "cancel": stages.cancel,
}


def for_organizers(
    view: Callable[Concatenate[SignedIn, Tournament, P], HttpResponse],
) -> Callable[..., HttpResponse]:
    """Admit only organizers of the tournament and staff: ask visitors to sign in.

    Respond 404 to users who may not see the tournament.
    """

    @never_cache
    @login_required
    @wraps(view)
    def guarded(
        request: HttpRequest, /, slug: str, *args: P.args, **kwargs: P.kwargs
    ) -> HttpResponse:
        row = page_visibility.find(slug=slug, viewer=request.user)
        if not permissions.may_organize(request.user, row):
            raise PermissionDenied
        return view(cast("SignedIn", request), row, *args, **kwargs)

    return guarded


@require_safe
@for_organizers
def manage(request: SignedIn, tournament: Tournament) -> HttpResponse:
    """Show the status of a tournament, what needs a decision, and the possible actions."""
    return _console(request, tournament, StageForm())


@require_POST
@for_organizers
def stage(request: SignedIn, tournament: Tournament, action: str) -> HttpResponse:
    """Take a step of the tournament's life cycle."""
    form = StageForm(request.POST)
    return _change(
        request,
        tournament,
        form,
        lambda: str(DONE[action]),
        lambda: STAGES[action](tournament=tournament, by=request.user, **form.cleaned_data),
    )


@require_POST
@for_organizers
def release_round(request: SignedIn, tournament: Tournament) -> HttpResponse:
    """Set who may see a round."""
    form = ReleaseForm(request.POST)

    def done() -> str:
        words = {
            "number": form.cleaned_data["round"],
            "whom": Release(form.cleaned_data["release"]).label,
        }
        return _("Round %(number)s is visible to: %(whom)s.") % words

    return _change(
        request,
        tournament,
        form,
        done,
        lambda: releases.set_release(
            tournament=tournament,
            round_number=form.cleaned_data["round"],
            release=Release(form.cleaned_data["release"]),
            by=request.user,
            revision=form.cleaned_data["revision"],
        ),
    )


@require_http_methods(["GET", "HEAD", "POST"])
@for_organizers
def intervene(request: SignedIn, tournament: Tournament, name: str) -> HttpResponse:
    """Preview an intervention, show its effects on the standings, and apply it once confirmed."""
    if (kind := REGISTRY.get(name.replace("-", "_"))) is None:
        raise Http404
    choice = InterventionForm(kind, tournament=tournament, asked=request.GET.dict())
    confirm = ConfirmInterventionForm(request.POST if request.method == "POST" else None)
    dry_run = None
    if choice.is_valid():
        try:
            if confirm.is_bound and confirm.is_valid():
                entry = execution.perform(
                    tournament=tournament,
                    intervention=choice.intervention(),
                    by=request.user,
                    reason=confirm.cleaned_data["reason"],
                    revision=confirm.cleaned_data["revision"],
                    seen=confirm.cleaned_data["seen"],
                )
                messages.success(request, log.say(entry))
                return redirect(reverse("tournament-manage", args=[tournament.slug]))
            dry_run = execution.preview(tournament=tournament, intervention=choice.intervention())
        except PreviewOutdated as refusal:
            confirm.add_error(None, refusal.message)
            dry_run = refusal.fresh
        except Refused as refusal:
            show_refusal(choice, refusal)
    context = {
        **page_visibility.frame(tournament, here="manage", organizes=True),
        "label": kind.label,
        "help": kind.help,
        "choice": choice,
        **confirmation(dry_run, confirm),
    }
    if dry_run is not None:
        context["confirmation"] = choice.intervention().confirmation(tournament)
    is_wrong = choice.errors or (confirm.is_bound and confirm.errors)
    return render(request, "tournaments/manage_act.html", context, status=400 if is_wrong else 200)


@require_http_methods(["GET", "HEAD", "POST"])
@for_organizers
def rehearsal(request: SignedIn, tournament: Tournament) -> HttpResponse:
    """Show the reports of a tournament's rehearsals, and start a rehearsal."""
    original = tournament.rehearsal_of or tournament
    form = forms.Form(request.POST if request.method == "POST" else None)
    if submitted(form, lambda: rehearsals.start(tournament=original, by=request.user)):
        messages.success(request, _("The rehearsal begins."))
        return redirect("tournament-rehearsal", original.slug)
    cards = rehearsal_cards.of(original)
    context = {
        **page_visibility.frame(original, here="rehearsal", organizes=True),
        "form": form,
        "cards": cards,
        "is_running": any(card["is_running"] for card in cards),
        "may_start": original.status not in changes.OVER,
        "no_cast": rehearsals.why_no_cast(tournament=original),
        "sights": rehearsal_cards.SIGHTS,
    }
    if is_fragment(request):
        return render(request, "tournaments/_rehearsals.html", context)
    status = 400 if form.is_bound and form.errors else 200
    return render(request, "tournaments/rehearsal.html", context, status=status)


@require_POST
@for_organizers
def discard(request: SignedIn, tournament: Tournament) -> HttpResponse:
    """Delete a rehearsal; cancel it first if it is running."""
    original = tournament.rehearsal_of
    if original is None:
        raise Http404
    attempt(
        request,
        _("The rehearsal is deleted."),
        lambda: rehearsals.discard(rehearsal=tournament, by=request.user),
    )
    return redirect("tournament-rehearsal", original.slug)


@require_POST
@for_organizers
def add_organizer(request: SignedIn, tournament: Tournament) -> HttpResponse:
    """Add an organizer."""
    name = request.POST.get("username", "").strip().removeprefix("@")
    attempt(
        request,
        _("%(name)s is an organizer now.") % {"name": name},
        lambda: organizers.add(
            tournament=tournament,
            by=request.user,
            username=name,
            revision=numbers.revision(request.POST),
        ),
    )
    return redirect("tournament-manage", tournament.slug)


@require_POST
@for_organizers
def remove_organizer(request: SignedIn, tournament: Tournament) -> HttpResponse:
    """Remove an organizer. Those who remove themselves go to the page of the tournament."""
    user = get_object_or_404(tournament.organizers, username=request.POST.get("username", ""))
    attempt(
        request,
        _("%(name)s is no organizer any more.") % {"name": user.username},
        lambda: organizers.remove(
            tournament=tournament,
            by=request.user,
            user=user,
            revision=numbers.revision(request.POST),
        ),
    )
    may_stay = permissions.may_organize(request.user, tournament)
    return redirect("tournament-manage" if may_stay else "tournament", tournament.slug)


def _change(
    request: SignedIn,
    tournament: Tournament,
    form: StageForm | ReleaseForm,
    done: Callable[[], str],
    act: Callable[[], object],
) -> HttpResponse:
    """Run the action of a form and say what was `done`, or show the console with the errors."""
    if form.is_valid():
        try:
            act()
        except Refused as refusal:
            tournament.refresh_from_db()
            form.add_error(None, refusal.message)
    if form.errors:
        return _console(request, tournament, form)
    messages.success(request, done())
    return redirect("tournament-manage", tournament.slug)


def _console(
    request: SignedIn, tournament: Tournament, form: StageForm | ReleaseForm
) -> HttpResponse:
    picture = snapshot.load(tournament=tournament)
    drawn = len(picture.rounds)
    asked = numbers.whole(request.GET.get("round", ""), digits=numbers.SMALL_DIGITS) or 0
    shown = asked if 1 <= asked <= drawn else drawn
    obstacle = freezing.obstacle(tournament=tournament)
    context = {
        **page_visibility.frame(tournament, here="manage", organizes=True),
        "form": form,
        "next_step": console.next_step(tournament, picture, obstacle),
        "stages": console.stages_of(tournament, obstacle),
        "incidents": console.incidents(tournament, picture, obstacle),
        "pairings": console.pairing_lines(tournament, picture, shown),
        "shown": shown,
        "rounds": picture.rounds,
        "entrants": [
            (entrant, console.links_of(tournament, entrant))
            for entrant in picture.entrants.values()
        ],
        "more": console.more(tournament),
        "releases": Release.choices,
        "settable": tournament.status != Tournament.Status.RELEASED,
    }
    status = 400 if form.is_bound and form.errors else 200
    return render(request, "tournaments/manage.html", context, status=status)
