"""The replay as people use it: stepped, played, scrubbed, turned, seen by four observers."""

import json
import re
import time

import pytest
from playwright.sync_api import expect

from arena.domain.matches import replays
from arena.web.matches import replay_frames
from botkit import positions
from engine.record import Record
from engine.replay import view_at
from tests.integration.web.played import finished_match, refused_record

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

READ_TIMELINE = """
async ([source, every]) => {
  const { Timeline } = await import("/static/js/replay/timeline.js");
  const timeline = new Timeline(await (await fetch(source)).json());
  const seen = [];
  const plies = [];
  for (let ply = 0; ply <= timeline.last; ply += every) plies.push(ply);
  for (const ply of [...plies, ...plies.toReversed()]) {
    timeline.goTo(ply);
    const pieces = [...timeline.pieces.values()].map((p) => [p.id, p.x, p.y, p.face]).sort();
    const removed = [...timeline.removed.values()].map((p) => [p.id, p.face]).sort();
    seen.push([ply, pieces, removed]);
  }
  return seen;
}
"""


@pytest.fixture
def game():
    return finished_match().games.get(number=1)


@pytest.fixture
def page(open_page, game):
    page = open_page(f"{game.get_absolute_url()}?ply=0&view=full")
    expect(page.locator("drapeau-replay.is-live")).to_be_visible()
    return page


def ply(page):
    return int(page.locator("[data-part=count]").inner_text().split(" / ")[0])


def events(game, view="full"):
    document = replays.replay(game=game, view=view)
    return [step["ply"] for step in document["steps"] if step["event"] != "move"]


def test_keys_step_and_jump(page, game):
    seen = []
    for key in ("ArrowRight", "l", "ArrowLeft", "Shift+ArrowRight", "End", "Home", "e", "e", "q"):
        page.keyboard.press(key)
        seen.append(ply(page))

    first, second = events(game)[:2]
    assert seen == [1, 2, 1, 11, game.plies, 0, first, second, first]


def test_address_keeps_ply_and_view(page):
    page.keyboard.press("ArrowRight")
    page.locator("[data-view=red]").click()

    expect(page).to_have_url(re.compile(r"\?ply=1&view=red$"))
    page.reload()
    expect(page.locator("drapeau-replay.is-live [data-view=red]")).to_have_attribute(
        "aria-current", "true"
    )
    assert ply(page) == 1


def test_slider_scrubs_and_speaks(page):
    slider = page.locator("[data-part=slider]")

    slider.fill("30")
    assert ply(page) == 30
    slider.press("ArrowRight")

    assert ply(page) == 31
    expect(slider).to_be_focused()
    sentence = page.locator("[data-part=say]").inner_text()
    said = slider.get_attribute("aria-valuetext")
    assert said.startswith("Ply 31 of ")
    assert said.lower().endswith(sentence.lower())


def test_play_moves_by_itself_until_paused(page):
    page.locator("[data-do=speed]").click()
    page.locator("[data-do=toggle]").click()
    expect(page.locator("[data-do=toggle]")).to_have_attribute("aria-label", "Pause")
    expect(page.locator("[data-part=count]")).to_have_text(re.compile(r"^([3-9]|\d{2,}) / "))
    page.keyboard.press("Space")
    expect(page.locator("[data-do=toggle]")).to_have_attribute("aria-label", "Play")
    here = ply(page)
    page.wait_for_timeout(900)

    assert ply(page) == here


def test_perspectives_come_from_server_and_hide_pieces(page):
    backs = {}
    for view in ("red", "blue", "public", "full"):
        page.locator(f"[data-view={view}]").click()
        expect(page.locator(f"[data-view={view}]")).to_have_attribute("aria-current", "true")
        backs[view] = [page.locator(f".piece.back.side-{side}").count() for side in ("red", "blue")]

    assert backs == {"red": [0, 24], "blue": [24, 0], "public": [24, 24], "full": [0, 0]}


def test_c_goes_through_the_perspectives(page):
    seen = []
    for _ in range(4):
        before = page.locator("[data-view][aria-current]").get_attribute("data-view")
        page.keyboard.press("c")
        expect(page.locator(f"[data-view={before}]")).not_to_have_attribute("aria-current", "true")
        seen.append(page.locator("[data-view][aria-current]").get_attribute("data-view"))

    assert seen == ["public", "red", "blue", "full"]


def test_flip_turns_pieces_and_labels(page, open_page, game):
    page.keyboard.press("f")
    turned = shapes(page)
    address = f"{game.get_absolute_url()}?ply=0&view=full&flip=1"

    drawn = open_page(address)

    expect(page).to_have_url(re.compile(r"flip=1$"))
    assert turned == shapes(drawn)


def shapes(page):
    """Return where pieces and labels are."""
    return page.evaluate(
        """() => [
          [...document.querySelectorAll(".board .piece")]
            .map((piece) => [piece.dataset.id, piece.getAttribute("transform")]).sort(),
          [...document.querySelectorAll(".board .label")]
            .map((label) => [label.textContent, label.getAttribute("x"), label.getAttribute("y")])
            .sort(),
        ]"""
    )


