"""`make test` leaves no test out and runs none twice for nothing."""

import pytest

from tests.tree import ours
from tools.gate import service_stages, unit_stages

SERVICES = {"DRAPEAU_TEST_POSTGRES_URL": "postgres:", "DRAPEAU_TEST_REDIS_URL": "redis:/0"}
STAGES = unit_stages() + service_stages(SERVICES)


def is_run(stage, name, marks):
    """Return whether a stage runs a test in the file `name` that has the marks."""
    command = stage.command
    folders = [word for word in command if word.startswith(("tests/", "engine/"))]
    wanted = command[command.index("-m", 2) + 1]
    known = {mark: mark in marks for mark in ("soak", "alone", "every_store", "browser")}
    inside = any(name.startswith(f"{folder}/") for folder in folders)
    return inside and bool(eval(wanted, {}, known))


def stages_of(name, *marks):
    return [stage.name for stage in STAGES if is_run(stage, name, marks)]


def test_every_file_of_tests_has_one_stage_and_the_soak_none():
    files = [name for name in ours(".py") if name.rpartition("/")[2].startswith("test_")]
    tested = [name for name in files if not name.startswith("bots/")]

    assert len(tested) > 200
    assert [name for name in tested if len(stages_of(name)) != 1] == []
    assert [name for name in tested if stages_of(name, "soak")] == []


@pytest.mark.parametrize(
    ("marks", "stages"),
    [
        ([], ["integration"]),
        (["alone"], ["integration, alone"]),
        (["every_store"], ["integration", "on SQLite"]),
    ],
)
def test_what_depends_on_the_store_runs_on_both(marks, stages):
    assert stages_of("tests/integration/matches/test_leases.py", *marks) == stages


def test_tests_with_rows_have_the_stores_and_those_for_sqlite_do_not():
    on_stores = [stage.name for stage in STAGES if stage.variables]

    assert on_stores == ["integration", "integration, alone"]
