from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from arena.domain.accounts import quotas
from arena.domain.bots import challenges
from arena.domain.errors import Refused
from arena.models import Match, MatchKind
from arena.web import lookups, paging
from arena.web.bots.challenge_form import ChallengeForm
from arena.web.breadcrumbs import bot_trail
from arena.web.forms import submitted
from arena.web.viewer import SignedIn

SHOWN = 30


@never_cache
@login_required
@require_safe
def challenge_list(request: SignedIn) -> HttpResponse:
    """List the visitor's challenges, unfinished ones first, and the challenges still allowed."""
    mine = challenges.asked_by(user=request.user).values("pk")
    rows = Match.objects.visible_to(request.user).for_display().filter(pk__in=mine)
    done, pages = paging.matches(request, rows.exclude(status__in=Match.OPEN), size=SHOWN)
    context = {
        "open": list(rows.open()),
        "done": done,
        "quota": quotas.usage(user=request.user, kind=quotas.Quota.CHALLENGES),
        **pages,
    }
    return render(request, "bots/challenges.html", context)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def ask(request: SignedIn, owner: str, bot: str) -> HttpResponse:
    """Challenge a bot."""
    opponent = lookups.find_bot(owner, bot)
    posted = request.POST if request.method == "POST" else None
    form = ChallengeForm(posted, user=request.user, opponent=opponent)
    if match := submitted(form, form.ask):
        return redirect(match)
    context = {"bot": opponent, "trail": bot_trail(opponent), "form": form}
    return render(request, "bots/challenge.html", context, status=400 if form.errors else 200)


@login_required
@require_POST
def cancel(request: SignedIn, public_id: str) -> HttpResponse:
    """Cancel a challenge; only the user who requested it and staff may."""
    match = get_object_or_404(
        Match.objects.visible_to(request.user),
        public_id=public_id,
        kind=MatchKind.CHALLENGE,
    )
    try:
        challenges.cancel(match=match, by=request.user)
    except Refused as refusal:
        if refusal.code == "not_yours":
            raise PermissionDenied from refusal
        messages.error(request, refusal.message)
    else:
        messages.success(request, _("The challenge is cancelled."))
    return redirect("challenge-list" if match.requested_by_id == request.user.pk else match)


@login_required
@require_POST
def willing(request: SignedIn, owner: str, bot: str) -> HttpResponse:
    """Allow or forbid challenges by others to a bot; only its owner may."""
    row = lookups.find_own_bot(request.user, owner, bot)
    challenges.let_challenge(bot=row, allowed=request.POST.get("allowed") == "yes")
    return redirect(row)
