from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import validate_slug
from django.db import models
from django.db.models import Q
from django.db.models.functions import Length
from django.urls import reverse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from arena.models.name_key import NameKey
from botkit import names

models.CharField.register_lookup(Length)


def check_name(name: str) -> None:
    """Raise ValidationError if a text cannot be the name of a bot, here or in a manifest."""
    if problem := names.problem_with(name):
        raise ValidationError(gettext(problem), code="bad_name")


# Nobody can sign up with these names, as names cannot end with "_".
REHEARSAL_OWNER, PEOPLE_OWNER = "rehearsal_", "people_"
SITE_OWNERS = (REHEARSAL_OWNER, PEOPLE_OWNER)


class BotQuerySet(models.QuerySet["Bot"]):
    def listed(self) -> "BotQuerySet":
        """Return all but those of the site's own, with their owners."""
        return self.exclude(owner__username__in=SITE_OWNERS).select_related("owner")


class Bot(models.Model):
    """A named competitor of a user. One of its versions plays."""

    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="bots"
    )
    slug = models.SlugField(_("short name"), max_length=40, validators=[validate_slug])
    name = models.CharField(_("name"), max_length=names.NAME_MAX_CHARS, validators=[check_name])
    description = models.TextField(_("description"), blank=True, max_length=2000)
    active_version = models.ForeignKey(
        "arena.Version", on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    is_paused = models.BooleanField(_("paused"), default=False)
    accepts_challenges = models.BooleanField(_("accepts challenges"), default=True)
    gate_new_versions = models.BooleanField(_("new versions have to be better"), default=False)
    created_at = models.DateTimeField(auto_now_add=True)

    objects = BotQuerySet.as_manager()

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
        """Return the URL of the bot's page; for a person, where one plays against bots."""
        if self.is_person:
            return reverse("play")
        return reverse("bot", args=[self.owner.username, self.slug])

    @property
    def is_person(self) -> bool:
        """Whether it stands for the persons who play, and so has no page."""
        return self.owner.username == PEOPLE_OWNER
