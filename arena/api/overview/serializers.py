from collections.abc import Mapping
from statistics import fmean
from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from arena.api.fields import listing
from arena.domain.bots.head_to_head import HeadToHead, OnLadder, Tally
from arena.domain.bots.points import LATEST_RECORDS, Points


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
        return _part("side", on.sides)

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


class OpponentTallySerializer(TallySerializer):
    bot = serializers.CharField(help_text="`owner/bot`.")


class EndingTallySerializer(TallySerializer):
    termination = serializers.CharField()


class LengthTallySerializer(TallySerializer):
    most_plies = serializers.IntegerField(
        help_text="The longest of these games; each part is about a third of all, from short on."
    )


class SetupTallySerializer(TallySerializer):
    setup = serializers.CharField(help_text="The action with which the bot set up.")


class ActionTimesSerializer(serializers.Serializer[list[float]]):
    """What the actions of the latest games were charged."""

    actions = serializers.IntegerField(help_text=f"Of at most {LATEST_RECORDS} games.")
    mean_ms = serializers.FloatField(allow_null=True)
    slowest_ms = serializers.FloatField(allow_null=True)

    def to_representation(self, instance: list[float]) -> dict[str, Any]:
        return {
            "actions": len(instance),
            "mean_ms": fmean(instance) if instance else None,
            "slowest_ms": max(instance, default=None),
        }


class PointsSerializer(serializers.Serializer[Points]):
    """The latest rated games of a bot on one ladder, in parts."""

    ladder = serializers.CharField(source="ladder.slug")
    record = TallySerializer(source="tally")
    forfeits = serializers.IntegerField(help_text="Its own.")
    opponent_forfeits = serializers.IntegerField(help_text="Those of its opponents.")
    time = ActionTimesSerializer(source="action_ms")
    opponent_time = ActionTimesSerializer(source="opponent_action_ms")
    opponents = serializers.SerializerMethodField()
    sides = serializers.SerializerMethodField()
    endings = serializers.SerializerMethodField()
    lengths = serializers.SerializerMethodField()
    setups = serializers.SerializerMethodField(
        help_text=f"Of at most the latest {LATEST_RECORDS} games."
    )

    @extend_schema_field(OpponentTallySerializer(many=True))
    def get_opponents(self, on: Points) -> list[dict[str, Any]]:
        return _part("bot", {str(bot): tally for bot, tally in on.opponents.items()})

    @extend_schema_field(SideTallySerializer(many=True))
    def get_sides(self, on: Points) -> list[dict[str, Any]]:
        return _part("side", on.sides)

    @extend_schema_field(EndingTallySerializer(many=True))
    def get_endings(self, on: Points) -> list[dict[str, Any]]:
        return _part("termination", on.endings)

    @extend_schema_field(LengthTallySerializer(many=True))
    def get_lengths(self, on: Points) -> list[dict[str, Any]]:
        return _part("most_plies", on.lengths)

    @extend_schema_field(SetupTallySerializer(many=True))
    def get_setups(self, on: Points) -> list[dict[str, Any]]:
        return _part("setup", on.setups)


PointsListSerializer = listing(PointsSerializer, "BotPoints", key="ladders")


def _part(name: str, tallies: Mapping[Any, Tally]) -> list[dict[str, Any]]:
    return [{name: key, **TallySerializer(tally).data} for key, tally in tallies.items()]
