from django.conf import settings
from django.core.validators import RegexValidator, validate_slug
from django.db import models
from django.db.models import Q
from django.db.models.functions import Length
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from arena.models.name_key import NameKey

models.CharField.register_lookup(Length)

# No control characters, no separators of lines, no marks that turn the direction of text, and
# nothing else that takes no room, but for what joins letters and signs (U+200C, U+200D).
VISIBLE = RegexValidator(
    r"\A[^\u0000-\u001f\u007f-\u009f\u00ad\u061c\u115f\u1160\u180e\u200b\u200e\u200f"
    r"\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0]*\Z",
    _("A name has no invisible characters. Type it anew."),
)


class Bot(models.Model):
    """A named competitor of a user. One of its versions plays."""

    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="bots"
    )
    slug = models.SlugField(_("short name"), max_length=40, validators=[validate_slug])
    name = models.CharField(_("name"), max_length=60, validators=[VISIBLE])
    description = models.TextField(_("description"), blank=True, max_length=2000)
    active_version = models.ForeignKey(
        "arena.Version", on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    is_paused = models.BooleanField(_("paused"), default=False)
    accepts_challenges = models.BooleanField(_("accepts challenges"), default=True)
    gate_new_versions = models.BooleanField(_("new versions have to be better"), default=False)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["owner__username", "slug"]
        constraints = [
            models.UniqueConstraint(fields=["owner", "slug"], name="bot_slug_once_per_owner"),
            models.CheckConstraint(condition=Q(slug__length__gt=0), name="bot_slug_not_empty"),
            models.CheckConstraint(condition=Q(name__length__gt=0), name="bot_name_not_empty"),
        ]
        indexes = [
            models.Index(fields=["-created_at", "-id"], name="bot_newest"),
            models.Index(NameKey("slug"), "id", name="bot_slug_key"),
            models.Index(NameKey("name"), "id", name="bot_name_key"),
        ]

    def __str__(self) -> str:
        return f"{self.owner.username}/{self.slug}"

    def get_absolute_url(self) -> str:
        """Return the URL of the bot's page."""
        return reverse("bot", args=[self.owner.username, self.slug])
