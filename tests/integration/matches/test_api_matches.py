import base64

from arena.models import User
from tests import factories
from tests.integration.api import rows
from tests.integration.web.played import SECRET


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
    mine = factories.make_ready()
    old = rows.finished_match(red=mine)
    new = rows.match()
    factories.claim(new)

    def ids(query):
        return [row["id"] for row in anyone.get(f"/matches{query}").json()["results"]]

    assert ids("") == [new.public_id, old.public_id]
    assert ids(f"?bot={mine.bot}&rated=true&kind=ladder&ladder=general") == [old.public_id]
    assert ids("?status=leased&since=2020-01-01T00:00:00Z") == [new.public_id]
    assert ids(f"?termination={old.games.first().termination}") == [old.public_id]


def test_a_filter_that_makes_no_sense_is_refused(anyone):
    answer = anyone.get("/matches?bot=ada&since=then")

    assert answer.status_code == 400
    assert answer.json()["code"] == "invalid"
    assert [row["field"] for row in answer.json()["errors"]] == ["bot", "since"]


def test_a_finished_game_has_a_story(anyone):
    match = rows.finished_match()

    told = anyone.get(f"/games/{match.public_id}/1/story").json()

    plies = anyone.get(f"/games/{match.public_id}/1/replay").json()["plies"]
    assert [moment["ply"] for moment in told["moments"]] == [*range(plies + 1)]
    assert {*told["moments"][0]["hidden_bits"]} == {*told["seats"]} == {"red", "blue"}


def test_a_finished_game_is_replayed_for_each_observer(anyone):
    match = rows.finished_match()
    address = f"/games/{match.public_id}/1/replay"

    for view in ("red", "blue", "public", "full"):
        shown = anyone.get(f"{address}?view={view}")
        assert shown.status_code == 200
        assert shown.json()["observer"] == view
        assert len(shown.json()["steps"]) == shown.json()["plies"]
    assert anyone.get(address).json()["observer"] == "public"
    refused = anyone.get(f"{address}?view=god")
    assert (refused.status_code, refused.json()["code"]) == (400, "unknown_view")
    assert "red, blue, public, full" in refused.json()["detail"]


def test_owner_reads_own_log_and_staff_both(signed_in):
    red, blue = factories.make_ready(), factories.make_ready()
    path = f"/games/{rows.finished_match(red, blue).public_id}/1/log"
    staff = User.objects.create_user("operator", is_staff=True)

    told = [signed_in(who).get(path).json() for who in (red.bot.owner, blue.bot.owner, staff)]

    of_red = {"position": 0, "seat": "red", "stderr": f"{SECRET} 0"}
    of_blue = {"position": 1, "seat": "blue", "stderr": f"{SECRET} 1"}
    assert told == [{"logs": [of_red]}, {"logs": [of_blue]}, {"logs": [of_red, of_blue]}]


ASKED = "the view of "  # and whose
SAID = b"\xff<script>"


def test_owner_reads_evidence_of_own_bot_only(signed_in):
    match = rows.finished_match()
    game = match.games.get(number=1)
    for seat in game.seats:  # both bots failed at once
        factories.make_evidence(game, seat, signal=9)

    for seat, position in game.seats.items():
        caller = signed_in(match.entrants.get(position=position).version.bot.owner)
        told = caller.get(f"/games/{match.public_id}/1/evidence").json()

        assert told == {
            "evidence": [
                {
                    "position": position,
                    "seat": seat,
                    "request": f"{ASKED}{seat}\\n",
                    "received": f"0000  {SAID.hex(' '):<48} .<script>",
                    "request_base64": base64.b64encode(f"{ASKED}{seat}\n".encode()).decode(),
                    "received_base64": base64.b64encode(SAID).decode(),
                    "charged_ms": 1.5,
                    "allowance_ms": 5000.0,
                    "wall_ms": 2.5,
                    "cpu_ms": None,
                    "peak_memory_bytes": None,
                    "exit_status": None,
                    "signal": 9,
                }
            ]
        }
        assert caller.get(f"/games/{match.public_id}/2/evidence").json() == {"evidence": []}
