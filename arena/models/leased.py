from django.db import models
from django.utils.translation import gettext_lazy as _


class Leased(models.Model):
    """A row that owns a job: who works on it, until when, and why it waits.

    `taken_at` is when a runner last took it, `left_at` when one last let go of it.
    """

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
