from typing import Any

from rest_framework import serializers

from arena.api.tournaments.serializers.entrants import TournamentEntrantSerializer
from arena.api.tournaments.serializers.rounds import PairingSerializer


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
