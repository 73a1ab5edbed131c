"""The signed-in request type, and cache control for matches that are not public."""

from django.http import HttpRequest, HttpResponse
from django.utils.cache import patch_cache_control

from arena.models import Match, Release, User


class SignedIn(HttpRequest):
    """A request behind `login_required`."""

    user: User


def unkept(response: HttpResponse, match: Match) -> HttpResponse:
    """Forbid caches and browsers to store a response about a match that is not public."""
    if match.release != Release.PUBLIC:
        patch_cache_control(response, private=True, no_store=True)
    return response
