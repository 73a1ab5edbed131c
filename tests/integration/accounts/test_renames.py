"""Staff changes names and descriptions that offend, and some names nobody may take."""

import json

import pytest
from allauth.account.models import EmailAddress
from django.core.exceptions import ValidationError

from arena.domain import moderation, refused_names
from arena.domain.accounts import accounts, notices
from arena.domain.bots import bots
from arena.domain.errors import InvalidInput, Refused
from arena.domain.tournaments import log, organizers, stages
from arena.domain.tournaments.entry import entries
from arena.domain.tournaments.interventions import execution
from arena.domain.tournaments.interventions.entrants import Substitute
from arena.domain.tournaments.setup import drafts
from arena.models import Bot, StaffAction, Tournament
from arena.web.accounts.adapter import AccountAdapter
from tests.factories import make_bot, make_ready, make_user
from tests.integration.accounts.mailbox import delivered
from tests.integration.api import rows
from tests.integration.tournaments import making

pytestmark = pytest.mark.django_db

WHY = "It is an insult."


@pytest.fixture
def swine():
    return make_user("swine")


@pytest.fixture
def version(swine):
    bot = make_bot(swine, "hog")
    Bot.objects.filter(pk=bot.pk).update(name="The Hog", description="You are hogs.")
    bot.refresh_from_db()
    return make_ready(bot)


def test_renamed_user_leaves_old_name_nowhere(client, swine, version, operator):
    EmailAddress.objects.create(user=swine, email="s@example.org", verified=True, primary=True)
    client.force_login(operator)

    done = client.post("/staff/users/swine/rename/", {"name": "sam", "reason": WHY})

    assert done.url == "/staff/users/sam/"
    for address in ("/@swine/", "/bots/swine/hog/", "/api/v1/bots/swine/hog", "/search/?q=swin"):
        answer = client.get(address, follow=False)
        assert answer.status_code == 404 or "/@swine/" not in answer.content.decode(), address
    assert client.get("/bots/swine/hog/").status_code == 404
    for address in ("/@sam/", "/bots/sam/hog/", "/ladders/classic/", "/bots/"):
        shown = client.get(address).content.decode()
        assert "sam" in shown
        assert "swine" not in shown, address
    noted = StaffAction.objects.get()
    assert (noted.action, noted.target, noted.details) == ("rename", "user sam", {"was": "swine"})
    notice = swine.notices.get()
    assert "Staff has renamed your account to sam." in notice.text
    (mail,) = delivered()
    assert (mail.to, "to sam." in mail.body) == (["s@example.org"], True)
    client.logout()
    signed = {"login": "sam", "password": "correct horse"}
    assert client.post("/accounts/login/", signed).status_code == 302


def test_messages_that_were_sent_have_the_new_name(swine, version, operator):
    organizer = make_user()
    cup = making.make_draft(by=swine).get_absolute_url()
    for text, url in (
        ("swine/hog was entered.", cup),
        ("swine took x/hog out. swinery", cup),
        ("Your version is paused.", "/bots/swine/hog/versions/1/"),
        ("A swine is an animal.", "/docs/"),
        ("A swine won.", "/tournaments/of-others/"),
    ):
        notices.tell(user=organizer, text=text, url=url)

    moderation.rename_user(user=swine, by=operator, name="sam", reason=WHY)

    assert list(organizer.notices.order_by("pk").values_list("text", "url")) == [
        ("sam/hog was entered.", cup),
        ("sam took x/hog out. swinery", cup),
        ("Your version is paused.", "/bots/sam/hog/versions/1/"),
        ("A swine is an animal.", "/docs/"),
        ("A swine won.", "/tournaments/of-others/"),
    ]


def test_logs_of_tournaments_have_the_new_names(client, swine, version, operator):
    cup = making.make_open()
    organizers.add(tournament=cup, by=making.organizer(cup), username="swine")
    cup = making.fresh(cup)
    bot = Bot.objects.select_related("owner", "active_version").get(pk=version.bot_id)
    entries.enter(tournament=cup, bot=bot, by=swine)
    making.enter(cup)
    cup = making.fresh(cup)
    cup = stages.freeze(tournament=cup, by=swine)
    newer = make_ready(version.bot)
    entrant = cup.entrants.get(bot=version.bot)
    execution.perform(
        tournament=cup,
        intervention=Substitute(entrant=entrant.pk, version=newer.pk),
        by=swine,
        reason="It is better.",
        revision=cup.revision,
    )

    moderation.rename_user(user=swine, by=operator, name="sam", reason=WHY)
    moderation.rename_bot(bot=version.bot, by=operator, name="Runner", reason=WHY)

    said = [log.say(entry) for entry in log.of(tournament=cup, viewer=None)]
    assert "sam became an organizer." in said
    assert "Runner plays v2 from now on instead of v1." in said
    shown = client.get(f"/tournaments/{cup.slug}/log/").content.decode()
    assert "sam" in shown
    for old in ("swine", "hog", "Hog"):
        assert old not in shown
    exported = client.get(f"/tournaments/{cup.slug}/export.json").content.decode()
    assert "swine" not in exported
    assert "hog" not in exported.lower()


