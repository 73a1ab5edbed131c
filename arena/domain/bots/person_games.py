"""Games of persons against bots: asked for, played through a row, unrated.

A person needs no account. The address of the page is the key of the seat. A runner writes what the
seat is asked into the row, and the page answers there, so both may end and go on.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet
from django.db.models.functions import Now
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext as _

from arena.domain.accounts import permissions
from arena.domain.bots import challenges
from arena.domain.errors import Refused
from arena.domain.matches import lifecycle
from arena.domain.matches.leases import Lease
from arena.domain.matches.purposes import Purpose
from arena.domain.ratings import elo
from arena.models import (
    PEOPLE_OWNER,
    Bot,
    Entrant,
    Ladder,
    Match,
    MatchKind,
    MatchQuerySet,
    PersonSeat,
    User,
    Version,
    VersionStatus,
    Viewer,
)
from engine.registry import find

PERSON = 0  # the position of the person among the entrants
BOT = 1
SLUG = "person"


@dataclass(frozen=True, slots=True)
class Question:
    """What a seat is asked, or told at the end: `number` 0 before the first."""

    number: int
    start: Mapping[str, Any]
    before: Mapping[str, Any] | None
    message: Mapping[str, Any]
    drafted: str
    is_answered: bool
    left_s: float


def is_open(*, by: Viewer) -> bool:
    """Return whether somebody may play against bots here."""
    return settings.PERSON_GAMES > 0 and (isinstance(by, User) or settings.GUESTS_PLAY)


def is_offered(*, bot: Bot, by: Viewer) -> bool:
    """Return whether somebody may play against a bot at all."""
    version = bot.active_version
    return (
        is_open(by=by)
        and version is not None
        and version.status == VersionStatus.READY
        and version.paused_at is None
        and not bot.is_paused
        and not bot.owner.is_banned
        and permissions.may_challenge(by, bot)
    )


def ask(*, by: Viewer, address: str, bot: Bot, ladder: Ladder, side: str) -> PersonSeat:
    """Queue a game of a person against a bot, on the rules of a ladder. Raise Refused.

    The person has all seats of a side, and the bot the others. `address` is where the request came
    from.
    """
    user = by if isinstance(by, User) else None
    if not is_offered(bot=bot, by=by):
        raise Refused("unwilling", _("%(bot)s cannot play against you now.") % {"bot": bot})
    version = challenges.playable(bot, bot.active_version, "bot")
    if not ladder.is_open or not version.plays(ladder.variant_slug):
        raise Refused(
            "ladder_closed", _("%(bot)s does not play there.") % {"bot": bot}, field="ladder"
        )
    if side not in (known := sides(ladder=ladder)):
        raise Refused(
            "unknown_side", _("Choose %(sides)s.") % {"sides": ", ".join(known)}, field="side"
        )
    variant = find(ladder.variant)
    with transaction.atomic():
        person = _person()  # locked, so the counts below hold
        digest = _digest(address)
        _check_room(digest)
        match = lifecycle.create_match(
            ladder=ladder,
            versions=[person, version],
            purpose=Purpose(MatchKind.PERSON, user),
            seats={
                seat: PERSON if variant.side_of(seat) == side else BOT for seat in variant.seats
            },
        )
        return PersonSeat.objects.create(match=match, user=user, address=digest, side=side)


def sides(*, ladder: Ladder) -> list[str]:
    """Return the sides of a ladder's game, in the order of their seats."""
    variant = find(ladder.variant)
    return list(dict.fromkeys(variant.side_of(seat) for seat in variant.seats))


def opponents(*, ladder: Ladder) -> list[Entrant]:
    """Return the strongest, a middling and the weakest bot of a ladder that play against persons.

    They are fewer where fewer have a rating. The mean of a ladder is `elo.START`.
    """
    rows = ladder.entrants.able().filter(rating__isnull=False, bot__accepts_challenges=True)
    rows = rows.select_related("bot__owner")
    found = (
        rows.order_by("-rating").first(),
        rows.filter(rating__lte=elo.START).order_by("-rating").first(),
        rows.order_by("rating").first(),
    )
    return list({entrant.pk: entrant for entrant in found if entrant}.values())


