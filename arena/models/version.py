from typing import Self

from django.core.validators import MinValueValidator
from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from arena.models.bot import Bot
from arena.models.isolated import Isolated
from arena.models.leased import Leased, LeasedQuerySet


class VersionStatus(models.TextChoices):
    """The states of a version."""

    UPLOADED = "uploaded", _("uploaded")
    SCANNING = "scanning", _("scanning")
    CHECKING = "checking", _("checking")
    SMOKE = "smoke", _("smoke match")
    READY = "ready", _("ready")
    REJECTED = "rejected", _("rejected")
    RETIRED = "retired", _("retired")


REMOTE = "remote"  # the language of a version without a file, which plays from home


class VersionQuerySet(LeasedQuerySet["Version"]):
    """Selections of versions. An open version waits for its checks or is being checked."""

    def ready(self) -> Self:
        """Return the versions that have passed their checks and are not retired."""
        return self.filter(status=VersionStatus.READY)


class Version(Isolated, Leased):
    """An immutable upload of a bot. Its status changes, but its bytes never do.

    `language` may be empty until the scan. `variants` may be empty until the end of the checks,
    which choose them if the upload names none. `isolation` is that of its checks; each game has its
    own. `crash_streak` counts consecutive forfeits. A version that is paused for them
    plays no rated match until a probe goes well.
    """

    WAITING = (VersionStatus.UPLOADED,)
    IN_WORK = (VersionStatus.SCANNING, VersionStatus.CHECKING, VersionStatus.SMOKE)
    OPEN = (*WAITING, *IN_WORK)

    bot = models.ForeignKey(Bot, on_delete=models.PROTECT, related_name="versions")
    number = models.PositiveIntegerField(_("number"), validators=[MinValueValidator(1)])
    digest = models.CharField(_("digest"), max_length=64, blank=True, default="", db_index=True)
    filename = models.CharField(_("file"), max_length=200)
    size_bytes = models.PositiveIntegerField(_("size in bytes"))
    language = models.CharField(_("language"), max_length=20, blank=True, default="")
    variants = models.JSONField(_("variants"), default=list, blank=True)
    status = models.CharField(
        _("status"), max_length=16, choices=VersionStatus, default=VersionStatus.UPLOADED
    )
    reason = models.TextField(_("reason"), blank=True, default="")
    created_at = models.DateTimeField(auto_now_add=True, db_index=True)
    first_game_at = models.DateTimeField(
        _("first game on a ladder"), null=True, blank=True, db_index=True
    )
    crash_streak = models.PositiveSmallIntegerField(default=0, editable=False)
    paused_at = models.DateTimeField(_("paused since"), null=True, blank=True)
    pause_reason = models.CharField(_("why it is paused"), max_length=500, blank=True, default="")
    next_probe_at = models.DateTimeField(null=True, blank=True, editable=False)

    objects = VersionQuerySet.as_manager()

    class Meta:
        ordering = ["bot", "-number"]
        constraints = [
            models.UniqueConstraint(fields=["bot", "number"], name="version_number_once_per_bot"),
            models.CheckConstraint(condition=Q(number__gte=1), name="version_number_from_one"),
            models.CheckConstraint(
                condition=Q(status__in=VersionStatus.values), name="version_status_known"
            ),
            models.CheckConstraint(
                condition=~Q(status__in=["scanning", "checking", "smoke"])
                | (~Q(lease_token="") & Q(lease_until__isnull=False)),
                name="version_in_work_is_leased",
            ),
            models.CheckConstraint(
                condition=~Q(status="rejected") | ~Q(reason=""), name="version_rejected_with_reason"
            ),
        ]
        indexes = [models.Index(fields=["status", "queued_at"], name="version_status_queued")]

    def __str__(self) -> str:
        return f"{self.bot} v{self.number}"

    def get_absolute_url(self) -> str:
        """Return the URL of the version's page; for a person, where one plays against bots."""
        if self.bot.is_person:
            return self.bot.get_absolute_url()
        return reverse("version", args=[self.bot.owner.username, self.bot.slug, self.number])

    @property
    def is_remote(self) -> bool:
        """Whether it plays from home, over the network: nothing of it is here."""
        return self.language == REMOTE

    def plays(self, variant_slug: str) -> bool:
        """Return whether the version was uploaded for this variant."""
        return not self.variants or variant_slug in self.variants


class VersionArchive(models.Model):
    """The uploaded bytes, in a separate row so that lists never load them."""

    version = models.OneToOneField(Version, on_delete=models.PROTECT, related_name="archive")
    data = models.BinaryField()

    def __str__(self) -> str:
        return f"archive of {self.version}"


class VersionBuild(models.Model):
    """The build of a version in a compiled language.

    The output of the compiler is in the log of the check `built`. The version's digest is that of
    its sources; `digest` here is the SHA-256 of the artefact.
    """

    version = models.OneToOneField(Version, on_delete=models.PROTECT, related_name="build")
    image = models.CharField(_("image"), max_length=200)  # the id of the compiler's image
    digest = models.CharField(_("digest"), max_length=64)
    artefact = models.BinaryField()

    def __str__(self) -> str:
        return f"build of {self.version}"


class CheckStep(models.TextChoices):
    """The checks in their order. Only versions in a compiled language are built."""

    RECEIVED = "received", _("received")
    SCANNED = "scanned", _("scanned")
    BUILT = "built", _("built")
    PROTOCOL = "protocol", _("protocol check")
    SMOKE = "smoke", _("smoke match")
    READY = "ready", _("on the ladder")


class CheckState(models.TextChoices):
    """The states of a check."""

    WAITING = "waiting", _("waiting")
    RUNNING = "running", _("running")
    PASSED = "passed", _("passed")
    FAILED = "failed", _("failed")


class VersionCheck(models.Model):
    """A check of a version. `log` and `record` are for the owner and staff only.

    `record` is the compressed record of the game that caused the rejection, or None.
    """

    version = models.ForeignKey(Version, on_delete=models.CASCADE, related_name="checks")
    step = models.CharField(_("step"), max_length=16, choices=CheckStep)
    position = models.PositiveSmallIntegerField()
    state = models.CharField(
        _("state"), max_length=16, choices=CheckState, default=CheckState.WAITING
    )
    message = models.TextField(_("message"), blank=True, default="")
    log = models.TextField(_("log"), blank=True, default="")
    record = models.BinaryField(_("record"), null=True, blank=True)
    took_ms = models.PositiveIntegerField(_("took (ms)"), null=True, blank=True)

    class Meta:
        ordering = ["version", "position"]
        constraints = [
            models.UniqueConstraint(fields=["version", "step"], name="check_step_once"),
            models.CheckConstraint(condition=Q(step__in=CheckStep.values), name="check_step_known"),
            models.CheckConstraint(
                condition=Q(state__in=CheckState.values), name="check_state_known"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.version}: {self.step} {self.state}"
