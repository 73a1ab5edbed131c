"""How many rounds are hidden, and who left in one, is in no answer about a tournament."""

import pytest

from arena.domain.tournaments import releases
from arena.domain.tournaments.entry import entries
from arena.domain.tournaments.interventions.entrants import Disqualify, Withdraw
from arena.models import Release
from tests.clocks import Clock
from tests.integration.tournaments import making, playing

pytestmark = [pytest.mark.slow, pytest.mark.django_db]

READ = (
    "", "standings", "rounds", "rounds/1", "rounds/2", "rounds/3", "crosstable", "bracket",
    "entrants", "log", "export", "export?table=entrants", "estimate",
)  # fmt: skip


@pytest.fixture(autouse=True)
def clock(monkeypatch):
    return Clock(monkeypatch)


def answers(who, cup):
    found = {rest: who.get(f"/tournaments/{cup.slug}/{rest}".rstrip("/")) for rest in READ}
    return {rest: (each.status_code, each.json()) for rest, each in found.items()}


def half_hidden(**terms):
    cup = playing.play_round(playing.begin(4, **terms))
    releases.set_release(
        tournament=cup, round_number=2, release=Release.HIDDEN, by=making.organizer(cup)
    )
    return making.fresh(cup)


def statuses(who, cup):
    rows = who.get(f"/tournaments/{cup.slug}/entrants").json()["results"]
    return {row["bot"]: (row["status"], row["until_round"]) for row in rows}


@pytest.mark.parametrize("act", [Withdraw, Disqualify])
@pytest.mark.parametrize("format_", ["round_robin", "single_elimination"])
def test_leaving_in_hidden_round_changes_no_public_answer(anyone, signed_in, format_, act):
    cup = half_hidden(format=format_, min_entrants=2)  # an estimate is of no fewer than that
    entrant = playing.sides(playing.pairings_of(cup, 2)[0])[0]
    before = answers(anyone, cup)

    playing.act(cup, act(entrant.pk))

    assert answers(anyone, cup) == before
    entrant.refresh_from_db()
    organizer = signed_in(making.organizer(cup))
    assert statuses(organizer, cup)[str(entrant.bot)] == (entrant.status, 2)


def test_owner_alone_reads_withdrawal_in_hidden_round(anyone, signed_in):
    cup = half_hidden()
    entrant = cup.entrants.get(seed=1)
    owner, name = signed_in(entrant.bot.owner), str(entrant.bot)

    left = owner.delete(f"/tournaments/{cup.slug}/entrants/{name}")

    assert left.json()["status"] == "withdrawn"
    assert statuses(owner, cup)[name] == ("withdrawn", None)
    assert statuses(anyone, cup)[name] == ("entered", None)


def test_further_rounds_that_are_hidden_change_no_answer(anyone):
    cup = half_hidden()
    before = answers(anyone, cup)

    cup = playing.play_round(cup)

    assert cup.rounds.count() == 3
    assert answers(anyone, cup) == before
    assert [before[f"rounds/{number}"][0] for number in (1, 2, 3)] == [200, 404, 404]


def test_chosen_version_is_in_no_log_of_others(anyone, signed_in):
    cup = making.make_open()
    entrant = making.enter(cup)
    bot, owner = entrant.bot, entrant.bot.owner
    entries.choose_version(tournament=cup, bot=bot, by=owner, version=bot.active_version)

    def log(who):
        rows = who.get(f"/tournaments/{cup.slug}/log").json()["results"]
        return [row["action"] for row in rows]

    assert "version_chosen" not in log(anyone)
    assert "version_chosen" in log(signed_in(owner))
    assert "version_chosen" in log(signed_in(making.organizer(cup)))
