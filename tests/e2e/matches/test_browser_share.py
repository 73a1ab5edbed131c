"""A replay shown to others: by a link, in a frame of another site, and as a video."""

import re

import pytest
from playwright.sync_api import expect

from tests.integration.web.played import finished_match

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def game():
    return finished_match().games.get(number=1)


@pytest.fixture
def page(open_page, game):
    page = open_page(f"{game.get_absolute_url()}?ply=3&view=public")
    expect(page.locator("drapeau-replay.is-live")).to_be_visible()
    page.get_by_text("Share", exact=True).click()
    return page


def test_link_has_ply_view_and_side(page, open_page, game):
    page.keyboard.press("Escape")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("f")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.locator("[data-copies=link]").click()
    link = page.wait_for_function("() => navigator.clipboard.readText()").json_value()

    assert link.endswith(f"{game.get_absolute_url()}?ply=4&view=public&flip=1")
    shown = open_page(link)
    expect(shown.locator("[data-part=count]")).to_have_text(f"4 / {game.plies}")


def test_frame_is_a_replay_that_moves(page, chromium, game, elsewhere):
    field = page.locator("[data-share=frame]")
    expect(field).to_have_value(re.compile(r'^<iframe src="[^"]+/embed/\?ply=3&amp;view=public"'))
    context = chromium.new_context()
    served, another_site = elsewhere
    served.body = field.input_value().encode()
    there = context.new_page()
    there.goto(another_site)
    frame = there.frame_locator("iframe")
    expect(frame.locator("drapeau-replay.is-live")).to_be_visible()

    frame.locator("[data-do=next]").click()

    expect(frame.locator("[data-part=count]")).to_have_text(f"4 / {game.plies}")
    expect(frame.locator("[data-part=share]")).to_have_count(0)
    context.close()


def test_part_of_a_game_becomes_a_video(page):
    form = page.locator("[data-share=video]")
    form.get_by_label("From ply").fill("2")
    form.get_by_label("to ply").fill("5")
    for _ in range(4):
        page.locator("[data-do=speed]").click()
    form.get_by_role("button", name="Record").click()
    link = form.get_by_role("link", name="Save the video")
    expect(link).to_be_visible()

    with page.expect_download() as download:
        link.click()

    assert download.value.suggested_filename == "drapeau.webm"
    assert download.value.path().read_bytes().startswith(b"\x1a\x45\xdf\xa3")  # of Matroska
    expect(page.locator("[data-part=count]")).to_contain_text("3 / ")


def test_without_recorder_no_video_is_offered(open_page, game):
    page = open_page("/status/")
    page.context.add_init_script("delete window.MediaRecorder")
    open_page(game.get_absolute_url(), page=page)

    page.get_by_text("Share", exact=True).click()

    expect(page.locator("[data-share=link]")).to_have_value(re.compile("ply=0"))
    expect(page.locator("[data-share=video]")).to_be_hidden()
