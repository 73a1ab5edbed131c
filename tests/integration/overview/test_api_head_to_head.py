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


def test_a_bot_against_itself_is_refused(anyone):
    bot = rows.bot()

    answer = anyone.get(address(bot, bot))

    assert (answer.status_code, answer.json()["code"]) == (400, "same_bot")
    assert answer.json()["errors"][0]["field"] == "opponent"


def test_a_bot_that_is_not_there_is_404(anyone):
    bot = rows.bot()

    for pair in ((bot, "no/body"), ("no/body", bot)):
        assert anyone.get(address(*pair)).status_code == 404
