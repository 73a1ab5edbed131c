"""Pages that follow what they show, in the browser: they change without a reload."""

import pytest
from playwright.sync_api import expect

from arena.domain.matches import live_log
from arena.domain.tournaments import stages
from arena.server import streams
from tests.factories import claim, get_ladder, make_match
from tests.integration.server.served import RunningGame, served
from tests.integration.tournaments import making, playing
from tests.integration.web.played import finish_games, finished_match, players_of, waiting_match
from tests.waiting import until

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

SHIFT = """() => new Promise((done) => {
  window.shift = 0;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) window.shift += entry.value;
  }).observe({ type: "layout-shift", buffered: true });
  done();
})"""


HEARS = """
  window.marks = 0;
  window.EventSource = class extends EventSource {
    constructor(address) {
      super(address);
      this.addEventListener("mark", () => (window.marks += 1));
    }
  };
"""


@pytest.fixture(autouse=True)
def impatient(settings, monkeypatch):
    settings.CELERY_BROKER_URL = "filesystem://localhost"
    settings.VISITOR_PAGES_KEPT_S = 0
    monkeypatch.setattr(streams, "CHECK_S", 0.1)
    live_log.live_log.cache_clear()
    yield
    live_log.live_log.cache_clear()


@pytest.fixture
def site():
    with served() as url:
        yield url


@pytest.fixture
def follow(open_page, site):
    """Return a function that opens a page as a user, and marks it: a reload would lose the mark.

    The page has been told its first mark, so it hears of every later change.
    """

    def opened(path, client=None, **options):
        page = open_page(f"{site}/ladders/", **options)
        if client is not None:
            session = client.cookies["sessionid"].value
            page.context.add_cookies([{"name": "sessionid", "value": session, "url": site}])
        page.add_init_script(HEARS)
        open_page(f"{site}{path}", page=page)
        page.evaluate("window.isTheFirst = true")
        until(lambda: page.evaluate("window.marks"), "the page has its first mark")
        return page

    return opened


def running(ladder="general", plies=3):
    game = RunningGame(make_match(ladder=get_ladder(ladder)))
    game.play(plies)
    return game


def pieces(page):
    return page.locator(".board-now[data-live-match] .pieces > g")


def names_of(game):
    return [version.bot.name for version in players_of(game.match)]


def test_home_page_goes_over_to_next_running_match(follow):
    finished_match()
    first, second = running(), running("siege")
    page = follow("/")
    page.evaluate(SHIFT)
    first.publish_once_watched()
    expect(pieces(page)).to_have_count(48)
    edges = page.locator(".board-edge:visible")
    for name in names_of(first):
        expect(edges.filter(has_text=name)).to_have_count(1)
    expect(page.locator(".featured")).to_contain_text("On the board now")
    say = page.locator(".board-now [data-part=say]")
    before = say.text_content()

    first.play(1)
    expect(say).not_to_have_text(before)

    first.finish()
    second.publish_once_watched()
    for name in names_of(second):
        expect(edges.filter(has_text=name)).to_have_count(1)
    expect(pieces(page)).not_to_have_count(0)
    expect(page.locator("#home .match-list li").first).to_contain_text(names_of(first)[0])

    second.finish()
    expect(page.locator(".featured")).to_contain_text("Replay of a finished match")
    expect(page.locator(".board-now .tool-play")).to_be_visible()
    assert page.evaluate("window.isTheFirst")
    assert page.evaluate("window.shift") < 0.01


def test_home_page_without_script_shows_finished_match(chromium, site):
    finished = finished_match()
    game = running()
    with chromium.new_context(java_script_enabled=False) as context:
        page = context.new_page()
        page.goto(f"{site}/")

        expect(page.locator(".board-now:visible .pieces > g").first).to_be_visible()
        expect(page.locator("[data-live-match]")).to_be_hidden()
        for version in players_of(finished):
            shown = page.locator(".board-edge:visible", has_text=version.bot.name)
            expect(shown).to_have_count(1)
        assert names_of(game)[0] in page.content()


def test_list_follows_and_keeps_user_input(follow):
    first = finished_match()
    page = follow("/matches/", width=375)
    page.get_by_text("Filter", exact=True).click()
    field = page.locator("form[role=search] input").first
    field.fill("some/bot")
    line = page.locator("#match-list .match-line").first
    expect(line).to_contain_text(players_of(first)[0].bot.name)

    match = waiting_match()
    lease = claim(match)

    name = players_of(match)[0].bot.name
    expect(line).to_contain_text(name)
    expect(line).to_contain_text("leased")
    line.focus()
    place = page.evaluate("window.scrollTo(0, 90), window.scrollY")
    assert place > 0
    finish_games(lease, match)
    expect(line).to_contain_text("2")
    expect(line).to_be_focused()
    expect(field).to_have_value("some/bot")
    expect(field).to_be_visible()
    assert page.evaluate("[window.scrollY, window.isTheFirst]") == [place, True]


def test_round_not_shown_makes_no_request(follow):
    cup = playing.play_round(playing.begin(4, release="entrants"))
    page = follow(cup.get_absolute_url())
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    for match in playing.matches_of(cup, 2):
        playing.finish(match)

    stages.pause(tournament=cup, by=making.organizer(cup), reason="A pause.")

    expect(page.locator("#tournament-status")).to_have_text("paused")
    assert len(asked) == 1, asked  # for the pause


def test_hidden_tab_watches_nothing_and_asks_when_seen(follow):
    page = follow("/queue/")
    hide(page, hidden=True)
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    match = waiting_match()
    claim(match)

    hide(page, hidden=False)

    expect(page.locator(".queue-at-work")).to_contain_text(players_of(match)[0].bot.name)
    assert "?after=" in asked[0]


def hide(page, *, hidden):
    page.evaluate(
        """(hidden) => {
          Object.defineProperty(document, "hidden", { value: hidden, configurable: true });
          document.dispatchEvent(new Event("visibilitychange"));
        }""",
        hidden,
    )
