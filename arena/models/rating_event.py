from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from arena.models.append_only import AppendOnlyModel
from arena.models.ladder import Ladder
from arena.models.match import Match
from arena.models.version import Version


class RatingEvent(AppendOnlyModel):
    """The effect of a match on the rating of an entrant, with every input of the formula.

    after = before + k * (score - expected); see `arena.domain.ratings.elo`. `score` is the mean of
    the entrant's points over its rated games of the match (see `arena.domain.ratings.scores`). The
    counts are of these games, and `games_before` counts the earlier rated games of this version in
    the season.
    """

    ladder = models.ForeignKey(Ladder, on_delete=models.PROTECT, related_name="rating_events")
    match = models.ForeignKey(Match, on_delete=models.PROTECT, related_name="rating_events")
    version = models.ForeignKey(Version, on_delete=models.PROTECT, related_name="rating_events")
    finish_number = models.PositiveBigIntegerField(_("finish number"))
    before = models.FloatField(_("before"))
    after = models.FloatField(_("after"))
    expected = models.FloatField(_("expected"))
    score = models.FloatField(_("score"))
    k = models.FloatField("K")
    games_before = models.PositiveIntegerField(_("games before"))
    wins = models.PositiveSmallIntegerField(_("won"))
    draws = models.PositiveSmallIntegerField(_("drawn"))
    losses = models.PositiveSmallIntegerField(_("lost"))
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta(AppendOnlyModel.Meta):
        ordering = ["ladder", "finish_number", "version"]
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
        indexes = [models.Index(fields=["ladder", "version", "-finish_number"], name="event_chain")]

    def __str__(self) -> str:
        return f"{self.version} {self.before:.1f} → {self.after:.1f} ({self.match})"

    @property
    def games(self) -> int:
        """The number of rated games."""
        return self.wins + self.draws + self.losses

    @property
    def change(self) -> float:
        """The change of the rating."""
        return self.after - self.before
