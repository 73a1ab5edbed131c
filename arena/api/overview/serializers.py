from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from arena.domain.bots.head_to_head import HeadToHead, OnLadder, Tally


class TallySerializer(serializers.Serializer[Tally]):
    games = serializers.IntegerField()
    wins = serializers.IntegerField()
    draws = serializers.IntegerField()
    losses = serializers.IntegerField()
    points = serializers.FloatField(help_text="1 for a game won, 0.5 for a drawn one.")


class SideTallySerializer(TallySerializer):
    side = serializers.CharField(help_text="The side of the first bot.")


class VersionTallySerializer(TallySerializer):
    version = serializers.IntegerField(help_text="The version of the first bot.")
    opponent_version = serializers.IntegerField()


class OnLadderSerializer(serializers.Serializer[OnLadder]):
    """The games of two bots on one ladder, from the view of the first bot."""

    ladder = serializers.CharField(source="ladder.slug")
    record = TallySerializer(source="tally")
    score = serializers.FloatField(source="tally.score", help_text="Share of the points, 0 to 1.")
    interval = serializers.ListField(
        source="tally.interval",
        child=serializers.FloatField(),
        min_length=2,
        max_length=2,
        help_text="The 95 % confidence interval of the score (Wilson).",
    )
    expected = serializers.FloatField(
        allow_null=True,
        help_text="The score that the ratings of both predict now; null if one has no rating.",
    )
    form = serializers.ListField(
        child=serializers.ChoiceField(choices=["W", "D", "L"]),
        help_text="The latest matches, oldest first.",
    )
    sides = serializers.SerializerMethodField()
    versions = serializers.SerializerMethodField()

    @extend_schema_field(SideTallySerializer(many=True))
    def get_sides(self, on: OnLadder) -> list[dict[str, Any]]:
        return [{**TallySerializer(tally).data, "side": side} for side, tally in on.sides.items()]

    @extend_schema_field(VersionTallySerializer(many=True))
    def get_versions(self, on: OnLadder) -> list[dict[str, Any]]:
        return [
            {**TallySerializer(tally).data, "version": own, "opponent_version": other}
            for (own, other), tally in on.versions.items()
        ]


class HeadToHeadSerializer(serializers.Serializer[HeadToHead]):
    bot = serializers.CharField(source="bot.__str__", help_text="`owner/bot`.")
    opponent = serializers.CharField(source="opponent.__str__", help_text="`owner/bot`.")
    rated = OnLadderSerializer(many=True)
    challenges = OnLadderSerializer(many=True)
    is_cut = serializers.BooleanField(help_text="Whether older matches are left out.")
