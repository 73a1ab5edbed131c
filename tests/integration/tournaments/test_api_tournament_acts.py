"""Acts of organizers through the API: tried, done as they were seen, refused."""

from datetime import timedelta

import pytest
from django.utils import timezone

from arena.domain.tournaments.interventions.base import REGISTRY
from arena.models import Scope
from tests import factories
from tests.integration.api.tournament_calls import act, post, read
from tests.integration.tournaments import making, playing
from tests.integration.tournaments.test_api_tournaments import refusal

pytestmark = pytest.mark.django_db


@pytest.fixture
def running():
    """Return one of four with its first round drawn: two pairings of one match."""
    return playing.begin(4)


@pytest.fixture
def api(signed_in, running):
    return signed_in(making.organizer(running))


def values_of(name, running):
    """Return what an act is sent with, and the tournament that it can be done to."""
    first, second = playing.matches_of(running)
    entrant = str(running.entrants.get(seed=1).bot)
    factories.make_ready(running.entrants.get(seed=1).bot)  # its version 2
    if name == "rerun":
        playing.finish(second)
    if name == "add_rounds":
        running = playing.begin(
            8, by=making.organizer(running), format="swiss", format_options={"rounds": 1}
        )
    if name == "postpone":
        soon = timezone.now() + timedelta(hours=1)
        running = making.make_open(making.organizer(running), freezes_at=soon, starts_at=soon)
    later = (timezone.now() + timedelta(days=1)).isoformat()
    return running, {
        "void": {"match": first.public_id},
        "rerun": {"match": second.public_id},
        "award": {"pairing": first.pairing.public_id, "entrant": None},
        "substitute": {"entrant": entrant, "version": 2},
        "withdraw": {"entrant": entrant},
        "disqualify": {"entrant": entrant},
        "add_rounds": {"count": 1},
        "add_matches": {"pairing": first.pairing.public_id, "count": 1},
        "postpone": {"freezes_at": later, "starts_at": later},
    }[name]


@pytest.mark.parametrize("name", REGISTRY)
def test_every_act_done_as_dry_run_showed(api, running, name):
    tournament, values = values_of(name, running)

    tried = act(api, tournament.slug, name, dry_run=True, **values)
    seen, tag = tried.json()["shown"]["seen"], tried["ETag"]
    done = act(api, tournament.slug, name, seen=seen, tag=tag, **values)

    assert (done.status_code, done.json()["done"]) == (200, True)


def test_a_refusal_names_the_field_of_the_body(api, running):
    other = str(playing.pairings_of(running)[1].entrants.first().entrant.bot)
    for name, wrong in (("award", {"entrant": other}), ("substitute", {"version": 9})):
        tournament, values = values_of(name, running)

        refused = act(api, tournament.slug, name, dry_run=True, **{**values, **wrong})

        assert [row["field"] for row in refused.json()["errors"]] == list(wrong)


def test_stale_act_comes_back_with_new_dry_run(api, running):
    slug = running.slug
    pairing = read(api, slug, "rounds/1")["pairings"][0]
    winner = pairing["entrants"][1]["bot"]
    tried = act(api, slug, "award", dry_run=True, pairing=pairing["id"], entrant=winner)
    playing.finish(playing.matches_of(running)[0])  # its match ends before the act is confirmed

    late = act(
        api, slug, "award", pairing=pairing["id"], entrant=winner,
        seen=tried.json()["shown"]["seen"],
    )  # fmt: skip

    assert refusal(late) == (412, "stale")
    assert late.json()["preview"]["seen"] != tried.json()["shown"]["seen"]
    assert late.json()["preview"]["lines"][0]["bot"] == winner
    assert "awarded" not in making.log(running)


def test_an_act_needs_a_tag_and_a_reason(api, running):
    slug = running.slug
    bot = str(running.entrants.first().bot)

    bare = post(api, slug, "acts", {"act": "withdraw", "entrant": bot, "reason": "ill"})
    assert refusal(bare) == (428, "precondition_required")
    late = act(api, slug, "withdraw", entrant=bot, tag='"1"')
    assert refusal(late) == (412, "stale")
    assert refusal(act(api, slug, "withdraw", entrant=bot, reason="")) == (400, "no_reason")
    assert act(api, slug, "withdraw", entrant=bot).json()["entry"]["action"] == "withdrawn"


def test_dry_run_tells_nothing_without_read_scope(signed_in, running):
    writer = signed_in(making.organizer(running), Scope.TOURNAMENTS_WRITE)
    bot = str(running.entrants.first().bot)

    tried = act(writer, running.slug, "withdraw", dry_run=True, entrant=bot)

    assert refusal(tried) == (403, "missing_scope")
    assert act(writer, running.slug, "withdraw", entrant=bot, tag="*").status_code == 200
