from django.conf import settings
from django.contrib.auth.models import AbstractUser, AnonymousUser
from django.core.validators import RegexValidator
from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from arena.models.append_only import AppendOnlyModel
from arena.models.name_key import NameKey

# Names appear in URLs (`/@ada/`, `/bots/ada/…/`) and terminals, so they have plain letters only.
USERNAME_VALIDATORS = [
    RegexValidator(
        r"\A[A-Za-z0-9](?:[A-Za-z0-9_-]{0,30}[A-Za-z0-9])?\Z",
        _("1 to 32 letters, digits, - or _; the first and the last a letter or a digit."),
    )
]


class User(AbstractUser):
    """An owner of bots, or an operator. A closed account is a name that nobody signs in with.

    One whose user wants to leave closes at `closes_at`, unless the user changes their mind.

    A user is banned from `banned_at` on, until `banned_until` or, without it, for good. The user
    reads `ban_reason`.
    """

    username = models.CharField(
        _("name"),
        max_length=32,
        unique=True,
        validators=USERNAME_VALIDATORS,
        error_messages={"unique": _("This name is taken.")},
    )

    closes_at = models.DateTimeField(_("closes"), null=True, blank=True, editable=False)
    closed_at = models.DateTimeField(_("closed"), null=True, blank=True, editable=False)
    banned_at = models.DateTimeField(_("banned"), null=True, blank=True, editable=False)
    banned_until = models.DateTimeField(_("banned until"), null=True, blank=True, editable=False)
    ban_reason = models.TextField(
        _("reason of the ban"), blank=True, default="", db_default="", editable=False
    )

    class Meta(AbstractUser.Meta):
        indexes = [
            models.Index(NameKey("username"), "id", name="user_name_key"),
            models.Index(
                fields=["banned_at"], condition=Q(banned_at__isnull=False), name="user_banned"
            ),
        ]

    def __str__(self) -> str:
        return self.username

    def get_absolute_url(self) -> str:
        """Return the URL of the user's page."""
        return reverse("user", args=[self.username])

    @property
    def is_banned(self) -> bool:
        """Whether a ban is in force."""
        is_over = self.banned_until is not None and self.banned_until <= timezone.now()
        return self.banned_at is not None and not is_over


def not_banned(*, user: str) -> Q:
    """Return the condition that no ban of a user is in force; `user` is the lookup of the user.

    An index has the few who are banned, so the rows of all others need not be read.
    """
    banned = User.objects.filter(banned_at__isnull=False).exclude(banned_until__lte=timezone.now())
    return ~Q(**{f"{user}__in": banned})


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


class NoticeKind(models.TextChoices):
    """The kinds of notices that the site also mails, if the user wants that."""

    VERSION_REJECTED = "version_rejected", _("a version of yours is rejected by its checks")
    VERSION_PAUSED = "version_paused", _("a bot of yours is paused after a streak of forfeits")
    GAME_FORFEITED = (
        "game_forfeited",
        _("a version of yours forfeits a rated game; at most once a day for each version"),
    )
    TOURNAMENT_STARTED = "tournament_started", _("a tournament begins in which your bot plays")
    TOURNAMENT_OVER = "tournament_over", _("a tournament is over in which your bot played")


class Notice(models.Model):
    """A message from the site to one user, with the URL of the page that it is about.

    One with a kind is mailed too, or not: `mail_decided_at` is when that was decided.
    """

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="notices"
    )
    kind = models.CharField(
        max_length=30, choices=NoticeKind, blank=True, default="", db_default=""
    )
    text = models.TextField(_("text"))
    url = models.CharField(max_length=200, blank=True, default="")
    created_at = models.DateTimeField(auto_now_add=True)
    read_at = models.DateTimeField(null=True, blank=True)
    mail_decided_at = models.DateTimeField(null=True, blank=True)
    is_mailed = models.BooleanField(_("mailed"), default=False, db_default=False)

    class Meta:
        ordering = ["-created_at", "-pk"]
        indexes = [
            models.Index(fields=["user", "read_at"], name="notice_unread"),
            models.Index(
                fields=["created_at"],
                name="notice_mail_due",
                condition=Q(mail_decided_at=None) & ~Q(kind=""),
            ),
        ]

    def __str__(self) -> str:
        return self.text


class MailPreference(models.Model):
    """Whether a user wants mail of a kind of notices. Without a row, the user wants it."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="mail_preferences"
    )
    kind = models.CharField(max_length=30, choices=NoticeKind)
    is_wanted = models.BooleanField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["user", "kind"], name="mail_preference_once")
        ]

    def __str__(self) -> str:
        return f"{self.user}: {self.kind}"


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
