"""Staff see the pairs whose results their ratings explain least."""

import pytest
from django.utils import timezone

from arena.domain.fairplay import corrections, surprises
from arena.domain.ratings import refits
from arena.models import SurpriseReport, User
from tests import factories

pytestmark = pytest.mark.django_db


def play(one, two, *results):
    return [factories.play_duel(one, two, *result) for result in results]


@pytest.fixture
def pair():
    return factories.make_ready(), factories.make_ready()


def test_most_surprising_pair_first_and_gone_once_annulled(pair):
    even = factories.make_ready(), factories.make_ready()
    play(*even, *[[1, 0]] * 6)
    rows = play(*pair, *[[1, 1]] * 6)
    refits.refresh(ladder=factories.get_ladder())
    rows += play(*pair, *[[1, 1]] * 6)
    play(factories.make_ready(), factories.make_ready(), *[[1, 1]] * 4)  # too few
    ladder = factories.get_ladder()

    first, second = surprises.of_ladder(ladder=ladder)

    assert (first.winner, first.loser) == tuple(version.bot_id for version in pair)
    assert (first.matches, first.score) == (12, 12.0)
    assert 6 < first.expected < 12
    assert first.z > 2 > second.z
    assert {second.winner, second.loser} == {version.bot_id for version in even}
    seen = corrections.try_annulment(chosen=rows)
    corrections.annul(
        chosen=rows, by=User.objects.create_superuser("op"), reason="farmed", seen=seen.digest
    )
    assert [each.matches for each in surprises.of_ladder(ladder=ladder)] == [6]


def test_bot_beaten_by_newer_bot_is_loser(pair):
    play(*pair, *[[0, 0]] * 6)

    (found,) = surprises.of_ladder(ladder=factories.get_ladder())

    assert (found.winner, found.loser) == (pair[1].bot_id, pair[0].bot_id)
    assert (found.score, found.z > 0) == (6.0, True)


def test_only_the_latest_matches_are_looked_at(pair, monkeypatch):
    play(*pair, *[[1, 1]] * 7)
    monkeypatch.setattr(surprises, "MOST_MATCHES", 6)

    (found,) = surprises.of_ladder(ladder=factories.get_ladder())

    assert found.matches == 6


def test_site_looks_hourly_and_keeps_findings(pair):
    play(*pair, *[[1, 1]] * 6)
    assert surprises.latest() == (None, [])

    surprises.make_due()
    made_at, found = surprises.latest()
    play(*pair, [1, 1])
    surprises.make_due()

    assert [(each.winner, each.loser) for each in found] == [(pair[0].bot, pair[1].bot)]
    assert surprises.latest() == (made_at, found)
    SurpriseReport.objects.update(made_at=timezone.now() - surprises.EVERY)
    surprises.make_due()
    assert [each.stored.matches for each in surprises.latest()[1]] == [7]


def test_the_page_and_its_export_name_the_pair(pair, client):
    play(*pair, *[[1, 1]] * 6)
    client.force_login(User.objects.create_superuser("operator"))
    unseen = client.get("/staff/surprises/").content.decode()
    surprises.make_due()

    page = client.get("/staff/surprises/").content.decode()
    head, line = client.get("/staff/surprises.csv").content.decode().split()

    assert "The site has not looked yet." in unseen
    assert f"/staff/annul/?ladder=classic&amp;bot={pair[0].bot}" in page
    assert head == "ladder,bot,opponent,matches,score,expected,z"
    assert line.startswith(f"classic,{pair[0].bot},{pair[1].bot},6,6,")
