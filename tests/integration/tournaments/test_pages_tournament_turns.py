"""Who rests in a round, and who has won: said where it is known, to those who may know it."""

import pytest
from django.urls import reverse

from arena.domain.tournaments.interventions import entrants, matches
from arena.models import TournamentRound
from arena.web.tournaments import page_visibility, pairing_lines
from tests import factories
from tests.integration.tournaments import making, playing
from tests.integration.tournaments.pages_consoling import text

pytestmark = pytest.mark.django_db

LIST = reverse("tournament-list")


def resting(cup, number=1):
    picture = page_visibility.of(tournament=cup, viewer=making.organizer(cup)).picture
    return pairing_lines.resting(picture, number)


def test_everybody_rests_once_but_not_who_left(client):
    cup = playing.begin(5)
    leaver = next(each for each in cup.entrants.all() if each not in resting(cup))
    for _ in range(4):
        cup = playing.play_round(cup)
    assert len({resting(cup, number)[0].pk for number in range(1, 6)}) == 5

    playing.act(cup, entrants.Withdraw(leaver.pk))

    assert leaver not in resting(making.fresh(cup), 5)


@pytest.mark.parametrize(
    ("bots", "terms", "count"),
    [
        (4, {}, 0),
        (5, {"format": "swiss", "format_options": {"rounds": 2}}, 0),  # a bye is a pairing
        (6, {"format": "groups_playoff", "format_options": {"groups": 2, "qualifiers": 1}}, 2),
    ],
)
def test_nobody_rests_with_byes_or_all_meeting(client, bots, terms, count):
    cup = playing.begin(bots, **terms)

    assert len(resting(cup)) == count
    assert ("Rests:" in text(client.get(cup.get_absolute_url()))) == bool(count)


def test_out_of_play_off_does_not_rest():
    cup = playing.begin(6, format="groups_playoff", format_options={"groups": 2, "qualifiers": 1})
    for _ in range(3):
        cup = playing.play_round(cup)

    assert len(playing.pairings_of(cup, 4)) == 1
    assert resting(cup, 4) == []


def test_list_names_winner_to_viewers_of_all_rounds(client):
    cup = playing.begin(2)
    assert "won by" not in text(client.get(LIST))
    cup = playing.play_round(cup)
    (pairing,) = playing.pairings_of(cup)
    loser, winner = playing.sides(pairing)
    assert cup.status == "completed"
    assert f"won by {loser.bot.name}" in text(client.get(LIST))
    playing.act(cup, matches.Award(pairing.public_id, winner.pk))
    first = winner.bot.name
    assert f"won by {first}" in text(client.get(LIST))

    TournamentRound.objects.filter(tournament=cup).update(release="hidden")

    assert "won by" not in text(client.get(LIST))
    client.force_login(factories.make_user())
    assert "won by" not in text(client.get(LIST))
    client.force_login(making.organizer(cup))
    assert f"won by {first}" in text(client.get(LIST))
