"""Drafts: what is refused, with words that say what to do; and what they will be."""

from datetime import UTC, datetime

import pytest

from arena.domain.formats import catalogue
from arena.domain.tournaments import stages
from arena.domain.tournaments.entry import entries
from arena.domain.tournaments.setup import drafts
from arena.models import Ladder, Tournament
from engine import chance
from tests import factories
from tests.integration.tournaments import making

pytestmark = pytest.mark.django_db
SWISS = {"format": "swiss", "format_options": {"rounds": 3}, "min_entrants": 8}


def wrong(**changed):
    """Return what is wrong with a draft, by field."""
    by = factories.make_user()
    errors = making.faults(drafts.create, by=by, values=making.values(**changed))
    assert not Tournament.objects.exists()
    return errors


def test_draft_has_given_values_and_derived_ones():
    by = factories.make_user()
    starts_at = making.ahead(days=2)

    tournament = drafts.create(
        by=by,
        values={
            "name": "  Spring Cup 7 ",
            "ladder": "classic",
            "format": "swiss",
            "min_entrants": 8,
            "starts_at": starts_at,
        },
    )

    kept = making.fresh(tournament)
    assert (kept.name, kept.slug, kept.status, kept.revision) == (
        "Spring Cup 7", "spring-cup-7", "draft", 1,
    )  # fmt: skip
    assert kept.tie_breaks == list(catalogue.find("swiss").tie_breaks)
    assert kept.format_options == {"rounds": 5}
    assert kept.freezes_at == kept.starts_at == starts_at
    assert [*kept.organizers.all()] == [kept.created_by] == [by]
    assert making.log(kept) == ["created"]
    assert (chance.is_secret(kept.secret), kept.commitment) == (True, "")


@pytest.mark.parametrize(
    ("changed", "field", "said"),
    [
        ({"name": ""}, "name", "This field cannot be blank."),
        ({"name": "???"}, "slug", "Choose an address of letters and digits"),
        ({"name": "New"}, "name", "The address “new” is reserved."),
        ({"slug": "new"}, "slug", "The address “new” is reserved."),
        ({"slug": "a b"}, "slug", "Enter a valid “slug”"),
        ({"ladder": "chess"}, "ladder", "There is no such ladder; there are: "),
        ({"format": "knockout"}, "format", "knockout"),
        ({"format_options": {"rounds": 3}}, "format_options", "no option “rounds”; it has: none"),
        ({"format": "swiss", "format_options": {"rounds": 0}}, "format_options", "from 1 to 100"),
        ({"format": "swiss", "format_options": {"rounds": True}}, "format_options", "whole"),
        ({"format_options": [1]}, "format_options", "an object of names and whole numbers"),
        ({"scoring": "3/1/0"}, "scoring", "3/1/0"),
        ({"tie_breaks": ["wins", "beauty"]}, "tie_breaks", "beauty"),
        ({"tie_breaks": ["wins", "wins"]}, "tie_breaks", "wins"),
        ({"tie_breaks": "wins, losses"}, "tie_breaks", "wins, losses"),
        ({"matches_per_pairing": 101}, "matches_per_pairing", "1 to 100 matches"),
        ({"entry_policy": "friends"}, "entry_policy", "not a valid choice"),
        ({"entry_policy": "ladder"}, "top_n", "Choose how many bots of the ladder are entered."),
        ({"entry_policy": "ladder", "top_n": 9}, "top_n", "Take between 2 and 8"),
        ({"min_entrants": 1}, "min_entrants", "A tournament needs at least two entrants"),
        ({"max_entrants": 1}, "max_entrants", "smaller than the fewest entrants, 2"),
        ({"max_entrants": 1025}, "max_entrants", "at most 1024"),
        ({"max_per_owner": 0}, "max_per_owner", "between 1 and 8"),
        ({"last_entry_round": 1}, "last_entry_round", "nobody can enter late"),
        ({**SWISS, "last_entry_round": 4}, "last_entry_round", "There are only 3 rounds"),
        ({"starts_at": "tomorrow"}, "starts_at", "invalid format"),
        ({"sponsor": "me"}, "sponsor", "There is no such field; there are: name, slug,"),
    ],
)
def test_bad_values_are_refused_each_at_its_field(changed, field, said):
    errors = wrong(**changed)

    assert list(errors) == [field]
    assert said in errors[field][0]


