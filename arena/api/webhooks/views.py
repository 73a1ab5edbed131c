"""Webhooks of the caller, and their deliveries.

What is sent tells what the owner may read. So whatever makes the site send takes the scope `read`.
"""

from typing import ClassVar

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.status import HTTP_201_CREATED, HTTP_202_ACCEPTED, HTTP_204_NO_CONTENT

from arena.api.authentication import require_scope
from arena.api.base import ApiViewSet, location, location_header, signed_in, validated
from arena.api.pagination import NewestFirst
from arena.api.webhooks.serializers import (
    DeliverySerializer,
    NewWebhookSerializer,
    WebhookChangesSerializer,
    WebhookSerializer,
    WebhookWithSecretSerializer,
)
from arena.domain.webhooks import webhooks
from arena.models import Scope, Webhook, WebhookDelivery

NOT_STORED = {"Cache-Control": "no-store"}


class WebhookViewSet(ApiViewSet):
    write_scope = Scope.BOTS_WRITE
    scopes: ClassVar = {"list": Scope.READ, "retrieve": Scope.READ}
    lookup_path = "<slug:webhook_id>"
    lookups = {"webhook_id": "public_id"}
    pagination_class = NewestFirst
    serializer_class = WebhookSerializer

    def get_queryset(self) -> QuerySet[Webhook]:
        return webhooks.of(user=signed_in(self.request))

    def list(self, _request: Request) -> Response:
        """List your webhooks, newest first."""
        return self.page_of(self.get_queryset())

    @extend_schema(
        request=NewWebhookSerializer,
        responses={201: WebhookWithSecretSerializer},
        parameters=[location_header("The webhook.")],
    )
    def create(self, request: Request) -> Response:
        """Add a webhook. Its secret is shown only in this answer.

        It takes the scope `read` too.
        """
        require_scope(request, Scope.READ)
        body = validated(NewWebhookSerializer, request.data)
        site = request.build_absolute_uri("/").rstrip("/")
        hook, secret = webhooks.create(user=signed_in(request), **body, site=site)
        headers = {**location(request, "api-webhook-detail", hook.public_id), **NOT_STORED}
        answer = {**WebhookSerializer(hook).data, "secret": secret}
        return Response(answer, status=HTTP_201_CREATED, headers=headers)

    def retrieve(self, _request: Request, **_address: object) -> Response:
        """Show one of your webhooks."""
        return Response(WebhookSerializer(self.get_object()).data)

    @extend_schema(request=WebhookChangesSerializer)
    def partial_update(self, request: Request, **_address: object) -> Response:
        """Change where your webhook sends to and what, or switch it on or off.

        It takes the scope `read` too.
        """
        require_scope(request, Scope.READ)
        hook = self.get_object()
        body = validated(WebhookChangesSerializer, request.data, partial=True)
        is_on = body.pop("is_on", hook.is_on)
        webhooks.change(webhook=hook, **body)
        (webhooks.switch_on if is_on else webhooks.switch_off)(webhook=hook)
        return Response(WebhookSerializer(hook).data)

    @extend_schema(operation_id="webhook_delete", responses={204: None})
    def destroy(self, _request: Request, **_address: object) -> Response:
        """Delete your webhook with its deliveries."""
        self.get_object().delete()
        return Response(status=HTTP_204_NO_CONTENT)

    @extend_schema(request=None, responses=WebhookWithSecretSerializer)
    @action(detail=True, methods=["post"])
    def rotate(self, request: Request, **_address: object) -> Response:
        """Get a new secret, shown only in this answer. For a day, the old one signs too.

        It takes the scope `read` too.
        """
        require_scope(request, Scope.READ)
        hook = self.get_object()
        secret = webhooks.rotate(webhook=hook)
        return Response({**WebhookSerializer(hook).data, "secret": secret}, headers=NOT_STORED)

    @extend_schema(request=None, responses={202: DeliverySerializer})
    @action(detail=True, methods=["post"])
    def test(self, request: Request, **_address: object) -> Response:
        """Send a ping to your webhook. Its deliveries show the result a moment later.

        It takes the scope `read` too.
        """
        require_scope(request, Scope.READ)
        row = webhooks.test(webhook=self.get_object())
        return Response(DeliverySerializer(row).data, status=HTTP_202_ACCEPTED)


class DeliveryViewSet(ApiViewSet):
    write_scope = Scope.BOTS_WRITE
    scopes: ClassVar = {"list": Scope.READ, "retrieve": Scope.READ}
    lookup_path = "<slug:delivery_id>"
    lookups = {"webhook_id": "webhook__public_id", "delivery_id": "public_id"}
    pagination_class = NewestFirst
    serializer_class = DeliverySerializer

    def get_queryset(self) -> QuerySet[WebhookDelivery]:
        rows = WebhookDelivery.objects.select_related("webhook")
        return rows.filter(webhook__user=signed_in(self.request))

    def list(self, request: Request, webhook_id: str) -> Response:
        """List what was sent to your webhook, newest first. It is kept for a week."""
        rows = webhooks.of(user=signed_in(request))
        hook = get_object_or_404(rows, public_id=webhook_id)
        return self.page_of(self.get_queryset().filter(webhook=hook))

    def retrieve(self, _request: Request, **_address: object) -> Response:
        """Show a delivery with what was sent and answered."""
        return Response(DeliverySerializer(self.get_object()).data)

    @extend_schema(request=None, responses={202: DeliverySerializer})
    @action(detail=True, methods=["post"])
    def again(self, request: Request, **_address: object) -> Response:
        """Send a delivery again, with the same id and body.

        It takes the scope `read` too.
        """
        require_scope(request, Scope.READ)
        row = webhooks.send_again(delivery=self.get_object())
        return Response(DeliverySerializer(row).data, status=HTTP_202_ACCEPTED)
