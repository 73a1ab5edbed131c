"""Replays of boards that are no grid, with three seats or with cards, and boards in words."""

import pytest
from playwright.sync_api import expect

from arena.domain.matches import replays
from arena.web.matches import board_text, replay_frames
from tests.integration.web.played import finished_match

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

PIECES = """() => [...document.querySelectorAll(".board .piece")].map((piece) => [
  piece.dataset.id,
  piece.getAttribute("transform"),
  ...[...piece.children].map((use) => use.getAttribute("href")),
].join(" ")).sort()"""
NOTES = """() => [...document.querySelectorAll(".board .note")].map((note) => [
  note.textContent,
  note.getAttribute("x"),
  note.getAttribute("y"),
].join(" ")).sort()"""


def live(open_page, game, view, ply=0, width=1440):
    page = open_page(f"{game.get_absolute_url()}?ply={ply}&view={view}", width=width)
    expect(page.locator("drapeau-replay.is-live")).to_be_visible()
    return page


def words_of(game, view, ply):
    scene = replay_frames.scene_at(replays.replay(game=game, view=view), ply)
    words = board_text.of(scene)
    return [square.text for rank in words.ranks for square in rank.squares if square.key] + [
        place.text for place in words.places
    ]


@pytest.fixture
def siege():
    return finished_match(ladder="siege").games.get(number=1)


@pytest.fixture
def cards():
    return finished_match(ladder="cards").games.get(number=1)


@pytest.mark.parametrize(
    ("ladder", "view"), [("siege", "black"), ("cards", "red"), ("cards", "full")]
)
def test_script_and_server_draw_the_same_picture(open_page, ladder, view):
    game = finished_match(ladder=ladder).games.get(number=1)
    page = live(open_page, game, view)
    for ply in (min(13, game.plies), game.plies):
        page.locator("[data-part=slider]").fill(str(ply))
        drawn = live(open_page, game, view, ply)

        assert page.evaluate(PIECES) == drawn.evaluate(PIECES)
        assert page.evaluate(NOTES) == drawn.evaluate(NOTES)
        page.bring_to_front()


def test_a_board_with_three_seats_is_not_flipped(open_page, siege):
    page = live(open_page, siege, "full")
    before = page.evaluate(PIECES)

    page.keyboard.press("f")

    assert page.locator("[data-do=flip]").count() == 0
    assert page.evaluate(PIECES) == before


def test_trays_belong_to_sides_that_lose_pieces(open_page, siege):
    document = replays.replay(game=siege, view="full")
    losing = {
        change["side"]
        for step in document["steps"]
        for change in step["changes"]
        if "gone" in change
    }
    page = live(open_page, siege, "full", siege.plies)

    sides = page.locator("[data-tray]").evaluate_all("trays => trays.map((t) => t.dataset.tray)")

    assert losing
    assert set(sides) == losing


@pytest.mark.parametrize(
    ("ladder", "view"), [("classic", "full"), ("siege", "public"), ("cards", "public")]
)
def test_the_board_is_read_place_by_place(open_page, ladder, view):
    game = finished_match(ladder=ladder).games.get(number=1)
    page = live(open_page, game, view)
    page.locator("[data-part=text] summary").click()
    page.keyboard.press("End")

    read = page.locator("[data-part=text] [data-square]").all_inner_texts()

    assert read == words_of(game, view, game.plies)


def test_flipped_table_keeps_counts_upright_and_in_place(open_page, cards):
    page = live(open_page, cards, "red")
    page.keyboard.press("f")

    drawn = open_page(f"{cards.get_absolute_url()}?ply=0&view=red&flip=1")

    assert page.evaluate(NOTES) == drawn.evaluate(NOTES)
    assert page.evaluate(PIECES) == drawn.evaluate(PIECES)
