"""What a page may not tell, it does not hold: neither in sight nor in its source."""

import json
import re
from html import unescape
from typing import Any

import pytest

from arena.domain.matches import replays
from arena.models import User, VersionCheck
from arena.web.matches import board_text
from engine import registry
from engine.variant import FULL, PUBLIC
from tests.factories import make_evidence, make_upload, make_user
from tests.integration.web.played import SECRET, finished_match, players_of

pytestmark = pytest.mark.django_db

HIDES = ("cards", "classic", "general")
LOG = "traceback: the owner's own secret path"


def board(client, match, view, ply=0, page=""):
    address = f"{match.get_absolute_url()}games/1/{page}"
    text = client.get(address, {"ply": ply, "view": view}).content.decode()
    return re.findall(r'<svg[^>]* class="board".*?</svg>', text, re.DOTALL)[0], unescape(text)


def states(game, plies):
    """Play a recorded game and give the state at each of some plies."""
    record = replays.record(game=game)
    variant = registry.find(record["variant"])
    state = variant.begin(record["options"], record["rng_seed"])
    found: dict[int, Any] = {}
    for played in record["actions"]:
        if variant.phase(state) != "deploy" or variant.ply(state):
            found.setdefault(variant.ply(state), variant.copy(state))
        variant.apply(state, played["seat"], played["action"])
    return {ply: found[ply] for ply in plies if ply in found}


@pytest.mark.parametrize("where", ["", "embed/"])
@pytest.mark.parametrize("slug", registry.variants())
def test_page_shows_only_faces_of_its_observer(client, slug, where):
    """Pieces, notes and the board in words are those of the view, at several plies."""
    match = finished_match(ladder=slug)
    variant = registry.find(slug)
    if slug in HIDES:  # there is something that could leak
        backs = [
            board(client, match, view, page=where)[0].count(" back")
            for view in (FULL, "red", "blue")
        ]
        assert backs[0] < min(backs[1:])
    for ply, state in states(match.games.get(number=1), (0, 1, 7, 45)).items():
        for observer in (*variant.seats, PUBLIC):
            scene = variant.scene(variant.view(state, observer))

            picture, page = board(client, match, observer, ply, where)

            shown = re.findall(
                r'data-id="([^"]+)"[^>]*><use[^>]*/><use href="#face-(\w+)"', picture
            )
            assert dict(shown) == {piece.id: piece.face or "back" for piece in scene.pieces}
            notes = re.findall(r'class="note"[^>]*>([^<]+)<', picture)
            assert notes == [note.text for note in scene.notes]
            words = board_text.of(scene)
            squares = [square for rank in words.ranks for square in rank.squares if square.key]
            assert re.findall(r'data-square="[^"]+"[^>]*>([^<]*)<', page) == [
                place.text for place in (*squares, *words.places)
            ]


def test_laid_cards_are_named_to_owner_only(client):
    match = finished_match(ladder="cards")
    notations = {
        view: [
            step["text"] for step in document(client, match, view)["steps"] if "=" in step["text"]
        ]
        for view in ("red", "blue", PUBLIC)
    }

    assert all(text.endswith("=?") for text in notations[PUBLIC])
    laid = zip(notations["red"], notations["blue"], notations[PUBLIC], strict=True)
    assert [sum(text != told for text in (red, blue)) for red, blue, told in laid] == [
        1 for _ in notations[PUBLIC]
    ]
    assert notations[PUBLIC]


def document(client, match, view):
    address = f"{match.get_absolute_url()}games/1/replay/"
    return json.loads(client.get(address, {"view": view}).content)


def test_replay_document_tells_its_view_packed_if_accepted(client):
    match = finished_match()
    address = f"{match.get_absolute_url()}games/1/replay/?view=public"

    packed = client.get(address, headers={"Accept-Encoding": "gzip"})
    plain = client.get(address)

    assert (packed["Content-Encoding"], plain.headers.get("Content-Encoding")) == ("gzip", None)
    assert len(packed.content) < len(plain.content) / 4
    assert "Accept-Encoding" in packed["Vary"]
    assert packed["Vary"] == plain["Vary"]
    red = document(client, match, "red")
    first = red["first"]["pieces"]
    assert {piece["face"] for piece in first if piece["side"] == "blue"} == {None}
    assert None not in {piece["face"] for piece in first if piece["side"] == "red"}
    assert red["observer"] == "red"


def test_unknown_view_and_unfinished_game_have_no_document(client):
    match = finished_match()
    address = f"{match.get_absolute_url()}games/1/replay/"
    for view in ("green", "", "red,blue"):
        response = client.get(address, {"view": view})
        assert (response.status_code, response.json()["code"]) == (404, "unknown_view")
    match.games.update(status="running", outcome=None, termination="")

    response = client.get(address, {"view": "full"})

    assert (response.status_code, response.json()["code"]) == (404, "not_finished")


def seen_by(client, address, *owners):
    """Yield what an address shows to a visitor, a stranger, some owners and staff."""
    staff = User.objects.create_user("operator", is_staff=True)
    for who in (None, make_user("stranger"), *owners, staff):
        client.logout()
        if who:
            client.force_login(who)
        yield client.get(address).content.decode()


def test_game_log_is_for_owner_of_entrant(client):
    match = finished_match()
    owner = players_of(match)[0].bot.owner

    pages = seen_by(client, f"{match.get_absolute_url()}games/1/", owner)

    assert [[f"{SECRET} {position}" in text for position in (0, 1)] for text in pages] == [
        [False, False],
        [False, False],
        [True, False],
        [True, True],
    ]


def test_forfeit_cause_is_for_owner_and_staff(client):
    match = finished_match()
    game = match.games.get(number=1)
    for seat in ("red", "blue"):
        make_evidence(game, seat, exit_status=3)
    type(game).objects.filter(pk=game.pk).update(
        termination="crash", fault="red", detail="red: crashed; blue: crashed"
    )
    owners = [version.bot.owner for version in players_of(match)]

    seen = []
    for text in seen_by(client, f"{match.get_absolute_url()}games/1/forensics/", *owners):
        assert "<script>" not in text
        assert ("Exit status 3" in text) == ("ff 3c 73 63" in text) == ("drapeau reproduce" in text)
        seen.append([seat for seat in ("red", "blue") if f"the view of {seat}" in text])
        logs = {position for position in (0, 1) if f"{SECRET} {position}" in text}
        assert logs == {game.seats[seat] for seat in seen[-1]}

    own = [seat for seat in ("red", "blue") if game.seats[seat] == 0]
    other = ["blue" if own == ["red"] else "red"]
    assert seen == [[], [], own, other, ["red", "blue"]]
    for address in (match.get_absolute_url(), f"{match.get_absolute_url()}games/1/"):
        assert "the view of" not in client.get(address).content.decode()  # not even for staff


@pytest.mark.parametrize("page", ["", "checklist/"])
def test_checks_log_is_for_owner_and_staff(client, page):
    version = make_upload()
    VersionCheck.objects.filter(version=version, step="protocol").update(state="failed", log=LOG)

    pages = seen_by(client, f"{version.get_absolute_url()}{page}", version.bot.owner)

    said = ["the owner&#x27;s own secret path" in text for text in pages]
    assert said == [False, False, True, True]
