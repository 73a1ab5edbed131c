from typing import Self

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from arena.models.public_ids import new_delivery_id, new_webhook_id
from arena.models.user import not_banned


class WebhookEvent(models.TextChoices):
    """What a webhook can be told of. A ping is a test, which every webhook gets on request."""

    PING = "ping", _("a test")
    MATCH_FINISHED = "match.finished", _("a match of one of your bots has a result")
    VERSION_CHECKED = "version.checked", _("a version of yours is ready or rejected")
    BOT_PAUSED = "bot.paused", _("a bot of yours is paused after forfeits")
    TOURNAMENT_STARTED = "tournament.started", _("a tournament of yours has started")
    ROUND_RELEASED = "tournament.round_released", _("you can see another round of a tournament")
    TOURNAMENT_COMPLETED = "tournament.completed", _("the last round of a tournament is over")


class DeliveryStatus(models.TextChoices):
    """The states of a delivery. All but the first are final, until it is sent again."""

    WAITING = "waiting", _("waiting")
    DELIVERED = "delivered", _("delivered")
    FAILED = "failed", _("given up")
    WITHHELD = "withheld", _("withheld")


class DeliveryProblem(models.TextChoices):
    """Why the last attempt of a delivery did not succeed, if the receiver did not say it."""

    ADDRESS = "address", _("The address is not a public one.")
    NAME = "name", _("The name of the receiver was not found.")
    CONNECTION = "connection", _("The connection failed.")
    CERTIFICATE = "certificate", _("The TLS connection failed, such as by a wrong certificate.")
    TIMEOUT = "timeout", _("The receiver did not answer in time.")
    ANSWER = "answer", _("The receiver did not answer in HTTP.")
    SWITCHED_OFF = "switched_off", _("The webhook was switched off.")


class WebhookQuerySet(models.QuerySet["Webhook"]):
    def on(self) -> Self:
        """Return the webhooks that are switched on, of users who may sign in."""
        return self.filter(not_banned(user="user"), enabled_at__isnull=False, user__is_active=True)


class Webhook(models.Model):
    """A URL, the `receiver`, to which the site sends what happens to a user.

    `secret` signs deliveries, and so does `old_secret` until `old_secret_until`. Links in them
    begin with `site`. It is on since `enabled_at`, or off without it; only later events are sent.
    There are deliveries for all events up to `followed_to`. A worker that sends to it has it until
    `held_until`. No delivery has succeeded since `failing_since`.
    """

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="webhooks"
    )
    public_id = models.CharField(
        max_length=32, unique=True, default=new_webhook_id, editable=False, verbose_name=_("id")
    )
    receiver = models.CharField(_("URL"), max_length=500)
    events = models.JSONField(_("events"), default=list)
    secret = models.CharField(max_length=80, editable=False)
    old_secret = models.CharField(max_length=80, blank=True, default="", editable=False)
    old_secret_until = models.DateTimeField(null=True, blank=True, editable=False)
    site = models.CharField(max_length=200, editable=False)
    created_at = models.DateTimeField(auto_now_add=True)
    enabled_at = models.DateTimeField(_("on since"), null=True, blank=True)
    followed_to = models.DateTimeField(editable=False)
    held_until = models.DateTimeField(editable=False)
    failing_since = models.DateTimeField(_("failing since"), null=True, blank=True)

    objects = WebhookQuerySet.as_manager()

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.CheckConstraint(condition=~Q(secret=""), name="webhook_has_a_secret"),
        ]

    def __str__(self) -> str:
        return self.public_id

    def get_absolute_url(self) -> str:
        """Return the URL of the webhook's page, which only its owner sees."""
        return reverse("webhook", args=[self.public_id])

    @property
    def is_on(self) -> bool:
        """Whether events are sent to it."""
        return self.enabled_at is not None


class WebhookDelivery(models.Model):
    """An event that is sent to a webhook, once it succeeds or until it is given up.

    `subject` names the row that the event is about, and `key` makes sure that an event is sent to a
    webhook once. `body` is made at the first attempt and then stays the same. `attempt` counts the
    attempts. The columns from `sent_at` on describe the last one; `answer` is the beginning of what
    the receiver answered.
    """

    Status = DeliveryStatus

    webhook = models.ForeignKey(
        Webhook, on_delete=models.CASCADE, related_name="deliveries", db_index=False
    )
    public_id = models.CharField(
        max_length=32, unique=True, default=new_delivery_id, editable=False, verbose_name=_("id")
    )
    event = models.CharField(_("event"), max_length=40, choices=WebhookEvent)
    subject = models.CharField(max_length=80, blank=True, default="")
    key = models.CharField(max_length=120)
    created_at = models.DateTimeField(auto_now_add=True, db_index=True)
    status = models.CharField(
        _("status"), max_length=16, choices=DeliveryStatus, default=DeliveryStatus.WAITING
    )
    attempt = models.PositiveSmallIntegerField(default=0)
    not_before = models.DateTimeField()
    body = models.TextField(blank=True, default="")
    sent_at = models.DateTimeField(_("sent"), null=True, blank=True)
    duration_ms = models.PositiveIntegerField(null=True, blank=True)
    http_status = models.PositiveSmallIntegerField(null=True, blank=True)
    problem = models.CharField(max_length=16, choices=DeliveryProblem, blank=True, default="")
    answer = models.TextField(blank=True, default="")

    class Meta:
        ordering = ["-pk"]
        verbose_name_plural = _("webhook deliveries")
        constraints = [
            models.UniqueConstraint(fields=["webhook", "key"], name="webhook_delivery_once"),
            models.CheckConstraint(
                condition=Q(status__in=DeliveryStatus.values), name="webhook_delivery_status_known"
            ),
        ]
        indexes = [
            models.Index(fields=["webhook", "-id"], name="webhook_delivery_newest"),
            models.Index(
                fields=["not_before"],
                condition=Q(status="waiting"),
                name="webhook_delivery_waiting",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.public_id}: {self.event}"
