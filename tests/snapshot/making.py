"""Make the rows that are asked about: `main(FOLDER)` writes the database and its time there."""

from collections import defaultdict
from datetime import UTC, datetime, timedelta
from pathlib import Path

from django.core.management import call_command
from django.db import connection

from arena.domain.matches import record_files, records
from arena.models import GameRecord, Match, Version
from tests.integration.web import played
from tests.snapshot import cups, storing, world
from tests.snapshot.steadiness import clock

FILED = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)


def main(folder):
    """Migrate, make all rows, and keep the database with the time that it is in it."""
    call_command("migrate", verbosity=0)
    make()
    for model in (Match, Version):  # what is in work is in work at the end, too
        in_work = model.objects.exclude(lease_until=None)
        in_work.update(lease_until=clock.now + timedelta(minutes=1))
    Path(folder, storing.ROWS).unlink(missing_ok=True)
    with connection.cursor() as cursor:
        cursor.execute("VACUUM INTO %s", [str(Path(folder, storing.ROWS))])
    Path(folder, storing.NOW).write_text(clock.now.isoformat(), encoding="ascii")


def make():
    """Make all rows: users, their bots, matches, tournaments, and the files of records."""
    cups.make(world.make())
    _fill_records()
    _file_records()


def _fill_records():
    """Give a short record to every game that factories stored without one."""
    empty = records.packed(text="{}")
    rows = GameRecord.objects.filter(blob=empty).values_list("game__match__ladder__variant", "pk")
    games = defaultdict(list)
    for variant, pk in rows:
        games[variant].append(pk)
    for variant, pks in games.items():
        record = records.packed(text=played.refused_record(variant, 1).to_json())
        # By id: a database without statistics takes minutes to update through joins.
        GameRecord.objects.filter(pk__in=pks).update(blob=record)


def _file_records():
    """Make the files of records, one of them of FILED with the first match of a ladder."""
    first = Match.objects.downloadable().filter(ladder__slug="classic").order_by("pk")[:1]
    Match.objects.filter(pk__in=[match.pk for match in first]).update(finished_at=FILED)
    record_files.make_due()
