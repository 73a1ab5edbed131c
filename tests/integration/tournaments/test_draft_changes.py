"""Changes to a tournament: nearly everything before the freeze, hardly anything after it."""

import pytest

from arena.domain.errors import Refused
from arena.domain.formats import catalogue
from arena.domain.tournaments.setup import drafts
from arena.models import Tournament
from tests import factories
from tests.integration.tournaments import making

pytestmark = pytest.mark.django_db


def edit(tournament, **values):
    return drafts.edit(tournament=tournament, by=making.organizer(tournament), values=values)


def test_draft_is_changed_and_log_says_what():
    tournament = making.make_draft()

    edit(tournament, format="swiss", min_entrants=8, max_entrants=16, name=tournament.name)

    kept = making.fresh(tournament)
    assert (kept.format, kept.format_options, kept.revision) == ("swiss", {"rounds": 5}, 2)
    assert kept.tie_breaks == list(catalogue.find("swiss").tie_breaks)
    entry = tournament.log.latest("pk")
    assert entry.action == "edited"
    assert entry.details == {
        "fields": ["format", "format_options", "tie_breaks", "min_entrants", "max_entrants"]
    }


def test_same_values_change_nothing_nor_format_options():
    tournament = making.make_draft(
        format="swiss",
        format_options={"rounds": 3},
        tie_breaks=["wins"],
        min_entrants=6,
    )

    edit(tournament, name=tournament.name, max_entrants=8)
    assert (making.log(tournament), making.fresh(tournament).revision) == (["created"], 1)

    edit(tournament, format="swiss", description="The same.")

    assert tournament.log.latest("pk").details == {"fields": ["description"]}
    kept = making.fresh(tournament)
    assert (kept.tie_breaks, kept.format_options) == (["wins"], {"rounds": 3})


def test_change_checked_like_new_draft_leaves_nothing():
    tournament = making.make_open()

    errors = making.faults(edit, tournament=tournament, name="Other", min_entrants=9)

    assert set(errors) == {"max_entrants"}
    assert making.fresh(tournament).name != "Other"


def test_passed_time_does_not_hold_up_other_changes():
    tournament = making.make_open(opens_at=making.ahead(hours=1))
    Tournament.objects.update(opens_at=making.ahead(hours=-1))

    edit(tournament, description="Welcome.")

    assert making.fresh(tournament).description == "Welcome."


def test_once_published_the_address_stays():
    tournament = making.make_open()

    code, said = making.refusal(edit, tournament=tournament, slug="other")

    assert (code, "so it cannot be changed" in said) == ("terms_fixed", True)


def test_entered_bots_fix_game_and_places():
    tournament = making.make_open()
    for _ in range(3):
        making.enter(tournament)

    errors = making.faults(edit, tournament=tournament, ladder="general", max_entrants=2)

    assert set(errors) == {"ladder", "max_entrants"}
    assert errors["max_entrants"] == [
        "3 bots are already entered. Allow at least as many, or take some out."
    ]
    edit(tournament, max_entrants=3, format="double_round_robin")


@pytest.mark.parametrize(
    ("status", "still"),
    [
        ("frozen", {"name", "description", "release", "starts_at"}),
        ("running", {"name", "description", "release"}),
        ("paused", {"name", "description", "release"}),
        ("completed", {"name", "description"}),
        ("released", {"name", "description"}),
        ("cancelled", set()),
    ],
)
def test_terms_stay_after_freeze_saying_what_can_change(status, still):
    tournament = making.make_frozen()
    Tournament.objects.filter(pk=tournament.pk).update(status=status)
    other = {
        "name": "Other", "description": "Other", "release": "hidden",
        "starts_at": making.ahead(days=1), "slug": "other", "format": "swiss",
        "scoring": "championship", "tie_breaks": ["wins"],
        "matches_per_pairing": 2, "max_entrants": 7, "min_entrants": 3, "top_n": 3,
        "entry_policy": "listed", "max_per_owner": 1, "last_entry_round": 1,
        "ladder": "general", "opens_at": making.ahead(days=1), "freezes_at": making.ahead(days=1),
        "format_options": {"x": 1},
    }  # fmt: skip
    assert set(other) == set(drafts.FIELDS)

    changed = set()
    for name, value in other.items():
        try:
            edit(tournament, **{name: value})
            changed.add(name)
        except Refused as refused:
            assert refused.code == "terms_fixed"  # noqa: PT017 - of each that is refused
            known = "Make a new one." if status == "cancelled" else "in the console"
            assert known in refused.message  # noqa: PT017 - of each that is refused

    assert changed == still


def test_max_per_owner_not_below_bots_entered():
    tournament = making.make_open(max_per_owner=3)
    owner = factories.make_user("ada")
    for _ in range(2):
        making.enter(tournament, factories.make_ready(factories.make_bot(owner)))
    making.enter(tournament)

    errors = making.faults(edit, tournament=tournament, max_per_owner=1)

    said = "ada already has 2 bots in it. Allow at least as many, or take some out."
    assert errors == {"max_per_owner": [said]}
    assert edit(tournament, max_per_owner=2).max_per_owner == 2
    assert edit(tournament, max_per_owner=None).max_per_owner is None
