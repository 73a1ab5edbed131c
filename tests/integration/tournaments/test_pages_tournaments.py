"""The pages of tournaments: what they show, to whom, and what they leave out."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from arena.domain.tournaments import releases, stages
from arena.domain.tournaments.rounds import directing
from arena.models import Bot, Release, Tournament, TournamentEntrant, TournamentStatus, Version
from tests import factories
from tests.integration.tournaments import making, playing
from tests.integration.tournaments.rows import make_tournament

pytestmark = pytest.mark.django_db

PAGES = ("", "standings/", "rounds/", "crosstable/", "entrants/", "log/", "print/", "embed/")
MANY = 24


def text_of(client, address, status=200, **headers):
    response = client.get(address, headers=headers)
    assert response.status_code == status, (address, response.status_code)
    return response.content.decode()


@pytest.mark.parametrize("status", [s for s in TournamentStatus if s != "draft"])
def test_every_page_answers_wherever_a_tournament_stands(client, status):
    row = make_tournament(entrants=2, status=status)

    for page in PAGES:
        assert row.name in text_of(client, f"{row.get_absolute_url()}{page}"), page


def test_the_empty_list_says_what_to_do(client):
    text = text_of(client, reverse("tournament-list"))

    assert "There is no tournament yet." in text
    assert reverse("tournament-new") in text


def names_in(text, *rows):
    return [row.slug for row in rows if f'href="{row.get_absolute_url()}"' in text]


def test_the_list_has_parts_and_filters(client):
    swiss = make_tournament(entrants=0, slug="swiss", format="swiss")
    over = make_tournament(entrants=0, slug="over", status=TournamentStatus.RELEASED)
    ladder = factories.get_ladder("general")
    soon = make_tournament(
        entrants=0, slug="soon", status=TournamentStatus.REGISTRATION, ladder=ladder
    )
    draft = make_tournament(entrants=0, slug="draft", status=TournamentStatus.DRAFT)
    address = reverse("tournament-list")

    text = text_of(client, address)
    parts = [text.index(f'id="{name}-title"') for name in ("running", "upcoming", "over")]
    assert parts == sorted(parts)
    assert names_in(text, swiss, soon, over, draft) == ["swiss", "soon", "over"]
    found = {
        query: names_in(text_of(client, f"{address}?{query}"), swiss, soon, over)
        for query in (
            "state=over",
            "variant=general",
            "format=swiss",
            "state=upcoming&format=swiss",
        )
    }
    assert found == {
        "state=over": ["over"],
        "variant=general": ["soon"],
        "format=swiss": ["swiss"],
        "state=upcoming&format=swiss": [],
    }
    client.force_login(draft.created_by)
    assert names_in(text_of(client, f"{address}?mine=on"), swiss, soon, over, draft) == ["draft"]


def test_pairing_says_its_result(client):
    swiss = {"format": "swiss", "format_options": {"rounds": 2}, "min_entrants": 3}
    row = playing.play_round(playing.begin(3, **swiss), 1.0, 0.5)
    first = playing.pairings_of(row)
    byes = [pairing for pairing in first if pairing.decision == "bye"]
    played = [pairing for pairing in first if not pairing.decision]

    text = text_of(client, f"{row.get_absolute_url()}rounds/1/")

    assert (len(byes), len(played)) == (1, 1)
    assert "Bye (odd number of entrants): scores as 2 wins." in text
    assert '<span class="pairing-points">1½</span>' in text
    assert '<span class="pairing-points">½</span>' in text
    assert playing.matches_of(row)[0].get_absolute_url() in text
    text_of(client, f"{row.get_absolute_url()}rounds/3/", status=404)


@pytest.fixture
def half_hidden():
    """Return a tournament whose second round nobody but its organizer sees."""
    row = playing.play_round(playing.begin(4))
    return releases_hide(playing.play_round(row), 2)


def releases_hide(row, number):
    releases.set_release(
        tournament=row, round_number=number, release=Release.HIDDEN, by=making.organizer(row)
    )
    return making.fresh(row)


def test_standings_are_those_of_shown_rounds(client, half_hidden):
    row = half_hidden
    address = f"{row.get_absolute_url()}standings/"

    text = text_of(client, address)
    assert "These are the standings after round 1. Later rounds are not shown yet." in text
    assert '<span class="rating-number">4</span>' not in text
    client.force_login(making.organizer(row))
    text = text_of(client, address)
    assert "These are the standings after" not in text
    assert '<span class="rating-number">4</span>' in text


def test_hidden_rounds_only_named_as_not_shown(client, half_hidden):
    row = half_hidden
    matches = [match.public_id for number in (2, 3) for match in playing.matches_of(row, number)]

    pages = [text_of(client, f"{row.get_absolute_url()}{page}") for page in PAGES]

    assert "Rounds from 2 on are not shown yet." in pages[0]
    for number in (2, 3, 4):  # 4 is not there at all
        text_of(client, f"{row.get_absolute_url()}rounds/{number}/", status=404)
    assert "rounds/2/" not in text_of(client, f"{row.get_absolute_url()}rounds/1/")
    assert [match for match in matches for text in pages if match in text] == []
    client.force_login(making.organizer(row))
    seen = text_of(client, f"{row.get_absolute_url()}rounds/")
    assert [match in seen for match in matches] == [True] * len(matches)


def test_the_owner_is_told_what_comes_next(client):
    row = playing.begin(4)
    mine = row.entrants.get(seed=1)
    client.force_login(mine.bot.owner)
    match = next(
        each for each in playing.matches_of(row) if each.entrants.filter(version__bot=mine.bot)
    )
    other = match.entrants.exclude(version__bot=mine.bot).get().version.bot

    waiting = text_of(client, row.get_absolute_url())
    assert f"Round 1 against {other.name} (waiting for a runner)." in waiting
    points = (1.0, 1.0) if match.entrants.get(position=0).version.bot == mine.bot else (0.0, 0.0)
    playing.finish(match, *points)
    done = text_of(client, row.get_absolute_url())
    assert f"Round 1: 2\N{EN DASH}0 against {other.name}. Waiting for the next round." in done


def test_owner_is_told_round_is_hidden(client):
    row = playing.begin(4, release="hidden")
    mine = row.entrants.get(seed=1)
    client.force_login(mine.bot.owner)

    assert "Rounds from 1 on are not shown yet." in text_of(client, row.get_absolute_url())


@pytest.mark.parametrize(
    ("stop", "said"),
    [(stages.pause, "waiting: the tournament is paused"), (stages.cancel, "not played")],
)
def test_a_pairing_of_what_stands_still_says_so(client, stop, said):
    row = playing.begin(4)
    stop(tournament=row, by=making.organizer(row), reason="The roof leaks.")

    text = text_of(client, f"{row.get_absolute_url()}rounds/")

    assert text.count(f'<span class="badge">{said}</span>') == 2
    assert "Waiting for a runner" not in text
    assert "The roof leaks." in text


def test_a_fragment_is_what_moves_and_nothing_else(client):
    row = playing.begin(3)

    fragment = text_of(client, row.get_absolute_url(), **{"HX-Request": "true"})

    assert "<html" not in fragment
    assert fragment.lstrip().startswith('<div id="tournament-live"')
    assert f'hx-get="{row.get_absolute_url()}"' in fragment
    assert "Rules" not in fragment


def test_frame_shows_public_part_to_everybody(client, half_hidden):
    row = half_hidden
    client.force_login(making.organizer(row))

    response = client.get(f"{row.get_absolute_url()}embed/")
    page = client.get(row.get_absolute_url())

    assert "X-Frame-Options" not in response.headers
    assert "frame-ancestors *" in response.headers["Content-Security-Policy"]
    assert "after round 1. Later rounds" in response.content.decode()
    assert page.headers["X-Frame-Options"] == "DENY"
    assert "frame-ancestors 'none'" in page.headers["Content-Security-Policy"]


def test_files_have_what_may_be_seen(client, half_hidden):
    row = half_hidden
    hidden = playing.matches_of(row, 2)[0].public_id
    shown = playing.matches_of(row, 1)[0].public_id
    address = row.get_absolute_url()

    answers = [
        client.get(f"{address}{name}")
        for name in ("export.json", "export.csv?table=pairings", "calendar.ics")
    ]

    assert [each.headers["Content-Type"] for each in answers] == [
        "application/json",
        "text/csv; charset=utf-8",
        "text/calendar; charset=utf-8",
    ]
    assert [shown in each.content.decode() for each in answers] == [True, True, False]
    assert [hidden in each.content.decode() for each in answers] == [False, False, False]
    text_of(client, f"{address}export.csv?table=secrets", status=404)
    dates = text_of(client, "/tournaments.ics").replace("\r\n ", "")
    assert row.name in dates
    assert f"http://testserver{address}" in dates


def test_the_log_can_be_read_round_by_round(client):
    row = playing.play_round(playing.begin(4))

    text = text_of(client, f"{row.get_absolute_url()}log/?round=1")

    assert "Round 1 is over." in text
    assert "Round 2 was drawn" not in text
    assert "Round 2 was drawn" in text_of(client, f"{row.get_absolute_url()}log/")


def crowd(count, **columns):
    """Return a running Swiss tournament of so many with a round drawn, made by few statements."""
    row = make_tournament(entrants=0, format="swiss", format_options={"rounds": 3}, **columns)
    owners = [factories.make_user() for _ in range(4)]
    bots = Bot.objects.bulk_create(
        Bot(owner=owners[n % 4], slug=f"{row.slug}-{n}", name=f"Bot {n}") for n in range(count)
    )
    versions = Version.objects.bulk_create(
        Version(bot=bot, number=1, status="ready", digest=f"{bot.pk:064x}", size_bytes=1)
        for bot in bots
    )
    TournamentEntrant.objects.bulk_create(
        TournamentEntrant(tournament=row, bot=each.bot, version=each, seed=seed, digest=each.digest)
        for seed, each in enumerate(versions, start=1)
    )
    directing.advance(tournament_pk=row.pk)
    return Tournament.objects.get(pk=row.pk)


def test_page_queries_do_not_grow_with_entrants(client):
    few, many = crowd(8), crowd(MANY)
    client.force_login(factories.make_user())
    counts = {}
    for page in (*PAGES, "rounds/1/"):
        for row in (few, few, many):  # what is read once for all is read by the first
            with CaptureQueriesContext(
                connection,
            ) as queries:
                text_of(client, f"{row.get_absolute_url()}{page}")
            counts[page, row.slug] = len(queries)

    assert many.entrants.count() == MANY
    more = {
        page: counts[page, many.slug] - counts[page, few.slug] for page in (*PAGES, "rounds/1/")
    }
    assert more == dict.fromkeys(more, 0)
    assert max(counts.values()) < 45
