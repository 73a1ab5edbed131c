"""What stands in the log of a tournament stands there for good, whatever asks the database."""

import pytest
from django.db import DatabaseError, IntegrityError, connection, transaction
from django.db.models import QuerySet
from django.forms import model_to_dict

from arena.domain.tournaments import log
from arena.models import AppendOnly, TournamentLogEntry
from tests.integration.tournaments import rows

pytestmark = [pytest.mark.django_db, pytest.mark.every_store]
TABLE = TournamentLogEntry._meta.db_table


@pytest.fixture
def entry():
    return log.write(tournament=rows.make_tournament(0), action="opened", reason="as it was")


def run(statement):
    with connection.cursor() as cursor:
        cursor.execute(statement)


def same_key(entry, **columns):
    """Return a row that nobody has read and that has the key of one that is there."""
    return TournamentLogEntry(
        pk=entry.pk,
        tournament=entry.tournament,
        action="released",
        revision=9,
        is_rehearsal=False,
        **columns,
    )


def put_over(entry):
    TournamentLogEntry.objects.bulk_create(
        [same_key(entry)],
        update_conflicts=True,
        update_fields=["action"],
        unique_fields=["id"],
    )


WAYS_OF_THE_APPLICATION = {
    "save": lambda entry: entry.save(),
    "delete": lambda entry: entry.delete(),
    "update": lambda _entry: TournamentLogEntry.objects.update(reason="otherwise"),
    "delete all": lambda entry: entry.tournament.log.all().delete(),
    "bulk update": lambda entry: TournamentLogEntry.objects.bulk_update([entry], ["reason"]),
    "put over": put_over,
}
WAYS_PAST_IT = {
    "same key": lambda entry: same_key(entry).save(),
    "base manager": lambda _entry: TournamentLogEntry._base_manager.update(reason="otherwise"),
    "plain delete": lambda _entry: QuerySet(TournamentLogEntry).delete(),
    "called a rehearsal's": lambda _entry: QuerySet(TournamentLogEntry).update(is_rehearsal=True),
    "SQL": lambda _entry: run(f"UPDATE {TABLE} SET reason = 'otherwise'"),
    "deleting SQL": lambda _entry: run(f"DELETE FROM {TABLE}"),
}


def stays(entry, way, refusal):
    before = model_to_dict(TournamentLogEntry.objects.get())

    with pytest.raises(refusal) as refused, transaction.atomic():
        way(entry)

    assert model_to_dict(TournamentLogEntry.objects.get()) == before
    return str(refused.value)


@pytest.mark.parametrize("way", WAYS_OF_THE_APPLICATION)
def test_the_application_offers_no_way(entry, way):
    said = stays(entry, WAYS_OF_THE_APPLICATION[way], AppendOnly)

    assert "never" in said


@pytest.mark.parametrize("way", WAYS_PAST_IT)
def test_the_database_lets_nobody_past_the_application(entry, way):
    said = stays(entry, WAYS_PAST_IT[way], IntegrityError)

    assert ("never changed" in said) == (way != "same key")


def test_rehearsal_log_is_never_changed_and_may_go(entry):
    trial = rows.make_tournament(0, rehearsal_of=entry.tournament)
    log.write(tournament=trial, action="opened")

    with pytest.raises(DatabaseError), transaction.atomic():
        run(f"UPDATE {TABLE} SET reason = 'otherwise' WHERE is_rehearsal")
    QuerySet(TournamentLogEntry).filter(tournament=trial).delete()

    assert TournamentLogEntry.objects.get() == entry
