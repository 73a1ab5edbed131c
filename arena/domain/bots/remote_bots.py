"""Remote bots: versions without a file, whose programs play from home on ladders of their own.

A remote bot is online while its program reads the stream of its matches. Only then is a match made
for it. A runner asks all seats of the match through rows, as it asks persons.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import timedelta

from django.db import transaction
from django.db.models import Max
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from arena.domain.accounts import quotas
from arena.domain.bots import activation, bots, person_games
from arena.domain.errors import Refused
from arena.domain.matches import lifecycle
from arena.domain.matches.leases import Lease
from arena.models import (
    REMOTE,
    Bot,
    Match,
    MatchEntrant,
    MatchQuerySet,
    OnlineBot,
    PersonSeat,
    Version,
    VersionStatus,
)

ONLINE = timedelta(seconds=60)  # after the latest sign of a program
MOST_GAMES = 8  # of one bot at the same time


def add_version(*, bot: Bot, variants: Iterable[str]) -> Version:
    """Make the next version of a remote bot, which is ready and active at once. Raise Refused.

    Without `variants`, it plays all.
    """
    wanted = bots.known_variants(variants)
    version = Version(
        bot=bot,
        filename="",
        size_bytes=0,
        language=REMOTE,
        variants=wanted,
        status=VersionStatus.READY,
    )
    with transaction.atomic():
        quotas.check(user=bot.owner, kind=quotas.Quota.UPLOADS)
        locked = activation.hold(version=version)
        if locked.versions.exclude(language=REMOTE).exists():
            text = _("%(bot)s has versions that were uploaded. Make another bot for your program.")
            raise Refused("not_remote", text % {"bot": bot})
        newest: int | None = locked.versions.aggregate(newest=Max("number"))["newest"]
        version.number = (newest or 0) + 1
        version.save()
        activation.activate(version=version)
    return version


def require_remote(*, bot: Bot) -> None:
    """Raise Refused unless the active version of a bot plays from home."""
    if bot.active_version is None or not bot.active_version.is_remote:
        text = _("%(bot)s has no active version that plays from home.") % {"bot": bot}
        raise Refused("not_remote", text, field="bot")


def keep_online(*, games: Mapping[int, int]) -> None:
    """Note that programs of bots are connected, and how many games each plays at most."""
    until = timezone.now() + ONLINE
    known = Bot.objects.filter(pk__in=games).values_list("pk", flat=True)
    OnlineBot.objects.bulk_create(
        [OnlineBot(bot_id=bot, until=until, games=games[bot]) for bot in known],
        update_conflicts=True,
        unique_fields=["bot"],
        update_fields=["until", "games"],
    )


def go_offline(*, bots_pks: Collection[int]) -> None:
    """Note that the programs of bots are gone."""
    OnlineBot.objects.filter(bot__in=bots_pks).delete()


def begun(*, of: Collection[int]) -> dict[int, list[str]]:
    """Return the ids of the matches that the programs of bots play now, by bot, oldest first."""
    found: dict[int, list[str]] = {bot: [] for bot in of}
    rows = PersonSeat.objects.filter(bot__in=of, match__status__in=Match.OPEN).order_by("match")
    for bot, match in rows.values_list("bot", "match__public_id"):
        if bot is not None:
            found[bot].append(match)
    return found


def claim() -> Lease | None:
    """Claim the match of remote bots that has waited longest, if all of them can play it now.

    It is cancelled if one of them has gone offline. Return None if there is none.
    """
    for match in _waiting().due().order_by("pk"):
        entrants = list(match.entrants.select_related("version"))
        bots_of = {entrant.version.bot_id for entrant in entrants}
        free = dict(OnlineBot.objects.now().filter(bot__in=bots_of).values_list("bot", "games"))
        if free.keys() != bots_of:
            reason = gettext_noop("A remote bot went offline before the match began.")
            lifecycle.cancel(match=match, reason=reason)
            continue
        playing = _playing(bots_of)
        if any(playing[bot] >= free[bot] for bot in bots_of):
            continue
        with transaction.atomic():
            if lease := lifecycle.claim(match_pk=match.pk):
                _seat(match, entrants)
                return lease
    return None


def is_waiting() -> bool:
    """Return whether a match of remote bots waits for a runner."""
    return _waiting().due().exists()


def _seat(match: Match, entrants: Sequence[MatchEntrant]) -> None:
    """Give each entrant its row. What an earlier runner asked in it counts no more."""
    PersonSeat.objects.bulk_create(
        (
            PersonSeat(
                match=match,
                position=entrant.position,
                bot_id=entrant.version.bot_id,
                is_remote=True,
            )
            for entrant in entrants
        ),
        ignore_conflicts=True,
    )
    person_games.forget(match_pk=match.pk)


def _playing(of: Collection[int]) -> Counter[int]:
    rows = PersonSeat.objects.filter(bot__in=of, match__status__in=Match.IN_WORK)
    return Counter(rows.values_list("bot", flat=True))


def _waiting() -> MatchQuerySet:
    return Match.objects.waiting().filter(ladder__is_remote=True)
