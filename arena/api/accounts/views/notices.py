"""The messages of the site to the caller."""

from typing import ClassVar

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from arena.api.accounts.serializers.notices import NoticeSerializer, ReadSerializer
from arena.api.base import ApiView, signed_in
from arena.api.pagination import NewestFirst
from arena.domain.accounts import notices
from arena.models import Scope


class NoticesView(ApiView):
    scopes: ClassVar = {"GET": Scope.READ}
    pagination_class = NewestFirst
    serializer_class = NoticeSerializer

    @extend_schema(operation_id="notice_list", responses=NoticeSerializer(many=True))
    def get(self, request: Request) -> Response:
        """List the messages of the site to you, newest first."""
        return self.page_of(notices.of(user=signed_in(request)), NoticeSerializer)


class NoticesReadView(ApiView):
    scopes: ClassVar = {"POST": Scope.READ}

    @extend_schema(operation_id="notice_read", request=None, responses=ReadSerializer)
    def post(self, request: Request) -> Response:
        """Mark all messages to you as read."""
        return Response({"marked": notices.mark_read(user=signed_in(request))})
