"""Who is in a tournament, through the API: by owners, by organizers, from the ladder and lists."""

import pytest

from tests import factories
from tests.integration.api.tournament_calls import post
from tests.integration.tournaments import making
from tests.integration.tournaments.test_api_tournaments import fields, refusal

pytestmark = pytest.mark.django_db


@pytest.fixture
def tournament():
    return making.make_open(max_entrants=4)


@pytest.fixture
def organizer(signed_in, tournament):
    return signed_in(making.organizer(tournament))


@pytest.fixture
def bot():
    found = factories.make_ready(factories.make_bot(factories.make_user("bea"), "bold")).bot
    found.refresh_from_db()
    return found


@pytest.fixture
def owner(signed_in, bot):
    return signed_in(bot.owner)


def enter(who, tournament, bot, **values):
    return post(who, tournament.slug, "entrants", {"bot": str(bot), **values})


def entrants(who, tournament):
    found = who.get(f"/tournaments/{tournament.slug}/entrants").json()["results"]
    return {row["bot"]: (row["status"], row["version"]) for row in found}


def test_an_owner_enters_chooses_and_leaves(owner, anyone, tournament, bot):
    address = f"/tournaments/{tournament.slug}/entrants/{bot}"

    entered = enter(owner, tournament, bot)
    chosen = owner.patch(address, {"version": 1}, format="json")
    seen = (entrants(owner, tournament), entrants(anyone, tournament))
    left = owner.delete(f"{address}?reason=ill")

    assert (entered.status_code, entered.json()["status"]) == (201, "entered")
    assert (entered.json()["version"], chosen.json()["version"]) == (None, 1)
    assert seen == ({"bea/bold": ("entered", 1)}, {"bea/bold": ("entered", None)})
    assert (left.status_code, left.json()["status"]) == (200, "withdrawn")
    assert entrants(anyone, tournament) == {}
    assert entrants(owner, tournament) == {"bea/bold": ("withdrawn", None)}
    assert tournament.log.get(action="left").reason == "ill"


def test_what_an_entry_is_refused_for(owner, signed_in, anyone, tournament, bot):
    stranger = signed_in(factories.make_user())
    enter(owner, tournament, bot)

    assert refusal(enter(anyone, tournament, bot))[0] == 401
    assert refusal(enter(owner, tournament, bot)) == (409, "already_entered")
    assert refusal(enter(stranger, tournament, bot)) == (403, "not_your_bot")
    assert refusal(enter(owner, tournament, "bea/nobody")) == (400, "unknown_bot")
    assert fields(enter(owner, tournament, "bold")) == {"bot"}
    assert refusal(enter(owner, tournament, bot, version=7)) == (400, "no_such_version")
    gone = owner.delete(f"/tournaments/{tournament.slug}/entrants/bea/nobody")
    assert refusal(gone) == (404, "not_found")
    assert refusal(enter(stranger, making.make_draft(), bot)) == (404, "not_found")


def test_list_is_taken_or_every_wrong_line_named(organizer, tournament, bot):
    other = factories.make_ready().bot

    wrong = post(organizer, tournament.slug, "take-list", {"text": "bot\nbea/none\nbold\n"})
    taken = post(
        organizer,
        tournament.slug,
        "take-list",
        {"text": f"bot,version,seed\n{other},,2\n{bot},1,1\n"},
    )

    assert fields(wrong) == {"text"}
    said = [row["message"] for row in wrong.json()["errors"]]
    assert ["Line 2" in said[0], "Line 3" in said[1]] == [True, True]
    assert [row["bot"] for row in taken.json()["results"]] == ["bea/bold", str(other)]
    assert [row["version"] for row in taken.json()["results"]] == [1, None]


def test_organizer_requests_may_carry_tag_of_seen(organizer, tournament, bot):
    making.rated(1700)
    for rest, values in (
        ("take-top", {"top_n": 1}),
        ("take-list", {"text": f"bot\n{bot}\n"}),
        ("entrants", {"bot": str(bot)}),
    ):
        late = post(organizer, tournament.slug, rest, values, **{"If-Match": '"99"'})
        assert refusal(late) == (412, "stale")
    assert entrants(organizer, tournament) == {}


def test_organizers_are_sent_to_acts_after_freeze(signed_in):
    frozen = making.make_frozen()
    entrant = frozen.entrants.order_by("seed").first()
    address = f"/tournaments/{frozen.slug}/entrants/{entrant.bot}"

    refused = signed_in(making.organizer(frozen)).delete(address)

    assert refusal(refused) == (409, "withdraw_in_console")
    assert "/acts" in refused.json()["hint"]
    assert signed_in(entrant.bot.owner).delete(address).json()["status"] == "withdrawn"
