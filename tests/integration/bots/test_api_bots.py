from arena.models import Bot
from tests import factories
from tests.integration.api import rows


def test_made_bot_is_found_where_location_says(signed_in, anyone):
    made = signed_in(rows.user("ada")).post("/bots", {"name": "Greedy Miner"}, format="json")
    found = anyone.get(made["Location"])

    assert made.status_code == 201
    assert made["Location"] == "http://testserver/api/v1/bots/ada/greedy-miner"
    assert found.json() == {**made.json(), "entries": [], "versions": []}


def test_second_bot_of_same_short_name_conflicts(signed_in):
    ada = rows.user()
    factories.make_bot(ada, "greedy")

    answer = signed_in(ada).post("/bots", {"name": "Greedy"}, format="json")

    assert answer.status_code == 409
    assert answer.json()["code"] == "slug_taken"
    assert [row["field"] for row in answer.json()["errors"]] == ["slug"]
    assert Bot.objects.count() == 1


def test_pages_of_bots_have_no_gap_or_overlap(anyone):
    made = [factories.make_bot().slug for _ in range(5)]
    seen, url = [], "/bots?page_size=2"

    while url:
        page = anyone.get(url).json()
        seen += [row["slug"] for row in page["results"]]
        url = page["next"]

    assert seen == made[::-1]
    for size in ("x", "0", "1.5"):
        assert anyone.get(f"/bots?page_size={size}").status_code == 400
    assert len(anyone.get("/bots?page_size=100000").json()["results"]) == 5
    factories.make_bot(rows.user("ada"), "only")
    of_ada = anyone.get("/bots?owner=ada").json()["results"]
    assert [row["slug"] for row in of_ada] == ["only"]


def test_bot_shows_versions_and_place_on_ladders(anyone):
    match = rows.finished_match()
    entrant = match.entrants.get(position=0)
    bot = entrant.version.bot

    shown = anyone.get(f"/bots/{bot}").json()

    assert [row["number"] for row in shown["versions"]] == [1]
    assert shown["active_version"] == 1
    assert [(row["ladder"], row["version"], row["games"]) for row in shown["entries"]] == [
        ("general", 1, 2)
    ]
    assert shown["entries"][0]["provisional"] is True
