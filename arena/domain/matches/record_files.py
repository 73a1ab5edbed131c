"""Files of records for people who study games: per ladder and day all that everybody may have.

A file has the records of at most FILE_MATCHES matches, so that no step needs more memory than that.
The files of a day are made once, an hour after the day is over: of the matches that ended on the
day, and of those that ended before and have become public since. Each record is in one file. Rows
decide: a file is given out only if everybody may still have every record in it, and is otherwise
made again without the others.
"""

import gzip
import hashlib
import io
import json
from collections import deque
from collections.abc import Callable
from datetime import UTC, datetime, time, timedelta
from typing import TypeVar

import structlog
from django.core.cache import cache
from django.db import transaction
from django.db.models import F, QuerySet
from django.utils import timezone

from arena.domain.matches import replays
from arena.models import Game, GameStatus, Ladder, Match, MatchQuerySet, RecordFile

R = TypeVar("R", Ladder, RecordFile)

log = structlog.get_logger(__name__)

FILE_MATCHES = 100
FILES_AT_ONCE = 5  # that a call makes, in a few seconds; the next one goes on
GAMES_AT_ONCE = 20  # that are in memory
GRACE = timedelta(hours=1)  # in which the last matches of a day are stored
ONE_DAY = timedelta(days=1)
CACHE_KEY = "record_files.make"
LOCK_S = 600  # a process that dies while it makes files blocks the others for this time


def published(*, ladder: Ladder) -> QuerySet[RecordFile]:
    """Return the files of the days that are complete, without their content."""
    return ladder.record_files.filter(day__lte=F("ladder__filed_until")).defer("blob")


def current(*, file: RecordFile) -> RecordFile:
    """Return the file as everybody may have it now: made again if a record has to leave it."""
    if _games_of(file.matches.downloadable()).count() == file.games:
        return file
    return _make_again(file)


def make_due() -> int:
    """Make files again that records have to leave, and those of days that are over.

    Return how many were made. Do nothing while another process makes files.
    """
    if not cache.add(CACHE_KEY, "", timeout=LOCK_S):
        return 0
    try:
        withdrawn = Match.objects.withdrawn_from_file().values("record_file")
        stale = RecordFile.objects.filter(pk__in=withdrawn).defer("blob")[:FILES_AT_ONCE]
        count = sum(_tried(_make_again, file) for file in stale)
        waiting = deque(Ladder.objects.all())
        while waiting and count < FILES_AT_ONCE:
            ladder = waiting.popleft()
            if _tried(_make_next, ladder):
                count += 1
                waiting.append(ladder)
        return count
    finally:
        cache.delete(CACHE_KEY)


def _tried(make: Callable[[R], object], of: R) -> bool:
    """Return whether a file was made. A record that cannot be read stops no other files."""
    try:
        return bool(make(of))
    except Exception:
        log.exception("record_file_failed", of=str(of))
        return False


def _make_next(ladder: Ladder) -> bool:
    """Make the next file of a ladder, or note that the latest days are complete.

    Return whether a file was made.
    """
    last = (timezone.now() - GRACE).astimezone(UTC).date() - ONE_DAY
    if ladder.filed_until is not None and ladder.filed_until >= last:
        return False
    unfiled = ladder.matches.downloadable().filter(record_file=None).order_by("finished_at", "pk")
    day = last
    first = unfiled.values_list("finished_at", flat=True).first()
    if first is not None:  # days without matches have no file
        ended = first.astimezone(UTC).date()
        open_day = ended if ladder.filed_until is None else ladder.filed_until + ONE_DAY
        day = min(last, max(ended, open_day))
    end = datetime.combine(day + ONE_DAY, time(), UTC)
    with transaction.atomic():
        # Locked, so that two processes never file a match twice.
        chosen = unfiled.filter(finished_at__lt=end).select_for_update(of=("self",), no_key=True)
        matches = list(chosen.values_list("pk", flat=True)[:FILE_MATCHES])
        if matches:
            number = ladder.record_files.filter(day=day).count() + 1
            file = RecordFile(ladder=ladder, day=day, number=number)
            rows = Match.objects.filter(pk__in=matches)
            _fill(file, rows)
            rows.update(record_file=file)
        if len(matches) < FILE_MATCHES:
            ladder.filed_until = day
            ladder.save(update_fields=["filed_until"])
    return bool(matches)


@transaction.atomic
def _make_again(file: RecordFile) -> RecordFile:
    """Leave out the records that not everybody may have any more. Return the file."""
    locked = RecordFile.objects.select_for_update(no_key=True).get(pk=file.pk)
    if _games_of(locked.matches.downloadable()).count() == locked.games:
        return locked  # another process has just made it again
    kept = list(locked.matches.downloadable().values_list("pk", flat=True))
    locked.matches.exclude(pk__in=kept).update(record_file=None)
    locked.revision += 1
    _fill(locked, Match.objects.filter(pk__in=kept))
    return locked


def _fill(file: RecordFile, matches: MatchQuerySet) -> None:
    """Write the records of these matches into a file, and store it."""
    related = ("match__ladder", "match__pairing__round__tournament", "record")
    games = _games_of(matches).select_related(*related)
    content = io.BytesIO()
    file.games = 0
    with gzip.GzipFile(fileobj=content, mode="wb", mtime=0) as packed:
        for game in games.iterator(chunk_size=GAMES_AT_ONCE):
            packed.write(json.dumps(replays.record(game=game), separators=(",", ":")).encode())
            packed.write(b"\n")
            file.games += 1
    file.blob = content.getvalue()
    file.size_bytes = len(file.blob)
    file.digest = hashlib.sha256(file.blob).hexdigest()
    file.save()


def _games_of(matches: MatchQuerySet) -> QuerySet[Game]:
    """Return the games that have a record, in the order in which their matches ended."""
    games = Game.objects.filter(match__in=matches, status=GameStatus.FINISHED)
    games = games.filter(record__isnull=False)
    return games.order_by("match__finished_at", "match_id", "number")
