"""Games of persons and of programs at home against bots: played through a row, unrated.

A person needs no account. The address of the page is the key of the seat. A runner writes what the
seat is asked into the row, and the page answers there, so both may end and go on. A program at home
is sent what a bot in the seat would be sent, and answers there too.
"""

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from statistics import median
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.db.models.functions import Now
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from arena.domain.accounts import permissions, quotas
from arena.domain.bots import challenges
from arena.domain.errors import Refused
from arena.domain.matches import lifecycle
from arena.domain.matches.leases import Lease, LeaseLost
from arena.domain.matches.purposes import Purpose
from arena.domain.ratings import elo
from arena.models import (
    ANSWER_MAX_CHARS,
    PEOPLE_OWNER,
    REMOTE,
    Bot,
    Entrant,
    Ladder,
    Match,
    MatchKind,
    MatchQuerySet,
    MatchStatus,
    PersonSeat,
    User,
    Version,
    VersionStatus,
    Viewer,
)
from botkit.seat_page import SeatPage
from engine.outcome import RESIGN
from engine.registry import find
from engine.rng import Rng

# A runner renews its lease several times in this time. If it does not, nobody reads an answer.
SILENT = timedelta(seconds=settings.LEASE_S / 3)

PERSON = 0  # the position of the person among the entrants
BOT = 1
# What stands for all persons among the entrants, and for all programs of users that play unrated.
PERSONS, PROGRAMS = ("person", "A person"), ("remote", "A remote program")
LATEST_GAMES = 20  # say how long one takes


@dataclass(frozen=True, slots=True)
class Question:
    """What a person is asked, or told at the end; see `PersonSeat` for its parts.

    `is_open` says that an answer may be given. `left_s` is the time for it. `is_anew` says that the
    platform broke the game off and it has just begun again.
    """

    number: int
    start: Mapping[str, Any]
    before: Mapping[str, Any] | None
    message: Mapping[str, Any]
    drafted: str
    is_open: bool
    left_s: float
    is_anew: bool

    @property
    def is_end(self) -> bool:
        """Whether the game is over."""
        return bool(self.message["type"] == "end")

    @property
    def is_setup(self) -> bool:
        """Whether a set-up is asked for, which no message lists."""
        return not self.is_end and "legal" not in self.message


@dataclass(frozen=True, slots=True)
class News:
    """What a program at home is told: the question with this number as JSON, or nothing new.

    `is_over` says that the match is.
    """

    number: int
    data: str
    is_over: bool


def is_open(*, by: Viewer) -> bool:
    """Return whether somebody may play against bots here."""
    return settings.PERSON_GAMES > 0 and (isinstance(by, User) or settings.GUESTS_PLAY)


def is_offered(*, bot: Bot, by: Viewer) -> bool:
    """Return whether somebody may play against a bot at all."""
    if not (is_open(by=by) and permissions.may_challenge(by, bot)):
        return False
    try:
        return not challenges.playable(bot, bot.active_version, "bot").is_remote
    except Refused:
        return False


def ask(
    *, by: Viewer, address: str, bot: Bot, ladder: Ladder, side: str, is_remote: bool = False
) -> PersonSeat:
    """Queue a game of a person against a bot, on the rules of a ladder. Raise Refused.

    The person has all seats of a side, and the bot the others. `address` says where the request
    came from, or from whom: there is a limit for each. If `is_remote`, a program of the user plays
    in place of a person.
    """
    user = by if isinstance(by, User) else None
    if not (is_open(by=by) and permissions.may_challenge(by, bot)):
        raise Refused("unwilling", _("%(bot)s cannot play against you now.") % {"bot": bot})
    version = challenges.playable(bot, bot.active_version, "bot")
    if not ladder.is_open or ladder.is_remote or not ladder.takes(version):
        raise Refused(
            "ladder_closed", _("%(bot)s does not play there.") % {"bot": bot}, field="ladder"
        )
    if side not in (known := sides(ladder=ladder)):
        raise Refused(
            "unknown_side", _("Choose %(sides)s.") % {"sides": ", ".join(known)}, field="side"
        )
    variant = find(ladder.variant)
    with transaction.atomic():
        if is_remote and user:
            quotas.check(user=user, kind=quotas.Quota.CHALLENGES)
        person = _person(is_remote=is_remote)  # locked, so the counts below hold
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
        return PersonSeat.objects.create(
            match=match, address=digest, side=side, is_remote=is_remote
        )


def sides(*, ladder: Ladder) -> list[str]:
    """Return the sides of a ladder's game, in the order of their seats."""
    variant = find(ladder.variant)
    return list(dict.fromkeys(variant.side_of(seat) for seat in variant.seats))


