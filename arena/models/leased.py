from collections.abc import Sequence
from typing import ClassVar, Self, TypeVar

from django.db import models
from django.db.models import Q
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

Row_co = TypeVar("Row_co", bound="Leased", covariant=True)


class LeasedQuerySet(models.QuerySet[Row_co]):
    """Selections of rows that own a job, by the state of the job."""

    def waiting(self) -> Self:
        """Return the rows that wait for a runner."""
        return self.filter(status__in=self.model.WAITING)

    def in_work(self) -> Self:
        """Return the rows that a runner holds."""
        return self.filter(status__in=self.model.IN_WORK)

    def open(self) -> Self:
        """Return the rows that wait or are in work."""
        return self.filter(status__in=self.model.OPEN)

    def due(self) -> Self:
        """Return the rows that are not postponed, or whose delay is over."""
        return self.filter(Q(not_before__isnull=True) | Q(not_before__lte=Now()))

    def expired(self) -> Self:
        """Return the rows whose runner has not renewed its lease in time."""
        return self.in_work().filter(lease_until__lt=Now())


class Leased(models.Model):
    """A row that owns a job: the lease of its runner, and the reason why it waits.

    `taken_at` is when a runner last took the row, and `left_at` when one last left it. A model
    defines the statuses in which its rows wait, and those in which a runner holds them.
    """

    WAITING: ClassVar[Sequence[str]]
    IN_WORK: ClassVar[Sequence[str]]
    OPEN: ClassVar[Sequence[str]]
    status: "models.CharField[str, str]"

    attempt = models.PositiveSmallIntegerField(_("attempt"), default=0)
    lease_token = models.CharField(max_length=32, blank=True, default="", editable=False)
    lease_until = models.DateTimeField(null=True, blank=True, editable=False)
    taken_at = models.DateTimeField(_("taken"), null=True, blank=True, editable=False)
    left_at = models.DateTimeField(
        _("let go"), null=True, blank=True, editable=False, db_index=True
    )
    queued_at = models.DateTimeField(_("in the queue since"), null=True, blank=True)
    sent_at = models.DateTimeField(_("last message"), null=True, blank=True, editable=False)
    not_before = models.DateTimeField(_("not before"), null=True, blank=True)
    waiting_reason = models.CharField(_("why it waits"), max_length=500, blank=True, default="")

    class Meta:
        abstract = True

    @property
    def is_open(self) -> bool:
        """Whether the row waits or is in work."""
        return self.status in self.OPEN
