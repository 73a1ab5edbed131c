"""Known devices: browsers in which a user has signed in before.

A signed cookie marks such a browser (the "device cookies" of OWASP). Its failed sign-ins have a
counter of their own, so that nobody can lock owners out of their own browsers with wrong passwords.
The mark gives no other right. A new password makes all marks of the account worthless.
"""

from datetime import timedelta

from django.conf import settings
from django.core import signing
from django.http import HttpRequest, HttpResponse
from django.utils.crypto import constant_time_compare, get_random_string, salted_hmac

from arena.models import User

SALT = "arena.known-device"
KEPT = timedelta(days=365)


def mark(response: HttpResponse, user: User) -> None:
    """Mark the browser that receives the response as a known device of the user."""
    response.set_cookie(
        _cookie_name(user.username),
        signing.dumps([get_random_string(22), _proof(user)], salt=SALT),
        max_age=KEPT,
        path="/accounts/",
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )


def known(request: HttpRequest, username: str) -> str:
    """Return the id of the browser if it is a known device of the user, otherwise nothing."""
    user = User.objects.filter(username__iexact=username).first()
    if user is None:
        return ""
    try:
        value = request.COOKIES.get(_cookie_name(username), "")
        device, proof = signing.loads(value, salt=SALT, max_age=KEPT)
    except signing.BadSignature:
        return ""
    return str(device) if constant_time_compare(proof, _proof(user)) else ""


def _cookie_name(username: str) -> str:
    """Return a name per account, so that several people can share a browser."""
    return f"device-{salted_hmac(SALT, username.lower()).hexdigest()[:16]}"


def _proof(user: User) -> str:
    """Return what the mark shares with the account: its name and its password."""
    digest = salted_hmac(SALT, f"{user.pk}:{user.password}", algorithm="sha256")
    return str(digest.hexdigest())
