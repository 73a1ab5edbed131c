from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from arena.domain.ratings.explanations import Explanation, GameLine
from arena.models import Bot


class NumberedSerializer(serializers.Serializer[tuple[Bot, float]]):
    """A bot and its number before the match."""

    bot = serializers.CharField(help_text="`owner/bot`.")
    rating = serializers.FloatField()


class GameLineSerializer(serializers.Serializer[GameLine]):
    """What a game was worth: expected = 1 / (1 + 10 ** ((others - own) / 400))."""

    number = serializers.IntegerField()
    own = serializers.SerializerMethodField(help_text="The bots of its side.")
    others = serializers.SerializerMethodField(help_text="Those of the other side.")
    own_number = serializers.FloatField(source="own_rating", help_text="The mean of its side.")
    others_number = serializers.FloatField(source="others_rating")
    expected = serializers.FloatField()
    points = serializers.FloatField()
    weight = serializers.FloatField(help_text="In the means of the match.")

    @extend_schema_field(NumberedSerializer(many=True))
    def get_own(self, line: GameLine) -> list[dict[str, Any]]:
        return _numbered(line.own)

    @extend_schema_field(NumberedSerializer(many=True))
    def get_others(self, line: GameLine) -> list[dict[str, Any]]:
        return _numbered(line.others)


class ExplanationSerializer(serializers.Serializer[Explanation]):
    """Why a number changed: change = k * (score - expected), the last two means over the games."""

    bot = serializers.CharField(help_text="`owner/bot`.")
    version = serializers.IntegerField()
    before = serializers.FloatField()
    after = serializers.FloatField()
    change = serializers.FloatField()
    k = serializers.FloatField()
    k_reason = serializers.CharField(help_text="Why K is what it is, in words.")
    score = serializers.FloatField()
    expected = serializers.FloatField()
    annulled = serializers.BooleanField(help_text="Staff annulled the match: it counts no longer.")
    games = GameLineSerializer(many=True)


class ExplanationsSerializer(serializers.Serializer[dict[str, Any]]):
    """Empty where the match is not rated (yet)."""

    results = ExplanationSerializer(many=True)


def _numbered(pairs: list[tuple[Bot, float]]) -> list[dict[str, Any]]:
    return [{"bot": str(bot), "rating": number} for bot, number in pairs]
