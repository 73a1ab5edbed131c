from typing import Any

from rest_framework import serializers

from arena.domain.fairplay.corrections import CorrectionDryRun
from arena.domain.ratings.annulments import Change


class ChangeSerializer(serializers.Serializer[Change]):
    """A line of the leaderboard, before and after."""

    bot = serializers.CharField(source="entrant.bot")
    rank_before = serializers.IntegerField()
    rank_after = serializers.IntegerField()
    before = serializers.FloatField()
    after = serializers.FloatField()


class DryRunSerializer(serializers.Serializer[CorrectionDryRun]):
    """What it does. `digest` and `until` are sent along to have exactly this done."""

    ladder = serializers.CharField(source="ladder.slug")
    matches = serializers.SerializerMethodField()
    changes = ChangeSerializer(many=True)
    digest = serializers.CharField()
    until = serializers.IntegerField()

    def get_matches(self, dry_run: CorrectionDryRun) -> list[str]:
        return [match.public_id for match in dry_run.matches]


class _ConfirmedSerializer(serializers.Serializer[dict[str, Any]]):
    reason = serializers.CharField(
        required=False, max_length=1000, help_text="Public; not for a dry run."
    )
    digest = serializers.CharField(
        required=False, help_text="Of the dry run that is to be done; not for a dry run."
    )


class NewAnnulmentSerializer(_ConfirmedSerializer):
    """A match by its id, or a bot's matches on a ladder."""

    match = serializers.CharField(required=False)
    ladder = serializers.CharField(required=False, help_text="Slug of a ladder.")
    bot = serializers.RegexField(r"\A[^/]+/[^/]+\Z", required=False, help_text="`owner/bot`.")
    since = serializers.DateField(required=False, help_text="Finished since this day (UTC).")
    until = serializers.IntegerField(required=False, help_text="As the dry run said.")


class SeasonEndSerializer(_ConfirmedSerializer):
    """The end of a ladder's open season."""


class CorrectionSerializer(serializers.Serializer[dict[str, Any]]):
    """What was done, or with `dry_run` would be."""

    done = serializers.BooleanField()
    shown = DryRunSerializer()
