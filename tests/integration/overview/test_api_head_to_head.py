"""Two bots head to head, for programs."""

from tests.integration.api import rows


def address(first, second):
    return f"/bots/{first}/vs/{second}"


def test_two_bots_head_to_head(anyone):
    red, blue = rows.ready_version(), rows.ready_version()
    match = rows.finished_match(red, blue)
    points = match.entrants.get(position=0).points

    told = anyone.get(address(red.bot, blue.bot)).json()

    assert (told["bot"], told["opponent"]) == (str(red.bot), str(blue.bot))
    assert (told["challenges"], told["is_cut"]) == ([], False)
    (on,) = told["rated"]
    assert on["ladder"] == "general"
    assert (on["record"]["games"], on["record"]["points"]) == (2, points)
    assert on["score"] == points / 2
    low, high = on["interval"]
    assert 0 <= low <= on["score"] <= high <= 1
    assert sorted(row["side"] for row in on["sides"]) == ["blue", "red"]
    (versions,) = on["versions"]
    assert (versions["version"], versions["opponent_version"]) == (1, 1)
    assert {key: versions[key] for key in on["record"]} == on["record"]
    assert len(on["form"]) == 1
