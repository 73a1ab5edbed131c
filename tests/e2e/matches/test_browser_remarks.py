"""What a bot thought, over the board of its owner's replay and of nobody else's."""

import pytest
from playwright.sync_api import expect

from arena.domain.matches import record_compression
from arena.domain.matches.remarks import KEPT_MAX_BYTES, Notebook
from arena.models import GameLog
from engine.record import Record
from engine.remarks import Remark
from tests.integration.web.played import finished_match, players_of

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

NOTE = "<img src=x onerror=alert(1)>\x1b[2J\u202e"
SURE, VAGUE = {"B": 0.75, "F": 0.2}, {"2": 0.4, "3": 0.3, "4": 0.004}
SEAT = "red"


@pytest.fixture
def game():
    """Return a game whose red seat believes at plies 1 and 5, and says too much at ply 9."""
    row = finished_match().games.get(number=1)
    record = Record.from_json(record_compression.unpacked(blob=bytes(row.record.blob)))
    notebook = Notebook()
    for said in (
        Remark(SEAT, 1, NOTE, {"b1": SURE, "b2": SURE, "b3": VAGUE}),
        Remark(SEAT, 5, "", {"b1": {"F": 0.5}}),
        Remark(SEAT, 9, "x" * KEPT_MAX_BYTES),
    ):
        notebook.keep(said)
    columns = notebook.columns(record=record)[SEAT]
    GameLog.objects.filter(game=row, seat=SEAT).update(**columns)
    return row


@pytest.fixture
def page(open_page, live_server, client, game):
    """Open the game as the owner of the red seat, at ply 1 as red saw it."""
    page = open_page(game.get_absolute_url())
    client.force_login(players_of(game.match)[game.seats[SEAT]].bot.owner)
    cookie = {"name": "sessionid", "value": client.cookies["sessionid"].value}
    page.context.add_cookies([{**cookie, "url": live_server.url}])
    open_page(f"{game.get_absolute_url()}?ply=1&view={SEAT}", page=page)
    expect(page.locator("[data-part=remark-when]")).to_have_text("Red, ply 1")
    return page


def chips(page):
    return page.locator(".belief").all_text_contents()


def test_note_is_text_and_likeliest_rank_over_piece(page):
    expect(page.locator("[data-part=remark-note]")).to_have_text(NOTE)
    assert page.locator("[data-part=remark-note] *").count() == 0
    assert sorted(chips(page)) == ["2 40", "B 75", "B 75"]
    sure, vague = page.locator(".belief-chances").all_inner_texts()
    assert (sure.split(), vague.split()) == (["B", "75%", "F", "20%"], ["2", "40%", "3", "30%"])


def test_remarks_follow_replay_and_say_where_cut(page):
    page.keyboard.press("Home")
    expect(page.locator("[data-part=remark-when]")).to_have_text("Nothing was said up to this ply.")
    assert chips(page) == []

    page.locator('[data-part="slider"]').fill("6")
    expect(page.locator("[data-part=remark-when]")).to_have_text("Red, ply 5")
    assert chips(page) == ["F 50"]

    page.locator('[data-part="slider"]').fill("9")
    expect(page.locator("[data-part=remark-when]")).to_have_text(
        "Red, ply 5. There was no room for what came from ply 9 on."
    )


def test_keyboard_hides_beliefs_and_points_at_pieces(page):
    toggle = page.locator("[data-do=beliefs]")
    page.keyboard.press("b")
    expect(toggle).to_have_attribute("aria-pressed", "false")
    assert chips(page) == []
    toggle.press("Enter")
    expect(toggle).to_have_attribute("aria-pressed", "true")

    page.keyboard.press("Tab")

    expect(page.locator(".belief.is-pointed")).to_have_count(2)
    expect(page.locator(".belief-list li.is-pointed")).to_have_count(1)
    page.keyboard.press("Tab")
    expect(page.locator(".belief.is-pointed")).to_have_text(["2 40"])


def test_chips_turn_with_the_board(page):
    def places():
        return page.locator(".belief").evaluate_all(
            "all => all.map((g) => g.getAttribute('transform'))"
        )

    before = places()
    page.keyboard.press("f")

    assert set(before).isdisjoint(places())


def test_the_panel_is_accessible_and_fits(page, axe, wider):
    assert axe(page, both=True) == []
    assert wider(page) == []


def test_strangers_have_no_panel(open_page, game):
    page = open_page(f"{game.get_absolute_url()}?ply=1&view={SEAT}")

    expect(page.locator("drapeau-replay.is-live")).to_be_visible()
    expect(page.locator("[data-part=remarks]")).to_have_count(0)
    page.keyboard.press("b")
    assert chips(page) == []
