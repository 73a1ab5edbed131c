"""The picture: well formed, free of styles, and without anything that its observer may not see."""

import re
from xml.etree import ElementTree as ET

import pytest

from engine.faces import FACES
from engine.registry import find, variants
from engine.rng import Rng
from engine.scene import Cell, Label, Mark, Piece, Scene
from engine.svg import draw
from engine.variant import FULL, PUBLIC
from tests.engine.games import live_state, random_state

EVERY = pytest.mark.parametrize("variant", variants().values(), ids=variants().keys())
NS = "{http://www.w3.org/2000/svg}"
SMALL = Scene(
    columns=2,
    rows=1,
    cells=(Cell(0, 0, "land", "a1"), Cell(1, 0, "lake", "b1")),
    pieces=(Piece("r1", 0, 0, "red", "3", "red miner", known_to_all=True, moved=True),),
    marks=(Mark("to", 0, 0),),
    labels=(Label("left", 0, "1"), Label("bottom", 1, "b")),
)


def parse(text):
    return ET.fromstring(text)


def by_class(root, word):
    return [node for node in root.iter() if word in node.get("class", "").split()]


def hrefs(piece):
    return [node.get("href") for node in piece.iter(f"{NS}use")]


def test_a_small_scene_is_drawn_part_by_part():
    text = draw(SMALL, title='the "first" board')
    root = parse(text)

    assert (root.get("viewBox"), root.get("role")) == ("0 0 244 144", "img")
    assert root.get("aria-label") == 'the "first" board'
    assert (root.get("data-columns"), root.get("data-rows")) == ("2", "1")
    assert [node.get("class") for node in by_class(root, "cell")] == ["cell", "cell lake"]
    assert len(by_class(root, "wave")) == 1
    assert [node.text for node in by_class(root, "label")] == ["1", "b"]
    assert [node.get("class") for node in by_class(root, "mark")] == ["mark mark-to"]
    assert text.endswith(
        '<g class="pieces"><g class="piece side-red face known moved" data-id="r1"'
        ' transform="translate(0,0)" color="#a8322a"><use href="#body-red"/>'
        '<use href="#face-3"/><circle class="pip" cx="81" cy="21" r="6" opacity="0"/></g>'
        "</g></g></svg>"
    )


def test_a_flipped_board_is_turned_by_half_a_turn():
    root = parse(draw(SMALL, title="x", flipped=True))

    assert by_class(root, "piece")[0].get("transform") == "translate(100,0)"
    assert by_class(root, "lake")[0].get("x") == "0"
    assert root.get("data-flipped") == "true"


def test_nothing_in_a_picture_needs_styles_or_scripts():
    text = draw(SMALL, title="x")

    assert not re.search(
        r"\sstyle=|<style|<script|\son[a-z]+=|https?://(?!www\.w3\.org/2000/svg)", text
    )


def test_hostile_words_are_escaped():
    evil = '"><script>'
    scene = Scene(
        columns=1,
        rows=1,
        cells=(),
        pieces=(Piece(evil, 0, 0, "red", "evil", ""), Piece("r1", 0, 0, evil, None, "")),
        marks=(Mark(evil, 0, 0),),
        labels=(Label("left", 0, "<b>"),),
    )

    root = parse(draw(scene, title='"><script>alert(1)</script>'))

    assert root.get("aria-label") == '"><script>alert(1)</script>'
    assert hrefs(by_class(root, "piece")[0]) == ["#body-red", "#face-back"]


def test_every_reference_has_its_drawing():
    root = parse(draw(SMALL, title="x"))
    drawn = {node.get("id") for node in root.iter() if node.get("id")}

    assert drawn == {"body-red", "body-blue", "face-back", *(f"face-{code}" for code in FACES)}
    assert set(find("classic").view(random_state(find("classic"), 1, 2), FULL)["army"]) == set(
        FACES
    )


def test_red_can_be_told_from_blue_without_colours():
    root = parse(draw(SMALL, title="x"))
    bodies = {
        node.get("id"): node for node in root.iter() if (node.get("id") or "").startswith("body-")
    }

    assert len(by_class(bodies["body-red"], "hatch")) == 1
    assert by_class(bodies["body-blue"], "hatch") == []
    assert bodies["body-red"][0].tag != bodies["body-blue"][0].tag


@EVERY
@pytest.mark.parametrize("observer", ["red", "blue", PUBLIC, FULL])
def test_there_is_one_group_for_each_piece_with_its_face_or_its_back(variant, observer):
    view = variant.view(live_state(variant, 2, 60), observer)

    groups = by_class(parse(draw(variant.scene(view), title="x")), "piece")

    assert [group.get("data-id") for group in groups] == [piece["id"] for piece in view["pieces"]]
    for group, piece in zip(groups, view["pieces"], strict=True):
        face = piece["rank"] or "back"
        assert hrefs(group) == [f"#body-{piece['seat']}", f"#face-{face}"]
        assert ("back" in group.get("class").split()) == (piece["rank"] is None)


@EVERY
def test_hidden_faces_are_nowhere_in_the_bytes_of_another_seats_picture(variant):
    state = live_state(variant, 2, 60)
    twins = [variant.redeal(state, "red", Rng(n)) for n in range(10)]

    pictures = {draw(variant.scene(variant.view(one, "red")), title="x") for one in [state, *twins]}
    open_pictures = {draw(variant.scene(variant.view(one, FULL)), title="x") for one in twins}

    assert len(pictures) == 1
    assert len(open_pictures) == 10
