"""What a tournament means for one's own bots, through the API."""

import pytest

from arena.domain.tournaments.entry import entries
from tests import factories
from tests.integration.tournaments import making, playing

pytestmark = pytest.mark.django_db


def own(who, tournament):
    return who.get(f"/tournaments/{tournament.slug}/mine").json()["results"]


@pytest.mark.parametrize(("release", "seen"), [("public", 1), ("entrants", 1), ("hidden", None)])
def test_own_entry_tells_round_pairing_and_match_seen(signed_in, release, seen):
    cup = playing.begin(4, release=release)
    match = playing.matches_of(cup)[0]
    bot = match.entrants.first().version.bot
    owner = signed_in(bot.owner)

    (told,) = own(owner, cup)

    assert (told["entrant"]["bot"], told["entrant"]["version"]) == (str(bot), 1)
    assert (told["round"], told["next_match"]) == (seen, match.public_id if seen else None)
    assert (told["pairing"] or {}).get("id") == (match.pairing.public_id if seen else None)
    playing.finish(match)
    (after,) = own(owner, cup)
    assert after["next_match"] is None
    assert (after["pairing"] is not None and after["pairing"]["is_over"]) is bool(seen)


def test_waiting_or_invited_entry_has_no_round(signed_in):
    cup = making.make_open(entry_policy="invited")
    invited, other = factories.make_ready().bot, factories.make_ready().bot
    for bot in (invited, other):
        bot.refresh_from_db()
        entries.invite(tournament=cup, bot=bot, by=making.organizer(cup))

    (told,) = own(signed_in(invited.owner), cup)

    assert (told["entrant"]["bot"], told["entrant"]["status"]) == (str(invited), "invited")
    assert (told["round"], told["pairing"], told["next_match"]) == (None, None, None)
    assert own(signed_in(making.organizer(cup)), cup) == []
