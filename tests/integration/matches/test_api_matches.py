from dataclasses import replace

from arena.models import User
from engine.record import Record, verify
from tests.integration.api import rows

RED_WORDS, BLUE_WORDS = "words of the first", "words of the second"


def test_finished_match_shows_points_games_and_rating_change(anyone):
    match = rows.finished_match()

    shown = anyone.get(f"/matches/{match.public_id}").json()

    assert shown["status"] == "finished"
    assert shown["ladder"] == "general"
    assert [row["number"] for row in shown["games"]] == [1, 2]
    assert [row["seats"] for row in shown["games"]] == [
        {"red": 0, "blue": 1},
        {"red": 1, "blue": 0},
    ]
    assert sum(row["points"] for row in shown["entrants"]) == 2
    assert [row["rating"]["expected"] for row in shown["entrants"]] == [0.5, 0.5]
    assert sum(row["rating"]["score"] for row in shown["entrants"]) == 1.0


def test_matches_are_listed_newest_first_and_filtered(anyone):
    mine = rows.ready_version()
    old = rows.finished_match(red=mine)
    new = rows.match()
    rows.claimed(new)

    def ids(query):
        return [row["id"] for row in anyone.get(f"/matches{query}").json()["results"]]

    assert ids("") == [new.public_id, old.public_id]
    assert ids(f"?bot={mine.bot}") == [old.public_id]
    assert ids(f"?bot={mine.bot}&opponent={new.entrants.first().version.bot}") == []
    assert ids("?rated=true&kind=ladder") == [new.public_id, old.public_id]
    assert ids("?rated=no") == []
    assert ids("?since=2020-01-01T00:00:00Z") == [new.public_id, old.public_id]
    assert ids("?since=2999-01-01") == []
    ended = old.games.first().termination
    assert ids(f"?termination={ended}") == [old.public_id]
    assert ids("?status=leased") == [new.public_id]
    assert ids("?ladder=general") == [new.public_id, old.public_id]
    assert ids("?ladder=classic") == []


def test_a_filter_that_makes_no_sense_is_refused(anyone):
    answer = anyone.get("/matches?bot=ada&since=then")

    assert answer.status_code == 400
    assert answer.json()["code"] == "invalid"
    assert [row["field"] for row in answer.json()["errors"]] == ["bot", "since"]


def test_a_finished_game_is_replayed_for_each_observer(anyone):
    match = rows.finished_match()
    address = f"/games/{match.public_id}/1/replay"

    for view in ("red", "blue", "public", "full"):
        shown = anyone.get(f"{address}?view={view}")
        assert shown.status_code == 200
        assert shown.json()["observer"] == view
        assert len(shown.json()["steps"]) == shown.json()["plies"]
    assert anyone.get(address).json()["observer"] == "public"


def test_unknown_view_is_refused_naming_known_ones(anyone):
    match = rows.finished_match()

    answer = anyone.get(f"/games/{match.public_id}/1/replay?view=god")

    assert answer.status_code == 400
    assert answer.json()["code"] == "unknown_view"
    assert "red, blue, public, full" in answer.json()["detail"]


def test_a_record_can_be_verified(anyone):
    match = rows.finished_match()

    record = Record.from_json(anyone.get(f"/games/{match.public_id}/2/record").content)

    verify(record)
    assert replace(record, chance=None) == rows.played_record()


def test_owner_reads_log_of_own_bot_only(signed_in):
    red, blue = rows.ready_version(), rows.ready_version()
    path = f"/games/{rows.finished_match(red, blue).public_id}/1/log"

    of_red, of_blue = (signed_in(row.bot.owner).get(path).json() for row in (red, blue))

    assert of_red == {"logs": [{"position": 0, "seat": "red", "stderr": RED_WORDS}]}
    assert of_blue == {"logs": [{"position": 1, "seat": "blue", "stderr": BLUE_WORDS}]}


def test_staff_reads_the_logs_of_both(signed_in):
    staff = User.objects.create_user("operator", is_staff=True)

    shown = signed_in(staff).get(f"/games/{rows.finished_match().public_id}/1/log").json()

    assert [row["stderr"] for row in shown["logs"]] == [RED_WORDS, BLUE_WORDS]
