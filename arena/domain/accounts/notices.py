"""Messages from the site to one user."""

from django.db.models import QuerySet
from django.utils import timezone

from arena.models import Notice, NoticeKind, User


def tell(*, user: User, text: str, url: str = "", kind: NoticeKind | None = None) -> Notice:
    """Create a message for a user, with the URL of the page that it is about.

    One of a kind is mailed too, if the user wants that.
    """
    return Notice.objects.create(user=user, kind=kind or "", text=text, url=url)


def of(*, user: User) -> QuerySet[Notice]:
    """Return a user's messages, newest first."""
    return Notice.objects.filter(user=user)


def unread(*, user: User) -> int:
    """Count the messages that the user has not read."""
    return of(user=user).filter(read_at=None).count()


def mark_read(*, user: User) -> int:
    """Mark the unread messages of a user as read. Return how many."""
    return of(user=user).filter(read_at=None).update(read_at=timezone.now())
