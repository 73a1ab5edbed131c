"""What a user takes away, and what is left when an account is closed."""

import json

import pytest
from allauth.account.models import EmailAddress
from django.utils import timezone

from arena.domain import closing
from arena.domain.accounts import notice_mail, notices
from arena.domain.errors import Refused
from arena.domain.webhooks import webhooks
from arena.models import (
    ApiToken,
    Match,
    MatchKind,
    MatchStatus,
    NoticeKind,
    User,
    Version,
    VersionArchive,
    VersionStatus,
)
from arena.tasks import prune
from tests.factories import make_bot, make_match, make_ready, make_upload, make_user
from tests.integration.accounts.browsers import confirm_password
from tests.integration.accounts.mailbox import delivered
from tests.integration.api import rows
from tests.integration.tournaments import making

pytestmark = pytest.mark.django_db


@pytest.fixture
def ada():
    user = make_user("ada")
    user.email = "ada@example.org"
    user.save()
    EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
    return user


def sign_in(client, user):
    """Sign in, and say the password again, for which closing asks."""
    client.force_login(user)
    confirm_password(client)


def programs_of(user):
    return VersionArchive.objects.filter(version__bot__owner=user).count()


def test_user_takes_away_own_data_and_nobody_elses(client, ada, her_version):
    rows.token(ada)
    notices.tell(user=ada, text="Your bot was paused.")
    notices.tell(user=make_user("bob"), text="A word to Bob")
    notice_mail.stop(user=ada, kind=NoticeKind.VERSION_REJECTED)
    hook, secret = webhooks.create(
        user=ada, receiver="https://example.org/", events=["bot.paused"], site="http://testserver"
    )
    sign_in(client, ada)

    answer = client.get("/account/data.json")

    assert answer["Content-Disposition"] == 'attachment; filename="drapeau-ada.json"'
    kept = json.loads(answer.content)
    assert kept["account"]["email"] == "ada@example.org"
    assert kept["email_addresses"] == [
        {"email": "ada@example.org", "verified": True, "primary": True}
    ]
    paused, new_webhook = [each["text"] for each in kept["notices"]]
    assert paused == "Your bot was paused."
    assert "has a new webhook" in new_webhook
    assert kept["mail_preferences"] == [{"kind": "version_rejected", "is_wanted": False}]
    (bot,) = kept["bots"]
    assert (bot["slug"], bot["versions"][0]["digest"]) == ("raider", her_version.digest)
    assert bot["versions"][0]["file"] == "/api/v1/bots/ada/raider/versions/1/archive"
    told = answer.content.decode()
    assert "Bob" not in told
    assert ApiToken.objects.get(user=ada).digest not in told
    assert ada.password not in told
    assert [each["public_id"] for each in kept["webhooks"]] == [hook.public_id]
    assert secret not in told


def test_closed_account_is_name_that_says_nothing(client, ada, her_version):
    rows.token(ada)
    notices.tell(user=ada, text="A word")
    notice_mail.choose(user=ada, kinds=[])
    webhooks.create(
        user=ada, receiver="https://example.org/", events=["bot.paused"], site="http://testserver"
    )
    sign_in(client, ada)

    answer = client.post("/account/close/", {"username": "ada"}, follow=True)
    prune()

    assert "Your account closes on" in answer.content.decode()
    ada.refresh_from_db()
    assert (ada.is_active, ada.closes_at.date()) == (True, in_a_week())
    assert [message.to for message in delivered()] == [["ada@example.org"]]
    User.objects.filter(pk=ada.pk).update(closes_at=timezone.now())
    prune()
    gone = User.objects.get(pk=ada.pk)
    assert (gone.username, gone.email, gone.is_active) == (f"gone-{ada.pk}", "", False)
    assert not EmailAddress.objects.filter(user=ada).exists()
    assert not ApiToken.objects.filter(user=ada).exists()
    assert not gone.notices.exists()
    assert not gone.mail_preferences.exists()
    assert not gone.webhooks.exists()
    assert Version.objects.get(pk=her_version.pk).status == VersionStatus.RETIRED
    assert client.get("/account/data.json").status_code == 302  # nobody is signed in
    shown = client.get(f"/@gone-{ada.pk}/").content.decode()
    assert "This account is closed." in shown
    assert "raider" in shown


def in_a_week():
    return (timezone.now() + closing.WAIT).date()


def test_account_can_be_kept_until_it_closes(client, ada, her_version):
    sign_in(client, ada)
    client.post("/account/close/", {"username": "ada"})

    kept = client.post("/account/keep/", follow=True).content.decode()
    User.objects.filter(closes_at__lte=timezone.now() + closing.WAIT).update(
        closes_at=timezone.now()
    )
    prune()

    assert "Your account stays open." in kept
    assert "Close the account" in kept
    ada.refresh_from_db()
    assert (ada.is_active, ada.closes_at) == (True, None)
    assert Version.objects.get(pk=her_version.pk).status == VersionStatus.READY


def test_account_still_needed_closes_later_and_says_why(ada):
    cup = making.make_open()
    closing.ask(user=ada)
    cup.organizers.set([ada])
    User.objects.filter(pk=ada.pk).update(closes_at=timezone.now())

    prune()

    ada.refresh_from_db()
    assert ada.is_active
    assert ada.closes_at > timezone.now()
    assert "You are the only organizer of" in ada.notices.first().text
    cup.organizers.add(make_user("bob"))
    User.objects.filter(pk=ada.pk).update(closes_at=timezone.now())
    prune()
    assert not User.objects.get(pk=ada.pk).is_active


def test_name_closes_account_but_not_that_of_staff(client, ada):
    sign_in(client, ada)

    answer = client.post("/account/close/", {"username": "Ada"})

    assert "This is not the name of your account, which is ada." in answer.content.decode()
    assert User.objects.get(pk=ada.pk).is_active
    ada.is_staff = True
    ada.save()
    with pytest.raises(Refused, match="account of staff"):
        closing.close(user=ada)


def test_challenges_end_and_unneeded_programs_are_deleted(ada, her_version):
    match, asked = (make_match(her_version, make_ready()) for _ in range(2))
    Match.objects.filter(pk=asked.pk).update(kind=MatchKind.CHALLENGE, requested_by=ada)
    waiting = make_upload(make_bot(ada, "scout"))

    closing.close(user=ada)
    prune()

    assert Match.objects.get(pk=asked.pk).status == MatchStatus.CANCELLED
    assert Version.objects.get(pk=waiting.pk).status == VersionStatus.RETIRED
    assert programs_of(ada) == 1
    Match.objects.filter(pk=match.pk).update(status=MatchStatus.CANCELLED)
    prune()
    assert programs_of(ada) == 0
    assert VersionArchive.objects.exists()  # those of the opponents


def test_closing_names_what_still_needs_the_user(client, ada, her_version):
    cup = making.make_open()
    cup.organizers.set([ada])
    sign_in(client, ada)

    page = client.get("/account/data/").content.decode()
    with pytest.raises(Refused, match=f"the only organizer of {cup.name}"):
        closing.close(user=ada)

    assert f"You are the only organizer of {cup.name}" in page
    assert Version.objects.get(pk=her_version.pk).status == VersionStatus.READY
    cup.organizers.add(make_user("bob"))
    assert closing.obstacle(user=ada) is None
