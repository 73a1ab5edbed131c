from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from arena.models.append_only import AppendOnlyModel
from arena.models.bot import Bot
from arena.models.ladder import Ladder
from arena.models.version import Version


class Season(AppendOnlyModel):
    """A finished season of a ladder, from its first to its last finish number, both inclusive.

    The open season has no row. It has the ladder's `season_number`, and began when the previous
    season ended. `last_finish_number` is that of the reset, which belongs to the season that it
    ends.
    """

    ladder = models.ForeignKey(Ladder, on_delete=models.PROTECT, related_name="seasons")
    number = models.PositiveIntegerField(_("number"))
    first_finish_number = models.PositiveBigIntegerField()
    last_finish_number = models.PositiveBigIntegerField()
    began_at = models.DateTimeField(_("began"))
    ended_at = models.DateTimeField(_("ended"), auto_now_add=True)
    ended_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )

    class Meta(AppendOnlyModel.Meta):
        ordering = ["ladder", "-number"]
        constraints = [
            models.UniqueConstraint(fields=["ladder", "number"], name="season_number_once"),
            models.CheckConstraint(
                condition=Q(last_finish_number__gte=F("first_finish_number")),
                name="season_ends_after_it_began",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.ladder}, season {self.number}"

    def get_absolute_url(self) -> str:
        """Return the URL of the archive."""
        return reverse("season", args=[self.ladder.slug, self.number])


class SeasonStanding(AppendOnlyModel):
    """One line of the leaderboard at the end of a season."""

    season = models.ForeignKey(Season, on_delete=models.PROTECT, related_name="standings")
    rank = models.PositiveIntegerField(_("rank"))
    bot = models.ForeignKey(Bot, on_delete=models.PROTECT, related_name="season_standings")
    version = models.ForeignKey(Version, on_delete=models.PROTECT, related_name="season_standings")
    rating = models.FloatField(_("rating"))
    estimate = models.FloatField(_("estimate"), null=True, blank=True)
    estimate_low = models.FloatField(null=True, blank=True)
    estimate_high = models.FloatField(null=True, blank=True)
    tie_band = models.PositiveIntegerField(_("tie band"), null=True, blank=True)
    games = models.PositiveIntegerField(_("games"))
    wins = models.PositiveIntegerField(_("won"))
    draws = models.PositiveIntegerField(_("drawn"))
    losses = models.PositiveIntegerField(_("lost"))

    class Meta(AppendOnlyModel.Meta):
        ordering = ["season", "rank", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["season", "bot"], name="season_standing_once"),
        ]

    def __str__(self) -> str:
        return f"{self.rank}. {self.bot} in {self.season}"
