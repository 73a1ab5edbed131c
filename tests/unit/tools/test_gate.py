"""`make test` leaves no test out and runs none twice for nothing."""

from tests.tree import text
from tools.gate import test_stages as stages_of_tests

SERVICES = {"DRAPEAU_TEST_POSTGRES_URL": "postgres:", "DRAPEAU_TEST_REDIS_URL": "redis:"}


def marks(command):
    return command[command.index("-m", 2) + 1]


def marks_of_stages(*, on_stores):
    return {
        stage.name: marks(stage.command)
        for stage in stages_of_tests(SERVICES)
        if bool(stage.variables) is on_stores
    }


def test_each_kind_of_test_has_one_stage():
    assert marks_of_stages(on_stores=False) == {
        "whole stack": "slow",
        "rules at length": "long",
        "suite": "not slow and not long",
    }


def test_on_the_stores_is_all_but_what_only_computes_or_needs_more_than_them():
    assert marks_of_stages(on_stores=True) == {
        "postgresql and redis": "not browser and not docker and not slow and not long",
        "workers on them": "not browser and not docker and slow",
    }


def test_the_fast_tests_leave_out_what_takes_its_time():
    recipe = text("Makefile").split("test-fast: ")[1].splitlines()[1]

    assert "not slow and not long" in recipe
