"""What a delivery says of its event: what the API would answer its owner at that moment."""

import json
from collections.abc import Callable, Mapping
from typing import Any

from django.urls import reverse
from rest_framework.renderers import JSONRenderer

from arena.api.bots.serializers import VersionSerializer
from arena.api.matches.serializers import MatchSerializer
from arena.api.matches.views import with_details
from arena.api.tournaments.serializers.rounds import TournamentRoundSerializer
from arena.api.tournaments.serializers.tournaments import TournamentSerializer
from arena.api.webhooks.serializers import WebhookSerializer
from arena.domain.tournaments import exports, listings, visibility
from arena.domain.webhooks.sending import Documents
from arena.models import (
    Match,
    TournamentRound,
    User,
    Version,
    WebhookDelivery,
    WebhookEvent,
)

# The address of the page, that of the API, and what makes the answer of the API.
Found = tuple[str, str, Callable[[], Any]]


def payload(*, delivery: WebhookDelivery, documents: Documents) -> dict[str, Any] | None:
    """Return `url`, `api_url` and `data` of a delivery, or None if its owner may not see them.

    One that has a body already gets nothing more. `documents` are kept from call to call.
    """
    hook = delivery.webhook
    if delivery.event == WebhookEvent.PING:
        own = reverse("api-webhook-detail", args=[hook.public_id])
        source: Found | None = (hook.get_absolute_url(), own, lambda: WebhookSerializer(hook).data)
    elif delivery.event == WebhookEvent.ROUND_RELEASED:
        source = _round(delivery.subject, hook.user, documents)
    else:
        source = _FINDERS[WebhookEvent(delivery.event)](delivery.subject, hook.user)
    if source is None:
        return None
    if delivery.body:
        return {}
    url, api_url, make = source
    content = {"url": url, "api_url": api_url, "data": json.loads(JSONRenderer().render(make()))}
    return dict(_with_links(content, hook.site))


def _match(subject: str, user: User) -> Found | None:
    rows = Match.objects.visible_to(user).filter(public_id=subject)
    match = rows.first()
    if match is None:
        return None
    own = reverse("api-match-detail", args=[match.public_id])
    return match.get_absolute_url(), own, lambda: MatchSerializer(with_details(rows).get()).data


def _version(subject: str, user: User) -> Found | None:
    rows = Version.objects.select_related("bot__owner").filter(bot__owner=user)
    version = rows.filter(pk=subject).first()
    if version is None:
        return None
    named = (version.bot.owner.username, version.bot.slug, version.number)
    own = reverse("api-version-detail", args=named)
    return version.get_absolute_url(), own, lambda: VersionSerializer(version).data


def _tournament(subject: str, user: User) -> Found | None:
    tournament = listings.tournaments(viewer=user).filter(pk=subject).first()
    if tournament is None:
        return None
    own = reverse("api-tournament-detail", args=[tournament.slug])
    shown = TournamentSerializer(tournament, context={"viewer": user})
    return tournament.get_absolute_url(), own, lambda: shown.data


def _round(subject: str, user: User, documents: Documents) -> Found | None:
    row = TournamentRound.objects.select_related("tournament").filter(pk=subject).first()
    if row is None:
        return None
    tournament = listings.tournaments(viewer=user).filter(pk=row.tournament_id).first()
    if tournament is None:
        return None
    seen = visibility.rounds_seen(tournament=tournament, viewer=user)
    if row.number > seen:
        return None
    own = reverse("api-tournament-round", args=[tournament.slug, row.number])

    def answer() -> dict[str, Any]:
        key = (tournament.pk, seen)
        if key not in documents:
            documents[key] = exports.document(tournament=tournament, rounds=seen)
        shown = next(line for line in documents[key]["rounds"] if line["number"] == row.number)
        return {"tournament": tournament.slug, **TournamentRoundSerializer(shown).data}

    return row.get_absolute_url(), own, answer


_FINDERS: Mapping[WebhookEvent, Callable[[str, User], Found | None]] = {
    WebhookEvent.MATCH_FINISHED: _match,
    WebhookEvent.VERSION_CHECKED: _version,
    WebhookEvent.BOT_PAUSED: _version,
    WebhookEvent.TOURNAMENT_STARTED: _tournament,
    WebhookEvent.TOURNAMENT_COMPLETED: _tournament,
}


def _with_links(content: Any, site: str) -> Any:  # noqa: ANN401 - what JSON has
    """Return the same with the address of the site before all links to it."""
    if isinstance(content, list):
        return [_with_links(item, site) for item in content]
    if not isinstance(content, dict):
        return content
    return {
        name: f"{site}{value}"
        if name in ("url", "api_url") and isinstance(value, str) and value.startswith("/")
        else _with_links(value, site)
        for name, value in content.items()
    }
