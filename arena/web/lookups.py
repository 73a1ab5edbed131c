"""The bot or version of an address."""

from django.core.exceptions import PermissionDenied
from django.shortcuts import get_object_or_404

from arena.domain.accounts import permissions
from arena.models import PEOPLE_OWNER, Bot, User, Version


def find_bot(owner: str, slug: str) -> Bot:
    """Return a bot with its owner and active version. Raise Http404."""
    rows = Bot.objects.exclude(owner__username=PEOPLE_OWNER).select_related(
        "owner", "active_version__bot__owner"
    )
    return get_object_or_404(rows, owner__username=owner, slug=slug)


def find_own_bot(user: User, owner: str, slug: str) -> Bot:
    """Return a bot of the visitor, as `find_bot`. Raise Http404 or PermissionDenied."""
    bot = find_bot(owner, slug)
    if not permissions.may_edit_bot(user, bot):
        raise PermissionDenied
    return bot


def find_version(owner: str, slug: str, number: int) -> Version:
    """Return a version with its bot and owner. Raise Http404."""
    rows = Version.objects.exclude(bot__owner__username=PEOPLE_OWNER).select_related("bot__owner")
    return get_object_or_404(rows, bot__owner__username=owner, bot__slug=slug, number=number)