def test_pieces_taken_lie_in_the_trays(page, game):
    document = replays.replay(game=game, view="full")
    scene = replay_frames.scene_at(document, game.plies)

    page.keyboard.press("End")

    for side in ("red", "blue"):
        kinds = {piece.face for piece in scene.removed if piece.side == side}
        assert page.locator(f"[data-tray={side}] li").count() == len(kinds)


def test_position_line_follows_ply_and_can_be_copied(page, game):
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.get_by_text("The position as text").click()
    page.keyboard.press("ArrowRight")
    page.locator("[data-view=red]").click()
    expect(page.locator("[data-part=position]")).to_contain_text(" red turn 1 ")
    page.get_by_role("button", name="Copy").click()
    line = page.wait_for_function("() => navigator.clipboard.readText()").json_value()

    record = Record.from_json(json.dumps(replays.record(game=game)))
    assert positions.read(line).view == view_at(record, "red", 1)


def test_move_list_jumps_and_follows(page):
    page.locator("[data-part=moves] [data-ply='40']").click()
    assert ply(page) == 40
    page.keyboard.press("ArrowRight")

    expect(page.locator("[data-part=moves] [aria-current=step]")).to_have_attribute(
        "data-ply", "41"
    )


def test_move_list_is_one_tab_key_stop(page):
    stops = page.locator("[data-part=moves] a[tabindex='0']")
    expect(stops).to_have_count(1)
    stops.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")

    expect(stops).to_have_attribute("data-ply", "2")
    expect(stops).to_be_focused()


def test_last_perspective_asked_for_wins_whatever_comes_first(page):
    def late(route):
        time.sleep(0.5)
        route.continue_()

    page.route("**/replay/?view=red", late)
    page.evaluate(
        "for (const view of ['red', 'blue'])  document.querySelector(`[data-view=${view}]`).click()"
    )
    page.keyboard.press("ArrowRight")
    page.wait_for_timeout(900)

    expect(page.locator("[data-view][aria-current]")).to_have_attribute("data-view", "blue")
    assert ply(page) == 1


@pytest.mark.parametrize("view", ["red", "full"])
def test_game_without_ply_says_so_and_works(open_page, view):
    game = finished_match(record_of=refused_record).games.get(number=1)
    page = open_page(f"{game.get_absolute_url()}?view={view}")
    expect(page.locator("drapeau-replay.is-live")).to_be_visible()
    expect(page.locator("[data-part=say]")).to_have_text("The game ended before its first ply.")

    page.locator("[data-view=blue]").click()

    expect(page.locator(".piece.face.side-blue")).to_have_count(24)
    expect(page.locator(".page-head")).to_contain_text("set up illegally: the army has 1 of F")


@pytest.mark.parametrize("width", [960, 1440])
def test_board_and_its_controls_are_in_one_sight(page, width):
    page.set_viewport_size({"width": width, "height": 900})

    for part in (".replay-board", ".replay-timeline", ".replay-controls", ".views", ".moves"):
        expect(page.locator(part)).to_be_in_viewport(ratio=1)


def test_question_mark_shows_the_keys(page):
    page.keyboard.press("?")
    expect(page.locator("dialog")).to_be_visible()
    page.keyboard.press("ArrowRight")
    assert ply(page) == 0
    page.keyboard.press("Escape")

    expect(page.locator("dialog")).to_be_hidden()


@pytest.mark.parametrize("view", ["full", "public", "red"])
def test_script_and_server_agree_on_every_position(page, game, view):
    document = replays.replay(game=game, view=view)
    source = f"{game.get_absolute_url()}replay/?view={view}"

    for number, pieces, removed in page.evaluate(READ_TIMELINE, [source, 7]):
        scene = replay_frames.scene_at(document, number)
        assert pieces == sorted([p.id, p.x, p.y, p.face] for p in scene.pieces)
        assert removed == sorted([p.id, p.face] for p in scene.removed)


def test_page_works_without_script(chromium, live_server, game):
    context = chromium.new_context(base_url=live_server.url, java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{game.get_absolute_url()}?ply=5&view=red")

    page.locator("[data-do=next]").click()
    page.locator("[data-view=blue]").click()

    expect(page).to_have_url(re.compile(r"\?ply=6&view=blue$"))
    expect(page.locator("[data-part=count]")).to_have_text(f"6 / {game.plies}")
    expect(page.locator("[data-part=position]")).to_contain_text(" turn 6 ")
    expect(page.locator("[data-do=toggle]")).to_be_hidden()
    context.close()


def test_home_moves_by_itself_and_can_be_stopped(open_page, game):
    page = open_page("/")
    said = page.locator("drapeau-replay [data-part=say]").inner_text()
    expect(page.locator("drapeau-replay [data-part=say]")).not_to_have_text(said)
    page.locator("[data-do=toggle]").click()

    expect(page.locator("[data-do=toggle]")).to_have_attribute("aria-label", "Play")