def test_a_bot_gets_another_name_and_address(client, swine, version, operator):
    notices.tell(user=swine, text="The Hog was paused.", url="/bots/swine/hog/versions/1/")
    client.force_login(operator)
    assert "You are hogs." in client.get("/staff/bots/swine/hog/").content.decode()

    done = client.post("/staff/bots/swine/hog/rename/", {"name": "Runner", "reason": WHY})

    assert done.url == "/staff/bots/swine/runner/"
    assert client.get("/bots/swine/hog/").status_code == 404
    assert "The Hog" not in client.get("/bots/swine/runner/").content.decode()
    told = list(swine.notices.order_by("pk").values_list("text", "url"))
    assert told == [
        ("Runner was paused.", "/bots/swine/runner/versions/1/"),
        ("Staff has renamed one of your bots to Runner.", "/bots/swine/runner/"),
    ]
    assert StaffAction.objects.get().details == {"was": ["swine/hog", "The Hog"]}


def test_descriptions_are_cleared_even_of_past_tournament(client, swine, version, operator):
    cup = making.make_open(swine, name="Hog cup", description="For hogs.")
    Tournament.objects.filter(pk=cup.pk).update(status="cancelled")
    client.force_login(operator)

    assert client.post("/staff/bots/swine/hog/clear/", {"reason": WHY}).status_code == 302
    client.post("/staff/tournaments/hog-cup/rename/", {"name": "Spring cup", "reason": WHY})
    client.post("/staff/tournaments/spring-cup/clear/", {"reason": WHY})

    assert "You are hogs." not in client.get("/bots/swine/hog/").content.decode()
    told = [each.text for each in swine.notices.all()]
    assert "Staff has removed the description of The Hog." in told
    assert client.get("/tournaments/hog-cup/").status_code == 404
    shown = client.get("/tournaments/spring-cup/").content.decode()
    assert "Hog" not in shown
    assert "For hogs." not in shown
    acts = [each.action for each in StaffAction.objects.order_by("pk")]
    assert acts == ["clear_description", "rename", "clear_description"]
    again = client.post("/staff/bots/swine/hog/clear/", {"reason": WHY}, follow=True)
    assert "nothing to clear" in again.content.decode()
    assert StaffAction.objects.count() == 3


@pytest.mark.parametrize("name", ["ada", "ADA", "root", "a b", "swine", "", "x" * 33, "badger"])
def test_taken_or_wrong_name_changes_nothing(swine, operator, settings, name):
    make_user("Ada")
    settings.REFUSED_NAMES = ["bad*"]

    with pytest.raises(Refused):
        moderation.rename_user(user=swine, by=operator, name=name, reason=WHY)

    swine.refresh_from_db()
    assert swine.username == "swine"
    assert not StaffAction.objects.exists()
    assert not swine.notices.exists()


def test_staff_and_closed_accounts_keep_their_names(operator):
    gone = make_user("gone-1")
    gone.closed_at = gone.date_joined
    gone.save()
    for user in (operator, gone):
        with pytest.raises(Refused) as refused:
            moderation.rename_user(user=user, by=operator, name="sam", reason=WHY)
        assert refused.value.code in ("staff_account", "no_person")


@pytest.mark.parametrize(
    ("name", "pattern", "is_refused"),
    [
        ("Badger", "badger", True),
        ("badger", "BADGER", True),
        ("badgers", "badger", False),
        ("The Badger", "*badger*", True),
        ("b-a-d_g e r", "badger", True),
        ("bádgèr", "badger", True),
        ("\N{FULLWIDTH LATIN SMALL LETTER B}adger", "badger", True),
        ("бадгер", "badger", True),  # as it sounds
        ("ban", "b?n", True),
        ("bad", "", False),
    ],
)
def test_patterns_refuse_names_in_any_letters(settings, name, pattern, is_refused):
    settings.REFUSED_NAMES = [pattern]

    assert bool(refused_names.error_of(name)) is is_refused


def test_nobody_takes_a_refused_name(client, swine, version, settings):
    settings.REFUSED_NAMES = ["*badger*"]
    said = "This name is not allowed on this site. Choose another one."

    with pytest.raises(InvalidInput, match=said):
        accounts.create_user(username="Badger1", password="a long enough password")
    with pytest.raises(ValidationError, match=said):
        AccountAdapter().clean_username("Badger1")
    with pytest.raises(InvalidInput, match=said):
        bots.create(owner=swine, name="Bádger")
    with pytest.raises(InvalidInput) as refused:
        bots.create(owner=swine, name="Fine", slug="badger")
    assert refused.value.errors == {"slug": [said]}
    with pytest.raises(InvalidInput, match=said):
        drafts.create(by=swine, values=making.values(name="Badger cup"))
    draft = making.make_draft(swine)
    for name in ("name", "slug"):
        with pytest.raises(InvalidInput, match=said):
            drafts.edit(tournament=draft, by=swine, values={name: "badger"})
    assert not Bot.objects.filter(owner=swine).exclude(pk=version.bot_id).exists()

    signed = {"username": "badger", "password1": "Xk3-lantern", "password2": "Xk3-lantern"}
    assert said in client.post("/accounts/signup/", signed).content.decode()
    body = json.dumps({"name": "Badger", "slug": "fine"})
    headers = {"Authorization": f"Bearer {rows.token(swine)}"}
    answer = client.post("/api/v1/bots", body, content_type="application/json", headers=headers)
    assert (answer.status_code, answer.json()["errors"][0]["field"]) == (400, "name")


def test_an_old_name_does_not_stop_other_changes(swine, settings):
    draft = making.make_draft(swine, name="Badger cup")
    settings.REFUSED_NAMES = ["*badger*"]

    drafts.edit(tournament=draft, by=swine, values={"description": "For all."})

    assert making.fresh(draft).description == "For all."
