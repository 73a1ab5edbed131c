"""Make the rows of the whole site: `make()`."""

from collections import defaultdict
from datetime import UTC, datetime

from arena.domain.matches import record_compression, record_files
from arena.models import GameRecord, Match
from tests.integration.web import played
from tests.world import bots, cups

FILED = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)


def make():
    """Make all rows: users, their bots, matches, tournaments, and the files of records."""
    cups.make(bots.make())
    _fill_records()
    _file_records()


def _fill_records():
    """Store a short record for every game that factories stored without one."""
    empty = record_compression.packed(text="{}")
    rows = GameRecord.objects.filter(blob=empty).values_list("game__match__ladder__variant", "pk")
    games = defaultdict(list)
    for variant, pk in rows:
        games[variant].append(pk)
    for variant, pks in games.items():
        record = record_compression.packed(text=played.refused_record(variant, 1).to_json())
        # By id: a database without statistics takes minutes to update through joins.
        GameRecord.objects.filter(pk__in=pks).update(blob=record)


def _file_records():
    """Make the files of records, one of them of FILED with the first match of a ladder."""
    first = Match.objects.downloadable().filter(ladder__slug="classic").order_by("pk")[:1]
    Match.objects.filter(pk__in=[match.pk for match in first]).update(finished_at=FILED)
    record_files.make_due()
