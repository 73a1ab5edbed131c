from random import Random

import pytest
from django.db import IntegrityError, transaction
from django.db.models import ProtectedError

from arena import jobs
from arena.domain.bots import activation, bots, challenges
from arena.domain.errors import InvalidInput, Refused
from arena.domain.matches import lifecycle
from arena.domain.matches.purposes import Purpose
from arena.domain.queue import matchmaking
from arena.domain.ratings import recomputation
from arena.models import (
    Bot,
    Match,
    MatchKind,
    MatchStatus,
    RatingEvent,
    User,
    Version,
    VersionArchive,
)
from tests import factories

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("name", "slug"),
    [
        ("Ünïcødé", "unicode"),
        ("Œuvre d'été", "oeuvre-dete"),
        ("漢字", "hanzi"),
        ("?!", "bot-1"),
        ("Deep Fog " * 6, "deep-fog-deep-fog-deep-fog-deep-fog-deep"),
    ],
)
def test_a_short_name_is_written_in_latin_letters(name, slug):
    assert bots.create(owner=factories.make_user(), name=name).slug == slug


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"name": ""}, "name"),
        ({"name": "x" * 61}, "name"),
        ({"name": "fine", "slug": "no good"}, "slug"),
        ({"name": "new"}, "slug"),
        ({"name": "taken"}, "slug"),
        ({"name": "a\x82b"}, "name"),
        ({"name": "a\u202eb"}, "name"),
        ({"name": "ada\u200b"}, "name"),
        ({"name": "ada/marshal"}, "name"),
    ],
)
def test_a_bad_bot_is_refused_by_field(fields, field):
    owner = factories.make_user()
    factories.make_bot(owner, "taken")

    with pytest.raises(InvalidInput) as refused:
        bots.create(owner=owner, **fields)

    assert field in refused.value.errors
    assert Bot.objects.count() == 1


@pytest.mark.parametrize(
    "name", ["\u041c\u0430rshal", "Marsha\u217c", "MARSH\u04101", "M\u0430rshal"]
)
def test_name_like_that_of_another_owner_is_refused(name):
    marshal = bots.create(owner=factories.make_user("ada"), name="Marshal")
    stranger = factories.make_user()

    with pytest.raises(InvalidInput) as refused:
        bots.create(owner=stranger, name=name)

    assert f"looks like that of {marshal}." in str(refused.value.errors["name"])
    assert bots.create(owner=stranger, name="MARSHAL").name == "MARSHAL"
    assert bots.create(owner=stranger, name="Marshal 2").name == "Marshal 2"


def test_renamed_bot_keeps_its_address():
    bot = bots.create(owner=factories.make_user("ada"), name="Deep Fog")

    bots.edit(bot=bot, name=" Thin Fog ")

    bot.refresh_from_db()
    assert (bot.name, str(bot)) == ("Thin Fog", "ada/deep-fog")
    with pytest.raises(InvalidInput):
        bots.edit(bot=bot, name="a/b")


def test_only_bot_that_never_played_is_deleted():
    ready, rejected, first = factories.make_ready(), factories.make_upload(), factories.make_ready()
    rejected.bot.versions.update(status="rejected", reason="It crashed.")
    factories.make_match(first, factories.make_ready())
    waiting = factories.make_upload()

    for version in (ready, rejected):
        bots.delete(bot=version.bot)
    for version, code in ((first, "has_played"), (waiting, "still_checked")):
        with pytest.raises(Refused) as refused:
            bots.delete(bot=version.bot)
        assert refused.value.code == code

    assert not Bot.objects.filter(pk__in=[ready.bot_id, rejected.bot_id]).exists()
    assert set(VersionArchive.objects.values_list("version", flat=True)) >= {first.pk, waiting.pk}
    assert not VersionArchive.objects.filter(version__in=[ready.pk, rejected.pk]).exists()
    first.bot.refresh_from_db()
    assert first.bot.active_version == first


def test_versions_are_numbered_and_their_bytes_are_kept():
    bot = factories.make_bot()

    versions = [
        bots.submit_version(bot=bot, filename=f"C:\\bots\\v{n}.py", data=b"print(%d)" % n)
        for n in (1, 2)
    ]

    assert [version.number for version in versions] == [1, 2]
    assert [version.filename for version in versions] == ["v1.py", "v2.py"]
    assert bytes(versions[1].archive.data) == b"print(2)"
    assert versions[1].get_absolute_url() == f"{bot.get_absolute_url()}versions/2/"
    assert [(check.step, check.state) for check in versions[0].checks.all()] == [
        ("received", "passed"),
        ("scanned", "waiting"),
        ("protocol", "waiting"),
        ("smoke", "waiting"),
        ("ready", "waiting"),
    ]


@pytest.mark.parametrize(
    ("upload", "code"),
    [
        ({"filename": "bot.py", "data": b""}, "empty_file"),
        ({"filename": "bot.py", "data": b"x" * (5 * 1024 * 1024 + 1)}, "too_large"),
        ({"filename": "bot.exe", "data": b"MZ"}, "wrong_extension"),
        ({"filename": "bot", "data": b"x"}, "wrong_extension"),
        ({"filename": "bot.zip", "data": b"print()"}, "not_a_zip"),
        ({"filename": "b.py", "data": b"x", "variants": ["chess"]}, "unknown_variant"),
    ],
)
def test_bad_upload_is_refused_and_nothing_is_stored(upload, code):
    with pytest.raises(Refused) as refused:
        bots.submit_version(bot=factories.make_bot(), **upload)

    assert refused.value.code == code
    assert not Version.objects.exists()
    assert not VersionArchive.objects.exists()


