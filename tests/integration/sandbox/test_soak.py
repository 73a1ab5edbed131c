"""A few matches of the soak; the long run is `python -m tests.sandbox.soak`."""

import pytest

from tests.sandbox import soak

MATCHES = 8


@pytest.mark.docker
def test_matches_leave_nothing_behind(tmp_path, monkeypatch):
    monkeypatch.setattr(soak, "TELL_EVERY", MATCHES // 2)
    told: list[str] = []
    soaked = soak.soak(MATCHES, tmp_path / "run", told.append)

    assert soaked.left == {}
    assert (soaked.before["containers"], soaked.before["processes"]) == (set(), set())
    assert len(soaked.match_s) == MATCHES
    assert len(told) == 2
    assert "'containers': 0" not in told[0]  # what is counted is there to be counted
