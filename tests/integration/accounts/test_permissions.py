"""Who may see or do what, as a table: every predicate for every kind of user."""

import pytest
from django.contrib.auth.models import AnonymousUser, Permission
from django.template import Context, Template

from arena.domain.accounts import permissions
from arena.domain.matches import lifecycle
from arena.domain.matches.purposes import Purpose
from arena.models import MatchKind, Tournament
from tests import factories

pytestmark = pytest.mark.django_db

STAFF = {"staff", "annuller", "viewer", "corrector", "moderator", "superuser"}
SIGNED_IN = {"stranger", "owner", "asker", "organizer", "barred organizer", "barred staff"} | STAFF
EVERYBODY = {"nobody", "anonymous"} | SIGNED_IN
# What is asked about, and who may.
TABLE = {
    "may_edit_account": ("person", {"owner"}),
    "may_edit_bot": ("bot", {"owner"}),
    "may_see_logs": ("bot", {"owner"} | STAFF),
    "may_challenge": ("bot", {"owner"}),
    "may_cancel_challenge": ("challenge", {"asker"} | STAFF),
    "may_organize": ("tournament", {"organizer"} | STAFF),
    "may_exceed_quotas": (None, STAFF),
    "may_see_staff_pages": (None, STAFF),
    "may_see_unannounced_matches": (None, {"viewer", "corrector", "superuser"}),
    "may_correct_matches": (None, {"corrector", "superuser"}),
    "may_annul": (None, {"annuller", "superuser"}),
    "may_end_seasons": (None, {"superuser"}),
    "may_report": (None, {"stranger", "owner", "asker", "organizer"} | STAFF),
    "may_moderate": (None, {"moderator", "superuser"}),
    "may_revoke_tokens": (None, {"superuser"}),
}


@pytest.fixture
def users():
    made = {name: factories.make_user(name.replace(" ", "-")) for name in SIGNED_IN}
    for name, user in made.items():
        user.is_staff = name in STAFF or name == "barred staff"
        user.is_superuser = name == "superuser"
        user.is_active = not name.startswith("barred")
        user.save()
    granted = {
        "annuller": ["add_annulment"],
        "viewer": ["view_match"],
        "corrector": ["change_match"],
        "moderator": ["change_abusereport"],
        "stranger": [
            "add_annulment",
            "view_match",
            "change_match",
            "change_abusereport",
        ],  # and is no staff
    }
    for name, codes in granted.items():
        made[name].user_permissions.set(Permission.objects.filter(codename__in=codes))
    return {"nobody": None, "anonymous": AnonymousUser(), **made}


@pytest.fixture
def subjects(users):
    version = factories.make_ready(factories.make_bot(users["owner"]))
    version.bot.accepts_challenges = False
    tournament = Tournament.objects.create(
        slug="cup",
        name="Cup",
        ladder=factories.get_ladder(),
        created_by=users["stranger"],
        format="round_robin",
    )
    tournament.organizers.add(users["organizer"], users["barred organizer"])
    return {
        "person": users["owner"],
        "bot": version.bot,
        "challenge": lifecycle.create_match(
            ladder=factories.get_ladder(),
            versions=[version, factories.make_ready()],
            purpose=Purpose(MatchKind.CHALLENGE, users["asker"]),
        ),
        "tournament": tournament,
    }


def who_may(name, users, *about):
    predicate = getattr(permissions, name)
    return {kind for kind, user in users.items() if predicate(user, *about)}


def test_the_table_has_every_predicate():
    assert set(TABLE) == {name for name in vars(permissions) if name.startswith("may_")}


def test_who_may_in_python_and_in_templates(users, subjects):
    found, shown = {}, {}
    for name, (about, _expected) in TABLE.items():
        found[name] = who_may(name, users, *([subjects[about]] if about else []))
        asked = f"user|{name}:about" if about else f"user|{name}"
        template = Template(f"{{% load permissions %}}{{% if {asked} %}}yes{{% endif %}}")
        shown[name] = {
            kind
            for kind, user in users.items()
            if template.render(Context({"user": user, "about": subjects.get(about)})) == "yes"
        }
        assert template.render(Context({"about": subjects.get(about)})) == ""  # without a user

    expected = {name: who for name, (_about, who) in TABLE.items()}
    assert (found, shown) == (expected, expected)


def test_willing_bot_is_everybodys_rated_match_nobodys(users, subjects):
    subjects["bot"].accepts_challenges = True

    assert who_may("may_challenge", users, subjects["bot"]) == EVERYBODY
    assert who_may("may_cancel_challenge", users, factories.make_match()) == set()


def test_loaded_organizers_are_not_queried_again(users, subjects, django_assert_num_queries):
    loaded = Tournament.objects.prefetch_related("organizers").get(pk=subjects["tournament"].pk)

    with django_assert_num_queries(0):
        assert who_may("may_organize", users, loaded) == {"organizer"} | STAFF
    with django_assert_num_queries(1):
        assert permissions.may_organize(users["organizer"], subjects["tournament"])
