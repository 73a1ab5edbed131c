from django.conf import settings
from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from arena.models.bot import Bot
from arena.models.tournament import Tournament
from arena.models.user import User


class AbuseReason(models.TextChoices):
    """Why somebody reports something to staff."""

    NAME = "name", _("an offensive name")
    DESCRIPTION = "description", _("an offensive or false description")
    CHEATING = "cheating", _("cheating, such as several accounts or arranged results")
    SPAM = "spam", _("spam or advertising")
    OTHER = "other", _("something else")


class AbuseDecision(models.TextChoices):
    """How staff closes a report."""

    ACTED = "acted", _("justified: something was done")
    NOTHING_DONE = "nothing_done", _("nothing had to be done")


class AbuseReport(models.Model):
    """What a user tells staff about a user, a bot or a tournament: exactly one of the three.

    `quoted` is what its name and description were then, because they may change before staff looks.
    """

    reporter = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="abuse_reports"
    )
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, null=True, related_name="+"
    )
    bot = models.ForeignKey(Bot, on_delete=models.CASCADE, null=True, related_name="+")
    tournament = models.ForeignKey(
        Tournament, on_delete=models.CASCADE, null=True, related_name="+"
    )
    reason = models.CharField(_("reason"), max_length=16, choices=AbuseReason)
    text = models.TextField(_("text"), max_length=2000)
    quoted = models.TextField()
    created_at = models.DateTimeField(auto_now_add=True)
    closed_at = models.DateTimeField(null=True)
    closed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )
    decision = models.CharField(_("decision"), max_length=16, choices=AbuseDecision, blank=True)
    note = models.TextField(_("note"), blank=True, max_length=2000)

    class Meta:
        ordering = ["created_at", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["reporter", subject],
                condition=Q(closed_at=None),
                name=f"abuse_report_open_once_per_{subject}",
            )
            for subject in ("user", "bot", "tournament")
        ] + [
            models.CheckConstraint(
                condition=Q(user__isnull=False, bot=None, tournament=None)
                | Q(user=None, bot__isnull=False, tournament=None)
                | Q(user=None, bot=None, tournament__isnull=False),
                name="abuse_report_about_one",
            ),
        ]
        indexes = [
            models.Index(
                fields=["created_at", "id"], condition=Q(closed_at=None), name="abuse_report_open"
            ),
            models.Index(fields=["reporter", "created_at"], name="abuse_report_of_user"),
        ]

    def __str__(self) -> str:
        return f"report {self.pk}"

    def get_absolute_url(self) -> str:
        """Return the URL of the page on which staff closes it."""
        return reverse("staff-report", args=[self.pk])

    @property
    def subject(self) -> User | Bot | Tournament:
        """The user, bot or tournament that is reported."""
        subject = self.user or self.bot or self.tournament
        assert subject is not None  # noqa: S101 - a constraint of the table
        return subject
