"""Hostile bots meet their verdict, harm nobody, and leave nothing behind."""

import pytest

from sandbox.levels.isolation import choose
from tests.sandbox.attack import cases, match, remains, verdict


def at(level):
    return pytest.mark.parametrize("case", cases.cases(level), ids=lambda case: case.name)


@pytest.fixture(scope="module")
def docker(tmp_path_factory):
    """The level, and after the last match a look at all run directories at once."""
    before = remains.descriptors()
    yield choose("docker")
    left = remains.of(tmp_path_factory.getbasetemp())
    left["descriptors"] = sorted(remains.descriptors() - before)
    del left["folders"]  # the run directories themselves
    assert not any(left.values()), left


@pytest.fixture(scope="module")
def bubblewrap():
    return choose("bubblewrap")


@pytest.fixture(scope="module")
def process():
    return choose("process")


@pytest.mark.docker
@at("docker")
def test_bot_in_a_container_meets_its_verdict(case, docker, tmp_path):
    assert verdict.complaints(case, match.fight(case, docker, tmp_path)) == []


@pytest.mark.services
@at("bubblewrap")
def test_bot_in_bubblewrap_meets_its_verdict(case, bubblewrap, tmp_path):
    assert verdict.complaints(case, match.fight(case, bubblewrap, tmp_path)) == []


@at("process")
def test_bot_in_a_plain_process_meets_its_verdict(case, process, tmp_path):
    assert verdict.complaints(case, match.fight(case, process, tmp_path)) == []
