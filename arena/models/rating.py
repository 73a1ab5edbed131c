from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from arena.models.append_only import AppendOnlyModel
from arena.models.bot import Bot
from arena.models.ladder import Ladder
from arena.models.match import Match
from arena.models.version import Version


class RatingEvent(AppendOnlyModel):
    """The result of an entrant in a match, and what the match did to its rating.

    The ratings of a ladder are computed from these rows. `score` is the mean of the entrant's
    points over its rated games of the match (see `arena.domain.ratings.scores`), and `expected`
    the one that the ratings before the match predict. The counts are of these games. `before` is
    the version's rating in the latest fit before the match ended, and `after` in the first one with
    the match; null: there was none. A fit fills in `finish_number`, that of the match, and `after`.
    `returned` is whether the bot had played no match of the ladder for so long that it was not
    ranked (`Entrant.is_absent`).
    """

    ladder = models.ForeignKey(
        Ladder, on_delete=models.PROTECT, related_name="rating_events", db_index=False
    )
    match = models.ForeignKey(
        Match, on_delete=models.PROTECT, related_name="rating_events", db_index=False
    )
    version = models.ForeignKey(Version, on_delete=models.PROTECT, related_name="rating_events")
    finish_number = models.PositiveBigIntegerField(_("finish number"), null=True)
    before = models.FloatField(_("before"), null=True)
    after = models.FloatField(_("after"), null=True)
    expected = models.FloatField(_("expected"))
    score = models.FloatField(_("score"))
    wins = models.PositiveSmallIntegerField(_("won"))
    draws = models.PositiveSmallIntegerField(_("drawn"))
    losses = models.PositiveSmallIntegerField(_("lost"))
    returned = models.BooleanField(default=False, db_default=False, editable=False)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta(AppendOnlyModel.Meta):
        ordering = ["ladder", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["match", "version"], name="rated_once"),
            models.CheckConstraint(
                condition=Q(score__gte=0, score__lte=1, expected__gte=0, expected__lte=1),
                name="event_shares_within_0_and_1",
            ),
            models.CheckConstraint(
                condition=Q(wins__gt=0) | Q(draws__gt=0) | Q(losses__gt=0),
                name="event_of_some_game",
            ),
        ]
        indexes = [
            models.Index(fields=["ladder", "version", "-finish_number"], name="event_chain"),
            models.Index(
                fields=["ladder", "-finish_number"], condition=Q(returned=True), name="event_return"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.version} {self.score:.2f} ({self.match})"

    @property
    def games(self) -> int:
        """The number of rated games."""
        return self.wins + self.draws + self.losses

    @property
    def change(self) -> float | None:
        """The change of the rating; None until a fit has the match, or if there was no rating."""
        if self.before is None or self.after is None:
            return None
        return self.after - self.before


class Season(AppendOnlyModel):
    """A finished season of a ladder, from its first to its last finish number, both inclusive.

    `rating_model` is the number of the model that rated its standings: `fit.MODEL` at that time.

    The open season has no row. It has the ladder's `season_number`, and began when the previous
    season ended. `last_finish_number` is that of the end itself, which belongs to the season that
    it ends.
    """

    ladder = models.ForeignKey(Ladder, on_delete=models.PROTECT, related_name="seasons")
    number = models.PositiveIntegerField(_("number"))
    first_finish_number = models.PositiveBigIntegerField()
    last_finish_number = models.PositiveBigIntegerField()
    rating_model = models.PositiveSmallIntegerField()
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
    rating = models.FloatField(_("rating"), null=True, blank=True)
    rating_low = models.FloatField(null=True, blank=True)
    rating_high = models.FloatField(null=True, blank=True)
    best_rank = models.PositiveIntegerField(_("best rank"), null=True, blank=True)
    worst_rank = models.PositiveIntegerField(_("worst rank"), null=True, blank=True)
    games = models.PositiveIntegerField(_("games"))
    wins = models.PositiveIntegerField(_("won"))
    draws = models.PositiveIntegerField(_("drawn"))
    losses = models.PositiveIntegerField(_("lost"))

    class Meta(AppendOnlyModel.Meta):
        ordering = ["season", "rank", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["season", "bot"], name="season_standing_once"),
        ]
        indexes = [models.Index(fields=["season", "rank", "id"], name="season_standing_rank")]

    def __str__(self) -> str:
        return f"{self.rank}. {self.bot} in {self.season}"

    @property
    def rank_range(self) -> tuple[int, int] | None:
        """The best and the worst rank that the games allow, or None without a rating."""
        if self.best_rank is None or self.worst_rank is None:
            return None
        return self.best_rank, self.worst_rank


class Annulment(AppendOnlyModel):
    """A decision of staff that some finished matches no longer count. `reason` is public.

    It has its own finish number on the ladder.
    """

    ladder = models.ForeignKey(Ladder, on_delete=models.PROTECT, related_name="annulments")
    finish_number = models.PositiveBigIntegerField(_("finish number"))
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="annulments"
    )
    reason = models.TextField(_("reason"))
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta(AppendOnlyModel.Meta):
        ordering = ["ladder", "-finish_number"]
        constraints = [
            models.UniqueConstraint(fields=["ladder", "finish_number"], name="annulment_once"),
            models.CheckConstraint(condition=~Q(reason=""), name="annulment_has_reason"),
        ]

    def __str__(self) -> str:
        return f"annulment {self.finish_number} of {self.ladder}"
