"""What a variant's bots read and write."""

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.response import Response

from arena.api.views.base import ApiView
from engine import registry
from engine.errors import UnknownVariant


class VariantSchemaView(ApiView):
    @extend_schema(operation_id="variant_schema", responses=OpenApiTypes.OBJECT)
    def get(self, request: Request, slug: str) -> Response:  # noqa: ARG002 - as routed
        """Show the lines of the wire as a JSON Schema."""
        try:
            return Response(registry.find(slug).schema())
        except UnknownVariant as problem:
            raise NotFound(str(problem)) from problem