def waiting_before(*, match: Match) -> int:
    """Return how many games of persons will begin before this one."""
    return _waiting().filter(pk__lt=match.pk).count()


def claim() -> Lease | None:
    """Claim the game of a person that has waited longest. Return None if none waits."""
    for pk in _waiting().due().order_by("pk").values_list("pk", flat=True)[:10]:
        if lease := lifecycle.claim(match_pk=pk):
            return lease
    return None


def is_waiting() -> bool:
    """Return whether a game of a person waits for a runner."""
    return _waiting().due().exists()


def put(
    *,
    seat: PersonSeat,
    start: Mapping[str, Any],
    before: Mapping[str, Any] | None,
    message: Mapping[str, Any],
    left_s: float,
) -> int:
    """Ask a person within `left_s`, or tell the end. Return the number of the question."""
    rows = _rows(seat)
    number = rows.values_list("number", flat=True).get() + 1
    rows.update(
        number=number,
        start=json.dumps(start),
        before="" if before is None else json.dumps(before),
        message=json.dumps(message),
        answer="",
        drafted="",
        answer_by=Now() + timedelta(seconds=left_s) if left_s else None,
    )
    return number


def answer_to(*, seat: PersonSeat, number: int) -> str:
    """Return the answer to a question, or nothing as long as there is none."""
    return _rows(seat).filter(number=number).values_list("answer", flat=True).get()


def answer(*, seat: PersonSeat, number: int, text: str) -> bool:
    """Store the answer to a question. Return False if the game has gone on, or it was answered."""
    rows = _rows(seat).filter(number=number, answer="", answer_by__isnull=False)
    return bool(rows.filter(match__status__in=Match.IN_WORK).update(answer=text))


def keep_draft(*, seat: PersonSeat, number: int, codes: str) -> None:
    """Remember the set-up that the page shows, while the question is open."""
    _rows(seat).filter(number=number, answer="").update(drafted=codes)


def question(*, seat: PersonSeat) -> Question | None:
    """Return what a seat is asked now; None before its game begins."""
    if not seat.message:
        return None
    return Question(
        number=seat.number,
        start=json.loads(seat.start),
        before=json.loads(seat.before) if seat.before else None,
        message=json.loads(seat.message),
        drafted=seat.drafted,
        is_answered=bool(seat.answer) or seat.answer_by is None,
        left_s=_left_s(seat.answer_by),
    )


def _left_s(until: datetime | None) -> float:
    return max(0.0, (until - timezone.now()).total_seconds()) if until else 0.0


def _rows(seat: PersonSeat) -> QuerySet[PersonSeat]:
    return PersonSeat.objects.filter(pk=seat.pk)


def _waiting() -> MatchQuerySet:
    return Match.objects.waiting().filter(kind=MatchKind.PERSON)


def _digest(address: str) -> str:
    return salted_hmac("arena.person_games", address, algorithm="sha256").hexdigest()


def _check_room(address: str) -> None:
    """Raise Refused if too many games of persons are open, in all or from one address."""
    open_seats = PersonSeat.objects.filter(match__status__in=Match.OPEN)
    if open_seats.filter(address=address).count() >= settings.PERSON_GAMES_PER_ADDRESS:
        raise Refused(
            "too_many_open",
            _("Games from your network are still open. Finish one, or resign."),
        )
    if open_seats.count() >= settings.OPEN_PERSON_GAMES:
        raise Refused("pool_full", _("Too many people play at the moment. Try again in a while."))


def _person() -> Version:
    """Return the version that stands for a person among the entrants, with its owner locked.

    There is one for all. It has no program, and no runner loads it.
    """
    User.objects.get_or_create(
        username=PEOPLE_OWNER, defaults={"is_active": False, "password": "!"}
    )
    owner = User.objects.select_for_update(no_key=True).get(username=PEOPLE_OWNER)
    bot, _made = Bot.objects.get_or_create(
        owner=owner, slug=SLUG, defaults={"name": "A person", "accepts_challenges": False}
    )
    version, _made = Version.objects.get_or_create(
        bot=bot,
        number=1,
        defaults={"filename": "", "size_bytes": 0, "status": VersionStatus.READY},
    )
    return version
