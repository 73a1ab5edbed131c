"""What a tournament will be, before there is any of it."""

import pytest

from arena.domain.tournaments.entry import entries
from arena.domain.tournaments.setup import drafts, terms
from arena.models import Tournament
from tests.integration.tournaments import making

pytestmark = pytest.mark.django_db


def test_preview_has_rounds_in_words_and_games():
    values = {**making.PLAIN, "matches_per_pairing": 3}  # and no name

    seen = drafts.preview(values=values, entrants=5)

    assert (seen.entrants, len(seen.rounds)) == (5, 5)
    first = seen.rounds[0]
    assert (first.number, first.name, first.pairings) == (1, "Round 1", 2)
    assert (first.matches, first.games, first.byes) == (6, 12, 0)
    assert (seen.pairings, seen.matches, seen.games, seen.byes) == (10, 30, 60, 0)
    assert seen.estimate.games == 60
    assert not Tournament.objects.exists()


def test_more_than_most_entrants_are_not_reckoned():
    values = {**making.values(), "format": "swiss", "min_entrants": 8, "max_entrants": 16}

    faults = making.faults(drafts.preview, values=values, entrants=10**9)

    assert [*faults] == ["entrants"]
    assert "A tournament has at most 1024 entrants" in faults["entrants"][0]
    assert drafts.preview(values=values, entrants=terms.MOST_ENTRANTS).entrants == 1024


def test_a_preview_says_what_is_wrong():
    by_field = making.faults(drafts.preview, values=making.values(scoring="x"))
    too_few = making.faults(drafts.preview, values=making.values(), entrants=1)

    assert set(by_field) == {"scoring"}
    assert too_few["entrants"][0].startswith("This cannot be played with 1 entrant.")


def test_preview_of_change_shows_entrants_by_seed():
    tournament = making.make_open()
    weak, strong = making.rated(1500.0), making.rated(1900.0)
    for bot in (weak, strong):
        entries.enter(tournament=tournament, bot=bot, by=bot.owner)

    seen = drafts.preview(values={"matches_per_pairing": 2}, entrants=2, tournament=tournament)

    assert [entrant.bot for entrant in seen.seeds] == [strong, weak]
    assert seen.matches == 2
    assert making.fresh(tournament).matches_per_pairing == 1
