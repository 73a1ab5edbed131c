"""Messages of the site to one user: told once, read once."""

from collections.abc import Collection

from django.db.models import QuerySet
from django.utils import timezone

from arena.models import Notice, User


def tell(*, user: User, text: str, url: str = "") -> Notice:
    """Leave a message for a user, with the address of what it is about."""
    return Notice.objects.create(user=user, text=text, url=url)


def of(*, user: User) -> QuerySet[Notice]:
    """Return a user's messages, newest first."""
    return Notice.objects.filter(user=user)


def unread(*, user: User) -> int:
    """Count the messages that the user has not read."""
    return of(user=user).filter(read_at=None).count()


def mark_read(*, user: User, only: Collection[int] | None = None) -> int:
    """Mark a user's messages as read, all or only some by their row; return how many were not."""
    rows = of(user=user).filter(read_at=None)
    if only is not None:
        rows = rows.filter(pk__in=only)
    return rows.update(read_at=timezone.now())
