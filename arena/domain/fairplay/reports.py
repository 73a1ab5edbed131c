"""Signals for staff: results, forfeits, programs and challenges that fair play hardly explains.

A signal is a reason to look closer. It proves nothing. This module converts rows to plain data,
`collusion` and `similarity` do the arithmetic, and this module describes what they find.
"""

import io
import zipfile
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import cache
from itertools import groupby
from pathlib import Path

from django.conf import settings
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from arena.domain.bots import languages
from arena.domain.fairplay import collusion, similarity
from arena.domain.fairplay.collusion import Circle, Forfeits, OneSided, RatedMatch
from arena.domain.fairplay.similarity import Alike, UploadedProgram
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
MOST_MATCHES = 10_000  # the latest of a ladder: a person waits for the page
MOST_PROGRAMS = 1_000  # the newest
MOST_BYTES = 64 * 1024  # of a version, all files together; the rest is not compared
MOST_FILES = 100
LEAST_P = 1e-12


@dataclass(frozen=True, slots=True)
class Signal:
    """An observation in words and numbers, with the bots or people that it concerns.

    `p` is the highest probability that chance alone shows as much on an honest ladder, or None if
    chance plays no part. `ladder` is None if the signal does not belong to one ladder.
    """

    kind: str
    text: str
    bots: Sequence[Bot]
    people: Sequence[User] = ()
    p: float | None = None
    ladder: Ladder | None = None

    @property
    def one_in(self) -> int | None:
        """The number of honest ladders of which one would show as much."""
        return None if self.p is None else round(1 / max(self.p, LEAST_P))


