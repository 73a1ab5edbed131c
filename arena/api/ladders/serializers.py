from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from arena.api.fields import shown
from arena.api.pagination import PageSerializer
from arena.domain.ladders import leaderboards
from arena.domain.ladders.leaderboards import LeaderboardEntry
from arena.domain.ratings.fit import MODEL
from arena.models import Entrant, Ladder, RecordFile, Season, SeasonStanding
from engine.clock import ClockSpec


class LadderSerializer(serializers.Serializer[Ladder]):
    slug = serializers.CharField()
    name = serializers.CharField()
    variant = serializers.CharField(help_text="With its version, such as `classic@1`.")
    options = serializers.DictField(help_text="Options of the rules that differ from the default.")
    entrants_per_match = serializers.IntegerField(help_text="How many bots play in a match.")
    clock = shown(ClockSpec, name="Clock")()
    is_open = serializers.BooleanField()
    is_remote = serializers.BooleanField(
        help_text="Whether programs at home play on it, and nobody else. The clock is on the wall."
    )
    season = serializers.IntegerField(
        source="season_number", help_text="The number of the current season."
    )
    url = serializers.CharField(source="get_absolute_url", help_text="The leaderboard.")


class RatingSerializer(serializers.Serializer[Entrant | SeasonStanding]):
    """A rating and its uncertainty."""

    rating = serializers.FloatField(
        allow_null=True, help_text="From all rated games, in Elo; null until the first fit."
    )
    interval = serializers.SerializerMethodField(help_text="The 95 % interval of the rating.")
    games = serializers.IntegerField(help_text="Rated games of this version in the season.")
    provisional = serializers.SerializerMethodField(
        help_text="The version has played too few rated games for a rank."
    )
    system = serializers.SerializerMethodField(help_text="How `rating` is computed.")

    @extend_schema_field(
        {"type": ["array", "null"], "items": {"type": "number"}, "minItems": 2, "maxItems": 2}
    )
    def get_interval(self, row: Entrant | SeasonStanding) -> list[float] | None:
        low, high = row.rating_low, row.rating_high
        return None if low is None or high is None else [low, high]

    def get_provisional(self, row: Entrant | SeasonStanding) -> bool:
        return leaderboards.is_provisional(row=row)

    def get_system(self, row: Entrant | SeasonStanding) -> str:  # noqa: ARG002 - one system for all
        return f"posterior@{MODEL}"


class RankRangeField(serializers.ListField):
    """The best and the worst rank that the games played so far allow."""

    def __init__(self) -> None:
        super().__init__(
            child=serializers.IntegerField(),
            min_length=2,
            max_length=2,
            allow_null=True,
            help_text="The best and the worst rank that the games allow. Null without a rank.",
        )


class StandingSerializer(serializers.Serializer[LeaderboardEntry]):
    """One line of a leaderboard."""

    rank = serializers.IntegerField(
        allow_null=True,
        help_text="1 for the highest rating; equal ratings share a rank. Null with too few rated"
        " games, or without a match for long.",
    )
    rank_range = RankRangeField()
    owner = serializers.CharField(source="bot.owner.username")
    bot = serializers.CharField(source="bot.slug")
    name = serializers.CharField(source="bot.name")
    version = serializers.IntegerField(source="entrant.version.number")
    rating = RatingSerializer(source="entrant")
    wins = serializers.IntegerField(source="entrant.wins", help_text="Games of this version.")
    draws = serializers.IntegerField(source="entrant.draws")
    losses = serializers.IntegerField(source="entrant.losses")
    url = serializers.CharField(source="bot.get_absolute_url", help_text="The page of the bot.")


class SeasonSerializer(serializers.Serializer[Season]):
    """A finished season."""

    number = serializers.IntegerField()
    began_at = serializers.DateTimeField()
    ended_at = serializers.DateTimeField()
    url = serializers.CharField(source="get_absolute_url", help_text="The page of the archive.")


class FinalStandingSerializer(serializers.Serializer[SeasonStanding]):
    """One line of the final leaderboard of a season."""

    rank = serializers.IntegerField()
    rank_range = RankRangeField()
    owner = serializers.CharField(source="bot.owner.username")
    bot = serializers.CharField(source="bot.slug")
    name = serializers.CharField(source="bot.name")
    version = serializers.IntegerField(source="version.number")
    rating = RatingSerializer(source="*")
    wins = serializers.IntegerField()
    draws = serializers.IntegerField()
    losses = serializers.IntegerField()
    url = serializers.CharField(source="bot.get_absolute_url", help_text="The page of the bot.")


class FinalLeaderboardSerializer(serializers.Serializer[dict[str, Any]]):
    season = SeasonSerializer()
    pending = serializers.BooleanField(
        help_text="Whether the standings are still being computed. Then there are no results yet."
    )
    next = serializers.URLField(allow_null=True)
    previous = serializers.URLField(allow_null=True)
    results = FinalStandingSerializer(many=True)


class LeaderboardSerializer(serializers.Serializer[dict[str, Any]]):
    next = serializers.URLField(allow_null=True)
    previous = serializers.URLField(allow_null=True)
    results = StandingSerializer(many=True)


class RecordFileFilterSerializer(PageSerializer):
    """Which files of records are requested."""

    since = serializers.DateField(required=False, help_text="Files of this day (UTC) or later.")
    until = serializers.DateField(required=False, help_text="Files of this day or earlier.")


class RecordFileSerializer(serializers.Serializer[RecordFile]):
    """A file of records: NDJSON, one record a line, compressed with gzip."""

    name = serializers.CharField(help_text="The name to save it as.")
    day = serializers.DateField(
        help_text="Its games ended on this day (UTC), or before and became public since."
    )
    number = serializers.IntegerField(help_text="Of the files of the day, from 1 on.")
    revision = serializers.IntegerField(
        help_text="1; grows when a record is withdrawn, such as that of an annulled match."
    )
    games = serializers.IntegerField()
    size_bytes = serializers.IntegerField(help_text="As it is sent.")
    sha256 = serializers.CharField(source="digest", help_text="Of the file as it is sent.")
    url = serializers.CharField(source="get_absolute_url", help_text="Address of the file.")


class RecordFilesSerializer(serializers.Serializer[dict[str, Any]]):
    complete_until = serializers.DateField(
        allow_null=True,
        help_text="The files of this day and of all days before are there. Null: of no day.",
    )
    licence = serializers.CharField(
        help_text="What may be done with the records. Empty if the operator gives no licence."
    )
    next = serializers.URLField(allow_null=True)
    previous = serializers.URLField(allow_null=True)
    results = RecordFileSerializer(many=True)
