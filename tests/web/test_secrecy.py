"""What a page may not tell, it does not hold: neither in sight nor in its source."""

import json
import re

import pytest

from arena.domain import replays
from arena.models import VersionCheck
from engine import registry
from tests.factories import make_upload, make_user
from tests.web.played import SECRET, finished_match, players_of

pytestmark = pytest.mark.django_db

LOG = "traceback: the owner's own secret path"


def faces(svg, side):
    """Give the faces that a picture shows of a side; a back is no face."""
    pieces = re.findall(rf'class="piece side-{side}[^>]*>.*?href="#face-(\w+)"', svg)
    return [face for face in pieces if face != "back"]


def board(client, match, view, ply=0):
    text = client.get(f"{match.get_absolute_url()}games/1/", {"ply": ply, "view": view}).content
    return re.findall(r'<svg[^>]* class="board".*?</svg>', text.decode(), re.DOTALL)[0]


def state_at(game, ply):
    """Play a recorded game up to a ply."""
    record = replays.record(game=game)
    variant = registry.find(record["variant"])
    state = variant.begin(record["options"], record["rng_seed"])
    for played in record["actions"]:
        if variant.phase(state) == "turn" and variant.ply(state) == ply:
            break
        variant.apply(state, played["seat"], played["action"])
    return state, variant


@pytest.mark.parametrize(
    ("view", "seen"),
    [
        ("red", (24, 0)),
        ("blue", (0, 24)),
        ("public", (0, 0)),
        ("full", (24, 24)),
    ],
)
def test_first_picture_shows_only_what_its_observer_knows(client, view, seen):
    picture = board(client, finished_match(), view)

    assert (len(faces(picture, "red")), len(faces(picture, "blue"))) == seen


@pytest.mark.parametrize("seat", ["red", "blue"])
@pytest.mark.parametrize("ply", [1, 20, 45, 90])
def test_picture_of_a_seat_shows_the_faces_of_its_view_and_no_more(client, seat, ply):
    match = finished_match()
    state, variant = state_at(match.games.get(number=1), ply)
    known = {
        piece["id"]: piece["rank"] for piece in variant.view(state, seat)["pieces"] if piece["rank"]
    }

    picture = board(client, match, seat, ply)

    shown = re.findall(r'data-id="(\w+)"[^>]*><use[^>]*/><use href="#face-(\w+)"', picture)
    assert {name: face for name, face in shown if face != "back"} == known
    assert len(known) < len(shown)


def test_replay_document_of_red_hides_blue_until_it_is_known(client):
    match = finished_match()
    address = f"{match.get_absolute_url()}games/1/replay/"

    document = json.loads(client.get(address, {"view": "red"}).content)

    first = document["first"]["pieces"]
    assert {piece["face"] for piece in first if piece["side"] == "blue"} == {None}
    assert None not in {piece["face"] for piece in first if piece["side"] == "red"}
    assert document["observer"] == "red"


def test_replay_document_is_packed_only_for_who_unpacks_it(client):
    match = finished_match()
    address = f"{match.get_absolute_url()}games/1/replay/?view=public"

    packed = client.get(address, headers={"Accept-Encoding": "gzip"})
    plain = client.get(address)

    assert (packed["Content-Encoding"], plain.headers.get("Content-Encoding")) == ("gzip", None)
    assert len(packed.content) < len(plain.content) / 4
    assert "Accept-Encoding" in packed["Vary"]
    assert packed["Vary"] == plain["Vary"]


@pytest.mark.parametrize("view", ["green", "", "red,blue"])
def test_unknown_view_has_no_document(client, view):
    match = finished_match()

    response = client.get(f"{match.get_absolute_url()}games/1/replay/", {"view": view})

    assert (response.status_code, response.json()["code"]) == (404, "unknown_view")


def test_game_that_is_not_over_has_no_document(client):
    match = finished_match()
    match.games.update(status="running", outcome=None, termination="")

    response = client.get(f"{match.get_absolute_url()}games/1/replay/?view=full")

    assert (response.status_code, response.json()["code"]) == (404, "not_finished")


def test_game_log_is_for_the_owner_of_that_entrant(client):
    match = finished_match()
    address = f"{match.get_absolute_url()}games/1/"
    owner = players_of(match)[0].bot.owner
    staff = make_user("operator")
    staff.is_staff = True
    staff.save()

    seen = {}
    for who in (None, make_user("stranger"), owner, staff):
        client.logout()
        if who:
            client.force_login(who)
        text = client.get(address).content.decode()
        name = who.username if who else ""
        seen[name] = [f"{SECRET} {position}" in text for position in (0, 1)]

    assert seen == {
        "": [False, False],
        "stranger": [False, False],
        owner.username: [True, False],
        "operator": [True, True],
    }


@pytest.mark.parametrize("page", ["", "checklist/"])
def test_log_of_the_checks_is_for_the_owner_and_staff(client, page):
    version = make_upload()
    VersionCheck.objects.filter(version=version, step="protocol").update(state="failed", log=LOG)
    staff = make_user("operator")
    staff.is_staff = True
    staff.save()

    seen = []
    for who in (None, make_user("stranger"), version.bot.owner, staff):
        client.logout()
        if who:
            client.force_login(who)
        text = client.get(f"{version.get_absolute_url()}{page}").content.decode()
        seen.append("the owner&#x27;s own secret path" in text)

    assert seen == [False, False, True, True]
