"""Corrections by staff: annulments and ends of seasons, each with a dry run."""

from collections.abc import Callable, Sequence
from typing import Any

from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework.decorators import action
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from arena.api import dry_run
from arena.api.base import ApiViewSet, signed_in, validated
from arena.api.dry_run import DryRuns
from arena.api.fairplay.serializers import (
    ConfirmationSerializer,
    CorrectionSerializer,
    DryRunSerializer,
    NewAnnulmentSerializer,
)
from arena.api.refusals import Conflict, StaffOnly
from arena.domain import addresses
from arena.domain.accounts import permissions
from arena.domain.fairplay import corrections
from arena.domain.fairplay.corrections import CorrectionDryRun, NotAsPreviewed
from arena.models import Ladder, Match, Scope, User

Body = dict[str, Any]


class CorrectionViewSet(ApiViewSet):
    write_scope = Scope.STAFF_WRITE
    dry_runs = DryRuns.OWN

    @extend_schema(
        operation_id="annulment_create",
        request=NewAnnulmentSerializer,
        responses={200: CorrectionSerializer},
    )
    @action(detail=False, methods=["post"])
    def annulments(self, request: Request) -> Response:
        """Annul finished matches, or with `dry_run=1` show the leaderboard without them."""
        _require(may=permissions.may_annul(signed_in(request)))
        body = validated(NewAnnulmentSerializer, request.data)
        chosen = _chosen(signed_in(request), body)
        return self._previewed_or_done(
            body,
            lambda: corrections.try_annulment(chosen=chosen),
            lambda confirmed: corrections.annul(chosen=chosen, by=signed_in(request), **confirmed),
        )

    @extend_schema(
        operation_id="season_end",
        request=ConfirmationSerializer,
        responses={200: CorrectionSerializer},
    )
    @action(detail=False, methods=["post"], url_path="ladders/<slug:slug>/season-end")
    def season_end(self, request: Request, slug: str) -> Response:
        """End the season of a ladder, or with `dry_run=1` get the digest for that."""
        _require(may=permissions.may_end_seasons(signed_in(request)))
        body = validated(ConfirmationSerializer, request.data)
        ladder = get_object_or_404(Ladder, slug=slug)
        return self._previewed_or_done(
            body,
            lambda: corrections.try_end(ladder=ladder),
            lambda confirmed: corrections.end_season(
                ladder=ladder, by=signed_in(request), **confirmed
            ),
        )

    def _previewed_or_done(
        self, body: Body, preview: Callable[[], CorrectionDryRun], do: Callable[[Body], object]
    ) -> Response:
        """Show a dry run, or do it. Raise Conflict with a new dry run if that differs."""
        done = not dry_run.is_requested(self.request, self.dry_runs)
        shown = preview()
        if done:
            missing = [name for name in ("reason", "digest") if not body.get(name)]
            if missing:
                raise ValidationError(dict.fromkeys(missing, "Required, except for a dry run."))
            try:
                do({"reason": body["reason"], "seen": body["digest"]})
            except NotAsPreviewed as refusal:
                fresh = DryRunSerializer(refusal.fresh).data
                raise Conflict(refusal.message, code=refusal.code, preview=fresh) from refusal
        return Response(CorrectionSerializer({"done": done, "shown": shown}).data)


def _chosen(by: User, body: Body) -> Sequence[Match]:
    if "match" in body:
        rows = Match.objects.visible_to(by).for_display()
        match = get_object_or_404(rows, public_id=body["match"])
        corrections.require_short_fit(ladder=match.ladder)
        return [match]
    if "bot" not in body or "ladder" not in body:
        raise ValidationError({"match": "Name a match, or a bot and a ladder."})
    ladder = addresses.find_ladder(body["ladder"], field="ladder")
    corrections.require_short_fit(ladder=ladder)
    return corrections.choose(
        ladder=ladder,
        bot=addresses.find_bot(body["bot"], field="bot"),
        since=body.get("since"),
        until=body.get("until"),
    )


def _require(*, may: bool) -> None:
    if not may:
        raise StaffOnly("Only staff with this permission may do this.")
