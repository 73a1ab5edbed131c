"""The picture: well formed, free of styles, and without anything that its observer may not see."""

import re
from xml.etree import ElementTree as ET

from engine.duel import faces as duel
from engine.scene import Cell, Label, Mark, Note, Piece, Scene
from engine.svg import draw
from engine.variant import FULL
from tests.unit.engine.games import EVERY, observers, state_within

NS = "{http://www.w3.org/2000/svg}"
SMALL = Scene(
    columns=2,
    rows=1,
    cells=(Cell(0, 0, "land", "a1"), Cell(1, 0, "lake", "b1")),
    pieces=(Piece("r1", 0, 0, "red", "3", "red miner", known_to_all=True, moved=True),),
    marks=(Mark("to", 0, 0),),
    labels=(Label("left", 0, "1"), Label("bottom", 1, "b")),
    pictures=duel.PICTURES,
)


def parse(text):
    return ET.fromstring(text)


def by_class(root, word):
    return [node for node in root.iter() if word in node.get("class", "").split()]


def hrefs(piece):
    return [node.get("href") for node in piece.iter(f"{NS}use")]


def test_nothing_in_a_picture_needs_styles_or_scripts():
    text = draw(SMALL, title="x")

    assert not re.search(
        r"\sstyle=|<style|<script|\son[a-z]+=|https?://(?!www\.w3\.org/2000/svg)", text
    )


def test_flipped_board_is_turned_by_half():
    root = parse(draw(SMALL, title="x", flipped=True))

    assert by_class(root, "piece")[0].get("transform") == "translate(100,0)"
    assert by_class(root, "lake")[0].get("d") == "M0 0h100v100h-100z"
    assert root.get("data-flipped") == "true"


def test_hostile_words_are_escaped():
    evil = '"><script>'
    scene = Scene(
        columns=1,
        rows=1,
        cells=(),
        pieces=(Piece(evil, 0, 0, "red", "evil", ""), Piece("r1", 0, 0, evil, None, "")),
        marks=(Mark(evil, 0, 0),),
        labels=(Label("left", 0, "<b>"),),
        notes=(Note(0, 0, "<i>"),),
    )

    root = parse(draw(scene, title='"><script>alert(1)</script>'))

    assert root.get("aria-label") == '"><script>alert(1)</script>'
    assert hrefs(by_class(root, "piece")[0]) == ["#body-red", "#face-back"]


@EVERY
def test_every_side_and_face_has_its_own_drawing(variant):
    """`back` is only for what is hidden: the full view shows a face on every piece."""
    pieces = variant.scene(variant.view(state_within(variant, 2, 0.1), FULL)).pieces

    assert pieces
    assert {piece.side for piece in pieces} <= set(variant.pictures.bodies)
    assert {piece.face for piece in pieces} <= set(variant.pictures.faces)


@EVERY
def test_each_piece_group_has_face_or_back(variant):
    state = state_within(variant, 2, 0.4)
    for observer in observers(variant):
        scene = variant.scene(variant.view(state, observer))

        groups = by_class(parse(draw(scene, title="x")), "piece")

        assert [group.get("data-id") for group in groups] == [piece.id for piece in scene.pieces]
        for group, piece in zip(groups, scene.pieces, strict=True):
            face = piece.face or "back"
            assert hrefs(group)[:2] == [f"#body-{piece.side}", f"#face-{face}"]
            assert ("back" in group.get("class").split()) == (piece.face is None)
