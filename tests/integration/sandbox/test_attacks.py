"""Hostile bots meet their verdict, harm nobody, and leave nothing behind."""

import pytest

from sandbox.levels.isolation import choose
from tests.sandbox.attack import cases, match, verdict


def at(level):
    return pytest.mark.parametrize("case", cases.cases(level), ids=lambda case: case.name)


@pytest.mark.docker
@pytest.mark.usefixtures("nothing_stays")
@at("docker")
def test_bot_in_a_container_meets_its_verdict(case, docker, tmp_path):
    assert verdict.complaints(case, match.fight(case, docker, tmp_path)) == []


@pytest.mark.services
@at("bubblewrap")
def test_bot_in_bubblewrap_meets_its_verdict(case, tmp_path):
    assert verdict.complaints(case, match.fight(case, choose("bubblewrap"), tmp_path)) == []


@at("process")
def test_bot_in_a_plain_process_meets_its_verdict(case, process, tmp_path):
    assert verdict.complaints(case, match.fight(case, process, tmp_path)) == []
