"""Users and their API tokens."""

from collections.abc import Iterable
from datetime import timedelta

from allauth.mfa.models import Authenticator
from allauth.mfa.utils import is_mfa_enabled
from django.conf import settings
from django.contrib.auth import authenticate
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop
from knox.models import get_digest_token
from knox.settings import CONSTANTS, knox_settings

from arena.domain import refused_names
from arena.domain.accounts import notices
from arena.domain.errors import InvalidInput, Refused
from arena.models import ApiToken, Scope, Tournament, User
from arena.texts import lists
from arena.texts.times import in_utc

MAX_TOKENS_PER_USER = 50
LAST_USED_STEP = timedelta(minutes=1)  # so that not every request writes to the database


def create_user(*, username: str, password: str, email: str = "") -> User:
    """Register a user. Raise InvalidInput with the errors of each field.

    The address is only claimed: it is the user's once they have confirmed it by a link in a mail.
    """
    user = User(username=username, email=email.lower())
    errors = _errors_of(user)
    try:
        validate_password(password, user)
    except ValidationError as exc:
        errors["password"] = list(exc.messages)
    if errors:
        raise InvalidInput(errors)
    user.set_password(password)
    try:
        with transaction.atomic():
            user.save()
    except IntegrityError as exc:  # the same request twice at once
        raise InvalidInput({"username": [_("This name is taken.")]}) from exc
    return user


def rename(*, user: User, username: str) -> None:
    """Rename a user. Raise InvalidInput.

    Call it in a transaction. `arena.domain.moderation` tells the user, and logs who did it.
    """
    user.username = username
    if errors := _errors_of(user):
        raise InvalidInput(errors)
    user.save(update_fields=["username"])


def _errors_of(user: User) -> dict[str, list[str]]:
    """Return the errors of a user with a new name, by field."""
    errors: dict[str, list[str]] = {}
    try:
        user.full_clean(exclude=["password"])
    except ValidationError as exc:
        errors.update(exc.message_dict)
    # `Ada` and `ada` would look like the same person.
    others = User.objects.exclude(pk=user.pk).filter(username__iexact=user.username)
    if others.exists() or user.username.lower() in settings.ACCOUNT_USERNAME_BLACKLIST:
        errors.setdefault("username", [_("This name is taken.")])
    if refusal := refused_names.error_of(user.username):
        errors.setdefault("username", [refusal])
    return errors


def ban_notice(user: User) -> str:
    """Return what a banned user reads: until when, and why."""
    if user.banned_until is None:
        text = _("This account is banned for good. Reason: %(reason)s")
    else:
        text = _("This account is banned until %(until)s. Reason: %(reason)s")
    until = in_utc(user.banned_until) if user.banned_until else ""
    return text % {"until": until, "reason": user.ban_reason}


def sign_in(*, username: str, password: str) -> User | None:
    """Return the active user with this name and password, or None."""
    user = authenticate(request=None, username=username, password=password)
    return user if isinstance(user, User) else None


def has_second_factor(user: User) -> bool:
    """Return whether a sign-in of the user takes an authenticator app or a security key too."""
    return bool(is_mfa_enabled(user, [Authenticator.Type.TOTP, Authenticator.Type.WEBAUTHN]))


def lacks_second_factor(user: User) -> bool:
    """Return whether the site requires a second factor of the user, who has none."""
    if not settings.STAFF_MFA:
        return False
    is_bound = user.is_staff or Tournament.objects.filter(organizers=user).exists()
    return is_bound and not has_second_factor(user)


def end_old_access(*, user: User, end_tokens: bool) -> None:
    """Revoke the API tokens of a user with a new password if wanted, and tell the user.

    The new password has ended the sessions already.
    """
    with transaction.atomic():
        if end_tokens:
            user.auth_token_set.all().delete()
            text = gettext_noop(
                "Your password was changed. All other sessions have ended, and all your API tokens"
                " are revoked."
            )
        else:
            text = gettext_noop(
                "Your password was changed. All other sessions have ended. Your API tokens still"
                " work."
            )
        notices.tell(user=user, text=text, url=reverse("tokens"))


def issue_token(
    *, user: User, name: str, scopes: Iterable[str] | None = None
) -> tuple[ApiToken, str]:
    """Create a token. Return its row and the token itself, which is not stored.

    Without `scopes` the token has every scope. Raise Refused.
    """
    if lacks_second_factor(user):
        raise Refused(
            "no_second_factor",
            _("Staff and organizers need a second factor here. Add one on your account page."),
        )
    wanted = list(Scope) if scopes is None else sorted(set(scopes))
    unknown = [scope for scope in wanted if scope not in list(Scope)]
    if unknown:
        known = lists.all_of(Scope)
        raise Refused(
            "unknown_scope",
            _("There is no scope “%(scope)s”. The scopes are: %(known)s.")
            % {"scope": unknown[0], "known": known},
            field="scopes",
        )
    if not name.strip():
        raise Refused("no_name", _("A token needs a name."), field="name")
    if user.auth_token_set.count() >= MAX_TOKENS_PER_USER:
        raise Refused("too_many_tokens", _("You have too many tokens. Revoke one first."))
    digest, token = get_digest_token()
    row = ApiToken.objects.create(
        user=user,
        name=name.strip()[:80],
        scopes=[str(scope) for scope in wanted],
        digest=digest,
        token_key=token[: CONSTANTS.TOKEN_KEY_LENGTH],
        expiry=timezone.now() + knox_settings.TOKEN_TTL,
    )
    return row, token


def revoke_token(*, user: User, public_id: str) -> bool:
    """Delete a token of the user. Return False if the user has no such token."""
    deleted, _rows = ApiToken.objects.filter(user=user, public_id=public_id).delete()
    return bool(deleted)


def record_token_use(*, token: ApiToken) -> None:
    """Record when the token was last used, to the minute."""
    now = timezone.now()
    if token.last_used is None or now - token.last_used > LAST_USED_STEP:
        ApiToken.objects.filter(pk=token.pk).update(last_used=now)
