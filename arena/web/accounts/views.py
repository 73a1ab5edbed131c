from typing import Any

from allauth.account.views import PasswordChangeView
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from arena.domain.accounts import accounts, notices, permissions
from arena.models import User
from arena.web import paging, read_models
from arena.web.accounts import devices
from arena.web.forms import TokenForm, submitted
from arena.web.viewer import SignedIn

NOTICES_SHOWN = 30


@require_safe
def user(request: HttpRequest, username: str) -> HttpResponse:
    """Show a user and their bots."""
    person = get_object_or_404(User, username=username, is_active=True)
    context = {
        "person": person,
        "is_self": permissions.may_edit_account(request.user, person),
        "bots": list(read_models.bots().filter(owner=person)),
    }
    return render(request, "accounts/user.html", context)


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def tokens(request: SignedIn) -> HttpResponse:
    """List the visitor's tokens; create a token and show its text once, in this response only."""
    form = TokenForm(request.POST if request.method == "POST" else None)
    issued = submitted(form, lambda: accounts.issue_token(user=request.user, **form.cleaned_data))
    secret = ""
    if issued:
        _token, secret = issued
        form = TokenForm()
    listed = request.user.auth_token_set.order_by("-created")
    return render(
        request, "accounts/tokens.html", {"form": form, "tokens": listed, "secret": secret}
    )


@login_required
@require_POST
def revoke(request: SignedIn, public_id: str) -> HttpResponse:
    """Revoke one of the visitor's tokens."""
    if not accounts.revoke_token(user=request.user, public_id=public_id):
        raise Http404
    messages.success(request, _("The token is revoked. Programs that use it are signed out."))
    return redirect("tokens")


@never_cache
@login_required
@require_safe
def notice_list(request: SignedIn) -> HttpResponse:
    """List the site's messages to the visitor, newest first."""
    rows, pages = paging.numbered(request, notices.of(user=request.user), size=NOTICES_SHOWN)
    context = {"notices": rows, **pages, "newer_label": _("Newer"), "older_label": _("Older")}
    return render(request, "accounts/notices.html", context)


@login_required
@require_POST
def mark_read(request: SignedIn) -> HttpResponse:
    """Mark all messages to the visitor as read."""
    notices.mark_read(user=request.user)
    return redirect("notices")


class ChangePasswordView(PasswordChangeView):  # type: ignore[misc] # allauth has no types
    """allauth's page, after which the browser is a known device again."""

    def form_valid(self, form: Any) -> HttpResponse:  # noqa: ANN401 - of allauth
        """Change the password, and give the browser a new mark."""
        response: HttpResponse = super().form_valid(form)
        devices.mark(response, form.user)
        return response


change_password = ChangePasswordView.as_view()
