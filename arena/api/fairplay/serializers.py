from typing import Any

from rest_framework import serializers

from arena.api.fields import BotNameField
from arena.api.strict import StrictSerializer
from arena.domain.fairplay.corrections import CorrectionDryRun
from arena.domain.ratings.annulments import Change


class ChangeSerializer(serializers.Serializer[Change]):
    """A line of the leaderboard, before and after."""

    bot = serializers.CharField(source="entrant.bot")
    rank_before = serializers.IntegerField()
    rank_after = serializers.IntegerField()
    before = serializers.FloatField(allow_null=True, help_text="Its rating with these matches.")
    after = serializers.FloatField(allow_null=True, help_text="Its rating without them.")


class DryRunSerializer(serializers.Serializer[CorrectionDryRun]):
    """What a correction would do. Send `digest` and `until` to have exactly this done."""

    ladder = serializers.CharField(source="ladder.slug")
    matches = serializers.SerializerMethodField()
    changes = ChangeSerializer(many=True)
    digest = serializers.CharField()
    until = serializers.IntegerField()

    def get_matches(self, dry_run: CorrectionDryRun) -> list[str]:
        return [match.public_id for match in dry_run.matches]


class ConfirmationSerializer(StrictSerializer):
    """What confirms the dry run of a correction."""

    reason = serializers.CharField(
        required=False, max_length=1000, help_text="Public. Required, except for a dry run."
    )
    digest = serializers.CharField(
        required=False, help_text="The `digest` of the dry run. Required, except for a dry run."
    )


class NewAnnulmentSerializer(ConfirmationSerializer):
    """A match by its id, or the matches of a bot on a ladder."""

    match = serializers.CharField(required=False)
    ladder = serializers.CharField(required=False, help_text="Slug of a ladder.")
    bot = BotNameField(required=False, help_text="`owner/bot`.")
    since = serializers.DateField(required=False, help_text="Finished on this day (UTC) or later.")
    until = serializers.IntegerField(required=False, help_text="The `until` of the dry run.")


class CorrectionSerializer(serializers.Serializer[dict[str, Any]]):
    """What was done, or what a dry run would do."""

    done = serializers.BooleanField()
    shown = DryRunSerializer()
