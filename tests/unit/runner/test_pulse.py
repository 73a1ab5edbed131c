"""How often a runner renews the lease of a match while it plays."""

import pytest

from arena.runner import play


@pytest.mark.parametrize("lease_s", [6, 60])
def test_lease_renewed_twelve_times_while_bot_thinks(lease_s, settings, monkeypatch):
    settings.LEASE_S = lease_s
    now_s = 0.0
    monkeypatch.setattr("arena.runner.play.time.monotonic", lambda: now_s)
    plies: list[int] = []
    pulse = play.Pulse(plies.append)

    for ply in range(6):
        pulse(ply)
        now_s += lease_s / 12
        pulse.again()
        pulse.again()
        now_s += lease_s / 12

    assert plies == [0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5]
