"""Who asks, for the type checker and for the few pages that show more to an owner."""

from django.http import HttpRequest

from arena.domain import evidence
from arena.models import Bot, User


class SignedIn(HttpRequest):
    """A request behind `login_required`."""

    user: User


def owns(request: HttpRequest, bot: Bot) -> bool:
    """Say whether the visitor is the bot's owner."""
    return request.user.is_authenticated and request.user.pk == bot.owner_id


def sees_logs(request: HttpRequest, bot: Bot) -> bool:
    """Say whether the visitor may read what the bot wrote: its owner and staff may."""
    return evidence.may_read(viewer=request.user, bot=bot)
