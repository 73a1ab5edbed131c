"""The OpenAPI 3.1 schema of the API, made by drf-spectacular."""

from typing import TYPE_CHECKING, Any, cast

from drf_spectacular.openapi import AutoSchema
from drf_spectacular.utils import OpenApiParameter, inline_serializer
from rest_framework import serializers

from arena.api.dry_run import DryRuns, ModeSerializer
from arena.api.problems import MEDIA_TYPE

if TYPE_CHECKING:
    from arena.api.base import ApiViewSet

FIELD_ERROR = inline_serializer(
    "FieldError",
    {
        "field": serializers.CharField(help_text="The path of the field with dots, or `request`."),
        "code": serializers.CharField(),
        "message": serializers.CharField(),
    },
    many=True,
)
RATE_LIMIT = inline_serializer(
    "RateLimit",
    {
        "key": serializers.CharField(help_text="The limit: `calls`, `uploads`, `challenges`, …"),
        "limit": serializers.IntegerField(),
        "remaining": serializers.IntegerField(),
        "seconds": serializers.IntegerField(
            help_text="Until one more is available, as in Retry-After."
        ),
        "reset_at": serializers.DateTimeField(help_text="The same as a time."),
    },
    required=False,
    help_text="Only with 429: the limit that is reached.",
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
        "banned_until": serializers.DateTimeField(
            required=False,
            allow_null=True,
            help_text="Only with the code `banned`: when the ban ends; null: it does not.",
        ),
    },
)

IDEMPOTENCY_KEY = OpenApiParameter(
    "Idempotency-Key",
    str,
    OpenApiParameter.HEADER,
    description="Identifies the request. If you send it again with the same key within 24 hours, "
    "you get the first answer again, with `Idempotent-Replayed: true`.",
)


NAMES = {"retrieve": "get", "partial_update": "change"}


class ArenaSchema(AutoSchema):
    """Adds the answers of a refusal and a dry run and the needed scope to every operation."""

    @property
    def _viewset(self) -> "ApiViewSet":
        return cast("ApiViewSet", self.view)

    @property
    def _scope(self) -> str | None:
        return self._viewset.needed_scope(self.method)

    def get_operation_id(self) -> str:
        """Return `bot_pause` for the action `pause` of the bots."""
        action = NAMES.get(self._viewset.action, self._viewset.action)
        return f"{self._viewset.basename.removeprefix('api-')}_{action}"

    def get_description(self) -> str:  # type: ignore[override] # as spectacular has it
        text = str(super().get_description())
        if not self._scope:
            return text
        return f"{text}\n\nNeeds a token with the scope `{self._scope}`.".strip()

    def get_override_parameters(self) -> list[Any]:
        """Add `dry_run` to writes that have a dry run, and the key to those with a token."""
        parameters: list[Any] = super().get_override_parameters()
        if self.method == "GET":
            return parameters
        if self._viewset.dry_runs is not DryRuns.REFUSED:
            parameters = [*parameters, ModeSerializer]
        return parameters if self._scope is None else [*parameters, IDEMPOTENCY_KEY]

    def get_auth(self) -> list[dict[str, Any]]:
        """Require a token only where one is needed; elsewhere it is optional."""
        auth: list[dict[str, Any]] = super().get_auth()
        return [*auth, {}] if self._scope is None else auth

    def _get_response_bodies(self, direction: Any = "response") -> dict[str, Any]:  # noqa: ANN401 - spectacular's own type is private
        bodies: dict[str, Any] = super()._get_response_bodies(direction)
        if direction == "response":
            bodies["4XX"] = self._get_response_for_code(  # type: ignore[no-untyped-call] # theirs
                PROBLEM, "4XX", [MEDIA_TYPE], direction
            )
            done = bodies.get("201") or bodies.get("202")
            if done and self._viewset.dry_runs is DryRuns.TAKEN_BACK:
                words = "The answer to a dry run, which changes nothing."
                bodies["200"] = {"content": done["content"], "description": words}
        return bodies
