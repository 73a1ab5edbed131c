from typing import Any

from rest_framework import serializers

from arena.api.pagination import DEFAULT_ROWS, MAX_ROWS
from arena.domain.leaderboards import Standing
from arena.models import Ladder
from engine.clock import ClockSpec


class ClockSerializer(serializers.Serializer[ClockSpec]):
    startup_ms = serializers.IntegerField()
    bank_ms = serializers.IntegerField()
    increment_ms = serializers.IntegerField()
    action_ms = serializers.IntegerField()


class LadderSerializer(serializers.Serializer[Ladder]):
    slug = serializers.CharField()
    name = serializers.CharField()
    variant = serializers.CharField(help_text="With its version, such as `classic@1`.")
    options = serializers.DictField(help_text="Readings of the rules; what is missing is default.")
    entrants_per_match = serializers.IntegerField(help_text="How many bots meet in a match.")
    clock = ClockSerializer()
    is_open = serializers.BooleanField()
    url = serializers.CharField(source="get_absolute_url", help_text="The leaderboard.")


class StandingSerializer(serializers.Serializer[Standing]):
    """One line of a leaderboard."""

    rank = serializers.IntegerField(help_text="1 for the highest rating; equal ratings share it.")
    owner = serializers.CharField(source="bot.owner.username")
    bot = serializers.CharField(source="bot.slug")
    name = serializers.CharField(source="bot.name")
    version = serializers.IntegerField(source="entrant.version.number")
    rating = serializers.FloatField(source="entrant.rating", help_text="Elo, from 1500.")
    provisional = serializers.BooleanField(help_text="Too few games to mean much.")
    games = serializers.IntegerField(source="entrant.games", help_text="Of this version.")
    wins = serializers.IntegerField(source="entrant.wins")
    draws = serializers.IntegerField(source="entrant.draws")
    losses = serializers.IntegerField(source="entrant.losses")
    url = serializers.CharField(source="bot.get_absolute_url", help_text="The page of the bot.")


class LeaderboardSerializer(serializers.Serializer[dict[str, Any]]):
    next = serializers.URLField(allow_null=True)
    previous = serializers.URLField(allow_null=True)
    results = StandingSerializer(many=True)


class PlaceSerializer(serializers.Serializer[dict[str, int]]):
    """Where in a leaderboard to begin. A place is a number that people know, so no cursor."""

    page = serializers.IntegerField(min_value=1, max_value=100_000, default=1)
    page_size = serializers.IntegerField(min_value=1, max_value=MAX_ROWS, default=DEFAULT_ROWS)
