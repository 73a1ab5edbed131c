"""Indexes of tables that grow are built while the site goes on, and once more after a failure."""

import pytest
from django.core.management import call_command
from django.db import connection

from arena.models import GameLog, Match
from tests import database_role

pytestmark = pytest.mark.django_db(transaction=True)

INDEX, DROPPED = "log_written", "match_ladder_finish"


@pytest.fixture(autouse=True)
def _views_of_runners():
    """Make the views again: the way back drops columns, and with them the views that show them."""
    yield
    database_role.make()


def indexes(model=GameLog):
    with connection.cursor() as cursor:
        return connection.introspection.get_constraints(cursor, model._meta.db_table)


def migrate_again(*, fake, target="0022", before="0021"):
    """Go back and forward again; with `fake`, only the target itself runs."""
    call_command("migrate", "arena", before, fake=fake, verbosity=0)
    found = indexes(), indexes(Match)
    call_command("migrate", "arena", target, verbosity=0)
    call_command("migrate", fake=fake, verbosity=0)
    return INDEX in found[0], DROPPED in found[1]


@pytest.mark.every_store
def test_they_go_and_come_back():
    assert migrate_again(fake=False) == (False, True)
    assert INDEX in indexes()


@pytest.mark.every_store
def test_an_index_that_is_there_stays():
    assert migrate_again(fake=True)[0]
    assert INDEX in indexes()


@pytest.mark.every_store
def test_one_that_is_dropped_comes_back_on_the_way_back_and_may_be_gone_already():
    assert migrate_again(fake=False, target="0025", before="0024") == (True, True)
    assert DROPPED not in indexes(Match)
    assert migrate_again(fake=True, target="0025", before="0024") == (True, False)
    assert DROPPED not in indexes(Match)


def test_what_an_interrupted_build_left_is_built_again():
    """PostgreSQL alone leaves something: an index that it keeps up to date and does not use."""
    with connection.cursor() as cursor:
        which = "WHERE indexrelid = to_regclass(%s)"
        cursor.execute(f"UPDATE pg_index SET indisvalid = false {which}", [INDEX])
        migrate_again(fake=True)
        cursor.execute(f"SELECT indisvalid FROM pg_index {which}", [INDEX])
        found = cursor.fetchall()

    assert found == [(True,)]
