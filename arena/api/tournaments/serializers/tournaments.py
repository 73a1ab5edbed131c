from typing import Any

from rest_framework import serializers

from arena.api.fields import NamedChoiceField, shown
from arena.api.strict import StrictSerializer
from arena.domain.accounts import permissions
from arena.domain.formats import catalogue, scoring, tiebreaks
from arena.domain.tournaments.setup import terms
from arena.domain.tournaments.setup.drafts import Preview, RoundPlan
from arena.domain.tournaments.setup.durations import DurationEstimate
from arena.domain.tournaments.setup.templates import Template
from arena.models import EntryPolicy, Release, Tournament, TournamentStatus


class TournamentSerializer(serializers.Serializer[Tournament]):
    slug = serializers.CharField()
    name = serializers.CharField()
    description = serializers.CharField()
    status = NamedChoiceField(of=TournamentStatus)
    status_reason = serializers.CharField(
        help_text="Why it is paused or cancelled; otherwise empty."
    )
    ladder = serializers.CharField(
        source="ladder.slug", help_text="The ladder whose rules and clock are used."
    )
    variant = serializers.CharField(source="ladder.variant")
    entrants_per_match = serializers.IntegerField(source="ladder.entrants_per_match")
    format = serializers.CharField()
    format_options = serializers.DictField(child=serializers.IntegerField())
    scoring = serializers.CharField()
    tie_breaks = serializers.ListField(
        child=serializers.CharField(), help_text="In the order in which they apply."
    )
    matches_per_pairing = serializers.IntegerField()
    entry_policy = NamedChoiceField(of=EntryPolicy)
    top_n = serializers.IntegerField(allow_null=True)
    min_entrants = serializers.IntegerField()
    max_entrants = serializers.IntegerField()
    max_per_owner = serializers.IntegerField(allow_null=True)
    last_entry_round = serializers.IntegerField(
        help_text="The last round in which bots may enter late."
    )
    release = NamedChoiceField(of=Release, help_text="Who may see a new round.")
    opens_at = serializers.DateTimeField(allow_null=True)
    freezes_at = serializers.DateTimeField(allow_null=True)
    starts_at = serializers.DateTimeField(allow_null=True)
    frozen_at = serializers.DateTimeField(allow_null=True)
    started_at = serializers.DateTimeField(allow_null=True)
    completed_at = serializers.DateTimeField(allow_null=True)
    released_at = serializers.DateTimeField(allow_null=True)
    created_at = serializers.DateTimeField()
    created_by = serializers.CharField(source="created_by.username")
    organizers = serializers.SerializerMethodField()
    rehearsal_of = serializers.CharField(source="rehearsal_of.slug", allow_null=True, default=None)
    commitment = serializers.CharField(
        help_text="The SHA-256 of `drapeau/commitment of tournament SLUG/SECRET`. Empty for drafts."
    )
    secret = serializers.CharField(
        source="shown_secret",
        help_text="What all chance follows from. Empty until the tournament is released.",
    )
    revision = serializers.SerializerMethodField(
        help_text="Also the ETag; grows with every change. Null except for organizers, because it "
        "would reveal hidden rounds."
    )
    url = serializers.CharField(source="get_absolute_url", help_text="The page of the tournament.")

    def get_organizers(self, tournament: Tournament) -> list[str]:
        return sorted(user.username for user in tournament.organizers.all())

    def get_revision(self, tournament: Tournament) -> int | None:
        may_organize = permissions.may_organize(self.context["viewer"], tournament)
        return tournament.revision if may_organize else None


class TournamentValuesSerializer(StrictSerializer):
    """The terms of a tournament; omitted fields have their defaults."""

    name = serializers.CharField(required=False, max_length=80)
    slug = serializers.CharField(
        required=False, max_length=50, help_text="Its part of the address."
    )
    description = serializers.CharField(required=False, allow_blank=True, max_length=5000)
    ladder = serializers.CharField(
        required=False, help_text="Slug of the ladder whose rules and clock are used."
    )
    format = serializers.ChoiceField(choices=sorted(catalogue.FORMATS), required=False)
    format_options = serializers.DictField(
        child=serializers.IntegerField(), required=False, help_text="The options of the format."
    )
    scoring = serializers.ChoiceField(choices=sorted(scoring.PRESETS), required=False)
    tie_breaks = serializers.ListField(
        child=serializers.ChoiceField(choices=sorted(tiebreaks.MEASURES)), required=False
    )
    matches_per_pairing = serializers.IntegerField(required=False)
    entry_policy = NamedChoiceField(of=EntryPolicy, required=False)
    top_n = serializers.IntegerField(required=False, allow_null=True)
    min_entrants = serializers.IntegerField(required=False)
    max_entrants = serializers.IntegerField(required=False)
    max_per_owner = serializers.IntegerField(required=False, allow_null=True)
    last_entry_round = serializers.IntegerField(required=False)
    release = NamedChoiceField(of=Release, required=False)
    opens_at = serializers.DateTimeField(required=False, allow_null=True)
    freezes_at = serializers.DateTimeField(required=False, allow_null=True)
    starts_at = serializers.DateTimeField(required=False, allow_null=True)


class PreviewValuesSerializer(TournamentValuesSerializer):
    """The terms of a tournament, and how many bots would enter."""

    entrants = serializers.IntegerField(
        required=False,
        min_value=0,
        max_value=terms.MOST_ENTRANTS,
        help_text="Default: as many as may enter.",
    )


class TournamentFilterSerializer(serializers.Serializer[dict[str, Any]]):
    status = NamedChoiceField(of=TournamentStatus, required=False)
    variant = serializers.CharField(required=False, help_text="`general` or `general@1`.")
    format = serializers.ChoiceField(choices=sorted(catalogue.FORMATS), required=False)
    ladder = serializers.CharField(required=False, help_text="Slug of a ladder.")
    mine = serializers.BooleanField(
        default=False,
        help_text="Only those that you organize or that your bots are in; needs a token.",
    )


class TemplateSerializer(serializers.Serializer[Template]):
    """A template: change its `values` as you like, add a ladder, and create a tournament."""

    slug = serializers.CharField()
    title = serializers.CharField()
    line = serializers.CharField()
    values = serializers.DictField()


class EstimateQuerySerializer(serializers.Serializer[dict[str, Any]]):
    entrants = serializers.IntegerField(
        required=False,
        min_value=0,
        max_value=terms.MOST_ENTRANTS,
        help_text="How many entrants. Default: the present ones.",
    )


EstimateSerializer = shown(
    DurationEstimate,
    name="Estimate",
    likely_s="Null: no runner is active.",
    slow_s="Nine of ten such tournaments do not take longer.",
    measured="Whether there are measured matches on this site.",
    note="What the estimate is based on.",
)


class PreviewSerializer(serializers.Serializer[Preview]):
    """What a tournament will be with so many entrants if nobody leaves."""

    entrants = serializers.IntegerField()
    rounds = shown(RoundPlan, pairings="Pairings that are played, without byes.")(many=True)
    pairings = serializers.IntegerField()
    matches = serializers.IntegerField()
    games = serializers.IntegerField()
    byes = serializers.IntegerField()
    estimate = EstimateSerializer()
    seeds = serializers.SerializerMethodField(help_text="`owner/bot`, the strongest first.")

    def get_seeds(self, preview: Preview) -> list[str]:
        return [str(entrant.bot) for entrant in preview.seeds]
