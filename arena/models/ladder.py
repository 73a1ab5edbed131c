from datetime import datetime, timedelta
from typing import Self

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import Case, F, Q, When
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from arena.models.bot import Bot
from arena.models.user import not_banned
from arena.models.version import Version, VersionStatus
from engine import registry
from engine.clock import ClockSpec
from engine.errors import UnknownOption, UnknownVariant, WrongEntrants
from engine.seating import seatings


class Ladder(models.Model):
    """An always-on rated pool for one variant, clock and number of entrants in a match.

    If it `is_remote`, programs at home play on it, and nobody else: its clock is on the wall.
    """

    slug = models.SlugField(_("short name"), max_length=40, unique=True)
    name = models.CharField(_("name"), max_length=60)
    variant = models.CharField(_("variant"), max_length=40)  # with its version: classic@1
    options = models.JSONField(_("options"), default=dict, blank=True)
    entrants_per_match = models.PositiveSmallIntegerField(_("entrants in a match"), default=2)
    startup_ms = models.PositiveIntegerField(_("start-up (ms)"), default=10_000)
    bank_ms = models.PositiveIntegerField(_("bank (ms)"), default=60_000)
    increment_ms = models.PositiveIntegerField(_("increment (ms)"), default=100)
    action_ms = models.PositiveIntegerField(_("per action (ms)"), default=5_000)
    is_open = models.BooleanField(_("open"), default=True)
    is_remote = models.BooleanField(
        _("remote"),
        default=False,
        db_default=False,
        help_text=_("Only programs at home play, over the network. Their clock is on the wall."),
    )
    matches_made = models.PositiveBigIntegerField(default=0, editable=False)
    next_finish_number = models.PositiveBigIntegerField(default=1, editable=False)
    season_number = models.PositiveIntegerField(_("season"), default=1, editable=False)
    fitted_at = models.DateTimeField(null=True, blank=True, editable=False)
    fitted_in_s = models.FloatField(default=0.0, editable=False)
    fitted_finish_number = models.PositiveBigIntegerField(default=0, editable=False)
    filed_until = models.DateField(null=True, blank=True, editable=False)  # the last day with files
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["slug"]
        constraints = [
            models.CheckConstraint(
                condition=Q(startup_ms__gt=0, bank_ms__gt=0, action_ms__gt=0),
                name="ladder_clock_positive",
            ),
            models.CheckConstraint(
                condition=Q(next_finish_number__gte=1), name="ladder_finish_numbers_from_one"
            ),
            models.CheckConstraint(
                condition=Q(entrants_per_match__gte=2), name="ladder_matches_are_between_some"
            ),
        ]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        """Return the URL of the leaderboard."""
        return reverse("ladder", args=[self.slug])

    def clean(self) -> None:
        """Raise ValidationError for a variant, options or entrants that the engine cannot play."""
        try:
            variant = registry.find(self.variant)
        except UnknownVariant as exc:
            raise ValidationError({"variant": str(exc)}) from exc
        self.variant = variant.name
        if not isinstance(self.options, dict):
            raise ValidationError({"options": _("An object of names and values.")})
        try:
            options = registry.resolve_options(variant, self.options)
        except UnknownOption as exc:
            raise ValidationError({"options": str(exc)}) from exc
        try:
            seatings(variant, options, 0, range(self.entrants_per_match or 0))
        except WrongEntrants as exc:
            raise ValidationError({"entrants_per_match": str(exc)}) from exc

    @property
    def variant_slug(self) -> str:
        """The variant without its version."""
        return self.variant.partition("@")[0]

    def takes(self, version: Version) -> bool:
        """Return whether the version plays this variant, and from where the ladder wants it."""
        return self.is_remote == version.is_remote and version.plays(self.variant_slug)

    @property
    def clock(self) -> ClockSpec:
        """The clock of every seat in a game on this ladder."""
        return ClockSpec(self.startup_ms, self.bank_ms, self.increment_ms, self.action_ms)


class EntrantQuerySet(models.QuerySet["Entrant"]):
    def able(self) -> Self:
        """Return the active entrants whose bot and version can play now."""
        return self.filter(
            not_banned(user="bot__owner"),
            active=True,
            bot__is_paused=False,
            version__status=VersionStatus.READY,
            version__paused_at=None,
        )

    def lock(self) -> list["Entrant"]:
        """Lock these rows, and return them.

        Whoever changes several entrants locks them by this before, so that nobody waits in a
        circle.
        """
        return list(self.select_for_update(of=("self",), no_key=True).order_by("pk"))

    def ranked(self) -> Self:
        """Return the entrants that the latest fit ranked and that have played lately."""
        return self.filter(_is_ranked())

    def unranked(self) -> Self:
        """Return the others that have a rating."""
        return self.filter(~_is_ranked(), rating__isnull=False)

    def best_first(self) -> Self:
        """Return the ranked entrants, the highest rating first, and then the others.

        Equals are in the order in which their bots were made, as in the archive of a season.
        """
        place = Case(When(_is_ranked(), then=0), default=1)
        return self.alias(place=place).order_by(
            "place", F("rating").desc(nulls_last=True), "bot_id"
        )


