"""Who asks, for the type checker, and what nobody may keep of an answer."""

from django.http import HttpRequest, HttpResponse
from django.utils.cache import patch_cache_control

from arena.models import Match, Release, User


class SignedIn(HttpRequest):
    """A request behind `login_required`."""

    user: User


def unkept(response: HttpResponse, match: Match) -> HttpResponse:
    """See that nobody on the way, and no browser, keeps what not everybody may see of a match."""
    if match.release != Release.PUBLIC:
        patch_cache_control(response, private=True, no_store=True)
    return response
