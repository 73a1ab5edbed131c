"""A runner works with a database role that can touch only what its work needs.

The factories play, validate and finish with the rights of that role in all tests on PostgreSQL.
"""

import os
from types import SimpleNamespace

import pytest
from django.core.management import CommandError, call_command
from django.db import NotSupportedError, ProgrammingError, connection, transaction
from django.db.migrations import AddField, AlterField, RemoveField, RunSQL
from django.db.migrations.executor import MigrationExecutor
from django.db.models import CharField

from arena.domain.matches import lifecycle, record_keys
from arena.management.commands import runner_role
from arena.models import Match, Notice, RecordKey, Tournament, User
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
    "SELECT * FROM arena_outgoingmail",
    # Who may do what.
    "UPDATE arena_user SET is_staff = true",
    "INSERT INTO arena_user_groups (user_id, group_id) VALUES (1, 1)",
    "INSERT INTO django_session VALUES ('a', 'b', now())",
    # What others decide, or what nobody may change any more.
    "DELETE FROM arena_match",
    "DELETE FROM arena_gamerecord",
    "UPDATE arena_gamerecord SET game_id = game_id",
    "UPDATE arena_ratingevent SET after = 4000",
    "UPDATE arena_match SET finish_number = 1",
    "UPDATE arena_ladder SET next_finish_number = 1",
    "DELETE FROM arena_ratingevent",
    "UPDATE arena_versionarchive SET version_id = version_id",
    "INSERT INTO arena_annulment DEFAULT VALUES",
    "UPDATE arena_tournament SET name = 'mine'",
    "UPDATE public.arena_tournament SET name = 'mine'",
    "UPDATE arena_recordkey SET revoked_at = NULL",
    # Columns that no work of a runner changes.
    "UPDATE arena_match SET secret = ''",
    "UPDATE arena_match SET ladder_id = ladder_id",
    "UPDATE arena_match SET annulment_id = NULL",
    "UPDATE arena_match SET release = 'public'",
    "UPDATE arena_matchentrant SET version_id = version_id",
    "UPDATE arena_game SET seats = '{}'",
    "UPDATE arena_game SET match_id = match_id",
    "UPDATE arena_version SET bot_id = bot_id",
    "UPDATE arena_versioncheck SET version_id = version_id",
    "UPDATE arena_versiontrial SET margin = 0",
    "UPDATE arena_bot SET owner_id = owner_id",
    "UPDATE arena_bot SET name = 'mine'",
    "UPDATE arena_ladder SET options = '{}'",
    "UPDATE arena_ladder SET is_open = true",
    "UPDATE arena_entrant SET bot_id = bot_id",
    "DELETE FROM arena_versioncheck",
    # The database itself.
    "CREATE TABLE mine (a int)",
    "CREATE TABLE runner.mine (a int)",
    "DROP VIEW runner.arena_user",
    "DROP FUNCTION runner.keep_arena_match",
    "DROP TRIGGER $ROLE_keeps ON arena_match",
    "ALTER TABLE arena_match DISABLE TRIGGER ALL",
    "CREATE ROLE another",
    "SET session_replication_role = replica",
]


@pytest.fixture(autouse=True)
def _only_on_postgresql():
    assert connection.vendor == "postgresql", "these tests are for the store that has roles"


def test_what_a_runner_does_not_need_is_refused():
    for statement in FORBIDDEN:
        with as_runner(), transaction.atomic(), connection.cursor() as cursor:
            with pytest.raises(ProgrammingError, match=r"permission denied|must be"):
                cursor.execute(statement.replace("$ROLE", ROLE))
            transaction.set_rollback(True)


# What would change a result, or what it rests on.
OF_FINAL_ROWS = [
    "UPDATE arena_match SET failure = 'a runner did it'",
    "UPDATE arena_match SET status = 'queued'",
    "UPDATE arena_match SET finished_at = now()",
    "UPDATE arena_matchentrant SET points = points + 1",
    "UPDATE arena_matchentrant SET points = NULL",
    """UPDATE arena_game SET outcome = '{"red": 1, "blue": 0}'""",
    "UPDATE arena_game SET status = 'created'",
    "UPDATE arena_game SET fault = 'red'",
    "UPDATE arena_version SET digest = 'other'",
    "UPDATE arena_version SET status = 'uploaded'",
    (
        "INSERT INTO arena_gamelog (game_id, position, seat, stderr)"
        " SELECT id, 0, 'x', '' FROM arena_game"
    ),
    "INSERT INTO arena_gamerecord (game_id, blob) SELECT id, '' FROM arena_game",
    (
        "INSERT INTO arena_versionbuild (version_id, image, digest, artefact)"
        " SELECT id, '', '', '' FROM arena_version"
    ),
]


@pytest.mark.parametrize(
    "end", ["NULL", "now() - interval '1 day'", "now() + interval '1 day'", "statement_timestamp()"]
)
def test_runner_ends_key_only_in_rotation(end, settings, tmp_path):
    settings.RECORD_KEY_FILE = tmp_path / "record_key"
    statement = f"UPDATE arena_recordkey SET retired_at = {end}"
    with as_runner():
        record_keys.rotate()
    assert "a runner may not change arena_recordkey" in refused(statement)

    with as_runner():
        new = record_keys.rotate()
    assert [key.retired_at is None for key in record_keys.published()] == [False, False, True]
    RecordKey.objects.exclude(pk=new.pk).delete()
    assert "a runner may not change arena_recordkey" in refused(statement)


