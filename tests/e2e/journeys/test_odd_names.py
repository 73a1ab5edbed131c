"""The longest words, the longest texts and odd names on every page, at two widths."""

import pytest
from django.test import Client

from arena.domain.bots import bots
from arena.domain.tournaments import stages
from arena.models import Tournament, User
from tests.factories import make_ready, make_user
from tests.integration.tournaments import making, playing
from tests.integration.web.played import finished_match, waiting_match

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

NAMES = (
    "W" * 60,
    "بوت 2",
    "Z\u0301\u0302\u0303" * 15,
    "👩\u200d👩\u200d👧\u200d👦 (v3)",
    "כלב (v3)",
)
WORD, TEXT = "d" * 2000, "word " * 1000
OF_TOURNAMENT = (
    *("", "standings/", "rounds/", "rounds/1/", "crosstable/", "entrants/", "log/", "print/"),
    *("embed/", "manage/", "edit/"),
)


@pytest.fixture
def odd(db):
    """Return bots with odd names and their owner, whose name is as long as one can be."""
    owner = make_user("o" + "w" * 31)
    made = []
    for number, name in enumerate(NAMES):
        bot = bots.create(owner=make_user(f"{'u' * 28}{number}") if number else owner, name=name)
        bots.edit(bot=bot, description=WORD if number % 2 else TEXT[:2000])
        made.append(make_ready(bot))
    return made


def test_no_page_is_wider_than_window(open_page, live_server, odd, capsys):
    staff = User.objects.create(username="staff", is_staff=True, is_superuser=True)
    match = finished_match(odd[0], odd[1])
    waiting_match(*odd[:2])
    page = open_page("/")
    page.context.add_cookies([{**session_of(staff), "url": live_server.url}])
    bot, owner = odd[0].bot, odd[0].bot.owner
    at = bot.get_absolute_url()

    table = measured(
        page,
        *("/", "/ladders/", "/ladders/general/", "/bots/", "/matches/", "/queue/", "/play/"),
        *(at, f"{at}points/", f"{at}vs/{odd[1].bot}/", f"{at}challenge/"),
        *(odd[0].get_absolute_url(), owner.get_absolute_url()),
        *(match.get_absolute_url(), f"{match.get_absolute_url()}games/1/?ply=4"),
        *("/search/?q=W", f"/staff/users/{owner}/", f"/staff/bots/{bot}/"),
    )
    cups = [cup(odd, format="round_robin"), cup(odd, format="single_elimination")]
    pages = [f"{row.get_absolute_url()}{name}" for row in cups for name in OF_TOURNAMENT]
    table |= measured(page, "/tournaments/", f"{cups[1].get_absolute_url()}bracket/", *pages)

    with capsys.disabled():
        lines = (f"{each[0]:>5} {each[1]:>5}  {address}" for address, each in table.items())
        print("", "wider by, at 375 and at 1440", *lines, sep="\n")  # noqa: T201 - the table of widths
    assert {address: each for address, each in table.items() if any(each)} == {}


def cup(entrants, **terms):
    """Return a tournament with the longest texts, of which a round is played."""
    row = making.make_open(max_entrants=8, description=TEXT, **terms)
    Tournament.objects.filter(pk=row.pk).update(name=f"{terms['format']} {'N' * 60}"[:80])
    for version in entrants:
        making.enter(row, version)
    stages.freeze(tournament=row, by=None)
    stages.start(tournament=row, by=None)
    return playing.play_round(playing.go_on(row))


def measured(page, *addresses):
    """Return by how many pixels each page is wider than a window of 375 and of 1440.

    Instead of them return the status of a page that is not there.
    """
    table = {}
    for address in addresses:
        status = page.goto(address).status
        table[address] = (status, status) if status != 200 else ()
        for width in (375, 1440) if not table[address] else ():
            page.set_viewport_size({"width": width, "height": 900})
            excess = page.evaluate("document.documentElement.scrollWidth - window.innerWidth")
            table[address] += (max(0, excess),)
    return table


def session_of(user):
    client = Client()
    client.force_login(user)
    return {"name": "sessionid", "value": client.cookies["sessionid"].value}
