"""A runner works with a database role that can touch only what its work needs.

The factories play, validate and finish with the rights of that role in all tests on PostgreSQL.
"""

import os

import pytest
from django.core.management import CommandError, call_command
from django.db import ProgrammingError, connection, transaction

from arena.management.commands import runner_role
from arena.models import Notice, Tournament, User
from tests import factories
from tests.database_role import ROLE, as_runner
from tests.integration.tournaments import making

pytestmark = pytest.mark.django_db

FORBIDDEN = [
    # What is secret of users.
    "SELECT password FROM public.arena_user",
    "SELECT * FROM public.arena_user",
    "SELECT secret FROM public.arena_tournament",
    "SELECT * FROM arena_apitoken",
    "SELECT * FROM django_session",
    "SELECT * FROM account_emailaddress",
    "SELECT * FROM arena_staffaction",
    "SELECT * FROM arena_idempotencykey",
    # Who may do what.
    "UPDATE arena_user SET is_staff = true",
    "INSERT INTO arena_user_groups (user_id, group_id) VALUES (1, 1)",
    "INSERT INTO django_session VALUES ('a', 'b', now())",
    # What others decide, or what nobody may change any more.
    "DELETE FROM arena_match",
    "DELETE FROM arena_gamerecord",
    "UPDATE arena_gamerecord SET game_id = game_id",
    "UPDATE arena_ratingevent SET after = 4000",
    "DELETE FROM arena_ratingevent",
    "UPDATE arena_versionarchive SET version_id = version_id",
    "INSERT INTO arena_annulment DEFAULT VALUES",
    "UPDATE arena_tournament SET name = 'mine'",
    "UPDATE public.arena_tournament SET name = 'mine'",
    "UPDATE arena_recordkey SET revoked_at = NULL",
    # The database itself.
    "CREATE TABLE mine (a int)",
    "CREATE TABLE runner.mine (a int)",
    "DROP VIEW runner.arena_user",
    "ALTER TABLE arena_match DISABLE TRIGGER ALL",
    "CREATE ROLE another",
    "SET session_replication_role = replica",
]


@pytest.fixture(autouse=True)
def _only_on_postgresql():
    assert connection.vendor == "postgresql", "these tests are for the store that has roles"


@pytest.mark.parametrize("statement", FORBIDDEN)
def test_what_a_runner_does_not_need_is_refused(statement):
    with as_runner(), transaction.atomic(), connection.cursor() as cursor:
        with pytest.raises(ProgrammingError, match=r"permission denied|must be"):
            cursor.execute(statement)
        transaction.set_rollback(True)


def test_a_runner_sees_owners_without_their_secrets():
    user = factories.make_user("ann")
    user.email = "ann@example.com"
    user.set_password("a secret")
    user.save()
    bot = factories.make_bot(user)
    with as_runner():
        seen = type(bot).objects.select_related("owner").get(pk=bot.pk).owner
        Notice.objects.create(user=seen, text="paused")
    assert (seen.username, seen.email, seen.password, seen.last_login) == ("ann", "", "", None)
    assert User.objects.get(pk=user.pk).check_password("a secret")


def test_a_runner_cannot_compute_the_chance_of_a_tournament():
    tournament = making.make_frozen(2)
    with as_runner():
        assert Tournament.objects.get(pk=tournament.pk).secret == ""
    assert len(tournament.secret) == 64


def test_every_table_without_a_right_is_refused():
    named = {model._meta.db_table for model in runner_role.RIGHTS}
    with connection.cursor() as cursor:
        tables = set(connection.introspection.table_names(cursor))
        assert named < tables
        cursor.execute(
            "SELECT table_name FROM information_schema.role_table_grants"
            " WHERE grantee = %s AND table_schema = 'public'",
            [ROLE],
        )
        assert {name for (name,) in cursor.fetchall()} == named


def test_a_right_that_was_taken_off_the_list_is_taken_from_the_role(monkeypatch):
    monkeypatch.setitem(runner_role.RIGHTS, User, runner_role.READ)
    call_command("runner_role", role=ROLE, verbosity=0)
    with as_runner(), connection.cursor() as cursor:
        cursor.execute("SELECT password FROM public.arena_user")
    monkeypatch.undo()
    os.environ[runner_role.PASSWORD] = "renewed"
    call_command("runner_role", role=ROLE, verbosity=0)
    with as_runner(), transaction.atomic(), connection.cursor() as cursor:
        with pytest.raises(ProgrammingError, match="permission denied"):
            cursor.execute("SELECT password FROM public.arena_user")
        transaction.set_rollback(True)


def test_a_role_needs_a_password(monkeypatch):
    monkeypatch.delenv(runner_role.PASSWORD)
    with pytest.raises(CommandError, match="DRAPEAU_RUNNER_DB_PASSWORD is not set"):
        call_command("runner_role", role=ROLE)
