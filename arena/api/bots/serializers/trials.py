from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from arena.api.choices import NamedChoiceField
from arena.domain.bots import trials
from arena.domain.bots.sprt import Judgement
from arena.domain.ladders.leaderboards import VersionRecord
from arena.models import TrialStatus, VersionTrial


class NewTrialSerializer(serializers.Serializer[dict[str, Any]]):
    """What to compare with, and where; all may be left out."""

    against = serializers.IntegerField(
        required=False,
        min_value=1,
        help_text="Number of another version; without it the one that plays, or the one before.",
    )
    ladder = serializers.CharField(
        required=False, max_length=40, help_text="Without it the one where the bot plays the most."
    )
    activate = serializers.BooleanField(
        default=False, help_text="Whether the version is to play once it turns out better."
    )


class JudgementSerializer(serializers.Serializer[Judgement]):
    """Log-likelihood ratios against “no difference”, and the bounds where they decide."""

    better = serializers.FloatField(source="llr_better")
    worse = serializers.FloatField(source="llr_worse")
    lower = serializers.FloatField(
        source="design.lower", help_text="At or below it both say: no difference."
    )
    upper = serializers.FloatField(
        source="design.upper", help_text="At or above it one says: a difference."
    )
    margin = serializers.FloatField(
        source="design.elo1", help_text="How many Elo make a difference."
    )


class TrialSerializer(serializers.Serializer[VersionTrial]):
    """Whether a version is better than another of its bot."""

    id = serializers.CharField(source="public_id")
    bot = serializers.CharField(source="version.bot.__str__", help_text="`owner/bot`.")
    version = serializers.IntegerField(source="version.number")
    against = serializers.IntegerField(source="against.number")
    ladder = serializers.CharField(source="ladder.slug")
    status = NamedChoiceField(of=TrialStatus)
    detail = serializers.CharField(help_text="Why it ended so, where there is more to say.")
    activates = serializers.BooleanField(help_text="Whether it is to play if it is better.")
    games = serializers.IntegerField(help_text="Games that count so far.")
    head = serializers.ListField(
        source="counts.head",
        child=serializers.IntegerField(),
        help_text="Pairs against the other version, by points of this one: 0, ½, 1, 1½, 2.",
    )
    panel = serializers.ListField(
        source="counts.panel",
        child=serializers.IntegerField(),
        help_text="Pairs of both against a third bot, by the difference of their points: -2 to 2.",
    )
    judgement = serializers.SerializerMethodField()
    created_at = serializers.DateTimeField()
    ended_at = serializers.DateTimeField(allow_null=True)
    activated_at = serializers.DateTimeField(allow_null=True)
    url = serializers.CharField(source="version.get_absolute_url", help_text="Its page.")

    @extend_schema_field(JudgementSerializer)
    def get_judgement(self, trial: VersionTrial) -> dict[str, float]:
        return dict(JudgementSerializer(trials.judgement_of(trial=trial)).data)


class VersionRecordSerializer(serializers.Serializer[VersionRecord]):
    """What a version has done on a ladder, over all seasons."""

    ladder = serializers.CharField(source="ladder.slug")
    matches = serializers.IntegerField()
    wins = serializers.IntegerField()
    draws = serializers.IntegerField()
    losses = serializers.IntegerField()
    lowest = serializers.FloatField(help_text="The bot's lowest number after one of its matches.")
    highest = serializers.FloatField()
    first = serializers.FloatField(help_text="The number that it inherited.")
    last = serializers.FloatField(help_text="The number after its latest match.")


class VersionRecordsSerializer(serializers.Serializer[dict[str, Any]]):
    results = VersionRecordSerializer(many=True)
