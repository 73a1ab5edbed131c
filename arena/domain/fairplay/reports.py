"""Signals for staff: results, forfeits, programs and challenges that fair play hardly explains.

A signal is a reason to look closer. It proves nothing. This module converts rows to plain data,
`collusion` and `similarity` do the arithmetic, and this module describes what they find. Beat
looks once an hour (`make_due`), because that reads many rows; the page shows what it found last.
"""

import io
import zipfile
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from functools import cache
from itertools import groupby
from pathlib import Path

from django.conf import settings
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from arena.domain.bots import languages
from arena.domain.fairplay import collusion, similarity
from arena.domain.fairplay.collusion import Forfeits, OneSided, RatedMatch
from arena.domain.fairplay.similarity import Alike, UploadedProgram
from arena.models import (
    Bot,
    Game,
    Ladder,
    Match,
    MatchEntrant,
    MatchKind,
    RatingEvent,
    SignalReport,
    User,
    Version,
)
from engine.outcome import PLATFORM

SINCE = timedelta(days=90)
EVERY = timedelta(hours=1)
MOST_MATCHES = 10_000  # the latest of a ladder
MOST_PROGRAMS = 1_000  # the newest
MOST_BYTES = 64 * 1024  # of a version, all files together; the rest is not compared
MOST_FILES = 100
LEAST_P = 1e-12


# What a signal says of `first` and `second`: its bots, or its people if it has no bots.
TEXTS = {
    "pair": gettext_noop(
        "%(first)s got %(score)s points in %(matches)s matches against %(second)s."
        " Their ratings predicted %(expected)s."
    ),
    "turn": gettext_noop(
        "%(first)s got %(score)s points in the first %(matches)s matches against version"
        " %(version)s of %(second)s. Its results against all others predicted %(expected)s."
    ),
    "forfeits": gettext_noop(
        "%(first)s forfeited in %(to_it)s of %(met_it)s matches against %(second)s"
        " and in %(rest)s of its %(met_rest)s other matches."
    ),
    "same": gettext_noop("%(owners)s owners use exactly the same program for %(bots)s bots."),
    "nearly": gettext_noop(
        "%(owners)s owners use nearly the same program: at least %(share)s %% of the code that is"
        " not from the starter kits is the same."
    ),
    "many": gettext_noop("%(owner)s has %(bots)s bots with the same program."),
    "circle": gettext_noop(
        "%(first)s and %(second)s requested %(count)s challenges, all against each other."
    ),
}


@dataclass(frozen=True, slots=True)
class StoredSignal:
    """A signal as it is stored: its kind, the ids of whom it concerns, and numbers for its text.

    `p` is the highest probability that chance alone shows as much on an honest ladder, or None if
    chance plays no part. `ladder` is None if the signal does not belong to one ladder.
    """

    kind: str
    words: Mapping[str, str | int]
    bots: Sequence[int] = ()
    people: Sequence[int] = ()
    p: float | None = None
    ladder: int | None = None


@dataclass(frozen=True, slots=True)
class Signal:
    """A finding in words, with the bots or people that it concerns."""

    kind: str
    text: str
    bots: Sequence[Bot]
    people: Sequence[User]
    p: float | None
    ladder: Ladder | None

    @property
    def one_in(self) -> int | None:
        """The number of honest ladders of which one would show as much."""
        return None if self.p is None else round(1 / max(self.p, LEAST_P))


def make_due() -> None:
    """Look for signals and store what is found, if that was last done an hour ago or earlier."""
    if SignalReport.objects.filter(made_at__gt=timezone.now() - EVERY).exists():
        return
    found = [
        *(finding for ladder in Ladder.objects.all() for finding in of_ladder(ladder=ladder)),
        *of_programs(),
        *of_challenges(),
    ]
    values = {"made_at": timezone.now(), "found": [asdict(finding) for finding in found]}
    SignalReport.objects.update_or_create(pk=1, defaults=values)


def latest() -> tuple[datetime | None, list[Signal]]:
    """Return when the site last looked for signals, and what it found, in the present language."""
    report = SignalReport.objects.first()
    if report is None:
        return None, []
    return report.made_at, shown([StoredSignal(**values) for values in report.found])


def shown(found: Sequence[StoredSignal]) -> list[Signal]:
    """Return findings in words, without those of whom the site has deleted somebody."""
    owned = Bot.objects.select_related("owner")
    bots = owned.in_bulk({pk for finding in found for pk in finding.bots})
    people = User.objects.in_bulk({pk for finding in found for pk in finding.people})
    ladders = Ladder.objects.in_bulk()
    return [
        Signal(
            kind=finding.kind,
            text=_said(finding, bots, people),
            bots=[bots[pk] for pk in finding.bots],
            people=[people[pk] for pk in finding.people],
            p=finding.p,
            ladder=None if finding.ladder is None else ladders[finding.ladder],
        )
        for finding in found
        if bots.keys() >= {*finding.bots} and people.keys() >= {*finding.people}
    ]