def test_bot_has_limited_uploads_waiting():
    bot = factories.make_bot()
    for _ in range(bots.MAX_PENDING_PER_BOT):
        factories.make_upload(bot)

    with pytest.raises(Refused) as refused:
        factories.make_upload(bot)

    assert refused.value.code == "too_many_pending"


def test_an_upload_wakes_a_runner_after_commit(
    settings, monkeypatch, django_capture_on_commit_callbacks
):
    sent = []
    monkeypatch.setattr(
        "arena.jobs.app.send_task", lambda *args, **kwargs: sent.append((args, kwargs))
    )

    with django_capture_on_commit_callbacks(execute=True):
        factories.make_upload()
        assert sent == []

    nudge = {"args": [], "retry": False, "expires": settings.RESEND_AFTER_S}
    assert sent == [(("arena.wake_runner",), nudge)]


def test_matchmaker_message_expires_when_next_scheduled_is_sent(settings, monkeypatch):
    """A busy site sends many in a second, and each run does the work of all before it."""
    lasts_s = []
    monkeypatch.setattr(
        "arena.jobs.app.send_task", lambda _, expires, **_rest: lasts_s.append(expires)
    )

    jobs.send(jobs.MATCHMAKE)

    assert lasts_s == [settings.CELERY_BEAT_SCHEDULE["matchmake"]["schedule"]]


def test_paused_bot_is_unmatched_and_unrated_matches_end():
    first, second = factories.make_ready(), factories.make_ready()
    challenge = lifecycle.create_match(
        ladder=factories.get_ladder(),
        versions=[first, second],
        purpose=Purpose(MatchKind.CHALLENGE),
    )

    bots.pause(bot=first.bot)

    challenge.refresh_from_db()
    assert challenge.status == MatchStatus.CANCELLED
    assert matchmaking.fill(random=Random(1)) == []
    bots.resume(bot=first.bot)
    assert matchmaking.fill(random=Random(1)) != []


def go_back(version):
    """Play with a newer version, and then with this one again."""
    factories.make_ready(version.bot)
    activation.activate(version=version)


def leave_the_ladder(version):
    """Upload a version that does not play the ladder's game."""
    factories.make_ready(version.bot, variants=["general"])
    assert not version.bot.entries.get(ladder__slug="classic").active


def gate_and_refuse_challenges(version):
    bots.configure(bot=version.bot, gate_new_versions=True)
    challenges.let_challenge(bot=version.bot, allowed=False)


@pytest.mark.parametrize(
    "dodge",
    [
        lambda version: bots.pause(bot=version.bot),
        go_back,
        lambda version: activation.retire(version=version),
        leave_the_ladder,
        lambda version: User.objects.filter(bots=version.bot).update(is_active=False),
        gate_and_refuse_challenges,
    ],
    ids=["pause", "go back", "retire", "leave the ladder", "close the account", "gate and refuse"],
)
def test_nobody_dodges_a_rated_match_that_was_made(dodge):
    """One that waits, and one that its runner gives back."""
    first, second = factories.make_ready(), factories.make_ready()
    waiting, begun = (factories.make_match(first, second) for _ in range(2))
    lease = factories.claim(begun)

    dodge(first)

    lifecycle.void_attempt(lease=lease, reason="the platform failed")
    Match.objects.filter(pk=begun.pk).update(not_before=None)
    for match in (waiting, begun):
        factories.play_out(match, [0.0, 0.0])
        assert RatingEvent.objects.get(match=match, version=first).losses == 2
    assert recomputation.rerate(ladder=waiting.ladder) == []


@pytest.mark.parametrize(
    "gone",
    [
        lambda version: version.bot.owner,
        lambda version: version.bot,
        lambda version: version,
    ],
    ids=["account", "bot", "version"],
)
def test_nobody_dodges_a_rated_match_by_deleting(gone):
    first, second = factories.make_ready(), factories.make_ready()
    match = factories.make_match(first, second)

    with pytest.raises(ProtectedError):
        gone(first).delete()

    assert factories.play_out(match, [0.0, 0.0])
    assert RatingEvent.objects.get(match=match, version=first).losses == 2


def test_api_lets_nobody_withdraw_from_match(anyone):
    """A new call that deletes wants a look at the rated matches that were made."""
    paths = anyone.get("/schema/?format=json").json()["paths"]

    assert {path for path, calls in paths.items() if "delete" in calls} == {
        "/api/v1/bots/{owner}/{slug}",
        "/api/v1/challenges/{match_id}",
        "/api/v1/seats/{match_id}",
        "/api/v1/tokens/{token_id}",
        "/api/v1/tournaments/{slug}",
        "/api/v1/tournaments/{slug}/entrants/{owner}/{bot}",
        "/api/v1/tournaments/{slug}/organizers/{username}",
        "/api/v1/webhooks/{webhook_id}",
    }


@pytest.mark.parametrize("change", [{"number": 0}, {"status": "lost"}, {"status": "smoke"}])
def test_the_database_refuses_versions_that_make_no_sense(change):
    version = factories.make_upload()

    with pytest.raises(IntegrityError), transaction.atomic():
        Version.objects.filter(pk=version.pk).update(**change)
