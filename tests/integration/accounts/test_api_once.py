"""A write with an `Idempotency-Key` is done once, however often it is sent."""

from datetime import timedelta

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from arena.domain.accounts import idempotency
from arena.models import Bot, IdempotencyKey, Version
from tests import factories
from tests.integration.api import rows
from tests.integration.conftest import Caller
from tests.integration.matches.test_at_once import at_once

pytestmark = [pytest.mark.django_db, pytest.mark.every_store]


def make_bot(caller, key="k-1", **wanted):
    return caller.post(
        "/bots", {"name": "Greedy", **wanted}, format="json", HTTP_IDEMPOTENCY_KEY=key
    )


def upload(caller, bot, key, source=rows.SOURCE):
    file = SimpleUploadedFile("bot.py", source)
    return caller.post(f"/bots/{bot}/versions", {"file": file}, HTTP_IDEMPOTENCY_KEY=key)


def test_repeated_request_gets_same_answer_and_does_nothing(signed_in):
    caller = signed_in(rows.user("ada"))

    first, again = make_bot(caller), make_bot(caller)
    of_another = make_bot(signed_in(rows.user("grace")))

    assert (first.status_code, again.status_code) == (201, 201)
    assert again.content == first.content
    assert again["Location"] == first["Location"]
    assert again["Content-Type"] == "application/json"
    assert again["Idempotent-Replayed"] == "true"
    assert "Idempotent-Replayed" not in first
    assert (of_another.status_code, of_another.json()["owner"]) == (201, "grace")
    assert Bot.objects.count() == 2


def test_a_key_of_another_request_is_refused(signed_in):
    ada = rows.user("ada")
    caller, bot = signed_in(ada), factories.make_bot(ada)
    upload(caller, bot, "k-1")

    answers = [
        upload(caller, bot, "k-1", b"print('another bot')"),
        make_bot(caller, "k-1"),
        upload(caller, factories.make_bot(ada), "k-1"),
    ]

    assert [answer.status_code for answer in answers] == [422, 422, 422]
    assert {answer.json()["code"] for answer in answers} == {"idempotency_key_reused"}
    assert Version.objects.count() == 1


def test_repeat_during_first_try_is_told_to_wait(signed_in, monkeypatch):
    caller = signed_in(rows.user("ada"))
    meanwhile = []

    def slow(**_):
        monkeypatch.undo()
        meanwhile.append(make_bot(caller))
        raise RuntimeError("the first try fails after all")

    monkeypatch.setattr("arena.domain.bots.bots.create", slow)
    caller.raise_request_exception = False
    first = make_bot(caller)

    assert meanwhile[0].status_code == 409
    assert meanwhile[0].json()["code"] == "idempotency_key_at_work"
    assert first.status_code == 500
    assert make_bot(caller).status_code == 201


def test_a_refusal_frees_the_key(signed_in):
    caller = signed_in(rows.user("ada"))

    assert make_bot(caller, name="").status_code == 400
    assert make_bot(caller).status_code == 201


def test_first_try_undone_when_answer_cannot_be_kept(signed_in, monkeypatch):
    caller = signed_in(rows.user("ada"))

    def taken_over(**_):
        raise idempotency.StillAtWork

    monkeypatch.setattr(idempotency, "keep", taken_over)

    assert make_bot(caller).status_code == 409
    assert Bot.objects.count() == 0


def age(by):
    """Make every key older."""
    for row in IdempotencyKey.objects.all():
        IdempotencyKey.objects.filter(pk=row.pk).update(created_at=row.created_at - by)


def test_key_of_dead_process_taken_over_after_minute():
    ada = rows.user("ada")
    dead = idempotency.claim(user=ada, key="k-1", digest="d")

    with pytest.raises(idempotency.StillAtWork):
        idempotency.claim(user=ada, key="k-1", digest="d")
    age(idempotency.CLAIMED)
    living = idempotency.claim(user=ada, key="k-1", digest="d")
    assert isinstance(dead, idempotency.Claim)
    assert isinstance(living, idempotency.Claim)

    answer = idempotency.StoredResponse(201, {}, b"{}")
    idempotency.free(claim=dead)
    with pytest.raises(idempotency.StillAtWork):
        idempotency.keep(claim=dead, answer=answer)
    idempotency.keep(claim=living, answer=answer)
    assert idempotency.claim(user=ada, key="k-1", digest="d") == answer


def test_keys_are_forgotten_after_a_day(signed_in):
    caller = signed_in(rows.user("ada"))
    make_bot(caller, "k-1")
    age(idempotency.KEPT - timedelta(minutes=1))
    make_bot(caller, "k-2", name="Second")

    assert idempotency.purge() == 0
    age(timedelta(minutes=1))
    assert idempotency.purge() == 1
    assert make_bot(caller, "k-1", name="Third").status_code == 201
    age(idempotency.KEPT)
    assert make_bot(caller, "k-2", name="Fourth").status_code == 201  # though nobody has swept


@pytest.mark.parametrize("key", ["", " ", "a b", "x" * 201, "caf\u00e9"])
def test_a_key_that_is_none_is_refused(signed_in, key):
    answer = make_bot(signed_in(rows.user("ada")), key)

    assert answer.status_code == 400
    assert answer.json()["code"] == "bad_idempotency_key"


def test_what_signs_in_keeps_no_answer(signed_in):
    ada = rows.user("ada")
    body = {"username": "ada", "password": rows.PASSWORD}

    answers = [
        signed_in(ada).post("/tokens", body, format="json", HTTP_IDEMPOTENCY_KEY="k-1")
        for _ in range(2)
    ]

    assert answers[0].json()["token"] != answers[1].json()["token"]
    assert IdempotencyKey.objects.count() == 0


@pytest.mark.django_db(transaction=True)
def test_two_sent_at_once_make_one_version(transactional_db):
    ada = rows.user("ada")
    bot, token = factories.make_bot(ada), rows.token(ada)

    answers = at_once(*[lambda: upload(Caller(token), bot, "k-1")] * 4)

    assert {answer.status_code for answer in answers} <= {202, 409}
    assert 202 in {answer.status_code for answer in answers}
    assert Version.objects.count() == 1
    assert upload(Caller(token), bot, "k-1")["Idempotent-Replayed"] == "true"
