"""What staff should look at: results, forfeits, programs, challenges that honesty hardly explains.

A signal is a question and no verdict. `suspicion` and `likeness` do the arithmetic; here rows
become their plain data, and what they find becomes words with numbers.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from itertools import groupby

from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from arena.domain.fairplay import collusion, similarity, sources
from arena.domain.fairplay.collusion import Circle, Forfeits, Meeting, OneSided
from arena.domain.fairplay.similarity import Alike, Program
from arena.models import (
    Bot,
    Game,
    Ladder,
    Match,
    MatchEntrant,
    MatchKind,
    RatingEvent,
    User,
    Version,
)
from engine.outcome import PLATFORM

SINCE = timedelta(days=90)
MOST_MATCHES = 10_000  # of a ladder, the latest: the page is made while somebody waits for it
MOST_PROGRAMS = 1_000  # the newest
LEAST_P = 1e-12


@dataclass(frozen=True, slots=True)
class Signal:
    """What was seen, in words with numbers, and about whom.

    `p` is how often chance alone would show as much on an honest ladder, at most; None for what is
    no matter of chance. `ladder` is None for what no single ladder is about.
    """

    kind: str
    text: str
    bots: Sequence[Bot]
    people: Sequence[User] = ()
    p: float | None = None
    ladder: Ladder | None = None

    @property
    def one_in(self) -> int | None:
        """Of so many honest ladders one would show as much."""
        return None if self.p is None else round(1 / max(self.p, LEAST_P))


def of_ladder(*, ladder: Ladder) -> list[Signal]:
    """Return what the last 90 days or 10 000 matches of a ladder show, most improbable first.

    Matches of two bots only: of three nobody can say who gave to whom.
    """
    meetings = meetings_of(ladder=ladder)
    known = {
        bot.pk: bot
        for bot in Bot.objects.filter(entries__ladder=ladder).select_related("owner").distinct()
    }
    numbers = dict(
        Version.objects.filter(bot__entries__ladder=ladder).values_list("pk", "number").distinct()
    )
    found = [
        *(_pair(ladder, row, known) for row in collusion.one_sided_pairs(meetings)),
        *(_turn(ladder, row, known, numbers) for row in collusion.turns(meetings)),
        *(_forfeits(ladder, row, known) for row in collusion.forfeits_to_one(meetings)),
    ]
    return sorted(found, key=lambda signal: signal.p or 0.0)


def of_programs() -> list[Signal]:
    """Return what the newest active versions show: one program for several, copies, near copies."""
    active = Version.objects.filter(pk__in=Bot.objects.values("active_version")).exclude(digest="")
    versions = active.order_by("-pk")[:MOST_PROGRAMS]
    bots: dict[int, Bot] = {}
    texts: dict[int, list[str]] = {}
    programs = []
    for row in versions.select_related("bot__owner", "archive").iterator(50):
        bots[row.bot_id], texts[row.bot_id] = row.bot, sources.of(version=row)
        programs.append(Program(row.bot_id, row.bot.owner_id, row.digest))
    common = sources.of_the_house()
    common_ones = set(common)
    anybodys = {
        row.digest for row in programs if texts[row.bot] and set(texts[row.bot]) <= common_ones
    }
    same = similarity.of_several_owners(programs, known=anybodys)
    nearly = similarity.near_copies(
        {bot: "\n".join(parts) for bot, parts in texts.items()},
        {bot: row.owner_id for bot, row in bots.items()},
        known=common,
    )
    told = {frozenset(row.bots) for row in same}
    return [
        *(_same(row, bots) for row in same),
        *(_nearly(row, bots) for row in nearly if not any(set(row.bots) <= each for each in told)),
        *(_many(row, bots) for row in similarity.many_of_one_owner(programs)),
    ]


def of_challenges() -> list[Signal]:
    """Return who only ever challenges each other, in the last 90 days."""
    asked = Match.objects.filter(
        kind=MatchKind.CHALLENGE, requested_by__isnull=False, created_at__gte=timezone.now() - SINCE
    )
    rows = asked.values_list("pk", "requested_by", "entrants__version__bot__owner").distinct()
    challenges = [(asker, other) for _match, asker, other in rows if asker and asker != other]
    owners = Bot.objects.filter(accepts_challenges=True).values("owner").distinct().count()
    people = User.objects.in_bulk({pk for both in challenges for pk in both})
    return [_circle(row, people) for row in collusion.circles(challenges, owners=owners)]


def meetings_of(*, ladder: Ladder) -> list[Meeting]:
    """Return the latest rated matches of two bots, annulled ones left out.

    `of_ladder` says which.
    """
    latest = _latest(ladder)
    events = (
        RatingEvent.objects.filter(match__in=latest, match__annulment=None)
        .order_by("finish_number", "pk")
        .values_list("match", "version", "version__bot", "expected", "score")
    )
    gone = _forfeited(ladder)
    found = []
    for match, group in groupby(events.iterator(), key=lambda row: row[0]):
        rows = list(group)
        if len(rows) == 2:  # noqa: PLR2004 - a pair
            (_, one, bot, expected, score), (_, other, other_bot, *_rest) = rows
            forfeited = ((match, one) in gone, (match, other) in gone)
            found.append(Meeting((bot, other_bot), (one, other), expected, score, forfeited))
    return found


def _latest(ladder: Ladder) -> QuerySet[Match]:
    """Return the matches that are looked at, by their place in the ladder's order of rating."""
    return Match.objects.filter(
        ladder=ladder,
        finish_number__gte=ladder.next_finish_number - MOST_MATCHES,
        finished_at__gte=timezone.now() - SINCE,
    ).order_by()


