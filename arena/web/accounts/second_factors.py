"""Second factors of staff and organizers, where the site requires them."""

from collections.abc import Callable

from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from arena.domain.accounts import accounts

# Where a second factor is added, and what has no session.
OPEN = ("/accounts/", "/api/", "/healthz", "/readyz", "/metrics")


class SecondFactorMiddleware:
    """Middleware that sends staff and organizers without a second factor to where they add one.

    It guards all pages, because many of them show more to staff and organizers.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if (
            not settings.STAFF_MFA
            or request.path.startswith(OPEN)
            or not request.user.is_authenticated
            or not accounts.lacks_second_factor(request.user)
        ):
            return self.get_response(request)
        messages.warning(request, _("Staff and organizers need a second factor here. Add one."))
        return redirect("mfa_index")
