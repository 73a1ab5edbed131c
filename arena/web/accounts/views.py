from http import HTTPStatus
from typing import Any

from allauth.account.decorators import reauthentication_required
from allauth.account.views import PasswordChangeView, PasswordSetView
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db.models import Q
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from arena.domain import closing
from arena.domain.accounts import accounts, notice_mail, notices, permissions
from arena.domain.accounts import own_data as kept_data
from arena.domain.bots import bots
from arena.models import User
from arena.web import downloads, paging
from arena.web.accounts import devices
from arena.web.forms import CloseForm, MailForm, TokenForm, attempt, submitted
from arena.web.viewer import SignedIn

NOTICES_SHOWN = 30


@require_safe
def user(request: HttpRequest, username: str) -> HttpResponse:
    """Show a user and their bots."""
    people = User.objects.filter(Q(is_active=True) | Q(closed_at__isnull=False))
    person = get_object_or_404(people, username=username)
    context = {
        "person": person,
        "is_self": permissions.may_edit_account(request.user, person),
        "bots": list(bots.listed().filter(owner=person)),
    }
    return render(request, "accounts/user.html", context)


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def tokens(request: SignedIn) -> HttpResponse:
    """List the visitor's tokens; create a token and show its text once, in this response only."""
    posted = request.POST if request.method == "POST" else None
    form = TokenForm(posted, user=request.user)
    issued = submitted(form, lambda: accounts.issue_token(user=request.user, **form.cleaned_data))
    secret = ""
    if issued:
        _token, secret = issued
        form = TokenForm(user=request.user)
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
def own_data(request: SignedIn) -> HttpResponse:
    """Show what the visitor can take away and what closing the account does."""
    refusal = closing.obstacle(user=request.user)
    return render(request, "accounts/own_data.html", {"refusal": refusal})


@never_cache
@login_required
@require_safe
def own_data_file(request: SignedIn) -> HttpResponse:
    """Send what the site keeps of the visitor."""
    kept = kept_data.own_data(user=request.user)
    answer = JsonResponse(kept, json_dumps_params={"indent": 2, "ensure_ascii": False})
    return downloads.named(answer, f"drapeau-{request.user.username}.json")


@never_cache
@login_required
@reauthentication_required  # type: ignore[untyped-decorator] # allauth has no types
@require_http_methods(["GET", "HEAD", "POST"])
def close(request: SignedIn) -> HttpResponse:
    """Let the visitor's account close after a wait, once they have typed its name."""
    form = CloseForm(request.POST if request.method == "POST" else None, user=request.user)
    if submitted(form, lambda: closing.ask(user=request.user)):
        return redirect("own-data")
    return render(request, "accounts/close.html", {"form": form})


@login_required
@require_POST
def keep(request: SignedIn) -> HttpResponse:
    """Keep the visitor's account, which would have closed."""
    attempt(request, _("Your account stays open."), lambda: closing.keep(user=request.user))
    return redirect("own-data")


@never_cache
@login_required
@require_safe
def notice_list(request: SignedIn) -> HttpResponse:
    """List the site's messages to the visitor, newest first."""
    rows, pages = paging.listed(
        request, notices.of(user=request.user), order=("-created_at", "-id"), size=NOTICES_SHOWN
    )
    context = {"notices": rows, **pages, "newer_label": _("Newer"), "older_label": _("Older")}
    return render(request, "accounts/notices.html", context)


@login_required
@require_POST
def mark_read(request: SignedIn) -> HttpResponse:
    """Mark all messages to the visitor as read."""
    notices.mark_read(user=request.user)
    return redirect("notices")


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def mail_preferences(request: SignedIn) -> HttpResponse:
    """Show which kinds of notices the site mails to the visitor, and store a new choice."""
    form = MailForm(
        request.POST if request.method == "POST" else None,
        initial={"kinds": notice_mail.wanted(user=request.user)},
    )
    if form.is_valid():
        notice_mail.choose(user=request.user, kinds=form.cleaned_data["kinds"])
        messages.success(request, _("Your choice is stored."))
        return redirect("mail-preferences")
    context = {
        "form": form,
        "is_on": notice_mail.is_on(),
        "address": notice_mail.address_of(user=request.user),
        "limit": notice_mail.MAILS_PER_DAY,
    }
    return render(request, "accounts/mail_preferences.html", context)


@never_cache
@csrf_exempt  # programs for mail send this form themselves (RFC 8058); the token is the permission
@require_http_methods(["GET", "HEAD", "POST"])
def mail_stop(request: HttpRequest, token: str) -> HttpResponse:
    """Ask whether mail of a kind shall end, and end it. Whoever has the link may do that."""
    preference = notice_mail.of_stop_token(token)
    if preference is None:
        return render(request, "accounts/mail_stop.html", status=HTTPStatus.NOT_FOUND)
    person, kind = preference
    is_over = request.method == "POST"
    if is_over:
        notice_mail.stop(user=person, kind=kind)
    context = {"person": person, "kind": kind, "is_over": is_over}
    return render(request, "accounts/mail_stop.html", context)


class ChangePasswordView(PasswordChangeView):  # type: ignore[misc] # allauth has no types
    """allauth's page, after which the browser is a known device again."""

    def form_valid(self, form: Any) -> HttpResponse:  # noqa: ANN401 - of allauth
        """Change the password, and give the browser a new mark."""
        response: HttpResponse = super().form_valid(form)
        devices.mark(response, form.user)
        return response


change_password = ChangePasswordView.as_view()
# Whoever has found an open browser must not set the first password of the account.
set_password = login_required(
    reauthentication_required(
        PasswordSetView.as_view(), enabled=lambda request: not request.user.has_usable_password()
    )
)
