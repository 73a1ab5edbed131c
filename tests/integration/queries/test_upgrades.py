"""A site of each release that is kept is upgraded with its rows, while its processes go on."""

import operator
from types import SimpleNamespace

import pytest
from django.core.management import call_command
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder
from django.test import Client

from arena.domain.matches import records
from arena.domain.queries import health
from arena.models import Entrant, GameRecord, Ladder, Match, MatchStatus, Tournament
from engine.record import Record, verify
from tests import database_role, factories
from tests.upgrades import databases, releases
from tests.upgrades.statements import refused

RELEASES = releases.kept()
# Those of the newest release: what no process of it sends, the next one may take away.
NEWEST = [max(RELEASES, key=releases.Release.last_migration)]
NAME = operator.attrgetter("name")
RENAMED = {"arena_lane": "arena_queueshare"}
# What `migrate` writes itself: a ladder for each new game with the bots that can play there.
GROWING = {
    "arena_entrant", "arena_ladder", "auth_permission", "django_content_type", "django_migrations",
}  # fmt: skip


@pytest.fixture(scope="module", params=RELEASES, ids=NAME)
def site(request, django_db_setup, django_db_blocker):
    """Upgrade a site of the release as the service `migrate` does; return what it had."""
    name = f"{connection.settings_dict['NAME']}_of_a_release"
    with django_db_blocker.unblock(), databases.fresh(name):
        databases.restore(request.param.dump())
        before = rows()
        upgrade()
        yield SimpleNamespace(release=request.param, before=before)


def upgrade():
    call_command("runner_role", before_migrate=True, verbosity=0)
    call_command("migrate", verbosity=0)
    database_role.make()


def rows():
    """Return how many rows each table has."""
    counts = {}
    with connection.cursor() as cursor:
        for table in connection.introspection.table_names(cursor):
            cursor.execute(f'SELECT count(*) FROM "{table}"')
            counts[table] = cursor.fetchone()[0]
    return counts


def test_no_row_is_lost(site, db):
    after = rows()

    assert sum(site.before.values()) > 500
    for table, count in site.before.items():
        found = after[RENAMED.get(table, table)]
        assert found >= count if table in GROWING else found == count, table


def test_the_ratings_are_those_of_the_matches(site, db):
    call_command("rerate", check=True)


def test_the_records_verify(site, db):
    """Those of games that programs played, which have a clock; rows of tests have none."""
    texts = {records.unpacked(blob=bytes(row.blob)) for row in GameRecord.objects.all()}
    played = [record for record in map(Record.from_json, texts) if record.clock]

    assert len(played) > 1
    for record in played:
        verify(record)


def test_the_pages_of_what_is_old_answer(site, db):
    states = {match.status: match for match in Match.objects.all()}
    cups = Tournament.objects.filter(slug="cup-completed")
    addresses = [
        *(f"/matches/{match.public_id}/" for match in states.values()),
        *(f"/ladders/{ladder.slug}/" for ladder in Ladder.objects.all()),
        *(f"/tournaments/{cup.slug}/" for cup in cups),
    ]

    assert {MatchStatus.FINISHED, MatchStatus.RUNNING, MatchStatus.QUEUED} <= states.keys()
    answers = {address: Client().get(address, secure=True).status_code for address in addresses}
    assert {address: status for address, status in answers.items() if status != 200} == {}


def test_its_bots_play_on(site, db):
    entrants = Entrant.objects.filter(ladder__slug="classic", active=True).order_by("pk")
    first, second = (entrant.version for entrant in entrants.select_related("version")[:2])

    assert factories.play_out(factories.make_match(first, second), (1.0, 0.5))
    call_command("rerate", check=True)


@pytest.mark.parametrize("site", NEWEST, indirect=True, ids=NAME)
def test_the_processes_of_the_release_go_on(site, db):
    statements = site.release.statements()

    assert sum(each.of_runner for each in statements) > 50
    assert refused(statements) == {}


def test_an_earlier_release_starts_on_the_tables_of_a_later_one(site, db):
    """Its `migrate` knows nothing of the later migrations, and leaves them alone."""
    recorder = MigrationRecorder(connection)
    recorder.record_applied("arena", "9999_of_a_later_release")

    upgrade()

    assert health.missing_migrations() == 0
    assert ("arena", "9999_of_a_later_release") in recorder.applied_migrations()


@pytest.mark.parametrize("site", NEWEST, indirect=True, ids=NAME)
def test_the_tables_of_the_release_come_back_with_their_rows(site, django_db_blocker):
    with django_db_blocker.unblock():
        call_command("runner_role", before_migrate=True, verbosity=0)
        call_command("migrate", "arena", site.release.last_migration(), verbosity=0)
        call_command("migrate", "socialaccount", "zero", verbosity=0)  # no release has it yet
        back = rows()
        wrong = refused([each for each in site.release.statements() if not each.of_runner])
        upgrade()

    assert wrong == {}
    assert back.keys() == site.before.keys()
    assert {table: count for table, count in back.items() if table not in GROWING} == {
        table: count for table, count in site.before.items() if table not in GROWING
    }
