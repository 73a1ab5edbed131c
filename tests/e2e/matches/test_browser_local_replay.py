"""The page of a game at home, opened from a file, without a site."""

import pytest

from botkit import replay_page
from engine import replay
from tests.integration.house_bots.house import play_game

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("variant", ["classic", "cards", "siege"])
def test_a_local_page_plays_a_game(chromium, complaints, tmp_path, variant):
    record, _ = play_game(variant, "drunkard", "drunkard", rng_seed=3)
    path = tmp_path / "game.html"
    path.write_text(replay_page.page(record), encoding="utf-8")
    context = chromium.new_context(offline=True, viewport={"width": 375, "height": 800})
    page = context.new_page()
    page.on("console", complaints.note)
    page.on("pageerror", lambda error: complaints.append(f"page error: {error}"))

    page.goto(path.as_uri())
    page.locator("drapeau-replay.is-live").wait_for()
    page.locator("[data-view=public]").click()
    for _ in range(3):
        page.keyboard.press("ArrowRight")

    third = replay.replay(record, "public")["steps"][2]
    assert page.locator("[data-part=say]").inner_text().lower() == third["say"].lower()
    assert page.locator("[aria-current=step]").get_attribute("data-ply") == "3"
    assert page.evaluate("document.documentElement.scrollWidth") == 375
    context.close()