def _said(finding: StoredSignal, bots: Mapping[int, Bot], people: Mapping[int, User]) -> str:
    names = [bots[pk].name for pk in finding.bots] or [people[pk].username for pk in finding.people]
    words = {"first": names[0], "second": names[1], **finding.words}
    if finding.bots:
        words["owner"] = bots[finding.bots[0]].owner.username
    return _(TEXTS[finding.kind]) % words


def of_ladder(*, ladder: Ladder) -> list[StoredSignal]:
    """Return the signals of the last 90 days or 10 000 matches of a ladder, most improbable first.

    Only matches of two bots count: with three, nobody can tell who gave points to whom.
    """
    meetings = meetings_of(ladder=ladder)
    turned = collusion.one_sided_versions(meetings)
    numbers = dict(
        Version.objects.filter(pk__in=[row.version for row in turned]).values_list("pk", "number")
    )
    found = [
        *(_one_sided("pair", ladder, row) for row in collusion.one_sided_pairs(meetings)),
        *(_one_sided("turn", ladder, row, version=numbers[row.version or 0]) for row in turned),
        *(_forfeits(ladder, row) for row in collusion.forfeits_to_one(meetings)),
    ]
    return sorted(found, key=lambda finding: finding.p or 0.0)


def of_programs() -> list[StoredSignal]:
    """Return the signals of the newest active versions: shared programs, copies, near copies."""
    active = Version.objects.filter(pk__in=Bot.objects.values("active_version")).exclude(digest="")
    versions = active.order_by("-pk")[:MOST_PROGRAMS]
    texts: dict[int, list[str]] = {}
    programs = []
    for row in versions.select_related("bot", "archive").iterator(50):
        texts[row.bot_id] = sources_of(version=row)
        programs.append(UploadedProgram(row.bot_id, row.bot.owner_id, row.digest))
    common = common_sources(Path(settings.HOUSE_BOTS_DIR))
    common_ones = set(common)
    anybodys = {
        row.digest for row in programs if texts[row.bot] and set(texts[row.bot]) <= common_ones
    }
    owners = {row.bot: row.owner for row in programs}
    same = similarity.of_several_owners(programs, known=anybodys)
    nearly = similarity.near_copies(
        {bot: "\n".join(parts) for bot, parts in texts.items()},
        owners,
        known=common,
    )
    shared = {frozenset(row.bots) for row in same}
    return [
        *(_alike("same", row, owners) for row in same),
        *(
            _alike("nearly", row, owners)
            for row in nearly
            if not any(set(row.bots) <= each for each in shared)
        ),
        *(_alike("many", row, owners) for row in similarity.many_of_one_owner(programs)),
    ]


def of_challenges() -> list[StoredSignal]:
    """Return the pairs of owners who challenged only each other in the last 90 days.

    The latest 10 000 challenges count.
    """
    asked = Match.objects.filter(
        kind=MatchKind.CHALLENGE, requested_by__isnull=False, created_at__gte=timezone.now() - SINCE
    )
    latest = asked.order_by("-created_at").values("pk")[:MOST_MATCHES]
    rows = (
        Match.objects.filter(pk__in=latest)
        .order_by("pk")
        .values_list("pk", "requested_by", "entrants__version__bot__owner")
        .distinct()
    )
    challenges = [(asker, other) for _match, asker, other in rows if asker and asker != other]
    owners = Bot.objects.filter(accepts_challenges=True).values("owner").distinct().count()
    return [
        StoredSignal("circle", {"count": row.challenges}, people=row.owners, p=row.p)
        for row in collusion.circles(challenges, owners=owners)
    ]


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


def _one_sided(kind: str, ladder: Ladder, row: OneSided, **more: int) -> StoredSignal:
    words: dict[str, str | int] = {
        "matches": row.matches,
        "score": f"{row.score:g}",
        "expected": f"{row.expected:.1f}",
        **more,
    }
    return StoredSignal(kind, words, (row.winner, row.loser), p=row.p, ladder=ladder.pk)


def _forfeits(ladder: Ladder, row: Forfeits) -> StoredSignal:
    words = {
        "to_it": row.forfeited_to_it,
        "met_it": row.met_it,
        "rest": row.forfeited - row.forfeited_to_it,
        "met_rest": row.met - row.met_it,
    }
    return StoredSignal("forfeits", words, (row.bot, row.opponent), p=row.p, ladder=ladder.pk)


def _alike(kind: str, row: Alike, owners: Mapping[int, int]) -> StoredSignal:
    words = {
        "owners": len({owners[bot] for bot in row.bots}),
        "bots": len(row.bots),
        "share": round(100 * row.share),
    }
    return StoredSignal(kind, words, row.bots)


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
