"""What the site does differently from django-allauth: limits of sign-ins, and mail."""

import logging
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.core.exceptions import ImmediateHttpResponse
from allauth.core.internal import ratelimit
from django.contrib.sites.shortcuts import get_current_site
from django.core.mail import EmailMessage
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.translation import gettext as _

from arena.models import User
from arena.web.accounts import devices
from arena.web.quota_page import too_many

logger = logging.getLogger(__name__)

# The longest window of the limits, because allauth does not report the waiting time.
FAILED_WINDOW = timedelta(minutes=5)

# Mail leaves in a thread of its own: how long an answer takes must not tell to whom it was sent.
postman = ThreadPoolExecutor(max_workers=1, thread_name_prefix="postman")


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc] # allauth has no types
    """The adapter of django-allauth, which calls these methods."""

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:  # noqa: ANN401 - of allauth
        """Count an attempt to sign in. Answer 429 if a limit is reached.

        The attempts of a known device, and of a user who is signed in already, do not count
        against the limits of the address and the account, which strangers can use up. allauth
        takes the count of a failure back when the password is right.
        """
        name = str(credentials.get("username", ""))
        own = _own_counter(request, name)
        if own:
            self._login_failed_rl_usage = _count(request, "login_known_device", own)
        else:
            account = self._get_login_attempts_cache_key(request, **credentials)
            self._login_failed_rl_usage = _count(request, "login_new_device", account) and _count(
                request, "login_failed", account
            )
        if not self._login_failed_rl_usage:
            said = _(
                "There were too many wrong passwords or sign-ins in a short time. Use a browser in"
                " which you have signed in before, or reset your password."
            )
            free_at = timezone.now() + FAILED_WINDOW
            raise ImmediateHttpResponse(too_many(request, why=said, free_at=free_at))

    def post_login(self, request: HttpRequest, user: User, **options: Any) -> HttpResponse:  # noqa: ANN401 - of allauth
        """Mark the browser as a known device of the user who has signed in."""
        response: HttpResponse = super().post_login(request, user, **options)
        devices.mark(response, user)
        return response

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Write a mail, and let the postman send it."""
        words = {
            "request": self.request,
            "email": email,
            "current_site": get_current_site(self.request),
            **context,
        }
        postman.submit(_deliver, self.render_mail(template_prefix, email, words))


def _own_counter(request: HttpRequest, name: str) -> str:
    user = request.user
    if user.is_authenticated and user.username.lower() == name.lower():
        return f"user-{user.pk}"
    return devices.known(request, name)


def _count(request: HttpRequest, action: str, key: str) -> Any:  # noqa: ANN401 - of allauth
    return ratelimit.consume(request, app="allauth.account", action=action, key=key)


def _deliver(mail: EmailMessage) -> None:
    try:
        mail.send()
    except OSError:  # also what smtplib raises
        logger.exception("mail_not_sent")
