"""The gate tries failed tests once more, and only what fails again fails it."""

import sys

import pytest

from tools.gate import Gate, Stage, stages_of_tests

PYTEST = (sys.executable, "-m", "pytest", "-q", "-r", "fEs")
OPTIONS = ("-p", "xdist", "-p", "randomly", "-c", "pytest.ini")

STABLE = "def test_stable(): pass\n"
LUCKY = """
from pathlib import Path

def test_lucky():
    seen = Path("seen")
    was_there = seen.exists()
    seen.touch()
    assert was_there
"""
BROKEN = "def test_broken(): assert False\n"


@pytest.fixture
def gate(tmp_path, monkeypatch, capfd):
    """Return a function that runs a stage of tests with this text: the status and what it said."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("PYTEST_XDIST_WORKER", raising=False)
    monkeypatch.delenv("PYTEST_ADDOPTS", raising=False)  # such as those of `make coverage`
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")  # the others take seconds to start
    (tmp_path / "pytest.ini").write_text("[pytest]\n")

    def run(*texts, processes="0"):
        for number, text in enumerate(texts):
            (tmp_path / f"test_{number}.py").write_text(text)
        command = (*PYTEST, *OPTIONS, "-n", processes, ".", "-m", "not soak")
        status = Gate().run([Stage("small", command)])
        return status, capfd.readouterr().out.splitlines()

    return run


def test_failing_twice_fails_gate_and_says_repeat_command(gate):
    status, said = gate(STABLE, LUCKY, BROKEN)

    assert status == 1
    assert said[-6:-1] == [
        "failed: test_2.py::test_broken",
        "log: var/gate/small-second-try.log",
        "repeat: make test ARGS='--only small test_2.py::test_broken'",
        "unstable: 1",
        "unstable: test_1.py::test_lucky",
    ]
    assert said[-1].startswith("2 passed, 1 failed in ")


def test_gate_stops_at_fault_and_names_it_last(gate, capfd):
    stages = [
        Stage("good", ("sh", "-c", "echo $WHAT"), {"WHAT": "handed down"}),
        Stage("bad", ("sh", "-c", "exit 7")),
        Stage("unreached", ("echo", "three")),
    ]

    status = Gate().run(stages)

    said = capfd.readouterr().out.splitlines()
    assert status == 1
    assert "handed down" in said
    assert "three" not in said
    assert said[-5:-2] == [
        "failed: bad",
        "log: var/gate/bad.log",
        "repeat: make test ARGS='--only bad'",
    ]


def test_stores_handed_to_stages_with_rows_not_sqlite():
    urls = {"DRAPEAU_TEST_POSTGRES_URL": "postgres://a", "DRAPEAU_TEST_REDIS_URL": "redis://b/0"}
    stores = {
        "DATABASE_URL": "postgres://a",
        "DRAPEAU_BROKER_URL": "redis://b/0",
        "DRAPEAU_CACHE_URL": "redis://b/1",
    }

    stages = stages_of_tests(urls, is_all=True)

    assert {stage.name: stage.variables for stage in stages if stage.variables} == {
        "integration": stores,
        "integration, slow": stores,
        "integration, alone": stores,
    }
