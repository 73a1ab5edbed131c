"""How the API describes itself: OpenAPI 3.1, by drf-spectacular."""

from typing import Any

from drf_spectacular.openapi import AutoSchema
from drf_spectacular.utils import OpenApiParameter, inline_serializer
from rest_framework import serializers

from arena.api.dry_run import DryRuns, ModeSerializer
from arena.api.problems import MEDIA_TYPE

FIELD_ERROR = inline_serializer(
    "FieldError",
    {
        "field": serializers.CharField(help_text="Dotted path of the field, or `request`."),
        "code": serializers.CharField(),
        "message": serializers.CharField(),
    },
    many=True,
)
RATE_LIMIT = inline_serializer(
    "RateLimit",
    {
        "key": serializers.CharField(help_text="Which limit: `calls`, `uploads`, `challenges`, …"),
        "limit": serializers.IntegerField(),
        "remaining": serializers.IntegerField(),
        "seconds": serializers.IntegerField(help_text="Until one more is free, as Retry-After."),
        "reset_at": serializers.DateTimeField(help_text="The same as an instant."),
    },
    required=False,
    help_text="With 429 only: the limit that is reached.",
)
PROBLEM = inline_serializer(
    "Problem",
    {
        "type": serializers.CharField(help_text="A URN that names the kind of problem."),
        "title": serializers.CharField(help_text="What happened."),
        "status": serializers.IntegerField(),
        "detail": serializers.CharField(help_text="Why."),
        "code": serializers.CharField(help_text="The kind of problem, for programs."),
        "hint": serializers.CharField(help_text="What to do next; may be empty."),
        "errors": FIELD_ERROR,
        "ratelimit": RATE_LIMIT,
    },
)

IDEMPOTENCY_KEY = OpenApiParameter(
    "Idempotency-Key",
    str,
    OpenApiParameter.HEADER,
    description="Names the request: sent again with the same key within 24 hours, it gets the "
    "first answer again, with `Idempotent-Replayed: true`.",
)


class ArenaSchema(AutoSchema):
    """Adds to every operation what a refusal looks like and which scope it needs."""

    def get_description(self) -> str:  # type: ignore[override] # as spectacular has it
        scope = getattr(self.view, "scopes", {}).get(self.method)
        text = str(super().get_description())
        return f"{text}\n\nNeeds a token with the scope `{scope}`.".strip() if scope else text

    def get_override_parameters(self) -> list[Any]:
        """Let every write that needs a token take an Idempotency-Key, and the mode of dry runs."""
        found: list[Any] = super().get_override_parameters()
        dry_runs = getattr(self.view, "dry_runs", DryRuns.REFUSED)
        if self.method != "GET" and dry_runs is not DryRuns.REFUSED:
            found = [*found, ModeSerializer]
        takes_key = self.method in getattr(self.view, "scopes", {}) and self.method != "GET"
        return [*found, IDEMPOTENCY_KEY] if takes_key else found

    def get_auth(self) -> list[dict[str, Any]]:
        """Ask for a token only where one is needed; elsewhere it is welcome but optional."""
        found: list[dict[str, Any]] = super().get_auth()
        return found if self.method in getattr(self.view, "scopes", {}) else [*found, {}]

    def _get_response_bodies(self, direction: Any = "response") -> dict[str, Any]:  # noqa: ANN401 - spectacular's own type is private
        bodies: dict[str, Any] = super()._get_response_bodies(direction)
        if direction == "response":
            bodies["4XX"] = self._get_response_for_code(  # type: ignore[no-untyped-call] # theirs
                PROBLEM, "4XX", [MEDIA_TYPE], direction
            )
        return bodies
