from typing import Any

from django.urls import reverse
from rest_framework import serializers

from engine.seating import entrant_counts
from engine.variant import Option, Variant


class OptionSerializer(serializers.Serializer[Option]):
    """An option of the rules."""

    default = serializers.JSONField()
    allowed = serializers.ListField(child=serializers.JSONField())
    least = serializers.IntegerField(
        allow_null=True, help_text="Every integer from this value up is also allowed; null: none."
    )
    doc = serializers.CharField(help_text="What it decides.")


class VariantSerializer(serializers.Serializer[Variant[Any]]):
    slug = serializers.CharField()
    name = serializers.CharField(help_text="With its version, such as `classic@1`.")
    title = serializers.CharField()
    seats = serializers.ListField(child=serializers.CharField(), help_text="In turn order.")
    sides = serializers.DictField(
        child=serializers.ListField(child=serializers.CharField()),
        help_text="The seats that win and lose together, by side.",
    )
    entrants = serializers.SerializerMethodField(
        help_text="How many bots a match may have: one per side, or one per seat."
    )
    options = serializers.DictField(child=OptionSerializer(), help_text="By name.")
    url = serializers.SerializerMethodField(help_text="The page of its rules.")
    schema_url = serializers.SerializerMethodField(help_text="The JSON Schema of its lines.")

    def get_entrants(self, variant: Variant[Any]) -> list[int]:
        return list(entrant_counts(variant))

    def get_url(self, variant: Variant[Any]) -> str:
        return reverse("variant", args=[variant.slug])

    def get_schema_url(self, variant: Variant[Any]) -> str:
        return reverse("api-variant-schema", args=[variant.slug])
