from typing import Any

from rest_framework import serializers


class StrictSerializer(serializers.Serializer[dict[str, Any]]):
    """A body without unknown fields, so that a misspelt optional field is not ignored."""

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Raise ValidationError for unknown fields."""
        unknown = sorted(set(self.initial_data) - set(self.fields))
        if unknown:
            known = ", ".join(self.fields) or "none"
            raise serializers.ValidationError(
                dict.fromkeys(unknown, f"There is no such field; there are: {known}."),
                code="unknown_field",
            )
        return attrs
