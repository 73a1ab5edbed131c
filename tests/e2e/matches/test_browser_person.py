"""A person plays a game at home on the page in the browser: by the mouse, and by the keyboard."""

from threading import Thread

import pytest
from playwright.sync_api import expect

from botkit.games import Finished, Terms, play_at, schedule, seed_secret
from botkit.home import find_bot
from botkit.person import ME, Desk
from engine.clock import ClockSpec

pytestmark = pytest.mark.browser


@pytest.fixture
def game(chromium, complaints, tmp_path):
    """Yield a function that begins a game as blue at a width: the page, and a list for the game."""
    with Desk() as desk:

        def begin(variant, width=1440):
            games = schedule(variant, bots=2, games=1, swap=False, secret=seed_secret(3))
            how = {
                "bots": [find_bot("drunkard"), ME],
                "terms": Terms(variant, {}, ClockSpec()),
                "folder": tmp_path,
            }
            finished: list[Finished] = []
            Thread(target=lambda: finished.extend(play_at(desk, games, **how)), daemon=True).start()
            page = chromium.new_context(viewport={"width": width, "height": 900}).new_page()
            page.on("console", complaints.note)
            page.on("pageerror", lambda error: complaints.append(f"page error: {error}"))
            page.on("dialog", lambda dialog: dialog.accept())
            page.goto(desk.address)
            expect(page.get_by_role("button", name="Begin")).to_be_visible()
            return page, finished

        yield begin


def middle_of(page, square):
    """Return where a square of the board is, which is turned for blue."""
    svg = page.locator("svg.board")
    columns, rows = (int(svg.get_attribute(name)) for name in ("data-columns", "data-rows"))
    field = svg.locator(".cells").bounding_box()
    across = columns - 1 - (ord(square[0]) - ord("a"))
    down = int(square[1:]) - 1
    return (
        field["x"] + (across + 0.5) * field["width"] / columns,
        field["y"] + (down + 0.5) * field["height"] / rows,
    )


def drag(page, start, goal):
    page.mouse.move(*middle_of(page, start))
    page.mouse.down()
    page.mouse.move(*middle_of(page, goal))
    page.mouse.up()


def faces(page):
    """Return the face of each own piece by its id."""
    return page.evaluate(
        "Object.fromEntries([...document.querySelectorAll('.piece.side-blue')].map("
        "(piece) => [piece.dataset.id, piece.querySelectorAll('use')[1].getAttribute('href')]))"
    )


@pytest.mark.parametrize("width", [375, 1440])
def test_pieces_are_exchanged_and_moved_by_mouse(game, width):
    page, finished = game("skirmish", width)
    before = faces(page)

    drag(page, "e5", "d5")
    expect(page.locator("[data-id=b1] use").nth(1)).to_have_attribute("href", before["b2"])
    page.mouse.click(*middle_of(page, "e5"))
    page.mouse.click(*middle_of(page, "d5"))
    expect(page.locator("[data-id=b1] use").nth(1)).to_have_attribute("href", before["b1"])
    page.get_by_role("button", name="Begin").click()
    move = page.locator("[data-action]").first
    expect(move).to_be_visible()
    action = move.get_attribute("data-action")
    page.mouse.click(*middle_of(page, action[:2]))
    expect(page.locator(".mark-to").first).to_be_attached()
    page.mouse.click(*middle_of(page, action[2:]))
    expect(page.get_by_role("listitem").first).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") == width
    page.get_by_role("button", name="Resign").click()
    expect(page.get_by_role("link", name="See the replay, with all pieces")).to_be_visible()
    page.get_by_role("button", name="Stop").click()
    expect(page.get_by_role("button", name="Stop")).to_be_hidden()

    (ended,) = finished
    own = [played.action for played in ended.record.actions if played.seat == "blue"]
    assert own[1:] == [action, "resign"]


def test_whole_game_is_played_by_keyboard_alone(game):
    page, finished = game("cards")

    page.get_by_role("button", name="Begin").press("Enter")
    for _ in range(2):
        move = page.locator("[data-action]").first
        expect(move).to_be_visible()
        move.press("Enter")
        expect(page.get_by_role("status")).to_have_text("Your move.")
    page.get_by_role("button", name="Resign").press("Enter")
    page.get_by_role("link", name="See the replay, with all pieces").wait_for()
    page.get_by_role("button", name="Stop").press("Enter")
    expect(page.get_by_role("button", name="Stop")).to_be_hidden()

    assert finished[0].record.result.termination == "resigned"
