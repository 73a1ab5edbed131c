from typing import Any

from rest_framework import serializers

from arena.api.fields import BotNameField, NamedChoiceField, ReasonField
from arena.api.strict import StrictSerializer
from arena.api.tournaments.serializers.rounds import PairingSerializer
from arena.domain.accounts import permissions
from arena.domain.tournaments import participation
from arena.domain.tournaments.entry import entry_lists
from arena.models import TournamentEntrant, TournamentEntrantStatus


class TournamentEntrantSerializer(serializers.Serializer[TournamentEntrant]):
    """A bot in a tournament. Others see its version from the freeze on."""

    bot = serializers.CharField(source="bot.__str__", help_text="`owner/bot`.")
    name = serializers.CharField(source="bot.name")
    status = NamedChoiceField(
        of=TournamentEntrantStatus,
        help_text="Bots that left in a round that you may not see are shown as entered, except "
        "your own.",
    )
    seed = serializers.IntegerField(
        allow_null=True, help_text="1 is the strongest; null before the freeze."
    )
    version = serializers.SerializerMethodField(
        help_text="Null: the version that is active at the freeze, or not visible yet."
    )
    digest = serializers.CharField(
        help_text="Digest of the pinned version; empty before the freeze."
    )
    from_round = serializers.SerializerMethodField(
        help_text="The first round in which it is paired; null if you may not see that round."
    )
    until_round = serializers.SerializerMethodField(
        help_text="The round after which it left; null: it has not left, or you may not see it."
    )
    entered_at = serializers.DateTimeField()
    url = serializers.CharField(source="bot.get_absolute_url", help_text="The page of the bot.")

    def get_version(self, entrant: TournamentEntrant) -> int | None:
        is_told = entrant.digest or self.context["sees_all"]
        is_told = is_told or permissions.may_edit_bot(self.context["viewer"], entrant.bot)
        return entrant.version.number if entrant.version and is_told else None

    def get_from_round(self, entrant: TournamentEntrant) -> int | None:
        return participation.from_round(entrant, rounds=self.context["rounds"])

    def get_until_round(self, entrant: TournamentEntrant) -> int | None:
        return participation.until_round(entrant, rounds=self.context["rounds"])


class NewEntrantSerializer(StrictSerializer):
    """A bot to enter, or with `invite` to invite."""

    bot = BotNameField(help_text="`owner/bot`.")
    version = serializers.IntegerField(
        required=False,
        allow_null=True,
        min_value=1,
        help_text="Null: the version that is active at the freeze.",
    )
    invite = serializers.BooleanField(
        default=False, help_text="For organizers: invite the bot, so that its owner decides."
    )


class EntrantChangesSerializer(StrictSerializer):
    version = serializers.IntegerField(
        allow_null=True, min_value=1, help_text="Null: the version that is active at the freeze."
    )


class AnswerSerializer(StrictSerializer):
    accept = serializers.BooleanField()
    version = serializers.IntegerField(required=False, allow_null=True, min_value=1)


class LeaveQuerySerializer(serializers.Serializer[dict[str, Any]]):
    reason = ReasonField(help_text="Public and permanent; optional.")


class TakeTopSerializer(StrictSerializer):
    top_n = serializers.IntegerField(help_text="How many of the best bots of the ladder.")


class TakeListSerializer(StrictSerializer):
    text = serializers.CharField(
        trim_whitespace=False,
        max_length=entry_lists.MOST_BYTES,
        help_text="Comma-separated: a header `bot,version,seed`, then one bot per line. Either all "
        "are entered, or none and the answer names every wrong line.",
    )


class OwnEntrySerializer(serializers.Serializer[dict[str, Any]]):
    """One of your bots in a tournament, as far as you may see the rounds."""

    entrant = TournamentEntrantSerializer()
    round = serializers.IntegerField(
        allow_null=True, help_text="The last round in which it is paired; null: none."
    )
    pairing = PairingSerializer(allow_null=True, help_text="The pairing in that round.")
    next_match = serializers.CharField(
        allow_null=True, help_text="Id of its open match; null: none."
    )
