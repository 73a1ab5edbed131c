from typing import Any

from allauth.account.models import EmailAddress
from drf_spectacular.utils import extend_schema_field, extend_schema_serializer
from rest_framework import serializers

from arena.api.strict import StrictSerializer
from arena.domain.accounts import quotas
from arena.domain.accounts.quotas import WINDOW, Usage
from arena.models import ApiToken, Notice, NoticeKind, Scope, User


class QuotaSerializer(serializers.Serializer[Usage]):
    """What you may do in a window of time, and how much of it you have used."""

    key = serializers.CharField(source="kind", help_text="`uploads`, `challenges` or `reports`.")
    limit = serializers.IntegerField(allow_null=True, help_text="Null: you have no limit.")
    used = serializers.IntegerField()
    remaining = serializers.IntegerField(allow_null=True)
    window_s = serializers.SerializerMethodField(help_text="The length of the window.")
    reset_at = serializers.DateTimeField(
        allow_null=True, help_text="When one more is available; null: none is used."
    )

    def get_window_s(self, usage: Usage) -> int:  # noqa: ARG002 - the same for every quota
        return int(WINDOW.total_seconds())


class UserSerializer(serializers.Serializer[User]):
    username = serializers.CharField()
    url = serializers.CharField(source="get_absolute_url", help_text="The page of the user.")
    created_at = serializers.DateTimeField(source="date_joined")


@extend_schema_serializer(many=False)
class MeSerializer(UserSerializer):
    email = serializers.SerializerMethodField(
        help_text="The address that you have confirmed; empty if there is none."
    )
    is_staff = serializers.BooleanField()
    quotas = serializers.SerializerMethodField()

    def get_email(self, user: User) -> str:
        confirmed = EmailAddress.objects.filter(user=user, verified=True).order_by("-primary")
        return str(confirmed.values_list("email", flat=True).first() or "")

    @extend_schema_field(QuotaSerializer(many=True))
    def get_quotas(self, user: User) -> list[dict[str, Any]]:
        return [dict(QuotaSerializer(used).data) for used in quotas.all_of(user=user)]


class RegisterSerializer(StrictSerializer):
    username = serializers.CharField(max_length=32)
    password = serializers.CharField(max_length=200, trim_whitespace=False, write_only=True)
    email = serializers.EmailField(
        required=False,
        default="",
        allow_blank=True,
        help_text="Where the site sends a link that confirms the address. The answer is the same "
        "if another account has the address; then the link does not work.",
    )


class TokenSerializer(serializers.Serializer[ApiToken]):
    id = serializers.CharField(source="public_id")
    name = serializers.CharField()
    scopes = serializers.ListField(child=serializers.ChoiceField(choices=list(Scope)))
    created_at = serializers.DateTimeField(source="created")
    expires_at = serializers.DateTimeField(source="expiry", allow_null=True)
    last_used_at = serializers.DateTimeField(source="last_used", allow_null=True)


class NewTokenSerializer(TokenSerializer):
    token = serializers.CharField(help_text="Shown only once; the site keeps only its hash.")


class SignInSerializer(StrictSerializer):
    username = serializers.CharField(max_length=32)
    password = serializers.CharField(max_length=200, trim_whitespace=False, write_only=True)
    name = serializers.CharField(
        max_length=80, required=False, default="api", help_text="A name by which you recognize it."
    )
    scopes = serializers.ListField(
        child=serializers.CharField(max_length=40),
        required=False,
        allow_empty=False,
        help_text=f"Some of: {', '.join(Scope)}. Default: all of them.",
    )


class NoticeSerializer(serializers.Serializer[Notice]):
    """A message of the site to you."""

    kind = serializers.ChoiceField(
        choices=["", *NoticeKind.values],
        help_text="What the site also mails, if you want that; empty for all other messages.",
    )
    text = serializers.CharField()
    url = serializers.CharField(help_text="The page that it is about; may be empty.")
    created_at = serializers.DateTimeField()
    read_at = serializers.DateTimeField(allow_null=True)


class ReadSerializer(serializers.Serializer[dict[str, Any]]):
    marked = serializers.IntegerField(help_text="How many were unread.")