def opponents(*, ladder: Ladder) -> list[Entrant]:
    """Return the strongest, a middling and the weakest bot of a ladder that play against persons.

    Without ratings, those that came first. The mean of a ladder is `elo.START`.
    """
    rows = ladder.entrants.able().filter(bot__accepts_challenges=True).select_related("bot__owner")
    rated = rows.filter(rating__isnull=False)
    found = (
        rated.order_by("-rating").first(),
        rated.filter(rating__lte=elo.START).order_by("-rating").first(),
        rated.order_by("rating").first(),
    )
    chosen = {entrant.pk: entrant for entrant in found if entrant}
    return list(chosen.values()) or list(rows.order_by("pk")[: len(found)])


def open_games(*, by: Viewer) -> QuerySet[PersonSeat]:
    """Return the seats of a user in games that are not over, the newest first."""
    if not isinstance(by, User):
        return PersonSeat.objects.none()
    rows = PersonSeat.objects.filter(match__requested_by=by, match__status__in=Match.OPEN)
    return rows.filter(is_remote=False).select_related("match__ladder").order_by("-pk")


def waiting_before(*, match: Match) -> int:
    """Return how many games of persons will begin before this one."""
    return _waiting().filter(pk__lt=match.pk).count()


def usual_minutes() -> int | None:
    """Return what half of the latest games took at most, in minutes; None without any."""
    seats = PersonSeat.objects.filter(match__status=MatchStatus.FINISHED).order_by("-pk")
    times = seats.values_list("match__started_at", "match__finished_at")[:LATEST_GAMES]
    took_s = [
        (finished_at - started_at).total_seconds()
        for started_at, finished_at in times
        if started_at and finished_at
    ]
    return math.ceil(median(took_s) / 60) if took_s else None


def claim() -> Lease | None:
    """Claim the game of a person that has waited longest. Return None if none waits.

    What an earlier runner asked in it counts no more.
    """
    for pk in _waiting().due().order_by("pk").values_list("pk", flat=True):
        with transaction.atomic():
            if lease := lifecycle.claim(match_pk=pk):
                forget(match_pk=pk)
                return lease
    return None


def forget(*, match_pk: int) -> None:
    """Forget what an earlier runner asked in a match: nobody reads an answer to it."""
    asked = PersonSeat.objects.filter(match_id=match_pk)
    asked.update(number=F("number") + 1, message="", answer="", answer_by=None)


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
    """Ask a person within `left_s`, or tell the end. Return the number of the question.

    Where a set-up is asked for, a random one is offered.
    """
    drafted = ""
    if message["type"] == "act" and "legal" not in message:
        drafted = find(start["variant"]).draft(dict(message["view"]), Rng(start["rng_seed"]))
    rows = _rows(seat)
    number = rows.values_list("number", flat=True).get() + 1
    rows.update(
        number=number,
        start=json.dumps(start),
        before="" if before is None else json.dumps(before),
        message=json.dumps(message),
        answer="",
        drafted=drafted,
        answer_by=Now() + timedelta(seconds=left_s) if left_s else None,
    )
    return number


def answer_to(*, seat: PersonSeat, number: int) -> str:
    """Return the answer to a question, or nothing as long as there is none.

    Raise LeaseLost if another runner has taken the game.
    """
    answer_ = _rows(seat).filter(number=number).values_list("answer", flat=True).first()
    if answer_ is None:
        raise LeaseLost(f"question {number} of {seat}")
    return answer_


def answer(*, seat: PersonSeat, number: object, text: str) -> None:
    """Store the answer to a question. Raise Refused: one that the rules refuse would lose."""
    asked = question(seat=seat)
    if asked is None or not asked.is_open or asked.number != number:
        raise _gone_on()
    if text != RESIGN and (problem := _problem(seat, asked, text)):
        raise Refused("not_playable", problem)
    rows = _rows(seat).filter(number=number, answer="", match__in=_heard())
    if not rows.update(answer=text):
        raise _gone_on()


def cancel(*, seat: PersonSeat) -> None:
    """Cancel a game that is not over, even while it is played. Raise Refused for one of a bot."""
    if seat.bot_id:
        text = _("A match of a bot cannot be cancelled. It can resign each game.")
        raise Refused("of_a_bot", text)
    if not lifecycle.cancel(match=seat.match, reason=gettext_noop("Cancelled by its requester.")):
        raise Refused("match_over", _("The game is over."))


