from django.conf import settings
from django.contrib.auth.models import AbstractUser, AnonymousUser
from django.core.validators import RegexValidator
from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from arena.models.append_only import AppendOnlyModel

# Names appear in URLs (`/@ada/`, `/bots/ada/…/`) and terminals, so they have plain letters only.
USERNAME_VALIDATORS = [
    RegexValidator(
        r"\A[A-Za-z0-9](?:[A-Za-z0-9_-]{0,30}[A-Za-z0-9])?\Z",
        _("1 to 32 letters, digits, - or _; the first and the last a letter or a digit."),
    )
]


class User(AbstractUser):
    """An owner of bots, or an operator."""

    username = models.CharField(
        _("name"),
        max_length=32,
        unique=True,
        validators=USERNAME_VALIDATORS,
        error_messages={"unique": _("This name is taken.")},
    )

    def __str__(self) -> str:
        return self.username

    def get_absolute_url(self) -> str:
        """Return the URL of the user's page."""
        return reverse("user", args=[self.username])


Viewer = User | AnonymousUser | None  # None is the public
ANYBODY: Viewer = None


def is_staff(viewer: Viewer) -> bool:
    """Return whether the viewer is an active operator."""
    return viewer is not None and viewer.is_active and viewer.is_staff


def sees_unannounced(viewer: Viewer) -> bool:
    """Return whether the viewer may see who plays an unannounced match: staff with permission."""
    if not isinstance(viewer, User) or not is_staff(viewer):
        return False
    return viewer.has_perm("arena.view_match") or viewer.has_perm("arena.change_match")


class Notice(models.Model):
    """A message from the site to one user, with the URL of the page that it is about."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="notices"
    )
    text = models.TextField(_("text"))
    url = models.CharField(max_length=200, blank=True, default="")
    created_at = models.DateTimeField(auto_now_add=True)
    read_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-created_at", "-pk"]
        indexes = [models.Index(fields=["user", "read_at"], name="notice_unread")]

    def __str__(self) -> str:
        return self.text


class StaffAction(AppendOnlyModel):
    """An action of staff, with its target and reason. `details` are further values."""

    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="staff_actions"
    )
    action = models.CharField(_("action"), max_length=60)
    target = models.CharField(_("target"), max_length=200)
    url = models.CharField(max_length=200, blank=True, default="")
    reason = models.TextField(_("reason"), blank=True, default="")
    details = models.JSONField(_("details"), default=dict, blank=True)
    at = models.DateTimeField(auto_now_add=True, db_index=True)

    class Meta(AppendOnlyModel.Meta):
        ordering = ["-at", "-pk"]

    def __str__(self) -> str:
        return f"{self.by}: {self.action} {self.target}"


class IdempotencyKey(models.Model):
    """A write request that a caller has named, with its response, which is sent again on repeats.

    `digest` is the SHA-256 of method, path and body. `status` is 0 while the request is at work.
    """

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="idempotency_keys"
    )
    key = models.CharField(max_length=200)
    digest = models.CharField(max_length=64)
    status = models.PositiveSmallIntegerField(default=0)
    headers = models.JSONField(default=dict, blank=True)
    body = models.BinaryField(blank=True, default=b"")
    created_at = models.DateTimeField(auto_now_add=True, db_index=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["user", "key"], name="idempotency_key_once"),
            models.CheckConstraint(condition=~Q(key=""), name="idempotency_key_not_empty"),
        ]

    def __str__(self) -> str:
        return self.key
