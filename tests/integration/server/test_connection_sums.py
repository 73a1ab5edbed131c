"""The warning about more connections than the database allows."""

import pytest
from django.core import checks
from django.core.management import call_command
from django.db import connection

from arena.domain.queue import runner_figures
from arena.models import RunnerFigures

pytestmark = pytest.mark.django_db


def allowed():
    with connection.cursor() as cursor:
        cursor.execute("SHOW max_connections")
        return int(cursor.fetchone()[0])


def warnings():
    found = checks.run_checks(tags=[checks.Tags.database], databases=["default"])
    return [warning for warning in found if warning.id == "arena.W002"]


@pytest.fixture
def _full(settings):
    """Make the sum exactly what the database allows: the rest is for operators."""
    settings.WORKERS, settings.MATCH_SLOTS, settings.WEB_PROCESSES = 2, 2, 1
    settings.REQUESTS_AT_ONCE = allowed() - 10 - 3 - 2 - 5 - 2


@pytest.mark.usefixtures("_full")
def test_connection_sum_warns_only_when_it_exceeds_limit(settings):
    assert warnings() == []

    settings.WORKERS += 1

    (warning,) = warnings()
    most = allowed()
    assert warning.msg == (
        f"The processes of this site may open {most - 9} connections to the database"
        f" (web {most - 20}, worker 4, mail 2, runners 5), and PostgreSQL has {most - 10} for them:"
        f" max_connections is {most}, and 10 stay for operators."
    )
    assert "DRAPEAU_WORKERS" in warning.hint


@pytest.mark.usefixtures("_full")
def test_runners_of_other_hosts_count_once_they_report():
    for name in ("one", "other"):
        runner_figures.report(runner=name, slots=2, busy=0, launcher=None)
    assert "runners 10)" in warnings()[0].msg

    RunnerFigures.objects.filter(runner="other").delete()

    assert warnings() == []


@pytest.mark.usefixtures("_full")
def test_migrating_service_says_so_in_log(settings, caplog):
    settings.WEB_PROCESSES = 2
    settings.SILENCED_SYSTEM_CHECKS = ["templates.E002"]  # tests look for names that are missing

    call_command("prepare_database")

    assert "arena.W002" in caplog.text
    assert "Raise max_connections" in caplog.text
