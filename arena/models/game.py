from typing import Self

from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from arena.models.isolated import Isolated
from arena.models.match import Match, visible
from arena.models.user import Viewer


class GameStatus(models.TextChoices):
    """The states of a game. A void game goes back to `created`."""

    CREATED = "created", _("created")
    RUNNING = "running", _("running")
    FINISHED = "finished", _("finished")


class GameQuerySet(models.QuerySet["Game"]):
    """Selections of games."""

    def visible_to(self, viewer: Viewer) -> Self:
        """Return the games whose matches the viewer may see."""
        return self.filter(visible(viewer, match="match__"))


class Game(Isolated):
    """One play-through. Its result consists of `outcome`, `termination` and `fault`.

    `seats` maps each seat to the position of its match entrant, and `outcome` maps each side to its
    points. `detail` explains the termination and can quote an action, so it is public once the game
    is disclosed. `take` counts how often a runner began it. Each time, other chance follows from
    the secret of the match, because a bot may know what it saw before a fault of the platform.
    """

    Status = GameStatus

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="games", db_index=False)
    number = models.PositiveSmallIntegerField()
    take = models.PositiveSmallIntegerField(default=0, editable=False)
    seats = models.JSONField()
    status = models.CharField(
        _("status"), max_length=16, choices=GameStatus, default=GameStatus.CREATED
    )
    outcome = models.JSONField(_("outcome"), null=True, blank=True)
    termination = models.CharField(_("termination"), max_length=40, blank=True, default="")
    fault = models.CharField(_("fault"), max_length=16, blank=True, default="")
    detail = models.TextField(_("detail"), blank=True, default="")
    plies = models.PositiveIntegerField(_("plies"), default=0)
    duration_ms = models.PositiveIntegerField(_("duration (ms)"), null=True, blank=True)

    objects = GameQuerySet.as_manager()

    class Meta:
        ordering = ["match", "number"]
        constraints = [
            models.UniqueConstraint(fields=["match", "number"], name="game_number_once"),
            models.CheckConstraint(condition=Q(number__gte=1), name="game_number_from_one"),
            models.CheckConstraint(
                condition=Q(status__in=GameStatus.values), name="game_status_known"
            ),
            models.CheckConstraint(
                condition=~Q(status="finished") | (~Q(termination="")),
                name="game_finished_with_termination",
            ),
        ]
        indexes = [
            models.Index(fields=["termination", "match"], name="game_termination"),
            models.Index(fields=["match"], condition=~Q(fault=""), name="game_forfeited"),
        ]

    def __str__(self) -> str:
        return f"{self.match} game {self.number}"

    def get_absolute_url(self) -> str:
        """Return the URL of the game's page."""
        return reverse("game", args=[self.match.public_id, self.number])

    @property
    def is_disclosed(self) -> bool:
        """Whether its record, replay, logs and evidence may be seen, each by whom it is for.

        What a bot did in one game helps against it in the next, so nobody sees one before the match
        is over: not even the owners of its bots, nor staff. Everybody sees its result in short, and
        the game that is being played can be watched (`arena.domain.matches.live`).
        """
        return self.status == GameStatus.FINISHED and not self.match.is_open

    @property
    def told_detail(self) -> str:
        """The detail, or nothing as long as the game is not disclosed."""
        return self.detail if self.is_disclosed else ""


class GameRecord(models.Model):
    """The record of a finished game, compressed by `arena.domain.matches.record_compression`."""

    game = models.OneToOneField(Game, on_delete=models.CASCADE, related_name="record")
    blob = models.BinaryField()

    def __str__(self) -> str:
        return f"record of {self.game}"


class GameLog(models.Model):
    """The standard error of a bot in one seat and its remarks, for its owner and staff only.

    An entrant with two seats has two programs, and a log of each. `remarks` are the notes and the
    beliefs, compressed by `arena.domain.matches.remarks`, or empty. The other columns add up the
    log loss of the beliefs, and of the exact counts about the same pieces (`engine.remarks`).
    """

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="logs", db_index=False)
    position = models.PositiveSmallIntegerField()
    seat = models.CharField(_("seat"), max_length=16)
    stderr = models.TextField(blank=True)
    remarks = models.BinaryField(default=b"", db_default=b"")
    belief_bits = models.FloatField(default=0.0, db_default=0.0)
    belief_prior_bits = models.FloatField(default=0.0, db_default=0.0)
    belief_pieces = models.PositiveIntegerField(default=0, db_default=0)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["game", "seat"], name="log_seat_once")]
        indexes = [
            models.Index(
                fields=["game"], condition=~Q(stderr="") | ~Q(remarks=b""), name="log_written"
            )
        ]

    def __str__(self) -> str:
        return f"log of {self.game}, {self.seat}"


class GameEvidence(models.Model):
    """The last request to a bot that forfeited, its response, and the measured values.

    It is for its owner and staff only, because the request contains what only this seat may know.
    Times are in ms. Values are None if they were not measured, and so is the end of a bot that was
    still running.
    """

    game = models.ForeignKey(
        Game, on_delete=models.CASCADE, related_name="evidence", db_index=False
    )
    position = models.PositiveSmallIntegerField()
    seat = models.CharField(_("seat"), max_length=16)
    request = models.BinaryField(_("what it was sent"))
    received = models.BinaryField(_("what came back"))
    charged_ms = models.FloatField(_("charged (ms)"))
    allowance_ms = models.FloatField(_("allowed (ms)"))
    wall_ms = models.FloatField(_("wall time (ms)"))
    cpu_ms = models.FloatField(_("CPU time in all (ms)"), null=True, blank=True)
    peak_memory_bytes = models.PositiveBigIntegerField(_("peak memory"), null=True, blank=True)
    exit_status = models.IntegerField(_("exit status"), null=True, blank=True)
    signal = models.IntegerField(_("signal"), null=True, blank=True)

    class Meta:
        verbose_name_plural = _("game evidence")
        constraints = [models.UniqueConstraint(fields=["game", "seat"], name="evidence_seat_once")]

    def __str__(self) -> str:
        return f"evidence of {self.game}, {self.seat}"