def _ranked_since() -> datetime:
    return timezone.now() - timedelta(days=settings.RANKED_FOR_DAYS)


def _is_ranked() -> Q:
    since = _ranked_since()
    lately = Q(last_match_at__gte=since) | Q(last_match_at=None, entered_at__gte=since)
    return lately & Q(rating__isnull=False, best_rank__isnull=False)


class Entrant(models.Model):
    """A bot on a ladder, with its active version.

    All values are caches that `arena.domain.ratings` derives from events. The rating of the active
    version, its 95 % interval, and the best and the worst rank that the games allow are from the
    ladder's latest fit. With few games it has no such ranks (`refits.has_games_for_a_rank`), and
    without them, or without a match for long, it is not ranked. The counts are the games of the
    active version in the season.
    `online_elo` is moved by each match of the bot, and a new version keeps it; only the choice of
    opponents reads it, and nobody is shown it. `waits_since` is when its latest match was made, or
    when it entered. Its matches are deferred while the account of the ladder's queue share is below
    `deferred_until_s`.
    """

    ladder = models.ForeignKey(Ladder, on_delete=models.PROTECT, related_name="entrants")
    bot = models.ForeignKey(Bot, on_delete=models.PROTECT, related_name="entries")
    version = models.ForeignKey(Version, on_delete=models.PROTECT, related_name="entries")
    online_elo = models.FloatField(default=1500.0, editable=False)
    games = models.PositiveIntegerField(_("games"), default=0)
    wins = models.PositiveIntegerField(_("won"), default=0)
    draws = models.PositiveIntegerField(_("drawn"), default=0)
    losses = models.PositiveIntegerField(_("lost"), default=0)
    rating = models.FloatField(_("rating"), null=True, blank=True)
    rating_low = models.FloatField(null=True, blank=True)
    rating_high = models.FloatField(null=True, blank=True)
    best_rank = models.PositiveIntegerField(_("best rank"), null=True, blank=True)
    worst_rank = models.PositiveIntegerField(_("worst rank"), null=True, blank=True)
    deferred_until_s = models.FloatField(default=0.0, editable=False)
    active = models.BooleanField(_("active"), default=True)
    entered_at = models.DateTimeField(auto_now_add=True)
    last_match_at = models.DateTimeField(null=True, blank=True)
    waits_since = models.DateTimeField(default=timezone.now, editable=False)

    objects = EntrantQuerySet.as_manager()

    class Meta:
        ordering = ["ladder", F("rating").desc(nulls_last=True), "pk"]
        constraints = [
            models.UniqueConstraint(fields=["ladder", "bot"], name="entrant_bot_once_per_ladder"),
            models.CheckConstraint(
                condition=Q(games=F("wins") + F("draws") + F("losses")), name="entrant_games_add_up"
            ),
        ]
        indexes = [
            models.Index(  # with all columns that say who is where, so that no row has to be read
                fields=[
                    *("ladder", "-rating", "bot", "best_rank"),
                    *("last_match_at", "entered_at", "id"),
                ],
                condition=Q(active=True),
                name="entrant_best_first",
            ),
            models.Index(fields=["ladder", "active", "-rating"], name="entrant_standing"),
            models.Index(
                fields=["ladder", "deferred_until_s"],
                condition=Q(deferred_until_s__gt=0),
                name="entrant_deferred",
            ),
            models.Index(fields=["ladder", "active", "games", "waits_since"], name="entrant_need"),
            models.Index(fields=["ladder", "active", "waits_since"], name="entrant_wait"),
        ]

    def __str__(self) -> str:
        return f"{self.bot} in {self.ladder}"

    @property
    def is_absent(self) -> bool:
        """Whether its latest match is too long ago for a rank."""
        return self.last_match_at is not None and self.last_match_at < _ranked_since()

    @property
    def is_present(self) -> bool:
        """Whether it has played, or entered, lately."""
        return (self.last_match_at or self.entered_at) >= _ranked_since()

    @property
    def is_ranked(self) -> bool:
        """Whether the latest fit ranked it and it has played lately."""
        return self.best_rank is not None and self.rating is not None and self.is_present
