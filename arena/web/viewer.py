"""The signed-in request type, and cache control for what is not everybody's."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.utils.cache import patch_cache_control

from arena.models import Match, Release, User


class SignedIn(HttpRequest):
    """A request behind `login_required`."""

    user: User


class PrivatePagesMiddleware:
    """Middleware that forbids shared caches to keep the pages of users who are signed in."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        # A page that has read no session is the same for everybody, such as a file.
        if request.session.accessed and request.user.is_authenticated:
            patch_cache_control(response, private=True)
        return response


def unkept(response: HttpResponse, match: Match) -> HttpResponse:
    """Forbid caches and browsers to store a response about a match that is not public."""
    if match.release != Release.PUBLIC:
        patch_cache_control(response, private=True, no_store=True)
    return response
