"""What the site does differently from django-allauth: who can sign up, and limits of sign-ins."""

import secrets
import time
from datetime import timedelta
from types import SimpleNamespace
from typing import Any
from urllib.parse import urlsplit

from allauth.account import app_settings
from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.internal.flows import reauthentication
from allauth.account.internal.flows.login import get_authentication_records
from allauth.core import context
from allauth.core.exceptions import ImmediateHttpResponse, ReauthenticationRequired
from allauth.core.internal import ratelimit
from django.conf import settings
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from arena.domain import refused_names
from arena.domain.accounts import connections, permissions, quotas
from arena.models import User
from arena.web.accounts import devices
from arena.web.accounts.bans import banned
from arena.web.quota_page import too_many

# The longest window of the limits, because allauth does not report the waiting time.
FAILED_WINDOW = timedelta(minutes=5)


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc] # allauth has no types
    """The adapter of django-allauth, which calls these methods."""

    def get_client_ip(self, request: HttpRequest) -> str:
        """Return by what requests are counted: the address, or another one each time if trusted."""
        address: str = super().get_client_ip(request)
        is_trusted = quotas.is_trusted(address=address)
        return f"{address}-{secrets.token_hex(8)}" if is_trusted else address

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Send a mail. Its links lead to the site of the settings, whatever `Host` was sent."""
        if settings.SITE_URL and self.request is not None:
            here = self.request.build_absolute_uri("/").rstrip("/")
            context = {
                name: settings.SITE_URL + value.removeprefix(here)
                if isinstance(value, str) and value.startswith(f"{here}/")
                else value
                for name, value in context.items()
            }
            site = urlsplit(settings.SITE_URL).netloc
            context["current_site"] = SimpleNamespace(name=site, domain=site)
        super().send_mail(template_prefix, email, context)

    def format_email_subject(self, subject: str) -> str:
        """Return the subject after the name of the site, which no request chooses."""
        if not settings.SITE_URL:
            return str(super().format_email_subject(subject))
        return f"[{urlsplit(settings.SITE_URL).netloc}] {subject}"

    def is_open_for_signup(self, _request: HttpRequest) -> bool:
        """Return whether visitors may make accounts for themselves."""
        return permissions.registration_is_open()

    def is_reauthentication_required(self, *, app: str) -> bool:
        """Return whether a change of the account takes a fresh sign-in.

        Raise ReauthenticationRequired if only other sites sign the user in, and the last time is
        some minutes ago: allauth itself would let such users do everything.
        """
        if _signed_in_elsewhere_long_ago(context.request):
            raise ReauthenticationRequired
        return bool(super().is_reauthentication_required(app=app))

    def get_reauthentication_methods(self, user: User) -> list[dict[str, Any]]:
        """Return how the user can prove once more who it is."""
        methods: list[dict[str, Any]] = super().get_reauthentication_methods(user)
        if not methods and user.is_authenticated:
            description = _("Sign in again")
            methods = [{"id": "again", "description": description, "url": reverse("sign-in-again")}]
        return methods

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:  # noqa: ANN401 - of allauth
        """Count an attempt to sign in. Answer 429 if a limit is reached.

        The attempts of a known device, and of a user who is signed in already, do not count
        against the limits of the address and the account, which strangers can use up. allauth
        takes the count of a failure back when the password is right.
        """
        name = str(credentials.get("username", ""))
        user = request.user
        is_own = user.is_authenticated and user.username.lower() == name.lower()
        own = f"user-{user.pk}" if is_own else devices.known(request, name)
        if own:
            self._login_failed_rl_usage = _count(request, "login_known_device", own)
        else:
            account = self._get_login_attempts_cache_key(request, **credentials)
            self._login_failed_rl_usage = _count(request, "login_new_device", account) and _count(
                request, "login_failed", account
            )
        if not self._login_failed_rl_usage:
            why = _(
                "There were too many wrong passwords or sign-ins in a short time. Use a browser in"
                " which you have signed in before, or reset your password."
            )
            free_at = timezone.now() + FAILED_WINDOW
            raise ImmediateHttpResponse(too_many(request, why=why, free_at=free_at))

    def pre_login(self, request: HttpRequest, user: User, **options: Any) -> HttpResponse | None:  # noqa: ANN401 - of allauth
        """Answer instead of a sign-in if the user is banned: the password was right."""
        if user.is_banned:
            return banned(request, user)
        response: HttpResponse | None = super().pre_login(request, user, **options)
        return response

    def clean_username(self, username: str, shallow: bool = False) -> str:  # noqa: FBT001, FBT002 - of allauth
        """Return the name of a new user. Raise ValidationError, also if nobody may take it."""
        name: str = super().clean_username(username, shallow=shallow)
        if refusal := refused_names.error_of(name):
            raise ValidationError(refusal)
        return name

    def post_login(self, request: HttpRequest, user: User, **options: Any) -> HttpResponse:  # noqa: ANN401 - of allauth
        """Mark the browser as a known device of the user who has signed in."""
        response: HttpResponse = super().post_login(request, user, **options)
        devices.mark(response, user)
        return response


def _signed_in_elsewhere_long_ago(request: HttpRequest) -> bool:
    user = request.user
    if not user.is_authenticated or reauthentication.get_reauthentication_flows(user):
        return False
    if not connections.depends_on_providers(user=user):
        return False
    times = [record["at"] for record in get_authentication_records(request, user)]
    return bool(time.time() - max(times, default=0) > app_settings.REAUTHENTICATION_TIMEOUT)


def _count(request: HttpRequest, action: str, key: str) -> Any:  # noqa: ANN401 - of allauth
    return ratelimit.consume(request, app="allauth.account", action=action, key=key)
