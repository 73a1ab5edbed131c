"""Remote bots whose programs are connected."""

from typing import Self

from django.db import models
from django.utils import timezone

from arena.models.bot import Bot


class OnlineBotQuerySet(models.QuerySet["OnlineBot"]):
    def now(self) -> Self:
        """Return those whose programs are connected now."""
        return self.filter(until__gt=timezone.now())


class OnlineBot(models.Model):
    """A remote bot whose program is connected, until a time that is moved on while it is.

    Its program plays up to `games` matches at the same time.
    """

    bot = models.OneToOneField(Bot, on_delete=models.CASCADE, related_name="online")
    until = models.DateTimeField()
    games = models.PositiveSmallIntegerField(default=1)

    objects = OnlineBotQuerySet.as_manager()

    def __str__(self) -> str:
        return f"{self.bot}, online"
