"""The picture: well formed, free of styles, and without anything that its observer may not see."""

import re
from xml.etree import ElementTree as ET

import pytest

from engine.duel import faces as duel
from engine.faces import OTHER, Body, Face, Paint, Pictures
from engine.registry import variants
from engine.rng import Rng
from engine.scene import Cell, Label, Line, Mark, Note, Piece, Scene
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
FORT = Scene(
    columns=3,
    rows=2,
    cells=(
        Cell(0, 0, "dark", "a2"),
        Cell(1, 1, "dark", "b1"),
        Cell(2, 0, "wall", "c2"),
        Cell(0.5, 0, "circle", "W"),
        Cell(1.5, 1, "slot", "pile"),
    ),
    pieces=(Piece("g1", 0.5, 0, "garrison", "general", "garrison general"),),
    lines=(Line(0.5, 0, 0, 0),),
    notes=(Note(1.5, 1, "15"),),
    pictures=Pictures(
        faces={"general": Face("G", "<path/>")},
        bodies={"garrison": Body("<path/>", Paint("#1d6b50"))},
    ),
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
    assert (
        '<g class="piece side-red face known moved" data-id="r1" transform="translate(0,0)"'
        ' color="#a8322a"><use href="#body-red"/><use href="#face-3"/><use href="#pip"/></g></g>'
    ) in text


def test_board_without_grid_is_drawn_place_by_place():
    root = parse(draw(FORT, title="x"))

    squares = {node.get("class"): node.get("d") for node in by_class(root, "cell")}
    assert squares["cell dark"] == "M0 0h100v100h-100zM100 100h100v100h-100z"
    assert squares["cell wall"] == "M200 0h100v100h-100z"
    circle, slot = by_class(root, "circle")[0], by_class(root, "slot")[0]
    assert (circle.get("cx"), circle.get("cy")) == ("100", "50")
    assert (slot.get("x"), slot.get("y")) == ("153", "103")
    assert [node.get("d") for node in by_class(root, "way")] == ["M100 50L50 50"] * 2
    assert [piece.get("transform") for piece in by_class(root, "piece")] == ["translate(50,0)"]
    assert [(n.text, n.get("x"), n.get("y")) for n in by_class(root, "note")] == [
        ("15", "200", "192")
    ]


def test_flipped_board_is_turned_by_half():
    root = parse(draw(SMALL, title="x", flipped=True))
    fort = parse(draw(FORT, title="x", flipped=True))

    assert by_class(root, "piece")[0].get("transform") == "translate(100,0)"
    assert by_class(root, "lake")[0].get("d") == "M0 0h100v100h-100z"
    assert root.get("data-flipped") == "true"
    assert by_class(fort, "way")[0].get("d") == "M200 150L250 150"
    assert by_class(fort, "note")[0].get("x") == "100"


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
        notes=(Note(0, 0, "<i>"),),
    )

    root = parse(draw(scene, title='"><script>alert(1)</script>'))

    assert root.get("aria-label") == '"><script>alert(1)</script>'
    assert hrefs(by_class(root, "piece")[0]) == ["#body-red", "#face-back"]


def test_every_reference_has_its_drawing():
    drawn = ids(parse(draw(SMALL, title="x")))

    assert drawn == {
        "pip",
        "face-back",
        *(f"body-{side}" for side in (*duel.PICTURES.bodies, OTHER)),
        *(f"face-{code}" for code in duel.PICTURES.faces),
    }


def test_a_still_picture_defines_only_what_it_shows():
    assert ids(parse(draw(SMALL, title="x", still=True))) == {"pip", "body-red", "face-3"}


def test_side_without_own_body_gets_plain_one():
    lone = Scene(columns=1, rows=1, cells=(), pieces=(Piece("1", 0, 0, "green", None, ""),))

    piece = by_class(parse(draw(lone, title="x")), "piece")[0]

    assert hrefs(piece) == ["#body-other", "#face-back"]
    assert piece.get("class") == "piece side-green back"


@EVERY
def test_sides_can_be_told_apart_without_colours(variant):
    root = parse(variant.pictures.definitions())
    bodies = [node for node in root if (node.get("id") or "").startswith("body-")]

    assert len({(shape.tag, shape.get("d"), shape.get("rx")) for shape, *_ in bodies}) == len(
        bodies
    )


@pytest.mark.parametrize("kind", ["faces", "bodies"])
def test_name_has_one_drawing_in_all_games(kind):
    drawings = {
        (name, drawing)
        for variant in variants().values()
        for name, drawing in getattr(variant.pictures, kind).items()
    }

    assert len({name for name, _ in drawings}) == len(drawings) > 1


def test_red_has_a_hatch():
    assert len(by_class(by_id(parse(draw(SMALL, title="x")), "body-red"), "hatch")) == 1


@EVERY
def test_ink_stands_out_from_its_body(variant):
    for side in (*variant.seats, OTHER):
        paint = variant.pictures.paint_of(side)

        assert contrast(paint.body, paint.ink) >= 4.5


def contrast(one, other):
    """Return the contrast of two colours as WCAG 2 counts it."""
    bright, dim = sorted((luminance(one), luminance(other)), reverse=True)
    return (bright + 0.05) / (dim + 0.05)


def luminance(colour):
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def ids(root):
    return {node.get("id") for node in root.iter() if node.get("id")}


def by_id(root, name):
    return next(node for node in root.iter() if node.get("id") == name)


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


@EVERY
def test_hidden_faces_are_nowhere_in_other_seats_picture(variant):
    state, seat = state_within(variant, 2, 0.4), variant.seats[0]
    twins = [variant.redeal(state, seat, Rng(n)) for n in range(10)]

    pictures = {draw(variant.scene(variant.view(one, seat)), title="x") for one in [state, *twins]}

    assert len(pictures) == 1


@EVERY
def test_a_picture_is_small(variant):
    """The largest board, all of its pieces on it, in less than a small photograph takes."""
    scene = variant.scene(variant.view(state_within(variant, 2, 0.1), FULL))

    still = len(draw(scene, title="x", still=True))

    assert still < len(draw(scene, title="x")) < 24_000
