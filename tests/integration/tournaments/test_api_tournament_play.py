"""Tournaments through the API: stages, what came of it, and what organizers put right."""

import pytest

from arena.domain.tournaments.rounds import directing
from arena.models import Release, Tournament
from tests import factories
from tests.integration.api.tournament_calls import post, read
from tests.integration.tournaments import making, playing
from tests.integration.tournaments.test_api_tournaments import etag, fields, refusal

pytestmark = pytest.mark.django_db

MADE = {"name": "Cup", "ladder": "classic", "format": "round_robin", "min_entrants": 3}


@pytest.fixture
def running():
    """Return one of four with its first round drawn: two pairings of one match."""
    return playing.begin(4)


@pytest.fixture
def api(signed_in, running):
    return signed_in(making.organizer(running))


def test_from_a_draft_to_the_end(signed_in, anyone):
    api = signed_in(factories.make_user("ada"))
    slug = api.post("/tournaments", MADE, format="json").json()["slug"]

    assert post(api, slug, "open").json()["status"] == "registration"
    for _ in range(3):
        bot = factories.make_ready().bot
        body = {"bot": str(bot)}
        assert post(signed_in(bot.owner), slug, "entrants", body).status_code == 201
    assert post(api, slug, "freeze").json()["status"] == "frozen"
    assert post(api, slug, "start").json()["status"] == "running"
    tournament = Tournament.objects.get(slug=slug)
    directing.advance(tournament_pk=tournament.pk)
    for _ in range(3):
        playing.play_round(tournament)

    told = anyone.get(f"/tournaments/{slug}").json()
    standings = read(anyone, slug, "standings")
    assert told["status"] == "completed"
    assert (standings["rounds_shown"], len(standings["results"])) == (3, 3)
    assert [row["rank"] for row in standings["results"]] == [1, 2, 3]
    assert sum(row["points"] for row in standings["results"]) == 6.0  # of 6 games
    assert sorted(read(anyone, slug, "export")) == [
        "entrants", "rounds", "rounds_shown", "standings", "tournament",
    ]  # fmt: skip
    texts = [row["text"] for row in read(anyone, slug, "log")["results"]]
    actions = [row["action"] for row in read(anyone, slug, "log")["results"]]
    assert all(texts)
    assert actions[:2] == ["created", "opened"]
    assert actions[-1] == "completed"


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


def test_round_release_is_set_round_by_round(api, anyone, signed_in):
    tournament = playing.begin(4, release=Release.HIDDEN)
    organizer = signed_in(making.organizer(tournament))
    slug = tournament.slug
    assert read(anyone, slug, "rounds")["results"] == []
    assert len(read(organizer, slug, "rounds")["results"]) == 1

    wrong = post(organizer, slug, "rounds/9/release", {"release": "public"})
    shown = post(organizer, slug, "rounds/1/release", {"release": "public"})

    assert refusal(wrong) == (400, "unknown_round")
    assert fields(post(organizer, slug, "rounds/1/release", {"release": "x"})) == {"release"}
    assert refusal(post(api, slug, "rounds/1/release", {"release": "public"}))[0] == 403
    assert (shown.status_code, shown["ETag"]) == (200, etag(organizer, slug))
    assert len(read(anyone, slug, "rounds")["results"]) == 1


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


def test_organizers_let_others_organize_it(api, signed_in, running):
    eve = factories.make_user("eve")
    slug = running.slug

    added = post(api, slug, "organizers", {"username": "eve"})
    again = post(api, slug, "organizers", {"username": "eve"})
    unknown = post(api, slug, "organizers", {"username": "nobody"})
    paused = post(signed_in(eve), slug, "pause", {"reason": "tea"})
    gone = api.delete(f"/tournaments/{slug}/organizers/eve")
    only = api.delete(f"/tournaments/{slug}/organizers/{making.organizer(running)}")

    assert "eve" in added.json()["organizers"]
    assert (refusal(again), refusal(unknown)) == ((409, "is_organizer"), (400, "unknown_user"))
    assert (paused.status_code, gone.status_code) == (200, 204)
    assert refusal(only) == (409, "last_organizer")
    assert refusal(post(signed_in(eve), slug, "resume")) == (403, "not_an_organizer")


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


def test_only_finished_rehearsal_is_deleted(signed_in):
    tournament = making.make_open(max_entrants=5)
    api, address = signed_in(making.organizer(tournament)), f"/tournaments/{tournament.slug}"
    rehearsal = f"/tournaments/{post(api, tournament.slug, 'rehearse').json()['slug']}"

    running, real = api.delete(rehearsal), api.delete(address)
    api.post(f"{rehearsal}/cancel", {"reason": "seen"}, format="json")
    stranger = signed_in(factories.make_user()).delete(rehearsal)
    deleted = api.delete(rehearsal)

    assert refusal(running) == (409, "rehearsal_running")
    assert refusal(real) == (409, "no_rehearsal")
    assert refusal(stranger) == (404, "not_found")
    assert deleted.status_code == 204
    assert refusal(api.get(rehearsal)) == (404, "not_found")
    assert api.get(address).status_code == 200