def news(*, known: Mapping[int, int]) -> dict[int, News]:
    """Return what is new for the programs at home, by the key of their seat.

    `known` has the number of the latest question that each was told.
    """
    is_new = ~Q(match__status__in=Match.OPEN)
    for pk, number in known.items():
        is_new |= Q(pk=pk, number__gt=number)
    rows = PersonSeat.objects.filter(is_new, is_remote=True, pk__in=known)
    return {
        seat.pk: News(
            seat.number,
            json.dumps(
                {
                    "number": seat.number,
                    "answer_by": seat.answer_by and seat.answer_by.isoformat(),
                    "start": json.loads(seat.start),
                    "message": json.loads(seat.message),
                    "ended": json.loads(seat.before) if seat.bot_id and seat.before else None,
                }
            )
            if seat.message and seat.number > known[seat.pk]
            else "",
            is_over=not seat.match.is_open,
        )
        for seat in rows.select_related("match")
    }


def is_heard(*, match: Match) -> bool:
    """Return whether a runner plays the match and lives, so that it would read an answer."""
    return _heard().filter(pk=match.pk).exists()


def setup_asked(*, seat: PersonSeat) -> Question:
    """Return the question for a set-up. Raise Refused if the person is not asked for one."""
    asked = question(seat=seat)
    if asked is None or not (asked.is_open and asked.is_setup):
        raise _gone_on()
    return asked


def keep_draft(*, seat: PersonSeat, number: int, codes: str) -> None:
    """Remember the set-up that the page shows, while the question is open."""
    _rows(seat).filter(number=number, answer="").update(drafted=codes)


def question(*, seat: PersonSeat) -> Question | None:
    """Return what a seat is asked now; None before its game begins."""
    if not seat.message:
        return None
    take = max(seat.match.games.values_list("take", flat=True))
    message = json.loads(seat.message)
    return Question(
        number=seat.number,
        start=json.loads(seat.start),
        before=json.loads(seat.before) if seat.before else None,
        message=message,
        drafted=seat.drafted,
        is_open=seat.answer_by is not None and not seat.answer,
        left_s=(seat.answer_by - timezone.now()).total_seconds() if seat.answer_by else 0.0,
        # A side of several seats hears it once: of its later seats the first turn is later, too.
        is_anew=take > 1 and not seat.before and message["ply"] <= 1,
    )


def _gone_on() -> Refused:
    return Refused("gone_on", _("The game has gone on: look again."))


def _problem(seat: PersonSeat, asked: Question, text: str) -> str:
    """Return why an answer cannot be played, or nothing.

    Where set-ups depend on the chance of the game, its referee alone can judge that of a program.
    """
    if not asked.is_setup:
        return "" if text in asked.message["legal"] else _("This cannot be played now.")
    if len(text) > ANSWER_MAX_CHARS:
        return _("This cannot be played now.")
    page = SeatPage(
        asked.start,
        title="",
        rng=Rng(asked.start["rng_seed"]),
        view=asked.message["view"],
        drafted=asked.drafted,
    )
    if seat.is_remote and page.begun_alike() is None:
        return ""
    return page.problem_of_setup(text)


def _rows(seat: PersonSeat) -> QuerySet[PersonSeat]:
    return PersonSeat.objects.filter(pk=seat.pk)


def _heard() -> MatchQuerySet:
    in_time = Now() + timedelta(seconds=settings.LEASE_S) - SILENT
    return Match.objects.in_work().filter(lease_until__gt=in_time)


def _waiting() -> MatchQuerySet:
    return Match.objects.waiting().filter(kind=MatchKind.PERSON)


def _digest(address: str) -> str:
    return salted_hmac("arena.person_games", address, algorithm="sha256").hexdigest()


def _check_room(address: str) -> None:
    """Raise Refused if too many games of persons are open, in all or from one address."""
    open_seats = PersonSeat.objects.filter(match__status__in=Match.OPEN)
    if open_seats.filter(address=address).count() >= settings.PERSON_GAMES_PER_ADDRESS:
        raise Refused(
            "too_many_seats",
            _("Too many of these games are still open. End one first."),
        )
    if open_seats.count() >= settings.OPEN_PERSON_GAMES:
        raise Refused("pool_full", _("Too many people play at the moment. Try again in a while."))


def _person(*, is_remote: bool) -> Version:
    """Return the version that stands for a person, or a program at home, among the entrants.

    There is one for all, and its owner is locked. It has no file, and no runner loads it.
    """
    User.objects.get_or_create(
        username=PEOPLE_OWNER, defaults={"is_active": False, "password": "!"}
    )
    owner = User.objects.select_for_update(no_key=True).get(username=PEOPLE_OWNER)
    slug, name = PROGRAMS if is_remote else PERSONS
    bot, _made = Bot.objects.get_or_create(
        owner=owner, slug=slug, defaults={"name": name, "accepts_challenges": False}
    )
    version, _made = Version.objects.get_or_create(
        bot=bot,
        number=1,
        defaults={
            "filename": "",
            "size_bytes": 0,
            "status": VersionStatus.READY,
            "language": REMOTE if is_remote else "",
        },
    )
    return version
