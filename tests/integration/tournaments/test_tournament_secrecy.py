"""How many rounds are hidden, and who left in one, is in no answer about a tournament."""

import re

import pytest
from django.db import transaction
from django.urls import reverse

from arena.domain.tournaments import releases
from arena.domain.tournaments.interventions.entrants import Disqualify, Withdraw
from arena.models import Match, Release
from tests import factories
from tests.clocks import Clock
from tests.integration.tournaments import making, playing

pytestmark = [pytest.mark.slow, pytest.mark.django_db]

PAGES = (
    "", "standings/", "rounds/", "crosstable/", "bracket/", "entrants/", "log/", "print/", "embed/",
    "embed/?show=bracket", "enter/", "export.json", "export.csv?table=entrants",
    "export.csv?table=standings", "calendar.ics", *(f"rounds/{number}/" for number in range(1, 6)),
)  # fmt: skip
CALLS = (
    "", "standings", "rounds", "rounds/1", "crosstable", "bracket", "entrants", "log", "export",
    "export?table=entrants", "estimate",
)  # fmt: skip
VARYING = r'(csrfmiddlewaretoken" value|nonce)="[^"]*"|As of .*? UTC'  # the time of printing too
SWISS = {"format": "swiss", "format_options": {"rounds": 3}}


@pytest.fixture(autouse=True)
def clock(monkeypatch):
    return Clock(monkeypatch)


def pages(client, cup, calls=CALLS):
    """Return all pages of a tournament and the list of all, without what differs every time.

    Beside them stand the answers of the API to everybody.
    """
    addresses = [f"{cup.get_absolute_url()}{page}" for page in PAGES]
    addresses += [f"/api/v1/tournaments/{cup.slug}/{call}".rstrip("/") for call in calls]
    found = {}
    for address in (*addresses, reverse("tournament-list")):
        response = client.get(address)
        text = re.sub(VARYING, "", response.content.decode())
        found[address] = (response.status_code, text)
    return found


def told(before, after):
    return [address for address in before if before[address] != after[address]]


def play_to_the_end(cup, *, is_upset):
    """Let the higher seed win everything, but for the grand final where the other is to win it."""
    while cup.status == "running":
        for match in Match.objects.filter(pairing__round__tournament=cup, status="queued"):
            assert match.pairing is not None
            one, other = playing.sides(match.pairing)
            wins = (one.seed < other.seed) != (is_upset and match.pairing.slot.startswith("G1"))
            playing.finish(match, *(playing.WON if wins else playing.LOST))
        cup = playing.go_on(cup)
    return cup


def test_second_final_does_not_reveal_first_winner(client):
    cup = playing.begin(4, format="double_elimination", release="hidden")
    seen, rounds = [], []
    for is_upset in (False, True):
        point = transaction.savepoint()
        played = play_to_the_end(cup, is_upset=is_upset)
        rounds.append(played.rounds.count())
        seen.append(pages(client, played))
        transaction.savepoint_rollback(point)

    assert rounds == [4, 5]
    assert told(*seen) == []
    statuses = [status for address, (status, _) in seen[1].items() if "/rounds/" in address]
    assert statuses == [200] + [404] * (5 + 1)


@pytest.mark.parametrize("act", [Withdraw, Disqualify])
@pytest.mark.parametrize("format_", ["single_elimination", "round_robin"])
@pytest.mark.kept("single_elimination-Withdraw")
def test_leaving_in_hidden_round_changes_no_page(client, format_, act):
    cup = playing.begin(4, format=format_, min_entrants=2)  # an estimate is of no fewer than that
    cup = playing.hide(playing.play_round(cup), 2)
    entrant = playing.sides(playing.pairings_of(cup, 2)[0])[0]
    before = pages(client, cup)

    playing.act(cup, act(entrant.pk))

    assert told(before, pages(client, cup)) == []
    client.force_login(making.organizer(cup))
    seen = pages(client, cup, calls=())
    assert len(told({address: before[address] for address in seen}, seen)) > 8


def test_owner_alone_reads_withdrawal_in_hidden_round(anyone, signed_in):
    cup = playing.begin(4, release="hidden")
    entrant = cup.entrants.get(seed=1)
    owner, name = signed_in(entrant.bot.owner), str(entrant.bot)
    address = f"/tournaments/{cup.slug}/entrants"

    left = owner.delete(f"{address}/{name}")

    assert left.json()["status"] == "withdrawn"
    for who, status in ((owner, "withdrawn"), (anyone, "entered")):
        rows = {row["bot"]: row for row in who.get(address).json()["results"]}
        assert (rows[name]["status"], rows[name]["until_round"]) == (status, None)


def test_late_entry_refusal_is_told_only_when_trying(client):
    cup = playing.begin(6, **SWISS, last_entry_round=3, release="hidden")
    cup = playing.play_round(cup)  # from here on it is known how long a match takes
    version = factories.make_ready()
    version.bot.refresh_from_db()
    client.force_login(version.bot.owner)
    before = pages(client, cup)
    assert "Enter a bot" in before[cup.get_absolute_url()][1]

    cup = playing.play_round(cup)

    assert cup.rounds.count() == 3
    assert told(before, pages(client, cup)) == []
    response = client.post(f"{cup.get_absolute_url()}enter/", {"bot": f"{version.bot.slug}:"})
    assert "late entry was possible until round 3" in response.content.decode()
    by = making.organizer(cup)
    for number in (1, 2, 3):
        releases.set_release(tournament=cup, round_number=number, release=Release.PUBLIC, by=by)
    assert "Enter a bot" not in client.get(cup.get_absolute_url()).content.decode()


def test_standings_of_a_part_are_not_called_final(client):
    cup = play_to_the_end(playing.begin(4, release="hidden"), is_upset=False)

    assert "Final standings" not in client.get(cup.get_absolute_url()).content.decode()
    client.force_login(making.organizer(cup))
    assert "Final standings" in client.get(cup.get_absolute_url()).content.decode()