def of_ladder(*, ladder: Ladder) -> list[Signal]:
    """Return the signals of the last 90 days or 10 000 matches of a ladder, most improbable first.

    Only matches of two bots count: with three, nobody can tell who gave points to whom.
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
        *(
            _one_sided_version(ladder, row, known, numbers)
            for row in collusion.one_sided_versions(meetings)
        ),
        *(_forfeits(ladder, row, known) for row in collusion.forfeits_to_one(meetings)),
    ]
    return sorted(found, key=lambda signal: signal.p or 0.0)


def of_programs() -> list[Signal]:
    """Return the signals of the newest active versions: shared programs, copies, near copies."""
    active = Version.objects.filter(pk__in=Bot.objects.values("active_version")).exclude(digest="")
    versions = active.order_by("-pk")[:MOST_PROGRAMS]
    bots: dict[int, Bot] = {}
    texts: dict[int, list[str]] = {}
    programs = []
    for row in versions.select_related("bot__owner", "archive").iterator(50):
        bots[row.bot_id], texts[row.bot_id] = row.bot, sources_of(version=row)
        programs.append(UploadedProgram(row.bot_id, row.bot.owner_id, row.digest))
    common = common_sources(Path(settings.HOUSE_BOTS_DIR))
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
    shared = {frozenset(row.bots) for row in same}
    return [
        *(_same(row, bots) for row in same),
        *(
            _nearly(row, bots)
            for row in nearly
            if not any(set(row.bots) <= each for each in shared)
        ),
        *(_many(row, bots) for row in similarity.many_of_one_owner(programs)),
    ]


def of_challenges() -> list[Signal]:
    """Return the pairs of owners who challenged only each other in the last 90 days."""
    asked = Match.objects.filter(
        kind=MatchKind.CHALLENGE, requested_by__isnull=False, created_at__gte=timezone.now() - SINCE
    )
    rows = asked.values_list("pk", "requested_by", "entrants__version__bot__owner").distinct()
    challenges = [(asker, other) for _match, asker, other in rows if asker and asker != other]
    owners = Bot.objects.filter(accepts_challenges=True).values("owner").distinct().count()
    people = User.objects.in_bulk({pk for both in challenges for pk in both})
    return [_circle(row, people) for row in collusion.circles(challenges, owners=owners)]


def meetings_of(*, ladder: Ladder) -> list[RatedMatch]:
    """Return the latest rated matches of two bots, without annulled ones (see `of_ladder`)."""
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
            found.append(RatedMatch((bot, other_bot), (one, other), expected, score, forfeited))
    return found


def _latest(ladder: Ladder) -> QuerySet[Match]:
    """Return the latest matches of the ladder, unordered."""
    return Match.objects.filter(
        ladder=ladder,
        finish_number__gte=ladder.next_finish_number - MOST_MATCHES,
        finished_at__gte=timezone.now() - SINCE,
    ).order_by()


def _forfeited(ladder: Ladder) -> set[tuple[int, int]]:
    """Return the pairs (match, version) in which the version forfeited a game."""
    games = Game.objects.filter(match__in=_latest(ladder)).exclude(fault__in=["", PLATFORM])
    at_fault = {
        (match, seats[fault])
        for match, fault, seats in games.values_list("match", "fault", "seats")
    }
    entrants = MatchEntrant.objects.filter(match__in={match for match, _position in at_fault})
    return {
        (match, version)
        for match, position, version in entrants.values_list("match", "position", "version")
        if (match, position) in at_fault
    }


def _pair(ladder: Ladder, row: OneSided, bots: Mapping[int, Bot]) -> Signal:
    text = _(
        "%(winner)s got %(score)s points in %(matches)s matches against %(loser)s."
        " Their ratings predicted %(expected)s."
    )
    return Signal("pair", text % _words(row, bots), _both(row, bots), p=row.p, ladder=ladder)


def _one_sided_version(
    ladder: Ladder, row: OneSided, bots: Mapping[int, Bot], numbers: Mapping[int, int]
) -> Signal:
    text = _(
        "%(winner)s got %(score)s points in the first %(matches)s matches against version"
        " %(version)s of %(loser)s. Its results against all others predicted %(expected)s."
    )
    words = {**_words(row, bots), "version": numbers.get(row.version or 0, "?")}
    return Signal("turn", text % words, _both(row, bots), p=row.p, ladder=ladder)


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
    text = _(
        "%(bot)s forfeited in %(to_it)s of %(met_it)s matches against %(opponent)s"
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
    return Signal("forfeits", text % words, pair, p=row.p, ladder=ladder)


def _same(row: Alike, bots: Mapping[int, Bot]) -> Signal:
    owners = {bots[bot].owner_id for bot in row.bots}
    text = _("%(owners)s owners use exactly the same program for %(bots)s bots.")
    return Signal(
        "same", text % {"owners": len(owners), "bots": len(row.bots)}, [bots[b] for b in row.bots]
    )


def _nearly(row: Alike, bots: Mapping[int, Bot]) -> Signal:
    text = _(
        "%(owners)s owners use nearly the same program: at least %(share)s %% of the code that is"
        " not from the starter kits is the same."
    )
    owners = {bots[bot].owner_id for bot in row.bots}
    words = {"owners": len(owners), "share": round(100 * row.share)}
    return Signal("nearly", text % words, [bots[bot] for bot in row.bots])


def _many(row: Alike, bots: Mapping[int, Bot]) -> Signal:
    text = _("%(owner)s has %(bots)s bots with the same program.")
    owner = bots[row.bots[0]].owner.username
    return Signal(
        "many", text % {"owner": owner, "bots": len(row.bots)}, [bots[b] for b in row.bots]
    )


def _circle(row: Circle, people: Mapping[int, User]) -> Signal:
    one, other = (people[pk] for pk in row.owners)
    text = _("%(one)s and %(other)s requested %(count)s challenges, all against each other.")
    words = {"one": one.username, "other": other.username, "count": row.challenges}
    return Signal("circle", text % words, (), (one, other), p=row.p)


def sources_of(*, version: Version) -> list[str]:
    """Return the source files of a version as text, or nothing if it cannot be read.

    Nothing is executed.
    """
    data = bytes(version.archive.data)
    if not version.filename.lower().endswith(languages.ZIP):
        return [_text(data)]
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as packed:
            names = [name for name in sorted(packed.namelist()) if _is_source(name)]
            return list(_beginnings(packed, names[:MOST_FILES]))
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError, NotImplementedError, RuntimeError):
        return []


@cache
def common_sources(folder: Path) -> tuple[str, ...]:
    """Return the sources that everybody may copy: house bots and starter kits."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return tuple(_text(path.read_bytes()) for path in files if _is_source(path.name))


def _is_source(name: str) -> bool:
    return name.endswith(languages.EXTENSIONS) and not name.endswith(languages.ZIP)


def _beginnings(packed: zipfile.ZipFile, names: Sequence[str]) -> Iterator[str]:
    """Yield the files up to `MOST_BYTES` in all, since a small zip may unpack to very much."""
    left = MOST_BYTES
    for name in names:
        if left:
            with packed.open(name) as file:
                data = file.read(left)
            left -= len(data)
            yield _text(data)


def _text(data: bytes) -> str:
    return data[:MOST_BYTES].decode(errors="replace")
