"""Tournaments through the API: stages, what came of it, and what it means for one's own bots."""

import pytest

from arena.domain.tournaments.entry import entries
from tests import factories
from tests.integration.api.tournament_calls import post, read
from tests.integration.tournaments import making, playing
from tests.integration.tournaments.test_api_tournaments import etag, refusal

pytestmark = pytest.mark.django_db


@pytest.fixture
def running():
    """Return one of four with its first round drawn: two pairings of one match."""
    return playing.begin(4)


@pytest.fixture
def api(signed_in, running):
    return signed_in(making.organizer(running))


def test_stages_carry_reasons_and_tags(api, running):
    slug = running.slug

    assert refusal(post(api, slug, "start")) == (409, "wrong_status")
    assert refusal(post(api, slug, "pause")) == (400, "no_reason")
    late = post(api, slug, "pause", {"reason": "rain"}, **{"If-Match": '"1"'})
    assert refusal(late) == (412, "stale")
    paused = post(api, slug, "pause", {"reason": "rain"}, **{"If-Match": etag(api, slug)})
    assert (paused.json()["status"], paused.json()["status_reason"]) == ("paused", "rain")
    assert paused["ETag"] == etag(api, slug)
    assert post(api, slug, "resume").json()["status"] == "running"
    ended = post(api, slug, "cancel", {"reason": "flood"})
    assert (ended.json()["status"], ended.json()["status_reason"]) == ("cancelled", "flood")


def test_rounds_standings_and_cross_table(anyone, running):
    slug = running.slug
    first, second = playing.matches_of(running)
    playing.finish(first, 1.0, 0.5)

    (drawn,) = read(anyone, slug, "rounds")["results"]
    done, open_ = drawn["pairings"]
    assert read(anyone, slug, "rounds/1") == drawn
    assert (done["is_over"], open_["is_over"], drawn["is_finished"]) == (True, False, False)
    assert (done["matches"], open_["matches"]) == ([first.public_id], [second.public_id])
    games = [(row["wins"], row["draws"], row["losses"]) for row in done["entrants"]]
    assert games == [(1, 1, 0), (0, 1, 1)]
    assert {row["wins"] for row in open_["entrants"]} == {None}
    standings = read(anyone, slug, "standings")["results"]
    assert [row["points"] for row in standings] == [1.5, 0.5, 0.0, 0.0]
    cross = read(anyone, slug, "crosstable")["results"]
    assert [row["against"] for row in cross[:2]] == [[None, 1.5, None, None], [0.5, *[None] * 3]]
    assert read(anyone, slug, "bracket") == {
        "rounds_shown": 1, "winner": None, "sections": [],
    }  # fmt: skip
    assert refusal(anyone.get(f"/tournaments/{slug}/rounds/2")) == (404, "not_found")
    table = read(anyone, slug, "export?table=crosstable")["csv"].splitlines()
    assert len(table) == 5


def test_a_bracket_has_the_places_of_its_pairings(anyone):
    tournament = playing.begin(4, format="single_elimination")

    found = read(anyone, tournament.slug, "bracket")

    assert found["winner"] is None
    (section,) = (part for part in found["sections"] if part["part"] == "upper")
    first, final = section["columns"]
    pairings = read(anyone, tournament.slug, "rounds/1")["pairings"]
    assert [cell["slot"] for cell in first["cells"]] == [row["slot"] for row in pairings]
    assert [[line["bot"] for line in cell["lines"]] for cell in first["cells"]] == [
        [each["bot"] for each in row["entrants"]] for row in pairings
    ]
    assert [line["comes_from"]["slot"] for line in final["cells"][0]["lines"]] == [
        row["slot"] for row in pairings
    ]
    assert {line["bot"] for line in final["cells"][0]["lines"]} == {None}


def test_only_organizers_see_the_revision(api, signed_in, anyone, running):
    """Rounds, ties and walkovers change it too, and may be hidden."""
    owner = signed_in(running.entrants.first().bot.owner)
    address = f"/tournaments/{running.slug}"

    assert api.get(address).json()["revision"] == making.fresh(running).revision
    for other in (anyone, owner):
        assert (other.get(address).json()["revision"], "ETag" in other.get(address)) == (
            None, False,
        )  # fmt: skip
        (row,) = (row for row in other.get("/tournaments").json()["results"])
        assert row["revision"] is None
        assert {row["revision"] for row in read(other, running.slug, "log")["results"]} == {None}
    late = owner.patch(address, {"name": "B"}, format="json", headers={"If-Match": '"1"'})
    assert (refusal(late), "revision" in late.json()) == ((403, "not_an_organizer"), False)


def test_rehearsal_is_started_and_told_to_organizers(signed_in, anyone):
    tournament = making.make_open(max_entrants=5)
    api = signed_in(making.organizer(tournament))

    begun = post(api, tournament.slug, "rehearse")
    found = read(api, tournament.slug, "rehearsals")["results"]

    assert begun.status_code == 202
    assert begun.json()["rehearsal_of"] == tournament.slug
    assert api.get(begun["Location"]).status_code == 200
    assert refusal(anyone.get(begun["Location"])) == (404, "not_found")
    assert [row["slug"] for row in found] == [begun.json()["slug"]]
    assert {row["code"] for row in found[0]["report"]["sights"]} == {
        "bye", "tie", "crash", "withdrawal",
    }  # fmt: skip
    assert refusal(post(api, tournament.slug, "rehearse")) == (409, "rehearsal_running")
    stranger = signed_in(factories.make_user())
    answer = stranger.get(f"/tournaments/{tournament.slug}/rehearsals")
    assert refusal(answer) == (403, "not_an_organizer")
    assert answer.json()["hint"].startswith("Ask one of the organizers")


def own(who, tournament):
    return who.get(f"/tournaments/{tournament.slug}/mine").json()["results"]


@pytest.mark.parametrize(("release", "seen"), [("entrants", 1), ("hidden", None)])
def test_own_entry_tells_round_pairing_and_match_seen(signed_in, release, seen):
    cup = playing.begin(4, release=release)
    match = playing.matches_of(cup)[0]
    bot = match.entrants.first().version.bot
    owner = signed_in(bot.owner)

    (told,) = own(owner, cup)

    assert (told["entrant"]["bot"], told["entrant"]["version"]) == (str(bot), 1)
    assert (told["round"], told["next_match"]) == (seen, match.public_id if seen else None)
    assert (told["pairing"] or {}).get("id") == (match.pairing.public_id if seen else None)
    playing.finish(match)
    (after,) = own(owner, cup)
    assert after["next_match"] is None
    assert (after["pairing"] is not None and after["pairing"]["is_over"]) is bool(seen)


def test_waiting_or_invited_entry_has_no_round(signed_in):
    cup = making.make_open(entry_policy="invited")
    invited, other = factories.make_ready().bot, factories.make_ready().bot
    for bot in (invited, other):
        bot.refresh_from_db()
        entries.invite(tournament=cup, bot=bot, by=making.organizer(cup))

    (told,) = own(signed_in(invited.owner), cup)

    assert (told["entrant"]["bot"], told["entrant"]["status"]) == (str(invited), "invited")
    assert (told["round"], told["pairing"], told["next_match"]) == (None, None, None)
    assert own(signed_in(making.organizer(cup)), cup) == []
