"""The seats of a person, or of a program at home, in a match."""

import secrets

from django.db import models

from arena.models.bot import Bot
from arena.models.match import Match

KEY_BYTES = 24
ANSWER_MAX_CHARS = 200


def new_key() -> str:
    """Return the part of a page's address that nobody can guess."""
    return secrets.token_urlsafe(KEY_BYTES)


class PersonSeat(models.Model):
    """The seats of one entrant that no program here holds: a runner asks, and who plays answers.

    Whoever has `key` plays on a page, with or without an account. If `is_remote`, a program of the
    user who asked plays over the network instead, or that of a remote `bot`. The `side` is that of
    the only game; a bot has another one in each game, and none here. `start`, `before` and
    `message` are JSON as a bot in the seat that is asked would be sent it: the first message of the
    game, the view before the latest message (of a bot: how its game before ended), and that.
    `number` counts the questions, and `answer` is to the present one, until `answer_by`. `drafted`
    is the set-up that the page shows. `address` is a digest of the address, or of the user, that
    asked: there is a limit for each.
    """

    match = models.ForeignKey(
        Match, on_delete=models.CASCADE, related_name="person_seats", db_index=False
    )
    position = models.PositiveSmallIntegerField(default=0, db_default=0, editable=False)
    bot = models.ForeignKey(
        Bot, on_delete=models.PROTECT, null=True, blank=True, editable=False, related_name="+"
    )
    key = models.CharField(max_length=64, unique=True, default=new_key, editable=False)
    address = models.CharField(max_length=64, blank=True, db_index=True, editable=False)
    side = models.CharField(max_length=16, blank=True)
    is_remote = models.BooleanField(default=False, db_default=False, editable=False)
    start = models.TextField(blank=True, default="", editable=False)
    before = models.TextField(blank=True, default="", editable=False)
    message = models.TextField(blank=True, default="", editable=False)
    number = models.PositiveIntegerField(default=0, editable=False)
    answer = models.CharField(max_length=ANSWER_MAX_CHARS, blank=True, default="", editable=False)
    drafted = models.CharField(max_length=ANSWER_MAX_CHARS, blank=True, default="", editable=False)
    answer_by = models.DateTimeField(null=True, blank=True, editable=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["match", "position"], name="person_seat_once")
        ]

    def __str__(self) -> str:
        return f"person as {self.side} in {self.match}"
