from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from arena.domain.accounts import notices
from arena.web.paging import neighbours, page_number
from arena.web.viewer import SignedIn

SHOWN = 30


@never_cache
@login_required
@require_safe
def notice_list(request: SignedIn) -> HttpResponse:
    """List the messages of the site to the visitor, newest first."""
    number = page_number(request)
    first = (number - 1) * SHOWN
    rows = list(notices.of(user=request.user)[first : first + SHOWN + 1])
    context = {
        "notices": rows[:SHOWN],
        **neighbours(number, more=len(rows) > SHOWN),
        "newer_label": _("Newer"),
        "older_label": _("Older"),
    }
    return render(request, "accounts/notices.html", context)


@login_required
@require_POST
def mark_read(request: SignedIn) -> HttpResponse:
    """Mark all messages to the visitor as read."""
    notices.mark_read(user=request.user)
    return redirect("notices")
