"""The organizers of a tournament: they add and remove each other, and leave."""

from collections.abc import Callable

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from arena.domain.accounts import permissions
from arena.domain.errors import Refused
from arena.domain.tournaments import organizers
from arena.models import Tournament
from arena.web import numbers
from arena.web.tournaments.views.console import for_organizers
from arena.web.viewer import SignedIn


@require_POST
@for_organizers
def add(request: SignedIn, tournament: Tournament) -> HttpResponse:
    """Add an organizer."""
    name = request.POST.get("username", "")
    return _do(
        request,
        tournament,
        lambda: organizers.add(
            tournament=tournament,
            by=request.user,
            username=name,
            revision=numbers.revision(request.POST),
        ),
    )


@require_POST
@for_organizers
def remove(request: SignedIn, tournament: Tournament) -> HttpResponse:
    """Remove an organizer."""
    user = get_object_or_404(tournament.organizers, username=request.POST.get("username", ""))
    return _do(
        request,
        tournament,
        lambda: organizers.remove(
            tournament=tournament,
            by=request.user,
            user=user,
            revision=numbers.revision(request.POST),
        ),
    )


def _do(request: SignedIn, tournament: Tournament, act: Callable[[], object]) -> HttpResponse:
    try:
        act()
    except Refused as refusal:
        messages.error(request, refusal.message)
    else:
        messages.success(request, _("Done, and noted in the log."))
    if not permissions.may_organize(request.user, tournament):
        return redirect("tournament", tournament.slug)  # the user removed themselves
    return redirect("tournament-manage", tournament.slug)
