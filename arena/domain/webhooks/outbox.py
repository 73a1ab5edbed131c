"""Deliveries wait as rows until a worker sends them.

An event that the site itself causes writes its deliveries in its own transaction. Runners have no
right to these tables and must not wait for them at the end of a match. So what runners cause is
found afterwards, by the times in their rows.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Count, Q
from django.utils import timezone

from arena import jobs
from arena.models import (
    DeliveryStatus,
    Match,
    MatchEntrant,
    MatchStatus,
    Version,
    VersionStatus,
    Webhook,
    WebhookDelivery,
    WebhookEvent,
)

SETTLED = timedelta(minutes=5)  # longer than any transaction that sets one of the times
FOLLOWED_AT_ONCE = timedelta(hours=1)  # after a pause of the workers; older events are lost
WAITING_MAX = 1000  # deliveries of a webhook; while so many wait, further events are lost
KEPT = timedelta(days=7)
BATCH = 5000  # rows that a run of `prune` deletes
OF_RUNNERS = {WebhookEvent.MATCH_FINISHED, WebhookEvent.VERSION_CHECKED, WebhookEvent.BOT_PAUSED}


@dataclass(frozen=True, slots=True)
class Happening:
    """An event for one user, with the row that it is about, and a key that no other event has."""

    event: WebhookEvent
    subject: str
    key: str
    user_id: int
    at: datetime


def write(*, event: WebhookEvent, subject: str, key: str, users: Q) -> None:
    """Write a delivery for each webhook of some users that wants the event.

    `users` is a condition on webhooks. The caller is in the transaction of the event.
    """
    rows = Webhook.objects.on().filter(users)
    hooks = [hook for hook in rows.order_by("pk") if event in hook.events]
    if hooks:
        _write((hook, event, subject, key) for hook in _with_room(hooks))
        jobs.enqueue(jobs.SEND_WEBHOOKS)


def follow() -> int:
    """Write deliveries for what runners have done since the last time. Return how many.

    Rows get their time before they are committed, so the last minutes are read again each time.
    What is not shown to the user when it is found is not sent.
    """
    on = Webhook.objects.on().select_related("user").order_by("pk")
    hooks = [hook for hook in on if OF_RUNNERS & {*hook.events}]
    if not hooks:
        return 0
    until = timezone.now()
    for hook in hooks:  # one that lags far behind must not keep the others waiting
        hook.followed_to = max(hook.followed_to, until - FOLLOWED_AT_ONCE)
    since = min(hook.followed_to for hook in hooks) - SETTLED
    owners = {hook.user_id for hook in hooks}
    happenings = [
        *_finished_matches(owners, since, until),
        *_checked_versions(owners, since, until),
        *_paused_versions(owners, since, until),
    ]
    wanted = [
        (hook, happening) for hook in hooks for happening in happenings if _is_for(hook, happening)
    ]
    new = _shown(_without_known(wanted))
    room = {hook.pk for hook in _with_room(hooks)} if new else set()
    count = _write(
        (hook, happening.event, happening.subject, happening.key)
        for hook, happening in new
        if hook.pk in room
    )
    late = Webhook.objects.filter(pk__in=[hook.pk for hook in hooks], followed_to__lt=until)
    late.update(followed_to=until)
    return count


def prune() -> int:
    """Delete old deliveries that are over, up to a bound. Return how many."""
    over = WebhookDelivery.objects.filter(created_at__lt=timezone.now() - KEPT)
    over = over.exclude(status=DeliveryStatus.WAITING)
    chosen = list(over.order_by("created_at").values_list("pk", flat=True)[:BATCH])
    deleted, _by_model = over.filter(pk__in=chosen).delete()
    return deleted


def _write(rows: Iterable[tuple[Webhook, WebhookEvent, str, str]]) -> int:
    now = timezone.now()
    deliveries = [
        WebhookDelivery(webhook=hook, event=event, subject=subject, key=key, not_before=now)
        for hook, event, subject, key in rows
    ]
    if deliveries:
        WebhookDelivery.objects.bulk_create(deliveries, ignore_conflicts=True)
    return len(deliveries)


def _with_room(hooks: list[Webhook]) -> list[Webhook]:
    """Return the webhooks for which not too many deliveries wait."""
    waiting = WebhookDelivery.objects.filter(webhook__in=hooks, status=DeliveryStatus.WAITING)
    counts = waiting.order_by().values_list("webhook").annotate(rows=Count("pk"))
    full = {hook for hook, rows in counts if rows >= WAITING_MAX}
    return [hook for hook in hooks if hook.pk not in full]


def _is_for(hook: Webhook, happening: Happening) -> bool:
    """Return whether a webhook wants to be told of something, and it is not too old for it."""
    if (
        happening.user_id != hook.user_id
        or happening.event not in hook.events
        or not hook.enabled_at
    ):
        return False
    return happening.at >= max(hook.enabled_at, hook.followed_to - SETTLED)


def _without_known(wanted: list[tuple[Webhook, Happening]]) -> list[tuple[Webhook, Happening]]:
    """Leave out what already has a delivery."""
    if not wanted:
        return []
    rows = WebhookDelivery.objects.filter(
        webhook__in={hook.pk for hook, _happening in wanted},
        key__in={happening.key for _hook, happening in wanted},
    )
    known = set(rows.values_list("webhook", "key"))
    return [
        (hook, happening) for hook, happening in wanted if (hook.pk, happening.key) not in known
    ]


def _shown(wanted: list[tuple[Webhook, Happening]]) -> list[tuple[Webhook, Happening]]:
    """Leave out the matches that the owner of the webhook may not see."""
    event = WebhookEvent.MATCH_FINISHED
    seen = set()
    for user in {hook.user for hook, happening in wanted if happening.event == event}:
        own = {
            happening.subject
            for hook, happening in wanted
            if hook.user == user and happening.event == event
        }
        rows = Match.objects.visible_to(user).filter(public_id__in=own).order_by()
        seen |= {(user.pk, public_id) for public_id in rows.values_list("public_id", flat=True)}
    return [
        (hook, happening)
        for hook, happening in wanted
        if happening.event != event or (hook.user_id, happening.subject) in seen
    ]


def _finished_matches(owners: set[int], since: datetime, until: datetime) -> Iterator[Happening]:
    """Yield the finished matches of some owners, also those that are hidden from them."""
    entrants = MatchEntrant.objects.filter(
        match__status=MatchStatus.FINISHED,
        match__finished_at__range=(since, until),
        version__bot__owner__in=owners,
    ).order_by("match__finished_at", "match")
    rows = entrants.values_list("version__bot__owner", "match__public_id", "match__finished_at")
    for owner, public_id, at in dict.fromkeys(rows):
        event = WebhookEvent.MATCH_FINISHED
        if at is not None:
            yield Happening(event, public_id, f"{event}:{public_id}", owner, at)


def _checked_versions(owners: set[int], since: datetime, until: datetime) -> Iterator[Happening]:
    """Yield the versions of some owners whose checks have ended."""
    rows = Version.objects.filter(
        status__in=(VersionStatus.READY, VersionStatus.REJECTED),
        left_at__range=(since, until),
        bot__owner__in=owners,
    ).order_by("left_at", "pk")
    for pk, owner, at in rows.values_list("pk", "bot__owner", "left_at"):
        event = WebhookEvent.VERSION_CHECKED
        if at is not None:
            yield Happening(event, str(pk), f"{event}:{pk}", owner, at)


def _paused_versions(owners: set[int], since: datetime, until: datetime) -> Iterator[Happening]:
    """Yield the versions of some owners that have been paused for their forfeits."""
    rows = Version.objects.filter(paused_at__range=(since, until), bot__owner__in=owners)
    rows = rows.order_by("paused_at", "pk")
    for pk, owner, at in rows.values_list("pk", "bot__owner", "paused_at"):
        event = WebhookEvent.BOT_PAUSED
        if at is not None:
            yield Happening(event, str(pk), f"{event}:{pk}:{at.isoformat()}", owner, at)
