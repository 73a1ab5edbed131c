"""Accounts at other sites that sign a user in here: which ones count, and which can go."""

import hashlib
from collections.abc import Iterable

from allauth.account.models import EmailAddress
from allauth.socialaccount.models import SocialAccount
from django.conf import settings
from django.db import transaction
from django.utils.translation import gettext as _

from arena.domain.errors import Refused
from arena.models import User

OIDC = "oidc"  # how the rows name the provider with OpenID Connect, whichever it is


def enabled() -> dict[str, str]:
    """Return the names of the providers that sign users in, by what the rows call them."""
    apps = settings.SIGN_IN_PROVIDERS
    return {app["provider_id"] or app["provider"]: app["name"] for app in apps}


def of(*, user: User) -> list[SocialAccount]:
    """Return the connected accounts of a user, the oldest first."""
    return list(SocialAccount.objects.filter(user=user).order_by("pk"))


def subject(*, issuer: str, sub: str) -> str:
    """Return what identifies a user of an issuer: another issuer may give the same `sub`."""
    return hashlib.sha256(f"{issuer}\n{sub}".encode()).hexdigest()


def is_taken(*, addresses: Iterable[str]) -> bool:
    """Return whether one of the addresses is the confirmed one of an account."""
    wanted = [address.lower() for address in addresses]
    return bool(EmailAddress.objects.filter(email__in=wanted, verified=True).exists())


def depends_on_providers(*, user: User) -> bool:
    """Return whether only other sites sign the user in, because the user has no password."""
    if user.has_usable_password():
        return False
    return bool(SocialAccount.objects.filter(user=user, provider__in=enabled()).exists())


def disconnect(*, user: User, account_pk: int) -> SocialAccount:
    """Delete a connected account of the user, and return what it was.

    Raise Refused if it is not the user's, or the user could not sign in any more without it.
    """
    with transaction.atomic():
        # Locked, so that two requests do not delete the last two.
        row = User.objects.select_for_update(no_key=True).get(pk=user.pk)
        mine = SocialAccount.objects.filter(user=row)
        account = mine.filter(pk=account_pk).first()
        if account is None:
            raise Refused("not_connected", _("This account is not connected to yours."))
        others = mine.filter(provider__in=enabled()).exclude(pk=account.pk)
        if not row.has_usable_password() and not others.exists():
            text = _("Without it you could not sign in any more. Set a password first.")
            raise Refused("last_way", text)
        account.delete()
    return account
