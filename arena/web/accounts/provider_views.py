"""The pages of signing in with an account of another site, around those of django-allauth."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from allauth.account.decorators import reauthentication_required
from allauth.core.internal import ratelimit
from allauth.socialaccount import views as allauth_views
from allauth.socialaccount.adapter import get_adapter
from allauth.socialaccount.helpers import render_authentication_error
from allauth.socialaccount.models import SocialApp
from allauth.socialaccount.providers.github import views as github
from allauth.socialaccount.providers.openid_connect import views as openid_connect
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ImproperlyConfigured
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from arena.domain.accounts import connections
from arena.web.accounts.provider_adapter import KNOWN_FAULTS
from arena.web.forms import attempt
from arena.web.quota_page import too_many
from arena.web.viewer import SignedIn

View = Callable[..., HttpResponse]

# What allauth raises when a provider is down, or its answers are not those of the standard.
FAULTS = (
    *KNOWN_FAULTS,
    ImproperlyConfigured,
    LookupError,
    TypeError,
    ValueError,
    AttributeError,
)


def _guarded(view: View, provider_id: str) -> View:
    """Return the view with 404 while the provider is off, and a page for faults of the provider."""

    @never_cache
    @wraps(view)
    def guarded(request: HttpRequest, **words: Any) -> HttpResponse:  # noqa: ANN401 - of the route
        try:
            provider = get_adapter().get_provider(request, provider_id)
        except SocialApp.DoesNotExist as absent:
            raise Http404 from absent
        try:
            return view(request, **words)
        except FAULTS as fault:
            response: HttpResponse = render_authentication_error(request, provider, exception=fault)
            return response

    return guarded


def _leading_there(view: View) -> View:
    """Return the view with a page in place of the redirect to the provider, and a limit.

    The policy of the site lets no form lead to another site, and some browsers apply it to the
    redirect after a form.
    """

    @require_http_methods(["GET", "HEAD", "POST"])
    @wraps(view)
    def leading(request: HttpRequest, **words: Any) -> HttpResponse:  # noqa: ANN401 - of the route
        if request.method == "HEAD":
            request.method = "GET"
        if request.method == "POST" and not ratelimit.consume(
            request, app="allauth.account", action="login_elsewhere"
        ):
            return too_many(request)
        response = view(request, **words)
        if request.method == "POST" and "Location" in response:
            return render(request, "socialaccount/leaving.html", {"address": response["Location"]})
        return response

    return leading


github_login = _leading_there(_guarded(github.oauth2_login, "github"))
github_callback = require_safe(_guarded(github.oauth2_callback, "github"))
oidc_login = _leading_there(_guarded(openid_connect.login, connections.OIDC))
oidc_callback = require_safe(_guarded(openid_connect.callback, connections.OIDC))
sign_up = require_http_methods(["GET", "HEAD", "POST"])(allauth_views.signup)
cancelled = require_safe(allauth_views.login_cancelled)


@never_cache
@login_required
@require_safe
def connected_accounts(request: SignedIn) -> HttpResponse:
    """List the accounts at other sites with which the visitor signs in."""
    names = connections.enabled()
    accounts = [
        {"row": account, "provider": names.get(account.provider, "")}
        for account in connections.of(user=request.user)
    ]
    return render(request, "socialaccount/connections.html", {"accounts": accounts})


@login_required
@require_POST
@reauthentication_required  # type: ignore[untyped-decorator] # allauth has no types
def disconnect(request: SignedIn, account_pk: int) -> HttpResponse:
    """Disconnect an account at another site, and write a mail about it."""

    def act() -> None:
        account = connections.disconnect(user=request.user, account_pk=account_pk)
        get_adapter().send_notification_mail(
            "socialaccount/email/account_disconnected",
            request.user,
            context={"account": account, "provider": account.provider},
        )

    attempt(request, _("The account is disconnected."), act)
    return redirect("socialaccount_connections")


@never_cache
@login_required
@require_safe
def sign_in_again(request: SignedIn) -> HttpResponse:
    """Ask a visitor without a password to sign in once more before they change their account."""
    return render(request, "socialaccount/sign_in_again.html")