def _forfeited(ladder: Ladder) -> set[tuple[int, int]]:
    """Return match and version of whoever forfeited a game."""
    games = Game.objects.filter(match__in=_latest(ladder)).exclude(fault__in=["", PLATFORM])
    at_fault = {
        (match, seats[fault])
        for match, fault, seats in games.values_list("match", "fault", "seats")
    }
    entrants = MatchEntrant.objects.filter(match__games__in=games).distinct()
    return {
        (match, version)
        for match, position, version in entrants.values_list("match", "position", "version")
        if (match, position) in at_fault
    }


def _pair(ladder: Ladder, row: OneSided, bots: Mapping[int, Bot]) -> Signal:
    said = _(
        "%(winner)s scored %(score)s in %(matches)s matches against %(loser)s. Their ratings "
        "predicted %(expected)s."
    )
    return Signal("pair", said % _words(row, bots), _both(row, bots), p=row.p, ladder=ladder)


def _turn(
    ladder: Ladder, row: OneSided, bots: Mapping[int, Bot], numbers: Mapping[int, int]
) -> Signal:
    said = _(
        "%(winner)s scored %(score)s in the first %(matches)s matches against version "
        "%(version)s of %(loser)s. The results of that version against all others predicted "
        "%(expected)s."
    )
    words = {**_words(row, bots), "version": numbers.get(row.version or 0, "?")}
    return Signal("turn", said % words, _both(row, bots), p=row.p, ladder=ladder)


def _words(row: OneSided, bots: Mapping[int, Bot]) -> dict[str, object]:
    return {
        "winner": bots[row.winner].name,
        "loser": bots[row.loser].name,
        "matches": row.matches,
        "score": f"{row.score:g}",
        "expected": f"{row.expected:.1f}",
    }


def _both(row: OneSided, bots: Mapping[int, Bot]) -> list[Bot]:
    return [bots[row.winner], bots[row.loser]]


def _forfeits(ladder: Ladder, row: Forfeits, bots: Mapping[int, Bot]) -> Signal:
    said = _(
        "%(bot)s forfeited in %(to_it)s of %(met_it)s matches against %(opponent)s,"
        " and in %(rest)s of its %(met_rest)s other matches."
    )
    words = {
        "bot": bots[row.bot].name,
        "opponent": bots[row.opponent].name,
        "to_it": row.forfeited_to_it,
        "met_it": row.met_it,
        "rest": row.forfeited - row.forfeited_to_it,
        "met_rest": row.met - row.met_it,
    }
    pair = [bots[row.bot], bots[row.opponent]]
    return Signal("forfeits", said % words, pair, p=row.p, ladder=ladder)


def _same(row: Alike, bots: Mapping[int, Bot]) -> Signal:
    owners = {bots[bot].owner_id for bot in row.bots}
    said = _("%(owners)s owners play one program, byte for byte, with %(bots)s bots.")
    return Signal(
        "same", said % {"owners": len(owners), "bots": len(row.bots)}, [bots[b] for b in row.bots]
    )


def _nearly(row: Alike, bots: Mapping[int, Bot]) -> Signal:
    said = _(
        "%(owners)s owners play nearly one program: at least %(share)s %% of what is not in"
        " the starter kits is the same."
    )
    owners = {bots[bot].owner_id for bot in row.bots}
    words = {"owners": len(owners), "share": round(100 * row.share)}
    return Signal("nearly", said % words, [bots[bot] for bot in row.bots])


def _many(row: Alike, bots: Mapping[int, Bot]) -> Signal:
    said = _("%(owner)s has %(bots)s bots that are one program.")
    owner = bots[row.bots[0]].owner.username
    return Signal(
        "many", said % {"owner": owner, "bots": len(row.bots)}, [bots[b] for b in row.bots]
    )


def _circle(row: Circle, people: Mapping[int, User]) -> Signal:
    one, other = (people[pk] for pk in row.owners)
    said = _("%(one)s and %(other)s asked for %(count)s challenges, all of them of each other.")
    words = {"one": one.username, "other": other.username, "count": row.challenges}
    return Signal("circle", said % words, (), (one, other), p=row.p)
