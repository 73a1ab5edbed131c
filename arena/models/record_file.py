from django.db import models
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from arena.models.ladder import Ladder


class RecordFile(models.Model):
    """Records of a ladder and a day that everybody may have: one a line, compressed with gzip.

    `number` counts the files of the day from 1. `digest` is the SHA-256 of `blob`. `revision` grows
    when records have left the file. The matches in it name it (`Match.record_file`). Only
    `arena.domain.matches.record_files` makes, changes and reads it.
    """

    ladder = models.ForeignKey(Ladder, on_delete=models.PROTECT, related_name="record_files")
    day = models.DateField(_("day"))
    number = models.PositiveIntegerField(_("number"))
    revision = models.PositiveIntegerField(_("revision"), default=1)
    made_at = models.DateTimeField(_("made at"), auto_now=True)
    games = models.PositiveIntegerField(_("games"))
    size_bytes = models.PositiveBigIntegerField(_("size (bytes)"))
    digest = models.CharField(_("SHA-256"), max_length=64)
    blob = models.BinaryField()

    class Meta:
        ordering = ["ladder", "day", "number"]
        constraints = [
            models.UniqueConstraint(
                fields=["ladder", "day", "number"], name="record_file_number_once"
            )
        ]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        """Return the URL of its content, in the API."""
        day = self.day.isoformat()
        return reverse("api-ladder-record-file", args=[self.ladder.slug, day, self.number])

    @property
    def name(self) -> str:
        """The name of the file: ladder, day and number."""
        return f"{self.ladder.slug}-{self.day}-{self.number}.ndjson.gz"
