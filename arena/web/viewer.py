"""Who asks, for the type checker and for the few pages that show more to an owner."""

from django.http import HttpRequest, HttpResponse
from django.utils.cache import patch_cache_control

from arena.domain.matches import evidence
from arena.models import Bot, Match, Release, User


class SignedIn(HttpRequest):
    """A request behind `login_required`."""

    user: User


def owns(request: HttpRequest, bot: Bot) -> bool:
    """Return whether the visitor is the bot's owner."""
    return request.user.is_authenticated and request.user.pk == bot.owner_id


def sees_logs(request: HttpRequest, bot: Bot) -> bool:
    """Return whether the visitor may read what the bot wrote: its owner and staff may."""
    return evidence.may_read(viewer=request.user, bot=bot)


def unkept(response: HttpResponse, match: Match) -> HttpResponse:
    """See that nobody on the way, and no browser, keeps what not everybody may see of a match."""
    if match.release != Release.PUBLIC:
        patch_cache_control(response, private=True, no_store=True)
    return response
