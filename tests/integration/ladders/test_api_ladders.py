from arena.domain.ratings import refits
from arena.models import Ladder
from tests import factories
from tests.integration.api import rows


def test_ladders_are_listed_with_their_clock(anyone):
    listed = anyone.get("/ladders").json()["results"]

    assert [row["slug"] for row in listed] == sorted(row.slug for row in Ladder.objects.all())
    classic = next(row for row in listed if row["slug"] == "classic")
    assert (classic["variant"], classic["entrants_per_match"]) == ("classic@1", 2)
    assert classic["clock"] == {
        "startup_ms": 10_000,
        "bank_ms": 60_000,
        "increment_ms": 100,
        "action_ms": 5_000,
    }


def test_seasons_are_listed_and_their_archives_stay(anyone):
    rows.finished_match()
    refits.refresh(ladder=rows.ladder())
    stood = anyone.get("/ladders/general/entries").json()["results"]
    factories.end_season(ladder=rows.ladder())
    rows.finished_match()
    factories.end_season(ladder=rows.ladder())

    listed = anyone.get("/ladders/general/seasons").json()["results"]
    archive = anyone.get("/ladders/general/seasons/1").json()

    assert [row["number"] for row in listed] == [2, 1]
    assert listed[1] == archive["season"]
    assert archive["pending"] is False
    assert [(row["rank"], row["bot"], row["rating"]["rating"]) for row in archive["results"]] == [
        (row["rank"], row["bot"], row["rating"]["rating"]) for row in stood
    ]
    assert anyone.get("/ladders/general/seasons/3").status_code == 404
    ladders = anyone.get("/ladders").json()["results"]
    assert [row["season"] for row in ladders if row["slug"] == "general"] == [3]
