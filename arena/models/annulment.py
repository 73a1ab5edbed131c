from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from arena.models.append_only import AppendOnlyModel
from arena.models.ladder import Ladder
from arena.models.season import Season
from arena.models.version import Version


class Annulment(AppendOnlyModel):
    """A decision of staff that some finished matches no longer count. `reason` is public.

    It has its own finish number on the ladder.
    """

    ladder = models.ForeignKey(Ladder, on_delete=models.PROTECT, related_name="annulments")
    finish_number = models.PositiveBigIntegerField(_("finish number"))
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="annulments"
    )
    reason = models.TextField(_("reason"))
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta(AppendOnlyModel.Meta):
        ordering = ["ladder", "-finish_number"]
        constraints = [
            models.UniqueConstraint(fields=["ladder", "finish_number"], name="annulment_once"),
            models.CheckConstraint(condition=~Q(reason=""), name="annulment_has_reason"),
        ]

    def __str__(self) -> str:
        return f"annulment {self.finish_number} of {self.ladder}"


class RatingAdjustment(AppendOnlyModel):
    """The change of a version's rating and counts by an annulment or the end of a season.

    The counts are those after the change. `finish_number` is that of its cause.
    """

    ladder = models.ForeignKey(Ladder, on_delete=models.PROTECT, related_name="rating_adjustments")
    version = models.ForeignKey(
        Version, on_delete=models.PROTECT, related_name="rating_adjustments"
    )
    finish_number = models.PositiveBigIntegerField(_("finish number"))
    annulment = models.ForeignKey(
        Annulment, on_delete=models.PROTECT, null=True, blank=True, related_name="adjustments"
    )
    season = models.ForeignKey(
        Season, on_delete=models.PROTECT, null=True, blank=True, related_name="adjustments"
    )
    before = models.FloatField(_("before"))
    after = models.FloatField(_("after"))
    wins = models.PositiveIntegerField(_("won"))
    draws = models.PositiveIntegerField(_("drawn"))
    losses = models.PositiveIntegerField(_("lost"))
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta(AppendOnlyModel.Meta):
        ordering = ["ladder", "finish_number", "version"]
        constraints = [
            models.UniqueConstraint(
                fields=["ladder", "finish_number", "version"], name="adjusted_once"
            ),
            models.CheckConstraint(
                condition=Q(annulment__isnull=False, season__isnull=True)
                | Q(annulment__isnull=True, season__isnull=False),
                name="adjustment_has_one_cause",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.version} {self.before:.1f} → {self.after:.1f} ({self.finish_number})"
