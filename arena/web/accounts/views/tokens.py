from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from arena.domain.accounts import accounts
from arena.domain.errors import Refused
from arena.web.forms import TokenForm, show_refusal
from arena.web.viewer import SignedIn


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def tokens(request: SignedIn) -> HttpResponse:
    """List the visitor's tokens; make one, whose text is in this one answer and nowhere else."""
    form = TokenForm(request.POST if request.method == "POST" else None)
    secret = ""
    if form.is_bound and form.is_valid():
        try:
            _token, secret = accounts.issue_token(user=request.user, **form.cleaned_data)
        except Refused as refusal:
            show_refusal(form, refusal)
        else:
            form = TokenForm()
    listed = request.user.auth_token_set.order_by("-created")
    return render(
        request, "accounts/tokens.html", {"form": form, "tokens": listed, "secret": secret}
    )


@login_required
@require_POST
def revoke(request: SignedIn, public_id: str) -> HttpResponse:
    """End one of the visitor's tokens."""
    if not accounts.revoke_token(user=request.user, public_id=public_id):
        raise Http404
    messages.success(request, _("The token is revoked. Programs that use it are signed out."))
    return redirect("tokens")