def test_all_that_is_wrong_is_said_at_once():
    errors = wrong(name="", scoring="x", min_entrants=0, starts_at=making.ahead(days=-1))

    assert set(errors) == {"name", "scoring", "min_entrants", "starts_at"}


def test_a_ladder_is_needed():
    errors = making.faults(drafts.create, by=factories.make_user(), values={"name": "x"})
    assert errors == {"ladder": ["Choose the ladder whose game is played."]}


def test_three_entrants_cannot_play_groups_of_four():
    errors = wrong(format="groups_playoff", min_entrants=3, max_entrants=3)

    assert set(errors) == {"min_entrants", "max_entrants"}
    assert errors["min_entrants"][0].startswith("This cannot be played with 3 entrants. ")


def test_too_many_games_are_refused_with_their_number(settings):
    settings.TOURNAMENT_MAX_GAMES = 111
    changed = {"max_entrants": 8, "matches_per_pairing": 2}  # 28 pairings of 4 games

    errors = wrong(**changed)

    (said,) = errors["max_entrants"]
    assert said == (
        "With 8 entrants that would be 112 games. The maximum is 111. "
        "Allow fewer entrants, or fewer matches in a pairing."
    )
    settings.TOURNAMENT_MAX_GAMES = 112
    assert making.make_draft(**changed).pk


def test_ladder_that_cannot_seat_matches_is_refused():
    Ladder.objects.filter(slug="general").update(entrants_per_match=5)

    errors = wrong(ladder="general")

    assert "ladder" in errors
    assert "Choose another one." in errors["ladder"][0]


def test_taken_name_is_refused_at_name_or_slug():
    making.make_draft(name="The Cup")
    by = factories.make_user()
    said = "There is already a tournament at the address “the-cup”. %s"
    taken = [said % "Choose another address or another name."]

    same = making.faults(drafts.create, by=by, values=making.values(name="the cup"))
    given = making.faults(drafts.create, by=by, values=making.values(slug="the-cup"))

    assert (same, given) == ({"name": taken}, {"slug": taken})


@pytest.mark.parametrize(
    ("times", "field", "said"),
    [
        ({"opens_at": -1}, "opens_at", "This time is in the past."),
        ({"opens_at": 3, "freezes_at": 2}, "freezes_at", "This is before the registration opens."),
        ({"freezes_at": 3, "starts_at": 2}, "starts_at", "This is before the freeze."),
        ({"opens_at": 3, "starts_at": 2, "freezes_at": None}, "freezes_at", "This is before"),
    ],
)
def test_past_or_unordered_times_are_refused(times, field, said):
    given = {name: days and making.ahead(days=days) for name, days in times.items()}

    errors = wrong(**given)

    assert errors[field][0].startswith(said)


def test_times_without_zone_are_those_of_site():
    tournament = making.make_draft(starts_at=datetime(2999, 1, 1))  # noqa: DTZ001 - what forms send

    assert making.fresh(tournament).starts_at == datetime(2999, 1, 1, tzinfo=UTC)


def test_open_tournaments_per_user_are_limited_except_staff(settings):
    settings.OPEN_TOURNAMENTS_PER_USER = 1
    by = factories.make_user()
    first = making.make_draft(by)

    code, said = making.refusal(drafts.create, by=by, values=making.values())

    assert code == "too_many_tournaments"
    assert said.startswith("You have 1 tournament that is not over")
    stages.cancel(tournament=first, by=by, reason="No time.")
    making.make_draft(by)
    by.is_staff = True
    by.save()
    assert making.make_draft(by).pk


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


def test_preview_of_change_shows_entrants_by_seed():
    tournament = making.make_open()
    weak, strong = making.rated(1500.0), making.rated(1900.0)
    for bot in (weak, strong):
        entries.enter(tournament=tournament, bot=bot, by=bot.owner)

    seen = drafts.preview(values={"matches_per_pairing": 2}, entrants=2, tournament=tournament)

    assert [entrant.bot for entrant in seen.seeds] == [strong, weak]
    assert seen.matches == 2
    assert making.fresh(tournament).matches_per_pairing == 1
