"""What the site does differently from django-allauth when other sites sign users in.

Of what a provider says, the site keeps a name to show and an id. It keeps no token.
"""

import logging
from operator import attrgetter
from typing import Any

from allauth.account.adapter import get_adapter as get_account_adapter
from allauth.core.exceptions import ImmediateHttpResponse
from allauth.socialaccount.adapter import DefaultSocialAccountAdapter
from allauth.socialaccount.models import SocialApp, SocialLogin
from allauth.socialaccount.providers.base import AuthProcess, Provider, ProviderException
from allauth.socialaccount.providers.oauth2.client import OAuth2Error
from django.conf import settings
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpRequest
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from requests import RequestException

from arena.domain.accounts import connections, permissions
from arena.models import User

logger = logging.getLogger(__name__)

NAME_LENGTH = 100
KNOWN_FAULTS = (RequestException, OAuth2Error, ProviderException)


class ProviderAdapter(DefaultSocialAccountAdapter):  # type: ignore[misc] # allauth has no types
    """The adapter of django-allauth, which calls these methods."""

    def list_apps(
        self,
        request: HttpRequest,  # noqa: ARG002 - of allauth
        provider: str | None = None,
        client_id: str | None = None,
    ) -> list[SocialApp]:
        """Return the providers of the settings; the database has none, and no secret of them."""
        apps = [SocialApp(**app) for app in settings.SIGN_IN_PROVIDERS]
        return [
            app
            for app in apps
            if provider in (None, app.provider, app.provider_id)
            and client_id in (None, app.client_id)
        ]

    def populate_user(
        self, request: HttpRequest, sociallogin: SocialLogin, data: dict[str, Any]
    ) -> User:
        """Suggest a name and an address. Keep an id and a name to show, and nothing else.

        Raise ProviderException if the two answers of a provider are about different users.
        """
        account = sociallogin.account
        if account.provider == connections.OIDC:
            answers = account.extra_data
            sub = str(answers["userinfo"]["sub"])
            if answers["id_token"]["sub"] != answers["userinfo"]["sub"]:
                raise ProviderException("The ID token and the user info are about different users.")
            issuer = sociallogin.provider.app.settings["server_url"]
            account.uid = connections.subject(issuer=issuer, sub=sub)
        for address in sociallogin.email_addresses:
            address.verified = address.verified is True  # some providers write "false"
        trust = attrgetter("verified", "primary")
        addresses = sorted(sociallogin.email_addresses, key=trust, reverse=True)[:1]
        sociallogin.email_addresses = addresses
        suggestion = {
            "username": str(data.get("username") or ""),
            "email": addresses[0].email if addresses else "",
        }
        shown = suggestion["username"] or suggestion["email"]
        account.extra_data = {"username": shown[:NAME_LENGTH]}
        user: User = super().populate_user(request, sociallogin, suggestion)
        return user

    def pre_social_login(self, request: HttpRequest, sociallogin: SocialLogin) -> None:
        """Refuse to make an account whose confirmed address is that of another account.

        Its owner may be told, because the provider vouches for them. But an address alone never
        opens an account: its owner signs in to it and connects the other account. Refuse also to
        go over to another account than that of who is signed in.
        """
        sociallogin.token = None  # it would wait in the session for the end of the sign-up
        if sociallogin.state.get("process") in (AuthProcess.CONNECT, AuthProcess.REDIRECT):
            return
        is_own = permissions.may_edit_account(request.user, sociallogin.user)
        if request.user.is_authenticated and not is_own:
            text = _("This account of %(provider)s is not connected to your account.")
            messages.error(request, text % {"provider": sociallogin.provider.name})
            raise ImmediateHttpResponse(redirect("socialaccount_connections"))
        if sociallogin.is_existing or not self.is_open_for_signup(request, sociallogin):
            return
        if connections.is_taken(
            addresses=[
                email_address.email
                for email_address in sociallogin.email_addresses
                if email_address.verified
            ]
        ):
            context = {"provider": sociallogin.provider}
            page = render(request, "socialaccount/address_taken.html", context)
            raise ImmediateHttpResponse(page)

    def is_auto_signup_allowed(self, request: HttpRequest, sociallogin: SocialLogin) -> bool:
        """Return whether the name at the provider can be the name here. If not, say why."""
        # The name of the user is cut where it is too long for one.
        name = sociallogin.account.extra_data["username"] if sociallogin.user.username else ""
        try:
            get_account_adapter().clean_username(name)
        except ValidationError as refused:
            if name:
                text = _("“%(name)s” cannot be your name here. %(why)s")
                words = {"name": name[:NAME_LENGTH], "why": " ".join(refused.messages)}
                messages.warning(request, text % words)
            return False
        return True

    def on_authentication_error(
        self,
        request: HttpRequest,  # noqa: ARG002 - of allauth
        provider: Provider,
        error: str | None = None,
        exception: Exception | None = None,
        extra_context: dict[str, Any] | None = None,  # noqa: ARG002 - of allauth
    ) -> None:
        """Log a failure, without words of the provider, which may have codes and addresses."""
        response = getattr(exception, "response", None)
        is_known = exception is None or isinstance(exception, KNOWN_FAULTS)
        logger.warning(
            "provider_sign_in_failed",
            exc_info=None if is_known else exception,
            extra={
                "provider": provider.sub_id,
                "error": error,
                "why": type(exception).__name__ if exception else "",
                "status": getattr(response, "status_code", None),
            },
        )
