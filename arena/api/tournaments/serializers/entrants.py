from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from arena.api.choices import NamedChoiceField
from arena.api.strict import StrictSerializer
from arena.api.tournaments.serializers.rounds import PairingSerializer
from arena.domain.accounts import permissions
from arena.domain.tournaments import presence
from arena.domain.tournaments.entry import sheets
from arena.models import TournamentEntrant, TournamentEntrantStatus

BOT = r"\A[^/\0]+/[^/\0]+\Z"


class TournamentEntrantSerializer(serializers.Serializer[TournamentEntrant]):
    """A bot in a tournament. What it plays is told to others as soon as it is frozen."""

    bot = serializers.CharField(source="bot.__str__", help_text="`owner/bot`.")
    name = serializers.CharField(source="bot.name")
    status = NamedChoiceField(
        of=TournamentEntrantStatus,
        help_text="Who left in a round that you do not see is still entered; your own bots are as "
        "they are.",
    )
    seed = serializers.IntegerField(allow_null=True, help_text="1 the strongest; null until then.")
    version = serializers.SerializerMethodField(
        help_text="Null: whatever is active at the freeze, or not told yet."
    )
    digest = serializers.CharField(help_text="Of the frozen version; empty until then.")
    from_round = serializers.SerializerMethodField(
        help_text="From which round on it is paired; null where you do not see that far."
    )
    until_round = serializers.SerializerMethodField(
        help_text="After which round it left; null while it is in, or where you do not see it."
    )
    entered_at = serializers.DateTimeField()
    url = serializers.CharField(source="bot.get_absolute_url", help_text="The page of the bot.")

    @extend_schema_field({"type": ["integer", "null"]})
    def get_version(self, entrant: TournamentEntrant) -> int | None:
        is_told = entrant.digest or self.context["sees_all"]
        is_told = is_told or permissions.may_edit_bot(self.context["viewer"], entrant.bot)
        return entrant.version.number if entrant.version and is_told else None

    @extend_schema_field({"type": ["integer", "null"]})
    def get_from_round(self, entrant: TournamentEntrant) -> int | None:
        return presence.from_round(entrant, rounds=self.context["rounds"])

    @extend_schema_field({"type": ["integer", "null"]})
    def get_until_round(self, entrant: TournamentEntrant) -> int | None:
        return presence.until_round(entrant, rounds=self.context["rounds"])


class TournamentEntrantsSerializer(serializers.Serializer[dict[str, Any]]):
    results = TournamentEntrantSerializer(many=True)


class NewEntrantSerializer(StrictSerializer):
    """A bot that is to be entered, or with `invite` only asked."""

    bot = serializers.RegexField(BOT, help_text="`owner/bot`.")
    version = serializers.IntegerField(
        required=False, allow_null=True, min_value=1, help_text="Null: the active one then."
    )
    invite = serializers.BooleanField(default=False, help_text="For organizers: ask its owner.")


class EntrantChangesSerializer(StrictSerializer):
    version = serializers.IntegerField(
        allow_null=True, min_value=1, help_text="What it plays; null: what is active then."
    )


class AnswerSerializer(StrictSerializer):
    accept = serializers.BooleanField()
    version = serializers.IntegerField(required=False, allow_null=True, min_value=1)


class LeaveQuerySerializer(serializers.Serializer[dict[str, Any]]):
    reason = serializers.CharField(
        required=False,
        default="",
        allow_blank=True,
        max_length=500,
        help_text="Public, and kept; none is needed.",
    )


class TakeTopSerializer(StrictSerializer):
    top_n = serializers.IntegerField(help_text="So many of the ladder, its best.")


class TakeListSerializer(StrictSerializer):
    text = serializers.CharField(
        trim_whitespace=False,
        max_length=sheets.MOST_BYTES,
        help_text="Comma-separated: a header `bot,version,seed`, then a bot a line. All are "
        "entered, or none and every line that is wrong is named.",
    )


class OwnEntrySerializer(serializers.Serializer[dict[str, Any]]):
    """A bot of yours in a tournament, and what it plays, as far as you may see the rounds."""

    entrant = TournamentEntrantSerializer()
    round = serializers.IntegerField(
        allow_null=True, help_text="The last one that it is paired in; null: none."
    )
    pairing = PairingSerializer(allow_null=True, help_text="In that round.")
    next_match = serializers.CharField(
        allow_null=True, help_text="Id of its match that waits or is played; null: none does."
    )


class OwnEntriesSerializer(serializers.Serializer[dict[str, Any]]):
    results = OwnEntrySerializer(many=True)
