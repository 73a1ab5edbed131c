from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from arena.domain.queries import Waiting
from arena.models import Match

MS_PER_S = 1000


class WaitingSerializer(serializers.Serializer[Waiting]):
    position = serializers.IntegerField()
    kind = serializers.ChoiceField(choices=["match", "version"])
    status = serializers.CharField(source="row.status")
    reason = serializers.CharField()
    since = serializers.DateTimeField(allow_null=True)
    estimate_ms = serializers.SerializerMethodField(help_text="Until it should begin.")
    match = serializers.SerializerMethodField(help_text="Id of the match; null for a version.")
    bots = serializers.SerializerMethodField(help_text="`owner/bot` of all whom it concerns.")
    url = serializers.CharField(source="row.get_absolute_url", help_text="Its page.")

    @extend_schema_field({"type": ["integer", "null"]})
    def get_estimate_ms(self, waiting: Waiting) -> int | None:
        if waiting.estimate_s is None:
            return None
        return round(waiting.estimate_s * MS_PER_S)

    def get_match(self, waiting: Waiting) -> str | None:
        return waiting.row.public_id if isinstance(waiting.row, Match) else None

    def get_bots(self, waiting: Waiting) -> list[str]:
        if isinstance(waiting.row, Match):
            return [str(entrant.version.bot) for entrant in waiting.row.entrants.all()]
        return [str(waiting.row.bot)]


class QueueSerializer(serializers.Serializer[dict[str, Any]]):
    results = WaitingSerializer(many=True)