def refused(statement):
    """Return the refusal of a statement of a runner, or nothing."""
    with as_runner():
        try:
            with transaction.atomic(), connection.cursor() as cursor:
                cursor.execute(statement)
                assert cursor.rowcount > 0  # it met the rows that it is about
        except ProgrammingError as error:
            return str(error)
    return ""


def test_a_runner_cannot_change_what_is_final():
    factories.play_out(factories.make_match(), [1.0, 0.0])
    answers = {statement: refused(statement) for statement in OF_FINAL_ROWS}
    assert [
        statement
        for statement, answer in answers.items()
        if "a runner may not change arena_" not in answer
    ] == []


@pytest.mark.parametrize("end", ["cancelled", "failed"])
def test_a_match_without_a_result_stays_without_one(end):
    match = factories.make_begun_match()
    if end == "cancelled":
        lifecycle.cancel(match=match, reason="a test")
    else:
        Match.objects.filter(pk=match.pk).update(status="failed", failure="a test", lease_token="")
    for statement in (
        "UPDATE arena_match SET status = 'finished', finished_at = now()",
        "UPDATE arena_match SET failure = 'another'",
        "UPDATE arena_game SET status = 'finished', termination = 'crash'",
        "UPDATE arena_matchentrant SET points = 2",
    ):
        assert "a runner may not change arena_" in refused(statement)


def test_waiting_match_gets_no_results_before_taken():
    factories.make_match()
    finish = "UPDATE arena_game SET status = 'finished', termination = 'crash'"
    assert "its match is not being played" in refused(finish)
    assert "stored once" in refused("UPDATE arena_matchentrant SET points = 2")


def test_same_changes_allowed_while_match_is_played():
    match = factories.make_begun_match()
    for statement in (
        "UPDATE arena_game SET status = 'finished', termination = 'crash', outcome = '{}'",
        "UPDATE arena_match SET failure = 'a note'",
        "UPDATE arena_version SET crash_streak = 1, paused_at = now()",
    ):
        assert refused(statement) == ""
    assert Match.objects.get(pk=match.pk).failure == "a note"


def test_the_site_itself_may_correct_what_is_final():
    match = factories.make_match()
    factories.play_out(match, [1.0, 0.0])
    assert Match.objects.filter(pk=match.pk).update(failure="corrected") == 1
    assert match.games.update(detail="corrected") == 2


def test_failed_attempt_resets_games_with_runner_rights():
    match = factories.make_match()
    lease = factories.claim(match)
    lifecycle.begin_game(lease=lease, game=match.games.get(number=1))
    Match.objects.filter(pk=match.pk).update(attempt=99)
    with as_runner():
        lifecycle.void_attempt(lease=lease, reason="a test")
    match.refresh_from_db()
    assert (match.status, match.games.get(number=1).status) == ("failed", "created")


def columns_of(table):
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT column_name FROM information_schema.column_privileges WHERE grantee = %s"
            " AND table_schema = 'public' AND table_name = %s AND privilege_type = 'UPDATE'",
            [ROLE, table],
        )
        return {name for (name,) in cursor.fetchall()}


def test_no_table_can_be_changed_as_a_whole():
    for model in runner_role.RIGHTS:
        meta = model._meta
        fields = runner_role.CHANGES.get(model, "").split()
        wanted = {field.column for field in meta.concrete_fields if field.name in fields}
        assert columns_of(meta.db_table) == wanted
        assert meta.pk.column not in wanted


def views():
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM pg_views WHERE schemaname = 'runner'")
        return cursor.fetchone()[0]


def test_waiting_migration_finds_no_view_in_way(monkeypatch):
    alter = "ALTER TABLE public.arena_user ALTER COLUMN username TYPE varchar(200)"
    with pytest.raises(NotSupportedError, match="used by a view"), transaction.atomic():
        run(alter)
    monkeypatch.delenv(runner_role.PASSWORD)  # it needs none for that
    let_wait(monkeypatch, AlterField("User", "username", CharField(max_length=200)))
    call_command("runner_role", role=ROLE, before_migrate=True)
    run(alter)
    assert views() == 0
    monkeypatch.setenv(runner_role.PASSWORD, "renewed")
    call_command("runner_role", role=ROLE, verbosity=0)
    assert views() == len(runner_role.VIEWS)


def let_wait(monkeypatch, *operations):
    step = SimpleNamespace(operations=operations)
    monkeypatch.setattr(MigrationExecutor, "migration_plan", lambda *_: [(step, False)])


@pytest.mark.parametrize(
    "operations",
    [
        (),
        (
            AddField("Bot", "motto", CharField(default="", max_length=9)),
            RemoveField("Game", "take"),
        ),
    ],
    ids=["none waits", "of other tables"],
)
def test_runners_keep_views_if_no_migration_changes_them(monkeypatch, operations):
    let_wait(monkeypatch, *operations)
    call_command("runner_role", role=ROLE, before_migrate=True)
    assert views() == len(runner_role.VIEWS)


def test_first_migration_finds_nothing_to_drop(monkeypatch):
    let_wait(monkeypatch, RunSQL("SELECT 1"))
    monkeypatch.setattr(runner_role, "SCHEMA", "nowhere")
    call_command("runner_role", before_migrate=True)
    assert views() == len(runner_role.VIEWS)


def run(statement):
    with connection.cursor() as cursor:
        cursor.execute(statement)


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


def test_runner_cannot_compute_chance_of_tournament():
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


def test_right_taken_off_list_revoked_from_role(monkeypatch):
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
