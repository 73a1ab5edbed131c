"""The replay of every game on a telephone: its room, its pieces, its keys and a finger."""

import pytest
from playwright.sync_api import expect

from arena.models import Bot
from botkit.names import NAME_MAX_CHARS
from engine import registry
from tests.integration.web.played import finished_match

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

WIDTH, HEIGHT = 375, 640
LEAST_PX = 24
SIZES = """() => {
  const box = (selector) => document.querySelector(selector).getBoundingClientRect();
  const replay = document.querySelector("drapeau-replay");
  const { svg } = replay.board;
  let most = 0;
  for (let ply = 0; ply <= replay.timeline.last; ply += 1) {
    replay.goTo(ply, { slide: false });
    most = Math.max(most, box(".replay-controls").bottom - box(".replay-table").top);
  }
  const piece = svg.querySelector(".piece .body, .piece").getBoundingClientRect().width;
  return [most, piece, document.documentElement.scrollWidth];
}"""


@pytest.fixture
def open_phone(chromium, live_server, complaints):
    """Yield a function that opens the first game of a new match of a ladder on a telephone."""
    contexts = []

    def opened(ladder):
        game = finished_match(ladder=ladder).games.get(number=1)
        for number, bot in enumerate(Bot.objects.all()):
            Bot.objects.filter(pk=bot.pk).update(name=f"{number}".rjust(NAME_MAX_CHARS, "W"))
        context = chromium.new_context(
            base_url=live_server.url,
            viewport={"width": WIDTH, "height": HEIGHT},
            has_touch=True,
        )
        contexts.append(context)
        page = context.new_page()
        page.on("console", complaints.note)
        page.goto(f"{game.get_absolute_url()}?ply=0&view=full")
        expect(page.locator("drapeau-replay.is-live")).to_be_visible()
        return page

    yield opened
    for context in contexts:
        context.close()


@pytest.mark.parametrize("ladder", sorted(registry.variants()))
def test_board_sentence_and_controls_are_in_one_sight(open_phone, ladder):
    page = open_phone(ladder)

    most, piece, width = page.evaluate(SIZES)

    assert most <= HEIGHT
    assert piece >= LEAST_PX
    assert width == WIDTH


@pytest.mark.parametrize("focus", ["body", "[data-part=moves]", "[data-part=slider]"])
def test_arrow_keys_never_scroll_the_page(open_phone, focus):
    page = open_phone("general")
    page.evaluate("window.scrollTo(0, 100)")
    page.evaluate("(focus) => document.querySelector(focus).focus({ preventScroll: true })", focus)

    for key in ("ArrowDown", "ArrowRight", "ArrowUp", "ArrowLeft", "ArrowDown"):
        page.keyboard.press(key)

    expect(page.locator("[data-part=count]")).not_to_have_text("0 / ")
    assert page.evaluate("scrollY") == 100


def test_a_finger_across_the_board_steps(open_phone):
    page = open_phone("general")
    count = page.locator("[data-part=count]")

    swipe(page, 250, 120)
    swipe(page, 250, 120)
    expect(count).to_contain_text("2 / ")
    swipe(page, 120, 250)

    expect(count).to_contain_text("1 / ")


def swipe(page, start, end):
    """Move a finger over the board, from one x to another."""
    board = page.locator("[data-part=board]")
    board.scroll_into_view_if_needed()
    box = board.bounding_box()
    y = box["y"] + box["height"] / 2
    touch = page.context.new_cdp_session(page)
    for kind, points in (
        ("touchStart", [{"x": start, "y": y}]),
        ("touchMove", [{"x": (start + end) / 2, "y": y}]),
        ("touchMove", [{"x": end, "y": y}]),
        ("touchEnd", []),
    ):
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
