"""Addresses of the API, under `/api/v1/`."""

from csp.constants import SELF, UNSAFE_INLINE
from csp.decorators import csp_update
from django.urls import URLPattern, URLResolver, path, re_path
from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerSplitView

from arena.api.accounts.views import MeViewSet, NoticeViewSet, TokenViewSet, UserViewSet
from arena.api.base import ApiRouter, NoSuchAddressViewSet
from arena.api.bots.views.bots import BotViewSet
from arena.api.bots.views.challenges import ChallengeViewSet
from arena.api.bots.views.seats import SeatViewSet
from arena.api.bots.views.versions import TrialViewSet, VersionViewSet
from arena.api.fairplay.views import CorrectionViewSet
from arena.api.ladders.views import LadderViewSet
from arena.api.matches.views import GameViewSet, MatchViewSet, RecordKeyViewSet
from arena.api.overview.views import HeadToHeadViewSet
from arena.api.queue.views import QueueViewSet
from arena.api.tournaments.views.tournaments import TournamentViewSet
from arena.api.variants.views import VariantViewSet
from arena.api.webhooks.views import DeliveryViewSet, WebhookViewSet

router = ApiRouter()
router.register("users", UserViewSet, "api-user")
router.register("tokens", TokenViewSet, "api-token")
router.register("me", MeViewSet, "api-me")
router.register("notices", NoticeViewSet, "api-notice")
router.register("webhooks", WebhookViewSet, "api-webhook")
router.register(
    f"webhooks/{WebhookViewSet.lookup_path}/deliveries", DeliveryViewSet, "api-webhook-delivery"
)
router.register("bots", BotViewSet, "api-bot")
router.register("bots", HeadToHeadViewSet, "api-head-to-head")
router.register(f"bots/{BotViewSet.lookup_path}/versions", VersionViewSet, "api-version")
router.register("trials", TrialViewSet, "api-trial")
router.register("challenges", ChallengeViewSet, "api-challenge")
router.register("seats", SeatViewSet, "api-seat")
router.register("ladders", LadderViewSet, "api-ladder")
router.register("queue", QueueViewSet, "api-queue")
router.register("variants", VariantViewSet, "api-variant")
router.register("matches", MatchViewSet, "api-match")
router.register("games", GameViewSet, "api-game")
router.register("record-keys", RecordKeyViewSet, "api-record-key")
router.register("tournaments", TournamentViewSet, "api-tournament")
router.register("staff", CorrectionViewSet, "api-staff")

READ_ONLY = {"authentication_classes": [], "http_method_names": ["get", "head"]}
schema = SpectacularAPIView.as_view(**READ_ONLY)
# Swagger UI sets styles inline; scripts stay as strict as everywhere.
docs = csp_update({"style-src": [SELF, UNSAFE_INLINE]})(
    SpectacularSwaggerSplitView.as_view(**READ_ONLY, url_name="api-schema")
)

urlpatterns: list[URLPattern | URLResolver] = [
    *router.urls,
    path(
        "tournament-templates",
        TournamentViewSet.as_view({"get": "templates"}, basename="api-tournament"),
        name="api-tournament-templates",
    ),
    path(
        "tournament-preview",
        TournamentViewSet.as_view({"post": "preview"}, basename="api-tournament"),
        name="api-tournament-preview",
    ),
    path("schema/", schema, name="api-schema"),
    path("docs/", docs, name="api-docs"),
    re_path(
        r"",
        NoSuchAddressViewSet.as_view(
            dict.fromkeys(NoSuchAddressViewSet.http_method_names, "refuse")
        ),
    ),
]
