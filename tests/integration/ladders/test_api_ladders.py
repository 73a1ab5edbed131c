from arena.domain.ratings import refits
from arena.models import Entrant, Ladder
from tests import factories
from tests.integration.api import rows


def entrant(rating):
    version = rows.ready_version()
    return Entrant.objects.create(
        ladder=rows.ladder(),
        bot=version.bot,
        version=version,
        rating=rating,
        best_rank=1,
    )


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


def test_leaderboard_is_ordered_and_equals_share_rank(anyone):
    for rating in (1500.0, 1620.5, 1500.0, 1400.0):
        entrant(rating)

    listed = anyone.get("/ladders/general/entries").json()

    assert [(row["rank"], row["rating"]["rating"]) for row in listed["results"]] == [
        *((1, 1620.5), (2, 1500.0), (2, 1500.0), (4, 1400.0))
    ]
    assert (listed["next"], listed["previous"]) == (None, None)
    assert set(listed["results"][0]) == {
        *("rank", "rank_range", "owner", "bot", "name", "version", "rating"),
        *("wins", "draws", "losses", "url"),
    }
    assert listed["results"][0]["rating"] == {
        "rating": 1620.5,
        "interval": None,
        "games": 0,
        "provisional": False,
        "system": "posterior@2",
    }


def test_leaderboard_line_has_interval_and_rank_range(anyone):
    row = entrant(1620.5)
    known = {"rating": 1600.0, "rating_low": 1550.0, "rating_high": 1650.5}
    Entrant.objects.filter(pk=row.pk).update(**known, best_rank=1, worst_rank=4, games=30, wins=30)

    line = anyone.get("/ladders/general/entries").json()["results"][0]
    rating = line["rating"]

    assert (rating["rating"], rating["interval"]) == (1600.0, [1550.0, 1650.5])
    assert (line["rank_range"], rating["games"], rating["provisional"]) == ([1, 4], 30, False)


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


def test_pages_of_an_archive_follow_each_other(anyone):
    for _ in range(2):
        rows.finished_match()
    factories.end_season(ladder=rows.ladder())

    first = anyone.get("/ladders/general/seasons/1?page_size=3").json()
    second = anyone.get(first["next"]).json()

    assert (len(first["results"]), len(second["results"])) == (3, 1)
    assert second["next"] is None
    assert anyone.get(second["previous"]).json() == first


def test_pages_of_a_leaderboard_follow_each_other(anyone):
    for rating in (1500.0, 1600.0, 1700.0):
        entrant(rating)

    first = anyone.get("/ladders/general/entries?page_size=2").json()
    second = anyone.get(first["next"]).json()

    assert [row["rank"] for row in first["results"] + second["results"]] == [1, 2, 3]
    assert second["next"] is None
    assert anyone.get(second["previous"]).json() == first


def test_a_page_that_is_no_number_is_refused(anyone):
    answer = anyone.get("/ladders/general/entries?page=0&page_size=x")

    assert answer.status_code == 400
    assert {row["field"] for row in answer.json()["errors"]} == {"page", "page_size"}


def test_query_count_does_not_grow_with_leaderboard(anyone, django_assert_num_queries):
    entrant(1500.0)
    with django_assert_num_queries(2):
        anyone.get("/ladders/general/entries")

    for _ in range(2):
        entrant(1500.0)
    with django_assert_num_queries(2):
        assert len(anyone.get("/ladders/general/entries").json()["results"]) == 3
