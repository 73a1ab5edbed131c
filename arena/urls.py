"""The root URLs. The pages and the API have their own lists."""

import sys

from allauth.account.decorators import secure_admin_login
from django.contrib import admin
from django.core.exceptions import SuspiciousOperation
from django.http import HttpRequest, HttpResponse
from django.urls import include, path

from arena.api import problems
from arena.web import failures
from arena.web.accounts import provider_views as providers
from arena.web.accounts import views as accounts


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Return 400 to a request that no view has read: a problem in the API, else a page."""
    if request.path.startswith("/api/"):
        return problems.outside_of_views(SuspiciousOperation("The request cannot be read."))
    return failures.bad_request(request, exception)


def failed(request: HttpRequest) -> HttpResponse:
    """Return the response to a failure outside of the API's views: a problem, else a page."""
    if request.path.startswith("/api/"):
        return problems.outside_of_views(sys.exception())
    return failures.failed(request)


# Operators sign in to the admin through the usual page, with its limits.
admin.site.login = secure_admin_login(admin.site.login)  # type: ignore[method-assign] # as allauth documents
handler400 = bad_request
handler429 = "arena.web.quota_page.too_many"  # allauth looks for this name
handler500 = failed
OIDC = {"provider_id": "oidc"}  # the name of the provider, for allauth
provider_urls = [
    path("github/login/", providers.github_login, name="github_login"),
    path("github/login/callback/", providers.github_callback, name="github_callback"),
    path("oidc/login/", providers.oidc_login, OIDC, name="openid_connect_login"),
    path("oidc/login/callback/", providers.oidc_callback, OIDC, name="openid_connect_callback"),
    path("connections/", providers.connected_accounts, name="socialaccount_connections"),
    path("connections/<int:account_pk>/disconnect/", providers.disconnect, name="disconnect"),
    path("connections/signup/", providers.sign_up, name="socialaccount_signup"),
    path("connections/cancelled/", providers.cancelled, name="socialaccount_login_cancelled"),
    path("connections/again/", providers.sign_in_again, name="sign-in-again"),
]
urlpatterns = [
    path("admin/", admin.site.urls),
    path("accounts/password/change/", accounts.change_password, name="account_change_password"),
    path("accounts/password/set/", accounts.set_password, name="account_set_password"),
    path("accounts/2fa/", include("allauth.mfa.urls")),
    path("accounts/", include(provider_urls)),
    path("accounts/", include("allauth.account.urls")),
    path("api/v1/", include("arena.api.urls")),
    path("", include("arena.web.urls")),
]
