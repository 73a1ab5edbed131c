"""The ladders that a command is about."""

from django.core.management.base import CommandError

from arena.domain import addresses
from arena.domain.errors import Refused
from arena.models import Ladder


def chosen(slug: str | None) -> list[Ladder]:
    """Return the ladder of this short name, or all ladders without one. Raise CommandError."""
    try:
        return [addresses.find_ladder(slug)] if slug else list(Ladder.objects.all())
    except Refused as refusal:
        raise CommandError(refusal.message) from refusal
