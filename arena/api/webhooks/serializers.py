from rest_framework import serializers

from arena.api.fields import NamedChoiceField
from arena.api.strict import StrictSerializer
from arena.domain.webhooks import webhooks
from arena.domain.webhooks.receivers import URL_MAX_LENGTH
from arena.models import DeliveryProblem, DeliveryStatus, Webhook, WebhookDelivery, WebhookEvent


class WebhookSerializer(serializers.Serializer[Webhook]):
    id = serializers.CharField(source="public_id")
    receiver = serializers.CharField(help_text="Where deliveries are sent to.")
    events = serializers.ListField(child=serializers.ChoiceField(choices=webhooks.EVENTS))
    is_on = serializers.BooleanField()
    created_at = serializers.DateTimeField()
    failing_since = serializers.DateTimeField(
        allow_null=True, help_text="Since when no delivery has succeeded; null: the last one did."
    )
    url = serializers.CharField(source="get_absolute_url", help_text="The page of the webhook.")


class WebhookWithSecretSerializer(WebhookSerializer):
    secret = serializers.CharField(help_text="It signs deliveries. It is shown only this time.")


class NewWebhookSerializer(StrictSerializer):
    receiver = serializers.CharField(
        max_length=URL_MAX_LENGTH, help_text="A URL with TLS and a public address."
    )
    events = serializers.ListField(
        child=serializers.CharField(max_length=40),
        help_text=f"Some of: {', '.join(webhooks.EVENTS)}.",
    )


class WebhookChangesSerializer(NewWebhookSerializer):
    """What changes; omitted fields stay as they are."""

    is_on = serializers.BooleanField()


class DeliverySerializer(serializers.Serializer[WebhookDelivery]):
    id = serializers.CharField(source="public_id")
    event = serializers.ChoiceField(choices=list(WebhookEvent))
    status = NamedChoiceField(of=DeliveryStatus)
    created_at = serializers.DateTimeField()
    attempt = serializers.IntegerField(help_text="How often it was sent since it began to wait.")
    next_attempt_at = serializers.SerializerMethodField(help_text="Null: it does not wait.")
    sent_at = serializers.DateTimeField(allow_null=True, help_text="The last attempt.")
    duration_ms = serializers.IntegerField(allow_null=True)
    http_status = serializers.IntegerField(
        allow_null=True, help_text="Of the last answer; null: there was none."
    )
    problem = NamedChoiceField(
        of=DeliveryProblem, allow_blank=True, help_text="Why there was no answer; otherwise empty."
    )
    answer = serializers.CharField(help_text="The first 1024 bytes of the last answer.")
    body = serializers.CharField(help_text="What was sent; empty before the first attempt.")

    def get_next_attempt_at(self, row: WebhookDelivery) -> str | None:
        if row.status != DeliveryStatus.WAITING:
            return None
        return str(serializers.DateTimeField().to_representation(row.not_before))
