from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from arena.domain.accounts import permissions
from arena.domain.bots import trials
from arena.models import VersionTrial
from arena.web.bots import trial_cards
from arena.web.bots.views.versions import do, find, find_own
from arena.web.viewer import SignedIn

MOST_DIGITS = 9  # in the number of a version


@never_cache
@require_safe
def trial_list(request: HttpRequest, owner: str, bot: str, number: int) -> HttpResponse:
    """Return only the trials of a version; its page polls this while a trial runs."""
    row = find(owner, bot, number)
    context = {
        "version": row,
        "is_owner": permissions.may_edit_bot(request.user, row.bot),
        **trial_cards.shown(row),
    }
    return render(request, "bots/_trials.html", context)


@login_required
@require_POST
def start(request: SignedIn, owner: str, bot: str, number: int) -> HttpResponse:
    """Start a trial of the version against another of its bot; only the owner may."""
    row = find_own(request, owner, bot, number)
    named = request.POST.get("against", "")
    is_number = named.isdecimal() and len(named) <= MOST_DIGITS
    against = row.bot.versions.filter(number=named).first() if is_number else None
    activates = request.POST.get("activates") == "yes"
    return do(
        request,
        row,
        _("The trial has begun."),
        lambda: trials.start(version=row, against=against, by=request.user, activates=activates),
    )


@login_required
@require_POST
def cancel(request: SignedIn, public_id: str) -> HttpResponse:
    """End a trial without a verdict; only the bot's owner may."""
    trial = get_object_or_404(
        VersionTrial.objects.select_related("version__bot__owner"), public_id=public_id
    )
    if not permissions.may_edit_bot(request.user, trial.version.bot):
        raise PermissionDenied
    said = _("The trial is cancelled.")
    return do(request, trial.version, said, lambda: trials.cancel(trial=trial))
