"""The table of the soak names what exists, and the soak reports what its jobs did."""

import os
import re
import subprocess
import sys
from importlib.util import find_spec
from types import SimpleNamespace

import pytest

from tests.conftest import pytest_collection_modifyitems
from tests.soak.__main__ import ROOT, run_all
from tests.soak.jobs import JOBS, SEED, Job

MARKED = r"@pytest\.mark\.soak|\[.*pytest\.mark\.soak\b.*\]"  # a test, a case of one, or a file
KEPT = r"@pytest\.mark\.kept\("  # a test some of whose cases are for the soak


@pytest.mark.parametrize("job", JOBS, ids=lambda job: job.name)
def test_every_job_names_a_module_that_runs_or_tests_that_are_marked(job):
    module, *arguments = job.command
    if module != "pytest":
        found = find_spec(f"{module}.__main__") if is_package(module) else find_spec(module)
        assert found is not None
        return
    mark = KEPT if "soak and kept" in arguments else MARKED
    paths = [ROOT / argument for argument in arguments if argument.startswith("tests")]
    assert paths != []
    for path in paths:
        files = path.rglob("test_*.py") if path.is_dir() else [path]
        assert any(re.search(mark, file.read_text()) for file in files), path


def is_package(module):
    spec = find_spec(module)
    return spec is not None and spec.submodule_search_locations is not None


class Case:
    """A case of a test that keeps those whose ids are like a pattern."""

    nodeid = "tests/test_one.py::test_one[any]"

    def __init__(self, name, *patterns):
        self.callspec = SimpleNamespace(id=name)
        self.kept = pytest.mark.kept(*patterns).mark
        self.marks = []

    def get_closest_marker(self, _name):
        return self.kept

    def add_marker(self, name):
        self.marks.append(name)


def test_the_cases_that_a_test_does_not_keep_are_for_the_soak():
    cases = [Case(name, "siege-*", "cards") for name in ("siege-1", "cards", "classic")]

    pytest_collection_modifyitems(cases)

    assert [case.marks for case in cases] == [[], [], ["soak"]]


def test_a_test_that_keeps_a_case_that_is_not_there_is_refused():
    cases = [Case(name, "siege-*", "crads") for name in ("siege-1", "cards", "classic")]

    with pytest.raises(pytest.UsageError, match="no case is like \\['crads'\\]"):
        pytest_collection_modifyitems(cases)


def test_names_of_jobs_are_unique_and_each_says_what_it_shows():
    assert len({job.name for job in JOBS}) == len(JOBS)
    assert all(job.shows for job in JOBS)


def test_a_job_gets_its_seed_and_as_much_as_its_minutes_allow():
    job = Job("one", "nothing", ("some", "--seed", "{seed}", "--games", "{amount}"), 100, 7)

    assert job.line(5, 2)[1:] == ["-m", "some", "--seed", "5", "--games", "200"]
    assert job.line(5, 0)[-1] == "7"
    assert Job("one", "nothing", ("{amount}",), 0.4, 0).line(5, 1)[-1] == "0.4"


def test_the_smallest_job_runs_for_real():
    command = [sys.executable, "-m", "tests.soak", "--only", "formats", "--minutes", "0"]
    done = subprocess.run(
        [*command, "--seed", "3"], check=False, cwd=ROOT, capture_output=True, text=True
    )

    assert done.returncode == 0, done.stdout
    row = re.search(r"^formats +3 +\d+  passed +(.+)$", done.stdout, re.MULTILINE)
    assert row is not None, done.stdout
    assert re.fullmatch(r"14 tournaments, \d+ meetings, 0 breaches", row[1])


def test_a_job_that_fails_stops_no_other_and_makes_the_status_1(capsys, tmp_path, monkeypatch):
    (tmp_path / "failing.py").write_text(
        "print('Figures: 3 games, 1 failure')\nraise SystemExit(4)"
    )
    (tmp_path / "seeing.py").write_text(
        f"import os\nprint('Figures: seed', os.environ['{SEED}'])\nprint('== 2 passed in 0.10s ==')"
    )
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(tmp_path), str(ROOT)]))
    jobs = [Job("first", "it fails", ("failing",)), Job("second", "it runs", ("seeing",))]

    assert run_all(jobs, 5, 1.0) == 1

    rows = capsys.readouterr().out.rpartition("\n\n")[2].splitlines()
    assert [re.split(r" {2,}", row)[0] for row in rows] == ["job", "first", "second"]
    assert rows[1].endswith("FAILED (4)   3 games, 1 failure")
    assert rows[2].endswith("passed       seed 5; 2 passed in 0.10s")


def test_jobs_without_a_given_seed_get_one_each(capsys, tmp_path, monkeypatch):
    (tmp_path / "quiet.py").write_text("")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(tmp_path), str(ROOT)]))

    assert run_all([Job(name, "nothing", ("quiet",)) for name in "abcdef"], None, 1.0) == 0

    rows = capsys.readouterr().out.rpartition("\n\n")[2].splitlines()[1:]
    assert len({row.split()[1] for row in rows}) > 1
    assert all(row.endswith("none") for row in rows)
