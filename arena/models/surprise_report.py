from django.db import models
from django.db.models import Q


class SurpriseReport(models.Model):
    """What the site found when it last looked for surprising results. One row at most.

    `found` has the fields of each `arena.domain.fairplay.surprises.StoredSurprise`.
    """

    made_at = models.DateTimeField()
    found = models.JSONField(default=list)

    class Meta:
        constraints = [models.CheckConstraint(condition=Q(pk=1), name="surprise_report_single")]

    def __str__(self) -> str:
        return f"surprises of {self.made_at:%Y-%m-%d %H:%M}"
