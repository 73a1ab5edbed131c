"""What is kept of a release: the statements of its processes, and a dump of its database."""

from django.db import connection

from tests import factories
from tests.upgrades import databases
from tests.upgrades.statements import Notes, refused


def test_statements_are_noted_once_with_their_sender(db):
    notes = Notes()
    with notes.taken():
        ready = [factories.make_ready() for _ in range(2)]
        factories.play_out(factories.make_match(*ready), (1.0, 0.5))
    statements = notes.statements()

    def senders(beginning):
        return [each.of_runner for each in statements if each.sql.startswith(beginning)]

    assert refused(statements) == {}
    assert senders('INSERT INTO "arena_version" ') == [False]
    assert senders('INSERT INTO "arena_ratingevent" ') == [True]


def test_a_dump_brings_back_its_rows(django_db_setup, django_db_blocker):
    name = f"{connection.settings_dict['NAME']}_of_a_dump"
    text = "50 %s of it, 'quoted' \\ and\n\\restrict me\nmore"
    with django_db_blocker.unblock():
        with databases.fresh(name), connection.cursor() as cursor:
            cursor.execute("CREATE TABLE kept (words text)")
            cursor.execute("INSERT INTO kept VALUES (%s)", [text])
            script = databases.dumped()
        with databases.fresh(name):
            databases.restore(script)
            with connection.cursor() as cursor:
                cursor.execute("SELECT words FROM kept")
                found = cursor.fetchall()

    assert found == [(text,)]
