"""The pages of organizers in a browser: at every width, in both lights, by axe, with a message."""

import pytest
from playwright.sync_api import expect

from arena.domain.accounts import notices
from arena.domain.tournaments.rehearsal import rehearsals
from arena.models import User
from tests.e2e.journeys.test_journeys import sign_up
from tests.e2e.tournaments.test_browser_tournaments import SWISS, look_at
from tests.integration.tournaments import making, playing

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def page(open_page):
    """A page of a user who has a message to read, and a name that takes room."""
    name = "grace-of-all-houses"
    page = sign_up(open_page, name)
    for number in range(12):
        notices.tell(user=User.objects.get(username=name), text=f"Message {number}.")
    return page


def grace():
    return User.objects.get(username__startswith="grace")


def test_console_and_acts_fit_and_are_accessible(page, open_page, axe, wider):
    row = playing.play_round(playing.begin(5, by=grace(), **SWISS), 1.0, 0.5)
    address = f"{row.get_absolute_url()}manage/"
    pairing, entrant = playing.pairings_of(row, 2)[0], row.entrants.get(seed=2)
    to = playing.sides(pairing)[0].pk
    match = playing.matches_of(row, 1)[0]

    addresses = [
        address,
        f"{address}act/award/?pairing={pairing.public_id}&to={to}",
        f"{address}act/add-matches/?pairing={pairing.public_id}",
        f"{address}act/disqualify/?entrant={entrant.pk}",
        f"{address}act/substitute/?entrant={entrant.pk}",
        f"{address}act/rerun/?match={match.public_id}",
        f"{address}act/add-rounds/?rounds=1",
    ]
    assert look_at(page, open_page, axe, wider, addresses) == {}


def test_rehearsals_and_the_wizard_fit_and_are_accessible(page, open_page, axe, wider):
    row = making.make_open(grace(), freezes_at=making.ahead(days=1))
    rehearsals.start(tournament=row, by=grace())
    address = row.get_absolute_url()

    addresses = [
        f"{address}rehearsal/",
        f"{address}manage/",
        f"{address}manage/act/postpone/",
        "/tournaments/new/?template=swiss",
        "/tournaments/new/?template=double-elimination",
    ]
    assert look_at(page, open_page, axe, wider, addresses) == {}


def test_a_page_with_a_message_is_accessible(page, open_page, axe):
    row = making.make_draft(grace())
    open_page(f"{row.get_absolute_url()}manage/", page=page)

    page.get_by_role("button", name="Open registration").click()

    expect(page.get_by_role("status")).to_contain_text("The registration is open.")
    assert axe(page) == []
